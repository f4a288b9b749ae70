"""Files read within bounds, unpacked if they are packed, and turned into text."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path

from sim.files.errors import InputError

MOST_BYTES = 4 * 2**20  # of a file that a person writes
MOST_OF_REPORT = 2**30  # of a file that komi writes into a report

_ENCODINGS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_EXCEL = 'an Excel workbook (it begins with {}), expected text; save it in Excel as "CSV UTF-8"'
_ZIPPED = {  # what a zip archive is, by what stands in it
    b"xl/workbook": _EXCEL.format("PK"),
    b"opendocument.spreadsheet": 'a LibreOffice workbook, expected text; save it in LibreOffice as "Text CSV" in UTF-8',
    b"Index/": "a workbook of Numbers, expected text; export it from Numbers as CSV in UTF-8",
    b"[Content_Types].xml": _EXCEL.format("PK"),
    b"": "a zip archive, expected text; unpack it",
}


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Read a text file in UTF-8, with or without a byte order mark; unpacked if its name ends in ``.gz``.

    Parameters
    ----------
    path : Path
        The file.
    most : int
        Bytes that it may have; packed a quarter of it, as text is made much smaller.

    Raises
    ------
    InputError
        If there is no such file, it cannot be read, is too large, no text or in another encoding.
    """
    is_packed = path.suffix == ".gz"
    bound = most // 4 if is_packed else most
    try:
        with path.open("rb") as file:
            data = file.read(bound + 1)
        if is_packed and len(data) <= bound:
            bound = most
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacked:
                data = unpacked.read(most + 1)
    except IsADirectoryError:
        raise InputError(f"{path}: found a folder, expected a file") from None
    except (OSError, EOFError, ValueError, MemoryError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if not (is_packed and bound < most):
        _refuse_other_formats(data, path)
    if len(data) > bound:
        raise InputError(f"{path}: found more than {bound // 2**20} MB, expected no more")
    return decode(data, path)


def _refuse_other_formats(data: bytes, path: Path) -> None:
    """Say what a file is that is known by how it begins, and what to do with it."""
    found = ""
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        found = next(told for sign, told in _ZIPPED.items() if sign in data)
    elif data.startswith(b"\xd0\xcf\x11\xe0"):
        found = _EXCEL.format("D0 CF 11 E0: an old one, .xls")
    elif data.startswith(b"\x1f\x8b"):
        found = "a file packed with gzip, expected text; its name ends in .gz, or unpack it"
    if found:
        raise InputError(f"{path}: found {found}")


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
