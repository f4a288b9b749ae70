"""The log of one game, for people: what each side does and what comes of it, with the cards' names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from sim.play import Match

SEATS = ("first", "second")
PILES = ("life", "deck", "friends", "stratum", "discard")
EMPTY = "-"  # a place without a card


def card_names(match: Match) -> dict[str, str]:
    """Name each card in its original language and in English, by id."""
    return {card.id: f"{card.name} ({card.en})" for card in match.setup.card_set.card}


def play_log(match: Match, strategies: Sequence[tuple[str, Callable[..., int]]]) -> Iterator[str]:
    """Play a dealt match to its end and tell it, line by line.

    Parameters
    ----------
    match : Match
        Dealt, nothing decided yet.
    strategies : two pairs of str and function
        Label and function by seat.

    Yields
    ------
    str
        Lines of text.

    Raises
    ------
    InputError
        If a strategy makes an illegal choice.
    """
    names = card_names(match)
    ordered = [names[id] for id in match.setup.ids]
    for seat, (deck, (label, _)) in enumerate(zip(match.setup.decks, strategies, strict=True)):
        yield f"{SEATS[seat]} seat: {deck.name}, played by {label}"
    turn = -1
    while not match.is_over:
        before = match.position
        if match.turn != turn:
            turn = match.turn
            yield ""
            yield _heading(match) if turn else "Setup"
            for seat, zones in enumerate(before):
                yield f"    {SEATS[seat]}: {_overview(zones, names)}"
        if match.waits_for_chance:
            step = match.let_happen()
            what = ", ".join(names.get(id, id) for id in step.get("cards", []))
            yield f"  chance: {SEATS[step['player']]} seat, {step['chance']} {what}".rstrip()
        else:
            label, choose = strategies[match.decider]
            place = match.ask(choose, label)
            said = match.game.words.told(match.state, match.table, ordered, int(match.legal_codes[place]))
            seat = match.decider
            words = f"  {SEATS[seat]}: {said}"
            rules = match.legal[place]
            yield words if said == rules else f"{words}   [{rules}]"
            match.act(place)
        ended = match.turn != turn  # what turns at the start of a turn is no doing of the last one
        for seat, (old, new) in enumerate(zip(before, match.position, strict=True)):
            for change in changes(old, new, names, turned=not ended):
                yield f"      {SEATS[seat]}: {change}"
    yield ""
    yield f"{match.game.turn_words[0].capitalize()} {match.turn}: {ending(match.result)}"


def _heading(match: Match) -> str:
    word = match.game.turn_words[0].capitalize()
    return f"{word} {match.turn}" + ("" if match.game.has_rounds else f": {SEATS[match.decider]} seat")


def ending(result: dict[str, Any]) -> str:
    """Say how a game ended."""
    winner = "a draw" if result["winner"] is None else f"the {SEATS[result['winner']]} seat wins"
    return f"{winner} ({result['reason']})"


def _overview(zones: dict[str, Any], names: dict[str, str]) -> str:
    """Say in one line what a player has; piles, which grow long, as counts."""
    parts = []
    for zone, content in zones.items():
        cards = _cards(content, names)
        if cards is None:
            parts.append(f"{zone} {content}")
        elif zone in PILES:
            parts.append(f"{zone} {len(cards)}")
        elif cards or isinstance(content, list):
            parts.append(f"{zone} [{', '.join(_named(entry, names) for entry in cards)}]")
    return "; ".join(parts)


def _cards(content: Any, names: dict[str, str]) -> list[str] | None:
    """List the cards of a zone, each with its marks; None for what holds numbers, not cards."""
    if isinstance(content, list):
        return [entry for entry in content if entry != EMPTY]
    if content is None or content == EMPTY:
        return []
    return [content] if isinstance(content, str) and content in names else None


def _named(entry: str, names: dict[str, str]) -> str:
    id, _, marks = entry.partition(" ")
    return names.get(id, id) + (f" {marks}" if marks else "")


def changes(before: dict[str, Any], after: dict[str, Any], names: dict[str, str], *, turned: bool = True) -> Iterator[str]:
    """Say what moved (and what ``turned``) between two positions of a player.

    A card that comes from nowhere or goes there comes from or goes to a hidden pile, of which only the size is known.
    """
    gone: dict[str, list[str]] = {}
    come: dict[str, list[str]] = {}
    for zone in after:
        old, new = (_cards(zones[zone], names) for zones in (before, after))
        if old is None or new is None:
            if before[zone] != after[zone]:
                yield f"{zone} {before[zone]} → {after[zone]}"
            continue
        were, are = (Counter(entry.split(" ")[0] for entry in entries) for entries in (old, new))
        for id, n in (were - are).items():
            gone.setdefault(id, []).extend([zone] * n)
        for id, n in (are - were).items():
            come.setdefault(id, []).extend([zone] * n)
    for id in {**gone, **come}:
        for source, target in zip_longest(gone.get(id, []), come.get(id, [])):
            yield f"{names.get(id, id)}: {source or 'deck'} → {target or 'deck'}"
    if turned:
        for zone in after:
            entries = _cards(after[zone], names) or []
            staying = Counter(entries) - Counter(_cards(before[zone], names) or [])
            moved = Counter(id for id, zones in come.items() for z in zones if z == zone)
            for entry in staying.elements():
                id, _, marks = entry.partition(" ")
                if moved[id]:
                    moved[id] -= 1
                elif marks:
                    yield f"{names.get(id, id)} is now {marks}"
