"""The table of how matchups stopped, of a study that plays until something is reached."""

from __future__ import annotations

import pandas as pd

from reports.play.results import Results


def early_stopping_table(results: Results) -> pd.DataFrame:
    """Make one row per matchup: after how many pairs it stopped, and why.

    Returns
    -------
    DataFrame
        ``reached``: ``half-width``, the accepted hypothesis, or ``max_pairs`` if nothing was; ``value``: the half-width
        in points or the log-likelihood ratio at the last look, empty if nothing was reached. All other tables rest on
        as many fresh pairs.
    """
    rows = []
    for matchup, counts, stop in zip(results.matchups, results.counts, results.stops, strict=True):
        rows.append(
            {
                "game": results.study.game.name,
                "deck_a": matchup.a.deck_label,
                "deck_b": matchup.b.deck_label,
                "strategy_a": matchup.a.strategy_label,
                "strategy_b": matchup.b.strategy_label,
                "pairs": counts.pairs,
                "reached": "max_pairs" if stop is None else stop.reached,
                "value": None if stop is None else stop.value,
            }
        )
    return pd.DataFrame(rows).astype({"value": float})
