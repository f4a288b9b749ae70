"""Games with an eye on the cards: in how many each card of a side was drawn, or played, and how often it then won.

The game loop is bound once more, to kernels that look on, and compiled when that is first wanted: so the ordinary one
stays as fast as it is. It plays the same games: the same pairs from the same random streams.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from sim.game import Game
from sim.kernels.bits import NONE, U, lowest, single, without_lowest
from sim.kernels.jit import bind, inner, was_compiled
from sim.kernels.legal import KIND_SHIFT, LAST_MASK
from sim.run import Block, Runner

NUMBERS = 64  # cards of a deck by the number that hands and actions name them by
DRAWN, DRAWN_POINTS, PLAYED, PLAYED_POINTS = range(4)  # games, and half points in them
COLUMNS = 4
TASK_PAIRS = 250

plays: Any


@inner
def see_hands(state, seen):
    """Note by seat the cards in hand, as often as a decision or a chance event waits, and at the end."""
    for seat in range(2):
        seen[seat, 0] |= state["players"][seat]["hand"]


def _see_action(state, action, seen):
    """Note the card that an action plays from hand."""
    if (plays >> U(action >> KIND_SHIFT)) & U(1) != NONE:
        seen[state["decider"], 1] |= single(action & LAST_MASK)


@inner
def count_cards(state, swapped, seen, cards):
    """Count a game for each card that was seen in it, by side, and forget what was seen."""
    for seat in range(2):
        points = 1 if state["winner"] < 0 else (2 if state["winner"] == seat else 0)
        for what in range(2):
            rest = seen[seat, what]
            while rest != NONE:
                count = cards[seat ^ swapped, lowest(rest)]
                rest = without_lowest(rest)
                count[2 * what] += 1
                count[2 * what + 1] += points
    seen[:] = NONE


@cache
def usage_loop(game: Game) -> Any:
    """Compile the loop that looks at the cards of a game, or load it from the cache."""
    see_action = bind(_see_action, plays=U(sum(1 << kind for kind in game.plays)))
    return game.compile_loop(_noted(game), see_hands=see_hands, see_action=see_action, count_cards=count_cards)


def _noted(game: Game) -> str:
    return f"{game.compiled_as}-card-usage"


def is_compiled(game: Game) -> bool:
    """Tell whether the loop that looks at the cards of a game has been compiled on this machine before."""
    return was_compiled(_noted(game))


@dataclass(frozen=True, eq=False)
class CardUsage:
    """What became of the cards in some pairs of a matchup.

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


def count_card_usage(runner: Runner, most_pairs: int, jobs: int = -1) -> Iterator[CardUsage]:
    """Play the first pairs of each matchup again (without its changes) and count what became of the cards.

    Parameters
    ----------
    runner : Runner
        What is played.
    most_pairs : int
        How many pairs a matchup at most.
    jobs : int
        Threads; -1 for one a core. Changes no result.

    Yields
    ------
    CardUsage
        As they are ready. Closing the iterator (or an exception in it) stops every task before its next game.

    Raises
    ------
    StrategyError
        If a strategy fails or chooses outside its legal list.
    """
    usage_loop(runner.game)
    yield from runner.in_threads(_tasks(runner, most_pairs), jobs, ordered=False)


def _tasks(runner: Runner, most_pairs: int) -> Iterator[Any]:
    for place, matchup in enumerate(runner.matchups):
        tables, keys = runner.tables(matchup), runner.keys(matchup)
        pairs = min(runner.pairs_of(matchup), most_pairs)
        for first in range(0, pairs, TASK_PAIRS):
            block = Block(place, first, min(TASK_PAIRS, pairs - first))
            yield joblib.delayed(_card_usage)(runner, block, tables, keys)


def _card_usage(runner: Runner, block: Block, tables: np.ndarray, keys: NDArray[np.uint64]) -> CardUsage:
    place, first, pairs = block
    cards = np.zeros((2, NUMBERS, COLUMNS), np.int64)
    counts, _ = runner.play_pairs(
        runner.matchups[place], tables, keys, first, pairs, loop=usage_loop(runner.game), cards=cards
    )
    return CardUsage(place, counts.games, cards)
