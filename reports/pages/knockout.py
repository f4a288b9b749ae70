"""The report of a knock-out: a folder like a study's, with its own tables, picture and sentences."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd

from reports.experiments.knockout import Knockouts
from reports.formats.folder import write_folder
from reports.formats.markdown import code
from reports.pages.page import fill_folder
from reports.plots.knockout import plot_ranking
from reports.plots.pictures import Draw, file_name
from reports.sections.knockout import knockout_sections
from reports.studies.study import as_run
from reports.tables.knockout import cards_table, ranking_table


def write_knockout(knockouts: Knockouts, folder: Path, *, force: bool = False) -> dict[str, pd.DataFrame]:
    """Write the report of a knock-out.

    Parameters
    ----------
    knockouts : Knockouts
        What was found.
    folder : Path
        Where; made if it is not there.
    force : bool
        Replace a report that is there.

    Returns
    -------
    dict of str to DataFrame
        Its tables, ``ranking`` and ``cards``.

    Raises
    ------
    InputError
        If there is a report already (without ``force``) or the folder cannot be written. Then nothing is left
        half-written.
    """
    study = knockouts.study
    tables = {"ranking": ranking_table(knockouts), "cards": cards_table(knockouts)}
    again = f"komi knockout study.toml --strategies {','.join(study.strategies)}"
    again += f" --decks {','.join(knockouts.decks)}" if len(knockouts.decks) < len(study.decks) else ""

    def fill(partial: Path) -> None:
        pictures = _pictures(study.margin, tables)
        parts = knockout_sections(knockouts, tables, list(pictures))
        fill_folder(
            partial, study, knockouts.games, tables, pictures, parts, as_run(study), f"{code(again)} plays this again"
        )

    write_folder(folder, fill, force=force)
    return tables


def _pictures(margin: float, tables: dict[str, pd.DataFrame]) -> dict[str, Draw]:
    """Tell how to draw the ranking of each strategy, by file name without its ending."""
    ranking, cards = tables["ranking"], tables["cards"]
    return {
        f"ranking_{file_name(strategy)}": partial(
            plot_ranking,
            group,
            cards[cards["strategy"] == strategy],
            margin=margin,
            title=f"What a card is worth, played by {strategy}",
        )
        for strategy, group in (ranking.groupby("strategy", sort=False) if len(ranking) else ())
    }
