"""What the commands say of files that are something else, or of another game, or no files: a line each, and exit code
2.
"""

import gzip
import json
import os
import shutil

import pytest

from reports.cli import main
from sim import load_game

SET = 'game = "sea"\nset = "s"\nversion = 1\n[[card]]\nid = "orca"\nname = "A"\nen = "A"\npower = 1\n'
DECK = 'game = "sea"\nset = "starter"\nname = "d"\n[cards]\nsardine = 3\n'
STUDY = 'game = "sea"\ndecks = ["rush"]\nstrategies = ["random"]\n'
FILES = {
    "set.toml": SET,
    "deck.toml": DECK,
    "study.toml": STUDY,
    "dino.toml": SET.replace("sea", "dino"),
    "empty.toml": "",
    "words.txt": "hello you\n",
    "strange.toml": "x = 1\n",
    "nogame.toml": "pairs = 3\n",
    "numbered.toml": "game = 3\npairs = 3\n",
    "see.toml": 'pairs = 1\ngame = "see"\n',
    "weights.toml": 'game = "sea"\n[weights]\npower = 2\n',
    "lone.toml": 'game = "sea"\nset = "none"\nname = "d"\n[cards]\n',
    "Card.toml": SET.replace("[[card]]", "[[Card]]"),
    "of_set.toml": 'game = "dino"\nset = "set.toml"\n',
    "of_study.toml": 'game = "sea"\nset = "study.toml"\n',
    "of_decks.toml": 'game = "sea"\ndecks = [\n"rush",\n"set.toml", "study.toml",\n"rsuh"]\n',
    "of_strategies.toml": 'game = "sea"\nstrategies = ["greedy",\n"greddy"]\n',
    "rules.toml": 'game = "sea"\n[[rules]]\nmax_turns = 2\n',
    "utf16.toml": STUDY.encode("utf-16"),
    "file": b"x",
    "game.json": '{"game": "see"}',
    "nogame.json": "{}",
    "cut.json.gz": gzip.compress(b"{}" * 99)[:-9],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").write_bytes(b"mine")
    return tmp_path


NONE_OF = "expected a card set with [[card]], a deck with [cards], a study or weights"
REFUSED = [
    ("validate empty.toml", f"empty.toml: found nothing in it, {NONE_OF}"),
    ("validate strange.toml", f"strange.toml: found only 'x' in it, {NONE_OF}"),
    ("validate words.txt", "words.txt:1: not TOML: expected the sign = after a key"),
    ("validate there", "there: found a folder, expected a file"),
    ("validate utf16.toml", "utf16.toml: found UTF-16, which is not UTF-8; save the file as UTF-8"),
    ("validate see.toml", "see.toml:2: game: unknown game 'see'; did you mean 'seer'? (known: dino, sea, seer)"),
    ("validate numbered.toml", "numbered.toml:1: game: found 3, expected the name of a game (dino, sea or seer)"),
    ("validate nogame.toml",
    'nogame.toml: the key \'game\' is missing, expected game = "dino", game = "sea" or game = "seer"'),
    ("validate lone.toml",
    "lone.toml:2: set: found 'none', which is neither beside the deck nor comes with sea; --set names its file"),
    ("validate Card.toml", "Card.toml:4: Card: unknown key; did you mean 'card'?"),
    ("validate deck.toml --set study.toml", "study.toml:2: found a study of 'sea', expected a card set of 'sea'"),
    ("validate deck.toml --set dino.toml",
    "dino.toml:1: game: found 'dino', expected 'sea', since a card set of sea is needed"),
    ("validate of_set.toml", "set.toml:1: game: found 'sea', expected 'dino', since a card set of dino is needed"),
    ("validate of_study.toml", "study.toml:2: found a study of 'sea', expected a card set of 'sea'"),
    ("validate of_decks.toml", "set.toml:4: found a card set of 'sea', expected a deck of 'sea'"),
    ("validate of_decks.toml", "study.toml:2: found a study of 'sea', expected a deck of 'sea'"),
    ("validate of_decks.toml", "of_decks.toml:5: decks: unknown deck of sea 'rsuh'; did you mean 'rush'?"),
    ("validate of_strategies.toml",
    "of_strategies.toml:3: strategies: unknown strategy for sea 'greddy'; did you mean 'greedy'?"),
    ("validate rules.toml", "rules.toml:2: rules: found a list, expected one table: [rules]"),
    ("run set.toml", "set.toml:4: found a card set of 'sea', expected a study"),
    ("run deck.toml", "deck.toml:4: found a deck of 'sea', expected a study"),
    ("run weights.toml", "weights.toml:2: found weights of 'sea', expected a study"),
    ("run there", "there: found no study in the folder, expected at least one"),
    ("run reef",
     "unknown game 'reef'; did you mean 'seer'? (known: dino, sea, seer); a study file is named with its ending, as "
     "my_study"),
    ("run SHOUTED.TOML", "SHOUTED.TOML: cannot be read (No such file or directory)"),
    ("run " + "x" * 200, f"unknown game '{'x' * 60}…' (known: dino, sea, seer)"),
    ("run sea --out file", "file: found a file, expected a folder; --out names another one"),
    ("run sea --out there",
    "there: holds 'mine.txt', which is no part of a report of komi; --out names another folder"),
    ("plan set.toml", "set.toml:4: found a card set of 'sea', expected a study"),
    ("plan there", "there: found no study.toml in it, expected the folder of a report"),
    ("knockout deck.toml", "deck.toml:4: found a deck of 'sea', expected a study"),
    ("stats there", "there: found no study.toml in it, expected the folder of a report"),
    ("play sea set.toml rush", "set.toml:4: found a card set of 'sea', expected a deck of 'sea'"),
    ("play dino deck.toml rush", "deck.toml:1: game: found 'sea', expected 'dino', since a deck of dino is needed"),
    ("play sea rush trap --set deck.toml", "deck.toml:4: found a deck of 'sea', expected a card set of 'sea'"),
    ("play sea rush trap --rules copies=1 --set starter", "rush.toml:"),
    ("play sea rush trap --rules max_turns=0x" + "f" * 5000,
    "--rules: max_turns: found an integer of more than 60 digits"),
    ("play sea rush trap --strategies weighted:set.toml greedy",
    "set.toml:4: found a card set of 'sea', expected weights of 'sea'"),
    ("play --study deck.toml --game 1", "deck.toml:4: found a deck of 'sea', expected a study"),
    ("check there", "there: found a folder, expected a file"),
    ("check game.json", "game.json: game: unknown game 'see'; did you mean 'seer'?"),
    ("check nogame.json", 'nogame.json: the key \'game\' is missing, expected game = "dino"'),
    ("check cut.json.gz", "cut.json.gz: cannot be read ("),
    ("cards study.toml --csv -", "study.toml:2: found a study of 'sea', expected a card set"),
    ("cards deck.toml --csv -", "deck.toml:4: found a deck of 'sea', expected a card set"),
    ("new there --game sea", "there: holds 'mine.txt' already; expected a folder that is new or empty"),
    ("list decks --game see", "unknown game 'see'; did you mean 'seer'?"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_file_for_a_command_is_refused_in_a_line(folder, capsys, words, message):
    before = sorted(os.listdir(folder))
    assert main(words.split(" ")) == 2
    told = [line for line in capsys.readouterr().err.splitlines() if "compiling" not in line]
    assert any(line.startswith(f"komi: {message}") or f"/{message}" in line for line in told), told
    assert len(told) <= 3
    assert sorted(os.listdir(folder)) == before


def test_weights_are_a_file_too(capsys):
    assert main(["validate", "weights.toml"]) == 0
    assert capsys.readouterr().out == "weights.toml: weights of sea: 1 feature\n"


def test_what_is_one_is_told_as_one(folder, capsys):
    (folder / "one.toml").write_text(STUDY + "pairs = 1\n", encoding="utf-8")
    assert main(["validate", "set.toml", "one.toml"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "set.toml: a card set of sea: 1 card",
        "one.toml: a study of sea: 1 matchup of 1 pair",
    ]


@pytest.mark.parametrize(
    "content",
    ["[]", "{}", "3", "[" * 100_000, "9" * 5000, '{"format": 1, "matchups": 3}', '{"format": 1, "matchups": []}'],
)
def test_counts_that_are_none_are_refused(folder, capsys, content):
    shutil.copy("study.toml", "there/study.toml")
    (folder / "there" / "counts.json").write_text(content, encoding="utf-8")
    assert main(["stats", "there"]) == 2
    assert "counts.json: " in capsys.readouterr().err


def test_a_replay_with_cards_of_another_set_is_told_in_a_line(capsys):
    game = load_game("sea")
    replay = {
        "format": 1,
        "game": "sea",
        "rules": game.rules().model_dump(),
        "set": "starter",
        "piles": [[], []],
        "steps": [],
        "result": {},
    }
    deck = {"name": "d", "cards": {f"c{n}": 1 for n in range(16)}}
    with open("r.json", "w", encoding="utf-8") as file:
        json.dump({**replay, "decks": [deck, deck]}, file)
    assert main(["check", "r.json"]) == 1
    assert (
        "r.json: deck 'd': found 16 cards that the set 'starter' has not: 'c0', 'c1', 'c2', …\n"
        in capsys.readouterr().out
    )
