"""Pictures of decks: against each other, beside what the ratings say, and as a choice."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from reports.plots.canvas import COLOURS, INK, as_written, entitle, in_percent, new_axes, with_fonts
from sim.files.wording import number

LEAST_WIDTH = 6.0  # inches, for a title over few decks


@with_fonts
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
    values = matrix.to_numpy(float)
    dark = abs(values - 0.5) > 0.35
    ax = _heatmap(list(matrix.index), values, (0.0, 1.0), ax)
    for i, j in np.ndindex(values.shape):
        ax.text(
            j,
            i,
            f"{100 * values[i, j]:.1f}",
            ha="center",
            va="center",
            fontsize=9,
            color="white" if dark[i, j] else INK,
        )
    entitle(ax, title or "Win rate in %, both seats")
    return ax


@with_fonts
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
    decks = list(residuals["deck"].unique())
    rows = {(decks.index(row["deck"]), decks.index(row["opponent"])): row for row in residuals.to_dict("records")}
    values = np.zeros((len(decks), len(decks)))
    for cell, row in rows.items():
        values[cell] = row["residual"]
    most = max(float(abs(values).max()), 0.01)
    ax = _heatmap(decks, values, (-most, most), ax)
    for (i, j), row in rows.items():
        weight, colour = "bold" if row["clear"] else "normal", "white" if abs(values[i, j]) > 0.7 * most else INK
        ax.text(
            j,
            i,
            number(100 * values[i, j], 1, sign=True),
            ha="center",
            va="center",
            fontsize=9,
            color=colour,
            fontweight=weight,
        )
    entitle(ax, title or "Points of win rate above what the ratings say")
    return ax


def _heatmap(decks: list[str], values: np.ndarray, limits: tuple[float, float], ax: Axes | None) -> Axes:
    """Colour a square of values, decks in the rows against opponents in the columns."""
    n = len(decks)
    ax = ax if ax is not None else new_axes(max(2.2 + 0.75 * n, LEAST_WIDTH), 1.6 + 0.6 * n)
    ax.imshow(values, cmap="RdYlBu", vmin=limits[0], vmax=limits[1], aspect="auto")
    ax.set_xticks(range(n), [as_written(deck) for deck in decks], rotation=30, ha="right")
    ax.set_yticks(range(n), [as_written(deck) for deck in decks])
    ax.set_xlabel("opponent")
    ax.set_ylabel("deck")
    return ax


@with_fonts
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
    ax = ax if ax is not None else new_axes(8.0, 1.6 + 0.35 * len(metagame))
    places = np.arange(len(metagame))
    ax.barh(places, metagame["share"], color=COLOURS[0], alpha=0.6, height=0.6)
    for place, low, high in zip(places, metagame["share_low"], metagame["share_high"], strict=True):
        ax.plot([low, high], [place, place], "|-", color=INK, linewidth=1.4, markersize=7)
    ax.set_yticks(places, [as_written(deck) for deck in metagame["deck"]])
    ax.set_ylim(len(metagame) - 0.5, -0.5)
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(in_percent())
    ax.set_xlabel("share of the decks brought (95 % interval)")
    entitle(ax, title or "Which decks would be played")
    return ax
