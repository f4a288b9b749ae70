"""With --no-code no Python of the user's is run."""

import pytest

from reports.cli import main

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


def test_the_next_command_is_asked_anew(folder):
    assert main(["validate", "study.toml", "--no-code"]) == 2
    assert main(["validate", "study.toml"]) == 0
    assert (folder / "ran").exists()
