"""Studies in which there is nothing to compare, or nothing happens, are answered, or refused in words."""

import pytest

from reports.cli import main
from sim import game_names

SMALL = 'decks = ["rush"]\nstrategies = ["random"]\npairs = 1\n'
STOPPED = "rules = {max_turns = 1}\n"
STUDIES = {
    "mirrors alone": 'matchups = "same deck"\ndecks = ["rush", "ramp"]\nstrategies = ["random"]\npairs = 2\n',
    "stopped at once": f'decks = ["rush", "ramp"]\nstrategies = ["random"]\npairs = 2\n{STOPPED}',
    "a test of nothing": f"{SMALL}{STOPPED}until = {{sprt = [50, 52], max_pairs = 1}}\n",
    "a sweep of nothing": f"{SMALL}{STOPPED}sweep = {{rules = {{max_turns = [1, 2]}}}}\n",
}


def answered(tmp_path, capsys, game, text, more=()):
    study, out = tmp_path / "study.toml", str(tmp_path / "out")
    study.write_text(f'game = "{game}"\n{text}', encoding="utf-8")
    assert main(["run", str(study), "--out", out]) == 0
    for words in (["diff", out, out], ["plan", out], *more):
        code, said = main(words), capsys.readouterr()
        assert code == 0 or (words[0] == "plan" and "pairs: found 1, expected at least 2" in said.err), said.err
        assert " nan" not in said.out
        assert "None" not in said.out


@pytest.mark.parametrize("game", game_names())
def test_a_single_pair_that_is_stopped_at_once(game, tmp_path, capsys):
    out = str(tmp_path / "out")
    answered(tmp_path, capsys, game, SMALL + STOPPED, [["stats", out], ["export", out, "--to", "json"]])
    assert main(["knockout", str(tmp_path / "study.toml"), "--out", str(tmp_path / "cards")]) == 0


@pytest.mark.parametrize("study", STUDIES)
def test_nothing_to_compare(study, tmp_path, capsys):
    answered(tmp_path, capsys, "sea", STUDIES[study])


def test_a_ladder_of_one_deck_in_which_all_is_even(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("reports.experiments.ladder.SPEED_SECONDS", 0.01)
    words = ["--decks", "rush", "--strategies", "random,greedy", "--pairs", "1", "--out", str(tmp_path / "out")]
    assert main(["ladder", "sea", *words]) == 0
    assert "nan" not in capsys.readouterr().out
