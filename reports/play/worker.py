"""A part of a study, played in another process or on another machine.

A task says what to play by names, the contents of files and numbers; the answer is numbers. Neither holds an object of
komi's, so two versions cannot read the same task in two ways: a worker with other code refuses it. The worker finds the
study anew in the files.
"""

from __future__ import annotations

import hashlib
import json
import platform
import tempfile
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from reports.play.identity import identity
from reports.play.store import counts_from_json, counts_to_json, others_from_json, others_to_json
from reports.studies.study import Study, as_run, load_study, versions
from sim.files.atomic import write_atomic
from sim.files.errors import InputError
from sim.kernels.cache import folder_named, keep, kept
from sim.kernels.jit import source_hash
from sim.kernels.loop import ROW_COLUMNS
from sim.run import Block, Chunk, Runner, StrategyError

Plain = dict[str, Any]

PACKAGES = ("sim", "strategies", "reports")
KEPT_STUDIES = 4  # that a process remembers

_lock = threading.Lock()  # a Dask worker may have several threads
_runners: dict[tuple[str, bool], Runner] = {}


def task_of(study: Study, *, rows: bool) -> Plain:
    """Write down a study for workers.

    Parameters
    ----------
    study : Study
        The study.
    rows : bool
        A row of each single game is wanted.

    Returns
    -------
    dict
        ``study`` (TOML), ``files`` (contents by the names that the study uses), ``identity`` (hash of all that counts
        depend on), ``versions``, ``code`` (hash of komi's sources, versions and flags) and ``rows``. `play_part` wants
        ``matchup``, ``first_pair`` and ``pairs`` beside them.

    Raises
    ------
    InputError
        If a file of the study cannot be read any more.
    """
    try:
        files = {name: path.read_bytes() for name, path in sorted(study.inputs.items())}
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read ({error.strerror})") from None
    code = source_hash(PACKAGES)
    return {
        "study": as_run(study),
        "files": files,
        "identity": _identity(study),
        "versions": versions(),
        "code": code,
        "rows": rows,
    }


def _identity(study: Study) -> str:
    return hashlib.sha256(json.dumps(identity(study), sort_keys=True).encode()).hexdigest()


def refusal(code: str, expected: Mapping[str, str]) -> str | None:
    """Say why this process cannot play for another one, or nothing if it can.

    Parameters
    ----------
    code : str
        The other's hash of komi's sources, versions and flags.
    expected : dict of str to str
        The other's versions.
    """
    if code == source_hash(PACKAGES):
        return None
    found = versions()
    different = [
        f"{name} {found.get(name)}, expected {version}"
        for name, version in expected.items()
        if found.get(name) != version
    ]
    told = (
        "; ".join(different)
        or "the same versions, but other sources, another build of Python or another KOMI_BOUNDSCHECK"
    )
    return f"the worker on {platform.node()} has other code: found {told}; install the same on all machines"


def play_part(task: Plain) -> Plain:
    """Play some pairs of a matchup.

    Parameters
    ----------
    task : dict
        What `task_of` gives, with the place of the matchup, the number of the first pair and how many there are.

    Returns
    -------
    dict
        Numbers of which `chunk_of` makes a chunk; or ``problems`` (list of str), with ``blamed`` if a strategy has
        failed.
    """
    try:
        refused = refusal(task["code"], task["versions"])
        if refused is not None:
            raise InputError(refused)
        runner = _runner(task)
        return answer_of(runner.play_chunk(Block(task["matchup"], task["first_pair"], task["pairs"])))
    except InputError as error:
        return {"problems": error.problems, "blamed": isinstance(error, StrategyError)}


def _runner(task: Plain) -> Runner:
    """Load the study, unless this process has it already."""
    digest = hashlib.sha256(task["study"].encode())
    for name, content in task["files"].items():
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    key = (digest.hexdigest(), task["rows"])
    with _lock:
        if key not in _runners:
            study = load_study(_unpacked(task), checked=False)
            if _identity(study) != task["identity"]:
                raise InputError(f"{study.name}: its files have changed since the run began; begin anew")
            if len(_runners) >= KEPT_STUDIES:
                del _runners[next(iter(_runners))]
            _runners[key] = study.runner(keep_rows=task["rows"])
            _runners[key].prepare()
        return _runners[key]


def _unpacked(task: Plain) -> Path:
    """Write the study and its files to a folder named after the files, where own strategies stay compiled for the next
    process.
    """
    files = task["files"]
    digest = hashlib.sha256(
        repr(sorted((name, hashlib.sha256(content).digest()) for name, content in files.items())).encode()
    )
    text = task["study"].encode()
    name = f"{hashlib.sha256(text).hexdigest()[:20]}.toml"
    folder = digest.hexdigest()[:20]
    contents = {name: text, **files}
    place = folder_named(folder)
    if place is None or not all(
        kept(folder, file) == content or keep(folder, file, content) for file, content in contents.items()
    ):
        place = Path(_temporary().name) / folder
        for file, content in contents.items():
            write_atomic(place / file, content)
    return place / name


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="komi-")


def answer_of(chunk: Chunk) -> Plain:
    """Write a chunk down in numbers."""
    rows = None if chunk.rows is None else chunk.rows.astype("<i4").tobytes()
    return {
        "matchup": chunk.matchup,
        "first_pair": chunk.first_pair,
        "pairs": chunk.pairs,
        "counts": counts_to_json(chunk.counts),
        "others": others_to_json(chunk.others),
        "rows": rows,
        "seconds": chunk.seconds,
    }


def chunk_of(runner: Runner, answer: Plain) -> Chunk:
    """Make a chunk of what was written down of one.

    Raises
    ------
    InputError
        If the worker could not play.
    StrategyError
        If a strategy has failed there.
    """
    if "problems" in answer:
        raise (StrategyError if answer["blamed"] else InputError)(answer["problems"])
    matchup = runner.matchups[answer["matchup"]]
    counts = counts_from_json(runner.empty(matchup), answer["counts"])
    others = tuple(others_from_json([runner.empty(other) for other in matchup.others], answer["others"]))
    rows = (
        None
        if answer["rows"] is None
        else np.frombuffer(answer["rows"], "<i4").reshape(-1, ROW_COLUMNS).astype(np.int32)
    )
    return Chunk(answer["matchup"], answer["first_pair"], answer["pairs"], counts, others, rows, answer["seconds"])
