"""The machine code of a user's strategy is kept as long as nothing changes that it is compiled from, and no longer."""

import os
import subprocess
import sys
import types

import numpy as np
import pytest

from sim.kernels.jit import ENABLED
from strategies import fingerprint as module
from strategies import load_strategy
from strategies.fingerprint import fingerprint

WEIGHTS, SHIFT, OBJECT = np.arange(3), 1, object()
helper = types.ModuleType("helper")
helper.BONUS = 1


def called(x):
    return x + SHIFT


def function(x):
    return called(x) + WEIGHTS[0] + helper.BONUS


def stranger(x):
    return OBJECT


def other(x):
    return x - SHIFT


@pytest.mark.parametrize(
    ("names", "name", "value"),
    [
        (function.__globals__, "SHIFT", 2),
        (function.__globals__, "WEIGHTS", np.arange(1, 4)),
        (function.__globals__, "called", other),
        (vars(helper), "BONUS", 1.0),
        (vars(module), "source_hash", lambda packages: "other sources of komi"),
    ],
)
def test_it_knows_the_globals_of_called_functions(monkeypatch, names, name, value):
    before = fingerprint(function, ())
    assert fingerprint(function, ()) == before
    monkeypatch.setitem(names, name, value)
    assert fingerprint(function, ()) not in (before, None)


def test_what_has_no_value_has_no_fingerprint():
    assert fingerprint(stranger, ()) is None


def test_it_knows_the_files(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    before = fingerprint(function, [tmp_path / "a.py"])
    (tmp_path / "a.py").write_text("x = 2\n", encoding="utf-8")
    assert fingerprint(function, [tmp_path / "a.py"]) != before


def written(folder, place=0, more=0, data="0"):
    (folder / "own.py").write_text(
        "import helper\nfrom strategies import kernel\n\n\n@kernel\ndef mine(n):\n"
        f"    return {place}\n\n\n@kernel\ndef choose(state, table, legal, n):\n    return mine(n) + helper.more(n) + "
        "helper.DATA\n",
        encoding="utf-8",
    )
    (folder / "helper.py").write_text(
        "from pathlib import Path\n\nfrom numba import njit\n\nDATA = "
        "int(Path(__file__).with_name('data.txt').read_text())\n\n\n"
        f"@njit\ndef more(n):\n    return {more}\n",
        encoding="utf-8",
    )
    (folder / "data.txt").write_text(data, encoding="utf-8")


def chosen(game, folder):
    choose = load_strategy(game, "own.py", folder).choose
    hits = sum(choose.stats.cache_hits.values()) if ENABLED else 0
    return choose(np.zeros(1, game.state)[0], np.zeros(1, game.table)[0], np.zeros(9, np.int32), 9), hits


@pytest.mark.skipif(not ENABLED, reason="without JIT there is nothing to keep")
def test_an_edit_of_a_file_a_neighbour_or_its_data_compiles_anew(game, tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    written(tmp_path)
    assert chosen(game, tmp_path) == (0, 0)
    assert chosen(game, tmp_path) == (0, 1)
    for change, place in (({"place": 1}, 1), ({"more": 2}, 2), ({"data": "3"}, 3)):
        written(tmp_path, **change)
        assert chosen(game, tmp_path) == (place, 0)
    written(tmp_path)
    place, _ = chosen(game, tmp_path)
    assert place == 0


@pytest.mark.compiled
def test_the_next_process_compiles_nothing(tmp_path):
    written(tmp_path, place=1)
    code = (
        "from pathlib import Path; import sys; from sim import load_game; from strategies import load_strategy\n"
        "choose = load_strategy(load_game('sea'), 'own.py', Path(sys.argv[1])).choose\n"
        "print(sum(choose.stats.cache_hits.values()), sum(choose.stats.cache_misses.values()))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-c", code, str(tmp_path)]
    printed = [
        subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout.split()
        for _ in range(2)
    ]
    assert printed == [["0", "1"], ["1", "0"]]


def test_a_strategy_with_a_class_of_its_own_is_compiled_each_time(game, tmp_path):
    text = "from enum import Enum\n\n\nclass Place(Enum):\n    FIRST = 0\n\n\n"
    text += "def choose(state, table, legal, n):\n    return Place.FIRST.value\n"
    (tmp_path / "own.py").write_text(text, encoding="utf-8")
    assert [chosen(game, tmp_path) for _ in range(2)] == [(0, 0), (0, 0)]
