"""Sea: what a player cannot know, made unknown and dealt anew: for strategies that try out how a game may go on (S1.6)."""

from __future__ import annotations

from sim.kernels.bits import NONE, ONE, U, count, lowest, single, up_to, without_lowest
from sim.kernels.determinization import lend_abilities, shift_abilities
from sim.kernels.jit import inner, kernel
from sim.kernels.streams import CHANCE, below, shuffle
from sim.kernels.zones import sort
from sim.sea.layout import MAX_POWER, WHENS
from sim.sea.rules import with_card

TRIGGERS = len(WHENS)


@kernel
def pool_hidden(state, table, seat):
    """Lay what a seat cannot know together in an order that tells nothing; a list that it does not know, as its own.

    Its own Life lies in order; the opponent's hand lies on its Life. Returns that no choice was taken back.
    """
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][ONE - seat]
    sort(me["life"], me["life_count"])
    size = foe["life_count"]
    rest = foe["hand"]
    while rest != NONE:
        foe["life"][U(size)] = deck["pile"][U(lowest(rest))]
        rest = without_lowest(rest)
        size += 1
    if not table["knows_decks"]:
        determinize_deck(me, foe, table["decks"][seat], deck)
    sort(foe["life"], size)
    return False


@inner
def determinize_deck(me, foe, own, deck):
    """Take the opponent's unseen cards to be cards of the own deck; each is a slot of its own."""
    opened = NONE
    for i in range(foe["friends_count"]):
        opened = with_card(deck, opened, foe["friends"][U(i)])
    for i in range(foe["sea_count"]):
        opened = with_card(deck, opened, foe["sea"][U(i)])
    rows = 0  # of the cards that have been seen
    rest = opened
    while rest != NONE:
        card = deck["cards"][U(deck["pile"][U(lowest(rest))])]
        rest = without_lowest(rest)
        card["group"] &= opened
        rows = max(rows, card["abilities"][TRIGGERS])
    last = own["cards"][U(own["pile"][U(own["size"] - 1)])]
    shift = lend_abilities(own, last["abilities"][TRIGGERS], deck, rows)
    unseen = up_to(deck["size"]) & ~opened
    for points in range(MAX_POWER + 1):
        deck["afford"][U(points)] &= ~unseen
    deck["first"] |= unseen
    place = 0
    while unseen != NONE:
        slot = U(lowest(unseen))
        unseen = without_lowest(unseen)
        card = deck["cards"][slot]
        deck["cards"][slot] = own["cards"][U(own["pile"][U(below(me, CHANCE, own["size"]))])]
        card["group"] = single(slot)
        shift_abilities(card, shift)
        for points in range(card["power"], MAX_POWER + 1):
            deck["afford"][U(points)] |= single(slot)
        deck["pile"][slot] = slot
        foe["life"][U(place)] = slot
        place += 1


@kernel
def determinize(state, table, seat):
    """Deal anew what `pool_hidden` has laid together: the order of both Lives, the opponent's hand."""
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][ONE - seat]
    shuffle(me, me["life"], me["life_count"], me["life_count"])
    size = foe["life_count"] + count(foe["hand"])
    shuffle(foe, foe["life"], size, size)
    foe["hand"] = NONE
    for i in range(foe["life_count"], size):
        foe["hand"] = with_card(deck, foe["hand"], foe["life"][U(i)])
