"""Seer in the rulebook's words, for strategies: what lies where, and which card an action is about.

A *card* is what the functions below give, to be asked for its sign or cost; the active spirit is a card, too.
"""

from __future__ import annotations

from sim.kernels.bits import U
from sim.kernels.jit import reading
from sim.kernels.legal import LAST_MASK, PLACE_MASK, PLACE_SHIFT
from sim.reading import decision_of, deck_size_of, first_of_kind, hand_size_of, kind_of, my_seat, other_seat, turn_of
from sim.seer.layout import (
    A_END,
    A_EVOLVE,
    A_EXCHANGE,
    A_KEEP,
    A_LEAD,
    A_MISSION,
    A_PASS,
    A_PICK,
    A_PLAY,
    A_SUPER,
    A_SWAP,
    BATTLE,
    EXCHANGE,
    K_ITEM,
    K_MISSION,
    K_MOVE,
    K_SPIRIT,
    LEAD,
    MISSION,
    PAPER,
    PICK,
    ROCK,
    SCISSORS,
    SIGNS,
    SPIRIT,
    SUPER,
)
from sim.seer.rules import gives

__all__ = [
    "A_END", "A_EVOLVE", "A_EXCHANGE", "A_KEEP", "A_LEAD", "A_MISSION", "A_PASS", "A_PICK", "A_PLAY", "A_SUPER",
    "A_SWAP", "BATTLE", "EXCHANGE", "K_ITEM", "K_MISSION", "K_MOVE", "K_SPIRIT", "LEAD", "MISSION", "PAPER", "PICK",
    "ROCK", "SCISSORS", "SPIRIT", "SUPER", "active_of", "attack_by_sign", "attack_of", "beans_of", "card_of", "cost_of",
    "decision_of", "deck_size_of", "defence_of", "first_of_kind", "hand_size_of", "hp_of", "kind_of", "kind_of_card",
    "my_seat", "other_card_of", "other_seat", "sign_of", "turn_of", "would_count",
]  # fmt: skip

# ----------------------------------------------------------------------------------------------------------------
# players


@reading
def hp_of(state, seat):
    """Give a player's HP."""
    return state["players"][seat]["hp"]


@reading
def beans_of(state, seat):
    """Give how many bean cards a player has."""
    return state["players"][seat]["bean_count"]


@reading
def active_of(state, table, seat):
    """Give the card of a player's active spirit; there is one from the first round on."""
    return table["decks"][seat]["cards"][state["players"][seat]["active"]]


# ------------------------------------------------------------------------------------------------------------------
# cards


@reading
def kind_of_card(card):
    """Give what a card is: K_SPIRIT, K_MOVE, K_ITEM or K_MISSION."""
    return card["kind"]


@reading
def sign_of(card):
    """Give a card's sign: ROCK, SCISSORS or PAPER (another number of a mission)."""
    return card["sign"]


@reading
def attack_of(card):
    """Give the attack that a battle card gives, without its abilities."""
    return card["attack"]


@reading
def defence_of(card):
    """Give the defence that a battle card gives, without its abilities."""
    return card["defence"]


@reading
def cost_of(card):
    """Give a card's cost in beans."""
    return card["cost"]


@reading
def attack_by_sign(spirit, sign):
    """Give a spirit's attack with a battle card of this sign; 0 with a mission."""
    return spirit["by_sign"][sign] if 0 <= sign < len(SIGNS) else 0


@reading
def would_count(state, seat, card):
    """Tell whether a player's battle card would count: a move that the active spirit can use, an item that can be paid,
    a spirit.
    """
    return gives(state["players"][seat], card) != 0


# ----------------------------------------------------------------------------------------------------------------
# actions


@reading
def card_of(state, table, action):
    """Give the own card that an action is about: to lead, swap in, evolve to, play, execute or summon; of a pick the
    second.
    """
    return table["decks"][U(state["decider"])]["cards"][action & LAST_MASK]


@reading
def other_card_of(state, table, action):
    """Give the first card of a pick."""
    return table["decks"][U(state["decider"])]["cards"][action >> PLACE_SHIFT & PLACE_MASK]
