"""Pictures of games: how long they last, what happens in each turn, who leads."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from reports.plots.canvas import new_axes, picture
from reports.plots.colours import COLOURS, INK
from reports.plots.labels import entitle, explain, in_percent, say_below, short
from reports.tables import players, quantile
from sim.files.wording import plural

SIZE = (5.8, 3.6)  # inches
WIDE = 24  # letters of two names that stand beside each other in a legend

FEW_GAMES = 0.002  # share of games below which turns are no longer drawn
AIR = 0.03  # of the height, between the axis and a line at its end


def _above_axis(ax: Axes) -> None:
    """Begin the heights a little below 0, so that a line at 0 does not lie on the axis."""
    ax.set_ylim(bottom=-AIR * ax.get_ylim()[1])


@picture
def plot_lengths(lengths: pd.DataFrame, *, unit: str = "turns", title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the distribution of game lengths, one line for each pair of strategies; games that were stopped are none of
    a length. Of more pairs than there are colours some are drawn, from the shortest games to the longest.

    Parameters
    ----------
    lengths : DataFrame
        From `reports.tables.lengths_table`.
    unit : str
        What lengths are counted in.
    title : str
        What it shows.
    ax : Axes, optional
        Where to draw; by default on a new figure.
    """
    ax = ax if ax is not None else new_axes(*SIZE)
    chosen, left_out = _some_players(lengths)
    names = short([*lengths["strategy_first"], *lengths["strategy_second"]])
    tops = []
    for group, colour in zip(chosen, COLOURS, strict=False):
        games = group.groupby("turns")[["games", "turn_limit"]].sum()
        games = games.reindex(range(int(games.index.max()) + 1), fill_value=0)
        shares = (games["games"] - games["turn_limit"]) / games["games"].sum()
        stopped = games["turn_limit"].sum() / games["games"].sum()
        median = quantile(games["games"].to_numpy(), 0.5, games["turn_limit"].to_numpy())
        middle = median if median is not None else f"> {games.index.max()}"
        first, second = (names[group[column].iloc[0]] for column in ("strategy_first", "strategy_second"))
        told = f"{first} –{chr(10) if len(first + second) > WIDE else ' '}{second}"
        told += f"\n(median {middle}{f', {100 * stopped:.1f} % stopped' if stopped else ''})"
        ax.step(shares.index, shares.to_numpy(), where="mid", color=colour, label=told)
        tops.append(int(np.searchsorted(shares.cumsum().to_numpy(), 0.998 * (1 - stopped))))
    ax.set_xlim(0, max(tops) + 2)
    _above_axis(ax)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(in_percent())
    say_below(ax, f"{unit} (both players' counted)" if unit == "turns" else unit)
    ax.set_ylabel("share of games")
    entitle(ax, (title or "Game length") + left_out)
    explain(ax)
    return ax


def _some_players(lengths: pd.DataFrame) -> tuple[list[pd.DataFrame], str]:
    """Give the rows of each pair of strategies, or of as many as there are colours, and what a title says of that."""
    groups = [group for _, group in lengths.groupby(players(lengths), sort=False)]
    if len(groups) <= len(COLOURS):
        return groups, ""
    means = [np.average(group["turns"], weights=group["games"]) for group in groups]
    ordered = [groups[i] for i in np.argsort(means, kind="stable")]
    places = np.linspace(0, len(groups) - 1, len(COLOURS)).round().astype(int)
    told = f" ({len(COLOURS)} of {plural(len(groups), 'pair')} of players, from the shortest games to the longest)"
    return [ordered[i] for i in places], told


@picture
def plot_turns(turns: pd.DataFrame, *, unit: str = "own turn", title: str = "", ax: Axes | None = None) -> Axes:
    """Draw what a game counts for each own turn: a colour for each number, the second seat dashed.

    Parameters
    ----------
    turns : DataFrame
        From `reports.tables.turns_table` (or some of its rows): the columns after ``turn`` are games and means.
    unit : str
        What is told apart from left to right.
    title : str
        What it shows.
    ax : Axes, optional
        Where to draw; by default on a new figure.
    """
    ax = ax if ax is not None else new_axes(*SIZE)
    games, *columns = turns.columns[list(turns.columns).index("turn") + 1 :]
    for i, column in enumerate(columns):
        for seat, style in (("first", "-"), ("second", "--")):
            part = turns[turns["seat"] == seat]
            sums = part.assign(total=part[column] * part[games]).groupby("turn")[["total", games]].sum()
            ax.plot(
                sums.index,
                sums["total"] / sums[games],
                style,
                color=COLOURS[i % len(COLOURS)],
                label=f"{column.replace('_', ' ')}, {seat} seat",
            )
    _above_axis(ax)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    say_below(ax, unit)
    ax.set_ylabel(f"mean over the games with such a {unit.split()[-1]}")
    entitle(ax, title or "By turn")
    explain(ax)
    return ax


@picture
def plot_leads(leads: pd.DataFrame, *, unit: str = "turn", title: str = "", ax: Axes | None = None) -> Axes:
    """Draw who leads after each turn, as shares of all games that went on, and how often the leader wins.

    Parameters
    ----------
    leads : DataFrame
        From `reports.tables.leads_table` (or some of its rows).
    unit : str
        What is told apart from left to right.
    title : str
        What it shows.
    ax : Axes, optional
        Where to draw; by default on a new figure.
    """
    ax = ax if ax is not None else new_axes(*SIZE)
    sums = leads.groupby("turn")[["games", "first_leads", "second_leads", "leader_wins"]].sum()
    sums = sums[sums["games"] >= FEW_GAMES * sums["games"].max()]
    led = sums["first_leads"] + sums["second_leads"]
    for column, colour in (("first_leads", COLOURS[0]), ("second_leads", COLOURS[1])):
        ax.plot(sums.index, sums[column] / sums["games"], color=colour, label=f"the {column.split('_')[0]} seat leads")
    ax.plot(sums.index, sums["leader_wins"] / led.where(led > 0), color=INK, linestyle="--", label="who leads wins")
    ax.set_ylim(-AIR, 1 + AIR)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(in_percent())
    say_below(
        ax,
        "after turn (odd: the first seat's, even: the second's, hence the zigzag)"
        if unit == "turn"
        else f"after {unit}",
    )
    ax.set_ylabel("share of the games that go on")
    entitle(ax, title or "Who leads")
    explain(ax)
    return ax
