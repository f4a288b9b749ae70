"""The ladder of strategies: ratings against an independent fit, studies that name a ladder, the command."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import tomli_w

from reports import load_study, run_study
from reports.cli import main
from reports.experiments.ladder import lines
from reports.plots import plot_skill
from reports.sections import sections
from reports.stats.ratings import ELO, PRIOR, bradley_terry
from reports.tables import all_tables, fairness_table, ratings_table, skill_table
from sim import InputError, game_names
from strategies import strategy_names
from strategies.strategy import ladder, split_names


def nine(*rows):
    return np.array(rows, np.int64)


SPLIT = nine([0, 0, 25], [0, 0, 0], [25, 0, 0])  # each pair goes to whoever sits first, or to whoever sits second
NAMES = ("a", "b", "c")
MET = [
    ("a", "b", nine([40, 0, 30], [1, 2, 3], [60, 0, 64])),
    ("b", "c", nine([80, 0, 31], [0, 0, 5], [44, 0, 40])),
    ("a", "c", nine([20, 1, 30], [0, 4, 0], [55, 2, 88])),
    ("b", "b", nine([30, 0, 20], [0, 0, 0], [45, 0, 5])),
]


def test_ratings_are_those_of_a_binomial_model():
    """The same fit by statsmodels, on the same counts."""
    rows, won, lost = [], [], []
    for a, b, scores in MET:
        for sign, marginal in ((1, scores.sum(axis=1)), (-1, scores.sum(axis=0))):
            rows.append([(a == name) - (b == name) for name in NAMES[1:]] + [sign])
            won.append(marginal[2] + marginal[1] / 2 + PRIOR)
            lost.append(marginal[0] + marginal[1] / 2 + PRIOR)
    model = sm.GLM(np.column_stack([won, lost]), np.array(rows, float), family=sm.families.Binomial()).fit()
    ratings, first = bradley_terry(NAMES, MET)
    assert [r[0] for r in ratings[1:]] + [first[0]] == pytest.approx((model.params * ELO).tolist(), abs=1e-3)
    assert ratings[0] == (0.0, 0.0, 0.0)
    assert all(low <= rating <= high for rating, low, high in [*ratings, first])


def test_three_of_four_games_are_191_points_and_a_clean_sweep_is_finite():
    _, (rating, low, high) = bradley_terry(NAMES[:2], [("a", "b", nine([5625, 0, 1875], [0, 0, 0], [1875, 0, 625]))])[0]
    assert rating == pytest.approx(400 * np.log10(3), abs=0.1)
    assert high - low < 20
    (_, swept), _ = bradley_terry(NAMES[:2], [("a", "b", nine([50, 0, 0], [0, 0, 0], [0, 0, 0]))])
    assert 500 < swept[0] < 1500
    assert swept[1] < swept[0] <= swept[2]


def test_the_first_seat_is_worth_what_equals_win_with_it():
    scores = nine([0, 0, 0], [0, 0, 0], [60, 0, 0])  # whoever sits first wins
    assert bradley_terry(["a"], [("a", "a", scores)])[1][0] > 500
    assert bradley_terry(["a"], [("a", "a", SPLIT)])[1][0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("name", game_names())
def test_a_ladder_goes_from_random_play_to_search(name):
    rungs = ladder(name)
    assert (rungs[0], rungs[-1]) == ("random", "ismcts")
    assert set(rungs) == set(strategy_names(name)) - {"weighted"}


@pytest.fixture
def study(tmp_path):
    def make(**keys):
        path = tmp_path / "study.toml"
        path.write_text(tomli_w.dumps({"game": "sea", "decks": ["rush", "trap"], "pairs": 6, **keys}), encoding="utf-8")
        return path

    return make


def test_a_study_says_who_meets_whom(study):
    strategies = ["random", "greedy", "value"]
    assert len(load_study(study(strategies=strategies)).matchups()) == 21
    same = load_study(study(strategies=strategies, matchups="same strategy")).matchups()
    assert [(m.a.strategy_label, m.b.strategy_label) for m in same] == [(s, s) for s in strategies for _ in range(3)]
    mirrors = load_study(study(strategies=strategies, matchups="same deck")).matchups()
    assert len(mirrors) == 12
    assert all(m.a.deck_label == m.b.deck_label for m in mirrors)
    with pytest.raises(InputError, match="matchups"):
        load_study(study(matchups="some"))


def test_the_verdict_is_shown_by_skill(study):
    results = run_study(study(strategies=["random", "greedy", "value"], matchups="same strategy"), jobs=1)
    tables = all_tables(results)
    assert list(tables["skill"]["strategy"]) == ["random", "greedy", "value"]
    assert "ratings" not in tables  # nobody met another
    (section,) = [s for s in sections(results, tables, ["skill"]) if "better" in s.title]
    assert "so many games find no verdict" in section.sentences[0] or section.sentences[0].startswith("The verdict ")
    assert [row["both play"] for row in section.rows] == ["random", "greedy", "value"]
    assert [line.get_text() for line in plot_skill(tables["skill"]).get_xticklabels()] == ["random", "greedy", "value"]


def test_mirrors_alone_rate_strategies(study):
    results = run_study(study(strategies=["random", "greedy", "value"], matchups="same deck", pairs=30), jobs=1)
    ratings = ratings_table(results).set_index("strategy")
    assert list(ratings.index) == ["random", "greedy", "value", "first seat"]
    assert ratings.loc["greedy", "rating_low"] > 200
    assert len(skill_table(fairness_table(results))) == 3


@pytest.mark.compiled
def test_a_ladder_is_played_and_told(tmp_path, capsys):
    out = tmp_path / "ladder"
    words = ["ladder", "sea", "--decks", "rush", "--pairs", "20", "--search-pairs", "2", "--out", str(out)]
    assert main(words) == 0
    printed = capsys.readouterr().out.splitlines()
    rungs = ladder("sea")
    assert split_names("greedy,ismcts:200,exploration=1,my.py") == ["greedy", "ismcts:200,exploration=1", "my.py"]
    assert [line.split()[:2] for line in printed[1 : len(rungs) + 1]] == [[str(n), s] for n, s in enumerate(rungs, 1)]
    assert printed[len(rungs) + 2].split() == ["wins", "in", "%", *(str(n) for n in range(1, len(rungs) + 1))]
    assert max(map(len, printed[len(rungs) + 2 :])) <= 80
    ratings = pd.read_csv(out / "ratings.csv").set_index("strategy")
    assert list(ratings.index) == [*rungs, "first seat"]
    pairs = pd.read_csv(out / "pairs.csv").set_index(["strategy_a", "strategy_b"])["pairs"]
    assert (pairs["random", "tuned"], pairs["random", "ismcts"]) == (20, 2)
    assert main(words) == 2  # there is a report already


def test_columns_of_names_that_begin_alike_can_be_told_apart():
    names = ["weighted:w01.toml", "weighted:w02.toml"]
    rates = {"rating": 0.0, "rating_low": 0.0, "rating_high": 0.0, "first_win_rate": 0.5, "first_win_low": 0.4}
    rows = [{"strategy": name, **rates, "first_win_high": 0.6} for name in names]
    met = [
        {"strategy": a, "opponent": b, "win_rate": 0.5 + (i - j) / 4}
        for i, a in enumerate(names)
        for j, b in enumerate(names)
    ]
    tables = {"ratings": pd.DataFrame(rows), "skill": pd.DataFrame(rows), "strategies": pd.DataFrame(met)}
    said = list(lines(tables, dict.fromkeys(names, 1000.0)))
    assert [line.split() for line in said[4:]] == [
        ["wins", "in", "%", "1", "2"],
        ["1", names[0], "50.0", "25.0"],
        ["2", names[1], "75.0", "50.0"],
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["see"], "unknown game 'see'"),
        (["sea", "--pairs", "0"], "pairs"),
        (["sea", "--search-pairs", "0"], "search"),
        (["sea", "--decks", "rsuh"], "did you mean 'rush'"),
        (["sea", "--strategies", "random,greddy"], "did you mean 'greedy'"),
        (["sea", "--jobs", "0"], "--jobs"),
        (["sea", "--strategies", "random"], "--strategies: found 1, expected at least 2"),
    ],
)
def test_a_ladder_that_cannot_be_played_is_refused(tmp_path, capsys, words, message):
    assert main(["ladder", *words, "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
