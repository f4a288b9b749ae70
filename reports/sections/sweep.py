"""The part on a sweep: what other rules, cards and decks would do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Row, Section, interval, number, percent, plural
from reports.sections.turn_limit import MANY_CUT_OFF, but_stopped
from reports.stats.estimates import LEVEL
from reports.studies.sweep import HYPERCUBE, Parameter, Sweep, told, word
from reports.tables.sweep import FIRST_SEAT

MANY = 8  # variants of a strategy up to which each has its sentence
MOST_ROWS = 60
MOST_NAMED = 6
MUCH_UNEXPLAINED = 0.2  # share of the variance between variants from which it is told


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Say what each variant of a sweep changes, which are fair, and which parameter matters most."""
    sweep = results.study.sweep
    if sweep is None:
        return None
    table, margin = tables["sweep"], results.study.margin
    sentences = [_about(results, sweep)]
    for strategy, rows in table[table["strategy"] != "all"].groupby("strategy", sort=False):
        records = rows.to_dict("records")
        if len(records) - 1 <= MANY:
            sentences += [_variant(results, sweep, row) for row in records[1:]]
        sentences.append(_fair(sweep, str(strategy), records, margin))
        sentences += _effects(sweep, results, str(strategy), tables["effects"])
        if "sweep_decks" in tables:
            sentences += _decks(sweep, str(strategy), tables["sweep_decks"])
    shown = [_row(sweep, row) for row in table.to_dict("records")]
    if len(shown) > MOST_ROWS:
        sentences.append(f"The first {MOST_ROWS} of {len(shown)} rows are below; sweep.csv has all.")
    return Section(
        "What would other rules, cards or decks do?", sentences, list(shown[0]), shown[:MOST_ROWS],
        [picture for picture in pictures if picture.startswith("sweep_")],
    )  # fmt: skip


def _about(results: Results, sweep: Sweep) -> str:
    """Say what was played."""
    design = (
        f"a Latin hypercube of {sweep.points} points"
        if sweep.design == HYPERCUBE
        else "all combinations"
        if len(sweep.parameters) > 1
        else "all values"
    )
    return (
        f"{plural(len(sweep.variants), 'variant')} of this study ({design} of "
        f"{_listed([p.said for p in sweep.parameters])}) "
        f"played the same deals as the study as it stands ({told(sweep.parameters, sweep.base.values)}), "
        f"{plural(results.games - sum(part.games for part in results.counts), 'game')}, pair by pair beside "
        "each other. All other parts of this report are about the study as it stands."
    )


def _variant(results: Results, sweep: Sweep, row: Mapping[Any, Any]) -> str:
    """Say what a variant does, as a designer would."""
    rate = f"{percent(row['first_win_rate'])} ({interval(row['first_win_low'], row['first_win_high'])})"
    unit = results.study.game.turn_words[1]
    return (
        f"With {_words(sweep, row)} the first seat wins {rate} when both play {row['strategy']}: {row['verdict']}"
        f"{but_stopped(row['verdict'], row['stopped_share'])}; that is "
        f"{points(row, 'difference')}, in games of {row['turns_mean']:.1f} {unit}, {_longer(row)}."
    )


def points(row: Mapping[Any, Any], column: str) -> str:
    """Say how many points of a rate more or less than now something is, with its interval."""
    value, low, high = (100 * row[f"{column}{end}"] for end in ("", "_low", "_high"))
    around = f"({number(low, 1)} to {number(high, 1)})"
    if number(value, 1) == "0.0":
        return "the same as now" if low == high else f"about the same as now {around}"
    if value > 0:
        return f"{number(value, 1)} points more than now {around}"
    return f"{number(-value, 1)} points less than now ({number(-high, 1)} to {number(-low, 1)})"


def _longer(row: Mapping[Any, Any]) -> str:
    """Say how many turns more or less than now a game lasts."""
    mean, low, high = (row[f"turns_difference{end}"] for end in ("", "_low", "_high"))
    more = "more"
    if mean < 0:
        mean, low, high, more = -mean, -high, -low, "less"
    around = "" if pd.isna(low) else f" ({number(low, 2)} to {number(high, 2)})"  # a single pair shows no variance
    return f"as many as now{around}" if number(mean, 2) == "0.00" else f"{number(mean, 2)} {more}{around}"


def _fair(sweep: Sweep, strategy: str, rows: list[dict[Any, Any]], margin: float) -> str:
    """Name the variants that are fair, and the one that is nearest to it."""
    fair = [row for row in rows if row["verdict_holm"] == "fair"]
    nearest = min(rows, key=lambda row: abs(row["first_win_rate"] - 0.5))
    together = (
        f"margin {plural(margin, 'point')}; all {len(rows)} verdicts together hold at 95 %, by Holm's correction; "
        "sweep.csv"
    )
    named = "; ".join(
        _words(sweep, row) + _but(row)
        for row in sorted(fair, key=lambda row: abs(row["first_win_rate"] - 0.5))[:MOST_NAMED]
    )
    more = "; and more" if len(fair) > MOST_NAMED else ""
    told = f"{len(fair)} of {len(rows)} are found fair: {named}{more}" if fair else f"none of {len(rows)} is found fair"
    rate = f"{percent(nearest['first_win_rate'])}, {interval(nearest['first_win_low'], nearest['first_win_high'])}"
    return (
        f"When both play {strategy}, {told} ({together}). Nearest to even is {_words(sweep, nearest)} "
        f"({rate}){_but(nearest)}."
    )


def _but(row: Mapping[Any, Any]) -> str:
    """Add to a variant's name how many of its games were stopped, if they are many."""
    return f" ({percent(row['stopped_share'])} stopped at the limit)" if row["stopped_share"] > MANY_CUT_OFF else ""


def _effects(sweep: Sweep, results: Results, strategy: str, effects: pd.DataFrame) -> Iterator[str]:
    """Rank the parameters by what they do to the first seat's win rate and to the length of games."""
    own = effects[effects["strategy"] == strategy]
    if own.empty:
        yield f"When both play {strategy}: the points are too few to tell what each parameter does."
        return
    known = {parameter.name: parameter for parameter in sweep.parameters}
    for answer, rows in own.groupby("answer", sort=False):
        unit, factor, places = ("points", 100, 1) if answer == FIRST_SEAT else (results.study.game.turn_words[1], 1, 2)
        told = [
            _effect(known[row["parameter"]], row, unit, factor, places)
            for row in rows.head(MOST_NAMED).to_dict("records")
        ]
        what = "the first seat's win rate" if answer == FIRST_SEAT else "the length of games"
        most = "the parameters change" if len(rows) > 1 else "the parameter changes"
        sentence = (
            f"When both play {strategy}, {most} {what}{', the most first,' if len(rows) > 1 else ''} by: "
            f"{'; '.join(told)}."
        )
        rest = 1 - rows["explained"].iloc[0]
        if rest > MUCH_UNEXPLAINED:
            sentence += (
                f" Beware: {percent(rest)} of the variance between the variants does not add up from these (it depends "
                "on several "
                "values together, or is chance); compare the variants themselves."
            )
        yield sentence


def _effect(parameter: Parameter, row: Mapping[Any, Any], unit: str, factor: int, places: int) -> str:
    """Say what a parameter does on its way through its values."""
    if not row["lowest"]:
        low, high = (f"{factor * row[column]:z.{places}f}" for column in ("effect_low", "effect_high"))
        return f"{parameter.said}, which changes no game" + (
            "" if pd.isna(row["effect_low"]) else f" ({low} to {high} {unit})"
        )
    ends, more = [row["lowest"], row["highest"]], "more"
    order = [word(found) for found in parameter.shown]
    if order.index(ends[0]) > order.index(ends[1]):
        ends, more = ends[::-1], "less"
    effect, low, high = (number(factor * row[column], places) for column in ("effect", "effect_low", "effect_high"))
    around = "" if pd.isna(row["effect_low"]) else f" ({low} to {high})"
    return f"{parameter.said}, {effect} {unit} {more}{around} from {ends[0]} to {ends[1]}"


def _decks(sweep: Sweep, strategy: str, decks: pd.DataFrame) -> Iterator[str]:
    """Name the deck whose strength changes most, if one's does."""
    own = decks[(decks["strategy"] == strategy) & (decks["difference_p_holm"] <= LEVEL)]
    if own.empty:
        return
    row = max(own.to_dict("records"), key=lambda row: abs(row["difference"]))
    yield (
        f"When both play {strategy}, the deck whose strength changes most is {row['deck']}, with {_words(sweep, row)}: "
        "it wins "
        f"{percent(row['win_rate'])} against the others, {points(row, 'difference')} (sweep_decks.csv)."
    )


def _words(sweep: Sweep, row: Mapping[Any, Any]) -> str:
    """Name a row's variant by what differs from the study."""
    if row["variant"] == 0:
        return "the study as it stands"
    values = zip(sweep.parameters, sweep.all[row["variant"]].values, strict=True)
    changed = [(parameter, found) for parameter, found in values if found != parameter.base]
    return told([parameter for parameter, _ in changed], [found for _, found in changed])


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _row(sweep: Sweep, row: Mapping[Any, Any]) -> Row:
    is_base = row["variant"] == 0
    values = zip(sweep.parameters, sweep.all[row["variant"]].values, strict=True)
    return {
        "players": row["strategy"] if row["strategy"] == "all" else f"both {row['strategy']}",
        "variant": "as it stands" if is_base else str(row["variant"]),
        **{parameter.said: word(found) for parameter, found in values},
        "first seat wins": percent(row["first_win_rate"]),
        "95 % interval": interval(row["first_win_low"], row["first_win_high"]),
        "verdict (all together)": row["verdict_holm"],
        "points more": "" if is_base else number(100 * row["difference"], 1, sign=True),
        "from … to": ""
        if is_base
        else " to ".join(number(100 * row[f"difference_{end}"], 1, sign=True) for end in ("low", "high")),
        "length": f"{row['turns_mean']:.1f}",
        "longer by": "" if is_base else number(row["turns_difference"], 2, sign=True),
    }
