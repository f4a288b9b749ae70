"""Where compiled code is kept: in folders that their callers name after all that the code depends on.

It is a convenience. What is there is used, whoever wrote it, and reading writes nothing: a folder may be another user's
or on a disk that is read-only. Where nothing can be kept, that is said once, and everything goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import shutil
import sys
import time
import uuid
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

UNUSED_DAYS = 14  # after which a folder is removed
DIGEST = hashlib.sha256().digest_size

_refused: set[Path | None] = set()  # where nothing can be kept, as has been said
_speaks = True


def root() -> Path | None:
    """Give the folder of all folders; None for a user without a home who names none with NUMBA_CACHE_DIR."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    try:
        base = Path(named).absolute() if named else platformdirs.user_cache_path("komi", appauthor=False)
    except RuntimeError:
        return None
    return base / "komi-kernels" if base.is_absolute() else None


def folder_named(name: str) -> Path | None:
    """Give the folder of a name (20 hexadecimal digits), which may not be there; None if there can be none."""
    place = root()
    return None if place is None else place / name


def kept(name: str, file: str) -> bytes | None:
    """Read what was kept in a folder under a file's name; None if it is not there or cannot be read."""
    folder = folder_named(name)
    if folder is None:
        return None
    try:
        content = (folder / file).read_bytes()
    except OSError:
        return None
    _note_use(folder)
    return content


def keep(name: str, file: str, content: bytes) -> bool:
    """Write a file into a folder, whole or not at all; tells whether it could, and says once if it could not."""
    folder = folder_named(name)
    if not _could_write(folder, file, content):
        return False
    assert folder is not None
    _note_use(folder)
    return True


def can_keep() -> bool:
    """Tell, by trying, whether anything can be kept; says once if not."""
    place, file = root(), f".probe-{uuid.uuid4().hex[:16]}"
    if not _could_write(place, file, bytes(2**16)):
        return False
    assert place is not None
    (place / file).unlink(missing_ok=True)
    return True


def say_nothing() -> None:
    """Leave it to the process that started this one to say that nothing can be kept."""
    global _speaks
    _speaks = False


def _could_write(folder: Path | None, file: str, content: bytes) -> bool:
    place = root()
    if place in _refused:
        return False
    try:
        if folder is None:
            raise OSError(0, "there is no home folder")
        _write(folder / file, content)
    except OSError as error:
        _refused.add(place)
        where, another = ("", "a") if place is None else (f" in {place}", "another")
        if _speaks:
            print(
                f"komi: compiled code cannot be kept{where} ({error.strerror or error}); every start will compile "
                f"anew. NUMBA_CACHE_DIR names {another} folder.",
                file=sys.stderr,
            )
        return False
    return True


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{uuid.uuid4().hex}")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


@cache
def _note_use(folder: Path) -> None:
    """Note that a folder is in use, and remove those that have not been for long."""
    with contextlib.suppress(OSError):  # which may be another user's; and another process may be removing them, too
        os.utime(folder)
    with contextlib.suppress(OSError):
        for other in folder.parent.iterdir():
            if re.fullmatch(r"[0-9a-f]{20}", other.name):
                with contextlib.suppress(OSError):
                    if time.time() - other.stat().st_mtime > UNUSED_DAYS * 86_400:
                        shutil.rmtree(other)


class KernelCache:
    """What numba asks for a function's machine code before it compiles: a file for each of its signatures.

    Numba's own cache will not read from a folder in which it cannot write, ends with an error where the disk is full,
    and has an index beside the files, with which they may be out of step.

    Parameters
    ----------
    function : function
        What is compiled.
    name : str
        The folder's name, by all that the machine code depends on beside the function's own code and the processor.
    """

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._function, self._name = function, name

    @property
    def cache_path(self) -> str | None:
        """The folder."""
        folder = folder_named(self._name)
        return None if folder is None else str(folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Load what was compiled for a signature; None if there is nothing whole."""
        target.refresh()
        content = kept(self._name, self._file(signature, target.codegen()))
        if content is None or hashlib.sha256(content[DIGEST:]).digest() != content[:DIGEST]:
            return None
        return CompileResult._rebuild(target, *pickle.loads(content[DIGEST:]))  # type: ignore[no-untyped-call]

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled for a signature, if it can be."""
        if compiled.library.has_dynamic_globals or not all(part.can_cache for part in compiled.lifted):
            return
        if root() not in _refused:
            content = dumps(compiled._reduce())  # type: ignore[no-untyped-call]
            keep(self._name, self._file(signature, compiled.codegen), hashlib.sha256(content).digest() + content)

    def flush(self) -> None:
        """Numba asks for it before it compiles a function anew; the files are written again then."""

    def _file(self, signature: Any, codegen: Any) -> str:
        """Name the file of a signature on this kind of processor."""
        code, cells = self._function.__code__, self._function.__closure__ or ()
        closed = dumps(tuple(cell.cell_contents for cell in cells)) if cells else b""  # type: ignore[no-untyped-call]
        parts = (
            self._function.__module__, self._function.__qualname__, code.co_firstlineno, code.co_code, closed,
            signature, codegen.magic_tuple(),
        )  # fmt: skip
        readable = re.sub(r"\W+", "-", f"{self._function.__module__}.{self._function.__qualname__}")[:100]
        return f"{readable}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:20]}.kernel"
