"""Games that live outside komi: found, compiled, kept and played like komi's own, as far as they go."""

import re
import shutil
import subprocess
import sys
from functools import cache
from itertools import combinations
from pathlib import Path
from statistics import fmean as mean

import numpy as np
import pytest

from reports import load_study, run_study
from reports.cli import main
from reports.tables import all_tables
from sim import InputError, Match, Matchup, Runner, Setup, Side, load_deck, load_game, load_set, side_keys
from sim.kernels.jit import ENABLED
from sim.kernels.loop import ROW_WINNER
from sim.library import RUNS_CODE
from sim.testing import PromiseError, check_game
from strategies import load_strategy, strategy_names
from strategies.check import check_strategy

ROOT = Path(__file__).parents[2]
WAR = ROOT / "examples" / "war"


@pytest.fixture
def war():
    return load_game(WAR)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the game, in a folder of its own, to be changed."""
    shutil.copytree(WAR, tmp_path / "war", ignore=shutil.ignore_patterns("__pycache__", "out"))
    monkeypatch.chdir(tmp_path)
    if not ENABLED:  # plain Python takes too long for searches
        change(tmp_path / "war" / "study.toml", (', "ismcts:100"', ""))
    return tmp_path / "war"


def change(path, *changes):
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def test_the_example_is_small():
    files = list(WAR.rglob("*.py"))
    assert len(files) <= 3
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= 150


def test_the_example_keeps_the_promises_of_every_game(war):
    assert check_game(war, [load_strategy(war, "greedy").choose]) > 0


def test_a_folder_is_the_same_game_by_every_name(war, monkeypatch):
    monkeypatch.chdir(WAR.parent)
    assert load_game("./war") is load_game(Path("war")) is war
    assert load_game(".", folder=WAR) is war


def test_its_strategies_and_its_search_are_there(war):
    assert strategy_names(war) == ("random", "greedy", "ismcts", "montecarlo")
    assert check_strategy(load_strategy(war, "greedy"), games=2) == 2


# ------------------------------------------------------------------------------------- what is known of it exactly


def value(values_a, values_b, random):
    """Give the first seat's expected score in war, by backward induction over all deals, from the rules in words.

    Both play as well as can be, or at random. A hand has two cards; a card is its value and a number of its own.
    """

    @cache
    def before_round(turn, hands, decks, ahead):
        if not hands[0] or not hands[1]:
            return 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0
        leader = turn % 2

        def after(led, answer):
            played = (led, answer) if leader == 0 else (answer, led)
            a, b = (value for value, _ in played)
            gain = a + b if a > b else -a - b if b > a else 0
            left = [tuple(card for card in hand if card != out) for hand, out in zip(hands, played, strict=True)]
            return mean(
                before_round(turn + 1, (hand_a, hand_b), (deck_a, deck_b), ahead + gain)
                for hand_a, deck_a in draws(left[0], decks[0])
                for hand_b, deck_b in draws(left[1], decks[1])
            )

        leads = [best([after(led, answer) for answer in hands[1 - leader]], 1 - leader) for led in hands[leader]]
        return best(leads, leader)

    def best(scores, seat):
        return mean(scores) if random else max(scores) if seat == 0 else min(scores)

    def draws(hand, deck):
        return [(tuple(sorted((*hand, card))), tuple(c for c in deck if c != card)) for card in deck] or [(hand, deck)]

    def deals(values):
        cards = tuple((value, number) for number, value in enumerate(values))
        return [(hand, tuple(card for card in cards if card not in hand)) for hand in combinations(cards, 2)]

    return mean(
        before_round(0, (hand_a, hand_b), (deck_a, deck_b), 0)
        for hand_a, deck_a in deals(values_a)
        for hand_b, deck_b in deals(values_b)
    )


DECKS = {"even": (1, 2, 3, 4, 5), "wild": (1, 1, 3, 5, 5)}


def first_seat(war, decks, name, pairs):
    """Play a strategy against itself; give the score of the first deck in the first seat, and how far it may be off."""
    strategy = load_strategy(war, name)
    sides = [Side(deck, load_deck(war, deck), name, strategy.choose, strategy.parameters) for deck in decks]
    runner = Runner(war, load_set(war), war.rules(), [Matchup(*sides)], pairs, 1, keep_rows=True)
    winners = np.concatenate([chunk.rows[::2, ROW_WINNER] for chunk in runner.play(2)])
    scores = np.choose(winners + 1, (0.5, 1.0, 0.0))
    return scores.mean(), 2 * scores.std() / np.sqrt(pairs)


@pytest.mark.compiled
@pytest.mark.parametrize("decks", [("even", "wild"), ("wild", "even"), ("even", "even")], ids="-".join)
def test_random_play_has_its_exact_value(war, decks):
    score, error = first_seat(war, decks, "random", 40_000)
    assert error < 0.006
    assert abs(score - value(*(DECKS[deck] for deck in decks), random=True)) < error


@pytest.mark.compiled
@pytest.mark.parametrize("decks", [("even", "wild"), ("wild", "even")], ids="-".join)
def test_search_reaches_the_exact_value_of_optimal_play(war, decks):
    """And what plays worse does not: the same interval tells it from optimal play."""
    optimal = value(*(DECKS[deck] for deck in decks), random=False)
    score, error = first_seat(war, decks, "ismcts:200", 500)
    assert error < 0.04
    assert abs(score - optimal) < error
    score, error = first_seat(war, decks, "greedy", 500)
    assert abs(score - optimal) > error


# ------------------------------------------------------------------------------------------------- the command line


def test_commands_take_a_folder_for_a_game(folder, capsys, monkeypatch):
    commands = (
        "validate war/study.toml",
        "validate war/data/starter.toml war/data/decks/even.toml --game ./war",
        "play ./war even wild --strategies greedy random --seed 3",
        "play ./war even wild --seed 3 --replay game.json --states",
        "check game.json --game ./war",
        "list strategies --game ./war",
        "cards starter --game ./war --csv war.csv",
        "validate war.csv --game ./war",
        "run ./war --pairs 2 --out out/a",
        "run war/study.toml --pairs 2 --out out/b",
        "play --study out/b --game 1",
        "stats out/b --out out/c",
        "diff out/b out/c",
        "run out/b/study.toml --out out/d",
        "new mine --game ./war",
        "run mine/study.toml --pairs 2 --out out/e",
        "ladder ./war --strategies random,greedy --pairs 2 --search-pairs 2",
    )
    for command in commands:
        assert main(command.split()) == 0, (command, capsys.readouterr())
    assert "a game by the rules" in capsys.readouterr().out
    assert (folder.parent / "out" / "b" / "inputs" / "game" / "strategies" / "greedy.py").is_file()
    shutil.rmtree(folder)  # the report has all that it needs
    assert main(["play", "--study", "out/b", "--game", "1"]) == 0
    assert main(["stats", "out/b"]) == 0
    assert not list(Path("out").rglob("__pycache__"))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("knockout ./war", r"war: has no plain cards \(plain_card of its Game\)"),
        ("tune ./war", r"war: has no strategy 'weighted'"),
        ("play ./wor a b", r"wor: found no folder, expected the folder of a game"),
        ("play ./war/data even wild", r"war/data: found a folder without __init__.py"),
        ("play wor a b", r"unknown game 'wor'.*the folder of a game is named with a slash"),
        ("validate war/data/starter.toml", r"starter.toml:1: game: unknown game 'war'"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_is_one_clear_error(command, message, capsys):
    assert main(command.split()) == 2
    told = capsys.readouterr().err.strip()
    assert re.search(message, told)
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ((("rules.STATE", "rules.STAT"),), r"war/__init__.py:\d+: AttributeError: .*STAT"),
        ((("GAME = ", "GAMES = "),), r"war/__init__.py: found no GAME, expected a sim.Game"),
        ((('name="war"', 'name="sea"'),), r"war/__init__.py: found the name 'sea'"),
        ((("class WarCard(Card):", "class WarCard(Card:"),), r"war/__init__.py:\d+: SyntaxError"),
        ((('"turn_limit"', '"limit"'),), r"war/__init__.py: the game 'war': reasons: found .*expected 'turn_limit'"),
        (
            (("    pool_hidden=rules.pool_hidden,\n", ""),),
            r"found one of pool_hidden and determinize, expected both or none",
        ),
    ],
)
def test_a_game_with_mistakes_is_refused_with_its_file_and_line(folder, changes, message):
    change(folder / "__init__.py", *changes)
    with pytest.raises(InputError, match=message):
        load_game("./war")


def test_code_from_outside_is_refused_where_none_is_to_be_run(folder):
    marked = folder.parent / "was_run"
    change(
        folder / "__init__.py", ("from . import rules\n", f"from . import rules\nopen({str(marked)!r}, 'w').close()\n")
    )
    token = RUNS_CODE.set(False)
    try:
        for load in (lambda: load_game("./war"), lambda: load_study("war/study.toml")):
            with pytest.raises(
                InputError, match=r"war: found Python code that would be run, expected none with --no-code"
            ):
                load()
    finally:
        RUNS_CODE.reset(token)
    assert not marked.exists()


# ---------------------------------------------------------------------------------------- games that leave things out


def bare(folder):
    """Take from war all that a game need not have: hidden things, strategies."""
    change(folder / "__init__.py", ("    pool_hidden=rules.pool_hidden,\n    determinize=rules.determinize,\n", ""))
    shutil.rmtree(folder / "strategies")
    return load_game("./war")


def test_a_game_without_hidden_things_and_strategies_is_played_at_random(folder, capsys):
    game = bare(folder)
    assert strategy_names(game) == ("random",)
    assert check_game(game, pairs=1) > 0
    with pytest.raises(InputError, match=r"strategy 'ismcts': war does not say what is hidden from a seat"):
        load_strategy(game, "ismcts:10")
    assert main(["play", "./war", "even", "wild"]) == 0
    assert main(["run", "./war", "--pairs", "2"]) == 0
    assert "played by random" in capsys.readouterr().out


def test_search_rolls_out_at_random_in_a_game_without_greedy(folder):
    shutil.rmtree(folder / "strategies")
    game = load_game("./war")
    assert check_strategy(load_strategy(game, "ismcts:12"), games=1) == 1


# -------------------------------------------------------------------------------------- promises that are not kept

SHUFFLED = '        shuffle(player, player["deck"]'
ASKED = '    state["asked"] = 1 - state["asked"]'
FAULTS = {
    "a longer list": (
        ('    seat = (state["turn"]', '    legal[18] = 1\n    seat = (state["turn"]'), "legal list is longer",
    ),
    "no limit": (('limit = state["turn"] == table["rules"]["max_turns"]', "limit = False"), "turn"),
    "a lost card": (('    player["played_count"] += 1\n', ""), "found .* cards of the 5 of the deck"),
    "a changed table": ((ASKED, f'{ASKED}\n    table["knows_decks"] += 1'), "the table has been changed"),
    "a hand dealt anew": (
        (SHUFFLED, f'        player["hand"] = U(1)\n{SHUFFLED}'), "legal list is another one|hand is another one",
    ),
    "a counted hand dealt anew": (
        (SHUFFLED, f'        player["hand_count"] = 1\n{SHUFFLED}'), "hand is another one|number of cards",
    ),
    "decisions uncounted": ((ASKED, f'{ASKED}\n    state["decisions"] = 0'), "decisions"),
}  # fmt: skip


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_promise_that_is_not_kept_is_found(folder, fault):
    wrong, message = FAULTS[fault]
    change(folder / "rules.py", wrong)
    with pytest.raises((PromiseError, IndexError, OverflowError)) as caught:
        check_game(load_game("./war"), pairs=1)
    if isinstance(caught.value, PromiseError):  # otherwise what checks the places in arrays was quicker
        assert re.search(message, str(caught.value))


# ------------------------------------------------------------------------------------- compiled, kept, in processes


def test_a_changed_rule_is_another_game_with_other_code(folder):
    def result():
        game = load_game("./war")
        setup = Setup(game, load_set(game), (load_deck(game, "even"), load_deck(game, "wild")), game.rules())
        match = Match(setup)
        match.deal(side_keys(1, "war", (("even", "a"), ("wild", "b"))))
        while not match.is_over:
            match.act(0)
        return match.result["winner"], [seat["points"] for seat in match.position]

    _, before = result()
    change(folder / "rules.py", ("a + b if a > b else 0", "2 * (a + b) if a > b else 0"))
    _, after = result()
    assert after == [2 * before[0], before[1]]


def test_counts_know_the_sources_of_the_game(folder, capsys):
    results = run_study(load_study("war/study.toml", pairs=2), jobs=1)
    assert set(all_tables(results)["matchups"]["game"]) == {"war"}
    assert main(["run", "war/study.toml", "--pairs", "2"]) == 0
    change(Path("out/war/inputs/game/rules.py"), ("a + b if a > b", "a + b if a >= b"))
    assert main(["stats", "out/war"]) == 2
    assert "game files, inputs/game/rules.py: has changed since it was played" in capsys.readouterr().err


@pytest.mark.compiled
def test_an_outside_game_is_played_in_processes_and_found_compiled_by_the_next(folder):
    for backend in ("threads", "processes"):
        words = [
            "run",
            "war/study.toml",
            "--pairs",
            "20",
            "--backend",
            backend,
            "--out",
            f"out/{backend}",
            "--jobs",
            "2",
        ]
        done = subprocess.run(
            [sys.executable, "-m", "reports.cli", *words], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert "compiling" not in done.stderr
    one, two = ((Path("out") / backend / "counts.json").read_bytes() for backend in ("threads", "processes"))
    assert one == two


def test_an_own_strategy_reads_the_game_by_its_name(folder):
    own = folder.parent / "own.py"
    own.write_text(
        '"""Plays the first card after a higher one."""\n'
        "from strategies import kernel\nfrom war.rules import LEAD\n\n\n"
        "@kernel\ndef choose(state, table, legal, n):\n    return 0 if state['decision'] == LEAD else n - 1\n",
        encoding="utf-8",
    )
    before = set(sys.modules)
    assert check_strategy(load_strategy(load_game("./war"), "own.py"), games=2) == 2
    assert not {name for name in set(sys.modules) - before if name.partition(".")[0] == "war"}


def test_an_installed_game_goes_by_its_name(tmp_path):
    """As an entry point of the group komi.games."""
    shutil.copytree(WAR, tmp_path / "war_cards", ignore=shutil.ignore_patterns("__pycache__", "out"))
    info = tmp_path / "war_cards-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: war-cards\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[komi.games]\nwar = war_cards\n", encoding="utf-8")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from reports.cli import main\n"
        "for line in ('list games', 'play war even wild', 'run war --pairs 2 --out ' + sys.argv[1] + '/out',\n"
        "             'play --study ' + sys.argv[1] + '/out --game 0'):\n"
        "    assert main(line.split()) == 0, line\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "war  War" in done.stdout
    assert (tmp_path / "out" / "inputs" / "game" / "rules.py").is_file()
