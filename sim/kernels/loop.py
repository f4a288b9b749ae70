"""The compiled game loop, written once: each game binds it to its own rules with `bind`.

A *pair* is two games with the same shuffled decks: in the first, side A has the first seat, in the second, side B. A
chunk of pairs fills integer counts, so that chunks can be added in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
see_hands: Callable[..., Any]
see_action: Callable[..., Any]
count_cards: Callable[..., Any]
play_game: Callable[..., Any]


class Work(NamedTuple):
    """What the loop plays and where, beside what it counts (see `sim.game.Game.work`).

    Attributes
    ----------
    tables : array of tables, shape (2,)
        With side A in the first seat, with side B.
    keys : uint64 array, shape (2,)
        Of the random streams of sides A and B.
    stop : uint8 array, shape (1,)
        Not 0: stop before the next game.
    rows : int32 array, shape (2 * pairs, ROW_COLUMNS)
        Single games; of length 0 if they are not wanted.
    cards : int64 array, shape (2, cards, columns)
        Games and half points by side and card (`sim.card_usage`); of length 0 in the ordinary loop.
    states : array of states, shape (2,)
        Room to play in, and for the pair's deal, by side.
    legal : int32 array
        Room for a legal list.
    course : float64 array, shape (max_turns + 1,)
        Room for the lead after each turn.
    seen : uint64 array, shape (2, 2)
        Room for the cards of a game that were drawn, and played, by seat.
    mistake : int64 array, shape (4,)
        Of an illegal choice: pair, order, seat, length of the list.
    """

    tables: np.ndarray
    keys: NDArray[np.uint64]
    stop: NDArray[np.uint8]
    rows: NDArray[np.int32]
    cards: NDArray[np.int64]
    states: np.ndarray
    legal: NDArray[np.int32]
    course: NDArray[np.float64]
    seen: NDArray[np.uint64]
    mistake: NDArray[np.int64]


@inner
def add_choices(decisions, actions, choices):
    """Add what was counted of a seat's decisions in a game."""
    choices[DECISIONS] += np.int64(decisions & U(0xFFFFFFFF))
    choices[ACTIONS] += actions
    choices[FORCED] += np.int64(decisions >> U(32))


def _play_game(work, state, choose_a, choose_b, swapped, choices):
    """Play one dealt game, note its course and count its choices by seat.

    Returns 0, or the length of the list outside which a strategy chose.
    """
    table, legal, course = work.tables[swapped], work.legal, work.course
    begin(state, table)
    turn = state["turn"]
    actions_a = actions_b = 0
    decisions_a = decisions_b = U(0)
    while True:
        n = advance(state, table, legal)
        see_hands(state, work.seen)
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
            action = legal[U(chosen)]
            see_action(state, action, work.seen)
            apply(state, table, action)
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


def _play_pairs(work, counts, choose_a, choose_b, first_pair, pairs):
    """Play pairs of games and count how they end: ``work`` is a `Work`, ``counts`` a `sim.counts.Counts`."""
    state, dealt = work.states[0], work.states[1]
    for i in range(pairs):
        half_points = 0
        for side in range(2):
            seed_streams(dealt["players"][side], work.keys[side], first_pair + i)
        deal(dealt, work.tables[0])
        for swapped in range(2):
            if work.stop[0] != 0:
                return STOPPED
            state["players"][swapped] = dealt["players"][0]
            state["players"][1 - swapped] = dealt["players"][1]
            wrong = play_game(work, state, choose_a, choose_b, swapped, counts.choices[swapped])
            if wrong != 0:
                work.mistake[0] = first_pair + i
                work.mistake[1] = swapped
                work.mistake[2] = state["decider"]
                work.mistake[3] = wrong
                return ILLEGAL_CHOICE
            winner = state["winner"]
            points = 1 if winner < 0 else (2 if winner == swapped else 0)
            if swapped == 0:
                half_points = points
            else:
                counts.scores[half_points, points] += 1
            counts.outcomes[swapped, winner if winner >= 0 else 2, state["reason"]] += 1
            counts.turns[swapped, state["reason"], state["turn"]] += 1
            deficit, turn = count_course(
                work.course, state["turn"], winner, counts.leads[swapped], counts.changes[swapped],
                counts.deficits[swapped], counts.decided[swapped],
            )  # fmt: skip
            number = 2 * (first_pair + i) + swapped
            if state["reason"] == limit:
                keep_example(counts.examples, STOPPED_GAME, 1, number)
            else:
                keep_example(counts.examples, LONGEST, state["turn"], number)
            if winner >= 0:
                keep_example(counts.examples, COMEBACK, int(deficit * FINE_DEFICITS) * TURNS_APART + turn, number)
                keep_example(counts.examples, WON_BY_A if winner == swapped else WON_BY_B, 1, number)
            tally(state, counts.tallies[swapped])
            count_cards(state, swapped, work.seen, work.cards)
            if work.rows.shape[0] > 0:
                row = work.rows[2 * i + swapped]
                row[ROW_WINNER] = winner
                row[ROW_REASON] = state["reason"]
                row[ROW_TURNS] = state["turn"]
                row[ROW_DECISIONS] = state["decisions"]
    return DONE


@kernel(forceinline=True)
def count_nothing(state, tallies):
    """Count nothing beside ends and lengths: what a game has for ``tally`` by default."""


@inner(forceinline=True)
def see_no_hands(state, seen):
    """Look at no hand: the ordinary loop counts no cards."""


@inner(forceinline=True)
def see_no_action(state, action, seen):
    """Look at no action."""


@inner(forceinline=True)
def count_no_cards(state, swapped, seen, cards):
    """Count no cards."""


@kernel(forceinline=True)
def nothing_is_secret(state):
    """Tell that no choice is made in secret: what a game has for ``secrecy`` by default."""
    return OPEN


def bind_loop(
    *, see_hands: Any = see_no_hands, see_action: Any = see_no_action, count_cards: Any = count_no_cards, **rules: Any
) -> Any:
    """Compile the loop over a game's kernels.

    Parameters
    ----------
    see_hands, see_action, count_cards : kernel
        What looks on, if anything does: ``(state, seen)`` wherever the game waits and at its end, ``(state, action,
        seen)`` before an action, and ``(state, swapped, seen, cards)`` after each game (see `Work`).
    **rules
        ``deal``, ``begin``, ``advance``, ``apply``, ``sample_chance``, ``apply_chance``, ``tally``,
        ``lead``; ``limit`` is the place of the turn limit among the end reasons.
    """
    game = bind(_play_game, see_hands=see_hands, see_action=see_action, **rules)
    return bind(_play_pairs, play_game=game, count_cards=count_cards, seed_streams=seed_streams, **rules)
