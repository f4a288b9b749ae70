"""Greedy but for the battle card, which it draws from a mixture that no choice of sign can exploit.

How it thinks. It sets up the small zero-sum game of one battle, valued in HP as the position stands: its different hand
cards against the three signs that the opponent may show, each sign standing for the mean of the unseen cards that have
it, those that would count weighing more. It takes the opponent to choose its sign blindly half of the time, and to know
this rule otherwise, and plays the maximin mixture: a fixed choice in rock, scissors, paper can always be beaten.
"""

import numpy as np

from sim.kernels.bits import ONE, U
from sim.kernels.jit import inner, kernel
from sim.kernels.streams import STRATEGY, below
from sim.seer.layout import BATTLE, K_MISSION, K_SPIRIT, LAST_MASK, MAX_KINDS, NOBODY, SIGNS
from sim.seer.rules import gives
from strategies.seer._scoring import BEAN, CARD, choose_other, profile
from strategies.zero_sum import solve

BLIND = 0.5  # how often the opponent is taken to choose its sign blindly
UNFIT = 0.25  # weight of an unseen card that would not count
KNOCK_OUT = 600.0  # what it is worth to end the game, beside the damage
RESOLUTION = 1 << 30
MOST_DOUBLES = 8

# What a card gives in a battle, as a row of numbers; those from GIVES to OTHER as attacker, then as defender.
SIGN, BEATS, PRICE, FITS, IS_MISSION, GIVES, FACTOR, NEGATES, DRAINS, OTHER = range(10)
AS_DEFENDER = 5  # so many places on
COLUMNS = 15

# An opponent whose deck is not known is taken to hold a move of each sign.
TYPICAL_ATTACK, TYPICAL_DEFENCE = 120, 50


@kernel(allocates=True)
def choose(state, table, legal, n):
    """Draw the battle card from the maximin mixture; choose all else as greedy does."""
    if n == 1:
        return 0
    if state["decision"] != BATTLE:
        return choose_other(state, table, legal, n, None)
    mixture = solve(battle_game(state, table, legal, n))
    left = below(state["players"][U(state["decider"])], STRATEGY, RESOLUTION) / RESOLUTION
    for i in range(n - 1):
        left -= mixture[i]
        if left < 0.0:
            return i
    return n - 1


@kernel(allocates=True)
def battle_game(state, table, legal, n):
    """Make the payoffs of one battle in HP: the own cards of the legal list by the signs that the opponent may show."""
    seat = U(state["decider"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][seat]
    foe_deck = table["decks"][ONE - seat]
    mine = deck["cards"][U(me["active"])]["by_sign"]
    theirs = foe_deck["cards"][U(foe["active"])]["by_sign"]
    own = np.zeros((n, COLUMNS))
    for i in range(n):
        fill(own[i], deck, deck["cards"][U(legal[i] & LAST_MASK)], me)
    payoffs = np.zeros((n, len(SIGNS)))
    shares = np.zeros(len(SIGNS))
    card = np.zeros(COLUMNS)
    unseen = unseen_copies(foe, foe_deck)
    for kind in range(foe_deck["kinds"] if table["knows_decks"] else len(SIGNS)):
        if table["knows_decks"]:
            if unseen[kind] == 0 or foe_deck["cards"][U(kind)]["kind"] == K_MISSION:
                continue
            card[:] = 0.0
            fill(card, foe_deck, foe_deck["cards"][U(kind)], foe)
            weight = unseen[kind] * (1.0 if card[FITS] else UNFIT)
        else:
            card[SIGN] = kind
            card[BEATS] = (kind + 1) % len(SIGNS)
            card[FACTOR] = 1.0
            card[GIVES] = TYPICAL_ATTACK
            card[GIVES + AS_DEFENDER] = TYPICAL_DEFENCE
            weight = 1.0
        sign = int(card[SIGN])
        shares[sign] += weight
        for i in range(n):
            payoffs[i, sign] += weight * payoff(own[i], card, mine, theirs, me["hp"], foe["hp"])
    shown = 0
    for sign in range(len(SIGNS)):  # signs that are left
        if shares[sign] > 0.0:
            for i in range(n):
                payoffs[i, shown] = payoffs[i, sign] / shares[sign]
            shown += 1
    shown = max(shown, 1)
    for i in range(n):
        mean = payoffs[i, :shown].mean()
        for column in range(shown):
            payoffs[i, column] += BLIND * (mean - payoffs[i, column])
    return payoffs[:, :shown].copy()


@kernel(allocates=True)
def unseen_copies(player, deck):
    """Count the copies of each card of a known deck that lie in no open zone."""
    left = np.zeros(MAX_KINDS, np.int64)
    for kind in range(deck["kinds"]):
        left[kind] = deck["counts"][U(kind)] - player["discard_counts"][U(kind)]
    for i in range(player["bean_count"]):
        left[player["beans"][(player["bean_first"] + i) % len(player["beans"])]] -= 1
    if player["active"] != NOBODY and deck["counts"][U(player["active"])] > 0:
        left[player["active"]] -= 1
    return left


@inner
def fill(row, deck, card, player):
    """Note what a card gives in either role."""
    row[SIGN] = card["sign"]
    row[BEATS] = (card["sign"] + 1) % len(SIGNS)
    row[FACTOR] = 1.0
    if card["kind"] == K_MISSION:
        row[IS_MISSION] = 1.0
        return
    row[PRICE] = CARD if card["kind"] == K_SPIRIT else BEAN * (card["cost"] - card["bean"])
    if not gives(player, card):
        return
    row[FITS] = 1.0
    for role in range(2):
        given, doubles, negates, drains, other = profile(deck, card, role == 0, None)
        first = role * AS_DEFENDER
        row[GIVES + first] = given
        row[FACTOR + first] = 1 << min(doubles, MOST_DOUBLES)
        row[NEGATES + first] = negates
        row[DRAINS + first] = drains
        row[OTHER + first] = other


@inner
def payoff(own, theirs, mine, other, my_hp, their_hp):
    """Value one battle for the owner of the first card."""
    price = theirs[PRICE] - own[PRICE]
    if own[IS_MISSION] > 0.0 and theirs[IS_MISSION] > 0.0:
        return price
    attacks = theirs[IS_MISSION] > 0.0
    if not attacks and own[IS_MISSION] == 0.0:
        if own[SIGN] == theirs[SIGN]:
            return price
        attacks = own[BEATS] == theirs[SIGN]
    if attacks:
        return price + strike(own, theirs, mine, their_hp)
    return price - strike(theirs, own, other, my_hp)


@inner
def strike(attacker, defender, by_sign, hp):
    """Value an attack in HP for the attacker."""
    negates = attacker[NEGATES] > 0.0
    negated = defender[NEGATES + AS_DEFENDER] > 0.0 and not negates
    total = 1.0 * by_sign[U(attacker[SIGN])]
    if not negated:
        total = (total + attacker[GIVES]) * attacker[FACTOR]
    if not negates:
        total -= defender[GIVES + AS_DEFENDER]
    total = max(total, 0.0)
    value = total + (KNOCK_OUT if total >= hp else 0.0)
    if not negated:
        value += attacker[OTHER] + 0.5 * attacker[DRAINS] * total
    if not negates:
        value -= defender[OTHER + AS_DEFENDER]
    return value
