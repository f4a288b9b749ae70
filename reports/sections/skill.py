"""The part on skill: does the answer hold when players play better."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Section, interval, number, percent, plural, rating
from reports.sections.turn_limit import MANY_CUT_OFF, stopped_share
from sim.files.wording import listed


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Tell whether the verdict holds from one strategy to the next."""
    skill = tables["skill"]
    if len(skill) < 2:
        return None
    sentences = [_verdicts(skill, results.study.margin), *_differ(skill), *_stopped(tables["matchups"], skill)]
    rated: dict[Any, Any] = tables["ratings"].set_index("strategy").to_dict("index") if "ratings" in tables else {}
    if rated:
        first = rated["first seat"]
        sentences.append(
            f"Between equals the first seat is worth {number(first['rating'])} Elo points "
            f"({number(first['rating_low'])} to {number(first['rating_high'])}), over all players and decks."
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
    return Section(
        "Does the answer hold when players play better?",
        sentences,
        list(rows[0]),
        rows,
        [p for p in pictures if p == "skill"],
    )


def _verdicts(skill: pd.DataFrame, margin: float) -> str:
    """Say with whom which verdict is found; what is not decided agrees with nothing."""
    judged = {str(word): listed(list(group["strategy"])) for word, group in skill.groupby("verdict", sort=False)}
    open_with = judged.pop("not decided", "")
    within = f"(margin {plural(margin, 'point')})"
    if not judged:
        return f"Whoever plays, so many games find no verdict {within}."
    if len(judged) > 1:
        said = "; ".join(f"{word} when both play {names}" for word, names in judged.items())
        return (
            f"The verdict depends on the players {within}: "
            f"{said}{f'; not decided when both play {open_with}' if open_with else ''}."
        )
    ((word, names),) = judged.items()
    if open_with:
        return f"The verdict is {word} when both play {names}, and not decided when both play {open_with} {within}."
    return f"The verdict is the same whoever plays: {word} {within}."


def _differ(skill: pd.DataFrame) -> Iterator[str]:
    """Tell of players between whom the first seat's win rate differs, whatever the verdicts: whose intervals exclude
    each other.
    """
    rows = skill.to_dict("records")
    least, most = min(rows, key=lambda row: row["first_win_high"]), max(rows, key=lambda row: row["first_win_low"])
    if least["first_win_high"] < most["first_win_low"]:
        said = " and ".join(
            f"{percent(row['first_win_rate'])} ({interval(row['first_win_low'], row['first_win_high'])}) when both "
            f"play {row['strategy']}"
            for row in (least, most)
        )
        yield f"The players make a difference: the first seat wins {said}."


def _stopped(matchups: pd.DataFrame, skill: pd.DataFrame) -> Iterator[str]:
    """Warn of games that were stopped, if they are many."""
    shares = {name: stopped_share(matchups, name, name) for name in skill["strategy"]}
    many = [f"{percent(share)} with {name}" for name, share in shares.items() if share > MANY_CUT_OFF]
    if many:
        yield f"Beware: of the games, {listed(many)} were stopped at the limit and count as draws."
