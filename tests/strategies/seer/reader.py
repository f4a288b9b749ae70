"""Knows greedy's rule: works out which battle card greedy would play from the hands that it may hold, and answers it
best.
"""

import numpy as np

from sim.kernels.bits import U
from sim.seer.layout import BATTLE, LAST_MASK
from strategies import kernel
from strategies.seer._scoring import choose_other, lone_value
from strategies.seer.mixed import COLUMNS, fill, payoff, unseen_copies


@kernel
def choose(state, table, legal, n):
    """Answer the mixture of cards that greedy would play; do all else as greedy does."""
    if n == 1:
        return 0
    if state["decision"] != BATTLE:
        return choose_other(state, table, legal, n, None)
    seat = state["decider"]
    me, foe = state["players"][seat], state["players"][1 - seat]
    deck, foe_deck = table["decks"][seat], table["decks"][1 - seat]
    mine, theirs = deck["cards"][me["active"]], foe_deck["cards"][foe["active"]]
    unseen = unseen_copies(foe, foe_deck)
    values = np.full(len(unseen), -1e9)
    for kind in range(foe_deck["kinds"]):
        if unseen[kind] > 0:
            values[kind] = lone_value(foe, foe_deck, theirs, mine, foe_deck["cards"][kind], None)
    own, other = np.zeros((n, COLUMNS)), np.zeros(COLUMNS)
    for i in range(n):
        fill(own[i], deck, deck["cards"][U(legal[i] & LAST_MASK)], me)
    totals = np.zeros(n)
    all_cards, better = unseen.sum(), 0
    for kind in np.argsort(-values):
        if unseen[kind] > 0:
            chance = none_held(all_cards, better, foe["hand_count"]) - none_held(
                all_cards, better + unseen[kind], foe["hand_count"]
            )
            better += unseen[kind]
            other[:] = 0.0
            fill(other, foe_deck, foe_deck["cards"][kind], foe)
            for i in range(n):
                totals[i] += chance * payoff(own[i], other, mine["by_sign"], theirs["by_sign"], me["hp"], foe["hp"])
    return np.argmax(totals)


@kernel
def none_held(cards, marked, hand):
    """Give the chance that a hand out of so many cards has none of the marked ones."""
    chance = 1.0
    for i in range(hand):
        chance *= max(cards - marked - i, 0) / max(cards - i, 1)
    return chance
