"""Which characters names and texts of files may have, in which form of Unicode, and which names look the same."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import Annotated

from pydantic import AfterValidator

from sim.files.wording import shown

MOST_MARKS = 30  # on one letter, which is what Unicode calls safe: sorting more takes long

_KEPT = re.compile(  # characters without a shape that are a part of others: of flags, and between signs that they join
    "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f|(?<=[^\x00-\x7f])[\u200c\u200d](?=[^\x00-\x7f])"
)
_REFUSED = ("Cc", "Cf", "Cs", "Zl", "Zp")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # of another picture of the same sign


def composed(text: str) -> str:
    """Give a text in the one form (NFC) in which komi compares texts: ``é`` is one character, however it was typed."""
    return text if text.isascii() or _most_marks(text) > MOST_MARKS else unicodedata.normalize("NFC", text)


def _most_marks(text: str) -> int:
    """Count the marks on the letter that has most of them."""
    runs = groupby(map(unicodedata.combining, text), bool) if len(text) > MOST_MARKS else ()
    return max((sum(1 for _ in run) for marked, run in runs if marked), default=0)


def refused(text: str) -> str:
    """Give the first character of a text that nobody sees (line breaks, controls, marks of direction), or nothing."""
    if text.isprintable():
        return ""
    return next((c for c in _KEPT.sub("", text) if unicodedata.category(c) in _REFUSED), "")


def one_line(text: str) -> str:
    """Refuse a text with characters that nobody sees.

    Raises
    ------
    ValueError
        With the character.
    """
    found = refused(text)
    if found in ("\n", "\r", "\u2028", "\u2029"):
        raise ValueError(f"found {shown(text)}, expected a text on one line")
    if found:
        raise ValueError(f"found {shown(text)}, expected no character that nobody sees: U+{ord(found):04X}")
    if _most_marks(text) > MOST_MARKS:
        raise ValueError(f"found {shown(text)}, expected at most {MOST_MARKS} marks on a letter")
    return text


def filled(text: str) -> str:
    """Refuse a name that is empty or has characters that nobody sees; see `one_line`."""
    if not text.strip():
        raise ValueError("found an empty text, expected a name")
    return one_line(text)


def looks(text: str) -> str:
    """Give what two names have in common that look the same: ``ａ`` and ``a``, with or without a joiner in it."""
    plain = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return _SELECTORS.sub("", plain)


Line = Annotated[str, AfterValidator(one_line)]
Name = Annotated[str, AfterValidator(filled)]


def folded(name: str) -> str:
    """Write a name as a machine sees it that tells neither capitals nor ways to write an accent apart."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
