"""Results of a study: counts by matchup, gathered as chunks come in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from numpy.typing import NDArray

from reports.stats.until import Decision
from reports.studies.study import Study
from sim.counts import Counts, PairedCounts, other_side
from sim.run import Matchup

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, eq=False)
class Results:
    """What a study has found.

    Attributes
    ----------
    study : Study
        What was asked.
    matchups : list of Matchup
        What was played.
    counts : list of Counts
        How the games of each matchup went, in the same order.
    stops : list of Decision or None
        Why each matchup was stopped, in the same order; None if it was not.
    versions : dict of str to str
        What played: the versions of komi, Python and libraries.
    others : list of lists of (Counts, PairedCounts)
        How the games of each matchup went with each variant of the study's sweep, in its order, and beside those
        without; empty lists without a sweep.
    """

    study: Study
    matchups: list[Matchup]
    counts: list[Counts]
    stops: list[Decision | None]
    versions: dict[str, str]
    others: list[list[tuple[Counts, PairedCounts]]] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many games were played, those of variants included."""
        return sum(counts.games for counts in self.counts) + sum(
            counts.games for part in self.others for counts, _ in part
        )

    def played(self) -> Iterator[tuple[Matchup, Counts]]:
        """Go through the matchups that have been played, with their counts."""
        return (
            (matchup, counts) for matchup, counts in zip(self.matchups, self.counts, strict=True) if counts.scores.any()
        )

    def deck_scores(self, strategy_label: str, deck: str) -> Iterator[tuple[str, NDArray[np.int64]]]:
        """Give the opponents of a deck, one strategy on both sides, with the nine counts from the deck's side."""
        for matchup, counts in self.played():
            if matchup.strategies == (strategy_label, strategy_label):
                if matchup.a.deck_label == deck:
                    yield matchup.b.deck_label, counts.scores
                elif matchup.b.deck_label == deck:
                    yield matchup.a.deck_label, other_side(counts.scores)

    def decks_met(self, strategy_label: str) -> dict[tuple[int, int], NDArray[np.int64]]:
        """Give the nine counts of each two different decks, by their places in the study, one strategy on both sides.

        The place of the deck whose side is counted is the smaller one. Empty if no two decks met.
        """
        decks = list(self.study.decks)
        return {
            (i, decks.index(opponent)): scores
            for i, deck in enumerate(decks)
            for opponent, scores in self.deck_scores(strategy_label, deck)
            if i < decks.index(opponent)
        }


def from_side_of(matchup: Matchup, counts: Counts, strategy_label: str) -> NDArray[np.int64]:
    """Turn the nine counts so that the named strategy is side A."""
    return counts.scores if matchup.a.strategy_label == strategy_label else other_side(counts.scores)
