"""What is written in pictures: titles, names, and what is left out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from textwrap import fill
from typing import Any

import pandas as pd
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.ft2font import FT2Font
from matplotlib.ticker import PercentFormatter

from reports.plots.colours import INK
from sim.files.wording import plural

CJK_FONTS = (
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "IPAexGothic",
    "Hiragino Sans",
    "Yu Gothic",
    "Noto Sans CJK TC",
    "WenQuanYi Zen Hei",
)
LETTERS_AN_INCH = 11.0  # of a title
MOST_LETTERS = 40  # of a name
MOST_LINES = 80  # beside or above each other, one for each row of a table


def fonts() -> tuple[str, ...]:
    """List the fonts of pictures: names in any script that the machine has a font for can be written."""
    known = {font.name for font in font_manager.fontManager.ttflist}
    return ("DejaVu Sans", *(font for font in CJK_FONTS if font in known))


@cache
def _loaded(names: tuple[str, ...]) -> list[FT2Font]:
    return [font_manager.get_font(font_manager.findfont(name)) for name in names]


def can_write(text: str) -> bool:
    """Tell whether the fonts of pictures have every character of a text; otherwise boxes stand for some."""
    loaded = _loaded(fonts())
    return all(any(font.get_char_index(ord(c)) for font in loaded) for c in text)


def named(name: str, english: str) -> str:
    """Label something by its original name and the English one, or by the latter alone where no font has the former."""
    return f"{name} {english}" if can_write(name) else english


def in_percent() -> PercentFormatter:
    """Write rates on an axis in per cent, as texts do."""
    return PercentFormatter(xmax=1, symbol=" %")


def as_written(text: Any) -> str:
    """Write a text as it is, in one line: what would break or control it becomes a space."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in str(text))


def short(labels: Iterable[Any], most: int = MOST_LETTERS) -> dict[Any, str]:
    """Write names that stand in one picture so short that there is room for it, and so that no two are alike.

    Parameters
    ----------
    labels : iterable
        All names of one kind in the picture; each may be among them several times.
    most : int
        The letters that are shown of each; longer ones are cut, in the middle if that leaves all different.

    Returns
    -------
    dict of object to str
        What to write for each.
    """
    names = {label: as_written(label) for label in labels}
    for head in sorted(range(most), key=lambda head: abs(2 * head - most)):
        cut = {label: _cut(name, head, most) for label, name in names.items()}
        if len(set(cut.values())) == len(cut):
            return cut
    return {label: f"{_cut(name, most // 2, most)} ({i})" for i, (label, name) in enumerate(names.items(), 1)}


def _cut(name: str, head: int, most: int) -> str:
    return name if len(name) <= most else f"{name[:head]}…{name[len(name) - (most - 1 - head) :]}"


def most_of(table: pd.DataFrame, rank: pd.Series, what: str, which: str) -> tuple[pd.DataFrame, str]:
    """Keep no more rows than can be drawn as lines, those that rank highest, in their order.

    Parameters
    ----------
    table : DataFrame
        A row a line.
    rank : Series
        By what rows are chosen, with the index of the table.
    what, which : str
        What a row is, and which are kept, in words.

    Returns
    -------
    DataFrame, str
        The rows, and what a title says of it: nothing if all are kept.
    """
    if len(table) <= MOST_LINES:
        return table, ""
    kept = table.index.isin(rank.nlargest(MOST_LINES).index)
    return table[kept], f" ({kept.sum()} of {plural(len(table), what)}, {which})"


def wrapped(text: str, inches: float) -> str:
    """Write a text over several lines if there is no room for one."""
    return fill(as_written(text), max(int(inches * LETTERS_AN_INCH), 20))


def entitle(ax: Axes, title: str) -> None:
    """Write a title over some axes."""
    ax.set_title(wrapped(title, _width(ax)), fontsize=11, color=INK, y=1.0)


def say_below(ax: Axes, text: str, **style: Any) -> None:
    """Write what an axis from left to right shows."""
    ax.set_xlabel(wrapped(text, _width(ax)), **style)


def _width(ax: Axes) -> float:
    figure = ax.get_figure(root=True)
    assert figure is not None
    return ax.bbox.width / figure.dpi


def explain(ax: Axes, **keys: Any) -> None:
    """Put a legend beside some axes, where it covers nothing."""
    ax.legend(
        loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0, frameon=False, fontsize=8, title_fontsize=8,
        alignment="left", **keys,
    )  # fmt: skip
