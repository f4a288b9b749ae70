"""Reports and games for other programs: what is written is read back as it was, and docs/schema.md says what it is."""

import csv
import gzip
import json
import math
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reports import load_study, run_study
from reports.cli import main
from reports.experiments.comparison import compare
from reports.experiments.knockout import Knockout, knockout_study
from reports.formats.tables import write_csv
from reports.pages.export import VERSION_KEY, export_games, write_parquet
from reports.pages.page import write_report
from reports.pages.summary import LONG, SCHEMA, SUMMARY_JSON, load_summary, summary
from reports.tables import all_tables
from reports.tables.comparison import comparison_tables
from reports.tables.knockout import cards_table, ranking_table
from sim import InputError
from sim.files.text import read_text
from sim.kernels.jit import ENABLED
from sim.library import game_names

SCHEMA_PAGE = (Path(__file__).parents[2] / "docs" / "schema.md").read_text(encoding="utf-8")
PAIRS = 3 if ENABLED else 1
ODD = ['魚, "🐟"', "NA", "007", "it's", "=1+1"]  # labels of decks
ODD_NAME = 'name = "a, \\"b\\"; 🐟 行; \'x\' =1"'


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A study whose decks have odd labels and names, its results, its report and its file of games."""
    folder = tmp_path_factory.mktemp("odd")
    rush = read_text(load_study("sea").game.folder / "decks" / "rush.toml")
    for label in ODD:
        (folder / f"{label}.toml").write_text(re.sub("name = .*", lambda _: ODD_NAME, rush), encoding="utf-8")
    decks = json.dumps([f"{label}.toml" for label in ODD], ensure_ascii=False)
    (folder / "study.toml").write_text(
        f'game = "sea"\ndecks = {decks}\nstrategies = ["random", "greedy"]\npairs = {PAIRS}\n', encoding="utf-8"
    )
    results = run_study(folder / "study.toml", jobs=1, games_file=folder / "games.parquet")
    write_report(results, folder / "out")
    return results, folder / "out", folder / "games.parquet"


def documented():
    """The columns of each table and the types of all columns, as the page says; for every table some names may hold in
    one game only.
    """
    body, listed = SCHEMA_PAGE.split("\n## Columns\n")
    tables = {
        name: re.findall(r"`([^`]+)`", _columns(text))
        for name, text in re.findall(r"\n### `(\w+)`\n(.*?)(?=\n##|\Z)", body, re.DOTALL)
    }
    types = {}
    for names, kind in re.findall(r"^\| (`.*?`) \| (\w+) \|", listed.split("\n## Summary")[0], re.MULTILINE):
        for name in re.findall(r"`([^`]+)`", names):
            assert name not in types, f"{name} is described twice"
            types[name] = kind
    return tables, types


def _columns(text):
    """The paragraphs that are nothing but names."""
    return "\n".join(part for part in text.split("\n\n") if re.fullmatch(r"(\s*`[^`]+`)+\s*", part))


def kind_of(values):
    kinds = {"i": "integer", "f": "number", "b": "truth", "O": "text", "T": "text", "U": "text"}
    return "text" if isinstance(values.dtype, pd.StringDtype | pd.CategoricalDtype) else kinds[values.dtype.kind]


def pattern_of(column, names):
    """The name under which a column is documented."""
    if column in names:
        return column
    return next((name for name in names if name.endswith("*") and column.startswith(name[:-1])), None)


def described_as(column, table, types):
    """The name under which a column of a table is described: its own, or the one that all tables share."""
    return f"{table}.{column}" if f"{table}.{column}" in types else column


def in_circles(results):
    """Results in which the first three decks beat each other in a circle."""
    decks = list(results.study.decks)[:3]
    counts = list(results.counts)
    for i, matchup in enumerate(results.matchups):
        labels = (matchup.a.deck_label, matchup.b.deck_label)
        if matchup.strategies == ("greedy", "greedy") and set(labels) < set(decks) and len(set(labels)) == 2:
            wins = labels != (decks[0], decks[2])
            scores = np.zeros((3, 3), np.int64)
            scores[(2, 2) if wins else (0, 0)] = 1000
            counts[i] = counts[i]._replace(scores=scores)
    return replace(results, counts=counts)


@pytest.fixture(scope="module")
def written(report, tmp_path_factory):
    """Every table that there is, as often as it is made: by name a list of data frames."""
    results, out, games = report
    found = [all_tables(results), all_tables(in_circles(results)), comparison_tables(compare(out, out))]
    found.append({"games": pq.read_table(games).to_pandas()})
    folder = tmp_path_factory.mktemp("every")
    for game in game_names():
        (folder / f"{game}.toml").write_text(
            f'game = "{game}"\ndecks = ["rush", "control"]\npairs = 1\n', encoding="utf-8"
        )
        found.append(all_tables(run_study(folder / f"{game}.toml", jobs=1)))
    until = "until = {half_width = 40, max_pairs = 2}\n"
    (folder / "one.toml").write_text(
        'game = "sea"\ndecks = ["rush"]\nstrategies = ["random"]\n' + until, encoding="utf-8"
    )
    found.append(all_tables(run_study(folder / "one.toml", jobs=1)))
    sweep = "[sweep]\nrules.draw_count = [1, 2]\ncards.bottlenose.power = [3, 4]\ndecks.rush = ['rush', 'ramp']\n"
    (folder / "sweep.toml").write_text(
        f'game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["random"]\npairs = 1\n{sweep}', "utf-8"
    )
    found.append(all_tables(run_study(folder / "sweep.toml", jobs=1)))
    (folder / "cards.toml").write_text('game = "sea"\ndecks = ["rush"]\nstrategies = ["greedy"]\n', encoding="utf-8")
    knockouts = Knockout(knockout_study(str(folder / "cards.toml"), pairs=1)).play(1)
    found.append({"ranking": ranking_table(knockouts), "cards": cards_table(knockouts)})
    tables = {}
    for each in found:
        for name, table in each.items():
            tables.setdefault(name, []).append(table)
    return tables


def test_every_column_of_every_table_is_documented_with_its_type(written):
    """To mend it, add the table and its columns to docs/schema.md."""
    tables, types = documented()
    for name, made in written.items():
        assert name in tables, f"docs/schema.md has no table `{name}`"
        for table in made:
            for column in table.columns:
                known = pattern_of(column, tables[name])
                assert known, f"docs/schema.md has no column `{column}` in `{name}`"
                described = described_as(known, name, types)
                assert described in types, f"docs/schema.md describes no column `{known}`"
                if len(table):
                    assert kind_of(table[column]) == types[described], (name, column)


def test_every_table_and_column_that_is_documented_is_written(written):
    """To mend it, take out of docs/schema.md what is no longer there."""
    tables, types = documented()
    assert set(tables) == set(written)
    for name, names in tables.items():
        assert len(names) == len(set(names)), name
        met = {pattern_of(column, names) for table in written[name] for column in table.columns}
        assert set(names) == met, name
    assert set(types) == {described_as(column, name, types) for name, names in tables.items() for column in names}


def test_the_columns_are_documented_in_their_order(written):
    tables, _ = documented()
    for name, made in written.items():
        for table in made:
            known = list(dict.fromkeys(pattern_of(column, tables[name]) for column in table.columns))
            assert known == [column for column in tables[name] if column in known], name


def test_every_key_of_the_summary_is_documented(report):
    found = load_summary(report[1])
    body = SCHEMA_PAGE.split("\n## Summary (JSON)\n")[1]
    keys = [key for row in re.findall(r"^\| (`.*?`) \|", body, re.MULTILINE) for key in re.findall(r"`(\w+)`", row)]
    assert sorted(keys) == sorted(found)
    assert f"Schema version {SCHEMA}." in SCHEMA_PAGE
    (said,) = re.findall(r"^\| `verdicts` \|.*?: (.*) \|$", body, re.MULTILINE)
    assert re.findall(r"`(\w+)`", said) == list(found["verdicts"][0])
    assert list(found["sections"][0]) == ["title", "sentences"]


def refuse(word):
    raise AssertionError(f"found {word} in it")


def test_the_summary_says_what_the_report_says(report):
    results, out, _ = report
    content = json.loads(read_text(out / SUMMARY_JSON), parse_constant=refuse)
    tables = all_tables(results)
    markdown = read_text(out / "summary.md")
    for part in content["sections"]:
        assert f"## {part['title']}\n" in markdown
        assert all(f"- {sentence}\n" in markdown for sentence in part["sentences"])
    assert content["headline"] in markdown
    assert content["headline"].startswith("When both play greedy, ")
    assert content["settings"]["decks"] == [f"inputs/decks/{label}.toml" for label in ODD]
    assert content["versions"] == results.versions
    assert content["games"] == 2 * PAIRS * len(results.matchups)
    assert set(content["tables"]) == {name for name, table in tables.items() if name not in LONG}
    assert {"matchups", "pairs", "seats", "course"} == set(tables) - set(content["tables"])
    for name, rows in content["tables"].items():
        assert list(rows[0]) == list(tables[name].columns)
        for row, found in zip(tables[name].to_dict("records"), rows, strict=True):
            for column, value in row.items():
                missing = isinstance(value, float) and not math.isfinite(value)
                assert found[column] is None if missing else found[column] == value


def test_no_number_is_null():
    table = pd.DataFrame({"a": [1.5, math.nan, math.inf], "b": [True, False, True], "c": ["NaN", "x", "y"]})
    settings = 'name = "n"\ngame = "sea"\nseed = 1\nmargin = 2.0\n'
    found = summary(settings, np.int64(3), {"t": table}, [])
    assert found["tables"]["t"] == [
        {"a": 1.5, "b": True, "c": "NaN"},
        {"a": None, "b": False, "c": "x"},
        {"a": None, "b": True, "c": "y"},
    ]
    assert type(found["games"]) is int
    assert type(found["tables"]["t"][0]["b"]) is bool
    assert found["headline"] == ""
    assert found["verdicts"] == []


def cell(text):
    """Write a text as CSV has it: what a spreadsheet would carry out has an apostrophe before it."""
    return f"'{text}" if text.startswith("=") else text


def same(read, table):
    """Compare tables, whatever the texts' and the missing numbers' dress."""
    assert list(read.columns) == list(table.columns)
    assert len(read) == len(table)
    for column in table.columns:
        for x, y in zip(read[column].tolist(), table[column].tolist(), strict=True):
            assert x == y or (x != x and y != y), column


def test_parquet_keeps_names_and_types(report, tmp_path, capsys):
    results, out, _ = report
    assert main(["export", str(out), "--to", "parquet"]) == 0
    folder = out.with_name("out-parquet")
    assert f"tables in {folder}" in capsys.readouterr().err
    tables = all_tables(results)
    assert {path.stem for path in folder.glob("*.parquet")} == set(tables)
    arrow_types = {
        "text": (pa.string(), pa.large_string()),
        "integer": (pa.int64(),),
        "number": (pa.float64(),),
        "truth": (pa.bool_(),),
    }
    for name, table in tables.items():
        read = pq.read_table(folder / f"{name}.parquet")
        for field in read.schema:
            assert field.type in arrow_types[kind_of(table[field.name])], (name, field)
        assert read.schema.metadata[VERSION_KEY] == str(SCHEMA).encode()
        same(read.to_pandas(), table)
    assert main(["export", str(out), "--to", "parquet"]) == 2
    assert main(["export", str(out), "--to", "parquet", "--force"]) == 0
    assert main(["export", str(out), "--to", "parquet", "--out", str(tmp_path / "p")]) == 0
    assert (tmp_path / "p" / "pairs.parquet").read_bytes() == (folder / "pairs.parquet").read_bytes()


def test_csv_keeps_names(report, tmp_path):
    results, out, _ = report
    assert main(["export", str(out), "--to", "csv", "--out", str(tmp_path / "c")]) == 0
    for name, table in all_tables(results).items():
        assert (tmp_path / "c" / f"{name}.csv").read_bytes() == (out / f"{name}.csv").read_bytes()
        texts = {column: str for column in table.columns if kind_of(table[column]) == "text"}
        numbers = [column for column in table.columns if column not in texts]
        blank = {column: [""] for column in numbers}
        read = pd.read_csv(tmp_path / "c" / f"{name}.csv", dtype=texts, keep_default_na=False, na_values=blank)
        same(read, table.assign(**{column: table[column].map(cell) for column in texts}))
        with (tmp_path / "c" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for column in texts:
            assert [row[column] for row in rows] == list(map(cell, table[column]))
        for column in numbers:
            wanted = ["" if value != value else str(value) for value in table[column].tolist()]
            assert [row[column] for row in rows] == wanted


def test_json_is_the_summary(report, capsys):
    _, out, _ = report
    assert main(["export", str(out), "--to", "json"]) == 0
    target = out.with_name("out.json")
    assert target.read_bytes() == (out / SUMMARY_JSON).read_bytes()
    name = json.loads(ODD_NAME.removeprefix("name = "))
    assert {(row["deck"], row["name"]) for row in json.loads(read_text(target))["tables"]["decks"]} == {
        (label, name) for label in ODD
    }
    assert main(["export", str(out), "--to", "json"]) == 2
    assert "is there already; --force replaces it" in capsys.readouterr().err


def test_a_table_without_rows_is_written(tmp_path):
    for table in (pd.DataFrame(), pd.DataFrame({"a": pd.Series([], dtype=float)})):
        write_parquet(table, tmp_path / "t.parquet")
        assert pq.read_table(tmp_path / "t.parquet").num_rows == 0
        write_csv(table, tmp_path / "t.csv")
        assert (tmp_path / "t.csv").read_text(encoding="utf-8") == ("a\n" if len(table.columns) else "\n")


@pytest.mark.parametrize("name", ["games.csv", "games.csv.gz"])
def test_games_are_exported(report, tmp_path, name, capsys):
    results, _, games = report
    assert main(["export", str(games), "--to", "csv", "--out", str(tmp_path / name)]) == 0
    assert f"{2 * PAIRS * len(results.matchups):,} games in" in capsys.readouterr().err
    raw = (tmp_path / name).read_bytes()
    rows = list(
        csv.DictReader((gzip.decompress(raw) if name.endswith(".gz") else raw).decode().splitlines(keepends=True))
    )
    table = pq.read_table(games).to_pandas()
    assert list(rows[0]) == list(table.columns)
    for column in table.columns:
        assert [row[column] for row in rows] == [cell(str(value)) for value in table[column].tolist()]
    assert {row["deck_first"] for row in rows} == set(map(cell, ODD))
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]


def test_games_are_read_one_row_group_at_a_time(report, tmp_path, monkeypatch):
    """Ten copies of the games take no more memory than one: never more than a row group is there."""
    _, _, games = report
    table = pq.read_table(games)
    with pq.ParquetWriter(tmp_path / "many.parquet", table.schema) as writer:
        for _ in range(10):
            writer.write_table(table)
    seen = []
    assert export_games(tmp_path / "many.parquet", tmp_path / "many.csv", seen.append) == 10 * len(table)
    assert seen == [len(table)] * 10
    assert len((tmp_path / "many.csv").read_text(encoding="utf-8").splitlines()) == 10 * len(table) + 1


def test_what_cannot_be_exported_is_refused(report, tmp_path, monkeypatch, capsys):
    _, out, games = report
    bad = tmp_path / "bad.parquet"
    bad.write_bytes(b"PAR1")
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"x": [1]}), other)
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(games.read_bytes()[:-20])
    for words, told in (
        ([str(out), "--to", "xlsx"], "--to: unknown format 'xlsx'"),
        ([str(tmp_path), "--to", "csv"], "found no study.toml in it, expected the folder of a report"),
        ([str(tmp_path / "nothing"), "--to", "csv"], "found nothing, expected a report's folder"),
        ([str(games), "--to", "parquet"], "it is Parquet already"),
        ([str(games), "--to", "json"], "expected csv"),
        ([str(games), "--to", "csv", "--out", str(tmp_path / "x.txt")], "ends in .csv or .csv.gz"),
        ([str(bad), "--to", "csv"], "bad.parquet: cannot be read"),
        ([str(cut), "--to", "csv"], "cut.parquet: cannot be read"),
        ([str(other), "--to", "csv"], "found no column 'decisions', expected a file of games"),
        ([str(out), "--to", "json", "--out", str(tmp_path / "x.txt")], "ends in .json"),
        ([str(out), "--to", "csv", "--out", str(out / "tables")], "is inside the report's folder"),
        ([str(out), "--to", "csv", "--out", str(tmp_path)], "holds 'bad.parquet'"),
    ):
        assert main(["export", *words, "--force"]) == 2
        assert told in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.parquet", "cut.parquet", "other.parquet"]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for words in ([str(out), "--to", "parquet", "--out", str(tmp_path / "p")], [str(games), "--to", "csv", "--force"]):
        assert main(["export", *words]) == 2
        assert "pip install 'komi[parquet]'" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 99}'])
def test_a_summary_of_another_kind_is_refused(tmp_path, text):
    with pytest.raises(InputError):
        load_summary(tmp_path)
    (tmp_path / SUMMARY_JSON).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"summary\.json:(1: not JSON| is damaged| found version 99, expected)"):
        load_summary(tmp_path)
