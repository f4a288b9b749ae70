"""Replays of an independent program pass; those that are no game by the rules do not; komi's own come back the same."""

import copy
import json
from pathlib import Path

import pytest

from sim import InputError, Match, Setup, load_deck, load_game, load_set, replay, side_keys
from strategies import load_strategy

FOLDER = Path(__file__).parents[1] / "replays"
FILES = sorted(FOLDER.glob("*/*.json"))
CARD_SETS = {name: load_set(load_game(name)) for name in {path.parent.name for path in FILES}}


def test_every_game_has_replays(game):
    assert len([path for path in FILES if path.parent.name == game.name]) >= 12


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_independent_programs_replay_is_a_game_by_the_rules(path):
    assert replay.check(replay.read(path), CARD_SETS[path.parent.name]) is None


def change_legal_list(game):
    game["steps"][7]["legal"].reverse()


def change_action(game):
    game["steps"][5]["action"] = "win"


def change_another_legal_action(game):
    step = next(s for s in game["steps"] if len(s.get("legal", [])) > 2)
    step["action"] = next(a for a in step["legal"] if a != step["action"])


def change_state(game):
    state = next(state for state in game["states"][10:] if state is not None)
    zone = next(zone for zone in state[0].values() if isinstance(zone, list))
    zone.reverse() if len(set(zone)) > 1 else zone.append(zone[0] if zone else "sardine")


def change_winner(game):
    game["result"]["winner"] = 1 - (game["result"]["winner"] or 0)


def change_turns(game):
    game["result"]["turns"] += 1


def true_for_one(game):
    game["steps"][0]["turn"] = True


def change_player(game):
    game["steps"][3]["player"] ^= 1


def a_card_too_many(game):
    game["piles"][0].append(game["piles"][0][0])


def a_card_too_many_in_deck_and_pile(game):
    game["piles"][0].append(game["piles"][0][0])
    game["decks"][0]["cards"][game["piles"][0][0]] += 1


def another_pile(game):
    game["piles"][1].reverse()


def a_step_missing(game):
    del game["steps"][4], game["states"][4]


def a_step_too_many(game):
    game["steps"].append(game["steps"][-1])
    game["states"].append(game["states"][-1])


def the_end_missing(game):
    del game["steps"][-1], game["states"][-1]


def an_option_missing(game):
    del game["rules"]["max_turns"]


def another_option(game):
    game["rules"]["opening_hand" if "opening_hand" in game["rules"] else "hand_size"] += 1


def no_steps(game):
    game["steps"] = None


def a_key_misspelt(game):
    game["state"] = game.pop("states")


def a_key_too_many_in_a_step(game):
    game["steps"][3]["comment"] = "good"


def a_key_too_many_in_the_result(game):
    game["result"]["loser"] = 0


CHANGES = [
    change_legal_list, change_action, change_another_legal_action, change_state, change_winner, change_turns,
    true_for_one, change_player, a_card_too_many, a_card_too_many_in_deck_and_pile, another_pile, a_step_missing,
    a_step_too_many, the_end_missing, an_option_missing, another_option, no_steps, a_key_misspelt,
    a_key_too_many_in_a_step, a_key_too_many_in_the_result,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_changed_replay_is_no_game_by_the_rules(change):
    for path in [next(p for p in FILES if p.parent.name == name) for name in CARD_SETS]:
        game = replay.read(path)
        changed = copy.deepcopy(game)
        change(changed)
        assert changed != game or json.dumps(changed) != json.dumps(game)
        assert replay.check(changed, CARD_SETS[path.parent.name])


def test_an_unknown_key_is_told_with_the_nearest_one():
    path = FILES[0]
    game = replay.read(path)
    a_key_misspelt(game)
    known = "format, game, rules, set, decks, piles, steps, states, result"
    assert (
        replay.check(game, CARD_SETS[path.parent.name])
        == f"unknown key 'state'; did you mean 'states'? (known: {known})"
    )
    game = replay.read(path)
    for step in game["steps"]:
        step["action "] = step.pop("action", None)
    told = replay.check(game, CARD_SETS[path.parent.name])
    assert told.startswith("step 0: unknown key 'action '; did you mean 'action'?")


def test_a_chance_step_must_be_possible():
    found = 0
    for path in FILES:
        game = replay.read(path)
        for step in game["steps"]:
            if "chance" in step and "cards" in step:
                step["cards"] = [*step["cards"], "nobody"]
                found += 1
                assert "expected" in replay.check(game, CARD_SETS[path.parent.name])
                break
    assert found


@pytest.mark.parametrize("ending", ["json", "json.gz"])
def test_komis_own_replays_come_back_the_same(game, tmp_path, ending):
    card_set = load_set(game)
    decks = tuple(load_deck(game, name, card_set) for name in ("rush", "control"))
    match = Match(Setup(game, card_set, decks, game.rules()))
    match.deal(side_keys(3, game.name, (("rush", "random"), ("control", "greedy"))))
    players = [load_strategy(game, name).choose for name in ("random", "greedy")]
    written = replay.record(match, players, states=True)
    path = tmp_path / f"game.{ending}"
    replay.write(path, written)
    assert replay.read(path) == written
    assert replay.check(replay.read(path), card_set) is None
    assert len(written["states"]) == len(written["steps"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{\n", "x.json:2: not JSON: Expecting property name enclosed in double quotes"),
        (b"[]", "expected a replay"),
        (b"\xff", "x.json:1: byte 0xff is not UTF-8"),
        ("{}".encode("utf-16"), "found UTF-16, which is not UTF-8"),
        (b'{"a":' * 10**5, "not JSON: found lists or tables nested too deep"),
        (b"9" * 5000, "not JSON: Exceeds the limit"),
    ],
)
def test_a_file_that_is_no_replay_is_refused(tmp_path, content, message):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        replay.read(path)
    (tmp_path / "x.json.gz").write_bytes(content)
    with pytest.raises(InputError, match="cannot be read"):
        replay.read(tmp_path / "x.json.gz")
