"""Pictures are the report's own: no setting, name or number of lines spoils them; one that fails spoils no report."""

import logging
import os
import subprocess
import sys
import unicodedata
import warnings

import matplotlib
import numpy as np
import pandas as pd
import pytest
import tomli_w

from reports import load_study, run_study
from reports.pages.page import write_report
from reports.plots import (
    all_pictures,
    draw_all,
    matplotlib_import,
    plot_decks,
    plot_first_player,
    plot_lengths,
    plot_metagame,
    png,
)
from reports.plots.canvas import fit, new_axes, own_settings
from reports.plots.labels import short
from reports.plots.pictures import file_name, render
from reports.tables import all_tables
from sim import InputError, load_game
from sim.library import deck_paths

LONG = (
    "Mono-Blue Tempo (3rd place, Spring Cup Online, Group B)",
    "Mono-Blue Tempo (3rd place, Spring Cup Online, Group C)",
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    (folder / "s.toml").write_text(
        tomli_w.dumps({"game": "sea", "decks": ["rush", "trap", "ramp"], "strategies": ["greedy"], "pairs": 4}),
        encoding="utf-8",
    )
    return run_study(folder / "s.toml", jobs=1)


@pytest.fixture(scope="module")
def tables(played):
    return all_tables(played)


# --------------------------------------------------------------------------------------------------------- file names

LABELS = [
    "greedy", "x y.py", "x-y.py", "X-y.py", "x_y.py", "s" * 120 + "a.py", "s" * 120 + "b.py", "海" * 90, "海" * 91,
    "é.py", unicodedata.normalize("NFD", "é.py"), "weighted:a/b", "weighted:a-b", "a\nb", "a b", "a\udc80b", "ß", "ss",
    "", "-",
]  # fmt: skip


def test_file_names_are_short_and_differ_on_any_machine():
    names = [file_name(label) for label in LABELS]
    assert len({unicodedata.normalize("NFC", name).casefold() for name in names}) == len(LABELS)
    assert max(len(f"first_player_{name}_against_{name}.png".encode()) for name in names) <= 200
    assert [file_name(plain) for plain in ("greedy", "random", "ismcts-20", "x-y.py")] == [
        "greedy", "random", "ismcts-20", "x-y.py",
    ]  # fmt: skip


def test_file_names_of_two_players_differ():
    pairs = [("a", "b_against_c"), ("a_against_b", "c")]
    assert len({f"{file_name(a)}_against_{file_name(b)}" for a, b in pairs}) == 2


STRATEGY = "def choose(state, table, legal, n):\n    return 0\n"
CAPITALS = "names differ only in capitals, 'a.{0}' and 'A.{0}', expected names that every machine tells apart"


@pytest.mark.parametrize(
    ("key", "names", "expected"),
    [
        ("strategies", ["a.py", "A.py"], "s.toml:2: strategies: found files whose " + CAPITALS.format("py")),
        ("decks", ["a.toml", "A.toml"], "s.toml:2: decks: found files whose " + CAPITALS.format("toml")),
        ("decks", ["d" * 196 + ".toml"], "s.toml:2: decks: found the file name .* of 201 bytes, expected at most 200"),
        ("strategies", ["海" * 66 + ".py"], "s.toml:2: strategies: found the file name .* of 201 bytes"),
        (
            "decks",
            ["a\tb.toml"],
            "s.toml:2: decks 1: found 'a.tb.toml', expected no character that nobody sees: U.0009",
        ),
    ],
)
def test_what_a_report_could_not_keep_is_refused_before_playing(tmp_path, key, names, expected):
    deck = deck_paths(load_game("sea"))["rush"].read_text(encoding="utf-8")
    for name in names:
        (tmp_path / name).write_text(STRATEGY if name.endswith("py") else deck, encoding="utf-8")
    if len(set(os.listdir(tmp_path))) < len(names):
        pytest.skip("the file system does not tell capitals apart")
    (tmp_path / "s.toml").write_text(
        tomli_w.dumps({"game": "sea", key: names}).replace("\n    ", " "), encoding="utf-8"
    )
    with pytest.raises(InputError, match=expected):
        load_study(tmp_path / "s.toml", compiled=False)


# ----------------------------------------------------------------------------------------------------------- settings


def test_settings_of_the_user_change_no_picture_and_stay(tables):
    expected = png(plot_lengths(tables["lengths"]))
    theirs = {"text.usetex": True, "axes.facecolor": "black", "font.size": 30, "lines.linewidth": 9, "savefig.dpi": 20}
    with matplotlib.rc_context(theirs), np.errstate(all="raise"):
        before = dict(matplotlib.rcParams)
        assert png(plot_lengths(tables["lengths"])) == expected
        assert dict(matplotlib.rcParams) == before
        assert np.geterr()["under"] == "raise"


ALL, ALONE = "import reports.plots", f"import runpy; runpy.run_path({matplotlib_import.__file__!r})"


@pytest.mark.parametrize(
    ("code", "rc", "width"),
    [
        (ALL, "backend: nowhere\nfigure.nothing: 3\n", 1.5),
        (ALONE, "lines.linewidth: 7\nfont.size: many\n", 7.0),
        (ALONE, "\udcff", 1.5),
    ],
)
def test_no_setting_of_matplotlib_hinders_its_import(tmp_path, code, rc, width):
    (tmp_path / "rc").write_bytes(rc.encode("utf-8", "surrogateescape"))
    code += "; import matplotlib, os; print(matplotlib.rcParams['lines.linewidth'], os.environ['MPLBACKEND'])"
    settings = {"MPLBACKEND": "module://of_a_notebook.backend", "MATPLOTLIBRC": str(tmp_path / "rc")}
    told = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **settings}, capture_output=True, text=True, check=True
    )
    assert told.stdout == f"{width} module://of_a_notebook.backend\n"
    assert not told.stderr


def test_drawing_writes_nothing_on_the_screen(tables, recwarn, caplog):
    warnings.simplefilter("always")
    logging.getLogger("matplotlib").setLevel(logging.NOTSET)
    matrix = pd.DataFrame([[0.5, 1.0], [0.0, 0.5]], index=["\U0001fae9", "$x"], columns=["\U0001fae9", "$x"])
    assert png(plot_decks(matrix, title="$a_b$ \U0001fae9")).startswith(b"\x89PNG")
    assert not recwarn.list
    assert not caplog.records


# ------------------------------------------------------------------------------------------------ pictures that fail


def fails(*_, **__):
    raise RuntimeError("no\nfont")


def test_a_picture_that_fails_is_missing_and_told_of(played, tables, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("reports.plots.everything.plot_leads", fails)
    write_report(played, tmp_path / "out")
    assert (
        capsys.readouterr().err == "komi: leads_greedy.png is missing, it could not be drawn (RuntimeError: no font)\n"
    )
    told = "The picture leads_greedy is missing, it could not be drawn (RuntimeError: no font)."
    for page in ("report.html", "summary.md"):
        assert (tmp_path / "out" / page).read_text(encoding="utf-8").count(told) == 1
    there = set(os.listdir(tmp_path / "out"))
    assert {f"{name}.png" for name in all_pictures(played, tables)} - there == {"leads_greedy.png"}
    assert {"counts.json", "leads.csv", "summary.json", "lengths.png"} <= there


@pytest.mark.parametrize("where", ["fonts", "quietly", "Figure", "FigureCanvasAgg"])
def test_whatever_fails_in_drawing_only_the_picture_is_missing(tables, monkeypatch, where):
    monkeypatch.setattr(f"reports.plots.canvas.{where}", lambda *_, **__: (_ for _ in ()).throw(MemoryError))
    assert render({"one": lambda: plot_lengths(tables["lengths"])}).missing == {"one": "MemoryError"}


def test_an_interrupt_stops_drawing():
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        render({"one": interrupted})


# ------------------------------------------------------------------------------------------------- names and numbers


def test_long_names_are_cut_so_that_they_differ():
    for names in (LONG, ["a" * 50 + "x" + "b" * 50, "a" * 50 + "y" + "b" * 50], ["x" * 99 + "yz", "x" * 99 + "z"]):
        cut = short(names)
        assert len(set(cut.values())) == 2
        assert all("…" in name and len(name) <= 46 for name in cut.values())
    assert short(["plain", "x" * 40]) == {"plain": "plain", "x" * 40: "x" * 40}
    assert short(["a\nb", "a\tb"], 9) == {"a\nb": "a b (1)", "a\tb": "a b (2)"}


def overlapping(ax):
    """Tell whether anything that stands around some axes lies on something else of the picture, or outside of it."""
    figure = ax.figure
    with own_settings():
        figure.canvas.draw()
        labels = [
            label
            for axis in (ax.xaxis, ax.yaxis)
            for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
            if min(axis.get_view_interval()) <= place <= max(axis.get_view_interval())
        ]
        around = [ax.title, ax.xaxis.label, ax.yaxis.label, *([ax.get_legend()] if ax.get_legend() else [])]
        boxes = [one.get_window_extent() for one in around]
        inside = [ax.bbox, *(label.get_window_extent() for label in labels if not label.get_rotation())]
    whole = figure.bbox
    everything = [*boxes, *(label.get_window_extent() for label in labels)]
    cut = any(b.x0 < whole.x0 or b.y0 < whole.y0 or b.x1 > whole.x1 or b.y1 > whole.y1 for b in everything if b.width)
    on_others = any(a.overlaps(b) for a in boxes if a.width for b in (*boxes, *inside) if a is not b and b.width)
    return cut or on_others


def many(decks, strategy="greedy"):
    """Make the matchups of so many decks."""
    names = [f"{LONG[0]} {i}" for i in range(decks)]
    met = pd.DataFrame([(a, b) for i, a in enumerate(names) for b in names[i:]], columns=["deck_a", "deck_b"])
    rate = np.linspace(0.3, 0.7, len(met))
    return met.assign(
        strategy_a=strategy, strategy_b=strategy, first_win_rate=rate, first_win_low=rate - 0.02, verdict_holm="fair",
        first_win_high=rate + 0.02,
    )  # fmt: skip


def lengths(players):
    rows = [(f"p{i:02}", f"p{i:02}", turns, 10, 0) for i in range(players) for turns in (10 + i, 12 + i)]
    return pd.DataFrame(rows, columns=["strategy_first", "strategy_second", "turns", "games", "turn_limit"])


def square(decks):
    names = [f"{LONG[0]} {i}" for i in range(decks)]
    return pd.DataFrame(np.linspace(0, 1, decks**2).reshape(decks, decks), index=names, columns=names)


def shares(decks):
    names = [f"deck {i}" for i in range(decks)]
    return pd.DataFrame({"deck": names, "share": 1 / decks, "share_low": 0.0, "share_high": 0.2})


@pytest.mark.parametrize(
    ("draw", "told"),
    [
        (lambda: plot_first_player(many(2)), ""),
        (lambda: plot_first_player(many(14)), "(80 of 105 matchups, the furthest from even)"),
        (lambda: plot_lengths(lengths(3)), ""),
        (lambda: plot_lengths(lengths(27)), "(8 of 27 pairs of players, from the shortest games to the longest)"),
        (lambda: plot_decks(square(2)), ""),
        (lambda: plot_decks(square(30)), ""),
        (lambda: plot_decks(square(61)), "(60 of 61 decks, the strongest)"),
        (lambda: plot_metagame(shares(90)), "(80 of 90 decks, those with the largest shares)"),
    ],
)
def test_pictures_of_long_names_and_many_lines_are_whole_and_say_what_they_leave_out(draw, told):
    ax = draw()
    assert not overlapping(ax)
    assert ax.bbox.width >= 3 * ax.figure.dpi
    title = " ".join(ax.get_title().split())
    assert title.endswith(told)
    assert ("(" in title) == bool(told)


def test_matchups_are_named_by_what_differs():
    def labels(table):
        ax = plot_first_player(table)
        return [label.get_text() for label in ax.get_yticklabels()], ax.get_ylabel()

    table = many(2).replace({f"{LONG[0]} 0": "a", f"{LONG[0]} 1": "b"})
    assert labels(table) == (["a mirror", "a – b", "b mirror"], "")
    assert labels(table.assign(strategy_b="random")) == (["a – a", "a – b", "b – b"], "deck of greedy – deck of random")
    table.loc[1, "strategy_b"] = "random"
    assert labels(table) == (["a mirror", "a, greedy – b, random", "b mirror"], "")


def test_some_of_many_players_are_drawn_each_in_its_colour():
    ax = plot_lengths(lengths(27))
    named = [text.get_text().split(" – ")[0] for text in ax.get_legend().get_texts()]
    assert (named[0], named[-1], len(named)) == ("p00", "p26", 8)
    assert len({line.get_color() for line in ax.get_lines()}) == 8


def test_every_picture_of_a_report_is_whole(played, tables):
    for name, ax in draw_all(played, tables).items():
        assert not overlapping(ax), name


def test_panels_stand_beside_and_below_each_other(played):
    from reports.plots.canvas import new_panels

    panels = new_panels(5, 2.0, 1.5)
    for ax in panels:
        ax.set_ylabel("two\nlines")
    panels[4].set_xlabel("one\nmore\nline")
    fit([panels[:3], panels[3:]], "A title that is longer than one panel is wide and stands over all of them")
    boxes = [ax.get_tightbbox() for ax in panels]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])
    assert all(ax.bbox.width == pytest.approx(2.0 * 130) for ax in panels)
    assert new_axes(2.0, 1.5).bbox.width == pytest.approx(2.0 * 130)
