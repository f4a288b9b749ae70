"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sim.files.errors import InputError


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write bytes to that takes its name when all is written; it is there whole or not at all.

    Raises
    ------
    InputError
        If the folder cannot be written or has no space left.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            os.chmod(name, 0o666 & ~umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all (see `whole`)."""
    with whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def umask() -> int:
    """Give the process's mask of file permissions."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
