"""How far a study has been played: which pairs of each matchup, and what was counted of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reports.play.pace import Pace, all_played
from reports.play.standing import Standing
from sim.counts import Counts, PairedCounts
from sim.run import Block, Chunk, Matchup, Runner

NOTHING = np.zeros((3, 3), np.int64)
BY_TURN = ("turns", "leads", "decided")


@dataclass(eq=False)
class Played:
    """Pairs of a matchup that have been played.

    Attributes
    ----------
    counts : Counts
        What was counted of them.
    others : list of (Counts, PairedCounts)
        The same with each of the matchup's changes.
    done : list of (int, int)
        Which pairs they are: from the first number to before the second, in ascending order, no two of them touching.
    """

    counts: Counts
    others: list[tuple[Counts, PairedCounts]]
    done: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def nothing(cls, runner: Runner, matchup: Matchup, pairs: int) -> Played:
        """Begin with no pair, to play so many at most."""
        return cls(
            _small(runner.empty(matchup), pairs),
            [(_small(runner.empty(other), pairs), PairedCounts.empty()) for other in matchup.others],
        )

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return sum(end - first for first, end in self.done)

    def add(self, chunk: Chunk) -> None:
        """Add the pairs of a chunk."""
        self.counts.add(chunk.counts)
        for (counts, paired), (more, compared) in zip(self.others, chunk.others, strict=True):
            counts.add(more)
            paired.add(compared)
        self.done = merged([*self.done, (chunk.first_pair, chunk.first_pair + chunk.pairs)])


def _small(counts: Counts, pairs: int) -> Counts:
    """Let the counts of games by turn, which are nearly all that there is, take no more memory than so many pairs need:
    thousands of matchups are.
    """
    kind = np.min_scalar_type(-2 * pairs - 1)  # signed, up to all games of both seat orders
    return counts._replace(**{name: np.zeros_like(getattr(counts, name), kind) for name in BY_TURN})


def merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join spans of numbers that touch.

    Raises
    ------
    ValueError
        If two of them overlap.
    """
    joined: list[tuple[int, int]] = []
    for first, end in sorted(spans):
        if joined and first < joined[-1][1]:
            raise ValueError(f"pair {first} is there twice")
        if joined and first == joined[-1][1]:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((first, end))
    return joined


@dataclass(eq=False)
class _Sums:
    """What has been played of all matchups: games, those with changes included, and who has beaten whom."""

    games: int = 0
    standing: Standing = field(default_factory=Standing)

    def add(self, matchup: Matchup, pairs: int, before: NDArray[np.int64], more: NDArray[np.int64]) -> None:
        """Add pairs of a matchup; see `Standing.add`."""
        self.games += 2 * all_played(matchup, pairs)
        self.standing.add(matchup, before, more)


@dataclass(eq=False)
class Progress:
    """How far each matchup has been played.

    Attributes
    ----------
    matchups : sequence of Matchup
        What is played.
    first : list of Played
        Pairs from number 0 on, by matchup.
    fresh : list of Played
        Pairs from the number ``fresh_from`` on: what is reported of matchups that may have been stopped early. Empty if
        none is.
    fresh_from : int or None
        The number of the first fresh pair; None if no matchup is stopped early.
    total : int
        How many games there will have been, as far as is known.
    pace : Pace
        How long those pairs took that were played since the run began, or went on.
    """

    matchups: Sequence[Matchup]
    first: list[Played]
    fresh: list[Played]
    fresh_from: int | None = None
    total: int = 0
    pace: Pace = field(default_factory=Pace)
    _left: Counter[tuple[str, str]] = field(default_factory=Counter)  # pairs that are still to be played, by who plays

    @classmethod
    def nothing(cls, runner: Runner, fresh_from: int | None = None) -> Progress:
        """Begin with no pair."""
        first, fresh = (
            [Played.nothing(runner, matchup, fresh_from or runner.pairs_of(matchup)) for matchup in matchups]
            for matchups in (runner.matchups, runner.matchups if fresh_from is not None else ())
        )
        return cls(runner.matchups, first, fresh, fresh_from)

    @property
    def games(self) -> int:
        """How many games have been played, those with changes included."""
        return sum(part.games for part in self._sums)

    @property
    def standing(self) -> Standing:
        """Who has beaten whom, in what is reported; as long as nothing of that has been played, in the rest."""
        first, fresh = self._sums
        return (fresh if fresh.games else first).standing

    @cached_property
    def _sums(self) -> tuple[_Sums, _Sums]:
        """What has been played of both parts: counted once, then added to."""
        sums = _Sums(), _Sums()
        for part, played in zip(sums, (self.first, self.fresh), strict=True):
            for matchup, one in zip(self.matchups, played, strict=False):  # of fresh ones there may be none
                part.add(matchup, one.pairs, NOTHING, one.counts.scores)
        return sums

    def expect(self, blocks: Sequence[Block]) -> None:
        """Note what is to be played next."""
        self._left.clear()
        for block in blocks:
            matchup = self.matchups[block.matchup]
            self._left[matchup.strategies] += all_played(matchup, block.pairs)
        self.total = self.games + 2 * self._left.total()

    @property
    def share(self) -> float | None:
        """The share of the work since the run began, or went on, that is done: from 0 to 1, weighed by the time that
        pairs take; None as long as that is not known.
        """
        left = self.pace.needed(self._left)
        return None if left is None or not self.pace.seconds else self.pace.seconds / (self.pace.seconds + left)

    @property
    def reported(self) -> list[Played]:
        """What is reported."""
        return self.first if self.fresh_from is None else self.fresh

    @property
    def adds_up(self) -> bool:
        """As many games are counted as are noted to have been played."""
        return all(
            played.counts.games == 2 * played.pairs == 2 * played.counts.pairs
            for part in (self.first, self.fresh)
            for played in part
        )

    def reports(self, chunk: Chunk) -> bool:
        """Tell whether a chunk is part of what is reported."""
        return self.fresh_from is None or chunk.first_pair >= self.fresh_from

    def _part(self, pair: int) -> list[Played]:
        return self.fresh if self.fresh_from is not None and pair >= self.fresh_from else self.first

    def add(self, chunk: Chunk) -> None:
        """Add the pairs of a chunk."""
        matchup, part = self.matchups[chunk.matchup], self._part(chunk.first_pair)
        played = part[chunk.matchup]
        self._sums[part is self.fresh].add(matchup, chunk.pairs, played.counts.scores, chunk.counts.scores)
        self._left[matchup.strategies] -= all_played(matchup, chunk.pairs)
        self.pace.note(matchup, chunk.pairs, chunk.seconds)
        played.add(chunk)

    def missing(self, blocks: Sequence[Block]) -> Iterator[Block]:
        """Give what has not been played of some blocks."""
        for block in blocks:
            at, end = block.first_pair, block.first_pair + block.pairs
            for first, last in self._part(at)[block.matchup].done:
                if last <= at or first >= end:
                    continue
                if first > at:
                    yield Block(block.matchup, at, first - at)
                at = last
            if at < end:
                yield Block(block.matchup, at, end - at)
