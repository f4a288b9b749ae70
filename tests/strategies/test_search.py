"""Search: what it tries out is a game that may be under way, dealt fairly, and it finds what wins."""

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from sim import Match, Setup, load_game
from sim.bits import U
from sim.jit import ENABLED
from sim.loop import OPEN, SECRET_SECOND
from sim.streams import seed_streams
from strategies import load_strategy
from strategies.check import differences, positions, starter_setups
from strategies.search import TRIES

EVERY = 1 if ENABLED else 25  # positions of which one is looked at
BUDGET = 50 if ENABLED else 16
KNOWN = pytest.mark.parametrize("knows_decks", [True, False], ids=["lists known", "lists unknown"])

# What of a state `hide` and `redeal` may change beside the streams: of the seat that thinks, of the other one.
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


def copy_of(match, kept={}):  # noqa: B006: a table is encoded once
    """Copy a game under way."""
    if kept.get("setup") is not match.setup:
        kept.update(setup=match.setup, copy=Match(replace(match.setup)))
    copy = kept["copy"]
    copy.states[:] = match.states
    copy.setup.tables[:] = match.setup.tables
    copy._legal[:] = match._legal
    copy._waits_for = match._waits_for
    return copy


def start_streams(match, key):
    for seat in range(2):
        seed_streams(match.state["players"][seat], np.uint64(key + seat), np.int64(key))


def dealt_anew(match, key=1):
    """Copy a game, hide and deal anew in it what its decider does not know, and be asked again; tells whether a choice was taken back."""
    copy, seat, game = copy_of(match), U(match.decider), match.game
    start_streams(copy, key)
    taken_back = bool(game.hide(copy.state, copy.table, seat))
    start_streams(copy, key + 2)
    game.redeal(copy.state, copy.table, seat)
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
    """Each unseen card is in the opponent's hand as often as its share says, each card of the own deck on top: within 5 deviations."""
    match, deals = middle(game), 3000 if ENABLED else 300
    seat, foe = match.decider, 1 - match.decider
    root, seen, tops = copy_of(match), Counter(), Counter()
    game.hide(root.state, root.table, U(seat))
    hidden, kept = root.states.copy(), []
    for deal in range(deals):
        root.states[:] = hidden
        start_streams(root, 2 * deal)
        game.redeal(root.state, root.table, U(seat))
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
    asked = Counter()
    first_choices = []
    for match in walk(game, knows_decks, every=1):
        if game.secrecy(match.state) != SECRET_SECOND:
            first_choices = copy_of(match), match.legal_codes.copy()
            kept = first_choices[0].states.copy()
            continue
        if asked[match.decision] >= (8 if ENABLED else 1):
            continue
        asked[match.decision] += 1
        answers = set()
        foe = match.state["players"][1 - match.decider]
        for code in first_choices[1][:: max(len(first_choices[1]) // 4, 1)]:
            before = copy_of(match)
            before.states[:] = kept
            game.apply(before.state, before.table, code)
            pending = int(before.state["players"][1 - match.decider]["pending"])
            copy = copy_of(match)
            copy.table["parameters"][:, : len(strategy.parameters)] = strategy.parameters
            copy.state["players"][1 - match.decider]["pending"] = pending
            answers.add(copy.ask(strategy.choose))
        assert foe["pending"] >= 0
        assert len(answers) == 1
        if all(asked[decision] >= (8 if ENABLED else 1) for decision in ("pick", "exchange", "lead", "battle")):
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
        match.game.words.redeal(copy.state, copy.table, match.decider, random)
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
                copy = nearly_won(match)
                copy.table["parameters"][:, : len(strategy.parameters)] = strategy.parameters
                assert copy.ask(strategy.choose) in winning
                found += 1
        if found == (20 if ENABLED else 1):
            break
    assert found
