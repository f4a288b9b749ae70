"""What the commands say of files that are something else, or of another game, or no files: a line each, and exit code
2.
"""

import gzip
import json
import os
import shutil
import sys

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
    "cards.xlsx": b"PK\x03\x04 xl/workbook.xml",
    "renamed.csv": b"PK\x03\x04 xl/workbook.xml",
    "renamed.toml": b"PK\x03\x04 xl/workbook.xml",
    "old.xls": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "cards.csv": "id,game\n",
    "of_name.toml": STUDY + 'name = "a\\u202eb"\n',
    "of_text.toml": 'game = "sea"\ndecks = "rsuh"\n',
    "of_path.toml": 'game = "sea"\ndecks = ["a\\\\b.toml"]\n',
    "wide.toml": 'game = "sea"\n[sweep]\nrules.max_turns = [' + ", ".join(map(str, range(1, 600))) + "]\n",
    "of_digits.toml": 'game = "sea"\n[sweep]\ncards.orca.ability.' + "1" * 5000 + ".n = [1, 2]\n",
    "many.toml": 'game = "sea"\n[sweep]\n' + "".join(f"cards.c{n}.power = [1, 2]\n" for n in range(101)),
    "bomb.json.gz": gzip.compress(b'{"a":"' + bytes(2**24) + b'"}'),
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


EXCEL = 'found an Excel workbook (it begins with PK), expected text; save it in Excel as "CSV UTF-8"'
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
    ("check bomb.json.gz", "bomb.json.gz: found more than 16 MB, expected no more"),
    ("check cards.xlsx", f"cards.xlsx: {EXCEL}"),
    ("cards cards.xlsx --toml -", f"cards.xlsx: {EXCEL}"),
    ("validate renamed.csv", f"renamed.csv: {EXCEL}"),
    ("validate renamed.toml", f"renamed.toml: {EXCEL}"),
    ("run cards.xlsx", f"cards.xlsx: {EXCEL}"),
    ("play sea cards.xlsx rush", f"cards.xlsx: {EXCEL}"),
    ("play sea rush trap --set old.xls", "old.xls: found an Excel workbook (it begins with D0 CF 11 E0"),
    ("play sea rush trap --set cards.csv",
     "cards.csv: found a spreadsheet, expected TOML: `komi cards cards.csv --toml"),
    ("play sea rush trap --strategies weighted:renamed.toml greedy", f"renamed.toml: {EXCEL}"),
    ("validate of_name.toml",
     "of_name.toml:4: name: found 'a\\u202eb', expected no character that nobody sees: U+202E"),
    ("validate of_text.toml", "of_text.toml:2: decks: unknown deck of sea 'rsuh'; did you mean 'rush'?"),
    ("validate of_path.toml",
     "of_path.toml:2: decks: the name of the deck's file: found 'a\\\\b', expected none with a \\ in it"),
    ("validate wide.toml", "wide.toml:3: sweep.rules.max_turns: found 599 values, expected at most 500"),
    ("validate of_digits.toml", "of_digits.toml:3: sweep.cards.orca.ability.1"),
    ("validate many.toml", "many.toml:2: sweep: found 101 lists of values, expected at most 100"),
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


def test_a_list_of_one_needs_no_brackets(folder, capsys):
    (folder / "one.toml").write_text('game = "sea"\ndecks = "rush"\nstrategies = "ladder"\n', encoding="utf-8")
    assert main(["validate", "one.toml"]) == 0
    assert capsys.readouterr().out.startswith("one.toml: a study of sea: 36 matchups of 10,000 pairs")


def test_cards_that_no_deck_has_are_noted(folder, capsys):
    cards = "".join(f'[[card]]\nid = "c{n}"\nname = "C{n}"\nen = "C"\npower = 1\n' for n in range(9))
    (folder / "own.toml").write_text('game = "sea"\nset = "own"\nversion = 1\n' + cards, encoding="utf-8")
    (folder / "d.toml").write_text('game = "sea"\nset = "own"\nname = "d"\n[cards]\nc0 = 16\n', encoding="utf-8")
    study = 'game = "sea"\nset = "own.toml"\ndecks = "d.toml"\nstrategies = "random"\n[rules]\ncopies = 16\n'
    (folder / "one.toml").write_text(study, encoding="utf-8")
    assert main(["validate", "one.toml"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("one.toml: a study of sea: 1 matchup of 10,000 pairs")
    noted = "one.toml: no deck of the study has the cards 'c1', 'c2', 'c3', 'c4', 'c5' and 3 more"
    assert told.err == f"komi: note: {noted}\n"
    assert main(["validate", "study.toml"]) == 0
    assert capsys.readouterr().err == ""


def test_no_more_problems_of_a_study_are_told_than_anyone_reads(folder, capsys):
    decks = ", ".join(f'"d{n}"' for n in range(90))
    (folder / "one.toml").write_text(f'game = "sea"\ndecks = [{decks}]\n', encoding="utf-8")
    assert main(["validate", "one.toml"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 51
    assert told[-1] == "komi: one.toml: and 40 more problems"


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="all names are Unicode there")
def test_a_folder_whose_name_is_not_utf_8_is_one_as_any_other(folder, monkeypatch, capsys):
    strange = folder / os.fsdecode("カード".encode("shift-jis"))
    strange.mkdir()
    for name in ("set.toml", "study.toml"):
        shutil.copy(name, strange)
    (strange / "own.py").write_text("def choose(state, table, legal, n):\n    return 0\n", encoding="utf-8")
    monkeypatch.chdir(strange)
    assert main(["validate", "set.toml", "study.toml"]) == 0
    pytest.importorskip("pyarrow")
    assert main(["run", "study.toml", "--pairs", "1", "--out", "r"]) == 0
    assert main(["export", "r", "--to", "parquet"]) == 0
    capsys.readouterr()
    assert main(["validate", "own.py", "--game", "sea"]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert "expected a path in UTF-8" in told


def test_weights_are_a_file_too(capsys):
    assert main(["validate", "weights.toml"]) == 0
    assert capsys.readouterr().out == "weights.toml: weights of sea: 1 feature\n"


def test_what_is_one_is_told_as_one(folder, capsys):
    (folder / "one.toml").write_text(STUDY + "pairs = 1\n", encoding="utf-8")
    assert main(["validate", "set.toml", "one.toml"]) == 0
    of_set, of_study = capsys.readouterr().out.splitlines()
    assert of_set == "set.toml: a card set of sea: 1 card"
    assert of_study.startswith("one.toml: a study of sea: 1 matchup of 1 pair: 2 games, about ")


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
