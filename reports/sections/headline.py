"""The main finding of a report in a sentence or two, for its summary and for the page that leads to several reports."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from reports.sections.fairness import verdict_sentence
from reports.sections.knockout import lines
from reports.studies.strongest import strongest


def headline(tables: Mapping[str, pd.DataFrame], margin: float) -> str:
    """Say the main finding of a report.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        The report's tables.
    margin : float
        Points around 50 % that count as fair.

    Returns
    -------
    str
        The verdict on the first seat when the strongest of the strategies that play both sides does so
        (`reports.studies.strongest`); without one, over all games. Of a knock-out the strongest and the weakest cards.
        Empty for tables of neither.
    """
    if "ranking" in tables:
        return " ".join(lines(tables["ranking"])) or "No card could be measured."
    if "fairness" not in tables:
        return ""
    rows = tables["fairness"].to_dict("records")
    equal = {row["strategy_a"]: row for row in rows if row["strategy_a"] == row["strategy_b"] != "all"}
    return verdict_sentence(equal[strongest(tables, equal)] if equal else rows[-1], margin, tables["matchups"])
