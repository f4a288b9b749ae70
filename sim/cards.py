"""Card sets and decks: what the files of all games share, and where they are found."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field

from sim.files.errors import InputError, PlacedError, Problem, nearest, unknown
from sim.files.file_kinds import DECK, SET, WORKBOOKS
from sim.files.names import Name, composed, looks, one_line
from sim.files.toml import FileModel
from sim.files.toml_file import TomlFile, read_toml
from sim.files.wording import listed, plural, shown

if TYPE_CHECKING:
    from sim.game import Game


WORDS = ("enemy", "life", "own")  # stand in actions where a card or a place may
MOST_COPIES = 1_000_000
MOST_CARDS = 10_000  # in a set
FEW = 3  # cards with the same problem that are named


def _id(text: str) -> str:
    one_line(text)
    if not text or any(c.isspace() or c == "," for c in text):
        raise ValueError(f"found {shown(text)}, expected an id without spaces or commas")
    if all(c in string.punctuation or unicodedata.category(c)[0] == "P" for c in text):
        raise ValueError(
            f"found {shown(text)}, expected an id with a letter: signs alone stand in logs and replays for an empty "
            "place"
        )
    if text in WORDS:
        raise ValueError(f"found {text!r}, expected another id: it is a word of actions, as in 'attack 0 > life'")
    if re.fullmatch(r"0|[1-9][0-9]*", text):
        raise ValueError(
            f"found {shown(text)}, expected an id with a letter: numbers stand in actions for places, as in 'target 2'"
        )
    return text


CardId = Annotated[str, AfterValidator(_id)]


def _few(counts: Any) -> Any:
    """Refuse a table of more cards than a set has, before each of them is looked at."""
    if isinstance(counts, dict) and len(counts) > MOST_CARDS:
        raise ValueError(f"found {plural(len(counts), 'card')}, expected at most {MOST_CARDS:,}")
    return counts


Counts = Annotated[dict[str, Annotated[int, Field(ge=0, le=MOST_COPIES)]], BeforeValidator(_few)]


class Card(FileModel):
    """What every card has."""

    id: CardId = Field(description="names the card in decks, logs and replays; each once")
    name: Name = Field(description="as printed, in any script")
    en: Name = Field(description="the name in English")


AnyCard = TypeVar("AnyCard", bound=Card)


def again(ids: Iterable[str | None], earlier: Callable[[int], str]) -> dict[int, str]:
    """Say of each id that an earlier card has already, or one that looks the same, what is wrong with it.

    Parameters
    ----------
    ids : iterable of str or None
        The ids of the cards; None where there is none.
    earlier : function
        Names the card at a place.

    Returns
    -------
    dict of int to str
        By the place of the card.
    """
    first: dict[str, tuple[int, str]] = {}
    told = {}
    for place, id in enumerate(ids):
        if id is None:
            continue
        before, other = first.setdefault(looks(id), (place, id))
        if before != place:
            like = "" if other == id else f" as {other!a}, which looks the same ({id!a})"
            told[place] = f"found the id {id!r}, which {earlier(before)} has already{like}; expected every id once"
    return told


def unique(cards: list[AnyCard]) -> list[AnyCard]:
    """Refuse an empty list and ids that occur twice, or look as if they did."""
    twice = again((card.id for card in cards), lambda place: f"card {place + 1}")
    if twice:
        raise PlacedError(((place, "id"), told) for place, told in twice.items())
    if not cards:
        raise ValueError("found no card, expected at least one")
    return cards


Cards = Annotated[list[AnyCard], Field(max_length=MOST_CARDS), AfterValidator(unique)]


def no_word_twice(words: list[Any]) -> list[Any]:
    """Refuse a list (of keywords) that has a word more than once."""
    if len(set(words)) < len(words):
        raise ValueError(f"found {words!r}, expected each word once")
    return words


class CardSet(FileModel):
    """A set of cards; games give ``card`` their own kind of card.

    The order of the cards is the *id order* of legal lists.
    """

    game: str
    set: Name = Field(description="the set's name; decks name it")
    version: int = Field(ge=-(2**63), le=2**63 - 1, description="yours to count up, so that reports can be told apart")
    card: Annotated[list[Any], AfterValidator(unique)]

    @property
    def ids(self) -> list[str]:
        """The ids in the order of the file."""
        return [card.id for card in self.card]


class Rules(FileModel):
    """The rule options that every game has; games add their own."""

    max_turns: int


class Deck(FileModel):
    """A deck: how many copies of each card."""

    game: str
    set: Name
    name: Name
    cards: Counts

    @property
    def size(self) -> int:
        """How many cards there are."""
        return sum(self.cards.values())


def load_set(game: Game, name: str | Path | TomlFile = "starter", folder: Path | None = None) -> CardSet:
    """Load a card set.

    Parameters
    ----------
    game : Game
        The game.
    name : str, Path or TomlFile
        The name of a set that comes with the game (``"starter"``), or a TOML file.
    folder : Path, optional
        The folder to which a path is relative.

    Returns
    -------
    CardSet
        The game's own kind of card set.

    Raises
    ------
    InputError
        If there is no such set or the file has mistakes.
    """
    if not isinstance(name, TomlFile):
        path = set_path(game, name, folder)
        if path.suffix.lower() == ".csv":
            raise InputError(
                f"{path}: found a spreadsheet, expected TOML: `komi cards {path} --toml FILE.toml` makes it"
            )
        name = read_toml(path)
    name.expect(SET, game.name)
    return name.checked(game.card_set, f"a card set of {game.name}")


def set_names(game: Game) -> list[str]:
    """List the card sets that come with a game."""
    return sorted(path.stem for path in game.folder.glob("*.toml"))


def set_path(game: Game, name: str | Path, folder: Path | None = None) -> Path:
    """Find the file of a card set (see `load_set`)."""
    if is_path(name):
        return _found(folder or Path(), name)
    if str(name) not in set_names(game):
        raise InputError(
            f"{unknown(f'set of {game.name}', str(name), set_names(game))}; a file is named with its ending, as "
            "my_set.toml"
        )
    return game.folder / f"{name}.toml"


def deck_path(game: Game, name: str | Path, set_name: str | Path = "starter", folder: Path | None = None) -> Path:
    """Find the file of a deck (see `load_deck`)."""
    if is_path(name):
        return _found(folder or Path(), name)
    known = deck_paths(game, set_name, folder)
    for label, path in deck_paths(game, "starter").items():
        known.setdefault(label, path)
    label = composed(str(name))
    if label not in known:
        raise InputError(
            f"{unknown(f'deck of {game.name}', str(name), known)}; a file is named with its ending, as my_deck.toml"
        )
    return known[label]


def _found(folder: Path, name: str | Path) -> Path:
    """Find a file by its name, in whichever form of Unicode the file system has it: Macs write another than people."""
    ways = [folder / name, *(folder / unicodedata.normalize(form, str(name)) for form in ("NFC", "NFD"))]
    return next((path for path in ways if path.exists()), ways[0])


def deck_paths(game: Game, set_name: str | Path = "starter", folder: Path | None = None) -> dict[str, Path]:
    """List the decks of a set by label: the TOML files in the folder ``decks`` beside the set's file."""
    paths = sorted((set_path(game, set_name, folder).parent / "decks").glob("*.toml"))
    found: dict[str, Path] = {}
    for path in paths:
        if found.setdefault(composed(path.stem), path) != path:
            raise InputError(f"{path}: found a second deck with the label {shown(composed(path.stem))}, expected one")
    return found


def load_deck(
    game: Game,
    name: str | Path | TomlFile,
    card_set: CardSet | None = None,
    rules: Any = None,
    *,
    set_name: str | Path = "starter",
    folder: Path | None = None,
) -> Deck:
    """Load a deck and check that it can be built from a set under the rules.

    Parameters
    ----------
    game : Game
        The game.
    name : str, Path or TomlFile
        The label of a deck that comes with the game (``"rush"``), or a TOML file.
    card_set : CardSet, optional
        The cards; by default those of ``set_name``.
    rules : pydantic model, optional
        The rule options; by default the game's.
    set_name : str or Path
        The set, beside whose file decks are looked for, too.
    folder : Path, optional
        The folder to which paths are relative.

    Raises
    ------
    InputError
        If there is no such deck, the file has mistakes or the deck breaks its game's construction rule.
    """
    file = name if isinstance(name, TomlFile) else read_toml(deck_path(game, name, set_name, folder))
    deck = read_deck(game, file)
    card_set = card_set if card_set is not None else load_set(game, set_name, folder)
    problems = game.check_deck(card_set, deck, rules if rules is not None else game.rules.model_validate({}))
    if problems:
        raise InputError(f"{file.path}:{file.line(*problem.loc) or 1}: {problem}" for problem in problems)
    return deck


def read_deck(game: Game, path: Path | TomlFile) -> Deck:
    """Read a deck's file without checking whether it can be built.

    Raises
    ------
    InputError
        If it cannot be read or is no deck of the game.
    """
    file = read_toml(path)
    file.expect(DECK, game.name)
    return file.checked(game.deck, f"a deck of {game.name}")


def unknown_ids(card_set: CardSet, deck: Deck, part: str = "cards") -> list[Problem]:
    """Say which ids of a part of a deck are not in the set, in one line if they are many."""
    known = set(card_set.ids)
    strange = [id for id in getattr(deck, part) if id not in known]
    if len(strange) <= FEW:
        return [
            Problem(f"unknown card {shown(id)}{nearest(id, card_set.ids)} (the set is {card_set.set!r})", (part, id))
            for id in strange
        ]
    other = f"; the deck is for the set {deck.set!r}" if deck.set != card_set.set else ""
    return [
        Problem(
            f"found {plural(len(strange), 'card')} that the set {card_set.set!r} has not: "
            f"{', '.join(map(shown, strange[:FEW]))}, …{other}",
            (part, strange[0]),
        )
    ]


def too_many(found: Iterable[tuple[str, int, str]], most: int, rule: str, part: str = "cards") -> list[Problem]:
    """Say in one line of which cards a part of a deck has too many, at the place of the first.

    Parameters
    ----------
    found : iterable of (str, int, str)
        For each card, or all of a name, an id to find it by in the file, how many there are and what they are called.
    most : int
        How many there may be.
    rule : str
        The clause and the option, ``"S1.3, copies"``.
    part : str
        The part of the deck.
    """
    over = [(id, f"{n} {what}") for id, n, what in found if n > most]
    told = [told for _, told in over[:FEW]] + ([f"{len(over) - FEW} more"] if len(over) > FEW else [])
    return [Problem(f"found {listed(told)}, expected at most {most} ({rule})", (part, over[0][0]))] if over else []


def beyond_engine(cards: list[Any], most_abilities: int, most_cards: int | None = None) -> list[Problem]:
    """Say which limits of the engine the different cards of a deck pass."""
    found = [(sum(len(card.ability) for card in cards), most_abilities, "abilities on its cards")]
    if most_cards is not None:
        found.insert(0, (len(cards), most_cards, "different cards"))
    return [
        Problem(f"found {n} {what}, expected at most {most} (the engine's limit for a deck)", ("cards",))
        for n, most, what in found
        if n > most
    ]


def deck_label(name: str) -> str:
    """Give the name under which results show a deck: a path's file name without its ending.

    Raises
    ------
    InputError
        If that is no name that people can read and files of a report can have.
    """
    label = composed(Path(name).stem if is_path(name) else name)
    try:
        one_line(label)
    except ValueError as error:
        raise InputError(f"the name of the deck's file: {error}") from None
    if "\\" in label:
        raise InputError(f"the name of the deck's file: found {shown(label)}, expected none with a \\ in it")
    return label


def is_path(name: str | Path) -> bool:
    """Tell whether a name is meant as a path: it has an ending or a folder."""
    return isinstance(name, Path) or name.lower().endswith((".toml", ".csv", *WORKBOOKS)) or "/" in name or "\\" in name
