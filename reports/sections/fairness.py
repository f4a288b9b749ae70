"""The part on fairness: does the first player win too often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Section, counted, interval, judged, percent, plural, seat_wins
from reports.sections.turn_limit import MANY_CUT_OFF, but_stopped, stopped_share


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Judge the first seat's win rate against the margin."""
    margin = results.study.margin
    sentences, rows = [], []
    for row in tables["fairness"].to_dict("records"):
        if row["strategy_a"] == row["strategy_b"]:
            sentences.append(verdict_sentence(row, margin, tables["matchups"]))
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
    sentences += _pairing(tables["fairness"].iloc[-1])
    sentences += _cut_off(results, tables["matchups"])
    return Section(
        "Does the first player win too often?",
        sentences,
        list(rows[0]),
        rows,
        [p for p in pictures if p.startswith("first_")],
    )


def verdict_sentence(row: Mapping[Any, Any], margin: float, matchups: pd.DataFrame) -> str:
    """Say what a row of the table of fairness found, and of its games how many were stopped, if they are many."""
    a, b = row["strategy_a"], row["strategy_b"]
    if a == "all":
        when = "Over all games, those between unequal players too"
    else:
        when = f"When both play {a}" if a == b else f"When {a} plays {b}"
    stopped = but_stopped(row["verdict"], stopped_share(matchups, a, b))
    return f"{when}, {seat_wins(row)}: {judged(row['verdict'], margin)}{stopped}."


def _cut_off(results: Results, matchups: pd.DataFrame) -> Iterator[str]:
    """Warn of games that were stopped: they count as draws, which makes any game look fair."""
    equal = matchups[matchups["strategy_first"] == matchups["strategy_second"]]
    for player, rows in equal.groupby("strategy_first", sort=False):
        share = stopped_share(rows, "all", "all")
        if share > MANY_CUT_OFF:
            yield (
                f"Beware: {percent(share)} of the games between two {player} players were stopped at the limit of "
                f"{plural(results.study.rules.max_turns, results.study.game.turn_words[0])} and count as draws, "
                "which makes a game look fairer; a higher max_turns lets more of them end."
            )


def _among_equals(pairs: pd.DataFrame) -> Iterator[tuple[Any, pd.DataFrame]]:
    """Give the matchups in which one strategy plays both sides: between unequal players a seat hardly matters."""
    yield from pairs[pairs["strategy_a"] == pairs["strategy_b"]].groupby("strategy_a", sort=False)


def _unfair_sentence(player: str, pairs: pd.DataFrame, margin: float) -> str:
    """Count the verdicts of a strategy's matchups, held together, and name those that are not fair."""
    unfair = pairs[pairs["verdict_holm"].str.startswith("favours")]
    far = unfair.loc[(unfair["first_win_rate"] - 0.5).abs().sort_values(ascending=False).index[:6]]
    named = "; ".join(f"{row['deck_a']} – {row['deck_b']}: {seat_wins(row)}" for row in far.to_dict("records"))
    rest = f" Not fair: {named}{'; and more' if len(unfair) > len(far) else ''}." if named else ""
    n = len(pairs)
    if n == 1:
        word = pairs["verdict_holm"].iloc[0]
        return f"The matchup between two {player} players: {word} (margin {plural(margin, 'point')}; pairs.csv).{rest}"
    how = f"margin {plural(margin, 'point')}; all {n} verdicts together hold at 95 %, by Holm's correction"
    said = counted(pairs["verdict_holm"])
    return f"Of the {plural(n, 'matchup')} between two {player} players: {said} ({how}; pairs.csv).{rest}"


def _pairing(row: pd.Series) -> Iterator[str]:
    """Tell how many games the pairs saved, if there is a variance to tell it by."""
    ratio = row["variance_ratio"]
    if 0 < ratio < 1:
        yield (
            f"Playing each deal in both seats saved {percent(1 - ratio)} of the games: independent games would have to "
            "be "
            f"{1 / ratio:.2f} times as many for so narrow an interval (variance ratio {ratio:.2f})."
        )
    elif ratio >= 1:
        yield f"Playing each deal in both seats saved no games here (variance ratio {ratio:.2f})."
