"""Zones of games whose decks are numbered by *kinds*, the different cards of a deck: a hand as a set of kinds with
counts beside it.

A player's record has ``hand`` (set), ``hand_counts`` (by kind), ``hand_count``, ``deck`` (kinds, the top card last) and
``deck_count``.
"""

from __future__ import annotations

from sim.kernels.bits import NONE, U, lowest, single, without_lowest
from sim.kernels.jit import inner
from sim.kernels.streams import CHANCE, below

SOME = 3  # cards that are drawn at a time


@inner(forceinline=True)
def to_hand(player, kind):
    """Put a card into the hand."""
    player["hand_counts"][U(kind)] += 1
    player["hand"] |= single(kind)
    player["hand_count"] += 1


@inner(forceinline=True)
def from_hand(player, kind):
    """Take a card out of the hand."""
    left = player["hand_counts"][U(kind)] - 1
    player["hand_counts"][U(kind)] = left
    player["hand"] ^= U(left == 0) << U(kind)
    player["hand_count"] -= 1


@inner(forceinline=True)
def draw_card(player):
    """Move the top card of the deck to the hand."""
    player["deck_count"] -= 1
    to_hand(player, player["deck"][U(player["deck_count"])])


@inner(forceinline=True)
def draw_cards(player, n):
    """Draw so many cards, some at a time: computed, since a branch for each could not be foreseen."""
    while True:
        for k in range(SOME):
            drawn = 1 if k < n else 0
            player["deck_count"] -= drawn
            kind = player["deck"][U(player["deck_count"])]
            player["hand_counts"][U(kind)] += drawn
            player["hand"] |= U(drawn) << U(kind)
            player["hand_count"] += drawn
        n -= SOME
        if n <= 0:
            return


@inner
def sort(pile, size):
    """Put the first ``size`` cards of a pile in order."""
    for i in range(1, size):
        card = pile[U(i)]
        place = i
        while place > 0 and pile[U(place - 1)] > card:
            pile[U(place)] = pile[U(place - 1)]
            place -= 1
        pile[U(place)] = card


@inner
def hide_hand(player):
    """Lay the hand on the deck, all in an order that tells nothing; the hand keeps its size (see `take_hand`)."""
    size = player["deck_count"]
    while player["hand"] != NONE:
        kind = U(lowest(player["hand"]))
        player["hand"] = without_lowest(player["hand"])
        for _ in range(player["hand_counts"][kind]):
            player["deck"][U(size)] = kind
            size += 1
        player["hand_counts"][kind] = 0
    sort(player["deck"], size)


@inner
def take_hand(player):
    """Take a hidden hand anew from what lies on the deck, which is above its size."""
    while player["hand"] != NONE:
        player["hand_counts"][U(lowest(player["hand"]))] = 0
        player["hand"] = without_lowest(player["hand"])
    size = player["hand_count"]
    player["hand_count"] = 0
    for i in range(player["deck_count"], player["deck_count"] + size):
        to_hand(player, player["deck"][U(i)])


@inner
def choose_from_hand(state, player, n):
    """Choose random cards of a hand, or all if there are fewer, one after another, each equally likely; they stay there
    yet.
    """
    state["chosen_count"] = min(n, player["hand_count"])
    for i in range(state["chosen_count"]):
        place = below(player, CHANCE, player["hand_count"])
        rest = player["hand"]
        while place >= player["hand_counts"][U(lowest(rest))]:
            place -= player["hand_counts"][U(lowest(rest))]
            rest = without_lowest(rest)
        state["chosen"][i] = lowest(rest)
        from_hand(player, state["chosen"][i])
    for i in range(state["chosen_count"]):
        to_hand(player, state["chosen"][i])


@inner
def lay_deck(player, size):
    """Begin with an empty hand and a deck of so many cards."""
    player["hand"] = NONE
    player["hand_counts"][:] = 0
    player["hand_count"] = 0
    player["deck_count"] = size
