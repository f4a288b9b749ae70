"""Stopping a matchup early: at a half-width that is narrow enough, or by a sequential test of two hypotheses.

Looks happen at fixed numbers of pairs, so what is decided depends neither on threads nor on chunks. A rate at which a
matchup was stopped is biased; a number to report comes from fresh pairs.

A likelihood ratio with the variance that was found needs a variance, and pairs that differ to find it by. Where fewer
than 30 differ from the commonest score (a side that loses every game, seats or draws that decide all), a hypothesis is
refuted exactly, by betting against it (`reports.stats.betting`), and the other one accepted. What a bet has won is a
martingale, or less, if the hypothesis is true, so by Ville's inequality it ever reaches 1 / level with a probability of
at most that level: at any look, however many there are, whatever the scores' distribution. The level is a tenth of
``alpha`` or ``beta``, so that a matchup that goes from one test into the other errs by both together hardly more often
than by one, and Wald's bounds, which a ratio mostly leaves by some way, have more room than that.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reports.stats.betting import BetsOnCounts
from reports.stats.distributions import normal_ppf
from reports.stats.estimates import CONFIDENCE, FEW, FIRST_SEAT, STRENGTH, differing, first_seat
from reports.stats.until import Decision, Until

ELO = 800 / math.log(10)  # normalized Elo points in one standard deviation of a game's score
EXACT = 0.1  # of alpha and beta: the level of the exact tests


def decide(until: Until, scores: NDArray[np.int64]) -> Decision | None:
    """Tell at a look whether a matchup has been played enough.

    Parameters
    ----------
    until : Until
        The rule.
    scores : int64 array, shape (3, 3)
        All its pairs so far by A's half points as first and as second, at least one.

    Returns
    -------
    Decision or None
        None if it goes on. A half-width is that of `reports.stats.estimates.first_seat`, the exact one where few pairs
        differ, and so is a test.
    """
    if until.half_width is not None:
        seat = first_seat(scores)
        reach = 100 * max(seat.high - seat.rate, seat.rate - seat.low)
        return Decision("half-width", None, reach) if reach <= until.half_width else None
    values = FIRST_SEAT if until.sprt is not None and until.of == "first seat" else STRENGTH
    hypotheses, unit = (until.sprt, "%") if until.sprt is not None else (until.elo or [], "nElo")
    if differing(scores, values) < FEW:
        won = [_won_against(scores, values, until, place) for place in (0, 1)]
        beyond = [won[0] + math.log(EXACT * until.alpha), won[1] + math.log(EXACT * until.beta)]
        if max(beyond) < 0:
            return None
        refuted = int(beyond[1] > beyond[0])
        return Decision(f"{hypotheses[1 - refuted]:g} {unit}", 1 - refuted, -won[1] if refuted else won[0])
    if until.sprt is not None:
        ratio = log_likelihood_ratio(scores, values, hypotheses[0] / 100, hypotheses[1] / 100)
    else:
        ratio = normalized_log_likelihood_ratio(scores, values, hypotheses[0], hypotheses[1])
    lower, upper = wald_bounds(until.alpha, until.beta)
    if lower < ratio < upper:
        return None
    accepted = int(ratio >= upper)
    return Decision(f"{hypotheses[accepted]:g} {unit}", accepted, ratio)


def _won_against(scores: NDArray[np.int64], values: NDArray[np.float64], until: Until, place: int) -> float:
    """Give the logarithm of what bets against a hypothesis have made of 1.

    The hypothesis is that the mean score is at most what the lower of the two says, or at least what the higher one
    does. A strength of t standard deviations of a game is no such rate, but tells two: a mean 1/2 + d has a variance of
    at most 1/4 - d^2, so t <= t0 with t0 > 0 says d <= t0 / sqrt(2 + 4 t0^2), and with t0 <= 0 at least d <= 0. Where
    nearly all pairs are even, that refutes nothing, but t >= t1 > 0 also says that a share of 2 t1^2 / (1 + 2 t1^2) of
    the pairs is not even (by Cauchy and Schwarz). Half of the capital is staked on each. At least is at most of 1 - X.
    """
    if until.sprt is not None:
        at_most = until.sprt[place] < until.sprt[1 - place]
        rate = until.sprt[place] / 100
        return _log_capital(scores, values if at_most else 1 - values, rate if at_most else 1 - rate)
    assert until.elo is not None
    at_most = until.elo[place] < until.elo[1 - place]
    t = (until.elo[place] if at_most else -until.elo[place]) / ELO
    won = _log_capital(scores, values if at_most else 1 - values, 0.5 + max(t, 0.0) / math.sqrt(2 + 4 * t**2))
    if t >= 0:
        return won
    even = np.asarray(values == 0.5, float)
    return float(np.logaddexp(won, _log_capital(scores, even, 1 / (1 + 2 * t**2)))) - math.log(2)


def _log_capital(scores: NDArray[np.int64], values: NDArray[np.float64], mean: float) -> float:
    return BetsOnCounts.of([(scores, values)]).log_capital(mean)


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Give the log-likelihood ratios at which the first and the second hypothesis are accepted (Wald 1945).

    Parameters
    ----------
    alpha, beta : float
        How often the second may be accepted where the first is true, and the first where the second is; below 1/2.

    Returns
    -------
    lower, upper : float
        ln(beta / (1 - alpha)) and ln((1 - beta) / alpha).
    """
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def log_likelihood_ratio(counts: NDArray[np.int64], values: NDArray[np.float64], first: float, second: float) -> float:
    """Weigh two hypotheses about the mean score of a pair against each other.

    The generalized test with the variance that was found: N (s1 - s0) (2 s - s0 - s1) / (2 v) over N pairs with mean s
    and variance v (Li, Liu and Ying 2014; as in Van den Bergh's notes on the tests of chess engines).

    Parameters
    ----------
    counts : int64 array
        Pairs by kind: the nine counts of a matchup, or five by score.
    values : float array
        The score of each kind, from 0 to 1.
    first, second : float
        The hypotheses s0 and s1, fractions.

    Returns
    -------
    float
        Above 0 for the second; nan if all pairs score the same.
    """
    pairs, mean, variance = _moments(counts, values)
    return pairs * (second - first) * (2 * mean - first - second) / (2 * variance) if variance > 0 else math.nan


def normalized_log_likelihood_ratio(
    counts: NDArray[np.int64], values: NDArray[np.float64], first: float, second: float
) -> float:
    """Weigh two hypotheses about normalized Elo against each other.

    (games / 2) ln[(1 + (t - t0)^2) / (1 + (t - t1)^2)], where t = (s - 1/2) / sqrt(2 v) for pairs with mean s and
    variance v, and t_i is the hypothesis in standard deviations of a game: points times ln(10) / 800 (Van den Bergh,
    Comments on Normalized Elo).

    Parameters
    ----------
    counts, values
        As in `log_likelihood_ratio`.
    first, second : float
        The hypotheses in points of normalized Elo.

    Returns
    -------
    float
        Above 0 for the second; nan if all pairs score the same.
    """
    pairs, mean, variance = _moments(counts, values)
    if variance == 0:
        return math.nan
    t = (mean - 0.5) / math.sqrt(2 * variance)
    return pairs * (math.log1p((t - first / ELO) ** 2) - math.log1p((t - second / ELO) ** 2))


def normalized_elo(
    counts: NDArray[np.int64], values: NDArray[np.float64] = STRENGTH, confidence: float = CONFIDENCE
) -> tuple[float, float, float]:
    """Estimate a strength in points of normalized Elo: 800 / ln(10) for each standard deviation of a game above 1/2.

    Parameters
    ----------
    counts, values
        As in `log_likelihood_ratio`; by default the nine counts, for side A's strength.
    confidence : float
        Level of the interval.

    Returns
    -------
    elo, low, high : float
        The estimate with its interval, whose standard error is 800 / ln(10) / sqrt(games): right as long as the
        strengths are not far apart. All nan if all pairs score the same.
    """
    pairs, mean, variance = _moments(counts, values)
    if variance == 0:
        return math.nan, math.nan, math.nan
    elo = ELO * (mean - 0.5) / math.sqrt(2 * variance)
    reach = normal_ppf((1 + confidence) / 2) * ELO / math.sqrt(2 * pairs)
    return elo, elo - reach, elo + reach


def _moments(counts: NDArray[np.int64], values: NDArray[np.float64]) -> tuple[int, float, float]:
    """Give the number of pairs, their mean score and its variance (that of the maximum of likelihood); no pairs score
    alike.
    """
    pairs = int(counts.sum())
    mean = float((counts * values).sum() / max(pairs, 1))
    variance = float((counts * (values - mean) ** 2).sum() / max(pairs, 1)) if differing(counts, values) > 0 else 0.0
    return pairs, mean, variance
