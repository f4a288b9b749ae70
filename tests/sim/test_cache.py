"""Compiled code is kept where that is possible, loaded where it is, and never in the way."""

import errno
import os

import pytest

from sim.kernels import cache, jit
from sim.kernels.jit import ENABLED

NAME = "2" * 20
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture(autouse=True)
def place(monkeypatch, tmp_path):
    """A cache of one's own, of which nothing has been said."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_refused", set())
    cache._note_use.cache_clear()
    return tmp_path / "komi-kernels"


def one_more(x):
    return x + 1


def compiled():
    """Call the kernel as a new process would; tells how often it was loaded, and how often compiled."""
    function = jit.kernel(one_more, folder=NAME)
    assert function(1) == 2
    return sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values())


def no_disk(*_):
    raise FULL


def test_only_komis_own_old_folders_are_removed(place):
    for name in ("0" * 20, "1" * 20, "mine"):
        (place / name).mkdir(parents=True)
    for name in ("0" * 20, "mine"):
        os.utime(place / name, (0, 0))
    assert cache.keep(NAME, "a", b"x")
    assert sorted(path.name for path in place.iterdir()) == ["1" * 20, NAME, "mine"]
    assert cache.can_keep()
    assert len(list(place.iterdir())) == 3


@pytest.mark.skipif(not ENABLED, reason="without JIT there is nothing to keep")
def test_what_is_there_is_loaded_and_nothing_is_written_for_it(place, monkeypatch, capsys):
    assert compiled() == (0, 1)
    jit.note_compiled("game")
    monkeypatch.setattr(cache, "_write", no_disk)
    monkeypatch.setattr(os, "utime", no_disk)
    assert compiled() == (1, 0)
    assert jit.was_compiled("game")
    jit.note_compiled("game")
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not ENABLED, reason="without JIT there is nothing to keep")
def test_a_file_that_is_not_whole_is_written_again(place):
    compiled()
    (path,) = place.glob("*/*.kernel")
    whole = path.read_bytes()
    for broken in (whole[:-1], whole[:-9] + b"\0" + whole[-8:], b"", whole[:32]):
        path.write_bytes(broken)
        assert compiled() == (0, 1)
        assert compiled() == (1, 0)


@pytest.mark.skipif(not ENABLED, reason="without JIT nothing is noted")
def test_a_note_is_of_one_kind_of_processor(place, monkeypatch):
    jit.note_compiled("game")
    assert jit.was_compiled("game")
    monkeypatch.setattr(jit.CONFIG, "CPU_NAME", "another")
    assert not jit.was_compiled("game")


@pytest.mark.parametrize("why", ["disk is full", "folder is a file", "no home", "no home, as older platformdirs say"])
def test_where_nothing_can_be_kept_that_is_said_once_and_all_goes_on(why, place, monkeypatch, tmp_path, capsys):
    named = f"in {place} (No space left on device)"
    if why == "disk is full":
        monkeypatch.setattr(os, "replace", no_disk)
    elif why == "folder is a file":
        (tmp_path / "file").write_text("", encoding="utf-8")
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
        named = f"in {tmp_path / 'file' / 'komi-kernels'} (Not a directory)"
    else:
        monkeypatch.delenv("NUMBA_CACHE_DIR")
        monkeypatch.setenv("HOME", "~")

        def homeless(*_, **__):
            if why == "no home":
                raise RuntimeError("could not determine the home directory")
            return cache.Path("~/.cache/komi")

        monkeypatch.setattr(cache.platformdirs, "user_cache_path", homeless)
        named = "kept (there is no home folder)"
    assert not cache.can_keep()
    if ENABLED:
        assert compiled() == compiled() == (0, 1)
        jit.note_compiled("game")
        assert not jit.was_compiled("game")
    said = capsys.readouterr().err
    assert named in said
    assert "NUMBA_CACHE_DIR names a" in said
    assert said.count("\n") == 1
    assert not [path for path in place.rglob("*") if path.is_file()]


def test_a_process_that_another_one_started_leaves_it_to_that_one(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(cache, "_speaks", True)
    monkeypatch.setattr(cache, "_write", no_disk)
    cache.say_nothing()
    assert not cache.keep(NAME, "a", b"")
    assert capsys.readouterr().err == ""
