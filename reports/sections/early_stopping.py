"""The part on how matchups stopped, of a study that plays until something is reached."""

from __future__ import annotations

import pandas as pd

from reports.play.results import Results
from reports.sections.sample_size import aim
from reports.sections.section import Section, plural


def section(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section | None:
    """Say what was reached, and after how many pairs."""
    until = results.study.until
    if until is None:
        return None
    stops = tables["stops"]
    rows = [
        {
            "reached": str(reached),
            "matchups": f"{len(group)}",
            "pairs (fewest)": f"{group['pairs'].min():,}",
            "pairs (mean)": f"{group['pairs'].mean():,.0f}",
            "pairs (most)": f"{group['pairs'].max():,}",
        }
        for reached, group in stops.groupby("reached", sort=False)
    ]
    early = int((stops["reached"] != "max_pairs").sum())
    sentences = [
        f"Each matchup was played until {aim(until)}, or for {plural(until.max_pairs, 'pair')}: "
        f"{early} of {plural(len(stops), 'matchup')} got there (stops.csv).",
        "Rates at which a matchup is stopped are biased: all numbers of this report come from as many fresh pairs "
        "again.",
    ]
    return Section("When did matchups stop?", sentences, list(rows[0]), rows, [])
