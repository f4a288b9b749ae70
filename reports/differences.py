"""Differences of two win rates or means from the same pairs of games, played both ways; the unit is the pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from reports.statistics import LEVEL, Mean

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
        Pairs of each matchup by the quarter points of the one (row) and the other (column); every matchup weighs the same.
    level : float
        The interval misses the truth with this probability.

    Returns
    -------
    Difference
        As `reports.statistics.pooled`, of the differences of the pairs. The p-value is that of Student's t, or where the interval
        is the exact one (which is conservative and may hold 0 when this is small) of Fisher's randomisation test (1935): how often the
        differences, with signs at random, would sum up to as much.

    Raises
    ------
    ValueError
        Without matchups, or with one without pairs.
    """
    mean = Mean.of(joints, DIFFERENCE)
    together = sum(joints[1:], joints[0])
    p_value = _flipped(together) if mean.exact else 2 * float(stats.t.sf(abs(mean.rate - 0.5) / mean.error, mean.degrees))
    effect, low, high = (2 * share - 1 for share in (mean.rate, *mean.interval(level)))
    pairs = int(together.sum())
    return Difference(effect, low, high, p_value, pairs, pairs - int(together.trace()), mean.exact)


def _flipped(joint: NDArray[np.int64]) -> float:
    """Give the two-sided p-value of the sum of the differences, if each might as well have the other sign."""
    quarters = _QUARTERS[:, None] - _QUARTERS[None, :]
    chances, total, reach = np.ones(1), 0, 0
    for size in range(1, len(_QUARTERS)):
        up, down = (int(joint[quarters == sign * size].sum()) for sign in (1, -1))
        steps = np.zeros(2 * size * (up + down) + 1)
        steps[:: 2 * size] = stats.binom.pmf(np.arange(up + down + 1), up + down, 0.5)
        chances = np.convolve(chances, steps)
        total, reach = total + size * (up - down), reach + size * (up + down)
    sums = np.arange(-reach, reach + 1)
    return min(float(chances[np.abs(sums) >= abs(total)].sum()), 1.0)


@dataclass(frozen=True)
class MeanDifference:
    """A difference of two means in the same games, with its interval (nan where a matchup has a single pair)."""

    mean: float
    low: float
    high: float


def mean_difference(sums: Sequence[NDArray[np.float64]], pairs: Sequence[int], level: float = LEVEL) -> MeanDifference:
    """Estimate the difference of two means from the same pairs of games, played both ways.

    Parameters
    ----------
    sums : sequence of float arrays, shape (2,)
        Of each matchup, the sum of the pairs' differences and of their squares; every matchup weighs the same.
    pairs : sequence of int
        How many pairs each matchup has, at least 1.
    level : float
        The interval misses the truth with this probability.

    Returns
    -------
    MeanDifference
        The mean of the matchups' means; its standard error and Student's t as in `reports.statistics.pooled`.
    """
    n = np.asarray(pairs, np.float64)
    total, squares = np.array(sums, np.float64).T
    mean = float((total / n).mean())
    if n.min() < 2:
        return MeanDifference(mean, math.nan, math.nan)
    variances = np.maximum(squares - total**2 / n, 0) / (n - 1) / n
    if not variances.any():
        return MeanDifference(mean, mean, mean)
    degrees = float(variances.sum() ** 2 / (variances**2 / (n - 1)).sum())
    reach = float(stats.t.isf(level / 2, degrees) * math.sqrt(variances.sum()) / len(n))
    return MeanDifference(mean, mean - reach, mean + reach)
