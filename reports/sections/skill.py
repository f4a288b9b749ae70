"""The part on skill: does the answer hold when players play better."""

from __future__ import annotations

from typing import Any

import pandas as pd

from reports.results import Results
from reports.sections.section import Section, interval, percent, plural, rating


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Tell whether the verdict holds from one strategy to the next."""
    skill = tables["skill"]
    if len(skill) < 2:
        return None
    judged = {str(word): ", ".join(group["strategy"]) for word, group in skill.groupby("verdict", sort=False)}
    if len(judged) == 1:
        (word,) = judged
        sentences = [f"The verdict is the same whoever plays: {word} (margin {plural(results.study.margin, 'point')})."]
    else:
        said = "; ".join(f"{word} when both play {names}" for word, names in judged.items())
        sentences = [f"The verdict depends on the players (margin {plural(results.study.margin, 'point')}): {said}."]
    rated: dict[Any, Any] = tables["ratings"].set_index("strategy").to_dict("index") if "ratings" in tables else {}
    if rated:
        first = rated["first seat"]
        sentences.append(
            f"Between equals the first seat is worth {first['rating']:.0f} Elo points "
            f"({first['rating_low']:.0f} to {first['rating_high']:.0f}), over all players and decks."
        )
    rows = [
        {
            "both play": row["strategy"],
            "games": f"{row['games']:,}",
            "first seat wins": percent(row["first_win_rate"]),
            "95 % interval": interval(row["first_win_low"], row["first_win_high"]),
            "verdict": row["verdict"],
            **({"rating": rating(rated[row["strategy"]])} if rated else {}),
        }
        for row in skill.to_dict("records")
    ]
    return Section("Does the answer hold when players play better?", sentences, list(rows[0]), rows, [p for p in pictures if p == "skill"])
