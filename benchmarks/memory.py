"""Peak memory of a run by its number of games: it must not grow with them.

    python benchmarks/memory.py [--most 100000000]

Each number of games is played in a process of its own: the sea game, one deck against itself, `random` on both sides.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time

LEAST, MOST = 10**5, 10**8


def play(games: int) -> None:
    """Play so many games and print peak memory in MiB and seconds."""
    from pathlib import Path

    from reports import run_study
    from reports.studies.study import StudyFile, resolve

    study = resolve(
        StudyFile(game="sea", decks=["rush"], strategies=["random"], pairs=games // 2),
        Path(),
        "memory",
        "this benchmark",
    )
    run_study(
        resolve(
            StudyFile(game="sea", decks=["rush"], strategies=["random"], pairs=100), Path(), "memory", "this benchmark"
        )
    )
    started = time.monotonic()
    run_study(study)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, time.monotonic() - started)


def main() -> None:
    """Play ten times as many games each time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=MOST, help="the most games")
    parser.add_argument("--games", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.games is not None:
        play(options.games)
        return
    games = LEAST
    while games <= options.most:
        words = [sys.executable, __file__, "--games", str(games)]
        peak, seconds = map(float, subprocess.run(words, check=True, capture_output=True, text=True).stdout.split())
        print(f"{games:>11,} games: {peak:5.0f} MiB at most, {seconds:6.1f} s", flush=True)
        games *= 10


if __name__ == "__main__":
    main()
