"""Texts of a study in its report: a spreadsheet carries none of them out, and Markdown shows them as they are."""

import csv

import pandas as pd
import pytest

from reports.cli import main
from reports.formats.markdown import code, plain
from reports.formats.marks import marked
from reports.formats.tables import write_csv

DECK = """game = "sea"
set = "starter"
name = "<script>|alert(1)|"
[cards]
garden_eel = 1
clownfish = 1
sardine = 2
flying_fish = 3
sea_krait = 3
bottlenose = 2
eagle_ray = 3
sea_lion = 1
"""


@pytest.mark.parametrize(
    "text", ["=1+1", "+a", "-a", "@x", "\tx", "\rx", "＝1", "＋a", "－a", "＠x", "'=1", "-1+1", "=", "-"]
)
def test_what_a_spreadsheet_would_carry_out_is_marked(text):
    assert marked(text) == marked(text, comes_back=True) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["rush", "greedy", "weighted:mine.toml", "sea_lion", "", "007", "NA", "-2", "+1.5", "サメ", "−1.2", "it's"]
)
def test_what_it_would_not_is_as_it_was_in_a_table(text):
    assert marked(text) == text


def test_numbers_of_a_table_stay_numbers(tmp_path):
    mixed = pd.Series(["=x", -1, None, "-1", True], dtype=object)
    write_csv(pd.DataFrame({"a": mixed, "b": [-1.5, 2, 3, 4, float("nan")], "=c": [-1] * 5}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines() == [
        "a,b,'=c", "'=x,-1.5,-1", "-1,2.0,-1", ",3.0,-1", "-1,4.0,-1", "True,,-1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<script>", "&lt;script>"), ("a|b", "a\\|b"), ("*x*", "\\*x\\*"), ("_x_", "\\_x\\_"), ("`x`", "\\`x\\`"),
        ("[a](b)", "[a\\](b)"), ("![a][b]", "![a\\][b]"), ("# x", "\\# x"), ("1. x", "1\\. x"),
        ("- x", "\\- x"), ("> x", "\\> x"),
        ("~~x~~", "\\~\\~x\\~\\~"), ("&lt;", "&amp;lt;"), ("C:\\x", "C:\\\\x"), ("<!--", "&lt;!--"),
    ],
)  # fmt: skip
def test_markup_in_a_text_is_shown_as_it_is(text, written):
    assert plain(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "sea_lion, first_turn",
        "p < 0.001",
        "2 * 3",
        "52.6 % (52.1 to 53.1): fair",
        "[wip] study",
        "+1.2",
        "−3",
        "AT&T",
        "x=1",
        "#1",
    ],
)
def test_ordinary_text_is_as_it_was(text):
    assert plain(text) == text


def test_code_is_in_more_backticks_than_it_has():
    assert code("a|b") == "`a|b`"
    assert code("a``b") == "``` a``b ```"


def test_no_text_of_a_study_does_anything_in_its_report(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "=cmd().toml").write_text(DECK, encoding="utf-8")
    (tmp_path / "study.toml").write_text(
        'game = "sea"\nname = "<img src=x>"\npairs = 1\nstrategies = "random"\ndecks = ["=cmd().toml", "rush"]\n',
        encoding="utf-8",
    )
    assert main(["run", "study.toml", "--out", "a"]) == 0
    assert main(["diff", "a", "a", "--out", "=b"]) == 0
    tables = [path.read_text(encoding="utf-8").splitlines() for path in tmp_path.glob("*/*.csv")]
    cells = [cell for lines in tables for row in csv.reader(lines) for cell in row]
    assert "'=cmd()" in cells
    assert not any(cell.startswith("=") for cell in cells)
    for page in tmp_path.glob("*/*.md"):
        assert "<" not in page.read_text(encoding="utf-8")
    assert "# &lt;img src=x>" in (tmp_path / "a" / "summary.md").read_text(encoding="utf-8")
