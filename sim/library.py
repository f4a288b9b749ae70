"""Where games, card sets and decks are found: komi's own, those that are installed, and folders of a user's."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.cards import CardSet, Deck, is_path
from sim.files.errors import InputError, unknown
from sim.files.file_kinds import DECK, SET
from sim.files.names import composed
from sim.files.toml_file import TomlFile, read_toml
from sim.files.toml_lines import line_of
from sim.files.wording import listed, shown
from sim.game import Game
from sim.kernels.homes import adopt, read_home, sources

GROUP = "komi.games"  # of entry points
RUNS_CODE = ContextVar("RUNS_CODE", default=True)  # of users: games outside komi and strategies; without, refused
MODULE = "__init__.py"

_by_package: dict[str, Game] = {}  # from folders
_by_name: dict[str, Game] = {}  # games outside komi, as loaded last


@cache
def own_names() -> tuple[str, ...]:
    """List komi's own games: the folders of `sim` that lay out a state."""
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/layout.py")))


@cache
def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}


def game_names() -> tuple[str, ...]:
    """List the games that go by a name: komi's own and those that are installed."""
    return (*own_names(), *(name for name in _installed() if name not in own_names()))


def is_game(name: str | Path) -> bool:
    """Tell whether something names a game: by its name, or by the folder in which it lies."""
    return (
        is_game_folder(Path(name)) if _is_folder_name(name) else str(name) in own_names() or str(name) in _installed()
    )


def _is_folder_name(name: str | Path) -> bool:
    return isinstance(name, Path) or name in (".", "..") or "/" in name or "\\" in name


def is_game_folder(folder: Path) -> bool:
    """Tell whether a folder may be a game's: a Python package."""
    return (folder / MODULE).is_file()


def load_game(name: str | Path, at: str = "", folder: Path | None = None) -> Game:
    """Load a game.

    Parameters
    ----------
    name : str or Path
        The name of one of komi's games or of one that is installed (an entry point of the group ``komi.games``), or the
        path of a folder, which has a slash in it: ``"./war"``.
    at : str
        What names it (a file and its key), to begin a message with.
    folder : Path, optional
        The folder to which a path is relative.

    Raises
    ------
    InputError
        If there is no such game, its code fails, or it is outside komi and such code is not to be run (`RUNS_CODE`).
    """
    if not _is_folder_name(name) and name in own_names():
        game: Game = import_module(f"sim.{name}").GAME
        return game
    if not _is_folder_name(name) and name not in _installed():
        hint = "; the folder of a game is named with a slash, as ./my_game"
        raise InputError(at + unknown("game", str(name), game_names()) + hint)
    if not RUNS_CODE.get():
        place = (folder or Path()) / name if _is_folder_name(name) else f"the installed game {str(name)!r}"
        raise InputError(f"{at}{place}: found Python code that would be run, expected none with --no-code")
    try:
        game = (
            _from_folder((folder or Path()) / name) if _is_folder_name(name) else _from_entry(_installed()[str(name)])
        )
    except InputError as error:
        raise InputError(problem if ".py:" in problem else at + problem for problem in error.problems) from None
    _by_name[game.name] = game
    return game


def known_game(game: Game | str) -> Game:
    """Give a game of which only the name is known: one of komi's, or the one outside it that was loaded last."""
    if isinstance(game, Game):
        return game
    return _by_name[game] if game in _by_name and game not in own_names() else load_game(game)


def _from_folder(folder: Path) -> Game:
    if not is_game_folder(folder):
        found = "no folder" if not folder.is_dir() else f"a folder without {MODULE}"
        raise InputError(f"{folder}: found {found}, expected the folder of a game, whose {MODULE} makes a GAME")
    check_encodable(folder)
    real = folder.resolve()
    digest = hashlib.sha256(str(real).encode() + read_home(real).all.encode()).hexdigest()[:12]
    word = re.sub(r"\W", "_", real.name)
    package = f"komi_game_{word}_{digest}"
    if package not in _by_package:
        _by_package[package] = _imported(package, real, folder)
    return _by_package[package]


def check_encodable(path: Path) -> None:
    """Refuse the path of code whose name is not in UTF-8: numba compiles none of it."""
    try:
        str(path.resolve()).encode()
    except UnicodeEncodeError:
        raise InputError(
            f"{path}: found {str(path.resolve())!a}, expected a path in UTF-8, without which numba compiles nothing; "
            "rename the file or the folder"
        ) from None


def _imported(package: str, real: Path, folder: Path) -> Game:
    """Import a game from its folder, under a name that no other has, nor the same one with other sources."""
    spec = importlib.util.spec_from_file_location(package, real / MODULE, submodule_search_locations=[str(real)])
    assert spec is not None
    assert spec.loader is not None
    adopt(home := read_home(real))
    module = sys.modules[package] = importlib.util.module_from_spec(spec)
    try:
        with leaving_no_trace():
            spec.loader.exec_module(module)
        return replace(_game_of(module, folder / MODULE), home=home, package=package)
    except (Exception, SystemExit) as error:
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]
        if isinstance(error, InputError):
            raise InputError(f"{folder / MODULE}: {problem}" for problem in error.problems) from None
        raise InputError(f"{_place(error, real, folder)}: {type(error).__name__}: {error}") from None


@cache
def _from_entry(entry: EntryPoint) -> Game:
    try:
        spec = importlib.util.find_spec(entry.module)
        if spec is None or not spec.submodule_search_locations:
            raise InputError("found no package of this name, expected one")
        real = Path(next(iter(spec.submodule_search_locations))).resolve()
        adopt(home := read_home(real))
        return replace(_game_of(import_module(entry.module), real / MODULE), home=home, package=entry.module)
    except (Exception, SystemExit) as error:
        told = error.problems if isinstance(error, InputError) else [f"{type(error).__name__}: {error}"]
        raise InputError(f"the installed game {entry.name!r} ({entry.value}): {problem}" for problem in told) from None


def _game_of(module: ModuleType, path: Path) -> Game:
    """Take the game out of its module."""
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise InputError(f"found {'no GAME' if game is None else f'GAME = {shown(game)}'}, expected a sim.Game")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", game.name) or game.name in own_names():
        raise InputError(f"found the name {game.name!r}, expected one of small letters that none of komi's games has")
    return game


def _place(error: BaseException, real: Path, folder: Path) -> str:
    """Tell the file of a game, as the user names it, and the line in which an error was raised."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return f"{_as_named(Path(error.filename), real, folder)}:{error.lineno}"
    place, trace = f"{folder / MODULE}:1", error.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file.is_relative_to(real):
            place = f"{_as_named(file, real, folder)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _as_named(file: Path, real: Path, folder: Path) -> Path:
    return folder / file.relative_to(real) if file.is_relative_to(real) else file


@contextmanager
def leaving_no_trace() -> Iterator[None]:
    """Import a user's files without writing compiled ones beside them: the folder may be a report's."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def game_files(game: Game) -> dict[str, Path]:
    """List the files of a game outside komi by their names within its folder: its sources, starter sets and decks."""
    if game.home is None:
        return {}
    folder = game.home.folder
    files = [*sources(folder), *(path for part in ("data/*.toml", "data/decks/*.toml") for path in folder.glob(part))]
    files += (folder / "strategies").glob("data/*.toml")
    return {path.relative_to(folder).as_posix(): path for path in sorted(files)}


def file_game(content: dict[str, Any], path: Path, text: str = "", given: str | Path | None = None) -> Game:
    """Load the game that a file names.

    Parameters
    ----------
    content : dict
        What was read.
    path, text : Path and str
        The file, for messages; its text if it is TOML.
    given : str or Path, optional
        The game of which the file should be, if it is outside komi: a file may say its name alone.

    Raises
    ------
    InputError
        If it names none, or none that is there.
    """
    name, line = content.get("game"), line_of(text, ("game",))
    at = f"{path}:{line}" if line else str(path)
    if "game" not in content:
        known = listed([f'game = "{name}"' for name in game_names()], "or")
        raise InputError(f"{path}: the key 'game' is missing, expected {known}")
    if not isinstance(name, str):
        raise InputError(f"{at}: game: found {shown(name)}, expected the name of a game ({listed(game_names(), 'or')})")
    return named_game(name, f"{at}: game: ", path.parent, given)


def named_game(name: str, at: str, folder: Path, given: str | Path | None = None) -> Game:
    """Load a game that a file in a folder names, or the one that is given if it is of this name; see `file_game`."""
    if given is not None and not _is_folder_name(name) and (game := load_game(given)).name == name:
        return game
    return load_game(name, at, folder)


def load_set(game: Game, name: str | Path | TomlFile = "starter", folder: Path | None = None) -> CardSet:
    """Load a card set.

    Parameters
    ----------
    game : Game
        The game.
    name : str, Path or TomlFile
        The name of a set that comes with the game (``"starter"``), or a TOML file.
    folder : Path, optional
        The folder to which a path is relative.

    Returns
    -------
    CardSet
        The game's own kind of card set.

    Raises
    ------
    InputError
        If there is no such set or the file has mistakes.
    """
    if not isinstance(name, TomlFile):
        path = set_path(game, name, folder)
        if path.suffix.lower() == ".csv":
            raise InputError(
                f"{path}: found a spreadsheet, expected TOML: `komi cards {path} --toml FILE.toml` makes it"
            )
        name = read_toml(path)
    name.expect(SET, game.name)
    return name.checked(game.card_set, f"a card set of {game.name}")


def set_names(game: Game) -> list[str]:
    """List the card sets that come with a game."""
    return sorted(path.stem for path in game.folder.glob("*.toml"))


def set_path(game: Game, name: str | Path, folder: Path | None = None) -> Path:
    """Find the file of a card set (see `load_set`)."""
    if is_path(name):
        return _found(folder or Path(), name)
    if str(name) not in set_names(game):
        raise InputError(
            f"{unknown(f'set of {game.name}', str(name), set_names(game))}; a file is named with its ending, as "
            "my_set.toml"
        )
    return game.folder / f"{name}.toml"


def deck_path(game: Game, name: str | Path, set_name: str | Path = "starter", folder: Path | None = None) -> Path:
    """Find the file of a deck (see `load_deck`)."""
    if is_path(name):
        return _found(folder or Path(), name)
    known = deck_paths(game, set_name, folder)
    for label, path in deck_paths(game, "starter").items():
        known.setdefault(label, path)
    label = composed(str(name))
    if label not in known:
        raise InputError(
            f"{unknown(f'deck of {game.name}', str(name), known)}; a file is named with its ending, as my_deck.toml"
        )
    return known[label]


def _found(folder: Path, name: str | Path) -> Path:
    """Find a file by its name, in whichever form of Unicode the file system has it: Macs write another than people."""
    ways = [folder / name, *(folder / unicodedata.normalize(form, str(name)) for form in ("NFC", "NFD"))]
    return next((path for path in ways if path.exists()), ways[0])


def deck_paths(game: Game, set_name: str | Path = "starter", folder: Path | None = None) -> dict[str, Path]:
    """List the decks of a set by label: the TOML files in the folder ``decks`` beside the set's file."""
    paths = sorted((set_path(game, set_name, folder).parent / "decks").glob("*.toml"))
    found: dict[str, Path] = {}
    for path in paths:
        if found.setdefault(composed(path.stem), path) != path:
            raise InputError(f"{path}: found a second deck with the label {shown(composed(path.stem))}, expected one")
    return found


def load_deck(
    game: Game,
    name: str | Path | TomlFile,
    card_set: CardSet | None = None,
    rules: Any = None,
    *,
    set_name: str | Path = "starter",
    folder: Path | None = None,
) -> Deck:
    """Load a deck and check that it can be built from a set under the rules.

    Parameters
    ----------
    game : Game
        The game.
    name : str, Path or TomlFile
        The label of a deck that comes with the game (``"rush"``), or a TOML file.
    card_set : CardSet, optional
        The cards; by default those of ``set_name``.
    rules : pydantic model, optional
        The rule options; by default the game's.
    set_name : str or Path
        The set, beside whose file decks are looked for, too.
    folder : Path, optional
        The folder to which paths are relative.

    Raises
    ------
    InputError
        If there is no such deck, the file has mistakes or the deck breaks its game's construction rule.
    """
    file = name if isinstance(name, TomlFile) else read_toml(deck_path(game, name, set_name, folder))
    deck = read_deck(game, file)
    card_set = card_set if card_set is not None else load_set(game, set_name, folder)
    problems = game.check_deck(card_set, deck, rules if rules is not None else game.rules.model_validate({}))
    if problems:
        raise InputError(f"{file.path}:{file.line(*problem.loc) or 1}: {problem}" for problem in problems)
    return deck


def read_deck(game: Game, path: Path | TomlFile) -> Deck:
    """Read a deck's file without checking whether it can be built.

    Raises
    ------
    InputError
        If it cannot be read or is no deck of the game.
    """
    file = read_toml(path)
    file.expect(DECK, game.name)
    return file.checked(game.deck, f"a deck of {game.name}")
