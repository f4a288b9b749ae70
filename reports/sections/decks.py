"""The part on decks: which are strong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Section, interval, percent, plural, rating

FEW_NAMED = 3


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Rank the decks."""
    decks = tables["decks"]
    sentences, rows = [], []
    if decks.empty:
        one = len(results.study.decks) == 1
        sentences.append(
            f"{'There is only one deck' if one else 'No two decks met'}: no deck can be compared with another."
        )
    else:
        rated: dict[Any, Any] = tables["deck_ratings"].set_index(["strategy", "deck"]).to_dict("index")
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
                    "rating (Elo)": rating(rated[strategy, row["deck"]]),
                }
                for row in ranked.to_dict("records")
            ]
        sentences += [
            _scale_sentence(str(name), group, results.study.margin)
            for name, group in _rated_together(tables["residuals"])
        ]
    shown = [p for p in pictures if p.startswith("decks_") or p == "residuals"]
    return Section("Which decks are strong?", sentences, list(rows[0]) if rows else [], rows, shown)


def _ranking_sentence(strategy: str, ranked: pd.DataFrame) -> str:
    """Name the strongest and the weakest deck, where the intervals tell them from the next."""

    def said(deck: Any) -> str:
        return f"{deck['deck']} ({percent(deck['win_rate'])}, {interval(deck['win_low'], deck['win_high'])})"

    best, worst = ranked.iloc[0], ranked.iloc[-1]
    if len(ranked) > 1 and best["win_low"] <= ranked.iloc[1]["win_high"]:
        return f"Played by {strategy}, no deck is clearly the strongest; ahead is {said(best)}, last is {said(worst)}."
    return f"Played by {strategy}, {said(best)} is the strongest deck against the others; last is {said(worst)}."


def _rated_together(residuals: pd.DataFrame) -> Iterator[tuple[Any, pd.DataFrame]]:
    """Give each strategy's residuals, each matchup once, where there are enough decks for one scale not to fit."""
    for strategy, group in residuals.groupby("strategy", sort=False):
        if group["deck"].nunique() > 2:
            yield strategy, group.sort_values("residual", ascending=False, kind="stable").head(len(group) // 2)


def _scale_sentence(strategy: str, residuals: pd.DataFrame, margin: float) -> str:
    """Say whether ratings on one scale tell the matchups, or which they do not."""
    clear = residuals[residuals["clear"] & (residuals["residual"] > margin / 100)]
    if clear.empty:
        far = residuals.iloc[0]
        return (
            f"Played by {strategy}, the decks are on one scale, as far as so many games tell: no matchup is clearly "
            "off the ratings by "
            f"more than {plural(margin, 'point')} (furthest: {far['deck']} against {far['opponent']}, "
            f"{100 * far['residual']:.1f} points)."
        )
    named = "; ".join(
        f"{row['deck']} wins {100 * row['residual']:.1f} points more against {row['opponent']}"
        for row in clear.head(FEW_NAMED).to_dict("records")
    )
    return (
        f"Played by {strategy}, one scale does not tell all: {len(clear)} of {plural(len(residuals), 'matchup')} are "
        "clearly off the "
        f"ratings, by more than {plural(margin, 'point')}. Most of all, {named} than the ratings say (residuals.csv)."
    )
