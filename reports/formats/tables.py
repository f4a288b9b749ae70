"""Tables of a report as CSV."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from reports.formats.marks import marked


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a table as CSV: UTF-8, commas, a line feed after each row; a cell without a number is empty.

    A text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    texts = {
        name: column.map(_marked) for name, column in table.items() if not pd.api.types.is_numeric_dtype(column.dtype)
    }
    table.assign(**{str(name): column for name, column in texts.items()}).rename(columns=_marked).to_csv(
        path, index=False, encoding="utf-8", lineterminator="\n"
    )


def _marked(cell: Any) -> Any:
    return marked(cell) if isinstance(cell, str) else cell
