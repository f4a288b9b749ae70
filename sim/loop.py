"""The compiled game loop, written once: each game binds it to its own rules with `bind`.

A *pair* is two games with the same shuffled decks: in the first, side A has the first seat, in the second, side B. A chunk
of pairs fills integer counts, so that chunks can be added in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.bits import U
from sim.jit import bind, kernel
from sim.streams import seed_streams

# What rules return instead of the length of a legal list: the game has ended; a chance event waits.
OVER, CHANCE = 0, -1

# Whether a choice is open, or made in secret: before or after the other player's, both shown at once.
OPEN, SECRET_FIRST, SECRET_SECOND = range(3)

# Ways in which a chunk ends.
DONE, STOPPED, ILLEGAL_CHOICE = range(3)

# Columns of the rows of single games.
ROW_WINNER, ROW_REASON, ROW_TURNS, ROW_DECISIONS = range(4)
ROW_COLUMNS = 4

begin: Callable[..., Any]
advance: Callable[..., Any]
apply: Callable[..., Any]
pick: Callable[..., Any]
happen: Callable[..., Any]
deal: Callable[..., Any]
tally: Callable[..., Any]
play_game: Callable[..., Any]


def _play_game(state, table, legal, choose_a, choose_b, swapped):
    """Play one dealt game; returns 0, or the length of the list outside which a strategy chose."""
    begin(state, table)
    while True:
        n = advance(state, table, legal)
        if n > 0:
            if state["decider"] == swapped:
                chosen = choose_a(state, table, legal, n)
            else:
                chosen = choose_b(state, table, legal, n)
            if chosen < 0 or chosen >= n:
                return n
            apply(state, table, legal[U(chosen)])
        elif n == CHANCE:
            pick(state, table)
            happen(state, table)
        else:
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
    turns,  # int64 (2, max_turns + 1) += games by order and length
    decisions,  # int64 (2,) += decisions by order
    tallies,  # int64 (2, 2, size) += what the game counts, by order and seat
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
            wrong = play_game(state, table, legal, choose_a, choose_b, swapped)
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
            turns[swapped, state["turn"]] += 1
            decisions[swapped] += state["decisions"]
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
    """Compile the loop over a game's kernels: ``deal``, ``begin``, ``advance``, ``apply``, ``pick``, ``happen`` and ``tally``."""
    game = bind(_play_game, **rules)
    return bind(_play_pairs, play_game=game, seed_streams=seed_streams, **rules)
