"""Tables of the course of games: who leads when, comebacks, when a game is decided; and games worth a look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from reports.play.results import Results
from reports.stats.estimates import strength
from reports.tables.games import SEATS, orders
from sim.counts import Counts
from sim.kernels.course import (
    COMEBACK,
    DEFICIT_STEPS,
    FINE_DEFICITS,
    LONGEST,
    NUMBER,
    STOPPED_GAME,
    TURNS_APART,
    VALUE,
    WON_BY_A,
    WON_BY_B,
)
from sim.kernels.loop import ACTIONS, DECISIONS, FORCED

FAR = 0.5  # a deficit that counts as a great one
UPSET = 0.4  # the win rate below which a win is one


def course_table(results: Results) -> pd.DataFrame:
    """Make one row per seat of each seat order: what a player of that seat goes through.

    Returns
    -------
    DataFrame
        ``decisions`` and ``actions`` are means a game and a decision, ``forced`` is the share of decisions with one
        legal action. ``comebacks`` and ``great_comebacks`` are wins after having been behind, and by half of the
        measure or more, at the end of a turn. ``lead_changes`` (a game), ``decided_turn`` (the turn from whose end on
        the winner led, the last one's if not before; a mean over games with a winner) and ``decided_share`` (that over
        those games' mean length) are the same for both seats; the latter two are empty without such a game.
    """
    rows = []
    for order in orders(results):
        won, won_turns = int(order.decided.sum()), int(order.leads[:, :, :2].sum())
        decided_turns = int((order.decided * np.arange(len(order.decided))).sum())
        both = {
            "lead_changes": float((order.changes * np.arange(len(order.changes))).sum() / order.games),
            "decided_turn": decided_turns / won if won else np.nan,
            "decided_share": decided_turns / won_turns if won_turns else np.nan,
        }
        for seat, name in enumerate(SEATS):
            decisions, actions, forced = (int(order.choices[seat, what]) for what in (DECISIONS, ACTIONS, FORCED))
            deficits = order.deficits[seat]
            rows.append(
                {
                    "game": results.study.game.name,
                    **order.names,
                    "seat": name,
                    "games": order.games,
                    "decisions": decisions / order.games,
                    "actions": actions / max(decisions, 1),
                    "forced": forced / max(decisions, 1),
                    "wins": int(deficits.sum()),
                    "comebacks": int(deficits[1:].sum()),
                    "great_comebacks": int(deficits[1 + int(FAR * DEFICIT_STEPS) :].sum()),
                    **both,
                }
            )
    return pd.DataFrame(rows)


def leads_table(results: Results) -> pd.DataFrame:
    """Make one row per seat order and turn after which games went on: who led, and how often the leader won.

    Returns
    -------
    DataFrame
        ``turn`` 0 is the setup; ``first_leads``, ``second_leads`` and ``level`` count games and add up to ``games``;
        ``leader_wins`` counts the games that whoever led then won, a draw as half.
    """
    frames = []
    for order in orders(results):
        turns = np.flatnonzero(order.leads.any(axis=(1, 2)))
        by_leader = order.leads[turns].sum(axis=2)
        won = order.leads[turns, 0, 0] + order.leads[turns, 1, 1] + order.leads[turns, :2, 2].sum(axis=1) / 2
        numbers = {
            "turn": turns,
            "games": by_leader.sum(axis=1),
            "first_leads": by_leader[:, 0],
            "second_leads": by_leader[:, 1],
            "level": by_leader[:, 2],
            "leader_wins": won,
        }
        frames.append(pd.DataFrame({"game": results.study.game.name, **order.names, **numbers}))
    return pd.concat(frames, ignore_index=True)


def examples_table(results: Results) -> pd.DataFrame:
    """Make a row per game worth a look, with its number in the study: ``komi play --study FOLDER --game N`` plays it
    again.

    Returns
    -------
    DataFrame
        For each two strategies that met, of ``kind`` longest (``value``: turns), comeback (the winner's deepest
        deficit, a fraction of the measure), upset (the winner's win rate in that matchup over both seats, the lowest of
        all that won a game, if it is less than two fifths) and stopped (at the turn limit, 1), if there is such a game:
        of equal ones that with the lowest number (of equal comebacks the one in which the winner was so far behind the
        longest).
    """
    best: dict[tuple[tuple[str, str], str], dict[str, Any]] = {}
    for place, (matchup, counts) in enumerate(zip(results.matchups, results.counts, strict=True)):
        if not counts.pairs:
            continue
        for kind, value, number, rank in _found(counts):
            order = number % 2
            first, second = (matchup.a, matchup.b) if order == 0 else (matchup.b, matchup.a)
            row = {
                "game": results.study.game.name,
                "kind": kind,
                "game_number": results.study.game_number(place, number),
                "deck_first": first.deck_label,
                "deck_second": second.deck_label,
                "strategy_first": first.strategy_label,
                "strategy_second": second.strategy_label,
                "value": value,
            }
            key = (matchup.strategies, kind)
            if key not in best or rank > best[key]["rank"]:
                best[key] = {**row, "rank": rank}
    columns = ["game", "kind", "game_number", "deck_first", "deck_second", "strategy_first", "strategy_second", "value"]
    return pd.DataFrame(list(best.values()), columns=columns)


def _found(counts: Counts) -> Iterator[tuple[str, float, int, float]]:
    """Give the examples of a matchup: their kind, value, number, and by what they are the more of an example."""
    examples = counts.examples.tolist()
    for name, kind in (("longest", LONGEST), ("comeback", COMEBACK), ("stopped", STOPPED_GAME)):
        rank, number = examples[kind]
        value = rank // TURNS_APART / FINE_DEFICITS if kind == COMEBACK else float(rank)
        if value > 0:
            yield name, value, number, rank
    rate = strength(counts.scores).rate
    weaker, rate = (WON_BY_A, rate) if rate < 0.5 else (WON_BY_B, 1 - rate)
    if rate < UPSET and examples[weaker][VALUE] > 0:
        yield "upset", rate, examples[weaker][NUMBER], -rate
