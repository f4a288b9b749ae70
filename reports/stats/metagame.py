"""The metagame: which decks players would bring who choose their decks as well as can be.

Choosing a deck is a zero-sum game of its own: each player picks a deck unseen, and a deck's win rate against the
other's, less one half, is what it pays. Its equilibrium is the mix of decks against which no deck wins more than half
of its games (von Neumann 1928). Decks are places 0 to n - 1 here; what met is a mapping from two places i < j to the
nine counts of their pairs, from i's side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from reports.stats.estimates import CONFIDENCE, STRENGTH, Mean, resampled, shown_together

RESAMPLES = 400
PLAYED = 1e-6  # share from which a deck counts as played

Met = Mapping[tuple[int, int], NDArray[np.int64]]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Metagame:
    """Which decks would be played; each array has an entry for each deck.

    Attributes
    ----------
    shares, share_low, share_high : float arrays, shape (n,)
        Each deck's share of the equilibrium, from 0 to 1, with its 95 % interval.
    played : float array, shape (n,)
        In how many of the resampled studies the deck is part of the equilibrium, from 0 to 1.
    win_rates, win_low, win_high : float arrays, shape (n,)
        Each deck's win rate against the equilibrium (as estimated), with its 95 % interval.
    worse_than : int array, shape (n,)
        A deck that does better against every deck, -1 if there is none.
    clearly : bool array, shape (n,)
        The intervals say so, too.
    """

    shares: Floats
    share_low: Floats
    share_high: Floats
    played: Floats
    win_rates: Floats
    win_low: Floats
    win_high: Floats
    worse_than: NDArray[np.int64]
    clearly: Flags


def metagame(n: int, met: Met) -> Metagame:
    """Tell which of ``n`` decks would be played.

    Parameters
    ----------
    n : int
        How many decks, at least 1.
    met : mapping of (int, int) to int64 array of shape (3, 3)
        The nine counts of each two decks that met, each with at least one pair. Two that did not meet count as even.

    Notes
    -----
    Intervals are percentiles over resampled pairs (`reports.stats.estimates.resampled`), for each of which the
    equilibrium is found again; they are widened to the estimate where that lies outside. A fixed seed makes them the
    same each time.
    """
    rates = win_rates(n, met)
    shares = equilibrium(rates)
    again = np.full((RESAMPLES, n, n), 0.5)
    random = np.random.default_rng(1)
    for (i, j), scores in sorted(met.items()):
        draws = (resampled(scores, RESAMPLES, random) * STRENGTH).sum(axis=(1, 2)) / scores.sum()
        again[:, i, j], again[:, j, i] = draws, 1 - draws
    shares_again = equilibria(again)
    share_low, share_high = _interval(shares, shares_again)
    against = rates @ shares
    win_low, win_high = _interval(against, again @ shares)
    worse_than, clearly = dominated(n, met)
    played = (shares_again > PLAYED).mean(axis=0)
    return Metagame(shares, share_low, share_high, played, against, win_low, win_high, worse_than, clearly)


def _interval(estimate: Floats, again: Floats) -> tuple[Floats, Floats]:
    low, high = np.quantile(again, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    return np.minimum(low, estimate), np.maximum(high, estimate)


def win_rates(n: int, met: Met) -> Floats:
    """Give the win rate of the deck in the row against the deck in the column, over both seats, shape (n, n).

    Cells (i, j) and (j, i) add up to 1; the diagonal, and decks that did not meet, are at one half.
    """
    rates = np.full((n, n), 0.5)
    for (i, j), scores in met.items():
        rates[i, j] = (scores * STRENGTH).sum() / scores.sum()
        rates[j, i] = 1 - rates[i, j]
    return rates


def equilibrium(rates: Floats) -> Floats:
    """Find the mix of decks against which no deck wins more than half of its games.

    Parameters
    ----------
    rates : float array, shape (n, n)
        Win rates of the row against the column; (i, j) and (j, i) add up to 1.

    Returns
    -------
    float array, shape (n,)
        Shares that add up to 1. Of several such mixes (decks that are exactly even) one whose largest share is as small
        as can be.

    Raises
    ------
    ValueError
        If the rates are not a square that adds up so.

    Notes
    -----
    A linear programme: the smallest t with shares p of at most t, p A >= 0 and sum p = 1, where A = rates - 1/2. Such a
    p exists, since A is antisymmetric and the game's value therefore 0.
    """
    n = len(rates)
    if rates.shape != (n, n) or not n or not np.allclose(rates + rates.T, 1):
        raise ValueError("an equilibrium needs a square of win rates of which (i, j) and (j, i) add up to 1")
    payoff = (rates - rates.T) / 2
    if not payoff.any():
        return np.full(n, 1 / n)
    payoff = payoff / abs(payoff).max()
    found = linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=np.block([[-payoff.T, np.zeros((n, 1))], [np.eye(n), -np.ones((n, 1))]]),
        b_ub=np.zeros(2 * n),
        A_eq=np.append(np.ones(n), 0.0)[None, :],
        b_eq=[1.0],
        bounds=(0, None),
        method="highs",
    )
    if not found.success:
        raise ArithmeticError(f"no equilibrium was found: {found.message}")
    shares = np.where(np.asarray(found.x)[:n] > PLAYED, np.asarray(found.x)[:n], 0.0)
    return np.asarray(shares / shares.sum())


def equilibria(rates: Floats) -> Floats:
    """Find the equilibrium of many matrices of win rates (see `equilibrium`), shape (k, n, n); the result has the shape
    (k, n).

    Decks that are played in one are tried in the others first: where they make an equilibrium, it is given by linear
    equations.
    """
    shares = np.zeros(rates.shape[:2])
    left = np.arange(len(rates))
    while left.size:
        shares[left[0]] = equilibrium(rates[left[0]])
        found, fits = _of_decks(rates[left], np.flatnonzero(shares[left[0]]))
        fits[0] = False
        shares[left[fits]] = found[fits]
        left = left[1:][~fits[1:]]
    return shares


def _of_decks(rates: Floats, decks: NDArray[np.intp]) -> tuple[Floats, Flags]:
    """Make the given decks equally good against their own mix; say where that is an equilibrium in which each of them
    is played.
    """
    payoff = rates - 0.5
    k = len(decks)
    equations = np.zeros((len(rates), k + 1, k))
    equations[:, :k] = payoff[:, decks[:, None], decks]
    equations[:, k] = 1.0
    solved = np.linalg.pinv(equations)[:, :, k]
    shares = np.zeros(rates.shape[:2])
    shares[:, decks] = solved
    fits = (solved > PLAYED).all(axis=1) & (abs(solved.sum(axis=1) - 1) < 1e-9)
    return shares, fits & ((payoff @ shares[:, :, None])[:, :, 0] < 1e-12).all(axis=1)


def clear_wins(n: int, met: Met) -> Flags:
    """Tell where the deck in the row beats the deck in the column, shape (n, n), such that all that is said so holds at
    95 % (Holm).
    """

    def holds(confidence: float) -> Flags:
        return np.asarray(_intervals(n, met, confidence)[0] > 0.5)

    return shown_together(holds, len(met))


def cycles(n: int, met: Met) -> list[tuple[int, int, int]]:
    """List three decks of which the first beats the second, the second the third, and that the first.

    Each win is clear (see `clear_wins`). Each circle is given once, from its first deck; the one whose narrowest win is
    widest comes first.
    """
    beats, rates = clear_wins(n, met), win_rates(n, met)
    rounds = np.argwhere(beats[:, :, None] & beats[None, :, :] & beats.T[:, None, :]).tolist()
    once = [(i, j, k) for i, j, k in rounds if i == min(i, j, k)]
    return sorted(once, key=lambda c: (-min(rates[c[0], c[1]], rates[c[1], c[2]], rates[c[2], c[0]]), c))


def dominated(n: int, met: Met) -> tuple[NDArray[np.int64], Flags]:
    """Find decks that do worse than another one against every deck, these two and mirrors included.

    Parameters
    ----------
    n, met
        See `metagame`. Of decks that have not met all others nothing is said.

    Returns
    -------
    worse_than : int array, shape (n,)
        Which other one, -1 if there is none; of several the one that is clearly better, then the one whose lead is at
        least widest.
    clearly : bool array, shape (n,)
        The 95 % intervals of the differences between win rates say so, too: for each opponent, and for all that is said
        so together (Holm, over the pairs of decks; for one pair every opponent has to agree, which needs no correction:
        Berger 1982).

    Notes
    -----
    The interval of a difference comes from the intervals of the two rates (Zou and Donner 2008), which are exact for
    few pairs.
    """
    rates = win_rates(n, met)
    known = np.eye(n, dtype=bool)
    for i, j in met:
        known[i, j] = known[j, i] = True
    all_met: Flags = np.asarray(known.all(axis=1))
    comparable = np.outer(all_met, all_met) & ~np.eye(n, dtype=bool)
    lead = rates[:, None, :] - rates[None, :, :]  # of the first deck over the second, by opponent

    def holds(confidence: float) -> Flags:
        low, high = _intervals(n, met, confidence)
        reach = np.hypot((rates - low)[:, None, :], (high - rates)[None, :, :])
        return np.asarray((lead - reach > 0).all(axis=2) & comparable)

    least = np.where(comparable, lead.min(axis=2), -1.0)
    shown = shown_together(holds, int(comparable.sum()) // 2)
    worse_than, clearly = np.full(n, -1), np.zeros(n, dtype=bool)
    for deck in range(n):
        better = max(range(n), key=lambda other: (shown[other, deck], least[other, deck]))
        if least[better, deck] > 0:
            worse_than[deck], clearly[deck] = better, shown[better, deck]
    return worse_than, clearly


def _intervals(n: int, met: Met, confidence: float) -> tuple[Floats, Floats]:
    """Give the ends of the intervals of `win_rates`; decks that did not meet may be anything, mirrors are even by
    definition.
    """
    low, high = np.zeros((n, n)), np.ones((n, n))
    np.fill_diagonal(low, 0.5)
    np.fill_diagonal(high, 0.5)
    for (i, j), mean in zip(met, Mean.of_each(list(met.values()), STRENGTH), strict=True):
        least, most = mean.interval(1 - confidence)
        low[i, j], high[i, j] = least, most
        low[j, i], high[j, i] = 1 - most, 1 - least
    return low, high
