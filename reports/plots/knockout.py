"""The picture of a knock-out: what a copy of each card is worth, one line a card."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from reports.plots.canvas import new_axes, picture
from reports.plots.colours import FAIR, INK, MUTED
from reports.plots.labels import entitle, explain, most_of, named, say_below, short
from reports.tables.knockout import IN_LINE, NOT_DECIDED, TOO_STRONG, TOO_WEAK

WORD_COLOURS = {TOO_STRONG: "#c23b4b", TOO_WEAK: "#8e5bb5", IN_LINE: "#2a9d6f", NOT_DECIDED: MUTED}


@picture
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
    middle = float(ranking["median"].iloc[0])
    far = (ranking["effect"] - middle).abs()
    ranking, left_out = most_of(ranking, far, "card", "the furthest from the middle card")
    ax = ax if ax is not None else new_axes(5.8, 0.3 + 0.24 * len(ranking))
    ax.axvspan(100 * middle - margin, 100 * middle + margin, color=FAIR, zorder=0)
    ax.axvline(0.0, color=INK, linewidth=1, zorder=1)
    places = np.arange(len(ranking))
    colours = [WORD_COLOURS[word] for word in ranking["verdict_holm"]]
    of_decks = cards[cards["card"].isin(ranking["card"])].dropna(subset=["effect"])
    at = of_decks["card"].map(dict(zip(ranking["card"], places, strict=True)))
    ax.plot(100 * of_decks["effect"], at, "|", color=MUTED, markersize=6, zorder=2)
    low, high = 100 * ranking["effect_low"], 100 * ranking["effect_high"]
    ax.hlines(places, low, high, colors=colours, linewidth=1.8, zorder=3)
    ax.scatter(100 * ranking["effect"], places, s=20, c=colours, zorder=4)
    names = [named(row["name"], row["en"]) for row in ranking.to_dict("records")]
    written = short(names)
    ax.set_yticks(places, [written[name] for name in names], fontsize=8)
    ax.set_ylim(len(ranking) - 0.5, -0.5)
    for word, colour in WORD_COLOURS.items():
        if (ranking["verdict_holm"] == word).any():
            ax.plot([], [], "o-", color=colour, markersize=4.5, label=word)
    explain(ax)
    say_below(
        ax,
        f"points that a copy is worth over a plain card (| a deck; shaded: middle card ±{margin:g})",
        fontsize=9,
    )
    entitle(ax, (title or "What a card is worth") + left_out)
    return ax
