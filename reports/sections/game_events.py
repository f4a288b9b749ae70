"""The part on what happens in a game: what only this game counts, by seat."""

from __future__ import annotations

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Row, Section, percent, said
from reports.tables import SEATS


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Say what happens in a game, by seat: what only this game counts."""
    game = results.study.game
    if not game.tallies.size:
        return None
    seats, tallies, unit = tables["seats"], game.tallies, game.turn_words[0]
    sentences: list[str] = []
    rows: list[Row] = []
    for (first, second), group in seats.groupby(["strategy_first", "strategy_second"], sort=False):
        means: list[Row] = []
        for seat, player, opponent in zip(SEATS, (first, second), (second, first), strict=True):
            part = group[group["seat"] == seat]
            numbers = {
                said(tally): f"{_mean(part, tally, 'games'):.2f}"
                for tally in tallies.game
                if tally not in tallies.shares
            }
            for tally in tallies.shares:
                share = _mean(part, tally, "games") / max(_mean(part, tallies.whole, "games"), 1e-9)
                numbers[f"{said(tally)} (of {said(tallies.whole)})"] = percent(share)
            if tallies.turn:
                turns = tables["turns"]
                played = turns[
                    (turns["strategy_first"] == first) & (turns["strategy_second"] == second) & (turns["seat"] == seat)
                ]
                for tally in tallies.turn[1:]:
                    mean = _mean(played, tally, tallies.turn[0])
                    name = f"{said(tally)} (of {unit}s)" if tally in tallies.rates else f"{said(tally)} a {unit}"
                    numbers[name] = percent(mean) if tally in tallies.rates else f"{mean:.2f}"
            means.append(numbers)
            rows.append({"player": str(player), "against": str(opponent), "seat": seat, **means[-1]})
        if first == second:
            told = ", ".join(f"{name} {means[0][name]} / {means[1][name]}" for name in means[0])
            sentences.append(f"When both play {first}, a game has on average, for the first / second seat: {told}.")
    return Section(
        "What happens in a game?", sentences, list(rows[0]), rows, [p for p in pictures if p.startswith("turns_")]
    )


def _mean(table: pd.DataFrame, column: str, weight: str) -> float:
    return float((table[column] * table[weight]).sum() / max(table[weight].sum(), 1)) if len(table) else 0.0
