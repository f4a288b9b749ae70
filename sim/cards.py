"""Card sets and decks: what the files of all games share."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Field, create_model

from sim.files.errors import InputError, PlacedError, Problem, nearest
from sim.files.file_kinds import WORKBOOKS
from sim.files.names import Name, composed, looks, one_line
from sim.files.toml import FileModel
from sim.files.wording import listed, plural, shown

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


MOST_TURNS = 10_000  # so that lengths can be counted


class Rules(FileModel):
    """The rule options that every game has; games add their own."""

    max_turns: int = Field(200, ge=1, le=MOST_TURNS, description="turns after which a game is stopped")


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


def _only(word: str) -> Any:
    return Literal[word]


def set_of(game: str, card: type[Card]) -> type[CardSet]:
    """Make the model of a game's sets from that of its cards."""
    cards: Any = Cards[card]  # type: ignore[valid-type]
    return create_model("CardSet", __base__=CardSet, game=(_only(game), ...), card=(cards, ...))


def deck_of(game: str) -> type[Deck]:
    """Make the model of a game's decks that hold cards and nothing else."""
    return create_model("Deck", __base__=Deck, game=(_only(game), ...))


def check_counted(record: np.dtype, card_set: CardSet, deck: Deck, rules: Rules) -> list[Problem]:
    """Say why a deck does not fit into its record (`sim.kernels.table.deck_dtype`): the only rule of a game without one
    of its own.
    """
    problems = unknown_ids(card_set, deck)
    kinds = sum(1 for n in deck.cards.values() if n)
    for n, what, most in (
        (deck.size, "card", record["pile"].shape[0]),
        (kinds, "different card", record["cards"].shape[0]),
    ):
        if not 1 <= n <= most:
            problems.append(Problem(f"found {plural(n, what)}, expected 1 to {most}", ("cards",)))
    return problems


def encode_counted(record: Any, card_set: CardSet, deck: Deck) -> None:
    """Fill the record of a deck (`sim.kernels.table.deck_dtype`): kinds in id order, the fields of their cards by name.

    A word of a card stands in the record as its place among those that may be there.
    """
    held = [(place, card) for place, card in enumerate(card_set.card) if deck.cards.get(card.id)]
    size = 0
    for kind, (place, card) in enumerate(held):
        entry, copies = record["cards"][kind], deck.cards[card.id]
        entry["id"] = place
        for name in entry.dtype.names[1:]:
            value = getattr(card, name)
            entry[name] = (
                get_args(type(card).model_fields[name].annotation).index(value) if isinstance(value, str) else value
            )
        record["pile"][size : size + copies] = kind
        size += copies
    record["kinds"], record["size"] = len(held), size


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
