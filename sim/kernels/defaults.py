"""What a game has where it says nothing: decks that are shuffled, no chance events, nobody ahead; and how games begin
and end.
"""

from __future__ import annotations

from sim.kernels.jit import inner, kernel
from sim.kernels.streams import shuffle
from sim.kernels.table import NOBODY, NOT_OVER, SEATS


@kernel
def deal_decks(state, table):
    """Make each deck a shuffled pile, the player's ``deck``."""
    for seat in range(SEATS):
        player, deck = state["players"][seat], table["decks"][seat]
        for i in range(deck["size"]):
            player["deck"][i] = deck["pile"][i]
        shuffle(player, player["deck"], deck["size"], deck["size"])


@kernel
def deal_nothing(state, table):
    """Deal nothing: the players have no ``deck``."""


@kernel
def nothing_happens(state, table):
    """Choose the outcome of a chance event, or let it happen, in a game that has none."""


@kernel
def nobody_leads(state, table, seat):
    """Tell that no seat is ahead."""
    return 0.0


@inner(forceinline=True)
def start(state):
    """Begin with turn 0, in which nothing has been asked."""
    state["turn"] = 0
    state["decider"] = 0
    state["decision"] = 0
    state["decisions"] = 0
    state["winner"] = NOBODY
    state["reason"] = NOT_OVER


@inner(forceinline=True)
def end(state, winner, reason):
    """End the game: with the winner's seat or `NOBODY`, and the place of the reason among the game's reasons."""
    state["winner"] = winner
    state["reason"] = reason
