"""What files are, for ``komi validate``, and what there is, for ``komi list``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic_core import PydanticUndefined

from reports.spreadsheet import read_csv
from reports.study import StudyFile, load_study
from sim.cards import deck_paths, load_deck, load_set
from sim.errors import InputError
from sim.files import parse_toml, read_model, read_text
from sim.game import Game, game_names, load_game
from strategies.check import check_strategy
from strategies.strategy import load_strategy, strategy_features, strategy_names, strategy_options, strategy_summary


def describe(path: Path, set_name: str | None = None, game_name: str | None = None) -> str:
    """Check a file and say what it is.

    Parameters
    ----------
    path : Path
        A card set, deck or study (TOML), a card set as a spreadsheet (CSV), or a strategy (Python).
    set_name : str, optional
        The card set of a deck; by default the one that the deck names.
    game_name : str, optional
        The game of a strategy.

    Raises
    ------
    InputError
        All problems of the file together.
    """
    if path.suffix == ".py" or ".py:" in path.name:
        if game_name is None:
            raise InputError(f"{path}: a strategy is checked for a game: --game {'|'.join(game_names())}")
        strategy = load_strategy(load_game(game_name), str(path))
        return f"a strategy for {game_name}, checked in {check_strategy(strategy)} games: {strategy.summary or strategy.label}"
    if path.name.endswith((".json", ".json.gz")):
        raise InputError(f"{path}: replays are checked by komi check")
    if path.suffix.lower() == ".csv":
        cards = read_csv(path)
        return f"a card set of {cards.game}: {len(cards.card)} cards"
    text = read_text(path)
    content = parse_toml(text, path)
    if kind_of(content) not in ("card set", "deck"):
        study = load_study(path)
        return f"a study of {study.game.name}: {len(study.matchups())} matchups of {study.pairs:,} pairs"
    game = load_game(str(content.get("game", "nothing")), f"{path}: game: ")
    if "card" in content:
        card_set = read_model(path, game.card_set, f"a card set of {game.name}")
        return f"a card set of {game.name}: {len(card_set.card)} cards"
    deck = load_deck(game, path, set_name=set_name if set_name is not None else _set_of(game, path, content))
    return f"a deck of {game.name}: {deck.size} cards, {deck.name}"


def kind_of(content: dict[str, Any]) -> str | None:
    """Tell what a TOML file is meant to be.

    Parameters
    ----------
    content : dict
        What it holds.

    Returns
    -------
    str or None
        ``card set``, ``deck``, ``weights`` or ``study``; None if it has no key of any of them.
    """
    if "card" in content:
        return "card set"
    if "cards" in content:
        return "deck"
    if "weights" in content:
        return "weights"
    return "study" if content.keys() & StudyFile.model_fields.keys() else None


def _set_of(game: Game, path: Path, content: dict[str, Any]) -> str:
    """Find the set that a deck names: beside the deck or one folder up, else among those that come with the game."""
    name = str(content.get("set", "starter"))
    for folder in (path.parent, path.parent.parent):
        if (folder / f"{name}.toml").is_file() and folder / f"{name}.toml" != path:
            return str(folder / f"{name}.toml")
    if not (game.folder / f"{name}.toml").is_file():
        raise InputError(f"{path}: set: found {name!r}, which is neither beside the deck nor comes with {game.name}; --set names its file")
    return name


def listing(kind: str, game_name: str | None = None) -> Iterator[str]:
    """List games, decks, strategies, their features or rule options, a line each.

    Raises
    ------
    InputError
        If there is no such game.
    """
    for name in game_names() if game_name is None else (load_game(game_name).name,):
        game = load_game(name)
        if kind == "games":
            yield f"{name}  {game.title}"
        elif kind == "decks":
            card_set = load_set(game)
            for label in deck_paths(game):
                deck = load_deck(game, label, card_set)
                yield f"{name}  {label}  {deck.name}, {deck.size} cards"
        elif kind == "strategies":
            for label in strategy_names(name):
                options = "".join(f" [{option.shown()}]" for option in strategy_options(name, label))
                yield f"{name}  {label}{options}  {strategy_summary(name, label)}"
        elif kind == "features":
            for feature, about in strategy_features(name).items():
                yield f"{name}  {feature}  {about}"
        else:
            for option, field in game.rules.model_fields.items():
                default = field.default
                assert default is not PydanticUndefined
                shown = str(default).lower() if isinstance(default, bool) else str(default)
                yield f"{name}  {option} = {shown}  {field.description}"
