"""Matchups played in pairs, in chunks, in parallel; what comes back are integer counts.

Results do not depend on the number of workers or the size of chunks: each pair's random streams come from its number and
the names of the matchup, and counts are added up.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from sim.cards import CardSet, Deck, Rules
from sim.errors import InputError
from sim.game import Game
from sim.loop import DONE, ILLEGAL_CHOICE, ROW_COLUMNS
from sim.streams import side_keys

FIRST_CHUNK_PAIRS = 10
MOST_CHUNK_PAIRS = 10_000
CHUNK_SECONDS = 0.1


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a matchup: a deck and who plays it.

    Attributes
    ----------
    deck_label : str
        How results name the deck.
    deck : Deck
        The deck.
    strategy_label : str
        How results name the strategy.
    choose : function
        The strategy's compiled function.
    parameters : sequence of float
        What it is told.
    """

    deck_label: str
    deck: Deck
    strategy_label: str
    choose: Callable[..., int]
    parameters: Sequence[float] = ()

    @property
    def names(self) -> tuple[str, str]:
        """What random streams are derived from: the labels of deck and strategy."""
        return (self.deck_label, self.strategy_label)


@dataclass(frozen=True, eq=False)
class Matchup:
    """Two sides that meet: A has the first seat in the first game of each pair, B in the second.

    Attributes
    ----------
    a, b : Side
        The sides.
    pairs : int or None
        Pairs of games, if not as many as of every other matchup.
    """

    a: Side
    b: Side
    pairs: int | None = None

    @property
    def is_mirror(self) -> bool:
        """Both sides are the same deck with the same strategy."""
        return self.a.names == self.b.names

    @property
    def strategies(self) -> tuple[str, str]:
        """The labels of the strategies of both sides."""
        return (self.a.strategy_label, self.b.strategy_label)


@dataclass(eq=False)
class Counts:
    """How the games of a matchup ended.

    Attributes
    ----------
    scores : int64 array, shape (3, 3)
        Pairs by A's half points as first (row) and as second (column): 0 lost, 1 drawn or stopped, 2 won.
    outcomes : int64 array, shape (2, 3, reasons)
        Games by order (0: A first), winner (0: first seat, 1: second seat, 2: nobody) and end reason.
    turns : int64 array, shape (2, max_turns + 1)
        Games by order and length in turns.
    decisions : int64 array, shape (2,)
        Decisions by order.
    tallies : int64 array, shape (2, 2, size)
        What the game counts (`sim.game.Tallies`), by order and seat.
    """

    scores: NDArray[np.int64]
    outcomes: NDArray[np.int64]
    turns: NDArray[np.int64]
    decisions: NDArray[np.int64]
    tallies: NDArray[np.int64]

    @classmethod
    def empty(cls, game: Game, max_turns: int) -> Counts:
        """Count nothing yet."""
        shapes = ((3, 3), (2, 3, len(game.reasons)), (2, max_turns + 1), (2,), (2, 2, game.tallies.size))
        return cls(*(np.zeros(shape, np.int64) for shape in shapes))

    def add(self, other: Counts) -> None:
        """Add other games of the same matchup."""
        for name in ("scores", "outcomes", "turns", "decisions", "tallies"):
            getattr(self, name).__iadd__(getattr(other, name))


@dataclass(frozen=True, eq=False)
class Chunk:
    """What one task has played.

    Attributes
    ----------
    matchup : int
        Place in the list of matchups.
    first_pair : int
        Number of the chunk's first pair.
    games : int
        How many games.
    counts : Counts
        How they ended.
    rows : int32 array, shape (games, 4), or None
        Winner (seat, -1 nobody), reason, turns and decisions of each game, if asked for.
    """

    matchup: int
    first_pair: int
    games: int
    counts: Counts
    rows: NDArray[np.int32] | None


@dataclass(eq=False)
class Runner:
    """All that tasks share: the game, its cards and rules, the matchups, the seed.

    Attributes
    ----------
    game, card_set, rules, knows_decks
        As in `sim.play.Setup`.
    matchups : list of Matchup
        What is played.
    pairs : int
        Pairs of games a matchup.
    seed : int
        The study's seed.
    keep_rows : bool
        Keep a row of each single game.
    chunk_pairs : int, optional
        Pairs a task; changes no result. By default so many as take a tenth of a second, by the speed of the players so far.
    """

    game: Game
    card_set: CardSet
    rules: Rules
    matchups: Sequence[Matchup]
    pairs: int
    seed: int
    knows_decks: bool = True
    keep_rows: bool = False
    chunk_pairs: int | None = None
    _records: dict[int, np.ndarray] = field(default_factory=dict, repr=False)  # of the matchups' decks, by identity
    _pairs_a_second: dict[tuple[str, str], float] = field(default_factory=dict, repr=False)
    _stop: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(1, np.uint8), repr=False)

    @cached_property
    def max_turns(self) -> int:
        """The longest game's turns."""
        return self.rules.max_turns

    @property
    def games(self) -> int:
        """How many games there are to play."""
        return 2 * sum(self.pairs_of(matchup) for matchup in self.matchups)

    def pairs_of(self, matchup: Matchup) -> int:
        """Tell how many pairs of games a matchup plays."""
        return self.pairs if matchup.pairs is None else matchup.pairs

    def table(self, first: Side, second: Side) -> np.ndarray:
        """Seat two sides; gives the table that kernels read, as an array of one. A deck is encoded once, however often it plays."""
        for deck in (first.deck, second.deck):
            if id(deck) not in self._records:
                self._records[id(deck)] = self.game.encoded(self.card_set, deck, self.rules)
        records = [self._records[id(side.deck)] for side in (first, second)]
        return self.game.laid(records, self.rules, self.knows_decks, (first.parameters, second.parameters))

    def prepare(self) -> None:
        """Compile the game loop (once for all strategies), so that playing starts at once."""
        _ = self.game.play_pairs

    def play(self, jobs: int = -1) -> Iterator[Chunk]:
        """Play all matchups.

        Parameters
        ----------
        jobs : int
            Threads; -1 for one a core. Changes no result.

        Yields
        ------
        Chunk
            As they are ready; in order if rows are kept. Closing the iterator (or an exception in it) stops every task before
            its next game.

        Raises
        ------
        InputError
            If a strategy chooses outside its legal list.
        """
        self.prepare()
        self._stop[0] = 0
        parallel = joblib.Parallel(
            n_jobs=jobs, prefer="threads", batch_size=1, return_as="generator" if self.keep_rows else "generator_unordered"
        )
        chunks = parallel(self._tasks())
        try:
            for chunk in chunks:  # noqa: UP028  # not `yield from`, which would close joblib's generator before tasks are told to stop
                yield chunk
        finally:
            self._stop[0] = 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # joblib tells what it cancels, which is what is wanted here
                chunks.close()

    def _tasks(self) -> Iterator[Any]:
        for place, matchup in enumerate(self.matchups):
            tables = np.concatenate([self.table(matchup.a, matchup.b), self.table(matchup.b, matchup.a)])
            keys = side_keys(self.seed, self.game.name, (matchup.a.names, matchup.b.names))
            first = 0
            while first < self.pairs_of(matchup):
                pairs = min(self._next_chunk_pairs(matchup), self.pairs_of(matchup) - first)
                yield joblib.delayed(self._play_chunk)(place, tables, keys, first, pairs)
                first += pairs

    def _next_chunk_pairs(self, matchup: Matchup) -> int:
        if self.chunk_pairs is not None:
            return self.chunk_pairs
        speed = self._pairs_a_second.get(matchup.strategies)
        return FIRST_CHUNK_PAIRS if speed is None else int(min(max(speed * CHUNK_SECONDS, 1), MOST_CHUNK_PAIRS))

    def _play_chunk(self, place: int, tables: Any, keys: NDArray[np.uint64], first_pair: int, pairs: int) -> Chunk:
        matchup = self.matchups[place]
        counts = Counts.empty(self.game, self.max_turns)
        rows = np.zeros((2 * pairs if self.keep_rows else 0, ROW_COLUMNS), np.int32)
        mistake = np.zeros(4, np.int64)
        state, dealt = np.zeros(2, self.game.state)
        started = time.perf_counter()
        with np.errstate(over="ignore"), _blamed(matchup):  # without JIT, numpy warns in each thread where arithmetic wraps around
            status = self.game.play_pairs(
                state, dealt, tables, np.zeros(self.game.legal_size, np.int32), matchup.a.choose, matchup.b.choose,
                keys, first_pair, pairs, self._stop, counts.scores, counts.outcomes, counts.turns, counts.decisions, counts.tallies, rows,
                mistake,
            )  # fmt: skip
        if status == ILLEGAL_CHOICE:
            pair, order, seat, legal = (int(x) for x in mistake)
            side = (matchup.a, matchup.b)[seat ^ order]
            raise InputError(
                f"strategy {side.strategy_label}: chose a place outside its legal list of {legal} (seat {seat}, pair {pair}, "
                f"{matchup.a.deck_label} against {matchup.b.deck_label}); places run from 0 to {legal - 1}"
            )
        self._pairs_a_second[matchup.strategies] = pairs / (time.perf_counter() - started)
        games = int(counts.outcomes.sum())
        assert status != DONE or games == 2 * pairs
        return Chunk(place, first_pair, games, counts, rows if self.keep_rows else None)


@contextmanager
def _blamed(matchup: Matchup) -> Iterator[None]:
    """Report what a strategy's code raises in the strategies' names."""
    try:
        yield
    except Exception as error:
        players = " or ".join(dict.fromkeys(matchup.strategies))
        decks = f"{matchup.a.deck_label} against {matchup.b.deck_label}"
        raise InputError(f"strategy {players}: {type(error).__name__}: {error} ({decks})") from error
