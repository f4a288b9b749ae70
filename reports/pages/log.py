"""The log of one game, for people: what each side does and what comes of it, with the cards' names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sim.game import Game
from sim.play import Match
from sim.tracing import SEATS, NewTurn, Tracer

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
    tracer = (match.game.tracer or Tracer)(match)
    yield ""
    yield _heading(match.game, match.turn, match.decider) if match.turn else "Setup"
    shown = False  # the position, before the first decision of a turn
    while not match.is_over:
        if match.waits_for_chance:
            told = tracer.follow()
            step = match.let_happen()
            what = ", ".join(names.get(id, id) for id in step.get("cards", []))
            yield f"  chance: {SEATS[step['player']]} seat, {step['chance']} {what}".rstrip()
        else:
            if not shown:
                shown = True
                for seat, zones in enumerate(match.position):
                    yield f"    {SEATS[seat]}: {_overview(zones, names)}"
            label, choose = strategies[match.decider]
            place = match.ask(choose, label)
            code = int(match.legal_codes[place])
            told = tracer.follow(code)
            said = match.game.words.told(match.state, match.table, ordered, code)
            words = f"  {SEATS[match.decider]}: {said}"
            rules = match.legal[place]
            yield words if said == rules else f"{words}   [{rules}]"
            match.act(place)
        for line in told:
            if isinstance(line, NewTurn):
                yield ""
                yield _heading(match.game, line.turn, line.seat)
                shown = False
            else:
                yield f"      {line}"
    yield ""
    yield f"{match.game.turn_words[0].capitalize()} {match.turn}: {ending(match.result)}"


def _heading(game: Game, turn: int, seat: int) -> str:
    word = game.turn_words[0].capitalize()
    return f"{word} {turn}" + ("" if game.has_rounds else f": {SEATS[seat]} seat")


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
