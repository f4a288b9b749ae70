"""Tables of games: how they ended, how long they lasted, what happened in them, by seat order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.play.results import Results
from reports.stats.estimates import wilson
from sim.kernels.loop import DECISIONS
from sim.run import Side

TURN_LIMIT = "turn_limit"
SEATS = ("first", "second")


class Orders:
    """The games of each matchup that was played by who sat first; a mirror has one row for both seat orders.

    Parameters
    ----------
    results : Results
        What was found.

    Attributes
    ----------
    sides : list of (Side, Side)
        Who sat first and second, a row each.
    """

    def __init__(self, results: Results):
        self._played = list(results.played())
        self.sides: list[tuple[Side, Side]] = []
        for matchup, _ in self._played:
            self.sides += (
                [(matchup.a, matchup.b)] if matchup.is_mirror else [(matchup.a, matchup.b), (matchup.b, matchup.a)]
            )

    def counted(
        self, part: str, told: Callable[[NDArray[np.int64]], NDArray[np.int64]] = lambda counts: counts
    ) -> NDArray[np.int64]:
        """Give one of the counts, or what is told of it by seat order, a row each.

        Parameters
        ----------
        part : str
            A name of `sim.counts.Counts`.
        told : function
            Of an array of two seat orders makes a smaller one of two.
        """
        return np.array(list(self._each(part, told)))

    def _each(self, part: str, told: Callable[[NDArray[np.int64]], NDArray[np.int64]]) -> Iterator[NDArray[np.int64]]:
        for matchup, counts in self._played:
            both = told(getattr(counts, part))
            if matchup.is_mirror:
                yield both[0] + both[1]
            else:
                yield from both

    def by_players(self, part: str) -> dict[tuple[str, str], NDArray[np.int64]]:
        """Add up one of the counts over all decks, by the strategies in the first and the second seat."""
        sums: dict[tuple[str, str], NDArray[np.int64]] = {}
        for (first, second), counts in zip(self.sides, self._each(part, lambda counts: counts), strict=True):
            players = (first.strategy_label, second.strategy_label)
            if players in sums:
                sums[players] += counts
            else:
                sums[players] = counts.astype(np.int64)
        return sums

    def names(self, times: int = 1) -> dict[str, list[str]]:
        """Give the columns that say who sat where, each row so many times."""
        seated = [sides for sides in self.sides for _ in range(times)]
        return {
            "deck_first": [first.deck_label for first, _ in seated],
            "deck_second": [second.deck_label for _, second in seated],
            "strategy_first": [first.strategy_label for first, _ in seated],
            "strategy_second": [second.strategy_label for _, second in seated],
        }

    def by_seat(self) -> dict[str, list[str]]:
        """Give the columns that say who sat where, a row for each seat."""
        return {**self.names(2), "seat": list(SEATS) * len(self.sides)}


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
    reasons, orders = results.study.game.reasons, Orders(results)
    limit = reasons.index(TURN_LIMIT)
    outcomes = orders.counted("outcomes")
    turns = _as_far_as_played(orders.counted("turns", lambda counts: counts.sum(axis=1)))
    stopped = orders.counted("turns", lambda counts: counts[:, limit])[:, : turns.shape[1]]
    games, ends = outcomes.sum(axis=(1, 2)), outcomes.sum(axis=1)
    wins, losses, _ = outcomes.sum(axis=2).T
    draws = games - wins - losses - ends[:, limit]
    half = wins + (draws + ends[:, limit]) / 2
    low, high = wilson(half, games)
    lengths = quantiles(turns, (0.05, 0.5, 0.95), stopped)
    return pd.DataFrame(
        {
            "game": results.study.game.name,
            **orders.names(),
            "games": games,
            "first_wins": wins,
            "second_wins": losses,
            "draws": draws,
            "turn_limit": ends[:, limit],
            "turns_mean": (turns * np.arange(turns.shape[1])).sum(axis=1) / games,
            "decisions_mean": orders.counted("choices")[:, :, DECISIONS].sum(axis=1) / games,
            "first_win_rate": half / games,
            "first_win_low": low,
            "first_win_high": high,
            **{
                name: pd.array([n if n >= 0 else None for n in found.tolist()], "Int64")  # whole numbers, or none
                for name, found in zip(("turns_p5", "turns_median", "turns_p95"), lengths, strict=True)
            },
            **{f"end_{reason}": ends[:, i] for i, reason in enumerate(reasons)},
        }
    )


def _as_far_as_played(histograms: NDArray[np.int64]) -> NDArray[np.int64]:
    """Leave out the lengths that no game has after the longest one."""
    return histograms[:, : int(np.flatnonzero(histograms.any(axis=0))[-1]) + 1]


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
    found = int(quantiles(histogram[None], (q,), None if stopped is None else stopped[None])[0][0])
    return found if found >= 0 else None


def quantiles(
    histograms: NDArray[np.int64], shares: Sequence[float], stopped: NDArray[np.int64] | None = None
) -> list[NDArray[np.int64]]:
    """Give `quantile` of many histograms, a row each, by several shares; -1 where there is none."""
    finished = histograms if stopped is None else histograms - stopped
    at_risk = histograms[:, ::-1].cumsum(axis=1)[:, ::-1]
    surviving = np.cumprod(1 - finished / np.maximum(at_risk, 1), axis=1)
    reached = [1 - surviving >= share - 1e-12 for share in shares]
    return [np.where(there.any(axis=1), there.argmax(axis=1), -1) for there in reached]


def lengths_table(results: Results) -> pd.DataFrame:
    """Make one row per two strategies, by seat, and length that occurred: how many games, over all decks, lasted so
    many turns, and were stopped after so many.
    """
    limit = results.study.game.reasons.index(TURN_LIMIT)
    frames = []
    for players, turns in Orders(results).by_players("turns").items():
        lengths = np.flatnonzero(turns.any(axis=0))
        numbers = {"turns": lengths, "games": turns.sum(axis=0)[lengths], "turn_limit": turns[limit, lengths]}
        frames.append(pd.DataFrame({**of_players(results, players), **numbers}))
    return pd.concat(frames, ignore_index=True)


def of_players(results: Results, players: tuple[str, str]) -> dict[str, str]:
    """Name the columns of what is told over all decks."""
    return {"game": results.study.game.name, "strategy_first": players[0], "strategy_second": players[1]}


def seats_table(results: Results) -> pd.DataFrame:
    """Make one row per seat of each seat order: how that seat won and lost, and what the game counts.

    Returns
    -------
    DataFrame
        ``wins`` and, by end reason, ``lost_*`` count games; the columns of the game's own tallies (`sim.game.Tallies`)
        are means a game.
    """
    reasons, tallies, orders = results.study.game.reasons, results.study.game.tallies, Orders(results)
    outcomes = orders.counted("outcomes")
    games = outcomes.sum(axis=(1, 2)).repeat(len(SEATS))
    counted = orders.counted("tallies", lambda counts: counts[:, :, : len(tallies.game)])
    return pd.DataFrame(
        {
            "game": results.study.game.name,
            **orders.by_seat(),
            "games": games,
            "wins": outcomes[:, :2].sum(axis=2).ravel(),
            **{
                f"lost_{reason}": outcomes[:, [1, 0], i].ravel()  # what the other seat won
                for i, reason in enumerate(reasons)
                if reason != TURN_LIMIT
            },
            **{tally: counted[:, :, i].ravel() / games for i, tally in enumerate(tallies.game)},
        }
    )


def turns_table(results: Results) -> pd.DataFrame:
    """Make one row per two strategies, by seat, seat and own turn, with what the game counts for each turn, over all
    decks.

    Returns
    -------
    DataFrame
        The first of the game's columns counts games with such a turn; the others are means over them. The last turn
        stands for those after it, too. Empty for a game that counts nothing by turns.
    """
    tallies = results.study.game.tallies
    rows = []
    for players, counted in Orders(results).by_players("tallies").items():
        for seat, name in enumerate(SEATS):
            numbers = counted[seat, len(tallies.game) :].reshape(tallies.turns, len(tallies.turn))
            for turn in np.flatnonzero(numbers.any(axis=1)):
                n, *sums = numbers[turn].tolist()
                means = {tally: x / n for tally, x in zip(tallies.turn[1:], sums, strict=True)}
                place = {"seat": name, "turn": int(turn) + 1, tallies.turn[0]: n}
                rows.append({**of_players(results, players), **place, **means})
    columns = ["game", "strategy_first", "strategy_second", "seat", "turn", *tallies.turn]
    return pd.DataFrame(rows, columns=columns)


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
