"""What a file holds once it is parsed: bounded in number and depth, its texts in one form of Unicode."""

from __future__ import annotations

from typing import Any

from sim.files.errors import Loc, PlacedError
from sim.files.names import composed

MOST_DEPTH = 50  # of lists and tables in one another
MOST_BITS = 13_300  # of an integer: as many as Python writes in digits
MOST_VALUES = 100_000  # in a file that a person writes


def settled(content: Any, most: int = MOST_VALUES) -> Any:
    """Give parsed content with all texts composed; its lists are changed in place.

    Parameters
    ----------
    content : object
        Of dicts, lists, texts and numbers.
    most : int
        How many values it may have.

    Raises
    ------
    PlacedError
        If it has more, is nested too deep, or has two keys that are the same text in two forms of Unicode.
    """
    left = most

    def settle(value: Any, loc: Loc) -> Any:
        nonlocal left
        if isinstance(value, str):
            return composed(value)
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            raise PlacedError([(loc, "found an integer of more than 4,000 digits, expected 64 bits")])
        if not isinstance(value, dict | list):
            return value
        left -= len(value)
        if left < 0:
            raise PlacedError([((), f"found more than {most:,} values, expected no more")])
        if len(loc) > MOST_DEPTH:
            told = f"found lists or tables nested too deep, expected at most {MOST_DEPTH} levels"
            raise PlacedError([(loc[:2], told)])
        if isinstance(value, list):
            for place, part in enumerate(value):
                if not isinstance(part, float | bool):
                    value[place] = settle(part, (*loc, place))
            return value
        found = {}
        for key, part in value.items():
            name = composed(key)
            if name in found:
                told = "found a key that is there already in another form of Unicode (NFC, NFD)"
                raise PlacedError([((*loc, name), told)])
            found[name] = settle(part, (*loc, name))
        return found

    return settle(content, ())
