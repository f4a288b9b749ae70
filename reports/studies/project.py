"""A designer's own project to begin with: a small set of cards, decks and a study, which explain themselves."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from textwrap import wrap
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import BaseModel

from reports.formats.folder import write_new_folder
from reports.formats.markdown import code, plain
from reports.formats.schema import allowed, forms, keys
from reports.formats.toml import card_tables, line, value
from reports.studies.study import StudyFile, can_be_folder
from sim.cards import CardSet, Deck
from sim.files.errors import InputError
from sim.files.wording import plural
from sim.game import Game
from sim.library import deck_paths, load_deck, load_game, load_set

CARDS = "cards"  # the set's name and, with its ending, its file's
WIDTH = 130
REPORTS = Path(__file__).parents[1]
EXAMPLES = (REPORTS / "examples", REPORTS.parent / "examples")  # as installed, and of a checkout


@dataclass(frozen=True)
class Key:
    """A key of a file as its comments tell it.

    Attributes
    ----------
    name, about, allowed : str
        The key, what it is for, which values it may have.
    default : object
        What holds without it, or an example where that is nothing; None if it must be given or nothing comes to mind.
    needed : bool
        It must be given.
    """

    name: str
    about: str
    allowed: str
    default: Any
    needed: bool

    @property
    def comment(self) -> list[str]:
        """Lines that tell of it in a table of keys."""
        left_out = ", or left out" if self.default in (None, [], "") else f", {value(self.default)} if left out"
        about = f"; {self.about}" if self.about else ""
        return wrap(
            f"{self.name}: {self.allowed}{'' if self.needed else left_out}{about}", WIDTH, subsequent_indent="    "
        )


def key_list(model: type[BaseModel]) -> list[Key]:
    """List the keys of a file or a table, from its model."""
    return [_key(name, schema) for name, schema in keys(model).items()]


def _key(name: str, schema: dict[str, Any]) -> Key:
    default = schema.get("default")
    if default is None:
        default = next(iter(schema.get("examples", ())), None)
    return Key(name, schema.get("description", ""), allowed(schema), default, "default" not in schema)


def tables_of_keys(game: Game) -> dict[str, list[Key]]:
    """List the keys of the tables of a card file: of the set, of a card, and of each list of tables in a card."""
    head = keys(game.card_set)
    card = head.pop("card")["items"]["properties"]
    tables = {"": head, "card": card}
    for name, schema in card.items():
        for form in forms(schema):
            if form.get("type") == "array" and "properties" in form["items"]:
                tables[f"card.{name}"] = form["items"]["properties"]
    listed = {table: [_key(name, schema) for name, schema in found.items()] for table, found in tables.items()}
    listed["card"] = [
        replace(key, allowed=f"[[card.{key.name}]] tables") if f"card.{key.name}" in tables else key
        for key in listed["card"]
    ]
    return listed


def small_set(game: Game) -> tuple[CardSet, dict[str, Deck]]:
    """Cut a small set out of the starter set: the cards of the two starter decks that need fewest together.

    Returns
    -------
    CardSet
        The cards, in the starter set's order.
    dict of str to Deck
        The two decks by label.
    """
    starter = load_set(game)
    decks = {label: load_deck(game, label, starter) for label in deck_paths(game)}
    if len(decks) < 2:
        raise InputError(f"{game.name}: has {plural(len(decks), 'starter deck')}, expected at least two for a project")
    pairs = combinations(decks, 2)
    first, second = min(pairs, key=lambda pair: (len(_held(decks[pair[0]]) | _held(decks[pair[1]])), pair))
    held = _held(decks[first]) | _held(decks[second])
    cards = [card for card in starter.card if card.id in held]
    update = {"set": CARDS, "version": 1, "card": cards}
    return starter.model_copy(update=update), {
        label: decks[label].model_copy(update={"set": CARDS}) for label in (first, second)
    }


def _held(deck: Deck) -> set[str]:
    """Give the ids of all cards of a deck, in whatever table of its file they stand."""
    return {
        id for table in deck.model_dump().values() if isinstance(table, dict) for id, copies in table.items() if copies
    }


def write_examples(folder: Path) -> list[str]:
    """Write the examples of the README: those of the checkout, or those that an installed komi has with it.

    Parameters
    ----------
    folder : Path
        Where; new or empty.

    Returns
    -------
    list of str
        What was written and what to do next, a line each.

    Raises
    ------
    InputError
        If the folder has something in it or cannot be written. Then nothing is written.
    """
    source = next(place for place in EXAMPLES if place.is_dir())
    names = sorted(path.relative_to(source) for path in source.rglob("*") if path.suffix in (".toml", ".py"))

    def fill(partial: Path) -> None:
        for name in names:
            (partial / name).parent.mkdir(parents=True, exist_ok=True)
            (partial / name).write_bytes((source / name).read_bytes())

    write_new_folder(folder, fill)
    study, strategy = folder / "reef" / "study.toml", folder / "reef" / "face.py"
    return [
        *(f"{folder / name}" for name in names),
        f"next: {shlex.join(['komi', 'run', str(study)])}",
        f"or:   {shlex.join(['komi', 'play', 'sea', 'rush', 'trap', '--strategies', str(strategy), 'greedy'])}",
    ]


def write_project(folder: Path, game_name: str) -> list[str]:
    """Write a project that runs as it is.

    Parameters
    ----------
    folder : Path
        Where; new or empty.
    game_name : str
        The game.

    Returns
    -------
    list of str
        What was written and what to do next, a line each.

    Raises
    ------
    InputError
        If there is no such game, or the folder has something in it or cannot be written. Then nothing is written.
    """
    game = load_game(game_name)
    name = folder.resolve().name
    if not can_be_folder(name):
        raise InputError(f"{folder}: found {name!r}, expected a name that can be a folder's")
    texts = project_texts(game, name, None if game.home is None else _path_to(game.home.folder, folder))

    def fill(partial: Path) -> None:
        for path, text in texts.items():
            (partial / path).parent.mkdir(parents=True, exist_ok=True)
            (partial / path).write_text(text, encoding="utf-8", newline="\n")

    write_new_folder(folder, fill)
    return [f"{folder / path}" for path in texts] + [f"next: cd {folder}, then what README.md shows"]


def _path_to(game: Path, project: Path) -> str:
    """Give the way from a project to the folder of a game, with a slash in it."""
    way = os.path.relpath(game, project.resolve())
    return way if way.startswith("..") or os.path.isabs(way) else f"./{way}"


def project_texts(game: Game, name: str, named: str | None = None) -> dict[str, str]:
    """Make the files of a project.

    Parameters
    ----------
    game : Game
        The game.
    name : str
        The project's name, under which its reports are written.
    named : str, optional
        How its study names the game; by default by its name.

    Returns
    -------
    dict of str to str
        Their texts by path.
    """
    named = game.name if named is None else named
    card_set, decks = small_set(game)
    environment = Environment(
        loader=PackageLoader("reports"), autoescape=False, trim_blocks=True, lstrip_blocks=True,
        undefined=StrictUndefined, keep_trailing_newline=True,
    )  # fmt: skip
    names = {card.id: f"{card.name} ({card.en})" for card in card_set.card}
    context: dict[str, Any] = {
        "game": game, "named": named, "own": f" --game {shlex.quote(named)}" if game.home else "", "name": name,
        "set": card_set, "decks": decks, "labels": list(decks), "names": names, "line": line,
        "tables": tables_of_keys(game), "cards": card_tables(card_set),
        "study": _study_keys(named, name, list(decks)), "options": key_list(game.rules), "comment": _about,
        "title": plain(name), "report": code(f"out/{name}/report.html"),
    }  # fmt: skip

    def text(template: str, **more: Any) -> str:
        return environment.get_template(f"new_{template}.j2").render({**context, **more})

    texts = {f"{CARDS}.toml": text("cards.toml")}
    texts |= {f"decks/{label}.toml": text("deck.toml", deck=deck.model_dump()) for label, deck in decks.items()}
    return texts | {"study.toml": text("study.toml"), "README.md": text("readme.md")}


def _about(key: Key) -> list[str]:
    """Tell what a key is for, in lines above it."""
    return wrap(key.about if key.allowed == "a text" else f"{key.about}; {key.allowed}", WIDTH)


def _study_keys(game: str, name: str, labels: list[str]) -> list[tuple[Key, Any]]:
    """List the keys of a study, each with the value that this project gives it, or None."""
    given = {
        "game": game,
        "name": name,
        "set": f"{CARDS}.toml",
        "decks": labels,
    }
    return [(key, given.get(key.name)) for key in key_list(StudyFile) if key.name not in ("rules", "versions")]
