"""Pictures of decks: against each other, beside what the ratings say, and as a choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from reports.plots.canvas import new_axes, picture
from reports.plots.colours import COLOURS, INK
from reports.plots.labels import entitle, in_percent, most_of, say_below, short
from sim.files.wording import number, plural

LEAST_WIDTH = 3.5  # inches, for a title over few decks
MOST_NUMBERS = 20  # decks up to which a number stands in each cell, which tells more than its colour
MOST_DECKS = 60  # of a square


@picture
def plot_decks(matrix: pd.DataFrame, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw a deck × deck heatmap of win rates.

    Parameters
    ----------
    matrix : DataFrame
        Win rates of the row against the column, from `reports.tables.deck_matrix`.
    title : str
        What it shows.
    ax : Axes, optional
        Where to draw; by default on a new figure.

    Returns
    -------
    Axes
        The axes; ``ax.figure`` is the figure.
    """
    chosen, left_out = _some_decks(matrix.mean(axis=1), "the strongest")
    matrix = matrix.loc[chosen, chosen]
    ax = _heatmap(list(matrix.index), matrix.to_numpy(float), (0.0, 1.0), False, ax)
    entitle(ax, (title or "Win rate in %, both seats") + left_out)
    return ax


@picture
def plot_residuals(residuals: pd.DataFrame, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw a deck × deck heatmap of what ratings on one scale do not tell: decks that beat each other in a circle show
    here.

    Parameters
    ----------
    residuals : DataFrame
        One strategy's rows from `reports.tables.residuals_table`; those that are no chance are in bold type.
    title : str
        What it shows.
    ax : Axes, optional
        Where to draw; by default on a new figure.
    """
    far = residuals["residual"].abs().groupby(residuals["deck"], sort=False).max()
    decks, left_out = _some_decks(far, "those that are furthest off")
    rows = residuals[residuals["deck"].isin(decks) & residuals["opponent"].isin(decks)]
    at = rows["deck"].map(decks.index).to_numpy(int), rows["opponent"].map(decks.index).to_numpy(int)
    values, clear = np.zeros((len(decks), len(decks))), np.zeros((len(decks), len(decks)), bool)
    values[at], clear[at] = rows["residual"], rows["clear"]
    most = max(float(abs(values).max()), 0.01)
    ax = _heatmap(decks, values, (-most, most), True, ax, bold=clear, shown=~np.eye(len(decks), dtype=bool))
    entitle(ax, (title or "Points of win rate above what the ratings say") + left_out)
    return ax


def _some_decks(rank: pd.Series, which: str) -> tuple[list[Any], str]:
    """Choose the decks of a square: all, or those that rank highest, in their order; and say what is left out."""
    if len(rank) <= MOST_DECKS:
        return list(rank.index), ""
    kept = rank.index.isin(rank.nlargest(MOST_DECKS).index)
    return list(rank.index[kept]), f" ({MOST_DECKS} of {plural(len(rank), 'deck')}, {which})"


def _heatmap(
    decks: list[Any],
    values: np.ndarray,
    limits: tuple[float, float],
    signed: bool,
    ax: Axes | None,
    *,
    bold: np.ndarray | None = None,
    shown: np.ndarray | None = None,
) -> Axes:
    """Colour a square of rates, decks in the rows against opponents in the columns, and write in each cell what it is
    in per cent; a scale stands for the numbers of many decks.
    """
    n = len(decks)
    few = n <= MOST_NUMBERS
    across, down, size = (0.72, 0.5, 9) if n <= 8 else (0.5, 0.34, 8) if few else (0.19, 0.19, 7)
    ax = ax if ax is not None else new_axes(max(across * n, LEAST_WIDTH), down * n)
    image = ax.imshow(values, cmap="RdYlBu", vmin=limits[0], vmax=limits[1], aspect="auto")
    names = short(decks)
    labels = [names[deck] for deck in decks]
    ax.set_xticks(range(n), labels, rotation=30 if few else 90, ha="right" if few else "center", fontsize=size)
    ax.set_yticks(range(n), labels, fontsize=size)
    say_below(ax, "opponent")
    ax.set_ylabel("deck")
    if few:
        middle, half = (limits[0] + limits[1]) / 2, (limits[1] - limits[0]) / 2
        dark = abs(values - middle) > 0.7 * half
        for i, j in np.ndindex(values.shape):
            if shown is None or shown[i, j]:
                ax.text(
                    j,
                    i,
                    number(100 * float(values[i, j]), 1, sign=signed),
                    ha="center",
                    va="center",
                    fontsize=size,
                    color="white" if dark[i, j] else INK,
                    fontweight="bold" if bold is not None and bold[i, j] else "normal",
                    in_layout=False,
                )
    else:
        scale = ax.inset_axes((1.02, 0, 0.02, 1))
        ax.figure.colorbar(image, cax=scale, format=in_percent())
    return ax


@picture
def plot_metagame(metagame: pd.DataFrame, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw a bar for each deck's share of the equilibrium, with its interval.

    Parameters
    ----------
    metagame : DataFrame
        One strategy's rows from `reports.tables.metagame_table`.
    title : str
        What it shows.
    ax : Axes, optional
        Where to draw; by default on a new figure.
    """
    title = title or "Which decks would be played"
    metagame, left_out = most_of(metagame, metagame["share"], "deck", "those with the largest shares")
    ax = ax if ax is not None else new_axes(5.8, 0.3 + 0.26 * len(metagame))
    places = np.arange(len(metagame))
    ax.barh(places, metagame["share"], color=COLOURS[0], alpha=0.6, height=0.6)
    ax.hlines(places, metagame["share_low"], metagame["share_high"], color=INK, linewidth=1.4)
    for end in ("share_low", "share_high"):
        ax.plot(metagame[end], places, "|", color=INK, markersize=7)
    names = short(metagame["deck"])
    ax.set_yticks(places, [names[deck] for deck in metagame["deck"]])
    ax.set_ylim(len(metagame) - 0.5, -0.5)
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(in_percent())
    say_below(ax, "share of the decks brought (95 % interval)")
    entitle(ax, title + left_out)
    return ax
