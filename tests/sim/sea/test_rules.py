"""The rules of sea, clause by clause; the clauses are those of docs/sea.md."""

from collections import Counter

import numpy as np
import pytest

from sim import Match, Setup, load_deck, load_set
from sim.files.errors import InputError
from sim.files.toml import validate
from sim.kernels.streams import side_keys
from sim.library import load_game
from sim.sea.cards import SeaDeck, SeaRules, SeaSet, check_deck
from strategies import load_strategy


def card(id, power=1, *ability, keywords=()):
    return {
        "id": id,
        "name": id.upper(),
        "en": id,
        "power": power,
        "keywords": list(keywords),
        "ability": list(ability),
    }


def active(do, **keys):
    return {"when": "active", "do": do, **keys}


def skill(do, **keys):
    return {"when": "skill", "do": do, **keys}


def trap(do, **keys):
    return {"when": "trap", "do": do, **keys}


GUARD = card("guard", 2, keywords=["guard"])
TURTLE = card("turtle", 3, keywords=["guard", "compel"])
SPEAR = card("spear", 2, keywords=["pierce"])
LIFE = ["p1"] * 4


def zones(match, seat):
    return match.position[seat]


def total(match, seat):
    return Counter(entry.split()[0] for zone in zones(match, seat).values() for entry in zone)


# ---------------------------------------------------------------------------------------------------------------- S1


def test_s1_1_zones_have_no_maximum(sea):
    m = sea(
        first={"life": LIFE, "hand": ["p1"] * 12, "friends": ["p1"] * 27, "sea": ["p1 upright"] * 17},
        second={"life": ["p1"]},
    )
    assert len(zones(m, 0)["hand"]) == 12
    assert len(zones(m, 0)["sea"]) == 17
    assert m.legal == ["attack 0 > life", "end"]


def test_s1_2_power_is_cost_and_strength(sea):
    m = sea(first={"hand": ["p3", "p4"], "friends": ["p1"] * 3}, step="deploy")
    assert m.legal == ["deploy p3", "end"]
    m = sea(first={"sea": ["p3 upright"]}, second={"sea": ["p4 rested"], "life": LIFE})
    m.act("attack 0 > 0")
    assert zones(m, 0)["friends"] == ["p3"]
    assert zones(m, 1)["sea"] == ["p4 upright"]


@pytest.mark.parametrize(
    ("cards", "options", "wrong"),
    [
        ({"p1": 3, "p2": 3}, {"deck_size": 6}, None),
        ({"p1": 3, "p2": 2}, {"deck_size": 6}, "found 5 cards, expected exactly 6"),
        ({"p1": 4, "p2": 2}, {"deck_size": 6}, "found 4 cards of the name 'P1', expected at most 3"),
        ({"p1": 4, "p2": 2}, {"deck_size": 6, "copies": 4}, None),
        ({"p1": 2, "twin": 2, "p2": 2}, {"deck_size": 6}, "found 4 cards of the name 'P1'"),
        ({"p1": 2, "nobody": 4}, {"deck_size": 6, "copies": 4}, "unknown card 'nobody'"),
    ],
)
def test_s1_3_deck_construction(cards, options, wrong):
    twin = {**card("twin"), "name": "P1"}
    card_set = validate({"game": "sea", "set": "t", "version": 1, "card": [card("p1"), card("p2"), twin]}, SeaSet, "t")
    deck = validate({"game": "sea", "set": "t", "name": "t", "cards": cards}, SeaDeck, "t")
    problems = check_deck(card_set, deck, SeaRules(**options))
    assert problems == [] if wrong is None else any(wrong in problem for problem in problems)


def test_s1_4_places_close_up(sea):
    m = sea(first={"sea": ["p9 upright"]}, second={"sea": ["p1 upright", "p2 rested", "p3 upright"], "life": LIFE})
    m.act("attack 0 > 1")
    assert zones(m, 1)["sea"] == ["p1 upright", "p3 upright"]


def test_s1_5_a_recalled_card_is_seen_and_healed_cards_go_under_life(sea):
    m = sea(
        card("nurse", 1, active("heal", n=2)),
        first={"hand": ["nurse"], "life": ["p9"], "friends": ["p1", "p2", "p3"]},
        step="deploy",
    )
    m.act("deploy nurse")
    assert zones(m, 0)["life"] == ["p9", "p3", "p2"]


def test_s1_6_a_strategy_is_given_what_a_redeal_leaves(sea):
    m = sea(
        first={"hand": ["p1", "p2"], "life": LIFE}, second={"hand": ["p3", "p4"], "life": ["p5"] * 3}, step="support"
    )
    before = m.position
    m.game.words.scramble_hidden(m.state, m.table, 0, np.random.default_rng(1))
    after = m.position
    assert after[0]["hand"] == before[0]["hand"]
    for seat in (0, 1):
        assert {zone: len(cards) for zone, cards in after[seat].items()} == {
            zone: len(cards) for zone, cards in before[seat].items()
        }
    assert sorted(after[1]["hand"] + after[1]["life"]) == sorted(before[1]["hand"] + before[1]["life"])


@pytest.mark.parametrize(
    ("found", "fits"),
    [
        ({"power": 1}, True), ({"power": 99}, True), ({"power": 0}, False), ({"power": 100}, False),
        ({"ability": [active("draw", n=99)]}, True), ({"ability": [active("draw", n=0)]}, False),
        ({"ability": [active("draw", n=100)]}, False),
        ({"ability": [skill("attack_card", n=0)]}, True),
    ],
)  # fmt: skip
def test_s1_7_bounds(found, fits):
    data = {"game": "sea", "set": "t", "version": 1, "card": [{**card("x"), **found}]}
    if fits:
        validate(data, SeaSet, "t")
    else:
        with pytest.raises(InputError, match="expected"):
            validate(data, SeaSet, "t")


@pytest.mark.parametrize("size", [1, 60])
def test_s1_7_decks_of_1_to_60_cards_can_be_played(size):
    game = load_game("sea")
    card_set = load_set(game)
    rules = SeaRules(deck_size=size, copies=60)
    deck = SeaDeck(game="sea", set="starter", name="t", cards={"sardine": size})
    match = Match(Setup(game, card_set, (deck, deck), rules))
    match.deal(side_keys(1, "sea", (("t", "a"), ("t", "b"))))
    choose = load_strategy(game, "random").choose
    while not match.is_over:
        match.act(match.ask(choose))
        assert [total(match, seat)["sardine"] for seat in (0, 1)] == [size, size]


def test_s1_7_more_is_refused():
    for options in ({"deck_size": 61}, {"deck_size": 0}, {"opening_hand": -1}):
        with pytest.raises(InputError, match="expected at"):
            validate(options, SeaRules, "rules")


# ---------------------------------------------------------------------------------------------------------------- S2


@pytest.mark.parametrize(("options", "hand"), [({}, 6), ({"opening_hand": 3}, 3), ({"opening_hand": 60}, 16)])
def test_s2_1_opening_hand(options, hand):
    game = load_game("sea")
    card_set = load_set(game)
    rules = SeaRules(**options)
    decks = tuple(load_deck(game, name, card_set, rules) for name in ("rush", "trap"))
    match = Match(Setup(game, card_set, decks, rules))
    match.deal(side_keys(1, "sea", (("rush", "a"), ("trap", "b"))))
    for seat in (0, 1):
        assert len(zones(match, seat)["hand"]) == hand
        assert zones(match, seat)["life"] == match.piles[seat][hand:]
        assert sorted(match.piles[seat][:hand]) == sorted(zones(match, seat)["hand"])
    assert match.turn == 1


def test_s2_2_seat_0_begins_and_turns_alternate(sea):
    m = sea(first={"life": LIFE, "hand": ["p1"]}, second={"life": LIFE, "hand": ["p1"]}, step="draw", turn=1)
    seen = []
    while m.turn < 5:
        seen.append((m.turn, m.decider))
        m.act("draw" if "draw" in m.legal else 0)
    assert sorted(set(seen)) == [(1, 0), (2, 1), (3, 0), (4, 1)]


# ---------------------------------------------------------------------------------------------------------------- S3


def test_s3_1_own_cards_become_upright_and_marks_end_in_both_seas(sea):
    m = sea(
        first={"life": LIFE, "sea": ["p1 rested", "p2 upright acted readied"]},
        second={"life": LIFE, "sea": ["p3 rested", "p4 upright acted readied"]},
        active=0, act_rests=False, step="draw",
    )  # fmt: skip
    m.act("pass")
    assert m.turn == 3
    assert zones(m, 1)["sea"] == ["p3 upright", "p4 upright"]
    assert zones(m, 0)["sea"] == ["p1 rested", "p2 upright"]


@pytest.mark.parametrize(
    ("life", "options", "legal"),
    [
        (LIFE, {}, ["draw", "pass"]),
        (LIFE, {"draw_optional": False}, ["draw"]),
        ([], {}, ["support p1", "pass"]),
        (LIFE, {"draw_count": 0}, ["support p1", "pass"]),
    ],
)
def test_s3_2_draw(sea, life, options, legal):
    assert sea(first={"life": life, "hand": ["p1"]}, step="draw", **options).legal == legal


@pytest.mark.parametrize(("count", "drawn"), [(1, ["p1"]), (2, ["p1", "p2"]), (5, ["p1", "p2", "p3"])])
def test_s3_2_a_draw_takes_so_many_or_all_that_are_left(sea, count, drawn):
    m = sea(first={"life": ["p1", "p2", "p3"]}, step="draw", draw_count=count)
    m.act("draw")
    assert zones(m, 0)["hand"] == drawn
    assert m.decision == "support"


def test_s3_3_support_takes_one_hand_card(sea):
    m = sea(first={"hand": ["p9", "p1", "p9"], "life": LIFE}, step="support")
    assert m.legal == ["support p1", "support p9", "pass"]
    m.act("support p9")
    assert zones(m, 0)["friends"] == ["p9"]
    assert m.decision != "support"


def test_s3_3_supports_per_turn(sea):
    m = sea(
        first={"hand": ["p9", "p8", "p7"], "life": LIFE}, second={"life": LIFE}, step="support", supports_per_turn=2
    )
    m.act("support p9")
    assert m.legal == ["support p7", "support p8", "pass"]
    m.act("support p8")
    assert m.turn == 3
    assert sea(first={"hand": ["p9"]}, second={"life": LIFE}, step="support", supports_per_turn=0).turn == 3
    m = sea(
        first={"hand": ["p9", "p8", "p7"], "life": LIFE}, second={"life": LIFE}, step="support", supports_per_turn=3
    )
    m.act("pass")
    assert m.turn == 3


def test_s3_4_points_are_friends_less_power_in_the_sea(sea):
    m = sea(
        first={"hand": ["p1", "p2", "p3"], "friends": ["p1"] * 4, "sea": ["p2 rested"]},
        second={"life": LIFE},
        step="deploy",
    )
    assert m.legal == ["deploy p1", "deploy p2", "end"]
    m.act("deploy p1")
    assert zones(m, 0)["sea"] == ["p2 rested", "p1 rested"]
    assert m.decider == 1  # 1 point left: neither p2 nor p3, `end` alone is not asked


def test_s3_4_points_do_not_change_with_sea_and_friends(sea):
    helper = card("helper", 1, active("support", n=3))
    m = sea(helper, first={"hand": ["helper", "p1", "p2"], "friends": ["p1", "p1"], "life": LIFE}, step="deploy")
    m.act("deploy helper")
    assert len(zones(m, 0)["friends"]) == 5
    assert m.legal == ["deploy p1", "end"]


def test_s3_4_nothing_can_be_deployed_without_points(sea):
    m = sea(
        first={"hand": ["p1"], "friends": ["p1"], "sea": ["p9 rested"], "life": LIFE},
        second={"life": LIFE},
        step="deploy",
    )
    assert m.turn == 3


def test_s3_5_a_card_returned_in_this_step_may_be_deployed_again(sea):
    crab = card("crab", 1, active("bounce"))
    m = sea(
        crab,
        first={"hand": ["crab"], "friends": ["p1"] * 5, "sea": ["p2 upright"]},
        second={"life": LIFE},
        step="deploy",
    )
    m.act("deploy crab")
    m.act("target 0")
    assert m.legal == ["deploy p2", "end"]
    m.act("deploy p2")
    assert zones(m, 0)["sea"] == ["crab rested", "p2 rested"]
    assert m.decider == 1  # 5 friends - 2, less 1 and 2: no points are left


def test_s3_6_a_card_that_acts_rests_as_it_declares(sea):
    lady = card("lady", 1, skill("ready"))
    m = sea(lady, first={"sea": ["lady upright", "p2 upright"], "life": LIFE}, second={"life": LIFE})
    m.act("skill 0 0")
    assert m.legal == ["target 0"]  # it is rested already, so it may choose itself


def test_s3_6_without_act_rests_it_is_marked_acted(sea):
    m = sea(GUARD, first={"sea": ["guard upright", "p1 upright"], "life": LIFE}, second={"life": LIFE}, act_rests=False)
    m.act("attack 0 > life")
    assert zones(m, 0)["sea"] == ["guard upright acted", "p1 upright"]
    assert m.legal == ["attack 1 > life", "end"]


@pytest.mark.parametrize(("allowed", "decider"), [(False, 1), (True, 0)])
def test_s3_7_the_first_turn_has_no_action_step(sea, allowed, decider):
    m = sea(
        card("fish", 1, active("draw")), first={"hand": ["fish", "p1"], "life": LIFE, "friends": ["p1"], "sea": []},
        second={"life": LIFE}, step="deploy", turn=1, first_turn_action=allowed,
    )  # fmt: skip
    m.act("deploy fish")
    assert zones(m, 0)["hand"] == ["p1", "p1"]  # `active` works
    m = sea(first={"sea": ["p1 upright"], "life": LIFE}, second={"life": LIFE}, turn=1, first_turn_action=allowed)
    assert m.decider == decider


def test_s3_8_a_skill_may_do_nothing_and_still_is_an_action(sea):
    m = sea(
        card("moray", 2, skill("attack_card")), first={"sea": ["moray upright"], "life": LIFE}, second={"life": LIFE}
    )
    assert "skill 0 0" in m.legal
    m.act("skill 0 0")
    assert m.turn == 3
    assert m.state["idle_before"] == 0


# ---------------------------------------------------------------------------------------------------------------- S4


def test_s4_1_targets_of_an_attack(sea):
    m = sea(first={"sea": ["p1 upright"]}, second={"sea": ["p2 upright", "p3 rested"], "life": LIFE})
    assert m.legal == ["attack 0 > 0", "attack 0 > 1", "attack 0 > life", "end"]


@pytest.mark.parametrize(("mine", "theirs", "sunk"), [("p3", "p2", (0, 1)), ("p2", "p3", (1, 0)), ("p2", "p2", (1, 1))])
def test_s4_2_the_lower_power_goes_to_friends(sea, mine, theirs, sunk):
    m = sea(
        first={"sea": [f"{mine} upright"], "life": LIFE},
        second={"sea": [f"{theirs} rested"], "life": LIFE},
        act_rests=False,
    )
    m.act("attack 0 > 0")
    assert (len(zones(m, 0)["friends"]), len(zones(m, 1)["friends"])) == sunk


def test_s4_2_a_winner_keeps_its_position(sea):
    m = sea(first={"sea": ["p1 upright", "p1 upright"], "life": LIFE}, second={"sea": ["p2 rested"], "life": LIFE})
    m.act("attack 0 > 0")
    assert zones(m, 1)["sea"] == ["p2 rested"]


def test_s4_3_damage_is_one_card_whatever_the_power(sea):
    m = sea(first={"sea": ["p9 upright"]}, second={"life": ["p1", "p2", "p3"]})
    m.act("attack 0 > life")
    assert zones(m, 1)["life"] == ["p2", "p3"]
    assert zones(m, 1)["friends"] == ["p1"]


def test_s4_4_an_attack_on_an_empty_life_wins(sea):
    m = sea(first={"sea": ["p1 upright"]}, second={})
    m.act("attack 0 > life")
    assert m.result == {"winner": 0, "reason": "life", "turns": 2}


def test_s4_4_a_guard_may_still_stop_it(sea):
    m = sea(GUARD, first={"sea": ["p1 upright"]}, second={"sea": ["guard upright"]})
    m.act("attack 0 > life")
    assert (m.decider, m.legal) == (1, ["guard 0", "pass"])
    m.act("guard 0")
    assert not m.is_over
    assert zones(m, 0)["friends"] == ["p1"]


def test_s4_4_a_skill_wins_too(sea):
    m = sea(card("sword", 5, skill("attack_life", n=2)), first={"sea": ["sword upright"]}, second={"life": ["p1"]})
    m.act("skill 0 0")
    assert m.result == {"winner": 0, "reason": "life", "turns": 2}


@pytest.mark.parametrize(("option", "word"), [(True, "rested"), (False, "upright")])
def test_s4_5_a_guard_rests_and_becomes_the_target(sea, option, word):
    m = sea(
        GUARD,
        first={"sea": ["p1 upright", "p3 upright"]},
        second={"sea": ["p9 upright", "guard upright"], "life": LIFE},
        guard_rests=option,
    )
    m.act("attack 0 > life")
    assert m.legal == ["guard 1", "pass"]
    m.act("guard 1")
    assert zones(m, 1)["sea"] == ["p9 upright", f"guard {word}"]
    assert zones(m, 0)["friends"] == ["p1"]
    assert len(zones(m, 1)["life"]) == 4


def test_s4_5_only_upright_guards_and_only_attacks_on_life(sea):
    m = sea(
        GUARD, first={"sea": ["p1 upright", "p1 upright"]}, second={"sea": ["guard rested", "p2 upright"], "life": LIFE}
    )
    m.act("attack 0 > life")
    assert m.decision == "action"
    m = sea(
        GUARD,
        first={"sea": ["p1 upright"], "life": LIFE},
        second={"sea": ["guard upright", "p2 upright"], "life": LIFE},
    )
    m.act("attack 0 > 1")
    assert m.decision != "guard"


def test_s4_5_guard_scope_any_guards_other_cards(sea):
    m = sea(
        GUARD,
        first={"sea": ["p1 upright"]},
        second={"sea": ["guard upright", "p2 upright"], "life": LIFE},
        guard_scope="any",
    )
    m.act("attack 0 > 1")
    assert m.legal == ["guard 0", "pass"]
    m = sea(
        GUARD,
        first={"sea": ["p1 upright"], "life": LIFE},
        second={"sea": ["guard upright"], "life": LIFE},
        guard_scope="any",
    )
    m.act("attack 0 > 0")
    assert m.decision != "guard"  # the target itself is no other card


def test_s4_6_compel_binds_targets_and_demands_attacks(sea):
    m = sea(
        TURTLE,
        first={"sea": ["p1 upright", "p2 rested"], "life": LIFE},
        second={"sea": ["p1 upright", "turtle rested"], "life": LIFE},
    )
    assert m.legal == ["attack 0 > 1"]
    m.act("attack 0 > 1")
    assert m.turn == 3


def test_s4_6_option_target_may_decline(sea):
    m = sea(TURTLE, first={"sea": ["p1 upright"]}, second={"sea": ["turtle upright"], "life": LIFE}, compel="target")
    assert m.legal == ["attack 0 > 0", "end"]


def test_s4_6_no_guard_against_an_attack_on_a_compel_card(sea):
    m = sea(
        TURTLE, GUARD, first={"sea": ["p1 upright"], "life": LIFE},
        second={"sea": ["turtle upright", "guard upright"], "life": LIFE},
        guard_scope="any",
    )  # fmt: skip
    m.act("attack 0 > 0")
    assert m.decision != "guard"
    assert zones(m, 1)["sea"] == ["turtle upright", "guard upright"]


def test_s4_6_any_skill_fulfils_the_duty(sea):
    m = sea(
        TURTLE, card("otter", 2, skill("draw")), first={"sea": ["otter upright"], "life": LIFE},
        second={"sea": ["turtle upright"], "life": LIFE},
    )  # fmt: skip
    assert m.legal == ["attack 0 > 0", "skill 0 0"]
    m.act("skill 0 0")
    assert m.turn == 3


def test_s4_7_pierce_is_not_guarded_and_not_bound(sea):
    m = sea(
        SPEAR, TURTLE, first={"sea": ["spear upright"]}, second={"sea": ["turtle upright", "p1 upright"], "life": LIFE}
    )
    assert m.legal == ["attack 0 > 0", "attack 0 > 1", "attack 0 > life", "end"]
    m.act("attack 0 > life")
    assert zones(m, 1)["friends"] == ["p1"]


def test_s4_7_a_piercing_skill_leaves_the_card_bound(sea):
    dolphin = card("dolphin", 3, skill("attack_life", pierce=True))
    m = sea(
        dolphin,
        TURTLE,
        first={"sea": ["dolphin upright"], "life": LIFE},
        second={"sea": ["turtle upright"], "life": LIFE},
    )
    assert m.legal == ["attack 0 > 0", "skill 0 0"]
    m.act("skill 0 0")
    assert zones(m, 1)["friends"] == ["p1"]


def test_s4_8_a_trap_happens_after_the_card_is_in_friends_and_only_by_attacks(sea):
    squid = card("squid", 1, trap("draw"))
    m = sea(squid, first={"sea": ["p1 upright"], "life": LIFE}, second={"life": ["squid", "p5", "p6"]})
    m.act("attack 0 > life")
    assert zones(m, 1)["friends"] == ["squid"]
    assert zones(m, 1)["hand"] == ["p5"]
    for mover in ("mill", "support"):
        seats = {
            "first": {"hand": ["mover"], "friends": ["p1"], "life": ["squid", "p1"]},
            "second": {"life": ["squid", "p5"]},
        }
        m = sea(squid, card("mover", 1, active(mover)), **seats, step="deploy")
        m.act("deploy mover")
        assert zones(m, 0)["hand"] == zones(m, 1)["hand"] == []


def test_s4_9_attacks_of_a_skill_resolve_one_by_one_until_the_attacker_has_left(sea):
    sword, spine = card("sword", 5, skill("attack_life", n=3)), card("spine", 2, trap("sink_attacker"))
    m = sea(sword, spine, first={"sea": ["sword upright"], "life": LIFE}, second={"life": ["p1", "spine", "p2", "p3"]})
    m.act("skill 0 0")
    assert zones(m, 1)["friends"] == ["p1", "spine"]
    assert zones(m, 0)["friends"] == ["sword"]


def test_s4_10_a_turned_up_card_is_moved_after_damage(sea):
    m = sea(
        card("sardine", 1, trap("recall_self")),
        first={"sea": ["p1 upright"], "life": LIFE},
        second={"life": ["sardine", "p1"]},
    )
    m.act("attack 0 > life")
    assert (zones(m, 1)["life"], zones(m, 1)["hand"], zones(m, 1)["friends"]) == (["p1"], ["sardine"], [])


def test_s4_11_target_guard_battle_and_bonus(sea):
    m = sea(
        card("moray", 2, skill("attack_card", n=2)), GUARD, first={"sea": ["moray upright"], "life": LIFE},
        second={"sea": ["p1 upright", "guard upright"], "life": LIFE}, guard_scope="any",
    )  # fmt: skip
    m.act("skill 0 0")
    assert (m.decision, m.legal) == ("target", ["target 0", "target 1"])
    m.act("target 0")
    assert (m.decision, m.legal) == ("guard", ["guard 1", "pass"])
    m.act("guard 1")
    assert zones(m, 1)["friends"] == ["guard"]  # 2 + 2 against 2: the bonus counts against a guard
    assert zones(m, 0)["friends"] == []


def test_s4_11_each_attack_of_a_skill_is_bound_as_the_sea_then_is(sea):
    sword = card("sword", 5, skill("attack_life", n=2))
    m = sea(
        sword,
        TURTLE,
        first={"sea": ["sword upright"], "life": LIFE},
        second={"sea": ["turtle upright"], "life": ["p1", "p2"]},
    )
    m.act("skill 0 0")
    assert (m.decision, m.legal) == ("target", ["target 0"])
    m.act("target 0")
    assert zones(m, 1)["friends"] == ["turtle", "p1"]  # the second attack is free again


# ---------------------------------------------------------------------------------------------------------------- S5


def deploy(sea, *abilities, first=None, second=None, **options):
    seat = {"hand": ["x"], "life": ["p1", "p2", "p3"], "friends": ["p1"], **(first or {})}
    m = sea(
        card("x", 1, *abilities), first=seat, second={"life": ["p4", "p5"], **(second or {})}, step="deploy", **options
    )
    m.act("deploy x")
    return m


def test_s5_attack_life_n_times(sea):
    m = sea(
        card("x", 1, skill("attack_life", n=2)),
        first={"sea": ["x upright"], "life": LIFE},
        second={"life": ["p1", "p2", "p3"]},
    )
    m.act("skill 0 0")
    assert zones(m, 1)["friends"] == ["p1", "p2"]


def test_s5_sink_with_max_power(sea):
    m = deploy(sea, active("sink", max_power=2), second={"sea": ["p3 upright", "p2 rested", "p1 upright"]})
    assert m.legal == ["target 1", "target 2"]
    m.act("target 1")
    assert zones(m, 1)["friends"] == ["p2"]
    assert deploy(sea, active("sink"), second={"sea": ["p9 upright"]}).legal == ["target 0"]


def test_s5_rest(sea):
    m = deploy(sea, active("rest"), second={"sea": ["p3 upright", "p2 rested"]})
    assert m.legal == ["target 0"]
    m.act("target 0")
    assert zones(m, 1)["sea"][0].startswith("p3")
    assert m.turn == 3


def test_s5_ready(sea):
    m = deploy(sea, active("ready"), first={"sea": ["p2 rested", "p3 upright"], "friends": ["p1"] * 6})
    assert m.legal == ["target 0", "target 2"]
    m.act("target 0")
    assert zones(m, 0)["sea"] == ["p2 upright readied", "p3 upright", "x rested"]


def test_s5_bounce_another_card(sea):
    m = deploy(sea, active("bounce"), first={"sea": ["p2 rested"], "friends": ["p1"] * 3})
    assert m.legal == ["target 0"]
    m.act("target 0")
    assert zones(m, 0)["hand"] == ["p2"]


def test_s5_recall(sea):
    m = deploy(sea, active("recall"), first={"friends": ["p9", "p1", "p9"]})
    assert m.legal == ["target p1", "target p9"]
    m.act("target p9")
    assert zones(m, 0)["hand"] == ["p9"]


@pytest.mark.parametrize(
    ("do", "n", "life", "hand", "friends"),
    [
        ("draw", 2, ["p3"], ["p1", "p2"], ["p1"]),
        ("draw", 9, [], ["p1", "p2", "p3"], ["p1"]),
        ("support", 2, ["p3"], [], ["p1", "p1", "p2"]),
        ("heal", 1, ["p1", "p2", "p3", "p1"], [], []),
    ],
)
def test_s5_draw_support_heal(sea, do, n, life, hand, friends):
    m = deploy(sea, active(do, n=n))
    assert (zones(m, 0)["life"], zones(m, 0)["hand"], zones(m, 0)["friends"]) == (life, hand, friends)


def test_s5_mill_is_no_attack(sea):
    m = deploy(sea, active("mill", n=5), second={"life": ["p4", "p5"]})
    assert zones(m, 1)["friends"] == ["p4", "p5"]
    assert not m.is_over


def test_s5_discard_is_a_chance_event(sea):
    m = deploy(sea, active("discard", n=2), second={"hand": ["p7", "p8", "p9"]})
    assert m.waits_for_chance
    assert m.let_happen({"cards": ["p9", "p7"]}) == {"chance": "discard", "player": 1, "cards": ["p9", "p7"]}
    assert zones(m, 1)["friends"] == ["p9", "p7"]
    assert zones(m, 1)["hand"] == ["p8"]


def test_s5_1_optional_adds_pass(sea):
    m = deploy(sea, active("sink", optional=True), second={"sea": ["p3 upright"]})
    assert m.legal == ["target 0", "pass"]
    m.act("pass")
    assert zones(m, 1)["friends"] == []


def test_s5_2_a_card_that_returns_is_new(sea):
    m = deploy(sea, active("bounce"), first={"sea": ["p2 upright readied"], "friends": ["p1"] * 6})
    m.act("target 0")
    m.act("deploy p2")
    assert zones(m, 0)["sea"] == ["x rested", "p2 rested"]


def test_s5_3_effects_never_win(sea):
    m = deploy(sea, active("mill", n=9), second={"life": []})
    assert not m.is_over


@pytest.mark.parametrize(
    "ability",
    [
        active("attack_life"), trap("attack_card"), active("sink_attacker"), skill("recall_self"),
        trap("sink_attacker", n=1),
        trap("recall_self", n=2), active("rest", max_power=2), active("draw", pierce=True),
        skill("draw", optional=True),
        active("draw", target="own"), {"when": "often", "do": "draw"}, {"when": "active", "do": "win"}, {"do": "draw"},
        active("draw", n=0),
    ],
)  # fmt: skip
def test_s5_4_keys_that_do_not_fit_are_errors(ability):
    with pytest.raises(InputError, match="card 'x'"):
        validate({"game": "sea", "set": "t", "version": 1, "card": [card("x", 1, ability)]}, SeaSet, "t")


def test_s5_5_choices_are_asked_one_after_another(sea):
    m = deploy(sea, active("rest", n=3, optional=True), second={"sea": ["p3 upright", "p2 upright", "p1 rested"]})
    assert m.legal == ["target 0", "target 1", "pass"]
    m.act("target 0")
    assert m.legal == ["target 1", "pass"]
    m.act("target 1")
    assert m.turn == 3  # no legal target is left
    m = deploy(sea, active("rest", n=3, optional=True), second={"sea": ["p3 upright", "p2 upright"]})
    m.act("pass")
    assert m.turn == 3  # a pass ends them all


def test_s5_6_an_effect_without_choice_asks_use_unless_it_could_do_nothing(sea):
    m = deploy(sea, active("draw", optional=True))
    assert (m.decision, m.legal) == ("use", ["use", "pass"])
    m.act("pass")
    assert zones(m, 0)["hand"] == []
    m = deploy(sea, active("draw", optional=True))
    m.act("use")
    assert zones(m, 0)["hand"] == ["p1"]
    assert deploy(sea, active("draw", optional=True), first={"life": []}).decision != "use"
    m = deploy(sea, active("discard", optional=True), second={"hand": ["p7"]})
    m.act("use")
    assert m.waits_for_chance


def test_s5_7_abilities_happen_in_file_order_and_skills_are_counted(sea):
    m = deploy(sea, active("support"), active("recall", optional=True), first={"friends": ["p9"]})
    assert m.legal == ["target p1", "target p9", "pass"]
    two = card("two", 1, skill("draw"), active("draw"), skill("mill"))
    m = sea(two, first={"sea": ["two upright"], "life": ["p1", "p2"]}, second={"life": ["p4", "p5"]})
    assert m.legal == ["attack 0 > life", "skill 0 0", "skill 0 1", "end"]
    m.act("skill 0 1")
    assert zones(m, 1)["friends"] == ["p4"]


def test_s5_7_no_effect_within_an_effect(sea):
    squid = card("squid", 1, trap("draw"))
    m = sea(
        squid,
        card("x", 1, trap("mill")),
        first={"sea": ["p1 upright"], "life": ["squid", "p1"]},
        second={"life": ["x", "p2"]},
    )
    m.act("attack 0 > life")
    assert zones(m, 0)["hand"] == []


def test_s5_8_ready_may_choose_itself_but_no_card_twice(sea):
    lady = card("lady", 1, skill("ready"))
    m = sea(lady, first={"sea": ["lady upright", "p2 rested"], "life": LIFE}, second={"life": LIFE})
    m.act("skill 0 0")
    assert m.legal == ["target 0", "target 1"]
    m.act("target 0")
    assert zones(m, 0)["sea"][0] == "lady upright readied"
    m.act("skill 0 0")
    assert m.legal == ["target 1"]


def test_s5_8_ready_ends_the_mark_acted(sea):
    m = deploy(sea, active("ready"), first={"sea": ["p2 acted"], "friends": ["p1"] * 9}, act_rests=False)
    m.act("target 0")
    assert zones(m, 0)["sea"][0] == "p2 upright readied"


def test_s5_9_recall_takes_the_most_recent_copy(sea):
    m = deploy(sea, active("recall"), first={"friends": ["p9", "p1", "p9", "p2"]})
    m.act("target p9")
    assert zones(m, 0)["friends"] == ["p9", "p1", "p2"]


def test_s5_9_a_trap_needs_its_card_and_its_attacker(sea):
    x = card("x", 1, trap("recall"), trap("recall_self"), trap("sink_attacker"))
    m = sea(x, first={"sea": ["p1 upright"], "life": LIFE}, second={"life": ["x", "p2"]})
    m.act("attack 0 > life")
    m.act("target x")  # it takes itself: recall_self does nothing any more
    assert zones(m, 1)["hand"] == ["x"]
    assert zones(m, 0)["friends"] == ["p1"]
    gone = card("gone", 1, trap("sink"), trap("sink_attacker"))
    m = sea(gone, first={"sea": ["p1 upright"], "life": LIFE}, second={"life": ["gone", "p2"]})
    m.act("attack 0 > life")
    m.act("target 0")
    assert zones(m, 0)["friends"] == ["p1"]


def test_s5_10_cards_move_one_by_one(sea):
    m = deploy(sea, active("heal", n=9), first={"friends": ["p7", "p8", "p9"], "life": ["p1"]})
    assert zones(m, 0)["life"] == ["p1", "p9", "p8", "p7"]
    m = deploy(sea, active("discard"), second={"hand": []})
    assert not m.waits_for_chance


def test_s5_10_every_hand_card_is_equally_likely(sea):
    m = deploy(sea, active("discard"), second={"hand": ["p7", "p7", "p7", "p9"]})
    hits = 0
    for _ in range(400):
        m.game.sample_chance(m.state, m.table)
        hits += m.game.words.chance(m.state, m.table, m.setup.ids)["cards"] == ["p7"]
    assert 260 < hits < 340  # 300 expected, 4.6 standard deviations


# ---------------------------------------------------------------------------------------------------------------- S6


def test_s6_1_nothing_else_happens_after_the_end(sea):
    m = sea(card("sword", 5, skill("attack_life", n=3)), first={"sea": ["sword upright", "p1 upright"]}, second={})
    m.act("skill 0 0")
    assert m.is_over
    assert m.legal == []


@pytest.mark.parametrize(("lives", "winner"), [((3, 2), 0), ((1, 2), 1), ((2, 2), None)])
def test_s6_2_stalemate_after_two_turns_without_doing(sea, lives, winner):
    m = sea(first={"life": ["p1"] * lives[0]}, second={"life": ["p1"] * lives[1]}, step="draw", turn=1)
    m.act("pass")
    assert not m.is_over
    m.act("pass")
    assert m.result == {"winner": winner, "reason": "stalemate", "turns": 2}


@pytest.mark.parametrize("doing", ["draw", "support", "deploy", "action"])
def test_s6_2_any_doing_prevents_it(sea, doing):
    seat = {"life": LIFE, "hand": ["p1"], "friends": ["p1"] * 5, "sea": ["p1 upright"]}
    m = sea(first=seat, second={"life": LIFE}, step="draw", turn=3)
    while m.turn == 3:
        wanted = m.decision == doing and int(m.state["busy"]) == 0
        m.act(0 if wanted else len(m.legal) - 1)
    m.act("pass")
    assert not m.is_over


def test_s6_3_turn_limit_as_that_turn_ends(sea):
    m = sea(first={"life": LIFE, "hand": ["p1"]}, second={"life": LIFE}, step="draw", turn=7, max_turns=7)
    m.act("draw")
    m.act("support p1")
    assert m.result == {"winner": None, "reason": "turn_limit", "turns": 7}


def test_s6_3_stalemate_comes_first(sea):
    m = sea(first={"life": LIFE}, second={"life": ["p1"]}, step="draw", turn=1, max_turns=2)
    m.act("pass")
    m.act("pass")
    assert m.result == {"winner": 0, "reason": "stalemate", "turns": 2}


def test_s6_4_turns_are_those_begun(sea):
    m = sea(first={"sea": ["p1 upright"]}, second={}, turn=9)
    m.act("attack 0 > life")
    assert m.result["turns"] == 9


# ---------------------------------------------------------------------------------------------------------------- S7


def test_s7_1_lists_run_by_kind_then_by_place(sea):
    two = card("two", 1, skill("draw"), skill("mill"))
    m = sea(
        two,
        first={"sea": ["two upright", "p1 upright"], "life": LIFE},
        second={"sea": ["p3 upright", "p4 upright"], "life": LIFE},
    )
    assert m.legal == [
        "attack 0 > 0", "attack 0 > 1", "attack 1 > 0", "attack 1 > 1", "attack 0 > life", "attack 1 > life",
        "skill 0 0", "skill 0 1", "end",
    ]  # fmt: skip


def test_s7_2_equal_cards_are_one_action(sea):
    m = sea(
        first={"sea": ["p1 upright", "p1 upright", "p1 upright readied", "p1 rested"], "life": LIFE},
        second={"sea": ["p3 upright", "p3 rested", "p3 upright"], "life": LIFE},
    )  # fmt: skip
    assert m.legal == [
        "attack 0 > 0",
        "attack 0 > 1",
        "attack 2 > 0",
        "attack 2 > 1",
        "attack 0 > life",
        "attack 2 > life",
        "end",
    ]


def test_s7_3_one_legal_target_is_asked_too(sea):
    m = deploy(sea, active("sink"), second={"sea": ["p3 upright"]})
    assert (m.decider, m.turn, m.decision, m.legal) == (0, 2, "target", ["target 0"])


def test_s7_4_states_in_words(sea):
    m = sea(
        first={"life": ["p2", "p1"], "hand": ["p9", "p1", "p9"], "sea": ["p3 upright acted readied", "p4 rested"],
        "friends": ["p5", "p1"]},
        second={"life": LIFE}, act_rests=False, step="draw",
    )  # fmt: skip
    assert zones(m, 0) == {
        "life": ["p2", "p1"], "hand": ["p1", "p9", "p9"], "sea": ["p3 upright acted readied", "p4 rested"],
        "friends": ["p5", "p1"],
    }  # fmt: skip


def test_s7_5_piles_are_the_whole_decks(sea):
    game = load_game("sea")
    card_set = load_set(game)
    decks = tuple(load_deck(game, name, card_set) for name in ("rush", "trap"))
    match = Match(Setup(game, card_set, decks, SeaRules()))
    match.deal(side_keys(1, "sea", (("rush", "a"), ("trap", "b"))))
    for seat in (0, 1):
        assert Counter(match.piles[seat]) == Counter(decks[seat].cards)
    again = Match(match.setup)
    again.deal_piles(match.piles)
    assert again.position == match.position
