"""Dino: what a player cannot know, made unknown and dealt anew: for strategies that try out how a game may go on
(D1.6).
"""

from __future__ import annotations

from sim.dino.layout import AFFORD, MAX_KINDS, NOBODY, SLOTS, WHENS
from sim.kernels.bits import NONE, ONE, U, lowest, single, without_lowest
from sim.kernels.determinization import lend_abilities, shift_abilities
from sim.kernels.jit import inner, kernel
from sim.kernels.streams import shuffle
from sim.kernels.zones import hide_hand, sort, take_hand

TRIGGERS = len(WHENS)


@kernel
def pool_hidden(state, table, seat):
    """Lay what a seat cannot know together in an order that tells nothing; a list that it does not know, as its own.

    Returns that no choice was taken back.
    """
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    sort(me["deck"], me["deck_count"])
    hide_hand(foe)
    if not table["knows_decks"]:
        determinize_deck(me, foe, table["decks"][seat], table["decks"][ONE - seat])
    return False


@inner
def determinize_deck(me, foe, own, deck):
    """Take the opponent's unseen cards to be those of the own deck, in the kinds that have not been seen."""
    seen = foe["stratum"]
    for slot in range(SLOTS):
        seen |= ((foe["occupied"] >> U(slot)) & ONE) << U(foe["field"][U(slot)]["card"])
    if foe["use"] != NOBODY:
        seen |= single(foe["use"])
    rows = 0
    rest = seen
    while rest != NONE:
        rows = max(rows, deck["cards"][U(lowest(rest))]["abilities"][TRIGGERS])
        rest = without_lowest(rest)
    shift = lend_abilities(own, own["cards"][U(own["kinds"] - 1)]["abilities"][TRIGGERS], deck, rows)
    for budget in range(AFFORD):
        deck["afford"][U(budget)] &= seen
    deck["dinos"] &= seen
    deck["spells"] &= seen
    deck["counters"] &= seen
    deck["kinds"] = MAX_KINDS
    free = ~seen
    place = 0
    for kind in range(own["kinds"]):
        if free == NONE:
            break
        stand_in = U(lowest(free))
        free = without_lowest(free)
        card = deck["cards"][stand_in]
        deck["cards"][stand_in] = own["cards"][U(kind)]
        shift_abilities(card, shift)
        for budget in range(min(card["cost"], AFFORD), AFFORD):
            deck["afford"][U(budget)] |= single(stand_in)
        deck["dinos"] |= ((own["dinos"] >> U(kind)) & ONE) << stand_in
        deck["spells"] |= ((own["spells"] >> U(kind)) & ONE) << stand_in
        deck["counters"] |= ((own["counters"] >> U(kind)) & ONE) << stand_in
        while place < own["size"] and own["pile"][U(place)] == kind:  # a list is in the order of its kinds
            deck["pile"][U(place)] = stand_in
            place += 1
    shuffle(me, deck["pile"], place, place)
    for i in range(foe["deck_count"] + foe["hand_count"]):
        foe["deck"][U(i)] = deck["pile"][U(i % place)]


@kernel
def determinize(state, table, seat):
    """Deal anew what `pool_hidden` has laid together: the order of both decks, the opponent's hand."""
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    shuffle(me, me["deck"], me["deck_count"], me["deck_count"])
    size = foe["deck_count"] + foe["hand_count"]
    shuffle(foe, foe["deck"], size, size)
    take_hand(foe)
