"""Text files in UTF-8, read within bounds."""

from __future__ import annotations

from pathlib import Path

from sim.files.errors import InputError

MOST_BYTES = 16 * 2**20  # of a file that a person writes

_ENCODINGS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


def read_text(path: Path, most: int | None = MOST_BYTES) -> str:
    """Read a text file in UTF-8, with or without a byte order mark.

    Parameters
    ----------
    path : Path
        The file.
    most : int or None
        Bytes that it may have.

    Raises
    ------
    InputError
        If there is no such file, it cannot be read, is too large, no text or in another encoding.
    """
    try:
        with path.open("rb") as file:
            data = file.read() if most is None else file.read(most + 1)
    except IsADirectoryError:
        raise InputError(f"{path}: found a folder, expected a file") from None
    except (OSError, ValueError, MemoryError) as error:
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if most is not None and len(data) > most:
        raise InputError(f"{path}: found more than {most // 2**20} MB, expected no more")
    return decode(data, path)


def decode(data: bytes, path: Path) -> str:
    """Turn a file's bytes into text.

    Raises
    ------
    InputError
        If they are not UTF-8, with the line.
    """
    for mark, encoding in _ENCODINGS.items():
        if data.startswith(mark):
            raise InputError(f"{path}: found {encoding}, which is not UTF-8; save the file as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}:{line}: byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        ) from None
    if text.count("\0") > len(text) / 4:
        raise InputError(f"{path}: found many zero bytes, expected text in UTF-8; is it UTF-16, or no text at all?")
    return text
