"""Dino: actions, positions and chance events in the rulebook's words (D9, D10)."""

from __future__ import annotations

from typing import Any

from sim.card_words import (
    card_id,
    counted,
    deal_hand,
    discard_in_words,
    kinds_by_id,
    lay_pile,
    pile_ids,
    set_discard,
    set_shuffle,
    shuffle_in_words,
)  # fmt: skip
from sim.dino import layout as L
from sim.kernels.bits import U
from sim.kernels.legal import parts
from sim.kernels.streams import scramble_streams


def returned(state: Any, code: int) -> list[int]:
    """List the kinds that a mulligan puts back (D9.2)."""
    hand = counted(state["players"][int(state["phase"])]["hand_counts"])
    return [kind for place, kind in enumerate(reversed(hand)) if code >> place & 1][::-1]


def action(state: Any, table: Any, ids: list[str], code: int) -> str:
    """Say an action in words (D9)."""
    kind, a, b = parts(code)
    seat = int(state["decider"])
    if kind == L.A_RETURN:
        return "return " + ",".join(card_id(table, seat, ids, card) for card in returned(state, code))
    if kind in (L.A_SUMMON, L.A_CAST, L.A_TARGET_ID):
        return f"{L.KINDS[kind].removesuffix('_id')} {card_id(table, seat, ids, b)}"
    if kind == L.A_ATTACK_DINO:
        return f"attack {a} > {b}"
    if kind == L.A_ATTACK_LIFE:
        return f"attack {a} > life"
    if kind in (L.A_LEVEL, L.A_BLOCK, L.A_TARGET_OWN, L.A_TARGET_ENEMY):
        return f"{L.KINDS[kind].replace('_', ' ')} {b}"
    return L.KINDS[kind]


def position(state: Any, table: Any, ids: list[str]) -> list[dict[str, Any]]:
    """Say what lies where, for both seats (D10.2)."""
    seats: list[dict[str, Any]] = []
    for seat in range(L.SEATS):
        player = state["players"][seat]
        names = {kind: id for id, kind in kinds_by_id(table, seat, ids).items()}
        seats.append(
            {
                "life": int(player["life"]),
                "pp": f"{player['pp']}/{player['pp_max']}",
                "deck": int(player["deck_count"]),
                "hand": [names[kind] for kind in counted(player["hand_counts"])],
                "field": [dino_in_words(player, slot, table["decks"][seat], names) for slot in range(L.SLOTS)],
                "use": names.get(int(player["use"]), "-"),
                "stratum": [names[kind] for kind in counted(player["stratum_counts"])],
            }
        )
    return seats


def dino_in_words(player: Any, slot: int, deck: Any, names: dict[int, str]) -> str:
    """Say what stands in a slot."""

    def holds(slots: Any) -> bool:
        return bool(int(slots) >> slot & 1)

    if not holds(player["occupied"]):
        return "-"
    dino = player["field"][slot]
    words = [names[int(dino["card"])], str(dino["level"]), "rested" if holds(player["rested"]) else "awake"]
    words += [mark for mark in ("new", "frozen") if holds(player[mark])]
    words += [f"{name}{dino[name]:+d}" for name in ("fight", "direct") if dino[name]]
    granted, own = int(player["granted"]), int(deck["cards"][dino["card"]]["keywords"])
    for keyword, name in enumerate(L.KEYWORDS):
        if holds(granted >> L.KEYWORD_BITS * keyword) and not own >> L.KEYWORD_BITS * keyword & 1:
            words.append(f"+{name}")
    return " ".join(words)


def set_piles(state: Any, table: Any, ids: list[str], piles: list[list[str]]) -> None:
    """Lay the decks as these piles, the top first (D10.1); each must hold the deck's cards."""
    for seat, pile in enumerate(piles):
        lay_pile(state, table, seat, ids, pile)


def piles(state: Any, table: Any, ids: list[str]) -> list[list[str]]:
    """List the piles as shuffled, the top first, while nothing has been put back into them (D10.1)."""
    return [pile_ids(state, table, seat, ids, int(table["decks"][seat]["size"])) for seat in range(L.SEATS)]


def _discarder(state: Any, table: Any) -> tuple[int, Any]:
    """Give the seat that loses cards by the random discard that waits, and the ability."""
    seat = int(state["now"]["seat"])
    ability = table["decks"][seat]["abilities"][state["now"]["row"]]
    return (seat if ability["target"] == L.T_SELF else 1 - seat), ability


def chance(state: Any, table: Any, ids: list[str]) -> dict[str, Any]:
    """Say the outcome of the chance event that has been chosen (D2.3, D7.10)."""
    if state["phase"] < L.MAIN_PHASE:
        return shuffle_in_words(state, table, int(state["phase"]), ids)
    seat, _ = _discarder(state, table)
    return discard_in_words(state, table, seat, ids)


def set_chance(state: Any, table: Any, ids: list[str], step: dict[str, Any]) -> str | None:
    """Choose the outcome of the chance event that waits; returns what is wrong with it, if anything is."""
    if state["phase"] < L.MAIN_PHASE:
        return set_shuffle(state, table, int(state["phase"]), ids, step.get("pile"))
    seat, ability = _discarder(state, table)
    return set_discard(state, table, seat, ids, int(ability["n"]), step.get("cards"))


def scramble_hidden(state: Any, table: Any, seat: int, random: Any) -> None:
    """Deal anew what a seat cannot know (D1.6).

    That is the order of both decks, the opponent's hand, what lies in the arrays beyond their cards, every stream but
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
    A card that has come back to the hand has been seen, and so have those that the own mulligan put back; a strategy
    that remembers them would have to be given the history, which komi's strategies are not.
    """
    me, foe = state["players"][seat], state["players"][1 - seat]
    deck = table["decks"][1 - seat]
    random.shuffle(me["deck"][: me["deck_count"]])
    hidden = counted(foe["hand_counts"]) + foe["deck"][: foe["deck_count"]].tolist()
    random.shuffle(hidden)
    deal_hand(foe, hidden)
    for player in (me, foe):
        beyond = player["deck"][int(player["deck_count"]) :]
        beyond[:] = random.integers(0, int(deck["kinds"]), size=len(beyond))
        for slot in range(L.SLOTS):
            if not int(player["occupied"]) >> slot & 1:
                player["field"][slot] = tuple(random.integers(0, 2, size=len(L.DINO.names or ())))
    state["chosen"][:] = random.integers(0, int(deck["kinds"]), size=len(state["chosen"]))
    scramble_streams(state, table, seat, random)
    if not table["knows_decks"]:
        _redraw_deck(foe, deck, random)


def _redraw_deck(player: Any, deck: Any, random: Any) -> None:
    """Make other cards of those of a deck that have not been seen lying open."""
    seen = {int(player["field"][slot]["card"]) for slot in range(L.SLOTS) if int(player["occupied"]) >> slot & 1}
    seen |= {int(player["use"]), *counted(player["stratum_counts"])}
    for kind in set(range(int(deck["kinds"]))) - seen:
        card, bit = deck["cards"][kind], 1 << kind
        card["cost"] = random.integers(0, 10)
        card["fight"], card["direct"] = random.integers(0, 10, size=(2, L.LEVELS + 1))
        card["keywords"] = random.integers(1 << 40, dtype="uint64")
        card["abilities"] = 0
        for zone in ("dinos", "spells", "counters"):
            deck[zone] = U(int(deck[zone]) & ~bit | bit * int(random.integers(2)))
        deck["afford"] = [
            U(int(kinds) & ~bit | bit * (points >= card["cost"])) for points, kinds in enumerate(deck["afford"])
        ]
    random.shuffle(deck["pile"][: deck["size"]])


def told(state: Any, table: Any, names: list[str], code: int) -> str:
    """Say an action to a person, with the cards' names (``names`` in the order of the card file)."""
    kind, a, b = parts(code)
    seat = int(state["decider"])

    def at(owner: int, slot: int) -> str:
        return card_id(table, owner, names, int(state["players"][owner]["field"][slot]["card"]))

    if kind == L.A_RETURN:
        return "put back " + ", ".join(card_id(table, seat, names, card) for card in returned(state, code))
    if kind in (L.A_SUMMON, L.A_CAST):
        word = "counter with" if state["decision"] == L.COUNTER else L.KINDS[kind]
        return f"{word} {card_id(table, seat, names, b)}"
    if kind == L.A_LEVEL:
        return f"raise {at(seat, b)} by the same card"
    if kind == L.A_ATTACK:
        return "go to the attack phase"
    if kind == L.A_ATTACK_DINO:
        return f"{at(seat, a)} attacks {at(1 - seat, b)}"
    if kind == L.A_ATTACK_LIFE:
        return f"{at(seat, a)} attacks life"
    if kind == L.A_BLOCK:
        return f"{at(seat, b)} blocks"
    if kind in (L.A_TARGET_OWN, L.A_TARGET_ENEMY, L.A_TARGET_ID):
        ability = table["decks"][seat]["abilities"][state["now"]["row"]]
        chosen = (
            card_id(table, seat, names, b)
            if kind == L.A_TARGET_ID
            else at(seat if kind == L.A_TARGET_OWN else 1 - seat, b)
        )
        return f"choose {chosen} ({L.EFFECTS[ability['do']].replace('_', ' ')})"
    return {L.A_KEEP: "keep the hand", L.A_END: "end the turn"}.get(
        kind, f"pass ({L.DECISIONS[int(state['decision'])]})"
    )
