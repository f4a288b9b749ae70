"""Every picture of a report."""

from __future__ import annotations

from functools import partial
from itertools import product

import pandas as pd
from matplotlib.axes import Axes

from reports.play.results import Results
from reports.plots.course import plot_leads, plot_lengths, plot_turns
from reports.plots.decks import plot_decks, plot_metagame, plot_residuals
from reports.plots.fairness import plot_first_player, plot_skill
from reports.plots.pictures import Draw, file_name
from reports.plots.sweep import draw_first_seat, draw_length
from reports.studies.strongest import strongest
from reports.tables import deck_matrix

FEW_STRATEGIES = 3  # up to which unequal players are drawn, too


def draw_all(results: Results, tables: dict[str, pd.DataFrame]) -> dict[str, Axes]:
    """Draw every picture of a report; see `all_pictures`."""
    return {name: draw() for name, draw in all_pictures(results, tables).items()}


def all_pictures(results: Results, tables: dict[str, pd.DataFrame]) -> dict[str, Draw]:
    """List every picture of a report, and how it is drawn.

    Parameters
    ----------
    results : Results
        What was found.
    tables : dict of str to DataFrame
        From `reports.tables.all_tables`.

    Returns
    -------
    dict of str to function
        By file name without its ending: what draws it, and gives the axes.
    """
    study = results.study
    pictures: dict[str, Draw] = {}
    if len(tables["skill"]) > 1:
        pictures["skill"] = partial(plot_skill, tables["skill"], margin=study.margin)
    for name in tables["decks"]["strategy"].unique() if not tables["decks"].empty else ():
        pictures[f"decks_{file_name(name)}"] = partial(_decks, results, name)
    if "metagame" in tables:
        name = strongest(tables, tables["metagame"]["strategy"])
        if len(study.decks) > 2:
            residuals = tables["residuals"].query("strategy == @name")
            title = f"Points of win rate above what the ratings say, {name} on both sides"
            pictures["residuals"] = partial(plot_residuals, residuals, title=title)
        title = f"Which decks would be played, {name} on both sides"
        pictures["metagame"] = partial(plot_metagame, tables["metagame"].query("strategy == @name"), title=title)
    by_players = dict(list(tables["pairs"].groupby(["strategy_a", "strategy_b"], sort=False)))
    for (a, b), rows in sorted(by_players.items(), key=lambda item: item[0][0] != item[0][1]):  # equal players first
        if a != b and (study.pairing == "same deck" or len(study.strategies) > FEW_STRATEGIES):
            continue
        pictures[f"first_player_{file_name(a)}_against_{file_name(b)}"] = partial(
            plot_first_player, rows, margin=study.margin, title=f"First-player advantage, {a} against {b}"
        )
    lengths = tables["lengths"]
    if len(study.strategies) > FEW_STRATEGIES:
        lengths = lengths[lengths["strategy_first"] == lengths["strategy_second"]]
    pictures["lengths"] = partial(plot_lengths, lengths, unit=study.game.turn_words[1])
    for name in tables["skill"]["strategy"]:
        leads = tables["leads"].query("strategy_first == @name and strategy_second == @name")
        if not leads.empty:
            title = f"Who leads, {name} on both sides"
            pictures[f"leads_{file_name(name)}"] = partial(
                plot_leads, leads, unit=study.game.turn_words[0], title=title
            )
    if study.game.tallies.turn:
        turns, word = tables["turns"], study.game.turn_words[0]
        numbers = study.game.tallies.turn[1:]
        units = dict.fromkeys(number.split("_")[0] for number in numbers)  # numbers of one unit are drawn together
        for name, unit in product(study.strategies, units):
            others = [number for number in numbers if number.split("_")[0] != unit]
            both = turns[(turns["strategy_first"] == name) & (turns["strategy_second"] == name)].drop(columns=others)
            if both.empty:  # the games were too short
                continue
            pictures[f"turns_{file_name(name)}_{unit}"] = partial(
                plot_turns,
                both,
                unit="round" if study.game.has_rounds else "own turn",
                title=f"{word.capitalize()} by {word}, {name} on both sides",
            )
    if study.sweep is not None:
        pictures["sweep_first_seat"] = partial(draw_first_seat, results, tables)
        pictures["sweep_length"] = partial(draw_length, results, tables)
    return pictures


def _decks(results: Results, strategy: str) -> Axes:
    """Draw how the decks do against each other, played by a strategy."""
    return plot_decks(deck_matrix(results, strategy), title=f"Win rate in %, both seats, {strategy} on both sides")
