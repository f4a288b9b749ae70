"""Whose games a study's main answers are told of: the strategy that plays best, as far as is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sim.game import Game
from strategies.strategy import is_file, ladder, strategy_names, strategy_options

if TYPE_CHECKING:
    import pandas as pd

RANDOM = "random"


def strongest(tables: Mapping[str, pd.DataFrame], among: Iterable[str]) -> str:
    """Name the best rated of some strategies of a study; where strategies did not meet, the strongest by the ladder.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        From `reports.tables.all_tables`.
    among : iterable of str
        Labels of strategies of the study, in its order; at least one.
    """
    names = list(dict.fromkeys(among))
    if "ratings" not in tables:
        return by_ladder(str(tables["matchups"]["game"].iloc[0]), names)
    ratings = tables["ratings"].set_index("strategy")["rating"]
    return max(names, key=lambda name: ratings[name])


def why_strongest(tables: Mapping[str, pd.DataFrame], among: Iterable[str]) -> str:
    """Say why a study's answers are told of `strongest`, after its name."""
    if len(set(among)) == 1:
        return "the only strategy whose decks met"
    return (
        "the best rated strategy of this study"
        if "ratings" in tables
        else "the strongest by the game's ladder (they did not meet)"
    )


def by_ladder(game: Game | str, labels: Iterable[str], *, searching: bool = True) -> str:
    """Name the strongest of some strategies by their places on the game's ladder (`strategies.strategy.ladder`).

    What has no place there, an own file or own weights, comes after all that have one, but before random play. Of equal
    ones, the last.

    Parameters
    ----------
    game : Game or str
        The game.
    labels : iterable of str
        Labels of strategies; at least one.
    searching : bool
        Those that search compete with the others; otherwise they come after them, before random play.
    """
    rungs = ladder(game)

    def place(label: str) -> tuple[bool, bool, int]:
        base = label.partition(":")[0]
        return base != RANDOM, searching or not searches(game, label), rungs.index(base) if base in rungs else -1

    return max(reversed(list(labels)), key=place)


def searches(game: Game | str, label: str) -> bool:
    """Tell whether a strategy tries out how games go on, by its label."""
    base = label.partition(":")[0]
    if is_file(label) or base not in strategy_names(game):
        return False
    return any(option.name == "playouts" for option in strategy_options(game, base))
