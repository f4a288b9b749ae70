"""Measures studies of many matchups beside one of few: seconds, memory and the size of the report.

    python benchmarks/matchups.py [--decks 40] [--pairs 20]

Each study is a `komi run` in a process of its own, from what is compiled already: once as many legal decks as asked,
drawn from a fixed seed, with three players; once the starter decks with the same players and about as many games; and
each game's starter study.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

import tomli_w

GAME = "sea"
DATA = Path(__file__).parents[1] / "sim" / GAME / "data"
DECK_SIZE, COPIES = 16, 3  # of the rules' defaults
STRATEGIES = ("random", "greedy", "tuned")
SEED = 1


class Measured(NamedTuple):
    """What a study took: seconds of the clock and of CPU, the most memory and the report's size in MB."""

    wall: float
    cpu: float
    memory: float
    report: float


def legal_decks(n: int, seed: int = SEED) -> list[dict[str, int]]:
    """Draw ``n`` legal decks of the starter set: the copies of each card."""
    cards = [card["id"] for card in tomllib.loads((DATA / "starter.toml").read_text(encoding="utf-8"))["card"]]
    drawn = random.Random(seed)
    decks = []
    for _ in range(n):
        held = drawn.sample([card for card in cards for _ in range(COPIES)], DECK_SIZE)
        decks.append({card: held.count(card) for card in cards if card in held})
    return decks


def write_study(folder: Path, decks: int, pairs: int) -> Path:
    """Write a study of so many drawn decks with three players; gives its file."""
    names = [f"d{number:02}" for number in range(1, decks + 1)]
    for name, cards in zip(names, legal_decks(decks), strict=True):
        deck = {"game": GAME, "set": "starter", "name": name, "cards": cards}
        (folder / f"{name}.toml").write_text(tomli_w.dumps(deck), encoding="utf-8")
    study = {
        "game": GAME, "name": "many", "decks": [f"{name}.toml" for name in names], "strategies": list(STRATEGIES),
        "pairs": pairs,
    }  # fmt: skip
    path = folder / "many.toml"
    path.write_text(tomli_w.dumps(study), encoding="utf-8")
    return path


def write_few(folder: Path, games: int) -> Path:
    """Write a study of the starter decks with the same players and about so many games; gives its file."""
    sides = len(STRATEGIES) * len(list((DATA / "decks").glob("*.toml")))
    pairs = max(games // (sides * (sides + 1)), 1)
    path = folder / "few.toml"
    path.write_text(tomli_w.dumps({"game": GAME, "strategies": list(STRATEGIES), "pairs": pairs}), encoding="utf-8")
    return path


def measured(study: str | Path, out: Path) -> Measured:
    """Run a study in a process of its own. This process has to be small: its memory counts until the other begins."""
    started = time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "reports.cli", "run", str(study), "--out", str(out)])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    return Measured(time.monotonic() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, size / 1e6)


def main() -> None:
    """Measure many matchups, few, and the starter studies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decks", type=int, default=40)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--starters", nargs="*", default=["sea", "dino", "seer"], help="games")
    options = parser.parse_args()
    sides = options.decks * len(STRATEGIES)
    matchups = sides * (sides + 1) // 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        studies = {
            f"{matchups:,} matchups": write_study(folder, options.decks, options.pairs),
            "few matchups": write_few(folder, 2 * options.pairs * matchups),
            **{f"{game}'s starter study": game for game in options.starters},
        }
        for place, (said, study) in enumerate(studies.items()):
            took = measured(study, folder / f"report{place}")
            print(
                f"{said}: {took.wall:.1f} s, {took.cpu:.1f} s of CPU, {took.memory:.0f} MiB at most, a report of "
                f"{took.report:.1f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
