"""TOML texts that would take a parser hours: keys of many parts, and too many tables."""

from __future__ import annotations

import re

MOST_PARTS = 50  # of a key with dots in it
MOST_TABLES = 100_000  # and parts of keys with dots, each of which is a table, too

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]++|\\.)*+"?+|'[^'\n]*+'?+)"""
_WORD = re.compile(_PART)
_TOKEN = re.compile(  # texts and comments, in which nothing is a key; what does not end goes on to the end
    r'"""(?:[^"\\]++|\\[\s\S]|"{1,2}+(?!"))*+"{0,5}+'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'{0,5}+"
    r"|\#[^\n]*+"
    rf"|(?P<key>{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)"
    r"|(?P<table>^[ \t]*+\[)",
    re.MULTILINE,
)


def beyond(text: str) -> tuple[int, str] | None:
    """Find what passes the bounds of a TOML text, before it is parsed.

    Returns
    -------
    line : int
        Where, counted from 1.
    problem : str
        What is wrong there; or None for all.
    """
    if text.count(".") < MOST_PARTS and text.count("[") < MOST_TABLES:
        return None
    tables = 0
    for token in _TOKEN.finditer(text):
        key = token["key"]
        if key is None:
            tables += token["table"] is not None
        elif "." in key:
            parts = sum(1 for _ in _WORD.finditer(key))
            if parts > MOST_PARTS:
                told = f"found a key of {parts:,} parts, expected at most {MOST_PARTS}: tables nested too deep"
                return _line(text, token), told
            tables += parts
        if tables > MOST_TABLES:
            return _line(text, token), f"found more than {MOST_TABLES:,} tables, expected no more"
    return None


def _line(text: str, token: re.Match[str]) -> int:
    return text.count("\n", 0, token.start()) + 1
