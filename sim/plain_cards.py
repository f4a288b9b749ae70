"""Plain cards to measure others by: what stands for one copy of a card when its worth is asked for.

What a plain card is each game says (`Game.plain_card`). Where that takes numbers, they come from the set itself: a
robust line through what its cards have by cost.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from sim.cards import Card, CardSet, Deck

    AnySet = TypeVar("AnySet", bound=CardSet)

PLAIN = "plain"


def line(points: Iterable[tuple[int, int | Fraction]], at: int, *, least: int, most: int) -> int:
    """Give what a set's cards have at a cost: the height of the line of Theil (1950) and Sen (1968) through them.

    Its slope is the median of the slopes between every two points of different cost, its height the median of what that
    leaves: a few cards that are far too strong or too weak do not move it. It is computed in fractions, so it is the
    same on any machine.

    Parameters
    ----------
    points : iterable of (int, number)
        Cost and value of each card; at least one.
    at : int
        The cost that is asked for.
    least, most : int
        Bounds of the result.

    Returns
    -------
    int
        Rounded to the nearest integer, halves up.
    """
    slope, height = _fitted(tuple((cost, Fraction(value)) for cost, value in points))
    return min(max(int((height + slope * at + Fraction(1, 2)) // 1), least), most)


@lru_cache(maxsize=64)
def _fitted(points: tuple[tuple[int, Fraction], ...]) -> tuple[Fraction, Fraction]:
    """Give slope and height at 0 of the line through these points; once for all cards of a set."""
    slopes = [
        (value - other) / (cost - other_cost)
        for (cost, value), (other_cost, other) in combinations(points, 2)
        if cost != other_cost
    ]
    slope = median(slopes) if slopes else Fraction(0)
    return slope, median(value - slope * cost for cost, value in points)


def named_plain(card_set: CardSet, card: Card) -> dict[str, Any]:
    """Name the plain card that stands for another, as no card of the set is named."""
    names = {"id": f"{card.id}-{PLAIN}", "name": f"{card.name} ({PLAIN})", "en": f"{card.en} ({PLAIN})"}
    for key in names:
        while any(getattr(other, key) == names[key] for other in card_set.card):
            names[key] += "'"
    return names


def is_plain(card: Card, plain: Card) -> bool:
    """Tell whether a card is no other than the plain card that would stand for it."""
    return _in_play(card) == _in_play(plain)


def _in_play(card: Card) -> dict[str, Any]:
    """Give all of a card that matters in a game: not what it is called or says."""
    content = card.model_dump(exclude={"id", "name", "en"})
    for ability in content.get("ability", ()):
        ability.pop("text", None)
    return content


def without_copy(card_set: AnySet, deck: Deck, card: Card, plain: Card) -> tuple[AnySet, Deck]:
    """Replace one copy of a card in a deck by a plain card.

    Parameters
    ----------
    card_set : CardSet
        The cards.
    deck : Deck
        A deck that has the card (among its cards, not its supers).
    card, plain : Card
        The card, and the one that stands for a copy (`Game.plain_card`).

    Returns
    -------
    card_set, deck
        The set with the plain card right after the card in the id order, and the deck with it. So every other card
        keeps its place in the unshuffled deck, the same random streams deal the same piles, and the plain card lies
        where the last copy would.
    """
    place = card_set.ids.index(card.id)
    listed = [*card_set.card[: place + 1], plain, *card_set.card[place + 1 :]]
    cards = {**deck.cards, card.id: deck.cards[card.id] - 1, plain.id: 1}
    return card_set.model_copy(update={"card": listed}), deck.model_copy(update={"cards": cards})
