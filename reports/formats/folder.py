"""The folder of a report: checked before anything is played, written whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from sim.files.atomic import umask
from sim.files.errors import InputError

SUMMARY = "summary.md"
PARTS = ".komi"  # lists what a report consists of, so that nothing else is ever replaced


def has_report(folder: Path) -> bool:
    """Tell whether a folder holds a report (or anything else that a report would replace)."""
    return folder.exists() and (not folder.is_dir() or any(folder.iterdir()))


def check_folder(folder: Path, *, force: bool) -> None:
    """Refuse a folder before playing: one that has something in it (without ``force``), or that cannot be written.

    Raises
    ------
    InputError
        With the reason.
    """
    try:
        _check(folder, force=force)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None


def _check(folder: Path, *, force: bool) -> None:
    real = folder.resolve()
    if real in (Path.cwd(), *Path.cwd().parents) or real.is_mount():
        raise InputError(
            f"{folder}: is the folder you are in or above it, which a report cannot replace; --out names another folder"
        )
    if real.exists() and not real.is_dir():
        raise InputError(f"{folder}: found a file, expected a folder; --out names another one")
    foreign = sorted(set(os.listdir(real)) - _own(real)) if has_report(folder) else []
    if has_report(folder) and not force and not foreign:
        raise InputError(f"{folder}: has a report already; --force replaces it, --out names another folder")
    if foreign:
        raise InputError(
            f"{folder}: holds {foreign[0]!r}, which is no part of a report of komi; --out names another folder"
        )
    _try(real)


def check_file(path: Path, *, force: bool) -> None:
    """Refuse a file before playing: one that is there (without ``force``), or that cannot be written.

    Raises
    ------
    InputError
        With the reason.
    """
    try:
        if path.exists() and not (force and path.is_file()):
            raise InputError(f"{path}: is there already{'; --force replaces it' if path.is_file() else ' and no file'}")
        _try(path.resolve())
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def _try(real: Path) -> None:
    """Raise what hinders a file or folder from being made."""
    nearest = next(parent for parent in real.parents if parent.exists())
    if not nearest.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if len(os.fsencode(real.name)) > 200:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    Path(tempfile.mkdtemp(dir=nearest, prefix=f".{real.name}-")).rmdir()


def write_new_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """Fill a folder that is not there yet, or is empty, so that it is there whole or not at all.

    Parameters
    ----------
    folder : Path
        The folder.
    fill : function
        Writes the content into the folder that it is given.

    Raises
    ------
    InputError
        If it has something in it, is the folder you are in or above it, or cannot be written.
    """
    try:
        real = folder.resolve()
        if real in (Path.cwd(), *Path.cwd().parents) or real.is_mount():
            raise InputError(f"{folder}: is the folder you are in or above it; expected the name of a new folder")
        if real.exists() and not real.is_dir():
            raise InputError(f"{folder}: is there already and no folder; expected a folder that is new or empty")
        if has_report(real):
            raise InputError(
                f"{folder}: holds {min(os.listdir(real))!r} already; expected a folder that is new or empty"
            )
        _try(real)
        real.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(dir=real.parent, prefix=f".{real.name}-"))
        try:
            fill(partial)
            partial.chmod(0o777 & ~umask())
            if real.exists():
                real.rmdir()  # fails if something has come into it
            os.replace(partial, real)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None


def _own(folder: Path) -> set[str]:
    """List the entries of a folder that komi wrote into it: those that its report names, if it has one."""
    parts = folder / PARTS
    return {PARTS, *parts.read_text(encoding="utf-8").splitlines()} if parts.is_file() else set()


def replace_folder(folder: Path, fill: Callable[[Path], None], *, force: bool = False) -> None:
    """Fill a folder so that it is there whole or not at all.

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
    check_folder(folder, force=force)
    real = folder.resolve()
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(dir=real.parent, prefix=f".{real.name}-"))
        old = partial.with_name(partial.name + "-old")
        try:
            fill(partial)
            (partial / PARTS).write_text("\n".join(sorted(os.listdir(partial))) + "\n", encoding="utf-8")
            check_folder(folder, force=force)  # another run may have been here meanwhile
            partial.chmod(0o777 & ~umask())
            if real.exists():
                os.replace(real, old)
            os.replace(partial, real)
        except BaseException:
            if old.exists() and not real.exists():
                os.replace(old, real)
            shutil.rmtree(partial, ignore_errors=True)
            raise
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
    shutil.rmtree(old, ignore_errors=True)
