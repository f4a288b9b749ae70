"""Pictures of a study's results. Each takes a table and ``ax=None`` and returns the axes it drew on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from itertools import product
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from reports.results import Results
from reports.tables import deck_matrix, players, quantile, strongest
from sim.wording import plural

INK, MUTED, ACCENT, FAIR = "#22313f", "#7b8a97", "#1f77b4", "#dfeee3"
COLOURS = ("#1f77b4", "#d9822b", "#2a9d6f", "#8e5bb5", "#c23b4b", "#7a6a53", "#4aa3b8", "#9b9b3a")
VERDICT_COLOURS = {"fair": "#2a9d6f", "favours first": "#c23b4b", "favours second": "#8e5bb5", "not decided": MUTED}
MOST_LINES = 80
FEW_GAMES = 0.002  # share of games below which turns are no longer drawn
FEW_STRATEGIES = 3  # up to which unequal players are drawn, too
CJK_FONTS = ("Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "Hiragino Sans", "Yu Gothic", "Noto Sans CJK TC", "WenQuanYi Zen Hei")


def _said(label: Any) -> str:
    """Write a name as it is: a dollar sign is no formula."""
    return str(label).replace("$", r"\$")


def _new_axes(width: float, height: float) -> Axes:
    """Make axes on a figure of their own, without a window system."""
    return Figure(figsize=(width, height), layout="constrained").subplots()


def _first_win_intervals(table: pd.DataFrame, verdict: str) -> Iterator[tuple[float, float, float, str]]:
    """Give low end, rate and high end of the first seat's win rate in each row, with the colour of the named verdict."""
    numbers = table[["first_win_low", "first_win_rate", "first_win_high"]].to_numpy(float)
    for (low, rate, high), word in zip(numbers, table[verdict], strict=True):
        yield low, rate, high, VERDICT_COLOURS.get(word, INK)


def _with_fonts(plot: Callable[..., Axes]) -> Callable[..., Axes]:
    """Let a plot write names in any script that the machine has a font for, without changing the user's settings."""

    @wraps(plot)
    def drawn(*args: Any, **keys: Any) -> Axes:
        known = {font.name for font in font_manager.fontManager.ttflist}
        with matplotlib.rc_context({"font.family": ["DejaVu Sans", *(font for font in CJK_FONTS if font in known)]}):
            return plot(*args, **keys)

    return drawn


@_with_fonts
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
        ax.text(j, i, f"{100 * values[i, j]:.1f}", ha="center", va="center", fontsize=9, color="white" if dark[i, j] else INK)
    ax.set_title(_said(title or "Win rate in %, both seats"), fontsize=11, color=INK)
    return ax


@_with_fonts
def plot_residuals(residuals: pd.DataFrame, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw a deck × deck heatmap of what ratings on one scale do not tell: decks that beat each other in a circle show here.

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
        ax.text(j, i, f"{100 * values[i, j]:+z.1f}", ha="center", va="center", fontsize=9, color=colour, fontweight=weight)
    ax.set_title(_said(title or "Points of win rate above what the ratings say"), fontsize=11, color=INK)
    return ax


def _heatmap(decks: list[str], values: np.ndarray, limits: tuple[float, float], ax: Axes | None) -> Axes:
    """Colour a square of values, decks in the rows against opponents in the columns."""
    n = len(decks)
    ax = ax if ax is not None else _new_axes(2.2 + 0.75 * n, 1.6 + 0.6 * n)
    ax.imshow(values, cmap="RdYlBu", vmin=limits[0], vmax=limits[1], aspect="auto")
    ax.set_xticks(range(n), [_said(deck) for deck in decks], rotation=30, ha="right")
    ax.set_yticks(range(n), [_said(deck) for deck in decks])
    ax.set_xlabel("opponent")
    ax.set_ylabel("deck")
    return ax


@_with_fonts
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
    ax = ax if ax is not None else _new_axes(8.0, 1.6 + 0.35 * len(metagame))
    places = np.arange(len(metagame))
    ax.barh(places, metagame["share"], color=ACCENT, alpha=0.6, height=0.6)
    for place, low, high in zip(places, metagame["share_low"], metagame["share_high"], strict=True):
        ax.plot([low, high], [place, place], "|-", color=INK, linewidth=1.4, markersize=7)
    ax.set_yticks(places, [_said(deck) for deck in metagame["deck"]])
    ax.set_ylim(len(metagame) - 0.5, -0.5)
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.set_xlabel("share of the decks brought (95 % interval)")
    ax.set_title(_said(title or "Which decks would be played"), fontsize=11, color=INK)
    return ax


@_with_fonts
def plot_first_player(pairs: pd.DataFrame, *, margin: float = 2.0, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw a forest plot of the first seat's win rate, one line a matchup.

    Colours are the verdicts as all matchups of the table hold together (``verdict_holm``), so a line that only just clears the
    margin may be not decided.

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
    ax = ax if ax is not None else _new_axes(8.0, 1.4 + 0.24 * len(pairs))
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
            pairs["deck_a"], pairs["deck_b"], pairs["strategy_a"], pairs["strategy_b"], same_decks, same_players, strict=True
        )
    ]
    ax.set_yticks(places, [_said(name) for name in names], fontsize=8)
    ax.set_ylim(len(pairs) - 0.5, -0.5)
    words = [word for word in VERDICT_COLOURS if (pairs["verdict_holm"] == word).any()]
    keys = [Line2D([], [], color=VERDICT_COLOURS[word], marker="o", markersize=4, label=word) for word in words]
    ax.legend(handles=keys, frameon=False, fontsize=8, loc="best", title="all together", title_fontsize=8)
    ax.xaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.set_xlabel(f"win rate of the first seat, strength cancelled (95 % interval; shaded: ±{plural(margin, 'point')})")
    ax.set_title(_said(title), fontsize=11, color=INK)
    return ax


@_with_fonts
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
    ax = ax if ax is not None else _new_axes(8.0, 4.2)
    places = np.arange(len(skill))
    ax.axhspan(0.5 - margin / 100, 0.5 + margin / 100, color=FAIR, zorder=0)
    ax.axhline(0.5, color=MUTED, linewidth=1, zorder=1)
    for place, (bottom, middle, top, colour) in enumerate(_first_win_intervals(skill, "verdict")):
        ax.plot([place, place], [bottom, top], color=colour, linewidth=1.6)
        ax.plot([place], [middle], "o", color=colour, markersize=5)
    ax.set_xticks(places, [_said(name) for name in skill["strategy"]], rotation=30, ha="right")
    ax.yaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.set_ylabel("first seat wins")
    ax.set_title(_said(title or "First seat's win rate by who plays both sides"), fontsize=11, color=INK)
    return ax


@_with_fonts
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
    ax = ax if ax is not None else _new_axes(8.0, 4.2)
    tops = []
    for i, (name, group) in enumerate(lengths.groupby(players(lengths), sort=False)):
        games = group.groupby("turns")[["games", "turn_limit"]].sum()
        games = games.reindex(range(int(games.index.max()) + 1), fill_value=0)
        shares = (games["games"] - games["turn_limit"]) / games["games"].sum()
        stopped = games["turn_limit"].sum() / games["games"].sum()
        median = quantile(games["games"].to_numpy(), 0.5, games["turn_limit"].to_numpy())
        told = f"{name} (median {median}{f', {100 * stopped:.1f} % stopped' if stopped else ''})"
        ax.step(shares.index, shares.to_numpy(), where="mid", color=COLOURS[i % len(COLOURS)], label=_said(told))
        tops.append(int(np.searchsorted(shares.cumsum().to_numpy(), 0.998 * (1 - stopped))))
    ax.set_xlim(0, max(tops) + 2)
    ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.set_xlabel(f"{unit} (both players' counted)" if unit == "turns" else unit)
    ax.set_ylabel("share of games")
    ax.set_title(_said(title or "Game length"), fontsize=11, color=INK)
    ax.legend(frameon=False)
    return ax


@_with_fonts
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
    ax = ax if ax is not None else _new_axes(8.0, 4.2)
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
    ax.set_title(_said(title or "By turn"), fontsize=11, color=INK)
    ax.legend(frameon=False)
    return ax


@_with_fonts
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
    ax = ax if ax is not None else _new_axes(8.0, 4.2)
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
    ax.set_title(_said(title or "Who leads"), fontsize=11, color=INK)
    ax.legend(frameon=False)
    return ax


def draw_all(results: Results, tables: dict[str, pd.DataFrame]) -> dict[str, Axes]:
    """Draw every picture of a report.

    Parameters
    ----------
    results : Results
        What was found.
    tables : dict of str to DataFrame
        From `reports.tables.all_tables`.

    Returns
    -------
    dict of str to Axes
        By file name without its ending.
    """
    study = results.study
    pictures: dict[str, Axes] = {}
    if len(tables["skill"]) > 1:
        pictures["skill"] = plot_skill(tables["skill"], margin=study.margin)
    for name in tables["decks"]["strategy"].unique() if not tables["decks"].empty else ():
        pictures[f"decks_{_file_name(name)}"] = plot_decks(
            deck_matrix(results, name), title=f"Win rate in %, both seats, {name} on both sides"
        )
    if "metagame" in tables:
        name = strongest(tables)
        if len(study.decks) > 2:
            residuals = tables["residuals"].query("strategy == @name")
            pictures["residuals"] = plot_residuals(residuals, title=f"Points of win rate above what the ratings say, {name} on both sides")
        metagame = tables["metagame"].query("strategy == @name")
        pictures["metagame"] = plot_metagame(metagame, title=f"Which decks would be played, {name} on both sides")
    by_players = dict(list(tables["pairs"].groupby(["strategy_a", "strategy_b"], sort=False)))
    for (a, b), rows in sorted(by_players.items(), key=lambda item: item[0][0] != item[0][1]):  # equal players first
        if a != b and (study.pairing == "same deck" or len(study.strategies) > FEW_STRATEGIES):
            continue
        title = f"First-player advantage, {a} against {b}"
        pictures[f"first_player_{_file_name(a)}_against_{_file_name(b)}"] = plot_first_player(rows, margin=study.margin, title=title)
    lengths = tables["lengths"]
    if len(study.strategies) > FEW_STRATEGIES:
        lengths = lengths[lengths["strategy_first"] == lengths["strategy_second"]]
    pictures["lengths"] = plot_lengths(lengths, unit=study.game.turn_words[1])
    for name in tables["skill"]["strategy"]:
        leads = tables["leads"].query("strategy_first == @name and strategy_second == @name")
        if not leads.empty:
            title = f"Who leads, {name} on both sides"
            pictures[f"leads_{_file_name(name)}"] = plot_leads(leads, unit=study.game.turn_words[0], title=title)
    if study.game.tallies.turn:
        turns, word = tables["turns"], study.game.turn_words[0]
        numbers = study.game.tallies.turn[1:]
        units = dict.fromkeys(number.split("_")[0] for number in numbers)  # numbers of one unit are drawn together
        for name, unit in product(study.strategies, units):
            others = [number for number in numbers if number.split("_")[0] != unit]
            both = turns[(turns["strategy_first"] == name) & (turns["strategy_second"] == name)].drop(columns=others)
            if both.empty:  # the games were too short
                continue
            pictures[f"turns_{_file_name(name)}_{unit}"] = plot_turns(
                both, unit="round" if study.game.has_rounds else "own turn", title=f"{word} by {word}, {name} on both sides".capitalize()
            )
    if study.sweep is not None:
        from reports.plots_sweep import draw_sweep

        pictures.update(draw_sweep(results, tables))
    return pictures


def _file_name(label: Any) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in str(label))


def png(ax: Axes) -> bytes:
    """Render the figure of some axes as PNG."""
    import io
    import warnings

    buffer = io.BytesIO()
    figure = ax.get_figure(root=True)
    assert figure is not None
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # no CJK font here: boxes, not a failure
        figure.savefig(buffer, format="png", dpi=130, metadata={"Software": None})
    return buffer.getvalue()
