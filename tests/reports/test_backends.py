"""The same study on threads, in processes and by Dask's workers: the same numbers, whoever dies; and what is refused."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reports import load_study, run_study
from reports.cli import main
from reports.play.backends import BACKENDS, check_backend
from reports.play.checkpoint import Checkpoint
from reports.play.store import counts_to_json, paired_to_json, results_to_json
from reports.play.worker import answer_of, chunk_of, play_part, task_of
from sim import InputError
from sim.kernels.jit import ENABLED
from sim.run import Block, StrategyError

PAIRS = 300 if ENABLED else 2
REEF = Path(__file__).parents[2] / "examples" / "reef"
CARDS = f'game = "sea"\nset = "{REEF / "reef.toml"}"\ndecks = ["shoal"]\n'


class Cluster:
    """A scheduler and workers of Dask's, each a process of its own."""

    def __init__(self, folder):
        self.folder, self.processes, self.workers = folder, [], []
        told = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(told))
        while not told.exists() or not told.read_text(encoding="utf-8"):
            assert self.processes[0].poll() is None
            time.sleep(0.02)
        self.address = json.loads(told.read_text(encoding="utf-8"))["address"]

    def _start(self, *words):
        with (self.folder / f"{len(self.processes)}.log").open("wb") as log:
            command = [sys.executable, "-m", "dask", *words]
            self.processes.append(
                subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, start_new_session=True)
            )
        return self.processes[-1]

    def add_worker(self):
        self.workers.append(self._start("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"))

    def client(self):
        from distributed import Client

        return Client(self.address, set_as_default=False)

    def close(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def one_cluster(tmp_path_factory):
    pytest.importorskip("distributed")
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield cluster
    finally:
        cluster.close()


@pytest.fixture
def cluster(one_cluster):
    """A scheduler with two workers that are alive."""
    one_cluster.workers = [worker for worker in one_cluster.workers if worker.poll() is None]
    while len(one_cluster.workers) < 2:
        one_cluster.add_worker()
    with one_cluster.client() as client:
        client.wait_for_workers(2, timeout=60)
    return one_cluster


def where(backend, cluster):
    """What `run_study` is told to play there."""
    if backend == "dask":
        return {"backend": backend, "scheduler": cluster.address}
    return {"backend": backend, "jobs": 2}


def study_file(folder, *, strategies=("random", REEF / "face.py"), pairs=PAIRS, more=""):
    """Write a study with cards, a deck and a strategy that do not come with komi."""
    path = folder / "study.toml"
    names = ", ".join(f'"{name}"' for name in strategies)
    path.write_text(f"{CARDS}strategies = [{names}]\npairs = {pairs}\n{more}", encoding="utf-8")
    return path


@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_every_backend_counts_the_same(backend, cluster, tmp_path):
    study = load_study(study_file(tmp_path))
    seen = []
    found = run_study(study, progress=lambda played: seen.append(played.games), **where(backend, cluster))
    assert results_to_json(found) == results_to_json(run_study(study))
    assert seen == sorted(set(seen))
    assert seen[-1] == 2 * 3 * PAIRS


@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_a_sweep_is_the_same(backend, cluster, tmp_path):
    study = load_study(
        study_file(tmp_path, strategies=["random"], pairs=min(PAIRS, 60), more="sweep.rules = {draw_count = [1, 2]}\n")
    )
    found = run_study(study, **where(backend, cluster))
    assert [len(others) for others in found.others] == [1]
    assert results_to_json(found) == results_to_json(run_study(study))


@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_a_file_of_games_is_the_same(backend, cluster, tmp_path, monkeypatch):
    monkeypatch.setattr("reports.studies.study.GAMES_FILE_PAIRS", 37 if ENABLED else 1)
    study = load_study(study_file(tmp_path))
    run_study(study, games_file=tmp_path / "a.parquet")
    run_study(study, games_file=tmp_path / "b.parquet", **where(backend, cluster))
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


class Stop(KeyboardInterrupt):
    pass


@pytest.mark.parametrize("more", ["", "until = {half_width = 9, max_pairs = 1000}\n"] if ENABLED else [""])
def test_a_run_goes_on_elsewhere(more, cluster, tmp_path, monkeypatch):
    monkeypatch.setattr("sim.run.Runner._next_chunk_pairs", lambda *_: 3 if ENABLED else 1)
    study = load_study(study_file(tmp_path, more=more))
    whole = results_to_json(run_study(study))
    for resume, backend in enumerate(BACKENDS):
        seen = []

        def progress(played, seen=seen):
            seen.append(played.games)
            if len(seen) == 2:
                raise Stop

        with Checkpoint(tmp_path / "out", study, resume=resume > 0) as checkpoint, pytest.raises(Stop):
            run_study(study, progress=progress, checkpoint=checkpoint, resume=resume > 0, **where(backend, cluster))
    with Checkpoint(tmp_path / "out", study, resume=True) as checkpoint:
        assert results_to_json(run_study(study, checkpoint=checkpoint, resume=True)) == whole


def test_a_worker_that_dies_is_survived(cluster, tmp_path, monkeypatch):
    """It hangs first, so that it holds chunks without an answer when it dies."""
    monkeypatch.setattr("sim.run.Runner._next_chunk_pairs", lambda *_: 2 if ENABLED else 1)
    study = load_study(study_file(tmp_path, pairs=PAIRS if ENABLED else 12))
    doomed, chunks = cluster.workers[0], []

    def progress(played):
        chunks.append(played.games)
        if len(chunks) == 3:
            os.kill(doomed.pid, signal.SIGSTOP)
            threading.Timer(1, doomed.kill).start()

    found = run_study(study, progress=progress, **where("dask", cluster))
    assert doomed.wait(10) == -signal.SIGKILL
    assert results_to_json(found) == results_to_json(run_study(study))
    assert results_to_json(run_study(study, **where("dask", cluster))) == results_to_json(
        found
    )  # by the one that is left


def test_a_process_that_dies_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr("sim.run.Runner._next_chunk_pairs", lambda *_: 2 if ENABLED else 1)
    study = load_study(study_file(tmp_path, pairs=PAIRS if ENABLED else 12))
    killed = []

    def progress(played):
        if not killed:
            from joblib.externals.loky import get_reusable_executor

            killed.append(next(iter(get_reusable_executor(max_workers=2, reuse=True)._processes)))
            os.kill(killed[0], signal.SIGKILL)

    found = run_study(study, progress=progress, **where("processes", None))
    assert killed
    assert results_to_json(found) == results_to_json(run_study(study))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_strategy_that_fails_is_named_alike(backend, cluster, tmp_path):
    (tmp_path / "rash.py").write_text("def choose(state, table, legal, n):\n    return n\n", encoding="utf-8")
    path = study_file(tmp_path, strategies=["rash.py"], pairs=1)
    expected = (
        r"^strategy rash\.py: chose a place outside its legal list of \d+ \(seat 0, pair 0, shoal against shoal\); "
        r"places run from 0"
    )
    with pytest.raises(StrategyError, match=expected):
        run_study(load_study(path, checked=False), **where(backend, cluster))


def test_changes_of_a_matchup_come_back_too(tmp_path):
    study = load_study(study_file(tmp_path))
    runner = study.runner(keep_rows=True)
    short = study.rules.model_copy(update={"max_turns": 9})
    runner.matchups = [replace(matchup, others=(replace(matchup, rules=short), matchup)) for matchup in runner.matchups]
    chunk = runner.play_chunk(Block(1, 3, 2))
    answer = answer_of(chunk)
    rows = answer.pop("rows")
    found = chunk_of(runner, {**json.loads(json.dumps(answer)), "rows": rows})
    assert (found.matchup, found.first_pair, found.pairs) == (1, 3, 2)
    assert counts_to_json(found.counts) == counts_to_json(chunk.counts)
    assert np.array_equal(found.rows, chunk.rows)
    assert len(found.others) == 2
    assert found.others[0][0].games == 4
    for (counts, paired), (expected, compared) in zip(found.others, chunk.others, strict=True):
        assert counts_to_json(counts) == counts_to_json(expected)
        assert paired_to_json(paired) == paired_to_json(compared)


def test_a_task_is_names_contents_and_numbers(tmp_path):
    task = task_of(load_study(study_file(tmp_path)), rows=False)
    assert set(task["files"]) == {"inputs/reef.toml", "inputs/decks/shoal.toml", "inputs/strategies/face.py"}
    assert {type(value) for value in (*task.values(), *task["files"].values(), *task["versions"].values())} <= {
        str,
        bytes,
        bool,
        dict,
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"code": "other", "versions": {"komi": "7.0"}},
            r"the worker on .* has other code: found komi .*, expected 7.0; install the same",
        ),
        (
            {"code": "other"},
            r"other code: found the same versions, but other sources, another build of Python or another "
            r"KOMI_BOUNDSCHECK",
        ),
        ({"identity": "other"}, r"study: its files have changed since the run began"),
        ({"study": "game = 1\n"}, r"game: found 1, expected a text"),
    ],
)
def test_a_worker_refuses_what_it_cannot_play_the_same(change, message, tmp_path):
    study = load_study(study_file(tmp_path, pairs=1))
    task = {**task_of(study, rows=False), "matchup": 0, "first_pair": 0, "pairs": 1, **change}
    with pytest.raises(InputError, match=message) as caught:
        chunk_of(study.runner(), play_part(task))
    assert not isinstance(caught.value, StrategyError)


def test_workers_with_other_code_are_refused_before_anything_is_played(cluster, tmp_path, monkeypatch):
    study = load_study(study_file(tmp_path))
    monkeypatch.setattr("reports.play.worker.source_hash", lambda packages: "other")
    with pytest.raises(InputError, match="has other code") as caught:
        run_study(study, progress=lambda played: pytest.fail("it has played"), **where("dask", cluster))
    assert len(caught.value.problems) == len(cluster.workers)
    assert caught.value.problems[0].startswith("tcp://127.0.0.1:")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--backend clouds", "--backend: unknown backend 'clouds' (known: threads, processes, dask)"),
        ("--scheduler tcp://127.0.0.1:8786", "--scheduler: found it with --backend threads, expected --backend dask"),
        ("--backend dask", "--backend: found dask without --scheduler"),
        ("--backend dask --scheduler 10.0.0.1", "--scheduler: found '10.0.0.1', expected tcp://HOST:PORT"),
        (
            "--backend dask --scheduler http://10.0.0.1:80",
            "--scheduler: found 'http://10.0.0.1:80', expected tcp://HOST:PORT",
        ),
        ("--backend dask --scheduler tcp://a:70000", "--scheduler: found 'tcp://a:70000', expected tcp://HOST:PORT"),
        ("--backend dask --scheduler tcp://127.0.0.1:1 --jobs 2", "--jobs: found 2 with --backend dask"),
        ("--backend dask --scheduler tcp://127.0.0.1:1", "--scheduler: nothing answers at tcp://127.0.0.1:1"),
    ],
)
def test_what_cannot_be_used_is_refused(words, message, tmp_path, capsys):
    pytest.importorskip("distributed")
    assert main(["run", "sea", "--out", str(tmp_path / "out"), *words.split()]) == 2
    assert capsys.readouterr().err.startswith(f"komi: {message}")
    assert os.listdir(tmp_path) == []


def test_what_is_no_scheduler_is_refused(tmp_path, monkeypatch, capsys):
    pytest.importorskip("distributed")
    monkeypatch.setattr("reports.play.backends.CONNECT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert (
            main(
                [
                    "run",
                    "sea",
                    "--pairs",
                    "1",
                    "--out",
                    str(tmp_path / "out"),
                    "--backend",
                    "dask",
                    "--scheduler",
                    address,
                ]
            )
            == 2
        )
    assert f"what answers at {address} is no scheduler of Dask's" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


@pytest.fixture
def empty(tmp_path):
    """A scheduler without workers, of one's own."""
    pytest.importorskip("distributed")
    cluster = Cluster(tmp_path)
    try:
        yield cluster
    finally:
        cluster.close()


def test_a_scheduler_without_workers_is_refused_and_one_that_is_lost_is_told(empty, tmp_path, monkeypatch):
    study = load_study(study_file(tmp_path, pairs=10**6))
    with monkeypatch.context() as patched:
        patched.setattr("reports.play.backends.WORKERS_SECONDS", 0.1)
        with pytest.raises(InputError, match=f"{empty.address} has no workers; start some: dask worker"):
            run_study(study, **where("dask", empty))
    empty.add_worker()
    monkeypatch.setattr("reports.play.backends.WORKERS_SECONDS", 60)
    monkeypatch.setattr("sim.run.Runner._next_chunk_pairs", lambda *_: 1)
    with pytest.raises(InputError, match=f"^{empty.address}: the connection to the scheduler was lost"):
        run_study(study, progress=lambda played: empty.processes[0].kill(), **where("dask", empty))


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"needs Dask: pip install 'komi\[cluster\]'"):
        check_backend("dask", "tcp://127.0.0.1:8786")


@pytest.mark.compiled
@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_ctrl_c_leaves_nothing_behind(backend, cluster, tmp_path):
    psutil = pytest.importorskip("psutil")
    options = (
        ["--backend", "dask", "--scheduler", cluster.address]
        if backend == "dask"
        else ["--backend", "processes", "--jobs", "2"]
    )
    code = (
        "import sys, reports.play.checkpoint as c; c.SAVE_SECONDS = 0.05; from reports.cli import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    command = [
        sys.executable,
        "-c",
        code,
        "run",
        str(study_file(tmp_path, strategies=["random"], pairs=10**8)),
        "--out",
        str(tmp_path / "out"),
        *options,
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not list(tmp_path.glob("out*/counts.json")) and process.poll() is None:
        time.sleep(0.02)
    helpers = psutil.Process(process.pid).children(recursive=True)
    assert (len(helpers) >= 2) == (backend == "processes")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    said = process.communicate(timeout=10)[1]
    assert process.returncode == 130
    assert "what was played is kept; go on with: komi run" in said
    assert "Traceback" not in said
    assert psutil.wait_procs(helpers, timeout=5)[1] == []
    if backend == "dask":
        with cluster.client() as client:
            assert client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)) <= len(cluster.workers)
