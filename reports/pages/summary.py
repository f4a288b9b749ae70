"""The summary of a report as data: one document (JSON) with what was asked, what was found and the numbers.

Its keys, like the columns of the tables, are described in docs/schema.md.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from reports.sections.headline import headline
from reports.sections.section import Section
from sim.files.errors import InputError
from sim.files.json import read_json
from sim.files.text import MOST_OF_REPORT

SCHEMA = 2  # the version of tables and summary; another one when anything there gets another name or meaning
SUMMARY_JSON = "summary.json"
MOST_VALUES = 20_000_000  # in it
LONG = ("matchups", "pairs", "seats", "course", "stops")  # a row for each matchup, or more: too long for a summary
VERDICT = ("strategy_a", "strategy_b", "first_win_rate", "first_win_low", "first_win_high", "verdict", "verdict_holm")


def summary(settings: str, games: int, tables: Mapping[str, pd.DataFrame], parts: Iterable[Section]) -> dict[str, Any]:
    """Make the summary of a report.

    Parameters
    ----------
    settings : str
        The study as run (`reports.studies.study.as_run`).
    games : int
        How many games were played.
    tables : mapping of str to DataFrame
        By file name without its ending; those with a row for each matchup are left out.
    parts : iterable of Section
        What the report says.

    Returns
    -------
    dict
        Of texts, integers, finite numbers, truth values, None where there is no number, lists and dicts.
    """
    asked = tomllib.loads(settings)
    versions = asked.pop("versions", {})
    if "until" in asked:
        asked.pop("pairs")  # which does not say how many there were
    fairness = tables.get("fairness", pd.DataFrame(columns=list(VERDICT)))
    content = {
        "schema": SCHEMA,
        "name": asked["name"],
        "game": asked["game"],
        "games": games,
        "seed": asked["seed"],
        "headline": headline(tables, asked["margin"]),
        "verdicts": fairness[list(VERDICT)].to_dict("records"),
        "sections": [{"title": part.title, "sentences": part.sentences} for part in parts],
        "tables": {name: table.to_dict("records") for name, table in tables.items() if name not in LONG},
        "settings": asked,
        "versions": versions,
    }
    found: dict[str, Any] = _plain(content)
    return found


def summary_json(settings: str, games: int, tables: Mapping[str, pd.DataFrame], parts: Iterable[Section]) -> str:
    """Write the summary of a report (see `summary`) as JSON."""
    return json.dumps(summary(settings, games, tables, parts), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def load_summary(folder: Path) -> dict[str, Any]:
    """Read the summary of a report's folder.

    Raises
    ------
    InputError
        If there is none, it is damaged, or it has another version.
    """
    path = folder / SUMMARY_JSON
    content = read_json(path, MOST_OF_REPORT, MOST_VALUES)
    found = content.get("schema") if isinstance(content, dict) else None
    if found is None:
        raise InputError(f"{path}: is damaged or no summary of a report")
    if found != SCHEMA:
        raise InputError(f"{path}: found version {found!r}, expected {SCHEMA}: another version of komi wrote it")
    return dict(content)


def _plain(value: Any) -> Any:
    """Turn what tables hold into what JSON knows: numbers that are none become None."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value
