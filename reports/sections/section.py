"""A part of a report, and how numbers are written in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from sim.files.wording import number as number
from sim.files.wording import plural as plural

Row = dict[str, str]


@dataclass(frozen=True)
class Section:
    """A part of a report: what it says, in sentences, a table and pictures by file name."""

    title: str
    sentences: list[str]
    columns: list[str]
    rows: list[Row]
    pictures: list[str]


def percent(rate: float) -> str:
    """Write a rate as per cent with one decimal."""
    return f"{100 * rate:.1f} %"


def interval(low: float, high: float) -> str:
    """Write an interval in per cent."""
    return f"{100 * low:.1f} to {100 * high:.1f}"


def rating(row: Mapping[Any, float]) -> str:
    """Write a rating with its interval."""
    return f"{number(row['rating'])} ({number(row['rating_low'])} to {number(row['rating_high'])})"


def said(name: str) -> str:
    """Write a column's name for people."""
    return name.replace("_", " ").replace("pp ", "PP ")


def seat_wins(row: Mapping[Any, Any]) -> str:
    """Say which seat wins how often, from a row with the first seat's win rate."""
    rate, low, high = row["first_win_rate"], row["first_win_low"], row["first_win_high"]
    if rate >= 0.5:
        return f"the first seat wins {percent(rate)} ({interval(low, high)})"
    return f"the second seat wins {percent(1 - rate)} ({interval(1 - high, 1 - low)})"


def judged(word: str, margin: float) -> str:
    """Say what a verdict means against the margin."""
    return {
        "fair": f"inside your margin of {plural(margin, 'point')}: fair",
        "favours first": f"outside your margin of {plural(margin, 'point')}: it favours the first player",
        "favours second": f"outside your margin of {plural(margin, 'point')}: it favours the second player",
        "not decided": f"too close to your margin of {plural(margin, 'point')} to decide with so many games",
    }[word]


def counted(verdicts: pd.Series) -> str:
    """Count verdicts in words, the commonest first."""
    return ", ".join(f"{n} {word}" for word, n in verdicts.value_counts().items())
