"""Tables of fairness: the first seat's win rate, by matchup, by deck, by players and over all.

A table's verdicts come in families, those that are read together: if each of twenty were wrong in one study of twenty,
most studies would have a wrong one. ``p_value`` tells how sure a row's own ``verdict`` is
(`reports.stats.estimates.p_value`), ``family`` how many verdicts its family has, ``p_holm`` and ``verdict_holm`` what
is left when anything wrong in the whole family may be said in at most 5 % of studies (Holm 1979).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.play.results import Results
from reports.stats.estimates import (
    FIRST_SEAT,
    LEVEL,
    STRENGTH,
    Estimate,
    Mean,
    estimate,
    estimate_each,
    holm_once,
    p_of_verdict,
    verdict,
)
from reports.stats.ratings import elo, normalized_elo

EVEN = {
    "a_win_rate": 0.5,
    "a_win_low": 0.5,
    "a_win_high": 0.5,
    "a_elo": 0.0,
    "a_normalized_elo": 0.0,
}  # a mirror, by definition


def pairs_table(results: Results) -> pd.DataFrame:
    """Make one row per matchup with the nine counts of its pairs and the two answers that follow from them.

    Returns
    -------
    DataFrame
        ``n_xy``: pairs in which A scored x half points as first and y as second; ``a_win_*``: A's win rate over both
        seats, of a mirror one half; ``a_elo`` the same in Elo points, ``a_normalized_elo`` in standard deviations of a
        pair (see `reports.stats.ratings`); ``first_win_*``: the first seat's win rate with the sides' strength
        cancelled; intervals are paired; ``variance_ratio``: paired over unpaired variance of the latter, missing where
        no game of either seat differs from another; ``verdict`` against the study's margin. A family is the matchups of
        the same two strategies: they answer one question, and a further strategy in the study makes no verdict on the
        others less sure.
    """
    rows = []
    played = list(results.played())
    scores = [counts.scores for _, counts in played]
    strengths, seats = (Mean.of_each(scores, values) for values in (STRENGTH, FIRST_SEAT))
    each = zip(played, estimate_each(strengths), seats, estimate_each(seats), strict=True)
    for (matchup, counts), a, mean, seat in each:
        rows.append(
            {
                "game": results.study.game.name,
                "deck_a": matchup.a.deck_label,
                "deck_b": matchup.b.deck_label,
                "strategy_a": matchup.a.strategy_label,
                "strategy_b": matchup.b.strategy_label,
                "pairs": a.pairs,
                **{f"n_{i}{j}": int(counts.scores[i, j]) for i in range(3) for j in range(3)},
                **(EVEN if matchup.is_mirror else {**a.columns("a_win"), **_in_elo(a, counts.scores)}),
                **_judged(mean, seat, results.study.margin),
            }
        )
    table = pd.DataFrame(rows)
    return _in_families(table, [table["strategy_a"], table["strategy_b"]])


def _in_elo(a: Estimate, scores: NDArray[np.int64]) -> dict[str, float]:
    return {"a_elo": elo(a.rate, 2 * a.pairs), "a_normalized_elo": normalized_elo(scores)}


def fairness_table(results: Results) -> pd.DataFrame:
    """Make one row per pair of strategies, and one over all, with the first seat's win rate over all decks.

    Returns
    -------
    DataFrame
        Every matchup weighs the same; the interval is paired; ``verdict`` is against the study's margin. A family is
        the rows of one strategy on both sides, another the rows of two different ones; the row over all stands alone.
    """
    met = results.by_players()
    rows: list[dict[str, Any]] = [
        {
            "strategy_a": a,
            "strategy_b": b,
            **_seat_row([counts.scores for _, counts in met[a, b]], results.study.margin),
        }
        for a, b in combinations_with_replacement(results.study.strategies, 2)
        if (a, b) in met
    ]
    if len(rows) > 1:
        every = [counts.scores for _, counts in results.played()]
        rows.append({"strategy_a": "all", "strategy_b": "all", **_seat_row(every, results.study.margin)})
    table = pd.DataFrame(rows)
    return _in_families(table, [table["strategy_a"] == table["strategy_b"], table["strategy_a"] == "all"])


def deck_fairness_table(results: Results) -> pd.DataFrame:
    """Make up to two rows per strategy and deck with the first seat's win rate, the strategy on both sides.

    Returns
    -------
    DataFrame
        ``scope`` is ``mirror``, the deck against itself, or ``field``, against all other decks that it met, each of
        which weighs the same, with the decks' strength cancelled; ``verdict`` is against the study's margin. A family
        is the verdicts of a strategy; of two decks that met nobody else, the two rows of scope ``field`` are the same
        one and count once.
    """
    rows: list[dict[str, Any]] = []
    tests: list[Hashable] = []
    for s in results.study.strategies:
        for label, deck in results.study.decks.items():
            scopes: dict[str, list[NDArray[np.int64]]] = {"mirror": [], "field": []}
            met: dict[str, set[Hashable]] = {"mirror": set(), "field": set()}
            for opponent, scores in results.deck_scores(s, label):
                scope = "mirror" if opponent == label else "field"
                scopes[scope].append(scores)
                met[scope].add(frozenset((label, opponent)))
            tests += [frozenset(met[scope]) for scope, scores_there in scopes.items() if scores_there]
            rows += [
                {
                    "game": results.study.game.name,
                    "strategy": s,
                    "deck": label,
                    "name": deck.name,
                    "scope": scope,
                    **_seat_row(scores, results.study.margin),
                }
                for scope, scores in scopes.items()
                if scores
            ]
    table = pd.DataFrame(rows)
    return _in_families(table, [table["strategy"]], tests)


def _seat_row(scores: list[NDArray[np.int64]], margin: float) -> dict[str, Any]:
    mean = Mean.of(scores, FIRST_SEAT)
    seat = estimate(mean)
    return {"matchups": len(scores), "games": 2 * seat.pairs, **_judged(mean, seat, margin)}


def _judged(mean: Mean, seat: Estimate, margin: float) -> dict[str, Any]:
    """Make the columns of a first seat's win rate with its verdict."""
    return {
        **seat.columns("first_win"),
        "decisive_pairs": seat.decisive,
        "variance_ratio": seat.variance_ratio,
        "exact_interval": seat.exact,
        "verdict": verdict(seat, margin),
        "p_value": p_of_verdict(mean, margin),
    }


def _in_families(table: pd.DataFrame, keys: list[pd.Series], tests: Sequence[Hashable] | None = None) -> pd.DataFrame:
    """Add what is left of the verdicts of a table when all those with the same keys are held together; equal tests are
    one verdict.
    """
    table = table.assign(family=0, p_holm=1.0)
    of_rows = pd.Series(list(range(len(table)) if tests is None else tests), table.index, dtype=object)
    for _, rows in table.groupby(keys, sort=False):
        own = of_rows[rows.index].tolist()
        table.loc[rows.index, "family"] = len(set(own))
        table.loc[rows.index, "p_holm"] = holm_once(rows["p_value"].tolist(), own)
    return table.assign(verdict_holm=table["verdict"].where(table["p_holm"] <= LEVEL, "not decided"))


def skill_table(fairness: pd.DataFrame) -> pd.DataFrame:
    """Keep of `fairness_table` a row per strategy, in the study's order: the first seat's win rate when it plays both
    sides.

    Returns
    -------
    DataFrame
        Does a verdict hold as play gets better?
    """
    equal = fairness[(fairness["strategy_a"] == fairness["strategy_b"]) & (fairness["strategy_a"] != "all")]
    return equal.drop(columns="strategy_b").rename(columns={"strategy_a": "strategy"}).reset_index(drop=True)
