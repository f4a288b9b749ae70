"""What every strategy promises: a legal choice, an untouched state, nothing used that its player may not know."""

import numpy as np
import pytest

from sim import InputError, Match, Setup, load_deck, load_game, load_set, side_keys
from sim.game import game_names
from sim.jit import ENABLED
from sim.streams import STRATEGY
from strategies import load_strategy, strategy_names

ALL = [(game, name) for game in game_names() for name in strategy_names(game)]
PAIRS = [("rush", "trap"), ("control", "balanced")] if ENABLED else [("rush", "trap")]


def decisions(game_name, choose, seed):
    """Walk through games played by the strategy; give each position at which it decides."""
    game = load_game(game_name)
    card_set = load_set(game)
    for names in [(a, b) for a, b in PAIRS if a in {p.stem for p in (game.folder / "decks").glob("*.toml")}]:
        match = Match(Setup(game, card_set, tuple(load_deck(game, name, card_set) for name in names), game.rules()))
        match.deal(side_keys(seed, game.name, tuple((name, "s") for name in names)))
        while not match.is_over:
            if match.waits_for_chance:
                match.let_happen()
            else:
                yield match
                match.act(match.ask(choose))


@pytest.mark.parametrize(("game_name", "name"), ALL)
def test_it_chooses_a_legal_action_and_leaves_the_state_alone(game_name, name):
    choose = load_strategy(load_game(game_name), name).choose
    for match in decisions(game_name, choose, seed=1):
        states, tables, legal = match.states.copy(), match.setup.tables.copy(), match.legal_codes.copy()
        assert 0 <= match.ask(choose) < len(legal)
        own = match.state["players"][match.decider]["streams"]
        own[STRATEGY] = states[0]["players"][match.decider]["streams"][STRATEGY]
        assert (match.states == states).all()
        assert (match.setup.tables == tables).all()
        assert (match.legal_codes == legal).all()


@pytest.mark.parametrize(("game_name", "name"), ALL)
def test_it_chooses_the_same_when_what_it_cannot_know_is_dealt_anew(game_name, name):
    choose = load_strategy(load_game(game_name), name).choose
    random = np.random.default_rng(1)
    for match in decisions(game_name, choose, seed=2):
        before = match.states.copy()
        chosen = match.ask(choose)
        match.states[:] = before
        match.game.words.redeal(match.state, match.table, match.decider, random)
        assert match.ask(choose) == chosen
        match.states[:] = before


def test_a_strategy_that_peeks_is_caught(game, tmp_path):
    """The test above can fail: this strategy looks at the opponent's hidden cards."""
    peek = {"sea": 'state["players"][1 - state["decider"]]["life"][0]'}[game.name]
    (tmp_path / "peek.py").write_text(f"def choose(state, table, legal, n):\n    return {peek} % n\n", encoding="utf-8")
    choose = load_strategy(game, "peek.py", tmp_path).choose
    random, changed = np.random.default_rng(1), 0
    for match in decisions(game.name, choose, seed=2):
        before, chosen = match.states.copy(), match.ask(choose)
        match.game.words.redeal(match.state, match.table, match.decider, random)
        changed += match.ask(choose) != chosen
        match.states[:] = before
    assert changed


@pytest.mark.parametrize(("game_name", "name"), ALL)
def test_it_says_how_it_plays(game_name, name):
    assert len(load_strategy(load_game(game_name), name).summary) > 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "def choose(state, table):\n    return 0\n",
            r"own.py:1: found a function of \(state, table\), expected of \(state, table, legal, n\)",
        ),
        ("x = 1\ny = (\n", r"own.py:2: SyntaxError"),
        ("import nothing_like_it\n", r"own.py:1: ModuleNotFoundError"),
        ("def chose(state, table, legal, n):\n    return 0\n", r"unknown function 'choose'; did you mean 'chose'"),
    ],
)
def test_a_users_file_that_cannot_be_used_is_refused_with_its_line(game, tmp_path, text, message):
    (tmp_path / "own.py").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load_strategy(game, "own.py", tmp_path)


@pytest.mark.skipif(not ENABLED, reason="only compiled code has types")
@pytest.mark.parametrize(
    ("body", "message"),
    [("0.5", "returns float64, expected an integer"), ("helper(n)", "does not compile"), ('state["lives"]', "does not compile")],
)
def test_a_users_file_that_does_not_compile_is_refused(game, tmp_path, body, message):
    (tmp_path / "own.py").write_text(
        f"def helper(n):\n    return n\n\n\ndef choose(state, table, legal, n):\n    return {body}\n", encoding="utf-8"
    )
    with pytest.raises(InputError, match=rf"own.py:5: .*{message}"):
        load_strategy(game, "own.py", tmp_path)


def test_a_function_of_a_users_file_is_named_after_a_colon(game, tmp_path):
    (tmp_path / "own.py").write_text(
        '"""Mine."""\nfrom strategies import kernel\n\n\n'
        '@kernel\ndef bold(state, table, legal, n):\n    """Take the first."""\n    return 0\n',
        encoding="utf-8",
    )
    strategy = load_strategy(game, "own.py:bold", tmp_path)
    assert (strategy.label, strategy.summary) == ("own.py:bold", "Mine.")


def test_an_unknown_strategy_is_refused_with_the_nearest(game):
    with pytest.raises(InputError, match="did you mean 'greedy'"):
        load_strategy(game, "greddy")
