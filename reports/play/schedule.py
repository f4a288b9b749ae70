"""What is to be played next: all pairs of a study, or look after look until each matchup has been played enough.

What comes next follows from what has been counted at the looks alone, so an interrupted study goes on as if it had not
been.
"""

from __future__ import annotations

from reports.play.progress import Played, Progress
from reports.stats.until import Decision, Until, looks
from sim.run import Block, Runner


class Schedule:
    """The blocks of a study, round by round.

    Parameters
    ----------
    runner : Runner
        What plays.
    until : Until or None
        When a matchup has been played enough; None for a fixed number of pairs.

    Attributes
    ----------
    stops : list of Decision or None
        Why each matchup was stopped, None if it was not.
    """

    def __init__(self, runner: Runner, until: Until | None):
        self.runner, self.until = runner, until
        self.stops: list[Decision | None] = [None] * len(runner.matchups)

    @property
    def fresh_from(self) -> int | None:
        """The number of the first fresh pair: no look takes a pair beyond it."""
        return None if self.until is None else self.until.max_pairs

    def next(self, progress: Progress) -> list[Block]:
        """Say what is to be played, given what has been, and let that know; nothing at the end."""
        blocks = list(progress.missing(self._wanted(progress)))
        progress.expect(blocks)
        return blocks

    def _wanted(self, progress: Progress) -> list[Block]:
        """Say what is to have been played next."""
        if self.until is None:
            return self.runner.blocks
        blocks = []
        for place, played in enumerate(progress.first):
            ahead = self._next_look(place, played)
            if ahead is not None:
                blocks.append(Block(place, 0, ahead))
        if not blocks:  # every matchup is decided: as many pairs again, for numbers that no look has chosen
            blocks = [Block(place, self.until.max_pairs, played.pairs) for place, played in enumerate(progress.first)]
        return blocks

    def _next_look(self, place: int, played: Played) -> int | None:
        """Look at a matchup, if it is time to; gives the pairs at which to look next, None if it has been played
        enough.
        """
        from reports.stats.sequential import decide  # with scipy, for which only such a study need wait

        assert self.until is not None
        own = self.runner.matchups[place].pairs
        ahead = list(looks(self.until.max_pairs if own is None else min(own, self.until.max_pairs)))
        end = played.done[-1][1] if played.done else 0
        if played.done == [(0, end)] and end in ahead:
            self.stops[place] = decide(self.until, played.counts.scores)
            return None if self.stops[place] is not None else next((look for look in ahead if look > end), None)
        return next(look for look in ahead if look >= end)
