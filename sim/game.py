"""What a game is to everything else: its files' models, its records, its kernels and its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, cast, get_args

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from sim.cards import Card, CardSet, Deck, Rules
from sim.counts import Counts
from sim.files.errors import InputError, Problem, unknown
from sim.files.toml_lines import line_of
from sim.files.wording import listed, shown
from sim.kernels.jit import ENABLED, compile_now, note_compiled, was_compiled
from sim.kernels.loop import ROW_COLUMNS, Work, bind_loop, count_nothing, nothing_is_secret

NO_CARDS = np.zeros((0, 0, 0), np.int64)  # nothing is counted of cards


@dataclass(frozen=True)
class Tallies:
    """What a game counts for reports beside ends and lengths, by seat.

    Attributes
    ----------
    game : tuple of str
        Numbers a game.
    turn : tuple of str
        Numbers for each own turn of a seat; the first says in how many games there was one.
    turns : int
        Own turns that are told apart; the last stands for those after it, too.
    shares : tuple of str
        Numbers a game that are shares of another one.
    whole : str
        That other one.
    rates : tuple of str
        Numbers for each own turn that say in how many of them something held.
    """

    game: tuple[str, ...] = ()
    turn: tuple[str, ...] = ()
    turns: int = 0
    shares: tuple[str, ...] = ()
    whole: str = ""
    rates: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many numbers a seat has: those of the game, then those of the first own turn, and so on."""
        return len(self.game) + len(self.turn) * self.turns


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game. The fields are all that the rest of komi knows of it.

    Of a state it reads the fields ``players`` (by seat, each with its ``streams``), ``turn``, ``decision``,
    ``decider``, ``decisions``, ``winner`` and ``reason``; one of the reasons is ``turn_limit``.

    Attributes
    ----------
    name : str
        Its short name (``"sea"``).
    title : str
        Its name for people.
    folder : Path
        Where its starter set lies; decks are in ``decks`` beside it.
    card_set, deck, rules : type
        Pydantic models of its card files, deck files and rule options.
    check_deck : function
        ``(card_set, deck, rules) -> list of problems``.
    encode_deck : function
        ``(record, card_set, deck) -> None``: fills the empty record of a deck that breaks no rule.
    plain_card : function
        ``(card_set, card) -> Card or None``: the plain card of the same cost that a card is measured by, if there is
        one.
    numbers : function
        ``(table, seat, ids) -> dict``: the number by which hands and actions name each card of a deck, by id.
    plays : tuple of int
        The kinds of actions by which a player plays the card that they name from hand.
    state, table : numpy.dtype
        Records: a position; what does not change in a game, ``decks`` by seat, ``rules`` and ``knows_decks``.
    legal_size : int
        Room that every legal list fits into.
    decisions, reasons : tuple of str
        What may be asked; how a game may end.
    tallies : Tallies
        What else is counted.
    picked : int
        Cards that each player takes out of the deck before it is a pile.
    has_rounds : bool
        Both players act in every turn, which is called a round.
    shows_position_before_chance : bool
        A replay has the position before a chance event, too.
    deal, begin, advance, apply, sample_chance, apply_chance, tally : kernel
        The rules; see `sim.kernels.loop`.
    pool_hidden, determinize : kernel
        ``(state, table, seat)``, for strategies that try out how a game may go on: make unknown what a seat cannot
        know, in a copy, and tell whether a secret choice was taken back; deal it anew, as often as wanted, from the
        streams of the copy.
    lead : kernel
        ``(state, table, seat) -> float``: how far a seat is ahead by the rulebook's measure, from -1 to 1.
    horizon : int
        Decisions after which a search judges by the lead; 0: games are tried out to their end.
    secrecy : kernel
        ``(state) -> sim.kernels.loop.OPEN``, or that the decision is one of two that are made in secret.
    words : module
        ``action``, ``told``, ``position``, ``piles``, ``set_piles``, ``chance``, ``set_chance``, ``scramble_hidden``.
    tracer : type
        The game's `sim.tracing.Tracer`, which tells a person what comes of a step.
    """

    name: str
    title: str
    folder: Path
    card_set: type[CardSet]
    deck: type[Deck]
    rules: type[Rules]
    check_deck: Callable[..., list[Problem]]
    encode_deck: Callable[..., None]
    plain_card: Callable[[Any, Any], Card | None]
    numbers: Callable[..., dict[str, int]]
    plays: tuple[int, ...]
    state: np.dtype
    table: np.dtype
    legal_size: int
    decisions: tuple[str, ...]
    reasons: tuple[str, ...]
    tallies: Tallies = Tallies()
    picked: int = 0
    has_rounds: bool = False
    shows_position_before_chance: bool = False
    deal: Any
    begin: Any
    advance: Any
    apply: Any
    sample_chance: Any
    apply_chance: Any
    tally: Any = count_nothing
    pool_hidden: Any
    determinize: Any
    lead: Any
    horizon: int = 0
    secrecy: Any = nothing_is_secret
    words: Any
    tracer: Any

    def encode(
        self,
        card_set: CardSet,
        decks: tuple[Deck, Deck],
        rules: Rules,
        knows_decks: bool,
        parameters: tuple[Sequence[float], Sequence[float]] = ((), ()),
    ) -> np.ndarray:
        """Turn cards, decks and options into the table that the kernels read.

        Parameters
        ----------
        card_set : CardSet
            The cards.
        decks : two decks
            Of the first and the second seat.
        rules : Rules
            The options; one that is a word stands in the table as its place among the option's words.
        knows_decks : bool
            Strategies may know the opponent's deck list.
        parameters : two sequences of float
            What the strategies of the first and the second seat are told, at most `sim.kernels.table.PARAMETERS`
            numbers each.

        Returns
        -------
        array of ``table``, shape (1,)
            A fresh table.

        Raises
        ------
        InputError
            If a deck breaks the construction rule.
        """
        records, problems = [], []
        for deck in decks:
            try:
                records.append(self.encoded(card_set, deck, rules))
            except InputError as error:
                problems += error.problems
        if problems:
            raise InputError(problems)
        return self.laid(records, rules, knows_decks, parameters)

    def encoded(self, card_set: CardSet, deck: Deck, rules: Rules) -> np.ndarray:
        """Turn a deck into its record, as an array of one; raises `InputError` if it breaks the construction rule."""
        problems = self.check_deck(card_set, deck, rules)
        if problems:
            raise InputError(f"deck {deck.name!r}: {problem}" for problem in problems)
        record = np.zeros(1, self.table["decks"].base)
        self.encode_deck(record[0], card_set, deck)
        return record

    def laid(
        self,
        decks: Sequence[np.ndarray],
        rules: Rules,
        knows_decks: bool,
        parameters: tuple[Sequence[float], Sequence[float]] = ((), ()),
    ) -> np.ndarray:
        """Lay a table with two decks that `encoded` has given; see `encode`."""
        tables = np.zeros(1, self.table)
        table = tables[0]
        for seat, record in enumerate(decks):
            table["decks"][seat] = record[0]
        for option in table["rules"].dtype.names:
            value = getattr(rules, option)
            words = get_args(type(rules).model_fields[option].annotation)
            table["rules"][option] = words.index(value) if words else value
        table["knows_decks"] = knows_decks
        for seat, numbers in enumerate(parameters):
            table["parameters"][seat, : len(numbers)] = numbers
        return tables

    @property
    def turn_words(self) -> tuple[str, str]:
        """What a turn is called: in a line about one, and in what counts them."""
        return ("round", "rounds") if self.has_rounds else ("turn", "turns")

    @property
    def kernels(self) -> dict[str, Any]:
        """The kernels of the rules by name, to bind templates to."""
        return {
            name: getattr(self, name)
            for name in ("deal", "begin", "advance", "apply", "sample_chance", "apply_chance", "tally", "lead")
        }

    @cached_property
    def types(self) -> tuple[Any, Any, Any]:
        """The numba types of a state, a table and a legal list."""
        return numba.from_dtype(self.state), numba.from_dtype(self.table), types.int32[::1]

    @cached_property
    def choose_type(self) -> Any:
        """The type of a strategy's function: ``(state, table, legal, n) -> place in the legal list``."""
        return types.int64(*self.types, types.int64)

    @cached_property
    def play_pairs(self) -> Any:
        """The compiled loop; see `sim.kernels.loop`. Compiled on first use, once for all strategies."""
        return self.compile_loop(self.name)

    def compile_loop(self, noted_as: str, **looking_on: Any) -> Any:
        """Compile the loop with what looks on (`sim.kernels.loop.bind_loop`), or load it from the cache.

        Parameters
        ----------
        noted_as : str
            By what name `sim.kernels.jit.was_compiled` knows it.
        **looking_on : kernel
            For `sim.kernels.loop.bind_loop`.
        """
        loop = bind_loop(**self.kernels, limit=self.reasons.index("turn_limit"), **looking_on)
        if ENABLED:
            work = self.work(np.zeros(2, self.table), np.zeros(2, np.uint64), np.zeros(1, np.uint8), 0)
            choose, typeof = types.FunctionType(self.choose_type), cast(Any, numba.typeof)
            counts = self.empty_counts(0)
            signature = (typeof(work), typeof(counts), choose, choose, types.int64, types.int64)
            compile_now(loop, signature)
            loop.disable_compile()  # or numba would compile it anew for each strategy
            note_compiled(noted_as)
        return loop

    def empty_counts(self, max_turns: int) -> Counts:
        """Count nothing yet of games of at most so many turns."""
        return Counts.empty(len(self.reasons), self.tallies.size, max_turns)

    def work(
        self,
        tables: np.ndarray,
        keys: NDArray[np.uint64],
        stop: NDArray[np.uint8],
        max_turns: int,
        *,
        row_pairs: int = 0,
        cards: NDArray[np.int64] = NO_CARDS,
    ) -> Work:
        """Give the loop what it plays, and room to play in.

        Parameters
        ----------
        tables, keys, stop, cards : array
            See `sim.kernels.loop.Work`.
        max_turns : int
            Turns that a game takes at most.
        row_pairs : int
            Of how many pairs rows of single games are wanted.
        """
        return Work(
            tables=tables,
            keys=keys,
            stop=stop,
            rows=np.zeros((2 * row_pairs, ROW_COLUMNS), np.int32),
            cards=cards,
            states=np.zeros(2, self.state),
            legal=np.zeros(self.legal_size, np.int32),
            course=np.zeros(max_turns + 1),
            seen=np.zeros((2, 2), np.uint64),
            mistake=np.zeros(4, np.int64),
        )

    @property
    def is_compiled(self) -> bool:
        """The loop has been compiled on this machine before."""
        return was_compiled(self.name)

    @property
    def steps_are_compiled(self) -> bool:
        """The kernels that play step by step have been compiled on this machine before."""
        return was_compiled(f"{self.name}-steps")

    def compile_steps(self) -> None:
        """Compile the kernels that play one game step by step."""
        state, table, legal = self.types
        for function in (self.deal, self.begin, self.sample_chance, self.apply_chance):
            compile_now(function, (state, table))
        compile_now(self.advance, (state, table, legal))
        compile_now(self.apply, (state, table, types.int32))
        note_compiled(f"{self.name}-steps")


@cache
def game_names() -> tuple[str, ...]:
    """List the games: the folders of `sim` that lay out a state."""
    import sim

    return tuple(sorted(path.parent.name for path in Path(sim.__path__[0]).glob("*/layout.py")))


def load_game(name: str, at: str = "") -> Game:
    """Load a game by its name.

    Parameters
    ----------
    name : str
        Its short name.
    at : str
        What names it (a file and its key), to begin a message with.

    Raises
    ------
    InputError
        If there is no such game.
    """
    if name not in game_names():
        raise InputError(at + unknown("game", name, game_names()))
    game: Game = import_module(f"sim.{name}").GAME
    return game


def file_game(content: dict[str, Any], path: Path, text: str = "") -> Game:
    """Load the game that a file names.

    Parameters
    ----------
    content : dict
        What was read.
    path, text : Path and str
        The file, for messages; its text if it is TOML.

    Raises
    ------
    InputError
        If it names none, or none of komi's.
    """
    name, line = content.get("game"), line_of(text, ("game",))
    at = f"{path}:{line}" if line else str(path)
    if "game" not in content:
        known = listed([f'game = "{name}"' for name in game_names()], "or")
        raise InputError(f"{path}: the key 'game' is missing, expected {known}")
    if not isinstance(name, str):
        raise InputError(f"{at}: game: found {shown(name)}, expected the name of a game ({listed(game_names(), 'or')})")
    return load_game(name, f"{at}: game: ")
