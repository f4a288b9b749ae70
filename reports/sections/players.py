"""The part on players: how much they matter."""

from __future__ import annotations

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Section, interval, number, percent


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Tell which strategy beats which."""
    strategies = tables["strategies"]
    rows = [
        {
            "strategy": row["strategy"],
            "opponent": row["opponent"],
            "games": f"{row['games']:,}",
            "wins": percent(row["win_rate"]),
            "95 % interval": interval(row["win_low"], row["win_high"]),
            "Elo": number(row["elo"]),
        }
        for row in strategies.to_dict("records")
        if row["strategy"] != row["opponent"]
    ]
    sentences = (
        [] if rows else ["One strategy plays both sides: how much a verdict depends on the players is not shown."]
    )
    for row in strategies.to_dict("records"):
        if row["win_low"] <= 0.5 <= row["win_high"] and row["strategy"] < row["opponent"]:
            sentences.append(f"{row['strategy']} and {row['opponent']} are not told apart by so many games.")
        elif row["win_low"] > 0.5:
            sentences.append(
                f"{row['strategy']} beats {row['opponent']} in {percent(row['win_rate'])} of the games "
                f"({interval(row['win_low'], row['win_high'])}), over all decks and both seats."
            )
    return Section("How much do the players matter?", sentences, list(rows[0]) if rows else [], rows, [])
