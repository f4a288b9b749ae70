"""The benchmarks still measure what there is; how long it takes is no test's business."""

import importlib.util
import sys
from itertools import islice
from pathlib import Path

import pytest

from reports.studies.study import load_study
from sim import game_names

ROOT = Path(__file__).parents[1]


def loaded(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look for their module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("game", game_names())
def test_speed_plays_as_many_games_of_each_ordered_pair_of_decks(game, monkeypatch):
    speed = loaded("speed")
    monkeypatch.setattr(speed, "GAMES_A_PAIR_OF_DECKS", 2)
    work = speed.tasks(speed.make_runner(game, "random"))
    speed.warm_up(work[:1])
    games, decisions, seconds = speed.play_once(work)
    assert games == 6 * 2 + 15 * 2 * 2
    assert decisions > games
    assert seconds > 0


def test_memory_plays_what_it_is_told(capsys):
    loaded("memory").play(200)
    peak, seconds = map(float, capsys.readouterr().out.split())
    assert peak > 0
    assert seconds > 0


def test_fuzzed_files_are_spoiled_the_same_way_again_and_read_or_refused(tmp_path):
    fuzz = loaded("fuzz_files")
    good = fuzz.sources(tmp_path)
    assert {fuzz.outcome(source.kind, fuzz.put(source, source.data, tmp_path)) for source in good} == {"read"}
    some, again = (list(islice(fuzz.inputs(1, good), 30)) for _ in range(2))
    assert some == again
    told = [fuzz.outcome(source.kind, fuzz.put(source, data, tmp_path)) for source, data in some]
    assert set(told) <= {"read", "refused"}
    assert told.count("refused") > 10


def test_the_fuzzer_tells_what_is_no_refusal(tmp_path, monkeypatch):
    fuzz = loaded("fuzz_files")
    monkeypatch.setattr(fuzz, "read", lambda kind, path: 1 / 0)
    assert fuzz.outcome("study", tmp_path).startswith("ZeroDivisionError: ")


def test_matchups_draws_legal_decks_and_measures_a_run_of_many_matchups(tmp_path):
    matchups = loaded("matchups")
    decks = matchups.legal_decks(40)
    assert decks == matchups.legal_decks(40)
    assert len({tuple(deck.items()) for deck in decks}) == 40
    assert {sum(deck.values()) for deck in decks} == {matchups.DECK_SIZE}
    study = matchups.write_study(tmp_path, 2, 1)
    assert len(load_study(study).matchups()) == 21
    took = matchups.measured(study, tmp_path / "report")
    assert min(took) > 0
    assert (tmp_path / "report" / "report.html").exists()


def test_matchups_plays_about_as_many_games_of_few_matchups(tmp_path):
    matchups = loaded("matchups")
    study = load_study(matchups.write_few(tmp_path, 290_400), compiled=False)
    assert len(study.matchups()) == 171
    assert abs(study.runner().games - 290_400) < 2 * 171
