"""Plain cards: the line through a set, what stands for a card in each game, and that nothing else changes in a deck."""

import numpy as np
import pytest

from sim import Matchup, Runner, Side, load_deck, load_game, load_set, side_keys
from sim.library import deck_paths
from sim.plain_cards import is_plain, line, without_copy
from sim.play import Match, Setup
from strategies import load_strategy


def plain_card(name, id, *others, **changes):
    """Give the plain card for a card of a starter set, with a change; ``others`` alone are the rest of the set if
    given.
    """
    game = load_game(name)
    starter = load_set(game)
    card = next(card for card in starter.card if card.id == id).model_copy(update=changes)
    cards = [card, *(other for other in starter.card if other.id in others)] if others else starter.card
    return game.plain_card(starter.model_copy(update={"card": cards}), card)


def content(card):
    return card.model_dump(exclude_unset=True, exclude={"id", "name", "en"})


@pytest.mark.parametrize(
    ("points", "at", "expected"),
    [
        ([(1, 2), (2, 3), (3, 4)], 5, 6),
        ([(1, 2), (2, 3), (3, 4), (4, 5), (5, 99)], 2, 3),  # one card far too strong does not move it
        ([(4, 7)], 9, 7),
        ([(4, 7), (4, 9)], 4, 8),
        ([(1, 1), (2, 2)], 50, 10),  # bounds
        ([(1, 9), (2, 1)], 3, 0),
        ([(0, 0), (2, 1)], 1, 1),  # a half goes up
    ],
)
def test_the_line_goes_through_the_middle_of_a_set(points, at, expected):
    assert line(points, at, least=0, most=10) == expected


def test_sea_keeps_the_power_alone():
    assert content(plain_card("sea", "orca")) == {"power": 6}


def test_a_dino_gets_the_body_of_its_cost_and_nothing_else():
    assert content(plain_card("dino", "tyrannosaurus")) == {
        "kind": "dino",
        "cost": 8,
        "fight": [9, 12, 14],
        "direct": [5, 6, 6],
    }


def test_a_spell_is_measured_by_the_plain_dino_of_its_cost():
    assert content(plain_card("dino", "ambush")) == content(plain_card("dino", "velociraptor"))
    assert plain_card("dino", "ambush", "roar") is None  # no dino in the set


def test_a_spirit_keeps_stage_line_element_slots_and_sign():
    plain = plain_card("seer", "infernofox")
    assert content(plain) == {
        "kind": "spirit", "sign": "paper", "stage": "high", "line": "ember", "element": "fire",
        "slots": ["power", "power", "craft"], "attack": {"rock": 223, "scissors": 223, "paper": 223},
        "support_attack": 135, "support_defence": 90,
    }  # fmt: skip
    assert plain.is_basic is False
    assert plain_card("seer", "coalpup").bean is True


def test_a_move_keeps_element_and_slots_and_gets_the_numbers_of_as_many():
    assert content(plain_card("seer", "inferno")) == {
        "kind": "move", "sign": "rock", "element": "fire", "slots": ["power", "power"], "attack": 200, "defence": 50,
    }  # fmt: skip


def test_an_item_fights_as_a_move_with_as_many_slots_as_it_costs_beans():
    plain, move = plain_card("seer", "amplifier"), plain_card("seer", "inferno")
    assert (plain.cost, plain.sign, plain.bean) == (2, "rock", True)
    assert [(ability.do, ability.n, ability.role) for ability in plain.ability] == [
        ("attack", move.attack, "attacker"),
        ("defence", move.defence, "defender"),
    ]
    assert plain_card("seer", "amplifier", "emberfox") is None  # no move in the set


def test_a_mission_does_as_much_damage_as_such_a_move_attacks_with():
    plain = plain_card("seer", "first_aid")
    assert (plain.kind, plain.cost) == ("mission", 2)
    assert [(ability.do, ability.n) for ability in plain.ability] == [("damage", plain_card("seer", "inferno").attack)]


def test_a_super_has_no_plain_card():
    assert plain_card("seer", "phoenix") is None


def test_a_plain_card_is_its_own_measure(game):
    cards = load_set(game)
    for card in cards.card:
        plain = game.plain_card(cards, card)
        if plain is not None:
            assert not is_plain(card, plain)
            assert is_plain(plain, game.plain_card(cards, plain))
            assert is_plain(plain.model_copy(update={"name": "x", "id": "y"}), plain)


def test_a_name_that_the_set_has_is_not_taken():
    game = load_game("sea")
    cards = load_set(game)
    orca = next(card for card in cards.card if card.id == "orca")
    other = orca.model_copy(update={"id": "orca-plain", "name": "シャチ (plain)"})
    plain = game.plain_card(cards.model_copy(update={"card": [*cards.card, other]}), orca)
    assert (plain.id, plain.name) == ("orca-plain'", "シャチ (plain)'")


def variant_of(game, cards, deck, id):
    card = cards.card[cards.ids.index(id)]
    return without_copy(cards, deck, card, game.plain_card(cards, card))


def dealt(game, cards, deck, opponent, pair):
    """Give the hands and piles of the first seat as dealt, cards by their ids."""
    match = Match(Setup(game, cards, (deck, opponent), game.rules()))
    match.deal(side_keys(3, game.name, (("a", "s"), ("b", "s"))), pair)
    while match.piles is None:  # the picks come first, the same ones
        match.act(match.legal[0])
    return match.piles


@pytest.mark.parametrize("deck", ["rush", "control"])
def test_nothing_but_one_copy_changes_its_place(game, deck):
    cards = load_set(game)
    own, opponent = load_deck(game, deck, cards), load_deck(game, "balanced", cards)
    for id, copies in own.cards.items():
        changed, variant = variant_of(game, cards, own, id)
        assert game.check_deck(changed, variant, game.rules()) == []
        replaced = 0
        for pair in range(3):
            (before, theirs), (after, same) = (
                dealt(game, *one, opponent, pair) for one in ((cards, own), (changed, variant))
            )
            assert theirs == same
            differ = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
            assert set(differ) <= {(id, f"{id}-plain")}
            replaced += len(differ)
        assert replaced == 3 or (game.picked and replaced < 3 and copies)  # in seer it may have been picked


def test_every_deck_can_be_played_with_a_plain_card_and_the_labels_stay(game):
    cards = load_set(game)
    for label in deck_paths(game):
        deck = load_deck(game, label, cards)
        for id in deck.cards:
            changed, variant = variant_of(game, cards, deck, id)
            assert variant.name == deck.name
            assert variant.size == deck.size
            assert changed.ids.index(f"{id}-plain") == cards.ids.index(id) + 1
            assert game.check_deck(changed, variant, game.rules()) == []


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_a_plain_card_in_the_place_of_a_plain_card_changes_no_game(game, player):
    """The twin has a name of its own only: a player that takes cards by what they are plays the same games to the same
    end.
    """
    cards = load_set(game)
    id = next(iter(load_deck(game, "rush", cards).cards))
    plain = game.plain_card(cards, next(card for card in cards.card if card.id == id)).model_copy(update={"id": id})
    cards = cards.model_copy(update={"card": [plain if card.id == id else card for card in cards.card]})
    one, other = load_deck(game, "rush", cards), load_deck(game, "control", cards)
    single = one.model_copy(
        update={"cards": {**one.cards, id: 1}}
    )  # with a single copy there is nothing that the twin could be told from
    options = {"deck_size": single.size} if game.name != "seer" else {}
    rules = game.rules(**options)
    other = other.model_copy(update={"cards": trimmed(other.cards, single.size)}) if options else other
    changed, variant = variant_of(game, cards, single, id)
    found = load_strategy(game, player)
    sides = [Side("a", deck, player, found.choose, found.parameters) for deck in (single, variant)]
    foe = Side("b", other, player, found.choose, found.parameters)
    matchup = Matchup(sides[0], foe, others=(Matchup(sides[1], foe, card_set=changed),))
    (chunk,) = Runner(game, cards, rules, [matchup], 6, 1, chunk_pairs=6).play(1)
    ((counts, paired),) = chunk.others
    assert np.array_equal(counts.scores, chunk.counts.scores)
    assert np.array_equal(counts.turns, chunk.counts.turns)
    assert paired.strength.trace() == 6


def trimmed(cards, size):
    """Leave out cards of a deck until it has this size."""
    kept = dict(cards)
    while sum(kept.values()) > size:
        id = next(id for id, n in reversed(kept.items()) if n)
        kept[id] -= 1
    return kept
