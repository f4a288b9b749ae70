"""Seer: what a player cannot know, made unknown and dealt anew: for strategies that try out how a game may go on
(E1.8).
"""

from __future__ import annotations

from sim.kernels.bits import NONE, ONE, U, contains, lowest, single, without_lowest
from sim.kernels.determinization import lend_abilities, shift_abilities
from sim.kernels.jit import inner, kernel
from sim.kernels.loop import OPEN, SECRET_FIRST, SECRET_SECOND
from sim.kernels.streams import shuffle
from sim.kernels.zones import hide_hand, sort, take_hand
from sim.seer.layout import (
    BATTLE_PHASE,
    BEANS,
    DRAW_PHASE,
    EXCHANGE_PHASE,
    K_MOVE,
    LEAD_PHASE,
    MAX_COST,
    MAX_KINDS,
    NOBODY,
    PICK_PHASE,
    PICKED,
)
from sim.seer.rules import lay_deck


@kernel
def secrecy(state):
    """Tell whether what is chosen now is shown only when both have chosen (E2.5, E5.1)."""
    phase = state["phase"]
    if phase == PICK_PHASE or phase == EXCHANGE_PHASE or phase == LEAD_PHASE or phase == BATTLE_PHASE:
        return SECRET_FIRST if state["step"] == 0 else SECRET_SECOND
    return OPEN


@kernel
def pool_hidden(state, table, seat):
    """Lay what a seat cannot know together in an order that tells nothing; take the opponent's secret choice back.

    A list that it does not know is taken to be its own. Returns whether a choice was taken back.
    """
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    taken_back = secrecy(state) == SECRET_SECOND
    if taken_back:
        state["step"] = 0
        foe["pending"] = NOBODY
    if state["phase"] != PICK_PHASE:
        sort(me["deck"], me["deck_count"])
        hide_hand(foe)
    if not table["knows_decks"]:
        determinize_deck(me, foe, table["decks"][seat], table["decks"][ONE - seat], state["phase"] == PICK_PHASE)
    return taken_back


@inner
def stood_for(kinds, free):
    """Give the kinds that stand for a set of the own deck's kinds: the lowest that is free for kind 0, and so on."""
    found = NONE
    while kinds != NONE and free != NONE:
        found |= (kinds & ONE) << U(lowest(free))
        kinds >>= ONE
        free = without_lowest(free)
    return found


@inner
def determinize_deck(me, foe, own, deck, in_pile):
    """Take the opponent's unseen cards to be those of the own deck, in the kinds that have not been seen."""
    seen = NONE
    if foe["active"] != NOBODY:
        seen |= single(foe["active"])
    if foe["battle"] != NOBODY:
        seen |= single(foe["battle"])
    for i in range(foe["bean_count"]):
        seen |= single(foe["beans"][U(foe["bean_first"] + i) & U(BEANS - 1)])
    for kind in range(MAX_KINDS):
        seen |= U(foe["discard_counts"][kind] + foe["out_counts"][kind] > 0) << U(kind)
        deck["counts"][kind] = 0
    rows = 0
    rest = seen
    while rest != NONE:
        card = deck["cards"][U(lowest(rest))]
        rest = without_lowest(rest)
        rows = max(rows, card["abilities"][1])
        card["users"] |= ~seen if card["kind"] == K_MOVE else NONE
        card["evolves"] &= seen
    shift = lend_abilities(own, own["cards"][U(own["kinds"] - 1)]["abilities"][1], deck, rows)
    for beans in range(MAX_COST + 1):
        deck["payable"][U(beans)] &= seen
    deck["basics"] &= seen
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
        card["users"] = stood_for(card["users"], ~seen)
        card["users"] |= seen if card["users"] != NONE else NONE
        card["evolves"] = stood_for(card["evolves"], ~seen)
        shift_abilities(card, shift)
        for beans in range(MAX_COST + 1):
            deck["payable"][U(beans)] |= ((own["payable"][U(beans)] >> U(kind)) & ONE) << stand_in
        deck["basics"] |= ((own["basics"] >> U(kind)) & ONE) << stand_in
        deck["counts"][stand_in] = own["counts"][U(kind)]
        for _ in range(own["counts"][U(kind)]):
            deck["kind_of"][U(place)] = stand_in
            place += 1
    if foe["supers"] != NONE:  # they are known by their number alone
        foe["supers"] = NONE
        for kind in range(MAX_KINDS):
            foe["super_counts"][kind] = 0
    shuffle(me, deck["kind_of"], place, place)
    picks = 0
    for i in range(place):  # with two basic spirits at the bottom, to be picked, or for a hand of the setup
        kind = deck["kind_of"][U(i)]
        if picks < PICKED and contains(deck["basics"], kind):
            deck["kind_of"][U(i)] = deck["kind_of"][U(picks)]
            deck["kind_of"][U(picks)] = kind
            picks += 1
    for i in range(foe["deck_count"] + foe["hand_count"]):
        foe["deck"][U(i)] = deck["kind_of"][U(i % place)]
    if in_pile:
        take_as_list(deck, foe["deck"])


@inner
def take_as_list(deck, pile):
    """Take the cards of a pile to be a deck's list."""
    sort(pile, deck["size"])
    for kind in range(MAX_KINDS):
        deck["counts"][kind] = 0
    for i in range(deck["size"]):
        kind = U(pile[U(i)])
        deck["kind_of"][U(i)] = kind
        deck["first_slot"][kind] = i - deck["counts"][kind]
        deck["counts"][kind] += 1


@kernel
def determinize(state, table, seat):
    """Deal anew what `pool_hidden` has laid together: the order of both decks, the opponent's hand, in the setup with
    two basic spirits.
    """
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    if state["phase"] == PICK_PHASE:
        lay_deck(me, table["decks"][seat])
        lay_deck(foe, table["decks"][ONE - seat])
        return
    shuffle(me, me["deck"], me["deck_count"], me["deck_count"])
    size = foe["deck_count"] + foe["hand_count"]
    shuffle(foe, foe["deck"], size, size)
    if state["phase"] < DRAW_PHASE:
        top = size
        for i in range(size - 1, -1, -1):
            kind = foe["deck"][U(i)]
            if top > size - PICKED and contains(table["decks"][ONE - seat]["basics"], kind):
                top -= 1
                foe["deck"][U(i)] = foe["deck"][U(top)]
                foe["deck"][U(top)] = kind
                foe["picked"][size - 1 - top] = kind
    take_hand(foe)
