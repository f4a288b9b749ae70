"""Card sets as spreadsheets: nothing is lost on the way there and back, and mistakes are told by row and column."""

import csv
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reports.cli import main
from reports.formats.spreadsheet import letters, read_csv, set_csv
from reports.formats.toml import set_text
from sim import InputError, load_game, load_set

HOSTILE = [
    "007", "1e5", "true", "FALSE", "wahr", "=1+1", "+1", "-2", "@cmd", "'quoted", "''", "'", '"', '""', 'a "b", c',
    "a,b;cd", " outer ", "\u3000wide\u3000", "１２", "٣", "½", "①", "🔥", "1️⃣", "👩‍🚒", "サメ", "賽爾號",
    "Ακρίς", "كرة", "Mar 1", "SEPT2", "R2/3/1", "令和1年", "[]", "50%", "¥5", "$5", "#N/A", "1/2", "12:30", "\\n",
    "\u00e1", "می\u200cخواهم",
    "🏴\U000e0067\U000e0062\U000e007f", "none", "NA", "nan", "x" * 500, "None", "(5)", ".5", "inf",
]  # fmt: skip
UNSEEN = [
    "a\tb", "line\nline", "line\r\nline", "cr\rcr", "\x00", "\x1b[1m", "\x7f", "a\u2028", "\ufeffa", "a\u200bb",
    "a\u200db", "\u202egnp",
    "a\u2066b", "a\xadb", "\ud800", "a" + "\u0301\u0316" * 16,
]  # fmt: skip
SMALL = "id,name,en,power,keywords,ability.1.when,ability.1.do,ability.1.n,game,set,version\r\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def there_and_back(card_set, folder, separator=","):
    """To CSV, back, to TOML, back."""
    (folder / "a.csv").write_bytes(set_csv(card_set, separator).encode("utf-8-sig"))
    read = read_csv(folder / "a.csv")
    (folder / "a.toml").write_bytes(set_text(read).encode())
    return read, load_set(load_game(card_set.game), folder / "a.toml")


def assert_same(found, wanted):
    assert found == wanted
    given = {"exclude_unset": True}
    assert found.model_dump(**given) == wanted.model_dump(**given)
    assert found.model_dump_json(**given) == wanted.model_dump_json(**given)  # the order of cards and keys


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_starter_sets_come_back_as_they_were(game, folder, separator):
    card_set = load_set(game)
    for found in there_and_back(card_set, folder, separator):
        assert_same(found, card_set)


def text(rng, name=False):
    found = "".join(rng.choice(HOSTILE, rng.integers(1, 4)))
    return found if found.strip() or not name else "x"


def an_id(rng, place):
    found = "".join(c for c in text(rng) if not c.isspace() and c.isprintable() and c != ",")
    return f"{found}x{place}"


def ability(name, rng):
    whens = {"sea": "active", "dino": "on_win", "seer": "battle"}
    found = {"when": whens[name], "do": "draw"}
    if rng.random() < 0.5:
        found["n"] = int(rng.integers(1, 99))
    if rng.random() < 0.7:
        found["text"] = "" if rng.random() < 0.2 else text(rng)
    if name == "sea" and rng.random() < 0.5:
        found["optional"] = bool(rng.random() < 0.5)
    if name == "seer" and rng.random() < 0.5:
        found["role"] = "attacker"
    return found


def card(name, rng, place):
    found = {"id": an_id(rng, place), "name": text(rng, True), "en": text(rng, True)}
    abilities = [ability(name, rng) for _ in range(rng.integers(0, 7))]
    words = (
        [[], ["guard"], ["pierce", "guard"]][rng.integers(3)]
        if name == "sea"
        else [[], ["hunt", "block"]][rng.integers(2)]
    )
    if name == "sea":
        found["power"] = int(rng.integers(1, 99))
    elif name == "dino":
        found |= {
            "kind": "dino",
            "cost": 0,
            "fight": rng.integers(0, 9999, 3).tolist(),
            "direct": rng.integers(0, 3, 3).tolist(),
        }
    elif rng.random() < 0.5:
        signs = dict(zip(("rock", "scissors", "paper"), rng.integers(0, 300, 3).tolist(), strict=True))
        found |= {
            "kind": "spirit",
            "sign": "rock",
            "stage": "basic",
            "line": text(rng, True),
            "element": text(rng, True),
            "attack": signs,
        }
        return found | {"slots": [text(rng, True) for _ in range(rng.integers(0, 4))]}
    else:
        found |= {
            "kind": "move",
            "sign": "paper",
            "element": text(rng, True),
            "slots": [text(rng, True)],
            "attack": 7,
            "defence": 0,
        }
    if rng.random() < 0.7 and name != "seer":
        found["keywords"] = words
    if abilities:
        found["ability"] = abilities
    return found


@pytest.mark.parametrize("seed", range(6))
def test_hostile_sets_come_back_as_they_were(game, folder, seed):
    rng = np.random.default_rng(seed)
    cards = [card(game.name, rng, place) for place in range(30)]
    content = {"game": game.name, "set": text(rng, True), "version": int(rng.integers(-9, 10**6)), "card": cards}
    card_set = game.card_set.model_validate(content)
    for found in there_and_back(card_set, folder, ",;\t"[seed % 3]):
        assert_same(found, card_set)


@pytest.mark.parametrize("word", HOSTILE)
def test_each_hostile_text_comes_back_from_every_kind_of_cell(folder, word):
    name = word if word.strip() else "x"
    spirit = {
        "id": "a",
        "name": name,
        "en": name,
        "kind": "spirit",
        "sign": "rock",
        "stage": "basic",
        "line": name,
        "element": name,
    }
    spirit |= {"attack": {"rock": 1, "scissors": 2, "paper": 3}, "slots": [name, "b", name]}
    item = {"id": "b", "name": name, "en": name, "kind": "item", "sign": "rock", "cost": 1}
    item |= {"ability": [{"when": "battle", "do": "draw", "text": word}]}
    card_set = load_game("seer").card_set.model_validate(
        {"game": "seer", "set": name, "version": 1, "card": [spirit, item]}
    )
    for found in there_and_back(card_set, folder):
        assert_same(found, card_set)


@pytest.mark.parametrize("word", UNSEEN)
@pytest.mark.parametrize("key", ["id", "name", "en", "text"])
def test_a_text_with_a_character_that_nobody_sees_is_refused(word, key):
    card = {"id": "a", "name": "A", "en": "A", "power": 1, "ability": [{"when": "active", "do": "draw"}]}
    (card["ability"][0] if key == "text" else card)[key] = word
    with pytest.raises(
        ValueError, match=r"expected (a text on one line|no character that nobody sees|at most 30 marks)"
    ):
        load_game("sea").card_set.model_validate({"game": "sea", "set": "s", "version": 1, "card": [card]})


@pytest.mark.parametrize(
    "word",
    [
        "007",
        "1e5",
        "true",
        "=1+1",
        "-2",
        "@a",
        "Mar 1",
        "SEPT2",
        "R2/3/1",
        "令和1年",
        "12:30",
        " a",
        "50%",
        "１２",
        "(5)",
        "",
        "NA",
        "None",
        "nan",
        "＝1",
    ],
)
def test_what_a_spreadsheet_would_eat_is_marked_as_a_text(word):
    cards = [
        {"id": "a", "name": "A", "en": "B", "power": 1, "ability": [{"when": "active", "do": "draw", "text": word}]}
    ]
    card_set = load_game("sea").card_set.model_validate({"game": "sea", "set": "s", "version": 1, "card": cards})
    (row,) = csv.DictReader(io.StringIO(set_csv(card_set), newline=""))
    assert row["ability.1.text"] == "'" + word


@pytest.mark.parametrize(
    "word",
    ["orca2", "sea_lion2", "shark-2b", "サメ", "Tiger shark", "T. rex", "🔥", "「うみ」", "don't", "x,y", "none"],
)
def test_what_no_spreadsheet_would_eat_is_written_as_it_is(word):
    cards = [{"id": "a", "name": word, "en": "B", "power": 1}]
    card_set = load_game("sea").card_set.model_validate({"game": "sea", "set": "s", "version": 1, "card": cards})
    (row,) = csv.DictReader(io.StringIO(set_csv(card_set), newline=""))
    assert row["name"] == word


def test_plain_texts_numbers_and_truth_values_are_written_as_they_are(game):
    rows = list(csv.reader(io.StringIO(set_csv(load_set(game)), newline="")))
    assert not any(cell.startswith("'") for row in rows for cell in row)
    assert {"sea": "power", "dino": "fight.3", "seer": "attack.rock"}[game.name] in rows[0]
    assert len({len(row) for row in rows}) == 1


def test_what_excel_and_libreoffice_make_of_a_file_is_read(folder):
    """Capitals for truth values (in its own language), semicolons, LF or CR, no mark, rows and columns left empty,
    cells filled up.
    """
    lines = [
        "id;name;en;power;keywords;ability.1.when;ability.1.do;ability.1.optional;ability.3.when;ability.3.do;set;version;game;;",
        "'01;サメ;Shark ;5; guard,pierce ;;;;active;draw;s;1;sea;;",
        ";;;;;;;;;;;;;;",
        "b;B;B; 2 ;[];active;draw;TRUE;trap;heal;;;;;",
        "c;C;C;3;;active;draw;FALSCH;;;s;1;sea",
    ]
    for ending in ("\n", "\r\n", "\r"):
        for mark in (b"", b"\xef\xbb\xbf"):
            (folder / "a.csv").write_bytes(mark + ending.join(lines).encode())
            found = read_csv(folder / "a.csv")
            assert found.ids == ["01", "b", "c"]
            assert [c.keywords for c in found.card] == [["guard", "pierce"], [], []]
            assert [[(a.do, a.optional) for a in c.ability] for c in found.card] == [
                [("draw", False)], [("draw", True), ("heal", False)], [("draw", False)],
            ]  # fmt: skip
            assert found.card[0].en == "Shark "


def test_what_pandas_and_people_make_of_a_file_is_read(folder):
    """Whole numbers with a point, headers in capitals, wide or with spaces, letters and their marks apart."""
    (folder / "a.csv").write_text(
        "ID, Name ,EN,Ｐｏｗｅｒ,Ability.1.When,ability.1.DO,ability.1.n,game,set,version\n"
        'cafe\u0301,カ\u3099,A,2.0,active,draw,1.0,sea,s,1.0\nb,B,B,"3,0",,,,,,\n',
        encoding="utf-8",
    )
    found = read_csv(folder / "a.csv")
    assert found.ids == ["caf\u00e9", "b"]
    assert found.card[0].name == "ガ"
    assert [card.power for card in found.card] == [2, 3]
    assert found.card[0].ability[0].n == 1


def test_a_set_comes_back_from_pandas(game, folder):
    card_set = load_set(game)
    (folder / "a.csv").write_text(set_csv(card_set), encoding="utf-8")
    pd.read_csv(folder / "a.csv").to_csv(folder / "b.csv", index=False)
    assert read_csv(folder / "b.csv") == card_set


BEYOND = {
    "columns": ("id,game" + ",x" * 1000 + "\na,sea\n", "a.csv: found 1,002 columns, expected at most 1,000"),
    "rows": ("id,game\n" + "a,sea\n" * 10_001, "a.csv: found 10,001 rows, expected at most 10,000"),
    "cells": ("id,game\n" + ("a" + ",a" * 999 + "\n") * 101, "a.csv: found 101,000 cells, expected at most 100,000"),
    "gaps": (
        "id,name,en,kind,cost,fight.1,fight.999,game,set,version\n" + "a,A,A,dino,0,1,1,dino,s,1\n" * 100,
        "a.csv: and 149 more problems",
    ),
    "cells under no name": ("id,game\n" + ("a,sea" + ",x" * 400 + "\n") * 200, "a.csv: and 150 more problems"),
    "a long cell": (
        SMALL + "a,A,A," + "x" * 10**6 + ",,,,,sea,s,1\n",
        "a.csv: row 2, column D (power), card 'a': found 'xxx",
    ),
}


@pytest.mark.parametrize("case", BEYOND)
def test_a_file_is_bounded_and_so_is_what_is_said_of_it(folder, case):
    text, message = BEYOND[case]
    (folder / "a.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_csv(Path("a.csv"))
    assert refused.value.problems[-1].startswith(message)
    assert len(refused.value.problems) <= 51
    assert max(map(len, refused.value.problems)) < 1000


MISTAKES = {
    "an integer": ("a,A,A,two,,,,,sea,s,1",
    "a.csv: row 2, column D (power), card 'a': found 'two', expected an integer"),
    "out of range": ("a,A,A,100,,,,,sea,s,1",
    "a.csv: row 2, column D (power), card 'a': found 100, expected at most 99"),
    "a missing cell": ("a,A,A,,,,,,sea,s,1", "a.csv: row 2, column D (power), card 'a': the key 'power' is missing"),
    "a word": (
        "a,A,A,1,gaurd,,,,sea,s,1",
        "a.csv: row 2, column E (keywords), card 'a': found 'gaurd', expected 'guard', 'compel' or 'pierce'; did you "
        "mean 'guard'?",
    ),
    "an ability's key": ("a,A,A,1,,active,drew,,sea,s,1",
    "a.csv: row 2, column G (ability.1.do), card 'a': found 'drew', expe"),
    "an ability": ("a,A,A,1,,trap,attack_life,,sea,s,1",
    "a.csv: row 2, ability.1, card 'a': found when = 'trap' with 'attack_life'"),
    "an id twice": ("a,A,A,1,,,,,sea,s,1\r\nb,A,A,1,,,,,,,\r\na,A,A,1,,,,,,,",
    "a.csv: row 4, column A (id): found the id 'a', which row 2 has"),
    "an id": ("a b,A,A,1,,,,,sea,s,1",
    "a.csv: row 2, column A (id), card 'a b': found 'a b', expected an id without spaces or commas"),
    "two versions": (
        "a,A,A,1,,,,,sea,s,1\r\nb,A,A,1,,,,,sea,s,2",
        "a.csv: column K (version): found 1 in row 2 and 2 in row 3, expected the same in every row",
    ),
    "two games": ("a,A,A,1,,,,,sea,s,1\r\nb,A,A,1,,,,,dino,s,1",
    "a.csv: column I (game): found 'sea' in row 2 and 'dino' in row 3"),
    "an unknown game": ("a,A,A,1,,,,,see,s,1", "a.csv: column I (game): unknown game 'see'; did you mean 'seer'?"),
    "no game": ("a,A,A,1,,,,,,s,1",
    "a.csv: column I (game): found nothing, expected the name of the game in at least one row"),
    "a version": ("a,A,A,1,,,,,sea,s,one", "a.csv: column K (version): found 'one', expected an integer"),
    "no version": ("a,A,A,1,,,,,sea,s,", "a.csv: column K (version): the key 'version' is missing"),
    "too many cells": ("a,A,A,1,,,,,sea,s,1,more", "a.csv: row 2, column L: found 'more' in a column without a name"),
    "after lines in a cell": ('"a",A,A,1,,,,,sea,s,"\n1"\r\nb,B,B,x,,,,,,,',
    "a.csv: row 3 (line 4), column D (power), card 'b'"),
    "lines in a name": ('a,"A\nA",A,1,,,,,sea,s,1',
    "a.csv: row 2, column B (name), card 'a': found 'A\\nA', expected a text on one"),
    "ids that look the same": (
        "a1,A,A,1,,,,,sea,s,1\r\na１,A,A,1,,,,,,,",
        "a.csv: row 3, column A (id): found the id 'a１', which row 2 has already as 'a1', which looks the same",
    ),
    "thousands": ('a,A,A,"2,000",,,,,sea,s,1',
    "a.csv: row 2, column D (power), card 'a': found '2,000', expected an integer"),
    "an open quote": ('a,"A,A,1',
    "a.csv: row 2 (line 2): not CSV: unexpected end of data; is a quotation mark missing"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_by_row_and_column(folder, capsys, mistake):
    rows, message = MISTAKES[mistake]
    (folder / "a.csv").write_bytes((SMALL + rows + "\r\n").encode())
    assert main(["cards", "a.csv", "--toml", "a.toml"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"komi: {message}")
    assert err.count("\n") == 1
    assert main(["validate", "a.csv"]) == 2
    assert not (folder / "a.toml").exists()


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (
            "id,name,en,pwoer,game",
            "a.csv: row 1, column D: unknown column 'pwoer'; did you mean 'power'? (known: game, set, version, id, "
            "name, en",
        ),
        (
            "id,game,ability.2.whn",
            "a.csv: row 1, column C: unknown column 'ability.2.whn'; did you mean 'ability.2.when'?",
        ),
        (
            "id,game,ability.0.when",
            "a.csv: row 1, column C: unknown column 'ability.0.when'; did you mean 'ability.1.when'?",
        ),
        (
            "id,game,ability.#.when",
            "a.csv: row 1, column C: unknown column 'ability.#.when'; did you mean 'ability.1.when'?",
        ),
        (
            "id,game,name,id",
            "a.csv: row 1, column D: found 'id', which column A has already; expected every column once",
        ),
        (
            "id,game,ability.999999999.do",
            "a.csv: row 1, column C: found 'ability.999999999.do', expected numbers up to 999",
        ),
        (
            "id,game,name,ID",
            "a.csv: row 1, column D: found 'ID', which column A has already; expected every column once",
        ),
        ("id,name,gmae", "a.csv: row 1: the column 'game' is missing; expected the columns of `komi cards`"),
        ("", "a.csv: found nothing, expected a line with the names of the columns"),
    ],
)
def test_a_mistake_in_the_header_is_told(folder, header, message):
    (folder / "a.csv").write_text(
        f"{header}\n{','.join(['sea'] * len(header.split(',')))}\n" if header else "", encoding="utf-8"
    )
    with pytest.raises(InputError) as refused:
        read_csv(Path("a.csv"))
    assert str(refused.value).startswith(message)
    assert len(refused.value.problems) == 1


def test_lists_of_numbers_have_no_gaps_and_a_value_one_form(folder, capsys):
    (folder / "a.csv").write_text(
        "id,name,en,kind,cost,fight.1,fight.2,fight.3,direct.1,direct.2,direct.3,game,set,version\na,A,A,dino,1,1,,3,1,2,3,dino,s,1\n",
        encoding="utf-8",
    )
    assert main(["validate", "a.csv"]) == 2
    assert (
        capsys.readouterr().err
        == "komi: a.csv: row 2, column G (fight.2): found an empty cell before a filled one, expected a value\n"
    )
    (folder / "b.csv").write_text(
        "id,name,en,kind,sign,element,slots,defence,attack,attack.rock,game,set,version\na,A,A,move,rock,e,[],0,1,1,seer,s,1\n",
        encoding="utf-8",
    )
    assert main(["validate", "b.csv"]) == 2
    err = capsys.readouterr().err
    assert err == (
        "komi: b.csv: row 2, column J (attack.rock): found '1' beside cells for its parts, expected either the "
        "one or the others\n"
    )


def test_all_problems_are_told_together(folder, capsys):
    (folder / "a.csv").write_bytes((SMALL + "a,A,A,x,,,,,sea,s,1\r\nb,B,,1,gard,,,,sea,s,2\r\n").encode())
    assert main(["validate", "a.csv"]) == 2
    assert [line.split(": ")[2] for line in capsys.readouterr().err.splitlines()] == [
        "column K (version)", "row 2, column D (power), card 'a'", "row 3, column C (en), card 'b'",
        "row 3, column E (keywords), card 'b'",
    ]  # fmt: skip


def test_the_command_writes_whole_files_and_replaces_none_without_force(folder, capsysbinary):
    assert main(["cards", "starter", "--game", "sea", "--csv", "a.csv"]) == 0
    data = (folder / "a.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfid,name,en,power")
    assert data.count(b"\r\n") == data.count(b"\n") == 40
    assert main(["validate", "a.csv"]) == 0
    assert main(["cards", "a.csv", "--toml", "new/a.toml"]) == 0
    assert load_set(load_game("sea"), folder / "new" / "a.toml") == load_set(load_game("sea"))
    assert b"39 cards in new/a.toml" in capsysbinary.readouterr().err
    assert main(["cards", "starter", "--game", "dino", "--csv", "a.csv"]) == 2
    assert b"a.csv: is there already; --force replaces it" in capsysbinary.readouterr().err
    assert (folder / "a.csv").read_bytes() == data
    assert main(["cards", "starter", "--game", "dino", "--csv", "a.csv", "--force", "--separator", "semicolon"]) == 0
    assert (folder / "a.csv").read_bytes().startswith(b"\xef\xbb\xbfid;name;en;kind")
    capsysbinary.readouterr()
    assert main(["cards", "a.csv", "--toml", "-"]) == 0
    out = capsysbinary.readouterr().out
    assert out.startswith(b'game = "dino"\nset = "starter"\nversion = 1\n\n[[card]]\n')
    assert sorted(path.name for path in folder.iterdir()) == ["a.csv", "new"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["starter", "--csv", "a.csv"],
            "--game: 'starter' is the name of a set that comes with a game; expected --game dino|sea|seer",
        ),
        (["starter", "--game", "sea"], "found neither --csv nor --toml, expected one"),
        (["starter", "--game", "sea", "--csv", "a.csv", "--toml", "a.toml"], "--csv: found --toml too, expected one"),
        (["starter", "--game", "sea", "--csv", "a.xlsx"], "--csv: found a.xlsx, expected a name that ends in .csv"),
        (["starter", "--game", "sea", "--toml", "a.csv"], "--toml: found a.csv, expected a name that ends in .toml"),
        (["startr", "--game", "sea", "--csv", "a.csv"], "unknown set of sea 'startr'; did you mean 'starter'?"),
        (["none.csv", "--toml", "a.toml"], "none.csv: cannot be read (No such file or directory)"),
        (["b.toml", "--csv", "a.csv"], "b.toml: the key 'game' is missing, expected game = \"dino\""),
        (["s.csv", "--game", "dino", "--toml", "a.toml"], "--game: found 'dino', but s.csv is a card set of 'sea'"),
        (
            ["s.csv", "--separator", "comm", "--toml", "a.toml"],
            "--separator: unknown separator 'comm'; did you mean 'comma'?",
        ),
        (["bytes.csv", "--toml", "a.toml"], "bytes.csv:1: byte 0x83 is not UTF-8; save the file as UTF-8"),
    ],
)
def test_the_command_refuses_what_it_cannot_use(folder, capsys, words, message):
    (folder / "b.toml").write_text("x = 1\n", encoding="utf-8")
    (folder / "s.csv").write_text(SMALL + "a,A,A,1,,,,,sea,s,1\n", encoding="utf-8")
    (folder / "bytes.csv").write_bytes("サメ".encode("shift-jis"))
    before = sorted(path.name for path in folder.iterdir())
    assert main(["cards", *words]) == 2
    assert capsys.readouterr().err.startswith(f"komi: {message}")
    assert sorted(path.name for path in folder.iterdir()) == before


def test_columns_have_a_spreadsheets_letters():
    assert [letters(place) for place in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]
