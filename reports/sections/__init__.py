"""The parts of a report, one file each: what was found, in sentences, with a table and pictures."""

from __future__ import annotations

import pandas as pd

from reports.play.results import Results
from reports.sections import (
    course,
    deck_fairness,
    decks,
    early_stopping,
    examples,
    fairness,
    game_events,
    lengths,
    metagame,
    players,
    skill,
    sweep,
)
from reports.sections.section import Section

PARTS = (
    fairness,
    sweep,
    deck_fairness,
    skill,
    decks,
    metagame,
    players,
    lengths,
    course,
    game_events,
    examples,
    early_stopping,
)  # in the order of the page


def sections(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> list[Section]:
    """Say what a study has found.

    Parameters
    ----------
    results : Results
        What was found.
    tables : dict of str to DataFrame
        From `reports.tables.all_tables`.
    pictures : list of str
        The names of the pictures that there are; each part takes its own.
    """
    parts = (part.section(results, tables, pictures) for part in PARTS)
    return [part for part in parts if part is not None]
