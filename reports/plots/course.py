"""Pictures of games: how long they last, what happens in each turn, who leads."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from reports.plots.canvas import COLOURS, INK, as_written, new_axes, with_fonts
from reports.tables import players, quantile

FEW_GAMES = 0.002  # share of games below which turns are no longer drawn


@with_fonts
def plot_lengths(lengths: pd.DataFrame, *, unit: str = "turns", title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the distribution of game lengths, one line for each pair of strategies; games that were stopped are none of a length.

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
    ax = ax if ax is not None else new_axes(8.0, 4.2)
    tops = []
    for i, (name, group) in enumerate(lengths.groupby(players(lengths), sort=False)):
        games = group.groupby("turns")[["games", "turn_limit"]].sum()
        games = games.reindex(range(int(games.index.max()) + 1), fill_value=0)
        shares = (games["games"] - games["turn_limit"]) / games["games"].sum()
        stopped = games["turn_limit"].sum() / games["games"].sum()
        median = quantile(games["games"].to_numpy(), 0.5, games["turn_limit"].to_numpy())
        told = f"{name} (median {median}{f', {100 * stopped:.1f} % stopped' if stopped else ''})"
        ax.step(shares.index, shares.to_numpy(), where="mid", color=COLOURS[i % len(COLOURS)], label=as_written(told))
        tops.append(int(np.searchsorted(shares.cumsum().to_numpy(), 0.998 * (1 - stopped))))
    ax.set_xlim(0, max(tops) + 2)
    ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.set_xlabel(f"{unit} (both players' counted)" if unit == "turns" else unit)
    ax.set_ylabel("share of games")
    ax.set_title(as_written(title or "Game length"), fontsize=11, color=INK)
    ax.legend(frameon=False)
    return ax


@with_fonts
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
    ax = ax if ax is not None else new_axes(8.0, 4.2)
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
    ax.set_ylim(bottom=0)
    ax.set_xlabel(unit)
    ax.set_ylabel(f"mean over the games with such a {unit.split()[-1]}")
    ax.set_title(as_written(title or "By turn"), fontsize=11, color=INK)
    ax.legend(frameon=False)
    return ax


@with_fonts
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
    ax = ax if ax is not None else new_axes(8.0, 4.2)
    sums = leads.groupby("turn")[["games", "first_leads", "second_leads", "leader_wins"]].sum()
    sums = sums[sums["games"] >= FEW_GAMES * sums["games"].max()]
    led = sums["first_leads"] + sums["second_leads"]
    for column, colour in (("first_leads", COLOURS[0]), ("second_leads", COLOURS[1])):
        ax.plot(sums.index, sums[column] / sums["games"], color=colour, label=f"the {column.split('_')[0]} seat leads")
    ax.plot(sums.index, sums["leader_wins"] / led.where(led > 0), color=INK, linestyle="--", label="who leads wins")
    ax.set_ylim(0, 1)
    ax.yaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.set_xlabel(f"after {unit}")
    ax.set_ylabel("share of the games that go on")
    ax.set_title(as_written(title or "Who leads"), fontsize=11, color=INK)
    ax.legend(frameon=False)
    return ax
