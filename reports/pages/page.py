"""The report of a study: a folder with a summary, a page, tables and pictures, written whole or not at all."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from matplotlib.axes import Axes

from reports.formats.folder import SUMMARY, write_folder
from reports.pages.summary import SUMMARY_JSON, summary_json
from reports.play.results import Results
from reports.play.store import COUNTS, STUDY, results_to_json
from reports.plots import draw_all, png
from reports.sections import sections
from reports.sections.sample_size import sample_size
from reports.sections.section import Section, plural
from reports.studies.study import Study, as_run
from reports.tables import all_tables


def write_report(results: Results, folder: Path, *, force: bool = False) -> dict[str, pd.DataFrame]:
    """Write the report of a study.

    Parameters
    ----------
    results : Results
        What was found.
    folder : Path
        Where; made if it is not there.
    force : bool
        Replace a report that is there.

    Returns
    -------
    dict of str to DataFrame
        Its tables, by file name without its ending.

    Raises
    ------
    InputError
        If there is a report already (without ``force``) or the folder cannot be written. Then nothing is left
        half-written.
    """
    tables = all_tables(results)

    def fill(partial: Path) -> None:
        pictures = draw_all(results, tables)
        parts = sections(results, tables, list(pictures))
        fill_folder(
            partial, results.study, results.games, tables, pictures, parts, as_run(results.study, results.versions)
        )
        (partial / COUNTS).write_text(results_to_json(results), encoding="utf-8")

    write_folder(folder, fill, force=force)
    return tables


def fill_folder(
    folder: Path,
    study: Study,
    games: int,
    tables: Mapping[str, pd.DataFrame],
    pictures: Mapping[str, Axes],
    parts: Sequence[Section],
    settings: str,
    again: str = "`study.toml` runs this study again",
) -> None:
    """Fill the folder of any report: tables, pictures, the study as run with its own files, the summary and the page.

    Parameters
    ----------
    folder : Path
        An empty folder.
    study : Study
        What was asked.
    games : int
        How many games were played.
    tables, pictures : mapping of str to DataFrame, to Axes
        By file name without its ending.
    parts : sequence of Section
        What was found, in the order of the page.
    settings : str
        The study as run (`reports.studies.study.as_run`).
    again : str
        What plays it again, for the summary.
    """
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False, encoding="utf-8", lineterminator="\n")
    images = {name: png(ax) for name, ax in pictures.items()}
    for name, image in images.items():
        (folder / f"{name}.png").write_bytes(image)
    for kept_as, path in study.inputs.items():
        (folder / kept_as).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / kept_as)
    (folder / STUDY).write_text(settings, encoding="utf-8")
    (folder / SUMMARY_JSON).write_text(summary_json(settings, games, tables, parts), encoding="utf-8")
    context: dict[str, Any] = {
        "study": study,
        "games": games,
        "sections": parts,
        "settings": settings,
        "images": {name: base64.b64encode(image).decode() for name, image in images.items()},
        "tables": list(tables),
        "again": again,
        "plural": plural,
        "pairs": sample_size(study, tables["stops"]["pairs"] if "stops" in tables else ()),
    }
    for name in (SUMMARY, "report.html"):
        (folder / name).write_text(templates().get_template(f"{name}.j2").render(context), encoding="utf-8")


def templates() -> Environment:
    """Give the templates of pages and summaries; what they show is escaped in pages."""
    return Environment(
        loader=PackageLoader("reports"), autoescape=select_autoescape(["html.j2"]), undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
