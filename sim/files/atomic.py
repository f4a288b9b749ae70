"""Files and folders that are there whole or not at all, made by one writer at a time.

An output is made in a hidden folder beside it, which is locked as long as somebody works there: `claimed`. What a
process that was killed has left in it, the next one that claims the same output removes.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout

from sim.files.errors import InputError

ENDING = ".komi"
LOCK, NEW, OLD = "lock", "new", "old"
WAIT_SECONDS = 10.0  # for another writer of a small file

_held = threading.local()  # the outputs that this thread has claimed


def workplace(path: Path) -> Path:
    """Name the hidden folder in which an output is made."""
    real = path.resolve()
    return real.with_name(f".{real.name}{ENDING}")


@contextmanager
def claimed(path: Path, wait: float = 0.0, *, within: bool = True) -> Iterator[Path]:
    """Have an output to oneself.

    Parameters
    ----------
    path : Path
        The file or folder that is to be written. Folders above it are made, and removed again if they stay empty.
    wait : float
        Seconds to wait for another writer.
    within : bool
        It may be claimed already by whoever calls this, in the same thread.

    Yields
    ------
    Path
        An empty hidden folder beside it to make the output in; it is removed in the end.

    Raises
    ------
    InputError
        If another process is writing it, what is there is not komi's, or nothing can be written there.
    """
    real, place = path.resolve(), workplace(path)
    held: set[Path] = _held.__dict__.setdefault("outputs", set())
    if real in held and within:
        yield place
        return
    missing = [parent for parent in real.parents if not parent.exists()]
    lock = _locked(path, place, wait)
    held.add(real)
    try:
        try:
            _tidy(place, real)
        except OSError as error:
            raise _unwritable(path, error) from None
        yield place
    finally:
        held.discard(real)
        with suppress(OSError):
            _clear(place)
            (place / LOCK).unlink()
        lock.release()
        for folder in (place, *missing):
            with suppress(OSError):
                folder.rmdir()


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"{path}: cannot be written ({error.strerror or error})")


def _locked(path: Path, place: Path, wait: float) -> FileLock:
    """Lock the place where an output is made."""
    until = time.monotonic() + wait
    taken = InputError(f"{path}: another run of komi is writing there; name another place")
    if path.resolve() in _held.outputs:
        raise taken
    while True:
        lock = FileLock(place / LOCK)
        try:
            with suppress(FileExistsError):
                place.mkdir(parents=True)
            if place.is_symlink() or not place.is_dir() or (any(place.iterdir()) and not (place / LOCK).is_file()):
                raise InputError(f"{place}: is there already, and is no folder in which komi was writing; remove it")
            lock.acquire(timeout=max(until - time.monotonic(), 0))
        except Timeout:
            raise taken from None
        except FileNotFoundError:
            if not place.parent.is_dir():
                raise InputError(f"{path}: cannot be written (its folder is gone)") from None
            continue  # the one before has just removed it
        except OSError as error:
            raise _unwritable(path, error) from None
        if (place / LOCK).exists():
            return lock
        lock.release()  # of a file that the one before has just removed


def _tidy(place: Path, real: Path) -> None:
    """Remove what a process that was killed has left; what it was replacing comes back if nothing is in its place."""
    if (place / OLD).exists() and not real.exists():
        os.replace(place / OLD, real)
    _clear(place)


def _clear(place: Path) -> None:
    for entry in place.iterdir():
        if entry.name != LOCK:
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write bytes to that takes its name when all is written; it is there whole or not at all.

    Raises
    ------
    InputError
        If the folder cannot be written or has no space left.
    """
    with claimed(path, WAIT_SECONDS) as place:
        try:
            with (place / NEW).open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(place / NEW, path.resolve())
        except OSError as error:
            raise _unwritable(path, error) from None


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all (see `atomic_file`)."""
    with atomic_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)
