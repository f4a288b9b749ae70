"""What every game promises, as one check: for the tests of a game, and for ``komi validate`` of one from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from sim.cards import Deck
from sim.files.errors import InputError
from sim.files.toml import validate
from sim.game import TURN_LIMIT, Game
from sim.kernels.bits import U
from sim.kernels.course import COMEBACK, LONGEST, NONE, STOPPED_GAME, TURNS_APART, WON_BY_A, WON_BY_B
from sim.kernels.jit import ENABLED, compile_now, kernel
from sim.kernels.loop import OPEN, ROW_DECISIONS, ROW_REASON, ROW_TURNS, ROW_WINNER, SECRET_FIRST, SECRET_SECOND
from sim.kernels.streams import STRATEGY, below, seed_streams, side_keys
from sim.kernels.table import NOBODY, NOT_OVER
from sim.library import deck_paths, load_deck, load_set
from sim.play import Match, Setup
from sim.replay import check, deck_parts, record
from sim.run import Block, Matchup, Runner, Side
from sim.tracing import Tracer

Choose = Callable[..., int]

SEED = 1
MARGIN = 64  # places behind a legal list that nothing may be written to
UNTOUCHED = -(2**31) + 1  # stands there
FEW_TURNS = 2
PAIRS = 4
PLAYED_ON = 10  # of so many positions in which what is hidden is dealt anew, one is played on from


class PromiseError(AssertionError):
    """A game does not do what every game has to."""


@kernel
def any_legal(state, table, legal, n):  # type: ignore[no-untyped-def]
    """Draw a place in the legal list: the player of the check."""
    return below(state["players"][U(state["decider"])], STRATEGY, n)


def check_game(game: Game, players: Sequence[Choose] = (), pairs: int = PAIRS) -> int:
    """Check all that komi expects of a game, on its starter set.

    Every deck of the set is played, by random play and by the players that are given, and it is checked that

    - each deck is allowed; each option has a description and a default, and refuses nonsense;
    - games end, by one of the game's reasons, and within ``max_turns``, however few they are;
    - a legal list has each action once, in words of its own, and depends on the position alone; nothing is written
      behind it, nor before or behind the position, nor into the table;
    - compiled and plain Python go the same way, step by step;
    - the compiled loop plays the games that are played step by step; equal seeds give equal games, a deal belongs to a
      side, whatever its seat; exchanged sides give exchanged counts; counts add up, and tell each game's course;
    - a replay of a game is one by the rules, and its piles can be dealt;
    - the lead of one seat is the arrears of the other;
    - what is hidden from a seat can be dealt anew: its legal list, its own hand and the number of cards everywhere
      stay, and the game can be played on from there.

    Parameters
    ----------
    game : Game
        The game.
    players : sequence of function
        Strategies' functions that play, too: they come into positions that random play avoids.
    pairs : int
        Pairs of games for each two decks that are neighbours.

    Returns
    -------
    int
        How many games were played step by step.

    Raises
    ------
    PromiseError
        With the first promise that is not kept, in words.
    InputError
        If sets or decks cannot be read, or the game cannot be compiled.
    """
    with np.errstate(over="ignore"):  # arithmetic of machines wraps around
        check_files(game)
        played = 0
        if ENABLED:
            compile_now(any_legal, game.choose_type.args)
        for choose in (any_legal, *players):
            for pair, setup in enumerate(_setups(game)):
                _check_steps(setup, choose, pair)
                played += 1
        first = next(_setups(game))
        for both in {
            (a, b): None for choose in (any_legal, *players) for a, b in ((any_legal, choose), (choose, choose))
        }:
            played += _check_loop(first, both, pairs)
        _check_replays(first)
        _check_limit(first)
        for choose in (any_legal, *players):
            _check_even(first, choose)
            played += 2 * PAIRS
    return played


def check_files(game: Game) -> None:
    """Check the starter set, its decks and the rule options of a game (see `check_game`)."""
    card_set, labels = load_set(game), list(deck_paths(game))
    _expect(labels, "found no starter deck, expected one")
    for label in labels:
        load_deck(game, label, card_set)
    for option, field in game.rules.model_fields.items():
        _expect(field.description, f"the option {option!r} has no description")
        try:
            validate({option: "nonsense"}, game.rules, "rules")
        except InputError as error:
            _expect(option in str(error), f"the option {option!r} refuses nonsense without its name: {error}")
        else:
            raise PromiseError(f"the option {option!r} takes nonsense")


def _expect(holds: Any, broken: str) -> None:
    if not holds:
        raise PromiseError(broken)


def _setups(game: Game, **rules: Any) -> Iterator[Setup]:
    """Seat each starter deck beside the next one."""
    card_set, options = load_set(game), game.rules(**rules)
    decks = [load_deck(game, label, card_set, options) for label in deck_paths(game)]
    for first, second in pairwise([*decks, decks[0]]):
        yield Setup(game, card_set, (first, second), options)


def _dealt(setup: Setup, pair: int = 0, *, exchanged: bool = False) -> Match:
    """Deal a game between the two decks of a setup; exchanged, each side in the other seat."""
    keys = side_keys(SEED, setup.game.name, (("first", "a"), ("second", "b")))
    match = Match(replace(setup, decks=(setup.decks[1], setup.decks[0])) if exchanged else setup)
    match.deal(keys[::-1] if exchanged else keys, pair)
    return match


def _where(match: Match) -> str:
    decision = "" if match.is_over or match.waits_for_chance else f", {match.decision}"
    return f"{match.setup.decks[0].name} against {match.setup.decks[1].name}, turn {match.turn}{decision}"


def _check_steps(setup: Setup, choose: Choose, pair: int) -> None:
    """Play a game step by step, and look at everything in each position."""
    match = _dealt(setup, pair)
    room, plain = _Room(match), Tracer(match)
    before = setup.tables.copy()
    while not match.is_over:
        where = _where(match)
        if match.waits_for_chance:
            plain.follow()
            match.let_happen()
        else:
            _check_position(match, where)
            room.take_each(match, where)
            if setup.game.hides:
                room.deal_anew(match, where)
            code = int(match.legal_codes[place := match.ask(choose)])
            plain.follow(code)
            match.act(place)
        _expect(
            _same(plain.states, match.states),
            f"compiled, the next step goes another way than in plain Python ({where})",
        )
        _expect(_same(setup.tables, before), f"the table has been changed ({where})")
        _check_cards(match, where)
    reason, winner = int(match.state["reason"]), int(match.state["winner"])
    _expect(0 <= reason < len(setup.game.reasons), f"found the reason {reason} ({_where(match)})")
    _expect(winner in (0, 1, NOBODY), f"found the winner {winner} ({_where(match)})")


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return bool((one == other).all())


def _check_position(match: Match, where: str) -> None:
    """Check the legal list, what is asked, and who is ahead."""
    game, state = match.game, match.state
    legal = match.legal
    _expect(legal, f"nothing is legal ({where})")
    _expect(len(set(legal)) == len(legal), f"the legal list has an action twice: {legal} ({where})")
    _expect(len(set(match.legal_codes.tolist())) == len(legal), f"the legal list has a code twice ({where})")
    _expect(match.decider in (0, 1), f"found the decider {match.decider} ({where})")
    _expect(0 <= int(state["decision"]) < len(game.decisions), f"found the decision {state['decision']} ({where})")
    _expect(int(state["reason"]) == NOT_OVER, f"found the reason {state['reason']} of a game under way ({where})")
    _expect(
        game.secrecy(state) in (OPEN, SECRET_FIRST, SECRET_SECOND), f"found {game.secrecy(state)} as secrecy ({where})"
    )
    leads = [float(game.lead(state, match.table, U(seat))) for seat in range(2)]
    _expect(leads[0] == -leads[1], f"found the leads {leads}, expected one to be the other's arrears ({where})")
    _expect(-1 <= leads[0] <= 1, f"found the lead {leads[0]}, expected -1 to 1 ({where})")


class _Room:
    """Room to try out steps in, with margins, in which it is seen what is written too far."""

    def __init__(self, match: Match):
        self.size = match.game.legal_size
        self.legal = np.full(self.size + MARGIN, UNTOUCHED, np.int32)
        self.states = np.zeros(3, match.game.state)
        self.copies = [Match(replace(match.setup)) for _ in range(2)]
        self.positions = 0

    def take_each(self, match: Match, where: str) -> None:
        """Take each legal action in a copy of the position."""
        game = match.game
        kept = match.legal_codes.copy()
        for code in kept.tolist():
            self.legal[:], asked = UNTOUCHED, int(match.state["decisions"])
            self.states.view(np.uint8)[:] = 0xAA
            self.states[1] = match.state
            rim = self.states[0].tobytes()
            state = self.states[1]
            game.apply(state, match.table, np.int32(code))
            n = int(game.advance(state, match.table, self.legal[: self.size]))
            _expect((self.legal[self.size :] == UNTOUCHED).all(), f"a legal list is longer than {self.size} ({where})")
            _expect(n <= self.size, f"a legal list has {n} actions, expected at most {self.size} ({where})")
            margins = [self.states[i].tobytes() for i in (0, 2)]
            _expect(margins == [rim, rim], f"something is written beside the position ({where})")
            _expect(int(state["decisions"]) == asked + (n > 0), f"decisions are not counted one by one ({where})")
            _expect(0 <= int(state["turn"]) <= match.setup.rules.max_turns, f"found the turn {state['turn']} ({where})")

    def deal_anew(self, match: Match, where: str) -> None:
        """Deal anew what the one who decides cannot know, as a search does and as the check of strategies does."""
        game, seat, (first, second) = match.game, match.decider, self.copies
        first.go_on_from(match)
        second.go_on_from(match)
        self.positions += 1
        _start_streams(first, 2 * self.positions)
        taken_back = bool(game.pool_hidden(first.state, first.table, U(seat)))
        _start_streams(first, 2 * self.positions + 1)
        game.determinize(first.state, first.table, U(seat))
        game.words.scramble_hidden(second.state, second.table, seat, np.random.default_rng(self.positions))
        own = [one.state["players"][seat]["streams"][STRATEGY].tolist() for one in (match, second)]
        _expect(own[0] == own[1], f"the stream of the seat's own choices does not stay ({where})")
        if taken_back:
            first.ask_anew()
            while first.decider != seat:
                first.act(first.ask(any_legal))
        said = f"with what is hidden dealt anew ({where})"
        _expect(first.legal_codes.tolist() == match.legal_codes.tolist(), f"the legal list is another one {said}")
        for copy in self.copies:
            mine, theirs = (one.position[seat].get("hand") for one in (match, copy))
            _expect(mine == theirs, f"the seat's own hand is another one {said}")
            for field in ("hand", "hand_count", "hand_counts"):
                if field in game.player_fields:
                    mine, theirs = (one.state["players"][seat][field].tolist() for one in (match, copy))
                    _expect(mine == theirs, f"the seat's own hand is another one {said}")
            sizes = [[_size(zone) for side in one.position for zone in side.values()] for one in (match, copy)]
            _expect(sizes[0] == sizes[1], f"there is another number of cards somewhere {said}")
        if self.positions % PLAYED_ON == 1:
            while not first.is_over:
                first.let_happen() if first.waits_for_chance else first.act(first.ask(any_legal))


def _known_cards(match: Match) -> list[tuple[Counter[str], int]]:
    """Count by seat the cards that lie in zones whose content is known, and those of piles that have only a size."""
    found = []
    for seat in match.position:
        entries = [entry for zone in seat.values() for entry in (zone if isinstance(zone, list) else [zone])]
        ids = [entry.split(" ")[0] for entry in entries if isinstance(entry, str)]
        known = Counter(id for id in ids if id in match.setup.ids)
        found.append((known, seat["deck"] if isinstance(seat.get("deck"), int) else 0))
    return found


def _check_cards(match: Match, where: str) -> None:
    """Check that no card is lost or comes from nowhere, in a game whose positions tell of cards."""
    for (known, hidden), deck in zip(_known_cards(match), match.setup.decks, strict=True):
        counts: Counter[str] = sum((Counter(part) for _, part in deck_parts(deck)), Counter())
        _expect(not known - counts, f"found cards that the deck has not: {dict(known - counts)} ({where})")
        if match.game.has_piles or known:
            total = known.total() + hidden
            _expect(total == counts.total(), f"found {total} cards of the {counts.total()} of the deck ({where})")


def _size(zone: Any) -> int:
    return len(zone) if isinstance(zone, list) else 1


def _start_streams(match: Match, key: int) -> None:
    for seat in range(2):
        seed_streams(match.state["players"][seat], np.uint64(2 * key + seat), np.int64(key))


def _side(deck: Deck, label: str, choose: Choose) -> Side:
    return Side(label, deck, "a" if label == "first" else "b", choose)


def _runner(setup: Setup, players: tuple[Choose, Choose], pairs: int, *, exchanged: bool = False) -> Runner:
    sides = [_side(*side) for side in zip(setup.decks, ("first", "second"), players, strict=True)]
    a, b = reversed(sides) if exchanged else sides
    return Runner(setup.game, setup.card_set, setup.rules, [Matchup(a, b)], pairs, SEED, keep_rows=True)


def _check_loop(setup: Setup, players: tuple[Choose, Choose], pairs: int) -> int:
    """Play pairs by the compiled loop and step by step, and compare rows and counts; gives the number of games."""
    (chunk,) = _runner(setup, players, pairs).play(1)
    (again,) = _runner(setup, players, pairs).play(1)
    (other,) = _runner(setup, players, pairs, exchanged=True).play(1)
    assert chunk.rows is not None
    assert again.rows is not None
    _expect((chunk.rows == again.rows).all(), "equal seeds give different games")
    for name, array in chunk.counts.arrays.items():
        _expect((array == again.counts.arrays[name]).all(), f"equal seeds give different counts ({name})")
    one, two = chunk.counts, other.counts
    _expect((one.outcomes == two.outcomes[::-1]).all(), "exchanged sides do not exchange outcomes")
    _expect((one.scores == two.scores[::-1, ::-1].T).all(), "exchanged sides do not exchange scores")
    _expect(one.contradiction() is None, f"the counts do not add up: {one.contradiction()}")
    expected, choices = _Course(setup, pairs), 0
    for number, row in enumerate(chunk.rows):
        pair, order = divmod(number, 2)
        match = _dealt(setup, pair, exchanged=order == 1)
        piles = match.piles
        expected.follow(number, order, match, players if order == 0 else players[::-1])
        choices += int(match.state["decisions"])
        winner = int(match.state["winner"])
        found = [int(row[i]) for i in (ROW_WINNER, ROW_REASON, ROW_TURNS, ROW_DECISIONS)]
        wanted = [winner, int(match.state["reason"]), match.turn, int(match.state["decisions"])]
        _expect(
            found == wanted, f"the compiled loop plays another game: found {found}, expected {wanted} ({_where(match)})"
        )
        if order == 0:
            dealt = piles
        elif piles is not None:
            _expect(dealt == piles[::-1], "a side has another deal in the second game of a pair")
    for name in _Course.COUNTED:
        found, wanted = getattr(one, name).tolist(), getattr(expected.counts, name).tolist()
        _expect(found == wanted, f"the compiled loop counts other {name}")
    _expect(int(one.choices[..., 0].sum()) == choices, "decisions are not counted one by one")
    return len(chunk.rows)


class _Course:
    """Counts the course of games that are played step by step, in plain words."""

    COUNTED = ("leads", "changes", "choices", "deficits", "decided", "examples")

    def __init__(self, setup: Setup, pairs: int):
        self.counts = setup.game.empty_counts(setup.rules.max_turns)
        self.best = dict.fromkeys(range(len(self.counts.examples)), (NONE, NONE))

    def follow(self, number: int, order: int, match: Match, players: tuple[Choose, Choose]) -> None:
        """Play a dealt game to its end, with who plays by seat."""
        leads: dict[int, float] = {}
        choices: tuple[list[int], list[int]] = ([], [])

        def lead() -> float:
            return float(match.game.lead(match.state, match.table, 0))

        while not match.is_over:
            if match.waits_for_chance:
                match.let_happen()
                continue
            if match.turn:
                leads.setdefault(match.turn - 1, lead())
            choices[match.decider].append(len(match.legal_codes))
            match.act(match.ask(players[match.decider]))
        for turn in range(match.turn):
            leads.setdefault(turn, lead())
        self._count(number, order, [leads[turn] for turn in range(match.turn)], match.result)
        for seat in range(2):
            self.counts.choices[order, seat] += (len(choices[seat]), sum(choices[seat]), choices[seat].count(1))
        self.counts.examples[:] = [self.best[kind] for kind in range(len(self.best))]

    def _count(self, number: int, order: int, leads: list[float], result: dict[str, Any]) -> None:
        expected, winner = self.counts, 2 if result["winner"] is None else result["winner"]
        leaders = [0 if lead > 0 else 1 if lead < 0 else 2 for lead in leads]
        for turn, leader in enumerate(leaders):
            expected.leads[order, turn, leader, winner] += 1
        ahead = [leader for leader in leaders if leader != 2]
        expected.changes[order, sum(x != y for x, y in pairwise(ahead))] += 1
        values = {STOPPED_GAME: 1} if result["reason"] == TURN_LIMIT else {LONGEST: result["turns"]}
        if winner != 2:
            arrears = [-lead if winner == 0 else lead for lead in leads]
            deficit = max(0.0, *arrears) if arrears else 0.0
            since = next(turn for turn in range(len(leads) + 1) if all(leader == winner for leader in leaders[turn:]))
            expected.deficits[order, winner, 1 + int(20 * deficit + 1e-9) if deficit else 0] += 1
            expected.decided[order, since] += 1
            when = max((turn for turn, behind in enumerate(arrears) if behind == deficit), default=0)
            values[COMEBACK] = int(1_000_000 * deficit) * TURNS_APART + when
            values[WON_BY_A if winner == order else WON_BY_B] = 1
        for kind, value in values.items():
            if value > self.best[kind][0]:
                self.best[kind] = (value, number)


def _check_replays(setup: Setup) -> None:
    """Write a game down and play it again, and deal its piles."""
    match = _dealt(setup)
    replay = record(match, (any_legal, any_legal), states=True)
    difference = check(replay, setup.card_set, setup.game)
    _expect(difference is None, f"a replay is no game by the rules: {difference}")
    dealt, given = _dealt(setup), Match(setup)
    given.deal_piles(_piles(dealt))
    _expect(_piles(given) == _piles(dealt), "piles that are given are not those that are dealt")
    given = Match(setup)
    given.deal_piles(replay["piles"])
    while not given.is_over:
        given.let_happen() if given.waits_for_chance else given.act(given.ask(any_legal))


def _piles(match: Match) -> list[list[str]]:
    """Give the piles, after each player has picked the first that it may where cards are picked from them."""
    while match.piles is None:
        match.act(0)
    return match.piles


def _check_limit(setup: Setup) -> None:
    """Play a game that is stopped early, and see that it is."""
    match = _dealt(next(_setups(setup.game, max_turns=FEW_TURNS)))
    while not match.is_over:
        _expect(match.turn <= FEW_TURNS, f"found turn {match.turn} with max_turns = {FEW_TURNS}")
        match.let_happen() if match.waits_for_chance else match.act(match.ask(any_legal))
    _expect(match.turn <= FEW_TURNS, f"found turn {match.turn} with max_turns = {FEW_TURNS}")


def _check_even(setup: Setup, choose: Choose) -> None:
    """Play a deck against itself with the same streams on both sides: the seat decides, and each side wins once."""
    side = _side(setup.decks[0], "first", choose)
    runner = Runner(setup.game, setup.card_set, setup.rules, [Matchup(side, side)], PAIRS, SEED)
    tables = [runner.tables(runner.matchups[0])]
    scores = runner._play_chunk(Block(0, 0, PAIRS), tables, np.array([7, 7], np.uint64)).counts.scores
    _expect(scores[[0, 1, 2], [2, 1, 0]].sum() == PAIRS, "a mirror with the same streams is not even in every pair")
