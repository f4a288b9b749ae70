"""Seer: the records that the kernels work on, and the numbers that stand for words.

The different cards of a deck, its supers among them, are its *kinds*, numbered from 0 in id order (the order of the
card file). A player only ever holds cards of the own deck, so zones are sets of kinds with counts beside them. A deck's
cards one by one are its *slots*: where each lies in the pile is noted until the picks, so that of two copies always the
same one is picked, and nothing of the pile tells where it lay (E2.2).
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

SIGNS = ("rock", "scissors", "paper")  # each beats the next
ROCK, SCISSORS, PAPER = range(len(SIGNS))
SHOWN = (*SIGNS, "mission", "nothing")  # what a player may turn up in a battle (E5.2)
SHOWS_MISSION, SHOWS_NOTHING = len(SIGNS), len(SIGNS) + 1
MAX_DECK = 120
MAX_KINDS = 64  # different cards of a deck: a set of them fits into 64 bits
MAX_COST = 50  # E1.7
MAX_VALUE = 9999  # E1.7
MAX_ABILITIES = 512  # of a deck's different cards, all together; checked when a deck is encoded
MAX_ON_CARD = 40  # abilities of one card, so that what is doubled stays a number
SOME = 3  # copies that are put on a deck at a time
BEANS = 128  # room for bean cards; a power of two
PICKS = 8  # bits of a kind in a pair of picks
PICKED = 2  # basic spirits that each player takes out of the deck (E2.2)
DRAWN = 4  # cards drawn to them
MOST_MISSIONS = 20  # in a round without a limit (E6.7)
NOBODY = -1  # the winner of a draw; no card; no choice made

# What may be asked (E9), in the order of the rulebook's table.
DECISIONS = ("pick", "exchange", "lead", "spirit", "battle", "mission", "super")
PICK, EXCHANGE, LEAD, SPIRIT, BATTLE, MISSION, SUPER = range(len(DECISIONS))

# How a game ends (E8).
REASONS = ("hp", "turn_limit")
BY_HP, BY_TURN_LIMIT = range(len(REASONS))
NOT_OVER = -1

# What may be answered; codes are made by `sim.kernels.legal.code`.
KINDS = ("keep", "exchange", "pick", "lead", "swap", "evolve", "pass", "play", "mission", "end", "super")
(A_KEEP, A_EXCHANGE, A_PICK, A_LEAD, A_SWAP, A_EVOLVE, A_PASS, A_PLAY, A_MISSION, A_END, A_SUPER) = range(len(KINDS))

LEGAL_SIZE = MAX_KINDS * (MAX_KINDS + 1) // 2 + SPARE  # every pair of basic spirits

CARD_KINDS = ("spirit", "move", "item", "mission")
K_SPIRIT, K_MOVE, K_ITEM, K_MISSION = range(len(CARD_KINDS))
STAGES = ("basic", "middle", "high", "super")
S_BASIC, S_MIDDLE, S_HIGH, S_SUPER = range(len(STAGES))
ROLES = ("any", "attacker", "defender")
R_ANY, R_ATTACKER, R_DEFENDER = range(len(ROLES))

EFFECTS = (
    "attack", "defence", "double", "negate", "drain", "heal", "damage", "draw", "discard", "bean", "steal_bean",
    "summon_super",
)  # fmt: skip
(E_ATTACK, E_DEFENCE, E_DOUBLE, E_NEGATE, E_DRAIN, E_HEAL, E_DAMAGE, E_DRAW, E_DISCARD, E_BEAN, E_STEAL_BEAN,
 E_SUMMON_SUPER) = range(len(EFFECTS))  # fmt: skip

# The phases of a game and of a round (E2.5, E3 to E6). `REDEAL` is the shuffling after the exchanges, `FIGHT` what
# follows the roles.
PICK_PHASE, EXCHANGE_PHASE, REDEAL, LEAD_PHASE, DRAW_PHASE, SPIRIT_PHASE, BATTLE_PHASE, FIGHT, MISSION_PHASE = range(9)

# The chance events that may wait.
NO_CHANCE, RESHUFFLE, EXCHANGE_SHUFFLE, RANDOM_DISCARD = range(4)


# What is counted for reports, by seat: a number a game, and numbers for each round (the last: that round and later).
TALLIES = (
    "battles", "ties", "attacks", "attacks_by_rock", "attacks_by_scissors", "attacks_by_paper", "defences_by_rock",
    "defences_by_scissors", "defences_by_paper", "defences_by_mission", "damage", "swaps", "evolutions", "missions",
    "supers",
)  # fmt: skip
(N_BATTLES, N_TIES, N_ATTACKS, N_ATTACKS_BY, _, _, N_DEFENCES_BY, _, _, N_DEFENCES_BY_MISSION, N_DAMAGE, N_SWAPS,
 N_EVOLUTIONS, N_MISSIONS, N_SUPERS) = range(len(TALLIES))  # fmt: skip
BATTLE_SHARES = TALLIES[N_TIES:N_DAMAGE]  # the tallies that are shares of the battles
TURN_TALLIES = ("games", "damage", "leads")
(N_GAMES, N_ROUND_DAMAGE, N_LEADS) = range(len(TURN_TALLIES))
TALLY_TURNS = 30

ABILITY = np.dtype([("do", np.int32), ("n", np.int32), ("role", np.int32)], align=True)

CARD = np.dtype(
    [
        ("users", np.uint64),  # of a move: the spirits that can use it (E5.3)
        ("evolves", np.uint64),  # of a spirit: the kinds that it may evolve to (E4.1)
        ("id", np.int32),  # place in the card file
        ("kind", np.int32),  # place in CARD_KINDS
        ("sign", np.int32),  # place in SIGNS; of a mission SHOWS_MISSION
        ("bean", np.int32),  # it has the bean mark
        ("stage", np.int32),  # of a spirit: place in STAGES
        ("by_sign", np.int32, len(SIGNS)),  # of a spirit: its attack by the sign of the battle card
        ("attack", np.int32),  # that it gives as a battle card; of a spirit: support
        ("defence", np.int32),
        ("cost", np.int32),  # beans
        ("abilities", np.int32, 2),  # rows: from [0] to [1]
    ],
    align=True,
)

DECK = np.dtype(
    [
        ("basics", np.uint64),  # kinds of basic spirits
        ("supers", np.uint64),  # kinds of supers
        ("payable", np.uint64, MAX_COST + 1),  # [beans]: the missions of at most this cost
        ("size", np.int32),  # without supers
        ("kinds", np.int32),
        ("kind_of", np.int8, MAX_DECK),  # by slot
        ("first_slot", np.int16, MAX_KINDS),  # by kind
        ("counts", np.int8, MAX_KINDS),  # in the deck
        ("super_counts", np.int8, MAX_KINDS),
        ("cards", CARD, MAX_KINDS),
        ("abilities", ABILITY, MAX_ABILITIES),
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("hp", np.int32),
        ("exchange", np.int32),
        ("hand_size", np.int32),
        ("first_order", np.int32),  # 0: fixed, 1: alternate
        ("sign_attack", np.int32),  # 0: any, 1: move
        ("missions_per_round", np.int32),
        ("hp_cap", np.int32),
        ("max_turns", np.int32),
    ],
    align=True,
)

TABLE = table_dtype(DECK, RULES)

PLAYER = np.dtype(
    [
        ("streams", np.uint64, STREAMS),  # the side's random streams
        ("hand", np.uint64),  # kinds
        ("supers", np.uint64),  # kinds
        ("hp", np.int64),
        ("hand_count", np.int32),
        ("deck_count", np.int32),
        ("discard_count", np.int32),
        ("bean_first", np.int32),  # place of the oldest bean card in the ring
        ("bean_count", np.int32),
        ("active", np.int32),  # kind
        ("battle", np.int32),  # kind of the card in the battle area
        (
            "pending",
            np.int32,
        ),  # what was chosen in secret: a kind, or a pair of kinds, or whether to exchange; NOBODY: nothing
        ("picked", np.int32, PICKED),  # kinds of the cards picked in the setup
        ("gives", np.int32),  # the battle card counts (E5.3, E5.5)
        ("negated", np.int32),  # the battle card gives nothing (E7.3)
        ("attack", np.int32),  # what `attack` abilities have given
        ("defence", np.int32),
        ("doubles", np.int32),
        ("drains", np.int32),
        ("tallies", np.int32, len(TALLIES)),
        ("turn_tallies", np.int32, TALLY_TURNS * len(TURN_TALLIES)),
        ("hand_counts", np.int8, MAX_KINDS),
        ("discard_counts", np.int8, MAX_KINDS),
        ("super_counts", np.int8, MAX_KINDS),
        ("out_counts", np.int8, MAX_KINDS),
        ("beans", np.int8, BEANS),  # kinds, a ring
        ("deck", np.int8, MAX_DECK + SOME),  # kinds, the top card last
        ("places", np.int8, MAX_DECK),  # by slot: its place in the pile as dealt
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("players", PLAYER, SEATS),  # by seat
        ("turn", np.int32),  # the round; 0 in the setup
        ("first", np.int32),  # seat of the first player in this round
        ("phase", np.int32),
        ("step", np.int32),  # of the phase: 0 the first player's, 1 the second's
        ("decision", np.int32),
        ("decider", np.int32),  # seat
        ("decisions", np.int32),  # asked so far
        ("draws", np.int32),  # cards still to be drawn
        ("drawer", np.int32),  # by this seat
        ("chance", np.int32),  # what chance event waits
        ("fresh", np.int32),  # the cards on top of the pile that a shuffle is to mix with the others
        ("row", np.int32),  # the ability that happens
        ("end", np.int32),  # the row after the last
        ("owner", np.int32),  # seat of the card whose abilities they are
        ("attacker", np.int32),  # seat
        ("executing", np.int32),  # a mission is being executed
        ("missions", np.int32),  # executed in this round by this player
        ("chosen_count", np.int32),  # of a random discard: how many cards
        ("chosen", np.int8, MAX_DECK),  # their kinds, in the order picked
        ("winner", np.int32),  # seat or NOBODY
        ("reason", np.int32),
    ],
    align=True,
)
