"""The folder of a report: checked before anything is played, written whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from sim.errors import InputError

SUMMARY = "summary.md"


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
    if has_report(folder) and not force:
        raise InputError(f"{folder}: has a report already; --force replaces it, --out names another folder")
    if has_report(folder) and not (folder / SUMMARY).is_file():
        raise InputError(f"{folder}: holds something that is no report of komi; --out names another folder")
    nearest = next(parent for parent in folder.absolute().parents if parent.exists())
    try:
        if not nearest.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        Path(tempfile.mkdtemp(dir=nearest, prefix=f".{folder.name}-")).rmdir()
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None


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
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
        try:
            fill(partial)
            partial.chmod(0o755)
            if folder.exists():
                old = partial.with_name(partial.name + "-old")
                os.replace(folder, old)
                os.replace(partial, folder)
                shutil.rmtree(old)
            else:
                os.replace(partial, folder)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
