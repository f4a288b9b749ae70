"""Matchups played in pairs, in chunks, in parallel; what comes back are integer counts.

Results do not depend on the number of workers or the size of chunks: each pair's random streams come from its number
and the names of the matchup, and counts are added up.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import joblib
import numpy as np
from numpy.typing import NDArray

from sim.cards import CardSet, Deck, Rules
from sim.counts import Counts, PairedCounts
from sim.files.errors import InputError
from sim.game import Game
from sim.kernels.loop import DONE, ILLEGAL_CHOICE, ROW_COLUMNS
from sim.kernels.streams import side_keys

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
    card_set, rules : CardSet, Rules or None
        Cards and rule options, if not those of the runner.
    others : tuple of Matchup
        The same with one thing changed (a card, an option, a deck): each plays the same pairs, from the same random
        streams, whatever its labels, and is compared with this one pair by pair.
    """

    a: Side
    b: Side
    pairs: int | None = None
    card_set: CardSet | None = None
    rules: Rules | None = None
    others: tuple[Matchup, ...] = ()

    @property
    def is_mirror(self) -> bool:
        """Both sides are the same deck with the same strategy."""
        return self.a.names == self.b.names

    @property
    def strategies(self) -> tuple[str, str]:
        """The labels of the strategies of both sides."""
        return (self.a.strategy_label, self.b.strategy_label)


@dataclass(frozen=True, eq=False)
class Chunk:
    """What one task has played.

    Attributes
    ----------
    matchup : int
        Place in the list of matchups.
    first_pair, pairs : int
        Number of the chunk's first pair, and how many there are.
    counts : Counts
        How its games went.
    others : tuple of (Counts, PairedCounts)
        How they went with each of the matchup's changes, and beside those without.
    rows : int32 array, shape (2 * pairs, 4), or None
        Winner (seat, -1 nobody), reason, turns and decisions of each game, if asked for.
    seconds : float
        How long it took; no part of results.
    """

    matchup: int
    first_pair: int
    pairs: int
    counts: Counts
    others: tuple[tuple[Counts, PairedCounts], ...]
    rows: NDArray[np.int32] | None
    seconds: float

    @property
    def games(self) -> int:
        """How many games were played, those with changes included."""
        return self.counts.games + sum(counts.games for counts, _ in self.others)


class StrategyError(InputError):
    """A strategy has failed, or chosen outside its legal list: the study cannot be played with it."""


class Block(NamedTuple):
    """Pairs of a matchup that are to be played."""

    matchup: int
    first_pair: int
    pairs: int


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
        Pairs a task; changes no result. By default so many as take a tenth of a second, by the speed of the players so
        far; more with changes.
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
    _records: dict[tuple[int, ...], np.ndarray] = field(default_factory=dict, repr=False)  # of decks, by identity
    _pairs_a_second: dict[Any, float] = field(default_factory=dict, repr=False)
    _last_tables: tuple[int, list[np.ndarray]] = field(
        default=(-1, []), repr=False
    )  # the matchup's that `play_chunk` played last
    _stop: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(1, np.uint8), repr=False)

    @property
    def games(self) -> int:
        """How many games there are to play, those with changes included."""
        return 2 * sum(self.pairs_of(matchup) * (1 + len(matchup.others)) for matchup in self.matchups)

    @property
    def blocks(self) -> list[Block]:
        """All that there is to play: the pairs of each matchup."""
        return [Block(place, 0, self.pairs_of(matchup)) for place, matchup in enumerate(self.matchups)]

    def empty(self, matchup: Matchup) -> Counts:
        """Count nothing yet of a matchup."""
        return Counts.empty(self.game, self._rules(matchup).max_turns)

    def pairs_of(self, matchup: Matchup) -> int:
        """Tell how many pairs of games a matchup plays."""
        return self.pairs if matchup.pairs is None else matchup.pairs

    def tables(self, matchup: Matchup) -> np.ndarray:
        """Give what kernels read of a matchup: its table with side A in the first seat, and with side B.

        A deck is encoded once, however often it plays.
        """
        card_set = matchup.card_set if matchup.card_set is not None else self.card_set
        rules = self._rules(matchup)
        records = {}
        for deck in (matchup.a.deck, matchup.b.deck):
            key = (id(deck), id(card_set), id(rules))
            if key not in self._records:
                self._records[key] = self.game.encoded(card_set, deck, rules)
            records[id(deck)] = self._records[key]
        tables = np.zeros(
            2, self.game.table
        )  # with nothing undefined between fields, so that equal ones have equal bytes
        for order, (first, second) in enumerate([(matchup.a, matchup.b), (matchup.b, matchup.a)]):
            decks, parameters = (
                [records[id(side.deck)] for side in (first, second)],
                (first.parameters, second.parameters),
            )
            tables[order] = self.game.laid(decks, rules, self.knows_decks, parameters)[0]
        return tables

    def _tables_of_each(self, matchup: Matchup) -> list[np.ndarray]:
        """Give the tables of a matchup without and with each change; those that are equal are one object."""
        known: dict[bytes, np.ndarray] = {}
        return [known.setdefault(table.tobytes(), table) for table in map(self.tables, (matchup, *matchup.others))]

    def _rules(self, matchup: Matchup) -> Rules:
        return matchup.rules if matchup.rules is not None else self.rules

    def prepare(self) -> None:
        """Compile the game loop (once for all strategies), so that playing starts at once."""
        _ = self.game.play_pairs

    def play(self, jobs: int = -1, blocks: Iterable[Block] | None = None) -> Iterator[Chunk]:
        """Play all matchups.

        Parameters
        ----------
        jobs : int
            Threads; -1 for one a core. Changes no result.
        blocks : iterable of Block, optional
            Play these pairs only.

        Yields
        ------
        Chunk
            As they are ready; in order if rows are kept. Closing the iterator (or an exception in it) stops every task
            before its next game.

        Raises
        ------
        StrategyError
            If a strategy fails or chooses outside its legal list.
        """
        self.prepare()
        self._stop[0] = 0
        tasks = self._tasks(self.chunks(self.blocks if blocks is None else blocks))
        yield from in_parallel(tasks, self._tell_to_stop, ordered=self.keep_rows, n_jobs=jobs, prefer="threads")

    def play_chunk(self, chunk: Block) -> Chunk:
        """Play one chunk, in this thread.

        Raises
        ------
        StrategyError
            If a strategy fails or chooses outside its legal list.
        """
        matchup = self.matchups[chunk.matchup]
        place, tables = self._last_tables
        if place != chunk.matchup:
            tables = self._tables_of_each(matchup)
            self._last_tables = (chunk.matchup, tables)
        return self._play_chunk(chunk, tables, self._keys(matchup))

    def chunks(self, blocks: Iterable[Block], seconds: float = CHUNK_SECONDS) -> Iterator[Block]:
        """Cut blocks into chunks that take some seconds each, by the speed of the players so far, or as large as they
        are to be.
        """
        for block in blocks:
            first, end = block.first_pair, block.first_pair + block.pairs
            while first < end:
                pairs = min(self._next_chunk_pairs(self.matchups[block.matchup], seconds), end - first)
                yield Block(block.matchup, first, pairs)
                first += pairs

    def learn_speed(self, matchup: Matchup, pairs: int, seconds: float) -> None:
        """Note how long pairs of a matchup took, those with changes included."""
        self._pairs_a_second[_pace(matchup)] = pairs / seconds

    def _tasks(self, chunks: Iterable[Block]) -> Iterator[Any]:
        place, tables, keys = -1, [], np.zeros(2, np.uint64)
        for chunk in chunks:
            if chunk.matchup != place:
                place, matchup = chunk.matchup, self.matchups[chunk.matchup]
                tables, keys = self._tables_of_each(matchup), self._keys(matchup)
            yield joblib.delayed(self._play_chunk)(chunk, tables, keys)

    def _keys(self, matchup: Matchup) -> NDArray[np.uint64]:
        return side_keys(self.seed, self.game.name, (matchup.a.names, matchup.b.names))

    def _next_chunk_pairs(self, matchup: Matchup, seconds: float) -> int:
        if self.chunk_pairs is not None:
            return self.chunk_pairs
        speed = self._pairs_a_second.get(_pace(matchup))
        most = int(MOST_CHUNK_PAIRS * max(seconds / CHUNK_SECONDS, 1))
        seconds *= 1 + len(matchup.others) / 10  # a change takes some time of its own, however few pairs there are
        return FIRST_CHUNK_PAIRS if speed is None else int(min(max(speed * seconds, 1), most))

    def _tell_to_stop(self) -> None:
        self._stop[0] = 1

    def _play_chunk(self, chunk: Block, tables: Sequence[Any], keys: NDArray[np.uint64]) -> Chunk:
        place, first_pair, pairs = chunk
        matchup = self.matchups[place]
        started = time.perf_counter()
        played = list(self._play_each(matchup, tables, keys, first_pair, pairs))
        seconds = time.perf_counter() - started
        self.learn_speed(matchup, pairs, seconds)
        (counts, rows), *others = played
        complete = all(one.pairs == pairs for one, _ in played)
        comparisons = (
            PairedCounts.of_each(rows, [theirs for _, theirs in others])
            if complete
            else [PairedCounts.empty() for _ in others]
        )
        compared = tuple((other, paired) for (other, _), paired in zip(others, comparisons, strict=True))
        return Chunk(
            place, first_pair, pairs if complete else 0, counts, compared, rows if self.keep_rows else None, seconds
        )

    def _play_each(
        self, matchup: Matchup, tables: Sequence[Any], keys: NDArray[np.uint64], first_pair: int, pairs: int
    ) -> Iterator[tuple[Counts, NDArray[np.int32]]]:
        """Play pairs of a matchup without and with each change; what reads the same table goes the same and is played
        once.
        """
        played: dict[tuple[Any, ...], tuple[Counts, NDArray[np.int32]]] = {}
        for one, table in zip((matchup, *matchup.others), tables, strict=True):
            read = (id(table), one.a.choose, one.b.choose)
            if read not in played:
                played[read] = self._play_pairs(
                    one, table, keys, first_pair, pairs, keep_rows=self.keep_rows or bool(matchup.others)
                )
            yield played[read]

    def _play_pairs(
        self, matchup: Matchup, tables: Any, keys: NDArray[np.uint64], first_pair: int, pairs: int, *, keep_rows: bool
    ) -> tuple[Counts, NDArray[np.int32]]:
        """Play pairs of one matchup, unless told to stop; gives their counts and rows."""
        counts = self.empty(matchup)
        rows = np.zeros((2 * pairs if keep_rows else 0, ROW_COLUMNS), np.int32)
        mistake = np.zeros(4, np.int64)
        state, dealt = np.zeros(2, self.game.state)
        with (
            np.errstate(over="ignore"),
            _blamed(matchup),
        ):  # without JIT, numpy warns in each thread where arithmetic wraps around
            status = self.game.play_pairs(
                state, dealt, tables, np.zeros(self.game.legal_size, np.int32), matchup.a.choose, matchup.b.choose,
                keys, first_pair, pairs, self._stop, *counts.arrays.values(),
                np.zeros(self._rules(matchup).max_turns + 1), rows, mistake,
            )  # fmt: skip
        if status == ILLEGAL_CHOICE:
            pair, order, seat, legal = (int(x) for x in mistake)
            side = (matchup.a, matchup.b)[seat ^ order]
            raise StrategyError(
                f"strategy {side.strategy_label}: chose a place outside its legal list of {legal} (seat {seat}, pair "
                f"{pair}, "
                f"{matchup.a.deck_label} against {matchup.b.deck_label}); places run from 0 to {legal - 1}"
            )
        assert status != DONE or counts.games == 2 * pairs
        return counts, rows


def _pace(matchup: Matchup) -> Any:
    """Tell matchups apart that may take differently long: by who plays, or each alone if it has changes, which may not
    all be played.
    """
    return matchup if matchup.others else matchup.strategies


def in_parallel(tasks: Iterable[Any], stop: Callable[[], object], *, ordered: bool, **options: Any) -> Iterator[Any]:
    """Carry out tasks through joblib.

    Parameters
    ----------
    tasks : iterable
        What `joblib.delayed` made; drawn as they are wanted.
    stop : function
        Called at the end, whatever happens, before what is still at work is cancelled.
    ordered : bool
        Give results in the order of tasks, instead of as they are ready.
    **options
        For `joblib.Parallel`.

    Yields
    ------
    object
        Their results.
    """
    results = joblib.Parallel(batch_size=1, return_as="generator" if ordered else "generator_unordered", **options)(
        tasks
    )
    try:
        for result in results:  # noqa: UP028  # not `yield from`, which would close joblib's generator before tasks are told to stop
            yield result
    finally:
        stop()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # joblib tells what it cancels, which is what is wanted here
            results.close()


@contextmanager
def _blamed(matchup: Matchup) -> Iterator[None]:
    """Report what a strategy's code raises in the strategies' names."""
    try:
        yield
    except Exception as error:
        players = " or ".join(dict.fromkeys(matchup.strategies))
        decks = f"{matchup.a.deck_label} against {matchup.b.deck_label}"
        raise StrategyError(f"strategy {players}: {type(error).__name__}: {error} ({decks})") from error
