"""A comparison of two reports: as lines, and as a folder with a summary, a page and tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from reports.experiments.comparison import Comparison
from reports.formats.folder import SUMMARY, write_folder
from reports.formats.tables import write_csv
from reports.pages.page import rendered
from reports.sections.comparison import comparison_sections
from reports.sections.section import plural
from reports.tables.comparison import comparison_tables


def lines(comparison: Comparison) -> Iterator[str]:
    """Say what has changed, a line a sentence under the title of each part."""
    yield f"{comparison.names[0]} -> {comparison.names[1]}: {_about(comparison)}"
    for part in comparison_sections(comparison, comparison_tables(comparison)):
        yield ""
        yield part.title
        yield from (f"  {sentence}" for sentence in part.sentences)


def write_comparison(comparison: Comparison, folder: Path, *, force: bool = False) -> dict[str, pd.DataFrame]:
    """Write a comparison as a folder.

    Parameters
    ----------
    comparison : Comparison
        Both reports.
    folder : Path
        Where; made if it is not there.
    force : bool
        Replace a report or comparison that is there.

    Returns
    -------
    dict of str to DataFrame
        Its tables, by file name without its ending.

    Raises
    ------
    InputError
        If there is one already (without ``force``) or the folder cannot be written. Then nothing is left half-written.
    """
    tables = comparison_tables(comparison)
    context: dict[str, Any] = {
        "names": comparison.names,
        "about": _about(comparison),
        "sections": comparison_sections(comparison, tables),
        "tables": list(tables),
        "images": {},
        "plural": plural,
    }

    def fill(partial: Path) -> None:
        for name, table in tables.items():
            write_csv(table, partial / f"{name}.csv")
        for name, template in ((SUMMARY, "diff.md"), ("report.html", "diff.html")):
            (partial / name).write_text(rendered(template, context), encoding="utf-8")

    write_folder(folder, fill, force=force)
    return tables


def _about(comparison: Comparison) -> str:
    return (
        f"{comparison.after.study.game.title}, {plural(len(comparison.met), 'matchup')} that both have, "
        f"margin {plural(comparison.margin, 'point')}"
    )
