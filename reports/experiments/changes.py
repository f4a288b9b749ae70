"""What differs between two studies: rules, cards field by field, decks, strategies, and how much was played."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from reports.play.results import Results
from reports.studies.study import Study

NONE = "none"
PLAYED = ("pairs", "search_pairs", "until", "seed", "margin", "knows_decks")


class Setting(NamedTuple):
    """Something that differs.

    Attributes
    ----------
    part : str
        ``rules``, ``cards``, ``decks``, ``strategies``, ``study`` or ``versions``.
    what : str
        The place: ``card 'shark', power``.
    before, after : str
        What is there, as a file would say it; ``none`` for nothing.
    """

    part: str
    what: str
    before: str
    after: str


def changes(before: Results, after: Results) -> list[Setting]:
    """List what differs between the studies of two results of the same game.

    Parameters
    ----------
    before, after : Results
        As their reports keep them: cards and decks of one's own as they were played, those that come with komi as they
        are now.
    """
    a, b = before.study, after.study
    return [
        *_part("rules", a.rules, b.rules, ""),
        *_cards(a, b),
        *(change for label in _both(a.decks, b.decks) for change in _deck(label, a, b)),
        *_labels("strategies", "strategy", a.strategies, b.strategies),
        *_files(a, b),
        *(
            Setting("study", key, x, y)
            for key in PLAYED
            if (x := shown(getattr(a, key))) != (y := shown(getattr(b, key)))
        ),
        *([Setting("study", "matchups", shown(a.pairing), shown(b.pairing))] if a.pairing != b.pairing else []),
        *_part("versions", dict(before.versions), dict(after.versions), ""),
    ]


def shown(value: Any) -> str:
    """Write a value in a line, as a file would; a table as its keys that are not left out."""
    if value is None:
        return NONE
    if isinstance(value, BaseModel):
        return _listed(value.model_dump(exclude_defaults=True))
    if isinstance(value, Mapping):
        return "{ " + _listed(value) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(shown, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, str) else str(value)


def _listed(table: Mapping[Any, Any]) -> str:
    return ", ".join(f"{key} = {shown(part)}" for key, part in table.items())


def _cards(a: Study, b: Study) -> Iterator[Setting]:
    """Compare the card sets card by card, and the order in which a player is offered cards."""
    for key in ("set", "version"):
        yield from _part("cards", getattr(a.card_set, key), getattr(b.card_set, key), key)
    cards = [{card.id: card for card in study.card_set.card} for study in (a, b)]
    for id in _both(*cards):
        yield from _part("cards", cards[0].get(id), cards[1].get(id), f"card {id!r}")
    orders = [[id for id in ids if id in cards[0] and id in cards[1]] for ids in cards]
    if orders[0] != orders[1]:
        place = next(i for i, (x, y) in enumerate(zip(*orders, strict=True)) if x != y)
        yield Setting(
            "cards", f"order, card {place + 1} of those in both", shown(orders[0][place]), shown(orders[1][place])
        )


def _deck(label: str, a: Study, b: Study) -> Iterator[Setting]:
    if label in a.decks and label in b.decks:
        yield from _part("decks", a.decks[label], b.decks[label], f"deck {label!r}")
    else:
        yield from _labels(
            "decks", "deck", {label: 0} if label in a.decks else {}, {label: 0} if label in b.decks else {}
        )


def _labels(part: str, kind: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Setting]:
    """List the labels that only one of two studies has."""
    for label in _both(a, b):
        if label not in a or label not in b:
            yield Setting(part, f"{kind} {label!r}", *("played" if label in study else NONE for study in (a, b)))


def _files(a: Study, b: Study) -> Iterator[Setting]:
    """Compare the strategies' own files."""
    kept = [
        {name: path for name, path in study.inputs.items() if name.startswith("inputs/strategies/")} for study in (a, b)
    ]
    for name in _both(*kept):
        if name in kept[0] and name in kept[1] and kept[0][name].read_bytes() != kept[1][name].read_bytes():
            yield Setting("strategies", f"file {Path(name).name!r}", *(_digest(paths[name]) for paths in kept))


def _digest(path: Path) -> str:
    return f"SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}…"


def _part(part: str, a: Any, b: Any, what: str) -> Iterator[Setting]:
    """Compare two values, keys and items of a list one by one."""
    if isinstance(a, BaseModel) and type(a) is type(b):
        a, b = dict(a), dict(b)
    if isinstance(a, dict) and isinstance(b, dict):
        for key in _both(a, b):
            yield from _part(part, a.get(key), b.get(key), f"{what}, {key}" if what else str(key))
    elif isinstance(a, list) and isinstance(b, list) and any(isinstance(item, BaseModel) for item in (*a, *b)):
        for i in range(max(len(a), len(b))):
            one, other = (items[i] if i < len(items) else None for items in (a, b))
            yield from _part(part, one, other, f"{what} {i + 1}")
    elif a != b:
        yield Setting(part, what, shown(a), shown(b))


def _both(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    """List the keys of both, those of the first first."""
    return list(dict.fromkeys((*a, *b)))
