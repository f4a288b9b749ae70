"""How far a study has been played: which pairs of each matchup, and what was counted of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sim.counts import Counts, PairedCounts
from sim.run import Block, Chunk, Matchup, Runner


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
    def nothing(cls, runner: Runner, matchup: Matchup) -> Played:
        """Begin with no pair."""
        return cls(runner.empty(matchup), [(runner.empty(other), PairedCounts.empty()) for other in matchup.others])

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
class Progress:
    """How far each matchup has been played.

    Attributes
    ----------
    first : list of Played
        Pairs from number 0 on, by matchup.
    fresh : list of Played
        Pairs from the number ``fresh_from`` on: what is reported of matchups that may have been stopped early.
    fresh_from : int or None
        The number of the first fresh pair; None if no matchup is stopped early.
    total : int
        How many games there will have been, as far as is known.
    """

    first: list[Played]
    fresh: list[Played]
    fresh_from: int | None = None
    total: int = 0

    @classmethod
    def nothing(cls, runner: Runner, fresh_from: int | None = None) -> Progress:
        """Begin with no pair."""
        first, fresh = ([Played.nothing(runner, matchup) for matchup in runner.matchups] for _ in range(2))
        return cls(first, fresh, fresh_from)

    @property
    def games(self) -> int:
        """How many games have been played, those with changes included."""
        return 2 * sum(played.pairs * (1 + len(played.others)) for part in (self.first, self.fresh) for played in part)

    @property
    def reported(self) -> list[Played]:
        """What is reported."""
        return self.first if self.fresh_from is None else self.fresh

    @property
    def first_seat(self) -> float:
        """The share of games so far that the first seat won, a draw as half; nan without games."""
        outcomes = sum(played.counts.outcomes.sum(axis=(0, 2)) for part in (self.first, self.fresh) for played in part)
        return float((outcomes[0] + outcomes[2] / 2) / outcomes.sum()) if np.sum(outcomes) else math.nan

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
        self._part(chunk.first_pair)[chunk.matchup].add(chunk)

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
