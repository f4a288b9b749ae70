"""The part on decks: which are strong."""

from __future__ import annotations

from typing import Any

import pandas as pd

from reports.results import Results
from reports.sections.section import Section, interval, percent


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Rank the decks."""
    decks = tables["decks"]
    sentences, rows = [], []
    if decks.empty:
        sentences.append("There is only one deck: no deck can be compared with another.")
    else:
        for strategy, group in decks.groupby("strategy", sort=False):
            ranked = group.sort_values("win_rate", ascending=False)
            sentences.append(_ranking_sentence(str(strategy), ranked))
            rows += [
                {
                    "strategy": str(strategy),
                    "deck": row["deck"],
                    "name": row["name"],
                    "games": f"{row['games']:,}",
                    "wins": percent(row["win_rate"]),
                    "95 % interval": interval(row["win_low"], row["win_high"]),
                }
                for row in ranked.to_dict("records")
            ]
    return Section(
        "Which decks are strong?", sentences, list(rows[0]) if rows else [], rows, [p for p in pictures if p.startswith("decks_")]
    )


def _ranking_sentence(strategy: str, ranked: pd.DataFrame) -> str:
    """Name the strongest and the weakest deck, where the intervals tell them from the next."""

    def said(deck: Any) -> str:
        return f"{deck['deck']} ({percent(deck['win_rate'])}, {interval(deck['win_low'], deck['win_high'])})"

    best, worst = ranked.iloc[0], ranked.iloc[-1]
    if len(ranked) > 1 and best["win_low"] <= ranked.iloc[1]["win_high"]:
        return f"Played by {strategy}, no deck is clearly the strongest; ahead is {said(best)}, last is {said(worst)}."
    return f"Played by {strategy}, {said(best)} is the strongest deck against the others; last is {said(worst)}."
