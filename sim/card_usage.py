"""Games with an eye on the cards: in how many each card of a side was drawn, or played, and how often it then won.

That takes a loop of its own, compiled when it is first wanted, so that the ordinary one stays as fast as it is. It
plays the same games: the same pairs from the same random streams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import joblib
import numpy as np
from numba import types
from numpy.typing import NDArray

from sim.game import Game
from sim.kernels.bits import NONE, U, lowest, single, without_lowest
from sim.kernels.jit import ENABLED, bind, compile_now, note_compiled, was_compiled
from sim.kernels.legal import KIND_SHIFT, LAST_MASK
from sim.kernels.loop import CHANCE, DONE, ILLEGAL_CHOICE, STOPPED
from sim.kernels.streams import seed_streams, side_keys
from sim.run import Matchup, Runner, in_parallel

NUMBERS = 64  # cards of a deck by the number that hands and actions name them by
DRAWN, DRAWN_POINTS, PLAYED, PLAYED_POINTS = range(4)  # games, and half points in them
COLUMNS = 4
TASK_PAIRS = 250

begin: Callable[..., Any]
advance: Callable[..., Any]
apply: Callable[..., Any]
sample_chance: Callable[..., Any]
apply_chance: Callable[..., Any]
deal: Callable[..., Any]
plays: Any


def _watch_game(state, table, legal, choose_a, choose_b, swapped, seen):
    """Play one dealt game and note by seat the cards that have been in hand, and those played from it; tells how it
    ended.

    A hand is looked at whenever a decision or a chance event waits, and at the end.
    """
    seen[:] = NONE
    begin(state, table)
    while True:
        n = advance(state, table, legal)
        for seat in range(2):
            seen[seat, 0] |= state["players"][seat]["hand"]
        if n > 0:
            seat = state["decider"]
            chosen = choose_a(state, table, legal, n) if seat == swapped else choose_b(state, table, legal, n)
            if chosen < 0 or chosen >= n:
                return ILLEGAL_CHOICE
            action = legal[U(chosen)]
            if (plays >> U(action >> KIND_SHIFT)) & U(1) != NONE:
                seen[seat, 1] |= single(action & LAST_MASK)
            apply(state, table, action)
        elif n == CHANCE:
            sample_chance(state, table)
            apply_chance(state, table)
        else:
            return DONE


def _watch_pairs(
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
    seen,  # uint64 (2, 2): room for the cards that were drawn, and played, by seat
    counts,  # int64 (2, NUMBERS, COLUMNS) += games and half points by side, card, drawn or played
):
    """Play pairs of games as the ordinary loop does, and count for each card those in which it was drawn or played."""
    for i in range(pairs):
        for side in range(2):
            seed_streams(dealt["players"][side], keys[side], first_pair + i)
        deal(dealt, tables[0])
        for swapped in range(2):
            if stop[0] != 0:
                return STOPPED
            state["players"][swapped] = dealt["players"][0]
            state["players"][1 - swapped] = dealt["players"][1]
            ended = watch_game(state, tables[swapped], legal, choose_a, choose_b, swapped, seen)
            if ended != DONE:
                return ended
            for seat in range(2):
                points = 1 if state["winner"] < 0 else (2 if state["winner"] == seat else 0)
                for what in range(2):
                    rest = seen[seat, what]
                    while rest != NONE:
                        count = counts[seat ^ swapped, lowest(rest)]
                        rest = without_lowest(rest)
                        count[2 * what] += 1
                        count[2 * what + 1] += points
    return DONE


watch_game: Callable[..., Any]


@cache
def watching_loop(game: Game) -> Any:
    """Compile the watching loop of a game, or load it from the cache."""
    kernels = {name: getattr(game, name) for name in ("begin", "advance", "apply", "sample_chance", "apply_chance")}
    watch_game = bind(_watch_game, plays=U(sum(1 << kind for kind in game.plays)), **kernels)
    loop = bind(_watch_pairs, watch_game=watch_game, deal=game.deal)
    if ENABLED:
        state, table, legal = game.types
        choose, int64 = types.FunctionType(game.choose_type), types.int64
        signature = (
            state, state, types.Array(table, 1, "C"), legal, choose, choose, types.uint64[::1], int64, int64,
            types.uint8[::1], types.uint64[:, ::1], int64[:, :, ::1],
        )  # fmt: skip
        compile_now(loop, signature)
        loop.disable_compile()
        note_compiled(f"{game.compiled_as}-watch")
    return loop


def is_compiled(game: Game) -> bool:
    """Tell whether the watching loop of a game has been compiled on this machine before."""
    return was_compiled(f"{game.compiled_as}-watch")


@dataclass(frozen=True, eq=False)
class Watched:
    """What was seen of the cards in some pairs of a matchup.

    Attributes
    ----------
    matchup : int
        Place in the list of matchups.
    games : int
        How many games.
    counts : int64 array, shape (2, NUMBERS, COLUMNS)
        By side and card (`sim.game.Game.numbers`): games in which at least one copy was in hand at some time, the
        side's half points in them, games in which one was played from hand, half points in these.
    """

    matchup: int
    games: int
    counts: NDArray[np.int64]


def watch(runner: Runner, most_pairs: int, jobs: int = -1) -> Iterator[Watched]:
    """Play the first pairs of each matchup again (without its changes) and count what became of the cards.

    Parameters
    ----------
    runner : Runner
        What is played. Its strategies have played these games before, so that their choices are known to be legal.
    most_pairs : int
        How many pairs a matchup at most.
    jobs : int
        Threads; -1 for one a core. Changes no result.

    Yields
    ------
    Watched
        As they are ready. Closing the iterator (or an exception in it) stops every task before its next game.
    """
    watching_loop(runner.game)
    stop = np.zeros(1, np.uint8)
    tasks = _tasks(runner, most_pairs, stop)

    def tell_to_stop() -> None:
        stop[0] = 1

    yield from in_parallel(tasks, tell_to_stop, ordered=False, n_jobs=jobs, prefer="threads")


def _tasks(runner: Runner, most_pairs: int, stop: NDArray[np.uint8]) -> Iterator[Any]:
    for place, matchup in enumerate(runner.matchups):
        tables = runner.tables(matchup)
        keys = side_keys(runner.seed, runner.game.name, (matchup.a.names, matchup.b.names))
        pairs = min(runner.pairs_of(matchup), most_pairs)
        for first in range(0, pairs, TASK_PAIRS):
            yield joblib.delayed(_watched)(
                runner.game, place, matchup, tables, keys, range(first, min(first + TASK_PAIRS, pairs)), stop
            )


def _watched(
    game: Game,
    place: int,
    matchup: Matchup,
    tables: Any,
    keys: NDArray[np.uint64],
    pairs: Sequence[int],
    stop: NDArray[np.uint8],
) -> Watched:
    counts = np.zeros((2, NUMBERS, COLUMNS), np.int64)
    state, dealt = np.zeros(2, game.state)
    with np.errstate(over="ignore"):  # without JIT, numpy warns in each thread where arithmetic wraps around
        ended = watching_loop(game)(
            state, dealt, tables, np.zeros(game.legal_size, np.int32), matchup.a.choose, matchup.b.choose, keys,
            pairs[0], len(pairs), stop, np.zeros((2, 2), np.uint64), counts,
        )  # fmt: skip
    assert ended != ILLEGAL_CHOICE
    return Watched(place, 2 * len(pairs), counts)
