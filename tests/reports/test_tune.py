"""Tuning: weights that win more, the same for any number of threads, in a file that plays."""

import os
import sys

import numpy as np
import pytest

from reports.cli import main
from reports.experiments.tune import Tuned, play, tune, tuning_study
from strategies.options import load_weights
from strategies.strategy import load_strategy, strategy_features, strategy_names

TINY = ["--against", "greedy", "--decks", "rush", "--budget", "200"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_tuned_file_plays_and_says_how_it_was_made(folder, capsys):
    pytest.importorskip("cma")
    assert main(["tune", "sea", *TINY, "--seed", "3"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("The weights found win ")
    path = folder / "out" / "sea-weights.toml"
    text = path.read_text(encoding="utf-8")
    head = " ".join(line[2:] for line in text.splitlines() if line.startswith("# "))
    assert "komi tune sea with 200 games and the seed 3, by the mirrors of rush." in head
    assert told.out.strip() in head
    weights = load_weights(path, "sea", tuple(strategy_features("sea")))
    assert list(weights) == list(strategy_features("sea"))
    assert all(0.1 <= weight <= 10 for weight in weights.values())
    assert main(["play", "sea", "rush", "trap", "--strategies", f"weighted:{path}", "greedy"]) == 0
    capsys.readouterr()
    assert main(["tune", "sea", *TINY]) == 2
    assert "sea-weights.toml: is there already; --force replaces it" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == text
    assert main(["tune", "sea", *TINY, "--force"]) == 0
    assert path.read_text(encoding="utf-8") != text


def test_the_same_seed_gives_the_same_file_with_any_number_of_jobs(folder):
    pytest.importorskip("cma")
    state = np.random.get_state()[1].tolist()
    for name, words in (("a", ["--jobs", "1"]), ("b", ["--jobs", "2"]), ("c", ["--seed", "2"])):
        assert main(["tune", "sea", *TINY, "--out", f"{name}.toml", *words]) == 0
    a, b, c = ((folder / f"{name}.toml").read_bytes() for name in "abc")
    assert a == b
    assert a != c
    assert np.random.get_state()[1].tolist() == state


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*TINY[:4], "--budget", "123"], "--budget: found 123, expected at least 124 (opponents: 1, decks: 1)"),
        (["--against", "greedy,greddy"], "unknown strategy for sea 'greddy'; did you mean 'greedy'"),
        (["--against", "greedy,greedy"], "found two strategies with the label 'greedy'"),
        (["--decks", "rush,tarp"], "unknown deck of sea 'tarp'; did you mean 'trap'"),
        (["--out", "file"], "--out: found file, expected a name that ends in .toml"),
        (["--out", "."], "expected a name that ends in .toml"),
        (["--jobs", "0"], "--jobs: found 0, expected 1 to 1024"),
        (["--seed", "9" * 40], "--seed: found"),
        ([*TINY, "--out", "file/below.toml"], "cannot be written (Not a directory)"),
    ],
)
def test_bad_words_are_refused_and_nothing_is_written(folder, capsys, words, message):
    pytest.importorskip("cma")
    (folder / "file").write_text("x", encoding="utf-8")
    assert main(["tune", "sea", *words]) == 2
    assert message in capsys.readouterr().err
    assert os.listdir(folder) == ["file"]


def test_the_least_budget_and_any_other_is_kept_to():
    pytest.importorskip("cma")
    study = tuning_study("sea", ["greedy"], ["rush"])
    for budget in (124, 130, 243, 1000):
        played = []
        found = tune(study, budget=budget, jobs=1, progress=lambda games, best, played=played: played.append(games))
        assert len(played) > 1
        assert 2 * found.games == played[-1]
        assert sum(played) <= budget


def test_a_write_that_fails_leaves_the_file_that_was_there(folder, monkeypatch, capsys):
    pytest.importorskip("cma")
    (folder / "mine.toml").write_text("before", encoding="utf-8")

    def full(*paths):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert main(["tune", "sea", *TINY, "--out", "mine.toml", "--force"]) == 2
    assert "mine.toml: cannot be written (No space left on device)" in capsys.readouterr().err
    assert os.listdir(folder) == ["mine.toml"]
    assert (folder / "mine.toml").read_text(encoding="utf-8") == "before"


def test_without_cma_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "cma", None)
    assert main(["tune", "sea", *TINY]) == 2
    assert "komi tune needs cma: pip install 'komi[tune]'" in capsys.readouterr().err


def test_the_pool_are_all_heuristics_of_the_game(game):
    pool = list(tuning_study(game.name).strategies)
    assert pool[:4] == ["greedy", "aggressive", "defensive", "value"]
    assert ("mixed" in pool) == ("mixed" in strategy_names(game.name))


def test_candidates_play_the_same_deals_and_other_labels_others():
    study = tuning_study("sea", ["greedy"], ["rush", "trap"])
    ones = np.ones(len(strategy_features("sea")))
    scores = play(study, [ones, ones], "one", 4, jobs=1)
    assert scores.shape == (2, 2, 4)
    assert (scores[0] == scores[1]).all()
    assert scores.min() >= 0
    assert scores.max() <= 4
    assert (scores[0] != play(study, [ones], "two", 4, jobs=1)[0]).any()


def test_a_sentence_tells_a_gain_from_none():
    study = tuning_study("sea", ["greedy", "value"], ["rush"])
    found = Tuned(study, 1000, {"power": 1.0}, (0.581, 0.576, 0.586), (0.052, 0.046, 0.058), 20_000)
    assert found.sentence() == (
        "The weights found win 58.1 % (57.6 to 58.6) against greedy and value, "
        "5.2 points (4.6 to 5.8) more than those it started from (20,000 fresh games)."
    )
    lost = Tuned(study, 1000, {"power": 1.0}, (0.5, 0.4, 0.6), (0.001, -0.01, 0.012), 200)
    assert (
        "against greedy and value; that is no gain: +0.1 points (−1.0 to +1.2) to those it started from (200 fresh "
        "games)." in lost.sentence()
    )


@pytest.mark.compiled
def test_a_short_search_gains_by_an_interval_around_the_gain():
    pytest.importorskip("cma")
    played = []
    found = tune(
        tuning_study("sea", ["greedy"], ["balanced", "control"]),
        budget=30_000,
        progress=lambda games, best: played.append(games),
    )
    assert sum(played) <= 30_000
    assert found.gain[0] - 0.1 < found.gain[1] < found.gain[0] < found.gain[2] < found.gain[0] + 0.1
    assert found.gain[1] > 0
    assert found.win_rate[1] <= found.win_rate[0] <= found.win_rate[2]


@pytest.mark.compiled
def test_tuned_beats_every_heuristic_of_its_game_over_the_mirrors(game):
    study = tuning_study(game.name)
    tuned = np.array(load_strategy(game, "tuned").parameters)
    scores = play(study, [tuned], "tuned", 200).reshape(len(study.strategies), -1) / 4
    for foe, points in zip(study.strategies, scores, strict=True):
        assert points.mean() - 2 * points.std() / len(points) ** 0.5 > 0.5, foe
