"""Tables of fairness: the first seat's win rate, by matchup, by players and over all."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.results import Results
from reports.statistics import first_seat, pooled, strength, verdict


def pairs_table(results: Results) -> pd.DataFrame:
    """Make one row per matchup with the nine counts of its pairs and the two answers that follow from them.

    Returns
    -------
    DataFrame
        ``n_xy``: pairs in which A scored x half points as first and y as second; ``a_win_*``: A's win rate over both seats;
        ``first_win_*``: the first seat's win rate with the sides' strength cancelled; intervals are paired;
        ``variance_ratio``: paired over unpaired variance of the latter; ``verdict`` against the study's margin.
    """
    rows = []
    for matchup, counts in zip(results.matchups, results.counts, strict=True):
        a, seat = strength(counts.scores), first_seat(counts.scores)
        rows.append(
            {
                "game": results.study.game.name,
                "deck_a": matchup.a.deck_label,
                "deck_b": matchup.b.deck_label,
                "strategy_a": matchup.a.strategy_label,
                "strategy_b": matchup.b.strategy_label,
                "pairs": a.pairs,
                **{f"n_{i}{j}": int(counts.scores[i, j]) for i in range(3) for j in range(3)},
                **a.columns("a_win"),
                **seat.columns("first_win"),
                "decisive_pairs": seat.decisive,
                "variance_ratio": seat.variance_ratio,
                "exact_interval": seat.exact,
                "verdict": verdict(seat, results.study.margin),
            }
        )
    return pd.DataFrame(rows)


def fairness_table(results: Results) -> pd.DataFrame:
    """Make one row per pair of strategies, and one over all, with the first seat's win rate over all decks.

    Returns
    -------
    DataFrame
        Every matchup weighs the same; the interval is paired; ``verdict`` is against the study's margin.
    """
    families = {
        (a, b): [counts.scores for matchup, counts in results.played() if matchup.strategies == (a, b)]
        for a, b in combinations_with_replacement(results.study.strategies, 2)
    }
    rows: list[dict[str, Any]] = [
        {"strategy_a": a, "strategy_b": b, **_seat_row(scores, results.study.margin)} for (a, b), scores in families.items() if scores
    ]
    if len(rows) > 1:
        every = [counts.scores for counts in results.counts]
        rows.append({"strategy_a": "all", "strategy_b": "all", **_seat_row(every, results.study.margin)})
    return pd.DataFrame(rows)


def _seat_row(scores: list[NDArray[np.int64]], margin: float) -> dict[str, Any]:
    seat = pooled(scores)
    return {
        "matchups": len(scores),
        "games": 2 * seat.pairs,
        **seat.columns("first_win"),
        "decisive_pairs": seat.decisive,
        "variance_ratio": seat.variance_ratio,
        "exact_interval": seat.exact,
        "verdict": verdict(seat, margin),
    }


def skill_table(fairness: pd.DataFrame) -> pd.DataFrame:
    """Keep of `fairness_table` a row per strategy, in the study's order: the first seat's win rate when it plays both sides.

    Returns
    -------
    DataFrame
        Does a verdict hold as play gets better?
    """
    equal = fairness[(fairness["strategy_a"] == fairness["strategy_b"]) & (fairness["strategy_a"] != "all")]
    return equal.drop(columns="strategy_b").rename(columns={"strategy_a": "strategy"}).reset_index(drop=True)
