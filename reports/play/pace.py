"""How fast who plays: seconds of the pairs played so far, and how long what is left will take."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from sim.run import Matchup

Players = tuple[str, str]


class Pace:
    """How long pairs of games take, by the labels of who plays both sides.

    A pair that is played with changes, too, counts as so many.

    Attributes
    ----------
    seconds : float
        That all pairs took together, each on one worker.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self._seconds: defaultdict[Players, float] = defaultdict(float)
        self._pairs: defaultdict[Players, int] = defaultdict(int)

    def note(self, matchup: Matchup, pairs: int, seconds: float) -> None:
        """Note how long pairs of a matchup took."""
        self.seconds += seconds
        self._seconds[matchup.strategies] += seconds
        self._pairs[matchup.strategies] += all_played(matchup, pairs)

    def needed(self, pairs: Mapping[Players, int]) -> float | None:
        """Tell how long pairs will take on one worker; None as long as one who plays them was not measured.

        Players that were measured, but not against each other, take as long as each of them does on average.

        Parameters
        ----------
        pairs : mapping of two labels to int
            How many pairs of whom, changes counted (`all_played`).
        """
        left = {players: n for players, n in pairs.items() if n}
        known = {players: self._seconds[players] / n for players, n in self._pairs.items() if n}
        if not left.keys() <= known.keys():
            each = _of_each(known)
            if any(player not in each for players in left for player in players):
                return None
            known = {players: known.get(players, sum(each[player] for player in players)) for players in left}
        return sum(known[players] * n for players, n in left.items())


def all_played(matchup: Matchup, pairs: int) -> int:
    """Count the pairs of a matchup that are played, those with changes included."""
    return pairs * (1 + len(matchup.others))


def _of_each(known: Mapping[Players, float]) -> dict[str, float]:
    """Divide what pairs take between the two who play, as well as that goes (least squares)."""
    names = sorted({player for players in known for player in players})
    counts = np.array([[players.count(name) for name in names] for players in known]).reshape(len(known), len(names))
    found = np.linalg.lstsq(counts, np.array(list(known.values())), rcond=None)[0]
    return dict(zip(names, np.maximum(found, 0.0).tolist(), strict=True))
