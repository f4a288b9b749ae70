"""The rules of seer, clause by clause; the clauses are those of docs/seer.md."""

import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from sim import replay
from sim.files.errors import InputError
from sim.files.toml import validate
from sim.library import load_game
from sim.seer.cards import SeerDeck, SeerRules, SeerSet, check_deck
from strategies import load_strategy

SIGNS = ["rock", "scissors", "paper"]
BEATEN = {"rock": "scissors", "scissors": "paper", "paper": "rock"}  # by the sign before it
BEATER = {loser: winner for winner, loser in BEATEN.items()}


def spirit(id, stage="basic", attack=(0, 0, 0), **fields):
    return {
        "id": id, "name": id.upper(), "en": id, "kind": "spirit", "stage": stage, "line": "x", "element": "grass",
        "sign": "rock", "attack": dict(zip(SIGNS, attack, strict=True)), "slots": [], **fields,
    }  # fmt: skip


def move(id, *ability, **fields):
    return {
        "id": id, "name": id.upper(), "en": id, "kind": "move", "sign": "rock", "element": "grass", "slots": [],
        "attack": 0, "defence": 0, "ability": list(ability), **fields,
    }  # fmt: skip


def item(id, *ability, **fields):
    return {
        "id": id,
        "name": id.upper(),
        "en": id,
        "kind": "item",
        "sign": "rock",
        "cost": 0,
        "ability": list(ability),
        **fields,
    }


def mission(id, *ability, **fields):
    return {"id": id, "name": id.upper(), "en": id, "kind": "mission", "cost": 0, "ability": list(ability), **fields}


def battle(do, **keys):
    return {"when": "battle", "do": do, **keys}


def reward(do, **keys):
    return {"when": "reward", "do": do, **keys}


def zone(m, name, seat=0):
    return m.position[seat][name]


def hps(m):
    return [zone(m, "hp", seat) for seat in (0, 1)]


def asked(m):
    return m.decider, m.decision, m.legal


def sizes(m):
    """How many cards each player has."""
    lists = ("hand", "beans", "discard", "supers", "out")
    return [
        p["deck"] + sum(len(p[name]) for name in lists) + sum(p[name] is not None for name in ("active", "battle"))
        for p in m.position
    ]


def clash(seer, mine, yours, *cards, first=None, second=None, round=3, **options):
    """The battle cards of both (None: no hand card) have met; with the round the game ends, so that nobody draws."""
    seats = [{**(seat or {})} for seat in (first, second)]
    for seat, card in zip(seats, (mine, yours), strict=True):
        seat["hand"] = ([card] if card else []) + seat.get("hand", [])
    m = seer(*cards, first=seats[0], second=seats[1], round=round, **{"max_turns": round, **options})
    while not m.is_over and not m.waits_for_chance and (m.decision, m.turn) == ("battle", round):
        m.act(f"play {(mine, yours)[m.decider]}")
    return m


def perform(seer, when, *effects, seat=0, cost=0, own=None, other=None, **options):
    """A seat's x has done its effects: as an item in battle (as attacker, without damage), or as a mission."""
    abilities = [{"when": when, **effect} for effect in effects]
    own, other = {**(own or {})}, {**(other or {})}
    if when == "battle":
        zones = (own, other) if seat == 0 else (other, own)
        plays = ("x", "scissors") if seat == 0 else ("scissors", "x")
        return clash(seer, *plays, item("x", *abilities, cost=cost), first=zones[0], second=zones[1], **options)
    own["hand"] = ["x", *own.get("hand", [])]
    zones = (own, other) if seat == 0 else (other, own)
    m = seer(
        mission("x", *abilities, cost=cost),
        first=zones[0],
        second=zones[1],
        phase="mission",
        **{"max_turns": 3, **options},
    )
    m.act("mission x")
    return m


BOTH = pytest.mark.parametrize("when", ["battle", "reward"])
SEATS = pytest.mark.parametrize("seat", [0, 1])


def read_cards(*cards):
    return validate({"game": "seer", "set": "t", "version": 1, "card": list(cards)}, SeerSet, "t")


# ---------------------------------------------------------------------------------------------------------------- E1

DECK = {"cards": {"fire1": 1, "none1": 2, "rock": 6, "paper": 4}, "supers": {"super2": 1, "super1": 2}}
PILES = [  # after `pick none1,none1` of both
    ["rock", "paper", "fire1", "paper", "rock", "rock", "paper", "rock", "paper", "rock", "rock"],
    ["paper", "paper", "paper", "rock", "fire1", "rock", "rock", "rock", "rock", "rock", "paper"],
]
EMPTY = {
    "hp": 2000,
    "deck": 30,
    "hand": [],
    "active": "none1",
    "battle": None,
    "beans": [],
    "discard": [],
    "supers": [],
    "out": [],
}


def test_e1_1_zones_of_a_new_game(new_game):
    m = new_game(first=DECK, second={**DECK, "supers": {}})
    assert m.position == [
        {**EMPTY, "deck": 13, "active": None, "supers": ["super1", "super1", "super2"]},
        {**EMPTY, "deck": 13, "active": None},
    ]


def test_e1_1_battle_cards_are_face_down_until_both_are_chosen(seer):
    m = seer(first={"hand": ["rock"]}, second={"hand": ["scissors"], "hp": 1}, round=3)
    m.act("play rock")
    assert (zone(m, "battle"), zone(m, "hand")) == (None, ["rock"])
    m = clash(seer, "rock", "scissors", first={"active": "leaf1"}, second={"hp": 1})
    assert [zone(m, "battle", seat) for seat in (0, 1)] == ["rock", "scissors"]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    "make", [spirit, move, lambda id, **fields: item(id, battle("damage", n=7, role="defender"), **fields)]
)
def test_e1_2_the_sign_of_each_kind(seer, make, sign):
    x = make("x", sign=sign)
    assert hps(clash(seer, "x", BEATEN[sign], x, first={"active": "fire1"}))[1] < 2000 - 30
    assert hps(clash(seer, "x", sign, x, first={"active": "fire1"})) == [2000, 2000]
    assert hps(clash(seer, "x", BEATER[sign], x, second={"active": "fire1"}))[0] < 2000 - 30


@pytest.mark.parametrize("sign", SIGNS)
def test_e1_2_a_missions_sign_is_not_used(seer, sign):
    x = mission("x", reward("heal"), cost=1, sign="rock")
    assert (
        hps(clash(seer, "x", sign, x, second={"active": "leaf1"}))[0]
        == 2000 - {"rock": 110, "scissors": 120, "paper": 130}[sign]
    )


@pytest.mark.parametrize("kind", ["move", "item", "spirit"])
@pytest.mark.parametrize("bean", [True, False])
def test_e1_2_the_bean_mark_of_each_kind(seer, kind, bean):
    x = {"move": move("x"), "item": item("x", battle("heal")), "spirit": spirit("x")}[kind]
    m = clash(seer, "x", "scissors", {**x, "bean": bean})
    assert (zone(m, "beans"), zone(m, "discard")) == ((["x"], []) if bean else ([], ["x"]))


@pytest.mark.parametrize("active", ["leaf1", "leaf2", "leaf3", "fire1", "super1", "super2", "x"])
def test_e1_3_attack_by_sign(seer, active):
    x = spirit("x", "high", (7, 9999, 0), line="other")
    values = {
        "leaf1": [10, 20, 30], "leaf2": [110, 120, 130], "leaf3": [210, 220, 230], "fire1": [40, 50, 60],
        "super1": [310, 320, 330], "super2": [410, 420, 430], "x": [7, 2000, 0],
    }[active]  # fmt: skip
    blank = [item(f"use_{sign}", battle("bean", role="defender"), sign=sign) for sign in SIGNS]
    for sign, value in zip(SIGNS, values, strict=True):
        assert hps(clash(seer, f"use_{sign}", BEATEN[sign], x, *blank, first={"active": active})) == [
            2000,
            2000 - value,
        ]


def test_e1_3_support_values_are_0_by_default(seer):
    x = spirit("x", attack=(500, 500, 500))
    assert hps(clash(seer, "x", "scissors", x)) == [2000, 2000]
    assert hps(clash(seer, "x", "paper", x, second={"active": "fire1"})) == [1940, 2000]


@pytest.mark.parametrize(
    ("slots", "damage"), [(["b", "b"], 110), (["a", "b"], 110), (["a", "a"], 10), (["b", "b", "b"], 10)]
)
def test_e1_4_a_move_needs_each_slot_as_often_as_listed(seer, slots, damage):
    assert hps(clash(seer, "x", "scissors", move("x", attack=100, slots=slots), first={"active": "leaf1"})) == [
        2000,
        2000 - damage,
    ]


@pytest.mark.parametrize(("cost", "beans"), [(0, 0), (1, 1), (3, 3), (6, 6)])
def test_e1_4_costs_of_items_and_missions_are_beans(seer, cost, beans):
    for when in ("battle", "reward"):
        m = perform(seer, when, {"do": "heal", "n": 5}, cost=cost, own={"hp": 1000, "beans": ["rock"] * 7})
        assert (zone(m, "hp"), len(zone(m, "beans"))) == (1005, 7 - beans)


BASE = {"b1": 2, "b2": 1, **{f"m{n}": 3 for n in range(9)}}  # 30 cards
FIFTY = {**BASE, **{f"m{n}": 3 for n in range(9, 15)}, "m15": 2}


@pytest.mark.parametrize(
    ("cards", "supers", "options", "wrong"),
    [
        (BASE, {}, {}, None),
        (FIFTY, {}, {}, None),
        ({**BASE, "m0": 2}, {}, {}, r"29 .*30.*50.*E1\.5.*deck_min"),
        ({**FIFTY, "m15": 3}, {}, {}, r"51 .*30.*50.*E1\.5.*deck_max"),
        ({"b1": 2, "b2": 3, "m0": 1}, {}, {"deck_min": 6}, None),
        ({"b1": 2, "b2": 3}, {}, {"deck_min": 6}, r"5 .*6.*E1\.5"),
        (FIFTY, {}, {"deck_max": 49}, r"50 .*49.*E1\.5"),
        ({**BASE, "m0": 4}, {}, {}, r"4 of 'm0'.*3.*E1\.5.*copies"),
        ({**BASE, "m0": 4}, {}, {"copies": 4}, None),
        (BASE, {}, {"copies": 2}, r"3 of 'm0'.*2.*E1\.5.*copies"),
        ({**BASE, "b1": 0, "m9": 2}, {}, {}, r"1 basic.*2.*E1\.5"),
        ({**BASE, "b1": 0, "b2": 0, "m9": 3}, {}, {}, r"0 basic.*2.*E1\.5"),
        ({**BASE, "b1": 0, "middle": 1, "high": 1}, {}, {}, r"1 basic.*2.*E1\.5"),
        ({**BASE, "b2": 0, "m9": 1}, {}, {}, None),  # two basic spirits, the same card
        (BASE, {"z1": 3, "z2": 2}, {}, None),
        (BASE, {"z1": 3, "z2": 3}, {}, r"6 supers.*5.*E1\.5.*max_supers"),
        (BASE, {"z1": 3, "z2": 3}, {"max_supers": 6}, None),
        (BASE, {"z1": 1, "z2": 1}, {"max_supers": 1}, r"2 supers.*1.*E1\.5.*max_supers"),
        (BASE, {"z1": 4}, {}, r"4 of 'z1'.*3.*E1\.5.*copies"),
        ({**BASE, "nobody": 1}, {}, {}, r"unknown card 'nobody'"),
        (BASE, {"nobody": 1}, {}, r"unknown card 'nobody'"),
        ({**BASE, "z1": 1}, {}, {}, r"'z1' among the cards"),
        (BASE, {"b1": 1}, {}, r"'b1' among the supers"),
        (BASE, {"m0": 1}, {}, r"'m0' among the supers"),
    ],
)
def test_e1_5_and_e1_7_deck_construction(cards, supers, options, wrong):
    others = [spirit("middle", "middle"), spirit("high", "high"), spirit("z1", "super"), spirit("z2", "super")]
    card_set = read_cards(spirit("b1"), spirit("b2"), *others, *(move(f"m{n}") for n in range(16)))
    deck = validate({"game": "seer", "set": "t", "name": "t", "cards": cards, "supers": supers}, SeerDeck, "t")
    problems = check_deck(card_set, deck, SeerRules(**options))
    assert problems == [] if wrong is None else any(re.search(wrong, problem) for problem in problems)


def test_e1_6_any_card_in_the_beans_is_worth_one(seer):
    m = clash(seer, "item2", "paper", first={"hp": 1000, "beans": ["leaf3", "item2"]})
    assert (zone(m, "hp"), zone(m, "beans"), zone(m, "discard")) == (1001, [], ["leaf3", "item2", "item2"])


def test_e1_6_nothing_comes_back_from_out(seer):
    m = seer(first={"active": "super1", "hand": ["fire1"], "deck": []}, phase="spirit", round=3)
    m.act("swap fire1")
    assert (zone(m, "out"), zone(m, "discard"), zone(m, "supers")) == (["super1"], [], [])
    while m.turn < 5:
        m.act(m.legal[-1])
    assert (zone(m, "out"), zone(m, "discard"), zone(m, "supers"), zone(m, "hand")) == (["super1"], [], [], [])


X, MOVE, ITEM, MISSION = spirit("x"), move("x", battle("heal")), item("x", battle("heal")), mission("x", reward("heal"))


def without(card, *keys):
    return {name: value for name, value in card.items() if name not in keys}


SUPER = without(spirit("x", "super"), "sign", "line")


@pytest.mark.parametrize(
    "card",
    [
        X, SUPER, MOVE, ITEM, MISSION,
        *({**card, "bean": bean} for card in (X, SUPER, MOVE, ITEM, MISSION) for bean in (True, False)),
        {**SUPER, "sign": "paper"}, {**SUPER, "line": "x"}, {**MISSION, "sign": "rock"},
        *({**X, "stage": s} for s in ("middle", "high")),
        *({**card, "sign": sign} for card in (X, MOVE, ITEM) for sign in SIGNS), without(MOVE, "ability"),
        {**MOVE, "ability": []},
        {**MOVE, "ability": [battle("heal")] * 3}, spirit("x", attack=(0, 9999, 1)),
        {**X, "support_attack": 9999, "support_defence": 0},
        {**X, "support_defence": 9999}, {**X, "slots": ["a", "b", "a"], "element": "風", "line": "any words"},
        {**MOVE, "attack": 9999, "defence": 9999, "slots": ["技", "技"], "element": "any"},
        *({**ITEM, "cost": n} for n in (0, 50)),
        *({**MISSION, "cost": n} for n in (0, 50)), *(item("x", battle("heal", n=n, text="Heal")) for n in (1, 9999)),
        *(item("x", battle("heal", role=role)) for role in ("attacker", "defender", "any")),
    ],
)  # fmt: skip
def test_e1_7_cards_that_fit(card):
    assert read_cards(card).ids == [card["id"]]


@pytest.mark.parametrize(
    "cards",
    [
        *([without(card, key)] for card in (X, MOVE, ITEM, MISSION) for key in ("id", "name", "en", "kind")),
        *([without(X, key)] for key in ("sign", "stage", "line", "element", "attack", "slots")),
        *([without(SUPER, key)] for key in ("stage", "element", "attack", "slots")),
        *([without(MOVE, key)] for key in ("sign", "element", "slots", "attack", "defence")),
        *([without(ITEM, key)] for key in ("sign", "cost", "ability")),
        *([without(MISSION, key)] for key in ("cost", "ability")),
        [{**ITEM, "ability": []}], [{**MISSION, "ability": []}], [{**X, "ability": [battle("heal")]}],
        [{**X, "kind": "trainer"}], *([{**card, "sign": "stone"}] for card in (X, SUPER, MOVE, ITEM, MISSION)),
        [{**X, "stage": "baby"}],
        [{**X, "bean": "yes"}], *([spirit("x", attack=(0, 0, n))] for n in (-1, 10000)),
        [{**X, "attack": {"rock": 1, "paper": 1}}],
        [{**X, "attack": {"rock": 1, "paper": 1, "scissors": 1, "well": 1}}], [{**X, "attack": 5}],
        [{**X, "slots": "a"}],
        *([{**X, key: n}] for key in ("support_attack", "support_defence") for n in (-1, 10000)),
        *([{**MOVE, key: n}] for key in ("attack", "defence") for n in (-1, 10000)),
        *([{**card, "cost": n}] for card in (ITEM, MISSION) for n in (-1, 51)),
        *([item("x", battle("heal", n=n))] for n in (-1, 0, 10000)),
        *([mission("x", reward("heal", n=n))] for n in (0, 10000)), [{**X, "cost": 1}], [{**MOVE, "cost": 1}],
        [{**ITEM, "element": "x"}],
        [{**MOVE, "line": "x"}], [{**MISSION, "slots": []}], [{**MOVE, "support_attack": 1}], [{**ITEM, "attack": 1}],
        [{**X, "defence": 1}], [{**X, "power": 1}], [{**X, "id": "a b"}], [{**X, "id": "a,b"}], [X, MOVE], [],
    ],
)  # fmt: skip
def test_e1_7_cards_that_do_not_fit(cards):
    with pytest.raises(InputError):
        read_cards(*cards)


def redeal(m, seat, seed=1):
    m.game.words.scramble_hidden(m.state, m.table, seat, np.random.default_rng(seed))


@SEATS
def test_e1_8_a_redeal_keeps_what_a_player_may_know(seer, seat):
    seen = set()
    for seed in range(8):
        m = seer(
            first={
                "hp": 7, "deck": ["rock", "paper", "fire1"], "hand": ["rock", "quest2"], "active": "super1",
                "beans": ["paper", "rock"],
                "discard": ["leaf1"], "supers": ["super2", "super1"], "out": ["super2"],
            },
            second={
                "deck": ["scissors", "rock", "leaf1"], "hand": ["scissors", "item2"], "active": "leaf2",
                "beans": ["rock"],
                "discard": ["item0"], "supers": ["super1", "super2"], "out": ["super1"],
            },
        )  # fmt: skip
        before = m.position
        redeal(m, seat, seed)
        mine, theirs, old = m.position[seat], m.position[1 - seat], before[1 - seat]
        assert mine == before[seat]
        assert {**theirs, "hand": 2, "supers": 2} == {**old, "hand": 2, "supers": 2}
        assert (len(theirs["hand"]), len(theirs["supers"])) == (2, 2)
        hidden = Counter([["rock", "paper", "fire1"], ["scissors", "rock", "leaf1"]][1 - seat] + old["hand"])
        assert Counter(theirs["hand"]) <= hidden
        seen.add(tuple(theirs["hand"]))
    assert len(seen) > 1


def test_e1_8_the_own_deck_keeps_its_cards_not_its_order(seer):
    seen, deck = set(), ["paper", "scissors", "item0", "item2", "quest2", "rockbean", "fire1"]
    for seed in range(8):
        m = seer(first={"hand": ["rock"] * 5, "deck": deck}, second={"hand": ["rock"]})
        redeal(m, 0, seed)
        m.act("play rock")
        m.act("play rock")
        drawn = Counter(zone(m, "hand")) - Counter({"rock": 4})
        assert (drawn <= Counter(deck), drawn.total(), zone(m, "deck")) == (True, 2, 5)
        seen.add(tuple(drawn))
    assert len(seen) > 1


@pytest.mark.parametrize("decision", ["pick", "exchange", "lead", "battle"])
@pytest.mark.parametrize("asked_seat", [0, 1])
def test_e1_8_after_a_redeal_at_a_hidden_decision_the_game_goes_on(new_game, decision, asked_seat):
    for seed in range(5):
        deck = {"cards": {"none1": 2, "rock": 9, "paper": 9}, "supers": {"super1": 1}}
        m = new_game(first=deck, second=deck)
        while asked(m)[:2] != (asked_seat, decision):
            m.act(m.legal[0])
        own, other = (
            m.position[asked_seat],
            {**m.position[1 - asked_seat], "hand": len(zone(m, "hand", 1 - asked_seat))},
        )
        redeal(m, asked_seat, seed)
        theirs = m.position[1 - asked_seat]
        assert (m.position[asked_seat], {**theirs, "hand": len(theirs["hand"])}) == (own, other)
        while m.turn < 2:
            m.act(m.legal[-1]) if not m.waits_for_chance else m.let_happen()
        assert sizes(m) == [21, 21]


# ---------------------------------------------------------------------------------------------------------------- E2


def picked(new_game, **options):
    m = new_game(first=DECK, second=DECK, piles=PILES, **options)
    m.act("pick none1,none1")
    m.act("pick none1,none1")
    return m


def to_round_1(m):
    while m.turn == 0:
        m.act(m.legal[0])
    return m


@pytest.mark.parametrize(("options", "hp"), [({}, 2000), ({"hp": 1}, 1), ({"hp": 9000}, 9000)])
def test_e2_1_hp(new_game, options, hp):
    m = new_game(first=DECK, second=DECK, piles=PILES, **options)
    assert hps(m) == [hp, hp]


def test_e2_2_each_chooses_2_basic_spirits_and_draws_4(new_game):
    m = new_game(
        first={"cards": {"leaf2": 3, "fire1": 1, "none1": 2, "rock": 9}, "supers": {}},
        second={"cards": {"leaf1": 2, "rock": 9}, "supers": {}},
        piles=[["leaf2", "rock", "rock", "none1", "leaf2", "leaf2"] + ["rock"] * 7, ["rock"] * 9],
    )
    assert asked(m) == (0, "pick", ["pick fire1,none1", "pick none1,none1"])
    m.act("pick fire1,none1")
    assert asked(m) == (1, "pick", ["pick leaf1,leaf1"])
    m.act("pick leaf1,leaf1")
    assert (zone(m, "hand"), zone(m, "deck")) == (["leaf2", "fire1", "none1", "none1", "rock", "rock"], 9)
    assert (zone(m, "hand", 1), zone(m, "deck", 1)) == (["leaf1", "leaf1"] + ["rock"] * 4, 5)


def test_e2_2_the_opening_hand_does_not_follow_hand_size(new_game):
    m = picked(new_game, hand_size=2)
    assert [len(zone(m, "hand", seat)) for seat in (0, 1)] == [6, 6]


def test_e2_2_the_rest_is_shuffled(new_game):
    deck = {
        "cards": {"none1": 4, **dict.fromkeys(["rock", "paper", "scissors", "item0", "item2", "quest2"], 6)},
        "supers": {},
    }
    m = new_game(first=deck, second=deck)
    m.act("pick none1,none1")
    m.act("pick none1,none1")
    rest = Counter(deck["cards"]) - Counter({"none1": 2})
    assert [Counter(pile) for pile in m.piles] == [rest, rest]
    assert m.piles[0] != m.piles[1]
    assert max(sum(a == b for a, b in pairwise(pile)) for pile in m.piles) < 20  # of 37; in a sorted pile 31 of them
    for seat in (0, 1):
        assert Counter(zone(m, "hand", seat)) == Counter([*m.piles[seat][:4], "none1", "none1"])


def test_e2_3_the_4_drawn_cards_are_shuffled_back_and_4_drawn_anew(new_game):
    m = picked(new_game)
    assert asked(m) == (0, "exchange", ["keep", "exchange"])
    m.act("exchange")
    assert asked(m) == (1, "exchange", ["keep", "exchange"])
    m.act("keep")
    assert m.waits_for_chance
    step = {
        "chance": "shuffle",
        "player": 0,
        "pile": ["rock", "fire1", "rock", "rock", "paper", "paper", "paper", "paper"] + ["rock"] * 3,
    }
    assert m.let_happen(step) == step
    assert (zone(m, "hand"), zone(m, "deck")) == (["fire1", "none1", "none1", "rock", "rock", "rock"], 7)
    assert zone(m, "hand", 1) == ["none1", "none1", "rock", "paper", "paper", "paper"]
    assert asked(m) == (0, "lead", ["lead fire1", "lead none1"])  # once


@pytest.mark.parametrize("pile", [PILES[0][4:], [*PILES[0], "none1", "none1"], ["none1", *PILES[0][1:]]])
def test_e2_3_another_pile_is_impossible(new_game, pile):
    m = picked(new_game)
    m.act("exchange")
    m.act("keep")
    with pytest.raises(InputError):
        m.let_happen({"chance": "shuffle", "player": 0, "pile": pile})


def test_e2_3_the_shuffle_is_random(new_game):
    m = picked(new_game)
    m.act("exchange")
    m.act("keep")
    seen = set()
    for _ in range(20):
        m.game.sample_chance(m.state, m.table)
        seen.add(tuple(m.game.words.chance(m.state, m.table, m.setup.ids)["pile"]))
    assert len(seen) > 10
    assert {tuple(sorted(pile)) for pile in seen} == {tuple(sorted(PILES[0]))}


def test_e2_3_option_exchange(new_game):
    assert asked(picked(new_game, exchange=False)) == (0, "lead", ["lead fire1", "lead none1"])


def test_e2_4_both_turn_up_a_basic_spirit_together(new_game):
    m = picked(new_game, exchange=False)
    m.act("lead fire1")
    assert asked(m) == (1, "lead", ["lead none1"])
    assert [zone(m, "active", seat) for seat in (0, 1)] == [None, None]
    m.act("lead none1")
    assert [zone(m, "active", seat) for seat in (0, 1)] == ["fire1", "none1"]
    assert zone(m, "hand") == ["none1", "none1", "rock", "rock", "paper", "paper"]  # the last by round 1's draw
    assert zone(m, "hand", 1) == ["fire1", "none1", "rock", "paper", "paper", "paper"]


def test_e2_4_the_lead_is_a_basic_spirit_from_hand_picked_or_drawn(new_game):
    deck = {"cards": {"none1": 2, "leaf1": 1, "leaf2": 1, "leaf3": 1, "rock": 9}, "supers": {"super1": 1}}
    piles = [["leaf3", "leaf1", "leaf2", *["rock"] * 9], ["leaf2", "leaf3", *["rock"] * 9, "leaf1"]]
    m = new_game(first=deck, second=deck, piles=piles, exchange=False)
    m.act("pick none1,none1")
    m.act("pick none1,none1")
    assert asked(m) == (0, "lead", ["lead leaf1", "lead none1"])
    m.act("lead leaf1")
    assert asked(m) == (1, "lead", ["lead none1"])


def test_e2_5_the_order_of_the_setup(new_game):
    m = new_game(first=DECK, second=DECK, piles=PILES)
    seen = []
    while m.turn == 0:
        if m.waits_for_chance:
            seen.append((m.let_happen()["player"], "shuffle"))
        else:
            seen.append((m.decider, m.decision))
            m.act("exchange" if m.decision == "exchange" else m.legal[-1])
    assert seen == [
        (0, "pick"),
        (1, "pick"),
        (0, "exchange"),
        (1, "exchange"),
        (0, "shuffle"),
        (1, "shuffle"),
        (0, "lead"),
        (1, "lead"),
    ]
    assert (m.decider, m.turn) == (0, 1)


def test_e2_5_only_who_exchanges_shuffles(new_game):
    m = picked(new_game)
    m.act("keep")
    m.act("exchange")
    assert m.let_happen()["player"] == 1
    assert asked(m)[:2] == (0, "lead")


def test_e2_6_piles_are_the_decks_without_the_picked_cards(new_game):
    m = picked(new_game)
    assert m.piles == PILES
    m.act("exchange")
    m.act("keep")
    m.let_happen()
    assert m.piles == PILES
    game = recorded(new_game)
    assert [step["decision"] for step in game["steps"][:2]] == ["pick", "pick"]
    for seat in (0, 1):
        pair = game["steps"][seat]["action"].removeprefix("pick ").split(",")
        assert Counter(game["piles"][seat]) + Counter(pair) == Counter(game["decks"][seat]["cards"])


# ---------------------------------------------------------------------------------------------------------------- E3


@pytest.mark.parametrize(
    ("hand", "options", "after"),
    [
        (0, {}, 6), (4, {}, 6), (5, {}, 6), (6, {}, 7), (9, {}, 10),
        (0, {"hand_size": 1}, 1), (1, {"hand_size": 1}, 2), (2, {"hand_size": 8}, 8), (8, {"hand_size": 8}, 9),
    ],
)  # fmt: skip
def test_e3_1_both_draw_up_to_6_or_1(seer, hand, options, after):
    m = seer(first={"hand": ["paper"] * hand}, second={"hand": ["rock"] * hand}, phase="draw", **options)
    assert [len(zone(m, "hand", seat)) for seat in (0, 1)] == [after, after]
    assert [zone(m, "deck", seat) for seat in (0, 1)] == [30 + hand - after] * 2
    assert zone(m, "hand").count("paper") == hand


def test_e3_1_from_the_top(seer):
    m = seer(first={"hand": ["rock"] * 4, "deck": ["paper", "item0", "scissors", "quest2"]}, phase="draw")
    assert zone(m, "hand") == ["rock"] * 4 + ["paper", "item0"]


def test_e3_2_an_empty_deck_is_made_of_the_discard_pile(seer):
    m = seer(first={"hand": ["rock"] * 3, "deck": ["item0"], "discard": ["paper", "scissors", "fire1"]}, phase="draw")
    assert m.waits_for_chance
    step = {"chance": "shuffle", "player": 0, "pile": ["scissors", "paper", "fire1"]}
    assert m.let_happen(step) == step
    assert (zone(m, "hand"), zone(m, "deck"), zone(m, "discard")) == (
        ["rock"] * 3 + ["scissors", "paper", "item0"],
        1,
        [],
    )


def test_e3_2_no_card_is_drawn_if_that_is_empty_too(seer):
    m = seer(first={"hand": ["paper"], "deck": ["rock", "rock"]}, second={"hand": ["paper"], "deck": []}, phase="draw")
    assert [zone(m, "hand", seat) for seat in (0, 1)] == [["rock", "rock", "paper"], ["paper"]]
    m = seer(first={"hand": ["paper"], "deck": [], "discard": ["rock"]}, phase="draw")
    assert m.let_happen() == {"chance": "shuffle", "player": 0, "pile": ["rock"]}  # of one card too
    assert (zone(m, "hand"), zone(m, "deck"), zone(m, "discard")) == (["rock", "paper"], 0, [])


@BOTH
def test_e3_2_cards_that_effects_draw_too(seer, when):
    m = perform(seer, when, {"do": "draw", "n": 3}, own={"deck": ["paper"], "discard": ["fire1"], "beans": ["rock"]})
    assert m.let_happen() == {"chance": "shuffle", "player": 0, "pile": ["fire1"]}
    assert (zone(m, "hand"), zone(m, "deck"), zone(m, "discard")) == (["fire1", "paper"], 0, ["x"])


def test_e3_3_an_emptied_deck_stays_empty(seer):
    m = seer(first={"hand": ["rock"] * 5, "deck": ["paper"], "discard": ["scissors", "fire1"]}, phase="draw")
    assert not m.waits_for_chance
    assert (zone(m, "deck"), zone(m, "discard")) == (0, ["fire1", "scissors"])


@pytest.mark.parametrize(
    "pile", [["paper"], ["paper", "item0", "rock"], ["paper", "super1"], ["paper", "scissors"], ["paper", "paper"]]
)
def test_e3_3_only_the_discard_pile_is_shuffled_in(seer, pile):
    seat = {"deck": [], "discard": ["paper", "item0"], "beans": ["rock"], "out": ["super1"], "supers": ["super1"]}
    m = seer(first=seat, phase="draw")
    with pytest.raises(InputError):
        m.let_happen({"chance": "shuffle", "player": 0, "pile": pile})
    m.let_happen({"chance": "shuffle", "player": 0, "pile": ["item0", "paper"]})
    assert (zone(m, "hand"), zone(m, "beans"), zone(m, "out")) == (["paper", "item0"], ["rock"], ["super1"])


def test_e3_3_cards_in_the_battle_area_are_not_shuffled_in(seer):
    for when in ("battle", "reward"):
        m = perform(seer, when, {"do": "draw", "n": 2}, own={"deck": []})
        assert (zone(m, "hand"), zone(m, "discard")) == ([], ["x"])


@pytest.mark.parametrize(("round", "options", "order"), [(3, {}, [0, 1]), (2, {"first_order": "alternate"}, [1, 0])])
def test_e3_4_the_first_player_draws_all_then_the_second(seer, round, options, order):
    seat = {"hand": ["rock"] * 2, "deck": ["rock"], "discard": ["paper"] * 5}
    m = seer(first=seat, second=seat, phase="draw", round=round, **options)
    assert m.let_happen()["player"] == order[0]
    assert (m.waits_for_chance, m.let_happen()["player"]) == (True, order[1])
    assert [len(zone(m, "hand", seat)) for seat in (0, 1)] == [6, 6]


def test_e3_4_round_1_has_a_draw_phase_too(new_game):
    m = to_round_1(picked(new_game))
    assert (m.turn, [len(zone(m, "hand", seat)) for seat in (0, 1)], zone(m, "deck")) == (1, [6, 6], 6)


def test_e3_4_a_hand_has_no_maximum(seer):
    m = perform(seer, "reward", {"do": "draw", "n": 25}, own={"hand": ["rock"] * 15})
    assert len(zone(m, "hand")) == 40


# ---------------------------------------------------------------------------------------------------------------- E4


@pytest.mark.parametrize(
    ("active", "hand", "legal"),
    [
        (
            "none1",
            ["fire1", "leaf1", "leaf2", "leaf3", "rock", "item0", "quest0"],
            ["swap leaf1", "swap fire1", "pass"],
        ),
        ("leaf1", ["leaf2", "leaf3"], ["evolve leaf2", "pass"]),
        ("leaf2", ["leaf1", "leaf2", "leaf3"], ["swap leaf1", "evolve leaf3", "pass"]),
        ("leaf3", ["leaf1", "leaf2", "leaf3"], ["swap leaf1", "pass"]),
        ("fire1", ["leaf2", "fire2"], ["evolve fire2", "pass"]),
        ("fire2", ["leaf3", "fire1"], ["swap fire1", "pass"]),
    ],
)
def test_e4_1_swap_or_evolve(seer, active, hand, legal):
    fire2 = spirit("fire2", "middle", line="fire", element="other")
    m = seer(fire2, first={"active": active, "hand": hand}, phase="spirit")
    assert asked(m) == (0, "spirit", legal)


@pytest.mark.parametrize(("action", "active"), [("swap fire1", "fire1"), ("evolve leaf2", "leaf2"), ("pass", "leaf1")])
def test_e4_1_the_old_spirit_goes_to_the_discard_pile_first_player_first_openly_once(seer, action, active):
    seat = {"active": "leaf1", "hand": ["fire1", "leaf2", "leaf2", "leaf3"]}
    m = seer(first=seat, second=seat, phase="spirit")
    for number in (0, 1):
        assert asked(m) == (number, "spirit", ["swap fire1", "evolve leaf2", "pass"])
        m.act(action)
        assert (zone(m, "active", number), zone(m, "discard", number)) == (
            active,
            ["leaf1"] if action != "pass" else [],
        )
        assert len(zone(m, "hand", number)) == (3 if action != "pass" else 4)
    assert asked(m)[:2] == (0, "battle")


def test_e4_2_a_super_is_not_evolved_and_leaves_the_game(seer):
    x = spirit("x", "super", line="leaf")
    for active in ("x", "super1"):
        m = seer(x, first={"active": active, "hand": ["leaf1", "leaf2", "leaf3"]}, phase="spirit")
        assert asked(m) == (0, "spirit", ["swap leaf1", "pass"])
        m.act("swap leaf1")
        assert (zone(m, "active"), zone(m, "out"), zone(m, "discard"), zone(m, "supers")) == ("leaf1", [active], [], [])


@pytest.mark.parametrize(
    ("options", "round", "starter"),
    [
        ({}, 1, 0), ({}, 2, 0), *(({"first_order": "fixed"}, round, 0) for round in (2, 3, 4)),
        *(({"first_order": "alternate"}, round, 1 - round % 2) for round in (1, 2, 3, 4)),
    ],
)  # fmt: skip
def test_e4_3_who_is_first(seer, options, round, starter):
    seat = {"hand": ["fire1", "quest0"]}
    for phase, play in (("spirit", "pass"), ("battle", "play fire1"), ("mission", "end")):
        m = seer(first=seat, second=seat, phase=phase, round=round, **options)
        assert (m.decider, m.decision) == (starter, phase)
        m.act(play)
        assert (m.decider, m.decision) == (1 - starter, phase)


@pytest.mark.parametrize(("order", "starters"), [("fixed", [0, 0, 0, 0]), ("alternate", [0, 1, 0, 1])])
def test_e4_3_it_changes_every_round(new_game, order, starters):
    deck = {"cards": {"none1": 2, "rock": 30}, "supers": {}}
    m = new_game(first=deck, second=deck, first_order=order, exchange=False)
    assert (m.decider, m.decision) == (0, "pick")
    to_round_1(m)
    seen = []
    while m.turn < 5:
        if len(seen) < m.turn:
            seen.append(m.decider)
        m.act(m.legal[-1])
    assert seen == starters


def test_e4_4_the_first_player_may_not_wait(seer):
    m = seer(first={"hand": ["fire1"]}, second={"hand": ["fire1"]}, phase="spirit")
    m.act("pass")
    m.act("swap fire1")
    assert asked(m) == (0, "battle", ["play fire1"])


def test_e4_4_a_swap_may_bring_the_same_card(seer):
    m = seer(first={"active": "fire1", "hand": ["fire1"], "hp": 77}, second={"hand": ["rock"]}, phase="spirit")
    assert m.legal == ["swap fire1", "pass"]
    m.act("swap fire1")
    assert (zone(m, "active"), zone(m, "discard"), zone(m, "hand"), hps(m)) == ("fire1", ["fire1"], [], [77, 2000])


@pytest.mark.parametrize("action", ["swap fire1", "evolve leaf2"])
def test_e4_4_hp_does_not_change_with_the_spirit(seer, action):
    m = seer(first={"active": "leaf1", "hand": ["fire1", "leaf2"], "hp": 77}, second={"hand": ["rock"]}, phase="spirit")
    m.act(action)
    assert hps(m) == [77, 2000]


def test_e4_4_a_high_spirit_is_not_evolved(seer):
    m = seer(first={"active": "leaf3", "hand": ["leaf2", "leaf3"]}, phase="spirit")
    assert asked(m) == (0, "battle", ["play leaf2", "play leaf3"])


# ---------------------------------------------------------------------------------------------------------------- E5


def test_e5_1_both_choose_without_knowing(seer):
    m = seer(first={"hand": ["rock", "paper"]}, second={"hand": ["leaf1", "item0", "quest0"]})
    before = m.position
    assert asked(m) == (0, "battle", ["play rock", "play paper"])
    m.act("play paper")
    assert asked(m) == (1, "battle", ["play leaf1", "play item0", "play quest0"])
    assert m.position == before


def test_e5_1_who_has_no_hand_card_has_none_who_has_must_choose(seer):
    m = seer(first={"hand": []}, second={"hand": ["rock"]})
    assert asked(m) == (1, "battle", ["play rock"])
    m.act("play rock")
    assert (m.turn, zone(m, "discard", 1), zone(m, "discard")) == (4, ["rock"], [])
    m = seer(first={"hand": ["rock"]}, second={"hand": []})
    m.act("play rock")
    assert m.turn == 4


@pytest.mark.parametrize("mine", SIGNS)
@pytest.mark.parametrize("yours", SIGNS)
def test_e5_2_signs(seer, mine, yours):
    value = {"rock": 110, "scissors": 120, "paper": 130}
    m = clash(seer, mine, yours, first={"active": "leaf1"}, second={"active": "leaf1"})
    winner = {("rock", "scissors"): 0, ("scissors", "paper"): 0, ("paper", "rock"): 0}.get((mine, yours), 1)
    if mine == yours:
        assert hps(m) == [2000, 2000]
    else:
        assert hps(m) == ([2000, 2050 - value[mine]] if winner == 0 else [2050 - value[yours], 2000])


def test_e5_2_same_sign_no_effect_of_either_card(seer):
    x = item("x", battle("damage", n=100), battle("draw"), cost=1)
    seat = {"active": "fire1", "beans": ["paper"]}
    m = clash(seer, "x", "x", x, first=seat, second=seat)
    assert (hps(m), [zone(m, "beans", s) for s in (0, 1)]) == ([2000, 2000], [["paper"], ["paper"]])
    assert [zone(m, "discard", s) for s in (0, 1)] == [["x"], ["x"]]
    assert [zone(m, "hand", s) for s in (0, 1)] == [[], []]


def test_e5_2_two_missions_return_to_hand(seer):
    m = clash(seer, "quest2", "quest2", first={"active": "fire1", "hp": 1000}, second={"active": "fire1", "hp": 1000})
    assert (hps(m), [zone(m, "hand", s) for s in (0, 1)]) == ([1000, 1000], [["quest2"], ["quest2"]])


@pytest.mark.parametrize(("sign", "damage"), [("rock", 110), ("scissors", 120), ("paper", 130)])
def test_e5_2_a_missions_owner_is_the_defender(seer, sign, damage):
    assert hps(clash(seer, sign, "quest2", first={"active": "leaf1"}, second={"active": "fire1"})) == [
        2000,
        2000 - damage,
    ]
    assert hps(clash(seer, "quest2", sign, first={"active": "fire1"}, second={"active": "leaf1"})) == [
        2000 - damage,
        2000,
    ]


@pytest.mark.parametrize(
    ("card", "damage"), [("rock", 110), ("scissors", 120), ("paper", 130), ("leaf1", 15), ("item2", 20)]
)
def test_e5_2_no_card_loses_to_any_card(seer, card, damage):
    assert hps(clash(seer, card, None, first={"active": "leaf1"}, second={"active": "fire1"})) == [2000, 2000 - damage]
    assert hps(clash(seer, None, card, first={"active": "fire1"}, second={"active": "leaf1"})) == [2000 - damage, 2000]


def test_e5_2_no_card_against_a_mission_or_none_ends_the_battle(seer):
    actives = {"first": {"active": "fire1"}, "second": {"active": "fire1"}}
    m = clash(seer, "quest2", None, **actives)
    assert (hps(m), zone(m, "hand")) == ([2000, 2000], ["quest2"])
    m = clash(seer, None, "quest2", **actives)
    assert (hps(m), zone(m, "hand", 1)) == ([2000, 2000], ["quest2"])
    m = seer(**actives)
    assert (hps(m), m.turn, m.decision) == ([2000, 2000], 4, "battle")


USES = pytest.mark.parametrize(
    ("active", "element", "slots", "usable"),
    [
        ("leaf1", "grass", [], True), ("leaf1", "grass", ["a"], True), ("leaf1", "grass", ["b", "a", "b"], True),
        ("leaf1", "grass", ["a", "a"], False), ("leaf1", "grass", ["b", "b", "b"], False),
        ("leaf1", "grass", ["c"], False),
        ("leaf1", "grass", ["a", "c"], False), ("leaf1", "fire", [], False), ("fire1", "grass", [], False),
        ("fire1", "fire", [], True),
        ("fire1", "fire", ["a"], False), ("super1", "grass", ["b", "b"], True), ("super1", "fire", ["b"], False),
        ("none1", "none", [], True),
    ],
)  # fmt: skip


@USES
def test_e5_3_a_move_that_counts_gives_an_attacker_its_attack(seer, active, element, slots, usable):
    x = move("x", battle("heal", n=5), element=element, slots=slots, attack=100, defence=1000)
    m = clash(seer, "x", "scissors", x, first={"active": active, "hp": 1000})
    sign = {"leaf1": 10, "fire1": 40, "super1": 310, "none1": 0}[active]
    assert hps(m) == ([1005, 1900 - sign] if usable else [1000, 2000 - sign])


@USES
def test_e5_3_a_move_that_counts_gives_a_defender_its_defence(seer, active, element, slots, usable):
    x = move("x", battle("damage", n=5), element=element, slots=slots, attack=1000, defence=50)
    m = clash(seer, "paper", "x", x, first={"active": "fire1"}, second={"active": active})
    assert hps(m) == ([1995, 1990] if usable else [2000, 1940])


def test_e5_4_support(seer):
    x = spirit("x", "high", (500, 500, 500), support_attack=70, support_defence=30)
    assert hps(clash(seer, "x", "scissors", x)) == [2000, 1930]
    assert hps(clash(seer, "scissors", "x", x)) == [1930, 2000]
    assert hps(clash(seer, "x", "paper", x, second={"active": "fire1"})) == [1970, 2000]
    assert hps(clash(seer, "paper", "x", x, first={"active": "fire1"})) == [2000, 1970]
    assert hps(clash(seer, "leaf1", "scissors", first={"active": "fire1"})) == [2000, 1955]


@pytest.mark.parametrize("other", ["paper", "rock"])  # as attacker, as defender
@pytest.mark.parametrize(
    ("beans", "hp", "left"),
    [
        ([], 1000, []),
        (["rock"], 1000, ["rock"]),
        (["rock", "paper"], 1001, []),
        (["rock", "paper", "scissors"], 1001, ["scissors"]),
    ],
)
def test_e5_5_an_item_is_used_if_it_can_be_paid(seer, other, beans, hp, left):
    m = clash(seer, "item2", other, first={"hp": 1000, "beans": beans})
    assert (zone(m, "hp"), zone(m, "beans")) == (hp, left)
    assert Counter(zone(m, "discard")) == Counter(["item2", *beans]) - Counter(left)


def test_e5_6_a_mission_gives_nothing_and_returns(seer):
    m = clash(seer, "quest2", "rock", first={"hp": 1000, "active": "fire1"}, second={"active": "leaf1"})
    assert (hps(m), zone(m, "hand"), zone(m, "discard")) == ([890, 2000], ["quest2"], [])
    m = clash(seer, "quest0", "rock", first={"hp": 1000})
    assert (hps(m), zone(m, "hand"), zone(m, "battle")) == ([1000, 2000], ["quest0"], None)


@pytest.mark.parametrize(
    ("attack", "plus", "defence", "minus", "damage"),
    [
        (100, 0, 0, 0, 110),
        (100, 7, 50, 0, 67),
        (100, 7, 50, 4, 63),
        (0, 0, 9, 0, 1),
        (0, 0, 10, 0, 0),
        (0, 0, 500, 9, 0),
    ],
)
def test_e5_7_damage(seer, attack, plus, defence, minus, damage):
    x = move("x", *([battle("attack", n=plus)] if plus else []), attack=attack)
    y = move("y", *([battle("defence", n=minus)] if minus else []), sign="scissors", defence=defence)
    seat = {"active": "leaf1", "hp": 1000}
    assert hps(clash(seer, "x", "y", x, y, first=seat, second=seat)) == [1000, 1000 - damage]
    assert hps(clash(seer, "y", "x", x, y, first=seat, second=seat)) == [1000 - damage, 1000]


@pytest.mark.parametrize(
    ("card", "either", "moves"),
    [
        ("rock", 110, 110),
        ("alien", 10, 10),
        ("slotless", 10, 10),
        ("leaf1", 15, 5),
        ("item0", 10, 0),
        ("bomb", 17, 7),
        ("dear", 10, 0),
    ],
)
def test_e5_7_option_sign_attack(seer, card, either, moves):
    cards = [
        move("alien", element="fire", attack=900), move("slotless", slots=["c"], attack=900),
        item("bomb", battle("attack", n=7)), item("dear", battle("attack", n=7), cost=3),
    ]  # fmt: skip
    for options, damage in (({}, either), ({"sign_attack": "any"}, either), ({"sign_attack": "move"}, moves)):
        for other in ("scissors", "quest2", None):
            assert hps(clash(seer, card, other, *cards, first={"active": "leaf1"}, **options)) == [2000, 2000 - damage]


def test_e5_7_the_sign_is_that_of_the_attackers_card(seer):
    m = clash(seer, "paper", "rock", first={"active": "fire1"}, second={"active": "super2"})
    assert hps(m) == [2000, 1940]


HEAL, HURT = item("heal", battle("heal", n=50)), item("hurt", battle("damage", n=50), sign="paper")


@pytest.mark.parametrize("sign", ["paper", "scissors"])  # hurt attacks, heal attacks
def test_e5_8_the_first_players_abilities_come_first_whoever_attacks(seer, sign):
    hurt = {**HURT, "sign": sign}
    assert hps(clash(seer, "heal", "hurt", HEAL, hurt)) == [1950, 2000]
    assert hps(clash(seer, "hurt", "heal", HEAL, hurt)) == [2000, 2000]
    assert hps(clash(seer, "heal", "hurt", HEAL, hurt, round=2, first_order="alternate")) == [2000, 2000]
    assert hps(clash(seer, "hurt", "heal", HEAL, hurt, round=2, first_order="alternate")) == [2000, 1950]


def test_e5_8_abilities_before_damage_before_drain(seer):
    attacker = {"active": "fire1"}
    assert hps(clash(seer, "paper", "heal", HEAL, first=attacker)) == [2000, 1940]
    assert hps(clash(seer, "heal", "paper", HEAL, second=attacker)) == [1940, 2000]
    drain = item("drain", battle("drain"))
    assert hps(clash(seer, "drain", "hurt", drain, {**HURT, "sign": "scissors"}, first=attacker)) == [1990, 1960]


def test_e5_9_items_are_paid_then_abilities_in_file_order(seer):
    x = item("x", battle("bean", n=2), battle("steal_bean"), battle("draw"), cost=1)
    m = clash(seer, "x", "scissors", x, first={"beans": [], "deck": ["rock"] * 5})
    assert (zone(m, "beans"), zone(m, "hand"), zone(m, "deck")) == ([], [], 5)  # the beans to come do not pay
    y = item("y", battle("bean"), battle("draw", n=2))
    m = clash(seer, "y", "scissors", y, first={"deck": ["rock", "paper", "item0", "leaf1"]})
    assert (zone(m, "beans"), zone(m, "hand"), zone(m, "deck")) == (["rock"], ["paper", "item0"], 1)


def test_e5_9_the_first_players_card_entirely_then_the_seconds(seer):
    x = item("x", battle("heal", n=50), battle("draw"), battle("heal", n=50))
    assert hps(clash(seer, "x", "hurt", x, HURT, first={"hp": 1940})) == [1950, 2000]


def test_e5_9_the_check_comes_before_missions_return(seer):
    m = clash(seer, "quest2", "rock", first={"hp": 10}, second={"active": "leaf1"})
    assert m.result == {"winner": 1, "reason": "hp", "turns": 3}
    assert (zone(m, "battle"), zone(m, "hand")) == ("quest2", [])


@pytest.mark.parametrize("other", ["scissors", "same"])
def test_e5_9_a_battle_that_ends_at_once_pays_nothing(seer, other):
    same = item("same", battle("heal", n=5), sign="scissors")
    m = clash(seer, "item2", other, same, first={"hp": 1000, "beans": ["rock"] * 3}, second={"hp": 1000})
    assert (hps(m), zone(m, "beans"), zone(m, "discard")) == ([1000, 1000], ["rock"] * 3, ["item2"])


def test_e5_10_an_item_is_paid_even_if_no_role_fits(seer):
    x = item("x", battle("heal", n=5, role="defender"), battle("drain", role="defender"), cost=2)
    m = clash(seer, "x", "scissors", x, first={"hp": 1000, "beans": ["rock", "paper", "leaf1"]})
    assert (zone(m, "hp"), zone(m, "beans"), zone(m, "discard")) == (1000, ["leaf1"], ["rock", "paper", "x"])


def test_e5_10_steal_bean_and_negate_come_too_late(seer):
    second = {"hp": 1000, "beans": ["rock", "paper", "leaf1"]}
    m = clash(seer, "x", "item2", item("x", battle("steal_bean", n=9)), second=second)
    assert (zone(m, "hp", 1), zone(m, "beans", 1)) == (1001, [])
    m = clash(seer, "x", "item2", item("x", battle("negate")), second=second)
    assert (zone(m, "hp", 1), zone(m, "beans", 1), zone(m, "discard", 1)) == (
        1000,
        ["leaf1"],
        ["rock", "paper", "item2"],
    )


@pytest.mark.parametrize("role", ["attacker", "defender", "any", None])
@pytest.mark.parametrize("make", [item, move])
def test_e5_11_role_is_the_owners_in_this_battle(seer, role, make):
    fits = (role,) if role in ("attacker", "defender") else ("attacker", "defender")
    x = make("x", battle("heal", n=5, **({"role": role} if role else {})))
    own = {"hp": 1000, "active": "leaf1"}
    for other, now in (("scissors", "attacker"), ("paper", "defender"), ("quest2", "attacker"), (None, "attacker")):
        assert hps(clash(seer, "x", other, x, first=own))[0] == 1000 + 5 * (now in fits)
        assert hps(clash(seer, other, "x", x, second=own))[1] == 1000 + 5 * (now in fits)


def test_e5_11_support_needs_no_element_or_slots(seer):
    x = spirit("x", "middle", element="fire", slots=["z"], support_attack=70)
    assert hps(clash(seer, "x", "scissors", x, first={"active": "none1"})) == [2000, 1930]


def test_e5_11_discard_cannot_hit_battle_cards(seer):
    m = clash(seer, "x", "scissors", item("x", battle("discard", n=2)), second={"hand": ["paper"]})
    with pytest.raises(InputError):
        m.let_happen({"chance": "discard", "player": 1, "cards": ["scissors"]})
    assert m.let_happen() == {"chance": "discard", "player": 1, "cards": ["paper"]}
    m = clash(seer, "x", "scissors", item("x", battle("discard")))
    assert (m.is_over, zone(m, "discard", 1)) == (True, ["scissors"])


def test_e5_12_hp_is_cut_at_once(seer):
    m = clash(seer, "heal", "hurt", HEAL, HURT, first={"hp": 1990})
    assert hps(m) == [1950, 2000]
    m = clash(seer, "hurt", "heal", HEAL, HURT, second={"hp": 30})
    assert (hps(m), m.result["reason"]) == ([2000, 50], "turn_limit")


def test_e5_12_a_heal_or_drain_can_still_save(seer):
    m = clash(
        seer,
        "x",
        "scissors",
        item("x", battle("drain")),
        first={"hp": 1, "active": "leaf1"},
        second={"active": "leaf1"},
    )
    assert hps(m) == [1, 2000]
    y = item("y", battle("damage", n=90), sign="scissors")
    m = clash(seer, "x", "y", item("x", battle("drain")), y, first={"hp": 30, "active": "leaf1"})
    assert (hps(m), m.result["reason"]) == ([10, 1990], "turn_limit")


def test_e5_12_a_player_at_0_can_still_hurt(seer):
    seat = {"hp": 50}
    m = clash(seer, "hurt", "hurt2", HURT, {**HURT, "id": "hurt2", "sign": "rock"}, first=seat, second=seat)
    assert (hps(m), m.result) == ([0, 0], {"winner": None, "reason": "hp", "turns": 3})
    m = clash(
        seer, "hurt", "scissors", HURT, first={"hp": 10}, second={"hp": 50, "active": "leaf1"}
    )  # 20 from a spirit at 0
    assert (hps(m), m.result["winner"]) == ([0, 0], None)


# ---------------------------------------------------------------------------------------------------------------- E6


@pytest.mark.parametrize(
    "other", ["scissors", "paper", "rock", "quest2", None]
)  # as attacker, as defender, without effect
@pytest.mark.parametrize("card", ["rock", "rockbean", "usedbean", "dearbean", "spiritbean", "leaf1", "item0", "dear"])
def test_e6_1_bean_marks_go_to_the_beans(seer, card, other):
    marked = {"sign": "rock", "bean": True}
    cards = [
        item("usedbean", battle("heal"), cost=1, **marked), item("dearbean", battle("heal"), cost=9, **marked),
        item("dear", battle("heal"), cost=9), spirit("spiritbean", **marked),
    ]  # fmt: skip
    m = clash(seer, card, other, *cards, first={"beans": ["paper"]})
    paid = card == "usedbean" and other != "rock"
    assert zone(m, "beans") == ([] if paid else ["paper"]) + ([card] if card.endswith("bean") else [])
    assert zone(m, "discard") == (["paper"] if paid else []) + ([] if card.endswith("bean") else [card])
    assert (zone(m, "battle"), zone(m, "hand")) == (None, [])


def test_e6_1_both_players_and_missions_to_hand(seer):
    x = mission("x", reward("heal"), cost=9, bean=True)
    m = clash(seer, "x", "rockbean", x)
    assert (zone(m, "hand"), zone(m, "beans"), zone(m, "beans", 1)) == (["x"], [], ["rockbean"])


def test_e6_2_missions_are_executed_first_player_first(seer):
    seat = {"hp": 1000, "hand": ["quest0", "quest2", "quest2", "rock"], "beans": ["rock", "paper", "leaf1"]}
    m = seer(first=seat, second=seat, phase="mission", max_turns=3)
    assert asked(m) == (0, "mission", ["mission quest0", "mission quest2", "end"])
    m.act("mission quest2")
    assert (hps(m), zone(m, "beans"), zone(m, "discard")) == ([1010, 1000], ["leaf1"], ["rock", "paper", "quest2"])
    assert asked(m) == (0, "mission", ["mission quest0", "end"])
    m.act("mission quest0")
    assert (hps(m), zone(m, "hand"), zone(m, "discard")) == (
        [1020, 1000],
        ["rock", "quest2"],
        ["rock", "paper", "quest0", "quest2"],
    )
    assert asked(m) == (1, "mission", ["mission quest0", "mission quest2", "end"])
    m.act("end")
    assert (m.is_over, hps(m)) == (True, [1020, 1000])


def test_e6_2_any_number(seer):
    m = seer(first={"hp": 1000, "hand": ["quest0"] * 7}, phase="mission", max_turns=3)
    for _ in range(7):
        m.act("mission quest0")
    assert (zone(m, "hp"), zone(m, "discard")) == (1070, ["quest0"] * 7)


@pytest.mark.parametrize("limit", [1, 2])
def test_e6_2_option_missions_per_round(seer, limit):
    seat = {"hp": 1000, "hand": ["quest0"] * 4}
    m = seer(first=seat, second=seat, phase="mission", missions_per_round=limit)
    for number in (0, 1):
        for _ in range(limit):
            assert (m.turn, m.decider, m.decision) == (3, number, "mission")
            m.act("mission quest0")
    assert (m.turn, hps(m)) == (4, [1000 + 10 * limit] * 2)


SUMMON = mission("summon", reward("summon_super"), cost=1)


@pytest.mark.parametrize("active", ["fire1", "super2"])
def test_e6_3_summon_super(seer, active):
    seat = {"active": active, "hand": ["summon"], "beans": ["rock"], "supers": ["super2", "super1", "super2"]}
    m = seer(SUMMON, first=seat, phase="mission", max_turns=3)
    m.act("mission summon")
    assert asked(m) == (0, "super", ["super super1", "super super2"])
    m.act("super super1")
    assert (zone(m, "active"), zone(m, "supers")) == ("super1", ["super2", "super2"])
    assert zone(m, "out") == (["super2"] if active == "super2" else [])
    assert zone(m, "discard") == ([] if active == "super2" else ["fire1"]) + ["rock", "summon"]


def test_e6_4_beans_are_paid_from_the_oldest_on(seer):
    m = seer(first={"hand": ["quest2"], "beans": ["paper", "leaf1", "rock", "item0"]}, phase="mission", max_turns=3)
    m.act("mission quest2")
    assert (zone(m, "beans"), zone(m, "discard")) == (["rock", "item0"], ["leaf1", "paper", "quest2"])


def test_e6_4_together_they_are_older_as_they_came_off_the_deck(seer):
    m = perform(
        seer, "reward", {"do": "bean", "n": 3}, own={"deck": ["rock", "leaf1", "paper", "item0"], "beans": ["item2"]}
    )
    assert zone(m, "beans") == ["item2", "rock", "leaf1", "paper"]
    x = item("x", battle("bean", n=2), bean=True)
    m = clash(seer, "x", "scissors", x, first={"deck": ["rock", "leaf1", "paper"], "beans": ["item2"]})
    assert zone(m, "beans") == ["item2", "rock", "leaf1", "x"]


def test_e6_5_all_of_the_first_then_all_of_the_second(seer):
    seat = {"hand": ["quest0"] * 3}
    m = seer(first=seat, second=seat, phase="mission")
    seen = []
    while m.turn == 3:
        seen.append((m.decider, m.decision))
        m.act("mission quest0")
    assert seen == [(0, "mission")] * 3 + [(1, "mission")] * 3


def test_e6_5_a_mission_back_from_the_battle_may_be_executed(seer):
    m = clash(seer, "quest0", "quest0", first={"hp": 1000}, second={"hp": 1000})
    assert asked(m) == (0, "mission", ["mission quest0", "end"])
    m.act("mission quest0")
    m.act("mission quest0")
    assert hps(m) == [1010, 1010]


def test_e6_5_beans_of_this_rounds_battle_pay(seer):
    m = clash(seer, "rockbean", "scissors", first={"hand": ["quest2"], "beans": ["paper"]})
    assert asked(m) == (0, "mission", ["mission quest2", "end"])


def test_e6_6_the_order_of_a_mission(seer):
    seat = {"hand": ["x"], "beans": ["rock", "leaf1"], "deck": ["paper"] * 3, "supers": ["super1"], "hp": 1000}
    x = mission(
        "x", reward("heal", n=5), reward("draw"), reward("summon_super"), reward("draw"), reward("heal"), cost=1
    )
    m = seer(x, first=seat, phase="mission", max_turns=3)
    m.act("mission x")
    shown = {
        "hp": 1005,
        "deck": 2,
        "hand": ["paper"],
        "battle": "x",
        "beans": ["leaf1"],
        "discard": ["rock"],
        "supers": ["super1"],
    }
    assert m.position[0] == {**EMPTY, **shown}
    m.act("super super1")
    assert m.position[0] == {
        **EMPTY, "hp": 1006, "deck": 1, "hand": ["paper", "paper"], "active": "super1", "beans": ["leaf1"],
        "discard": ["none1", "rock", "x"],
    }  # fmt: skip


def test_e6_6_the_paid_beans_can_be_drawn_but_not_the_mission(seer):
    m = perform(seer, "reward", {"do": "draw", "n": 9}, cost=2, own={"deck": [], "beans": ["rock", "paper"]})
    m.let_happen({"chance": "shuffle", "player": 0, "pile": ["paper", "rock"]})
    assert (zone(m, "hand"), zone(m, "discard")) == (["rock", "paper"], ["x"])


@pytest.mark.parametrize(("beans", "payable"), [(0, False), (1, False), (2, True), (3, True)])
def test_e6_6_payable_if_the_beans_are_there_though_it_would_do_nothing(seer, beans, payable):
    m = seer(first={"hand": ["quest2"], "beans": ["rock"] * beans}, phase="mission", max_turns=3)  # at full HP
    assert m.is_over != payable
    if payable:
        m.act("mission quest2")
        assert (hps(m), len(zone(m, "beans")), "quest2" in zone(m, "discard")) == ([2000, 2000], beans - 2, True)


def test_e6_6_the_check_comes_last(seer):
    m = perform(seer, "reward", {"do": "damage", "n": 9999}, {"do": "draw"}, own={"hand": ["quest0"]})
    assert m.result == {"winner": 0, "reason": "hp", "turns": 3}
    assert (zone(m, "battle"), zone(m, "hand"), zone(m, "discard"), hps(m)) == (
        None,
        ["rock", "quest0"],
        ["x"],
        [2000, 0],
    )
    m = perform(seer, "reward", {"do": "damage", "n": 9999}, {"do": "summon_super"}, own={"supers": ["super1"]})
    assert asked(m) == (0, "super", ["super super1"])
    m.act("super super1")
    assert (m.result["winner"], zone(m, "active")) == (0, "super1")


def test_e6_7_at_most_20_in_a_round(seer):
    m = seer(
        first={"hand": ["quest0"] * 22, "deck": ["rock"] * 9, "hp": 1000}, second={"hand": ["quest0"]}, phase="mission"
    )
    for n in range(20):
        assert asked(m) == (0, "mission", ["mission quest0", "end"]), n
        m.act("mission quest0")
    assert (hps(m)[0], asked(m)) == (1200, (1, "mission", ["mission quest0", "end"]))
    m.act("end")
    while m.decision != "mission":
        m.act(m.legal[0])
    assert (m.turn, m.decider) == (4, 0)  # the count is the round's


def test_e6_8_a_summons_is_not_declined(seer):
    m = seer(SUMMON, first={"hand": ["summon"], "beans": ["rock"], "supers": ["super1"]}, phase="mission")
    m.act("mission summon")
    assert asked(m) == (0, "super", ["super super1"])


def test_e6_8_with_no_super_left_it_does_nothing(seer):
    m = seer(SUMMON, first={"hand": ["summon"], "beans": ["rock"], "out": ["super1"]}, phase="mission", max_turns=3)
    assert m.legal == ["mission summon", "end"]
    m.act("mission summon")
    assert (m.is_over, zone(m, "active"), zone(m, "discard"), zone(m, "beans")) == (
        True,
        "none1",
        ["rock", "summon"],
        [],
    )


def test_e6_8_the_super_serves_from_the_next_battle_on(seer):
    first = {"hand": ["summon"], "beans": ["rock"], "supers": ["super1"]}
    m = seer(SUMMON, first=first, second={"deck": ["scissors"] * 9}, phase="mission")
    m.act("mission summon")
    m.act("super super1")
    assert (m.turn, hps(m)) == (4, [2000, 2000])
    m.act("play rock")
    m.act("play scissors")
    assert hps(m) == [2000, 2000 - 310 - 100]


# ---------------------------------------------------------------------------------------------------------------- E7

IN_BATTLE = [
    "attack",
    "defence",
    "double",
    "negate",
    "drain",
    "heal",
    "damage",
    "draw",
    "discard",
    "bean",
    "steal_bean",
]
AS_REWARD = ["heal", "damage", "draw", "discard", "bean", "steal_bean", "summon_super"]
NO_AMOUNT = ["double", "negate", "drain", "summon_super"]


@pytest.mark.parametrize("do", [*IN_BATTLE, "summon_super", "freeze"])
@pytest.mark.parametrize("make", [item, move])
def test_e7_1_what_battle_allows(do, make):
    if do in IN_BATTLE:
        assert read_cards(
            make("x", battle(do)), make("y", *(battle(do, role=role) for role in ("attacker", "defender", "any")))
        )
    else:
        with pytest.raises(InputError):
            read_cards(make("x", battle(do)))


@pytest.mark.parametrize("do", sorted({*IN_BATTLE, *AS_REWARD, "freeze"}))
def test_e7_1_what_reward_allows(do):
    if do in AS_REWARD:
        assert read_cards(mission("x", reward(do)))
    else:
        with pytest.raises(InputError):
            read_cards(mission("x", reward(do)))


@pytest.mark.parametrize("do", sorted({*IN_BATTLE, *AS_REWARD}))
def test_e7_1_n(do):
    card = item("x", battle(do, n=2)) if do in IN_BATTLE else mission("x", reward(do, n=2))
    if do in NO_AMOUNT:
        with pytest.raises(InputError):
            read_cards(card)
    else:
        assert read_cards(card)


@pytest.mark.parametrize(
    "card",
    [
        item("x", reward("heal")), move("x", reward("heal")), mission("x", battle("heal")),
        item("x", battle("heal", role="winner")),
        *(mission("x", reward("heal", role=role)) for role in ("attacker", "any")), item("x", {"do": "heal"}),
        item("x", {"when": "battle"}),
        *(
            make("x", {"when": when, "do": "heal", key: value})
            for make, when in ((item, "battle"), (move, "battle"), (mission, "reward"))
            for key,
            value in (("target", "own"), ("optional", True), ("optional", False), ("max_power", 3), ("nonsense", 1))
        ),
    ],
)  # fmt: skip
def test_e7_1_errors(card):
    with pytest.raises(InputError):
        read_cards(card)


LEAF = {"active": "leaf1"}


def test_e7_attack_and_defence(seer):
    x, y = (
        item("x", battle("attack", n=70), battle("attack", n=3)),
        item("y", battle("defence", n=20), battle("defence"), sign="scissors"),
    )
    assert hps(clash(seer, "x", "scissors", x)) == [2000, 1927]
    assert hps(clash(seer, "x", "y", x, y)) == [2000, 1948]
    assert hps(clash(seer, "y", "x", x, y)) == [1948, 2000]


def test_e7_double_the_total_before_defence(seer):
    x = move("x", battle("double"), attack=100)
    assert hps(clash(seer, "x", "scissors", x, first=LEAF, second=LEAF)) == [2000, 2000 - (220 - 50)]
    x = item("x", battle("double", role="attacker"))
    assert hps(clash(seer, "scissors", "x", x, second={"active": "fire1"})) == [1920, 2000]


def test_e7_negate(seer):
    x = move("x", battle("negate"), sign="paper")
    assert hps(clash(seer, "x", "rock", x, first={"active": "leaf1"}, second=LEAF)) == [2000, 1970]  # no defence
    x = move("x", battle("negate"), sign="scissors")
    assert hps(clash(seer, "x", "rock", x, first=LEAF, second=LEAF)) == [1990, 2000]  # no attack
    assert hps(clash(seer, "rock", "x", x, first=LEAF, second=LEAF)) == [2000, 1990]


@BOTH
@SEATS
@pytest.mark.parametrize(
    ("hp", "n", "options", "after"),
    [
        (1000, 30, {}, 1030),
        (1990, 30, {}, 2000),
        (1990, 30, {"hp_cap": False}, 2020),
        (490, 30, {"hp": 500}, 500),
        (100, None, {}, 101),
    ],
)
def test_e7_heal(seer, when, seat, hp, n, options, after):
    effect = {"do": "heal", **({"n": n} if n else {})}
    m = perform(seer, when, effect, seat=seat, own={"hp": hp}, other={"hp": 400}, **options)
    assert (zone(m, "hp", seat), zone(m, "hp", 1 - seat)) == (after, 400)


@BOTH
@SEATS
def test_e7_damage(seer, when, seat):
    m = perform(seer, when, {"do": "damage", "n": 30}, seat=seat)
    assert (zone(m, "hp", seat), zone(m, "hp", 1 - seat)) == (2000, 1970)


@pytest.mark.parametrize(
    ("hp", "options", "after"), [(1000, {}, 1110), (1950, {}, 2000), (1950, {"hp_cap": False}, 2060)]
)
def test_e7_drain(seer, hp, options, after):
    x = move("x", battle("drain"), attack=100)
    assert hps(clash(seer, "x", "scissors", x, first={**LEAF, "hp": hp}, **options)) == [after, 1890]
    assert hps(clash(seer, "scissors", "x", x, second={**LEAF, "hp": hp}, **options)) == [1890, after]


@BOTH
@SEATS
def test_e7_draw(seer, when, seat):
    m = perform(
        seer, when, {"do": "draw", "n": 2}, seat=seat, own={"deck": ["paper", "leaf1", "rock"], "hand": ["quest2"]}
    )
    assert (zone(m, "hand", seat), zone(m, "deck", seat)) == (["leaf1", "paper", "quest2"], 1)
    assert (zone(m, "hand", 1 - seat), zone(m, "deck", 1 - seat)) == ([], 30)


@BOTH
@SEATS
def test_e7_discard(seer, when, seat):
    m = perform(
        seer,
        when,
        {"do": "discard", "n": 2},
        seat=seat,
        other={"hand": ["paper", "leaf1", "item0"]},
        own={"hand": ["rock"]},
    )
    step = {"chance": "discard", "player": 1 - seat, "cards": ["item0", "leaf1"]}
    assert m.waits_for_chance
    assert m.let_happen(step) == step
    assert (zone(m, "hand", 1 - seat), zone(m, "hand", seat)) == (["paper"], ["rock"])
    assert zone(m, "discard", 1 - seat) == ["leaf1", *(["scissors"] if when == "battle" else []), "item0"]


@BOTH
@SEATS
def test_e7_bean(seer, when, seat):
    m = perform(
        seer, when, {"do": "bean", "n": 2}, seat=seat, own={"deck": ["paper", "leaf1", "rock"], "beans": ["item0"]}
    )
    assert (zone(m, "beans", seat), zone(m, "deck", seat), zone(m, "hand", seat)) == (
        ["item0", "paper", "leaf1"],
        1,
        [],
    )
    assert (zone(m, "beans", 1 - seat), zone(m, "deck", 1 - seat)) == ([], 30)


@BOTH
@SEATS
def test_e7_steal_bean(seer, when, seat):
    m = perform(
        seer,
        when,
        {"do": "steal_bean", "n": 2},
        seat=seat,
        own={"beans": ["rock"]},
        other={"beans": ["paper", "leaf1", "leaf2"]},
    )
    assert (zone(m, "beans", seat), zone(m, "beans", 1 - seat)) == (["rock"], ["leaf2"])
    assert zone(m, "discard", 1 - seat) == ["leaf1", *(["scissors"] if when == "battle" else []), "paper"]


def test_e7_2_what_the_wrong_role_does(seer):
    fire, poor = {"active": "fire1"}, {"active": "fire1", "hp": 1000}
    x = item("x", battle("attack", n=500), battle("double"), battle("drain"))
    assert hps(clash(seer, "x", "paper", x, first=poor, second=fire)) == [940, 2000]
    assert hps(clash(seer, "paper", "x", x, first=fire, second=poor)) == [2000, 940]
    x = item("x", battle("defence", n=30))
    assert hps(clash(seer, "x", "scissors", x, first=fire)) == [2000, 1960]
    assert hps(clash(seer, "scissors", "x", x, second=fire)) == [1960, 2000]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
@pytest.mark.parametrize(("doubles", "factor"), [(1, 2), (2, 4)])
def test_e7_2_sums_come_first_then_the_doubling(seer, order, doubles, factor):
    parts = [[battle("attack", n=7)], [battle("double")] * doubles, [battle("attack", n=3)]]
    x = move("x", *(ability for i in order for ability in parts[i]), attack=100)
    y = item("y", battle("defence", n=40), sign="scissors")
    assert hps(clash(seer, "x", "y", x, y, first=LEAF)) == [2000, 2000 - (120 * factor - 40)]
    assert hps(clash(seer, "y", "x", x, y, second=LEAF)) == [2000 - (120 * factor - 40), 2000]


def test_e7_3_the_first_players_negate_stops_the_second_card(seer):
    x = item("x", battle("damage", n=1), battle("negate"), battle("damage", n=2))
    y = move("y", battle("damage", n=300), battle("defence", n=5), battle("draw"), sign="scissors", defence=7)
    m = clash(seer, "x", "y", x, y, first=LEAF, second={**LEAF, "hp": 1000})
    assert (hps(m), zone(m, "deck", 1)) == ([2000, 1000 - 3 - 10], 30)
    y = move(
        "y", battle("heal", n=300), battle("attack", n=5), battle("double"), battle("drain"), sign="paper", attack=100
    )
    assert hps(clash(seer, "x", "y", x, y, first=LEAF, second={**LEAF, "hp": 1000})) == [
        1970,
        997,
    ]  # the sign value stays, alone


def test_e7_3_what_the_negated_card_did_before_stays(seer):
    x = move(
        "x", battle("heal", n=7), battle("attack", n=50), battle("double"), battle("drain"), battle("draw"), attack=100
    )
    y = item("y", battle("negate"), sign="scissors")
    m = clash(seer, "x", "y", x, y, first={**LEAF, "hp": 1000})
    assert (hps(m), zone(m, "deck")) == ([1007, 1990], 29)
    x = move("x", battle("damage", n=7), battle("defence", n=50), battle("bean"), defence=100)
    m = clash(seer, "x", "y", x, {**y, "sign": "paper"}, first=LEAF, second={"active": "fire1"})
    assert (hps(m), zone(m, "beans")) == ([1940, 1993], ["rock"])


def test_e7_3_a_support_is_negated_too(seer):
    x = item("x", battle("negate"))
    y = spirit("y", sign="scissors", support_defence=9)
    assert hps(clash(seer, "x", "y", x, y, first=LEAF)) == [2000, 1990]
    assert hps(clash(seer, "x", "y", x, {**y, "sign": "paper", "support_attack": 9}, second=LEAF)) == [1970, 2000]


@pytest.mark.parametrize(("round", "options", "order"), [(3, {}, (0, 1)), (2, {"first_order": "alternate"}, (1, 0))])
def test_e7_3_of_two_negates_only_the_first_players_happens(seer, round, options, order):
    x, y = (
        item("x", battle("negate"), battle("attack", n=5)),
        item("y", battle("negate"), battle("defence", n=3), sign="scissors"),
    )
    plays = ("x", "y") if order[0] == 0 else ("y", "x")
    m = clash(seer, *plays, x, y, round=round, **options)
    assert hps(m)[order[1]] == 1995
    plays = plays[::-1]
    m = clash(seer, *plays, x, y, round=round, **options)  # the first player defends
    assert hps(m) == [2000, 2000]
    m = clash(seer, *plays, {**x, "ability": [battle("negate"), battle("damage", n=5)]}, y, round=round, **options)
    assert hps(m) == [2000, 2000]


def test_e7_3_bean_mark_roles_and_payment_stay(seer):
    x = item("x", battle("negate"))
    y = item("y", battle("heal", n=5), cost=1, sign="paper", bean=True)
    m = clash(seer, "x", "y", x, y, second={"active": "fire1", "hp": 1000, "beans": ["rock"]})
    assert (hps(m), zone(m, "beans", 1), zone(m, "discard", 1)) == ([1940, 1000], ["y"], ["rock"])


@pytest.mark.parametrize("other", ["quest2", None])
def test_e7_3_against_a_mission_or_no_card_negate_does_nothing(seer, other):
    x = move("x", battle("negate"), battle("heal", n=5), attack=100)
    m = clash(seer, "x", other, x, first={**LEAF, "hp": 1000})
    assert (hps(m), zone(m, "hand", 1)) == ([1005, 1890], [other] if other else [])
    m = clash(seer, other, "x", x, second={**LEAF, "hp": 1000})
    assert hps(m) == [1890, 1005]


def test_e7_4_drain_counts_the_damage_not_what_hp_was_left_nor_damage(seer):
    x = move("x", battle("drain"), battle("damage", n=300), battle("attack", n=5), attack=100)
    y = item("y", battle("defence", n=15), sign="scissors")
    assert hps(clash(seer, "x", "y", x, y, first={**LEAF, "hp": 1000})) == [1100, 1600]
    m = clash(seer, "x", "y", x, y, first={**LEAF, "hp": 1000}, second={"hp": 5})
    assert (hps(m), m.result["winner"]) == ([1100, 0], 0)
    y = {**y, "ability": [battle("defence", n=9999)]}
    assert hps(clash(seer, "x", "y", x, y, first={**LEAF, "hp": 1000})) == [1000, 1700]


def test_e7_4_drain_happens_after_the_damage_whatever_its_place(seer):
    for abilities in ([battle("drain"), battle("heal", n=3)], [battle("heal", n=3), battle("drain")]):
        x = item("x", *abilities)
        y = item("y", battle("damage", n=50), sign="scissors")
        assert hps(clash(seer, "x", "y", x, y, first={"active": "fire1", "hp": 1998})) == [1990, 1960]


@BOTH
def test_e7_5_as_many_as_there_are(seer, when):
    m = perform(seer, when, {"do": "bean", "n": 5}, own={"deck": ["rock", "leaf1"], "discard": ["paper"]})
    assert (zone(m, "beans"), zone(m, "deck"), zone(m, "discard")) == (["rock", "leaf1"], 0, ["paper", "x"])
    m = perform(seer, when, {"do": "bean"}, own={"deck": [], "discard": ["paper"]})
    assert (m.is_over, zone(m, "beans"), zone(m, "discard")) == (True, [], ["paper", "x"])
    m = perform(seer, when, {"do": "steal_bean", "n": 5}, other={"beans": ["rock", "paper"]})
    assert (zone(m, "beans", 1), {"rock", "paper"} <= set(zone(m, "discard", 1))) == ([], True)
    m = perform(seer, when, {"do": "steal_bean", "n": 5}, own={"beans": ["rock"]})
    assert (m.is_over, zone(m, "beans")) == (True, ["rock"])
    m = perform(seer, when, {"do": "discard", "n": 5}, other={"hand": ["rock", "paper"]})
    step = {"chance": "discard", "player": 1, "cards": ["paper", "rock"]}
    assert m.let_happen(step) == step
    assert zone(m, "hand", 1) == []
    assert perform(seer, when, {"do": "discard", "n": 5}, own={"hand": ["rock"]}).is_over  # no chance step of no card


@pytest.mark.parametrize(
    "wrong",
    [
        {"cards": ["rock"]},
        {"cards": ["rock", "paper", "paper"]},
        {"cards": ["rock", "rock"]},
        {"cards": ["rock", "item0"]},
        {"player": 0},
        {"chance": "shuffle"},
    ],
)
def test_e7_5_an_impossible_discard(seer, wrong):
    m = perform(
        seer,
        "reward",
        {"do": "discard", "n": 2},
        own={"hand": ["rock", "paper"]},
        other={"hand": ["rock", "paper", "paper"]},
    )
    with pytest.raises(InputError):
        m.let_happen({"chance": "discard", "player": 1, "cards": ["paper", "rock"], **wrong})


def test_e7_5_every_hand_card_is_equally_likely(seer):
    m = perform(seer, "reward", {"do": "discard", "n": 2}, other={"hand": ["rock", "paper", "paper", "paper"]})
    seen = Counter()
    for _ in range(400):
        m.game.sample_chance(m.state, m.table)
        seen[tuple(m.game.words.chance(m.state, m.table, m.setup.ids)["cards"])] += 1
    assert set(seen) == {("rock", "paper"), ("paper", "rock"), ("paper", "paper")}
    assert 150 < seen["paper", "paper"] < 250  # 200 expected, 5 standard deviations


# ---------------------------------------------------------------------------------------------------------------- E8


@pytest.mark.parametrize("hp", [10, 9, 1])
def test_e8_1_a_player_at_0_has_lost(seer, hp):
    m = clash(seer, "rock", "scissors", first={"active": "leaf1"}, second={"hp": hp}, max_turns=200)
    assert (hps(m), m.is_over, m.legal, m.result) == ([2000, 0], True, [], {"winner": 0, "reason": "hp", "turns": 3})
    m = clash(seer, "scissors", "rock", first={"hp": hp}, second={"active": "leaf1"}, max_turns=200)
    assert (hps(m), m.result) == ([0, 2000], {"winner": 1, "reason": "hp", "turns": 3})


def test_e8_1_1_hp_is_enough(seer):
    m = clash(seer, "item0", "scissors", first={"active": "leaf1"}, second={"hp": 11}, max_turns=200)
    assert (hps(m), m.is_over, m.turn) == ([2000, 1], False, 4)


def test_e8_1_both_at_0_is_a_draw(seer):
    y = item("y", battle("damage", n=100), sign="scissors")
    m = clash(seer, "rock", "y", y, first={"active": "leaf1", "hp": 100}, second={"hp": 30})
    assert (hps(m), m.result) == ([0, 0], {"winner": None, "reason": "hp", "turns": 3})


@SEATS
def test_e8_1_is_checked_after_each_mission(seer, seat):
    m = perform(
        seer, "reward", {"do": "damage", "n": 30}, seat=seat, other={"hp": 30}, own={"hand": ["quest0"]}, max_turns=200
    )
    assert (m.is_over, m.legal, m.result) == (True, [], {"winner": seat, "reason": "hp", "turns": 3})


@pytest.mark.parametrize(("options", "round"), [({"max_turns": 3}, 3), ({"max_turns": 1}, 1), ({}, 200)])
def test_e8_2_turn_limit_after_the_mission_phase(seer, options, round):
    seat = {"hand": ["quest0", "rock"]}
    m = seer(first=seat, second=seat, round=round, **options)
    for action in ("play rock", "play rock", "mission quest0", "mission quest0"):
        assert (m.is_over, m.turn) == (False, round)
        m.act(action)
    assert (m.is_over, m.result) == (True, {"winner": None, "reason": "turn_limit", "turns": round})
    assert [len(zone(m, "hand", s)) for s in (0, 1)] == [0, 0]  # no draw phase any more


def test_e8_2_not_before(seer):
    m = clash(seer, "rock", "rock", max_turns=4)
    assert (m.is_over, m.turn) == (False, 4)


def test_e8_2_hp_comes_first(seer):
    m = clash(seer, "rock", "scissors", first={"active": "leaf1"}, second={"hp": 5}, max_turns=3)
    assert m.result["reason"] == "hp"


def test_e8_3_battle_cards_stay_in_the_battle_area(seer):
    x = item("x", battle("draw"), cost=1, bean=True)
    m = clash(
        seer, "x", "scissors", x, first={"active": "leaf1", "beans": ["rock"], "deck": ["quest0"]}, second={"hp": 5}
    )
    assert m.position[0] == {
        **EMPTY,
        "deck": 0,
        "hand": ["quest0"],
        "active": "leaf1",
        "battle": "x",
        "discard": ["rock"],
    }
    assert m.position[1] == {**EMPTY, "hp": 0, "battle": "scissors"}
    assert (m.is_over, m.legal) == (True, [])


@pytest.mark.parametrize("round", [1, 7])
def test_e8_3_turns_is_the_round(seer, round):
    m = clash(seer, "rock", "scissors", first={"active": "leaf1"}, second={"hp": 5}, round=round)
    assert m.result["turns"] == round


def test_e8_3_in_setup_it_is_0(new_game):
    m = new_game(first=DECK, second=DECK, piles=PILES)
    seen = set()
    while m.decision in ("pick", "exchange", "lead"):
        seen.add((m.decision, m.turn))
        m.act(m.legal[-1] if m.decision == "pick" else m.legal[0])
    assert seen == {("pick", 0), ("exchange", 0), ("lead", 0)}
    assert m.turn == 1


# ---------------------------------------------------------------------------------------------------------------- E9


def test_e9_a_decision_whose_only_action_would_be_pass_or_end_is_not_asked(seer):
    m = seer(first={"hand": ["leaf2", "rock"]}, second={"hand": ["fire1", "rock"]}, phase="spirit")
    assert asked(m) == (1, "spirit", ["swap fire1", "pass"])
    m.act("pass")
    assert asked(m)[:2] == (0, "battle")
    m = seer(first={"hand": ["quest2", "rock"], "beans": ["rock"]}, second={"hand": ["quest0"]}, phase="mission")
    assert asked(m) == (1, "mission", ["mission quest0", "end"])
    m.act("end")
    assert (m.turn, asked(m)) == (4, (0, "battle", ["play rock", "play quest2"]))


def test_e9_1_the_order_of_pick(new_game):
    deck = {"cards": {"x": 2, "none1": 3, "rock": 9, "leaf1": 1, "leaf2": 2}, "supers": {}}
    m = new_game(spirit("x"), first=deck, second=deck)
    assert m.legal == ["pick leaf1,none1", "pick leaf1,x", "pick none1,none1", "pick none1,x", "pick x,x"]


def test_e9_1_lists_run_in_id_order_all_swaps_before_all_evolves(seer):
    cards = [spirit("oak2", "middle", line="leaf"), spirit("a"), mission("errand", reward("heal"))]
    hand = ["errand", "a", "oak2", "none1", "leaf2", "item0", "leaf1", "quest0", "rock", "a", "rock"]
    m = seer(*cards, first={"active": "leaf1", "hand": hand}, phase="spirit")
    assert m.legal == ["swap leaf1", "swap none1", "swap a", "evolve leaf2", "evolve oak2", "pass"]
    m.act("pass")
    names = ["leaf1", "leaf2", "none1", "rock", "item0", "quest0", "oak2", "a", "errand"]
    assert m.legal == [f"play {id}" for id in names]
    m.act("play a")
    assert m.legal == ["mission quest0", "mission errand", "end"]


def test_e9_1_the_orders_of_lead_and_super(new_game, seer):
    deck = {"cards": {"x": 2, "none1": 2, "leaf1": 1, "rock": 9}, "supers": {}}
    piles = [["leaf1", "x", "none1", "rock"] + ["rock"] * 8, ["leaf1", "x", "none1", "rock"] + ["rock"] * 8]
    m = new_game(spirit("x"), first=deck, second=deck, piles=piles, exchange=False)
    m.act("pick none1,x")
    m.act("pick none1,x")
    assert m.legal == ["lead leaf1", "lead none1", "lead x"]
    supers = ["a", "super2", "super1", "super2", "a"]
    m = seer(
        spirit("a", "super"), SUMMON, first={"hand": ["summon"], "beans": ["rock"], "supers": supers}, phase="mission"
    )
    m.act("mission summon")
    assert m.legal == ["super super1", "super super2", "super a"]


@pytest.mark.parametrize("decision", ["pick", "exchange", "lead", "battle"])
def test_e9_2_of_a_hidden_pair_nothing_moves_before_both_are_made(new_game, decision):
    m = new_game(first=DECK, second=DECK)
    while m.decision != decision:
        m.act(m.legal[0])
    before = m.position
    m.act(m.legal[-1])
    assert ((m.decider, m.decision), m.position) == ((1, decision), before)
    m.act(m.legal[-1])
    assert m.waits_for_chance or m.position != before


def test_e9_2_battle_is_asked_of_those_who_have_a_hand_card(seer):
    assert asked(seer(second={"hand": ["paper"]})) == (1, "battle", ["play paper"])
    m = seer(first={"hand": ["paper"]}, second={}, max_turns=3)
    m.act("play paper")
    assert m.is_over


def test_e9_2_mission_is_asked_again_after_each_mission(seer):
    m = seer(first={"hand": ["quest0", "quest2"], "beans": ["rock"] * 2}, phase="mission")
    m.act("mission quest0")
    assert asked(m) == (0, "mission", ["mission quest2", "end"])


def test_e9_3_states_in_words(seer):
    seat = {
        "hp": 12, "deck": ["rock"] * 28, "hand": ["quest0", "rock", "leaf1", "rock"], "active": "leaf3",
        "beans": ["paper", "leaf1", "item0"], "discard": ["quest2", "fire1", "leaf2"], "supers": ["super2", "super1"],
        "out": ["super2", "super1", "super1"],
    }  # fmt: skip
    m = seer(first=seat, second={"hand": ["rock"]})
    assert m.position == [
        {
            "hp": 12, "deck": 28, "hand": ["leaf1", "rock", "rock", "quest0"], "active": "leaf3", "battle": None,
            "beans": ["paper", "leaf1", "item0"], "discard": ["leaf2", "fire1", "quest2"],
            "supers": ["super1", "super2"],
            "out": ["super1", "super1", "super2"],
        },
        {**EMPTY, "hand": ["rock"]},
    ]  # fmt: skip


def recorded(new_game):
    cards = [item(f"mob_{sign}", battle("discard", n=2), sign=sign) for sign in SIGNS]
    spirits = {"none1": 4, "leaf1": 3, "leaf2": 3}
    m = new_game(
        *cards, SUMMON,
        first={"cards": {**spirits, "mob_rock": 9, "mob_paper": 6, "rockbean": 3, "summon": 3},
        "supers": {"super1": 2}},
        second={"cards": {**spirits, "mob_scissors": 9, "mob_rock": 6, "quest0": 4}, "supers": {"super2": 1}},
        max_turns=6,
    )  # fmt: skip
    choose = load_strategy(load_game("seer"), "random").choose
    return replay.record(m, [choose, choose], states=True)


def test_e9_3_a_state_is_how_things_stand_at_the_next_decision(new_game):
    game = recorded(new_game)
    steps, states = game["steps"], game["states"]
    chances = ["chance" in step for step in steps]
    assert any(chances)
    assert [state is None for state in states] == [*chances[1:], False]
    for before, step in zip(states, steps[1:], strict=False):
        if step.get("decision") == "battle":
            hand = before[step["player"]]["hand"]
            assert step["legal"] == [f"play {id}" for id in dict.fromkeys(hand)]
    assert all(set(player) == set(EMPTY) for state in states if state for player in state)


def test_e9_4_what_a_replay_holds(new_game):
    game = recorded(new_game)
    assert [deck["supers"] for deck in game["decks"]] == [{"super1": 2}, {"super2": 1}]
    assert game["decks"][1]["cards"] == {
        "none1": 4,
        "leaf1": 3,
        "leaf2": 3,
        "mob_scissors": 9,
        "mob_rock": 6,
        "quest0": 4,
    }
    for step in game["steps"]:
        if "chance" in step:
            assert "turn" not in step
        else:
            assert (step["turn"] == 0) == (step["decision"] in ("pick", "exchange", "lead"))
    assert game["result"] == {"winner": None, "reason": "turn_limit", "turns": 6}
    assert max(step.get("turn", 0) for step in game["steps"]) == 6


def test_e9_4_rules_holds_every_option(new_game):
    defaults = {
        "deck_min": 30, "deck_max": 50, "copies": 3, "max_supers": 5, "hp": 2000, "exchange": True, "hand_size": 6,
        "first_order": "fixed", "sign_attack": "any", "missions_per_round": 0, "hp_cap": True, "max_turns": 200,
    }  # fmt: skip
    assert SeerRules().model_dump() == defaults
    assert set(recorded(new_game)["rules"]) == set(defaults)
