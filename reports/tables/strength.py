"""Tables of strength: who beats whom, decks and strategies, over both seats."""

from __future__ import annotations

import pandas as pd

from reports.ratings import bradley_terry
from reports.results import Results, from_side_of
from reports.statistics import STRENGTH, pooled, strength


def strategies_table(results: Results) -> pd.DataFrame:
    """Make one row per ordered pair of strategies with the first's win rate over all decks and both seats.

    Returns
    -------
    DataFrame
        Row (a, b) and row (b, a) add up to 1; a strategy against itself is at exactly one half.
    """
    rows = []
    names = list(results.study.strategies)
    for a in names:
        for b in names:
            scores = [from_side_of(matchup, counts, a) for matchup, counts in results.played() if set(matchup.strategies) == {a, b}]
            if not scores:  # they did not meet
                continue
            half = {"win_rate": 0.5, "win_low": 0.5, "win_high": 0.5}  # against itself, by definition
            rows.append(
                {
                    "game": results.study.game.name,
                    "strategy": a,
                    "opponent": b,
                    "games": 2 * int(sum(s.sum() for s in scores)),
                    **(half if a == b else pooled(scores, STRENGTH).columns("win")),
                }
            )
    return pd.DataFrame(rows)


def ratings_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy with its Bradley–Terry rating, and one for what the first seat is worth (see `bradley_terry`).

    Returns
    -------
    DataFrame
        In Elo points: ``rating`` above the first strategy of the study, with its interval, which comes from resampled pairs.
    """
    names = list(results.study.strategies)
    met = [(*matchup.strategies, counts.scores) for matchup, counts in results.played()]
    ratings, first = bradley_terry(names, met)
    rows = [*zip(names, ratings, strict=True), ("first seat", first)]
    return pd.DataFrame([{"strategy": name, "rating": r[0], "rating_low": r[1], "rating_high": r[2]} for name, r in rows])


def decks_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy and deck with the deck's win rate against the field of the other decks, both seats.

    Returns
    -------
    DataFrame
        Every opponent weighs the same. Without other decks the table is empty.
    """
    rows = []
    for s in results.study.strategies:
        for deck in results.study.decks:
            scores = [scores for opponent, scores in results.deck_scores(s, deck) if opponent != deck]
            if scores:
                rows.append(
                    {
                        "game": results.study.game.name,
                        "strategy": s,
                        "deck": deck,
                        "name": results.study.decks[deck].name,
                        "games": 2 * int(sum(x.sum() for x in scores)),
                        **pooled(scores, STRENGTH).columns("win"),
                    }
                )
    return pd.DataFrame(rows)


def deck_matrix(results: Results, strategy_label: str) -> pd.DataFrame:
    """Make the matrix of win rates of the deck in the row against the deck in the column, both seats, one strategy on both sides.

    Returns
    -------
    DataFrame
        Cells (i, j) and (j, i) add up to 1; the diagonal is one half.
    """
    decks = list(results.study.decks)
    matrix = pd.DataFrame(0.5, index=pd.Index(decks, name="deck"), columns=pd.Index(decks, name="opponent"))
    for deck in decks:
        for opponent, scores in results.deck_scores(strategy_label, deck):
            if opponent != deck:
                matrix.loc[deck, opponent] = strength(scores).rate
    return matrix
