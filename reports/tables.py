"""Tables of a study's results as pandas data frames. Rates are fractions; a draw or a game stopped at the limit counts as half."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.ratings import bradley_terry
from reports.results import Results
from reports.statistics import STRENGTH, Estimate, first_seat, pooled, strength, verdict, wilson
from sim.run import Counts, Matchup, Side

TURN_LIMIT = "turn_limit"
SEATS = ("first", "second")


class Order(NamedTuple):
    """The games of a matchup with one side in the first seat: see `sim.run.Counts`."""

    sides: tuple[Side, Side]  # by seat
    outcomes: NDArray[np.int64]
    turns: NDArray[np.int64]
    decisions: int
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


def _orders(results: Results) -> Iterator[Order]:
    """Give one entry per seat order of each matchup; a mirror has one for both."""
    for matchup, counts in _played(results):
        parts = (counts.outcomes, counts.turns, counts.decisions, counts.tallies)
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
        ``first_win_low`` and ``first_win_high`` are the row's Wilson interval; ``end_*`` are games by end reason; ``turns_*``
        and ``decisions_mean`` describe the length.
    """
    study = results.study
    reasons = study.game.reasons
    limit = reasons.index(TURN_LIMIT)
    rows = []
    for order in _orders(results):
        games, outcomes, turns = order.games, order.outcomes, order.turns
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
                "decisions_mean": order.decisions / games,
                "first_win_rate": half / games,
                "first_win_low": low,
                "first_win_high": high,
                **{f"turns_{name}": quantile(turns, q) for name, q in (("p5", 0.05), ("median", 0.5), ("p95", 0.95))},
                **{f"end_{reason}": int(outcomes[:, i].sum()) for i, reason in enumerate(reasons)},
            }
        )
    return pd.DataFrame(rows)


def quantile(histogram: NDArray[np.int64], q: float) -> int:
    """Give the smallest length that at least a share ``q`` of the games does not exceed.

    Parameters
    ----------
    histogram : int64 array, shape (longest + 1,)
        Games by length; at least one.
    q : float
        Between 0 and 1.
    """
    total = np.cumsum(histogram)
    return int(np.searchsorted(total, q * total[-1]))


def pairs_table(results: Results) -> pd.DataFrame:
    """Make one row per matchup with the nine counts of its pairs and the two answers that follow from them.

    Returns
    -------
    DataFrame
        ``n_xy``: pairs in which A scored x half points as first and y as second; ``a_win_*``: A's win rate over both seats;
        ``first_win_*``: the first seat's win rate with the sides' strength cancelled; intervals are paired;
        ``variance_ratio``: paired over unpaired variance of the latter; ``verdict`` against the study's margin.
    """
    rows = []
    for matchup, counts in zip(results.matchups, results.counts, strict=True):
        a, seat = strength(counts.scores), first_seat(counts.scores)
        rows.append(
            {
                "game": results.study.game.name,
                "deck_a": matchup.a.deck_label,
                "deck_b": matchup.b.deck_label,
                "strategy_a": matchup.a.strategy_label,
                "strategy_b": matchup.b.strategy_label,
                "pairs": a.pairs,
                **{f"n_{i}{j}": int(counts.scores[i, j]) for i in range(3) for j in range(3)},
                **_estimate("a_win", a),
                **_estimate("first_win", seat),
                "decisive_pairs": seat.decisive,
                "variance_ratio": seat.variance_ratio,
                "exact_interval": seat.exact,
                "verdict": verdict(seat, results.study.margin),
            }
        )
    return pd.DataFrame(rows)


def fairness_table(results: Results) -> pd.DataFrame:
    """Make one row per pair of strategies, and one over all, with the first seat's win rate over all decks.

    Returns
    -------
    DataFrame
        Every matchup weighs the same; the interval is paired; ``verdict`` is against the study's margin.
    """
    families = {
        (a, b): [counts.scores for matchup, counts in _played(results) if _strategies(matchup) == (a, b)]
        for a, b in combinations_with_replacement(results.study.strategies, 2)
    }
    rows: list[dict[str, Any]] = [
        {"strategy_a": a, "strategy_b": b, **_seat_row(scores, results.study.margin)} for (a, b), scores in families.items() if scores
    ]
    if len(rows) > 1:
        every = [counts.scores for counts in results.counts]
        rows.append({"strategy_a": "all", "strategy_b": "all", **_seat_row(every, results.study.margin)})
    return pd.DataFrame(rows)


def _seat_row(scores: list[NDArray[np.int64]], margin: float) -> dict[str, Any]:
    seat = pooled(scores)
    return {
        "matchups": len(scores),
        "games": 2 * seat.pairs,
        **_estimate("first_win", seat),
        "decisive_pairs": seat.decisive,
        "variance_ratio": seat.variance_ratio,
        "exact_interval": seat.exact,
        "verdict": verdict(seat, margin),
    }


def skill_table(fairness: pd.DataFrame) -> pd.DataFrame:
    """Keep of `fairness_table` a row per strategy, in the study's order: the first seat's win rate when it plays both sides.

    Returns
    -------
    DataFrame
        Does a verdict hold as play gets better?
    """
    equal = fairness[(fairness["strategy_a"] == fairness["strategy_b"]) & (fairness["strategy_a"] != "all")]
    return equal.drop(columns="strategy_b").rename(columns={"strategy_a": "strategy"}).reset_index(drop=True)


def strategies_table(results: Results) -> pd.DataFrame:
    """Make one row per ordered pair of strategies with the first's win rate over all decks and both seats.

    Returns
    -------
    DataFrame
        Row (a, b) and row (b, a) add up to 1; a strategy against itself is at exactly one half.
    """
    rows = []
    names = list(results.study.strategies)
    for a in names:
        for b in names:
            scores = [_from_side_of(matchup, counts, a) for matchup, counts in _played(results) if set(_strategies(matchup)) == {a, b}]
            if not scores:  # they did not meet
                continue
            half = {"win_rate": 0.5, "win_low": 0.5, "win_high": 0.5}  # against itself, by definition
            rows.append(
                {
                    "game": results.study.game.name,
                    "strategy": a,
                    "opponent": b,
                    "games": 2 * int(sum(s.sum() for s in scores)),
                    **(half if a == b else _estimate("win", pooled(scores, STRENGTH))),
                }
            )
    return pd.DataFrame(rows)


def ratings_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy with its Bradley–Terry rating, and one for what the first seat is worth (see `bradley_terry`).

    Returns
    -------
    DataFrame
        In Elo points: ``rating`` above the first strategy of the study, with its interval, which comes from resampled pairs.
    """
    names = list(results.study.strategies)
    met = [(*_strategies(matchup), counts.scores) for matchup, counts in _played(results)]
    ratings, first = bradley_terry(names, met)
    rows = [*zip(names, ratings, strict=True), ("first seat", first)]
    return pd.DataFrame([{"strategy": name, "rating": r[0], "rating_low": r[1], "rating_high": r[2]} for name, r in rows])


def decks_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy and deck with the deck's win rate against the field of the other decks, both seats.

    Returns
    -------
    DataFrame
        Every opponent weighs the same. Without other decks the table is empty.
    """
    rows = []
    for s in results.study.strategies:
        for deck in results.study.decks:
            scores = [scores for opponent, scores in _deck_scores(results, s, deck) if opponent != deck]
            if scores:
                rows.append(
                    {
                        "game": results.study.game.name,
                        "strategy": s,
                        "deck": deck,
                        "name": results.study.decks[deck].name,
                        "games": 2 * int(sum(x.sum() for x in scores)),
                        **_estimate("win", pooled(scores, STRENGTH)),
                    }
                )
    return pd.DataFrame(rows)


def deck_matrix(results: Results, strategy_label: str) -> pd.DataFrame:
    """Make the matrix of win rates of the deck in the row against the deck in the column, both seats, one strategy on both sides.

    Returns
    -------
    DataFrame
        Cells (i, j) and (j, i) add up to 1; the diagonal is one half.
    """
    decks = list(results.study.decks)
    matrix = pd.DataFrame(0.5, index=pd.Index(decks, name="deck"), columns=pd.Index(decks, name="opponent"))
    for deck in decks:
        for opponent, scores in _deck_scores(results, strategy_label, deck):
            if opponent != deck:
                matrix.loc[deck, opponent] = strength(scores).rate
    return matrix


def lengths_table(results: Results) -> pd.DataFrame:
    """Make one row per seat order and length that occurred: how many games lasted so many turns."""
    frames = []
    for order in _orders(results):
        lengths = np.flatnonzero(order.turns)
        frames.append(pd.DataFrame({"game": results.study.game.name, **order.names, "turns": lengths, "games": order.turns[lengths]}))
    return pd.concat(frames, ignore_index=True)


def seats_table(results: Results) -> pd.DataFrame:
    """Make one row per seat of each seat order: how that seat won and lost, and what the game counts.

    Returns
    -------
    DataFrame
        ``wins`` and, by end reason, ``lost_*`` count games; the columns of the game's own tallies (`sim.game.Tallies`) are means
        a game.
    """
    reasons, tallies = results.study.game.reasons, results.study.game.tallies
    rows = []
    for order in _orders(results):
        for seat, name in enumerate(SEATS):
            rows.append(
                {
                    "game": results.study.game.name,
                    **order.names,
                    "seat": name,
                    "games": order.games,
                    "wins": int(order.outcomes[seat].sum()),
                    **{f"lost_{reason}": int(order.outcomes[1 - seat, i]) for i, reason in enumerate(reasons) if reason != TURN_LIMIT},
                    **{tally: int(order.tallies[seat, i]) / order.games for i, tally in enumerate(tallies.game)},
                }
            )
    return pd.DataFrame(rows)


def turns_table(results: Results) -> pd.DataFrame:
    """Make one row per seat of each seat order and own turn, with what the game counts for each turn.

    Returns
    -------
    DataFrame
        The first of the game's columns counts games with such a turn; the others are means over them. The last turn stands for
        those after it, too. Empty for a game that counts nothing by turns.
    """
    tallies = results.study.game.tallies
    frames = []
    for order in _orders(results):
        for seat, name in enumerate(SEATS):
            numbers = order.tallies[seat, len(tallies.game) :].reshape(tallies.turns, len(tallies.turn))
            for turn in np.flatnonzero(numbers.any(axis=1)):
                n, *sums = numbers[turn].tolist()
                means = {tally: x / n for tally, x in zip(tallies.turn[1:], sums, strict=True)}
                frames.append(
                    {"game": results.study.game.name, **order.names, "seat": name, "turn": int(turn) + 1, tallies.turn[0]: n, **means}
                )
    names = ("deck_first", "deck_second", "strategy_first", "strategy_second")
    return pd.DataFrame(frames, columns=["game", *names, "seat", "turn", *tallies.turn])


def all_tables(results: Results) -> dict[str, pd.DataFrame]:
    """Make every table of a report, by file name without its ending."""
    fairness = fairness_table(results)
    return {
        "matchups": matchups_table(results),
        "pairs": pairs_table(results),
        "fairness": fairness,
        "decks": decks_table(results),
        "skill": skill_table(fairness),
        "strategies": strategies_table(results),
        **({"ratings": ratings_table(results)} if len(results.study.strategies) > 1 and results.study.pairing != "same strategy" else {}),
        "lengths": lengths_table(results),
        "seats": seats_table(results),
        **({"turns": turns_table(results)} if results.study.game.tallies.turn else {}),
    }


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


def _played(results: Results) -> Iterator[tuple[Matchup, Counts]]:
    return zip(results.matchups, results.counts, strict=True)


def _strategies(matchup: Matchup) -> tuple[str, str]:
    return (matchup.a.strategy_label, matchup.b.strategy_label)


def _from_side_of(matchup: Matchup, counts: Counts, strategy_label: str) -> NDArray[np.int64]:
    """Turn the nine counts so that the named strategy is side A."""
    return counts.scores if matchup.a.strategy_label == strategy_label else _other_side(counts.scores)


def _other_side(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Turn the nine counts to side B's half points as first and as second."""
    return scores[::-1, ::-1].T.copy()


def _deck_scores(results: Results, strategy_label: str, deck: str) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Give the opponents of a deck, one strategy on both sides, with the nine counts from the deck's side."""
    for matchup, counts in _played(results):
        if _strategies(matchup) == (strategy_label, strategy_label):
            if matchup.a.deck_label == deck:
                yield matchup.b.deck_label, counts.scores
            elif matchup.b.deck_label == deck:
                yield matchup.a.deck_label, _other_side(counts.scores)


def _estimate(prefix: str, estimate: Estimate) -> dict[str, float]:
    return {f"{prefix}_rate": estimate.rate, f"{prefix}_low": estimate.low, f"{prefix}_high": estimate.high}
