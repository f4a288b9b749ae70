"""Results of a study: counts by matchup, gathered as chunks come in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
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

    def deck_scores(self, strategy_label: str, deck: str) -> Sequence[tuple[str, NDArray[np.int64]]]:
        """Give the opponents of a deck, one strategy on both sides, with the nine counts from the deck's side."""
        return self._deck_scores.get((strategy_label, deck), ())

    @cached_property
    def _deck_scores(self) -> dict[tuple[str, str], list[tuple[str, NDArray[np.int64]]]]:
        """Find what `deck_scores` gives, by strategy and deck."""
        found: dict[tuple[str, str], list[tuple[str, NDArray[np.int64]]]] = {}
        for matchup, counts in self.played():
            a, b = matchup.a, matchup.b
            if a.strategy_label == b.strategy_label:
                found.setdefault((a.strategy_label, a.deck_label), []).append((b.deck_label, counts.scores))
                if not matchup.is_mirror:
                    turned = (a.deck_label, other_side(counts.scores))
                    found.setdefault((b.strategy_label, b.deck_label), []).append(turned)
        return found

    def decks_met(self, strategy_label: str) -> dict[tuple[int, int], NDArray[np.int64]]:
        """Give the nine counts of each two different decks, by their places in the study, one strategy on both sides.

        The place of the deck whose side is counted is the smaller one. Empty if no two decks met.
        """
        places = {deck: place for place, deck in enumerate(self.study.decks)}
        return {
            (place, places[opponent]): scores
            for deck, place in places.items()
            for opponent, scores in self.deck_scores(strategy_label, deck)
            if place < places[opponent]
        }

    def by_players(self) -> dict[tuple[str, str], list[tuple[Matchup, Counts]]]:
        """Give the matchups that have been played, with their counts, by the strategies of their sides A and B."""
        met: dict[tuple[str, str], list[tuple[Matchup, Counts]]] = {}
        for matchup, counts in self.played():
            met.setdefault(matchup.strategies, []).append((matchup, counts))
        return met


def from_side_of(matchup: Matchup, counts: Counts, strategy_label: str) -> NDArray[np.int64]:
    """Turn the nine counts so that the named strategy is side A."""
    return counts.scores if matchup.a.strategy_label == strategy_label else other_side(counts.scores)
