"""The parts of a comparison of two reports: verdicts that changed first, then by how much what changed, then the
settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from reports.experiments.comparison import Comparison
from reports.sections.section import Section, number, percent, plural
from reports.sections.turn_limit import MANY_CUT_OFF
from reports.tables import TURN_LIMIT

MOST_NAMED = 6


def comparison_sections(comparison: Comparison, tables: dict[str, pd.DataFrame]) -> list[Section]:
    """Say what has changed from one report to another.

    Parameters
    ----------
    comparison : Comparison
        Both.
    tables : dict of str to DataFrame
        From `reports.tables.comparison.comparison_tables`.
    """
    parts = (
        _fairness(comparison, tables),
        _matchups(tables),
        _decks(tables),
        _games(comparison, tables),
        _settings(comparison, tables),
    )
    return [part for part in parts if part.sentences or part.rows]


def points(row: Mapping[Any, Any]) -> str:
    """Write a change of a rate with its interval in points: ``+3.1 points (2.2 to 4.0)``."""
    by, low, high = (100 * row[key] for key in ("change", "change_low", "change_high"))
    return f"{_signed(by)} points ({_signed(low)} to {_signed(high)})"


def _signed(value: float) -> str:
    return number(value, 1, sign=True)


def _arrow(before: str, after: str) -> str:
    return f"{before} -> {after}"


def _players(row: Mapping[Any, Any]) -> str:
    a, b = row["strategy_a"], row["strategy_b"]
    return "all" if a == "all" else f"{a} – {b}"


def _fairness(comparison: Comparison, tables: dict[str, pd.DataFrame]) -> Section:
    changed, same, rows = [], [], []
    for row in tables["fairness_changes"].to_dict("records"):
        a, b = row["strategy_a"], row["strategy_b"]
        before, after = row["verdict_before"], row["verdict_after"]
        rows.append(
            {
                "players": _players(row),
                "matchups": f"{row['matchups']}",
                "first seat wins, before": percent(row["first_win_before"]),
                "after": percent(row["first_win_after"]),
                "change": points(row),
                "verdict": before if before == after else _arrow(before, after),
            }
        )
        if a != b:
            continue
        when = "Over all games that both have" if a == "all" else f"When both play {a}"
        numbers = (
            f"the first seat wins {_arrow(percent(row['first_win_before']), percent(row['first_win_after']))}, "
            f"{points(row)}"
        )
        stopped = _stopped(comparison, a)
        if before == after:
            same.append(f"{when}: {after}, as before; {numbers}{stopped}.")
        else:
            changed.append(f"{when}: {_arrow(before, after)}; {numbers}{stopped}.")
    if comparison.is_same:
        changed.insert(0, "Every game that both have went alike in both.")
    return Section("Does the first player win too often?", changed + same, list(rows[0]), rows, [])


def _stopped(comparison: Comparison, strategy: str) -> str:
    """Go on with the games that were stopped at the limit, if they are many before or after."""
    limit = comparison.after.study.game.reasons.index(TURN_LIMIT)
    met = [one.counts for one in comparison.met if strategy == "all" or one.strategies == (strategy, strategy)]
    shares = [sum(c[when].outcomes[..., limit].sum() for c in met) / sum(c[when].games for c in met) for when in (0, 1)]
    if max(shares) <= MANY_CUT_OFF:
        return ""
    return f"; {_arrow(*map(percent, shares))} of these games were stopped at the limit and count as draws"


def _matchups(tables: dict[str, pd.DataFrame]) -> Section:
    table = tables["matchup_changes"]
    named = [
        f"{row['deck_a']} – {row['deck_b']} ({_players(row)}): "
        f"{_arrow(percent(row['first_win_before']), percent(row['first_win_after']))}, {points(row)}"
        + (
            ""
            if row["verdict_before"] == row["verdict_after"]
            else f", {_arrow(row['verdict_before'], row['verdict_after'])}"
        )
        for row in _changed(table)
    ]
    sentence = (
        f"The first seat's win rate has changed in {len(named)} of "
        f"{plural(len(table), 'matchup')}{_all_together(table)}."
    )
    return Section("In which matchups?", [sentence, *_first(named)], [], [], [])


def _decks(tables: dict[str, pd.DataFrame]) -> Section:
    table = tables["deck_changes"]
    if table.empty:
        return Section("Which decks are stronger or weaker?", [], [], [], [])
    once = _once(table)
    named = [
        f"{row['deck']} ({row['strategy']}) is {'stronger' if row['change'] > 0 else 'weaker'}: "
        f"wins {_arrow(percent(row['win_before']), percent(row['win_after']))} against the others, {points(row)}"
        for row in _changed(once)
    ]
    sentence = (
        f"{len(named)} of {plural(len(once), 'win rate')} of decks {'has' if len(named) == 1 else 'have'} "
        f"changed{_all_together(once)}."
    )
    rows = [
        {
            "strategy": row["strategy"],
            "deck": row["deck"],
            "wins, before": percent(row["win_before"]),
            "after": percent(row["win_after"]),
            "change": points(row),
            "changed": "yes" if row["changed"] else "not shown",
        }
        for row in table.to_dict("records")
    ]
    return Section("Which decks are stronger or weaker?", [sentence, *_first(named)], list(rows[0]), rows, [])


def _once(table: pd.DataFrame) -> pd.DataFrame:
    """Keep one row of two decks that met nobody else: what the one wins more, the other wins less."""
    alone = (table["opponents"] == 1) & (table.groupby("strategy")["deck"].transform("size") == 2)
    return table[~(alone & table.duplicated("strategy"))]


def _all_together(table: pd.DataFrame) -> str:
    """Say what the number of rows that changed rests on."""
    return f" (all {len(table)} together hold at 95 %, by Holm's correction)" if len(table) > 1 else ""


def _changed(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """List the rows that have changed, the farthest first."""
    rows = table[table["changed"]]
    return rows.loc[rows["change"].abs().sort_values(ascending=False, kind="stable").index].to_dict("records")


def _first(named: list[str]) -> Iterator[str]:
    yield from (f"{one}." for one in named[:MOST_NAMED])
    if len(named) > MOST_NAMED:
        yield f"And {len(named) - MOST_NAMED} more."


def _games(comparison: Comparison, tables: dict[str, pd.DataFrame]) -> Section:
    unit = comparison.after.study.game.turn_words[1]
    sentences = []
    for row in tables["length_changes"].to_dict("records"):
        numbers = _arrow(f"{row['turns_before']:.1f}", f"{row['turns_after']:.1f}")
        change = f"{_signed(row['change'])} ({_signed(row['change_low'])} to {_signed(row['change_high'])})"
        sentences.append(f"{_players(row)}: a game lasts {numbers} {unit} on average, {change}.")
    ends = tables["end_changes"]
    shown = ends[(ends["change_low"] > 0) | (ends["change_high"] < 0)]
    for row in shown.to_dict("records"):
        shares = _arrow(percent(row["share_before"]), percent(row["share_after"]))
        sentences.append(f"{_players(row)}: {shares} end by {row['reason']}, {points(row)}.")
    if shown.empty:
        sentences.append("No change is shown in how games end.")
    return Section("How long do games last, and how do they end?", sentences, [], [], [])


def _settings(comparison: Comparison, tables: dict[str, pd.DataFrame]) -> Section:
    rows = tables["settings"].to_dict("records")
    sentences = [f"{row['part']}: {row['what']}: {_arrow(row['before'], row['after'])}" for row in rows]
    sentences += [] if rows else ["The settings are the same."]
    sentences += comparison.alone()
    if comparison.shares_deals:
        sentences.append(
            f"Both have the seed {comparison.after.study.seed}, so the same matchups share their deals, while the "
            "intervals take both for "
            "independent: they do not hold exactly, and are mostly wider than need be, since the same deals tend to go "
            "alike. A sweep "
            "(docs/files.md) compares game by game."
        )
    return Section("What is different?", sentences, [], [], [])
