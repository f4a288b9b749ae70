"""The log of a game: what it tells is what happened, all of it and once."""

import re
from collections import Counter
from importlib import import_module
from inspect import isgeneratorfunction, signature
from itertools import product

import numpy as np
import pytest

from reports.pages.log import play_log
from sim.kernels.jit import plain_function
from sim.library import game_names, load_deck, load_game, load_set
from sim.play import Match, Setup
from sim.seer.layout import N_BATTLES, N_DAMAGE
from sim.tracing import SEATS, NewTurn

MOVE = re.compile(r" *(first|second): (.+): (\w+) → (\w+)(?: \([^()]*\))?$")
NUMBER = re.compile(r" *(first|second): (hp|life|pp) (\S+) → (\S+) \(.*\)$")
DECKS = {name: sorted(path.stem for path in (load_game(name).folder / "decks").glob("*.toml")) for name in game_names()}
OPTIONS = [
    ("sea", {}),
    ("sea", {"guard_scope": "any", "act_rests": False, "draw_count": 2, "supports_per_turn": 2}),
    ("sea", {"max_turns": 5, "draw_optional": False, "first_turn_action": True}),
    ("dino", {}),
    ("dino", {"mulligan": False, "max_decisions": 9, "life_cap": False}),
    ("dino", {"max_turns": 6, "second_first_pp": 4}),
    ("seer", {}),
    ("seer", {"first_order": "alternate", "sign_attack": "move", "exchange": False}),
    ("seer", {"max_turns": 4, "hp_cap": False}),
]


def dealt(game, seed, **rules):
    """A match of two decks, other ones for each seed, with its own cards on top."""
    game = load_game(game)
    cards = load_set(game)
    labels = [DECKS[game.name][place % 6] for place in (seed, seed * 5 // 3 + 1)]
    match = Match(Setup(game, cards, tuple(load_deck(game, label, cards) for label in labels), game.rules(**rules)))
    match.deal(np.array([seed, seed + 1], np.uint64))
    return match


def at_random(seed):
    """What plays for both seats."""
    random = np.random.default_rng(seed)
    return lambda _state, _table, _legal, n: int(random.integers(n))


def steps(match, seed):
    """Play at random; yields for each step the position before, the action in words (None for chance), and what is
    told.
    """
    choose, tracer = at_random(seed), match.game.tracer(match)
    while not match.is_over:
        before = match.position
        if match.waits_for_chance:
            action, told = None, tracer.follow()
            match.let_happen()
        else:
            place = match.ask(choose)
            action, told = match.legal[place], tracer.follow(int(match.legal_codes[place]))
            match.act(place)
        assert (tracer.states == match.states).all()  # the plain rules did what the compiled ones do
        yield before, action, told


def lines_of(told):
    return [line for line in told if isinstance(line, str)]


def moves(told):
    """The moves of cards: seat, card, source, target."""
    for line in lines_of(told):
        found = MOVE.match(line)
        if found and "Lv." not in found[3] + found[4]:
            for card in found[2].split("), "):
                yield SEATS.index(found[1]), card.removesuffix(")") + ")", found[3], found[4]


def contents(zones, names):
    """The cards of each zone by name, or how many they are; and what is a number."""
    held = {}
    for zone, value in zones.items():
        if isinstance(value, list):
            held[zone] = Counter(names[entry.split(" ")[0]] for entry in value if entry != "-")
        elif value in names or value in (None, "-"):
            held[zone] = Counter([names[value]] if value in names else [])
        else:
            held[zone] = value
    return held


@pytest.mark.parametrize(("game", "rules"), OPTIONS)
def test_what_is_told_leads_from_each_position_to_the_next(game, rules):
    """Every card that leaves a zone is told, once, and where it goes; so is every change of life, HP and PP."""
    for seed in range(4):
        match = dealt(game, seed, **rules)
        names = {card.id: f"{card.name} ({card.en})" for card in match.setup.card_set.card}
        for before, action, told in steps(match, seed):
            held = [contents(zones, names) for zones in before]
            for line in lines_of(told):
                number = NUMBER.match(line)
                if number:
                    seat = SEATS.index(number[1])
                    assert str(held[seat][number[2]]) == number[3], (action, told)
                    held[seat][number[2]] = type(held[seat][number[2]])(number[4])
                for seat, card, source, target in moves([line]):
                    for zone, n in ((source, -1), (target, 1)):
                        if isinstance(held[seat][zone], Counter):
                            held[seat][zone][card] += n
                            assert held[seat][zone][card] >= 0, (action, told)
                        else:
                            held[seat][zone] += n
            assert held == [contents(zones, names) for zones in match.position], (action, told)


def test_a_card_that_is_played_while_its_twin_is_drawn_is_told_as_played():
    found = 0
    for seed in range(6):
        for _, action, told in steps(dealt("seer", seed), seed):
            mine = [(card, source, target) for _, card, source, target in moves(told)]
            played = {card for card, source, target in mine if (source, target) == ("hand", "battle")}
            for card in played & {card for card, source, target in mine if (source, target) == ("deck", "hand")}:
                found += 1
                assert any((card, "battle", target) in mine for target in ("discard", "beans", "hand")), (action, told)
    assert found


@pytest.mark.parametrize("game", game_names())
def test_every_turn_has_its_heading_and_position_and_the_last_line_tells_the_winner(game):
    for seed in range(3):
        match = dealt(game, seed)
        lines = list(play_log(match, [("random", at_random(seed)), ("random", at_random(seed + 10))]))
        word = match.game.turn_words[0].capitalize()
        headings = [place for place, line in enumerate(lines[:-1]) if re.match(rf"{word} \d+", line)]
        assert [int(re.search(r"\d+", lines[place])[0]) for place in headings] == list(range(1, match.turn + 1))
        for place, end in zip(headings, [*headings[1:], len(lines) - 1], strict=True):
            decided = [i for i in range(place, end) if re.match("  (first|second): ", lines[i])]
            shown = [i for i in range(place, end) if re.match("    (first|second): ", lines[i])]
            assert len(shown) == 2 * bool(decided)
            assert not decided or shown[-1] < decided[0]
        winner = match.result["winner"]
        said = "a draw" if winner is None else f"the {SEATS[winner]} seat wins"
        assert lines[-1] == f"{word} {match.turn}: {said} ({match.result['reason']})"


def verdict(one, two):
    """Who attacks in a battle of these two cards by E5.2: the rulebook's sentences, one by one."""
    if one is None or two is None:
        alone = two if one is None else one
        return None if alone is None or alone.kind == "mission" else (1 if one is None else 0)
    if one.kind == two.kind == "mission":
        return None
    if one.kind == "mission" or two.kind == "mission":
        return 1 if one.kind == "mission" else 0
    beaten = {"rock": "scissors", "scissors": "paper", "paper": "rock"}
    if one.sign == two.sign:
        return None
    return 0 if beaten[one.sign] == two.sign else 1


def test_e5_2_every_battle_of_seer_is_told_with_what_the_rulebook_says_of_it():
    kinds = set()
    for seed in range(10):
        match = dealt("seer", seed)
        cards = {f"{card.name} ({card.en})": card for card in match.setup.card_set.card}
        battles, dealt_by = 0, [0, 0]
        for _, _, told in steps(match, seed):
            attacker = None
            for line in lines_of(told):
                battle = re.match(
                    r"battle: (.+?)(?: \(\w+\))? against (.+?)(?: \((?:rock|scissors|paper|mission)\))?: (.*) "
                    r"\(E5\.2\)$",
                    line,
                )
                if battle:
                    shown = [cards.get(battle[1]), cards.get(battle[2])]
                    attacker = verdict(*shown)
                    battles += shown != [None, None]
                    said = re.search(r"the (first|second) seat attacks", battle[3])
                    assert (said[1] if said else None) == (None if attacker is None else SEATS[attacker]), line
                    assert ("tie" in battle[3]) == (
                        None not in shown and shown[0].kind != "mission" and attacker is None
                    )
                    kinds.add(
                        tuple("nothing" if card is None else card.kind == "mission" or card.sign for card in shown)
                    )
                damage = re.match(r" *(first|second): damage: (.+) = (\d+)(?:, cut at 0)? \(E5\.7\)$", line)
                if damage:
                    figures = re.sub(
                        r"[^()+\-x ]+ \([^()]*\)(?: with \w+)? (\d+)|abilities (\d+)",
                        lambda found: found[1] or found[2],
                        damage[2],
                    )
                    assert re.fullmatch(r"[\d +\-x()]+", figures), line
                    assert max(0, eval(figures.replace("x", "*"))) == int(damage[3]), line
                    dealt_by[SEATS.index(damage[1])] += int(damage[3])
        assert battles == match.state["players"][0]["tallies"][N_BATTLES]
        assert dealt_by == [player["tallies"][N_DAMAGE] for player in match.state["players"]]
    assert set(product(("rock", "scissors", "paper"), repeat=2)) <= kinds


def test_every_counter_spell_block_level_and_pp_of_dino_is_told():
    seen = Counter()
    for seed in range(8):
        match = dealt("dino", seed)
        told_of = [Counter(), Counter()]
        for _, action, told in steps(match, seed):
            for line in lines_of(told):
                found = re.match(r" *(first|second): (counter-spell|spell|block): ", line)
                if found:
                    told_of[SEATS.index(found[1])][found[2]] += 1
                found = re.match(r" *(first|second): .* Lv\.\d → Lv\.\d(.*)$", line)
                if found:
                    told_of[SEATS.index(found[1])]["by battle" if "D5.4" in found[2] else "by card"] += 1
            if action and action.startswith("cast"):
                assert any(re.search(r": hand → use$", line) for line in lines_of(told))
        tallies = match.game.tallies.game
        names = {
            "spells": "spell",
            "counter_spells": "counter-spell",
            "level_ups_by_card": "by card",
            "level_ups_by_battle": "by battle",
            "blocks": "block",
        }
        for seat, player in enumerate(match.state["players"]):
            counted = {name: int(player["tallies"][tallies.index(tally)]) for tally, name in names.items()}
            assert counted == {name: told_of[seat][name] for name in names.values()}
            seen += Counter(counted)
    assert all(seen[name] for name in ("spell", "counter-spell", "by card", "by battle", "block"))


def test_battles_guards_and_traps_of_sea_are_told():
    seen = Counter()
    for seed in range(12):
        match = dealt("sea", seed)
        powers = {f"{card.name} ({card.en})": card.power for card in match.setup.card_set.card}
        for _, action, told in steps(match, seed):
            lines = lines_of(told)
            gone = Counter(card for _, card, source, target in moves(told) if (source, target) == ("sea", "friends"))
            for line in lines:
                battle = re.match(
                    r" *battle: (.+\)) (\d+)(?: \+ (\d+) = \d+)? against (.+\)) (\d+): (.*) \(S4\.2\)$", line
                )
                if battle:
                    mine, theirs = powers[battle[1]] + int(battle[3] or 0), powers[battle[4]]
                    assert (int(battle[2]), int(battle[5])) == (powers[battle[1]], theirs)
                    assert battle[6] == (
                        "both lose" if mine == theirs else "the attacker wins" if mine > theirs else "the target wins"
                    )
                    assert gone[battle[4]] >= (mine >= theirs)
                    assert gone[battle[1]] >= (mine <= theirs)
                    seen["battle"] += 1
                seen["trap"] += ", trap: " in line
            guards = sum(": guard: " in line for line in lines)
            assert guards == bool(action and action.startswith("guard"))
            seen["guard"] += guards
    assert all(seen[what] for what in ("battle", "guard", "trap"))


def test_a_turn_that_begins_is_told_before_what_happens_in_it():
    for _, _, told in steps(dealt("dino", 1), 1):
        for place, line in enumerate(told):
            if isinstance(line, NewTurn):
                assert "reset phase" in " ".join(map(str, told[place + 1 :]))
            elif "reset phase" in line:
                assert any(isinstance(other, NewTurn) for other in told[:place])


@pytest.mark.parametrize("game", game_names())
def test_what_a_log_looks_at_are_kernels_of_the_game_with_as_many_arguments(game):
    """A kernel that gets another name would silently lose its lines."""
    rules = vars(import_module(f"sim.{game}.rules"))
    looked_at = {name: method for name, method in vars(load_game(game).tracer).items() if isgeneratorfunction(method)}
    assert len(looked_at) > 10
    for name, method in looked_at.items():
        assert name in rules, name
        assert len(signature(plain_function(rules[name])).parameters) == len(signature(method).parameters) - 1, name
