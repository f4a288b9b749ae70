"""What every strategy promises, checked by asking it in a few games: a legal choice, the same if it knows the same,
nothing changed.

The strategy plays both seats; in every other game the choices that are carried out are drawn at random, which leads to
positions that it would avoid. In each position it is asked three times: twice as it is, and once with what its player
may not know dealt anew.
"""

from __future__ import annotations

import ast
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sim.cards import CardSet, Deck, Rules
from sim.files.errors import InputError
from sim.files.toml import validate
from sim.files.wording import plural
from sim.game import Game
from sim.kernels.jit import plain_function
from sim.kernels.streams import STRATEGY, side_keys
from sim.library import deck_paths, load_deck, load_set
from sim.play import Match, Setup
from strategies.strategy import Strategy, line_in, place_of_function

GAMES = 4  # by default
MOST_SECONDS = 10.0  # after which a slow strategy is asked no more
PATIENCE_SECONDS = 10.0  # for the answers in one position
AGAIN = 8  # how often a strategy is asked to tell one that draws lots from one that peeks


def check_strategy(strategy: Strategy, setups: Sequence[Setup] | None = None, games: int = GAMES) -> int:
    """Play a few games and look for what a strategy may not do.

    Parameters
    ----------
    strategy : Strategy
        The strategy; it plays both seats.
    setups : sequence of Setup, optional
        What it plays, in turn; by default the game's starter decks, known and unknown to the opponent.
    games : int
        How many games at most; fewer if they take long.

    Returns
    -------
    int
        How many games were played; the last may have been ended early.

    Raises
    ------
    InputError
        With the first mistake: the strategy's file, the line, what it did and where in the game.
    """
    strategy.game.compile_steps()
    if setups is None:
        known, unknown = (starter_setups(strategy.game, knows_decks) for knows_decks in (True, False))
        setups = [setup for both in zip(known, unknown, strict=True) for setup in both]
    progress = _Progress()
    worker = threading.Thread(
        target=_play, args=(strategy, setups, games, progress), daemon=True
    )  # it may never come back
    worker.start()
    while worker.is_alive():
        worker.join(0.1)
        if time.monotonic() - progress.asked_at > PATIENCE_SECONDS:
            raise _refusal(strategy, f"does not answer within {plural(PATIENCE_SECONDS, 'second')} ({progress.where})")
    if progress.error is not None:
        raise progress.error
    return progress.games


def pair_up(game: Game, card_set: CardSet, decks: Sequence[Deck], rules: Rules, knows_decks: bool) -> list[Setup]:
    """Seat each deck once, two by two; a deck without another one meets the first."""
    pairs = [(decks[i], decks[(i + 1) % len(decks)]) for i in range(0, len(decks), 2)]
    return [Setup(game, card_set, pair, rules, knows_decks) for pair in pairs]


def starter_setups(game: Game, knows_decks: bool = True) -> list[Setup]:
    """Seat the game's starter decks, two by two."""
    card_set = load_set(game)
    decks = [load_deck(game, label, card_set) for label in deck_paths(game)]
    return pair_up(game, card_set, decks, validate({}, game.rules, "rules"), knows_decks)


def positions(
    setup: Setup, choose: Callable[..., int], seed: int, wander: np.random.Generator | None = None
) -> Iterator[Match]:
    """Walk through a game that a strategy plays in both seats; give each position in which it decides.

    Parameters
    ----------
    setup : Setup
        What is played.
    choose : function
        The strategy's function.
    seed : int
        Of the deal.
    wander : numpy.random.Generator, optional
        Where choices are drawn from that are carried out instead of the strategy's.
    """
    match = Match(setup)
    match.deal(side_keys(seed, setup.game.name, (("first", "checked"), ("second", "checked"))))
    while not match.is_over:
        if match.waits_for_chance:
            match.let_happen()
        else:
            yield match
            match.act(match.ask(choose) if wander is None else int(wander.integers(len(match.legal_codes))))


@dataclass
class Mistake:
    """What a strategy did wrong.

    Attributes
    ----------
    text : str
        In words that go on from the name of its function.
    changed : str
        The parameter of its function that it has changed, if it has.
    error : Exception or None
        What its code raised.
    """

    text: str
    changed: str = ""
    error: Exception | None = None


def find_mistake(match: Match, choose: Callable[..., int], random: np.random.Generator) -> Mistake | None:
    """Ask a strategy in a position in every way that may show a mistake; afterwards all is as before.

    Parameters
    ----------
    match : Match
        A game that waits for the strategy's decision.
    choose : function
        The strategy's function.
    random : numpy.random.Generator
        Where what is hidden is dealt from.
    """
    question = _Question(match)
    try:
        chosen = question.ask(choose)
        if isinstance(chosen, Mistake):
            return chosen
        question.restore()
        match.game.words.scramble_hidden(match.state, match.table, match.decider, random)
        anew = question.answer(choose)
        for _ in range(AGAIN if anew != chosen else 1):
            question.restore()
            again = question.ask(choose)
            if isinstance(again, Mistake):
                return again
            if again != chosen:
                said = f"chooses {match.legal[chosen]!r} and, asked again in the same position, {match.legal[again]!r}"
                return Mistake(f"{said}; chance is drawn by strategies.noise.any_of(state, n)")
        if anew == chosen:
            return None
        question.restore()
        hidden = "the opponent's hand, the order of cards, coming chance"
        hidden += "" if match.table["knows_decks"] else ", the opponent's deck list, since knows_decks is false"
        did = anew.text if isinstance(anew, Mistake) else f"chooses {match.legal[anew]!r}"
        return Mistake(
            f"looks at what its player may not know: with that ({hidden}) dealt anew it {did} instead of "
            f"{match.legal[chosen]!r}"
        )
    finally:
        question.restore()


class _Question:
    """A position that waits for a decision, and all that a strategy could change in it."""

    def __init__(self, match: Match):
        self.match = match
        self.decider = match.decider
        self.legal = match.legal_codes.copy()
        self.live = {"state": match.states, "table": match.setup.tables, "legal": self.legal}
        self.kept = {
            name: array.view(np.uint8).copy().view(array.dtype) for name, array in self.live.items()
        }  # byte by byte

    def restore(self) -> None:
        """Make everything as it was."""
        for name, array in self.live.items():
            array.view(np.uint8)[:] = self.kept[name].view(np.uint8)

    def answer(self, choose: Callable[..., int]) -> int | Mistake:
        """Ask once; give the place chosen, or what is wrong with it."""
        n = len(self.legal)
        try:
            place = choose(self.match.state, self.match.table, self.legal, n)
        except Exception as error:
            return Mistake(f"fails: {type(error).__name__}: {error}", error=error)
        if not isinstance(place, int | np.integer):
            return Mistake(f"returns {place!r}, expected an integer: a place in the legal list")
        if not 0 <= place < n:
            return Mistake(f"chooses place {place} of a legal list of {n}; places run from 0 to {n - 1}")
        return int(place)

    def ask(self, choose: Callable[..., int]) -> int | Mistake:
        """Ask once; give the place chosen, or what is wrong with it or with what it has changed."""
        own = self.match.state["players"][self.decider]["streams"][STRATEGY]
        before = own.copy()
        place = self.answer(choose)
        after, own[:] = own.copy(), before  # its own stream alone may go on
        for name, array in self.live.items():
            if (array.view(np.uint8) != self.kept[name].view(np.uint8)).any():
                where, old, new = next(differences(self.kept[name], array, name))
                return Mistake(f"changes {where} from {old} to {new}; a strategy only chooses", changed=name)
        own[:] = after
        return place


def differences(before: Any, after: Any, at: str) -> Iterator[tuple[str, Any, Any]]:
    """List the numbers that differ between two records or arrays: where they stand, the old and the new one."""
    if before.shape == (1,) and before.dtype.names:
        yield from differences(before[0], after[0], at)
    elif before.dtype.names and before.shape == ():
        for name in before.dtype.names:
            yield from differences(before[name], after[name], f"{at}.{name}")
    elif before.shape == ():
        if before.tobytes() != after.tobytes():
            yield at, before, after
    else:
        for place in range(len(before)):
            if before[place].tobytes() != after[place].tobytes():
                yield from differences(before[place], after[place], f"{at}[{place}]")


@dataclass
class _Progress:
    """How far a check has come."""

    games: int = 0
    asked_at: float = float("inf")
    where: str = ""
    error: Exception | None = None


def _play(strategy: Strategy, setups: Sequence[Setup], games: int, progress: _Progress) -> None:
    """Play the games of a check; in a thread of its own."""
    random, parameters = np.random.default_rng(1), (strategy.parameters, strategy.parameters)
    end = time.monotonic() + MOST_SECONDS
    try:
        with np.errstate(over="ignore"):  # without JIT, numpy warns in each thread where arithmetic wraps around
            for number in range(games):
                progress.games += 1
                setup = replace(setups[number // 2 % len(setups)], parameters=parameters)
                for match in positions(setup, strategy.choose, number, random if number % 2 else None):
                    progress.where = f"turn {match.turn}, {match.decision}"
                    progress.asked_at = time.monotonic()
                    mistake = find_mistake(match, strategy.choose, random)
                    if mistake is not None:
                        progress.error = _refusal(strategy, f"{mistake.text} ({progress.where})", mistake)
                        return
                    if time.monotonic() > end:
                        return
    except Exception as error:  # is raised again in the thread that waits
        progress.error = error
    finally:
        progress.asked_at = float("inf")


def _refusal(strategy: Strategy, text: str, mistake: Mistake | None = None) -> InputError:
    """Say what a strategy did wrong, with its file and the line where that can be told."""
    if strategy.path is None:
        return InputError(f"strategy {strategy.label}: it {text}")
    path, line = place_of_function(strategy.choose, strategy.path)
    if mistake is not None and mistake.error is not None:
        line = line_in(path, mistake.error) or line
    if mistake is not None and mistake.changed:
        line = _line_of_change(path, line, mistake.changed) or line
    return InputError(f"{path}:{line}: {getattr(plain_function(strategy.choose), '__name__', 'choose')} {text}")


def _line_of_change(path: Path, first_line: int, parameter: str) -> int | None:
    """Find the line of a function that changes one of its parameters, or what it has taken out of it."""
    statements = []
    for function in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(function, ast.FunctionDef) and first_line in (
            function.lineno,
            *(node.lineno for node in function.decorator_list),
        ):
            statements = [node for node in ast.walk(function) if isinstance(node, ast.Assign | ast.AugAssign)]
    parts = {parameter}
    for statement in sorted(statements, key=lambda node: node.lineno):
        for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
            if isinstance(target, ast.Subscript) and _root(target) in parts:
                return statement.lineno
            if isinstance(target, ast.Name) and _root(statement.value) in parts:
                parts.add(target.id)
    return None


def _root(node: ast.expr) -> str:
    """Give the name that something is taken out of: ``a`` of ``a["b"][0]``."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
