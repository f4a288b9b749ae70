"""Sweeps: a study played again with other rule options, cards or decks, in the same deals, and compared with itself.

Every variant plays the same pairs from the same random streams (common random numbers), so what is left of a difference
is what the change does. Values are data for the kernels: nothing is compiled for them.
"""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import Field, ValidationError, model_validator

from reports.formats.toml import line, value
from sim.cards import CardSet, Deck, Rules, deck_label
from sim.files.errors import InputError, unknown
from sim.files.toml import FileModel, explain, keys_at, place_in_words
from sim.files.toml_lines import line_of
from sim.game import Game
from sim.library import deck_path, read_deck
from sim.run import Matchup, Side

MOST_VARIANTS = 500
MOST_PLAYED = 10_000  # variants times matchups: what is counted of each takes some 100 KB of memory
MOST_PARAMETERS = 100
MOST_PROBLEMS = 10
GRID: Final = "grid"
HYPERCUBE: Final = "latin hypercube"
SUPERS = "supers"

Path_ = tuple[str, ...]


class SweepFile(FileModel):
    """The table ``sweep`` of a study file: by rule option, by card and key and by deck, lists or ranges of values."""

    design: Literal["grid", "latin hypercube"] = GRID
    points: Annotated[int, Field(ge=2, le=MOST_VARIANTS)] | None = None
    rules: dict[str, Any] = {}
    cards: dict[str, Any] = {}
    decks: dict[str, Any] = {}

    @model_validator(mode="after")
    def _points_fit(self) -> SweepFile:
        if self.design == GRID and self.points is not None:
            raise ValueError(
                f"found points = {self.points} with a grid, which has all combinations; expected design = "
                f"{HYPERCUBE!r} with it"
            )
        if self.design == HYPERCUBE and self.points is None:
            raise ValueError(f"the key 'points' is missing: how many points a {HYPERCUBE} has")
        if not (self.rules or self.cards or self.decks):
            raise ValueError(
                "found nothing to vary, expected at least one list of values, as rules.max_turns = [100, 200]"
            )
        return self


@dataclass(frozen=True, eq=False)
class Parameter:
    """What a sweep varies.

    Attributes
    ----------
    path : tuple of str
        Where it stands: ``("rules", "draw_count")``, ``("cards", "shark", "ability", "1", "n")``, ``("decks",
        "rush")``.
    values : tuple
        Its values, in the order of the file: as the file has them, for whole decks the decks.
    shown : tuple
        How tables write them: numbers, truth values and texts.
    base : object
        How tables write the value that the study has.
    """

    path: Path_
    values: tuple[Any, ...]
    shown: tuple[Any, ...]
    base: Any

    @property
    def name(self) -> str:
        """Its path, with dots: a column of the tables."""
        return ".".join(self.path)

    @property
    def said(self) -> str:
        """Its name for people."""
        return {"rules": "", "cards": "", "decks": "deck "}[self.path[0]] + " ".join(self.path[1:])

    @property
    def is_number(self) -> bool:
        """All its values are numbers."""
        return all(isinstance(found, int) and not isinstance(found, bool) for found in self.shown)


@dataclass(frozen=True, eq=False)
class Variant:
    """A study with other values.

    Attributes
    ----------
    values : tuple
        By parameter, as tables write them.
    card_set, rules, decks : CardSet, Rules, dict of str to Deck
        What is played; the study's own objects where nothing changes.
    """

    values: tuple[Any, ...]
    card_set: CardSet
    rules: Rules
    decks: dict[str, Deck]

    def side(self, side: Side) -> Side:
        """Give a side of a matchup the deck that it has here."""
        deck = self.decks[side.deck_label]
        return side if deck is side.deck else replace(side, deck=deck)


@dataclass(frozen=True, eq=False)
class Sweep:
    """A sweep with everything found and checked.

    Attributes
    ----------
    design : str
        ``grid`` or ``latin hypercube``.
    points : int or None
        As in the file.
    parameters : tuple of Parameter
        What is varied.
    base : Variant
        The study as it stands.
    variants : tuple of Variant
        What is played beside it, in the order of the design.
    has_base : bool
        The study as it stands is one of the design's points.
    content : dict of tuple of str to object
        By path, the lists and ranges as the study as run has them.
    """

    design: str
    points: int | None
    parameters: tuple[Parameter, ...]
    base: Variant
    variants: tuple[Variant, ...]
    has_base: bool
    content: dict[Path_, Any]

    @property
    def all(self) -> tuple[Variant, ...]:
        """The study as it stands and the variants."""
        return (self.base, *self.variants)

    def words(self, variant: Variant) -> str:
        """Name a variant by its values, for people."""
        return told(self.parameters, variant.values)

    def vary(self, matchups: Sequence[Matchup]) -> list[Matchup]:
        """Give matchups that play each of their pairs with every variant, too."""
        return [
            replace(
                matchup,
                others=tuple(
                    Matchup(one.side(matchup.a), one.side(matchup.b), matchup.pairs, one.card_set, one.rules)
                    for one in self.variants
                ),
            )
            for matchup in matchups
        ]

    def as_toml(self) -> str:
        """Write the table as TOML; komi reads the same sweep from it."""
        head = {"design": self.design} | ({} if self.points is None else {"points": self.points})
        lines = [line(key, found) for key, found in head.items()]
        for path, found in self.content.items():
            lines.append(f"{'.'.join(_key(part) for part in path)} = {value(found)}")
        return "\n".join(["[sweep]", *lines]) + "\n"


def _key(part: str) -> str:
    return line(part, 0).removesuffix(" = 0")


def told(parameters: Sequence[Parameter], values: Sequence[Any]) -> str:
    """Name values in words: ``"draw_count = 2, shark power = 4"``."""
    return ", ".join(f"{parameter.said} = {word(found)}" for parameter, found in zip(parameters, values, strict=True))


def word(shown: Any) -> str:
    """Write a value of a parameter for people."""
    return str(shown).lower() if isinstance(shown, bool) else str(shown)


@dataclass(frozen=True, eq=False)
class _Base:
    """What a sweep starts from, and how its places are named in messages."""

    game: Game
    card_set: CardSet
    rules: Rules
    decks: dict[str, Deck]
    set_name: str
    folder: Path
    source: str
    text: str
    kept: Callable[[Path, str, str], str]
    problems: list[str] = field(default_factory=list)

    def refuse(self, path: Path_, problem: str) -> None:
        """Note a problem at the place of a parameter."""
        at = line_of(self.text, ("sweep", *path))
        told = f"{self.source}{f':{at}' if at else ''}: {'.'.join(('sweep', *path))}: {problem}"
        if told not in self.problems:
            self.problems.append(told)

    def stop(self) -> None:
        """Raise the problems that there are."""
        if self.problems:
            more = len(self.problems) - MOST_PROBLEMS
            raise InputError(
                self.problems[:MOST_PROBLEMS]
                + ([f"{self.source}: sweep: and {more} problems more"] if more > 0 else [])
            )


def resolve_sweep(
    file: SweepFile,
    game: Game,
    card_set: CardSet,
    rules: Rules,
    decks: dict[str, Deck],
    *,
    seed: int,
    set_name: str,
    folder: Path,
    source: str,
    text: str,
    kept: Callable[[Path, str, str], str],
) -> Sweep:
    """Find and check all that a sweep names.

    Parameters
    ----------
    file : SweepFile
        The table of the study file.
    game, card_set, rules, decks
        The study as it stands.
    seed : int
        The study's seed: the same one gives the same hypercube.
    set_name, folder
        The study's set, and the folder to which its paths are relative.
    source, text : str
        Where the study comes from and its text, for messages.
    kept : function
        ``(path, kept as, name) -> name``: how the study as run names a file.

    Raises
    ------
    InputError
        If anything that it names cannot be found or used, with the line, and where only values together are wrong with
        the variant.
    """
    base = _Base(game, card_set, rules, decks, set_name, folder, source, text, kept)
    content: dict[Path_, Any] = {}
    leaves = [leaf for group in ("rules", "cards", "decks") for leaf in _leaves((group,), getattr(file, group))]
    if len(leaves) > MOST_PARAMETERS:
        base.refuse((), f"found {len(leaves):,} lists of values, expected at most {MOST_PARAMETERS}")
        base.stop()
    parameters = [
        parameter for path, leaf in leaves if (parameter := _parameter(base, path, leaf, content)) is not None
    ]
    base.stop()
    points = _points(base, file, parameters, seed)
    played = _Variants(base, parameters)
    made = [played.variant(point) for point in points]
    base.stop()
    found = [one for one in made if one is not None]
    start = Variant(tuple(parameter.base for parameter in parameters), card_set, rules, decks)
    others = tuple(one for one in found if not (one.card_set is card_set and one.rules is rules and one.decks is decks))
    if not others:
        base.refuse((), "found no point but the study as it stands, expected other values")
        base.stop()
    return Sweep(file.design, file.points, tuple(parameters), start, others, len(others) < len(found), content)


def check_size(sweep: Sweep, matchups: int, source: str) -> None:
    """Refuse a sweep that counts more than memory has room for."""
    if len(sweep.variants) * matchups > MOST_PLAYED:
        raise InputError(
            f"{source}: sweep: found {len(sweep.variants):,} variants of {matchups:,} matchups, expected at most "
            f"{MOST_PLAYED:,} of both "
            "together: fewer values, points, decks or strategies"
        )


def _leaves(path: Path_, content: Any) -> Iterator[tuple[Path_, Any]]:
    """Go through the lists and ranges of a table, and whatever else stands in their place."""
    if isinstance(content, dict) and not _is_range(content) and (content or len(path) > 1):
        if not content:
            yield path, content
        for key, inner in content.items():
            yield from _leaves((*path, key), inner)
    elif len(path) > 1:
        yield path, content


def _is_range(content: dict[str, Any]) -> bool:
    return bool({"from", "to"} & content.keys()) and not any(
        isinstance(found, dict | list) for found in content.values()
    )


def _parameter(base: _Base, path: Path_, leaf: Any, content: dict[Path_, Any]) -> Parameter | None:
    """Check a parameter: that there is such a place, and its values as far as they can be checked alone."""
    values = _values(base, path, leaf)
    if values is None:
        return None
    content[path] = leaf
    group, name = path[:2]
    if group == "rules":
        if name not in base.game.rules.model_fields or len(path) > 2:
            base.refuse(path, unknown("rule option", ".".join(path[1:]), base.game.rules.model_fields))
            return None
        return Parameter(path, tuple(values), tuple(map(_shown, values)), _shown(getattr(base.rules, name)))
    if group == "cards":
        if name not in base.card_set.ids:
            base.refuse(path, unknown("card", name, base.card_set.ids))
            return None
        card = base.card_set.ids.index(name)
        problem = _card_place(base, card, path[2:])
        if problem is not None:
            base.refuse(path, problem)
            return None
        return Parameter(
            path,
            tuple(values),
            tuple(map(_shown, values)),
            _shown(_found(base.card_set.card[card].model_dump(), path[2:])),
        )
    if name not in base.decks:
        base.refuse(path, unknown("deck of the study", name, base.decks))
        return None
    if len(path) == 2:
        return _alternatives(base, path, values, content)
    table, card_id = (path[2], path[3]) if len(path) == 4 and path[2] == SUPERS else ("cards", ".".join(path[2:]))
    if card_id not in base.card_set.ids:
        base.refuse(path, unknown("card", card_id, base.card_set.ids))
        return None
    copies = base.decks[name].model_dump().get(table, {}).get(card_id, 0)
    return Parameter(path, tuple(values), tuple(map(_shown, values)), copies)


def _values(base: _Base, path: Path_, leaf: Any) -> list[Any] | None:
    """Give the values of a list or a range, or note what is wrong with it."""
    expected = "expected a list of values, as [1, 2, 3], or a range of whole numbers, as {from = 1, to = 9}"
    if isinstance(leaf, dict) and _is_range(leaf):
        low, high = leaf.get("from"), leaf.get("to")
        if leaf.keys() != {"from", "to"} or type(low) is not int or type(high) is not int:
            base.refuse(path, f"found {value(leaf)}, {expected}")
            return None
        if not low < high:
            base.refuse(path, f"found a range from {low} to {high}, expected it to begin below its end")
            return None
        if high - low >= MOST_VARIANTS:
            base.refuse(path, f"found a range of {high - low + 1:,} numbers, expected at most {MOST_VARIANTS}")
            return None
        return list(range(low, high + 1))
    if not isinstance(leaf, list):
        base.refuse(path, f"found {'a table' if isinstance(leaf, dict) else value(leaf)}, {expected}")
        return None
    if len(leaf) < 2:
        how = "an empty list" if not leaf else f"the single value {value(leaf[0])}"
        base.refuse(path, f"found {how}, expected at least two values; the study's own may be one of them")
        return None
    if len(leaf) > MOST_VARIANTS:
        base.refuse(path, f"found {len(leaf):,} values, expected at most {MOST_VARIANTS}")
        return None
    twice = next((written for written, n in Counter(map(value, leaf)).items() if n > 1), None)
    if twice is not None:
        base.refuse(path, f"found {twice} more than once, expected each value once")
        return None
    return leaf


def _shown(found: Any) -> Any:
    """Write a value as tables have it."""
    return "none" if found is None else found if isinstance(found, int | str) else value(found)


def _card_place(base: _Base, card: int, path: Path_) -> str | None:
    """Say why a card has no such place, if it has none."""
    if not path:
        return "expected a key of the card, as power = [1, 2]"
    found: Any = base.card_set.card[card].model_dump()
    loc: tuple[int | str, ...] = ("card", card)
    for place, part in enumerate(path):
        if isinstance(found, list):
            if not part.isdecimal() or len(part) > 9 or not 1 <= int(part) <= len(found):
                held = f"1 to {len(found)}" if found else "none: the card has none"
                return f"found {path[place - 1]} {part}, expected {held}"
            found, loc = found[int(part) - 1], (*loc, int(part) - 1)
            continue
        known = keys_at(base.game.card_set, loc) or (list(found) if isinstance(found, dict) else [])
        if part not in known:
            return unknown("key", part, known)
        found, loc = found.get(part) if isinstance(found, dict) else None, (*loc, part)
    return "expected a key of the card other than its id" if path == ("id",) else None


def _found(content: Any, path: Path_) -> Any:
    """Find the value at a place that is there."""
    for part in path:
        content = (
            content[int(part) - 1] if isinstance(content, list) else None if content is None else content.get(part)
        )
    return content


def _put(content: Any, path: Path_, new: Any) -> None:
    """Put a value at a place; tables on the way that are not given are begun."""
    for part in path[:-1]:
        content = content[int(part) - 1] if isinstance(content, list) else content.setdefault(part, {})
    if isinstance(content, list):
        content[int(path[-1]) - 1] = new
    else:
        content[path[-1]] = new


def _alternatives(base: _Base, path: Path_, values: list[Any], content: dict[Path_, Any]) -> Parameter | None:
    """Read the decks that a deck may be: labels, files, or tables of counts that replace the study's."""
    label = path[1]
    deck = base.decks[label]
    read: list[Deck] = []
    shown: list[str] = []
    names: list[Any] = []
    for found in values:
        try:
            if isinstance(found, str):
                file = deck_path(base.game, found, base.set_name, base.folder)
                read.append(read_deck(base.game, file))
                shown.append(deck_label(found))
                names.append(base.kept(file, f"inputs/sweep/{label}/{shown[-1]}.toml", found))
            elif isinstance(found, dict) and found:
                read.append(_with_counts(base, deck, found))
                shown.append(
                    ", ".join(f"{id} {n}" for id, n in {**found, **found.get(SUPERS, {})}.items() if id != SUPERS)
                )
                names.append(found)
            else:
                base.refuse(
                    path,
                    f"found {value(found)}, expected a deck's label, a file or a table of counts, as {{shark = 3}}",
                )
        except InputError as error:
            for problem in error.problems:
                base.refuse(path, problem)
    if len(read) < len(values):
        return None
    for place, one in enumerate(shown):
        same = next(
            (other for other in range(place) if shown[other] == one or _lists(read[other]) == _lists(read[place])), None
        )
        if same is not None:
            base.refuse(
                path,
                f"found {value(values[same])} and {value(values[place])}, expected decks with labels and cards of "
                "their own",
            )
        if one == label and _lists(read[place]) != _lists(deck):
            base.refuse(
                path,
                f"found {value(values[place])}, another deck with the label of the study's, expected a label of its "
                "own",
            )
    content[path] = names
    return Parameter(path, tuple(read), tuple(shown), label)


def _lists(deck: Deck) -> dict[str, dict[str, int]]:
    """Give what is in a deck, in whatever tables of its file."""
    tables = {key: table for key, table in deck.model_dump().items() if isinstance(table, dict)}
    return {key: {id: n for id, n in table.items() if n} for key, table in tables.items()}


def _with_counts(base: _Base, deck: Deck, counts: dict[str, Any]) -> Deck:
    """Replace some counts of a deck."""
    content = deck.model_dump(exclude_unset=True)
    for id, n in counts.items():
        if id == SUPERS and isinstance(n, dict):
            content[SUPERS] = {**content.get(SUPERS, {}), **n}
        elif id not in base.card_set.ids:
            raise InputError(unknown("card", id, base.card_set.ids))
        else:
            content["cards"] = {**content["cards"], id: n}
    try:
        return base.game.deck.model_validate(content)
    except ValidationError as error:
        raise InputError(
            f"{place_in_words(content, detail['loc'])}: {explain(detail, base.game.deck)}"
            for detail in error.errors(include_url=False)
        ) from None


def _points(base: _Base, file: SweepFile, parameters: Sequence[Parameter], seed: int) -> list[tuple[int, ...]]:
    """List the points of the design, each once: the places of the values, by parameter."""
    sizes = [len(parameter.values) for parameter in parameters]
    if file.design == GRID:
        if math.prod(sizes) > MOST_VARIANTS:
            base.refuse(
                (),
                f"found {math.prod(sizes):,} combinations ({' × '.join(map(str, sizes))}), expected at most "
                f"{MOST_VARIANTS}; "
                f"design = {HYPERCUBE!r} with points = 100 takes some that fill the space",
            )
            base.stop()
        return list(product(*map(range, sizes)))
    from scipy.stats import qmc  # which takes long to load, and few studies need

    assert file.points is not None
    sample = qmc.LatinHypercube(len(sizes), seed=np.random.default_rng(seed % 2**64)).random(file.points)
    return list(dict.fromkeys(tuple(int(u * size) for u, size in zip(row, sizes, strict=True)) for row in sample))


class _Variants:
    """Makes the variants of a sweep; what several have in common is made once."""

    def __init__(self, base: _Base, parameters: Sequence[Parameter]):
        self.base, self.parameters = base, parameters
        self._made: dict[tuple[str, tuple[Any, ...]], Any] = {}
        self._checked: set[tuple[int, int, int]] = set()
        self._cards = base.card_set.model_dump(exclude_unset=True, exclude_none=True)

    def variant(self, point: tuple[int, ...]) -> Variant | None:
        """Make the variant at a point, or note what is wrong with it."""
        parts = []
        for group, make in (("rules", self._rules), ("cards", self._card_set), ("decks", self._decks)):
            chosen = tuple((p, i) for p, i in zip(self.parameters, point, strict=True) if p.path[0] == group)
            key = (group, tuple(i for _, i in chosen))
            if key not in self._made:
                self._made[key] = make([(p, p.values[i]) for p, i in chosen])
            parts.append(self._made[key])
        rules, card_set, decks = parts
        if rules is None or card_set is None or decks is None:
            return None
        values = tuple(p.shown[i] for p, i in zip(self.parameters, point, strict=True))
        for label, deck in decks.items():
            together = (id(card_set), id(rules), id(deck))
            if together in self._checked:
                continue
            for problem in self.base.game.check_deck(card_set, deck, rules):
                self.base.refuse((), f"variant {told(self.parameters, values)}: deck {label!r}: {problem}")
            self._checked.add(together)
        return Variant(values, card_set, rules, decks)

    def _rules(self, chosen: list[tuple[Parameter, Any]]) -> Rules | None:
        base = self.base.rules
        content = base.model_dump() | {parameter.path[1]: found for parameter, found in chosen}
        made: Rules | None = self._valid(content, self.base.game.rules, [(p, p.path[1:]) for p, _ in chosen], chosen)
        return base if made is not None and made.model_dump() == base.model_dump() else made

    def _card_set(self, chosen: list[tuple[Parameter, Any]]) -> CardSet | None:
        base = self.base.card_set
        if not chosen:
            return base
        content, places = copy.deepcopy(self._cards), []
        for parameter, found in chosen:
            card = base.ids.index(parameter.path[1])
            _put(content["card"][card], parameter.path[2:], found)
            keys = tuple(int(part) - 1 if part.isdecimal() else part for part in parameter.path[2:])
            places.append((parameter, ("card", card, *keys)))
        made: CardSet | None = self._valid(content, self.base.game.card_set, places, chosen)
        return base if made is not None and made.model_dump() == base.model_dump() else made

    def _decks(self, chosen: list[tuple[Parameter, Any]]) -> dict[str, Deck] | None:
        decks = dict(self.base.decks)
        counts: dict[str, dict[str, Any]] = {}
        for parameter, found in chosen:
            label = parameter.path[1]
            if len(parameter.path) == 2:
                decks[label] = found
            elif parameter.path[2] == SUPERS and len(parameter.path) == 4:
                counts.setdefault(label, {}).setdefault(SUPERS, {})[parameter.path[3]] = found
            else:
                counts.setdefault(label, {})[".".join(parameter.path[2:])] = found
        for label, changed in counts.items():
            try:
                decks[label] = _with_counts(self.base, decks[label], changed)
            except InputError as error:
                for problem in error.problems:
                    self.base.refuse(("decks", label), problem)
                return None
        for label, deck in decks.items():
            if _lists(deck) == _lists(self.base.decks[label]):
                decks[label] = self.base.decks[label]
        return self.base.decks if all(decks[label] is deck for label, deck in self.base.decks.items()) else decks

    def _valid(
        self,
        content: Any,
        model: Any,
        places: list[tuple[Parameter, tuple[int | str, ...]]],
        chosen: list[tuple[Parameter, Any]],
    ) -> Any:
        """Check options or cards by the game's model; a problem is told at the parameter whose value it is, or of the
        variant.
        """
        try:
            return model.model_validate(content)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                loc = detail["loc"]
                problem = explain(detail, model)
                culprit = next((parameter for parameter, place in places if loc[: len(place)] == place), None)
                if culprit is not None:
                    self.base.refuse(culprit.path, problem)
                    continue
                at = place_in_words(content, loc)
                near = [(p, found) for p, found in chosen if p.path[0] == "rules" or _is_in(loc, p, self.base.card_set)]
                words = told([p for p, _ in near], [_shown(found) for _, found in near])
                self.base.refuse(
                    near[0][0].path if len(near) == 1 else (), f"variant {words}: {at + ': ' if at else ''}{problem}"
                )
            return None


def _is_in(loc: Sequence[int | str], parameter: Parameter, card_set: CardSet) -> bool:
    """Tell whether a place in a card set is in the card of a parameter."""
    return len(loc) < 2 or card_set.ids.index(parameter.path[1]) == loc[1]
