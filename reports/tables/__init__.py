"""Tables of a study's results as pandas data frames. Rates are fractions; a draw or a game stopped at the limit counts
as half.
"""

from __future__ import annotations

import pandas as pd

from reports.play.results import Results
from reports.tables.course import course_table as course_table
from reports.tables.course import examples_table as examples_table
from reports.tables.course import leads_table as leads_table
from reports.tables.early_stopping import early_stopping_table as early_stopping_table
from reports.tables.fairness import deck_fairness_table as deck_fairness_table
from reports.tables.fairness import fairness_table as fairness_table
from reports.tables.fairness import pairs_table as pairs_table
from reports.tables.fairness import skill_table as skill_table
from reports.tables.games import SEATS as SEATS
from reports.tables.games import TURN_LIMIT as TURN_LIMIT
from reports.tables.games import lengths_table as lengths_table
from reports.tables.games import matchups_table as matchups_table
from reports.tables.games import players as players
from reports.tables.games import quantile as quantile
from reports.tables.games import seats_table as seats_table
from reports.tables.games import turns_table as turns_table
from reports.tables.metagame import cycles_table as cycles_table
from reports.tables.metagame import metagame_table as metagame_table
from reports.tables.strength import deck_matrix as deck_matrix
from reports.tables.strength import deck_matrix_table as deck_matrix_table
from reports.tables.strength import deck_ratings_table as deck_ratings_table
from reports.tables.strength import decks_table as decks_table
from reports.tables.strength import ratings_table as ratings_table
from reports.tables.strength import residuals_table as residuals_table
from reports.tables.strength import strategies_table as strategies_table
from reports.tables.sweep import effects_table as effects_table
from reports.tables.sweep import sweep_decks_table as sweep_decks_table
from reports.tables.sweep import sweep_table as sweep_table


def all_tables(results: Results) -> dict[str, pd.DataFrame]:
    """Make every table of a report, by file name without its ending."""
    fairness = fairness_table(results)
    return {
        "matchups": matchups_table(results),
        "pairs": pairs_table(results),
        "fairness": fairness,
        "deck_fairness": deck_fairness_table(results),
        "decks": decks_table(results),
        "deck_matrix": deck_matrix_table(results),
        **_of_decks_that_met(results),
        "skill": skill_table(fairness),
        "strategies": strategies_table(results),
        **(
            {"ratings": ratings_table(results)}
            if len(results.study.strategies) > 1 and results.study.pairing != "same strategy"
            else {}
        ),
        "lengths": lengths_table(results),
        "seats": seats_table(results),
        "course": course_table(results),
        "leads": leads_table(results),
        "examples": examples_table(results),
        **({"stops": early_stopping_table(results)} if results.study.until is not None else {}),
        **({"turns": turns_table(results)} if results.study.game.tallies.turn else {}),
        **_of_a_sweep(results),
    }


def _of_decks_that_met(results: Results) -> dict[str, pd.DataFrame]:
    """Make the tables that need decks which met others; those that would be empty are left out."""
    makers = {
        "deck_ratings": deck_ratings_table,
        "residuals": residuals_table,
        "metagame": metagame_table,
        "cycles": cycles_table,
    }
    tables = {name: make(results) for name, make in makers.items()}
    return {name: table for name, table in tables.items() if not table.empty}


def _of_a_sweep(results: Results) -> dict[str, pd.DataFrame]:
    """Make the tables that compare the variants of a sweep, if the study has one."""
    if results.study.sweep is None:
        return {}
    decks = sweep_decks_table(results)
    return {
        "sweep": sweep_table(results),
        **({} if decks.empty else {"sweep_decks": decks}),
        "effects": effects_table(results),
    }
