"""The part on the metagame: which decks would be played by players who choose their decks well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from reports.play.results import Results
from reports.sections.section import Section, interval, percent, plural
from reports.studies.strongest import strongest, why_strongest

TITLE = "Which decks would be played?"
FEW_CYCLES = 3


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Tell the equilibrium of choosing decks under the strongest strategy, and in short under the others."""
    if "metagame" not in tables:
        return Section(TITLE, [_nothing(results)], [], [], [])
    metagame, best = tables["metagame"], strongest(tables, tables["metagame"]["strategy"])
    rows = metagame[metagame["strategy"] == best]
    why = why_strongest(tables, metagame["strategy"])
    sentences = [
        f"A deck is as good as its player, so this is told of {best}, {why}. Players who know the win rates and choose "
        "their "
        f"decks as well as can be would bring {_mix(rows)}. Against that mix no deck wins more than half of its games.",
        *_outside(rows),
        *_worse(rows),
        *_circles(tables, best),
        *_unmet(results, best),
        *(_in_short(str(name), group) for name, group in metagame.groupby("strategy", sort=False) if name != best),
    ]
    table = [
        {
            "deck": row["deck"],
            "name": row["name"],
            "share": percent(row["share"]),
            "95 % interval": interval(row["share_low"], row["share_high"]),
            "played in resampled studies": percent(row["played"]),
            "wins against the mix": f"{percent(row['win_rate'])} ({interval(row['win_low'], row['win_high'])})",
            "worse than": row["worse_than"] + (" (clearly)" if row["clearly"] else ""),
        }
        for row in rows.sort_values(["share", "played", "win_rate"], ascending=False, kind="stable").to_dict("records")
    ]
    return Section(TITLE, sentences, list(table[0]), table, [p for p in pictures if p == "metagame"])


def _nothing(results: Results) -> str:
    """Say why there is no choice to tell of."""
    if len(results.study.decks) == 1:
        return "There is only one deck: there is nothing to choose."
    return (
        "No two different decks met with one strategy on both sides, so nothing can be said of which would be played "
        '(a study with matchups = "all" or "same strategy" lets them meet).'
    )


def _mix(rows: pd.DataFrame) -> str:
    """Name the decks of the equilibrium with their shares."""
    played = rows[rows["share"] > 0].sort_values("share", ascending=False, kind="stable")
    shares = [
        f"{row['deck']} {percent(row['share'])} ({interval(row['share_low'], row['share_high'])})"
        for row in played.to_dict("records")
    ]
    mix = f"nothing but {played['deck'].iloc[0]}" if len(played) == 1 else ", ".join(shares)
    return mix + _doubt(rows)


def _doubt(rows: pd.DataFrame) -> str:
    """Name the decks that may be part of the mix, too."""
    others = rows[(rows["share"] == 0) & (rows["share_high"] > 0)]
    if others.empty:
        return ""
    named = ", ".join(f"{row['deck']} up to {percent(row['share_high'])}" for row in others.to_dict("records"))
    return f" (the games played leave room for {named})"


def _outside(rows: pd.DataFrame) -> Iterator[str]:
    """Tell of the decks that would not be played: which hardly ever, which is nearest."""
    outside = rows[rows["share"] == 0].sort_values("win_rate", ascending=False, kind="stable")
    never = outside[outside["share_high"] == 0]
    if not never.empty:
        yield f"Out of the mix in nearly all resampled studies: {', '.join(never['deck'])}."
    if not outside.empty:
        best = outside.iloc[0]
        yield (
            f"Of the decks that are not in the mix, {best['deck']} does best against it: it wins "
            f"{percent(best['win_rate'])} "
            f"({interval(best['win_low'], best['win_high'])})."
        )


def _worse(rows: pd.DataFrame) -> Iterator[str]:
    """Name the decks that another one makes needless."""
    worse = rows[rows["worse_than"] != ""]
    for clearly, group in worse.groupby("clearly", sort=False):
        named = "; ".join(f"{row['deck']} (than {row['worse_than']})" for row in group.to_dict("records"))
        how = "clearly worse than another deck" if clearly else "worse than another deck, as far as so many games tell,"
        yield f"There is no reason to choose what is {how} against every opponent: {named}."


def _circles(tables: dict[str, pd.DataFrame], strategy: str) -> Iterator[str]:
    """Tell which decks beat each other in a circle."""
    found: list[dict[Any, Any]] = []
    if "cycles" in tables:
        found = tables["cycles"].query("strategy == @strategy").to_dict("records")
    for row in found[:FEW_CYCLES]:
        yield (
            f"{row['deck_a']} beats {row['deck_b']} ({percent(row['a_beats_b_rate'])}), {row['deck_b']} beats "
            f"{row['deck_c']} "
            f"({percent(row['b_beats_c_rate'])}), {row['deck_c']} beats {row['deck_a']} "
            f"({percent(row['c_beats_a_rate'])}): "
            "a circle, as in rock, paper, scissors; each win is clear."
        )
    if len(found) > FEW_CYCLES:
        yield f"More such circles in cycles.csv: {len(found) - FEW_CYCLES}."
    if not found and tables["metagame"]["deck"].nunique() > 2:
        yield "No three decks beat each other in a circle, as far as wins are clear."


def _unmet(results: Results, strategy: str) -> Iterator[str]:
    """Warn of decks that did not meet."""
    n, met = len(results.study.decks), len(results.decks_met(strategy))
    if met < n * (n - 1) // 2:
        yield f"Beware: {plural(n * (n - 1) // 2 - met, 'pair')} of decks did not meet and count as even."


def _in_short(strategy: str, rows: pd.DataFrame) -> str:
    return f"Played by {strategy}, it would be {_mix(rows)}."
