"""What the counts of a study depend on, so that they are never taken for those of another one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from reports.studies.study import KEPT_GAME, Study
from reports.studies.sweep import Sweep, Variant
from sim.files.wording import MOST_SHOWN, listed, plural

MOST_TOLD = 5  # differences

Identity = dict[str, Any]


def identity(study: Study) -> Identity:
    """Name all that the counts of a study depend on but komi's own code, by what a user would call it.

    Cards, decks and variants are there as digests of those keys that differ from their defaults, so that counts outlive
    a komi whose cards have more keys.
    """
    until = None if study.until is None else study.until.model_dump()
    content = {
        "game": study.game.name,
        "seed": study.seed,
        "pairs": study.pairs,
        "search_pairs": study.search_pairs,
        "until": until,
        "knows_decks": study.knows_decks,
        "matchups": study.pairing,
        "rules": study.rules.model_dump(),
        "set": study.card_set.set,
        "version": study.card_set.version,
        "cards": {card.id: _digest(card.model_dump_json(exclude_defaults=True)) for card in study.card_set.card},
        "order of cards": _digest("\n".join(study.card_set.ids)),
        "decks": {label: _digest(deck.model_dump_json(exclude_defaults=True)) for label, deck in study.decks.items()},
        "strategies": {label: list(strategy.parameters) for label, strategy in study.strategies.items()},
        "strategy files": _of_files(study, "inputs/strategies/"),
        "sweep": None if study.sweep is None else _of_sweep(study.sweep),
    }
    if study.game.home is not None:
        files = _of_files(study, f"{KEPT_GAME}/")
        content["game files"] = {name: digest for name, digest in files.items() if name.endswith(".py")}
    plain: Identity = json.loads(json.dumps(content))
    return plain


def _of_files(study: Study, folder: str) -> Identity:
    """Give digests of the files that a report keeps in a folder; of one that is gone, of nothing."""
    return {
        name: _digest(path.read_bytes() if path.is_file() else b"")
        for name, path in sorted(study.inputs.items())
        if name.startswith(folder)
    }


def variants_of(sweep: Sweep) -> Identity:
    """Name what a sweep varies and the values of its variants, in order."""
    return {
        "parameters": [parameter.name for parameter in sweep.parameters],
        "variants": [list(one.values) for one in sweep.variants],
    }


def _of_sweep(sweep: Sweep) -> Identity:
    return {**variants_of(sweep), "played": _digest("\n".join(map(_of_variant, sweep.variants)))}


def _of_variant(variant: Variant) -> str:
    parts = (variant.card_set, variant.rules, *variant.decks.values())
    return _digest("\n".join(part.model_dump_json(exclude_defaults=True) for part in parts))


def _digest(content: str | bytes) -> str:
    return "#" + hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:16]


def difference(found: Mapping[str, Any], expected: Mapping[str, Any]) -> str | None:
    """Say where two identities differ, in words; None if they do not.

    Parameters
    ----------
    found : mapping
        What was played, as a file has it. Rule options that it does not know are no difference: an earlier komi had
        none.
    expected : mapping
        Of the study at hand.
    """
    told = list(_differences(found, expected, ()))
    if len(told) > MOST_TOLD:
        told[MOST_TOLD:] = [f"and {plural(len(told) - MOST_TOLD, 'more difference')}"]
    return "; ".join(told) or None


def _differences(found: Any, expected: Any, place: tuple[str, ...]) -> Iterator[str]:
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        for key in dict.fromkeys((*found, *expected)):
            if key in found and key in expected:
                yield from _differences(found[key], expected[key], (*place, key))
            elif key in found:
                yield f"{_said(place, key)}: it was played with, and is not here any more"
            elif place != ("rules",):
                yield f"{_said(place, key)}: it is here, and was not played with"
    elif found != expected:
        where = _said(place)
        if where == "code":
            yield "it was played by another version of komi"
        elif isinstance(expected, str) and expected.startswith("#"):
            yield f"{where}: has changed since it was played"
        else:
            yield f"{where}: it was played with {_value(found)}, this study has {_value(expected)}"


def _said(place: tuple[str, ...], *more: str) -> str:
    return ", ".join((*place, *more))


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return listed([f"{key} {_value(part)}" for key, part in value.items() if part is not None])
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
