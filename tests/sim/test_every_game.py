"""What every game promises, on its starter set."""

import itertools
from collections import Counter

import numpy as np
import pytest

from sim import Counts, Match, Matchup, Runner, Setup, Side, load_deck, load_set, side_keys
from sim.counts import Joint
from sim.files.errors import InputError
from sim.files.toml import validate
from sim.kernels.course import COMEBACK, LONGEST, NONE, STOPPED_GAME, TURNS_APART, WON_BY_A, WON_BY_B
from sim.kernels.jit import kernel
from sim.kernels.loop import ROW_DECISIONS, ROW_REASON, ROW_TURNS, ROW_WINNER
from sim.kernels.streams import below, seed_streams, shuffle
from sim.library import deck_paths
from sim.replay import deck_parts
from sim.run import Block
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


def cards_of(match):
    """Count the cards that lie in zones whose content is known, and those of piles of which only the size is."""
    found = []
    for seat in match.position:
        entries = [entry for zone in seat.values() for entry in (zone if isinstance(zone, list) else [zone])]
        ids = [entry.split(" ")[0] for entry in entries if isinstance(entry, str)]
        found.append(
            (
                Counter(id for id in ids if id in match.setup.ids),
                seat["deck"] if isinstance(seat.get("deck"), int) else 0,
            )
        )
    return found


def assert_cards_are_kept(match):
    for (known, hidden), deck in zip(cards_of(match), match.setup.decks, strict=True):
        counts = sum((Counter(part) for _, part in deck_parts(deck)), Counter())
        assert known.total() + hidden == counts.total()
        assert not known - counts


def test_starter_set_has_six_decks_that_can_be_played(game):
    assert len(deck_names(game)) == 6
    for name in deck_names(game):
        assert game.check_deck(load_set(game), load_deck(game, name), game.rules()) == []


@pytest.mark.parametrize("strategy", ["random", "greedy"])
def test_games_end_offer_legal_actions_and_keep_their_cards(game, strategy):
    choose = load_strategy(game, strategy).choose
    for pair, (first, second) in enumerate(itertools.pairwise([*deck_names(game), deck_names(game)[0]])):
        match = Match(setup(game, first, second))
        match.deal(side_keys(1, game.name, ((first, "a"), (second, "b"))), pair)
        while not match.is_over:
            if match.waits_for_chance:
                match.let_happen()
            else:
                legal = match.legal
                assert legal
                assert len(set(legal)) == len(legal)
                assert match.decision in game.decisions
                match.act(match.ask(choose))
            assert_cards_are_kept(match)
        assert match.result["reason"] in game.reasons


def test_step_by_step_plays_the_same_game_as_the_compiled_loop(game):
    first, second = deck_names(game)[:2]
    a, b = side(game, first), side(game, second, "greedy")
    (chunk,) = runner(game, (a, b), keep_rows=True).play(jobs=1)
    for number, row in enumerate(chunk.rows):
        pair, order = divmod(number, 2)
        sides = (a, b) if order == 0 else (b, a)
        match = Match(Setup(game, load_set(game), (sides[0].deck, sides[1].deck), game.rules()))
        keys = side_keys(5, game.name, (a.names, b.names))
        match.deal(keys if order == 0 else keys[::-1], pair)
        while not match.is_over:
            if match.waits_for_chance:
                match.let_happen()
            else:
                match.act(match.ask(sides[match.decider].choose))
        winner = match.result["winner"]
        assert row[ROW_WINNER] == (-1 if winner is None else winner)
        assert game.reasons[row[ROW_REASON]] == match.result["reason"]
        assert (row[ROW_TURNS], row[ROW_DECISIONS]) == (match.turn, match.state["decisions"])


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


def test_exchanging_the_sides_exchanges_the_counts(game):
    a, b = (side(game, name) for name in deck_names(game)[:2])
    one, two = (next(iter(runner(game, matchup, pairs=6).play(1))).counts for matchup in ((a, b), (b, a)))
    assert (one.outcomes == two.outcomes[::-1]).all()
    assert (one.scores == two.scores[::-1, ::-1].T).all()


def test_a_mirror_with_the_same_streams_is_even_in_every_pair(game):
    """Control: same deck, same strategy, same shuffle and choices on both sides: the seat decides, and each side wins
    once.
    """
    for strategy in ("random", "greedy"):
        one = side(game, deck_names(game)[0], strategy)
        play = runner(game, (one, one), pairs=4)
        counts = play._play_chunk(Block(0, 0, 4), [play.tables(play.matchups[0])], np.array([7, 7], np.uint64)).counts
        assert counts.scores.sum() == 4
        assert counts.scores[[0, 1, 2], [2, 1, 0]].sum() == 4


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


def courses(game, a, b, pairs):
    """Play the pairs of a matchup step by step; gives for each game the leads after its turns, its result and its
    choices by seat.
    """
    keys = side_keys(1, game.name, (a.names, b.names))
    for pair in range(pairs):
        for order in range(2):
            sides = (a, b) if order == 0 else (b, a)
            match = Match(Setup(game, load_set(game), (sides[0].deck, sides[1].deck), game.rules()))
            match.deal(keys if order == 0 else keys[::-1], pair)
            leads, choices = {}, ([], [])
            while not match.is_over:
                if match.waits_for_chance:
                    match.let_happen()
                    continue
                if match.turn:
                    leads.setdefault(match.turn - 1, float(game.lead(match.state, match.table, 0)))
                choices[match.decider].append(len(match.legal_codes))
                match.act(match.ask(sides[match.decider].choose))
            for turn in range(match.turn):
                leads.setdefault(turn, float(game.lead(match.state, match.table, 0)))
            yield order, [leads[turn] for turn in range(match.turn)], match.result, choices


def test_the_course_of_games_is_counted(game):
    a, b = (side(game, name, "greedy") for name in deck_names(game)[:2])
    counts = next(iter(runner(game, (a, b), pairs=4, seed=1).play(1))).counts
    expected = Counts.empty(game, game.rules().max_turns)
    best = dict.fromkeys(range(len(expected.examples)), (NONE, NONE))
    for number, (order, leads, result, choices) in enumerate(courses(game, a, b, 4)):
        winner = 2 if result["winner"] is None else result["winner"]
        leaders = [0 if lead > 0 else 1 if lead < 0 else 2 for lead in leads]
        for turn, leader in enumerate(leaders):
            expected.leads[order, turn, leader, winner] += 1
        ahead = [leader for leader in leaders if leader != 2]
        expected.changes[order, sum(x != y for x, y in itertools.pairwise(ahead))] += 1
        for seat in range(2):
            expected.choices[order, seat] += (len(choices[seat]), sum(choices[seat]), choices[seat].count(1))
        values = {STOPPED_GAME: 1} if result["reason"] == "turn_limit" else {LONGEST: result["turns"]}
        if winner != 2:
            deficit = max(0.0, *(-lead if winner == 0 else lead for lead in leads))
            since = next(turn for turn in range(len(leads) + 1) if all(leader == winner for leader in leaders[turn:]))
            expected.deficits[order, winner, 1 + int(20 * deficit + 1e-9) if deficit else 0] += 1
            expected.decided[order, since] += 1
            arrears = [-lead if winner == 0 else lead for lead in leads]
            when = max((turn for turn, behind in enumerate(arrears) if behind == deficit), default=0)
            values |= {
                COMEBACK: int(1_000_000 * deficit) * TURNS_APART + when,
                (WON_BY_A if winner == order else WON_BY_B): 1,
            }
        for kind, value in values.items():
            if value > best[kind][0]:
                best[kind] = (value, number)
    expected.examples[:] = [best[kind] for kind in range(len(best))]
    for name in ("leads", "changes", "choices", "deficits", "decided", "examples"):
        assert getattr(counts, name).tolist() == getattr(expected, name).tolist(), name


def test_a_change_is_compared_pair_by_pair(game):
    """A matchup's changes play its pairs: one that changes nothing differs in none, and the sums are those of either
    alone.
    """
    a, b, c = (side(game, name, "greedy") for name in deck_names(game)[:3])
    shorter = game.rules(max_turns=2)
    matchup = Matchup(a, b, others=(Matchup(a, b), Matchup(a, c), Matchup(a, b, rules=shorter)))
    play = Runner(game, load_set(game), game.rules(), [matchup], 6, 1)
    found = [play.empty(one) for one in (matchup, *matchup.others)]
    joints = [Joint.empty() for _ in matchup.others]
    for chunk in play.play(2):
        found[0].add(chunk.counts)
        for counts, joint, (others, compared) in zip(found[1:], joints, chunk.others, strict=True):
            counts.add(others)
            joint.add(compared)
    same, other, short = joints
    assert same.strength.trace() == same.first_seat.trace() == 6
    assert same.turns.tolist() == [0, 0]
    assert found[1].scores.tolist() == found[0].scores.tolist()
    assert short.strength[:, 2].sum() == 6  # all are stopped after two turns: even
    assert short.turns[0] == 2 * 2 * 6 - (found[0].turns.sum(axis=(0, 1)) * np.arange(play.rules.max_turns + 1)).sum()
    quarters = np.arange(3)[:, None] + np.arange(3)[None, :]
    for joint, counts in zip(joints, found[1:], strict=True):
        assert joint.strength.sum(axis=1).tolist() == np.bincount(quarters.ravel(), found[0].scores.ravel(), 5).tolist()
        assert joint.strength.sum(axis=0).tolist() == np.bincount(quarters.ravel(), counts.scores.ravel(), 5).tolist()
        seats = 2 + np.arange(3)[:, None] - np.arange(3)[None, :]
        assert joint.first_seat.sum(axis=0).tolist() == np.bincount(seats.ravel(), counts.scores.ravel(), 5).tolist()
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


def test_every_rule_option_is_documented_and_refuses_nonsense(game):
    for option, field in game.rules.model_fields.items():
        assert field.description
        with pytest.raises(InputError, match=option):
            validate({option: "nonsense"}, game.rules, "rules")


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
