"""Pictures of a sweep: the first seat's win rate and the length of games against each parameter."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from reports.play.results import Results
from reports.plots.canvas import fit, new_axes, new_panels, own_settings, picture
from reports.plots.colours import COLOURS, FAIR, INK, MUTED
from reports.plots.labels import explain, in_percent, say_below, short
from reports.studies.sweep import GRID, Parameter, Sweep, word
from sim.files.wording import plural

SIZE = (3.0, 2.6)  # inches of a panel
PANELS = 3  # beside each other
MOST_PANELS = 12
MOST_WORDS = 24  # values that are named below a panel
OF_A_VALUE = 30  # letters
SPREAD = 0.12  # by which points of different players stand beside each other, in steps between values


@picture
def plot_first_seat(
    table: pd.DataFrame,
    sweep: Sweep,
    parameter: Parameter,
    *,
    margin: float = 2.0,
    legend: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the first seat's win rate of each variant against one parameter, a colour for each strategy that plays both
    sides.

    Parameters
    ----------
    table : DataFrame
        From `reports.tables.sweep_table`.
    sweep : Sweep
        The study's; in a grid a line goes through the means of its points with each value.
    parameter : Parameter
        What is drawn from left to right.
    margin : float
        Points around 50 % that count as fair; shaded.
    legend : bool
        Tell the colours.
    ax : Axes, optional
        Where to draw; by default on a new figure.
    """
    ax = ax if ax is not None else new_axes(*SIZE)
    ax.axhspan(0.5 - margin / 100, 0.5 + margin / 100, color=FAIR, zorder=0)
    ax.axhline(0.5, color=MUTED, linewidth=1, zorder=1)
    _draw(ax, table, sweep, parameter, "first_win_rate", ("first_win_low", "first_win_high"))
    ax.yaxis.set_major_formatter(in_percent())
    ax.set_ylabel("first seat wins")
    if legend:
        explain(ax, title="both play")
    return ax


@picture
def plot_length(
    table: pd.DataFrame,
    sweep: Sweep,
    parameter: Parameter,
    *,
    unit: str = "turns",
    legend: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the mean length of a game of each variant against one parameter; see `plot_first_seat`.

    Parameters
    ----------
    table, sweep, parameter
        As there.
    unit : str
        What lengths are counted in.
    legend : bool
        Tell the colours.
    ax : Axes, optional
        Where to draw; by default on a new figure.
    """
    ax = ax if ax is not None else new_axes(*SIZE)
    _draw(ax, table, sweep, parameter, "turns_mean", None)
    ax.set_ylabel(f"{unit} a game")
    if legend:
        explain(ax, title="both play")
    return ax


def _draw(
    ax: Axes, table: pd.DataFrame, sweep: Sweep, parameter: Parameter, column: str, ends: tuple[str, str] | None
) -> None:
    """Draw the variants as points, with their intervals; the study as it stands as an empty one."""
    players = _players(table)[: len(COLOURS)]
    names = short(players)
    known = list(dict.fromkeys((*parameter.shown, parameter.base)))
    is_number = all(isinstance(found, int) and not isinstance(found, bool) for found in known)
    if is_number:
        known.sort()
    step = min((b - a for a, b in pairwise(known)), default=1) if is_number else 1
    for i, (name, colour) in enumerate(zip(players, COLOURS, strict=False)):
        rows = table[table["strategy"] == name]
        aside = step * SPREAD * (i - (len(players) - 1) / 2)
        places = known if is_number else list(map(word, known))
        at = [(found if is_number else places.index(word(found))) + aside for found in rows[parameter.name].tolist()]
        if ends is not None:
            ax.vlines(at, rows[ends[0]], rows[ends[1]], color=colour, linewidth=1.2, alpha=0.6)
        is_variant = rows["variant"] > 0
        ax.scatter(
            [x for x, keep in zip(at, is_variant, strict=True) if keep],
            rows[column][is_variant],
            color=colour,
            s=16,
            label=names[name],
        )
        base = [x for x, keep in zip(at, is_variant, strict=True) if not keep]
        ax.scatter(base, rows[column][~is_variant], 40, facecolors="white",
                   edgecolors=colour, zorder=3)  # fmt: skip
        if sweep.design == GRID:
            means = rows.assign(at=at)[is_variant | sweep.has_base].groupby("at")[column].mean()
            ax.plot(means.index, means.to_numpy(), color=colour, linewidth=1)
    if is_number:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    else:
        step = -(-len(known) // MOST_WORDS)
        values = short(known, OF_A_VALUE)
        labels = [word(values[found]) for found in known[::step]]
        ax.set_xticks(range(0, len(known), step), labels, rotation=30, ha="right", fontsize=8)
    say_below(ax, parameter.said, color=INK)


def _players(table: pd.DataFrame) -> list[str]:
    """List the strategies that play both sides."""
    return [name for name in table["strategy"].unique() if name != "all"]


def draw_first_seat(results: Results, tables: dict[str, pd.DataFrame]) -> Axes:
    """Draw the first seat's win rate in a sweep, a panel for each parameter.

    Parameters
    ----------
    results : Results
        Of a study with a sweep.
    tables : dict of str to DataFrame
        From `reports.tables.all_tables`.

    Returns
    -------
    Axes
        The first panel.
    """

    def panel(table: pd.DataFrame, sweep: Sweep, parameter: Parameter, legend: bool, ax: Axes) -> None:
        plot_first_seat(table, sweep, parameter, margin=results.study.margin, legend=legend, ax=ax)

    return _panels(results, tables["sweep"], "First seat's win rate against each parameter", panel)


def draw_length(results: Results, tables: dict[str, pd.DataFrame]) -> Axes:
    """Draw the length of a game in a sweep, a panel for each parameter; see `draw_first_seat`."""

    def panel(table: pd.DataFrame, sweep: Sweep, parameter: Parameter, legend: bool, ax: Axes) -> None:
        plot_length(table, sweep, parameter, unit=results.study.game.turn_words[1], legend=legend, ax=ax)

    return _panels(results, tables["sweep"], "Length of a game against each parameter", panel)


def _panels(results: Results, table: pd.DataFrame, title: str, draw: Callable[..., None]) -> Axes:
    """Draw a panel for each parameter, some beside each other, and say what is left out."""
    sweep = results.study.sweep
    assert sweep is not None
    n, players = min(len(sweep.parameters), MOST_PANELS), len(_players(table))
    told = ["empty: the study as it stands"]
    if n < len(sweep.parameters):
        told.append(f"the first {n} of {plural(len(sweep.parameters), 'parameter')}")
    if players > len(COLOURS):
        told.append(f"the first {len(COLOURS)} of {plural(players, 'player')}")
    with own_settings():
        axes = new_panels(n, *SIZE)
        for place, (parameter, ax) in enumerate(zip(sweep.parameters, axes, strict=False)):
            draw(table, sweep, parameter, place == min(n, PANELS) - 1, ax)
        fit([axes[i : i + PANELS] for i in range(0, n, PANELS)], f"{title} ({'; '.join(told)})")
    return axes[0]
