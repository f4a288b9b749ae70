"""Pictures of fairness: the first seat's win rate by matchup and by who plays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from reports.plots.canvas import (
    FAIR,
    INK,
    MUTED,
    VERDICT_COLOURS,
    as_written,
    entitle,
    in_percent,
    new_axes,
    with_fonts,
)
from sim.files.wording import plural

MOST_LINES = 80
COLOURS_MEAN = "colour: all verdicts together\nline: this matchup alone"


def _first_win_intervals(table: pd.DataFrame, verdict: str) -> Iterator[tuple[float, float, float, str]]:
    """Give low end, rate and high end of the first seat's win rate in each row, with the colour of the named verdict."""
    numbers = table[["first_win_low", "first_win_rate", "first_win_high"]].to_numpy(float)
    for (low, rate, high), word in zip(numbers, table[verdict], strict=True):
        yield low, rate, high, VERDICT_COLOURS.get(word, INK)


@with_fonts
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
    if len(pairs) > MOST_LINES:
        title += f" ({MOST_LINES} of {plural(len(pairs), 'matchup')}, the furthest from even)"
        far = (pairs["first_win_rate"] - 0.5).abs().nlargest(MOST_LINES).index
        pairs = pairs[pairs.index.isin(far)]
    ax = ax if ax is not None else new_axes(8.0, 1.4 + 0.24 * len(pairs))
    places = np.arange(len(pairs))
    ax.axvspan(0.5 - margin / 100, 0.5 + margin / 100, color=FAIR, zorder=0)
    ax.axvline(0.5, color=MUTED, linewidth=1, zorder=1)
    for place, (left, middle, right, colour) in enumerate(_first_win_intervals(pairs, "verdict_holm")):
        ax.plot([left, right], [place, place], color=colour, linewidth=1.6)
        ax.plot([middle], [place], "o", color=colour, markersize=4)
    same_decks = pairs["deck_a"] == pairs["deck_b"]
    same_players = pairs["strategy_a"] == pairs["strategy_b"]
    names = [
        (f"{a} – {b}" if not same else f"{a} mirror") if players else f"{a}, {s} – {b}, {t}"
        for a, b, s, t, same, players in zip(
            pairs["deck_a"],
            pairs["deck_b"],
            pairs["strategy_a"],
            pairs["strategy_b"],
            same_decks,
            same_players,
            strict=True,
        )
    ]
    ax.set_yticks(places, [as_written(name) for name in names], fontsize=8)
    ax.set_ylim(len(pairs) - 0.5, -0.5)
    words = [word for word in VERDICT_COLOURS if (pairs["verdict_holm"] == word).any()]
    keys = [Line2D([], [], color=VERDICT_COLOURS[word], marker="o", markersize=4, label=word) for word in words]
    ax.legend(handles=keys, frameon=False, fontsize=8, loc="best", title=COLOURS_MEAN, title_fontsize=8)
    ax.xaxis.set_major_formatter(in_percent())
    ax.set_xlabel(f"win rate of the first seat, strength cancelled (95 % interval; shaded: ±{plural(margin, 'point')})")
    entitle(ax, title)
    return ax


@with_fonts
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
    ax = ax if ax is not None else new_axes(8.0, 4.2)
    places = np.arange(len(skill))
    ax.axhspan(0.5 - margin / 100, 0.5 + margin / 100, color=FAIR, zorder=0)
    ax.axhline(0.5, color=MUTED, linewidth=1, zorder=1)
    for place, (bottom, middle, top, colour) in enumerate(_first_win_intervals(skill, "verdict")):
        ax.plot([place, place], [bottom, top], color=colour, linewidth=1.6)
        ax.plot([place], [middle], "o", color=colour, markersize=5)
    ax.set_xticks(places, [as_written(name) for name in skill["strategy"]], rotation=30, ha="right")
    ax.yaxis.set_major_formatter(in_percent())
    ax.set_ylabel("first seat wins")
    entitle(ax, title or "First seat's win rate by who plays both sides")
    return ax
