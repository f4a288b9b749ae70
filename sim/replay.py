"""Replays: one game, whole, as JSON, written by komi or by another program, and checked step by step."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from sim.cards import CardSet
from sim.files.atomic import write_atomic
from sim.files.errors import InputError, unknown
from sim.files.json import read_json
from sim.files.toml import validate
from sim.files.wording import plural
from sim.game import Game
from sim.library import known_game
from sim.play import Match, Setup

FORMAT = 1
MOST_BYTES = 16 * 2**20  # of a replay, unpacked
MOST_VALUES = 2_000_000
KEYS = ("format", "game", "rules", "set", "decks", "piles", "steps", "states", "result")


def record(match: Match, strategies: Sequence[Callable[..., int]], *, states: bool = False) -> dict[str, Any]:
    """Play a dealt match to its end and write it down.

    Parameters
    ----------
    match : Match
        Dealt, nothing decided yet.
    strategies : two functions
        The strategies' functions by seat.
    states : bool
        Note the state after each step.

    Returns
    -------
    dict
        A replay, ready for `write`.
    """
    setup = match.setup
    replay: dict[str, Any] = {
        "format": FORMAT,
        "game": setup.game.name,
        "rules": setup.rules.model_dump(),
        "set": setup.card_set.set,
        "decks": [
            {"name": deck.name, **{part: {id: n for id, n in counts.items() if n} for part, counts in deck_parts(deck)}}
            for deck in setup.decks
        ],
        "piles": [],
        "steps": [],
    }
    noted: list[Any] = []
    while not match.is_over:
        if match.waits_for_chance:
            replay["steps"].append(match.let_happen())
        else:
            legal = match.legal
            step = {"player": match.decider, "turn": match.turn, "decision": match.decision, "legal": legal}
            place = match.ask(strategies[match.decider])
            replay["steps"].append({**step, "action": legal[place]})
            match.act(place)
        noted.append(None if match.waits_for_chance and not setup.game.shows_position_before_chance else match.position)
    replay["piles"] = match.piles
    if states:
        replay["states"] = noted
    replay["result"] = match.result
    return replay


def deck_parts(deck: Any) -> list[tuple[str, dict[str, int]]]:
    """List the parts of a deck (``cards``, and what else its game has) with their counts."""
    return [(name, value) for name, value in deck if isinstance(value, dict)]


def write(path: Path, replay: dict[str, Any]) -> None:
    """Write a replay as JSON, compressed if its name ends in ``.gz``."""
    text = json.dumps(replay, ensure_ascii=False, separators=(",", ":")) + "\n"
    write_atomic(path, gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text)


def read(path: Path) -> dict[str, Any]:
    """Read a replay (``.json`` or ``.json.gz``).

    Raises
    ------
    InputError
        If the file cannot be read, is too large, no JSON or no replay.
    """
    replay = read_json(path, MOST_BYTES, MOST_VALUES)
    if not isinstance(replay, dict):
        raise InputError(f"{path}: found {_brief(replay)}, expected a replay: a JSON object")
    return replay


class DifferenceError(Exception):
    """The first place where a replay is no game by the rules."""


def check(replay: dict[str, Any], card_set: CardSet, game: Game | None = None) -> str | None:
    """Play a replay through the engine and compare every legal list, every state given and the result.

    Parameters
    ----------
    replay : dict
        A replay.
    card_set : CardSet
        The cards it was played with.
    game : Game, optional
        The game; by default komi's, or the one outside it of this name that was loaded last.

    Returns
    -------
    str or None
        The first difference; None if it is a game by the rules.

    Raises
    ------
    InputError
        If it is a replay of a game that komi does not know.
    """
    try:
        _check(replay, card_set, known_game(card_set.game if game is None else game))
    except DifferenceError as difference:
        return str(difference)
    return None


def _check(replay: dict[str, Any], card_set: CardSet, game: Game) -> None:
    _expect("format", replay.get("format"), FORMAT)
    _expect("game", replay.get("game"), game.name)
    _expect_keys("", replay, KEYS)
    for key, kind in (("rules", dict), ("decks", list), ("piles", list), ("steps", list), ("result", dict)):
        if not isinstance(replay.get(key), kind):
            raise DifferenceError(
                f"{key}: found {_brief(replay.get(key))}, expected a {'table' if kind is dict else 'list'}"
            )
    given = replay["rules"]
    for option in game.rules.model_fields:
        if option not in given:
            raise DifferenceError(f"rules: the option {option!r} is missing")
    try:
        rules = validate(given, game.rules, "rules")
        decks = []
        for seat, deck in enumerate(replay["decks"]):
            content = deck if isinstance(deck, dict) else {}
            decks.append(validate({"game": game.name, "set": card_set.set, **content}, game.deck, f"deck {seat}"))
        if len(decks) != 2:
            raise DifferenceError(f"decks: found {len(decks)}, expected 2")
        setup = Setup(game, card_set, (decks[0], decks[1]), rules)
        match = Match(setup)
        match.deal_piles(_checked_piles(replay["piles"], setup))
    except InputError as error:
        raise DifferenceError(error.problems[0]) from None
    steps, states = replay["steps"], replay.get("states")
    if states is not None and (not isinstance(states, list) or len(states) != len(steps)):
        raise DifferenceError(
            f"states: found {len(states) if isinstance(states, list) else _brief(states)}, expected one a step: "
            f"{len(steps)}"
        )
    _expect_piles(match, replay)
    for number, step in enumerate(steps):
        were_laid = match.piles is not None
        _check_step(match, step, f"step {number}")
        if not were_laid:
            _expect_piles(match, replay)
        if states is not None and states[number] is not None:
            _expect_position(match, states[number], f"state {number}, after {_brief(step)}")
    if not match.is_over:
        raise DifferenceError(
            f"step {len(steps)}: the replay ends, the game goes on: {match.decision} for player {match.decider}"
        )
    result = replay["result"]
    for key, value in match.result.items():
        _expect(f"result, {key}", result.get(key, "nothing"), value)
    _expect_keys("result", result, match.result)


def _expect_piles(match: Match, replay: dict[str, Any]) -> None:
    """Compare the piles, once there are any: where cards are picked from them, when both players have."""
    if match.piles is not None:
        _expect("piles", replay["piles"], match.piles)


def _checked_piles(piles: Any, setup: Setup) -> list[list[str]]:
    if len(piles) != 2:
        raise DifferenceError(f"piles: found {len(piles)}, expected 2")
    picked = setup.game.picked
    for seat, (pile, deck) in enumerate(zip(piles, setup.decks, strict=True)):
        if not isinstance(pile, list) or not all(isinstance(id, str) for id in pile):
            raise DifferenceError(f"pile {seat}: found {_brief(pile)}, expected a list of card ids")
        found, wanted = Counter(pile), Counter({id: n for id, n in deck.cards.items() if n})
        for id in sorted({*found, *wanted}):
            if found[id] > wanted[id] or (found[id] < wanted[id] and not picked):
                raise DifferenceError(f"pile {seat}: found {found[id]} of {id!r}, expected the deck's {wanted[id]}")
        if len(pile) + picked != deck.size:
            raise DifferenceError(
                f"pile {seat}: found {plural(len(pile), 'card')}, expected all but {picked} of the deck's {deck.size}"
            )
    return list(piles)


def _check_step(match: Match, step: Any, at: str) -> None:
    if not isinstance(step, dict):
        raise DifferenceError(f"{at}: found {_brief(step)}, expected a step")
    if match.is_over:
        raise DifferenceError(f"{at}: found {_brief(step)}, expected nothing more: the game is over ({match.result})")
    if match.waits_for_chance:
        if "chance" not in step:
            raise DifferenceError(f"{at}: found {_brief(step)}, expected a chance step")
        try:
            happened = match.let_happen(step)
        except InputError as error:
            raise DifferenceError(f"{at}: {error}") from None
        for key, value in happened.items():
            _expect(f"{at}, {key}", step.get(key, "nothing"), value)
        _expect_keys(at, step, happened)
        return
    if "chance" in step:
        raise DifferenceError(
            f"{at}: found {_brief(step)}, expected the decision {match.decision!r} of player {match.decider}"
        )
    legal = match.legal
    expected = {"player": match.decider, "turn": match.turn, "decision": match.decision, "legal": legal}
    for key, value in expected.items():
        _expect(f"{at}, {key}", step.get(key, "nothing"), value)
    _expect_keys(at, step, (*expected, "action"))
    action = step.get("action")
    if not isinstance(action, str) or action not in legal:
        raise DifferenceError(f"{at}, action: found {action!r}, expected one of {legal}")
    match.act(action)


def _expect_position(match: Match, found: Any, at: str) -> None:
    expected = match.position
    if not isinstance(found, list) or len(found) != len(expected):
        raise DifferenceError(f"{at}: found {_brief(found)}, expected a list of both players")
    for seat, (given, wanted) in enumerate(zip(found, expected, strict=True)):
        if not isinstance(given, dict) or set(given) != set(wanted):
            raise DifferenceError(f"{at}, player {seat}: found {_brief(given)}, expected {sorted(wanted)}")
        for zone, value in wanted.items():
            _expect(f"{at}, player {seat}, {zone}", given[zone], value)


def _expect(at: str, found: Any, expected: Any) -> None:
    """Compare exactly: true is not 1, 1.0 is not 1."""
    if json.dumps(found, sort_keys=True) != json.dumps(expected, sort_keys=True):
        raise DifferenceError(f"{at}: found {_brief(found)}, expected {json.dumps(expected, ensure_ascii=False)}")


def _expect_keys(at: str, found: dict[str, Any], known: Iterable[str]) -> None:
    """Refuse a key that says nothing, which may be another one misspelt."""
    for key in found:
        if key not in known:
            raise DifferenceError(f"{f'{at}: ' if at else ''}{unknown('key', key, known)}")


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 300 else text[:297] + "…"
