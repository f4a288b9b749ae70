"""Ratings: strengths on one scale, from who beat whom, with what the first seat is worth."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reports.statistics import CONFIDENCE

ELO = 400 / math.log(10)  # points a unit of log odds
RESAMPLES = 200
PRIOR = 0.5  # wins that each side of a meeting is given beside its own, so that a clean sweep has a rating
STEPS = 50

Rating = tuple[float, float, float]


def bradley_terry(names: Sequence[str], met: Sequence[tuple[str, str, NDArray[np.int64]]]) -> tuple[list[Rating], Rating]:
    """Rate players by who beat whom.

    Parameters
    ----------
    names : sequence of str
        The players; ratings are above the first one's.
    met : sequence of (str, str, int64 array of shape (3, 3))
        Two names and the nine counts of their pairs, from the first's side; several for the same two are added up. Players that
        meet themselves tell what the first seat is worth.

    Returns
    -------
    ratings : list of (float, float, float)
        Estimate, low and high end of the 95 % interval of each player, in Elo points.
    first : (float, float, float)
        What the first seat is worth, likewise.

    Notes
    -----
    The model is logit P(i beats j with the first seat) = rating i - rating j + first seat (Bradley and Terry 1952, "Rank analysis of
    incomplete block designs"; the order effect after Davidson and Beaver 1977), fitted by Newton's method on the summed counts, a
    draw as half a win, with half a win added to each side of a meeting. Intervals are percentiles over resampled pairs, since the two
    games of a pair share their deals; a fixed seed makes them the same each time.
    """
    places = {name: i for i, name in enumerate(names)}
    sums: dict[tuple[int, int], NDArray[np.int64]] = {}
    for a, b, scores in met:
        key = (places[a], places[b])
        sums[key] = sums.get(key, np.zeros((3, 3), np.int64)) + scores
    pairs = [(i, j, scores) for (i, j), scores in sums.items() if scores.sum()]
    estimate = _fit(len(names), [(i, j, scores.astype(float)) for i, j, scores in pairs])
    random = np.random.default_rng(1)
    again = np.array([_fit(len(names), [(i, j, _resampled(scores, random)) for i, j, scores in pairs]) for _ in range(RESAMPLES)])
    low, high = np.quantile(again, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    rows = [(float(e) * ELO, float(x) * ELO, float(y) * ELO) for e, x, y in zip(estimate, low, high, strict=True)]
    return rows[:-1], rows[-1]


def _resampled(scores: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.float64]:
    """Draw as many pairs again, each kind as often as it was found."""
    n = int(scores.sum())
    return random.multinomial(n, scores.ravel() / n).reshape(scores.shape).astype(float)


def _fit(n: int, pairs: Sequence[tuple[int, int, NDArray[np.float64]]]) -> NDArray[np.float64]:
    """Fit log odds: a rating for each of ``n`` players, the first one's 0, then the first seat's worth."""
    design, won, games = [], [], []
    half_points = np.arange(3) / 2
    for i, j, scores in pairs:
        for sign, marginal in ((1.0, scores.sum(axis=1)), (-1.0, scores.sum(axis=0))):
            row = np.zeros(n + 1)
            row[i] += 1.0
            row[j] -= 1.0
            row[n] = sign
            design.append(row)
            won.append(float(marginal @ half_points) + PRIOR)
            games.append(float(marginal.sum()) + 2 * PRIOR)
    x, y, m = np.array(design)[:, 1:], np.array(won), np.array(games)
    beta = np.zeros(n)
    ridge = 1e-9 * np.eye(n)  # players that nothing connects stay where they are
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ beta))
        step = np.linalg.solve(x.T @ (x * (m * p * (1 - p))[:, None]) + ridge, x.T @ (y - m * p))
        beta = beta + step
        if abs(step).max() < 1e-10:
            break
    return np.concatenate([[0.0], beta])
