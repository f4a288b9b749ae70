"""Random against random over the 36 ordered pairs of starter decks, against figures of independent programs (6,000
games each or more).
"""

import math
from pathlib import Path

import pandas as pd
import pytest

from reports.play.run import run_study
from reports.studies.study import StudyFile, resolve
from reports.tables import matchups_table

PAIRS = 4_000


@pytest.mark.compiled
def test_wins_draws_and_lengths_agree_within_sampling_error(game):
    theirs = pd.read_csv(Path(__file__).parent / game.name / "independent_random.csv").set_index(
        ["deck_first", "deck_second"]
    )
    study = resolve(StudyFile(game=game.name, strategies=["random"], pairs=PAIRS), Path(), "s", "s")
    ours = matchups_table(run_study(study)).set_index(["deck_first", "deck_second"])
    assert set(ours.index) == set(theirs.index)
    worst = 0.0
    for decks, row in ours.iterrows():
        other = theirs.loc[decks]
        for column in ("first_wins", "second_wins", "draws"):
            p = (row[column] + other[column]) / (row["games"] + other["games"])
            error = math.sqrt(p * (1 - p) * (1 / row["games"] + 1 / other["games"]))
            worst = max(
                worst, abs(row[column] / row["games"] - other[column] / other["games"]) / error if error else 0.0
            )
        error = math.sqrt(other["turns_variance"] * (1 / row["games"] + 1 / other["games"]))
        worst = max(worst, abs(row["turns_mean"] - other["turns_mean"]) / error)
    assert worst < 4.2  # of 144 comparisons; exceeded once in 250 runs by chance
