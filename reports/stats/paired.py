"""Differences of two win rates or means from the same pairs of games, played both ways; the unit is the pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.stats.betting import BetsOnMoments
from reports.stats.distributions import t_isf
from reports.stats.estimates import LEVEL, Mean

_QUARTERS = np.arange(5)
DIFFERENCE = (_QUARTERS[:, None] - _QUARTERS[None, :] + 4) / 8  # as a share, so that no difference is 1/2


@dataclass(frozen=True)
class Difference:
    """A difference of two win rates in the same games, between -1 and 1, with its interval.

    Attributes
    ----------
    effect, low, high : float
        The win rate of the first less that of the second, and its confidence interval.
    p_value : float
        Of the test that there is none, two-sided.
    pairs, differing : int
        How many pairs it rests on, and how many of them came out differently.
    exact : bool
        The interval is the exact one, for few pairs that differ.
    """

    effect: float
    low: float
    high: float
    p_value: float
    pairs: int
    differing: int
    exact: bool


def paired_difference(joints: Sequence[NDArray[np.int64]], level: float = LEVEL) -> Difference:
    """Estimate the difference of two win rates from the same pairs of games, played both ways.

    Parameters
    ----------
    joints : sequence of int64 arrays, shape (5, 5)
        Pairs of each matchup by the quarter points of the one (row) and the other (column); every matchup weighs the
        same.
    level : float
        The interval misses the truth with this probability.

    Returns
    -------
    Difference
        As `reports.stats.estimates.pooled`, of the differences of the pairs. Interval and p-value are of the same test:
        Student's t, or where few pairs differ the exact one.

    Raises
    ------
    ValueError
        Without matchups, or with one without pairs.
    """
    mean = Mean.of(joints, DIFFERENCE)
    effect, low, high = (2 * share - 1 for share in (mean.rate, *mean.interval(level)))
    together = sum(joints[1:], joints[0])
    pairs = int(together.sum())
    return Difference(effect, low, high, mean.p_value(0.5), pairs, pairs - int(together.trace()), mean.exact)


def p_of_place(joints: Sequence[NDArray[np.int64]], low: float, high: float) -> float:
    """Give the smallest level at which the interval of a `paired_difference` lies on one side of two values, or between
    them.
    """
    return Mean.of(joints, DIFFERENCE).p_of_place((1 + low) / 2, (1 + high) / 2)


@dataclass(frozen=True)
class MeanDifference:
    """A difference of two means in the same games, with its interval (nan where a matchup has a single pair).

    Attributes
    ----------
    mean, low, high : float
        The difference and its confidence interval.
    differs : bool
        There is a pair of games in which it is not 0.
    """

    mean: float
    low: float
    high: float
    differs: bool


def mean_difference(
    sums: Sequence[NDArray[np.float64]], pairs: Sequence[int], most: float, few: float = 0.0, level: float = LEVEL
) -> MeanDifference:
    """Estimate the difference of two means from the same pairs of games, played both ways.

    Parameters
    ----------
    sums : sequence of float arrays, shape (2,)
        Of each matchup, the sum of the pairs' differences and of their squares; every matchup weighs the same.
    pairs : sequence of int
        How many pairs each matchup has, at least 1.
    most : float
        The largest difference that a pair can have, either way.
    few : float
        The sum of all squares below which too few pairs differ for Student's t; weighted as in
        `reports.stats.estimates.pooled`.
    level : float
        The interval misses the truth with this probability.

    Returns
    -------
    MeanDifference
        The mean of the matchups' means; its standard error and Student's t as in `reports.stats.estimates.pooled`, or
        where few pairs differ or none the exact interval from the sums (`reports.stats.betting.BetsOnMoments`).
    """
    n = np.asarray(pairs, np.float64)
    total, squares = np.array(sums, np.float64).T
    differs = bool(squares.any())
    mean = float((total / n).mean())
    if n.min() < 2:
        return MeanDifference(mean, math.nan, math.nan, differs)
    variances = np.maximum(squares - total**2 / n, 0) / (n - 1) / n
    if ((n.min() / n) ** 2 * squares).sum() < few or not variances.any():
        bets = BetsOnMoments(n, (n + total / most) / 2, (n + 2 * total / most + squares / most**2) / 4)
        low, high = ((2 * share - 1) * most for share in bets.interval(level))
        return MeanDifference(mean, low, high, differs)
    degrees = float(variances.sum() ** 2 / (variances**2 / (n - 1)).sum())
    reach = float(t_isf(level / 2, degrees) * math.sqrt(variances.sum()) / len(n))
    return MeanDifference(mean, mean - reach, mean + reach, differs)
