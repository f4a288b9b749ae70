"""An apostrophe before texts that spreadsheets would take for something else; they keep it, and komi reads past it."""

from __future__ import annotations

import re
import unicodedata

MARK = "'"
TRUTHS = {  # as spreadsheets write them, in small letters
    "true": True, "wahr": True, "vrai": True, "verdadero": True, "verdadeiro": True, "vero": True, "waar": True,
    "prawda": True, "false": False, "falsch": False, "faux": False, "falso": False, "onwaar": False, "fałsz": False,
}  # fmt: skip
NOTHING = {"N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}  # what pandas takes for an empty cell
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)
DATE_LIKE = re.compile(r"([^\W\d_]+)[\s.,/-]*\d")  # "Mar 1", "SEPT2", "R2/3/1", "令和1年"
MONTH = re.compile(  # how the names of months begin in European languages, in ASCII
    "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|okt|dez|fev|avr|jui|ene|abr|ago|set|dic|gen|mag|giu|lug|ott|mei|maa|mrt|out",
    re.IGNORECASE,
)


def marked(text: str, *, comes_back: bool = False) -> str:
    """Put the mark before a text that a spreadsheet would take for a formula, or that begins with the mark.

    Parameters
    ----------
    text : str
        The text of a cell.
    comes_back : bool
        The file will be read again when a spreadsheet has saved it: the mark goes before all, too, that would come back
        as something else (``007``, ``1e5``, ``true``, ``Mar 1``).
    """
    return MARK + text if _is_formula(text) or (comes_back and _is_eaten(text)) else text


def _first(text: str) -> str:
    return unicodedata.normalize("NFKC", text[0])[0]


def _is_formula(text: str) -> bool:
    """Tell whether a spreadsheet may carry out a text (a plain number with its sign is none)."""
    return text != "" and _first(text) in ("=", "+", "-", "@", "\t", "\r", MARK) and not NUMBER.fullmatch(text)


def _is_eaten(text: str) -> bool:
    """Tell whether a spreadsheet may read a text as a number, a date, a truth value, nothing, or trim it."""
    if not text or text in NOTHING:
        return True
    first = _first(text)
    symbol = (
        unicodedata.category(first)[0] in "NZC"
        or unicodedata.category(first) in ("Sc", "Sm")
        or (first.isascii() and not first.isalpha())
    )
    return symbol or text != text.strip() or text.casefold() in TRUTHS or _is_like_a_date(text)


def _is_like_a_date(text: str) -> bool:
    """Tell whether a text begins with a month or an era and a number; words in other scripts may be either."""
    match = DATE_LIKE.match(text)
    return match is not None and (not match[1].isascii() or len(match[1]) < 3 or MONTH.match(text) is not None)
