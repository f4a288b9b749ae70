"""What files are, for ``komi validate``, and what there is, for ``komi list``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic_core import PydanticUndefined

from reports.formats.spreadsheet import read_csv
from reports.studies.study import Study, load_study
from sim.files.errors import InputError
from sim.files.file_kinds import SET, STUDY, WEIGHTS, form_of
from sim.files.toml_file import TomlFile, read_toml
from sim.files.wording import listed, plural, shown
from sim.game import Game
from sim.library import deck_paths, file_game, game_names, is_game_folder, load_deck, load_game, load_set
from sim.replay import deck_parts
from sim.testing import PromiseError, check_game
from strategies.check import check_strategy
from strategies.options import load_weights
from strategies.strategy import load_strategy, strategy_features, strategy_names, strategy_options, strategy_summary

FEW = 5  # cards that are named


def describe(
    path: Path,
    set_name: str | None = None,
    game_name: str | None = None,
    about_study: Callable[[TomlFile], str] = lambda file: describe_study(load_study(file)),
) -> str:
    """Check a file and say what it is.

    Parameters
    ----------
    path : Path
        A card set, deck or study (TOML), a card set as a spreadsheet (CSV), a strategy (Python), or a game (a folder).
    set_name : str, optional
        The card set of a deck; by default the one that the deck names.
    game_name : str, optional
        The game of a strategy, or of a file that says the name alone of a game outside komi.
    about_study : function, optional
        Checks a study and says what it is.

    Raises
    ------
    InputError
        All problems of the file together.
    """
    if path.suffix == ".py" or ".py:" in path.name:
        if game_name is None:
            raise InputError(f"{path}: a strategy is checked for a game: --game {'|'.join(game_names())}")
        game = load_game(game_name)
        strategy = load_strategy(game, str(path))
        return (
            f"a strategy for {game.name}, checked in {plural(check_strategy(strategy), 'game')}: "
            f"{strategy.summary or strategy.label}"
        )
    if path.is_dir() and is_game_folder(path):
        return _described_game(load_game(path))
    if path.name.endswith((".json", ".json.gz")):
        raise InputError(f"{path}: replays are checked by komi check")
    if path.suffix.lower() == ".csv":
        cards = read_csv(path, game_name)
        return f"a card set of {cards.game}: {plural(len(cards.card), 'card')}"
    file = read_toml(path)
    content = file.content
    form = form_of(content)
    if not form:
        found = f"only {listed([shown(key) for key in list(content)[:5]])}" if content else "nothing"
        raise InputError(
            f"{path}: found {found} in it, expected a card set with [[card]], a deck with [cards], a study or weights"
        )
    game = file_game(content, path, file.text, game_name)
    if form == STUDY:
        return about_study(file)
    if form == WEIGHTS:
        weights = load_weights(file, game.name, tuple(strategy_features(game)))
        return f"weights of {game.name}: {plural(len(weights), 'feature')}"
    if form == SET:
        return f"a card set of {game.name}: {plural(len(load_set(game, file).card), 'card')}"
    deck = load_deck(game, file, set_name=set_name if set_name is not None else _set_of(game, file))
    return f"a deck of {game.name}: {plural(deck.size, 'card')}, {deck.name}"


def describe_study(study: Study) -> str:
    """Say how much a study plays."""
    matchups = plural(len(study.matchups()), "matchup")
    if study.until is not None:
        return f"a study of {study.game.name}: {matchups} of at most {plural(study.until.max_pairs, 'pair')}"
    return f"a study of {study.game.name}: {matchups} of {plural(study.pairs, 'pair')}"


def idle_cards(study: Study) -> str:
    """Name the first cards of one's own set that no deck has, in no variant either; nothing if there are none."""
    if study.names["set"] not in study.inputs:
        return ""
    variants = () if study.sweep is None else study.sweep.variants
    decks = [*study.decks.values(), *(deck for variant in variants for deck in variant.decks.values())]
    held = {id for deck in decks for _, counts in deck_parts(deck) for id, n in counts.items() if n}
    idle = [id for id in study.card_set.ids if id not in held]
    more = f" and {len(idle) - FEW} more" if len(idle) > FEW else ""
    return ", ".join(map(shown, idle[:FEW])) + more


def _described_game(game: Game) -> str:
    """Check what a game promises, and say what it brings."""
    try:
        played = check_game(game)
    except PromiseError as error:
        raise InputError(f"{game.named}: {error}") from None
    card_set, own = load_set(game), strategy_names(game)
    return (
        f"the game {game.name}, checked in {plural(played, 'game')}: {plural(len(card_set.card), 'card')}, "
        f"{plural(len(deck_paths(game)), 'deck')}, strategies {listed(list(own))}"
    )


def _set_of(game: Game, file: TomlFile) -> str:
    """Find the set that a deck names: beside the deck or one folder up, else among those that come with the game."""
    name = str(file.content.get("set", "starter"))
    for folder in (file.folder, file.folder.parent):
        if (folder / f"{name}.toml").is_file() and folder / f"{name}.toml" != file.path:
            return str(folder / f"{name}.toml")
    if not (game.folder / f"{name}.toml").is_file():
        at = f"{file.path}:{file.line('set') or 1}: set"
        raise InputError(
            f"{at}: found {shown(name)}, which is neither beside the deck nor comes with {game.name}; --set names its "
            "file"
        )
    return name


def listing(kind: str, game_name: str | None = None) -> Iterator[str]:
    """List games, decks, strategies, their features or rule options, a line each.

    Raises
    ------
    InputError
        If there is no such game.
    """
    for named in game_names() if game_name is None else (game_name,):
        game = load_game(named)
        name = game.name
        if kind == "games":
            yield f"{name}  {game.title}"
        elif kind == "decks":
            card_set = load_set(game)
            for label in deck_paths(game):
                deck = load_deck(game, label, card_set)
                yield f"{name}  {label}  {deck.name}, {plural(deck.size, 'card')}"
        elif kind == "strategies":
            for label in strategy_names(game):
                options = "".join(f" [{option.shown()}]" for option in strategy_options(game, label))
                yield f"{name}  {label}{options}  {strategy_summary(game, label)}"
        elif kind == "features":
            for feature, about in strategy_features(game).items():
                yield f"{name}  {feature}  {about}"
        else:
            for option, field in game.rules.model_fields.items():
                default = field.default
                assert default is not PydanticUndefined
                shown = str(default).lower() if isinstance(default, bool) else str(default)
                yield f"{name}  {option} = {shown}  {field.description}"
