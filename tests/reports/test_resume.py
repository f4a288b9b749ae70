"""Runs that are interrupted: gone on with, they end with the same bytes; nothing foreign or damaged is mixed in."""

import os
import signal
import subprocess
import sys
import time

import pytest

from reports import load_study, run_study
from reports.cli import main
from reports.formats.sealed import unseal
from reports.play.checkpoint import COUNTS, Checkpoint, unfinished
from reports.play.progress import merged
from reports.play.store import load_results, results_to_json
from sim import InputError
from sim.kernels.jit import ENABLED

STUDY = 'game = "{game}"\ndecks = {decks}\nstrategies = ["random", "greedy"]\npairs = {pairs}\n'
UNTIL = "until = {half_width = 12, max_pairs = 1000}\n" if ENABLED else "until = {half_width = 12, max_pairs = 6}\n"


def study_file(folder, *, game="sea", decks='["rush", "trap"]', pairs=40 if ENABLED else 4, more=""):
    path = folder / "s.toml"
    path.write_text(STUDY.format(game=game, decks=decks, pairs=pairs) + more, encoding="utf-8")
    return path


class Stop(KeyboardInterrupt):
    pass


def interrupted(study, out, *, after, chunk_pairs=None, **keys):
    """Play until so many chunks are done, then stop as Ctrl-C does."""
    seen = []

    def progress(played):
        seen.append(played.games)
        if len(seen) == after:
            raise Stop

    resume = keys.pop("resume", False)
    with Checkpoint(out, study, resume=resume, keeps_games="games_file" in keys) as checkpoint, pytest.raises(Stop):
        run_study(study, jobs=1, progress=progress, checkpoint=checkpoint, resume=resume, **keys)


def gone_on(study, out, **keys):
    with Checkpoint(out, study, resume=True, keeps_games="games_file" in keys) as checkpoint:
        results = run_study(study, jobs=2, checkpoint=checkpoint, resume=True, **keys)
        checkpoint.finish()
    return results


@pytest.mark.parametrize("more", ["", UNTIL], ids=["all pairs", "until"])
def test_an_interrupted_study_ends_as_an_unbroken_one(tmp_path, more, monkeypatch):
    monkeypatch.setattr("sim.run.FIRST_CHUNK_PAIRS", 7 if ENABLED else 1)
    monkeypatch.setattr("sim.run.MOST_CHUNK_PAIRS", 97 if ENABLED else 2)
    study = load_study(study_file(tmp_path, more=more))
    whole = results_to_json(run_study(study, jobs=1))
    for after in (1, 2, 5, 11):
        out = tmp_path / f"out{after}"
        interrupted(study, out, after=after)
        interrupted(study, out, after=2, resume=True)
        assert results_to_json(gone_on(study, out)) == whole
        assert not unfinished(out).exists()


def test_a_file_of_games_is_gone_on_with(tmp_path, monkeypatch):
    monkeypatch.setattr("reports.studies.study.GAMES_FILE_PAIRS", 3 if ENABLED else 1)
    monkeypatch.setattr("reports.play.games_file.PART_CHUNKS", 2)
    study = load_study(study_file(tmp_path))
    whole = results_to_json(run_study(study, jobs=1, games_file=tmp_path / "whole.parquet"))
    for after in (1, 4, 9):
        out, games = tmp_path / "out", tmp_path / f"games{after}.parquet"
        interrupted(study, out, after=after, games_file=games)
        assert not games.exists()
        if (unfinished(out) / COUNTS).exists():
            assert results_to_json(gone_on(study, out, games_file=games)) == whole
            assert games.read_bytes() == (tmp_path / "whole.parquet").read_bytes()


@pytest.fixture
def stopped(tmp_path):
    """An unfinished run: its study's file and the folder of its report to be."""
    path, out = study_file(tmp_path), tmp_path / "out"
    interrupted(load_study(path), out, after=3)
    return path, out


CHANGES = {
    "seed": ("pairs = ", "seed = 7\npairs = "),
    "pairs": ("pairs = ", "pairs = 1"),
    "decks, trap": ('"trap"', '"control"'),
    "strategies, random": ('"random", ', ""),
    "rules, draw_count": ("pairs = ", "rules = {draw_count = 2}\npairs = "),
}


@pytest.mark.parametrize("place", CHANGES)
def test_another_study_is_not_mixed_in(stopped, place):
    path, out = stopped
    old, new = CHANGES[place]
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    study = load_study(path)
    expected = f"is of another study: {place}: it was played with"
    with Checkpoint(out, study, resume=True) as checkpoint, pytest.raises(InputError, match=expected):
        run_study(study, jobs=1, checkpoint=checkpoint, resume=True)


def test_other_code_is_not_mixed_in(stopped, monkeypatch):
    path, out = stopped
    monkeypatch.setattr("reports.play.checkpoint.source_hash", lambda packages: "another")
    study = load_study(path)
    with Checkpoint(out, study, resume=True) as checkpoint, pytest.raises(InputError, match="another version of komi"):
        run_study(study, jobs=1, checkpoint=checkpoint, resume=True)


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "no numbers"])
def test_a_damaged_checkpoint_is_refused(stopped, damage):
    path, out = stopped
    file = unfinished(out) / COUNTS
    text = file.read_text(encoding="utf-8")
    broken = {
        "cut": text[: len(text) // 2],
        "changed": text.replace('"n":[', '"n":[1', 1),
        "empty": "",
        "no numbers": "{}\n{}\n",
    }[damage]
    file.write_text(broken, encoding="utf-8")
    study = load_study(path)
    with Checkpoint(out, study, resume=True) as checkpoint, pytest.raises(InputError, match=f"{COUNTS}: is damaged"):
        run_study(study, jobs=1, checkpoint=checkpoint, resume=True)


def test_an_unfinished_run_is_neither_lost_nor_gone_on_with_by_chance(stopped, capsys):
    path, out = stopped
    words = ["run", str(path), "--out", str(out)]
    assert main(words) == 2
    assert "has an unfinished run; --resume goes on with it, --force begins anew" in capsys.readouterr().err
    assert main([*words, "--resume"]) == 0
    capsys.readouterr()
    assert main([*words, "--resume", "--force"]) == 2
    assert "--resume: found no unfinished run" in capsys.readouterr().err


def test_two_runs_into_one_folder_at_once_are_refused(tmp_path):
    study = load_study(study_file(tmp_path))
    with Checkpoint(tmp_path / "out", study), pytest.raises(InputError, match="another run of komi is writing there"):
        Checkpoint(tmp_path / "out", study, force=True)
    with Checkpoint(tmp_path / "out", study):
        pass
    assert os.listdir(tmp_path) == ["s.toml"]


def test_a_full_disk_keeps_what_is_saved(tmp_path, monkeypatch, capsys):
    path = study_file(tmp_path)
    words = ["run", str(path), "--out", str(tmp_path / "out"), "--jobs", "1"]
    assert main([*words[:-3], str(tmp_path / "whole"), "--jobs", "1"]) == 0

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("reports.pages.page.fill_folder", full)
        capsys.readouterr()
        assert main(words) == 2
    said = capsys.readouterr().err
    assert "No space left on device" in said
    assert "--resume" in said
    assert not (tmp_path / "out").exists()
    assert main([*words, "--resume"]) == 0
    for name in ("counts.json", "matchups.csv", "summary.md"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.compiled
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_is_gone_on_with(tmp_path, how):
    path, out = study_file(tmp_path, decks='["rush"]', pairs=30_000), tmp_path / "out"
    code = (
        "import sys, reports.play.checkpoint as c; c.SAVE_SECONDS = 0.05; from reports.cli import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "run", str(path), "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    saved = unfinished(out) / COUNTS
    while not saved.exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(how)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    assert not out.exists()
    if how == signal.SIGINT:
        assert "go on with: komi run" in said
        assert said.rstrip().endswith("--resume")
    done = unseal(saved.read_text(encoding="utf-8"))["played"]["first"]
    assert 0 < sum(end - first for part in done for first, end in part["done"]) < 3 * 30_000
    subprocess.run([*command, "--resume"], check=True, capture_output=True)
    assert not unfinished(out).exists()
    whole = run_study(load_study(path))
    assert results_to_json(load_results(out)) == results_to_json(whole)


def test_spans_that_overlap_are_refused():
    assert merged([(5, 9), (0, 5), (12, 13)]) == [(0, 9), (12, 13)]
    with pytest.raises(ValueError, match="pair 3 is there twice"):
        merged([(0, 4), (3, 6)])
