"""Measures how fast komi plays and starts: ``make bench``, or ``python benchmarks/speed.py --yardstick PROGRAM``.

Machines are noisy, so speeds that are compared are measured in turn, in one run, and given as the median of their
ratios. The yardstick is a program that plays the sea game in C: ``PROGRAM all GAMES SEED POLICY POLICY`` prints, on its
last line, ``decisions MEAN`` and ``cpu SECONDS`` for GAMES games of each of the 36 ordered pairs of starter decks.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import numpy as np

from reports.studies.study import StudyFile, resolve
from sim import game_names
from sim.kernels.loop import DECISIONS
from sim.library import load_game
from sim.run import Runner
from strategies import load_strategy, strategy_names
from strategies.check import positions, starter_setups
from strategies.search import PLAYOUTS, TRIES
from strategies.strategy import strategy_features, strategy_options

GAMES_A_PAIR_OF_DECKS = 2_000
REFERENCE = "sea"  # the game that others are measured against
BUDGET = 1_000  # play-outs a decision where search is measured
SEARCHED = 30  # decisions of each game that are searched
OWN_STRATEGY = Path(__file__).parents[1] / "examples" / "reef" / "face.py"
FIRST_RESULT = (
    "from reports.studies.study import load_study as s; next(s('{game}', pairs=1).runner().play(1)); import os; "
    "os._exit(0)"
)


LOAD_OWN = """
import time
from pathlib import Path
from sim import load_game
from strategies import load_strategy
started = time.perf_counter()
load_strategy(load_game("sea"), "{path}")
print(time.perf_counter() - started)
"""


def searches(game: str, strategy: str) -> bool:
    """Tell whether a strategy tries out games: it is measured by play-outs, not by games."""
    return PLAYOUTS in strategy_options(game, strategy)


def make_runner(game: str, strategy: str) -> Runner:
    """Seat every pair of starter decks, one strategy on both sides."""
    return resolve(StudyFile(game=game, strategies=[strategy], pairs=1), Path(), "bench", "bench").runner()


def tasks(runner: Runner) -> list:
    """Make the arguments of one chunk a matchup: as many games for each ordered pair of decks (a mirror is one of 36,
    not two).
    """
    made = []
    for function, (chunk, *others), _ in runner._tasks(runner.blocks):
        half = 1 if not runner.matchups[chunk.matchup].is_mirror else 2
        made.append((function, (chunk._replace(pairs=GAMES_A_PAIR_OF_DECKS // half), *others)))
    return made


def warm_up(work: list) -> None:
    """Compile all that tasks need, or load it."""
    for function, (chunk, *others) in work:
        function(chunk._replace(pairs=1), *others)


def compile_all() -> None:
    """Compile what is measured in a process of its own: the one that compiles plays some 5 to 20 % slower than those
    after it.
    """
    for game in game_names():
        for strategy in strategy_names(game):
            runner = make_runner(game, f"{strategy}:1" if searches(game, strategy) else strategy)
            warm_up(tasks(runner)[: 1 if searches(game, strategy) else None])


def play_once(work: list) -> tuple[int, int, float]:
    """Play all tasks on this core; give games, decisions and seconds of CPU."""
    games = decisions = 0
    started = time.thread_time()
    for function, args in work:
        chunk = function(*args)
        games += chunk.games
        decisions += int(chunk.counts.choices[:, :, DECISIONS].sum())
    return games, decisions, time.thread_time() - started


def yardstick_once(program: str, strategy: str) -> tuple[float, float]:
    """Give games and decisions a second of CPU of the yardstick."""
    words = [program, "all", str(GAMES_A_PAIR_OF_DECKS), "1", strategy, strategy]
    line = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    seconds = float(re.search(r"cpu ([\d.]+)", line)[1])
    decisions = float(re.search(r"decisions ([\d.]+)", line)[1])
    games = 36 * GAMES_A_PAIR_OF_DECKS
    return games / seconds, games * decisions / seconds


def bench_speed(strategy: str, rounds: int, yardstick: str | None) -> None:
    """Measure one strategy in every game, in turn, against the first of them and the yardstick."""
    games = [game for game in (REFERENCE, *game_names()) if strategy in strategy_names(game)]
    work = {game: tasks(make_runner(game, strategy)) for game in dict.fromkeys(games)}
    for tasks_of_game in work.values():
        warm_up(tasks_of_game)
    speeds: dict[str, list] = {game: [] for game in work}
    others = []
    for _ in range(rounds):
        for game, tasks_of_game in work.items():
            played, decisions, seconds = play_once(tasks_of_game)
            speeds[game].append((played / seconds, decisions / seconds))
        if yardstick:
            others.append(yardstick_once(yardstick, strategy))
    for game, measured in speeds.items():
        of_games, of_decisions = median(measured)
        speed = f"{of_games:,.0f} games/s, {of_decisions:,.0f} decisions/s, {1e9 / of_decisions:.1f} ns a decision"
        text = f"{game:5} {strategy:8} one core: {speed}"
        if game != REFERENCE and REFERENCE in speeds:
            text += f"; {median(ratios(speeds[REFERENCE], measured))[1]:.2f} times {REFERENCE}'s"
        elif others:
            compared = median(ratios(measured, others))
            text += f"; {compared[0]:.2f} of C's games/s, {compared[1]:.2f} of C's decisions/s"
        print(text, flush=True)


def median(rows: list) -> list[float]:
    """Give the median of each column."""
    return [statistics.median(column) for column in zip(*rows, strict=True)]


def ratios(rows: list, others: list) -> list:
    """Divide each round's numbers by those of the same round."""
    return [[x / y for x, y in zip(row, other, strict=True)] for row, other in zip(rows, others, strict=True)]


def playouts_of(strategy: str, actions: int, budget: int) -> int:
    """Count the play-outs of one decision, as `strategies.search` halves (``ismcts``) or divides them."""
    left = min(actions, max(budget // TRIES, 2))
    if strategy == "montecarlo":
        return max(budget // left, 1) * left
    rounds = max((left - 1).bit_length(), 1)
    played = 0
    while left > 1:
        played += max(budget // (rounds * left), 1) * left
        left = (left + 1) // 2
    return played


def bench_search(game: str, strategy: str) -> None:
    """Measure a strategy that tries out games, in decisions of games that greedy plays; play-outs that a tree cuts
    short are whole ones.
    """
    searching, greedy = load_strategy(load_game(game), f"{strategy}:{BUDGET}"), load_strategy(load_game(game), "greedy")
    speeds = []
    for setup in starter_setups(load_game(game)):
        decisions = (match for match in positions(setup, greedy.choose, seed=1) if len(match.legal_codes) > 1)
        for match in islice(decisions, SEARCHED):
            match.table["parameters"][:, : len(searching.parameters)] = searching.parameters
            started = time.thread_time()
            match.ask(searching.choose)
            seconds = time.thread_time() - started
            match.table["parameters"][:] = 0.0
            played = playouts_of(strategy, len(match.legal_codes), BUDGET)
            speeds.append((played, seconds))
    played, seconds = (sum(column) for column in zip(*speeds, strict=True))
    print(
        f"{game:5} {strategy:8} one core: {played / seconds:,.0f} play-outs/s, {seconds / len(speeds) * 1e3:.0f} ms "
        f"for {BUDGET}",
        flush=True,
    )


def bench_profiles(game: str, rounds: int) -> None:
    """Measure the strategies that weigh features as a share of greedy's games a second."""
    profiles = [name for name in strategy_names(game) if len(weights_of(game, name)) == len(strategy_features(game))]
    work = {name: tasks(make_runner(game, name)) for name in ("greedy", *profiles)}
    speeds: dict[str, list] = {name: [] for name in work}
    for tasks_of_strategy in work.values():
        warm_up(tasks_of_strategy)
    for _ in range(rounds):
        for name, tasks_of_strategy in work.items():
            played, _, seconds = play_once(tasks_of_strategy)
            speeds[name].append((played / seconds,))
    shares = {name: median(ratios(speeds[name], speeds["greedy"]))[0] for name in profiles}
    print(
        f"{game:5} of greedy's games/s: {', '.join(f'{name} {share:.2f}' for name, share in shares.items())}",
        flush=True,
    )


def weights_of(game: str, strategy: str) -> list[float]:
    """Give the numbers that a strategy is told by default."""
    return [number for option in strategy_options(game, strategy) for number in option.default]


def bench_own() -> None:
    """Measure how long a user's strategy takes to load: in a first process, which compiles it, and in the next."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", LOAD_OWN.format(path=OWN_STRATEGY)]
        first, second = (
            float(
                subprocess.run(
                    words, env={**os.environ, "NUMBA_CACHE_DIR": folder}, capture_output=True, text=True, check=True
                ).stdout
            )
            for _ in range(2)
        )
    print(
        f"a strategy of one's own: {first:.1f} s to load in the first process, {second:.2f} s in the next", flush=True
    )


def bench_cores(game: str, strategy: str, rounds: int) -> None:
    runner = make_runner(game, strategy)
    runner.pairs = 10_000
    ratios = []
    for _ in range(rounds):
        walls = []
        for jobs in (1, 2):
            started = time.perf_counter()
            for _ in runner.play(jobs):
                pass
            walls.append(time.perf_counter() - started)
        ratios.append(walls[0] / walls[1])
    print(f"{game:5} {strategy:8} two threads: {statistics.median(ratios):.2f} times one", flush=True)


def bench_start(game: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        seconds = []
        for _ in range(2):
            started = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", FIRST_RESULT.format(game=game)],
                env={**os.environ, "NUMBA_CACHE_DIR": folder},
                check=True,
            )
            seconds.append(time.perf_counter() - started)
    print(
        f"{game:5} first result of a new process: {seconds[0]:.1f} s cold (all compiled), {seconds[1]:.1f} s warm",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", help="a program that plays the sea game in C")
    parser.add_argument("--compile", action="store_true", help="compile what is measured, and end")
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    if options.compile:
        compile_all()
        return
    subprocess.run([sys.executable, __file__, "--compile"], check=True)
    print(f"numpy {np.__version__}, {os.cpu_count()} cores, medians of {options.rounds} rounds")
    for strategy in ("random", "greedy"):
        bench_speed(strategy, options.rounds, options.yardstick)
    bench_speed("mixed", min(options.rounds, 3), None)
    for game in game_names():
        bench_profiles(game, 3)
        for strategy in strategy_names(game):
            if searches(game, strategy):
                bench_search(game, strategy)
    bench_own()
    for game in game_names():
        bench_cores(game, "greedy", 3)
        bench_start(game)


if __name__ == "__main__":
    main()
