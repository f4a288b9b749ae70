"""Seer: actions, positions and chance events in the rulebook's words (E9)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sim.card_words import (
    card_id,
    counted,
    deal_hand,
    discard_in_words,
    kinds_by_id,
    pile_ids,
    set_discard,
    set_shuffle,
    shuffle_in_words,
)  # fmt: skip
from sim.kernels.bits import U
from sim.kernels.legal import parts
from sim.kernels.streams import scramble_streams
from sim.seer import layout as L


def beans(player: Any) -> list[int]:
    """List the kinds of the bean cards, oldest first."""
    return [int(player["beans"][(int(player["bean_first"]) + i) % L.BEANS]) for i in range(int(player["bean_count"]))]


def action(state: Any, table: Any, ids: list[str], code: int) -> str:
    """Say an action in words (E9)."""
    kind, a, b = parts(code)
    seat = int(state["decider"])
    if kind == L.A_PICK:
        return f"pick {card_id(table, seat, ids, a)},{card_id(table, seat, ids, b)}"
    if kind in (L.A_LEAD, L.A_SWAP, L.A_EVOLVE, L.A_PLAY, L.A_MISSION, L.A_SUPER):
        return f"{L.KINDS[kind]} {card_id(table, seat, ids, b)}"
    return L.KINDS[kind]


def position(state: Any, table: Any, ids: list[str]) -> list[dict[str, Any]]:
    """Say what lies where, for both seats (E9.3)."""
    seats: list[dict[str, Any]] = []
    for seat in range(L.SEATS):
        player = state["players"][seat]
        names = {kind: id for id, kind in kinds_by_id(table, seat, ids).items()}
        zones = {
            zone: [names[kind] for kind in counted(player[f"{zone}_counts"])]
            for zone in ("hand", "discard", "super", "out")
        }
        seats.append(
            {
                "hp": int(player["hp"]),
                "deck": int(player["deck_count"]),
                "hand": zones["hand"],
                "active": names.get(int(player["active"])),
                "battle": names.get(int(player["battle"])),
                "beans": [names[kind] for kind in beans(player)],
                "discard": zones["discard"],
                "supers": zones["super"],
                "out": zones["out"],
            }
        )
    return seats


def set_piles(state: Any, table: Any, ids: list[str], piles: list[list[str]]) -> None:
    """Lay the decks as these piles, the top first, with the cards that they lack for the picks over them (E2.6)."""
    for seat, pile in enumerate(piles):
        deck, kinds = table["decks"][seat], kinds_by_id(table, seat, ids)
        top_down = [kinds[id] for id in pile]
        missing = counted(deck["counts"])
        for kind in top_down:
            missing.remove(kind)
        taken: Counter[int] = Counter()
        slots = []
        for kind in [*missing, *top_down]:  # the copies that are picked are the first of their kind
            slots.append(int(deck["first_slot"][kind]) + taken[kind])
            taken[kind] += 1
        _lay(state["players"][seat], deck, [*reversed(slots[len(missing) :]), *slots[: len(missing)]])


def _lay(player: Any, deck: Any, slots: list[int]) -> None:
    """Lay a whole deck, given by its slots, as this pile, the top card last."""
    player["deck"][: len(slots)] = deck["kind_of"][slots]
    player["places"][slots] = range(len(slots))


def piles(state: Any, table: Any, ids: list[str]) -> list[list[str]] | None:
    """List the piles, the top first, when both players have picked and nobody has exchanged (E2.6); None before."""
    if state["phase"] == L.PICK_PHASE:
        return None
    return [pile_ids(state, table, seat, ids, int(table["decks"][seat]["size"]) - L.PICKED) for seat in range(L.SEATS)]


def _seat_of_chance(state: Any) -> int:
    """Give the seat whose cards the chance event that waits touches."""
    if state["chance"] == L.RESHUFFLE:
        return int(state["drawer"])
    return int(state["step"]) if state["chance"] == L.EXCHANGE_SHUFFLE else 1 - int(state["owner"])


def chance(state: Any, table: Any, ids: list[str]) -> dict[str, Any]:
    """Say the outcome of the chance event that has been chosen (E2.3, E3.2, E7.5)."""
    seat = _seat_of_chance(state)
    if state["chance"] != L.RANDOM_DISCARD:
        return shuffle_in_words(state, table, seat, ids)
    return discard_in_words(state, table, seat, ids)


def set_chance(state: Any, table: Any, ids: list[str], step: dict[str, Any]) -> str | None:
    """Choose the outcome of the chance event that waits; returns what is wrong with it, if anything is."""
    seat = _seat_of_chance(state)
    if state["chance"] != L.RANDOM_DISCARD:
        return set_shuffle(state, table, seat, ids, step.get("pile"))
    ability = table["decks"][1 - seat]["abilities"][state["row"]]
    return set_discard(state, table, seat, ids, int(ability["n"]), step.get("cards"))


def scramble_hidden(state: Any, table: Any, seat: int, random: Any) -> None:
    """Deal anew what a seat cannot know (E1.8).

    That is the order of both decks, the opponent's hand, supers and secret choice, what lies in the arrays beyond their
    cards, every stream but the seat's own choices, and, unless the table says that lists are public, what the
    opponent's deck holds beside the cards that lie open.

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
    The list of a deck names its supers too, so with public lists the supers still to come are known but for those that
    have left the game by a discard that nobody sees; none do, so they stay. Cards seen before (the own exchange, a
    mission that has gone back to hand) may be forgotten: a strategy that remembers them would have to be given the
    history, which komi's strategies are not.
    """
    me, foe = state["players"][seat], state["players"][1 - seat]
    deck = table["decks"][1 - seat]
    if state["phase"] == L.PICK_PHASE:  # nothing has left the decks
        for player, own in ((me, table["decks"][seat]), (foe, deck)):
            _lay(player, own, random.permutation(int(own["size"])).tolist())
        if foe["pending"] != L.NOBODY:
            basics = [kind for kind in counted(deck["counts"]) if int(deck["basics"]) >> kind & 1]
            a, b = sorted(random.permutation(basics)[: L.PICKED].tolist())
            foe["pending"] = a | b << L.PICKS
    else:
        random.shuffle(me["deck"][: me["deck_count"]])
        for player in (me, foe):
            random.shuffle(player["places"])
        _redeal_hand(foe, deck, random, in_setup=state["phase"] < L.DRAW_PHASE)
        if foe["pending"] != L.NOBODY:
            hand = int(foe["hand"]) & (int(deck["basics"]) if state["phase"] == L.LEAD_PHASE else -1)
            choices = (
                [0, 1]
                if state["phase"] == L.EXCHANGE_PHASE
                else [kind for kind in range(L.MAX_KINDS) if hand >> kind & 1]
            )
            foe["pending"] = random.choice(choices)
    for player in (me, foe):
        beyond = player["deck"][int(player["deck_count"]) :]
        beyond[:] = random.integers(0, int(deck["kinds"]), size=len(beyond))
        for i in range(int(player["bean_count"]), L.BEANS):
            player["beans"][(int(player["bean_first"]) + i) % L.BEANS] = random.integers(0, int(deck["kinds"]))
    state["chosen"][:] = random.integers(0, int(deck["kinds"]), size=len(state["chosen"]))
    scramble_streams(state, table, seat, random)
    if not table["knows_decks"]:
        _redraw_deck(foe, deck, random)


def _redeal_hand(player: Any, deck: Any, random: Any, in_setup: bool) -> None:
    """Deal a hand anew out of hand and deck; in the setup it has two basic spirits, which were picked."""
    hidden = counted(player["hand_counts"]) + player["deck"][: player["deck_count"]].tolist()
    random.shuffle(hidden)
    player["picked"] = random.integers(0, int(deck["kinds"]), size=L.PICKED)
    if in_setup:
        basics = [kind for kind in hidden if int(deck["basics"]) >> kind & 1][: L.PICKED]
        for kind in basics:
            hidden.remove(kind)
        hidden, player["picked"] = basics + hidden, basics
    deal_hand(player, hidden)


def _redraw_deck(player: Any, deck: Any, random: Any) -> None:
    """Make other cards of those of a deck that have not been seen lying open."""
    seen = {
        int(player["active"]),
        int(player["battle"]),
        *beans(player),
        *counted(player["discard_counts"]),
        *counted(player["out_counts"]),
    }
    unseen = set(range(int(deck["kinds"]))) - seen
    seen_bits = U(sum(1 << kind for kind in seen - {L.NOBODY}))
    deck["counts"] = random.integers(0, 4, size=L.MAX_KINDS)
    for card in (deck["cards"][kind] for kind in seen - {L.NOBODY}):  # which unseen cards go with a seen one
        field = "users" if card["kind"] == L.K_MOVE else "evolves"
        card[field] = card[field] & seen_bits | random.integers(1 << 63, dtype="uint64") & ~seen_bits
    for kind in unseen:
        card, bit = deck["cards"][kind], 1 << kind
        card["sign"], card["bean"] = random.integers(0, [3, 2])
        card["by_sign"] = random.integers(0, 300, size=len(L.SIGNS))
        card["attack"], card["defence"], card["cost"] = random.integers(0, [300, 100, 5])
        card["users"] = random.integers(1 << 63, dtype="uint64")
        card["abilities"] = 0
        card["evolves"] = random.integers(1 << 63, dtype="uint64")
        deck["payable"] = [U(int(kinds) & ~bit | bit * int(random.integers(2))) for kinds in deck["payable"]]
        deck["super_counts"][kind] = 0
    supers, kind = int(player["super_counts"].sum()), int(random.integers(0, int(deck["kinds"])))
    player["super_counts"] = 0
    player["super_counts"][kind] = supers
    player["supers"] = U((supers > 0) << kind)


def told(state: Any, table: Any, names: list[str], code: int) -> str:
    """Say an action to a person, with the cards' names (``names`` in the order of the card file)."""
    kind, a, b = parts(code)
    seat = int(state["decider"])
    card = card_id(table, seat, names, b)
    if kind == L.A_PICK:
        return f"pick {card_id(table, seat, names, a)} and {card}"
    if kind == L.A_LEAD:
        return f"lead with {card}"
    if kind == L.A_SWAP:
        return f"swap in {card}"
    if kind == L.A_EVOLVE:
        return f"evolve to {card}"
    if kind == L.A_PLAY:
        return f"play {card}, face down"
    if kind == L.A_MISSION:
        return f"execute {card}"
    if kind == L.A_SUPER:
        return f"summon {card}"
    return {L.A_KEEP: "keep the hand", L.A_EXCHANGE: "exchange the drawn cards", L.A_END: "end missions"}.get(
        kind, "pass (spirit)"
    )
