"""A step of a game told as it happens: the kernels run once more, as plain Python on a copy, while a tracer looks on.

So a log cannot differ from the rules: what it tells is what they do, in the order in which they do it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from inspect import isgeneratorfunction
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sim.kernels import bits
from sim.kernels.jit import is_own, plain_function, with_names

if TYPE_CHECKING:
    from sim.play import Match

SEATS = ("first", "second")
Looking = Generator[None, Any, None]  # what a tracer's method for a kernel gives

# What numba has as machine instructions.
STAND_INS: dict[str, Callable[..., Any]] = {
    bits.count.__name__: lambda members: np.int64(int(members).bit_count()),
    bits.lowest.__name__: lambda members: np.int64((int(members) & -int(members)).bit_length() - 1 if members else 64),
}


class NewTurn(NamedTuple):
    """A turn, or round, begins.

    Attributes
    ----------
    turn : int
        Its number.
    seat : int
        Whose turn it is; in a round, who is first.
    """

    turn: int
    seat: int


class Tracer:
    """Tells what comes of the steps of a game; each game may have its own, without which turns alone are told.

    For a kernel that it looks at it has a method of the same name and arguments, a generator: what stands before its
    ``yield`` runs before the kernel, the rest after it, and the ``yield`` gives what the kernel returns. In between the
    kernel's own calls are told.

    Parameters
    ----------
    match : Match
        Dealt; it is only read.

    Notes
    -----
    A move of a card is told as ``seat: card: zone → zone``, several of one kind in one line with commas; a change of a
    number as ``seat: name old → new``.
    """

    def __init__(self, match: Match):
        self.match = match
        cards = {card.id: f"{card.name} ({card.en})" for card in match.setup.card_set.card}
        self.names = [cards[id] for id in match.setup.ids]
        self.table = match.table
        self.states = match.states.copy()
        self.state = self.states[0]
        self.lines: list[str | NewTurn] = []
        self.depth = 0
        self._like: tuple[int, int, str] | None = None  # the move told last
        self._legal = np.zeros(match.game.legal_size, np.int32)
        self._copies: dict[Any, Callable[..., Any]] = {}

    def follow(self, code: int | None = None) -> list[str | NewTurn]:
        """Tell what the match's next step will do, all that follows of itself included; the match stays where it is.

        Parameters
        ----------
        code : int, optional
            The action that will be taken; by default the chance event that waits will happen.

        Returns
        -------
        list of str and NewTurn
            Lines, those that belong to the one before indented, and where a turn begins.
        """
        game = self.match.game
        self.states[:] = self.match.states
        self.lines, self.depth, self._like = [], 0, None
        if code is None:
            game.sample_chance(self.state, self.table)  # as it will be: the streams are copied, too
        with np.errstate(over="ignore"):
            if code is None:
                self.plain(game.apply_chance)(self.state, self.table)
            else:
                self.plain(game.apply)(self.state, self.table, np.int32(code))
            self.plain(game.advance)(self.state, self.table, self._legal)
        if type(self) is Tracer and self.state["turn"] != self.match.turn:
            self.lines.append(NewTurn(int(self.state["turn"]), int(self.state["decider"])))
        return self.lines

    def plain(self, kernel: Any) -> Callable[..., Any]:
        """Give a kernel as plain Python, that calls such copies of other kernels and is looked at."""
        function = plain_function(kernel)
        if function not in self._copies:
            copy = STAND_INS.get(function.__name__) or with_names(function, {})
            watch = getattr(self, function.__name__, None)
            self._copies[function] = _watched(copy, watch) if isgeneratorfunction(watch) else copy
            for name in function.__code__.co_names if isinstance(copy, FunctionType) else ():
                called = plain_function(copy.__globals__.get(name))
                if isinstance(called, FunctionType) and is_own(called):
                    copy.__globals__[name] = self.plain(called)
        return self._copies[function]

    def say(self, text: str, player: Any = None) -> None:
        """Tell something, of a player (a seat, or its record) or of nobody."""
        whose = "" if player is None else f"{SEATS[self.seat_of(player)]}: "
        self.lines.append(f"{'  ' * self.depth}{whose}{text}")
        self._like = None

    def move(self, player: Any, card: str, source: str, target: str, note: str = "") -> None:
        """Tell a move of a player's card; one like the one just told goes into the same line."""
        seat = self.seat_of(player)
        tail = f": {source} → {target}{note}"
        like = (seat, self.depth, tail)
        if self._like == like:
            self.lines[-1] = f"{str(self.lines[-1]).removesuffix(tail)}, {card}{tail}"
        else:
            self.say(f"{card}{tail}", seat)
        self._like = like

    def seat_of(self, player: Any) -> int:
        """Give the seat of a player's record."""
        if not isinstance(player, np.void):
            return int(player)
        return 0 if np.may_share_memory(player["streams"], self.state["players"][0]["streams"]) else 1


def _watched(kernel: Callable[..., Any], watch: Callable[..., Looking]) -> Callable[..., Any]:
    """Let a tracer's method look at each call of a kernel."""

    def call(*arguments: Any) -> Any:
        looking = watch(*arguments)
        next(looking)
        result = kernel(*arguments)
        with suppress(StopIteration):
            looking.send(result)
        return result

    return call
