"""Positions of the sea game in words, so that a test reads like its clause."""

from collections import Counter

import pytest

from sim.files.toml import validate
from sim.kernels.bits import U
from sim.kernels.jit import kernel
from sim.kernels.streams import seed_streams
from sim.library import load_game
from sim.play import Match, Setup
from sim.sea import layout as L
from sim.sea.cards import SeaDeck, SeaRules, SeaSet
from sim.sea.rules import to_sea

STEPS = {"draw": L.DRAW_STEP, "support": L.SUPPORT_STEP, "deploy": L.DEPLOY_STEP, "action": L.ACTION_STEP}
PLAIN = [{"id": f"p{n}", "name": f"P{n}", "en": f"plain {n}", "power": n} for n in range(1, 10)]


@pytest.fixture
def sea():
    """Make a match at a position: cards (plain ones p1 to p9 and the given), zones of both seats, rule options."""

    def make(*cards, first=None, second=None, step="action", turn=2, active=0, **options):
        card_set = validate({"game": "sea", "set": "test", "version": 1, "card": [*PLAIN, *cards]}, SeaSet, "test")
        zones = [{"life": [], "hand": [], "sea": [], "friends": [], **(seat or {})} for seat in (first, second)]
        tables, decks = [], []
        for seat in zones:
            ids = Counter([entry.split()[0] for zone in seat.values() for entry in zone] or ["p1"])
            deck = validate({"game": "sea", "set": "test", "name": "test", "cards": dict(ids)}, SeaDeck, "test")
            rules = SeaRules(deck_size=deck.size, copies=60, **options)
            decks.append(deck)
            tables.append(Setup(load_game("sea"), card_set, (deck, deck), rules).tables)
        setup = Setup(load_game("sea"), card_set, tuple(decks), rules)
        setup.__dict__["tables"] = tables[0]
        tables[0][0]["decks"][1] = tables[1][0]["decks"][1]
        match = Match(setup)
        game, state, table = match.game, match.state, match.table
        for seat in range(2):
            seed_streams(state["players"][seat], U(seat), 0)
        game.begin(state, table)
        for seat, words in enumerate(zones):
            fill(state["players"][seat], table, seat, words, setup.ids)
        state["turn"], state["active"], state["step"] = turn, active, STEPS[step]
        state["supports"] = setup.rules.supports_per_turn
        state["busy"], state["idle_before"] = 0, 0
        me = state["players"][active]
        state["points"] = int(me["friends_count"]) - int(me["sea_power"])
        match._advance()
        return match

    return make


@kernel
def put(player, deck, slot):
    """Put a card into the Sea."""
    to_sea(player, deck, slot)


def fill(player, table, seat, words, ids):
    deck = table["decks"][seat]
    slots = load_game("sea").words.first_slots(table, seat, ids)
    for name in ("hand", "sea_cards", "upright", "acted", "readied", "guards", "compels"):
        player[name] = U(0)
    for name in ("life_count", "friends_count", "sea_count", "sea_power"):
        player[name] = 0
    for id in words["hand"]:
        slot = slots[id]
        while int(player["hand"]) >> slot & 1:
            slot += 1
        player["hand"] |= U(1 << slot)
    for i, id in enumerate(reversed(words["life"])):
        player["life"][i] = slots[id]
    player["life_count"] = len(words["life"])
    for i, id in enumerate(words["friends"]):
        player["friends"][i] = slots[id]
    player["friends_count"] = len(words["friends"])
    for place, entry in enumerate(words["sea"]):
        id, *marks = entry.split()
        put(player, deck, slots[id])
        for mark in marks:
            if mark != "rested":
                player[mark] |= U(1 << place)
    player["actor"] = L.NOBODY
