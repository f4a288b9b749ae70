"""Cards by kind in words, for games whose decks are numbered by kinds (`sim.kernels.zones`): ids, piles, and chance
events given by a replay.

A *kind* is one of the different cards of a deck, numbered in id order.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from sim.files.wording import plural
from sim.kernels.bits import U


def card_id(table: Any, seat: int, ids: list[str], kind: int) -> str:
    """Give the id of a card of a deck (``ids`` in the order of the card file)."""
    return ids[int(table["decks"][seat]["cards"][kind]["id"])]


def kinds_by_id(table: Any, seat: int, ids: list[str]) -> dict[str, int]:
    """Give the kinds of a deck's cards by id."""
    return {card_id(table, seat, ids, kind): kind for kind in range(int(table["decks"][seat]["kinds"]))}


def counted(counts: Any) -> list[int]:
    """List the kinds of a zone, each as often as it is there."""
    return [kind for kind, n in enumerate(counts.tolist()) for _ in range(n)]


def pile_ids(state: Any, table: Any, seat: int, ids: list[str], size: int | None = None) -> list[str]:
    """List the ids of a deck's pile, the top first; by default of the cards that are still in it."""
    player = state["players"][seat]
    size = int(player["deck_count"]) if size is None else size
    return [card_id(table, seat, ids, kind) for kind in player["deck"][:size].tolist()[::-1]]


def lay_pile(state: Any, table: Any, seat: int, ids: list[str], pile: list[str]) -> None:
    """Lay a deck as this pile, the top first."""
    kinds = kinds_by_id(table, seat, ids)
    state["players"][seat]["deck"][: len(pile)] = [kinds[id] for id in reversed(pile)]


def deal_hand(player: Any, hidden: list[int]) -> None:
    """Deal these cards to hand and deck, which keep their sizes."""
    size = int(player["hand_count"])
    player["hand"], player["hand_counts"] = U(0), 0
    for kind in hidden[:size]:
        player["hand"] |= U(1 << kind)
        player["hand_counts"][kind] += 1
    player["deck"][: player["deck_count"]] = hidden[size:]


def shuffle_in_words(state: Any, table: Any, seat: int, ids: list[str]) -> dict[str, Any]:
    """Say how a deck has been shuffled, as a chance step."""
    return {"chance": "shuffle", "player": seat, "pile": pile_ids(state, table, seat, ids)}


def set_shuffle(state: Any, table: Any, seat: int, ids: list[str], pile: Any) -> str | None:
    """Let a deck be shuffled like this; returns what would be right if it cannot be."""
    wanted = pile_ids(state, table, seat, ids)
    if not isinstance(pile, list) or Counter(map(str, pile)) != Counter(wanted):
        return f"a pile of the {plural(len(wanted), 'card')} {sorted(wanted)}"
    lay_pile(state, table, seat, ids, pile)
    return None


def discard_in_words(state: Any, table: Any, seat: int, ids: list[str]) -> dict[str, Any]:
    """Say which cards are discarded at random, as a chance step."""
    chosen = state["chosen"][: state["chosen_count"]].tolist()
    return {"chance": "discard", "player": seat, "cards": [card_id(table, seat, ids, kind) for kind in chosen]}


def set_discard(state: Any, table: Any, seat: int, ids: list[str], n: int, cards: Any) -> str | None:
    """Let these cards be discarded, ``n`` or the whole hand; returns what would be right if they cannot be."""
    hand = [card_id(table, seat, ids, kind) for kind in counted(state["players"][seat]["hand_counts"])]
    n = min(n, len(hand))
    if not isinstance(cards, list) or len(cards) != n or Counter(map(str, cards)) - Counter(hand):
        return f"{plural(n, 'card')} of the hand {hand}"
    kinds = kinds_by_id(table, seat, ids)
    state["chosen_count"] = n
    state["chosen"][:n] = [kinds[id] for id in cards]
    return None
