"""Pictures of fairness: the first seat's win rate by matchup and by who plays."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from reports.plots.canvas import new_axes, picture
from reports.plots.colours import FAIR, INK, MUTED, VERDICT_COLOURS
from reports.plots.labels import entitle, explain, in_percent, most_of, say_below, short
from sim.files.wording import plural

MOST_ASLANT = 14  # labels below a picture; more stand upright
WIDE = 70  # letters of a row's label that is written in one line
OF_A_PLAYER = 24  # letters of a strategy that stands beside a deck
COLOURS_MEAN = "colour: all verdicts together\nline: this matchup alone"


def _colours(verdicts: pd.Series) -> list[str]:
    """Give the colour of each verdict."""
    return [VERDICT_COLOURS.get(word, INK) for word in verdicts]


@picture
def plot_first_player(pairs: pd.DataFrame, *, margin: float = 2.0, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw a forest plot of the first seat's win rate, one line a matchup.

    Colours are the verdicts as all matchups of the table hold together (``verdict_holm``), so a line that only just
    clears the margin may be not decided: the lines are the intervals of each matchup alone, as the legend says.

    Parameters
    ----------
    pairs : DataFrame
        From `reports.tables.pairs_table` (or some of its rows).
    margin : float
        Points around 50 % that count as fair; shaded.
    title : str
        What it shows.
    ax : Axes, optional
        Where to draw; by default on a new figure.
    """
    title = title or "First-player advantage"
    far = (pairs["first_win_rate"] - 0.5).abs()
    pairs, left_out = most_of(pairs, far, "matchup", "the furthest from even")
    labels, who = _matchup_labels(pairs)
    ax = (
        ax
        if ax is not None
        else new_axes(5.8, 0.3 + (0.34 if any("\n" in name for name in labels) else 0.22) * len(pairs))
    )
    places = np.arange(len(pairs))
    ax.axvspan(0.5 - margin / 100, 0.5 + margin / 100, color=FAIR, zorder=0)
    ax.axvline(0.5, color=MUTED, linewidth=1, zorder=1)
    colours = _colours(pairs["verdict_holm"])
    ax.hlines(places, pairs["first_win_low"], pairs["first_win_high"], colors=colours, linewidth=1.6, zorder=2)
    ax.scatter(pairs["first_win_rate"], places, s=16, c=colours, zorder=3)
    ax.set_yticks(places, labels, fontsize=8)
    ax.set_ylabel(who)
    ax.set_ylim(len(pairs) - 0.5, -0.5)
    words = [word for word in VERDICT_COLOURS if (pairs["verdict_holm"] == word).any()]
    keys = [Line2D([], [], color=VERDICT_COLOURS[word], marker="o", markersize=4, label=word) for word in words]
    explain(ax, handles=keys, title=COLOURS_MEAN)
    ax.xaxis.set_major_formatter(in_percent())
    say_below(ax, f"win rate of the first seat, strength cancelled (95 % interval; shaded: ±{plural(margin, 'point')})")
    entitle(ax, title + left_out)
    return ax


def _matchup_labels(pairs: pd.DataFrame) -> tuple[list[str], str]:
    """Name matchups by their decks and, where they differ, their players; the same ones everywhere are named once."""
    decks = short([*pairs["deck_a"], *pairs["deck_b"]])
    players = short([*pairs["strategy_a"], *pairs["strategy_b"]], OF_A_PLAYER)
    met = set(zip(pairs["strategy_a"], pairs["strategy_b"], strict=True))
    labels = []
    for a, b, s, t in pairs[["deck_a", "deck_b", "strategy_a", "strategy_b"]].itertuples(index=False):
        if s != t and len(met) > 1:
            one, other = f"{decks[a]}, {players[s]} –", f"{decks[b]}, {players[t]}"
        else:
            one, other = (f"{decks[a]} –", decks[b]) if (a, s) != (b, t) else (decks[a], "mirror")
        labels.append(f"{one}{chr(10) if len(one + other) > WIDE and other != 'mirror' else ' '}{other}")
    who = [f"deck of {players[s]} – deck of {players[t]}" for s, t in met if s != t]
    return labels, who[0] if who and len(met) == 1 else ""


@picture
def plot_skill(skill: pd.DataFrame, *, margin: float = 2.0, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the first seat's win rate by strategy, with intervals and the margin, to see whether a verdict holds.

    Parameters
    ----------
    skill : DataFrame
        From `reports.tables.skill_table`.
    margin : float
        Points around 50 % that count as fair.
    title : str
        What it shows.
    ax : Axes, optional
        Where to draw; by default on a new figure.
    """
    far = (skill["first_win_rate"] - 0.5).abs()
    skill, left_out = most_of(skill, far, "strategy", "the furthest from even")
    ax = ax if ax is not None else new_axes(max(5.8, 0.25 * len(skill)), 3.6)
    places = np.arange(len(skill))
    ax.axhspan(0.5 - margin / 100, 0.5 + margin / 100, color=FAIR, zorder=0)
    ax.axhline(0.5, color=MUTED, linewidth=1, zorder=1)
    colours = _colours(skill["verdict"])
    ax.vlines(places, skill["first_win_low"], skill["first_win_high"], colors=colours, linewidth=1.6, zorder=2)
    ax.scatter(places, skill["first_win_rate"], s=25, c=colours, zorder=3)
    names = short(skill["strategy"])
    labels = [names[name] for name in skill["strategy"]]
    if len(labels) <= MOST_ASLANT:
        ax.set_xticks(places, labels, rotation=30, ha="right")
    else:
        ax.set_xticks(places, labels, rotation=90, fontsize=8)
    ax.yaxis.set_major_formatter(in_percent())
    ax.set_ylabel("first seat wins")
    entitle(ax, (title or "First seat's win rate by who plays both sides") + left_out)
    return ax
