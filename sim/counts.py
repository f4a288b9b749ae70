"""What is counted of the games of a matchup: integers, so that parts can be added up in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.files.wording import plural
from sim.kernels.course import DEFICITS, EXAMPLES, MOST_CHANGES, NONE, NUMBER, VALUE
from sim.kernels.loop import ROW_TURNS, ROW_WINNER

QUARTERS = 5  # scores of a pair: 0 to 4 quarter points


class Counts(NamedTuple):
    """How the games of a matchup went: one record for the game loop that fills it, what is saved, and the tables.

    Attributes
    ----------
    scores : int64 array, shape (3, 3)
        Pairs by A's half points as first (row) and as second (column): 0 lost, 1 drawn or stopped, 2 won.
    outcomes : int64 array, shape (2, 3, reasons)
        Games by order (0: A first), winner (0: first seat, 1: second seat, 2: nobody) and end reason.
    turns : int64 array, shape (2, reasons, max_turns + 1)
        Games by order, end reason and length in turns.
    choices : int64 array, shape (2, 2, 3)
        Decisions, legal actions in all and decisions with one legal action, by order and seat.
    leads : int64 array, shape (2, max_turns + 1, 3, 3)
        Games by order, turn (0: the setup; a game's last one is not counted), who led after it (seat, 2: nobody) and
        winner.
    changes : int64 array, shape (2, `sim.kernels.course.MOST_CHANGES` + 1)
        Games by order and number of lead changes; the last stands for more, too.
    deficits : int64 array, shape (2, 2, `sim.kernels.course.DEFICITS`)
        Won games by order, winner's seat and the winner's deepest deficit: never behind, or 1 and the steps of a
        twentieth, rounded down.
    decided : int64 array, shape (2, max_turns + 1)
        Won games by order and the turn from whose end on the winner led; the last one's if not before.
    examples : int64 array, shape (kinds, 2)
        The value and the number (twice the pair's, and 1 more for the second game) of a game of each kind of
        `sim.kernels.course.EXAMPLES`; value -1 without one.
    tallies : int64 array, shape (2, 2, size)
        What the game counts (`sim.game.Tallies`), by order and seat.
    """

    scores: NDArray[np.int64]
    outcomes: NDArray[np.int64]
    turns: NDArray[np.int64]
    choices: NDArray[np.int64]
    leads: NDArray[np.int64]
    changes: NDArray[np.int64]
    deficits: NDArray[np.int64]
    decided: NDArray[np.int64]
    examples: NDArray[np.int64]
    tallies: NDArray[np.int64]

    @classmethod
    def empty(cls, reasons: int, tallies: int, max_turns: int) -> Counts:
        """Count nothing yet of a game with so many end reasons and tallies (`sim.game.Game.empty_counts`)."""
        lengths = max_turns + 1
        shapes = {
            "scores": (3, 3),
            "outcomes": (2, 3, reasons),
            "turns": (2, reasons, lengths),
            "choices": (2, 2, 3),
            "leads": (2, lengths, 3, 3),
            "changes": (2, MOST_CHANGES + 1),
            "deficits": (2, 2, DEFICITS),
            "decided": (2, lengths),
            "examples": (len(EXAMPLES), 2),
            "tallies": (2, 2, tallies),
        }
        counts = cls(**{name: np.zeros(shape, np.int64) for name, shape in shapes.items()})
        counts.examples[:] = NONE
        return counts

    @property
    def arrays(self) -> dict[str, NDArray[np.int64]]:
        """All that is counted, by name."""
        return self._asdict()

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return int(self.scores.sum())

    @property
    def games(self) -> int:
        """How many games were played, those of an unfinished pair included."""
        return int(self.outcomes.sum())

    def add(self, other: Counts) -> None:
        """Add other games of the same matchup."""
        for name, array in self.arrays.items():
            if name != "examples":
                array += getattr(other, name)
        for mine, theirs in zip(self.examples, other.examples, strict=True):
            if theirs[VALUE] > mine[VALUE] or (theirs[VALUE] == mine[VALUE] and theirs[NUMBER] < mine[NUMBER]):
                mine[:] = theirs

    def contradiction(self) -> str | None:
        """Say what cannot be: numbers below 0, or sums that differ; None if all adds up.

        Only whole pairs add up: those of an unfinished one do not.
        """
        games = 2 * self.pairs
        won, longer = self.outcomes[:, :2].sum(axis=(1, 2)), self.turns.sum(axis=1)[:, ::-1].cumsum(axis=1)[:, ::-1]
        sums = {
            "outcomes": (self.outcomes.sum(axis=(1, 2)), self.pairs),
            "turns": (self.turns.sum(axis=2), self.outcomes.sum(axis=1)),
            "leads": (self.leads.sum(axis=(2, 3))[:, :-1], longer[:, 1:]),
            "changes": (self.changes.sum(axis=1), self.pairs),
            "deficits": (self.deficits.sum(axis=(1, 2)), won),
            "decided": (self.decided.sum(axis=1), won),
        }
        for name, array in self.arrays.items():
            if (array < (NONE if name == "examples" else 0)).any():
                return f"{name}: a number below 0"
        for name, (found, expected) in sums.items():
            if (found != expected).any():
                return f"{name}: {found.sum()} of {plural(games, 'game')}"
        asked, legal, forced = np.moveaxis(self.choices, -1, 0)
        if (forced > asked).any() or (legal < asked).any():
            return "choices: fewer legal actions than decisions"
        return None


def other_side(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Turn nine counts to side B's half points as first and as second."""
    return scores[::-1, ::-1].T.copy()


@dataclass(eq=False)
class PairedCounts:
    """How the pairs of a matchup went with one thing changed, beside how the same pairs went without.

    Attributes
    ----------
    strength : int64 array, shape (5, 5)
        Pairs by side A's quarter points without (row) and with the change (column).
    first_seat : int64 array, shape (5, 5)
        Pairs by the first seat's quarter points (its score minus the second's, from 0 for two losses to 4), likewise.
    turns : int64 array, shape (2,)
        Over the pairs, the sum of how many turns more both games together took with the change, and of its square.
    products : int64 array, shape (changes before this one, 2)
        With each change that the matchup has before this one, over the pairs, the sum of the products of what both
        change: of the first seat's quarter points, and of turns. Of no rows as long as nothing is counted.
    """

    strength: NDArray[np.int64]
    first_seat: NDArray[np.int64]
    turns: NDArray[np.int64]
    products: NDArray[np.int64]

    @classmethod
    def empty(cls) -> PairedCounts:
        """Count nothing yet."""
        square, pair = (QUARTERS, QUARTERS), (0, 2)
        return cls(
            np.zeros(square, np.int64), np.zeros(square, np.int64), np.zeros(2, np.int64), np.zeros(pair, np.int64)
        )

    @classmethod
    def of_each(cls, without: NDArray[np.int32], changed: Sequence[NDArray[np.int32]]) -> list[PairedCounts]:
        """Compare the rows of the same games without and with each change of a matchup (see `of`), and the changes with
        each other.
        """
        comparisons = [cls.of(without, rows) for rows in changed]
        if len(changed) > 1:
            seat, turns = (np.array([of(rows) for rows in changed]) - of(without) for of in (_first_seat, _turns))
            products = np.stack(
                [part @ part.T for part in (seat.astype(float), turns.astype(float))], axis=-1
            )  # whole, below 2^53
            for place, paired in enumerate(comparisons):
                paired.products = products[place, :place].astype(np.int64)
        return comparisons

    @classmethod
    def of(cls, without: NDArray[np.int32], changed: NDArray[np.int32]) -> PairedCounts:
        """Compare the rows of the same games (`sim.kernels.loop.ROW_COLUMNS`, two rows a pair)."""
        paired = cls.empty()
        scores = [_half_points(rows) for rows in (without, changed)]
        for counted, sign in ((paired.strength, 1), (paired.first_seat, -1)):
            base, other = (first + sign * second + (0 if sign > 0 else 2) for first, second in scores)
            counted += np.bincount(base * QUARTERS + other, minlength=QUARTERS**2).reshape(QUARTERS, QUARTERS)
        more = _turns(changed) - _turns(without)
        paired.turns += (more.sum(), (more**2).sum())
        return paired

    def contradiction(self, pairs: int) -> str | None:
        """Say what cannot be of so many pairs (see `Counts.contradiction`)."""
        for name in ("strength", "first_seat"):
            square = getattr(self, name)
            if (square < 0).any() or square.sum() != pairs:
                return f"{name}: {square.sum()} of {plural(pairs, 'pair')}"
        return "turns: a sum of squares below 0" if self.turns[1] < 0 else None

    def add(self, other: PairedCounts) -> None:
        """Add other pairs of the same matchup."""
        self.strength += other.strength
        self.first_seat += other.first_seat
        self.turns += other.turns
        self.products = self.products + other.products if self.products.size else other.products.copy()


def _first_seat(rows: NDArray[np.int32]) -> NDArray[np.int64]:
    """Give the first seat's quarter points, a pair a place."""
    first, second = _half_points(rows)
    return first - second + 2


def _turns(rows: NDArray[np.int32]) -> NDArray[np.int64]:
    """Give the turns of both games together, a pair a place."""
    turns = rows[:, ROW_TURNS].astype(np.int64).reshape(-1, 2)
    return turns[:, 0] + turns[:, 1]


def _half_points(rows: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give side A's half points as first and as second, a pair a place."""
    winner = rows[:, ROW_WINNER].reshape(-1, 2)
    points = np.where(winner < 0, 1, np.where(winner == np.arange(2), 2, 0)).astype(np.int64)
    return points[:, 0], points[:, 1]
