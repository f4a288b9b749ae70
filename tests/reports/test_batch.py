"""Several studies with one command: reports, the index page, bad ones, going on, what is refused before anything is
played.
"""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from reports.cli import main
from reports.pages.batch import INDEX, UNDER_WAY
from reports.play.checkpoint import Checkpoint, unfinished
from reports.play.run import run_study
from reports.studies.study import load_study
from sim.files.file_kinds import form_of
from sim.files.text import read_text
from sim.files.toml import parse_toml

SMALL = 'game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["random"]\npairs = 2\n'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, text=SMALL):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def studies(folder):
    """A folder of two studies, a bad one, and what else may lie beside them."""
    mine = folder / "mine"
    write(mine / "a.toml")
    write(mine / "b.toml", SMALL + 'name = "<b> & 海"\nrules = {draw_count = 2}\n')
    write(mine / "bad.toml", SMALL.replace("rush", "rsuh"))
    write(mine / "deck.toml", 'game = "sea"\nset = "starter"\nname = "d"\n[cards]\nsardine = 3\n')
    write(
        mine / "set.toml", 'game = "sea"\nset = "s"\nversion = 1\n[[card]]\nid = "a"\nname = "A"\nen = "A"\npower = 1\n'
    )
    write(mine / "weights.toml", 'game = "sea"\n[weights]\nlife_damage = 2\n')
    write(mine / "other.toml", "[tool]\nx = 1\n")
    write(mine / "decks" / "c.toml")
    return mine


def test_each_study_of_a_folder_has_a_report_and_a_bad_one_stops_no_other(folder, studies, capsys):
    assert main(["run", "mine", "--jobs", "1"]) == 2
    err = capsys.readouterr().err
    assert sorted(path.name for path in (folder / "out").iterdir()) == sorted([UNDER_WAY, "<b> & 海", "a", INDEX])
    assert "2 of 3 reports are there" in err
    assert "did you mean 'rush'?" in err.splitlines()[-1]
    assert "other.toml is no study: passed over" in err
    page = (folder / "out" / INDEX).read_text(encoding="utf-8")
    assert '<a href="a/report.html">a</a>' in page
    assert '<a href="%3Cb%3E%20%26%20%E6%B5%B7/report.html">&lt;b&gt; &amp; 海</a>' in page
    assert page.count("When both play random, the ") == 2
    assert "did you mean &#39;rush&#39;?" in page
    assert "src=" not in page
    assert page.count("href=") == 2


def test_files_are_told_apart_as_validate_does(studies, capsys):
    kinds = {path.name: form_of(parse_toml(read_text(path), path)) for path in studies.glob("*.toml")}
    assert {name for name, kind in kinds.items() if kind == "a study"} == {"a.toml", "b.toml", "bad.toml"}
    assert {name: kinds[name] for name in ("deck.toml", "set.toml", "weights.toml", "other.toml")} == {
        "deck.toml": "a deck", "set.toml": "a card set", "weights.toml": "weights", "other.toml": "",
    }  # fmt: skip
    assert main(["validate", str(studies / "a.toml")]) == 0
    assert "a study of sea" in capsys.readouterr().out


def test_options_hold_for_each_and_out_is_the_folder_of_all(folder):
    words = [
        "run",
        write(folder / "a.toml"),
        write(folder / "b.toml"),
        "--out",
        "there",
        "--pairs",
        "1",
        "--seed",
        "5",
        "--margin",
        "3",
    ]
    assert main(words) == 0
    for name in "ab":
        text = (folder / "there" / name / "study.toml").read_text(encoding="utf-8")
        assert "pairs = 1\n" in text
        assert "seed = 5\n" in text
        assert "margin = 3.0\n" in text
    assert sorted(path.name for path in (folder / "there").iterdir()) == ["a", "b", INDEX]


def test_a_study_of_a_batch_finds_what_it_finds_alone(folder):
    names = [write(folder / "a.toml"), write(folder / "b.toml", SMALL.replace("pairs", "seed = 9\npairs"))]
    assert main(["run", *names]) == 0
    assert main(["run", names[1], "--out", "alone"]) == 0
    for part in ("counts.json", "summary.md", "pairs.csv"):
        assert (folder / "alone" / part).read_bytes() == (folder / "out" / "b" / part).read_bytes()


@pytest.mark.parametrize("name", ["a", "A", "index.html"])
def test_names_that_clash_are_refused_before_anything_is_played(folder, capsys, name):
    assert main(["run", write(folder / "a.toml"), write(folder / "b.toml", SMALL + f'name = "{name}"\n')]) == 2
    assert "expected a name for each study" in capsys.readouterr().err
    assert not (folder / "out").exists()


def test_what_is_there_is_refused_before_anything_is_played(folder, capsys):
    names = [write(folder / "a.toml"), write(folder / "b.toml")]
    assert main(["run", names[1]]) == 0
    assert main(["run", *names]) == 2
    assert "has a report already" in capsys.readouterr().err
    assert not (folder / "out" / "a").exists()
    assert main(["run", *names, "--force"]) == 0
    (folder / "out" / INDEX).write_text("mine", encoding="utf-8")
    assert main(["run", *names, "--force"]) == 2
    assert (folder / "out" / INDEX).read_text(encoding="utf-8") == "mine"


def test_bad_words_are_told(folder, capsys):
    (folder / "empty").mkdir()
    a = write(folder / "a.toml")
    assert main(["run", "empty"]) == 2
    assert "found no study in the folder" in capsys.readouterr().err
    assert main(["run", a, "nothing.toml"]) == 2
    assert "nothing.toml: cannot be read" in capsys.readouterr().err
    assert (folder / "out" / "a" / "report.html").exists()
    assert main(["run", "x.toml", "y.toml"]) == 2
    assert main(["run", a, "sea", "--games-file", "g.parquet"]) == 2
    assert "--games-file: found it with several studies" in capsys.readouterr().err


def begun(study, out):
    """Play into a folder until the first chunk is done, then stop as Ctrl-C does."""

    def stop(_):
        raise KeyboardInterrupt

    with Checkpoint(out, study) as checkpoint, pytest.raises(KeyboardInterrupt):
        run_study(study, jobs=1, progress=stop, checkpoint=checkpoint)


def test_resume_skips_what_is_finished_goes_on_with_what_is_not_and_plays_the_rest(folder, capsys):
    names = [write(folder / f"{name}.toml", SMALL.replace("2", "6")) for name in "abc"]
    out = folder / "out"
    assert main(["run", names[0]]) == 0
    begun(load_study(names[1]), out / "b")
    kept = (out / "a" / "report.html").stat().st_mtime_ns
    assert main(["run", *names]) == 2
    assert "out/b: has an unfinished run; --resume goes on with it" in capsys.readouterr().err
    assert main(["run", *names, "--resume"]) == 0
    assert "a is finished: skipped" in capsys.readouterr().err
    assert (out / "a" / "report.html").stat().st_mtime_ns == kept
    assert not unfinished(out / "b").exists()
    counts = [json.loads((out / name / "counts.json").read_text(encoding="utf-8"))["matchups"] for name in "abc"]
    assert counts[0] == counts[1] == counts[2]
    assert main(["run", *names, "--resume"]) == 0


def test_resume_does_not_take_another_study_for_finished(folder, capsys):
    names = [write(folder / f"{name}.toml") for name in "ab"]
    assert main(["run", *names]) == 0
    write(folder / "b.toml", SMALL.replace("pairs = 2", "pairs = 3"))
    assert main(["run", *names, "--resume"]) == 2
    assert "out/b: has a report of another study (pairs differ)" in capsys.readouterr().err
    own = (load_study("sea").game.folder / "decks" / "rush.toml").read_text(encoding="utf-8")
    write(folder / "own.toml", own)
    write(folder / "b.toml", SMALL.replace('"rush"', '"own.toml"'))
    assert main(["run", names[1], "--force"]) == 0
    write(folder / "own.toml", own.replace('name = "', 'name = "new '))
    assert main(["run", *names, "--resume"]) == 2
    assert "inputs/decks/own.toml differs from" in capsys.readouterr().err


def test_a_batch_that_replaces_reports_goes_on_with_those_that_it_has_not_replaced(folder, capsys):
    names = [write(folder / f"{name}.toml") for name in "ab"]
    assert main(["run", *names]) == 0
    (folder / "out" / UNDER_WAY).write_text('{"finished": ["a"]}', encoding="utf-8")
    kept = [(folder / "out" / name / "report.html").stat().st_mtime_ns for name in "ab"]
    assert main(["run", *names, "--force", "--resume"]) == 0
    assert "a is finished: skipped" in capsys.readouterr().err
    now = [(folder / "out" / name / "report.html").stat().st_mtime_ns for name in "ab"]
    assert now[0] == kept[0]
    assert now[1] > kept[1]
    assert not (folder / "out" / UNDER_WAY).exists()


def test_a_study_that_fails_while_it_is_played_stops_no_other(folder, capsys):
    names = [write(folder / "a.toml"), write(folder / "b.toml")]
    begun(load_study(names[0]), folder / "out" / "a")
    write(folder / "a.toml", SMALL + "seed = 7\n")
    assert main(["run", *names, "--resume"]) == 2
    err = capsys.readouterr().err
    assert "a failed; why is told at the end" in err
    assert "is of another study: seed" in err
    assert (folder / "out" / "b" / "report.html").exists()
    assert "is of another study: seed" in (folder / "out" / INDEX).read_text(encoding="utf-8")


@pytest.mark.compiled
def test_ctrl_c_ends_the_batch_and_tells_how_to_go_on(folder):
    names = [
        write(folder / "a.toml"),
        write(folder / "b.toml", SMALL.replace("pairs = 2", "pairs = 100000000")),
        write(folder / "c.toml"),
    ]
    words = [sys.executable, "-m", "reports.cli", "run", *names, "--jobs", "1"]
    process = subprocess.Popen(
        words, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    )
    for _ in range(600):
        if unfinished(folder / "out" / "b").exists():
            break
        time.sleep(0.1)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "kept; go on with: komi run " in err
    assert err.rstrip().endswith("--resume")
    assert (folder / "out" / "a" / "report.html").exists()
    assert not (folder / "out" / "c").exists()
    page = (folder / "out" / INDEX).read_text(encoding="utf-8")
    assert page.count("Not played yet.") == 2
