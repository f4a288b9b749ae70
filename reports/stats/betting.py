"""Exact intervals and tests of the mean of bounded scores by betting (Waudby-Smith and Ramdas 2024).

Scores X lie between 0 and 1, and their mean is said to be no more than m. Who doubts it starts with a capital of 1 and
stakes a share theta of it on each score: it is multiplied by 1 - theta + theta X / m, which is never negative and on
average no more than 1 if the claim is true. So is the product over all scores, and so is its average over theta, whose
density is 2 theta between 0 and 1: large stakes win most where few scores differ, smaller ones where many do. By
Markov's inequality the capital K reaches 1 / alpha with a probability of alpha at most, so p = 1 / K is a p-value,
whatever the scores' distribution and however few they are. That the mean is no less than m is the same bet on 1 - X and
1 - m, and of the two p-values twice the smaller one is that of the mean being m. The interval of a level is made of all
m whose p-value is above it.

Several matchups, each with mean mu_i and n_i scores, are about the mean of the mu_i. There the share is w_i theta with
w_i proportional to 1 / n_i and the largest of them 1. The average of the product is that of prod (1 + theta w_i (mu_i /
m - 1))^n_i, no more than exp(theta sum n_i w_i (mu_i / m - 1)) since 1 + x <= exp(x), and that sum is not above 0 if
the mean of the mu_i is not above m.

Source: I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting, Journal of the Royal
Statistical Society B 86 (2024), 1-27: the capital process, its average over stakes (there by a grid), its use for a
fixed number of scores.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
STAKES = (_NODES + 1) / 2  # theta
_LOG_SHARES = np.log(_WEIGHTS * STAKES)  # of the average: Gauss and Legendre's, for the density 2 theta
_CLOSER = [*(1 - 0.25**k for k in range(22, 0, -1)), 0.5, *(0.25**k for k in range(1, 30))]  # from the estimate to 0
PRECISION = 1e-14

Sample = tuple[NDArray[np.int64], NDArray[np.float64]]


class Bets(ABC):
    """Bets on the mean of scores; it knows the interval of each level.

    Attributes
    ----------
    rate : float
        The mean of the scores, of several matchups the mean of their means.
    """

    rate: float

    @abstractmethod
    def log_capital(self, mean: float) -> float:
        """Give the logarithm of what betting has made of 1, if the mean is said to be at most ``mean``, above 0."""

    @abstractmethod
    def mirrored(self) -> Bets:
        """Bet on 1 - X."""

    def interval(self, level: float) -> tuple[float, float]:
        """Give the interval that misses the mean with a probability of ``level`` at most, above 0; a lower level's
        contains it.

        Returns
        -------
        low, high : float
            Between 0 and 1, the rate between them.
        """
        return self._low(level), 1 - self.mirrored()._low(level)

    def _low(self, level: float) -> float:
        """Find the largest mean below the rate at which the capital reaches 2 / level: all lower ones are refuted with
        it.
        """
        if self.rate <= 0:
            return 0.0
        needed = math.log(2 / level)
        place = bisect_left(_CLOSER, needed, key=lambda below: self.log_capital(self.rate * below))
        if place == len(_CLOSER):
            return 0.0
        found = optimize.brentq(
            lambda at: self.log_capital(self.rate * at) - needed,
            _CLOSER[place],
            _CLOSER[place - 1] if place else 1.0,
            xtol=PRECISION,
        )
        return float(self.rate * found)


@dataclass(frozen=True)
class BetsOnCounts(Bets):
    """Bets on scores of which there are a few kinds.

    Attributes
    ----------
    rate : float
        The mean of the matchups' means.
    kinds : tuple of (float, float, int)
        The score of each kind, from 0 to 1; w_i of its matchup, the largest 1; how many there are.
    """

    rate: float
    kinds: tuple[tuple[float, float, int], ...]

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> BetsOnCounts:
        """Bet on the mean of samples, each with the same weight.

        Parameters
        ----------
        samples : sequence of pairs of arrays
            Of each matchup, the counts by kind, at least one in all, and the score of each kind.
        """
        sizes = [int(counts.sum()) for counts, _ in samples]
        kinds: Counter[tuple[float, float]] = Counter()
        least = min(sizes)
        for (counts, scores), size in zip(samples, sizes, strict=True):
            for score, n in zip(scores.ravel().tolist(), counts.ravel().tolist(), strict=True):
                if n:
                    kinds[score, least / size] += n
        rate = float(
            np.mean([(counts * scores).sum() / size for (counts, scores), size in zip(samples, sizes, strict=True)])
        )
        return cls(rate, tuple((score, weight, n) for (score, weight), n in kinds.items()))

    @cached_property
    def _columns(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        scores, weights, counts = np.array(self.kinds, float).T.copy()
        return scores, weights, counts

    def log_capital(self, mean: float) -> float:
        """Give the logarithm of the capital; see `Bets`."""
        scores, weights, counts = self._columns
        won = np.log1p(STAKES[:, None] * (weights * (scores / mean - 1)))
        return _log_average(won @ counts)

    def mirrored(self) -> BetsOnCounts:
        """Bet on 1 - X."""
        return BetsOnCounts(1 - self.rate, tuple((1 - score, weight, n) for score, weight, n in self.kinds))

    def interval(self, level: float) -> tuple[float, float]:
        """Give the interval of a level; see `Bets`. Of many matchups with few pairs most have been seen before."""
        return _interval(self, level)

    def p_value(self, mean: float) -> float:
        """Give the two-sided p-value of the mean being ``mean``, between 0 and 1: at most a level exactly if its
        interval excludes it.
        """
        return min(2 * math.exp(-max(self.log_capital(mean), self.mirrored().log_capital(1 - mean))), 1.0)


@lru_cache(maxsize=100_000)
def _interval(bets: BetsOnCounts, level: float) -> tuple[float, float]:
    return Bets.interval(bets, level)


@dataclass(frozen=True, eq=False)
class BetsOnMoments(Bets):
    """Bets on scores of which the sum and the sum of squares are known: the least that the capital can be.

    With x = w (X / m - 1), which is at least -1, 1 + theta x >= exp(theta x + (ln(1 - theta) + theta) x^2) (Fan, Grama
    and Liu 2015, Exponential inequalities for martingales with applications, Electronic Journal of Probability 20,
    1-22). What a capital refutes that is no larger than the true one, is refuted by the true one.

    Attributes
    ----------
    pairs, sums, squares : float arrays, shape (matchups,)
        Of each matchup: how many scores, their sum and that of their squares; a score is between 0 and 1.
    """

    pairs: NDArray[np.float64]
    sums: NDArray[np.float64]
    squares: NDArray[np.float64]

    @property
    def rate(self) -> float:  # type: ignore[override]
        """The mean of the matchups' means."""
        return float(np.mean(self.sums / self.pairs))

    def log_capital(self, mean: float) -> float:
        """Give the logarithm of the least capital; see `Bets`."""
        weights = self.pairs.min() / self.pairs
        first = float((weights * (self.sums / mean - self.pairs)).sum())
        second = float((weights**2 * (self.squares / mean**2 - 2 * self.sums / mean + self.pairs)).sum())
        return _log_average(STAKES * first + (np.log1p(-STAKES) + STAKES) * max(second, 0.0))

    def mirrored(self) -> BetsOnMoments:
        """Bet on 1 - X."""
        return BetsOnMoments(self.pairs, self.pairs - self.sums, self.pairs - 2 * self.sums + self.squares)


def _log_average(logs: NDArray[np.float64]) -> float:
    """Give the logarithm of the average over the stakes of what is given by logarithms."""
    logs = logs + _LOG_SHARES
    largest = float(logs.max())
    return largest + math.log(float(np.exp(logs - largest).sum()))
