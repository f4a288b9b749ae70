"""What komi writes is there whole or not at all, is made by one writer at a time, and leaves nothing behind."""

import os
import subprocess
import sys
import threading

import pytest

from sim.files.atomic import LOCK, NEW, OLD, atomic_file, claimed, workplace, write_atomic
from sim.files.errors import InputError

KILLED = """
import os, sys
from pathlib import Path
from sim.files.atomic import claimed
with claimed(Path(sys.argv[1])) as place:
    (place / "new").write_text("half")
    os._exit(9)
"""


def test_a_file_has_its_old_content_or_its_new_one(tmp_path):
    path = tmp_path / "a" / "b" / "f.txt"
    write_atomic(path, "one")
    with pytest.raises(TypeError), atomic_file(path) as file:
        file.writelines([b"half", None])
    assert path.read_text() == "one"
    assert os.listdir(path.parent) == ["f.txt"]


def test_nothing_is_left_where_nothing_was_written(tmp_path):
    with pytest.raises(ZeroDivisionError), claimed(tmp_path / "a" / "b" / "f.txt"):
        _ = 1 / 0
    assert os.listdir(tmp_path) == []


def test_a_link_stays_one(tmp_path):
    (tmp_path / "real.txt").write_text("one")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_atomic(tmp_path / "link.txt", "two")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "two"


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    path = tmp_path / "f.txt"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == 9
    assert sorted(os.listdir(workplace(path))) == [LOCK, NEW]
    with claimed(path) as place:
        assert os.listdir(place) == [LOCK]
    assert os.listdir(tmp_path) == []


def test_what_was_being_replaced_comes_back(tmp_path):
    path = tmp_path / "report"
    (workplace(path) / OLD).mkdir(parents=True)
    (workplace(path) / OLD / "mine").write_text("1")
    (workplace(path) / LOCK).touch()
    with claimed(path):
        assert (path / "mine").read_text() == "1"


def test_a_folder_that_only_looks_like_komis_is_left_alone(tmp_path):
    workplace(tmp_path / "f.txt").mkdir()
    (workplace(tmp_path / "f.txt") / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match=r"is there already, and is no folder in which komi was writing"):
        write_atomic(tmp_path / "f.txt", "x")
    assert (workplace(tmp_path / "f.txt") / "mine.txt").read_text() == "mine"


def test_there_is_one_writer_at_a_time(tmp_path):
    path, told = tmp_path / "f.txt", []

    def other():
        try:
            with claimed(path):
                told.append("in")
        except InputError as error:
            told.append(str(error))

    with claimed(path):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        with pytest.raises(InputError, match="another run of komi is writing there"), claimed(path, within=False):
            pass
        write_atomic(path, "its own")  # whoever has claimed it may write it
    assert told == [f"{path}: another run of komi is writing there; name another place"]
    assert path.read_text() == "its own"


def test_writers_of_a_small_file_wait_for_each_other(tmp_path):
    path = tmp_path / "f.txt"
    threads = [threading.Thread(target=write_atomic, args=(path, str(n) * 1000)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text() in {str(n) * 1000 for n in range(8)}
    assert os.listdir(tmp_path) == ["f.txt"]
