"""An input is read once: it may be a pipe."""

import os
from pathlib import Path

import pytest

from reports.cli import main
from sim.kernels.jit import ENABLED

REEF = Path(__file__).parents[2] / "examples" / "reef"
STUDY = 'game = "sea"\ndecks = ["rush"]\nstrategies = ["random"]\npairs = 2\n'

pytestmark = pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="pipes have no names here")


@pytest.fixture
def pipe():
    """Make a pipe that holds a text; what is read of it is gone."""
    ends = []

    def made(text):
        end, into = os.pipe()
        os.write(into, text.encode())
        os.close(into)
        ends.append(end)
        return f"/dev/fd/{end}"

    yield made
    for end in ends:
        os.close(end)


@pytest.mark.parametrize(
    "words",
    [
        ["validate"],
        ["run", "--out", "out"],
        ["plan", "--pilot", "2"],
        ["play", "--game", "1", "--study"],
        pytest.param(["knockout", "--out", "out"], marks=pytest.mark.skipif(ENABLED, reason="compiles more")),
    ],
    ids=lambda words: words[0],
)
def test_a_study_comes_through_a_pipe(words, pipe, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text((REEF / "decks" / "wall.toml").read_text(encoding="utf-8"), encoding="utf-8")
    cards = f'set = "{REEF / "reef.toml"}"\n'
    name = pipe(STUDY.replace("decks", f"{cards}decks").replace("rush", "mine.toml"))  # relative to where komi runs
    assert main([*words, name]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "more", "what"),
    [
        ("reef.toml", [], "a card set of sea"),
        ("decks/wall.toml", ["--set", str(REEF / "reef.toml")], "a deck of sea"),
        (None, [], "weights of sea"),
    ],
)
def test_files_of_each_kind_come_through_a_pipe(file, more, what, pipe, capsys):
    weights = 'game = "sea"\n[weights]\nlife_damage = 2\n'
    name = pipe(weights if file is None else (REEF / file).read_text(encoding="utf-8"))
    assert main(["validate", name, *more]) == 0
    assert capsys.readouterr().out.startswith(f"{name}: {what}")


def test_a_replay_comes_through_a_pipe(pipe, tmp_path, capsys):
    short = ["--rules", "max_turns=2"]  # a pipe holds 64 KiB until someone reads
    assert main(["play", "sea", "rush", "trap", "--replay", str(tmp_path / "game.json"), *short]) == 0
    name = pipe((tmp_path / "game.json").read_text(encoding="utf-8"))
    assert main(["check", name]) == 0
    assert capsys.readouterr().out == f"{name}: a game by the rules\n"
