"""Tables of strength: who beats whom, decks and strategies, over both seats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from reports.play.results import Results, from_side_of
from reports.stats.distributions import normal_cdf
from reports.stats.estimates import LEVEL, STRENGTH, Estimate, Mean, estimate_each, holm, pooled
from reports.stats.ratings import Met, bradley_terry, deviations, elo, normalized_elo

EVEN = {
    "win_rate": 0.5,
    "win_low": 0.5,
    "win_high": 0.5,
    "elo": 0.0,
    "elo_low": 0.0,
    "elo_high": 0.0,
}  # a mirror, by definition


def _wins(estimate: Estimate) -> dict[str, float]:
    """Name a win rate, its interval and their Elo points as columns."""
    games = 2 * estimate.pairs
    points = {"elo": estimate.rate, "elo_low": estimate.low, "elo_high": estimate.high}
    return {**estimate.columns("win"), **{name: elo(rate, games) for name, rate in points.items()}}


def strategies_table(results: Results) -> pd.DataFrame:
    """Make one row per ordered pair of strategies with the first's win rate over all decks and both seats.

    Returns
    -------
    DataFrame
        Row (a, b) and row (b, a) add up to 1; a strategy against itself is at exactly one half.
    """
    rows = []
    names, met = list(results.study.strategies), results.by_players()
    for a in names:
        for b in names:
            played = met.get((a, b)) or met.get((b, a)) or []
            scores = [from_side_of(matchup, counts, a) for matchup, counts in played]
            if not scores:  # they did not meet
                continue
            rows.append(
                {
                    "game": results.study.game.name,
                    "strategy": a,
                    "opponent": b,
                    "games": 2 * int(sum(s.sum() for s in scores)),
                    **(EVEN if a == b else _wins(pooled(scores, STRENGTH))),
                }
            )
    return pd.DataFrame(rows)


def ratings_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy with its Bradley–Terry rating, and one for what the first seat is worth (see
    `bradley_terry`).

    Returns
    -------
    DataFrame
        In Elo points: ``rating`` above the first strategy of the study, with its interval, which comes from resampled
        pairs.
    """
    names = list(results.study.strategies)
    met = [(*matchup.strategies, counts.scores) for matchup, counts in results.played()]
    ratings, first = bradley_terry(names, met)
    rows = [*zip(names, ratings, strict=True), ("first seat", first)]
    return pd.DataFrame(
        [{"strategy": name, "rating": r[0], "rating_low": r[1], "rating_high": r[2]} for name, r in rows]
    )


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
                        **_wins(pooled(scores, STRENGTH)),
                    }
                )
    return pd.DataFrame(rows)


def deck_matrix(results: Results, strategy_label: str) -> pd.DataFrame:
    """Make the matrix of win rates of the deck in the row against the deck in the column, both seats, one strategy on
    both sides.

    Returns
    -------
    DataFrame
        Cells (i, j) and (j, i) add up to 1; the diagonal is one half.
    """
    decks = list(results.study.decks)
    places = {deck: place for place, deck in enumerate(decks)}
    values = np.full((len(decks), len(decks)), 0.5)
    for deck in decks:
        for opponent, scores in results.deck_scores(strategy_label, deck):
            if opponent != deck:
                values[places[deck], places[opponent]] = (scores * STRENGTH).sum() / scores.sum()
    return pd.DataFrame(values, index=pd.Index(decks, name="deck"), columns=pd.Index(decks, name="opponent"))


def deck_matrix_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy that plays both sides, deck and opponent: the matrix of `deck_matrix` as a long table,
    with intervals.

    Returns
    -------
    DataFrame
        ``win_*``: the deck's win rate over both seats; ``elo*``: the same in Elo points, ``normalized_elo`` in standard
        deviations of a pair (see `reports.stats.ratings`). Row (i, j) and row (j, i) add up to 1; a mirror is at
        exactly one half.
    """
    rows: list[dict[str, Any]] = []
    for strategy in results.study.strategies:
        for deck in results.study.decks:
            met = dict(results.deck_scores(strategy, deck))
            wins = dict(zip(met, estimate_each(Mean.of_each(list(met.values()), STRENGTH)), strict=True))
            rows += [
                {
                    "game": results.study.game.name,
                    "strategy": strategy,
                    "deck": deck,
                    "opponent": opponent,
                    "games": 2 * int(met[opponent].sum()),
                    **(EVEN if deck == opponent else _wins(wins[opponent])),
                    "normalized_elo": 0.0 if deck == opponent else normalized_elo(met[opponent]),
                }
                for opponent in results.study.decks
                if opponent in met
            ]
    return pd.DataFrame(rows)


def deck_ratings_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy that plays both sides and deck with the deck's Bradley–Terry rating, then what the
    first seat is worth.

    Returns
    -------
    DataFrame
        In Elo points: ``rating`` above the decks' mean, with its interval, which comes from resampled pairs. Empty
        without decks that met.
    """
    decks, rows = list(results.study.decks), []
    for strategy in results.study.strategies:
        if results.decks_met(strategy):
            ratings, first = bradley_terry(decks, _deck_meetings(results, strategy), centred=True)
            for deck, r in [*zip(decks, ratings, strict=True), ("first seat", first)]:
                rows.append(
                    {"strategy": strategy, "deck": deck, "rating": r[0], "rating_low": r[1], "rating_high": r[2]}
                )
    return pd.DataFrame(rows)


def residuals_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy that plays both sides and two decks that met, in either order: what the decks' ratings
    do not tell.

    Returns
    -------
    DataFrame
        ``observed``: the deck's win rate over both seats, with half a win added to each side in each seat; ``fitted``:
        what the ratings say; ``residual``: the first minus the second; ``standard_error``: of the residual, from
        resampled pairs; ``z``: the residual in standard errors, 0 if there is none; ``clear``: it is no chance, all
        such claims of a strategy together at 95 % (Holm). Empty without decks that met.
    """
    decks, rows = list(results.study.decks), []
    for strategy in results.study.strategies:
        if not results.decks_met(strategy):
            continue
        found = deviations(decks, _deck_meetings(results, strategy))
        z = np.array([(d.observed - d.fitted) / d.error if d.error > 1e-9 else 0.0 for d in found])
        clear = holm([2 * normal_cdf(-distance) for distance in abs(z)]) <= LEVEL
        cells = {}
        for d, distance, shown in zip(found, z.tolist(), clear.tolist(), strict=True):
            cells[d.a, d.b] = (d.observed, d.fitted, d.observed - d.fitted, d.error, distance, shown)
            cells[d.b, d.a] = (1 - d.observed, 1 - d.fitted, d.fitted - d.observed, d.error, -distance, shown)
        columns = ("observed", "fitted", "residual", "standard_error", "z", "clear")
        rows += [
            {
                "strategy": strategy,
                "deck": deck,
                "opponent": opponent,
                **dict(zip(columns, cells[deck, opponent], strict=True)),
            }
            for deck in decks
            for opponent in decks
            if (deck, opponent) in cells
        ]
    return pd.DataFrame(rows)


def _deck_meetings(results: Results, strategy_label: str) -> Met:
    """Give the meetings of decks, mirrors too, one strategy on both sides."""
    met = results.by_players().get((strategy_label, strategy_label), [])
    return [(matchup.a.deck_label, matchup.b.deck_label, counts.scores) for matchup, counts in met]
