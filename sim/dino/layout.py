"""Dino: the records that the kernels work on, and the numbers that stand for words.

The different cards of a deck are its *kinds*, numbered from 0 in id order (the order of the card file). A player only
ever holds cards of the own deck, so zones are sets of kinds with counts beside them. A *slot* is a place of the field,
0 to 4.
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

SLOTS = 5
LEVELS = 3
MAX_DECK = 120
MAX_KINDS = 64  # different cards of a deck: a set of them fits into 64 bits
MAX_VALUE = 9999  # D1.4, D7.11
MAX_ABILITIES = 512  # of a deck's different cards, all together; checked when a deck is encoded
MAX_MULLIGAN = 12  # cards of an opening hand that may be put back; checked with the options
MAX_WAITING = 128  # triggers that wait; one more ends the game as one decision too many would (D8.5)
AFFORD = 64  # budgets up to here are looked up
NOBODY = -1  # the winner of a draw; no card in use; no dino

# What may be asked (D9), in the order of the rulebook's table.
DECISIONS = ("mulligan", "main", "attack", "counter", "block", "target")
MULLIGAN, MAIN, ATTACK, COUNTER, BLOCK, TARGET = range(len(DECISIONS))

# How a game ends (D8).
REASONS = ("life", "deck", "turn_limit")
BY_LIFE, BY_DECK, BY_TURN_LIMIT = range(len(REASONS))
NOT_OVER = -1

# What may be answered. An action's code is kind << 24 | a << 16 | b; of `return`, the rest is a set of places in the
# hand.
KINDS = (
    "keep", "return", "summon", "cast", "level", "attack", "attack_dino", "attack_life", "end", "pass", "block",
    "target_own", "target_enemy", "target_id",
)  # fmt: skip
(A_KEEP, A_RETURN, A_SUMMON, A_CAST, A_LEVEL, A_ATTACK, A_ATTACK_DINO, A_ATTACK_LIFE, A_END, A_PASS, A_BLOCK,
A_TARGET_OWN,
 A_TARGET_ENEMY, A_TARGET_ID) = range(len(KINDS))  # fmt: skip
SET_MASK = 0xFFFFFF

# The longest list is a mulligan's: every set of hand cards; then room to write some at a time.
LEGAL_SIZE = (1 << MAX_MULLIGAN) + SPARE

# Keywords (D7): of a dino's set of keywords, keyword k in slot s is bit 8 k + s.
KEYWORDS = ("haste", "block", "mutual", "hunt", "no_attack")
HASTE, BLOCKS, MUTUAL, HUNT, NO_ATTACK = range(len(KEYWORDS))
KEYWORD_BITS = 8
EVERY_KEYWORD = sum(1 << KEYWORD_BITS * keyword for keyword in range(len(KEYWORDS)))

# Triggers (D7). Auras are no rows: what they add is noted at the card.
WHENS = ("on_summon", "on_attack", "on_win", "on_death", "spell")
ON_SUMMON, ON_ATTACK, ON_WIN, ON_DEATH, SPELL = range(len(WHENS))

EFFECTS = (
    "damage", "heal", "draw", "discard", "pp_max", "pp", "recover", "revive", "level", "level_to", "rest", "awaken",
    "freeze", "destroy", "bounce", "fight", "direct", "grant",
)  # fmt: skip
(E_DAMAGE, E_HEAL, E_DRAW, E_DISCARD, E_PP_MAX, E_PP, E_RECOVER, E_REVIVE, E_LEVEL, E_LEVEL_TO, E_REST, E_AWAKEN,
 E_FREEZE, E_DESTROY, E_BOUNCE, E_FIGHT, E_DIRECT, E_GRANT) = range(len(EFFECTS))  # fmt: skip
FIRST_ON_DINOS = E_LEVEL  # effects from here on touch dinos

TARGETS = ("none", "self", "opponent", "own", "enemy", "this", "all_own", "all_enemy", "attacker")
(T_NONE, T_SELF, T_OPPONENT, T_OWN, T_ENEMY, T_THIS, T_ALL_OWN, T_ALL_ENEMY, T_ATTACKER) = range(len(TARGETS))

# The phases of a game and of a turn (D2, D4, D6).
FIRST_MULLIGAN, SECOND_MULLIGAN, MAIN_PHASE, ATTACK_PHASE = range(4)

# The stages of an attack (D6.2).
NO_ATTACK_NOW, COUNTERS, BLOCKING = range(3)

LIFE = -1  # what an attack goes against, beside a slot

# What is counted for reports, by seat: a number a game, and numbers for each own turn (the last: that turn and later).
TALLIES = ("summons", "spells", "counter_spells", "level_ups_by_card", "level_ups_by_battle", "blocks")
(N_SUMMONS, N_SPELLS, N_COUNTER_SPELLS, N_LEVELS_BY_CARD, N_LEVELS_BY_BATTLE, N_BLOCKS) = range(len(TALLIES))
TURN_TALLIES = ("games", "pp_spent", "pp_wasted")
(N_GAMES, N_SPENT, N_WASTED) = range(len(TURN_TALLIES))
TALLY_TURNS = 20

ABILITY = np.dtype(
    [
        ("do", np.int32),
        ("n", np.int32),
        ("target", np.int32),  # place in TARGETS
        ("limit", np.int32),  # max_fight or max_cost; -1: any
        ("keyword", np.int32),
        ("optional", np.int32),
    ],
    align=True,
)

CARD = np.dtype(
    [
        ("keywords", np.uint64),  # as in slot 0
        ("id", np.int32),  # place in the card file
        ("cost", np.int32),
        ("fight", np.int32, LEVELS + 1),  # by level
        ("direct", np.int32, LEVELS + 1),
        ("aura_fight", np.int32),  # what its auras add to all own dinos
        ("aura_direct", np.int32),
        ("own_fight", np.int32),  # what they add to this dino, beside that
        ("own_direct", np.int32),
        ("cost_self", np.int32),  # what they add to the cost of the owner's spells
        ("cost_opponent", np.int32),
        ("abilities", np.int32, len(WHENS) + 1),  # rows of its abilities for each trigger: from [when] to [when + 1]
    ],
    align=True,
)

DECK = np.dtype(
    [
        ("dinos", np.uint64),  # kinds
        ("spells", np.uint64),
        ("counters", np.uint64),  # the spells that touch an attacker
        ("afford", np.uint64, AFFORD),  # [budget]: the kinds of at most this cost
        ("size", np.int32),
        ("kinds", np.int32),
        ("pile", np.int8, MAX_DECK),  # the whole deck, unshuffled
        ("cards", CARD, MAX_KINDS),
        ("abilities", ABILITY, MAX_ABILITIES),
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("life", np.int32),
        ("opening_hand", np.int32),
        ("mulligan", np.int32),
        ("pp_cap", np.int32),
        ("second_first_pp", np.int32),
        ("second_first_draw", np.int32),
        ("first_first_draw", np.int32),
        ("counter_spells", np.int32),
        ("life_cap", np.int32),
        ("max_turns", np.int32),
        ("max_decisions", np.int32),
    ],
    align=True,
)

TABLE = table_dtype(DECK, RULES)

DINO = np.dtype(
    [
        ("card", np.int32),  # kind
        ("level", np.int32),
        ("fight", np.int32),  # sum of changes until the end of the turn
        ("direct", np.int32),
        ("arrival", np.int32),  # number by which this dino is told from an earlier one in its slot (D7.7)
    ],
    align=True,
)

PLAYER = np.dtype(
    [
        ("streams", np.uint64, STREAMS),  # the side's random streams
        ("hand", np.uint64),  # kinds
        ("stratum", np.uint64),  # kinds
        ("dinos", np.uint64),  # kinds on the field
        ("occupied", np.uint64),  # slots with a dino
        ("rested", np.uint64),  # slots
        ("frozen", np.uint64),  # slots
        ("new", np.uint64),  # slots: summoned this turn and not raised by D5.2
        ("keywords", np.uint64),  # keywords of the dinos' cards
        ("granted", np.uint64),  # keywords until the end of the turn
        ("life", np.int32),
        ("pp", np.int32),
        ("pp_max", np.int32),
        ("spell_cost", np.int32),  # what auras add to the cost of spells
        ("aura_fight", np.int32),  # what own auras add to all own dinos
        ("aura_direct", np.int32),
        ("changed", np.int32),  # some dino has changes until the end of the turn
        ("use", np.int32),  # kind of the spell in use, NOBODY if there is none
        ("hand_count", np.int32),
        ("deck_count", np.int32),
        ("spent", np.int32),  # PP since the last own reset
        ("field", DINO, SLOTS),
        ("tallies", np.int32, len(TALLIES)),
        ("turn_tallies", np.int32, TALLY_TURNS * len(TURN_TALLIES)),
        ("hand_counts", np.int8, MAX_KINDS),
        ("stratum_counts", np.int8, MAX_KINDS),
        ("deck", np.int8, MAX_DECK),  # kinds, the top card last
    ],
    align=True,
)

WAITING = np.dtype(
    [
        ("row", np.int32),  # the first ability
        ("end", np.int32),  # the row after the last
        ("seat", np.int32),  # the controller
        ("slot", np.int32),  # of the dino whose abilities they are
        ("arrival", np.int32),
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("players", PLAYER, SEATS),  # by seat
        ("turn", np.int32),
        ("active", np.int32),  # the turn player's seat
        ("phase", np.int32),
        ("decision", np.int32),
        ("decider", np.int32),  # seat
        ("decisions", np.int32),  # asked so far
        ("last_decision", np.int32),  # how many may be asked up to the end of this turn (D8.5)
        ("arrivals", np.int32),  # dinos that have come so far
        ("returned", np.int32),  # cards that a mulligan has put back, to be drawn again after the shuffle
        ("now", WAITING),  # the abilities that happen
        ("waiting", WAITING, MAX_WAITING),  # a ring of those that wait (D7.6)
        ("first_waiting", np.int32),
        ("waiting_count", np.int32),
        ("stage", np.int32),  # of the attack under way
        ("attacker", np.int32),  # slot
        ("attacker_arrival", np.int32),
        ("target", np.int32),  # slot or LIFE
        ("target_arrival", np.int32),
        ("chosen_count", np.int32),  # of a random discard: how many cards
        ("chosen", np.int8, MAX_DECK),  # their kinds, in the order picked
        ("winner", np.int32),  # seat or NOBODY
        ("reason", np.int32),
    ],
    align=True,
)
