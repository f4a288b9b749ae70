"""The part on decks and seats: which decks are unfair, against themselves or against the others."""

from __future__ import annotations

from typing import Any

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Row, Section, counted, interval, percent, plural, seat_wins
from reports.sections.turn_limit import counted_as_draws

AGAINST = {"mirror": "itself", "field": "the others", "each other": "each other"}


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Tell for each deck whether a seat wins too often with it, one strategy on both sides."""
    if len(results.study.decks) < 2:
        return None
    decks = _told_once(tables["deck_fairness"])
    sentences = [
        _deck_sentence(str(strategy), rows, results.study.margin) + counted_as_draws(tables["matchups"], str(strategy))
        for strategy, rows in decks.groupby("strategy", sort=False)
    ]
    rows: list[Row] = [
        {
            "both play": row["strategy"],
            "deck": row["deck"],
            "against": AGAINST[row["scope"]],
            "games": f"{row['games']:,}",
            "first seat wins": percent(row["first_win_rate"]),
            "95 % interval": interval(row["first_win_low"], row["first_win_high"]),
            "verdict (all together)": row["verdict_holm"],
        }
        for row in decks.to_dict("records")
    ]
    return Section("With which decks does a seat win too often?", sentences, list(rows[0]), rows, [])


def _told_once(decks: pd.DataFrame) -> pd.DataFrame:
    """Tell of two decks that met nobody else once how they do against the others: it is the same matchup."""
    met = decks["scope"] == "field"
    twice = met & (decks[met].groupby("strategy")["deck"].transform("size").reindex(decks.index) == 2)
    once = decks.assign(
        deck=decks["deck"].where(~twice, " – ".join(decks["deck"].unique())),
        scope=decks["scope"].where(~twice, "each other"),
    )
    return once[~(twice & once.duplicated(["strategy", "scope"]))]


def _deck_sentence(strategy: str, rows: pd.DataFrame, margin: float) -> str:
    """Count the verdicts of a strategy's decks, against themselves and against the others, and name those that are not
    fair.
    """
    kinds = [
        f"{_about(str(scope), len(part))}: {counted(part['verdict_holm'])}"
        for scope, part in rows.groupby("scope", sort=False)
    ]
    unfair: list[dict[Any, Any]] = rows[rows["verdict_holm"].str.startswith("favours")].to_dict("records")
    named = "; ".join(f"{row['deck']} against {AGAINST[row['scope']]}: {seat_wins(row)}" for row in unfair)
    rest = f" Not fair: {named}." if named else ""
    together = f"margin {plural(margin, 'point')}"
    together += f"; all {len(rows)} verdicts together hold at 95 %, by Holm's correction" if len(rows) > 1 else ""
    return f"When both play {strategy}, {'; '.join(kinds)} ({together}; deck_fairness.csv).{rest}"


def _about(scope: str, decks: int) -> str:
    """Say which decks meet whom."""
    if scope == "each other":
        return "the two decks against each other"
    return f"{plural(decks, 'deck')} against {'themselves' if scope == 'mirror' and decks > 1 else AGAINST[scope]}"
