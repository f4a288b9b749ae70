"""Games that live outside komi: which source files are theirs, and what their compiled code depends on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STRATEGIES = "strategies"  # the folder of a game's own strategies


@dataclass(frozen=True)
class Home:
    """The folder of a game outside komi, as it was when the game was loaded.

    Attributes
    ----------
    folder : Path
        The folder.
    rules, all : str
        Hashes of its sources but for its strategies, and of all.
    """

    folder: Path
    rules: str
    all: str

    def has_rule(self, path: Path) -> bool:
        """Tell whether a file is one of the game's but none of its strategies."""
        return path.is_relative_to(self.folder) and not path.is_relative_to(self.folder / STRATEGIES)


_homes: dict[Path, Home] = {}  # by source file


def sources(folder: Path) -> list[Path]:
    """List the source files of a game: those of its folder, of the packages in it and of its strategies."""
    return sorted(_sources(folder))


def _sources(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.glob("*.py") if path.is_file())
    for inner in folder.iterdir():
        if inner.is_dir() and (inner.name == STRATEGIES or (inner / "__init__.py").is_file()):
            yield from _sources(inner)


def read_home(folder: Path) -> Home:
    """Hash the sources of a game."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sources(folder)}
    rules = {name: content for name, content in files.items() if not name.startswith(f"{STRATEGIES}/")}
    return Home(folder, _hash(rules), _hash(files))


def _hash(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()[:20]


def adopt(home: Home) -> None:
    """Take the sources of a game for a part of komi from now on: before they are imported, since kernels are compiled
    and kept by what they depend on.
    """
    _homes.update(dict.fromkeys((path.resolve() for path in sources(home.folder)), home))


def home_of(function: Callable[..., Any]) -> Home | None:
    """Give the game outside komi that a function belongs to: by its file or, of a template, by what it is bound to."""
    plain = getattr(function, "py_func", function)
    if not _homes or not hasattr(plain, "__code__"):
        return None
    bound: Home | None = getattr(plain, "home", None)
    return bound if bound is not None else _homes.get(Path(plain.__code__.co_filename).resolve())
