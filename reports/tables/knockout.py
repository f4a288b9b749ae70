"""Tables of a knock-out: what one copy of each card is worth in each deck, and over the set. Effects and rates are
fractions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from reports.experiments.knockout import Knockouts, Trial
from reports.stats.estimates import LEVEL, holm
from reports.stats.paired import Difference, p_of_place, paired_difference
from sim.card_usage import DRAWN, DRAWN_POINTS, PLAYED_POINTS
from sim.card_usage import PLAYED as PLAYED_GAMES

QUARTERS = np.arange(5) / 4  # a deck's score in a pair
TOO_STRONG, TOO_WEAK, IN_LINE, NOT_DECIDED = "too strong", "too weak", "in line", "not decided"


def cards_table(knockouts: Knockouts) -> pd.DataFrame:
    """Make one row per strategy, deck and card with what one copy is worth there, and with what was observed of it.

    Returns
    -------
    DataFrame
        ``effect`` is the deck's win rate against the field less that with a plain card in the place of one copy; its
        p-value, and that by Holm's method over all rows that were measured. A card that is plain itself has the effect
        0 by definition. The win rates of games in which it was drawn or played are observed: nothing says that it
        brought them about.
    """
    measured = {
        id(trial): paired_difference([paired.strength for paired in trial.comparisons])
        for trial in knockouts.trials
        if trial.comparisons
    }
    rows = []
    for trial in knockouts.trials:
        card, found = trial.variant.card, measured.get(id(trial))
        rows.append(
            {
                "game": knockouts.study.game.name,
                "strategy": trial.strategy,
                "deck": trial.deck,
                "card": card.id,
                "name": card.name,
                "en": card.en,
                "copies": trial.copies,
                "status": trial.variant.status,
                "pairs": found.pairs if found else 0,
                "differing_pairs": found.differing if found else 0,
                "win_rate": _win_rate(trial, 1),
                "win_rate_plain": _win_rate(trial, 0),
                **_effect(found, trial.variant.is_plain),
                "watched_games": trial.watched_games,
                **_observed(trial),
            }
        )
    return _adjusted(rows)


def ranking_table(knockouts: Knockouts) -> pd.DataFrame:
    """Make one row per strategy and card that was measured with the mean effect of a copy over the decks, the strongest
    first.

    Returns
    -------
    DataFrame
        Every deck that has the card, and every opponent, weighs the same. The verdict compares the interval with the
        median of all cards of that strategy: ``too strong`` if it lies above it by more than the study's margin, ``too
        weak`` if below, ``in line`` if it lies inside the margin, else ``not decided``. ``verdict_p`` tells how sure it
        is, ``verdict_p_holm`` and ``verdict_holm`` what is left when anything wrong on all cards of the strategy may be
        said in at most 5 % of studies (Holm); a plain card is worth 0 by definition and is no test. ``p_holm`` is for
        the question whether the card differs from a plain one.
    """
    rows: list[dict[str, Any]] = []
    for strategy in knockouts.study.strategies:
        trials: dict[str, list[Trial]] = {}
        for trial in knockouts.trials:
            if trial.strategy == strategy and (trial.comparisons or trial.variant.is_plain):
                trials.setdefault(trial.variant.card.id, []).append(trial)
        found = []
        for of_card in trials.values():
            comparisons = [paired.strength for trial in of_card for paired in trial.comparisons]
            found.append((of_card, comparisons, paired_difference(comparisons) if comparisons else None))
        found.sort(key=lambda one: -one[2].effect if one[2] else 0.0)
        middle = (
            float(np.median([difference.effect if difference else 0.0 for *_, difference in found])) if found else 0.0
        )
        margin = knockouts.study.margin / 100
        p_values = [
            p_of_place(comparisons, middle - margin, middle + margin) if comparisons else math.nan
            for _, comparisons, _ in found
        ]
        p_holm = _holm_of_tests(p_values)
        for rank, (of_card, _, difference) in enumerate(found, 1):
            card = of_card[0].variant.card
            judged = verdict(difference, middle, margin)
            rows.append(
                {
                    "game": knockouts.study.game.name,
                    "strategy": strategy,
                    "rank": rank,
                    "card": card.id,
                    "name": card.name,
                    "en": card.en,
                    "decks": len(of_card),
                    "copies": sum(trial.copies for trial in of_card),
                    "pairs": difference.pairs if difference else 0,
                    "differing_pairs": difference.differing if difference else 0,
                    **_effect(difference, difference is None),
                    "median": middle,
                    "verdict": judged,
                    "verdict_p": p_values[rank - 1],
                    "verdict_p_holm": p_holm[rank - 1],
                    "verdict_holm": NOT_DECIDED if p_holm[rank - 1] > LEVEL else judged,
                }
            )
    return _adjusted(rows)


def _holm_of_tests(p_values: list[float]) -> list[float]:
    """Adjust p-values by Holm's method; nan is no test."""
    adjusted = iter(holm([p for p in p_values if not math.isnan(p)]).tolist())
    return [p if math.isnan(p) else next(adjusted) for p in p_values]


def _adjusted(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Adjust the p-values of all rows that were tested for their number, and make a table of them."""
    tested = [row for row in rows if row["pairs"]]
    for row, p_value in zip(tested, holm([row["p_value"] for row in tested]), strict=True):
        row["p_holm"] = float(p_value)
    return pd.DataFrame(rows)


def verdict(difference: Difference | None, middle: float, margin: float) -> str:
    """Judge the worth of a card against the middle of a set and a margin, both as fractions; None stands for a plain
    card.
    """
    low, high = (difference.low, difference.high) if difference else (0.0, 0.0)
    if low > middle + margin:
        return TOO_STRONG
    if high < middle - margin:
        return TOO_WEAK
    return IN_LINE if middle - margin <= low and high <= middle + margin else NOT_DECIDED


def _effect(found: Difference | None, is_plain: bool) -> dict[str, Any]:
    """Name an effect with its interval and test as columns: 0 by definition for a plain card, nothing for one not
    measured.
    """
    if found is None:
        zero = 0.0 if is_plain else math.nan
        return {
            "effect": zero,
            "effect_low": zero,
            "effect_high": zero,
            "p_value": math.nan,
            "p_holm": math.nan,
            "exact_interval": False,
        }
    return {
        "effect": found.effect,
        "effect_low": found.low,
        "effect_high": found.high,
        "p_value": found.p_value,
        "p_holm": math.nan,  # known when all are
        "exact_interval": found.exact,
    }


def _win_rate(trial: Trial, axis: int) -> float:
    """Give the deck's win rate over the opponents, with the card (1: summed over what became of it without) or the
    plain one (0).
    """
    if not trial.comparisons:
        return math.nan
    shares = [paired.strength.sum(axis=axis) / paired.strength.sum() for paired in trial.comparisons]
    return float(np.mean(shares, axis=0) @ QUARTERS)


def _observed(trial: Trial) -> dict[str, Any]:
    """Give the games in which a card was drawn and played, and how often they were won."""
    columns: dict[str, Any] = {}
    for word, games, points in (("drawn", DRAWN, DRAWN_POINTS), ("played", PLAYED_GAMES, PLAYED_POINTS)):
        n = int(trial.watched[games])
        columns |= {f"{word}_games": n, f"{word}_win_rate": int(trial.watched[points]) / 2 / n if n else math.nan}
    return columns
