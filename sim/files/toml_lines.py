"""On which line of a TOML text everything stands."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache

from sim.files.errors import Loc
from sim.files.names import composed

_STRING = re.compile(
    r'"""(?:[^"\\]++|\\.|"{1,2}+(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*+'",
    re.DOTALL,
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_OTHER = re.compile(r"[^,\]}#\n]+")  # a number, a date, true or false
_SPACE = re.compile(r"[ \t]*")
_BETWEEN = re.compile(r"(?:\s++|#[^\n]*+)*+")


def line_of(text: str, loc: Loc) -> int | None:
    """Find the line of a TOML text in which a place stands.

    Parameters
    ----------
    text : str
        The file's text; TOML, as far as it is not empty.
    loc : tuple of str and int
        The path to the place, as ``("card", 3, "ability", 0, "n")``. A word in it that is no place in the text is
        passed over.

    Returns
    -------
    int or None
        The line, counted from 1, of the key, or else of the table around it; None if neither can be told.
    """
    known = _lines(text)
    here: Loc = ()
    for part in loc:
        if (*here, part) in known:
            here = (*here, part)
        elif isinstance(part, int):
            break
    return known.get(here)


@lru_cache(maxsize=8)
def _lines(text: str) -> dict[Loc, int]:
    return _Scanner(text).lines


class _Scanner:
    """Goes once over a text that is known to be TOML and notes where keys, tables and items begin."""

    def __init__(self, text: str):
        self.text, self.at = text, 0
        self.line, self.counted = 1, 0  # the line in which the last place stands, and how far lines are counted
        self.lines: dict[Loc, int] = {}
        self.counts: dict[Loc, int] = {}  # of the tables of each list of tables
        table: Loc = ()
        while self._next():
            table = self._statement(table)

    def _next(self, pattern: re.Pattern[str] = _BETWEEN) -> str:
        """Pass over what lies between, and give the character that comes then."""
        self.at = self._match(pattern).end()
        return self.text[self.at : self.at + 1]

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self.text, self.at)
        assert found is not None
        return found

    def _note(self, loc: Loc, start: int) -> None:
        self.line += self.text.count("\n", self.counted, start)
        self.counted = start
        self.lines.setdefault(loc, self.line)

    def _statement(self, table: Loc) -> Loc:
        """Read a header or a key with its value; gives the table that is open then."""
        start = self.at
        if self.text[start] != "[":
            self._pair(table)
            return table
        is_list = self.text.startswith("[[", start)
        self.at += 1 + is_list
        *way, last = self._key()
        self.at += 1 + is_list
        table = ()
        for name in way:
            table = self._inside((*table, name), start)
        table = (*table, last)
        if not is_list:
            self._note(table, start)
            return table
        self.counts[table] = self.counts.get(table, 0) + 1
        return self._inside(table, start)

    def _inside(self, table: Loc, start: int) -> Loc:
        """Note a table that a header names; gives the last one of its list, if it is one."""
        self._note(table, start)
        if table in self.counts:
            table = (*table, self.counts[table] - 1)
            self._note(table, start)
        return table

    def _key(self) -> list[str]:
        """Read a key with its dots."""
        parts = []
        while True:
            quoted = self._next(_SPACE) in "\"'"
            word = self._match(_STRING if quoted else _BARE)
            self.at = word.end()
            parts.append(composed(tomllib.loads(f"key = {word[0]}")["key"]) if quoted else word[0])
            if self._next(_SPACE) != ".":
                return parts
            self.at += 1

    def _pair(self, table: Loc) -> None:
        start = self.at
        for name in self._key():
            table = (*table, name)
            self._note(table, start)
        self.at += 1  # the sign between
        self._value(table)

    def _value(self, loc: Loc) -> None:
        first = self._next()
        if first in "\"'":
            self.at = self._match(_STRING).end()
        elif first in "[{":
            self.at += 1
            item = 0
            while (there := self._next()) not in "]}":
                if there == ",":
                    self.at += 1
                elif first == "{":
                    self._pair(loc)
                else:
                    self._note((*loc, item), self.at)
                    self._value((*loc, item))
                    item += 1
            self.at += 1
        else:
            self.at = self._match(_OTHER).end()
