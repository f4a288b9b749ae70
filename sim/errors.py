"""Errors that a user can mend, in the user's terms: the file, the place, what was found and what was expected."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """What a user gave cannot be used.

    Parameters
    ----------
    problems : iterable of str
        One line a problem; several are reported together.
    """

    def __init__(self, problems: Iterable[str] | str):
        self.problems = [problems] if isinstance(problems, str) else list(problems)
        super().__init__("\n".join(self.problems))


def nearest(word: str, known: Iterable[str]) -> str:
    """Say which known name comes nearest, or nothing.

    Parameters
    ----------
    word : str
        A name that is not known.
    known : iterable of str
        The names that are.

    Returns
    -------
    str
        ``"; did you mean 'rush'?"``, or ``""`` if no name is near.
    """
    close = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def unknown(kind: str, word: str, known: Iterable[str]) -> str:
    """Say that a name is not known, with the nearest one and the list of all.

    Returns
    -------
    str
        ``"unknown deck 'rsuh'; did you mean 'rush'? (known: balanced, rush)"``
    """
    names = list(known)
    listed = ", ".join(names[:40]) + (", …" if len(names) > 40 else "")
    return f"unknown {kind} {word!r}{nearest(word, names)} (known: {listed or 'none'})"
