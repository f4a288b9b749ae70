"""Who has beaten whom so far, and how often the first seat won between equals: what a study's headline is made of."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from reports.studies.strongest import by_ladder
from reports.studies.study import Study
from sim.run import Matchup


class Standing:
    """What has been counted of some matchups, over all decks."""

    def __init__(self) -> None:
        self._met: defaultdict[tuple[str, str], NDArray[np.int64]] = defaultdict(lambda: np.zeros((3, 3), np.int64))
        self._rates: defaultdict[str, float] = defaultdict(float)  # sums of the matchups' rates, the same on both sides
        self._matchups: Counter[str] = Counter()

    def add(self, matchup: Matchup, before: NDArray[np.int64], more: NDArray[np.int64]) -> None:
        """Add pairs of a matchup, by the nine counts of those that were added before and of those that are new."""
        if not more.any():
            return
        self._met[matchup.strategies] += more
        player, other = matchup.strategies
        if player == other:
            self._rates[player] += _rate(before + more) - (_rate(before) if before.any() else 0.0)
            self._matchups[player] += not before.any()

    def headline(self, study: Study) -> tuple[str, float] | None:
        """Give the rate that the headline tells if the study ends so (`reports.sections.headline`).

        Returns
        -------
        player : str
            The best strategy of those that have played both sides: the best rated one or, where strategies do not meet,
            the strongest by the game's ladder.
        rate : float
            How often the first seat won its games, each matchup with the same weight.
        """
        equal = [name for name in study.strategies if self._matchups[name]]
        if not equal:
            return None
        best = equal[0]
        if len(equal) > 1 and study.strategies_meet:
            from reports.stats.ratings import ratings  # with scipy, which the start need not wait for

            names = list(study.strategies)
            rated = dict(zip(names, ratings(names, [(a, b, n) for (a, b), n in self._met.items()]), strict=True))
            best = max(equal, key=lambda name: rated[name])
        elif len(equal) > 1:
            best = by_ladder(study.game.name, equal)
        return best, self._rates[best] / self._matchups[best]


def _rate(scores: NDArray[np.int64]) -> float:
    """Give the first seat's win rate, the sides' strength cancelled."""
    as_first, as_second = (float(scores.sum(axis=axis) @ np.arange(3)) for axis in (1, 0))
    return 0.5 + (as_first - as_second) / (4 * int(scores.sum()))
