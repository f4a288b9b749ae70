"""What every game promises, on its starter set."""

from collections import Counter

import numpy as np
import pytest

from sim import Match, Matchup, Runner, Setup, Side, load_deck, load_set, side_keys
from sim.counts import PairedCounts
from sim.files.errors import InputError
from sim.kernels.jit import kernel
from sim.kernels.streams import below, seed_streams, shuffle
from sim.library import deck_paths
from sim.run import Block
from sim.testing import check_game
from strategies import load_strategy


def deck_names(game):
    return list(deck_paths(game))


def setup(game, first, second, **rules):
    card_set, options = load_set(game), game.rules(**rules)
    return Setup(game, card_set, tuple(load_deck(game, name, card_set, options) for name in (first, second)), options)


def side(game, deck, strategy="random"):
    found = load_strategy(game, strategy)
    return Side(deck, load_deck(game, deck), strategy, found.choose, found.parameters)


def runner(game, *matchups, pairs=3, **keys):
    keys = {"seed": 5, **keys}
    return Runner(game, load_set(game), game.rules(), [Matchup(a, b) for a, b in matchups], pairs, **keys)


def test_a_game_keeps_its_promises(game):
    assert check_game(game, [load_strategy(game, "greedy").choose]) > 0


def test_starter_set_has_six_decks_that_can_be_played(game):
    assert len(deck_names(game)) == 6
    for name in deck_names(game):
        assert game.check_deck(load_set(game), load_deck(game, name), game.rules()) == []


def piles(match):
    """Give the piles, after each player has picked the first that it may where cards are picked from them."""
    while match.piles is None:
        match.act(0)
    return match.piles


def test_a_side_has_the_same_deal_in_both_games_of_a_pair(game):
    first, second = deck_names(game)[:2]
    keys = side_keys(5, game.name, ((first, "s"), (second, "s")))
    one, two = Match(setup(game, first, second)), Match(setup(game, second, first))
    one.deal(keys, 3)
    two.deal(keys[::-1], 3)
    assert piles(one) == piles(two)[::-1]
    three = Match(setup(game, first, second))
    three.deal(keys, 4)
    assert piles(three) != piles(one)


def test_given_piles_can_be_played_on_at_random(game):
    first, second = deck_names(game)[:2]
    dealt, given = Match(setup(game, first, second)), Match(setup(game, first, second))
    dealt.deal(side_keys(5, game.name, ((first, "s"), (second, "s"))))
    given.deal_piles(piles(dealt))
    assert piles(given) == piles(dealt)
    assert all(given.state["players"]["streams"].any(axis=-1).ravel())  # a stream of zeros would never leave them
    choose = load_strategy(game, "random").choose
    while not given.is_over:
        given.let_happen() if given.waits_for_chance else given.act(given.ask(choose))


def counted(game, *matchups, jobs=1, blocks=None, **keys):
    play = runner(game, *matchups, **keys)
    totals = [play.empty(matchup) for matchup in play.matchups]
    for chunk in play.play(jobs, blocks):
        totals[chunk.matchup].add(chunk.counts)
    return [np.concatenate([x.ravel() for x in c.arrays.values()]).tolist() for c in totals]


def test_results_do_not_depend_on_workers_chunks_or_order(game):
    a, b, c = (side(game, name) for name in deck_names(game)[:3])
    alone = counted(game, (a, b), (a, c), pairs=5)
    assert counted(game, (a, b), (a, c), pairs=5, jobs=2, chunk_pairs=2) == alone
    assert counted(game, (a, c), (a, b), pairs=5, chunk_pairs=1) == alone[::-1]
    assert counted(game, (a, b), (a, c), pairs=5, blocks=[Block(1, 3, 2), Block(0, 0, 5), Block(1, 0, 3)]) == alone
    assert counted(game, (a, b), pairs=5, seed=6) != alone[:1]


def test_counts_agree_with_each_other(game):
    a, b = (side(game, name) for name in deck_names(game)[:2])
    counts = next(iter(runner(game, (a, b), pairs=6).play(1))).counts
    assert counts.scores.sum() == 6
    assert (counts.outcomes.sum(axis=(1, 2)) == 6).all()
    assert (counts.turns.sum(axis=2) == counts.outcomes.sum(axis=1)).all()
    assert (counts.changes.sum(axis=1) == 6).all()
    assert (counts.deficits.sum(axis=2) == counts.outcomes[:, :2].sum(axis=2)).all()
    assert (counts.decided.sum(axis=1) == counts.outcomes[:, :2].sum(axis=(1, 2))).all()
    assert (
        counts.leads.sum(axis=(2, 3)) == 6 - np.cumsum(counts.turns.sum(axis=1), axis=1)
    ).all()  # after a turn, if not the last
    decisions, actions, forced = counts.choices.sum(axis=(0, 1))
    assert 0 < forced < decisions < actions
    points = (counts.scores * (np.arange(3)[:, None] + np.arange(3)[None, :])).sum()
    wins, losses = counts.outcomes.sum(axis=2)[0, :2], counts.outcomes.sum(axis=2)[1, :2]
    draws = counts.outcomes[:, 2].sum()
    assert points == 2 * (wins[0] + losses[1]) + draws


def test_a_change_is_compared_pair_by_pair(game):
    """A matchup's changes play its pairs: one that changes nothing differs in none, and the sums are those of either
    alone.
    """
    a, b, c = (side(game, name, "greedy") for name in deck_names(game)[:3])
    shorter = game.rules(max_turns=2)
    matchup = Matchup(a, b, others=(Matchup(a, b), Matchup(a, c), Matchup(a, b, rules=shorter)))
    play = Runner(game, load_set(game), game.rules(), [matchup], 6, 1)
    found = [play.empty(one) for one in (matchup, *matchup.others)]
    comparisons = [PairedCounts.empty() for _ in matchup.others]
    for chunk in play.play(2):
        found[0].add(chunk.counts)
        for counts, paired, (others, compared) in zip(found[1:], comparisons, chunk.others, strict=True):
            counts.add(others)
            paired.add(compared)
    same, other, short = comparisons
    assert same.strength.trace() == same.first_seat.trace() == 6
    assert same.turns.tolist() == [0, 0]
    assert found[1].scores.tolist() == found[0].scores.tolist()
    assert short.strength[:, 2].sum() == 6  # all are stopped after two turns: even
    assert short.turns[0] == 2 * 2 * 6 - (found[0].turns.sum(axis=(0, 1)) * np.arange(play.rules.max_turns + 1)).sum()
    quarters = np.arange(3)[:, None] + np.arange(3)[None, :]
    for paired, counts in zip(comparisons, found[1:], strict=True):
        assert (
            paired.strength.sum(axis=1).tolist() == np.bincount(quarters.ravel(), found[0].scores.ravel(), 5).tolist()
        )
        assert paired.strength.sum(axis=0).tolist() == np.bincount(quarters.ravel(), counts.scores.ravel(), 5).tolist()
        seats = 2 + np.arange(3)[:, None] - np.arange(3)[None, :]
        assert paired.first_seat.sum(axis=0).tolist() == np.bincount(seats.ravel(), counts.scores.ravel(), 5).tolist()
    assert other.strength.sum() == 6


def test_closing_the_iterator_stops_every_task(game):
    a = side(game, deck_names(game)[0])
    play = runner(game, (a, a), pairs=40, chunk_pairs=4)
    chunks = play.play(jobs=2)
    next(chunks)
    chunks.close()
    assert play._stop[0] == 1


def test_an_illegal_choice_is_refused_in_the_strategys_name(game, tmp_path):
    (tmp_path / "rash.py").write_text("def choose(state, table, legal, n):\n    return n\n", encoding="utf-8")
    rash = load_strategy(game, "rash.py", tmp_path)
    a = Side("x", load_deck(game, deck_names(game)[0]), rash.label, rash.choose)
    with pytest.raises(InputError, match=r"strategy rash.py: chose a place outside its legal list"):
        list(runner(game, (side(game, deck_names(game)[0]), a)).play(1))
    match = Match(setup(game, *deck_names(game)[:2]))
    match.deal(side_keys(1, game.name, (("x", "a"), ("y", "b"))))
    with pytest.raises(InputError, match=r"strategy rash.py: chose place \d+ of a legal list of \d+ \(turn [01],"):
        match.ask(rash.choose, rash.label)


def test_an_illegal_action_is_refused_with_the_nearest(game):
    first, second = deck_names(game)[:2]
    match = Match(setup(game, first, second))
    match.deal(side_keys(1, game.name, ((first, "a"), (second, "b"))))
    with pytest.raises(InputError, match="unknown action"):
        match.act(match.legal[0] + "x")
    with pytest.raises(InputError, match="found place"):
        match.act(len(match.legal))


def test_a_frozen_game(game):
    """Control: what a seed gives does not change unnoticed (a change of rules or streams is a change for users)."""
    first, second = deck_names(game)[:2]
    choose = load_strategy(game, "random").choose
    match = Match(setup(game, first, second))
    match.deal(side_keys(1, game.name, ((first, "random"), (second, "random"))))
    actions = []
    while not match.is_over:
        if match.waits_for_chance:
            match.let_happen()
            continue
        place = match.ask(choose)
        actions.append(match.legal[place])
        match.act(place)
    assert FROZEN[game.name] == (len(actions), actions[:6], match.result)


FROZEN = {
    "seer": (
        120,
        [
            "pick sparkmouse,sparkmouse",
            "pick dewturtle,mossgolem",
            "keep",
            "exchange",
            "lead sparkmouse",
            "lead mossgolem",
        ],
        {"winner": 0, "reason": "hp", "turns": 41},
    ),
    "dino": (
        112,
        [
            "return psittacosaurus,pteranodon",
            "return protoceratops,regression",
            "attack",
            "attack",
            "summon velociraptor",
            "attack",
        ],
        {"winner": 1, "reason": "life", "turns": 26},
    ),
    "sea": (
        101,
        ["draw", "support flying_fish", "end", "draw", "support sperm_whale", "deploy clownfish"],
        {"winner": None, "reason": "stalemate", "turns": 27},
    ),
}


@kernel
def draw(player, stream, n):
    """Draw a number."""
    return below(player, stream, n)


def test_streams_are_unbiased_and_independent():
    players = np.zeros(1, [("streams", np.uint64, (3, 2))])
    seen = np.zeros((3, 5), int)
    for pair in range(300):
        seed_streams(players[0], np.uint64(9), np.int64(pair))
        for stream in range(3):
            seen[stream, draw(players[0], stream, 5)] += 1
    assert (seen.sum(axis=1) == 300).all()
    assert (abs(seen - 60) < 33).all()  # 4.7 standard deviations


@kernel
def mix_in(player, pile, size, fresh):
    """Shuffle a pile, then a few more cards into it."""
    shuffle(player, pile, size - fresh, size - fresh)
    shuffle(player, pile, size, fresh)


@pytest.mark.parametrize("fresh", range(5))
def test_cards_are_shuffled_into_a_pile_as_with_a_shuffle_of_it_all(fresh):
    players = np.zeros(1, [("streams", np.uint64, (3, 2))])
    seen = Counter()
    for pair in range(2400):
        seed_streams(players[0], np.uint64(7), np.int64(pair))
        pile = np.arange(4, dtype=np.int8)
        mix_in(players[0], pile, 4, fresh)
        seen[tuple(pile.tolist())] += 1
    assert len(seen) == 24
    assert (
        sum((n - 100) ** 2 / 100 for n in seen.values()) < 61
    )  # chi-squared with 23 degrees of freedom: one in 30,000 is above
