"""Positions of the seer game in words, so that a test reads like its clause."""

from collections import Counter

import pytest

from sim.card_words import kinds_by_id
from sim.files.toml import validate
from sim.kernels.bits import U
from sim.kernels.streams import seed_streams, side_keys
from sim.library import load_game
from sim.play import Match, Setup
from sim.seer import layout as L
from sim.seer.cards import SeerDeck, SeerRules, SeerSet

PHASES = {"draw": L.DRAW_PHASE, "spirit": L.SPIRIT_PHASE, "battle": L.BATTLE_PHASE, "mission": L.MISSION_PHASE}
SUPPORT = {"support_attack": 5, "support_defence": 3}
HEAL_IN_BATTLE = {"ability": [{"when": "battle", "do": "heal", "n": 1}]}
HEAL_AS_REWARD = {"ability": [{"when": "reward", "do": "heal", "n": 10}]}


def card(id, kind, **keys):
    return {"id": id, "name": id.upper(), "en": id, "kind": kind, **keys}


def spirit(id, stage, line, element, slots, attack, **keys):
    by_sign = dict(zip(L.SIGNS, attack, strict=True))
    return card(id, "spirit", stage=stage, line=line, element=element, slots=slots, attack=by_sign, **keys)


def move(id, sign, **keys):
    return card(id, "move", sign=sign, element="grass", slots=[], attack=100, defence=50, **keys)


PLAIN = [
    spirit("leaf1", "basic", "leaf", "grass", ["a", "b", "b"], (10, 20, 30), sign="rock", **SUPPORT),
    spirit("leaf2", "middle", "leaf", "grass", ["a", "b", "b"], (110, 120, 130), sign="scissors"),
    spirit("leaf3", "high", "leaf", "grass", ["a", "b", "b"], (210, 220, 230), sign="paper"),
    spirit("fire1", "basic", "fire", "fire", [], (40, 50, 60), sign="rock"),
    spirit("none1", "basic", "none", "none", [], (0, 0, 0), sign="paper"),
    spirit("super1", "super", "super", "grass", ["a", "b", "b"], (310, 320, 330)),
    spirit("super2", "super", "super", "fire", [], (410, 420, 430)),
    *(move(sign, sign) for sign in L.SIGNS),
    *(move(f"{sign}bean", sign, bean=True) for sign in L.SIGNS),
    card("item0", "item", sign="rock", cost=0, **HEAL_IN_BATTLE),
    card("item2", "item", sign="scissors", cost=2, **HEAL_IN_BATTLE),
    card("itembean", "item", sign="paper", bean=True, cost=0, **HEAL_IN_BATTLE),
    card("quest0", "mission", cost=0, **HEAL_AS_REWARD),
    card("quest2", "mission", cost=2, **HEAL_AS_REWARD),
]
EMPTY = {
    "hp": 2000,
    "deck": ["rock"] * 30,
    "hand": [],
    "active": "none1",
    "beans": [],
    "discard": [],
    "supers": [],
    "out": [],
}


def card_set(cards):
    return validate({"game": "seer", "set": "test", "version": 1, "card": [*PLAIN, *cards]}, SeerSet, "test")


def deck_of(cards, supers):
    return validate(
        {"game": "seer", "set": "test", "name": "test", "cards": dict(cards), "supers": dict(supers)}, SeerDeck, "test"
    )


@pytest.fixture
def seer():
    """Make a match at a position: cards (the plain ones above and the given), zones of both seats, rule options."""

    def make(*cards, first=None, second=None, phase="battle", round=3, **options):
        known = card_set(cards)
        supers = {card.id for card in known.card if card.stage == "super"}
        zones = [{**EMPTY, **(seat or {})} for seat in (first, second)]
        tables, decks = [], []
        for seat in zones:
            ids = Counter(
                [id for zone in ("deck", "hand", "beans", "discard", "supers", "out") for id in seat[zone]]
                + [seat["active"]]
            )
            ids["fire1"] += 2  # never seen: so that the deck can be built
            decks.append(
                deck_of(
                    {id: n for id, n in ids.items() if id not in supers},
                    {id: n for id, n in ids.items() if id in supers},
                )
            )
            rules = SeerRules(
                **{"deck_min": 0, "deck_max": L.MAX_DECK, "copies": L.MAX_DECK, "max_supers": L.MAX_DECK, **options}
            )
            tables.append(load_game("seer").encode(known, (decks[-1], decks[-1]), rules, True))
        setup = Setup(load_game("seer"), known, tuple(decks), rules)
        setup.__dict__["tables"] = tables[0]
        tables[0][0]["decks"][1] = tables[1][0]["decks"][1]
        match = Match(setup)
        game, state, table = match.game, match.state, match.table
        for seat in range(2):
            seed_streams(state["players"][seat], U(seat), 0)
        game.begin(state, table)
        for seat, words in enumerate(zones):
            fill(state["players"][seat], words, kinds_by_id(table, seat, setup.ids))
        state["turn"], state["phase"], state["step"] = round, PHASES[phase], 0
        state["first"] = (round + 1) % 2 if rules.first_order == "alternate" else 0
        match._advance()
        return match

    return make


def fill(player, words, kinds):
    player["hp"], player["active"] = words["hp"], kinds[words["active"]]
    player["deck"][: len(words["deck"])] = [kinds[id] for id in reversed(words["deck"])]
    player["deck_count"], player["hand_count"], player["discard_count"] = (
        len(words[zone]) for zone in ("deck", "hand", "discard")
    )
    player["bean_count"] = len(words["beans"])
    player["beans"][: len(words["beans"])] = [kinds[id] for id in words["beans"]]
    for zone, counts in (
        ("hand", "hand_counts"),
        ("discard", "discard_counts"),
        ("supers", "super_counts"),
        ("out", "out_counts"),
    ):
        player[counts] = 0
        for id in words[zone]:
            player[counts][kinds[id]] += 1
        if zone in ("hand", "supers"):
            player[zone] = U(sum({1 << kinds[id] for id in words[zone]}))


@pytest.fixture
def new_game():
    """Make a match from the start: decks as counts, piles (the top first, without the picked cards) or a shuffle, rule
    options.
    """

    def make(*cards, first, second, piles=None, **options):
        decks = tuple(deck_of(deck["cards"], deck.get("supers", {})) for deck in (first, second))
        rules = SeerRules(**{"deck_min": 0, "deck_max": 50, "copies": 50, **options})
        match = Match(Setup(load_game("seer"), card_set(cards), decks, rules))
        if piles is None:
            match.deal(side_keys(1, "seer", (("a", "first"), ("b", "second"))))
        else:
            match.deal_piles(piles)
        return match

    return make
