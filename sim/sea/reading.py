"""Sea in the rulebook's words, for strategies: what lies where, and which card an action is about.

A card of the Sea goes by its *place*, from 0 in order of arrival; a *card* is what the functions below give, to be
asked for its power.
"""

from __future__ import annotations

from sim.kernels.bits import U, contains, count
from sim.kernels.jit import reading
from sim.kernels.legal import KIND_SHIFT, LAST_MASK, PLACE_MASK, PLACE_SHIFT
from sim.reading import decision_of, first_of_kind, kind_of, my_seat, other_seat, turn_of
from sim.sea.layout import (
    A_ATTACK,
    A_ATTACK_LIFE,
    A_DEPLOY,
    A_DRAW,
    A_END,
    A_GUARD,
    A_PASS,
    A_SKILL,
    A_SUPPORT,
    A_TARGET,
    A_TARGET_ID,
    A_USE,
    ACTION,
    DEPLOY,
    DRAW,
    E_BOUNCE,
    E_READY,
    GUARD,
    SKILL,
    SUPPORT,
    TARGET,
    USE,
)

__all__ = [
    "ACTION", "A_ATTACK", "A_ATTACK_LIFE", "A_DEPLOY", "A_DRAW", "A_END", "A_GUARD", "A_PASS", "A_SKILL", "A_SUPPORT",
    "A_TARGET", "A_TARGET_ID", "A_USE", "DEPLOY", "DRAW", "GUARD", "SUPPORT", "TARGET", "USE", "attacker_of",
    "attacker_power_of", "card_at", "card_of", "decision_of", "first_of_kind", "friends_of", "guards_of",
    "hand_size_of", "has_compel", "has_guard", "has_pierce", "has_skill", "is_attack_on_life", "is_upright", "kind_of",
    "life_of", "my_seat", "other_seat", "place_of", "power_of", "sea_power_of", "sea_size_of", "target_of", "turn_of",
    "upright_of",
]  # fmt: skip

# ----------------------------------------------------------------------------------------------------------------
# players


@reading
def life_of(state, seat):
    """Give how many cards a player has in Life."""
    return state["players"][seat]["life_count"]


@reading
def hand_size_of(state, seat):
    """Give how many cards a player has in hand."""
    return count(state["players"][seat]["hand"])


@reading
def friends_of(state, seat):
    """Give how many cards a player has in Friends."""
    return state["players"][seat]["friends_count"]


@reading
def sea_size_of(state, seat):
    """Give how many cards a player has in the Sea."""
    return state["players"][seat]["sea_count"]


@reading
def sea_power_of(state, seat):
    """Give the total power of a player's Sea."""
    return state["players"][seat]["sea_power"]


@reading
def upright_of(state, seat):
    """Give how many cards of a player's Sea are upright."""
    return count(state["players"][seat]["upright"])


@reading
def guards_of(state, seat):
    """Give how many cards of a player can guard: upright ones with that keyword."""
    player = state["players"][seat]
    return count(player["guards"] & player["upright"])


@reading
def is_upright(state, seat, place):
    """Tell whether the card at a place of a player's Sea is upright."""
    player = state["players"][seat]
    return 0 <= place < player["sea_count"] and contains(player["upright"], place)


# ------------------------------------------------------------------------------------------------------------------
# cards


@reading
def card_at(state, table, seat, place):
    """Give the card at a place of a player's Sea."""
    return table["decks"][seat]["cards"][state["players"][seat]["sea"][place]]


@reading
def power_of(card):
    """Give a card's power."""
    return card["power"]


@reading
def has_guard(card):
    """Tell whether a card has the keyword guard."""
    return card["guard"] != 0


@reading
def has_compel(card):
    """Tell whether a card has the keyword compel."""
    return card["compel"] != 0


@reading
def has_pierce(card):
    """Tell whether a card has the keyword pierce."""
    return card["pierce"] != 0


@reading
def has_skill(card):
    """Tell whether a card has a skill."""
    return card["abilities"][SKILL + 1] > card["abilities"][SKILL]


# ----------------------------------------------------------------------------------------------------------------
# actions


@reading
def is_attack_on_life(action):
    """Tell whether an action attacks Life."""
    return action >> KIND_SHIFT == A_ATTACK_LIFE


@reading
def place_of(action):
    """Give the place of the own card that attacks, uses its skill or guards."""
    return action & LAST_MASK if action >> KIND_SHIFT == A_GUARD else action >> PLACE_SHIFT & PLACE_MASK


@reading
def card_of(state, table, action):
    """Give the own card that an action is about: the one to support, deploy, attack, use its skill, guard or choose in
    Friends.
    """
    seat = U(state["decider"])
    kind = action >> KIND_SHIFT
    if kind == A_SUPPORT or kind == A_DEPLOY or kind == A_TARGET_ID:
        return table["decks"][seat]["cards"][action & LAST_MASK]
    return card_at(state, table, seat, place_of(action))


@reading
def target_of(state, table, action):
    """Give the card in the Sea that an action attacks or chooses: the opponent's, or an own one to be readied or taken
    back.
    """
    seat = U(state["decider"])
    if action >> KIND_SHIFT == A_TARGET and state["ability"] < state["ability_end"]:
        do = table["decks"][seat]["abilities"][state["ability"]]["do"]
        if do == E_READY or do == E_BOUNCE:
            return card_at(state, table, seat, action & LAST_MASK)
    return card_at(state, table, U(1) - seat, action & LAST_MASK)


@reading
def attacker_of(state, table):
    """Give the card that attacks, when a guard is asked for."""
    return card_at(state, table, U(state["active"]), state["players"][U(state["active"])]["actor"])


@reading
def attacker_power_of(state, table):
    """Give the power with which it attacks."""
    return attacker_of(state, table)["power"] + state["bonus"]
