"""A part of a report, and how numbers are written in it."""

from __future__ import annotations

from dataclasses import dataclass

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


def plural(n: int, word: str) -> str:
    """Count something in words."""
    return f"{n:,} {word if n == 1 else 'strategies' if word == 'strategy' else word + 's'}"


def said(name: str) -> str:
    """Write a column's name for people."""
    return name.replace("_", " ").replace("pp ", "PP ")
