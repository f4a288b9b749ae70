"""Spoils files of every kind and reads them: each is read, or refused with an `InputError`, within time and memory.

    python benchmarks/fuzz_files.py [--seed 1] [--minutes 3]

What is spoiled are the starter sets, decks and replays of the project, a study, weights, a spreadsheet and the files of
a report. A file is read in a process of its own kind, which is ended when it takes too long. The same seed gives the
same files; what fails is kept in the folder that is named at the end.
"""

from __future__ import annotations

import argparse
import gzip
import re
import resource
import select
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reports import run_study
from reports.formats.spreadsheet import read_csv, set_csv
from reports.pages.page import write_report
from reports.pages.summary import load_summary
from reports.play.store import load_results
from reports.studies.study import load_study
from sim import InputError, game_names, load_game, load_set, replay
from sim.library import deck_paths, load_deck, set_path
from strategies.options import load_weights
from strategies.strategy import strategy_features

PARTS = ("study.toml", "counts.json", "summary.json")  # of a report, which are read again
SECONDS, MEMORY = 20.0, 1500  # that one file may take, and MiB in all
ROOT = Path(__file__).parents[1]
STUDY = """game = "sea"
strategies = ["random", "greedy"]
decks = ["rush", "trap"]
pairs = 2
until = {half_width = 0.5, max_pairs = 100}
[rules]
draw_count = 2
"""
SWEEP = """game = "sea"
strategies = "random"
decks = "rush"
pairs = 2
[sweep]
rules.draw_count = [1, 2]
cards.orca.power = {from = 2, to = 5}
decks.rush = ["rush", {sardine = 3, garden_eel = 0}]
"""
WEIGHTS = 'game = "sea"\n[weights]\nlife_damage = 1.5\nguard_risk = 0\n'
PIECES = [
    b"[" * 3000, b"{a=" * 200, b"a." * 300 + b"a = 1\n", b'"""', b"'''", b'"', b"\\", b"\0", b"\xff", b"\xef\xbb\xbf",
    b"\r", b"\n",
    "\u202e".encode(), "\u200d".encode(), "e\u0301".encode(), "＝１".encode(), ("a" + "\u0301\u0316" * 500).encode(),
    b"=", b",", b";", b"\t",
    b"1e999", b"-1", b"0", b"999999999999999999999", b"9" * 5000, b"0x" + b"f" * 9000, b"nan", b"-inf", b"2.0", b"true",
    b"null", b"[]", b"{}",
    b"[[card]]\n", b"[sweep]\n", b"[[card.ability]]\n", b"ability.999.do,", b"fight.999999999,", b"PK\x03\x04",
    b"\x1f\x8b", b"..", b"/",
    b'"id"', b"game", b"\xd0\xcf\x11\xe0", b"1979-05-27T07:32:00Z",
]  # fmt: skip
WORDS = [
    b"-1", b"0", b"1", b"2.0", b"1e400", b"9223372036854775807", b"-9223372036854775809", b"99999999999999999999999999",
    b"true", b"null",
    b"NaN", b'"x"', b"[]", b"{}", b"[1, [2, 3]]", b"",
]  # fmt: skip


@dataclass(frozen=True)
class Source:
    """A good file: what reads it, its name, its bytes, and of a report the folder around it."""

    kind: str
    name: str
    data: bytes
    folder: Path | None = None


def sources(folder: Path) -> list[Source]:
    """List good files of every kind; the report that some are of is written into a folder."""
    found = [Source("study", "study.toml", STUDY.encode()), Source("study", "sweep.toml", SWEEP.encode())]
    found.append(Source("weights", "weights.toml", WEIGHTS.encode()))
    for name in game_names():
        game = load_game(name)
        found.append(Source(f"set of {name}", "set.toml", set_path(game, "starter").read_bytes()))
        found.append(Source(f"deck of {name}", "deck.toml", deck_paths(game)["rush"].read_bytes()))
        found.append(Source("spreadsheet", "set.csv", set_csv(load_set(game)).encode("utf-8-sig")))
        played = min((ROOT / "tests" / "replays" / name).glob("*.json"), key=lambda path: path.stat().st_size)
        found.append(Source("replay", "game.json", played.read_bytes()))
        found.append(Source("replay", "game.json.gz", gzip.compress(played.read_bytes(), mtime=0)))
    (folder / "study.toml").write_text(SWEEP, encoding="utf-8")
    report = folder / "report"
    write_report(run_study(folder / "study.toml"), report)
    for name in PARTS:
        found.append(Source("report", name, (report / name).read_bytes(), report))
    return found


def spoiled(data: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    """Change some places of a file: bytes, lines, words and numbers; pieces and parts of another file come in."""
    words = [re.findall(rb"-?[\w.]+", text) for text in (data, other)]
    for _ in range(rng.integers(1, 5)):
        if rng.random() < 0.6 and all(words):  # a word for a word, after which the file still makes sense
            old = words[0][rng.integers(len(words[0]))]
            new = [*words[rng.integers(2)], *WORDS * 20]
            place = data.find(old, int(rng.integers(len(data) + 1)))
            if place >= 0:
                data = data[:place] + new[rng.integers(len(new))] + data[place + len(old) :]
            continue
        a, b = sorted(rng.integers(0, len(data) + 1, 2).tolist())
        b = min(b, a + int(rng.integers(1, 200)))
        c = int(rng.integers(0, len(other) + 1))
        piece = PIECES[rng.integers(len(PIECES))]
        lines = data.split(b"\n")
        line = int(rng.integers(len(lines)))
        match int(rng.integers(8)):
            case 0:
                data = data[:a] + piece + data[a:]
            case 1:
                data = data[:a] + data[b:]
            case 2:
                data = data[:a] + data[a:b] * int(rng.choice([2, 50, 3000])) + data[b:]
            case 3:
                data = data[:a] + bytes(rng.integers(0, 256, min(b - a, 4), dtype=np.uint8)) + data[b:]
            case 4:
                data = data[:a] + other[c : c + 500] + data[b:]
            case 5:
                data = b"\n".join([*lines[:line], *[lines[line]] * int(rng.choice([0, 2, 5000])), *lines[line + 1 :]])
            case 6:
                key, sign, _ = lines[line].partition(b"=")
                data = b"\n".join([*lines[:line], key + (sign or b",") + piece, *lines[line + 1 :]])
            case _:
                data = data[:a] + piece * int(rng.choice([2, 1000, 20000 if len(piece) < 10 else 3])) + data[a:]
        data = data[: 8 * 2**20]
    return data


def inputs(seed: int, good: list[Source]) -> Iterator[tuple[Source, bytes]]:
    """Give spoiled files without end, of a replay that is packed sometimes what is in it."""
    rng = np.random.default_rng(seed)
    while True:
        source, other = (good[place] for place in rng.integers(len(good), size=2))
        packed = source.name.endswith(".gz") and rng.random() < 0.5
        data = spoiled(gzip.decompress(source.data) if packed else source.data, other.data, rng)
        yield source, gzip.compress(data, mtime=0) if packed else data


def put(source: Source, data: bytes, folder: Path) -> Path:
    """Write a file to be read, of a report into a copy of its folder; gives the file."""
    if source.folder is not None:
        (folder / "spoiled").mkdir(exist_ok=True)
        for name in PARTS:
            shutil.copyfile(source.folder / name, folder / "spoiled" / name)
    path = folder / ("" if source.folder is None else "spoiled") / source.name
    path.write_bytes(data)
    return path


def outcome(kind: str, path: Path) -> str:
    """Read a file: ``read``, ``refused``, or a line and a traceback of what should not be."""
    try:
        read(kind, path)
    except InputError as error:
        if len(error.problems) > 60 or max(map(len, error.problems)) > 2500:
            return f"says too much: {len(error.problems)} problems"
        return "refused"
    except BaseException as error:
        return f"{type(error).__name__}: {traceback.format_exc()}"
    return "read"


def read(kind: str, path: Path) -> None:
    """Read a file as komi's commands do."""
    what, _, name = kind.partition(" of ")
    if what == "set":
        load_set(load_game(name), path)
    elif what == "deck":
        load_deck(load_game(name), path)
    elif what == "study":
        load_study(path, compiled=False, checked=False)
    elif what == "weights":
        load_weights(path, "sea", tuple(strategy_features("sea")))
    elif what == "spreadsheet":
        read_csv(path)
    elif what == "report":
        if path.name == "summary.json":
            load_summary(path.parent)
        else:
            load_results(path.parent)
    else:
        content = replay.read(path)
        if content.get("game") in game_names():
            replay.check(content, load_set(load_game(content["game"])))


def work() -> None:
    """Read files that are named on lines, each after its kind, and answer with a line for each."""
    for line in sys.stdin:
        kind, _, path = line.rstrip("\n").partition("\t")
        told = outcome(kind, Path(path))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{peak}\t{told.encode('unicode_escape').decode()}", flush=True)


def main() -> None:
    """Spoil files for some minutes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work()
        return
    folder = Path(tempfile.mkdtemp(prefix="komi-fuzz-"))
    good = sources(folder)
    counts: dict[str, int] = {}
    failures: list[str] = []
    slowest, largest = (0.0, ""), (0, "")
    worker = started_worker(good, folder)
    ends = time.monotonic() + 60 * options.minutes
    for number, (source, data) in enumerate(inputs(options.seed, good)):
        if time.monotonic() > ends:
            break
        path = put(source, data, folder)
        started = time.monotonic()
        peak, told = ask(worker, source.kind, path, SECONDS)
        took = time.monotonic() - started
        slowest = max(slowest, (took, f"{number} ({source.kind}, {source.name})"))
        largest = max(largest, (peak, f"{number} ({source.kind}, {source.name})"))
        failed = told not in ("read", "refused") or peak > MEMORY
        counts[told if not failed else "failed"] = counts.get(told if not failed else "failed", 0) + 1
        if failed:
            kept = folder / f"failed-{number}-{source.name}"
            kept.write_bytes(data)
            failures.append(
                f"{kept}: {source.kind}: {told.splitlines()[-1] if told else ''} ({peak} MiB, {took:.1f} s)"
            )
            print(failures[-1], flush=True)
        if peak == 0 or peak > MEMORY:
            worker.kill()
            worker.wait()
            worker = started_worker(good, folder)
    worker.kill()
    worker.wait()
    print(f"seed {options.seed}: {sum(counts.values()):,} inputs, {len(failures)} failures ({counts})")
    print(f"slowest {slowest[0]:.1f} s: {slowest[1]}; most memory {largest[0]} MiB, first at {largest[1]}; in {folder}")


def started_worker(good: list[Source], folder: Path) -> subprocess.Popen[str]:
    """Start a process that reads files, and have it read the good ones, so that all is imported and compiled."""
    words = [sys.executable, __file__, "--work"]
    worker = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for one in good:
        ask(worker, one.kind, put(one, one.data, folder), 300)
    return worker


def ask(worker: subprocess.Popen[str], kind: str, path: Path, seconds: float) -> tuple[int, str]:
    """Have a file read; gives the peak of memory in MiB and the outcome."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(f"{kind}\t{path}\n")
    worker.stdin.flush()
    if not select.select([worker.stdout], [], [], seconds)[0]:
        return 0, "took too long"
    peak, _, told = worker.stdout.readline().rstrip("\n").partition("\t")
    return (int(peak), told.encode().decode("unicode_escape")) if peak else (0, "the process ended")


if __name__ == "__main__":
    main()
