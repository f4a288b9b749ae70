"""What is installed: everything that komi reads, its examples included, and in a checkout nothing but its path."""

import shlex
from pathlib import Path
from zipfile import ZipFile

import pytest

from reports.cli import main
from reports.studies import project

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted(path for path in (ROOT / "examples").rglob("*") if path.suffix in (".py", ".toml"))


@pytest.fixture
def built(tmp_path):
    """Build a wheel and give what is in it."""
    wheel = pytest.importorskip("hatchling.builders.wheel")

    def build(kind):
        (path,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=[kind])
        with ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    return build


def test_a_wheel_has_all_files_of_the_packages_and_the_examples(built):
    packages = (path for name in ("sim", "strategies", "reports") for path in (ROOT / name).rglob("*"))
    files = {path.relative_to(ROOT).as_posix(): path for path in packages if path.suffix in (".py", ".toml", ".j2")}
    files |= {f"reports/{path.relative_to(ROOT).as_posix()}": path for path in EXAMPLES}
    found = built("standard")
    assert {name for name in found if ".dist-info/" not in name} == set(files)
    assert all(found[name] == path.read_bytes() for name, path in files.items())


def test_a_checkout_is_found_by_its_path_behind_which_no_folder_of_a_users_can_hide_it(built):
    """A finder of modules, which other builders write, would come after a folder without __init__.py."""
    found = {name: text.decode() for name, text in built("editable").items() if ".dist-info/" not in name}
    assert found == {"_komi.pth": str(ROOT)}


@pytest.mark.parametrize("installed", [False, True])
def test_the_examples_are_written_with_what_to_do_next(installed, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    if installed:
        (tmp_path / "reports").mkdir()
        (tmp_path / "reports" / "examples").symlink_to(ROOT / "examples")
        monkeypatch.setattr(project, "EXAMPLES", (tmp_path / "reports" / "examples", tmp_path / "none"))
    assert main(["examples", "mine"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[: len(EXAMPLES)] == [f"mine/{path.relative_to(ROOT / 'examples')}" for path in EXAMPLES]
    assert all((tmp_path / name).is_file() for name in said[: len(EXAMPLES)])
    commands = [shlex.split(line.partition(":")[2]) for line in said[len(EXAMPLES) :]]
    assert [command[:2] for command in commands] == [["komi", "run"], ["komi", "play"]]
    assert all(Path(word).is_file() for command in commands for word in command if "/" in word)
    assert main(["examples", "mine"]) == 2
    assert "expected a folder that is new or empty" in capsys.readouterr().err
