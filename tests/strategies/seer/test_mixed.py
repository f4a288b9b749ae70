"""What a mixture is good for: whoever knows greedy's rule beats it, and gains nothing against mixed."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from reports.play.run import run_study
from reports.studies.study import StudyFile, resolve
from reports.tables import strategies_table
from strategies.zero_sum import solve

READER = "reader.py"


def test_mixtures_are_maximin():
    random = np.random.default_rng(1)
    for _ in range(60):
        m, n = random.integers(1, 8), random.integers(1, 8)
        payoffs = (
            random.normal(size=(m, n)) if random.random() < 0.5 else random.integers(-2, 3, size=(m, n)).astype(float)
        )
        mixture = solve(payoffs)
        assert mixture.min() >= 0.0
        assert mixture.sum() == pytest.approx(1.0)
        program = linprog(
            np.r_[np.zeros(m), -1.0], A_ub=np.c_[-payoffs.T, np.ones(n)], b_ub=np.zeros(n),
            A_eq=[np.r_[np.ones(m), 0.0]], b_eq=[1.0], bounds=[(0, None)] * m + [(None, None)],
        )  # fmt: skip
        assert (mixture @ payoffs).min() == pytest.approx(-program.fun, abs=1e-7)


def test_rock_scissors_paper_is_played_evenly():
    assert solve(np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])) == pytest.approx([1 / 3] * 3)


@pytest.mark.compiled
def test_who_knows_greedys_rule_beats_greedy_and_not_mixed():
    file = StudyFile(game="seer", strategies=["greedy", "mixed", READER], pairs=100)
    rates = strategies_table(run_study(resolve(file, Path(__file__).parent, "s", "s"))).set_index(
        ["strategy", "opponent"]
    )
    assert rates.loc[(READER, "greedy"), "win_low"] > 0.6
    assert rates.loc[(READER, "mixed"), "win_high"] < 0.53
    assert rates.loc[("mixed", "greedy"), "win_low"] > 0.47
