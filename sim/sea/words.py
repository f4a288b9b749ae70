"""Sea: actions, positions and chance events in the rulebook's words (S7)."""

from __future__ import annotations

from typing import Any

from sim.files.wording import plural
from sim.kernels.bits import U
from sim.kernels.legal import parts
from sim.kernels.streams import scramble_streams
from sim.sea import layout as L


def card_ids(table: Any, seat: int, ids: list[str]) -> list[str]:
    """List the ids of a deck's cards by slot."""
    deck = table["decks"][seat]
    return [ids[deck["cards"][int(deck["pile"][i])]["id"]] for i in range(int(deck["size"]))]


def card_id(table: Any, seat: int, ids: list[str], slot: int) -> str:
    """Give the id of a card of a deck, by the slot that its copies go by."""
    return ids[int(table["decks"][seat]["cards"][slot]["id"])]


def action(state: Any, table: Any, ids: list[str], code: int) -> str:
    """Say an action in words (S7)."""
    kind, a, b = parts(code)
    name = L.KINDS[kind]
    if kind in (L.A_SUPPORT, L.A_DEPLOY, L.A_TARGET_ID):
        return f"{name.removesuffix('_id')} {card_id(table, int(state['decider']), ids, b)}"
    if kind == L.A_ATTACK:
        return f"attack {a} > {b}"
    if kind == L.A_ATTACK_LIFE:
        return f"attack {a} > life"
    if kind == L.A_SKILL:
        return f"skill {a} {b}"
    return f"{name} {b}" if kind in (L.A_TARGET, L.A_GUARD) else name


def position(state: Any, table: Any, ids: list[str]) -> list[dict[str, list[str]]]:
    """Say what lies where, for both seats (S7.4)."""
    seats = []
    for seat in range(L.SEATS):
        player, card = state["players"][seat], card_ids(table, seat, ids)
        hand = [card[slot] for slot in range(len(card)) if int(player["hand"]) >> slot & 1]
        sea = []
        for place in range(int(player["sea_count"])):
            words = [card[player["sea"][place]], "upright" if int(player["upright"]) >> place & 1 else "rested"]
            words += [mark for mark in ("acted", "readied") if int(player[mark]) >> place & 1]
            sea.append(" ".join(words))
        seats.append(
            {
                "life": [card[slot] for slot in player["life"][: player["life_count"]][::-1]],
                "hand": hand,
                "sea": sea,
                "friends": [card[slot] for slot in player["friends"][: player["friends_count"]]],
            }
        )
    return seats


def set_piles(state: Any, table: Any, ids: list[str], piles: list[list[str]]) -> None:
    """Lay the decks as these piles, the top first (S7.5); each must hold the deck's cards."""
    for seat, pile in enumerate(piles):
        player, slots = state["players"][seat], first_slots(table, seat, ids)
        for i, id in enumerate(reversed(pile)):
            player["life"][i] = slots[id]


def first_slots(table: Any, seat: int, ids: list[str]) -> dict[str, int]:
    """Give the slot by which a deck's cards of each id go."""
    deck = table["decks"][seat]
    return {ids[deck["cards"][slot]["id"]]: int(slot) for slot in deck["pile"][: deck["size"]]}


def piles(state: Any, table: Any, ids: list[str]) -> list[list[str]]:
    """List the piles as shuffled, the top first, while nothing has been put back into them (S7.5)."""
    result = []
    for seat in range(L.SEATS):
        card, size = card_ids(table, seat, ids), int(table["decks"][seat]["size"])
        result.append([card[slot] for slot in state["players"][seat]["life"][:size][::-1]])
    return result


def chance(state: Any, table: Any, ids: list[str]) -> dict[str, Any]:
    """Say the outcome of the chance event that has been chosen (S5.10)."""
    seat = 1 - int(state["controller"])
    card = card_ids(table, seat, ids)
    return {
        "chance": "discard",
        "player": seat,
        "cards": [card[slot] for slot in state["chosen"][: state["chosen_count"]]],
    }


def set_chance(state: Any, table: Any, ids: list[str], step: dict[str, Any]) -> str | None:
    """Choose the outcome of the chance event that waits; returns what is wrong with it, if anything is."""
    seat = 1 - int(state["controller"])
    hand = position(state, table, ids)[seat]["hand"]
    ability = table["decks"][int(state["controller"])]["abilities"][state["ability"]]
    wanted = min(int(ability["n"]), len(hand))
    cards = step.get("cards")
    if not isinstance(cards, list) or len(cards) != wanted:
        return f"{plural(wanted, 'card')} of the hand {hand}"
    left = list(hand)
    for id in cards:
        if id not in left:
            return f"cards of the hand {hand}"
        left.remove(id)
    slots = first_slots(table, seat, ids)
    state["chosen_count"] = len(cards)
    for i, id in enumerate(cards):
        state["chosen"][i] = slots[id]
    return None


def scramble_hidden(state: Any, table: Any, seat: int, random: Any) -> None:
    """Deal anew what a seat cannot know (S1.6).

    That is the order of both Lives, the opponent's hand, what lies in the arrays beyond their cards, every stream but
    the seat's own choices, and, unless the table says that lists are public, what the opponent's deck holds beside the
    cards that lie open.

    Parameters
    ----------
    state, table : STATE record, TABLE record
        Changed in place.
    seat : int
        The seat that knows what stays.
    random : numpy.random.Generator
        Where the new deal comes from.

    Notes
    -----
    A card that has come back to the hand or under Life has been seen (S1.5); a strategy that remembers it would have to
    be given the history, which komi's strategies are not.
    """
    me, foe = state["players"][seat], state["players"][1 - seat]
    random.shuffle(me["life"][: me["life_count"]])
    deck = table["decks"][1 - seat]
    hand = [slot for slot in range(int(deck["size"])) if int(foe["hand"]) >> slot & 1]
    hidden = [int(deck["pile"][slot]) for slot in hand] + [int(slot) for slot in foe["life"][: foe["life_count"]]]
    random.shuffle(hidden)
    foe["hand"] = U(0)
    for first in hidden[: len(hand)]:
        slot = first
        while int(foe["hand"]) >> slot & 1:
            slot += 1
        foe["hand"] |= U(1 << slot)
    foe["life"][: foe["life_count"]] = hidden[len(hand) :]
    for player in (me, foe):
        for zone in ("life", "friends", "sea"):
            beyond = player[zone][int(player[f"{zone}_count"]) :]
            beyond[:] = random.integers(0, int(deck["size"]), size=len(beyond))
    scramble_streams(state, table, seat, random)
    if not table["knows_decks"]:
        seen = {*foe["friends"][: foe["friends_count"]].tolist(), *foe["sea"][: foe["sea_count"]].tolist()}
        for slot in set(deck["pile"][: deck["size"]].tolist()) - seen:
            card = deck["cards"][slot]
            card["power"] = random.integers(1, L.MAX_POWER)
            card["abilities"][:] = 0
            for keyword in L.KEYWORDS:
                card[keyword] = random.integers(2)


def told(state: Any, table: Any, names: list[str], code: int) -> str:
    """Say an action to a person, with the cards' names (``names`` in the order of the card file)."""
    kind, a, b = parts(code)
    seat = int(state["decider"])

    def at(owner: int, place: int) -> str:
        return card_id(table, owner, names, int(state["players"][owner]["sea"][place]))

    if kind in (L.A_SUPPORT, L.A_DEPLOY):
        return f"{L.KINDS[kind]} {card_id(table, seat, names, b)}"
    if kind == L.A_TARGET_ID:
        return f"choose {card_id(table, seat, names, b)} in Friends"
    if kind == L.A_ATTACK:
        return f"{at(seat, a)} attacks {at(1 - seat, b)}"
    if kind == L.A_ATTACK_LIFE:
        return f"{at(seat, a)} attacks Life"
    if kind == L.A_SKILL:
        return f"{at(seat, a)} uses its skill {b}"
    if kind == L.A_GUARD:
        return f"{at(seat, b)} guards"
    if kind == L.A_TARGET:
        attack = int(state["attacks"]) > 0 and int(state["ability"]) == int(state["ability_end"])
        do = "attack_card" if attack else L.EFFECTS[table["decks"][seat]["abilities"][state["ability"]]["do"]]
        owner = seat if do in ("ready", "bounce") else 1 - seat
        return f"choose {at(owner, b)} to {do.removesuffix('_card')}"
    return {L.A_DRAW: "draw", L.A_USE: "use it", L.A_END: f"end {L.DECISIONS[int(state['decision'])]}s"}.get(
        kind, f"pass ({L.DECISIONS[int(state['decision'])]})"
    )
