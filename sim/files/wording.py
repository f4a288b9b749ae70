"""How messages and reports put things into words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from typing import Any

MOST_SHOWN = 60  # characters of a value that was found


def plural(n: float, word: str) -> str:
    """Count something in words.

    Returns
    -------
    str
        ``"1 card"``, ``"2,000 cards"``, ``"3 strategies"``, ``"0.5 points"``.
    """
    number = f"{n:g}" if isinstance(n, float) else f"{n:,}"
    many = f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in "aeou" else f"{word}s"
    return f"{number} {word if n == 1 else many}"


def number(value: float, places: int = 0, *, sign: bool = False) -> str:
    """Write a number for people, with a minus that is one; what rounds to nothing has no sign.

    Parameters
    ----------
    value : float
        The number.
    places : int
        Decimals.
    sign : bool
        Write the plus, too.
    """
    text = f"{abs(value):.{places}f}"
    if float(text) == 0:
        return text
    return ("−" if value < 0 else "+" if sign else "") + text


def listed(words: Sequence[str], joint: str = "and") -> str:
    """List words: ``"a"``, ``"a and b"``, ``"a, b and c"``."""
    return f" {joint} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def shown(found: Any) -> str:
    """Write a value as a TOML file would, a long one shortened."""
    if isinstance(found, dict | list):
        return "a table" if isinstance(found, dict) else "a list"
    if isinstance(found, date | time):
        return found.isoformat()
    if isinstance(found, int) and abs(found) >= 10**MOST_SHOWN:
        return f"an integer of more than {MOST_SHOWN} digits"
    if isinstance(found, str) and len(found) > MOST_SHOWN:
        return repr(found[:MOST_SHOWN] + "…")
    return str(found).lower() if isinstance(found, bool) else "nothing" if found is None else repr(found)
