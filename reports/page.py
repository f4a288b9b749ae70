"""The report of a study: a folder with a summary, a page, tables and pictures, written whole or not at all."""

from __future__ import annotations

import base64
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from reports.folder import SUMMARY, replace_folder
from reports.plots import draw_all, png
from reports.results import Results
from reports.sections import sections
from reports.sections.section import plural
from reports.store import COUNTS, STUDY, results_to_json
from reports.study import as_run
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
        If there is a report already (without ``force``) or the folder cannot be written. Then nothing is left half-written.
    """
    tables = all_tables(results)
    replace_folder(folder, lambda partial: _fill(partial, results, tables), force=force)
    return tables


def _fill(folder: Path, results: Results, tables: dict[str, pd.DataFrame]) -> None:
    study = results.study
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False, encoding="utf-8", lineterminator="\n")
    images = {name: png(ax) for name, ax in draw_all(results, tables).items()}
    for name, image in images.items():
        (folder / f"{name}.png").write_bytes(image)
    for kept_as, path in study.inputs.items():
        (folder / kept_as).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / kept_as)
    settings = as_run(study, results.versions)
    (folder / STUDY).write_text(settings, encoding="utf-8")
    (folder / COUNTS).write_text(results_to_json(results), encoding="utf-8")
    context: dict[str, Any] = {
        "study": study,
        "games": int(sum(counts.scores.sum() for counts in results.counts)) * 2,
        "sections": sections(results, tables, list(images)),
        "settings": settings,
        "images": {name: base64.b64encode(image).decode() for name, image in images.items()},
        "tables": list(tables),
        "plural": plural,
    }
    for name in (SUMMARY, "report.html"):
        (folder / name).write_text(_templates().get_template(f"{name}.j2").render(context), encoding="utf-8")


def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("reports"), autoescape=select_autoescape(["html.j2"]), undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
