"""Tables of games: how they ended, how long they lasted, what happened in them, by seat order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.play.results import Results
from reports.stats.estimates import wilson
from sim.kernels.loop import DECISIONS
from sim.run import Side

TURN_LIMIT = "turn_limit"
SEATS = ("first", "second")


class Order(NamedTuple):
    """The games of a matchup with one side in the first seat: see `sim.run.Counts`."""

    sides: tuple[Side, Side]  # by seat
    outcomes: NDArray[np.int64]
    turns: NDArray[np.int64]  # by end reason
    choices: NDArray[np.int64]  # by seat
    leads: NDArray[np.int64]
    changes: NDArray[np.int64]
    deficits: NDArray[np.int64]  # by seat
    decided: NDArray[np.int64]
    tallies: NDArray[np.int64]

    @property
    def games(self) -> int:
        """How many there are."""
        return int(self.outcomes.sum())

    @property
    def names(self) -> dict[str, str]:
        """The columns that say who sat where."""
        first, second = self.sides
        return {
            "deck_first": first.deck_label,
            "deck_second": second.deck_label,
            "strategy_first": first.strategy_label,
            "strategy_second": second.strategy_label,
        }


def orders(results: Results) -> Iterator[Order]:
    """Give one entry per seat order of each matchup; a mirror has one for both."""
    for matchup, counts in results.played():
        parts = [getattr(counts, name) for name in Order._fields[1:]]
        if matchup.is_mirror:
            yield Order((matchup.a, matchup.b), *(part.sum(axis=0) for part in parts))
            continue
        for order, sides in enumerate(((matchup.a, matchup.b), (matchup.b, matchup.a))):
            yield Order(sides, *(part[order] for part in parts))


def matchups_table(results: Results) -> pd.DataFrame:
    """Make one row per seat order of each matchup; a mirror has one row of 2 x pairs games.

    Returns
    -------
    DataFrame
        ``first_wins``, ``second_wins``, ``draws`` (without those stopped) and ``turn_limit`` add up to ``games``;
        ``first_win_low`` and ``first_win_high`` are the row's Wilson interval; ``end_*`` are games by end reason;
        ``turns_*`` and ``decisions_mean`` describe the length; ``turns_p5``, ``turns_median`` and ``turns_p95`` are
        missing where so many games were stopped that they are not reached (`quantile`).
    """
    study = results.study
    reasons = study.game.reasons
    limit = reasons.index(TURN_LIMIT)
    rows = []
    quantiles = {"turns_p5": 0.05, "turns_median": 0.5, "turns_p95": 0.95}
    for order in orders(results):
        games, outcomes, turns = order.games, order.outcomes, order.turns.sum(axis=0)
        stopped = int(outcomes[:, limit].sum())
        wins, losses = int(outcomes[0].sum()), int(outcomes[1].sum())
        draws = games - wins - losses - stopped
        half = wins + (draws + stopped) / 2
        low, high = wilson(half, games)
        rows.append(
            {
                "game": study.game.name,
                **order.names,
                "games": games,
                "first_wins": wins,
                "second_wins": losses,
                "draws": draws,
                "turn_limit": stopped,
                "turns_mean": float((turns * np.arange(len(turns))).sum() / games),
                "decisions_mean": int(order.choices[:, DECISIONS].sum()) / games,
                "first_win_rate": half / games,
                "first_win_low": low,
                "first_win_high": high,
                **{name: quantile(turns, q, order.turns[limit]) for name, q in quantiles.items()},
                **{f"end_{reason}": int(outcomes[:, i].sum()) for i, reason in enumerate(reasons)},
            }
        )
    return pd.DataFrame(rows).astype(dict.fromkeys(quantiles, "Int64"))  # whole numbers, or none


def quantile(histogram: NDArray[np.int64], q: float, stopped: NDArray[np.int64] | None = None) -> int | None:
    """Give the smallest length that at least a share ``q`` of the games does not exceed.

    Parameters
    ----------
    histogram : int64 array, shape (longest + 1,)
        Games by length; at least one.
    q : float
        Between 0 and 1.
    stopped : int64 array, shape (longest + 1,), optional
        Those of them that were stopped: they would have lasted longer, nobody knows how long.

    Returns
    -------
    int or None
        By the product-limit estimate of Kaplan and Meier (1958), as `scipy.stats.ecdf`; None if the games that were
        stopped leave it open: it is more than the longest length there is.
    """
    finished = histogram if stopped is None else histogram - stopped
    at_risk = histogram[::-1].cumsum()[::-1]
    surviving = np.cumprod(1 - finished / np.maximum(at_risk, 1))
    reached = np.flatnonzero(1 - surviving >= q - 1e-12)
    return int(reached[0]) if len(reached) else None


def lengths_table(results: Results) -> pd.DataFrame:
    """Make one row per seat order and length that occurred: how many games lasted so many turns, and were stopped after
    so many.
    """
    frames = []
    limit = results.study.game.reasons.index(TURN_LIMIT)
    for order in orders(results):
        turns, stopped = order.turns.sum(axis=0), order.turns[limit]
        lengths = np.flatnonzero(turns)
        numbers = {"turns": lengths, "games": turns[lengths], "turn_limit": stopped[lengths]}
        frames.append(pd.DataFrame({"game": results.study.game.name, **order.names, **numbers}))
    return pd.concat(frames, ignore_index=True)


def seats_table(results: Results) -> pd.DataFrame:
    """Make one row per seat of each seat order: how that seat won and lost, and what the game counts.

    Returns
    -------
    DataFrame
        ``wins`` and, by end reason, ``lost_*`` count games; the columns of the game's own tallies (`sim.game.Tallies`)
        are means a game.
    """
    reasons, tallies = results.study.game.reasons, results.study.game.tallies
    rows = []
    for order in orders(results):
        for seat, name in enumerate(SEATS):
            rows.append(
                {
                    "game": results.study.game.name,
                    **order.names,
                    "seat": name,
                    "games": order.games,
                    "wins": int(order.outcomes[seat].sum()),
                    **{
                        f"lost_{reason}": int(order.outcomes[1 - seat, i])
                        for i, reason in enumerate(reasons)
                        if reason != TURN_LIMIT
                    },
                    **{tally: int(order.tallies[seat, i]) / order.games for i, tally in enumerate(tallies.game)},
                }
            )
    return pd.DataFrame(rows)


def turns_table(results: Results) -> pd.DataFrame:
    """Make one row per seat of each seat order and own turn, with what the game counts for each turn.

    Returns
    -------
    DataFrame
        The first of the game's columns counts games with such a turn; the others are means over them. The last turn
        stands for those after it, too. Empty for a game that counts nothing by turns.
    """
    tallies = results.study.game.tallies
    frames = []
    for order in orders(results):
        for seat, name in enumerate(SEATS):
            numbers = order.tallies[seat, len(tallies.game) :].reshape(tallies.turns, len(tallies.turn))
            for turn in np.flatnonzero(numbers.any(axis=1)):
                n, *sums = numbers[turn].tolist()
                means = {tally: x / n for tally, x in zip(tallies.turn[1:], sums, strict=True)}
                frames.append(
                    {
                        "game": results.study.game.name,
                        **order.names,
                        "seat": name,
                        "turn": int(turn) + 1,
                        tallies.turn[0]: n,
                        **means,
                    }
                )
    names = ("deck_first", "deck_second", "strategy_first", "strategy_second")
    return pd.DataFrame(frames, columns=["game", *names, "seat", "turn", *tallies.turn])


def players(table: pd.DataFrame) -> pd.Series:
    """Name the two strategies of each row of a table with seats, whichever sits first, as the table first names them.

    Parameters
    ----------
    table : DataFrame
        With the columns ``strategy_first`` and ``strategy_second``.

    Returns
    -------
    Series of str
        ``random – greedy`` for both seat orders.
    """
    names: dict[frozenset[str], str] = {}
    pairs = zip(table["strategy_first"], table["strategy_second"], strict=True)
    return pd.Series([names.setdefault(frozenset((a, b)), f"{a} – {b}") for a, b in pairs], index=table.index)
