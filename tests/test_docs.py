"""What README and docs show is run again, and every clause of the rules has a test that names it."""

import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from reports import load_study, run_study
from reports.cli import main
from reports.sections import sections
from reports.studies.describe import listing
from reports.tables import all_tables
from sim.files.toml import validate
from sim.library import game_names, load_game
from strategies import load_strategy
from strategies.check import check_strategy

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def examples(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def few_pairs(examples):
    """The example's study with fewer pairs, so that it is quick without JIT too."""
    study = examples / "examples" / "reef" / "study.toml"
    study.write_text(study.read_text(encoding="utf-8").replace("pairs = 5000", "pairs = 2"), encoding="utf-8")


@pytest.mark.usefixtures("few_pairs")
def test_the_commands_of_the_readme_run(capsys):
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert len(commands) > 8
    for command in commands:
        words = shlex.split(command.replace("--pairs 500", "--pairs 1").replace("--pilot 500", "--pilot 2"))
        assert words[0] == "komi"
        assert main(words[1:]) == 0, command
    assert "a game by the rules" in capsys.readouterr().out


@pytest.mark.compiled
def test_the_examples_run_from_the_checkout_again_and_again(tmp_path):
    """Own strategies under komi's own folder are kept under names that the next process finds."""
    for number in "12":
        words = ["run", "examples/reef/study.toml", "--pairs", "1", "--out", str(tmp_path / number)]
        subprocess.run([sys.executable, "-m", "reports.cli", *words], cwd=ROOT, check=True)


@pytest.mark.usefixtures("few_pairs")
@pytest.mark.parametrize("code", [block for block in blocks("python") if "@kernel" not in block], ids=range(2))
def test_the_python_of_the_readme_runs(code):
    exec(compile(code, "README.md", "exec"), {})


def test_the_strategy_of_the_readme_is_the_examples():
    (code,) = [block for block in blocks("python") if "@kernel" in block]
    assert code == (ROOT / "examples" / "reef" / "face.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", game_names())
def test_the_strategies_of_the_docs_pass_the_check(name, tmp_path):
    codes = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8"), re.DOTALL)
    (code,) = [code for code in codes if f"from sim.{name}.reading" in code]
    (tmp_path / "own.py").write_text(code, encoding="utf-8")
    assert check_strategy(load_strategy(load_game(name), "own.py", tmp_path)) > 0


@pytest.mark.parametrize("name", game_names())
def test_every_reading_is_in_the_docs(name):
    docs = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
    general, own = docs.split("## Sea")[0], re.search(rf"## {name.title()}\n(.*?)\n## ", docs, re.DOTALL)[1]
    names = import_module(f"sim.{name}.reading").__all__
    assert len(names) > 30
    assert [word for word in names if f"`{word}" not in general + own] == []


def test_the_card_of_the_readme_is_the_examples():
    (card,) = blocks("toml")
    assert card in (ROOT / "examples" / "reef" / "reef.toml").read_text(encoding="utf-8")


@pytest.mark.compiled
@pytest.mark.usefixtures("examples")
def test_what_the_readme_says_was_found_is_found():
    results = run_study("examples/reef/study.toml")
    found = [sentence for section in sections(results, all_tables(results), []) for sentence in section.sentences]
    (said,) = blocks("text")
    assert said.strip() in found


@pytest.mark.compiled
def test_what_the_readme_tries_mends_it(examples):
    study = examples / "examples" / "reef" / "study.toml"
    study.write_text(study.read_text(encoding="utf-8") + blocks("ini")[0], encoding="utf-8")
    results = run_study(study)
    found = [sentence for section in sections(results, all_tables(results), []) for sentence in section.sentences]
    said = re.search(r"the second seat wins [\d.]+ % \([\d.]+ to [\d.]+\), which is fair", README.replace("\n", " "))[0]
    assert any(
        sentence.startswith(f"When both play greedy, {said.removesuffix(', which is fair')}") and "fair" in sentence
        for sentence in found
    )


def test_the_study_in_the_docs_is_one(examples):
    text = re.search(
        r"## Study file.*?```toml\n(.*?)```", (ROOT / "docs" / "files.md").read_text(encoding="utf-8"), re.DOTALL
    )[1]
    (examples / "mine.toml").write_text(
        (load_game("sea").folder / "decks" / "ramp.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (examples / "study.toml").write_text(text, encoding="utf-8")
    study = load_study("study.toml")
    assert list(study.decks) == ["rush", "trap", "mine"]


@pytest.mark.parametrize("name", game_names())
def test_every_clause_has_a_test_that_names_it(name):
    rules = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    letter = re.search(r"^## ([A-Z])1 ", rules, re.MULTILINE)[1]
    clauses = set(re.findall(rf"(?:^- |^|\. ){letter}(\d+\.\d+)\b(?=[ :])", rules, re.MULTILINE))
    tests = (ROOT / "tests" / "sim" / name / "test_rules.py").read_text(encoding="utf-8")
    named = {f"{major}.{minor}" for major, minor in re.findall(rf"def test_{letter.lower()}(\d+)_(\d+)_", tests)}
    assert len(clauses) > 40
    assert clauses - named == set()


@pytest.mark.parametrize("name", game_names())
def test_every_option_and_its_default_is_in_the_rules(name):
    rules = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    options = validate({}, load_game(name).rules, "rules").model_dump()
    for option, default in options.items():
        shown = f'"{default}"' if isinstance(default, str) else str(default).lower()
        assert re.search(rf"`{option}` ?= {re.escape(shown)}|`{option}` = {re.escape(shown)}", rules), option
    assert len(list(listing("options", name))) == len(options)


def test_the_project_speaks_of_itself_alone():
    for path in [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "Makefile", *(ROOT / "docs").glob("*.md")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bshared/|\.\./|(?<![\w.*\])/])/\w+/|https?://", text), path


def shown_game():
    """Give the files of the game that docs/new_game.md builds, as it shows them part by part, and its commands."""
    docs = (ROOT / "docs" / "new_game.md").read_text(encoding="utf-8")
    files = {}
    for path, _, part in re.findall(r"^`(war/\S+)`:\n\n```(python|toml)\n(.*?)```", docs, re.DOTALL | re.MULTILINE):
        files.setdefault(path, []).append(part)
    commands = [line for block in re.findall(r"```sh\n(.*?)```", docs, re.DOTALL) for line in block.splitlines()]
    (code,) = re.findall(r"```python\n(from sim import load_game\n.*?)```", docs, re.DOTALL)
    return {path: "\n\n".join(parts) for path, parts in files.items()}, commands, code


def test_the_game_of_the_docs_is_the_example():
    files, _, _ = shown_game()
    assert files == {
        path.relative_to(ROOT / "examples").as_posix(): path.read_text(encoding="utf-8")
        for ending in ("py", "toml")
        for path in (ROOT / "examples" / "war").rglob(f"*.{ending}")
    }


@pytest.mark.compiled
def test_what_the_docs_show_of_a_game_runs(tmp_path, monkeypatch):
    files, commands, code = shown_game()
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(re.sub(r"pairs = \d+", "pairs = 2", text), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert len(commands) > 4
    for command in commands:
        assert main(shlex.split(command.replace("--pairs 500", "--pairs 2 --search-pairs 2"))[1:]) == 0, command
    exec(compile(code, "docs/new_game.md", "exec"), {})
