"""The records of a game: what does not change in it (decks, rules, what the players are told), and a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.kernels.streams import STREAMS

SEATS = 2
NOBODY, NOT_OVER = -1, -1  # no winner, no reason yet
PARAMETERS = 64  # numbers that a strategy may be given


def table_dtype(deck: np.dtype, rules: np.dtype | Sequence[str] = ("max_turns",)) -> np.dtype:
    """Lay out a game's table.

    Parameters
    ----------
    deck : numpy.dtype
        The game's record of a deck.
    rules : numpy.dtype or sequence of str
        That of its rule options, or their names if all are integers, truth values or words.

    Returns
    -------
    numpy.dtype
        A record of ``decks`` by seat, ``rules``, whether players know each other's deck lists (``knows_decks``), and
        the ``parameters`` of the strategies by seat (a seat's own alone are for its strategy to read).
    """
    options = rules if isinstance(rules, np.dtype) else np.dtype([(name, np.int32) for name in rules])
    return np.dtype(
        [
            ("decks", deck, SEATS),
            ("rules", options),
            ("knows_decks", np.int32),
            ("parameters", np.float64, (SEATS, PARAMETERS)),
        ],
        align=True,
    )


Fields = Sequence[tuple[Any, ...]]  # as numpy.dtype takes them: a name, a type and, of an array, its shape


def deck_dtype(card: Fields, kinds: int, size: int) -> np.dtype:
    """Lay out the record of a deck that is numbered by kinds, its different cards.

    Parameters
    ----------
    card : sequence of fields
        What rules read of a card, by the names of the card file.
    kinds, size : int
        How many different cards there may be, at most 64, and how many in all.

    Returns
    -------
    numpy.dtype
        A record of ``size``, ``kinds``, ``cards`` by kind (with the ``id``, its place in the card file) and ``pile``,
        the kinds of all cards in the order of the card file.
    """
    cards = np.dtype([("id", np.int32), *card], align=True)
    return np.dtype(
        [("size", np.int32), ("kinds", np.int32), ("cards", cards, kinds), ("pile", np.int8, size)], align=True
    )


def hand_and_deck(kinds: int, size: int) -> Fields:
    """List the fields of a player that `sim.kernels.zones` works with."""
    return (
        ("hand", np.uint64),  # kinds
        ("hand_count", np.int32),
        ("hand_counts", np.int8, kinds),
        ("deck", np.int8, size),  # kinds, the top card last
        ("deck_count", np.int32),
    )


def state_dtype(player: Fields, extra: Fields = ()) -> np.dtype:
    """Lay out a position.

    Parameters
    ----------
    player : sequence of fields
        What a player has beside random streams.
    extra : sequence of fields
        What the game has beside what komi reads of every game.

    Returns
    -------
    numpy.dtype
        A record of ``players`` by seat, ``turn``, ``decision``, ``decider``, ``decisions``, ``winner``, ``reason`` and
        ``extra``.
    """
    common = [(name, np.int32) for name in ("turn", "decision", "decider", "decisions", "winner", "reason")]
    players = np.dtype([("streams", np.uint64, STREAMS), *player], align=True)
    return np.dtype([("players", players, SEATS), *common, *extra], align=True)
