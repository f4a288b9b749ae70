"""Two results compared, before and after a change: only what both have, each matchup with the same weight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reports.play.results import Results
from reports.play.store import load_results
from reports.studies.study import check_option
from sim.counts import Counts, other_side
from sim.files.errors import InputError

Side = tuple[str, str]  # the labels of deck and strategy


class Met(NamedTuple):
    """A matchup that both results have.

    Attributes
    ----------
    a, b : tuple of str
        Its sides: the labels of deck and strategy.
    counts : tuple of Counts
        How its games went, before and after.
    scores : tuple of int64 arrays, shape (3, 3)
        The nine counts of its pairs from the side of A, before and after.
    """

    a: Side
    b: Side
    counts: tuple[Counts, Counts]
    scores: tuple[NDArray[np.int64], NDArray[np.int64]]

    @property
    def strategies(self) -> tuple[str, str]:
        """The strategies of both sides."""
        return (self.a[1], self.b[1])


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two results of the same game, and what they have in common.

    Attributes
    ----------
    names : tuple of str
        How they are named, before and after.
    before, after : Results
        The results.
    margin : float
        Points around 50 % that count as fair, for both.
    met : list of Met
        The matchups that both have, in the order of the first.
    """

    names: tuple[str, str]
    before: Results
    after: Results
    margin: float
    met: list[Met]

    @property
    def shares_deals(self) -> bool:
        """Both played their pairs from the same random streams, so they are not independent."""
        return self.before.study.seed == self.after.study.seed

    @property
    def is_same(self) -> bool:
        """Every game that was counted went alike in both."""
        return all(
            np.array_equal(x, one.counts[1].arrays[name])
            for one in self.met
            for name, x in one.counts[0].arrays.items()
        )

    def groups(self) -> Iterator[tuple[tuple[str, str], list[Met]]]:
        """Give the matchups by who plays, then, if there are several such groups, all together as of ``("all",
        "all")``.
        """
        found: dict[tuple[str, str], list[Met]] = {}
        for one in self.met:
            found.setdefault(one.strategies, []).append(one)
        yield from found.items()
        if len(found) > 1:
            yield ("all", "all"), self.met

    def field(self, strategy: str, deck: str) -> dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Give the nine counts of a deck against each other one by that one's label, from the deck's side, one strategy
        on both sides.
        """
        found = {}
        for one in self.met:
            if one.strategies == (strategy, strategy) and one.a != one.b:
                if one.a[0] == deck:
                    found[one.b[0]] = one.scores
                elif one.b[0] == deck:
                    found[one.a[0]] = (other_side(one.scores[0]), other_side(one.scores[1]))
        return found

    def alone(self) -> list[str]:
        """Name what only one of both has, in words."""
        found = []
        for kind in ("decks", "strategies"):
            labels = [list(getattr(results.study, kind)) for results in (self.before, self.after)]
            for name, mine, others in zip(self.names, labels, labels[::-1], strict=True):
                own = [label for label in mine if label not in others]
                if own:
                    one = {"decks": "deck", "strategies": "strategy"}[kind]
                    found.append(
                        f"Only {name} has the {one if len(own) == 1 else kind} {', '.join(own)}: not compared."
                    )
        return found


def compare(before: Path, after: Path, *, margin: float | None = None) -> Comparison:
    """Compare two reports from the counts that they keep; nothing is played.

    Parameters
    ----------
    before, after : Path
        The folders of the reports.
    margin : float, optional
        Points around 50 % that count as fair; by default those of the second study, for both.

    Raises
    ------
    InputError
        If one of them is no report, they are of different games or have no matchup in common.
    """
    first, second = load_results(before), load_results(after)
    games = [results.study.game for results in (first, second)]
    if games[0].name != games[1].name:
        raise InputError(f"{after}: found a report of {games[1].name}, expected one of {games[0].name}, as {before} is")
    met = list(_met(first, second))
    if not met:
        labels = [", ".join(list(results.study.decks) + list(results.study.strategies)) for results in (first, second)]
        raise InputError(
            f"{after}: found no matchup that {before} has, too; decks and strategies are {labels[0]} there, "
            f"{labels[1]} here"
        )
    if margin is not None:
        check_option("margin", margin, games[0].name)
    return Comparison((str(before), str(after)), first, second, second.study.margin if margin is None else margin, met)


def _met(before: Results, after: Results) -> Iterator[Met]:
    """Find the matchups that both have, whichever side comes first."""
    others = {(matchup.a.names, matchup.b.names): counts for matchup, counts in after.played()}
    for matchup, counts in before.played():
        a, b = matchup.a.names, matchup.b.names
        if (a, b) in others:
            other = others[a, b]
            yield Met(a, b, (counts, other), (counts.scores, other.scores))
        elif (b, a) in others:
            other = others[b, a]
            yield Met(a, b, (counts, other), (counts.scores, other_side(other.scores)))
