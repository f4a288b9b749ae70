"""The rules of dino, clause by clause; the clauses are those of docs/dino.md."""

from collections import Counter

import numpy as np
import pytest

from sim import replay
from sim.dino.cards import DinoDeck, DinoRules, DinoSet, check_deck
from sim.files.errors import InputError
from sim.files.toml import validate
from sim.library import load_game
from strategies import load_strategy


def dino_card(id, *ability, cost=1, fight=(2, 3, 4), direct=(1, 2, 3), keywords=()):
    return {
        "id": id, "name": id.upper(), "en": id, "kind": "dino", "cost": cost, "fight": list(fight),
        "direct": list(direct), "keywords": list(keywords), "ability": list(ability),
    }  # fmt: skip


def spell(id, *ability, cost=1):
    return {"id": id, "name": id.upper(), "en": id, "kind": "spell", "cost": cost, "ability": list(ability)}


def on_summon(do, **keys):
    return {"when": "on_summon", "do": do, **keys}


def on_attack(do, **keys):
    return {"when": "on_attack", "do": do, **keys}


def on_win(do, **keys):
    return {"when": "on_win", "do": do, **keys}


def on_death(do, **keys):
    return {"when": "on_death", "do": do, **keys}


def aura(do, **keys):
    return {"when": "aura", "do": do, **keys}


def effect(do, **keys):
    return {"when": "spell", "do": do, **keys}


GUARD = dino_card("guard", keywords=["block"])  # fight 2, 3, 4; direct 1, 2, 3, as all cards made here
HUNTER = dino_card("hunter", keywords=["hunt"])
POISON = dino_card("poison", keywords=["mutual"])
BAIT = dino_card("bait", on_death("rest"))  # its owner is asked for a target
DIGGER = dino_card("digger", on_death("recover"))  # here too


def field(m, seat=0):
    slots = list(m.position[seat]["field"])
    while slots and slots[-1] == "-":
        slots.pop()
    return slots


def hand(m, seat=0):
    return m.position[seat]["hand"]


def stratum(m, seat=0):
    return m.position[seat]["stratum"]


def pp(m, seat=0):
    return m.position[seat]["pp"]


def lives(m):
    return [m.position[seat]["life"] for seat in (0, 1)]


def asked(m):
    return m.decider, m.decision, m.legal


def pass_to(m, turn):
    while m.turn < turn and not m.is_over:
        m.act("attack" if m.decision == "main" else m.legal[-1])
    return m


def cast(dino, *abilities, cards=(), first=None, cost=1, **position):
    """The first player has just cast x."""
    first = {**(first or {})}
    first["hand"] = ["x", *first.get("hand", [])]
    m = dino(spell("x", *abilities, cost=cost), *cards, first=first, **position)
    m.act("cast x")
    return m


def summon(dino, *abilities, cards=(), first=None, keywords=(), **position):
    """The first player has just summoned x."""
    first = {**(first or {})}
    first["hand"] = ["x", *first.get("hand", [])]
    m = dino(dino_card("x", *abilities, keywords=keywords), *cards, first=first, **position)
    m.act("summon x")
    return m


def strike(dino, *abilities, cards=(), at="life", first=None, keywords=(), word="x 1 awake", **position):
    """The first player's x has just declared an attack; an idle d0 in slot 1 keeps it open."""
    first = {"field": [word, "d0 1 awake"], **(first or {})}
    m = dino(dino_card("x", *abilities, keywords=keywords), *cards, first=first, phase="attack", **position)
    m.act(f"attack 0 > {at}")
    return m


def counter(dino, *abilities, cards=(), at="life", first=None, second=None, **position):
    """The second player has just answered the attack of a d3 with x; an idle d0 in slot 1 keeps the phase open."""
    first = {"field": ["d3 1 awake", "d0 1 awake"], **(first or {})}
    second = {**(second or {})}
    second["hand"] = ["x", *second.get("hand", [])]
    m = dino(spell("x", *abilities), *cards, first=first, second=second, phase="attack", **position)
    m.act(f"attack 0 > {at}")
    m.act("cast x")
    return m


def read_cards(*cards):
    return validate({"game": "dino", "set": "t", "version": 1, "card": list(cards)}, DinoSet, "t")


# ---------------------------------------------------------------------------------------------------------------- D1


def test_d1_1_zones_of_a_new_game(new_game):
    m = new_game(first={"d1": 12}, second={"d2": 12})
    for seat, id in enumerate(("d1", "d2")):
        assert m.position[seat] == {
            "life": 20, "pp": "0/0", "deck": 10, "hand": [id, id], "field": ["-"] * 5, "use": "-", "stratum": [],
        }  # fmt: skip


@pytest.mark.parametrize(("level", "direct", "survivors"), [(1, 4, (1, 0)), (2, 0, (0, 1)), (3, 2, (0, 0))])
def test_d1_2_fight_and_direct_of_each_level(dino, level, direct, survivors):
    x = dino_card("x", fight=(5, 1, 3), direct=(4, 0, 2))
    seats = {"first": {"field": [f"x {level} awake", "d0 1 awake"]}, "second": {"field": ["d3 1 rested"]}}
    m = dino(x, **seats, phase="attack")
    m.act("attack 0 > life")
    assert lives(m) == [20, 20 - direct]
    m = dino(x, **seats, phase="attack")
    m.act("attack 0 > 0")
    assert (m.position[0]["field"][0] != "-", m.position[1]["field"][0] != "-") == survivors


@pytest.mark.parametrize(
    ("cards", "options", "wrong"),
    [
        ({"a": 3, "b": 3}, {"deck_size": 6}, None),
        ({"a": 3, "b": 2}, {"deck_size": 6}, "found 5 cards, expected exactly 6 (D1.3, deck_size)"),
        ({"a": 3, "b": 3, "c": 1}, {"deck_size": 6}, "found 7 cards, expected exactly 6 (D1.3, deck_size)"),
        ({"a": 4, "b": 2}, {"deck_size": 6}, "found 4 of 'a', expected at most 3 (D1.3, copies)"),
        ({"a": 4, "b": 2}, {"deck_size": 6, "copies": 4}, None),
        ({"a": 1, "b": 2}, {"deck_size": 3, "copies": 1}, "found 2 of 'b', expected at most 1 (D1.3, copies)"),
        ({"a": 3, "nobody": 3}, {"deck_size": 6}, "unknown card 'nobody'"),
        (dict.fromkeys("abcdefghijklm", 3) | {"n": 1}, {}, None),
        (dict.fromkeys("abcdefghijklm", 3), {}, "found 39 cards, expected exactly 40 (D1.3, deck_size)"),
    ],
)
def test_d1_3_deck_construction(cards, options, wrong):
    card_set = read_cards(*(dino_card(id) for id in "abcdefghijklmn"))
    deck = validate({"game": "dino", "set": "t", "name": "t", "cards": cards}, DinoDeck, "t")
    problems = check_deck(card_set, deck, DinoRules(**options))
    assert problems == [] if wrong is None else any(wrong in problem for problem in problems)


def test_d1_3_a_deck_is_more_than_the_opening_hand():
    assert DinoRules(deck_size=3).deck_size == 3
    for options in ({"deck_size": 2}, {"deck_size": 5, "opening_hand": 5}, {"opening_hand": 40}):
        with pytest.raises(ValueError, match="opening_hand"):
            DinoRules(**options)


X, S = dino_card("x"), spell("s", effect("draw"))


def without(card, key):
    return {name: value for name, value in card.items() if name != key}


@pytest.mark.parametrize(
    "card",
    [
        X, S, {**X, "cost": 0}, {**X, "cost": 9999}, {**X, "fight": [0, 9999, 0]}, {**X, "direct": [3, 2, 1]},
        {**S, "cost": 9999},
        {**X, "keywords": ["haste", "block", "mutual", "hunt", "no_attack"]}, {**X, "name": "恐竜"},
        without(X, "keywords"), without(X, "ability"), without(without(X, "keywords"), "ability"),
        {**S, "ability": [effect("draw")] * 3},
    ],
)  # fmt: skip
def test_d1_4_cards_that_fit(card):
    assert read_cards(card).ids == [card["id"]]


@pytest.mark.parametrize(
    "cards",
    [
        [{**X, "cost": -1}], [{**X, "cost": 10000}], [{**X, "fight": [0, 0, 10000]}], [{**X, "fight": [-1, 0, 0]}],
        [{**X, "fight": [1, 2]}], [{**X, "fight": [1, 2, 3, 4]}], [{**X, "fight": 3}], [{**X, "direct": [0, 10000, 0]}],
        [{**X, "direct": [0, 0, -1]}], [{**X, "direct": [1]}], [{**S, "cost": 10000}], [{**S, "cost": -1}],
        [{**X, "cost": 1.5}],
        [{**X, "kind": "beast"}],
        *([without(X, key)] for key in ("id", "name", "en", "kind", "cost", "fight", "direct")),
        *([without(S, key)] for key in ("id", "name", "en", "kind", "cost", "ability")), [{**S, "ability": []}],
        [{**S, "fight": [1, 2, 3]}], [{**S, "direct": [1, 2, 3]}], [{**S, "keywords": ["haste"]}],
        [{**X, "keywords": ["flying"]}],
        [{**X, "power": 3}], [{**S, "level": 1}], [{**X, "id": "a b"}], [{**X, "id": "a,b"}], [X, X], [],
    ],
)  # fmt: skip
def test_d1_4_cards_that_do_not_fit(cards):
    with pytest.raises(InputError):
        read_cards(*cards)


def test_d1_4_piles_have_no_maximum(dino):
    m = cast(dino, effect("draw", n=5), first={"hand": ["d2"] * 15, "stratum": ["d3"] * 25})
    assert len(hand(m)) == 20
    assert len(stratum(m)) == 26


def test_d1_5_a_spell_in_use(dino):
    m = cast(dino, effect("rest"), second={"field": ["d3 1 awake"]})
    assert (m.position[0]["use"], hand(m), stratum(m), pp(m)) == ("x", [], [], "8/9")
    m.act("target enemy 0")
    assert (m.position[0]["use"], hand(m), stratum(m)) == ("-", [], ["x"])
    m = counter(dino, effect("rest"))
    assert [m.position[seat]["use"] for seat in (0, 1)] == ["-", "x"]


def test_d1_6_a_strategy_is_given_what_a_redeal_leaves(dino):
    seen = [set(), set()]
    for seed in range(8):
        for seat in (0, 1):
            m = dino(
                first={
                    "hand": ["d1", "d2"],
                    "deck": ["d3", "d4", "d5"],
                    "field": ["d6 2 rested frozen"],
                    "stratum": ["d7", "s1"],
                },
                second={
                    "hand": ["d2", "d3"],
                    "deck": ["d4", "d5", "d6"],
                    "field": ["d9 1 awake"],
                    "life": 7,
                    "pp": "1/3",
                },
            )
            before = m.position
            m.game.words.scramble_hidden(m.state, m.table, seat, np.random.default_rng(seed))
            after = m.position
            assert after[seat] == before[seat]
            assert {**after[1 - seat], "hand": []} == {**before[1 - seat], "hand": []}
            assert len(hand(m, 1 - seat)) == 2
            assert set(hand(m, 1 - seat)) <= ({"d1", "d2", "d3", "d4", "d5"}, {"d2", "d3", "d4", "d5", "d6"})[1 - seat]
            seen[seat].add(tuple(hand(m, 1 - seat)))
    assert min(len(hands) for hands in seen) > 1


def test_d1_6_the_own_deck_keeps_its_cards_not_its_order(dino):
    seen = set()
    for seed in range(8):
        m = dino(spell("x", effect("draw", n=2)), first={"hand": ["x", "x"], "deck": ["d2", "d3", "d4", "d5"]})
        m.game.words.scramble_hidden(m.state, m.table, 0, np.random.default_rng(seed))
        m.act("cast x")
        seen.add(tuple(hand(m)))
        m.act("cast x")
        assert hand(m) == ["d2", "d3", "d4", "d5"]
    assert len(seen) > 1


# ---------------------------------------------------------------------------------------------------------------- D2

FIVE = {"d1": 1, "d2": 1, "d3": 1, "d4": 1, "d5": 1}
PILES = [["d1", "d2", "d3", "d4", "d5"], ["d5", "d4", "d3", "d2", "d1"]]


def test_d2_1_life_and_pp(new_game):
    m = new_game(first={"d1": 9}, second={"d1": 9}, life=7)
    assert (lives(m), pp(m, 0), pp(m, 1)) == ([7, 7], "0/0", "0/0")


def test_d2_2_each_draws_2_and_is_asked_once_first_player_first(new_game):
    m = new_game(first=FIVE, second=FIVE, piles=PILES)
    assert (hand(m, 0), hand(m, 1), m.turn) == (["d1", "d2"], ["d4", "d5"], 0)
    assert asked(m) == (0, "mulligan", ["keep", "return d1", "return d2", "return d1,d2"])
    m.act("keep")
    assert asked(m) == (1, "mulligan", ["keep", "return d4", "return d5", "return d4,d5"])
    m.act("return d4,d5")
    m.let_happen()
    assert (m.decider, m.decision, m.turn) == (0, "main", 1)
    assert hand(m, 0) == ["d1", "d2", "d3"]


@pytest.mark.parametrize(("options", "size"), [({}, 2), ({"opening_hand": 1}, 1), ({"opening_hand": 4}, 4)])
def test_d2_2_options(new_game, options, size):
    m = new_game(first=FIVE, second=FIVE, piles=PILES, **options)
    assert (m.decision, hand(m, 0), hand(m, 1)) == ("mulligan", PILES[0][:size], sorted(PILES[1][:size]))
    m = new_game(first={"d9": 9}, second={"d9": 9}, mulligan=False, **options)
    assert (m.decider, m.decision, m.turn, len(hand(m, 1))) == (0, "main", 1, size)


def test_d2_2_decks_are_shuffled(new_game):
    cards = {f"d{n}": 4 for n in range(10)}
    m = new_game(first=cards, second=cards)
    assert m.piles[0] != sorted(m.piles[0])
    assert m.piles[0] != m.piles[1]
    for seat in (0, 1):
        assert sorted(m.piles[seat][:2]) == hand(m, seat)


def test_d2_3_the_whole_new_deck_is_shuffled_then_as_many_are_drawn(new_game):
    m = new_game(first=FIVE, second=FIVE, piles=PILES)
    m.act("return d1")
    assert m.waits_for_chance
    step = {"chance": "shuffle", "player": 0, "pile": ["d4", "d1", "d3", "d5"]}
    assert m.let_happen(step) == step
    assert (hand(m), m.position[0]["deck"]) == (["d2", "d4"], 3)
    assert m.decider == 1  # decides after the first has drawn
    m.act("return d4,d5")
    step = {"chance": "shuffle", "player": 1, "pile": ["d5", "d1", "d2", "d3", "d4"]}
    assert m.let_happen(step) == step
    assert hand(m, 1) == ["d1", "d5"]
    assert hand(m, 0) == ["d1", "d2", "d4"]  # with the draw of turn 1


@pytest.mark.parametrize("pile", [["d4", "d3", "d5"], ["d4", "d2", "d3", "d5"], ["d1", "d1", "d3", "d5"], PILES[0]])
def test_d2_3_another_pile_is_impossible(new_game, pile):
    m = new_game(first=FIVE, second=FIVE, piles=PILES)
    m.act("return d1")
    with pytest.raises(InputError):
        m.let_happen({"chance": "shuffle", "player": 0, "pile": pile})


def test_d2_3_the_shuffle_is_random(new_game):
    m = new_game(first=FIVE, second=FIVE, piles=PILES)
    m.act("return d1,d2")
    seen = set()
    for _ in range(20):
        m.game.sample_chance(m.state, m.table)
        seen.add(tuple(m.game.words.chance(m.state, m.table, m.setup.ids)["pile"]))
    assert len(seen) > 10
    assert {tuple(sorted(pile)) for pile in seen} == {tuple(FIVE)}


# ---------------------------------------------------------------------------------------------------------------- D3


def test_d3_1_own_rested_dinos_awaken_save_frozen_ones(dino):
    m = dino(
        first={"field": ["d4 1 rested", "d5 1 rested frozen"]},
        second={"field": ["d1 1 rested", "d2 1 rested frozen", "d3 1 awake frozen"]},
    )
    m.act("attack")
    assert m.turn == 6
    assert field(m, 1) == ["d1 1 awake", "d2 1 rested", "d3 1 awake"]
    assert field(m, 0) == ["d4 1 rested", "d5 1 rested frozen"]
    pass_to(m, 7)
    assert field(m, 0) == ["d4 1 awake", "d5 1 rested"]
    pass_to(m, 9)
    assert field(m, 0) == ["d4 1 awake", "d5 1 awake"]


def test_d3_1_two_freezes_count_as_one(dino):
    m = cast(dino, effect("freeze"), effect("freeze"), second={"field": ["d3 1 rested"]})
    m.act("target enemy 0")
    m.act("target enemy 0")
    assert field(m, 1) == ["d3 1 rested frozen"]
    assert field(pass_to(m, 6), 1) == ["d3 1 rested"]
    assert field(pass_to(m, 8), 1) == ["d3 1 awake"]


def test_d3_1_the_order_is_awaken_pp_draw(dino):
    m = dino(second={"field": ["d1 1 rested"], "pp": "1/4", "deck": ["d1"]})
    m.act("attack")
    assert m.result == {"winner": 0, "reason": "deck", "turns": 6}
    assert (field(m, 1), pp(m, 1), hand(m, 1)) == (["d1 1 awake"], "5/5", ["d1"])


@pytest.mark.parametrize(
    ("before", "options", "after"),
    [
        ("2/9", {}, "10/10"),
        ("0/0", {}, "1/1"),
        ("3/15", {}, "15/15"),
        ("5/14", {}, "15/15"),
        ("2/5", {"pp_cap": 5}, "5/5"),
    ],
)
def test_d3_2_pp_maximum(dino, before, options, after):
    m = dino(second={"pp": before}, **options)
    m.act("attack")
    assert pp(m, 1) == after


def test_d3_3_draw_1(dino):
    m = dino(first={"deck": ["d8", "d9", "d7"]}, second={"deck": ["d3", "d4", "d5"]})
    m.act("attack")
    assert (hand(m, 0), hand(m, 1), m.position[1]["deck"]) == ([], ["d3"], 2)
    assert hand(pass_to(m, 7), 0) == ["d8"]


@pytest.mark.parametrize(("options", "drawn"), [({}, 1), ({"first_first_draw": 0}, 0), ({"first_first_draw": 2}, 2)])
def test_d3_3_the_first_players_first_turn(new_game, options, drawn):
    m = new_game(first={"d9": 12}, second={"d9": 12}, mulligan=False, **options)
    assert (m.turn, m.decider, len(hand(m)), pp(m)) == (1, 0, 2 + drawn, "1/1")
    pass_to(m, 3)
    assert (len(hand(m)), pp(m)) == (3 + drawn, "2/2")


@pytest.mark.parametrize(
    ("options", "maximums"),
    [
        ({}, [2, 2, 3, 4]),
        ({"second_first_pp": 0}, [1, 2, 3, 4]),
        ({"second_first_pp": 1}, [1, 2, 3, 4]),
        ({"second_first_pp": 3}, [3, 3, 3, 4]),
        ({"second_first_pp": 9, "pp_cap": 5}, [5, 5, 5, 5]),
        ({"pp_cap": 1}, [1, 1, 1, 1]),
    ],
)
def test_d3_4_pp_of_the_second_player(new_game, options, maximums):
    m = new_game(first={"d9": 12}, second={"d9": 12}, mulligan=False, **options)
    assert [pp(pass_to(m, turn), 1) for turn in (2, 4, 6, 8)] == [f"{n}/{n}" for n in maximums]


@pytest.mark.parametrize(("options", "drawn"), [({}, 3), ({"second_first_draw": 0}, 0), ({"second_first_draw": 1}, 1)])
def test_d3_4_draws_of_the_second_player(new_game, options, drawn):
    m = new_game(first={"d9": 12}, second={"d9": 12}, mulligan=False, **options)
    assert [len(hand(pass_to(m, turn), 1)) for turn in (2, 4, 6)] == [2 + drawn, 3 + drawn, 4 + drawn]


@pytest.mark.parametrize(("n", "maximums"), [(2, [4, 4, 5]), (-1, [1, 1, 2])])
def test_d3_4_effects_on_the_maximum_are_kept(new_game, n, maximums):
    grow = spell("grow", effect("pp_max", n=n), cost=0)
    m = new_game(grow, first={"d9": 12}, second={"grow": 12}, mulligan=False)
    pass_to(m, 2).act("cast grow")
    assert [pp(pass_to(m, turn), 1).split("/")[1] for turn in (2, 4, 6)] == [str(n) for n in maximums]


# ---------------------------------------------------------------------------------------------------------------- D4


def test_d4_1_summon_and_cast_as_long_as_pp_last(dino):
    m = dino(first={"pp": "6/9", "hand": ["d2", "d7", "d1", "s3", "s0"]})
    assert m.legal == ["summon d1", "summon d2", "cast s0", "cast s3", "attack"]
    m.act("cast s3")
    assert (pp(m), m.legal) == ("3/9", ["summon d1", "summon d2", "cast s0", "attack"])
    m.act("summon d2")
    assert (pp(m), m.legal) == ("1/9", ["summon d1", "cast s0", "attack"])
    m.act("summon d1")
    assert (pp(m), m.legal) == ("0/9", ["cast s0", "attack"])


def test_d4_1_cost_0_needs_no_pp(dino):
    m = dino(first={"pp": "0/0", "hand": ["d0", "s0", "d1", "s1"]})
    assert m.legal == ["summon d0", "cast s0", "attack"]
    m = strike(dino, second={"pp": "0/3", "hand": ["s0", "s1"]})
    assert asked(m) == (1, "counter", ["cast s0", "pass"])


def test_d4_1_a_spell_may_do_nothing(dino):
    m = cast(dino, effect("rest"), effect("recover"))
    assert (stratum(m), pp(m), m.decision) == (["x"], "8/9", "main")


def test_d4_2_the_lowest_empty_slot_lv_1_awake(dino):
    m = dino(first={"field": ["d1 1 rested", "-", "d2 1 rested"], "hand": ["d3", "d4"]})
    m.act("summon d3")
    m.act("summon d4")
    assert field(m) == ["d1 1 rested", "d3 1 awake new", "d2 1 rested", "d4 1 awake new"]


@pytest.mark.parametrize("keywords", [[], ["haste"]])
def test_d4_2_no_attack_in_the_turn_of_its_summon_without_haste(dino, keywords):
    m = summon(dino, keywords=keywords, first={"field": ["d2 1 awake"]})
    m.act("attack")
    assert m.legal == ["attack 0 > life", *(["attack 1 > life"] if keywords else []), "end"]
    assert field(pass_to(m, 6)) == ["d2 1 awake", "x 1 awake"]
    pass_to(m, 7).act("attack")
    assert m.legal == ["attack 0 > life", "attack 1 > life", "end"]


def test_d4_2_with_five_dinos_none_can_be_summoned(dino):
    m = dino(first={"field": ["d1 1 awake"] * 4, "hand": ["d3", "d4", "s1"]})
    assert m.legal == ["summon d3", "summon d4", "cast s1", "attack"]
    m.act("summon d3")
    assert m.legal == ["cast s1", "attack"]


def test_d4_3_effects_then_the_stratum_then_what_they_triggered(dino):
    m = cast(
        dino,
        effect("destroy", target="own"),
        effect("damage"),
        cards=[BAIT],
        first={"field": ["bait 1 awake"]},
        second={"field": ["d3 1 awake"]},
    )
    assert (m.position[0]["use"], pp(m), lives(m)) == ("x", "8/9", [20, 20])
    m.act("target own 0")
    assert asked(m) == (0, "target", ["target enemy 0"])  # bait's ability
    assert (m.position[0]["use"], stratum(m), lives(m)) == ("-", ["x", "bait"], [20, 19])


def test_d4_3_all_its_abilities_in_file_order(dino):
    m = cast(dino, effect("draw"), effect("discard", target="self"), first={"deck": ["d9"] * 3})
    m.let_happen({"chance": "discard", "player": 0, "cards": ["d9"]})
    assert (hand(m), stratum(m)) == ([], ["d9", "x"])
    m = cast(dino, effect("discard", target="self"), effect("draw"), first={"deck": ["d9"] * 3})
    assert (hand(m), stratum(m)) == (["d9"], ["x"])


def test_d4_4_unspent_pp_pay_for_counter_spells(dino):
    m = dino(first={"pp": "4/6", "hand": ["s1", "s2", "s4"]}, second={"field": ["d3 1 awake", "d0 1 awake"]})
    m.act("cast s1")
    m.act("attack")
    assert (m.turn, pp(m)) == (6, "3/6")
    m.act("attack")
    m.act("attack 0 > life")
    assert asked(m) == (0, "counter", ["cast s2", "pass"])
    m.act("cast s2")
    assert (m.turn, pp(m)) == (6, "1/6")
    pass_to(m, 7)
    assert pp(m) == "7/7"


@pytest.mark.parametrize(
    ("before", "n", "options", "after"),
    [
        ("5/5", -2, {}, "3/3"), ("1/5", -2, {}, "1/3"), ("4/5", -2, {}, "3/3"), ("2/2", -5, {}, "0/0"),
        ("5/5", 2, {}, "5/7"),
        ("3/14", 3, {}, "3/15"), ("3/4", 9, {"pp_cap": 6}, "3/6"),
    ],
)  # fmt: skip
def test_d4_5_current_never_above_maximum_never_outside_0_and_cap(dino, before, n, options, after):
    m = cast(dino, effect("pp_max", n=n), cost=0, first={"pp": before}, **options)
    assert pp(m) == after


# ---------------------------------------------------------------------------------------------------------------- D5


def test_d5_1_a_dino_that_returns_is_lv_1_without_markers(dino):
    m = cast(dino, effect("bounce", target="own"), first={"field": ["d3 3 rested frozen fight+2 direct+1 +block"]})
    m.act("target own 0")
    assert hand(m) == ["d3"]
    m.act("summon d3")
    assert field(m) == ["d3 1 awake new"]
    m = cast(
        dino, effect("destroy", target="own"), effect("revive"), first={"field": ["d3 2 rested frozen fight+2 +block"]}
    )
    m.act("target own 0")
    m.act("target d3")
    assert field(m) == ["d3 1 awake new"]


@pytest.mark.parametrize(
    ("phase", "others", "last"), [("main", [], "attack"), ("attack", ["attack 0 > life", "attack 2 > life"], "end")]
)
def test_d5_2_a_hand_card_raises_the_same_awake_dino(dino, phase, others, last):
    slots = ["d3 2 awake", "d4 1 rested", "d3 3 awake", "d4 1 awake new"]
    m = dino(
        first={"hand": ["d3", "d3", "d4"], "field": slots, "pp": "0/9"}, second={"field": ["d3 1 awake"]}, phase=phase
    )
    assert m.legal == [*others, "level 0", "level 3", last]
    m.act("level 0")
    assert field(m) == ["d3 3 awake", *slots[1:]]
    assert (hand(m), stratum(m), pp(m)) == (["d3", "d4"], ["d3"], "0/9")
    assert m.legal == [*others, "level 3", last]


def test_d5_3_it_can_act_at_once(dino):
    m = dino(first={"hand": ["d3"], "field": ["d3 1 awake new"]}, phase="attack")
    assert m.legal == ["level 0", "end"]
    m.act("level 0")
    assert field(m) == ["d3 2 awake"]
    assert m.legal == ["attack 0 > life", "end"]


@pytest.mark.parametrize("ability", [effect("level", target="own"), effect("level_to", n=3, target="own")])
def test_d5_3_not_after_another_rise(dino, ability):
    m = cast(dino, ability, first={"field": ["d3 1 awake new"]})
    m.act("target own 0")
    assert field(m)[0] in ("d3 2 awake new", "d3 3 awake new")
    m.act("attack")
    assert m.turn == 6


@pytest.mark.parametrize(
    ("mine", "theirs", "block", "after"),
    [
        ("d5 1 awake", "d3 1 rested", False, ("d5 2 rested", "-")),
        ("d5 2 awake", "d3 1 rested", False, ("d5 3 rested", "-")),
        ("d5 3 awake", "d3 1 rested", False, ("d5 3 rested", "-")),
        ("d3 1 awake", "d5 1 rested", False, ("-", "d5 2 rested")),
        ("d3 1 awake", "d5 3 rested", False, ("-", "d5 3 rested")),
        ("d3 1 awake", "d5 1 awake +block", True, ("-", "d5 2 rested +block")),
    ],
)
def test_d5_4_the_winner_rises(dino, mine, theirs, block, after):
    m = dino(first={"field": [mine, "d0 1 awake"]}, second={"field": [theirs]}, phase="attack")
    m.act("attack 0 > life" if block else "attack 0 > 0")
    if block:
        m.act("block 0")
    assert (m.position[0]["field"][0], m.position[1]["field"][0]) == after


# ---------------------------------------------------------------------------------------------------------------- D6


@pytest.mark.parametrize(
    ("word", "legal"),
    [
        ("d3 1 awake", ["attack 0 > 2", "attack 0 > life"]),
        ("d3 1 rested", []),
        ("d3 1 awake new", []),
        ("d3 1 awake new +haste", ["attack 0 > 2", "attack 0 > life"]),
        ("hunter 1 awake", ["attack 0 > 0", "attack 0 > 2", "attack 0 > life"]),
        ("d3 1 awake +hunt", ["attack 0 > 0", "attack 0 > 2", "attack 0 > life"]),
        ("calm 1 awake", []),
        ("d3 1 awake +no_attack", []),
        ("d3 1 awake frozen", ["attack 0 > 2", "attack 0 > life"]),
    ],
)
def test_d6_1_who_may_attack_whom(dino, word, legal):
    calm = dino_card("calm", keywords=["no_attack", "haste", "hunt"])
    seats = {"first": {"field": [word, "d9 1 awake"]}, "second": {"field": ["d1 1 awake", "-", "d1 1 rested"]}}
    m = dino(HUNTER, calm, **seats, phase="attack")
    assert m.legal == [*legal[:-1], "attack 1 > 2", *legal[-1:], "attack 1 > life", "end"]


def test_d6_1_one_at_a_time_and_it_rests(dino):
    m = dino(first={"field": ["d1 1 awake", "d2 1 awake"]}, phase="attack")
    m.act("attack 1 > life")
    assert field(m) == ["d1 1 awake", "d2 1 rested"]
    assert m.legal == ["attack 0 > life", "end"]


def test_d6_1_a_dino_that_is_awake_again_may_attack_again(dino):
    m = strike(dino, on_attack("awaken", target="this"))
    assert m.legal == ["attack 0 > life", "attack 1 > life", "end"]
    m.act("attack 0 > life")
    assert lives(m) == [20, 18]


def test_d6_1_turn_1_is_no_exception(new_game):
    m = new_game(dino_card("x", keywords=["haste"]), first={"x": 9}, second={"d1": 9}, mulligan=False)
    m.act("summon x")
    m.act("attack")
    m.act("attack 0 > life")
    assert (m.turn, lives(m)) == (2, [20, 19])


def test_d6_2_declaration_abilities_counter_spells_block_damage(dino):
    m = strike(dino, on_attack("damage"), cards=[GUARD], second={"field": ["guard 1 awake"], "hand": ["s1"]})
    assert asked(m) == (1, "counter", ["cast s1", "pass"])
    assert (field(m)[0], lives(m)) == ("x 1 rested", [20, 19])
    m.act("pass")
    assert asked(m) == (1, "block", ["block 0", "pass"])
    assert lives(m) == [20, 19]
    m.act("pass")
    assert lives(m) == [20, 18]


def test_d6_3_any_number_of_any_spells_with_the_pp_left(dino):
    m = strike(dino, second={"life": 10, "pp": "4/9", "hand": ["s1", "s2", "s5", "s1", "d1"]})
    assert asked(m) == (1, "counter", ["cast s1", "cast s2", "pass"])
    m.act("cast s1")
    assert asked(m) == (1, "counter", ["cast s1", "cast s2", "pass"])
    m.act("cast s2")
    assert asked(m) == (1, "counter", ["cast s1", "pass"])
    assert (lives(m), pp(m, 1), stratum(m, 1)) == ([20, 12], "1/9", ["s1", "s2"])
    m.act("cast s1")  # then it can pay for none
    assert (m.decider, m.decision, lives(m)) == (0, "attack", [20, 12])


def test_d6_3_pass_ends_them_for_this_attack_only(dino):
    m = strike(dino, second={"life": 10, "hand": ["s1", "s1"]})
    m.act("pass")
    assert (m.decision, lives(m)) == ("attack", [20, 9])
    m.act("attack 1 > life")
    assert m.decision == "counter"


@pytest.mark.parametrize(
    ("second", "options"),
    [({"hand": ["s5"], "pp": "4/9"}, {}), ({"hand": ["d1"]}, {}), ({"hand": ["s0"]}, {"counter_spells": False})],
)
def test_d6_3_nothing_to_counter_with(dino, second, options):
    m = strike(dino, second=second, **options)
    assert (m.decision, lives(m)) == ("attack", [20, 19])


def test_d6_3_a_counter_spell_may_do_nothing(dino):
    m = counter(dino, effect("rest", target="own"))
    assert (stratum(m, 1), pp(m, 1), m.decision) == (["x"], "8/9", "attack")


def test_d6_3_each_is_wholly_finished_before_the_next(dino):
    m = counter(
        dino, effect("destroy"), effect("heal"), cards=[BAIT], first={"field": ["d3 1 awake", "bait 1 awake"]},
        second={"life": 10, "field": ["d4 1 awake"], "hand": ["s1"]},
    )  # fmt: skip
    m.act("target enemy 1")
    assert asked(m) == (0, "target", ["target enemy 0"])
    assert (lives(m), stratum(m, 1)) == ([20, 11], ["x"])
    m.act("target enemy 0")
    assert asked(m) == (1, "counter", ["cast s1", "pass"])


@pytest.mark.parametrize("at", ["life", "0"])
def test_d6_3_the_defender_may_go_on_after_attacker_or_target_has_left(dino, at):
    ability = effect("bounce", target="attacker") if at == "life" else effect("bounce", target="all_own")
    m = counter(dino, ability, at=at, second={"field": ["d1 1 rested"], "hand": ["s1"], "life": 10})
    assert m.decision == "counter"
    m.act("cast s1")
    assert (m.decider, m.decision, lives(m)) == (0, "attack", [20, 11])


@pytest.mark.parametrize("do", ["bounce", "destroy"])
def test_d6_4_without_its_attacker_an_attack_ends_and_no_block_is_asked(dino, do):
    m = counter(dino, effect(do, target="attacker"), cards=[GUARD], second={"field": ["guard 1 awake"]})
    assert (m.decider, m.decision, lives(m)) == (0, "attack", [20, 20])
    assert field(m) == ["-", "d0 1 awake"]


def test_d6_4_without_its_target_an_attack_ends_and_no_block_is_asked(dino):
    m = counter(
        dino, effect("bounce", target="own"), cards=[GUARD], at="1", second={"field": ["guard 1 awake", "d1 1 rested"]}
    )
    m.act("target own 1")
    assert (m.decider, m.decision, lives(m)) == (0, "attack", [20, 20])
    assert field(m) == ["d3 1 rested", "d0 1 awake"]


def test_d6_4_another_dino_in_the_slot_is_not_the_target(dino):
    m = counter(dino, effect("destroy", target="own"), effect("revive"), at="0", second={"field": ["d1 1 rested"]})
    m.act("target own 0")
    m.act("target d1")
    assert m.decision == "attack"
    assert (field(m), field(m, 1)) == (["d3 1 rested", "d0 1 awake"], ["d1 1 awake new"])


def test_d6_4_a_target_awakened_meanwhile_is_still_attacked(dino):
    m = counter(dino, effect("awaken", target="all_own"), at="0", second={"field": ["d1 1 rested"]})
    assert (field(m), field(m, 1), stratum(m, 1)) == (["d3 2 rested", "d0 1 awake"], [], ["d1", "x"])


@pytest.mark.parametrize("do", ["freeze", "awaken", "rest"])
def test_d6_4_an_attacker_in_whatever_position_still_attacks(dino, do):
    m = counter(dino, effect(do, target="attacker"))
    assert lives(m) == [20, 19]


def test_d6_5_one_block_and_it_rests(dino):
    m = dino(
        GUARD, first={"field": ["d1 1 awake", "d0 1 awake"]}, phase="attack",
        second={"field": ["guard 1 awake", "guard 1 rested", "d3 1 awake", "d4 1 awake +block", "d5 1 rested +block"]},
    )  # fmt: skip
    m.act("attack 0 > life")
    assert asked(m) == (1, "block", ["block 0", "block 3", "pass"])
    m.act("block 3")
    assert field(m, 1) == ["guard 1 awake", "guard 1 rested", "d3 1 awake", "d4 2 rested +block", "d5 1 rested +block"]
    assert (m.decision, lives(m), stratum(m)) == ("attack", [20, 20], ["d1"])
    m.act("attack 1 > life")
    assert m.legal == ["block 0", "pass"]
    m.act("pass")
    assert lives(m) == [20, 19]


def test_d6_5_another_attacked_dino_is_defended_too_but_not_the_target_itself(dino):
    m = strike(
        dino,
        cards=[GUARD],
        keywords=["hunt"],
        at="1",
        second={"field": ["guard 2 awake", "guard 1 awake", "d1 1 rested"]},
    )
    assert m.legal == ["block 0", "pass"]
    m.act("block 0")
    assert field(m, 1) == ["guard 3 rested", "guard 1 awake", "d1 1 rested"]
    m = strike(dino, cards=[GUARD], at="1", second={"field": ["guard 2 awake", "d1 1 rested"]})
    m.act("pass")
    assert (field(m), field(m, 1)) == (["x 2 rested", "d0 1 awake"], ["guard 2 awake"])
    m = strike(dino, cards=[GUARD], keywords=["hunt"], at="0", second={"field": ["guard 1 awake"]})
    assert m.decision == "attack"


def test_d6_5_a_dino_summoned_in_this_turn_may_block(dino):
    m = counter(dino, effect("revive"), cards=[GUARD], second={"stratum": ["guard"]})
    m.act("target guard")
    assert (field(m, 1), asked(m)) == (["guard 1 awake new"], (1, "block", ["block 0", "pass"]))
    pass_to(m, 6).act("attack")
    assert (field(m, 1), "attack 0 > life" in m.legal) == (["guard 1 awake"], True)  # that turn is over


@pytest.mark.parametrize(
    ("mine", "theirs", "survive"),
    [
        ("d3 1", "d2 1", (True, False)), ("d2 1", "d3 1", (False, True)), ("d3 1", "d3 1", (False, False)),
        ("d2 3", "d3 1", (True, False)), ("d3 1", "d2 2", (False, False)), ("d0 1", "d0 1", (False, False)),
    ],
)  # fmt: skip
def test_d6_6_the_lower_fight_goes_to_its_owners_stratum(dino, mine, theirs, survive):
    m = dino(first={"field": [f"{mine} awake", "d9 1 awake"]}, second={"field": [f"{theirs} rested"]}, phase="attack")
    m.act("attack 0 > 0")
    assert (m.position[0]["field"][0] != "-", m.position[1]["field"][0] != "-") == survive
    assert stratum(m, 0) == ([] if survive[0] else [mine.split()[0]])
    assert stratum(m, 1) == ([] if survive[1] else [theirs.split()[0]])
    assert lives(m) == [20, 20]


@pytest.mark.parametrize(
    ("mine", "theirs", "after"),
    [
        ("poison 1 awake", "victor 1 rested", ("-", "-")),  # loses as the attacker
        ("victor 1 awake", "poison 1 rested", ("-", "-")),  # as the target
        ("victor 1 awake", "d3 1 rested +mutual", ("-", "-")),
        ("poison 1 awake", "poison 2 rested", ("-", "-")),
        ("poison 1 awake", "d1 1 rested", ("poison 2 rested", "-")),  # wins
        ("d1 1 awake", "poison 1 rested", ("-", "poison 2 rested")),
    ],
)
def test_d6_7_mutual(dino, mine, theirs, after):
    victor = dino_card("victor", on_win("draw"), fight=(9, 9, 9))
    m = dino(POISON, victor, first={"field": [mine, "d0 1 awake"]}, second={"field": [theirs]}, phase="attack")
    m.act("attack 0 > 0")
    assert (m.position[0]["field"][0], m.position[1]["field"][0]) == after
    assert hand(m, 0) == hand(m, 1) == []  # victor has not won


def test_d6_7_a_blocker_with_mutual(dino):
    m = strike(dino, word="d9 1 awake", second={"field": ["d3 1 awake +block +mutual"]})
    m.act("block 0")
    assert (field(m), field(m, 1), stratum(m), stratum(m, 1)) == (["-", "d0 1 awake"], [], ["d9"], ["d3"])


@pytest.mark.parametrize(
    ("word", "damage"), [("d9 1 awake", 1), ("d0 3 awake", 3), ("d9 2 awake direct+4", 6), ("d9 1 awake fight+4", 1)]
)
def test_d6_8_an_attack_on_life_reduces_it_by_direct(dino, word, damage):
    m = strike(dino, word=word)
    assert lives(m) == [20, 20 - damage]


def test_d6_9_the_winner_is_rested_but_an_attack_on_life_changes_no_position(dino):
    m = strike(dino, keywords=["hunt"], at="0", second={"field": ["d5 1 awake"]})
    assert field(m, 1) == ["d5 2 rested"]  # a target that was awake
    again = on_attack("awaken", target="this")
    assert field(strike(dino, again, at="0", second={"field": ["d1 1 rested"]}))[0] == "x 2 rested"
    assert field(strike(dino, again))[0] == "x 1 awake"


def test_d6_10_no_way_back_from_the_attack_phase(dino):
    m = dino(first={"hand": ["d1", "s1"], "field": ["d3 1 awake"]})
    m.act("attack")
    assert asked(m) == (0, "attack", ["attack 0 > life", "end"])
    m.act("end")
    assert (m.turn, m.decider, m.decision) == (6, 1, "main")


def test_d6_11_loser_leaves_winner_rises_and_rests_then_on_death_then_on_win(dino):
    m = strike(
        dino, on_win("rest"), cards=[BAIT], word="x 2 awake", at="0", second={"field": ["bait 1 rested", "d4 1 awake"]}
    )
    assert asked(m) == (1, "target", ["target enemy 0", "target enemy 1"])
    assert (field(m)[0], field(m, 1), stratum(m, 1)) == ("x 3 rested", ["-", "d4 1 awake"], ["bait"])
    m.act("target enemy 0")
    assert asked(m) == (0, "target", ["target enemy 1"])


def test_d6_11_the_winners_on_win_waits_for_its_opponents_on_death_whoever_attacks(dino):
    victor = dino_card("victor", on_win("rest"), fight=(9, 9, 9))
    m = dino(
        victor,
        BAIT,
        first={"field": ["bait 1 awake", "d0 1 awake"]},
        second={"field": ["victor 1 rested", "d4 1 awake"]},
        phase="attack",
    )
    m.act("attack 0 > 0")
    assert asked(m) == (0, "target", ["target enemy 0", "target enemy 1"])
    m.act("target enemy 1")
    assert asked(m) == (1, "target", ["target enemy 1"])


# ------------------------------------------------------------------------------------------------------- D7, the tables


def test_d7_on_summon_paid_or_by_effect(dino):
    m = summon(dino, on_summon("damage"))
    assert lives(m) == [20, 19]
    m = cast(dino, effect("revive"), cards=[dino_card("y", on_summon("damage"))], first={"stratum": ["y"]})
    m.act("target y")
    assert lives(m) == [20, 19]


@pytest.mark.parametrize("at", ["life", "0"])
def test_d7_on_attack(dino, at):
    m = strike(dino, on_attack("damage", n=5), at=at, second={"field": ["d0 1 rested"]})
    assert lives(m) == [20, 14 if at == "life" else 15]


@pytest.mark.parametrize(("level", "theirs", "drawn"), [(1, "d1", 1), (3, "d1", 1), (1, "d2", 0), (1, "d3", 0)])
def test_d7_on_win(dino, level, theirs, drawn):
    m = strike(dino, on_win("draw"), word=f"x {level} awake", at="0", second={"field": [f"{theirs} 1 rested"]})
    assert len(hand(m)) == drawn


def test_d7_on_win_of_a_target_and_a_blocker_but_not_of_an_attack_on_life(dino):
    victor = dino_card("victor", on_win("draw"), fight=(9, 9, 9), keywords=["block"])
    m = strike(dino, cards=[victor], at="0", second={"field": ["victor 1 rested"]})
    assert hand(m, 1) == ["d1"]
    m = strike(dino, cards=[victor], second={"field": ["victor 1 awake"]})
    m.act("block 0")
    assert hand(m, 1) == ["d1"]
    m = strike(dino, on_win("draw"))
    assert hand(m) == []


HEIR = dino_card("heir", on_death("damage", n=4))


@pytest.mark.parametrize("theirs", ["d9 1 rested", "d2 1 rested", "d0 1 rested +mutual"])
def test_d7_on_death_in_battle(dino, theirs):
    m = dino(HEIR, first={"field": ["heir 1 awake", "d0 1 awake"]}, second={"field": [theirs]}, phase="attack")
    m.act("attack 0 > 0")
    assert lives(m) == [20, 16]


@pytest.mark.parametrize(("do", "life"), [("destroy", 16), ("bounce", 20)])
def test_d7_on_death_by_destroy_not_by_bounce(dino, do, life):
    m = cast(dino, effect(do), cards=[HEIR], second={"field": ["heir 1 awake"]})
    m.act("target enemy 0")
    assert lives(m) == [life, 20]


def test_d7_on_death_is_from_the_field_only(dino):
    m = cast(dino, effect("discard"), cards=[HEIR], second={"hand": ["heir"]})
    m.let_happen()
    assert (stratum(m, 1), lives(m)) == (["heir"], [20, 20])
    m = dino(HEIR, first={"hand": ["heir"], "field": ["heir 1 awake"]})
    m.act("level 0")
    assert (stratum(m), lives(m)) == (["heir"], [20, 20])


def test_d7_an_aura_lasts_as_long_as_its_dino_is_on_the_field(dino):
    lord = dino_card("lord", aura("fight", n=3))
    seats = {"first": {"field": ["d1 1 awake", "lord 1 rested", "d0 1 awake"]}, "second": {"field": ["d3 1 rested"]}}
    m = dino(lord, **seats, phase="attack")
    m.act("attack 0 > 0")
    assert field(m)[0] == "d1 2 rested"  # 1 + 3 against 3
    m = dino(
        lord,
        spell("x", effect("bounce")),
        first=seats["first"],
        second={**seats["second"], "hand": ["x"]},
        phase="attack",
    )
    m.act("attack 0 > 0")
    m.act("cast x")
    m.act("target enemy 1")
    assert (field(m), field(m, 1)) == (["-", "-", "d0 1 awake"], ["d3 2 rested"])  # 1 against 3


def test_d7_spell_in_the_own_pp_phase_or_as_a_counter_spell(dino):
    assert lives(cast(dino, effect("damage", n=3))) == [20, 17]
    assert lives(counter(dino, effect("damage", n=3))) == [17, 19]


@pytest.mark.parametrize(
    ("do", "keys", "after"),
    [
        ("damage", {}, [10, 9]), ("damage", {"n": 3}, [10, 7]), ("damage", {"n": 3, "target": "opponent"}, [10, 7]),
        ("damage", {"n": 3, "target": "self"}, [7, 10]), ("heal", {}, [11, 10]), ("heal", {"n": 3}, [13, 10]),
        ("heal", {"n": 3, "target": "self"}, [13, 10]), ("heal", {"n": 3, "target": "opponent"}, [10, 13]),
    ],
)  # fmt: skip
def test_d7_damage_and_heal(dino, do, keys, after):
    m = cast(dino, effect(do, **keys), first={"life": 10}, second={"life": 10})
    assert lives(m) == after


@pytest.mark.parametrize(
    ("life", "options", "after"),
    [(18, {}, 20), (18, {"life_cap": False}, 23), (14, {"life": 15}, 15), (14, {"life": 30}, 19)],
)
def test_d7_heal_at_most_the_starting_life(dino, life, options, after):
    m = cast(dino, effect("heal", n=5), first={"life": life}, **options)
    assert lives(m)[0] == after


@pytest.mark.parametrize(
    ("keys", "hands"),
    [
        ({}, (["d2"], [])),
        ({"n": 2, "target": "self"}, (["d2", "d3"], [])),
        ({"n": 2, "target": "opponent"}, ([], ["d5", "d6"])),
    ],
)
def test_d7_draw(dino, keys, hands):
    m = cast(dino, effect("draw", **keys), first={"deck": ["d2", "d3", "d4"]}, second={"deck": ["d6", "d5", "d7"]})
    assert (hand(m, 0), hand(m, 1)) == hands


@pytest.mark.parametrize(("keys", "loser"), [({}, 1), ({"target": "opponent"}, 1), ({"target": "self"}, 0)])
def test_d7_discard(dino, keys, loser):
    m = cast(dino, effect("discard", **keys), first={"hand": ["d5", "d6"]}, second={"hand": ["d5", "d6"]})
    step = {"chance": "discard", "player": loser, "cards": ["d6"]}
    assert m.let_happen(step) == step
    assert (hand(m, loser), hand(m, 1 - loser)) == (["d5"], ["d5", "d6"])
    assert "d6" in stratum(m, loser)


@pytest.mark.parametrize(
    ("do", "keys", "after"),
    [
        ("pp_max", {}, ("3/7", "4/6")), ("pp_max", {"n": 2, "target": "self"}, ("3/8", "4/6")),
        ("pp_max", {"n": -4}, ("2/2", "4/6")), ("pp_max", {"n": -3, "target": "opponent"}, ("3/6", "3/3")),
        ("pp", {}, ("4/6", "4/6")), ("pp", {"n": 2, "target": "self"}, ("5/6", "4/6")),
        ("pp", {"n": 9}, ("6/6", "4/6")),
    ],
)  # fmt: skip
def test_d7_pp_max_and_pp(dino, do, keys, after):
    m = cast(dino, effect(do, **keys), cost=0, first={"pp": "3/6"}, second={"pp": "4/6"})
    assert (pp(m, 0), pp(m, 1)) == after


UNITS = [
    ("level", {}, "d3 1 rested", "d3 2 rested"), ("level", {"n": 9}, "d3 2 rested", "d3 3 rested"),
    ("level", {"n": -9}, "d3 2 awake", "d3 1 awake"), ("level", {"n": -1}, "d3 3 awake", "d3 2 awake"),
    ("level_to", {}, "d3 2 awake", "d3 1 awake"), ("level_to", {"n": 2}, "d3 3 awake", "d3 2 awake"),
    ("level_to", {"n": 3}, "d3 1 rested", "d3 3 rested"), ("rest", {}, "d3 2 awake", "d3 2 rested"),
    ("rest", {}, "d3 2 rested", "d3 2 rested"), ("awaken", {}, "d3 2 rested", "d3 2 awake"),
    ("awaken", {}, "d3 2 rested new frozen", "d3 2 awake new frozen"),
    ("freeze", {}, "d3 2 rested", "d3 2 rested frozen"), ("freeze", {}, "d3 2 awake", "d3 2 rested frozen"),
    ("destroy", {}, "d3 2 awake", "-"), ("bounce", {}, "d3 2 awake", "-"),
    ("fight", {}, "d3 2 awake", "d3 2 awake fight+1"), ("fight", {"n": -4}, "d3 2 awake fight+1", "d3 2 awake fight-3"),
    ("direct", {"n": 2}, "d3 2 awake direct-1", "d3 2 awake direct+1"),
    ("direct", {"n": -2}, "d3 2 rested", "d3 2 rested direct-2"),
]  # fmt: skip


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("do", "keys", "before", "after"), UNITS)
def test_d7_effects_on_a_chosen_dino(dino, do, keys, before, after, seat):
    target = ("own", "enemy")[seat]
    m = cast(
        dino,
        effect(do, target=target, **keys),
        first={"field": ["d8 1 awake", before]},
        second={"field": ["d8 1 awake", before]},
    )
    m.act(f"target {target} 1")
    assert m.position[seat]["field"][:2] == ["d8 1 awake", after]
    assert m.position[1 - seat]["field"][:2] == ["d8 1 awake", before]
    assert ("d3" in stratum(m, seat), "d3" in hand(m, seat)) == (do == "destroy", do == "bounce")


@pytest.mark.parametrize(
    ("do", "keys", "target"),
    [
        ("level", {}, "enemy"), ("level_to", {}, "enemy"), ("rest", {}, "enemy"), ("awaken", {}, "enemy"),
        ("freeze", {}, "enemy"),
        ("destroy", {}, "enemy"), ("bounce", {}, "enemy"), ("fight", {}, "own"), ("direct", {}, "own"),
        ("grant", {"keyword": "block"}, "own"),
    ],
)  # fmt: skip
def test_d7_default_targets(dino, do, keys, target):
    slots = ["d3 1 awake", "-", "d3 1 rested"]
    m = cast(dino, effect(do, **keys), first={"field": slots}, second={"field": slots})
    assert asked(m) == (0, "target", [f"target {target} 0", f"target {target} 2"])


@pytest.mark.parametrize(("do", "keys", "before", "after"), UNITS)
def test_d7_effects_on_all_of_a_side(dino, do, keys, before, after):
    for seat, target in enumerate(("all_own", "all_enemy")):
        seats = {"field": [before, "-", before]}
        m = cast(dino, effect(do, target=target, **keys), first=seats, second=seats)
        assert m.position[seat]["field"] == [after, "-", after, "-", "-"]
        assert m.position[1 - seat]["field"] == [before, "-", before, "-", "-"]


@pytest.mark.parametrize(
    ("do", "keys", "after"),
    [
        ("level", {}, "x 2 awake new"), ("level_to", {"n": 3}, "x 3 awake new"), ("rest", {}, "x 1 rested new"),
        ("awaken", {}, "x 1 awake new"), ("freeze", {}, "x 1 rested new frozen"), ("destroy", {}, "-"),
        ("bounce", {}, "-"),
        ("fight", {"n": 2}, "x 1 awake new fight+2"), ("direct", {"n": -1}, "x 1 awake new direct-1"),
        ("grant", {"keyword": "haste"}, "x 1 awake new +haste"),
    ],
)  # fmt: skip
def test_d7_effects_on_this(dino, do, keys, after):
    m = summon(dino, on_summon(do, target="this", **keys), first={"field": ["d3 1 awake"]})
    assert m.position[0]["field"][:2] == ["d3 1 awake", after]
    assert (hand(m), stratum(m)) == (["x"] if do == "bounce" else [], ["x"] if do == "destroy" else [])


@pytest.mark.parametrize(
    ("do", "keys", "after", "life"),
    [
        ("level", {}, "d3 2 rested", 18), ("level_to", {"n": 3}, "d3 3 rested", 17), ("rest", {}, "d3 1 rested", 19),
        ("awaken", {}, "d3 1 awake", 19), ("freeze", {}, "d3 1 rested frozen", 19), ("destroy", {}, "-", 20),
        ("bounce", {}, "-", 20),
        ("destroy", {"max_fight": 3}, "-", 20), ("destroy", {"max_fight": 2}, "d3 1 rested", 19),
        ("fight", {}, "d3 1 rested fight+1", 19),
        ("direct", {"n": 2}, "d3 1 rested direct+2", 17),
    ],
)  # fmt: skip
def test_d7_effects_on_the_attacker(dino, do, keys, after, life):
    m = counter(dino, effect(do, target="attacker", **keys))
    assert m.position[0]["field"][:2] == [after, "d0 1 awake"]
    assert lives(m) == [20, life]


def test_d7_awaken_lets_no_new_dino_attack(dino):
    m = cast(dino, effect("awaken", target="all_own"), first={"field": ["d3 1 rested new", "d3 1 rested"]})
    m.act("attack")
    assert m.legal == ["attack 1 > life", "end"]


def test_d7_destroy_with_max_fight(dino):
    lord = dino_card("lord", aura("fight", n=2))
    slots = ["d3 1 awake", "d3 2 awake", "d1 1 rested fight+3", "d9 1 rested fight-5"]
    m = cast(dino, effect("destroy", max_fight=3), second={"field": slots})
    assert m.legal == ["target enemy 0"]
    m = cast(dino, effect("destroy", max_fight=4), second={"field": slots})
    assert m.legal == [f"target enemy {slot}" for slot in range(4)]
    m = cast(
        dino,
        effect("destroy", max_fight=3),
        cards=[lord],
        second={"field": ["d3 1 awake", "d1 1 awake", "lord 1 awake"]},
    )
    assert m.legal == ["target enemy 1", "target enemy 2"]
    m = cast(dino, effect("destroy", max_fight=0), second={"field": ["d0 1 awake", "d1 1 awake"]})
    assert m.legal == ["target enemy 0"]
    m = cast(dino, effect("destroy", max_fight=3, target="all_enemy"), second={"field": slots})
    assert stratum(m, 1) == ["d3"]


@pytest.mark.parametrize(("keys", "strong"), [({}, 0), ({"target": "other_own"}, 0), ({"target": "this"}, 1)])
@pytest.mark.parametrize("attacker", [0, 1])
def test_d7_auras_of_fight_and_direct(dino, keys, strong, attacker):
    lord = dino_card("lord", aura("fight", n=5, **keys), aura("direct", n=4, **keys))
    seats = {"first": {"field": ["d2 1 awake", "lord 1 awake", "d0 1 awake"]}, "second": {"field": ["d6 1 rested"]}}
    m = dino(lord, **seats, phase="attack")
    m.act(f"attack {attacker} > life")
    assert lives(m) == [20, 15 if attacker == strong else 19]
    m = dino(lord, **seats, phase="attack")
    m.act(f"attack {attacker} > 0")  # 2 or 2 + 5 against 6
    assert (field(m, 1) == []) == (attacker == strong)


def test_d7_an_aura_may_weaken_and_helps_only_its_own_side(dino):
    lord = dino_card("lord", aura("fight", n=-1))
    m = dino(lord, first={"field": ["d3 1 awake", "lord 1 awake"]}, second={"field": ["d3 1 rested"]}, phase="attack")
    m.act("attack 0 > 0")
    assert (field(m), field(m, 1)) == (["-", "lord 1 awake"], ["d3 2 rested"])


@pytest.mark.parametrize("keyword", ["haste", "block", "mutual", "hunt", "no_attack"])
def test_d7_grant(dino, keyword):
    m = cast(dino, effect("grant", keyword=keyword), first={"field": ["d3 1 awake"]})
    m.act("target own 0")
    assert field(m) == [f"d3 1 awake +{keyword}"]
    assert field(pass_to(m, 6)) == ["d3 1 awake"]


def test_d7_cost_of_the_owners_or_the_opponents_spells(dino):
    cheap, dear = dino_card("cheap", aura("cost", n=-1)), dino_card("dear", aura("cost", n=2, target="opponent"))
    seat = {"pp": "1/9", "hand": ["s2", "s1", "s3", "d2"]}
    assert dino(cheap, first={**seat, "field": ["cheap 1 rested"]}).legal == ["cast s1", "cast s2", "attack"]
    assert dino(cheap, first=seat, second={"field": ["cheap 1 rested"]}).legal == ["cast s1", "attack"]
    assert dino(dear, first={**seat, "pp": "3/9"}, second={"field": ["dear 1 rested"]}).legal == [
        "summon d2",
        "cast s1",
        "attack",
    ]
    assert dino(dear, first={**seat, "field": ["dear 1 rested"]}).legal == ["cast s1", "attack"]
    m = dino(cheap, first={"pp": "3/9", "hand": ["s3"], "field": ["cheap 1 rested"]})
    m.act("cast s3")
    assert pp(m) == "1/9"


def test_d7_cost_holds_for_counter_spells(dino):
    dear = dino_card("dear", aura("cost", n=2, target="opponent"))
    m = strike(
        dino, cards=[dear], first={"field": ["d1 1 awake", "dear 1 awake"]}, second={"pp": "4/9", "hand": ["s2", "s3"]}
    )
    assert m.legal == ["cast s2", "pass"]
    m.act("cast s2")
    assert pp(m, 1) == "0/9"


def test_d7_recover(dino):
    m = cast(dino, effect("recover"), first={"stratum": ["s1", "d9", "d3", "d3"]}, second={"stratum": ["d5"]})
    assert asked(m) == (0, "target", ["target d3", "target d9"])
    m.act("target d3")
    assert (hand(m), stratum(m)) == (["d3"], ["d3", "d9", "s1", "x"])
    assert cast(dino, effect("recover"), first={"stratum": ["s1"]}, second={"stratum": ["d5"]}).decision == "main"


def test_d7_revive(dino):
    seat = {"stratum": ["s1", "d9", "d3", "d3"], "field": ["d1 1 rested", "-", "d1 1 rested"], "pp": "1/9"}
    m = cast(dino, effect("revive"), first=seat, second={"stratum": ["d5"]})
    assert asked(m) == (0, "target", ["target d3", "target d9"])
    m.act("target d9")
    assert field(m) == ["d1 1 rested", "d9 1 awake new", "d1 1 rested"]
    assert (pp(m), stratum(m)) == ("0/9", ["d3", "d3", "s1", "x"])
    m.act("attack")
    assert m.turn == 6  # it cannot attack


def test_d7_revive_with_max_cost_and_an_empty_slot(dino):
    seat = {"stratum": ["d0", "d3", "d4", "d9"]}
    assert cast(dino, effect("revive", max_cost=3), first=seat).legal == ["target d0", "target d3"]
    assert cast(dino, effect("revive", max_cost=0), first=seat).legal == ["target d0"]
    assert cast(dino, effect("revive", max_cost=3), first={"stratum": ["d4"]}).decision == "main"
    m = cast(dino, effect("revive"), effect("damage"), first={**seat, "field": ["d1 1 rested"] * 5})
    assert (m.decision, lives(m)) == ("main", [20, 19])


# ---------------------------------------------------------------------------------------------------- D7, its clauses


def test_d7_1_the_controller_chooses(dino):
    m = cast(dino, effect("destroy"), cards=[BAIT], first={"field": ["d3 1 awake"]}, second={"field": ["bait 1 awake"]})
    m.act("target enemy 0")
    assert asked(m) == (1, "target", ["target enemy 0"])
    m.act("target enemy 0")
    assert field(m) == ["d3 1 rested"]
    m = counter(dino, effect("rest"))
    assert asked(m) == (1, "target", ["target enemy 0", "target enemy 1"])


def test_d7_1_there_is_no_attacker_in_the_own_pp_phase(dino):
    x = spell("x", effect("destroy", target="attacker"))
    m = dino(x, first={"hand": ["x"], "field": ["d3 1 awake"]}, second={"hand": ["x"], "field": ["d4 1 awake"]})
    m.act("cast x")
    m.act("attack")
    m.act("attack 0 > life")
    m.act("pass")
    m.act("cast x")  # in the next turn
    assert (m.turn, field(m), field(m, 1)) == (6, ["d3 1 rested"], ["d4 1 awake"])


def test_d7_1_the_attacker_is_that_of_this_attack_if_it_has_not_left(dino):
    m = counter(dino, effect("level", target="attacker"), second={"hand": ["x"]})
    m.act("pass")
    m.act("attack 1 > life")
    m.act("cast x")
    assert field(m) == ["d3 2 rested", "d0 2 rested"]
    m = counter(dino, effect("bounce", target="attacker"), effect("level", target="attacker"))
    assert (field(m), hand(m)) == (["-", "d0 1 awake"], ["d3"])


def test_d7_2_fight_and_direct_are_never_below_0(dino):
    m = strike(dino, word="d3 1 awake fight-9 direct-9")
    assert lives(m) == [20, 20]
    m = strike(dino, word="d3 1 awake fight-9", at="0", second={"field": ["d0 1 rested"]})
    assert (field(m), field(m, 1)) == (["-", "d0 1 awake"], [])  # 0 against 0
    m = cast(dino, effect("destroy", max_fight=0), second={"field": ["d3 1 awake fight-9"]})
    assert m.legal == ["target enemy 0"]


@pytest.mark.parametrize(
    ("order", "questions"), [(["bait", "digger"], ["rest", "recover"]), (["digger", "bait"], ["recover", "rest"])]
)
def test_d7_3_those_that_die_together_in_slot_order(dino, order, questions):
    m = cast(
        dino, effect("destroy", target="all_enemy"), cards=[BAIT, DIGGER], first={"field": ["d3 1 awake"]},
        second={"field": [f"{order[0]} 1 awake", "-", f"{order[1]} 1 awake"]},
    )  # fmt: skip
    legal = {"rest": ["target enemy 0"], "recover": ["target bait", "target digger"]}
    for question in questions:
        assert asked(m) == (1, "target", legal[question])
        m.act(0)
    assert m.decision == "main"


@pytest.mark.parametrize("active", [0, 1])
def test_d7_3_the_turn_players_first(dino, active):
    mine, theirs = {"field": ["d3 1 awake", "bait 1 awake"]}, {"field": ["bait 1 rested", "d3 1 awake"]}
    seats = (mine, theirs) if active == 0 else (theirs, mine)
    m = dino(BAIT, first=seats[0], second=seats[1], phase="attack", turn=5 + active, active=active)
    m.act("attack 1 > 0")
    assert asked(m) == (active, "target", ["target enemy 1"])
    m.act("target enemy 1")
    assert asked(m) == (1 - active, "target", ["target enemy 0"])


def test_d7_4_skills_override_the_basic_rules(dino):
    swift = dino_card("swift", keywords=["haste", "hunt"])
    m = dino(swift, first={"field": ["swift 1 awake new"]}, second={"field": ["d1 1 awake"]}, phase="attack")
    assert m.legal == ["attack 0 > 0", "attack 0 > life", "end"]
    calm = dino_card("calm", keywords=["no_attack", "haste"])
    assert dino(calm, first={"field": ["calm 1 awake new"]}, phase="attack").turn == 6


def test_d7_5_what_it_touches_is_fixed_before_it_changes_anything(dino):
    lord = dino_card("lord", aura("fight", n=2))
    m = cast(
        dino, effect("destroy", target="all_enemy", max_fight=4), cards=[lord],
        second={"field": ["lord 1 awake", "d3 1 awake", "d2 1 awake"]},
    )  # fmt: skip
    assert field(m, 1) == ["-", "d3 1 awake"]  # 3 + 2 when it began


def test_d7_5_all_of_it_changes_at_once(dino):
    m = cast(
        dino,
        effect("destroy", target="all_enemy"),
        cards=[BAIT],
        first={"field": ["d3 1 awake"]},
        second={"field": ["bait 1 awake"] * 3},
    )
    assert asked(m) == (1, "target", ["target enemy 0"])
    assert (field(m, 1), stratum(m, 1)) == ([], ["bait"] * 3)


def test_d7_6_first_in_first_out(dino):
    m = summon(
        dino,
        on_summon("destroy"),
        on_summon("damage"),
        cards=[BAIT],
        first={"field": ["d3 1 awake"]},
        second={"field": ["bait 1 awake"]},
    )
    m.act("target enemy 0")
    assert m.decider == 1  # bait's ability, after all of x
    assert lives(m) == [20, 19]


def test_d7_6_what_is_triggered_waits_behind_what_waited_before(dino):
    avenger = dino_card("avenger", on_death("destroy"))
    m = cast(
        dino, effect("destroy", target="all_enemy"), cards=[BAIT, DIGGER, avenger],
        first={"field": ["digger 1 awake", "d3 1 awake"]}, second={"field": ["avenger 1 awake", "bait 1 awake"]},
    )  # fmt: skip
    m.act("target enemy 0")  # avenger destroys digger
    assert asked(m) == (1, "target", ["target enemy 1"])  # bait has waited longer
    m.act("target enemy 1")
    assert asked(m) == (0, "target", ["target digger"])


def test_d7_6_a_revived_dinos_ability_waits_for_the_rest_of_the_spell(dino):
    scout = dino_card("scout", on_summon("rest"))
    seats = {"first": {"stratum": ["scout"]}, "second": {"field": ["d3 1 awake"]}}
    m = cast(dino, effect("revive"), effect("damage"), cards=[scout], **seats)
    m.act("target scout")
    assert asked(m) == (0, "target", ["target enemy 0"])
    assert (lives(m), stratum(m), field(m)) == ([20, 19], ["x"], ["scout 1 awake new"])


def test_d7_6_the_queue_is_worked_off_before_the_next_step(dino):
    m = strike(
        dino, on_attack("destroy"), cards=[BAIT], first={"field": ["x 1 awake", "d0 1 awake"]},
        second={"field": ["bait 1 awake"], "hand": ["s1"]},
    )  # fmt: skip
    m.act("target enemy 0")
    assert asked(m) == (1, "target", ["target enemy 0", "target enemy 1"])
    m.act("target enemy 1")
    assert m.decision == "counter"


def test_d7_7_an_ability_happens_even_if_its_dino_has_left(dino):
    m = summon(dino, on_summon("bounce", target="own"), on_summon("damage"), on_summon("level", target="this"))
    m.act("target own 0")
    assert (field(m), hand(m), lives(m), m.decision) == ([], ["x"], [20, 19], "main")


def test_d7_7_this_touches_nothing_if_the_same_card_is_back(dino):
    m = strike(dino, on_attack("destroy", target="own"), on_attack("revive"), on_attack("level", target="this"))
    m.act("target own 0")
    m.act("target x")
    assert field(m) == ["x 1 awake new", "d0 1 awake"]
    assert lives(m) == [20, 20]  # nor is it the attacker any more


def test_d7_7_the_controller_is_the_owner(dino):
    heir = dino_card(
        "heir",
        on_death("damage"),
        on_death("draw"),
        on_death("level", target="own"),
        on_death("rest", target="all_enemy"),
    )
    m = cast(
        dino,
        effect("destroy"),
        cards=[heir],
        first={"field": ["d3 1 awake"]},
        second={"field": ["heir 1 awake", "d4 1 awake"]},
    )
    m.act("target enemy 0")
    assert (lives(m), hand(m, 0), hand(m, 1)) == ([19, 20], [], ["d1"])
    assert asked(m) == (1, "target", ["target own 1"])
    m.act("target own 1")
    assert (field(m), field(m, 1)) == (["d3 1 rested"], ["-", "d4 2 awake"])


def test_d7_8_own_may_be_the_dino_itself(dino):
    m = summon(dino, on_summon("rest", target="own"))
    assert m.legal == ["target own 0"]
    m.act("target own 0")
    assert field(m) == ["x 1 rested new"]


@pytest.mark.parametrize(
    ("do", "keys"),
    [
        ("rest", {}), ("awaken", {}), ("freeze", {}), ("level", {}), ("level", {"n": -1}), ("level_to", {"n": 3}),
        ("bounce", {}),
        ("fight", {"n": -1}), ("direct", {"n": -1}), ("destroy", {}),
    ],
)  # fmt: skip
def test_d7_8_every_dino_of_that_side_may_be_chosen(dino, do, keys):
    m = cast(
        dino,
        effect(do, target="enemy", **keys),
        second={"field": ["d0 1 awake", "d0 1 rested frozen", "d3 3 rested fight-9"]},
    )
    assert m.legal == ["target enemy 0", "target enemy 1", "target enemy 2"]


@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize(("do", "keys"), [("rest", {}), ("destroy", {"max_fight": 3}), ("recover", {}), ("revive", {})])
def test_d7_8_without_a_legal_target_nothing_is_asked(dino, do, keys, optional):
    second = {"field": ["d9 1 awake"], "stratum": ["d3"]} if do != "rest" else {}
    m = cast(
        dino, effect(do, optional=optional, **keys), effect("damage"), first={"field": ["d3 1 awake"]}, second=second
    )
    assert (m.decision, lives(m)) == ("main", [20, 19])


@pytest.mark.parametrize("optional", [False, True])
def test_d7_8_one_legal_target_is_still_asked(dino, optional):
    passes = ["pass"] if optional else []
    m = cast(dino, effect("rest", optional=optional), second={"field": ["-", "d3 1 awake"]})
    assert m.legal == ["target enemy 1", *passes]
    for do in ("recover", "revive"):
        m = cast(dino, effect(do, optional=optional), first={"stratum": ["d3"]})
        assert m.legal == ["target d3", *passes]


def test_d7_8_a_pass_declines_this_ability_only(dino):
    m = cast(dino, effect("destroy", optional=True), effect("damage"), second={"field": ["d3 1 awake"]})
    m.act("pass")
    assert (field(m, 1), lives(m), stratum(m)) == (["d3 1 awake"], [20, 19], ["x"])


def test_d7_9_auras_add_up_and_the_sum_is_cut_at_the_end(dino):
    lord = dino_card("lord", aura("fight", n=2), aura("direct", n=3))
    seat = {"field": ["d3 1 awake fight-5 direct-5", "lord 1 awake", "lord 1 awake"]}
    m = dino(lord, first=seat, second={"field": ["d2 1 rested"]}, phase="attack")
    m.act("attack 0 > 0")
    assert (field(m), field(m, 1)) == (["-", "lord 1 awake", "lord 1 awake"], [])  # 3 - 5 + 2 + 2 against 2
    m = dino(lord, first=seat, phase="attack")
    m.act("attack 0 > life")
    assert lives(m) == [20, 18]  # 1 - 5 + 3 + 3


@pytest.mark.parametrize("active", [0, 1])
def test_d7_9_changes_and_granted_keywords_end_with_the_turn_whoevers_it_is(dino, active):
    m = dino(
        first={"field": ["d3 1 rested fight+2 direct-1 +block"]},
        second={"field": ["d3 1 rested fight-1 direct+3 +hunt +mutual"]},
        turn=5 + active, active=active,
    )  # fmt: skip
    m.act("attack")
    assert (field(m, active), field(m, 1 - active)) == (["d3 1 rested"], ["d3 1 awake"])


def test_d7_9_the_cost_of_a_spell(dino):
    cheap, dear = dino_card("cheap", aura("cost", n=-3)), dino_card("dear", aura("cost", n=2))
    seat = {"pp": "0/9", "hand": ["s0", "s1", "s2", "d1"], "field": ["cheap 1 rested", "dear 1 rested"]}
    assert dino(cheap, dear, first=seat).legal == ["cast s0", "cast s1", "attack"]  # max(0, -1), 0, 1
    m = dino(cheap, first={"pp": "3/9", "hand": ["s2"], "field": ["cheap 1 rested"]})
    m.act("cast s2")
    assert pp(m) == "3/9"
    m = dino(dear, first={"pp": "5/9", "hand": ["s1"], "field": ["dear 1 rested"] * 2})
    m.act("cast s1")
    assert pp(m) == "0/9"


def test_d7_10_one_chance_step_with_the_cards_in_the_order_drawn(dino):
    m = cast(dino, effect("discard", n=2), second={"hand": ["d7", "d8", "d9"]})
    step = {"chance": "discard", "player": 1, "cards": ["d9", "d7"]}
    assert m.let_happen(step) == step
    assert not m.waits_for_chance
    assert (hand(m, 1), stratum(m, 1)) == (["d8"], ["d7", "d9"])


@pytest.mark.parametrize("cards", [["d7"], ["d7", "d7"], ["d7", "d3"], ["d7", "d8", "d9"], []])
def test_d7_10_other_cards_are_impossible(dino, cards):
    m = cast(dino, effect("discard", n=2), second={"hand": ["d7", "d8", "d9"]})
    with pytest.raises(InputError):
        m.let_happen({"chance": "discard", "player": 1, "cards": cards})


def test_d7_10_a_smaller_hand_goes_whole_and_an_empty_hand_is_no_step(dino):
    m = cast(dino, effect("discard", n=3), second={"hand": ["d7", "d8"]})
    assert m.waits_for_chance
    assert sorted(m.let_happen()["cards"]) == ["d7", "d8"]
    assert (hand(m, 1), stratum(m, 1)) == ([], ["d7", "d8"])
    m = cast(dino, effect("discard", n=3), effect("damage"))
    assert not m.waits_for_chance
    assert (m.decision, lives(m)) == ("main", [20, 19])


def test_d7_10_every_hand_card_is_equally_likely(dino):
    m = cast(dino, effect("discard", n=2), second={"hand": ["d7", "d7", "d7", "d9"]})
    first = second = 0
    for _ in range(400):
        m.game.sample_chance(m.state, m.table)
        cards = m.game.words.chance(m.state, m.table, m.setup.ids)["cards"]
        first += cards[0] == "d9"
        second += cards[1] == "d9"
    assert 60 < first < 140  # 100 expected, 4.6 standard deviations
    assert 60 < second < 140


ON_DINOS = [
    on_summon("draw"), on_summon("draw", n=9999), on_summon("draw", n=1, target="opponent", text="よぶ"),
    on_win("awaken", target="this"), on_attack("freeze", target="this"), on_death("damage", target="self"),
    on_death("heal", target="opponent"), on_death("discard", target="self"), on_summon("pp_max", n=-9999),
    on_summon("pp_max", n=9999, target="opponent"), on_summon("pp", n=3, target="self"), on_summon("level", n=-2),
    on_summon("level", n=9999, target="all_own"), on_summon("level_to"), on_summon("level_to", n=3, target="all_enemy"),
    on_summon("rest", optional=True), on_summon("awaken", target="own", optional=True),
    on_death("destroy", max_fight=0), on_death("destroy", max_fight=9999, optional=True),
    on_attack("bounce", target="own"), on_summon("fight", n=-3, target="enemy"), on_summon("fight", target="this"),
    on_summon("direct", target="all_own"), on_summon("direct", n=-9999, target="all_enemy"),
    on_summon("fight", n=9999, optional=True), on_summon("grant", keyword="haste", target="this"),
    on_summon("grant", keyword="no_attack", optional=True), on_summon("recover"), on_summon("recover", optional=True),
    on_death("revive", max_cost=0), on_death("revive", max_cost=9999, optional=True), aura("cost"),
    aura("cost", n=-9999, target="self"), aura("cost", n=9999, target="opponent"), aura("fight"),
    aura("fight", n=-2, target="this"), aura("direct", target="other_own"), aura("direct", n=-1, target="this"),
]  # fmt: skip
NOT_ON_DINOS = [
    aura("draw"), aura("rest"), aura("grant", keyword="block"), aura("level"), aura("pp_max"), on_summon("cost"),
    on_win("cost", n=-1),
    aura("fight", target="own"), aura("fight", target="enemy"), aura("direct", target="all_own"),
    aura("direct", target="all_enemy"),
    on_summon("fight", target="other_own"), on_death("direct", target="other_own"), effect("draw"),
    on_attack("rest", target="attacker"), on_summon("fight", target="attacker"), on_death("level", target="this"),
    on_death("fight", target="this"), on_death("grant", keyword="block", target="this"),
    on_summon("draw", optional=True), on_summon("damage", optional=True),
    on_summon("rest", target="all_enemy", optional=True),
    on_summon("fight", target="all_own", optional=True), on_summon("rest", target="this", optional=True),
    aura("fight", optional=True),
    aura("cost", optional=True), on_summon("discard", optional=True),
    *(on_summon(do, n=2) for do in ("rest", "awaken", "freeze", "destroy", "bounce", "recover", "revive")),
    on_summon("grant", keyword="block", n=2),
    *(on_summon(do, n=0) for do in ("draw", "damage", "pp_max", "level", "fight", "direct")),
    *(on_summon(do, n=-1) for do in ("draw", "damage", "heal", "discard", "pp")),
    *(on_summon("level_to", n=n) for n in (-1, 0, 4)),
    *(on_summon(do, n=10000) for do in ("draw", "damage", "heal", "discard", "pp", "pp_max", "level", "fight",
    "direct")),
    *(on_summon(do, n=-10000) for do in ("pp_max", "level", "fight", "direct")), aura("cost", n=0),
    aura("cost", n=10000),
    aura("cost", n=-10000), aura("fight", n=0), on_summon("draw", n=1.5), on_summon("draw", n=True),
    on_summon("draw", n="2"),
    *(on_summon(do, max_fight=3) for do in ("rest", "bounce", "damage", "level", "revive")),
    on_summon("destroy", max_fight=-1),
    on_summon("destroy", max_fight=10000), *(on_summon(do, max_cost=3) for do in ("recover", "destroy", "draw")),
    on_summon("revive", max_cost=-1), on_summon("revive", max_cost=10000),
    *(on_summon(do, keyword="block") for do in ("rest", "fight")),
    on_summon("grant"), on_summon("grant", keyword="flying"), on_summon("grant", keyword=""),
    *(on_summon(do, target="own") for do in ("damage", "heal", "draw", "discard", "pp_max", "pp", "recover", "revive")),
    *(on_summon(do, target="self") for do in ("level", "rest", "destroy", "fight", "grant", "recover", "revive")),
    on_summon("pp", target="opponent"),
    *(on_summon("grant", keyword="block", target=to) for to in ("enemy", "all_own", "all_enemy")),
    *(on_summon(do, target="other_own") for do in ("level", "rest", "destroy", "bounce", "grant")),
    aura("cost", target="own"),
    on_summon("rest", target="everyone"), on_summon("win"), {"when": "often", "do": "draw"}, {"do": "draw"},
    {"when": "on_summon"},
    on_summon("draw", max_power=3), on_summon("draw", role="x"),
]  # fmt: skip


@pytest.mark.parametrize("ability", ON_DINOS, ids=str)
def test_d7_11_what_a_dino_card_allows(ability):
    assert read_cards(dino_card("x", ability)).ids == ["x"]


@pytest.mark.parametrize("ability", NOT_ON_DINOS, ids=str)
def test_d7_11_what_a_dino_card_does_not_allow(ability):
    with pytest.raises(InputError, match="card 'x'"):
        read_cards(dino_card("x", ability))


ON_SPELLS = [
    effect("destroy", target="attacker", max_fight=7), effect("level", n=-1, target="attacker"),
    effect("level_to", n=2, target="attacker"), effect("rest", target="attacker"), effect("awaken", target="attacker"),
    effect("freeze", target="attacker"), effect("bounce", target="attacker"), effect("fight", n=-2, target="attacker"),
    effect("direct", n=-2, target="attacker"), effect("fight", target="all_own"), effect("grant", keyword="mutual"),
    effect("recover", optional=True), effect("revive", max_cost=5), effect("pp_max", n=-1), effect("draw", n=2),
    effect("rest", optional=True),
]  # fmt: skip
NOT_ON_SPELLS = [
    *(effect(do, target="this") for do in ("level", "rest", "awaken", "freeze", "destroy", "bounce", "fight",
    "direct")),
    effect("grant", keyword="block", target="this"), effect("grant", keyword="block", target="attacker"),
    effect("fight", target="other_own"),
    effect("rest", target="attacker", optional=True), effect("draw", target="attacker"), effect("cost"),
    effect("cost", n=-1),
    aura("cost"), aura("fight"), on_summon("draw"), on_attack("draw"), on_win("draw"), on_death("draw"), {"do": "draw"},
]  # fmt: skip


@pytest.mark.parametrize("ability", ON_SPELLS, ids=str)
def test_d7_11_what_a_spell_allows(ability):
    assert read_cards(spell("x", ability)).ids == ["x"]


@pytest.mark.parametrize("ability", NOT_ON_SPELLS, ids=str)
def test_d7_11_what_a_spell_does_not_allow(ability):
    for abilities in ([ability], [effect("draw"), ability]):
        with pytest.raises(InputError, match="card 'x'"):
            read_cards(spell("x", *abilities))


# ---------------------------------------------------------------------------------------------------------------- D8


@pytest.mark.parametrize(("n", "life"), [(3, 0), (5, -2)])
def test_d8_1_a_player_whose_life_is_0_or_less_has_lost(dino, n, life):
    m = cast(dino, effect("damage", n=n), second={"life": 3})
    assert (m.result, lives(m)) == ({"winner": 0, "reason": "life", "turns": 5}, [20, life])
    m = cast(dino, effect("damage", n=n, target="self"), first={"life": 3})
    assert (m.result, lives(m)) == ({"winner": 1, "reason": "life", "turns": 5}, [life, 20])
    m = strike(dino, word=f"d3 1 awake direct+{n - 1}", second={"life": 3})
    assert (m.result, lives(m)) == ({"winner": 0, "reason": "life", "turns": 5}, [20, life])
    assert not cast(dino, effect("damage", n=2), second={"life": 3}).is_over


@pytest.mark.parametrize(("n", "over"), [(1, False), (2, True), (3, True)])
def test_d8_2_the_last_card_drawn_loses(dino, n, over):
    seats = {"first": {"deck": ["d1", "d2"]}, "second": {"deck": ["d1", "d2"]}}
    for target, winner in (("self", 1), ("opponent", 0)):
        m = cast(dino, effect("draw", n=n, target=target), **seats)
        assert m.is_over == over
        if over:
            assert m.result == {"winner": winner, "reason": "deck", "turns": 5}


def test_d8_2_in_the_reset_phase_too(dino):
    m = pass_to(dino(second={"deck": ["d1", "d2"]}), 7)
    assert not m.is_over
    assert pass_to(m, 9).result == {"winner": 0, "reason": "deck", "turns": 8}


@pytest.mark.parametrize(
    ("order", "reason", "winner"), [(("damage", "draw"), "life", 0), (("draw", "damage"), "deck", 1)]
)
def test_d8_3_life_and_deck_are_looked_at_after_every_change(dino, order, reason, winner):
    m = cast(dino, *(effect(do) for do in order), first={"deck": ["d1"]}, second={"life": 1})
    assert m.result == {"winner": winner, "reason": reason, "turns": 5}


@pytest.mark.parametrize(("max_turns", "turns"), [(5, 5), (6, 6), (8, 8)])
def test_d8_4_the_game_stops_when_the_last_turn_has_ended(dino, max_turns, turns):
    m = pass_to(dino(first={"field": ["d1 1 awake"]}, max_turns=max_turns), turns)
    assert not m.is_over
    m.act("attack")
    if not m.is_over:
        m.act("end")
    assert m.result == {"winner": None, "reason": "turn_limit", "turns": turns}


def test_d8_4_with_40_cards_deck_comes_first(new_game):
    m = pass_to(new_game(first={"d9": 40}, second={"d9": 40}, mulligan=False), 999)
    assert m.result == {"winner": 0, "reason": "deck", "turns": 72}


@pytest.mark.parametrize(("limit", "over"), [(3, True), (4, False)])
def test_d8_5_a_turn_that_would_need_one_decision_more(dino, limit, over):
    m = dino(first={"field": ["d1 1 awake"] * 3}, max_decisions=limit)
    m.act("attack")
    m.act("attack 0 > life")
    m.act("attack 1 > life")
    if over:
        assert m.result == {"winner": None, "reason": "turn_limit", "turns": 5}
        assert lives(m) == [20, 18]
    else:
        m.act("attack 2 > life")
        assert (m.is_over, m.turn) == (False, 6)  # `end` alone is not asked, and the next turn counts anew
        m.act("attack")
        assert (m.is_over, m.turn) == (False, 7)


@pytest.mark.parametrize(("limit", "over"), [(2, True), (3, False)])
def test_d8_5_both_players_decisions_are_counted(dino, limit, over):
    m = dino(first={"field": ["d1 1 awake"]}, second={"hand": ["s1"]}, max_decisions=limit)
    m.act("attack")
    m.act("attack 0 > life")
    assert m.is_over == over
    if not over:
        m.act("pass")
        assert (m.is_over, m.turn, lives(m)) == (False, 6, [20, 19])


def test_d8_5_those_of_the_setup_are_not(new_game):
    m = new_game(first={"d9": 9}, second={"d9": 9}, max_decisions=1)
    m.act("keep")
    m.act("keep")
    assert (m.is_over, m.decision, m.turn) == (False, "main", 1)
    m.act("attack")
    assert (m.is_over, m.turn) == (False, 2)


def test_d8_5_a_turn_without_end(dino):
    x = dino_card("x", on_attack("awaken", target="this"), direct=(0, 0, 0))
    m = dino(x, first={"field": ["x 1 awake"]})
    m.act("attack")
    decisions = 1
    while not m.is_over:
        m.act("attack 0 > life")
        decisions += 1
    assert (decisions, m.result) == (500, {"winner": None, "reason": "turn_limit", "turns": 5})


def test_d8_6_waiting_abilities_and_the_spell_in_use(dino):
    m = cast(dino, effect("draw", n=3), effect("damage"), first={"deck": ["d2", "d3"]})
    assert (m.is_over, m.legal) == (True, [])
    assert (hand(m), lives(m), m.position[0]["use"], stratum(m)) == (["d2", "d3"], [20, 20], "x", [])


def test_d8_6_the_rest_of_an_attack(dino):
    m = strike(dino, on_attack("damage", n=3), on_attack("draw"), second={"life": 3, "hand": ["s0"]})
    assert m.result == {"winner": 0, "reason": "life", "turns": 5}
    assert (lives(m), hand(m), field(m)) == ([20, 0], [], ["x 1 rested", "d0 1 awake"])
    m = counter(dino, effect("damage", n=3), first={"life": 3}, second={"hand": ["s1"]})
    assert m.result == {"winner": 1, "reason": "life", "turns": 5}
    assert (lives(m), m.position[1]["use"]) == ([0, 20], "x")


# ---------------------------------------------------------------------------------------------------------------- D9


def test_d9_1_the_order_in_the_main_phase(dino):
    m = dino(
        spell("y", effect("draw")), dino_card("x"), phase="main",
        first={"hand": ["x", "y", "s1", "d2", "s0", "d1", "d2", "x"],
        "field": ["d2 1 awake", "x 1 awake", "d2 1 awake"]},
    )  # fmt: skip
    assert asked(m) == (
        0, "main",
        ["summon d1", "summon d2", "summon x", "cast s0", "cast s1", "cast y", "level 0", "level 1", "level 2",
        "attack"],
    )  # fmt: skip


def test_d9_1_the_order_in_the_attack_phase(dino):
    m = dino(
        HUNTER, first={"hand": ["hunter", "d1"], "field": ["hunter 1 awake", "-", "hunter 1 awake", "d1 1 rested"]},
        second={"field": ["d1 1 awake", "-", "d1 1 awake", "-", "d2 1 rested"]}, phase="attack",
    )  # fmt: skip
    assert m.legal == [
        "attack 0 > 0", "attack 0 > 2", "attack 0 > 4", "attack 2 > 0", "attack 2 > 2", "attack 2 > 4",
        "attack 0 > life", "attack 2 > life", "level 0", "level 2", "end",
    ]  # fmt: skip


def test_d9_1_the_orders_of_counter_block_and_target(dino):
    m = strike(dino, second={"hand": ["s2", "s0", "s1", "s2"], "field": ["d1 1 awake +block", "d1 1 awake +block"]})
    assert m.legal == ["cast s0", "cast s1", "cast s2", "pass"]
    m.act("pass")
    assert m.legal == ["block 0", "block 1", "pass"]
    m = cast(dino, effect("rest", optional=True), second={"field": ["d1 1 awake", "-", "d1 1 awake"]})
    assert m.legal == ["target enemy 0", "target enemy 2", "pass"]
    m = cast(dino, effect("revive", optional=True), first={"stratum": ["d9", "d1", "d5", "d1"]})
    assert m.legal == ["target d1", "target d5", "target d9", "pass"]


def test_d9_1_slots_keep_their_number(dino):
    m = dino(
        first={"field": ["d1 1 awake", "d2 1 awake", "d3 1 awake"]}, second={"field": ["d9 1 rested"]}, phase="attack"
    )
    m.act("attack 0 > 0")
    assert field(m) == ["-", "d2 1 awake", "d3 1 awake"]
    assert m.legal == ["attack 1 > 0", "attack 2 > 0", "attack 1 > life", "attack 2 > life", "end"]


@pytest.mark.parametrize(
    ("cards", "legal"),
    [
        (["d2", "d1"], ["keep", "return d1", "return d2", "return d1,d2"]),
        (["d1", "d1"], ["keep", "return d1", "return d1,d1"]),
        (["d2", "d1", "d1"], ["keep", "return d1", "return d2", "return d1,d1", "return d1,d2", "return d1,d1,d2"]),
        (
            ["s1", "d2", "d1"],
            [
                "keep", "return d1", "return d2", "return s1", "return d1,d2", "return d1,s1", "return d2,s1",
                "return d1,d2,s1",
            ],
        ),
    ],
)  # fmt: skip
def test_d9_2_sets_by_size_then_in_id_order(new_game, cards, legal):
    pile = [*cards, "d9", "d9", "d9"]
    m = new_game(
        first=dict(Counter(pile)), second={"d9": len(pile)}, piles=[pile, ["d9"] * len(pile)], opening_hand=len(cards)
    )
    assert m.legal == legal


def test_d9_3_main_is_asked_though_attack_is_the_only_action_but_not_end(dino):
    m = dino(first={"field": ["d1 1 awake"]})
    assert asked(m) == (0, "main", ["attack"])
    m.act("attack")
    m.act("attack 0 > life")
    assert asked(m) == (1, "main", ["summon d1", "attack"])
    m.act("attack")
    assert (m.turn, asked(m)) == (7, (0, "main", ["summon d1", "level 0", "attack"]))


# --------------------------------------------------------------------------------------------------------------- D10


def test_d10_1_piles_are_the_whole_decks_before_the_opening_draw(new_game):
    m = new_game(first=FIVE, second=FIVE, piles=PILES)
    m.act("return d1,d2")
    m.let_happen()
    assert m.piles == PILES
    m = new_game(first={"d1": 7, "s1": 4}, second={"d2": 11})
    assert [Counter(pile) for pile in m.piles] == [{"d1": 7, "s1": 4}, {"d2": 11}]


def test_d10_1_rules_holds_every_option():
    assert DinoRules().model_dump() == {
        "deck_size": 40, "copies": 3, "life": 20, "opening_hand": 2, "mulligan": True, "pp_cap": 15,
        "second_first_pp": 2, "second_first_draw": 3, "first_first_draw": 1, "counter_spells": True, "life_cap": True,
        "max_turns": 200, "max_decisions": 500,
    }  # fmt: skip


def recorded(new_game):
    cards = [
        spell("mob", effect("discard", n=2), cost=0),
        dino_card("x", on_attack("discard", target="self"), keywords=["haste"]),
    ]
    m = new_game(*cards, first={"mob": 10, "x": 20}, second={"mob": 5, "x": 15, "d1": 10}, max_turns=12)
    choose = load_strategy(load_game("dino"), "random").choose
    return replay.record(m, [choose, choose], states=True)


def test_d10_1_turns_in_a_replay(new_game):
    game = recorded(new_game)
    assert {step["turn"] for step in game["steps"] if step.get("decision") == "mulligan"} == {0}
    assert all(step["turn"] >= 1 for step in game["steps"] if "decision" in step and step["decision"] != "mulligan")
    assert all("turn" not in step for step in game["steps"] if "chance" in step)
    assert game["result"]["turns"] == max(step.get("turn", 0) for step in game["steps"])
    assert set(game["rules"]) == set(DinoRules.model_fields)


def test_d10_2_states_in_words(dino):
    slots = [
        "d4 2 rested new frozen fight+2 direct-1 +haste +block +no_attack",
        "-",
        "d3 1 awake direct+3",
        "-",
        "guard 3 rested +hunt",
    ]
    m = dino(
        GUARD, first={
            "life": 12, "pp": "3/5", "deck": ["d1"] * 7, "hand": ["s1", "d2", "guard", "d2"], "field": slots,
            "stratum": ["s2", "d5", "guard", "d1"],
        },
    )  # fmt: skip
    assert m.position[0] == {
        "life": 12, "pp": "3/5", "deck": 7, "hand": ["d2", "d2", "s1", "guard"], "field": slots, "use": "-",
        "stratum": ["d1", "d5", "s2", "guard"],
    }  # fmt: skip
    assert m.position[1] == {
        "life": 20,
        "pp": "9/9",
        "deck": 30,
        "hand": [],
        "field": ["-"] * 5,
        "use": "-",
        "stratum": [],
    }


def test_d10_2_marks_of_a_slot(dino):
    grants = [effect("grant", keyword=keyword) for keyword in ("no_attack", "hunt", "block", "mutual", "haste")]
    m = cast(
        dino, *grants, effect("fight", n=2), effect("fight", n=-2), cards=[GUARD], first={"field": ["guard 1 awake"]}
    )
    while m.decision == "target":
        m.act("target own 0")
    assert field(m) == [
        "guard 1 awake +haste +mutual +hunt +no_attack"
    ]  # in D7's order, not its own block, not a sum of 0
    lord = dino_card("lord", aura("fight", n=2), aura("direct", target="this"))
    assert field(dino(lord, first={"field": ["lord 1 awake", "d3 1 awake"]})) == [
        "lord 1 awake",
        "d3 1 awake",
    ]  # no auras
    m = strike(dino, keywords=["haste"], word="x 1 awake new")
    assert field(m)[0] == "x 1 rested new"


def test_d10_3_a_state_is_how_things_stand_at_the_next_decision(new_game):
    game = recorded(new_game)
    steps, states = game["steps"], game["states"]
    chances = ["chance" in step for step in steps]
    assert any(chances)
    assert [state is None for state in states] == [*chances[1:], False]
    turns = [step.get("turn", 0) for step in steps]
    for i in (i for i in range(1, len(steps)) if turns[i] > max(turns[:i])):
        assert steps[i]["decision"] == "main"
        player = states[i - 1][steps[i]["player"]]  # after the reset phase of the new turn
        assert all("rested" not in slot for slot in player["field"])
        assert len(set(player["pp"].split("/"))) == 1
