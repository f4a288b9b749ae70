"""The compiled game loop, written once: each game binds it to its own rules with `bind`.

A *pair* is two games with the same shuffled decks: in the first, side A has the first seat, in the second, side B. A
chunk of pairs fills integer counts, so that chunks can be added in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.kernels.bits import U
from sim.kernels.course import (
    COMEBACK,
    FINE_DEFICITS,
    LONGEST,
    STOPPED_GAME,
    TURNS_APART,
    WON_BY_A,
    WON_BY_B,
    count_course,
    keep_example,
)
from sim.kernels.jit import bind, inner, kernel
from sim.kernels.streams import seed_streams

# What rules return instead of the length of a legal list: the game has ended; a chance event waits.
OVER, CHANCE = 0, -1

# Whether a choice is open, or made in secret: before or after the other player's, both shown at once.
OPEN, SECRET_FIRST, SECRET_SECOND = range(3)

# Ways in which a chunk ends.
DONE, STOPPED, ILLEGAL_CHOICE = range(3)

# Columns of the rows of single games.
ROW_WINNER, ROW_REASON, ROW_TURNS, ROW_DECISIONS = range(4)
ROW_COLUMNS = 4

# What is counted of the decisions of a seat.
DECISIONS, ACTIONS, FORCED = range(3)  # decisions, legal actions in all, decisions with a single legal action

# While a game is played, decisions and forced ones share a word, which is quicker.
ONE, ONE_FORCED = U(1), U((1 << 32) + 1)

begin: Callable[..., Any]
advance: Callable[..., Any]
apply: Callable[..., Any]
sample_chance: Callable[..., Any]
apply_chance: Callable[..., Any]
deal: Callable[..., Any]
tally: Callable[..., Any]
lead: Callable[..., Any]
limit: int
play_game: Callable[..., Any]


@inner
def add_choices(decisions, actions, choices):
    """Add what was counted of a seat's decisions in a game."""
    choices[DECISIONS] += np.int64(decisions & U(0xFFFFFFFF))
    choices[ACTIONS] += actions
    choices[FORCED] += np.int64(decisions >> U(32))


def _play_game(state, table, legal, choose_a, choose_b, swapped, course, choices):
    """Play one dealt game, note its course and count its choices by seat.

    Returns 0, or the length of the list outside which a strategy chose.
    """
    begin(state, table)
    turn = state["turn"]
    actions_a = actions_b = 0
    decisions_a = decisions_b = U(0)
    while True:
        n = advance(state, table, legal)
        if n > 0:
            if state["turn"] != turn:
                now = lead(state, table, 0)
                while turn < state["turn"]:
                    course[U(turn)] = now
                    turn += 1
            if state["decider"] == swapped:
                actions_a += n
                decisions_a += ONE_FORCED if n == 1 else ONE
                chosen = choose_a(state, table, legal, n)
            else:
                actions_b += n
                decisions_b += ONE_FORCED if n == 1 else ONE
                chosen = choose_b(state, table, legal, n)
            if chosen < 0 or chosen >= n:
                return n
            apply(state, table, legal[U(chosen)])
        elif n == CHANCE:
            sample_chance(state, table)
            apply_chance(state, table)
        else:
            break
    while turn < state["turn"]:  # turns that ended without a decision in the next
        course[U(turn)] = lead(state, table, 0)
        turn += 1
    add_choices(decisions_a, actions_a, choices[swapped])
    add_choices(decisions_b, actions_b, choices[1 - swapped])
    return 0


def _play_pairs(
    state,  # a record to play in
    dealt,  # a record for the pair's deal, by side
    tables,  # (2,): with side A in the first seat, with side B
    legal,  # int32: room for a legal list
    choose_a,
    choose_b,
    keys,  # uint64 (2,): of sides A and B
    first_pair,
    pairs,
    stop,  # uint8 (1,): not 0: stop before the next game
    scores,  # int64 (3, 3) += pairs by A's half points as first and as second
    outcomes,  # int64 (2, 3, reasons) += games by order, winner (seat, 2: nobody) and end reason
    turns,  # int64 (2, reasons, max_turns + 1) += games by order, end reason and length
    choices,  # int64 (2, 2, 3) += decisions, legal actions and forced decisions, by order and seat
    # int64 (2, max_turns + 1, 3, 3) += games by order, turn, who leads after it (seat, 2: nobody) and winner (seat, 2:
    # nobody)
    leads,
    changes,  # int64 (2, most + 1) += games by order and lead changes
    deficits,  # int64 (2, 2, steps + 2) += won games by order, winner's seat and the winner's deepest deficit
    decided,  # int64 (2, max_turns + 1) += won games by order and the turn from whose end on the winner led
    examples,  # int64 (kinds, 2): the value and the number of a game of each kind
    tallies,  # int64 (2, 2, size) += what the game counts, by order and seat
    course,  # float64 (max_turns + 1,): room for the lead after each turn
    rows,  # int32 (2 * pairs, ROW_COLUMNS), or of length 0 if single games are not wanted
    mistake,  # int64 (4,): of an illegal choice: pair, order, seat, length of the list
):
    """Play pairs of games and count how they end."""
    for i in range(pairs):
        half_points = 0
        for side in range(2):
            seed_streams(dealt["players"][side], keys[side], first_pair + i)
        deal(dealt, tables[0])
        for swapped in range(2):
            if stop[0] != 0:
                return STOPPED
            table = tables[swapped]
            state["players"][swapped] = dealt["players"][0]
            state["players"][1 - swapped] = dealt["players"][1]
            wrong = play_game(state, table, legal, choose_a, choose_b, swapped, course, choices[swapped])
            if wrong != 0:
                mistake[0] = first_pair + i
                mistake[1] = swapped
                mistake[2] = state["decider"]
                mistake[3] = wrong
                return ILLEGAL_CHOICE
            winner = state["winner"]
            points = 1 if winner < 0 else (2 if winner == swapped else 0)
            if swapped == 0:
                half_points = points
            else:
                scores[half_points, points] += 1
            outcomes[swapped, winner if winner >= 0 else 2, state["reason"]] += 1
            turns[swapped, state["reason"], state["turn"]] += 1
            deficit, turn = count_course(
                course, state["turn"], winner, leads[swapped], changes[swapped], deficits[swapped], decided[swapped]
            )
            number = 2 * (first_pair + i) + swapped
            if state["reason"] == limit:
                keep_example(examples, STOPPED_GAME, 1, number)
            else:
                keep_example(examples, LONGEST, state["turn"], number)
            if winner >= 0:
                keep_example(examples, COMEBACK, int(deficit * FINE_DEFICITS) * TURNS_APART + turn, number)
                keep_example(examples, WON_BY_A if winner == swapped else WON_BY_B, 1, number)
            tally(state, tallies[swapped])
            if rows.shape[0] > 0:
                row = rows[2 * i + swapped]
                row[ROW_WINNER] = winner
                row[ROW_REASON] = state["reason"]
                row[ROW_TURNS] = state["turn"]
                row[ROW_DECISIONS] = state["decisions"]
    return DONE


@kernel(forceinline=True)
def count_nothing(state, tallies):
    """Count nothing beside ends and lengths: what a game has for ``tally`` by default."""


@kernel(forceinline=True)
def nothing_is_secret(state):
    """Tell that no choice is made in secret: what a game has for ``secrecy`` by default."""
    return OPEN


def bind_loop(**rules: Any) -> Any:
    """Compile the loop over a game's kernels: ``deal``, ``begin``, ``advance``, ``apply``, ``sample_chance``, ``apply_chance``,
    ``tally``, ``lead``.

    ``limit`` is the place of the turn limit among its end reasons.
    """
    game = bind(_play_game, **rules)
    return bind(_play_pairs, play_game=game, seed_streams=seed_streams, **rules)
