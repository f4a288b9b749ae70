"""Pictures of results. Each takes a table and ``ax=None`` and returns the axes it drew on."""

from reports.plots import matplotlib_import as matplotlib_import  # before anything else imports matplotlib
from reports.plots.canvas import png as png
from reports.plots.course import plot_leads as plot_leads
from reports.plots.course import plot_lengths as plot_lengths
from reports.plots.course import plot_turns as plot_turns
from reports.plots.decks import plot_decks as plot_decks
from reports.plots.decks import plot_metagame as plot_metagame
from reports.plots.decks import plot_residuals as plot_residuals
from reports.plots.everything import all_pictures as all_pictures
from reports.plots.everything import draw_all as draw_all
from reports.plots.fairness import plot_first_player as plot_first_player
from reports.plots.fairness import plot_skill as plot_skill
from reports.plots.pictures import render as render
