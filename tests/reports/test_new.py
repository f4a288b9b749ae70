"""A project of one's own: it runs as it is, explains every key, and is written whole or not at all."""

import os
import re
import shlex
import tomllib

import pytest

from reports import load_study
from reports.cli import main
from reports.studies.project import key_list, project_texts, small_set, tables_of_keys
from reports.studies.study import StudyFile
from sim import game_names, load_game, load_set
from sim.library import deck_paths

KEY = re.compile(r"^# (\w+ = .*)$", re.MULTILINE)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", game_names())
def test_a_new_project_does_what_its_readme_shows(folder, monkeypatch, capsys, name):
    assert main(["new", "mine", "--game", name]) == 0
    out = capsys.readouterr().out.splitlines()
    written = sorted(str(path.relative_to(folder)) for path in (folder / "mine").rglob("*") if path.is_file())
    assert sorted(out[:-1]) == written
    assert out[-1] == "next: cd mine, then what README.md shows"
    monkeypatch.chdir(folder / "mine")
    readme = (folder / "mine" / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^komi .*$", readme, re.MULTILINE)
    assert commands[0].split()[1:] == [
        "validate",
        *(path.removeprefix("mine/") for path in written if path.endswith(".toml")),
    ]
    assert {command.split()[1] for command in commands} == {"validate", "play", "run", "cards", "list"}
    for command in commands:
        words = shlex.split(command)[1:]
        if words[0] == "run":
            words = [*words, "--pairs", "1", "--jobs", "1"]
        if "--out" not in words:  # a second run like the first
            assert main(words) == 0, command
    assert os.path.exists(re.search(r"`(out/.*?)`", readme)[1])
    game = load_game(name)
    assert load_set(game, folder / "mine" / "new.toml") == load_set(game, folder / "mine" / "cards.toml")


def test_its_cards_and_decks_are_cut_out_of_the_starter_set(game):
    card_set, decks = small_set(game)
    starter = load_set(game)
    assert card_set.ids == [id for id in starter.ids if id in card_set.ids]
    assert {card.id: card for card in card_set.card}.items() <= {card.id: card for card in starter.card}.items()
    assert len(card_set.ids) <= 25
    assert len(decks) == 2
    assert decks.keys() < deck_paths(game).keys()
    options = game.rules.model_validate({})
    assert [game.check_deck(card_set, deck, options) for deck in decks.values()] == [[], []]


def test_every_key_and_its_default_stands_in_a_comment(game):
    texts = project_texts(game, "mine")
    study = tomllib.loads(KEY.sub(r"\1", texts["study.toml"]))
    options = game.rules.model_validate({}).model_dump()
    assert study.pop("rules") == options
    assert study == {
        "game": game.name, "name": "mine", "set": "cards.toml", "decks": list(small_set(game)[1]),
        "strategies": ["random", "greedy"], "matchups": "all", "pairs": 10000, "search_pairs": 100, "seed": 1,
        "margin": 2.0, "knows_decks": True, "until": {"half_width": 0.5, "max_pairs": 100_000},
    }  # fmt: skip
    above = texts["cards.toml"].split("[[card]]\nid")[0]
    for card in load_set(game).card:
        content = card.model_dump()
        for key in (*content, *(key for ability in content["ability"] for key in ability)):
            assert f"#   {key}: " in above
    for field in game.rules.model_fields.values():
        assert field.description in texts["study.toml"]


def test_every_key_says_what_it_is_for(game):
    tables = tables_of_keys(game)
    assert list(tables) == ["", "card", "card.ability"]
    listed = [key for table in (*tables.values(), key_list(game.rules), key_list(StudyFile)) for key in table]
    assert [key.name for key in listed if not key.about] == ["game", "versions"]


def test_the_study_with_every_comment_taken_away_is_the_same_study(folder, game):
    assert main(["new", "mine", "--game", game.name]) == 0
    path = folder / "mine" / "study.toml"
    before = load_study(path)
    path.write_text(KEY.sub(r"\1", path.read_text(encoding="utf-8")), encoding="utf-8")
    after = load_study(path)
    assert (before.rules, before.pairs, before.seed, before.margin, list(before.strategies)) == (
        after.rules, after.pairs, after.seed, after.margin, list(after.strategies),
    )  # fmt: skip


@pytest.mark.parametrize("name", ["my game", "海の仲間", "quote\" and '", "🔥", "007", "-x"])
def test_the_folder_may_have_any_name(folder, capsys, name):
    assert main(["new", "--game", "sea", "--", f"here/{name}"]) == 0
    assert main(["validate", "--", f"here/{name}/study.toml"]) == 0
    assert load_study(folder / "here" / name / "study.toml").name == name


def test_an_empty_folder_is_filled(folder):
    (folder / "mine").mkdir()
    (folder / "other").mkdir()
    assert main(["new", "mine", "--game", "sea"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["mine", "other"]
    assert (folder / "mine").stat().st_mode & 0o777 == (folder / "other").stat().st_mode & 0o777


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["full", "--game", "sea"], "full: holds 'mine.txt' already; expected a folder that is new or empty"),
        (["file", "--game", "sea"], "file: is there already and no folder; expected a folder that is new or empty"),
        (["file/in", "--game", "sea"], "file/in: cannot be written (Not a directory)"),
        ([".", "--game", "sea"], ".: is the folder you are in or above it, expected the name of a new folder"),
        (["..", "--game", "sea"], "..: is the folder you are in or above it"),
        (["mine", "--game", "see"], "unknown game 'see'; did you mean"),
        (["x" * 300, "--game", "sea"], "x" * 300 + ": cannot be written (File name too long)"),
        (["a\nb", "--game", "sea"], "a\nb: found 'a\\nb', expected a name that can be a folder's"),
        (["a\\b", "--game", "sea"], "a\\b: found 'a\\\\b', expected a name that can be a folder's"),
        (["\udcff", "--game", "sea"], "?: found '\\udcff', expected a name that can be a folder's"),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused_and_nothing_is_written(folder, capsys, words, message):
    (folder / "full").mkdir()
    (folder / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    (folder / "file").write_text("mine", encoding="utf-8")
    before = sorted(str(path) for path in folder.rglob("*"))
    assert main(["new", *words]) == 2
    assert capsys.readouterr().err.encode("utf-8", "replace").decode().startswith(f"komi: {message}")
    assert sorted(str(path) for path in folder.rglob("*")) == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_refused(folder, capsys):
    (folder / "closed").mkdir(mode=0o555)
    assert main(["new", "closed/mine", "--game", "sea"]) == 2
    assert "cannot be written (Permission denied)" in capsys.readouterr().err


def test_nothing_is_left_when_writing_fails(folder, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert main(["new", "mine", "--game", "sea"]) == 2
    assert "mine: cannot be written (No space left on device)" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_the_game_must_be_named(capsys):
    assert main(["new", "mine"]) == 2
    assert "--game" in capsys.readouterr().err
