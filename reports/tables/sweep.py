"""Tables of a sweep: each variant beside the study as it stands, in the same deals, and what each parameter does."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.play.results import Results
from reports.stats.estimates import FEW, LEVEL, STRENGTH, holm, holm_once, p_value, pooled, verdict
from reports.stats.paired import Difference, MeanDifference, mean_difference, paired_difference
from reports.studies.effects import Effect, effects
from reports.studies.sweep import HYPERCUBE, Sweep, word
from reports.tables.games import TURN_LIMIT
from sim.counts import QUARTERS, Counts, PairedCounts, other_side

ROUNDING = 1e-12  # share of a sum of squares up to which it is none
FIRST_SEAT, TURNS = "first seat's win rate", "turns"


class Compared:
    """How some matchups went with every variant of a sweep; every matchup weighs the same.

    Parameters
    ----------
    results : Results
        Of a study with a sweep.
    places : list of int
        Which of its matchups.
    """

    def __init__(self, results: Results, places: list[int]):
        self.results, self.places = results, places

    def counts(self, variant: int) -> list[Counts]:
        """Give what was counted of each matchup; variant 0 is the study as it stands."""
        return [self.results.counts[p] if variant == 0 else self.results.others[p][variant - 1][0] for p in self.places]

    def combination(self, weights: NDArray[np.float64], answer: str, level: float = LEVEL) -> MeanDifference:
        """Give a sum of what the variants change, each times its weight, in the same pairs.

        The interval is the exact one where the squares of the pairs' sums add up to less than 30 times that of a half:
        as many come from 30 pairs of which one game is won by the other seat, or lasts a turn more, wherever a weight
        is above 0.

        Parameters
        ----------
        weights : float array
            By variant, the study as it stands not included.
        answer : str
            `FIRST_SEAT` or `TURNS`.
        level : float
            The interval misses the truth with this probability.
        """
        sums, pairs, reach = [], [], _reach(weights)
        column, unit = (0, 4) if answer == FIRST_SEAT else (1, 2)  # quarter points, and turns of two games
        for place in self.places:
            comparisons = [paired for _, paired in self.results.others[place]]
            products = np.zeros((len(comparisons), len(comparisons)))
            for i, paired in enumerate(comparisons):
                products[i, :i] = products[:i, i] = paired.products[:, column]
            moments = np.array([_moments(paired, answer) for paired in comparisons], np.float64)
            np.fill_diagonal(products, moments[:, 1])
            total, squares = weights @ moments[:, 0] / unit, weights @ products @ weights / unit**2
            is_rounding = squares <= ROUNDING * (weights**2 @ moments[:, 1]) / unit**2
            sums.append(np.zeros(2) if is_rounding else np.array([total, squares]))
            pairs.append(int(comparisons[0].first_seat.sum()))
        return mean_difference(sums, pairs, reach * self._most(answer), FEW * (reach / 2) ** 2, level)

    def _most(self, answer: str) -> float:
        """Give the most by which an answer can differ in a pair: the whole rate, or all turns that a game may last."""
        every = [self.results.counts[p] for p in self.places] + [
            part for p in self.places for part, _ in self.results.others[p]
        ]
        return 1.0 if answer == FIRST_SEAT else float(max(counts.turns.shape[-1] - 1 for counts in every))

    def _comparisons(self, variant: int) -> list[PairedCounts]:
        return [self.results.others[p][variant - 1][1] for p in self.places]

    def scores(self, variant: int) -> list[NDArray[np.int64]]:
        """Give the nine counts of each matchup's pairs."""
        return [counts.scores for counts in self.counts(variant)]

    def turns(self, variant: int) -> float:
        """Give the mean length of a game."""
        return float(np.mean([_mean_turns(counts) for counts in self.counts(variant)]))

    def stopped(self, variant: int) -> float:
        """Give the share of the games that were stopped at the limit."""
        limit = self.results.study.game.reasons.index(TURN_LIMIT)
        counts = self.counts(variant)
        return float(sum(one.outcomes[..., limit].sum() for one in counts) / sum(one.games for one in counts))

    def first_seat_change(self, variant: int, level: float = LEVEL) -> Difference:
        """Give the first seat's win rate less that of the study as it stands."""
        return paired_difference([paired.first_seat.T for paired in self._comparisons(variant)], level)

    def turns_change(self, variant: int, level: float = LEVEL) -> MeanDifference:
        """Give the mean length of a game less that in the study as it stands."""
        comparisons = self._comparisons(variant)
        pairs = [int(paired.first_seat.sum()) for paired in comparisons]
        return mean_difference(
            [paired.turns / (2, 4) for paired in comparisons], pairs, self._most(TURNS), FEW / 4, level
        )


def _reach(weights: NDArray[np.float64]) -> float:
    """Give the most that a sum of answers between 0 and 1 can be, with these weights and one for the study so that they
    add up to 0.
    """
    return float(weights[weights > 0].sum() + max(-weights.sum(), 0.0))


def _moments(paired: PairedCounts, answer: str) -> tuple[int, int]:
    """Give the sum over the pairs of what a variant changes, and that of its square."""
    if answer == TURNS:
        return int(paired.turns[0]), int(paired.turns[1])
    more = np.subtract.outer(np.arange(QUARTERS), np.arange(QUARTERS)).T
    return int((paired.first_seat * more).sum()), int((paired.first_seat * more**2).sum())


def _mean_turns(counts: Counts) -> float:
    lengths = counts.turns.sum(axis=(0, 1))
    return float(lengths @ np.arange(len(lengths)) / lengths.sum())


def players(results: Results) -> Iterator[tuple[str, Compared]]:
    """Give the matchups of each strategy that plays both sides, by its label, then all as ``all`` if there are more."""
    played = [p for p, counts in enumerate(results.counts) if counts.scores.any()]
    for strategy in results.study.strategies:
        own = [p for p in played if results.matchups[p].strategies == (strategy, strategy)]
        if own:
            yield strategy, Compared(results, own)
    if len(results.study.strategies) > 1 and played:
        yield "all", Compared(results, played)


def sweep_table(results: Results) -> pd.DataFrame:
    """Make one row per variant and strategy that plays both sides, and one over all games; variant 0 is the study as it
    stands.

    Returns
    -------
    DataFrame
        A column for each parameter; the first seat's win rate with its paired interval and a verdict against the
        study's margin, alone and held together with those of all variants with the same players (Holm);
        ``difference_*`` is the win rate less that of the study as it stands, from the same pairs, with the p-value of
        the test that there is none and that by Holm's method over the variants; ``turns_difference_*`` the same for the
        mean length of a game, in turns.
    """
    sweep = _sweep(results)
    rows: list[dict[str, Any]] = []
    for strategy, compared in players(results):
        own: list[dict[str, Any]] = []
        for number, variant in enumerate(sweep.all):
            scores = compared.scores(number)
            seat = pooled(scores)
            own.append(
                {
                    "game": results.study.game.name,
                    "strategy": strategy,
                    "variant": number,
                    **_values(sweep, variant.values),
                    "matchups": len(scores),
                    "games": 2 * seat.pairs,
                    **seat.columns("first_win"),
                    "exact_interval": seat.exact,
                    "verdict": verdict(seat, results.study.margin),
                    "p_value": p_value(scores, results.study.margin),
                    "p_holm": 1.0,
                    "verdict_holm": "not decided",
                    **_change(None if number == 0 else compared.first_seat_change(number)),
                    "stopped_share": compared.stopped(number),
                    "turns_mean": compared.turns(number),
                    **_turns_change(None if number == 0 else compared.turns_change(number)),
                }
            )
        for row, adjusted in zip(own, holm([row["p_value"] for row in own]), strict=True):
            row["p_holm"] = float(adjusted)
            if adjusted <= LEVEL:
                row["verdict_holm"] = row["verdict"]
        rows += _adjusted(own, [row["variant"] for row in own])
    return pd.DataFrame(rows)


def sweep_decks_table(results: Results) -> pd.DataFrame:
    """Make one row per variant, strategy and deck: the deck's win rate against the other decks, both seats; empty
    without others.

    Returns
    -------
    DataFrame
        In a variant both the deck and the others are as they are there; every opponent weighs the same.
        ``difference_*`` is as in `sweep_table`, a family the variants and decks of a strategy; two decks that met
        nobody else are one test.
    """
    sweep = _sweep(results)
    rows: list[dict[str, Any]] = []
    for strategy in results.study.strategies:
        own: list[dict[str, Any]] = []
        tests: list[Hashable] = []
        for number, variant in enumerate(sweep.all):
            for deck in results.study.decks:
                met = list(_met(results, strategy, deck, number))
                if not met:
                    continue
                seat = pooled([scores for _, scores, _ in met], STRENGTH)
                tests.append((number, frozenset(place for place, _, _ in met)))
                own.append(
                    {
                        "game": results.study.game.name,
                        "strategy": strategy,
                        "variant": number,
                        **_values(sweep, variant.values),
                        "deck": deck,
                        "games": 2 * seat.pairs,
                        **seat.columns("win"),
                        **_change(None if number == 0 else paired_difference([paired.T for _, _, paired in met])),
                    }
                )
        rows += _adjusted(own, tests)
    return pd.DataFrame(rows)


def _met(
    results: Results, strategy: str, deck: str, variant: int
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """Give the matchups of a deck with each other deck: place, nine counts from its side, how its quarter points
    compare with the base.
    """
    for place, (matchup, base) in enumerate(zip(results.matchups, results.counts, strict=True)):
        labels = (matchup.a.deck_label, matchup.b.deck_label)
        if (
            matchup.strategies != (strategy, strategy)
            or deck not in labels
            or labels[0] == labels[1]
            or not base.scores.any()
        ):
            continue
        counts, paired = (base, PairedCounts.empty()) if variant == 0 else results.others[place][variant - 1]
        if deck == labels[0]:
            yield place, counts.scores, paired.strength
        else:
            yield place, other_side(counts.scores), paired.strength[::-1, ::-1]


def effects_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy, answer and parameter with the parameter's main effect, the largest first.

    Returns
    -------
    DataFrame
        ``effect`` is how much the answer, the first seat's win rate (a fraction) or the mean length of a game in turns,
        grows from the value ``lowest`` to ``highest`` of the parameter, by an additive model (see
        `reports.studies.effects`); ``share`` is the share of the variance over the design's points that it explains,
        ``explained`` that of all parameters together. The interval of a grid's effect is Student's of the same sum in
        each pair, by the games' chance, or the exact one where few pairs differ; that of a hypercube's by what the
        model leaves unexplained, which has both chance and what does not add up. Each holds for all pairs of the
        parameter's values together (Bonferroni). Where the sum is 0 in every pair, the effect is 0 and has no values,
        and its interval is the exact one. No rows if the points are too few to tell the parameters apart.
    """
    sweep = _sweep(results)
    in_design = ([0] if sweep.has_base else []) + list(range(1, len(sweep.all)))
    points = [sweep.all[number].values for number in in_design]
    rows: list[dict[str, Any]] = []
    for strategy, compared in players(results):
        rates = [pooled(compared.scores(number)).rate for number in in_design]
        lengths = [compared.turns(number) for number in in_design]
        for answer, found in ((FIRST_SEAT, rates), (TURNS, lengths)):
            for rank, effect in enumerate(effects(sweep, points, found), 1):
                found_in_pairs = _in_pairs(compared, effect, in_design, len(sweep.all), answer)
                changes = found_in_pairs.differs
                by_model = changes and sweep.design == HYPERCUBE
                low, high = effect.residual_interval() if by_model else (found_in_pairs.low, found_in_pairs.high)
                rows.append(
                    {
                        "game": results.study.game.name,
                        "strategy": strategy,
                        "answer": answer,
                        "rank": rank,
                        "parameter": effect.parameter.name,
                        "lowest": word(effect.lowest) if changes else "",
                        "highest": word(effect.highest) if changes else "",
                        "effect": effect.effect if changes else 0.0,
                        "effect_low": low,
                        "effect_high": high,
                        "share": effect.share,
                        "explained": effect.explained,
                    }
                )
    return pd.DataFrame(rows, columns=EFFECT_COLUMNS)


EFFECT_COLUMNS = [
    "game", "strategy", "answer", "rank", "parameter", "lowest", "highest", "effect", "effect_low", "effect_high",
    "share", "explained",
]  # fmt: skip


def _in_pairs(
    compared: Compared, effect: Effect, in_design: Sequence[int], variants: int, answer: str
) -> MeanDifference:
    """Give an effect as the same sum in each pair."""
    weights = np.zeros(variants)
    weights[list(in_design)] = effect.weights
    return compared.combination(
        weights[1:], answer, effect.level
    )  # what is added to all points alike cancels: weights add up to 0


def _sweep(results: Results) -> Sweep:
    if results.study.sweep is None:
        raise ValueError("the study has no sweep")
    return results.study.sweep


def _values(sweep: Sweep, values: Sequence[Any]) -> dict[str, Any]:
    """Name the values of a variant as columns; those of a parameter whose values are of several types as texts."""
    return {
        parameter.name: found if len({type(one) for one in (*parameter.shown, parameter.base)}) == 1 else word(found)
        for parameter, found in zip(sweep.parameters, values, strict=True)
    }


_NO_DIFFERENCE = {"difference_p": 1.0, "difference_p_holm": 1.0}


def _change(found: Difference | None) -> dict[str, Any]:
    """Name a difference to the study as it stands as columns; none of itself."""
    if found is None:
        return {
            "difference": 0.0,
            "difference_low": 0.0,
            "difference_high": 0.0,
            "differing_pairs": 0,
            **_NO_DIFFERENCE,
        }
    return {
        "difference": found.effect,
        "difference_low": found.low,
        "difference_high": found.high,
        "differing_pairs": found.differing,
        "difference_p": found.p_value,
        "difference_p_holm": 1.0,
    }


def _turns_change(found: MeanDifference | None) -> dict[str, float]:
    mean, low, high = (0.0, 0.0, 0.0) if found is None else (found.mean, found.low, found.high)
    return {"turns_difference": mean, "turns_difference_low": low, "turns_difference_high": high}


def _adjusted(rows: list[dict[str, Any]], tests: Sequence[Hashable]) -> list[dict[str, Any]]:
    """Adjust the p-values of the differences of a family's variants; rows of the same test count once."""
    tested = [(row, test) for row, test in zip(rows, tests, strict=True) if row["variant"]]
    adjusted = holm_once([row["difference_p"] for row, _ in tested], [test for _, test in tested])
    for (row, _), p_holm in zip(tested, adjusted, strict=True):
        row["difference_p_holm"] = float(p_holm)
    return rows
