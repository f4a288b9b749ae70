"""Files that cannot be used: what is said of them, in komi's words, and where."""

import gzip
import tomllib
from copy import deepcopy
from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest
from pydantic import ValidationError

from reports.studies.study import StudyFile
from sim import InputError, load_deck, load_game, load_set
from sim.files.content import settled
from sim.files.errors import PlacedError
from sim.files.file_kinds import STUDY_KEYS, form_of
from sim.files.json import read_json
from sim.files.text import read_text
from sim.files.toml import BOUNDS, FORMS, explain, parse_toml
from sim.files.toml_lines import line_of
from sim.library import deck_paths, set_path
from strategies.options import WeightsFile

STRANGE = [
    True, 0,
    -1, 1, 10**30, -(10**30), 10**4000, 0.5, float("nan"), float("inf"), "", "x", "y" * 5000, [], [1], ["x"] * 9, [[]],
    [{}], [{}] * 9,
    {}, {"x": 1}, {"x": {}}, date(2024, 1, 2), time(3, 4), datetime(2024, 1, 2, tzinfo=UTC),
]  # fmt: skip


TOLD = {*BOUNDS, *FORMS, "missing", "extra_forbidden", "value_error", "literal_error", "too_short", "too_long"}


def starter(game):
    return tomllib.loads(set_path(game, "starter").read_text(encoding="utf-8"))


def rush(game):
    return tomllib.loads(deck_paths(game)["rush"].read_text(encoding="utf-8"))


def a_card_of_each_kind(game):
    content = starter(game)
    shapes = {tuple(sorted((*card, str(card.get("kind"))))): card for card in content["card"]}
    return {**content, "card": list(shapes.values())}


UNTIL = [
    {"half_width": 1, "max_pairs": 5},
    {"sprt": [50, 52], "alpha": 0.1, "of": "strength"},
    {"elo": [0, 5], "beta": 0.1},
]


def samples():
    """Give good content for every model of a file, each key of it filled in."""
    for name in ("dino", "sea", "seer"):
        game = load_game(name)
        yield game.card_set, a_card_of_each_kind(game)
        yield game.deck, rush(game)
        yield game.rules, game.rules().model_dump()
    study = {
        "game": "sea",
        "name": "s",
        "set": "starter",
        "decks": ["rush"],
        "strategies": ["greedy"],
        "matchups": "all",
        "pairs": 1,
    }
    study |= {"search_pairs": 1, "seed": 1, "margin": 2, "knows_decks": True, "rules": {}, "versions": {"komi": "1"}}
    for until in UNTIL:
        yield StudyFile, {**study, "until": until}
    yield WeightsFile, {"game": "sea", "weights": {"life_damage": 1.0}}


def spoiled(content):
    """Give copies of content, each with another value at one place, a key more, or one less."""

    def places(part, way=()):
        if isinstance(part, dict | list):
            for key in part if isinstance(part, dict) else range(len(part)):
                yield (*way, key)
                yield from places(part[key], (*way, key))

    for way in list(places(content)):
        for value in [*STRANGE, None]:
            copy = deepcopy(content)
            part = copy
            for key in way[:-1]:
                part = part[key]
            if value is None:
                del part[way[-1]]
            else:
                part[way[-1]] = value
            yield copy


@pytest.mark.parametrize(("model", "content"), list(samples()), ids=lambda x: getattr(x, "__name__", None))
def test_every_constraint_of_every_model_is_told_in_komis_words(model, content):
    model.model_validate(content)
    kinds = set()
    for bad in spoiled(content):
        try:
            model.model_validate(bad)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                told = explain(detail, model)
                kinds.add(detail["type"])
                assert detail["type"] in TOLD, detail
                assert told.startswith(("found ", "the key ", "unknown key", "at least one ability is missing")), told
                assert "expected" in told or not told.startswith("found ") or detail["type"] == "value_error", told
                assert "datetime" not in told
                assert len(told) < 1000
    assert len(kinds) > 3


SET = 'game = "sea"\nset = "s"\nversion = 1\n'
ORCA = '[[card]]\nid = "orca"\nname = "A"\nen = "A"\npower = 1\n'
DECK = 'game = "sea"\nset = "starter"\nname = "d"\n'
FULL = "[cards]\nsardine = 3\nbottlenose = 3\nclownfish = 3\nflying_fish = 3\norca = 3\n"

BAD_SETS = {
    SET.replace("sea",
    "dino") + ORCA: "s.toml:1: game: found 'dino', expected 'sea', since a card set of sea is needed",
    SET.replace('"sea"', "7") + ORCA: "s.toml:1: game: found 7, expected 'sea'",
    SET.replace('game = "sea"\n', "") + ORCA: "s.toml: game: the key 'game' is missing",
    SET + ORCA + ORCA: (
        "s.toml:10: card 'orca', id: found the id 'orca', which card 1 has already; expected every id "
        "once"
    ),
    SET + ORCA.replace("[[card]]", "[card]"): "s.toml:4: card: found a table, expected a list of tables: [[card]]",
    SET + ORCA.replace("card", "cards"): "s.toml:4: cards: unknown key; did you mean 'card'?",
    SET + ORCA + "[card.ability]\n": (
        "s.toml:9: card 'orca', ability: found a table, expected a list of tables: "
        "[[card.ability]]"
    ),
    SET + ORCA + "[[card.ability]]\nwhen = 'skill'\ndo = 'draw'\nn = 100\n": (
        "s.toml:12: card 'orca', ability 1, n: found "
        "100"
    ),
    SET + ORCA + "ability = [\n{when = 'skill', do = 'drow'}]\n": (
        "s.toml:10: card 'orca', ability 1, do: found 'drow', "
        "expected"
    ),
    SET + ORCA.replace('"orca"',
    '"-"'): "s.toml:5: card '-', id: found '-', expected an id with a letter: signs alone stand in logs",
    SET + ORCA.replace('"orca"', '"…"'): "s.toml:5: card '…', id: found '…', expected an id with a letter",
    SET + ORCA.replace('"orca"',
    '"3"'): "s.toml:5: card '3', id: found '3', expected an id with a letter: numbers stand in actions",
    SET + ORCA.replace('"orca"',
    '"life"'): "s.toml:5: card 'life', id: found 'life', expected another id: it is a word of actions",
    SET + ORCA.replace('"orca"',
    '"a\\u0000b"'): "s.toml:5: card 'a\\x00b', id: found 'a\\x00b', expected no character that",
    SET + ORCA + "power = 2\n": "s.toml:9: not TOML: found a key that is there already",
    SET + ORCA + "x =\n": "s.toml:9: not TOML: found no value that TOML knows, expected a text in quotes",
    SET + ORCA + "x = 1 2\n": "s.toml:9: not TOML: found more after a value, expected a new line",
    SET + ORCA + "x = 'y\n": "s.toml:10: not TOML: found a text that does not end",
    SET + ORCA + 'x = "C:\\q"\n': "s.toml:9: not TOML: found a \\ in a text in double quotes",
    SET + ORCA + '"\\u001b[31m\\n" = 1\n': "s.toml:9: card 'orca', '\\x1b[31m\\n': unknown key",
    SET + ORCA + "x" * 999 + " = 1\n": f"s.toml:9: card 'orca', '{'x' * 60}…': unknown key",
    SET.replace("sea", "x" * 999) + ORCA: f"s.toml:1: game: found '{'x' * 60}…', expected 'sea'",
    SET + "x = " + "[" * 5000: "s.toml:4: not TOML: found lists or tables nested too deep",
    SET + "x = " + "9" * 5000 + "\ny = 1\n": "s.toml:4: not TOML: found an integer of more than 4,000 digits",
    SET.replace("1",
    "0x" + "f" * 60) + ORCA: "s.toml:3: version: found an integer of more than 60 digits, expected at most",
    SET.replace("1",
    "0x" + "f" * 5000) + ORCA: "s.toml:3: found an integer of more than 4,000 digits, expected 64 bits",
    DECK + FULL: "s.toml:4: found a deck of 'sea', expected a card set of 'sea'",
    DECK + "[card]\nsardine = 3\n": "s.toml:4: found a deck of 'sea', expected a card set of 'sea'",
    'game = "sea"\npairs = 3\n': "s.toml:2: found a study of 'sea', expected a card set of 'sea'",
    'game = "sea"\n[weights]\n': "s.toml:2: found weights of 'sea', expected a card set of 'sea'",
}  # fmt: skip


def refusal(load, *args):
    """Give what is said of a file, without its folder."""
    with pytest.raises(InputError) as error:
        load(*args)
    return [
        problem[problem.rindex("/") + 1 :] if "/" in problem.split(" ")[0] else problem
        for problem in error.value.problems
    ]


@pytest.mark.parametrize("text", BAD_SETS, ids=range(len(BAD_SETS)))
def test_a_set_that_cannot_be_used_is_refused(tmp_path, text):
    (tmp_path / "s.toml").write_text(text, encoding="utf-8")
    told = refusal(load_set, load_game("sea"), tmp_path / "s.toml")
    assert any(problem.startswith(BAD_SETS[text]) for problem in told)
    assert len(told) <= 2


BAD_DECKS = {
    DECK + FULL: ["d.toml:4: found 15 cards, expected exactly 16 (S1.3, deck_size)"],
    DECK + "[cards]\norca = 1\n": ["d.toml:4: found 1 card, expected exactly 16 (S1.3, deck_size)"],
    DECK + FULL.replace("orca = 3", "orca = 4"): [
        "d.toml:9: found 4 cards of the name 'シャチ', expected at most 3 (S1.3, copies)"
    ],
    DECK + FULL + "orka = 1\n": ["d.toml:10: unknown card 'orka'; did you mean 'orca'? (the set is 'starter')"],
    DECK + FULL + "orca = 1\n": [
        "d.toml:10: not TOML: found a key that is there already, expected each key once in its table"
    ],
    DECK + FULL + "or.ca = 1\n": [
        "d.toml:10: cards, or: found a table, expected an integer; a key with a dot in it needs quotes",
    ],
    DECK + FULL.replace("[cards]", "[[cards]]"): ["d.toml:4: cards: found a list, expected one table: [cards]"],
    DECK.replace("starter", "mine") + "[cards]\na = 4\nb = 4\nc = 4\nd = 4\n": [
        "d.toml:5: found 4 cards that the set 'starter' has not: 'a', 'b', 'c', …; the deck is for the set 'mine'",
        "d.toml:5: found 4 cards of the name 'a', 4 cards of the name 'b', 4 cards of the name 'c' and 1 more, "
        "expected at most 3 (S1.3, copies)",
    ],
    DECK.replace('"sea"', '"seer"') + FULL: [
        "d.toml:1: game: found 'seer', expected 'sea', since a deck of sea is needed"
    ],
    SET + ORCA: ["d.toml:4: found a card set of 'sea', expected a deck of 'sea'"],
    SET.replace("sea", "dino") + ORCA: ["d.toml:4: found a card set of 'dino', expected a deck of 'sea'"],
    'decks = ["rush"]\n': ["d.toml:1: found a study, expected a deck of 'sea'"],
    "": ["d.toml: game: the key 'game' is missing"],
}


@pytest.mark.parametrize("text", BAD_DECKS, ids=range(len(BAD_DECKS)))
def test_a_deck_that_cannot_be_used_is_refused(tmp_path, text):
    (tmp_path / "d.toml").write_text(text, encoding="utf-8")
    told = refusal(load_deck, load_game("sea"), tmp_path / "d.toml")
    assert told[: len(BAD_DECKS[text])] == BAD_DECKS[text]
    assert len(told) == len(BAD_DECKS[text]) or not text


def test_an_option_that_many_cards_break_is_told_in_a_line_for_each_deck(game):
    options = game.rules(copies=1)
    for name in deck_paths(game):
        told = refusal(load_deck, game, name, load_set(game), options)
        assert len(told) <= 1 + (game.name == "seer")  # which has cards and supers
        assert all(problem.startswith(f"{name}.toml:") and "expected at most 1 (" in problem for problem in told)


NOT_TEXT = {
    "海".encode("utf-16"): "x.toml: found UTF-16, which is not UTF-8; save the file as UTF-8",
    "海".encode("utf-32"): "x.toml: found UTF-32, which is not UTF-8; save the file as UTF-8",
    'game = "sea"\n'.encode(
        "utf-16-le"
    ): "x.toml: found many zero bytes, expected text in UTF-8; is it UTF-16, or no text at all?",
    'a = 1\nname = "é"\n'.encode("latin-1"): "x.toml:2: byte 0xe9 is not UTF-8; save the file as UTF-8",
    b"a = 1\nb = 2\0\n": "x.toml:2: not TOML: ",
    b"x" * (2**22 + 1): "x.toml: found more than 4 MB, expected no more",
    b"PK\x03\x04...[Content_Types].xml...xl/workbook.xml": (
        'x.toml: found an Excel workbook (it begins with PK), expected text; save it in Excel as "CSV UTF-8"'
    ),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": (
        "x.toml: found an Excel workbook (it begins with D0 CF 11 E0: an old one, .xls)"
    ),
    b"PK\x03\x04...mimetypeapplication/vnd.oasis.opendocument.spreadsheet": "x.toml: found a LibreOffice workbook",
    b"PK\x03\x04...Index/Document.iwa": "x.toml: found a workbook of Numbers",
    b"PK\x03\x04...readme.txt": "x.toml: found a zip archive, expected text; unpack it",
    b"\x1f\x8b\x08": "x.toml: found a file packed with gzip",
}


@pytest.mark.parametrize("data", NOT_TEXT, ids=range(len(NOT_TEXT)))
def test_a_file_that_is_no_text_in_utf_8_is_refused(tmp_path, data):
    (tmp_path / "x.toml").write_bytes(data)
    (told,) = refusal(lambda path: parse_toml(read_text(path), path), tmp_path / "x.toml")
    assert told.startswith(NOT_TEXT[data])


LONG = "a." * 50 + "a"
BEYOND = {
    "a dotted key": ("[x]\n" + LONG + " = 1\n", "x.toml:2: found a key of 51 parts, expected at most 50"),
    "spaces around dots": (LONG.replace(".", " . ") + " = 1\n", "x.toml:1: found a key of 51 parts"),
    "quoted parts": (LONG.replace("a", '"."') + " = 1\n", "x.toml:1: found a key of 51 parts"),
    "a header": (f"x = 1\n[[{LONG}]]\n", "x.toml:2: found a key of 51 parts"),
    "in a table in braces": (f"x = {{ {LONG} = 1 }}\n", "x.toml:1: found a key of 51 parts"),
    "a vast key": ("a." * 40_000 + "a = 1\n", "x.toml:1: found a key of 40,001 parts"),
    "many parts": ("".join(f"a{n}{'.a' * 49} = 1\n" for n in range(2100)),
    "x.toml:2001: found more than 100,000 tables"),
    "many tables": ("".join(f"[{n}]\n" for n in range(100_001)), "x.toml:100001: found more than 100,000 tables"),
    "deep lists": ("\nx = " + "[" * 60 + "1" + "]" * 60,
    "x.toml:2: found lists or tables nested too deep, expected at most 50"),
    "deep tables": ("\nx = " + "{a=" * 60 + "1" + "}" * 60, "x.toml:2: found lists or tables nested too deep"),
    "two forms of a key": ('"caf\u00e9" = 1\n"cafe\u0301" = 2\n',
    "x.toml:1: found a key that is there already in another"),
    "an open text": ('x = """' + 'a.' * 100, "x.toml:1: not TOML"),
    "an open text of backslashes": ('x = "' + "\\" * 10**5 + "." * 100, "x.toml:1: not TOML"),
    "quotation marks": ('x = ' + '"' * 10**6 + "." * 100, "x.toml:1: not TOML"),
}  # fmt: skip


@pytest.mark.parametrize("case", BEYOND)
def test_a_file_that_would_take_hours_is_refused_at_its_line(tmp_path, case):
    text, message = BEYOND[case]
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    (told,) = refusal(lambda path: parse_toml(read_text(path), path), tmp_path / "x.toml")
    assert told.startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        f"x = '{LONG}'",
        f'x = "{LONG}"',
        f'x = """\n{LONG}"""',
        f"x = '''\n{LONG}'''",
        f"# {LONG}",
        f'x = """a\\"""{LONG}"""',
    ],
)
def test_dots_in_texts_and_comments_are_no_keys(text):
    assert set(parse_toml(text, Path("x.toml"))) <= {"x"}


def test_values_are_counted_before_anything_is_made_of_them():
    with pytest.raises(PlacedError, match="found more than 100,000 values, expected no more"):
        settled({"x": [0] * 50_000, "y": [0] * 50_000})


def test_texts_and_keys_are_in_one_form_of_unicode():
    assert parse_toml('x = ["e\u0301"]\n"カ\u3099" = 1\n', Path("x.toml")) == {"x": ["\u00e9"], "ガ": 1}
    assert line_of('\n"カ\u3099" = 1\n', ("ガ",)) == 2


def test_a_packed_file_is_read_as_far_as_it_may_be_large(tmp_path):
    (tmp_path / "x.json.gz").write_bytes(gzip.compress(b"a" * (2**22 + 1)))
    assert refusal(read_text, tmp_path / "x.json.gz") == ["x.json.gz: found more than 4 MB, expected no more"]
    (tmp_path / "x.json.gz").write_bytes(bytes(2**20 + 1))
    assert refusal(read_text, tmp_path / "x.json.gz") == ["x.json.gz: found more than 1 MB, expected no more"]
    (tmp_path / "x.json.gz").write_bytes(gzip.compress("é".encode()))
    assert read_text(tmp_path / "x.json.gz") == "é"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[" * 60 + "]" * 60, "x.json: found lists or tables nested too deep"),
        ("[" * 10**5, "x.json: not JSON: found lists or tables nested too deep"),
        (f"[{'1,' * 99}1,1]", "x.json: found more than 100 values"),
        ('{"a":1}\n}', "x.json:2: not JSON: Extra data"),
        ("9" * 5000, "x.json: not JSON: "),
    ],
)
def test_json_is_bounded_too(tmp_path, content, message):
    (tmp_path / "x.json").write_text(content, encoding="utf-8")
    (told,) = refusal(lambda path: read_json(path, 10**6, 100), tmp_path / "x.json")
    assert told.startswith(message)


def test_a_deck_of_another_form_of_unicode_is_the_same_deck(tmp_path):
    (tmp_path / "decks").mkdir()
    (tmp_path / "s.toml").write_text(SET + ORCA.replace("orca", "カ\u3099"), encoding="utf-8")
    deck = f'{DECK}[cards]\n"ガ" = 16\n'
    (tmp_path / "decks" / "カ\u3099.toml").write_text(deck, encoding="utf-8")
    game = load_game("sea")
    assert list(deck_paths(game, tmp_path / "s.toml")) == ["ガ"]
    for name in ("ガ", "カ\u3099", "decks/ガ.toml", "decks/カ\u3099.toml"):
        rules = game.rules(copies=16)
        found = load_deck(game, name, rules=rules, set_name="s.toml", folder=tmp_path)
        assert found.cards == {"ガ": 16}


@pytest.mark.parametrize("other", ["ｏｒｃａ", "or\u200dca", "orca\ufe0f"])
def test_ids_that_look_the_same_are_refused(other):
    cards = [{"id": id, "name": "A", "en": "A", "power": 1} for id in ("orca", other)]
    with pytest.raises(ValueError, match=r"looks the same|nobody sees"):
        load_game("sea").card_set.model_validate({"game": "sea", "set": "s", "version": 1, "card": cards})


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path):
    (tmp_path / "s.toml").write_bytes(("\ufeff" + SET + ORCA).encode())
    assert load_set(load_game("sea"), tmp_path / "s.toml").ids == ["orca"]


def test_a_folder_in_place_of_a_file_is_refused(tmp_path):
    assert refusal(read_text, tmp_path) == [f"{tmp_path.name}: found a folder, expected a file"]


def test_no_more_problems_are_told_than_anyone_reads(tmp_path):
    (tmp_path / "s.toml").write_text(
        SET + "".join(ORCA.replace("orca", f"c{n}").replace("power", "powr") for n in range(90)), encoding="utf-8"
    )
    told = refusal(load_set, load_game("sea"), tmp_path / "s.toml")
    assert len(told) == 52
    assert told[-2:] == ["s.toml: is this a card set of sea?", "s.toml: and 130 more problems"]


TOML = '''# a comment with [[card]] in it
"a b" = 1
c.d = { e = [1,
  2, # ]
  """
[[card]]
""" , [3]] }
[t."u.v"]
k = 'x'

[[card]]
id = "a\\"#"
[[card.ability]]
n = 1979-05-27T07:32:00Z
[[card.ability]]
n = 2
[card.attack]
rock = +1_0
[[card]]
[[card.ability]]
'''


@pytest.mark.parametrize(
    ("loc", "line"),
    [
        (("a b",), 2), (("c", "d"), 3), (("c", "d", "e", 0), 3), (("c", "d", "e", 1), 4), (("c", "d", "e", 2), 5),
        (("c", "d", "e", 3, 0), 7), (("t", "u.v", "k"), 9), (("t", "u.v", "missing"), 8), (("card",), 11),
        (("card", 0, "id"), 12),
        (("card", 0, "ability", 0, "n"), 14), (("card", 0, "ability", 1, "n"), 16),
        (("card", 0, "attack", "by sign", "rock"), 18),
        (("card", 1), 19), (("card", 1, "name"), 19), (("card", 1, "ability", 0), 20), (("card", 2), 11),
        (("nothing",), None),
    ],
)  # fmt: skip
def test_lines_of_places(loc, line):
    assert line_of(TOML, loc) == line


def test_every_place_of_the_files_that_come_with_komi_has_its_line(game):
    for path in [set_path(game, "starter"), *deck_paths(game).values()]:
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for place, card in enumerate(tomllib.loads(text).get("card", [])):
            for key in card:
                line = lines[line_of(text, ("card", place, key)) - 1]
                assert line.startswith((f"{key} =", f"[[card.{key}]]", f"[card.{key}]"))
            assert line_of(text, ("card", place)) == lines.index(f'id = "{card["id"]}"')


@pytest.mark.parametrize("key", sorted(set(StudyFile.model_fields) - {"name", "set"}))
def test_every_key_that_only_studies_have_tells_a_study(key):
    assert key in STUDY_KEYS
    assert form_of({key: 1}) == "a study"
