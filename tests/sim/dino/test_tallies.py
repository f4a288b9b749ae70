"""What dino counts for reports, against the words of the same games."""

from collections import Counter

import numpy as np

from sim import Match, Setup, load_deck, load_game, load_set, side_keys
from sim.dino import layout as L
from strategies import load_strategy


def pp(position, seat):
    return int(position[seat]["pp"].split("/")[0])


def played(deck, pair, whole=False):
    """Play a game at random; count each seat's actions from the words, and its PP from the positions, by own turn."""
    game, choose = load_game("dino"), load_strategy(load_game("dino"), "random").choose
    decks = (load_deck(game, deck),) * 2
    match = Match(Setup(game, load_set(game), decks, game.rules()))
    match.deal(side_keys(1, "dino", ((deck, "a"), (deck, "b"))), pair)
    counts, wasted, spent = [Counter(), Counter()], [{}, {}], [Counter(), Counter()]
    while not match.is_over:
        if match.waits_for_chance:
            match.let_happen()
            continue
        seat, turn, before = match.decider, match.turn, match.position
        words = match.legal[match.ask(choose)]
        key = (match.decision, words.split()[0])
        counts[seat][key] += 1
        match.act(words)
        if key[1] in ("summon", "cast"):
            assert match.turn == turn or not whole  # else the PP have been reset; take another pair
            own_turn = (
                (turn + 1) // 2 if seat == 1 - turn % 2 else turn // 2
            )  # a counter-spell is paid by the own turn before
            spent[seat][own_turn] += pp(before, seat) - pp(match.position, seat)
        if match.turn > turn > 1:  # the next turn's player has reset what was left of the own turn before
            wasted[turn % 2][turn // 2] = pp(before, turn % 2)
    return match, counts, wasted, spent


def test_tallies_count_what_happened():
    seen = Counter()
    for pair in range(12):
        match, counts, _, _ = played("rush", pair)
        for seat in range(2):
            player, count = match.state["players"][seat], counts[seat]
            found = dict(zip(L.TALLIES, player["tallies"].tolist(), strict=True))
            assert found["summons"] == count["main", "summon"]  # no card of this deck revives
            assert found["spells"] == count["main", "cast"]
            assert found["counter_spells"] == count["counter", "cast"]
            assert found["level_ups_by_card"] == count["main", "level"] + count["attack", "level"]
            assert found["blocks"] == count["block", "block"]
            seen.update(found)
    assert all(seen[name] > 0 for name in L.TALLIES)


def test_pp_are_counted_by_own_turn():
    match, _, wasted, spent = played("rush", 2, whole=True)  # no card of this deck gives or takes PP
    for seat in range(2):
        rows = match.state["players"][seat]["turn_tallies"].reshape(L.TALLY_TURNS, len(L.TURN_TALLIES))
        turns = np.flatnonzero(rows[:, L.N_GAMES]) + 1
        assert turns.tolist() == list(range(1, (match.turn + 1 - seat) // 2))  # the last one has not come to its reset
        for turn in turns.tolist():
            row = rows[turn - 1]
            assert (row[L.N_SPENT], row[L.N_WASTED]) == (spent[seat][turn], wasted[seat][turn])
