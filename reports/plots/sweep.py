"""Pictures of a sweep: the first seat's win rate and the length of games against each parameter."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from reports.play.results import Results
from reports.plots.canvas import COLOURS, FAIR, INK, MUTED, as_written, in_percent, new_axes, with_fonts
from reports.studies.sweep import GRID, Parameter, Sweep, word

PANELS = 3  # beside each other
MOST_PANELS = 12
SPREAD = 0.12  # by which points of different players stand beside each other, in steps between values


@with_fonts
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
    ax = ax if ax is not None else new_axes(5.0, 4.2)
    ax.axhspan(0.5 - margin / 100, 0.5 + margin / 100, color=FAIR, zorder=0)
    ax.axhline(0.5, color=MUTED, linewidth=1, zorder=1)
    _draw(ax, table, sweep, parameter, "first_win_rate", ("first_win_low", "first_win_high"))
    ax.yaxis.set_major_formatter(in_percent())
    ax.set_ylabel("first seat wins")
    if legend:
        ax.legend(frameon=False, fontsize=8, title="both play", title_fontsize=8)
    return ax


@with_fonts
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
    ax = ax if ax is not None else new_axes(5.0, 4.2)
    _draw(ax, table, sweep, parameter, "turns_mean", None)
    ax.set_ylabel(f"{unit} a game")
    if legend:
        ax.legend(frameon=False, fontsize=8, title="both play", title_fontsize=8)
    return ax


def _draw(
    ax: Axes, table: pd.DataFrame, sweep: Sweep, parameter: Parameter, column: str, ends: tuple[str, str] | None
) -> None:
    """Draw the variants as points, with their intervals; the study as it stands as an empty one."""
    players = [name for name in table["strategy"].unique() if name != "all"]
    known = list(dict.fromkeys((*parameter.shown, parameter.base)))
    is_number = all(isinstance(found, int) and not isinstance(found, bool) for found in known)
    if is_number:
        known.sort()
    step = min((b - a for a, b in pairwise(known)), default=1) if is_number else 1
    for i, name in enumerate(players):
        rows = table[table["strategy"] == name]
        aside = step * SPREAD * (i - (len(players) - 1) / 2)
        places = known if is_number else list(map(word, known))
        at = [(found if is_number else places.index(word(found))) + aside for found in rows[parameter.name].tolist()]
        colour = COLOURS[i % len(COLOURS)]
        if ends is not None:
            ax.vlines(at, rows[ends[0]], rows[ends[1]], color=colour, linewidth=1.2, alpha=0.6)
        is_variant = rows["variant"] > 0
        ax.scatter(
            [x for x, keep in zip(at, is_variant, strict=True) if keep],
            rows[column][is_variant],
            color=colour,
            s=16,
            label=as_written(name),
        )
        ax.scatter([x for x, keep in zip(at, is_variant, strict=True) if not keep], rows[column][~is_variant], 40, facecolors="white",
                   edgecolors=colour, zorder=3)  # fmt: skip
        if sweep.design == GRID:
            means = rows.assign(at=at)[is_variant | sweep.has_base].groupby("at")[column].mean()
            ax.plot(means.index, means.to_numpy(), color=colour, linewidth=1)
    if is_number:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    else:
        ax.set_xticks(range(len(known)), [as_written(word(found)) for found in known], rotation=20, ha="right")
    ax.set_xlabel(as_written(parameter.said), color=INK)


def draw_sweep(results: Results, tables: dict[str, pd.DataFrame]) -> dict[str, Axes]:
    """Draw the pictures of a sweep, a panel for each parameter.

    Parameters
    ----------
    results : Results
        Of a study with a sweep.
    tables : dict of str to DataFrame
        From `reports.tables.all_tables`.

    Returns
    -------
    dict of str to Axes
        By file name without its ending: the first panel of each.
    """
    study, table = results.study, tables["sweep"]
    assert study.sweep is not None
    parameters = study.sweep.parameters[:MOST_PANELS]
    seat = _panels(len(parameters), "First seat's win rate against each parameter (empty: the study as it stands)")
    length = _panels(len(parameters), "Length of a game against each parameter (empty: the study as it stands)")
    for place, parameter in enumerate(parameters):
        plot_first_seat(table, study.sweep, parameter, margin=study.margin, ax=seat[place], legend=place == 0)
        plot_length(table, study.sweep, parameter, unit=study.game.turn_words[1], ax=length[place], legend=place == 0)
    return {"sweep_first_seat": seat[0], "sweep_length": length[0]}


def _panels(n: int, title: str) -> list[Axes]:
    """Make n panels on a figure, some beside each other."""
    across = min(n, PANELS)
    down = -(-n // across)
    figure = Figure(figsize=(max(4.2 * across, 6.0), 0.5 + 3.6 * down), layout="constrained")
    figure.suptitle(title, fontsize=11, color=INK)
    return [figure.add_subplot(down, across, place + 1) for place in range(n)]
