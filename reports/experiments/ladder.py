"""The ladder of a game's strategies: all against all with every deck against itself, rated, with their speeds."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from reports.studies.study import LADDER, Study, StudyFile, resolve
from sim.files.errors import InputError
from sim.files.toml import validate
from sim.files.wording import number
from sim.game import Game
from sim.run import Matchup, Runner
from strategies.strategy import ladder as rungs_of

SPEED_SECONDS = 0.3  # for which each strategy's speed is measured


def ladder_study(
    game: Game,
    decks: list[str] | None,
    strategies: list[str] | None,
    set_name: str,
    pairs: int,
    search_pairs: int,
    seed: int,
) -> Study:
    """Make the study of a ladder.

    Parameters
    ----------
    game : Game
        The game.
    decks : list of str or None
        Labels or files of decks; None for all of the set.
    strategies : list of str or None
        Its rungs, the weakest first; None for all that come with the game.
    set_name : str
        The card set: its name or a file.
    pairs, search_pairs : int
        Pairs of games a deck for each two strategies, and where one of them searches.
    seed : int
        The same seed gives the same games.

    Raises
    ------
    InputError
        If something cannot be found or used.
    """
    keys = {
        "game": game.named,
        "set": set_name,
        "decks": decks,
        "pairs": pairs,
        "search_pairs": search_pairs,
        "seed": seed,
    }
    content = {key: value for key, value in keys.items() if value is not None}
    rungs = [LADDER] if strategies is None else strategies
    found = sum(len(rungs_of(game.name)) if name == LADDER else 1 for name in rungs)
    if found < 2:
        raise InputError(f"--strategies: found {found}, expected at least 2")
    try:
        file = validate({**content, "strategies": rungs, "matchups": "same deck"}, StudyFile, "komi ladder")
    except InputError as error:
        raise InputError(
            [problem.replace("komi ladder: ", "--", 1).replace("_", "-", 1) for problem in error.problems]
        ) from None
    return resolve(file, Path(), f"{game.name}-ladder", "komi ladder")


def speeds(study: Study) -> dict[str, float]:
    """Measure how many games a second each strategy plays against itself on one core, with the study's first deck."""
    found = {}
    for matchup in study.matchups():
        if matchup.is_mirror and matchup.a.deck_label == next(iter(study.decks)):
            runner = Runner(
                study.game,
                study.card_set,
                study.rules,
                [Matchup(matchup.a, matchup.b)],
                1,
                study.seed,
                study.knows_decks,
            )
            games, started = 0, time.perf_counter()
            while time.perf_counter() - started < SPEED_SECONDS:
                runner.pairs = max(10 * games, 1)
                games += sum(chunk.games for chunk in runner.play(1))
            found[matchup.a.strategy_label] = games / (time.perf_counter() - started)
    return found


def lines(tables: Mapping[str, pd.DataFrame], measured: Mapping[str, float]) -> Iterator[str]:
    """Say what a ladder has found, by its report's tables and the strategies' speeds.

    A line a rung, with its rating, the first seat's win rate and its speed, then who beats whom: a column each, by
    number, since names may be long.
    """
    ratings, skill = (
        {row["strategy"]: row for row in tables[name].to_dict("records")} for name in ("ratings", "skill")
    )
    names = {name: f"{place:>{len(str(len(measured)))}} {name}" for place, name in enumerate(measured, 1)}
    width = max(len(name) for name in (*names.values(), "wins in %"))
    yield f"{'strategy':{width}}  rating (95 % interval)  first seat wins (95 % interval)  games/s"
    for name, speed in measured.items():
        rating, seat = ratings[name], skill[name]
        rated = f"{number(rating['rating']):>6} ({number(rating['rating_low'])} to {number(rating['rating_high'])})"
        first = (
            f"{100 * seat['first_win_rate']:5.1f} % ({100 * seat['first_win_low']:.1f} to "
            f"{100 * seat['first_win_high']:.1f})"
        )
        yield f"{names[name]:{width}}  {rated:22}  {first:31}  {speed:,.0f}"
    yield ""
    yield f"{'wins in %':{width}}  " + "  ".join(f"{place:5}" for place in range(1, len(names) + 1))
    cells = {(row["strategy"], row["opponent"]): row["win_rate"] for row in tables["strategies"].to_dict("records")}
    for name, numbered in names.items():
        yield f"{numbered:{width}}  " + "  ".join(f"{100 * cells[name, other]:5.1f}" for other in names)
