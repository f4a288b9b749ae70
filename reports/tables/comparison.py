"""Tables of two results compared: what has changed, by how much, with intervals; the unit is the pair."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.experiments.changes import Setting, changes
from reports.experiments.comparison import Comparison, Met
from reports.stats.estimates import FIRST_SEAT, LEVEL, STRENGTH, Mean, holm_once, pooled, verdict
from reports.stats.unpaired import Change, change, student
from sim.counts import Counts


def comparison_tables(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Make every table of a comparison, by file name without its ending."""
    settings = pd.DataFrame(changes(comparison.before, comparison.after), columns=list(Setting._fields))
    return {
        "fairness_changes": fairness_changes(comparison),
        "matchup_changes": matchup_changes(comparison),
        "deck_changes": deck_changes(comparison),
        "length_changes": length_changes(comparison),
        "end_changes": end_changes(comparison),
        "settings": settings,
    }


def fairness_changes(comparison: Comparison) -> pd.DataFrame:
    """Make a row for each two strategies, then one over all: the first seat's win rate and its verdict, before and
    after.
    """
    rows = []
    for (a, b), met in comparison.groups():
        rows.append({"strategy_a": a, "strategy_b": b, "matchups": len(met), **_first_seat(met, comparison.margin)})
    return pd.DataFrame(rows)


def matchup_changes(comparison: Comparison) -> pd.DataFrame:
    """Make a row for each matchup; ``changed`` tells in which the first seat's win rate has changed, all together
    (Holm).
    """
    rows = []
    for one in comparison.met:
        (deck_a, a), (deck_b, b) = one.a, one.b
        rows.append(
            {"deck_a": deck_a, "deck_b": deck_b, "strategy_a": a, "strategy_b": b,
            **_first_seat([one], comparison.margin)}
        )  # fmt: skip
    return _together(pd.DataFrame(rows))


def deck_changes(comparison: Comparison) -> pd.DataFrame:
    """Make a row for each strategy that plays both sides and deck: its win rate against those that it met in both; all
    together (Holm).

    Two decks that met nobody else are one test: what the one wins more, the other wins less.
    """
    rows, tests = [], []
    for strategy in comparison.before.study.strategies:
        for deck in comparison.before.study.decks:
            field = comparison.field(strategy, deck)
            if field:
                scores = list(field.values())
                tests.append((strategy, frozenset(frozenset((deck, opponent)) for opponent in field)))
                before, after = (Mean.of([pair[i] for pair in scores], STRENGTH) for i in (0, 1))
                found = change(before, after)
                rows.append(
                    {
                        "strategy": strategy,
                        "deck": deck,
                        "opponents": len(scores),
                        **_columns(found, "win"),
                        **_how(found),
                    }
                )
    columns = [
        "strategy",
        "deck",
        "opponents",
        *_columns(Change(0, 0, 0, 0, 1, False), "win"),
        "p_value",
        "exact_interval",
    ]
    return _together(pd.DataFrame(rows, columns=columns), tests)


def length_changes(comparison: Comparison) -> pd.DataFrame:
    """Make a row for each two strategies, then one over all: how many turns a game lasts on average."""
    rows = []
    for (a, b), met in comparison.groups():
        found = _averages(met, _length)
        rows.append(
            {
                "strategy_a": a,
                "strategy_b": b,
                "matchups": len(met),
                **_columns(found, "turns"),
                "p_value": found.p_value,
            }
        )
    return pd.DataFrame(rows)


def end_changes(comparison: Comparison) -> pd.DataFrame:
    """Make a row for each two strategies and end reason, then those over all: the share of the games that end so."""
    rows = []
    for (a, b), met in comparison.groups():
        for i, reason in enumerate(comparison.after.study.game.reasons):
            found = _averages(met, lambda counts, i=i: _share(counts, i))
            rows.append(
                {
                    "strategy_a": a,
                    "strategy_b": b,
                    "reason": reason,
                    **_columns(found, "share"),
                    "p_value": found.p_value,
                }
            )
    return pd.DataFrame(rows)


def _first_seat(met: Sequence[Met], margin: float) -> dict[str, Any]:
    scores: list[list[NDArray[np.int64]]] = [[one.scores[i] for one in met] for i in (0, 1)]
    found = change(Mean.of(scores[0], FIRST_SEAT), Mean.of(scores[1], FIRST_SEAT))
    pairs = [sum(int(x.sum()) for x in each) for each in scores]
    before, after = (verdict(pooled(each), margin) for each in scores)
    return {
        "pairs_before": pairs[0],
        "pairs_after": pairs[1],
        **_columns(found, "first_win"),
        **_how(found),
        "verdict_before": before,
        "verdict_after": after,
    }


def _columns(found: Change, prefix: str) -> dict[str, float]:
    return {
        f"{prefix}_before": found.before,
        f"{prefix}_after": found.after,
        "change": found.by,
        "change_low": found.low,
        "change_high": found.high,
    }


def _how(found: Change) -> dict[str, Any]:
    return {"p_value": found.p_value, "exact_interval": found.exact}


def _together(table: pd.DataFrame, tests: Sequence[Hashable] | None = None) -> pd.DataFrame:
    """Add which rows of a table have changed when the probability of any error in it may be 5 % at most; equal tests
    count once.
    """
    adjusted = holm_once(table["p_value"].tolist(), range(len(table)) if tests is None else tests)
    return table.assign(p_holm=adjusted, changed=adjusted <= LEVEL)


def _averages(met: Sequence[Met], mean: Any) -> Change:
    """Compare a mean over matchups of equal weight, of which ``mean`` gives mean and variance in each."""
    parts = []
    for i in (0, 1):
        values = [mean(one.counts[i]) for one in met]
        sizes = [max(one.counts[i].pairs - 1, 1) for one in met]
        variances = [variance for _, variance in values]
        degrees = (
            sum(variances) ** 2 / sum(v**2 / n for v, n in zip(variances, sizes, strict=True))
            if sum(variances) > 0
            else math.nan
        )
        parts.append(
            (sum(value for value, _ in values) / len(values), math.sqrt(sum(variances)) / len(values), degrees)
        )
    return student(*parts[0], *parts[1])


def _length(counts: Counts) -> tuple[float, float]:
    """Give the mean length of the games of a matchup and its variance, as if the games of a pair lasted equally long:
    the worst.
    """
    games = counts.turns.sum(axis=(0, 1))
    turns = np.arange(len(games))
    mean = float((games * turns).sum() / games.sum())
    return mean, float((games * (turns - mean) ** 2).sum() / games.sum()) / max(counts.pairs - 1, 1)


def _share(counts: Counts, reason: int) -> tuple[float, float]:
    """Give the share of the games that ended for a reason and its variance, as if the games of a pair ended alike: the
    worst.

    The variance counts one pair more of each kind (Agresti and Caffo 2000), so that it is not 0 where no game ended
    otherwise.
    """
    share = float(counts.turns[:, reason].sum()) / counts.games
    counted = (share * counts.pairs + 1) / (counts.pairs + 2)
    return share, counted * (1 - counted) / (counts.pairs + 2)
