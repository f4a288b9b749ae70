"""The part on the course of games: who leads, who comes back, when it is decided, and what a player may choose."""

from __future__ import annotations

from typing import Any

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Row, Section, percent
from reports.tables import SEATS

SURE = 0.8  # the share of games that a leader wins from which on a game is as good as won


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Tell the course of games by who plays, and by seat."""
    unit, units = results.study.game.turn_words
    course, leads = tables["course"], tables["leads"]
    sentences: list[str] = []
    rows: list[Row] = []
    for (first, second), group in course.groupby(["strategy_first", "strategy_second"], sort=False):
        seats = {seat: _summed(group[group["seat"] == seat]) for seat in SEATS}
        for seat, player, opponent in zip(SEATS, (first, second), (second, first), strict=True):
            rows.append({"player": str(player), "against": str(opponent), "seat": seat, **_row(seats[seat], unit)})
        if first == second:
            both = leads[(leads["strategy_first"] == first) & (leads["strategy_second"] == second)]
            sentences.append(_course_sentence(str(first), seats, both, unit, units))
            sentences.append(_choice_sentence(str(first), seats))
    return Section(
        "How does a game go?", sentences, list(rows[0]), rows, [p for p in pictures if p.startswith("leads_")]
    )


def _summed(rows: pd.DataFrame) -> dict[str, float]:
    """Put the rows of one seat together, each game with the same weight."""
    games, wins = rows["games"].sum(), rows["wins"].sum()
    decisions = rows["decisions"] * rows["games"]
    won = rows.dropna(subset=["decided_turn"])
    return {
        "games": float(games),
        "wins": float(wins),
        "decisions": float(decisions.sum() / games),
        "actions": float((rows["actions"] * decisions).sum() / max(decisions.sum(), 1)),
        "forced": float((rows["forced"] * decisions).sum() / max(decisions.sum(), 1)),
        "comebacks": float(rows["comebacks"].sum()),
        "great_comebacks": float(rows["great_comebacks"].sum()),
        "lead_changes": float((rows["lead_changes"] * rows["games"]).sum() / games),
        **({name: _mean(won, name) for name in ("decided_turn", "decided_share")} if len(won) else {}),
    }


def _mean(rows: pd.DataFrame, name: str) -> float:
    return float((rows[name] * rows["games"]).sum() / rows["games"].sum())


def _row(seat: dict[str, float], unit: str) -> Row:
    wins = seat["wins"]
    return {
        "decisions a game": f"{seat['decisions']:.1f}",
        "legal actions": f"{seat['actions']:.1f}",
        "forced": percent(seat["forced"]),
        "wins from behind": percent(seat["comebacks"] / wins) if wins else "–",
        "from far behind": percent(seat["great_comebacks"] / wins) if wins else "–",
        "lead changes": f"{seat['lead_changes']:.2f}",
        f"decided after {unit}": f"{seat['decided_turn']:.1f}" if "decided_turn" in seat else "–",
    }


def _course_sentence(
    player: str, seats: dict[str, dict[str, float]], leads: pd.DataFrame, unit: str, units: str
) -> str:
    """Say how often the lead changes and games are turned, and from when on they are decided."""
    first, second = (seats[seat] for seat in SEATS)
    wins = first["wins"] + second["wins"]
    if not wins:
        return f"When both play {player}, no game has a winner."
    back, far = ((first[name] + second[name]) / wins for name in ("comebacks", "great_comebacks"))
    said = (
        f"When both play {player}, the lead changes {first['lead_changes']:.1f} times a game; {percent(back)} of the "
        "winners had been "
        f"behind, {percent(far)} far behind (by half or more); the lead that wins is taken after "
        f"{first['decided_turn']:.1f} {units}, "
        f"{percent(first['decided_share'])} of the game."
    )
    sure = _sure_from(leads)
    return said if sure is None else f"{said} Who leads after {unit} {sure[0]} wins {percent(sure[1])} of the games."


def _sure_from(leads: pd.DataFrame) -> tuple[int, float] | None:
    """Find the first turn after which the leader of most games wins, in at least half of all games."""
    sums = leads.groupby("turn")[["games", "first_leads", "second_leads", "leader_wins"]].sum()
    led = sums["first_leads"] + sums["second_leads"]
    rates = (sums["leader_wins"] / led.where(led > 0)).astype(float)
    sure = rates[(rates >= SURE) & (led >= sums["games"].max() / 2)]
    return None if sure.empty else (int(sure.index[0]), float(sure.iloc[0]))


def _choice_sentence(player: str, seats: dict[str, dict[str, float]]) -> str:
    """Say how much there is to choose."""
    first, second = (seats[seat] for seat in SEATS)
    told: Any = {name: f"{first[name]:.1f} / {second[name]:.1f}" for name in ("decisions", "actions")}
    return (
        f"When both play {player}, the first / second seat decides {told['decisions']} times a game, among "
        f"{told['actions']} legal actions "
        f"on average; {percent(first['forced'])} / {percent(second['forced'])} of the decisions are forced."
    )
