"""The part on games worth a look: the longest, comebacks, upsets, games that were stopped."""

from __future__ import annotations

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Section, percent


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Name games by their numbers."""
    examples = tables["examples"]
    if examples.empty:
        return None
    units = results.study.game.turn_words[1]
    rows = [
        {
            "game": f"{row['game_number']}",
            "what": _told(row["kind"], row["value"], units),
            "first seat": f"{row['deck_first']}, {row['strategy_first']}",
            "second seat": f"{row['deck_second']}, {row['strategy_second']}",
        }
        for row in examples.to_dict("records")
    ]
    number = examples["game_number"].iloc[0]
    sentence = (
        "Each can be played again as a log, by this report's folder and its number: komi play --study FOLDER --game "
        f"{number}."
    )
    return Section("Which games are worth a look?", [sentence], list(rows[0]), rows, [])


def _told(kind: str, value: float, units: str) -> str:
    """Say what makes a game worth a look."""
    return {
        "longest": f"the longest: {value:.0f} {units}",
        "comeback": f"the winner came back from {percent(value)} behind",
        "upset": f"a win of the side that wins {percent(value)} of this matchup",
        "stopped": "stopped at the turn limit",
    }[kind]
