"""How things are counted and listed in words."""

import re
from pathlib import Path

import pytest

from sim.files.wording import listed, plural

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("n", "word", "said"),
    [
        (0, "card", "0 cards"), (1, "card", "1 card"), (2000, "card", "2,000 cards"), (1, "strategy", "1 strategy"),
        (3, "strategy", "3 strategies"), (2, "play", "2 plays"), (1.0, "point", "1 point"),
        (0.5, "point", "0.5 points"),
    ],
)  # fmt: skip
def test_one_of_a_thing_and_many(n, word, said):
    assert plural(n, word) == said


def test_lists():
    assert [listed("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert listed(["a", "b"], "or") == "a or b"


def test_no_message_counts_without_saying_one_or_many():
    """A number that may be 1 stands before a word in the plural only through `plural`."""
    counted = re.compile(
        r"\{[^{}]*(?:\b(?:n|len|size|number|games|pairs|turns)\b)[^{}]*\} "
        r"(?:cards|pairs|games|matchups|decks|strategies)\b"
    )
    found = []
    for package in ("sim", "strategies", "reports"):
        for path in (ROOT / package).rglob("*.py"):
            found += [
                (path.name, told[0])
                for told in counted.finditer(path.read_text(encoding="utf-8"))
                if "plural" not in told[0]
            ]
    assert found == []
