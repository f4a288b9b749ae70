"""What a user has put into a folder stays; counts are taken for nothing else than what was played."""

import json
import os
import re
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from reports.cli import main
from reports.cli.waiting import go_on
from reports.formats.folder import PARTS
from reports.formats.sealed import seal, unseal
from reports.play.checkpoint import COUNTS, unfinished
from reports.play.interrupts import INTERRUPTS, uninterrupted
from reports.play.store import load_results
from sim import load_game
from sim.files.atomic import claimed, workplace
from sim.files.errors import InputError

GAMES = "games.parquet"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A project with a report in ``out``, made with a file of games; it is copied, not changed."""
    folder = tmp_path_factory.mktemp("made")
    game = load_game("sea")
    shutil.copyfile(game.folder / "starter.toml", folder / "set.toml")
    shutil.copytree(game.folder / "decks", folder / "decks")
    (folder / "s.toml").write_text(
        'game = "sea"\nset = "set.toml"\ndecks = ["decks/rush.toml", "decks/trap.toml"]\nstrategies = ["random"]\n'
        "pairs = 2\n",
        encoding="utf-8",
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        assert main(["run", "s.toml", "--out", "out", "--games-file", GAMES]) == 0
    return folder


@pytest.fixture
def project(made, tmp_path, monkeypatch, capsys):
    shutil.copytree(made, tmp_path / "p")
    monkeypatch.chdir(tmp_path / "p")
    capsys.readouterr()
    return tmp_path / "p"


def content(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


REPLACING = (
    ["stats", "out"],
    ["run", "s.toml", "--out", "out", "--force"],
    ["stats", "out", "--out", "out", "--force"],
)
STRANGE = ("notes.txt", "inputs/notes.txt", "inputs/decks/my_new_deck.toml", "mine/notes.txt")


@pytest.mark.parametrize("words", REPLACING, ids=" ".join)
@pytest.mark.parametrize("name", STRANGE)
def test_what_is_no_part_of_a_report_stops_it(project, capsys, words, name):
    (project / "out" / name).parent.mkdir(exist_ok=True)
    (project / "out" / name).write_text("mine")
    before = content(project)
    assert main(words) == 2
    told = "mine" if name.startswith("mine/") else name
    assert f"out: holds {told!r}, which is no part of a report of komi" in capsys.readouterr().err
    assert content(project) == before


@pytest.mark.parametrize("words", REPLACING, ids=" ".join)
def test_a_part_that_somebody_has_changed_stops_it(project, capsys, words):
    with (project / "out" / "matchups.csv").open("a") as file:
        file.write("my own row\n")
    before = content(project)
    assert main(words) == 2
    assert "out: holds 'matchups.csv', which has been changed since komi wrote it" in capsys.readouterr().err
    assert content(project) == before


def test_a_report_that_is_komis_alone_is_replaced(project):
    (project / "out" / ".DS_Store").write_bytes(b"\0")  # which a look into the folder leaves
    before = content(project / "out")
    for words in REPLACING:
        assert main(words) == 0
    after = content(project / "out")
    assert {name: after[name] for name in after if name.endswith((".csv", ".json"))} == {
        name: before[name] for name in before if name.endswith((".csv", ".json"))
    }
    assert sorted(os.listdir(project)) == ["decks", GAMES, "out", "s.toml", "set.toml"]


def test_a_list_of_parts_that_is_no_text_is_refused(project, capsys):
    (project / "out" / PARTS).write_bytes(b"\xff\xfe")
    assert main(["run", "s.toml", "--out", "out", "--force"]) == 2
    assert f"out: {PARTS} is damaged (out/{PARTS}: found UTF-16, which is not UTF-8" in capsys.readouterr().err


def test_a_report_of_an_earlier_komi_is_replaced_where_it_lists_all(project, capsys):
    listed = "\n".join(sorted(set(os.listdir(project / "out")) - {PARTS})) + "\n"
    (project / "out" / PARTS).write_text(listed, encoding="utf-8")
    assert main(["run", "s.toml", "--out", "out", "--force"]) == 2  # it did not say what is in inputs
    assert "out: holds 'inputs/" in capsys.readouterr().err
    shutil.rmtree(project / "out" / "inputs")
    assert main(["run", "s.toml", "--out", "out", "--force"]) == 0


@pytest.mark.parametrize("name", ["mine.txt", "games/mine.txt"])
def test_what_is_not_of_an_unfinished_run_is_kept(project, capsys, name):
    path = unfinished(project / "new") / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    assert main(["run", "s.toml", "--out", "new"]) == 2
    assert f"new.unfinished: holds {name!r}, which is not of komi" in capsys.readouterr().err
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (["play", "sea", "rush", "trap", "--strategies", "random", "random", "--replay", "mine.json"], "mine.json"),
        (["run", "s.toml", "--out", "new", "--games-file", "mine.parquet"], "mine.parquet"),
        (["cards", "set.toml", "--csv", "mine.csv"], "mine.csv"),
        (["export", "out", "--to", "json", "--out", "mine.json"], "mine.json"),
        (["export", GAMES, "--to", "csv", "--out", "mine.csv"], "mine.csv"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_file_is_replaced_with_force_alone(project, capsys, words, path):
    (project / path).write_text("mine")
    assert main(words) == 2
    assert f"{path}: is there already; --force replaces it" in capsys.readouterr().err
    assert (project / path).read_text() == "mine"
    assert main([*words, "--force"]) == 0
    assert (project / path).read_bytes() != b"mine"


def test_what_is_being_written_is_not_written_by_another_run(project, capsys):
    with ThreadPoolExecutor(1) as other, ExitStack() as stack:
        for name in ("new", "new.toml"):
            claim = claimed(project / name)
            other.submit(claim.__enter__).result()
            stack.callback(lambda claim=claim: other.submit(claim.__exit__, None, None, None).result())
        for words in (["run", "s.toml", "--out", "new"], ["knockout", "s.toml", "--out", "new"]):
            assert main(words) == 2
            assert "new: another run of komi is writing there" in capsys.readouterr().err
        assert main(["tune", "sea", "--out", "new.toml"]) == 2
        assert "new.toml: another run of komi is writing there" in capsys.readouterr().err
    assert not workplace(project / "new").exists()


# Counts belong to a study.

CHANGES = {
    "rules, draw_count: it was played with 1, this study has 3": (
        "study.toml", "draw_count = 1", "draw_count = 3",
    ),
    "pairs: it was played with 2, this study has 5000": ("study.toml", "pairs = 2", "pairs = 5000"),
    "strategies, random: it was played with, and is not here any more": ("study.toml", '"random"', '"greedy"'),
    "seed: it was played with 1, this study has 7": ("study.toml", "seed = 1", "seed = 7"),
    "cards, clownfish: has changed since it was played": (
        "inputs/set.toml", 'id = "clownfish"\nname = "', 'id = "clownfish"\nname = "x',
    ),
    "decks, rush: has changed since it was played": ("inputs/decks/rush.toml", 'name = "', 'name = "x'),
}  # fmt: skip
READERS = (
    ["stats", "out"],
    ["plan", "out"],
    ["diff", "out", "out"],
    ["export", "out", "--to", "json"],
    ["play", "--study", "out", "--game", "1"],
)


def change(place):
    name, old, new = CHANGES[place]
    text = Path("out", name).read_text(encoding="utf-8")
    assert old in text
    Path("out", name).write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_counts_of_another_study_are_refused_with_all_that_differs(project, capsys, words):
    places = ("rules, draw_count", "pairs", "cards, clownfish")
    for place in CHANGES:
        if place.startswith(places):
            change(place)
    before = content(project)
    assert main(words) == 2
    said = capsys.readouterr().err
    assert all(place in said for place in CHANGES if place.startswith(places))
    assert content(project) == before


@pytest.mark.parametrize("place", CHANGES)
def test_whatever_counts_depend_on_is_compared(project, capsys, place):
    change(place)
    assert main(["stats", "out"]) == 2
    assert (
        f"counts.json: is of another study than study.toml and the files beside it: {place}" in capsys.readouterr().err
    )


def test_cards_that_come_with_komi_may_have_changed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text('game = "sea"\ndecks = ["rush"]\nstrategies = ["random"]\npairs = 1\n')
    assert main(["run", "s.toml", "--out", "out"]) == 0
    text = (load_game("sea").folder / "starter.toml").read_text(encoding="utf-8")
    newer = tmp_path / "newer"
    (newer / "decks").mkdir(parents=True)
    (newer / "starter.toml").write_text(text.replace("version = 1", "version = 2"), encoding="utf-8")
    shutil.copytree(load_game("sea").folder / "decks", newer / "decks", dirs_exist_ok=True)
    monkeypatch.setattr("sim.library.set_path", lambda *_: newer / "starter.toml")
    capsys.readouterr()
    assert main(["stats", "out"]) == 2
    assert "version: it was played with 1, this study has 2" in capsys.readouterr().err


def test_a_changed_digit_is_never_taken_for_counts(project):
    path = project / "out" / COUNTS
    text = path.read_text(encoding="utf-8")
    places = [match.start() for match in re.finditer(r"\d", text)]
    for place in places[:: max(1, len(places) // 150)]:
        path.write_text(text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :], encoding="utf-8")
        with pytest.raises(InputError, match=r"is damaged|is of another study"):
            load_results(project / "out")


IMPOSSIBLE = {
    "a number below 0": lambda counts: counts["turns"]["n"].__setitem__(0, -5000),
    "a sum that differs": lambda counts: counts["outcomes"]["n"].__setitem__(0, counts["outcomes"]["n"][0] + 1),
    "a shape": lambda counts: counts["turns"].__setitem__("shape", [10**15, 2]),
    "a place outside": lambda counts: counts["scores"]["at"].__setitem__(0, 10**9),
    "no list": lambda counts: counts.__setitem__("scores", 5),
    "a number too large": lambda counts: counts["scores"]["n"].__setitem__(0, 10**30),
    "no number": lambda counts: counts["scores"]["n"].__setitem__(0, None),
    "more forced decisions than decisions": lambda counts: counts["choices"]["n"].__setitem__(2, 10**9),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_counts_that_cannot_be_are_refused_even_with_their_checksum(project, capsys, what):
    path = project / "out" / COUNTS
    found = unseal(path.read_text(encoding="utf-8"))
    IMPOSSIBLE[what](found["matchups"][0]["counts"])
    path.write_text(seal(found), encoding="utf-8")
    assert main(["stats", "out", "--out", "new"]) == 2
    assert f"{COUNTS}: is damaged" in capsys.readouterr().err
    assert not (project / "new").exists()


def test_counts_are_json(project):
    found = json.loads((project / "out" / COUNTS).read_text(encoding="utf-8"))
    assert found["format"] == 2
    assert found["of"]["rules"]["draw_count"] == 1
    path = project / "out" / COUNTS
    path.write_text(json.dumps(found), encoding="utf-8")  # written by somebody else
    with pytest.raises(InputError, match="is damaged"):
        load_results(project / "out")
    path.write_text('{"format":1,"game":"sea"}', encoding="utf-8")
    with pytest.raises(InputError, match="found format 1, expected 2: an earlier version of komi wrote it"):
        load_results(project / "out")


# What komi advises works.


def test_a_run_that_was_stopped_while_its_report_was_written_is_gone_on_with(project, monkeypatch, capsys):
    words = ["run", "s.toml", "--out", "new", "--games-file", "new.parquet"]

    def stopped(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("reports.play.checkpoint.Checkpoint.finish", stopped)  # all is written, but for the tidying
        assert main(words) == 130
    assert capsys.readouterr().err.rstrip().endswith(f"go on with: komi {' '.join(words)} --resume")
    for name in ("new", "new.parquet", "new.unfinished"):
        assert (project / name).exists()
    assert main([*words, "--resume"]) == 0
    assert sorted(os.listdir(project)) == ["decks", GAMES, "new", "new.parquet", "out", "s.toml", "set.toml"]
    assert (project / "new.parquet").read_bytes() == (project / GAMES).read_bytes()
    assert (project / "new" / COUNTS).read_bytes() == (project / "out" / COUNTS).read_bytes()


def test_only_the_outputs_of_the_same_run_are_accepted(project, monkeypatch, capsys):
    words = ["run", "s.toml", "--out", "new", "--games-file", "new.parquet"]
    with monkeypatch.context() as patched:
        patched.setattr("reports.pages.page.fill_folder", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(words) == 130
    (project / "new.parquet").write_bytes(b"mine")
    assert main([*words, "--resume"]) == 2
    assert "new.parquet: is there already; --force replaces it" in capsys.readouterr().err
    shutil.copyfile(project / GAMES, project / "new.parquet")
    (project / "new").mkdir()
    (project / "new" / "mine.txt").write_text("mine")
    assert main([*words, "--resume"]) == 2
    assert "new: holds 'mine.txt', which is no part of a report of komi" in capsys.readouterr().err


def do_whole(number, done):
    with uninterrupted():
        signal.raise_signal(number)
        done.append("all")


@pytest.mark.parametrize("number", INTERRUPTS)
def test_what_must_be_done_whole_is(number):
    done = []

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(number, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            do_whole(number, done)
        assert done == ["all"]
        assert signal.getsignal(number) is interrupt
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", INTERRUPTS)
def test_whoever_asks_komi_to_end_is_told_how_to_go_on(project, capsys, monkeypatch, number):
    from reports.play import run

    def interrupted(self, chunk):
        add(self, chunk)
        signal.raise_signal(number)  # while a chunk is added

    add = run.Progress.add
    monkeypatch.setattr("reports.play.progress.Progress.add", interrupted)
    words = ["run", "s.toml", "--out", "r[v2]", "--jobs", "1"]
    before = signal.signal(number, signal.SIG_DFL)  # these tests may run under nohup, whose wish komi keeps
    try:
        assert main(words) == 130
    finally:
        signal.signal(number, before)
    said = capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.chdir(project)
    assert "interrupted; what was played is kept; go on with: komi run s.toml --out 'r[v2]' --jobs 1 --resume" in said
    assert main([*words, "--resume"]) == 0
    assert (project / "r[v2]" / COUNTS).read_bytes() == (project / "out" / COUNTS).read_bytes()


def test_the_command_to_go_on_with_can_be_pasted(monkeypatch):
    words = ["run", "[wip] a's/study.toml", "--out", os.fsdecode(b"\x83J\x81[\x83h 'x'"), "a\nb"]
    monkeypatch.setattr("reports.cli.waiting.command", words)
    line = go_on().removeprefix("go on with: komi ")
    shown = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], check=True, capture_output=True).stdout
    assert shown.split(b"\0")[:-1] == list(map(os.fsencode, [*words, "--resume"]))
