"""Estimates with intervals, from counts; the unit is the pair of games.

Each pair gives side A a score as first, x1, and as second, x2 (0, 1/2 or 1). Its mean (x1 + x2)/2 estimates A's strength with
the seats' effect cancelled; (x1 - x2 + 1)/2 estimates the first seat's win rate with the sides' strength cancelled. Both get
their standard error from the pairs, since the two games of a pair share their deals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

CONFIDENCE = 0.95
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


def wilson(successes: float, games: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Give Wilson's interval of one rate (Wilson 1927), by statsmodels.

    Parameters
    ----------
    successes : float
        Wins, a draw as half.
    games : int
        Games, at least 1.
    confidence : float
        Level of the interval.

    Returns
    -------
    low, high : float
        Fractions.
    """
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(successes, games, alpha=1 - confidence, method="wilson")
    return max(float(low), 0.0), min(float(high), 1.0)


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


def pooled(matchups: Sequence[NDArray[np.int64]], values: NDArray[np.float64] = FIRST_SEAT, confidence: float = CONFIDENCE) -> Estimate:
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
        Mean of the matchups' means; standard error sqrt(sum of s_i^2 / n_i) / k over k matchups with n_i pairs and sample
        variance s_i^2, and Student's t with the degrees of freedom of Welch and Satterthwaite. With fewer than 30 pairs beside
        those with the commonest score, where that covers too little, or with a single pair in a matchup, the interval is exact
        and conservative instead: Clopper and Pearson's for the shares of pairs with each uneven score, at a level divided by
        their number (Bonferroni); of matchups of unequal size, the mean of their intervals.

    Raises
    ------
    ValueError
        Without matchups, or with one without pairs.
    """
    rate, low, high, exact = mean_of_matchups(matchups, values, confidence)
    variance, single = (sum(of(scores, values) for scores in matchups) for of in (_variance, _independent_variance))
    pairs = sum(int(scores.sum()) for scores in matchups)
    decisive = sum(int(scores[values != 0.5].sum()) for scores in matchups)
    return Estimate(rate, low, high, pairs, decisive, variance / single if single > 0 else math.nan, exact)


def mean_of_matchups(
    matchups: Sequence[NDArray[np.int64]], values: NDArray[np.float64], confidence: float = CONFIDENCE
) -> tuple[float, float, float, bool]:
    """Estimate the mean of any score of a pair over matchups; see `pooled`, which does so with A's win rate or the first seat's.

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
    if not matchups or any(scores.sum() == 0 for scores in matchups):
        raise ValueError("an estimate needs matchups with at least one pair each")
    k = len(matchups)
    sizes = [int(scores.sum()) for scores in matchups]
    rate = float(np.mean([(scores * values).sum() / n for scores, n in zip(matchups, sizes, strict=True)]))
    variances = [_variance(scores, values) for scores in matchups]
    together = sum(matchups[1:], matchups[0])
    commonest = max(int(together[values == value].sum()) for value in np.unique(values))
    exact = sum(sizes) - commonest < FEW or min(sizes) < 2 or sum(variances) == 0
    if exact:
        samples = [together] if min(sizes) == max(sizes) else matchups
        low, high = np.mean([_exact(sample, values, confidence) for sample in samples], axis=0)
    else:
        degrees = sum(variances) ** 2 / sum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True))
        reach = float(stats.t.ppf((1 + confidence) / 2, degrees)) * math.sqrt(sum(variances) / k**2)
        low, high = rate - reach, rate + reach
    return rate, max(float(low), 0.0), min(float(high), 1.0), exact


def _variance(scores: NDArray[np.int64], values: NDArray[np.float64]) -> float:
    """Give the variance of the mean of a score over the pairs of a matchup."""
    n = int(scores.sum())
    mean = float((scores * values).sum() / n)
    return float((scores * (values - mean) ** 2).sum() / max(n - 1, 1) / n)


def _independent_variance(scores: NDArray[np.int64], values: NDArray[np.float64]) -> float:
    """Give the variance that the mean of a score would have if the two games of each pair were independent."""
    n = int(scores.sum())
    as_first, as_second = scores.sum(axis=1), scores.sum(axis=0)
    total = 0.0
    for marginal in (as_first, as_second):
        points = _HALF_POINTS / 2
        mean = float((marginal * points).sum() / n)
        total += float((marginal * (points - mean) ** 2).sum() / max(n - 1, 1))
    return total / 4 / n


def _exact(scores: NDArray[np.int64], values: NDArray[np.float64], confidence: float) -> tuple[float, float]:
    n = int(scores.sum())
    uneven = [value for value in np.unique(values) if value != 0.5]
    alpha = (1 - confidence) / len(uneven)
    low = high = 0.5
    for value in uneven:
        k = int(scores[values == value].sum())
        least = float(stats.beta.ppf(alpha / 2, k, n - k + 1)) if k > 0 else 0.0
        most = float(stats.beta.ppf(1 - alpha / 2, k + 1, n - k)) if k < n else 1.0
        weight = float(value) - 0.5
        low += weight * (least if weight > 0 else most)
        high += weight * (most if weight > 0 else least)
    return low, high


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
        ``fair`` if the whole interval lies inside the margin, ``favours first`` or ``favours second`` if it lies outside on
        one side, ``not decided`` otherwise. (Interval inclusion, the equivalence test of Westlake 1972 and Schuirmann 1987,
        here at the interval's own, stricter level.)
    """
    low, high = 0.5 - margin / 100, 0.5 + margin / 100
    if low <= estimate.low and estimate.high <= high:
        return "fair"
    if estimate.low > high:
        return "favours first"
    if estimate.high < low:
        return "favours second"
    return "not decided"
