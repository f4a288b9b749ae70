"""How long a study will take, told beforehand: by a few pairs of each two players that meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import joblib

from reports.play.pace import Pace, all_played
from reports.studies.study import Study
from sim.files.wording import plural
from sim.run import Block, Matchup, Runner, Side
from strategies.strategy import Strategy

SECONDS = 1.5  # for all that is played
MOST_PAIRS = 1_000  # of two players
FEW_PLAYOUTS = 20  # with which who searches is measured: the time that a decision takes grows with them


def expected(study: Study) -> str:
    """Say how many games a study plays, and about how long that will take on this machine.

    Parameters
    ----------
    study : Study
        The study; all that it needs is compiled.

    Raises
    ------
    StrategyError
        If a strategy fails or chooses outside its legal list.
    """
    pairs: Counter[tuple[str, str]] = Counter()
    for matchup in study.matchups():
        pairs[matchup.strategies] += all_played(matchup, study.span(matchup))
    cores = joblib.cpu_count()
    seconds = measured(study).needed(pairs)
    assert seconds is not None  # all that meet were measured
    most = "" if study.until is None else "at most "
    fresh = "" if study.until is None else " (half of them fresh ones)"
    return (
        f"{most}{plural(2 * pairs.total(), 'game')}{fresh}, {most}about {_words(seconds / cores)} to play on "
        f"{plural(cores, 'core')}"
    )


def measured(study: Study, seconds: float = SECONDS) -> Pace:
    """Play a few pairs of each two strategies that meet, in turn with its decks.

    Parameters
    ----------
    study : Study
        The study.
    seconds : float
        That playing may take in all, but for the first pair of each two.
    """
    met: dict[tuple[str, str], list[Matchup]] = {}
    for matchup in study.matchups():
        met.setdefault(matchup.strategies, []).append(replace(matchup, others=()))
    pace = Pace()
    for (a, b), matchups in met.items():
        share = min(1.0, FEW_PLAYOUTS / max(_playouts(study.strategies[name]) for name in (a, b)))
        cheaper = [_cheaper(study, matchup, share) for matchup in matchups]
        for matchup, pairs, took in _played(study, cheaper, seconds / len(met)):
            pace.note(matchup, pairs, took / share)
    return pace


def _played(study: Study, matchups: Sequence[Matchup], seconds: float) -> list[tuple[Matchup, int, float]]:
    """Play twice as many pairs each time, until time is up: gives how many of which matchup, and how long they took."""
    runner = Runner(study.game, study.card_set, study.rules, matchups, 1, study.seed, study.knows_decks)
    runner.prepare()
    runner.play_chunk(Block(0, 0, 1))  # the first takes longer than those after it
    played: list[tuple[Matchup, int, float]] = []
    pairs = 1
    while sum(took for *_, took in played) < seconds and pairs <= MOST_PAIRS:
        place = len(played) * 7 % len(matchups)  # not the first deck alone
        chunk = runner.play_chunk(Block(place, 0, pairs))
        played.append((matchups[place], pairs, chunk.seconds))
        pairs *= 2
    return played


def _playouts(strategy: Strategy) -> float:
    """Tell how many play-outs a strategy tries for a decision; 1 if it does not search."""
    place = _place_of_playouts(strategy)
    return 1.0 if place is None else strategy.parameters[place]


def _place_of_playouts(strategy: Strategy) -> int | None:
    """Find the number of play-outs among what a strategy is told."""
    place = 0
    for option in strategy.options:
        if option.name == "playouts":
            return place
        place += len(option.default)
    return None


def _cheaper(study: Study, matchup: Matchup, share: float) -> Matchup:
    """Let the sides of a matchup search with a share of their play-outs."""

    def side(one: Side) -> Side:
        place = _place_of_playouts(study.strategies[one.strategy_label])
        if place is None:
            return one
        told = list(one.parameters)
        told[place] = max(round(told[place] * share), 1)
        return replace(one, parameters=tuple(told))

    return replace(matchup, a=side(matchup.a), b=side(matchup.b))


def _words(seconds: float) -> str:
    """Say a time roughly."""
    for unit, size in (("hour", 3600.0), ("minute", 60.0), ("second", 1.0)):
        if seconds >= 1.5 * size or size == 1.0:
            return plural(max(round(seconds / size), 1), unit)
    raise AssertionError
