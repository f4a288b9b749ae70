"""Runs that are killed at any moment: what komi advises works, and ends with the bytes of an unbroken run.

Each round starts a study (some with a file of games, some with a sweep, some ``until`` something), ends it after a
random time by SIGKILL, SIGINT, SIGTERM or SIGHUP, and goes on with ``--resume`` where something is kept, else begins
again, until it ends by itself. Then the report and the file of games are compared with those of an unbroken run, and
nothing else may lie beside them. Prints a line a failure, then how many kills there were and how many failures; the
exit code is 1 if there were any.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KOMI = [sys.executable, "-m", "reports.cli"]
HEAD = 'game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["random", "greedy"]\n'
STUDIES = {
    "plain": HEAD + "pairs = 20000\n",
    "games": HEAD + "pairs = 20000\n",
    "sweep": HEAD + "pairs = 300\n[sweep]\nrules.draw_count = [1, 2, 3]\nrules.opening_hand = [3, 4, 5, 6]\n",
    "until": HEAD + "until = {half_width = 0.6, max_pairs = 40000}\n",
}
KILLS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
MOST_TRIES = 40


def command(kind: str, folder: Path) -> list[str]:
    """Give the words that play a study into a folder."""
    games = ["--games-file", str(folder / "g.parquet")] if kind == "games" else []
    return [*KOMI, "run", str(folder / "s.toml"), "--out", str(folder / "out"), *games]


def prepare(kind: str, folder: Path) -> Path:
    """Make a folder with the study."""
    folder.mkdir()
    (folder / "s.toml").write_text(STUDIES[kind])
    return folder


def content(folder: Path) -> dict[str, bytes]:
    """Give what a finished run has left, by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def broken(kind: str, folder: Path, seconds: float, chance: random.Random) -> tuple[int, str | None]:
    """Kill a run again and again; gives how often, and what was wrong in the end."""
    kills = 0
    for _ in range(MOST_TRIES):
        resume = ["--resume"] if (folder / "out.unfinished" / "counts.json").exists() else []
        again = [] if resume else ["--force"] * (folder / "out").exists()
        process = subprocess.Popen([*command(kind, folder), *resume, *again], stderr=subprocess.PIPE, text=True)
        how = chance.choice(KILLS)
        try:
            process.wait(chance.uniform(0.5, 1.2 * seconds))
        except subprocess.TimeoutExpired:
            process.send_signal(how)
            kills += 1
        said = process.communicate()[1]
        if process.returncode == 0:
            return kills, None
        if process.returncode not in (-how, 130):
            return (
                kills,
                f"{kind}: after {kills} kills, exit code {process.returncode}: {said.strip().splitlines()[-1:]}",
            )
    subprocess.run([*command(kind, folder), *resume], check=True, capture_output=True)
    return kills, None


def main() -> int:
    """Kill runs for some minutes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    end = time.monotonic() + 60 * options.minutes
    kills = rounds = failures = 0
    with tempfile.TemporaryDirectory() as name:
        whole, seconds = {}, {}
        for kind in STUDIES:
            folder = prepare(kind, Path(name) / kind)
            started = time.monotonic()
            subprocess.run(command(kind, folder), check=True, capture_output=True)
            whole[kind], seconds[kind] = content(folder), time.monotonic() - started
        while time.monotonic() < end or not rounds:
            kind = chance.choice(list(STUDIES))
            folder = prepare(kind, Path(name) / f"{rounds}")
            more, wrong = broken(kind, folder, seconds[kind], chance)
            found = content(folder)
            if wrong is None and found != whole[kind]:
                names = sorted(key for key in {*found, *whole[kind]} if found.get(key) != whole[kind].get(key))
                wrong = f"{kind}: after {more} kills, other than an unbroken run: {', '.join(names)}"
            kills, rounds, failures = kills + more, rounds + 1, failures + (wrong is not None)
            if wrong is not None:
                print(wrong, flush=True)
    print(f"{rounds} runs, {kills} kills, {failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
