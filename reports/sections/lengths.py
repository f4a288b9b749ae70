"""The part on lengths: how long games last, and how they end."""

from __future__ import annotations

import pandas as pd

from reports.results import Results
from reports.sections.section import Section, percent
from reports.tables import SEATS, TURN_LIMIT
from reports.tables import players as players_of


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Tell lengths and end reasons by who plays."""
    game = results.study.game
    reasons, unit = game.reasons, game.turn_words[1]
    matchups, seats = tables["matchups"], tables["seats"]
    sentences, rows = [], []
    for name, group in matchups.groupby(players_of(matchups), sort=False):
        games = group["games"].sum()
        lost = seats[players_of(seats) == name].groupby("seat")
        ends = {}
        for reason in reasons:
            ends[reason] = percent(group[f"end_{reason}"].sum() / games)
            if reason != TURN_LIMIT and group[f"end_{reason}"].sum():
                shares = [percent(lost.get_group(seat)[f"lost_{reason}"].sum() / games) for seat in SEATS]
                ends[reason] += f" ({' / '.join(shares)})"
        rows.append(
            {
                "players": str(name),
                "games": f"{games:,}",
                f"{unit} (mean)": f"{(group['turns_mean'] * group['games']).sum() / games:.1f}",
                "decisions (mean)": f"{(group['decisions_mean'] * group['games']).sum() / games:.1f}",
                "drawn": percent(group["draws"].sum() / games),
                **{f"end: {reason}" + (" (first / second loses)" if reason != TURN_LIMIT else ""): end for reason, end in ends.items()},
            }
        )
        sentences.append(f"{name}: a game lasts {rows[-1][f'{unit} (mean)']} {unit} on average.")
    return Section("How long do games last, and how do they end?", sentences, list(rows[0]), rows, [p for p in pictures if p == "lengths"])
