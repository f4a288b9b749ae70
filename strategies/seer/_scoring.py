"""What an action is worth in HP: features, each with a weight, added up; the first of the best is taken."""

from sim.kernels.bits import NONE, ONE, U, contains, count, lowest, without_lowest
from sim.kernels.jit import inner
from sim.seer.layout import (
    A_EVOLVE,
    BATTLE,
    E_ATTACK,
    E_BEAN,
    E_DAMAGE,
    E_DEFENCE,
    E_DISCARD,
    E_DOUBLE,
    E_DRAIN,
    E_DRAW,
    E_HEAL,
    E_NEGATE,
    E_STEAL_BEAN,
    E_SUMMON_SUPER,
    EXCHANGE,
    K_MISSION,
    K_SPIRIT,
    KIND_SHIFT,
    LAST_MASK,
    MISSION,
    PICK,
    PLACE_MASK,
    PLACE_SHIFT,
    R_ATTACKER,
    R_DEFENDER,
    SIGNS,
    SPIRIT,
)
from sim.seer.rules import gives
from strategies.weights import weight

FEATURES = {
    "attack": "a spirit's attack, the mean over the signs",
    "fitting": "moves that a spirit can use",
    "stages": "stages that a spirit can evolve to",
    "variety": "two first spirits that differ",
    "swap": "the cards that a swap costs",
    "evolve": "the card that evolving costs",
    "deals": "damage dealt when the sign wins",
    "takes": "damage taken when the sign loses",
    "negate": "negating what an attacker adds",
    "drain": "HP drained by an attack",
    "heal": "HP healed by effects",
    "damage": "damage by effects",
    "cards": "cards in hand: drawn, taken, spent as battle cards",
    "beans": "beans: gained, stolen, paid",
    "super": "summoning a better super",
}
(
    F_ATTACK,
    F_FITTING,
    F_STAGES,
    F_VARIETY,
    F_SWAP,
    F_EVOLVE,
    F_DEALS,
    F_TAKES,
    F_NEGATE,
    F_DRAIN,
    F_HEAL,
    F_DAMAGE,
    F_CARDS,
    F_BEANS,
    F_SUPER,
) = range(len(FEATURES))

CARD = 25.0  # what a card in hand is worth, in HP
BEAN = 20.0
MOVE = 100  # what a move of the opponent may give
ENOUGH_FIT = 2  # moves of a hand that is kept
FIT = 35.0  # a move in hand that a spirit can use
NEXT_STAGE = 30.0
BEATEN_BY = 2  # a sign is beaten by the one so many places on


@inner(forceinline=True)
def choose_best(state, table, legal, n, weights):
    """Take the action of the highest value, the first of equals."""
    if n == 1:
        return 0
    if state["decision"] == BATTLE:
        return choose_card(state, table, legal, n, weights)
    return choose_other(state, table, legal, n, weights)


@inner
def choose_other(state, table, legal, n, weights):
    """Choose at every decision but that of the battle card."""
    seat = U(state["decider"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    decision = state["decision"]
    if decision == SPIRIT:
        return choose_spirit(me, deck, legal, n, weights)
    if decision == MISSION:
        return choose_mission(state, table, legal, n, weights)
    if decision == EXCHANGE:
        return 0 if best_fit(me, deck) >= weight(weights, F_FITTING) * ENOUGH_FIT else 1
    best, best_value = 0, -1.0
    for i in range(n):
        kind = legal[i] & LAST_MASK
        if decision == PICK:
            other = legal[i] >> PLACE_SHIFT & PLACE_MASK
            same = 60.0 if kind == other else 0.0
            value = in_deck(deck, kind, weights) + in_deck(deck, other, weights) - weight(weights, F_VARIETY) * same
        else:  # a lead or a super
            value = worth(me, deck, kind, weights)
        if value > best_value:
            best, best_value = i, value
    return best


# ------------------------------------------------------------------------------------------------------- what spirits
# are worth


@inner(forceinline=True)
def mean_attack(card):
    """Give a spirit's attack, the mean over the signs."""
    return (card["by_sign"][0] + card["by_sign"][1] + card["by_sign"][2]) / 3.0


@inner
def fitting(me, deck, spirit):
    """Count the different moves in hand that a spirit can use."""
    moves = 0
    rest = me["hand"]
    while rest != NONE:
        card = deck["cards"][U(lowest(rest))]
        rest = without_lowest(rest)
        moves += contains(card["users"], spirit)
    return moves


@inner
def best_fit(me, deck):
    """Count the moves in hand that the best basic spirit in hand can use."""
    best = 0
    rest = me["hand"] & deck["basics"]
    while rest != NONE:
        best = max(best, fitting(me, deck, lowest(rest)))
        rest = without_lowest(rest)
    return best


@inner
def worth(me, deck, spirit, weights):
    """Value a spirit as the active one, with the hand as it is."""
    card = deck["cards"][U(spirit)]
    return (
        weight(weights, F_ATTACK) * mean_attack(card)
        + weight(weights, F_FITTING) * FIT * fitting(me, deck, spirit)
        + weight(weights, F_STAGES) * NEXT_STAGE * count(me["hand"] & card["evolves"])
    )


@inner
def in_deck(deck, spirit, weights):
    """Value a basic spirit by what the whole deck holds for it."""
    card = deck["cards"][U(spirit)]
    value = weight(weights, F_ATTACK) * mean_attack(card)
    for kind in range(deck["kinds"]):
        copies = deck["counts"][U(kind)]
        value += weight(weights, F_FITTING) * 8.0 * copies * contains(deck["cards"][U(kind)]["users"], spirit)
        value += weight(weights, F_STAGES) * 12.0 * copies * contains(card["evolves"], kind)
    return value


@inner
def choose_spirit(me, deck, legal, n, weights):
    """Swap or evolve if the new spirit is better by more than the card is worth."""
    now = worth(me, deck, me["active"], weights)
    best, best_value = n - 1, 0.0
    for i in range(n - 1):
        cost = (
            weight(weights, F_EVOLVE) * CARD
            if legal[i] >> KIND_SHIFT == A_EVOLVE
            else weight(weights, F_SWAP) * 2.0 * CARD
        )
        value = worth(me, deck, legal[i] & LAST_MASK, weights) - now - cost
        if value > best_value:
            best, best_value = i, value
    return best


# -------------------------------------------------------------------------------------------------------------- the
# battle


@inner
def profile(deck, card, attacks, weights):
    """Sum up what a battle card gives in a role: attack or defence, doublings, whether it negates, drains, and other
    gains in HP.
    """
    gives = card["attack"] if attacks else card["defence"]
    doubles, negates, drains = 0, 0, 0
    other = 0.0
    for row in range(card["abilities"][0], card["abilities"][1]):
        ability = deck["abilities"][U(row)]
        role = ability["role"]
        if role == R_DEFENDER if attacks else role == R_ATTACKER:
            continue
        do = ability["do"]
        n = ability["n"]
        if do == E_ATTACK:
            gives += n * attacks
        elif do == E_DEFENCE:
            gives += n * (not attacks)
        elif do == E_DOUBLE:
            doubles += attacks
        elif do == E_NEGATE:
            negates = 1
        elif do == E_DRAIN:
            drains += attacks
        elif do == E_HEAL:
            other += weight(weights, F_HEAL) * 0.8 * n
        elif do == E_DAMAGE:
            other += weight(weights, F_DAMAGE) * n
        elif do == E_DRAW or do == E_DISCARD:
            other += weight(weights, F_CARDS) * CARD * n
        elif do == E_BEAN or do == E_STEAL_BEAN:
            other += weight(weights, F_BEANS) * BEAN * n
    return gives, doubles, negates, drains, other


@inner
def choose_card(state, table, legal, n, weights):
    """Play the card of the best mean over winning and losing the signs."""
    seat = U(state["decider"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][seat]
    mine = deck["cards"][U(me["active"])]
    theirs = table["decks"][ONE - seat]["cards"][U(foe["active"])]
    best, best_value = 0, -1e9
    for i in range(n):
        card = deck["cards"][U(legal[i] & LAST_MASK)]
        value = lone_value(me, deck, mine, theirs, card, weights)
        if value > best_value:
            best, best_value = i, value
    return best


@inner(forceinline=True)
def lone_value(me, deck, mine, theirs, card, weights):
    """Value a battle card by itself: what it deals when it wins, less what it lets through when it loses."""
    if card["kind"] == K_MISSION:
        return weight(weights, F_TAKES) * (-mean_attack(theirs) - MOVE)
    sign = U(card["sign"])
    deals = 1.0 * mine["by_sign"][sign]
    takes = 1.0 * theirs["by_sign"][(card["sign"] + BEATEN_BY) % len(SIGNS)] + MOVE
    gains = 0.0
    if gives(me, card):
        given, doubles, _, drains, other = profile(deck, card, True, weights)
        deals = (deals + given) * (1 << min(doubles, 4))
        gains += other + weight(weights, F_DRAIN) * 0.5 * drains * deals
        given, _, negates, _, other = profile(deck, card, False, weights)
        takes -= given + weight(weights, F_NEGATE) * negates * MOVE
        gains += other
    if card["kind"] == K_SPIRIT:
        price = weight(weights, F_CARDS) * CARD
    else:
        price = weight(weights, F_BEANS) * (BEAN * card["cost"] - BEAN * card["bean"])
    return weight(weights, F_DEALS) * deals - weight(weights, F_TAKES) * max(takes, 0.0) + gains - price


# ------------------------------------------------------------------------------------------------------------ missions


@inner
def choose_mission(state, table, legal, n, weights):
    """Execute the mission that brings the most for its beans, if any brings something."""
    seat = U(state["decider"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][seat]
    best, best_value = n - 1, 0.0
    for i in range(n - 1):
        card = deck["cards"][U(legal[i] & LAST_MASK)]
        value = weight(weights, F_BEANS) * -0.5 * BEAN * card["cost"]
        for row in range(card["abilities"][0], card["abilities"][1]):
            ability = deck["abilities"][U(row)]
            do = ability["do"]
            amount = ability["n"]
            if do == E_SUMMON_SUPER:
                value += weight(weights, F_SUPER) * (
                    best_super(me, deck, weights) - worth(me, deck, me["active"], weights)
                )
            elif do == E_HEAL:
                room = table["rules"]["hp"] - me["hp"] if table["rules"]["hp_cap"] else amount
                value += weight(weights, F_HEAL) * min(amount, room)
            elif do == E_DAMAGE:
                value += 1000.0 if amount >= foe["hp"] else weight(weights, F_DAMAGE) * amount
            elif do == E_DRAW:
                value += weight(weights, F_CARDS) * CARD * amount
            elif do == E_DISCARD:
                value += weight(weights, F_CARDS) * CARD * min(amount, foe["hand_count"])
            elif do == E_BEAN:
                value += weight(weights, F_BEANS) * BEAN * min(amount, me["deck_count"])
            elif do == E_STEAL_BEAN:
                value += weight(weights, F_BEANS) * BEAN * min(amount, foe["bean_count"])
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def best_super(me, deck, weights):
    """Value the best of the own supers."""
    best = 0.0
    rest = me["supers"]
    while rest != NONE:
        best = max(best, worth(me, deck, lowest(rest), weights))
        rest = without_lowest(rest)
    return best
