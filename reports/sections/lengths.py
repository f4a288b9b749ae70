"""The part on lengths: how long games last, and how they end."""

from __future__ import annotations

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Section, percent, plural
from reports.tables import SEATS, TURN_LIMIT, quantile
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
                **{
                    f"end: {reason}" + (" (first / second loses)" if reason != TURN_LIMIT else ""): end
                    for reason, end in ends.items()
                },
            }
        )
        mean, middle = rows[-1][f"{unit} (mean)"], _median(tables["lengths"], str(name))
        if middle is None:
            limit = plural(results.study.rules.max_turns, game.turn_words[0])
            sentences.append(
                f"{name}: more than half of the games last longer than the limit of {limit}, at which they were "
                "stopped; "
                f"until then or their end, {mean} {unit} were played on average."
            )
        else:
            sentences.append(f"{name}: a game lasts {mean} {unit} on average, half of them at most {middle}.")
    stopped = matchups["turn_limit"].sum()
    if stopped:
        share = percent(stopped / matchups["games"].sum())
        sentences.append(
            f"{share} of the games were stopped at the limit: they are counted apart; medians take them for longer "
            "than that, "
            "means for as long as they were played."
        )
    return Section(
        "How long do games last, and how do they end?",
        sentences,
        list(rows[0]),
        rows,
        [p for p in pictures if p == "lengths"],
    )


def _median(lengths: pd.DataFrame, name: str) -> int | None:
    """Give the length that half of the games of two strategies do not exceed; None if more were stopped."""
    games = lengths[players_of(lengths) == name].groupby("turns")[["games", "turn_limit"]].sum()
    games = games.reindex(range(int(games.index.max()) + 1), fill_value=0)
    return quantile(games["games"].to_numpy(), 0.5, games["turn_limit"].to_numpy())
