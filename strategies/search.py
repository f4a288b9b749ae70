"""Search: try out how the game may go on, thousands of times, in compiled code.

A play-out is a copy of the position in which all that the player cannot know is dealt anew (a *determinization*),
played to its end; from a certain point on both sides play a simple strategy, the *roll-out* (Tesauro and Galperin 1997,
"On-line policy improvement using Monte-Carlo search"). Written once, and bound to a game's kernels. The budget is
counted in play-outs; what is random comes from the stream of the player's own choices.

Flat Monte Carlo gives every action the same deals and takes the best mean (Ginsberg 2001, "GIB: Imperfect information
in a computationally challenging game"). Information-set Monte Carlo tree search grows one tree over all deals, whose
nodes are what the one who decides has seen being chosen (Cowling, Powley and Whitehouse 2012, "Information Set Monte
Carlo Tree Search"). At its root the actions are halved in common deals: all that are left meet the same deals, then the
better half goes on to more of them (sequential halving; Karnin, Koren and Somekh 2013, "Almost optimal exploration in
multi-armed bandits"). What the roll-out would do stays to the end and is done unless the last other action was better
by more than a standard error of their differences in the same deals: a few play-outs are too noisy to overrule a good
player for less. Below the root it chooses by UCB with counts of how often an action was available (Kocsis and
Szepesvári 2006, "Bandit based Monte-Carlo planning"). Of two choices made in secret neither node knows the other
(decoupled selection, Lanctot et al. 2014, "Monte Carlo tree search in simultaneous move games with applications to
Goofspiel").
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np

from sim.game import Game
from sim.kernels.bits import U
from sim.kernels.jit import ENABLED, bind, inner, kernel
from sim.kernels.loop import CHANCE, OVER, SECRET_SECOND
from sim.kernels.streams import GOLDEN, STRATEGY, any_bits, below, mix, seed_streams
from strategies.options import Number

PLAYOUTS = Number("playouts", "games tried out for each decision", 200, 1, 1_000_000, whole=True)
EXPLORATION = Number("exploration", "how much is tried beside what looks best", 0.7, 0.0, 100.0)

DOUBT = 1.0  # standard errors by which an action must be better than what the roll-out would do
TRIES = 4  # play-outs that an action should have at least
MOST_DEPTH = 64  # decisions of a play-out that the tree can hold
DELAY = (
    1e-6  # what a decision more takes from a result: of two sure wins the sooner is taken, of two sure losses the later
)
FREE = U(0)  # a place of the tree that holds nothing
USED = U(1)

# What templates are bound to.
advance: Callable[..., Any]
apply: Callable[..., Any]
sample_chance: Callable[..., Any]
apply_chance: Callable[..., Any]
pool_hidden: Callable[..., Any]
determinize: Callable[..., Any]
secrecy: Callable[..., Any]
roll_out: Callable[..., Any]
go_on: Callable[..., Any]
finish: Callable[..., Any]
begin_search: Callable[..., Any]
begin_playout: Callable[..., Any]
candidates: Callable[..., Any]
told: tuple[float, ...]
lead: Callable[..., Any]
result_for: Callable[..., Any]
state_type: Any
table_type: Any
legal_size: int
horizon: int


def _go_on(state, table, legal):
    """Go on to the next decision, through chance events; returns the length of its legal list, or OVER."""
    while True:
        n = advance(state, table, legal)
        if n != CHANCE:
            return n
        sample_chance(state, table)
        apply_chance(state, table)


def _finish(state, table, legal, n):
    """Play on by the roll-out, from a decision with a list of ``n``, to the game's end or as far as its lead is worth
    trying for.
    """
    last = state["decisions"] + horizon
    while n != OVER and (horizon == 0 or state["decisions"] < last):
        apply(state, table, legal[U(roll_out(state, table, legal, n))])
        n = go_on(state, table, legal)


@inner
def start_streams(state, key, playout):
    """Start all streams of a copy for one play-out."""
    for seat in range(2):
        seed_streams(state["players"][seat], key + U(seat), playout)


def _begin_search(states, tables, state, table, key):
    """Copy a position to be played on from: the roll-out is told its own parameters in both seats, all streams start
    anew.
    """
    states[0] = state
    tables[0] = table
    for seat in range(2):
        tables[0]["parameters"][seat, :] = 0.0
        for i in range(len(told)):
            tables[0]["parameters"][seat, i] = told[i]
    start_streams(states[0], key, 0)


def _begin_playout(states, tables, codes, legal, n, taken_back, seat, key, deal):
    """Deal anew, in a second copy, what a seat cannot know, and ask again; returns the length of the list.

    That is the same list as before, or, if a choice was taken back, that of the one who made it.
    """
    states[1] = states[0]
    start_streams(states[1], key, deal)
    determinize(states[1], tables[0], seat)
    if taken_back:
        return go_on(states[1], tables[0], codes)
    for i in range(n):
        codes[U(i)] = legal[U(i)]
    return n


def _result_for(state, table, seat):
    """Give the result of a play-out: 1 for a win at once, a half for a draw; of one that was stopped, by the lead."""
    if state["reason"] < 0:
        return 0.5 + 0.5 * lead(state, table, seat)
    if state["winner"] < 0:
        return 0.5
    late = DELAY * state["decisions"]
    return 1.0 - late if state["winner"] == seat else late


def _candidates(state, table, legal, n, playouts):
    """Give the places to try, first what the roll-out would do: all, or with a small budget some others at random."""
    player = state["players"][U(state["decider"])]
    chosen = np.empty(min(n, max(playouts // TRIES, 2)), np.int64)
    chosen[0] = roll_out(state, table, legal, n)
    for i in range(1, len(chosen)):
        chosen[i] = i - 1 if i <= chosen[0] else i
        if len(chosen) < n:
            chosen[i] = below(player, STRATEGY, n)
            while (chosen[:i] == chosen[i]).any():
                chosen[i] = below(player, STRATEGY, n)
    return chosen


def _flat_search(state, table, legal, n):
    """Play out every action in the same deals, and take the one of the best mean."""
    if n == 1:
        return 0
    seat = U(state["decider"])
    playouts = np.int64(table["parameters"][seat, 0])
    key = any_bits(state["players"][seat], STRATEGY)
    states = np.empty(2, state_type)
    tables = np.empty(1, table_type)
    codes = np.empty(legal_size, np.int32)
    begin_search(states, tables, state, table, key)
    played = states[1]  # tables[0] has no name: numba frees an array after its last use, whoever still looks into it
    places = candidates(states[0], tables[0], legal, n, playouts)
    sums = np.zeros(n)
    taken_back = pool_hidden(states[0], tables[0], seat)
    for deal in range(max(playouts // len(places), 1)):
        for tried in places:
            count = begin_playout(states, tables, codes, legal, n, taken_back, seat, key, deal + 1)
            while played["decider"] != seat:  # a choice that the opponent has made in secret
                apply(played, tables[0], codes[U(roll_out(played, tables[0], codes, count))])
                count = go_on(played, tables[0], codes)
            apply(played, tables[0], legal[U(tried)])
            finish(played, tables[0], codes, go_on(played, tables[0], codes))
            sums[tried] += result_for(played, tables[0], seat)
    best = places[0]
    for tried in places:
        if sums[tried] > sums[best]:
            best = tried
    return best


@inner(forceinline=True)
def entry_of(keys, key):
    """Find the place of an entry in the tree, or where it would stand."""
    place = key & U(len(keys) - 1)
    while keys[place] != FREE and keys[place] != key:
        place = (place + U(1)) & U(len(keys) - 1)
    return np.int64(place)


@inner(forceinline=True)
def joined(history, code):
    """Give the key of a history with one thing more."""
    return mix(history + GOLDEN * U(code + 1))


@inner
def select(codes, n, info, keys, visits, available, points, exploration, player):
    """Choose by UCB among the actions of a list, a new one first; returns its place and whether it is new."""
    fresh, untried = 0, -1
    best, best_value = 0, -1.0
    for i in range(n):
        entry = entry_of(keys, joined(info, codes[U(i)]) | USED)
        if keys[entry] == FREE:
            fresh += 1
            if fresh == 1 or below(player, STRATEGY, fresh) == 0:
                untried = i
            continue
        available[entry] += 1
        value = points[entry] / visits[entry] + exploration * np.sqrt(np.log(available[entry]) / visits[entry])
        if value > best_value:
            best, best_value = i, value
    return (untried, fresh) if fresh > 0 else (best, 0)


def _tree_search(state, table, legal, n):
    """Try the actions in the same deals, the better half again and again, with a tree below them.

    What the roll-out would do is kept to unless the other one that is left is better beyond doubt.
    """
    if n == 1:
        return 0
    seat = U(state["decider"])
    playouts = np.int64(table["parameters"][seat, 0])
    exploration = table["parameters"][seat, 1]
    key = any_bits(state["players"][seat], STRATEGY)
    states = np.empty(2, state_type)
    tables = np.empty(1, table_type)
    codes = np.empty(legal_size, np.int32)
    size = 64
    while size < 8 * playouts:
        size *= 2
    keys = np.zeros(size, np.uint64)
    visits = np.zeros(size, np.int64)
    available = np.zeros(size, np.int64)
    points = np.zeros(size)
    path = np.empty(MOST_DEPTH, np.int64)
    deciders = np.empty(MOST_DEPTH, np.int64)
    sums = np.zeros(n)  # of what an action has brought more than the first of them did in the same deal
    squares = np.zeros(n)
    begin_search(states, tables, state, table, key)
    played = states[1]  # tables[0] has no name: numba frees an array after its last use, whoever still looks into it
    left = candidates(states[0], tables[0], legal, n, playouts)  # what is still tried
    taken_back = pool_hidden(states[0], tables[0], seat)
    rounds = 1
    while 1 << rounds < len(left):
        rounds += 1
    deal = 0
    first = 0.0
    while True:
        for _ in range(max(playouts // (rounds * len(left)), 1)):
            deal += 1
            for tried in left:
                count = begin_playout(states, tables, codes, legal, n, taken_back, seat, key, deal)
                history = U(1)
                unseen = U(0)  # choices that the one who decides may not have seen
                depth = 0
                at_root = True
                while count != OVER and depth < MOST_DEPTH:
                    decider = played["decider"]
                    if secrecy(played) != SECRET_SECOND:
                        history = joined(history ^ unseen, 0)
                        unseen = U(0)
                    fresh = 0
                    if at_root and decider == seat:
                        place = tried
                        at_root = False
                    elif count == 1:
                        place = 0
                    else:
                        info = joined(history, decider + 1)
                        place, fresh = select(
                            codes, count, info, keys, visits, available, points, exploration, played["players"][seat]
                        )
                        if fresh == count:  # a new node: first what the roll-out would do
                            place = roll_out(played, tables[0], codes, count)
                        entry = entry_of(keys, joined(info, codes[U(place)]) | USED)
                        path[depth] = entry
                        deciders[depth] = decider
                        depth += 1
                        if fresh > 0:
                            keys[entry] = joined(info, codes[U(place)]) | USED
                            available[entry] = 1
                    unseen = joined(unseen, codes[U(place)])
                    apply(played, tables[0], codes[U(place)])
                    count = go_on(played, tables[0], codes)
                    if fresh > 0 and not at_root:
                        break
                finish(played, tables[0], codes, count)
                for i in range(depth):
                    visits[path[i]] += 1
                    points[path[i]] += result_for(played, tables[0], deciders[i])
                result = result_for(played, tables[0], seat)
                if tried == left[0]:
                    first = result
                sums[tried] += result - first
                squares[tried] += (result - first) ** 2
        if len(left) == 2:
            return left[1] if surely_more(sums, squares, left[1], deal) > 0.0 else left[0]
        left = better_half(left, sums, squares, deal)


@inner
def surely_more(sums, squares, place, deals):
    """Give what an action has brought more than the first in so many deals, less what may be luck."""
    return sums[place] - DOUBT * np.sqrt(max(squares[place] - sums[place] ** 2 / deals, 0.0))


@kernel(allocates=True)
def better_half(left, sums, squares, deals):
    """Keep half of the actions, rounded up: the first, and those that have surely brought the most; of equals the
    earlier.
    """
    kept = np.empty((len(left) + 1) // 2, np.int64)
    kept[0] = left[0]
    size = 1
    for i in range(1, len(left)):
        more = surely_more(sums, squares, left[i], deals)
        better = 1
        for k in range(1, len(left)):
            other = surely_more(sums, squares, left[k], deals)
            better += other > more or (other == more and k < i)
        if better < len(kept):
            kept[size] = left[i]
            size += 1
    return kept


def flat_search(game: Game, policy: Any, parameters: tuple[float, ...]) -> Any:
    """Bind flat Monte Carlo to a game and to what plays the roll-outs: a compiled function, and what it is told."""
    return _bound(game, policy, parameters, False)


def tree_search(game: Game, policy: Any, parameters: tuple[float, ...]) -> Any:
    """Bind information-set Monte Carlo tree search to a game and to what plays the roll-outs (see `flat_search`)."""
    return _bound(game, policy, parameters, True)


@cache
def _bound(game: Game, policy: Any, parameters: tuple[float, ...], grows_tree: bool) -> Any:
    onward = bind(_go_on, advance=game.advance, sample_chance=game.sample_chance, apply_chance=game.apply_chance)
    names = {
        "go_on": onward,
        "finish": bind(_finish, apply=game.apply, roll_out=policy, go_on=onward, horizon=game.horizon),
        "result_for": bind(_result_for, lead=game.lead),
        "begin_search": bind(_begin_search, told=parameters or (0.0,)),
        "begin_playout": bind(_begin_playout, determinize=game.determinize, go_on=onward),
        "candidates": bind(_candidates, allocates=True, roll_out=policy),
        "roll_out": policy,
        "apply": game.apply,
        "pool_hidden": game.pool_hidden,
        "state_type": numba.from_dtype(game.state) if ENABLED else game.state,
        "table_type": numba.from_dtype(game.table) if ENABLED else game.table,
        "legal_size": game.legal_size,
    }
    if grows_tree:
        return bind(_tree_search, allocates=True, secrecy=game.secrecy, **names)
    return bind(_flat_search, allocates=True, **names)
