"""Positions of the dino game in words, so that a test reads like its clause."""

from collections import Counter

import pytest

from sim.card_words import kinds_by_id
from sim.dino import layout as L
from sim.dino.cards import DinoDeck, DinoRules, DinoSet
from sim.dino.rules import to_field
from sim.files.toml import validate
from sim.kernels.bits import U
from sim.kernels.jit import kernel
from sim.kernels.streams import seed_streams, side_keys
from sim.library import load_game
from sim.play import Match, Setup

PHASES = {"main": L.MAIN_PHASE, "attack": L.ATTACK_PHASE}
PLAIN = [
    *({"id": f"d{n}", "name": f"D{n}", "en": f"plain {n}", "kind": "dino", "cost": n, "fight": [n, n + 1, n + 2],
    "direct": [1, 2, 3]}
      for n in range(10)),
    *({"id": f"s{n}", "name": f"S{n}", "en": f"herb {n}", "kind": "spell", "cost": n,
    "ability": [{"when": "spell", "do": "heal"}]}
      for n in range(6)),
]  # fmt: skip
EMPTY = {"life": 20, "pp": "9/9", "deck": ["d1"] * 30, "hand": [], "field": [], "stratum": []}


def card_set(cards):
    return validate({"game": "dino", "set": "test", "version": 1, "card": [*PLAIN, *cards]}, DinoSet, "test")


def deck_of(counts):
    return validate({"game": "dino", "set": "test", "name": "test", "cards": dict(counts)}, DinoDeck, "test")


@pytest.fixture
def dino():
    """Make a match at a position: cards (plain ones d0 to d9, s0 to s5 and the given), zones of both seats, rule
    options.
    """

    def make(*cards, first=None, second=None, phase="main", turn=5, active=0, **options):
        zones = [{**EMPTY, **(seat or {})} for seat in (first, second)]
        options = {"opening_hand": 0, "mulligan": False, **options}
        tables, decks, cards = [], [], card_set(cards)
        for seat in zones:
            ids = Counter(
                entry.split()[0]
                for zone in ("deck", "hand", "field", "stratum")
                for entry in seat[zone]
                if entry != "-"
            )
            decks.append(deck_of(ids))
            rules = DinoRules(deck_size=decks[-1].size, copies=L.MAX_DECK, **options)
            tables.append(Setup(load_game("dino"), cards, (decks[-1], decks[-1]), rules).tables)
        setup = Setup(load_game("dino"), cards, tuple(decks), rules)
        setup.__dict__["tables"] = tables[0]
        tables[0][0]["decks"][1] = tables[1][0]["decks"][1]
        match = Match(setup)
        game, state, table = match.game, match.state, match.table
        for seat in range(2):
            seed_streams(state["players"][seat], U(seat), 0)
        game.begin(state, table)
        for seat, words in enumerate(zones):
            fill(state, table, seat, words, setup.ids)
        state["turn"], state["active"], state["phase"] = turn, active, PHASES[phase]
        state["winner"], state["reason"] = L.NOBODY, L.NOT_OVER
        state["now"]["row"] = state["now"]["end"] = state["waiting_count"] = state["decisions"] = 0
        state["last_decision"] = rules.max_decisions
        match._advance()
        return match

    return make


@kernel
def summon(state, table, seat, kind):
    """Put a dino into the lowest empty slot."""
    to_field(state, table, seat, kind)


def fill(state, table, seat, words, ids):
    player, kinds = state["players"][seat], kinds_by_id(table, seat, ids)
    player["life"] = words["life"]
    player["pp"], player["pp_max"] = map(int, words["pp"].split("/"))
    player["deck"][: len(words["deck"])] = [kinds[id] for id in reversed(words["deck"])]
    player["deck_count"], player["hand_count"] = len(words["deck"]), len(words["hand"])
    for zone in ("hand", "stratum"):
        player[zone], player[f"{zone}_counts"] = U(0), 0
        for id in words[zone]:
            player[zone] |= U(1 << kinds[id])
            player[f"{zone}_counts"][kinds[id]] += 1
    occupied = 0
    for slot, entry in enumerate(words["field"]):
        if entry == "-":
            continue
        id, level, stands, *marks = entry.split()
        player["occupied"] = U((1 << slot) - 1)  # so that this slot is the lowest empty one
        summon(state, table, U(seat), kinds[id])
        occupied |= 1 << slot
        player["field"][slot]["level"] = int(level)
        marks += ["rested"] if stands == "rested" else []
        if "new" not in marks:
            player["new"] &= U(~(1 << slot) & 31)
        for mark in marks:
            if mark in ("rested", "frozen"):
                player[mark] |= U(1 << slot)
            elif mark.startswith("+"):
                player["granted"] |= U(1 << L.KEYWORD_BITS * L.KEYWORDS.index(mark[1:]) + slot)
            elif mark != "new":
                name = mark.rstrip("+-0123456789")
                player["field"][slot][name] = int(mark.removeprefix(name))
                player["changed"] = 1
    player["occupied"] = U(occupied)


@pytest.fixture
def new_game():
    """Make a match from the start: decks as counts, piles (the top first) or a shuffle, rule options."""

    def make(*cards, first, second, piles=None, **options):
        decks = (deck_of(first), deck_of(second))
        rules = DinoRules(**{"deck_size": decks[0].size, "copies": 60, **options})
        match = Match(Setup(load_game("dino"), card_set(cards), decks, rules))
        if piles is None:
            match.deal(side_keys(1, "dino", (("a", "first"), ("b", "second"))))
        else:
            match.deal_piles(piles)
        return match

    return make
