"""Ratings: strengths on one scale, from who beat whom, with what the first seat is worth; Elo points of single win
rates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from reports.stats import sequential
from reports.stats.estimates import CONFIDENCE, STRENGTH, resampled
from sim.counts import other_side

ELO = 400 / math.log(10)  # points a unit of log odds
RESAMPLES = 200
PRIOR = 0.5  # wins that each side of a meeting is given beside its own, so that a clean sweep has a rating
STEPS = 50
HALF_POINTS = np.arange(3)

Rating = tuple[float, float, float]
Met = Sequence[tuple[str, str, NDArray[np.int64]]]
Sums = tuple[tuple[int, int, bytes], ...]


class Deviation(NamedTuple):
    """How far a meeting is from what the ratings say.

    Attributes
    ----------
    a, b : str
        Who met.
    observed, fitted : float
        A's win rate over both seats, with half a win added to each side in each seat, and the one that the ratings
        give.
    error : float
        The standard error of their difference.
    """

    a: str
    b: str
    observed: float
    fitted: float
    error: float


def elo(rate: float, games: int) -> float:
    """Give the Elo points of a win rate: -400 log10(1 / rate - 1) (Elo 1978).

    Parameters
    ----------
    rate : float
        From 0 to 1.
    games : int
        How many it rests on, at least 1. So many games cannot show a rate nearer to 0 or 1 than half a game: there the
        points stay, and are finite.
    """
    least = 0.5 / games
    bounded = min(max(rate, least), 1 - least)
    return 400 * math.log10(bounded / (1 - bounded))


def normalized_elo(scores: NDArray[np.int64]) -> float:
    """Give the normalized Elo points of side A: its lead in standard deviations of a pair, on a scale like Elo's.

    Parameters
    ----------
    scores : int64 array, shape (3, 3)
        Pairs by A's half points as first and as second; at least one.

    Returns
    -------
    float
        As `reports.stats.sequential.normalized_elo` estimates it, (mean - 1/2) / sqrt(2 variance) * 800 / ln 10, but
        finite: where all pairs have the same score, as if half a pair had the opposite one.
    """
    points = sequential.normalized_elo(scores)[0]
    if math.isfinite(points):
        return points
    mean = float((scores * STRENGTH).sum() / scores.sum())
    return (
        0.0 if mean == 0.5 else sequential.normalized_elo((2 * int(scores.sum()) - 1) * scores + other_side(scores))[0]
    )


def bradley_terry(names: Sequence[str], met: Met, *, centred: bool = False) -> tuple[list[Rating], Rating]:
    """Rate players by who beat whom.

    Parameters
    ----------
    names : sequence of str
        The players; ratings are above the first one's.
    met : sequence of (str, str, int64 array of shape (3, 3))
        Two names and the nine counts of their pairs, from the first's side; several for the same two are added up.
        Players that meet themselves tell what the first seat is worth. At least one pair.
    centred : bool
        Give ratings above the players' mean instead.

    Returns
    -------
    ratings : list of (float, float, float)
        Estimate, low and high end of the 95 % interval of each player, in Elo points.
    first : (float, float, float)
        What the first seat is worth, likewise.

    Raises
    ------
    ValueError
        Without any pair.

    Notes
    -----
    The model is logit P(i beats j with the first seat) = rating i - rating j + first seat (Bradley and Terry 1952,
    "Rank analysis of incomplete block designs"; the order effect after Davidson and Beaver 1977), fitted by Newton's
    method on the summed counts, a draw as half a win, with half a win added to each side of a meeting. Intervals are
    percentiles over resampled pairs, since the two games of a pair share their deals; a fixed seed makes them the same
    each time. Few pairs that are all alike are resampled less one-sided than they are: there the interval ends at the
    estimate.
    """
    fits = _fits(len(names), _sums(names, met)).copy()
    if centred:
        fits[:, :-1] -= fits[:, :-1].mean(axis=1, keepdims=True)
    low, high = np.quantile(fits[1:], [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    low, high = np.minimum(low, fits[0]), np.maximum(high, fits[0])
    rows = [(float(e) * ELO, float(x) * ELO, float(y) * ELO) for e, x, y in zip(fits[0], low, high, strict=True)]
    return rows[:-1], rows[-1]


def ratings(names: Sequence[str], met: Met) -> list[float]:
    """Give the estimates of `bradley_terry` alone, in Elo points above the first player."""
    meetings = [_Meeting(i, j, np.frombuffer(n, np.int64).reshape(1, 3, 3)) for i, j, n in _sums(names, met)]
    return [float(rating) * ELO for rating in _fit(len(names), meetings)[0, :-1]]


def deviations(names: Sequence[str], met: Met) -> list[Deviation]:
    """Tell how far each meeting of two players is from what their ratings say: what one scale cannot hold shows here.

    Parameters
    ----------
    names, met
        See `bradley_terry`.

    Returns
    -------
    list of Deviation
        One for each two different players that met. The standard error is that of observed - fitted over resampled
        pairs, each with its own ratings; with two players it is 0, since their ratings say exactly what was observed.
    """
    sums = _sums(names, met)
    fits = _fits(len(names), sums)
    found = []
    for meeting in _meetings(sums):
        if meeting.i == meeting.j:
            continue
        lead, first = fits[:, meeting.i] - fits[:, meeting.j], fits[:, -1]
        fitted = (_chance(lead + first) + _chance(lead - first)) / 2
        observed = (meeting.won_as_first + meeting.won_as_second) / 2 / meeting.games
        error = float((observed - fitted)[1:].std(ddof=1))
        found.append(Deviation(names[meeting.i], names[meeting.j], float(observed[0]), float(fitted[0]), error))
    return found


@dataclass(frozen=True, eq=False)
class _Meeting:
    """Two players, by their places, and the nine counts of their pairs: as found, then resampled, shape (1 + RESAMPLES,
    3, 3).
    """

    i: int
    j: int
    scores: NDArray[np.int64]

    @property
    def games(self) -> float:
        """Games in each seat, with what the prior adds."""
        return float(self.scores[0].sum()) + 2 * PRIOR

    @property
    def won_as_first(self) -> NDArray[np.float64]:
        """How many of them ``i`` won in the first seat."""
        return np.asarray(self.scores.sum(axis=2) @ HALF_POINTS / 2 + PRIOR)

    @property
    def won_as_second(self) -> NDArray[np.float64]:
        """How many of them ``i`` won in the second seat."""
        return np.asarray(self.scores.sum(axis=1) @ HALF_POINTS / 2 + PRIOR)


def _sums(names: Sequence[str], met: Met) -> Sums:
    """Add up the pairs of the same two players: their places, and the nine counts as bytes."""
    places = {name: i for i, name in enumerate(names)}
    sums: dict[tuple[int, int], NDArray[np.int64]] = {}
    for a, b, scores in met:
        i, j = places[a], places[b]
        turned = (j, i) in sums and i != j
        key = (j, i) if turned else (i, j)
        sums[key] = sums.get(key, np.zeros((3, 3), np.int64)) + (other_side(scores) if turned else scores)
    found = tuple((i, j, scores.tobytes()) for (i, j), scores in sums.items() if scores.any())
    if not found:
        raise ValueError("ratings need at least one pair")
    return found


def _meetings(sums: Sums) -> list[_Meeting]:
    """Resample the pairs of each two players from a fixed seed."""
    random = np.random.default_rng(1)
    meetings = []
    for i, j, counts in sums:
        scores = np.frombuffer(counts, np.int64).reshape(3, 3)
        meetings.append(_Meeting(i, j, np.concatenate([scores[None], resampled(scores, RESAMPLES, random)])))
    return meetings


@lru_cache(maxsize=64)  # ratings and what they do not tell come from the same
def _fits(n: int, sums: Sums) -> NDArray[np.float64]:
    """Fit what was found, and resampled studies; see `_fit`."""
    return _fit(n, _meetings(sums))


def _chance(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn log odds to the chance to win."""
    return np.asarray(1 / (1 + np.exp(-odds)))


def _squares(x: NDArray[np.float64]) -> sparse.csr_array:
    """Give the products of the columns of ``x``, a column for each of its rows; they are mostly 0, as a row is of two
    players.
    """
    rows, columns = x.shape
    rests = [np.flatnonzero(row) for row in x]
    first, second = (np.concatenate([of(at, len(at)) for at in rests]) for of in (np.repeat, np.tile))
    at = np.repeat(np.arange(rows), [len(rest) ** 2 for rest in rests])
    entries = (x[at, first] * x[at, second], (first * columns + second, at))
    return sparse.csr_array(entries, shape=(columns**2, rows))


def _fit(n: int, meetings: Sequence[_Meeting]) -> NDArray[np.float64]:
    """Fit log odds, shape (1 + RESAMPLES, n + 1): a rating for each of ``n`` players, the first one's 0, then the first
    seat's worth.
    """
    design, won, games = [], [], []
    for meeting in meetings:
        for sign, wins in ((1.0, meeting.won_as_first), (-1.0, meeting.won_as_second)):
            row = np.zeros(n + 1)
            row[meeting.i] += 1.0
            row[meeting.j] -= 1.0
            row[n] = sign
            design.append(row)
            won.append(wins)
            games.append(meeting.games)
    x, y, m = np.array(design)[:, 1:], np.array(won).T, np.array(games)
    beta = np.zeros((len(y), n))
    squares = _squares(x)
    ridge = 1e-9 * np.eye(n)  # players that nothing connects stay where they are
    for _ in range(STEPS):
        p = _chance(beta @ x.T)
        information = (squares @ (m * p * (1 - p)).T).T.reshape(-1, n, n) + ridge
        step = np.linalg.solve(information, ((y - m * p) @ x)[:, :, None])[:, :, 0]
        beta = beta + step
        if abs(step).max() < 1e-10:
            break
    return np.column_stack([np.zeros(len(y)), beta])
