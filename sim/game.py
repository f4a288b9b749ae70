"""What a game is to everything else: its files' models, its records, its kernels and its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, cast, get_args

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from sim.card_words import kinds_by_id
from sim.cards import Card, CardSet, Deck, Rules, check_counted, deck_of, encode_counted, set_of
from sim.counts import Counts
from sim.files.errors import InputError, Problem
from sim.kernels.defaults import deal_decks, deal_nothing, nobody_leads, nothing_happens
from sim.kernels.homes import Home
from sim.kernels.jit import ENABLED, compile_now, note_compiled, was_compiled
from sim.kernels.loop import ROW_COLUMNS, Work, bind_loop, count_nothing, nothing_is_secret
from sim.words import Words

NO_CARDS = np.zeros((0, 0, 0), np.int64)  # nothing is counted of cards
TURN_LIMIT = "turn_limit"  # the reason of a game that is stopped
STATE = ("players", "turn", "decision", "decider", "decisions", "winner", "reason")
TABLE = ("decks", "rules", "knows_decks", "parameters")


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
    ``decider``, ``decisions``, ``winner`` and ``reason``; one of the reasons is ``turn_limit``. What has a default may
    be left out: then what needs it is not offered, and says so.

    Attributes
    ----------
    name : str
        Its short name (``"sea"``).
    title : str
        Its name for people.
    folder : Path
        Where its starter set lies; decks are in ``decks`` beside it.
    card : type
        Pydantic model of a card, from which that of its sets is made if there is none.
    card_set, deck, rules : type
        Pydantic models of its card files, deck files and rule options.
    check_deck : function
        ``(card_set, deck, rules) -> list of problems``; by default a deck need only fit into its record.
    encode_deck : function
        ``(record, card_set, deck) -> None``: fills the empty record of a deck that breaks no rule; by default one laid
        out by `sim.kernels.table.deck_dtype`.
    plain_card : function, optional
        ``(card_set, card) -> Card or None``: the plain card of the same cost that a card is measured by, if there is
        one. Without, no knock-out.
    numbers : function
        ``(table, seat, ids) -> dict``: the number by which hands and actions name each card of a deck, by id.
    kinds : tuple of str
        The kinds of actions in words, if the game has no words of its own for actions.
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
        The rules; see `sim.kernels.loop`. By default the players' ``deck`` is shuffled, if they have one, and there are
        no chance events.
    pool_hidden, determinize : kernel, optional
        ``(state, table, seat)``, for strategies that try out how a game may go on: make unknown what a seat cannot
        know, in a copy, and tell whether a secret choice was taken back; deal it anew, as often as wanted, from the
        streams of the copy. Without, no search.
    lead : kernel
        ``(state, table, seat) -> float``: how far a seat is ahead by the rulebook's measure, from -1 to 1.
    horizon : int
        Decisions after which a search judges by the lead; 0: games are tried out to their end.
    secrecy : kernel
        ``(state) -> sim.kernels.loop.OPEN``, or that the decision is one of two that are made in secret.
    words : module
        ``action``, ``told``, ``position``, ``piles``, ``set_piles``, ``chance``, ``set_chance``, ``scramble_hidden``;
        by default, and for those that it has not, those of `sim.words.Words`.
    tracer : type
        The game's `sim.tracing.Tracer`, which tells a person what comes of a step; by default nothing.
    home : Home or None
        Of a game outside komi: its folder and what its code is.
    package : str
        The name under which a game outside komi is imported.
    """

    name: str
    title: str
    folder: Path
    card: type[Card] = Card
    card_set: type[CardSet] = CardSet
    deck: type[Deck] = Deck
    rules: type[Rules] = Rules
    check_deck: Callable[..., list[Problem]] = None  # type: ignore[assignment]  # these are filled in below
    encode_deck: Callable[..., None] = encode_counted
    plain_card: Callable[[Any, Any], Card | None] | None = None
    numbers: Callable[..., dict[str, int]] = kinds_by_id
    kinds: tuple[str, ...] = ()
    plays: tuple[int, ...] = ()
    state: np.dtype
    table: np.dtype
    legal_size: int
    decisions: tuple[str, ...]
    reasons: tuple[str, ...]
    tallies: Tallies = Tallies()
    picked: int = 0
    has_rounds: bool = False
    shows_position_before_chance: bool = False
    deal: Any = None
    begin: Any
    advance: Any
    apply: Any
    sample_chance: Any = nothing_happens
    apply_chance: Any = nothing_happens
    tally: Any = count_nothing
    pool_hidden: Any = None
    determinize: Any = None
    lead: Any = nobody_leads
    horizon: int = 0
    secrecy: Any = nothing_is_secret
    words: Any = None
    tracer: Any = None
    home: Home | None = None
    package: str = ""

    def __post_init__(self) -> None:
        problems = [f"state: the field {name!r} is missing" for name in STATE if name not in (self.state.names or ())]
        problems += [f"table: the field {name!r} is missing" for name in TABLE if name not in (self.table.names or ())]
        if TURN_LIMIT not in self.reasons:
            problems.append(f"reasons: found {self.reasons}, expected {TURN_LIMIT!r} among them")
        if (self.pool_hidden is None) != (self.determinize is None):
            problems.append("found one of pool_hidden and determinize, expected both or none")
        if self.words is None and len(self.kinds) == 0:
            problems.append("found neither kinds nor words, expected the kinds of actions in words")
        if problems:
            raise InputError(f"the game {self.name!r}: {problem}" for problem in problems)
        made: dict[str, Any] = {"words": Words(self, self.words.own if isinstance(self.words, Words) else self.words)}
        if self.card_set is CardSet:
            made["card_set"] = set_of(self.name, self.card)
        if self.deck is Deck:
            made["deck"] = deck_of(self.name)
        if self.check_deck is None:
            made["check_deck"] = partial(check_counted, self.table["decks"].base)
        if self.deal is None:
            made["deal"] = deal_decks if self.has_piles else deal_nothing
        for name, value in made.items():
            object.__setattr__(self, name, value)

    @property
    def player_fields(self) -> tuple[str, ...]:
        """What its records of players have."""
        return self.state["players"].base.names or ()

    @property
    def has_piles(self) -> bool:
        """Players have their decks before them, as piles."""
        return "deck" in self.player_fields

    @property
    def hides(self) -> bool:
        """It says what a seat cannot know, so that strategies can try out what it may be."""
        return self.pool_hidden is not None

    @property
    def compiled_as(self) -> str:
        """The name under which is noted that it has been compiled: with its sources, if it is outside komi."""
        return self.name if self.home is None else f"{self.name}-{self.home.rules}"

    @property
    def named(self) -> str:
        """How a study names it: by its name, or by the folder where it lies."""
        return self.name if self.home is None else str(self.home.folder)

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
        return self.compile_loop(self.compiled_as)

    def compile_loop(self, noted_as: str, **looking_on: Any) -> Any:
        """Compile the loop with what looks on (`sim.kernels.loop.bind_loop`), or load it from the cache.

        Parameters
        ----------
        noted_as : str
            By what name `sim.kernels.jit.was_compiled` knows it.
        **looking_on : kernel
            For `sim.kernels.loop.bind_loop`.
        """
        loop = bind_loop(**self.kernels, limit=self.reasons.index(TURN_LIMIT), **looking_on)
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
        return was_compiled(self.compiled_as)

    @property
    def steps_are_compiled(self) -> bool:
        """The kernels that play step by step have been compiled on this machine before."""
        return was_compiled(f"{self.compiled_as}-steps")

    def compile_steps(self) -> None:
        """Compile the kernels that play one game step by step."""
        state, table, legal = self.types
        for function in (self.deal, self.begin, self.sample_chance, self.apply_chance):
            compile_now(function, (state, table))
        compile_now(self.advance, (state, table, legal))
        compile_now(self.apply, (state, table, types.int32))
        note_compiled(f"{self.compiled_as}-steps")
