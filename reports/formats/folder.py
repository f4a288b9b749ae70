"""The folders and files that komi writes: checked before anything is played, replaced only where they are komi's own.

A report lists all its files with their digests. Whatever else is in its folder, or has been changed since, is
somebody's: then the folder is left alone.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sim.files.atomic import NEW, OLD, claimed
from sim.files.errors import InputError
from sim.files.text import read_text

SUMMARY = "summary.md"
PARTS = ".komi"  # lists what a report consists of, so that nothing else is ever replaced
LONGEST_NAME = 200  # bytes, so that there is room for what stands beside it meanwhile
LITTER = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})  # that systems leave in folders which somebody looks at

_PART = re.compile(r"([0-9a-f]{64})  (.+)")


def has_report(folder: Path) -> bool:
    """Tell whether a folder holds a report (or anything else that a report would replace)."""
    return folder.exists() and (not folder.is_dir() or any(folder.iterdir()))


def check_folder(folder: Path, *, force: bool) -> None:
    """Refuse a folder before playing: one that has something in it (without ``force``), or that cannot be written.

    Parameters
    ----------
    folder : Path
        Where a report is to be.
    force : bool
        A report that is there may be replaced; nothing else may.

    Raises
    ------
    InputError
        With the reason.
    """
    with output_folder(folder, force=force):
        pass


@contextmanager
def output_folder(folder: Path, *, force: bool) -> Iterator[Path]:
    """Have a folder to oneself that is to be written, as long as this lasts; see `check_folder`.

    Yields
    ------
    Path
        A hidden folder beside it to make it in (`sim.files.atomic.claimed`).
    """
    _check_name(folder)
    with claimed(folder) as place:
        _check(folder, force=force)
        yield place


def check_file(path: Path, *, force: bool) -> None:
    """Refuse a file before playing: one that is there (without ``force``), or that cannot be written.

    Raises
    ------
    InputError
        With the reason.
    """
    with output_file(path, force=force):
        pass


@contextmanager
def output_file(path: Path, *, force: bool) -> Iterator[None]:
    """Have a file to oneself that is to be written, as long as this lasts; see `check_file`."""
    _check_name(path)
    with claimed(path):
        if path.exists() and not (force and path.is_file()):
            raise InputError(f"{path}: is there already{'; --force replaces it' if path.is_file() else ' and no file'}")
        yield


def _check_name(path: Path, wanted: str = "which cannot be replaced; --out names another one") -> None:
    try:
        real = path.resolve()
        if real in (Path.cwd(), *Path.cwd().parents) or real.is_mount():
            raise InputError(f"{path}: is the folder you are in or above it, {wanted}")
        nearest = next(parent for parent in real.parents if parent.exists())
    except (OSError, RuntimeError) as error:  # a loop of links, a name that is too long
        raise InputError(f"{path}: cannot be written ({getattr(error, 'strerror', None) or error})") from None
    if not nearest.is_dir():
        raise InputError(f"{path}: cannot be written (Not a directory)")
    if len(os.fsencode(real.name)) > LONGEST_NAME:
        raise InputError(f"{path}: cannot be written (File name too long)")


def _check(folder: Path, *, force: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: found a file, expected a folder; --out names another one")
    strange = stranger(folder) if folder.exists() else None
    if strange is not None:
        raise InputError(f"{folder}: {strange}; --out names another folder")
    if has_report(folder) and not force:
        raise InputError(f"{folder}: has a report already; --force replaces it, --out names another folder")


def stranger(folder: Path) -> str | None:
    """Say what in a folder is not as komi wrote it there: the first such thing, in words; None if there is none."""
    parts = _parts(folder)
    for name, path in _entries(folder):
        if path.is_dir() and not path.is_symlink():
            if name not in parts and not any(part.startswith(f"{name}/") for part in parts):
                return f"holds {name!r}, which is no part of a report of komi"
        elif name not in parts:
            return f"holds {name!r}, which is no part of a report of komi"
        elif parts[name] not in ("", _digest(path)):
            return f"holds {name!r}, which has been changed since komi wrote it"
    return None


def _entries(folder: Path) -> Iterator[tuple[str, Path]]:
    """Give all that is in a folder and below it, by its name there, but for what says nothing; folders first."""
    for here, folders, files in os.walk(folder):
        for name in sorted((*folders, *files)):
            path = Path(here) / name
            within = path.relative_to(folder).as_posix()
            if within != PARTS and name not in LITTER:
                yield within, path


def _parts(folder: Path) -> dict[str, str]:
    """Give the digests of what komi wrote into a folder, by name; ``""`` where an earlier komi noted none."""
    path = folder / PARTS
    if not path.is_file():
        return {}
    try:
        lines = read_text(path).splitlines()
    except InputError as error:
        raise InputError(f"{folder}: {PARTS} is damaged ({error}); --out names another folder") from None
    found = [_PART.fullmatch(line) for line in lines]
    return {match[2] if match else line: match[1] if match else "" for match, line in zip(found, lines, strict=True)}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_folder(folder: Path, fill: Callable[[Path], None], *, force: bool = False) -> None:
    """Fill a folder so that it is there whole or not at all, with a list of its files.

    Parameters
    ----------
    folder : Path
        The folder; made if it is not there.
    fill : function
        Writes the content into the folder that it is given.
    force : bool
        Replace a report that is there.

    Raises
    ------
    InputError
        See `check_folder`; or if there is no space left.
    """
    with output_folder(folder, force=force) as place:
        _fill(folder, place / NEW, fill, listed=True)
        _exchange(folder, place, force=force)


def write_new_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """Fill a folder that is not there yet, or is empty, so that it is there whole or not at all; it is nobody's but the
    user's from then on.

    Raises
    ------
    InputError
        If it has something in it, is the folder you are in or above it, or cannot be written.
    """
    _check_name(folder, "expected the name of a new folder")
    with claimed(folder) as place:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder}: is there already and no folder; expected a folder that is new or empty")
        if has_report(folder):
            raise InputError(
                f"{folder}: holds {min(os.listdir(folder))!r} already; expected a folder that is new or empty"
            )
        _fill(folder, place / NEW, fill, listed=False)
        _exchange(folder, place, force=False)


def _fill(folder: Path, new: Path, fill: Callable[[Path], None], *, listed: bool) -> None:
    try:
        new.mkdir()
        fill(new)
        if listed:
            parts = [f"{_digest(path)}  {name}\n" for name, path in sorted(_entries(new)) if not path.is_dir()]
            (new / PARTS).write_text("".join(parts), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror or error})") from None


def _exchange(folder: Path, place: Path, *, force: bool) -> None:
    """Put a new folder in the place of what is there, if that is komi's; otherwise all stays as it was."""
    real, old = folder.resolve(), place / OLD
    try:
        if real.exists():
            os.replace(real, old)
        try:
            if old.exists():
                _check(old, force=force)  # once more: here nobody writes into it any more
            os.replace(place / NEW, real)
        except BaseException as error:
            if old.exists():
                os.replace(old, real)
            if isinstance(error, InputError):
                raise InputError([problem.replace(str(old), str(folder), 1) for problem in error.problems]) from None
            raise
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror or error})") from None
