"""One game, step by step, with the same kernels that play millions: for logs, replays and people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sim.cards import CardSet, Deck, Rules
from sim.files.errors import InputError, unknown
from sim.game import Game
from sim.kernels.loop import CHANCE
from sim.kernels.streams import seed_streams


@dataclass(frozen=True, eq=False)
class Setup:
    """What two players sit down to: a game, its cards, a deck for each seat, the rules.

    Attributes
    ----------
    game : Game
        The game.
    card_set : CardSet
        The cards.
    decks : two decks
        Of the first and the second seat.
    rules : pydantic model
        The game's rule options.
    knows_decks : bool
        Strategies may know the opponent's deck list.
    parameters : two sequences of float
        What the strategies of the first and the second seat are told (`strategies.Strategy.parameters`).
    """

    game: Game
    card_set: CardSet
    decks: tuple[Deck, Deck]
    rules: Rules
    knows_decks: bool = True
    parameters: tuple[Sequence[float], Sequence[float]] = ((), ())

    @cached_property
    def tables(self) -> np.ndarray:
        """The table that kernels read, as an array of one record."""
        return self.game.encode(self.card_set, self.decks, self.rules, self.knows_decks, self.parameters)

    @cached_property
    def ids(self) -> list[str]:
        """The card ids in the order of the card file."""
        return self.card_set.ids


NOT_DEALT = -2


class Match:
    """One game under way.

    Parameters
    ----------
    setup : Setup
        Who plays what.

    Notes
    -----
    After `deal` (seeded) or `deal_piles` (given), a match waits for a decision (`act`), for a chance event
    (`let_happen`), or is over. Seeds guarantee: the same keys and pair give the same game as `sim.run` plays.
    """

    def __init__(self, setup: Setup):
        self.setup = setup
        self.game = setup.game
        self.game.compile_steps()
        self.states = np.zeros(1, self.game.state)
        self.state = self.states[0]
        self.table = setup.tables[0]
        self._legal = np.zeros(self.game.legal_size, np.int32)
        self._waits_for = NOT_DEALT
        self.piles: list[list[str]] | None = (
            None  # as shuffled, the top first; None as long as cards are to be picked out of them
        )

    def deal(self, keys: np.ndarray, pair: int = 0) -> None:
        """Shuffle and begin.

        Parameters
        ----------
        keys : uint64 array, shape (2,)
            Of the sides in the first and in the second seat (`sim.kernels.streams.side_keys`).
        pair : int
            The pair's number.
        """
        self._seed(keys, pair)
        self.game.deal(self.state, self.table)
        self._begin()

    def _seed(self, keys: np.ndarray, pair: int) -> None:
        for seat in range(2):
            seed_streams(self.state["players"][seat], keys[seat], np.int64(pair))

    def deal_piles(self, piles: list[list[str]]) -> None:
        """Begin with given piles, the top card first; each must hold its deck's cards. What is left to chance is always
        the same.
        """
        self._seed(np.arange(2, dtype=np.uint64), 0)
        self.game.words.set_piles(self.state, self.table, self.setup.ids, piles)
        self._begin()

    def _begin(self) -> None:
        self.piles = None
        self.game.begin(self.state, self.table)
        self._advance()

    def go_on_from(self, other: Match) -> None:
        """Take over the position of another game with the same decks, and what it waits for."""
        self.states[:], self.setup.tables[:] = other.states, other.setup.tables
        self._legal[:], self._waits_for, self.piles = other._legal, other._waits_for, other.piles

    def ask_anew(self) -> None:
        """Go on to the next decision, after the position has been changed by hand."""
        self._advance()

    def _advance(self) -> None:
        self._waits_for = int(self.game.advance(self.state, self.table, self._legal))
        if self.piles is None:
            self.piles = self.game.words.piles(self.state, self.table, self.setup.ids)

    @property
    def is_over(self) -> bool:
        """The game has ended."""
        return self._waits_for == 0

    @property
    def waits_for_chance(self) -> bool:
        """The next step is a chance event."""
        return self._waits_for == CHANCE

    @property
    def legal(self) -> list[str]:
        """The legal actions in words, in the rulebook's order."""
        return [self.game.words.action(self.state, self.table, self.setup.ids, int(code)) for code in self.legal_codes]

    @property
    def legal_codes(self) -> np.ndarray:
        """The legal actions as codes, int32, shape (n,)."""
        return self._legal[: max(self._waits_for, 0)]

    @property
    def decision(self) -> str:
        """What is asked."""
        return self.game.decisions[int(self.state["decision"])]

    @property
    def decider(self) -> int:
        """The seat that decides."""
        return int(self.state["decider"])

    @property
    def turn(self) -> int:
        """The turn under way, from 1."""
        return int(self.state["turn"])

    @property
    def position(self) -> list[dict[str, Any]]:
        """What lies where, in the rulebook's words, for both seats."""
        position: list[dict[str, Any]] = self.game.words.position(self.state, self.table, self.setup.ids)
        return position

    @property
    def result(self) -> dict[str, Any]:
        """Winner (seat, None for a draw), end reason and turns of a game that is over."""
        winner = int(self.state["winner"])
        return {
            "winner": winner if winner >= 0 else None,
            "reason": self.game.reasons[int(self.state["reason"])],
            "turns": self.turn,
        }

    def act(self, action: str | int) -> None:
        """Take one of the legal actions.

        Parameters
        ----------
        action : str or int
            Its words, or its place in the legal list.

        Raises
        ------
        InputError
            If it is not legal.
        """
        if isinstance(action, str):
            legal = self.legal
            if action not in legal:
                raise InputError(f"turn {self.turn}, {self.decision}: {unknown('action', action, legal)}")
            action = legal.index(action)
        if not 0 <= action < self._waits_for:
            raise InputError(
                f"turn {self.turn}, {self.decision}: found place {action} in a legal list of {max(self._waits_for, 0)}"
            )
        self.game.apply(self.state, self.table, self._legal[action])
        self._advance()

    def ask(self, choose: Callable[..., int], label: str = "") -> int:
        """Ask a strategy's function for its choice.

        Parameters
        ----------
        choose : function
            The strategy's function.
        label : str
            How messages name it; by default by its seat.

        Returns
        -------
        int
            The place in the legal list.

        Raises
        ------
        InputError
            If the strategy's code fails, or it chooses outside its list.
        """
        name, where = label or f"in seat {self.decider}", f"turn {self.turn}, {self.decision}"
        try:
            place = int(
                choose(self.state, self.table, self.legal_codes.copy(), self._waits_for)
            )  # a copy, lest it writes to it
        except Exception as error:
            raise InputError(f"strategy {name}: {type(error).__name__}: {error} ({where})") from error
        if not 0 <= place < self._waits_for:
            last = self._waits_for - 1
            raise InputError(
                f"strategy {name}: chose place {place} of a legal list of {last + 1} ({where}); places run from 0 to "
                f"{last}"
            )
        return place

    def let_happen(self, outcome: dict[str, Any] | None = None) -> dict[str, Any]:
        """Let the chance event happen: at random, or with a given outcome.

        Parameters
        ----------
        outcome : dict, optional
            A chance step of a replay.

        Returns
        -------
        dict
            The chance step.

        Raises
        ------
        InputError
            If the given outcome is not possible.
        """
        words, ids = self.game.words, self.setup.ids
        if outcome is None:
            self.game.sample_chance(self.state, self.table)
        else:
            expected = words.set_chance(self.state, self.table, ids, outcome)
            if expected is not None:
                raise InputError(f"found {outcome}, expected {expected}")
        step: dict[str, Any] = words.chance(self.state, self.table, ids)
        for key in ("chance", "player"):
            if outcome is not None and outcome.get(key, step[key]) != step[key]:
                raise InputError(f"found {outcome}, expected {key} = {step[key]!r}")
        self.game.apply_chance(self.state, self.table)
        self._advance()
        return step
