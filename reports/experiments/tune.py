"""Weights found by playing: CMA-ES (Hansen 2016) on paired games against a pool of opponents.

A generation's candidates play the same pairs: they have the same label, from which random streams are derived, and the
next generation has another. Weights are searched by their logarithms, so that half as much and twice as much are
equally far from the start, and none changes its sign.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
import tomli_w
from numpy.typing import NDArray

from reports.stats.estimates import mean_of_matchups
from reports.studies.study import Study, StudyFile, resolve
from sim.files.errors import InputError
from sim.files.wording import listed, number, plural
from sim.kernels.loop import ROW_WINNER
from sim.library import load_game
from sim.run import Matchup, Runner, Side
from strategies.strategy import load_strategy, strategy_features, strategy_names

TUNED = "weighted"
POOL = ("greedy", "aggressive", "defensive", "value", "mixed")  # those of them that the game has
BUDGET = 2_000_000
FRESH_SHARE = 0.1  # of the budget, for what is told of the weights found
GENERATIONS = 300  # with a budget that allows them, with so many pairs at least:
LEAST_PAIRS = 5
SIGMA = 0.3
REACH = math.log(
    10
)  # no weight is less than a tenth or more than ten times that of the start: some matter little, and would stray
DECIMALS = 3


@dataclass(frozen=True, eq=False)
class Tuned:
    """Weights found, and what they are worth on fresh pairs.

    Attributes
    ----------
    study : Study
        Against whom (its strategies), with which decks and which seed.
    budget : int
        The games that were allowed.
    weights : dict of str to float
        By feature, rounded: as they were measured and are written.
    win_rate : tuple of float
        Their mean score over opponents and decks, with the bounds of its interval.
    gain : tuple of float
        How much more that is than what the weights of the start score on the same pairs, with the bounds of its
        interval.
    games : int
        The fresh games on which each of both rests.
    """

    study: Study
    budget: int
    weights: dict[str, float]
    win_rate: tuple[float, float, float]
    gain: tuple[float, float, float]
    games: int

    def sentence(self) -> str:
        """Tell what was found."""
        rate, gain = ([100 * x for x in numbers] for numbers in (self.win_rate, self.gain))
        wins = (
            f"The weights found win {rate[0]:.1f} % ({rate[1]:.1f} to {rate[2]:.1f}) against "
            f"{listed(list(self.study.strategies))}"
        )
        games = plural(self.games, "fresh game")
        if gain[1] > 0:
            return (
                f"{wins}, {gain[0]:.1f} points ({gain[1]:.1f} to {gain[2]:.1f}) more than those it started from "
                f"({games})."
            )
        signed = [number(value, 1, sign=True) for value in gain]
        return (
            f"{wins}; that is no gain: {signed[0]} points ({signed[1]} to {signed[2]}) to those it started from "
            f"({games})."
        )

    def toml(self) -> str:
        """Write the weights as a file that `weighted` can read, with a head that says how they were found."""
        game = self.study.game.name
        how = (
            f"Weights for {TUNED}, found by komi tune {game} with {plural(self.budget, 'game')} and the seed "
            f"{self.study.seed}, "
        )
        how += f"by the mirrors of {listed(list(self.study.decks))}. {self.sentence()}"
        head = fill(how, 110, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
        return f"{head}\n{tomli_w.dumps({'game': game, 'weights': self.weights})}"


def tuning_study(
    game_name: str, against: Sequence[str] | None = None, decks: Sequence[str] | None = None, seed: int | None = None
) -> Study:
    """Name what weights are tuned by: the opponents are the study's strategies.

    Parameters
    ----------
    game_name : str
        The game.
    against : sequence of str, optional
        The opponents; by default greedy and all profiles of the game.
    decks : sequence of str, optional
        Each is played against itself; by default the starter decks.
    seed : int, optional
        By default 1.

    Raises
    ------
    InputError
        If anything that is named cannot be found or used.
    """
    game = load_game(game_name)
    if TUNED not in strategy_names(game):
        raise InputError(f"{game.name}: has no strategy {TUNED!r}, whose weights are what is tuned")
    pool = against if against is not None else [name for name in POOL if name in strategy_names(game)]
    file = StudyFile(game=game.named, strategies=list(pool), decks=None if decks is None else list(decks))
    return resolve(file, Path(), game.name, f"tune {game.name}", seed=seed)


def tune(
    study: Study, *, budget: int = BUDGET, jobs: int = -1, progress: Callable[[int, float], object] | None = None
) -> Tuned:
    """Search for weights with which `weighted` wins more.

    Parameters
    ----------
    study : Study
        Whose strategies are the opponents; see `tuning_study`.
    budget : int
        How many games may be played in all; a tenth of them are fresh ones, by which the weights found are measured.
    jobs : int
        Threads; -1 for one a core. Changes no result.
    progress : function, optional
        Called after each generation with the number of its games and the best mean score so far.

    Returns
    -------
    Tuned
        The mean of the last generation's distribution: each candidate's score is partly luck, most of all the best
        one's.

    Raises
    ------
    InputError
        If cma is not installed, or the budget does not allow a generation.
    """
    features = tuple(strategy_features(study.game))
    field = len(study.decks) * len(study.strategies)
    size = 4 + int(3 * math.log(len(features)))  # the usual number of candidates
    shortest = 2 * field * size * LEAST_PAIRS  # one generation
    least = shortest + 4 * field
    if budget < least:
        met = f"opponents: {len(study.strategies)}, decks: {len(study.decks)}"
        raise InputError(f"--budget: found {budget:,}, expected at least {least:,} ({met})")
    fresh = max(min(int(FRESH_SHARE * budget), budget - shortest) // (4 * field), 1)
    left = budget - 4 * field * fresh
    pairs = max(left // (2 * field * size * GENERATIONS), LEAST_PAIRS)
    search = _search(len(features), size, study.seed)
    best = 0.0
    for generation in range(left // (2 * field * size * pairs)):
        candidates = search.ask()
        means = (
            play(study, [np.exp(x) for x in candidates], f"generation {generation}", pairs, jobs).mean(axis=(1, 2)) / 4
        )
        search.tell(candidates, list(-means))
        best = max(best, float(means.max()))
        if progress is not None:
            progress(2 * field * size * pairs, best)
    found = np.exp(search.result.xfavorite).round(DECIMALS)
    after, before = play(study, [found, np.ones(len(features))], "fresh", fresh, jobs)
    if progress is not None:
        progress(4 * field * fresh, best)
    win_rate = mean_of_matchups([np.bincount(scores, minlength=5) for scores in after], np.arange(5) / 4)[:3]
    moved = mean_of_matchups([np.bincount(scores, minlength=9) for scores in after - before + 4], np.arange(9) / 8)[:3]
    gain = (2 * moved[0] - 1, 2 * moved[1] - 1, 2 * moved[2] - 1)
    return Tuned(study, budget, dict(zip(features, found.tolist(), strict=True)), win_rate, gain, 2 * field * fresh)


def _search(dimensions: int, size: int, seed: int) -> Any:
    try:
        import cma
    except ModuleNotFoundError:
        raise InputError("komi tune needs cma: pip install 'komi[tune]'") from None
    normal = np.random.default_rng(seed % 2**64).standard_normal  # cma would seed numpy's global generator
    options = {
        "popsize": size,
        "bounds": [-REACH, REACH],
        "verbose": -9,
        "seed": math.nan,
        "randn": lambda *shape: normal(shape),
    }
    return cma.CMAEvolutionStrategy(np.zeros(dimensions), SIGMA, options)


def play(
    study: Study, candidates: Sequence[NDArray[np.float64]], label: str, pairs: int, jobs: int = -1
) -> NDArray[np.int64]:
    """Let candidates meet all opponents with all decks, each with the same random streams.

    Parameters
    ----------
    study : Study
        Opponents, decks, rules and seed.
    candidates : sequence of arrays
        The weights of each.
    label : str
        The candidates' label: another one is other deals.
    pairs : int
        Pairs against each opponent with each deck.
    jobs : int
        Threads.

    Returns
    -------
    int64 array, shape (candidates, opponents and decks, pairs)
        Twice the points of each pair, 0 to 4.
    """
    choose = load_strategy(study.game, TUNED).choose
    matchups = [
        Matchup(
            Side(name, deck, label, choose, tuple(weights)), Side(name, deck, foe.label, foe.choose, foe.parameters)
        )
        for weights in candidates
        for foe in study.strategies.values()
        for name, deck in study.decks.items()
    ]
    runner = Runner(
        study.game, study.card_set, study.rules, matchups, pairs, study.seed, study.knows_decks, keep_rows=True
    )
    scores = np.zeros((len(matchups), pairs), np.int64)
    for chunk in runner.play(jobs):
        assert chunk.rows is not None
        winners = chunk.rows[:, ROW_WINNER].reshape(
            -1, 2
        )  # of each pair: in its first game the candidate has seat 0, then 1
        points = 2 * (winners == (0, 1)) + (winners < 0)
        scores[chunk.matchup, chunk.first_pair : chunk.first_pair + len(points)] = points.sum(axis=1)
    return scores.reshape(len(candidates), -1, pairs)
