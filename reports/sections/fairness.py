"""The part on fairness: does the first player win too often."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from reports.results import Results
from reports.sections.section import Section, interval, percent, plural

MANY_CUT_OFF = 0.02  # share of games stopped at the limit from which a report warns of it


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Judge the first seat's win rate against the margin."""
    margin = results.study.margin
    sentences, rows = [], []
    for row in tables["fairness"].to_dict("records"):
        if row["strategy_a"] == row["strategy_b"] and row["strategy_a"] != "all":
            sentences.append(_fairness_sentence(row, margin))
        rows.append(
            {
                "players": "all" if row["strategy_a"] == "all" else f"{row['strategy_a']} – {row['strategy_b']}",
                "matchups": f"{row['matchups']}",
                "games": f"{row['games']:,}",
                "decisive pairs": percent(2 * row["decisive_pairs"] / row["games"]),
                "first seat wins": percent(row["first_win_rate"]),
                "95 % interval": interval(row["first_win_low"], row["first_win_high"]),
                "verdict": row["verdict"],
            }
        )
    sentences += [_unfair_sentence(str(player), rows, margin) for player, rows in _among_equals(tables["pairs"])]
    sentences += _cut_off(results, tables["matchups"])
    return Section("Does the first player win too often?", sentences, list(rows[0]), rows, [p for p in pictures if p.startswith("first_")])


def _cut_off(results: Results, matchups: pd.DataFrame) -> Iterator[str]:
    """Warn of games that were stopped: they count as draws, which makes any game look fair."""
    equal = matchups[matchups["strategy_first"] == matchups["strategy_second"]]
    for player, rows in equal.groupby("strategy_first", sort=False):
        share = rows["turn_limit"].sum() / rows["games"].sum()
        if share > MANY_CUT_OFF:
            yield (
                f"Beware: {percent(share)} of the games between two {player} players were stopped at the limit of "
                f"{plural(results.study.rules.max_turns, results.study.game.turn_words[0])} and count as draws, "
                "which makes a game look fairer."
            )


def _among_equals(pairs: pd.DataFrame) -> Iterator[tuple[Any, pd.DataFrame]]:
    """Give the matchups in which one strategy plays both sides: between unequal players a seat hardly matters."""
    yield from pairs[pairs["strategy_a"] == pairs["strategy_b"]].groupby("strategy_a", sort=False)


def _unfair_sentence(player: str, pairs: pd.DataFrame, margin: float) -> str:
    """Count the verdicts of a strategy's matchups, and name those that are not fair."""
    counted = ", ".join(f"{n} {word}" for word, n in pairs["verdict"].value_counts().items())
    unfair = pairs[pairs["verdict"].str.startswith("favours")]
    far = unfair.loc[(unfair["first_win_rate"] - 0.5).abs().sort_values(ascending=False).index[:6]]
    named = "; ".join(
        f"{row['deck_a']} – {row['deck_b']} {row['verdict']} (first seat {percent(row['first_win_rate'])})"
        for row in far.to_dict("records")
    )
    rest = f" Not fair: {named}{' and more' if len(unfair) > len(far) else ''}." if named else ""
    return f"Of the {plural(len(pairs), 'matchup')} between two {player} players: {counted} (margin {margin:g} points; pairs.csv).{rest}"


def _fairness_sentence(row: dict[Any, Any], margin: float) -> str:
    rate, low, high = row["first_win_rate"], row["first_win_low"], row["first_win_high"]
    seat, rate, low, high = ("First", rate, low, high) if rate >= 0.5 else ("Second", 1 - rate, 1 - high, 1 - low)
    judged = {
        "fair": f"inside your margin of {margin:g} points: fair",
        "favours first": f"outside your margin of {margin:g} points: it favours the first player",
        "favours second": f"outside your margin of {margin:g} points: it favours the second player",
        "not decided": f"too close to your margin of {margin:g} points to decide with so many games",
    }[row["verdict"]]
    return f"When both play {row['strategy_a']}, the {seat.lower()} seat wins {percent(rate)} ({interval(low, high)}): {judged}."
