"""JSON files, read within bounds, with errors that name the line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sim.files.content import settled
from sim.files.errors import InputError, PlacedError
from sim.files.text import read_text


def read_json(path: Path, most: int, values: int) -> Any:
    """Read a JSON file; unpacked if its name ends in ``.gz``.

    Parameters
    ----------
    path : Path
        The file.
    most : int
        Bytes that it may have.
    values : int
        Values that it may have.

    Returns
    -------
    object
        What it holds, its texts in one form of Unicode.

    Raises
    ------
    InputError
        If it cannot be read, is no JSON, too large or nested too deep.
    """
    text = read_text(path, most)
    try:
        return settled(json.loads(text), values)
    except RecursionError:
        raise InputError(f"{path}: not JSON: found lists or tables nested too deep") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: not JSON: {error.msg} (column {error.colno})") from None
    except PlacedError as error:
        raise InputError(f"{path}: {problem}" for _, problem in error.problems) from None
    except ValueError as error:
        raise InputError(f"{path}: not JSON: {error}") from None
