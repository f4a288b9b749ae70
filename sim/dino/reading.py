"""Dino in the rulebook's words, for strategies: what lies where, and which card or dino an action is about.

A dino on the field goes by its *slot*, 0 to 4; a *card* is what the functions below give, to be asked for its cost.
"""

from __future__ import annotations

from sim.dino.layout import (
    A_ATTACK,
    A_ATTACK_DINO,
    A_ATTACK_LIFE,
    A_BLOCK,
    A_CAST,
    A_END,
    A_KEEP,
    A_LEVEL,
    A_PASS,
    A_RETURN,
    A_SUMMON,
    A_TARGET_ENEMY,
    A_TARGET_ID,
    A_TARGET_OWN,
    ATTACK,
    BLOCK,
    BLOCKS,
    COUNTER,
    HASTE,
    HUNT,
    LIFE,
    MAIN,
    MULLIGAN,
    MUTUAL,
    NO_ATTACK,
    SLOTS,
    TARGET,
)
from sim.dino.rules import direct_of, fight_of, with_keyword
from sim.kernels.bits import U, contains, count
from sim.kernels.jit import reading
from sim.kernels.legal import KIND_SHIFT, LAST_MASK, PLACE_MASK, PLACE_SHIFT
from sim.reading import decision_of, deck_size_of, first_of_kind, hand_size_of, kind_of, my_seat, other_seat, turn_of

__all__ = [
    "ATTACK", "A_ATTACK", "A_ATTACK_DINO", "A_ATTACK_LIFE", "A_BLOCK", "A_CAST", "A_END", "A_KEEP", "A_LEVEL", "A_PASS",
    "A_RETURN", "A_SUMMON", "A_TARGET_ENEMY", "A_TARGET_ID", "A_TARGET_OWN", "BLOCK", "BLOCKS", "COUNTER", "HASTE",
    "HUNT", "LIFE", "MAIN", "MULLIGAN", "MUTUAL", "NO_ATTACK", "SLOTS", "TARGET", "attacked_slot", "attacking_slot",
    "card_at", "card_of", "cost_of", "decision_of", "deck_size_of", "dinos_of", "direct_at", "fight_at",
    "first_of_kind", "hand_size_of", "has_dino", "has_keyword", "is_attack_on_life", "is_rested", "kind_of", "level_at",
    "life_of", "my_seat", "other_seat", "pp_max_of", "pp_of", "slot_of", "target_slot_of", "turn_of",
]  # fmt: skip

# ----------------------------------------------------------------------------------------------------------------
# players


@reading
def life_of(state, seat):
    """Give a player's life."""
    return state["players"][seat]["life"]


@reading
def pp_of(state, seat):
    """Give a player's current PP."""
    return state["players"][seat]["pp"]


@reading
def pp_max_of(state, seat):
    """Give a player's maximum PP."""
    return state["players"][seat]["pp_max"]


@reading
def dinos_of(state, seat):
    """Give how many dinos a player has on the field."""
    return count(state["players"][seat]["occupied"])


# ------------------------------------------------------------------------------------------------------------------
# dinos


@reading
def has_dino(state, seat, slot):
    """Tell whether a player has a dino in a slot."""
    return 0 <= slot < SLOTS and contains(state["players"][seat]["occupied"], slot)


@reading
def is_rested(state, seat, slot):
    """Tell whether a player has a rested dino in a slot."""
    return has_dino(state, seat, slot) and contains(state["players"][seat]["rested"], slot)


@reading
def has_keyword(state, seat, slot, keyword):
    """Tell whether a player has a dino with a keyword (HASTE, BLOCKS, MUTUAL, HUNT, NO_ATTACK) in a slot."""
    return has_dino(state, seat, slot) and contains(with_keyword(state["players"][seat], keyword), slot)


@reading
def level_at(state, seat, slot):
    """Give the level of a player's dino in a slot; 0 of an empty one."""
    return state["players"][seat]["field"][slot]["level"] if has_dino(state, seat, slot) else 0


@reading
def fight_at(state, table, seat, slot):
    """Give the fight of a player's dino in a slot, with changes and auras; 0 of an empty one."""
    return fight_of(state["players"][seat], table["decks"][seat], slot) if has_dino(state, seat, slot) else 0


@reading
def direct_at(state, table, seat, slot):
    """Give the direct of a player's dino in a slot, likewise."""
    return direct_of(state["players"][seat], table["decks"][seat], slot) if has_dino(state, seat, slot) else 0


@reading
def card_at(state, table, seat, slot):
    """Give the card of a player's dino in a slot."""
    return table["decks"][seat]["cards"][state["players"][seat]["field"][slot]["card"]]


@reading
def cost_of(card):
    """Give what stands on a card as its cost."""
    return card["cost"]


# ----------------------------------------------------------------------------------------------------------------
# actions


@reading
def is_attack_on_life(action):
    """Tell whether an action attacks the opponent's life."""
    return action >> KIND_SHIFT == A_ATTACK_LIFE


@reading
def slot_of(action):
    """Give the slot of the own dino that attacks, is raised, blocks or is chosen."""
    kind = action >> KIND_SHIFT
    return action >> PLACE_SHIFT & PLACE_MASK if kind == A_ATTACK_DINO or kind == A_ATTACK_LIFE else action & LAST_MASK


@reading
def target_slot_of(action):
    """Give the slot of the opposing dino that an action attacks or chooses."""
    return action & LAST_MASK


@reading
def card_of(state, table, action):
    """Give the own card that an action is about: to summon, cast or choose, or of the dino that attacks, is raised or
    blocks.
    """
    seat = U(state["decider"])
    kind = action >> KIND_SHIFT
    if kind == A_SUMMON or kind == A_CAST or kind == A_TARGET_ID:
        return table["decks"][seat]["cards"][action & LAST_MASK]
    return card_at(state, table, seat, slot_of(action))


@reading
def attacking_slot(state):
    """Give the slot of the dino that attacks, when a counter-spell or a block is asked for."""
    return state["attacker"]


@reading
def attacked_slot(state):
    """Give the slot of the dino that it attacks; LIFE if it attacks the life."""
    return state["target"]
