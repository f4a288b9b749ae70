"""The picture of a knock-out: what a copy of each card is worth, one line a card."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from reports.plots.canvas import FAIR, INK, MUTED, as_written, entitle, named, new_axes, with_fonts
from reports.tables.knockout import IN_LINE, NOT_DECIDED, TOO_STRONG, TOO_WEAK

WORD_COLOURS = {TOO_STRONG: "#c23b4b", TOO_WEAK: "#8e5bb5", IN_LINE: "#2a9d6f", NOT_DECIDED: MUTED}


@with_fonts
def plot_ranking(
    ranking: pd.DataFrame, cards: pd.DataFrame, *, margin: float = 2.0, title: str = "", ax: Axes | None = None
) -> Axes:
    """Draw a forest plot of what a copy of each card is worth over a plain one, the strongest on top.

    Parameters
    ----------
    ranking : DataFrame
        From `reports.tables.knockout.ranking_table`: the rows of one strategy.
    cards : DataFrame
        From `reports.tables.knockout.cards_table`: its rows of that strategy are drawn as small marks, one a deck.
    margin : float
        Points around the middle card of the set that count as in line; shaded.
    title : str
        What it shows.
    ax : Axes, optional
        Where to draw; by default on a new figure.

    Returns
    -------
    Axes
        The axes; ``ax.figure`` is the figure.
    """
    ax = ax if ax is not None else new_axes(8.0, 1.6 + 0.26 * len(ranking))
    middle = float(ranking["median"].iloc[0])
    ax.axvspan(100 * middle - margin, 100 * middle + margin, color=FAIR, zorder=0)
    ax.axvline(0.0, color=INK, linewidth=1, zorder=1)
    for place, row in enumerate(ranking.to_dict("records")):
        colour = WORD_COLOURS[row["verdict_holm"]]
        of_decks = 100 * cards.loc[cards["card"] == row["card"], "effect"].dropna().to_numpy(float)
        ax.plot(of_decks, np.full(len(of_decks), place), "|", color=MUTED, markersize=6, zorder=2)
        ax.plot(
            [100 * row["effect_low"], 100 * row["effect_high"]], [place, place], color=colour, linewidth=1.8, zorder=3
        )
        ax.plot([100 * row["effect"]], [place], "o", color=colour, markersize=4.5, zorder=4)
    ax.set_yticks(
        range(len(ranking)),
        [as_written(named(row["name"], row["en"])) for row in ranking.to_dict("records")],
        fontsize=8,
    )
    ax.set_ylim(len(ranking) - 0.5, -0.5)
    for word, colour in WORD_COLOURS.items():
        if (ranking["verdict_holm"] == word).any():
            ax.plot([], [], "o-", color=colour, markersize=4.5, label=word)
    ax.legend(frameon=False, fontsize=8, loc="best")
    ax.set_xlabel(
        f"points that a copy is worth over a plain card (| a deck; shaded: middle card ±{margin:g})", fontsize=9
    )
    entitle(ax, title or "What a card is worth")
    return ax
