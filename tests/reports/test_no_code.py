"""With --no-code no Python of the user's is run."""

import shutil
from pathlib import Path

import pytest

from reports.cli import main

WAR = Path(__file__).parents[2] / "examples" / "war"

CODE = 'open("ran", "w").close()\n\n\ndef choose(state, table, legal, n):\n    return 0\n'
STUDY = 'game = "sea"\ndecks = ["rush"]\nstrategies = ["own.py"]\npairs = 1\n'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "second.toml").write_text(STUDY, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        "run study.toml",
        "run study.toml second.toml",
        "validate study.toml",
        "validate own.py --game sea",
        "plan study.toml --pilot 1",
        "knockout study.toml",
        "play --study study.toml --game 0",
        "play sea rush trap --strategies random own.py:choose",
        "ladder sea --strategies random,own.py",
        "tune sea --against own.py",
    ],
)
def test_code_is_refused_with_its_file(words, folder, capsys):
    assert main([*words.split(), "--no-code"]) == 2
    assert "own.py: found Python code that would be run, expected none with --no-code" in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["own.py", "second.toml", "study.toml"]


@pytest.mark.parametrize(
    "words",
    [
        "run ./war",
        "run of_war.toml",
        "validate war",
        "validate of_war.toml",
        "validate set.toml",
        "plan ./war",
        "knockout of_war.toml",
        "play ./war even wild",
        "play --study of_war.toml --game 0",
        "play --study report --game 0",
        "ladder ./war",
        "tune ./war",
        "cards set.toml --csv set.csv",
        "cards starter --game ./war --csv set.csv",
        "check game.json",
        "new mine --game ./war",
        "list decks --game ./war",
        "stats report",
        "diff report report",
        "export report --to csv",
    ],
)
def test_a_game_from_outside_is_refused_with_its_folder(words, folder, capsys):
    shutil.copytree(WAR, folder / "war")
    code = folder / "war" / "__init__.py"
    code.write_text(f"open({str(folder / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    (folder / "of_war.toml").write_text('game = "./war"\n', encoding="utf-8")
    (folder / "set.toml").write_text(
        (folder / "war" / "data" / "starter.toml").read_text(encoding="utf-8").replace('"war"', '"./war"', 1),
        encoding="utf-8",
    )
    (folder / "game.json").write_text('{"format": 1, "game": "./war", "set": "starter"}', encoding="utf-8")
    (folder / "report").mkdir()
    (folder / "report" / "study.toml").write_text('game = "../war"\n', encoding="utf-8")
    (folder / "report" / "counts.json").write_text("{}", encoding="utf-8")
    assert main([*words.split(), "--no-code"]) == 2
    assert "war: found Python code that would be run, expected none with --no-code" in capsys.readouterr().err
    assert not (folder / "ran").exists()
    assert not (folder / "mine").exists()


def test_the_next_command_is_asked_anew(folder):
    assert main(["validate", "study.toml", "--no-code"]) == 2
    assert main(["validate", "study.toml"]) == 0
    assert (folder / "ran").exists()
