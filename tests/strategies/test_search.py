"""Search: what it tries out is a game that may be under way, dealt fairly, and it finds what wins."""

import itertools
from collections import Counter
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from sim import InputError, Match, Matchup, Runner, Setup, Side, load_deck, load_game, load_set
from sim.kernels.bits import U
from sim.kernels.jit import ENABLED
from sim.kernels.loop import OPEN, SECRET_SECOND
from sim.kernels.streams import seed_streams
from sim.library import deck_paths
from strategies import load_strategy
from strategies.check import differences, positions, starter_setups
from strategies.search import TRIES, flat_search, tree_search
from strategies.strategy import strategy_module

EVERY = 1 if ENABLED else 25  # positions of which one is looked at
BUDGET = 50 if ENABLED else 16
KNOWN = pytest.mark.parametrize("knows_decks", [True, False], ids=["lists known", "lists unknown"])

# What of a state `pool_hidden` and `determinize` may change beside the streams: of the seat that thinks, of the other.
OWN = {"sea": {"life"}, "dino": {"deck"}, "seer": {"deck", "places"}}
HIDDEN = {
    "sea": {"life", "hand"},
    "dino": {"deck", "hand", "hand_counts"},
    "seer": {"deck", "places", "hand", "hand_counts", "pending", "picked"},
}
IMAGINED = {"supers", "super_counts"}  # beside it, with lists unknown


def walk(game, knows_decks, every=EVERY):
    """Give some positions of games that are played by greedy, and of games that are played at random."""
    choose = load_strategy(game, "greedy").choose
    found = (
        match
        for seed, setup in itertools.product(range(2), starter_setups(game, knows_decks))
        for match in positions(setup, choose, seed, np.random.default_rng(seed) if seed else None)
    )
    return itertools.islice(found, 0, None, every)


@lru_cache(maxsize=1)
def spare(setup):
    """Give a game to copy into, with a table of its own."""
    return Match(replace(setup))


def copy_of(match):
    """Copy a game under way; good until the next copy is made."""
    copy = spare(match.setup)
    copy.states[:] = match.states
    copy.setup.tables[:] = match.setup.tables
    copy._legal[:] = match._legal
    copy._waits_for = match._waits_for
    return copy


def tell(match, strategy):
    """Give both seats of a copy a strategy's parameters."""
    match.table["parameters"][:, : len(strategy.parameters)] = strategy.parameters
    return match


def start_streams(match, key):
    for seat in range(2):
        seed_streams(match.state["players"][seat], np.uint64(key + seat), np.int64(key))


def dealt_anew(match, key=1):
    """Copy a game, hide and deal anew in it what its decider does not know, and be asked again; tells whether a choice
    was taken back.
    """
    copy, seat, game = copy_of(match), U(match.decider), match.game
    start_streams(copy, key)
    taken_back = bool(game.pool_hidden(copy.state, copy.table, seat))
    start_streams(copy, key + 2)
    game.determinize(copy.state, copy.table, seat)
    if taken_back:
        copy._advance()
    return copy, taken_back


def hand(match, seat):
    """List the cards of a hand, as they are numbered in the deck."""
    player = match.state["players"][seat]
    if "hand_counts" in player.dtype.names:
        assert player["hand_counts"].sum() == player["hand_count"]
        return [kind for kind, n in enumerate(player["hand_counts"]) for _ in range(n)]
    return [int(match.table["decks"][seat]["pile"][slot]) for slot in range(60) if int(player["hand"]) >> slot & 1]


def pile(match, seat):
    """List a deck's cards, the top card last."""
    player = match.state["players"][seat]
    name = "deck" if "deck" in player.dtype.names else "life"
    return player[name][: player[f"{name}_count"]].tolist()


def fields_that_differ(match, copy, seat):
    """Give the fields of a state in which two games differ: those of the seat, those of the other, those of neither."""
    found = [set(), set(), set()]
    for where, _, _ in differences(match.states, copy.states, "state"):
        _, field, *rest = where.replace("[", ".").split(".")
        if field == "players":
            place, name = rest[0].rstrip("]"), rest[1]
            found[int(int(place) != seat)].add(name)
        else:
            found[2].add(field)
    return found


@KNOWN
def test_what_is_dealt_anew_leaves_what_is_known_and_can_be_played_on(game, knows_decks):
    """In every kind of decision: all that is open stays, no card is lost, and a game comes to its end from there."""
    random = load_strategy(game, "random").choose
    asked = set()
    for match in walk(game, knows_decks):
        asked.add(match.decision)
        seat, foe = match.decider, 1 - match.decider
        sizes, ids = [len(hand(match, seat)) for seat in range(2)], match.table["decks"]["cards"]["id"].copy()
        copy, taken_back = dealt_anew(match)
        mine, theirs, shared = fields_that_differ(match, copy, seat)
        assert mine <= OWN[game.name] | {"streams"}
        assert theirs <= HIDDEN[game.name] | {"streams"} | (set() if knows_decks else IMAGINED)
        assert shared <= ({"step", "decider", "decision", "decisions"} if taken_back else set())
        assert [len(hand(copy, seat)) for seat in range(2)] == sizes
        assert sorted(pile(copy, seat)) == sorted(pile(match, seat))
        where = [name for name, _, _ in differences(match.setup.tables, copy.setup.tables, "table")]
        if knows_decks:
            assert sorted(pile(copy, foe) + hand(copy, foe)) == sorted(pile(match, foe) + hand(match, foe))
            assert where == []
        else:
            assert all(name.startswith(f"table.decks[{foe}].") for name in where)
            unseen = {int(copy.table["decks"][foe]["cards"][card]["id"]) for card in hand(copy, foe)}
            assert unseen <= set(ids[seat].tolist())
        while copy.decider != seat:  # who chooses in secret before it
            copy.act(copy.ask(random))
        assert copy.legal_codes.tolist() == match.legal_codes.tolist()
        while not copy.is_over:
            copy.let_happen() if copy.waits_for_chance else copy.act(copy.ask(random))
    assert asked == set(game.decisions) or not ENABLED


def middle(game, knows_decks=True):
    """Find a position in the middle of a game in which both hold cards and the own deck has some."""
    for match in walk(game, knows_decks, every=1):
        if match.turn >= 5 and len(hand(match, 1 - match.decider)) >= 2 and len(pile(match, match.decider)) >= 6:
            return match
    raise AssertionError


def test_deals_are_fair(game):
    """Each unseen card is in the opponent's hand as often as its share says, each card of the own deck on top: within 5
    deviations.
    """
    match, deals = middle(game), 3000 if ENABLED else 300
    seat, foe = match.decider, 1 - match.decider
    root, seen, tops = copy_of(match), Counter(), Counter()
    game.pool_hidden(root.state, root.table, U(seat))
    hidden, kept = root.states.copy(), []
    for deal in range(deals):
        root.states[:] = hidden
        start_streams(root, 2 * deal)
        game.determinize(root.state, root.table, U(seat))
        held = hand(root, foe)
        seen.update(held)
        tops[pile(root, seat)[-1]] += 1
        kept.append(tuple(held + pile(root, foe)))
    assert len(set(kept)) > 0.9 * deals
    for found, cards, drawn in (
        (seen, hand(match, foe) + pile(match, foe), len(hand(match, foe))),
        (tops, pile(match, seat), 1),
    ):
        total = len(cards)
        for card, n in Counter(cards).items():
            variance = drawn * n / total * (1 - n / total) * (total - drawn) / max(total - 1, 1)
            assert abs(found[card] - deals * drawn * n / total) < 5 * np.sqrt(deals * variance) + 1e-9


@KNOWN
@pytest.mark.parametrize("name", ["ismcts", "montecarlo"])
def test_who_chooses_second_in_secret_does_not_know_the_first_choice(name, knows_decks):
    """Whatever the first has chosen, the answer is the same (seer: picks, exchange, lead, battle)."""
    game = load_game("seer")
    strategy = load_strategy(game, f"{name}:{BUDGET}")
    most, asked = 8 if ENABLED else 1, Counter()
    for match in walk(game, knows_decks, every=1):
        if game.secrecy(match.state) != SECRET_SECOND:
            before, choices = match.states.copy(), match.legal_codes.copy()
        elif asked[match.decision] < most:
            asked[match.decision] += 1
            foe, answers = 1 - match.decider, set()
            assert match.state["players"][foe]["pending"] >= 0
            for code in choices[:: max(len(choices) // 4, 1)]:
                first = copy_of(match)
                first.states[:] = before
                game.apply(first.state, first.table, code)
                pending = int(first.state["players"][foe]["pending"])
                second = tell(copy_of(match), strategy)
                second.state["players"][foe]["pending"] = pending
                answers.add(second.ask(strategy.choose))
            assert len(answers) == 1
        if sum(asked.values()) == 4 * most:
            break
    assert set(asked) == {"pick", "exchange", "lead", "battle"}


def test_the_lead_of_one_is_the_others_arrears(game):
    for match in walk(game, True):
        leads = [game.lead(match.state, match.table, U(seat)) for seat in range(2)]
        assert leads[0] == -leads[1]
        assert -1 <= leads[0] <= 1
    start = starter_setups(game)[0]
    mirror = Match(Setup(game, start.card_set, (start.decks[0],) * 2, start.rules))
    mirror.deal(np.arange(2, dtype=np.uint64))
    assert [game.lead(mirror.state, mirror.table, U(seat)) for seat in range(2)] == [0, 0]


def nearly_won(match):
    """Copy a game in which the opponent then has next to nothing left to lose."""
    copy = copy_of(match)
    copy.state["players"][1 - copy.decider][{"sea": "life_count", "dino": "life", "seer": "hp"}[match.game.name]] = 1
    return copy


def wins_at_once(match, place):
    """Tell whether an action wins without anything coming between, however what is hidden lies."""
    random = np.random.default_rng(1)
    for _ in range(4):
        copy = nearly_won(match)
        match.game.words.scramble_hidden(copy.state, copy.table, match.decider, random)
        copy.act(place)
        if not copy.is_over or copy.result["winner"] != match.decider:
            return False
    return True


@pytest.mark.parametrize("name", ["ismcts", "montecarlo"])
def test_what_wins_at_once_is_taken(game, name):
    strategy, found = load_strategy(game, f"{name}:{BUDGET}"), 0
    for match in walk(game, True, every=1):
        n = len(match.legal_codes)
        if 1 < n <= BUDGET // TRIES and game.secrecy(match.state) == OPEN:
            winning = [place for place in range(n) if wins_at_once(match, place)]
            if 0 < len(winning) < n:
                copy = tell(nearly_won(match), strategy)
                assert copy.ask(strategy.choose) in winning
                found += 1
        if found == (20 if ENABLED else 1):
            break
    assert found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ismcts:0", r"playouts: found '0', expected a whole number from 1 to 1,000,000"),
        ("ismcts:1000001", r"playouts: found '1000001', expected a whole number"),
        ("ismcts:x", r"playouts: found 'x'"),
        ("ismcts:2.5", r"playouts: found '2.5'"),
        ("ismcts:50,exploration=-1", r"exploration: found '-1', expected a number from 0 to 100"),
        ("montecarlo:exploration=1", r"unknown option 'exploration'"),
        ("montecarlo:50,1", r"found the option '1', expected at most 1 \(playouts\)"),
    ],
)
def test_budgets_that_make_no_sense_are_refused(game, name, message):
    with pytest.raises(InputError, match=message):
        load_strategy(game, name)


def test_budget_and_exploration_are_told_in_order_or_by_name(game):
    assert load_strategy(game, "ismcts").parameters == (200, 0.7)
    assert (
        load_strategy(game, "ismcts:50,exploration=1").parameters
        == load_strategy(game, "ismcts:50,1").parameters
        == (50, 1)
    )
    assert load_strategy(game, "montecarlo:playouts=7").parameters == (7,)


@pytest.mark.parametrize("name", ["ismcts", "montecarlo"])
def test_budgets_below_the_number_of_actions_do(game, name):
    """Dino's mulligans offer hundreds of actions: a few of them are tried, what greedy does among them."""
    strategies = [load_strategy(game, f"{name}:{budget}") for budget in (1, 3)]
    offers = (match for match in walk(game, True, every=1) if len(match.legal_codes) > 3)
    for match in itertools.islice(offers, 40 if ENABLED else 4):
        for strategy in strategies:
            place = tell(copy_of(match), strategy).ask(strategy.choose)
            assert 0 <= place < len(match.legal_codes)


@pytest.mark.skipif(ENABLED, reason="compiled code cannot be counted in")
@pytest.mark.parametrize("search", [flat_search, tree_search])
def test_no_more_games_are_tried_out_than_told(game, search):
    """But for two, which tell at least two actions apart; and most of what is told is made use of."""
    tried = []

    def determinize(state, table, seat):
        tried.append(seat)
        game.determinize(state, table, seat)

    choose = search(replace(game, determinize=determinize), strategy_module(game.name, "greedy").choose, ())
    for match in walk(game, True, every=150):
        for budget in (1, 3, 20):
            tried.clear()
            copy = copy_of(match)
            copy.table["parameters"][:, :2] = budget, 0.7
            copy.ask(choose)
            if len(match.legal_codes) > 1:
                assert budget / 3 <= len(tried) <= max(budget, 2)
            else:
                assert tried == []


@pytest.mark.compiled
def test_games_that_search_plays_do_not_depend_on_workers_or_chunks(game):
    strategy = load_strategy(game, "ismcts:12")
    one, two = (
        Side(name, load_deck(game, name), strategy.label, strategy.choose, strategy.parameters)
        for name in list(deck_paths(game))[:2]
    )
    found = []
    for jobs, chunk_pairs in ((1, 4), (2, 1), (1, 3)):
        rows = {}
        runner = Runner(
            game, load_set(game), game.rules(), [Matchup(one, two)], 4, 5, chunk_pairs=chunk_pairs, keep_rows=True
        )
        for chunk in runner.play(jobs):
            rows[chunk.first_pair] = chunk.rows.tolist()
        found.append([row for _, chunk in sorted(rows.items()) for row in chunk])
    assert found[0] == found[1] == found[2]
