"""Estimates with intervals, from counts; the unit is the pair of games.

Each pair gives side A a score as first, x1, and as second, x2 (0, 1/2 or 1). Its mean (x1 + x2)/2 estimates A's
strength with the seats' effect cancelled; (x1 - x2 + 1)/2 estimates the first seat's win rate with the sides' strength
cancelled. Both get their standard error from the pairs, since the two games of a pair share their deals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reports.stats.betting import BetsOnCounts
from reports.stats.distributions import normal_ppf, t_isf, t_sf

CONFIDENCE = 0.95
LEVEL = 1 - CONFIDENCE
FEW = 30

Verdict = Literal["fair", "favours first", "favours second", "not decided"]

_HALF_POINTS = np.arange(3)
STRENGTH = (_HALF_POINTS[:, None] + _HALF_POINTS[None, :]) / 4
FIRST_SEAT = (_HALF_POINTS[:, None] - _HALF_POINTS[None, :] + 2) / 4


@dataclass(frozen=True)
class Estimate:
    """A rate between 0 and 1 with its interval.

    Attributes
    ----------
    rate, low, high : float
        The estimate and its confidence interval.
    pairs : int
        How many pairs it rests on.
    decisive : int
        How many of them are not split evenly.
    variance_ratio : float
        Variance of the estimate over that of the same number of independent games: below 1, pairing helped.
    exact : bool
        The interval is the exact one, for few pairs that differ.
    """

    rate: float
    low: float
    high: float
    pairs: int
    decisive: int
    variance_ratio: float
    exact: bool

    def columns(self, prefix: str) -> dict[str, float]:
        """Name the rate and its interval as columns of a table."""
        return {f"{prefix}_rate": self.rate, f"{prefix}_low": self.low, f"{prefix}_high": self.high}


def wilson(
    successes: NDArray[np.float64], games: NDArray[np.int64], confidence: float = CONFIDENCE
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give Wilson's intervals of rates (Wilson 1927).

    Parameters
    ----------
    successes : float array
        Wins, a draw as half.
    games : int array
        Games, each at least 1.
    confidence : float
        Level of the intervals.

    Returns
    -------
    low, high : float arrays
        Fractions. (As by `proportion_confint` of statsmodels, which takes long to load.)
    """
    reach = -normal_ppf((1 - confidence) / 2)
    rates, share = successes / games, 1 + reach**2 / games
    middle = (rates + reach**2 / (2 * games)) / share
    around = reach * np.sqrt(rates * (1 - rates) / games + reach**2 / (4.0 * games**2)) / share
    return np.maximum(middle - around, 0.0), np.minimum(middle + around, 1.0)


def strength(scores: NDArray[np.int64], confidence: float = CONFIDENCE) -> Estimate:
    """Estimate side A's win rate over both seats.

    Parameters
    ----------
    scores : int64 array, shape (3, 3)
        Pairs by A's half points as first and as second.
    confidence : float
        Level of the interval.
    """
    return pooled([scores], STRENGTH, confidence)


def first_seat(scores: NDArray[np.int64], confidence: float = CONFIDENCE) -> Estimate:
    """Estimate the first seat's win rate of a matchup, the sides' strength cancelled (see `strength`)."""
    return pooled([scores], FIRST_SEAT, confidence)


def pooled(
    matchups: Sequence[NDArray[np.int64]], values: NDArray[np.float64] = FIRST_SEAT, confidence: float = CONFIDENCE
) -> Estimate:
    """Estimate the mean of a score over matchups, each with the same weight.

    Parameters
    ----------
    matchups : sequence of int64 arrays, shape (3, 3)
        Pairs of each matchup by A's half points as first and as second; each with at least one pair.
    values : float array, shape (3, 3)
        The score of each kind of pair: `FIRST_SEAT` or `STRENGTH`.
    confidence : float
        Level of the interval.

    Returns
    -------
    Estimate
        Mean of the matchups' means; standard error sqrt(sum of s_i^2 / n_i) / k over k matchups with n_i pairs and
        sample variance s_i^2, and Student's t with the degrees of freedom of Welch and Satterthwaite. With fewer than
        30 pairs beside those with the commonest score of their matchup, where that covers too little, or with a single
        pair in a matchup, the interval is exact and conservative instead: that of testing by betting
        (`reports.stats.betting`). Where matchups have not as many pairs, those of the smallest count most in the
        variance: a pair in one with n times as many counts 1 / n^2 of one of these.

    Raises
    ------
    ValueError
        Without matchups, or with one without pairs.
    """
    return estimate(Mean.of(matchups, values), confidence)


def estimate(mean: Mean, confidence: float = CONFIDENCE) -> Estimate:
    """Give the estimate of a mean over matchups of nine counts each; see `pooled`."""
    return _estimate(mean, sum(_independent_variances(mean.samples)), confidence)


def estimate_each(means: Sequence[Mean], confidence: float = CONFIDENCE) -> list[Estimate]:
    """Give the estimate of each of several means over one matchup (`Mean.of_each`)."""
    if not means:
        return []
    single = _independent_variances([mean.samples[0] for mean in means])
    return [_estimate(mean, variance, confidence) for mean, variance in zip(means, single, strict=True)]


def _estimate(mean: Mean, single: float, confidence: float) -> Estimate:
    pairs = sum(int(scores.sum()) for scores in mean.samples)
    decisive = sum(int(scores[mean.values != 0.5].sum()) for scores in mean.samples)
    ratio = mean.variance / single if single > 0 else math.nan
    return Estimate(mean.rate, *mean.interval(1 - confidence), pairs, decisive, ratio, mean.exact)


def mean_of_matchups(
    matchups: Sequence[NDArray[np.int64]], values: NDArray[np.float64], confidence: float = CONFIDENCE
) -> tuple[float, float, float, bool]:
    """Estimate the mean of any score of a pair over matchups; see `pooled`, which does so with A's win rate or the
    first seat's.

    Parameters
    ----------
    matchups : sequence of int64 arrays
        Pairs of each matchup by kind.
    values : float array
        The score of each kind, from 0 to 1; 1/2 is the even one.
    confidence : float
        Level of the interval.

    Returns
    -------
    rate, low, high : float
        The mean and its interval.
    exact : bool
        The interval is the exact one.

    Raises
    ------
    ValueError
        Without matchups, or with one without pairs.
    """
    mean = Mean.of(matchups, values)
    return mean.rate, *mean.interval(1 - confidence), mean.exact


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean of a score of a pair over matchups, each with the same weight; it knows its interval at any level (see
    `pooled`).

    Attributes
    ----------
    rate : float
        The mean.
    error, degrees : float
        Its standard error, and the degrees of freedom of Student's t.
    variance : float
        The sum of the variances of the matchups' means.
    samples : tuple of int64 arrays
        Pairs of each matchup by kind.
    values : float array
        The score of each kind, from 0 to 1.
    bets : BetsOnCounts or None
        What the exact interval is made of; None where Student's t serves.
    """

    rate: float
    error: float
    degrees: float
    variance: float
    samples: tuple[NDArray[np.int64], ...]
    values: NDArray[np.float64]
    bets: BetsOnCounts | None

    @classmethod
    def of(cls, matchups: Sequence[NDArray[np.int64]], values: NDArray[np.float64]) -> Mean:
        """Take the mean of matchups; see `mean_of_matchups`."""
        if not matchups:
            raise ValueError("an estimate needs matchups with at least one pair each")
        sizes, means, variances = _moments(matchups, values)
        return cls._of(matchups, values, sizes, variances, float(np.mean(means)))

    @classmethod
    def of_each(cls, matchups: Sequence[NDArray[np.int64]], values: NDArray[np.float64]) -> list[Mean]:
        """Take the mean of each matchup alone."""
        if not matchups:
            return []
        each = zip(matchups, *_moments(matchups, values), strict=True)
        return [cls._of([scores], values, [n], [variance], mean) for scores, n, mean, variance in each]

    @classmethod
    def _of(
        cls,
        matchups: Sequence[NDArray[np.int64]],
        values: NDArray[np.float64],
        sizes: list[int],
        variances: list[float],
        rate: float,
    ) -> Mean:
        least, variance = min(sizes), sum(variances)
        few = sum((least / n) ** 2 * differing(scores, values) for scores, n in zip(matchups, sizes, strict=True))
        if few < FEW or least < 2 or variance == 0:
            bets = BetsOnCounts.of([(scores, values) for scores in matchups])
            return cls(rate, math.nan, math.nan, variance, tuple(matchups), values, bets)
        degrees = variance**2 / sum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True))
        return cls(rate, math.sqrt(variance) / len(matchups), degrees, variance, tuple(matchups), values, None)

    @property
    def exact(self) -> bool:
        """Whether the interval is the exact one."""
        return self.bets is not None

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Give the interval that misses the truth with a probability of ``level``, from 0 to 1; a lower level's
        contains it.
        """
        if self.bets is not None:
            return self.bets.interval(level)
        reach = t_isf(level / 2, self.degrees) * self.error
        return max(self.rate - reach, 0.0), min(self.rate + reach, 1.0)

    def p_value(self, value: float) -> float:
        """Give the two-sided p-value of the mean being ``value``, between 0 and 1: the smallest level whose interval
        excludes it.
        """
        if self.bets is not None:
            return self.bets.p_value(value)
        return 2 * t_sf(abs(self.rate - value) / self.error, self.degrees)

    def p_of_place(self, low: float, high: float) -> float:
        """Give the smallest level whose interval lies on one side of both ends, or between them; 1 if no level's does.

        Each of these three claims is wrong, whichever is made, only if the interval misses the truth, which happens
        with a probability of the level at most (the three-sided test of Goeman, Solari and Stijnen 2010, by intervals).
        """
        if self.rate < low:
            return self.p_value(low)
        if self.rate > high:
            return self.p_value(high)
        return max(self.p_value(low), self.p_value(high))


def differing(scores: NDArray[np.int64], values: NDArray[np.float64]) -> int:
    """Count the pairs of a matchup beside those with the commonest score."""
    pairs: Counter[float] = Counter()
    for value, n in zip(values.ravel().tolist(), scores.ravel().tolist(), strict=True):
        pairs[value] += n
    return pairs.total() - max(pairs.values())


def _moments(
    matchups: Sequence[NDArray[np.int64]], values: NDArray[np.float64]
) -> tuple[list[int], list[float], list[float]]:
    """Give how many pairs each matchup has, the mean of their score, and the variance of that mean."""
    kinds, scores = np.array(matchups).reshape(len(matchups), -1), values.ravel()
    n = kinds.sum(axis=1)
    if not n.all():
        raise ValueError("an estimate needs matchups with at least one pair each")
    means = (kinds * scores).sum(axis=1) / n
    squares = (kinds * (scores - means[:, None]) ** 2).sum(axis=1)
    return n.tolist(), means.tolist(), (squares / np.maximum(n - 1, 1) / n).tolist()


def _independent_variances(matchups: Sequence[NDArray[np.int64]]) -> list[float]:
    """Give the variance that the mean of a score over the pairs of each matchup would have if the two games of each
    pair were independent.
    """
    kinds, points = np.array(matchups), _HALF_POINTS / 2
    n, total = kinds.sum(axis=(1, 2)), np.zeros(len(matchups))
    for marginal in (kinds.sum(axis=2), kinds.sum(axis=1)):
        means = (marginal * points).sum(axis=1) / n
        total += (marginal * (points - means[:, None]) ** 2).sum(axis=1) / np.maximum(n - 1, 1)
    found: list[float] = (total / 4 / n).tolist()
    return found


def verdict(estimate: Estimate, margin: float) -> Verdict:
    """Judge a first-seat win rate against a margin.

    Parameters
    ----------
    estimate : Estimate
        Of the first seat's win rate.
    margin : float
        Points around 50 % that count as fair (2: from 48 % to 52 %).

    Returns
    -------
    str
        ``fair`` if the whole interval lies inside the margin, ``favours first`` or ``favours second`` if it lies
        outside on one side, ``not decided`` otherwise. (Interval inclusion, the equivalence test of Westlake 1972 and
        Schuirmann 1987, here at the interval's own, stricter level.)
    """
    return _judged(estimate.low, estimate.high, margin)


def p_value(matchups: Sequence[NDArray[np.int64]], margin: float) -> float:
    """Tell how sure a verdict on the first seat's win rate is.

    Parameters
    ----------
    matchups : sequence of int64 arrays, shape (3, 3)
        Pairs of each matchup, as in `pooled`.
    margin : float
        Points around 50 % that count as fair.

    Returns
    -------
    float
        The smallest level p at which the interval of level p still decides: `verdict` decides by the 95 % interval
        exactly when p is at most 0.05 (`Mean.p_of_place`).
    """
    return p_of_verdict(Mean.of(matchups, FIRST_SEAT), margin)


def p_of_verdict(mean: Mean, margin: float) -> float:
    """Tell how sure a verdict is on the first seat's win rate, given as a mean; see `p_value`."""
    return mean.p_of_place(0.5 - margin / 100, 0.5 + margin / 100)


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """Adjust the p-values of a family of verdicts for their number (Holm 1979).

    Parameters
    ----------
    p_values : sequence of float
        Of all verdicts of the family.

    Returns
    -------
    float64 array
        In the same order: the smallest level at which each verdict stands if the probability that anything wrong is
        said in the whole family may be no more than that. The smallest of n values times n, the next times n - 1 and so
        on, none below the one before it, none above 1. (As by `multipletests` of statsmodels, which collects all
        garbage in each call, for longer than a report's tables take.)
    """
    values = np.asarray(p_values, np.float64)
    order = np.argsort(values)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1)), 1)
    return adjusted


def holm_once(p_values: Sequence[float], tests: Sequence[Hashable]) -> NDArray[np.float64]:
    """Adjust p-values as `holm`, where what is the same test counts once.

    Parameters
    ----------
    p_values : sequence of float
        Of all verdicts of the family.
    tests : sequence of hashable
        What each is the verdict of: equal for the same test, which has the same p-value.
    """
    once = dict(zip(tests, p_values, strict=True))
    adjusted = dict(zip(once, holm(list(once.values())), strict=True))
    return np.array([adjusted[test] for test in tests], np.float64)


def _judged(low: float, high: float, margin: float) -> Verdict:
    """Judge an interval of the first seat's win rate."""
    least, most = 0.5 - margin / 100, 0.5 + margin / 100
    if least <= low and high <= most:
        return "fair"
    if low > most:
        return "favours first"
    if high < least:
        return "favours second"
    return "not decided"


def shown_together(
    holds: Callable[[float], NDArray[np.bool_]], size: int, confidence: float = CONFIDENCE
) -> NDArray[np.bool_]:
    """Tell which claims of a family are shown, so that all that are shown hold together at a level (Holm 1979, by
    intervals).

    Parameters
    ----------
    holds : function
        Given a confidence, tells which of the claims their intervals show at it; at a lower one no fewer.
    size : int
        How many claims the family has.
    confidence : float
        Level of the family.

    Returns
    -------
    bool array
        As ``holds`` gives it. The first claims are asked at Bonferroni's level for all of them; what is shown leaves
        the family, and the rest is asked again at the level for so many.
    """
    left = max(size, 1)
    shown = holds(1 - (1 - confidence) / left)
    while 0 < size - int(shown.sum()) < left:
        left = size - int(shown.sum())
        shown = holds(1 - (1 - confidence) / left)
    return shown


def resampled(scores: NDArray[np.int64], times: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw as many pairs again from those that were found, and from one that was not.

    Parameters
    ----------
    scores : int64 array, shape (3, 3)
        Pairs by A's half points as first and as second; at least one.
    times : int
        How often.
    random : Generator
        Where the draws come from: the same state gives the same draws.

    Returns
    -------
    int64 array, shape (times, 3, 3)
        Each kind as often as it was found, with a quarter of a pair added to each of the four that have no draw (won
        both, lost both, the first seat won both, the second): otherwise few pairs that agree would look as if there
        were no doubt.
    """
    kinds = scores.astype(float)
    kinds[::2, ::2] += 0.25
    return random.multinomial(int(scores.sum()), kinds.ravel() / kinds.sum(), size=times).reshape(times, 3, 3)
