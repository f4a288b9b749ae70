"""Sea: the records that the kernels work on, and the numbers that stand for words.

A card of a deck is a *slot*: the deck's cards are sorted in id order (the order of the card file) and numbered from 0;
all copies of an id go by the number of the first. A player only ever holds cards of the own deck.
"""

from __future__ import annotations

import numpy as np

from sim.kernels.legal import KIND_SHIFT as KIND_SHIFT
from sim.kernels.legal import LAST_MASK as LAST_MASK
from sim.kernels.legal import PLACE_MASK as PLACE_MASK
from sim.kernels.legal import PLACE_SHIFT as PLACE_SHIFT
from sim.kernels.legal import SPARE
from sim.kernels.streams import STREAMS
from sim.kernels.table import SEATS as SEATS
from sim.kernels.table import table_dtype

MAX_DECK = 60  # S1.7; sets of cards and of places fit into 64 bits
MAX_POWER = 99  # S1.7
MAX_ABILITIES = 1024  # abilities of a deck's different cards, all together; checked when a deck is encoded
NOBODY = -1  # the winner of a draw; the place of a card that has left

# What may be asked (S7), in the order of the rulebook's table.
DECISIONS = ("draw", "support", "deploy", "action", "target", "use", "guard")
DRAW, SUPPORT, DEPLOY, ACTION, TARGET, USE, GUARD = range(len(DECISIONS))

# How a game ends (S6).
REASONS = ("life", "stalemate", "turn_limit")
BY_LIFE, BY_STALEMATE, BY_TURN_LIMIT = range(len(REASONS))
NOT_OVER = -1

# What may be answered; codes are made by `sim.kernels.legal.code`. (To draw is 1 and to pass 0, so that a draw needs no
# branch.)
KINDS = (
    "pass",
    "draw",
    "end",
    "support",
    "deploy",
    "attack",
    "attack_life",
    "skill",
    "target",
    "target_id",
    "use",
    "guard",
)
(
    A_PASS,
    A_DRAW,
    A_END,
    A_SUPPORT,
    A_DEPLOY,
    A_ATTACK,
    A_ATTACK_LIFE,
    A_SKILL,
    A_TARGET,
    A_TARGET_ID,
    A_USE,
    A_GUARD,
) = range(len(KINDS))

# Most actions of one list: each own card on each opposing card and on Life, every skill of upright cards (twice: marks
# tell equal cards apart, S7.2), `end`; and room to write eight at a time.
LEGAL_SIZE = MAX_DECK * MAX_DECK + MAX_DECK + 2 * MAX_ABILITIES + 1 + SPARE

KEYWORDS = ("guard", "compel", "pierce")
WHENS = ("active", "skill", "trap")
ACTIVE, SKILL, TRAP = range(len(WHENS))
EFFECTS = (
    "attack_life", "attack_card", "sink", "sink_attacker", "rest", "ready", "bounce", "recall", "recall_self", "draw",
    "heal", "mill", "support", "discard",
)  # fmt: skip
(E_ATTACK_LIFE, E_ATTACK_CARD, E_SINK, E_SINK_ATTACKER, E_REST, E_READY, E_BOUNCE, E_RECALL, E_RECALL_SELF, E_DRAW,
 E_HEAL, E_MILL, E_SUPPORT, E_DISCARD) = range(len(EFFECTS))  # fmt: skip


# The steps of a turn (S3).
DRAW_STEP, SUPPORT_STEP, DEPLOY_STEP, ACTION_STEP = range(4)

# What an attack goes against, beside a place in the opponent's Sea.
LIFE, UNDECIDED = -1, -2

ABILITY = np.dtype(
    [
        ("when", np.int32),
        ("do", np.int32),
        ("n", np.int32),
        ("max_power", np.int32),  # MAX_POWER: any
        ("pierce", np.int32),
        ("optional", np.int32),
    ],
    align=True,
)

CARD = np.dtype(
    [
        ("group", np.uint64),  # the deck's cards with this id, as a set of slots
        ("id", np.int32),  # place in the card file
        ("power", np.int32),
        ("guard", np.int32),
        ("compel", np.int32),
        ("pierce", np.int32),
        ("abilities", np.int32, 4),  # rows of its active, skill and trap abilities: from [when] to [when + 1]
    ],
    align=True,
)

DECK = np.dtype(
    [
        ("first", np.uint64),  # the first slot of each id
        ("afford", np.uint64, MAX_POWER + 1),  # [points]: the cards of at most this power
        ("size", np.int32),
        ("pile", np.int8, MAX_DECK),  # the whole deck, unshuffled
        ("cards", CARD, MAX_DECK),  # by slot; filled at the first slot of each id
        ("abilities", ABILITY, MAX_ABILITIES),
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("opening_hand", np.int32),
        ("draw_count", np.int32),
        ("draw_optional", np.int32),
        ("supports_per_turn", np.int32),
        ("act_rests", np.int32),
        ("first_turn_action", np.int32),
        ("guard_rests", np.int32),
        ("guard_scope", np.int32),  # 0: life, 1: any
        ("compel", np.int32),  # 0: must_attack, 1: target
        ("max_turns", np.int32),
    ],
    align=True,
)

TABLE = table_dtype(DECK, RULES)

PLAYER = np.dtype(
    [
        ("streams", np.uint64, STREAMS),  # the side's random streams
        ("hand", np.uint64),  # set of slots; k copies of an id are the k lowest of its group
        ("sea_cards", np.uint64),  # the cards in the Sea as such a set
        ("upright", np.uint64),  # places in the Sea: upright; the others are rested
        ("acted", np.uint64),  # places: marked acted (S3.6)
        ("readied", np.uint64),  # places: marked readied (S5.8)
        ("guards", np.uint64),  # places: with the keyword guard
        ("compels", np.uint64),  # places: with the keyword compel
        ("life_count", np.int32),
        ("friends_count", np.int32),
        ("sea_count", np.int32),
        ("sea_power", np.int32),  # total power in the Sea
        ("actor", np.int32),  # place of the acting or just deployed card, NOBODY if it has left
        ("trap", np.int32),  # place in Friends of the card whose trap happens, likewise (S5.9)
        ("life", np.int8, MAX_DECK),  # slots, the top card last
        ("friends", np.int8, MAX_DECK + 8),  # slots, oldest first; with room to move eight at a time
        ("sea", np.int8, MAX_DECK + 8),  # slots, in order of arrival; likewise
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("players", PLAYER, SEATS),  # by seat
        ("turn", np.int32),
        ("active", np.int32),  # the turn player's seat
        ("step", np.int32),  # of the turn
        ("supports", np.int32),  # how many are left in this turn
        ("points", np.int32),  # left in the deploy step (S3.4)
        ("busy", np.int32),  # the turn player has done something (S6.2)
        ("idle_before", np.int32),  # the turn before passed without doing anything
        ("decision", np.int32),
        ("decider", np.int32),  # seat
        ("decisions", np.int32),  # asked so far
        ("ability", np.int32),  # row of the ability that happens
        ("ability_end", np.int32),  # row after the last that waits
        ("repeats", np.int32),  # choices left of this ability (S5.5), UNDECIDED if it has not begun
        ("controller", np.int32),  # whose abilities they are
        ("attacks", np.int32),  # left of the attack or skill under way
        ("target", np.int32),  # place, LIFE or UNDECIDED
        ("on_card", np.int32),  # a skill against a card (attack_card)
        ("bonus", np.int32),  # to the attacker's power
        ("pierce", np.int32),  # the attack under way pierces
        ("chosen_count", np.int32),  # of a chance event: how many cards
        ("chosen", np.int8, MAX_DECK),  # their slots, in the order picked
        ("winner", np.int32),  # seat or NOBODY
        ("reason", np.int32),
    ],
    align=True,
)
