"""War: the rules as kernels, in the order of a round."""

import numpy as np

from sim.kernels.bits import U
from sim.kernels.defaults import end, start
from sim.kernels.jit import kernel
from sim.kernels.legal import LAST_MASK, SPARE, ask, list_members
from sim.kernels.loop import OVER
from sim.kernels.streams import shuffle
from sim.kernels.table import NOBODY, deck_dtype, hand_and_deck, state_dtype, table_dtype
from sim.kernels.zones import draw_cards, from_hand, lay_deck, sort

KINDS, SIZE, HAND = 8, 20, 2  # different cards of a deck, all its cards, cards in a hand
LEAD, ANSWER = range(2)  # decisions
POINTS, TURN_LIMIT = range(2)  # reasons
LEGAL_SIZE = KINDS + SPARE

TABLE = table_dtype(deck_dtype([("value", np.int32)], KINDS, SIZE))
STATE = state_dtype(
    player=[*hand_and_deck(KINDS, SIZE), ("played", np.int8, SIZE), ("played_count", np.int32), ("points", np.int32)],
    extra=[("asked", np.int32)],  # what is asked next: LEAD or ANSWER
)


@kernel
def begin(state, table):
    """Draw the opening hands."""
    start(state)
    state["asked"] = LEAD
    for seat in range(2):
        player = state["players"][seat]
        lay_deck(player, table["decks"][seat]["size"])
        player["played_count"] = player["points"] = 0
        draw_cards(player, min(HAND, player["deck_count"]))


@kernel
def advance(state, table, legal):
    """Ask who leads, or who answers; a round begins, or the game ends, before a lead."""
    first, second = state["players"][0], state["players"][1]
    if state["asked"] == LEAD:
        limit = state["turn"] == table["rules"]["max_turns"]
        if limit or min(first["hand_count"], second["hand_count"]) == 0:
            ahead = first["points"] - second["points"]
            end(state, NOBODY if ahead == 0 else int(ahead < 0), TURN_LIMIT if limit else POINTS)
            return OVER
        state["turn"] += 1
    seat = (state["turn"] + state["asked"] + 1) % 2
    return ask(state, seat, state["asked"], list_members(legal, 0, 0, state["players"][U(seat)]["hand"], 0, 2))


@kernel
def apply(state, table, action):
    """Play a card; the second one ends the round."""
    player = state["players"][U(state["decider"])]
    from_hand(player, action & LAST_MASK)
    player["played"][U(player["played_count"])] = action & LAST_MASK
    player["played_count"] += 1
    if state["asked"] == ANSWER:
        first, second = state["players"][0], state["players"][1]
        a, b = value_played(first, table["decks"][0]), value_played(second, table["decks"][1])
        first["points"] += a + b if a > b else 0
        second["points"] += a + b if b > a else 0
        draw_cards(first, min(1, first["deck_count"]))
        draw_cards(second, min(1, second["deck_count"]))
    state["asked"] = 1 - state["asked"]


@kernel
def value_played(player, deck):
    """Give the value of the card that a player has played last."""
    return deck["cards"][U(player["played"][U(player["played_count"] - 1)])]["value"]


@kernel
def pool_hidden(state, table, seat):
    """Make the order of both decks unknown; returns that no choice was taken back."""
    for owner in range(2):
        sort(state["players"][owner]["deck"], state["players"][owner]["deck_count"])
    return False


@kernel
def determinize(state, table, seat):
    """Shuffle both decks anew."""
    for owner in range(2):
        player = state["players"][owner]
        shuffle(player, player["deck"], player["deck_count"], player["deck_count"])
