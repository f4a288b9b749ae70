"""The command line as a user meets it: what it prints, its exit codes, what it leaves on the disk."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from reports.cli import main


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


SMALL = 'game = "sea"\ndecks = ["rush", "trap"]\npairs = 2\n'


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["run"],
        ["diff"],
        ["export"],
        ["plan"],
        ["knockout"],
        ["play"],
        ["check"],
        ["validate"],
        ["cards"],
        ["new"],
        ["list"],
    ],
)
def test_every_command_has_help_with_an_example(capsys, command):
    assert main([*command, "--help"]) == 0
    out = capsys.readouterr().out
    assert "Usage: komi" in out
    assert "Example: komi" in out or not command


def test_run_writes_a_report_and_says_where(folder, capsys):
    (folder / "small.toml").write_text(SMALL, encoding="utf-8")
    assert main(["run", "small.toml", "--jobs", "1"]) == 0
    assert "40 games" in capsys.readouterr().err
    assert (folder / "out" / "small" / "report.html").exists()
    assert main(["run", "small.toml"]) == 2
    assert "has a report already; --force replaces it" in capsys.readouterr().err
    assert (
        main(["run", "small.toml", "--force", "--pairs", "1", "--seed", "3", "--margin", "1.5", "--out", "elsewhere"])
        == 0
    )
    text = (folder / "elsewhere" / "study.toml").read_text(encoding="utf-8")
    assert "pairs = 1\n" in text
    assert "seed = 3\n" in text
    assert "margin = 1.5\n" in text


def test_the_same_study_gives_the_same_bytes_with_any_number_of_jobs(folder):
    (folder / "small.toml").write_text(SMALL, encoding="utf-8")
    for jobs in ("1", "2"):
        assert main(["run", "small.toml", "--jobs", jobs, "--out", jobs]) == 0
    for name in ("matchups.csv", "pairs.csv", "lengths.csv", "strategies.csv", "report.html"):
        assert (folder / "1" / name).read_bytes() == (folder / "2" / name).read_bytes()


def test_play_tells_a_game_in_both_languages(capsys):
    assert main(["play", "sea", "rush", "trap", "--seed", "7"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("first seat: トビウオの群れ (rush), played by greedy\n")
    assert "トビウオ (Flying fish)" in out
    assert "seat wins" in out.splitlines()[-1]
    main(["play", "sea", "rush", "trap", "--seed", "7"])
    assert capsys.readouterr().out == out
    main(["play", "sea", "rush", "trap", "--seed", "8"])
    assert capsys.readouterr().out != out


def test_play_writes_replays_that_check_accepts(folder, capsys):
    words = [
        "--strategies",
        "random",
        "greedy",
        "--rules",
        "max_turns=9",
        "--rules",
        "guard_scope=any",
        "--rules",
        "draw_optional=false",
    ]
    assert main(["play", "sea", "rush", "trap", *words, "--replay", "a.json.gz", "--states"]) == 0
    assert main(["play", "sea", "ramp", "ramp", "--replay", "b.json"]) == 0
    assert main(["check", "a.json.gz", "b.json"]) == 0
    assert capsys.readouterr().out.count("a game by the rules") == 2
    game = json.loads((folder / "b.json").read_text(encoding="utf-8"))
    game["result"]["turns"] += 1
    (folder / "c.json").write_text(json.dumps(game), encoding="utf-8")
    assert main(["check", "b.json", "c.json"]) == 1
    assert "result, turns: found" in capsys.readouterr().out


def test_validate_says_what_a_file_is(folder, capsys):
    (folder / "small.toml").write_text(SMALL, encoding="utf-8")
    (folder / "d.toml").write_text(
        'game = "sea"\nset = "starter"\nname = "d"\n[cards]\nsardine = 3\n', encoding="utf-8"
    )
    (folder / "s.toml").write_text(
        'game = "sea"\nset = "s"\nversion = 1\n[[card]]\nid = "a"\nname = "A"\nen = "A"\npower = 1\n'
        '[[card]]\nid = "b"\nname = "B"\nen = "B"\npowr = 1\n',
        encoding="utf-8",
    )
    assert main(["validate", "small.toml"]) == 0
    assert "a study of sea: 10 matchups of 2 pairs" in capsys.readouterr().out
    assert main(["validate", "small.toml", "d.toml", "s.toml"]) == 2
    err = capsys.readouterr().err
    assert "d.toml:4: found 3 cards, expected exactly 16 (S1.3, deck_size)" in err
    assert "s.toml:9: card 'b', power: the key 'power' is missing" in err
    assert "s.toml:13: card 'b', powr: unknown key; did you mean 'power'" in err


OWN = {
    "changes legal": ("    legal[0] = 77\n    return 0\n", "own.py:2: choose changes legal[0]"),
    "changes the state": ('    state["turn"] += 1\n    return 0\n', "own.py:2: choose changes state.turn from 1 to 2"),
    "illegal": ("    return n\n", "own.py:1: choose chooses place"),
    "peeks": (
        '    return state["players"][1 - state["decider"]]["life"][0] % n\n',
        "own.py:1: choose looks at what its player may not know",
    ),
}


@pytest.mark.parametrize("mistake", OWN)
def test_a_strategy_that_does_what_it_may_not_is_refused_everywhere(folder, capsys, mistake):
    body, message = OWN[mistake]
    (folder / "own.py").write_text("def choose(state, table, legal, n):\n" + body, encoding="utf-8")
    (folder / "own.toml").write_text(SMALL + 'strategies = ["random", "own.py"]\n', encoding="utf-8")
    for words in (
        ["validate", "own.py", "--game", "sea"],
        ["validate", "own.toml"],
        ["run", "own.toml"],
        ["play", "sea", "rush", "trap", "--strategies", "greedy", "own.py"],
    ):
        assert main(words) == 2, words
        assert capsys.readouterr().err.startswith(f"komi: {message}"), words
    assert not (folder / "out").exists()


def test_a_good_strategy_of_ones_own_is_played(folder, capsys):
    (folder / "own.py").write_text(
        '"""Mine."""\n\ndef choose(state, table, legal, n):\n    return n - 1\n', encoding="utf-8"
    )
    (folder / "own.toml").write_text(SMALL + 'strategies = ["random", "own.py"]\n', encoding="utf-8")
    assert main(["validate", "own.py", "--game", "sea"]) == 0
    assert "own.py: a strategy for sea, checked in 4 games: Mine." in capsys.readouterr().out
    assert main(["run", "own.toml"]) == 0
    assert main(["play", "sea", "rush", "trap", "--strategies", "own.py", "own.py"]) == 0


def test_a_strategy_that_does_not_come_back_is_refused(folder):
    text = "def choose(state, table, legal, n):\n    i = 0\n    while i >= 0:\n        i = (i + 1) % 7\n    return i\n"
    (folder / "own.py").write_text(text, encoding="utf-8")
    code = (
        "import sys, strategies.check; strategies.check.PATIENCE_SECONDS = 1; from reports.cli import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    words = ["play", "sea", "rush", "trap", "--strategies", "own.py", "greedy"]
    ended = subprocess.run(
        [sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True, cwd=folder, timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stderr.endswith("own.py:1: choose does not answer within 1 second (turn 1, draw)\n")


def test_list(capsys):
    for kind, word in (
        ("games", "sea"),
        ("decks", "rush"),
        ("strategies", "greedy"),
        ("features", "life_damage"),
        ("options", "max_turns = 200"),
    ):
        assert main(["list", kind]) == 0
        assert word in capsys.readouterr().out
    assert main(["list", "deks"]) == 2
    assert "did you mean 'decks'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "see"], "unknown game 'see'"),
        (["run", "nothing.toml"], "nothing.toml: cannot be read (No such file or directory)"),
        (["run", "sea", "--jobs", "0"], "--jobs: found 0, expected 1 to 1024"),
        (["run", "sea", "--pairs", "0"], "--pairs: found 0, expected at least 1"),
        (["run", "sea", "--margin", "0"], "--margin: found 0, expected more than 0 and less than 50"),
        (["run", "sea", "--margin", "50"], "--margin: found 50, expected more than 0 and less than 50"),
        (["run", "sea", "--margin", "-2"], "--margin: found -2, expected more than 0 and less than 50"),
        (["run", "sea", "--margin", "nan"], "--margin: found nan, expected more than 0 and less than 50"),
        (["run", "sea", "--margin", "two"], "'--margin'"),
        (["run", "sea", "--out", "file/below", "--pairs", "1"], "cannot be written (Not a directory)"),
        (["play", "sea", "rush", "tarp"], "unknown deck of sea 'tarp'; did you mean 'trap'"),
        (["play", "sea", "rush", "trap", "--rules", "max_turns"], "--rules: found 'max_turns', expected KEY=VALUE"),
        (
            ["play", "sea", "rush", "trap", "--rules", "max_turns=x"],
            "--rules: max_turns: found 'x', expected an integer",
        ),
        (["play", "sea", "rush", "trap", "--rules", "max_turn=9"], "did you mean 'max_turns'"),
        (["play", "sea", "rush", "trap", "--strategies", "greedy", "greddy"], "did you mean 'greedy'"),
        (["play", "sea", "rush", "trap", "--states"], "--states: goes with --replay"),
        (["check", "file"], "file:1: not JSON"),
        (["run", "sea", "--pairs", "1", "--out", "."], "is the folder you are in"),
        (["run", "sea", "--pairs", "1", "--games-file", "out/sea/games.parquet"], "is inside the report's folder"),
        (["run", "sea", "--pairs", "1", "--games-file", "file"], "expected a name that ends in .parquet"),
        (["play", "sea", "rush", "trap", "--replay", "file"], "expected a name that ends in .json or .json.gz"),
        (["play", "sea", "rush", "trap", "--seed", "9" * 40], "expected an integer of 64 bits"),
    ],
)
def test_bad_words_are_refused_with_exit_code_2(folder, capsys, words, message):
    (folder / "file").write_text("x", encoding="utf-8")
    assert main(words) == 2
    assert message in capsys.readouterr().err
    assert sorted(os.listdir(folder)) == ["file"]


def test_unknown_options_exit_with_2(capsys):
    assert main(["run", "sea", "--pars", "1"]) == 2


def interrupted(folder, seconds, **environment):
    """Start a long run, press Ctrl-C after some seconds; give exit code, what it printed, how long it took to end."""
    (folder / "long.toml").write_text('game = "sea"\npairs = 100000000\n', encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "reports.cli", "run", "long.toml"], stderr=subprocess.PIPE, text=True, cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    )  # fmt: skip
    time.sleep(seconds)
    assert process.poll() is None
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    return process.returncode, err, time.monotonic() - started


@pytest.mark.compiled
@pytest.mark.parametrize("phase", ["compiling", "playing"])
def test_ctrl_c_ends_cleanly_within_two_seconds(folder, tmp_path_factory, phase):
    fresh = {"NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))} if phase == "compiling" else {}
    code, err, seconds = interrupted(folder, 5 if phase == "compiling" else 8, **fresh)
    assert code == 130
    if phase == "compiling":
        assert "interrupted; nothing was written" in err
        assert os.listdir(folder) == ["long.toml"]
    else:
        assert "interrupted; what was played is kept; go on with: komi run long.toml --resume" in err
        assert os.listdir(folder / "out") == ["long.unfinished"]
    assert "Traceback" not in err
    assert seconds < 2
