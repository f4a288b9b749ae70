"""Errors that a user can mend, in the user's terms: the file, the place, what was found and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import TypeVar

from sim.files.wording import plural, shown

MOST_PROBLEMS = 50  # that are told of one file
MOST_TOLD = 2_000  # characters of one problem
Loc = tuple[int | str, ...]  # the path to a place in a file, as ("cards", "orca")
Found = TypeVar("Found")


class InputError(ValueError):
    """What a user gave cannot be used.

    Parameters
    ----------
    problems : iterable of str
        One line a problem; several are reported together.
    """

    def __init__(self, problems: Iterable[str] | str):
        told = [problems] if isinstance(problems, str) else list(problems)
        self.problems = [text if len(text) <= MOST_TOLD else f"{text[: MOST_TOLD - 1]}…" for text in told]
        super().__init__("\n".join(self.problems))


class PlacedError(ValueError):
    """What a validator of a file's model finds wrong, with the place of each problem within the part that it checks.

    Parameters
    ----------
    problems : iterable of (tuple of str and int, str)
        The path from that part to the place, and what is wrong there.
    """

    def __init__(self, problems: Iterable[tuple[Loc, str]]):
        self.problems = list(problems)
        super().__init__("; ".join(problem for _, problem in self.problems))


class Problem(str):
    """A problem in words that knows its place in the file.

    Parameters
    ----------
    text : str
        What is wrong.
    loc : tuple of str and int
        The path to the place, as ``("cards", "orca")``.
    """

    loc: Loc

    def __new__(cls, text: str, loc: Loc = ()) -> Problem:
        """Make a text that has a place."""
        problem = super().__new__(cls, text)
        problem.loc = loc
        return problem


def first_ones(found: Sequence[Found], tell: Callable[[Found], str], source: object) -> list[str]:
    """Tell of the first `MOST_PROBLEMS` things that are wrong with a file, and how many more there are.

    Parameters
    ----------
    found : sequence
        What is wrong.
    tell : function
        Puts one of it into words.
    source : object
        The file.
    """
    more = len(found) - MOST_PROBLEMS
    told = [tell(one) for one in found[:MOST_PROBLEMS]]
    return [*told, f"{source}: and {plural(more, 'more problem')}"] if more > 0 else told


LONGEST = 100  # characters of a word that is compared with others


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
    by_letters = {name.casefold(): name for name in known}
    close = get_close_matches(word.casefold(), list(by_letters), n=1, cutoff=0.5) if len(word) <= LONGEST else []
    return f"; did you mean {by_letters[close[0]]!r}?" if close else ""


def unknown(kind: str, word: str, known: Iterable[str]) -> str:
    """Say that a name is not known, with the nearest one and the list of all.

    Returns
    -------
    str
        ``"unknown deck 'rsuh'; did you mean 'rush'? (known: balanced, rush)"``
    """
    names = list(known)
    listed = ", ".join(names[:40]) + (", …" if len(names) > 40 else "")
    return f"unknown {kind} {shown(word)}{nearest(word, names)} (known: {listed or 'none'})"
