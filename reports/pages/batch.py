"""Several studies played one after the other, each with a report of its own, and a page that leads to them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from reports.formats.folder import check_folder, has_report
from reports.pages.summary import load_summary
from reports.play.checkpoint import COUNTS, unfinished
from reports.play.store import STUDY
from reports.studies.study import Study, as_run
from sim.files.atomic import write_atomic
from sim.files.content import MOST_VALUES
from sim.files.errors import InputError
from sim.files.file_kinds import STUDY as A_STUDY
from sim.files.file_kinds import form_of
from sim.files.json import read_json
from sim.files.names import folded
from sim.files.text import MOST_BYTES, read_text
from sim.files.toml import parse_toml
from sim.library import is_game

INDEX = "index.html"
UNDER_WAY = ".komi-batch"  # beside the reports: which of them the batch has written, until it is through
OURS = "<!-- the index of a batch of komi -->"


@dataclass
class Entry:
    """A study of a batch.

    Attributes
    ----------
    source : str
        Its file, or a game's name.
    study : Study or None
        As loaded; None if it cannot be used.
    folder : Path or None
        Where its report goes.
    problems : list of str
        Why there is no report.
    done : bool
        The report is there.
    """

    source: str
    study: Study | None = None
    folder: Path | None = None
    problems: list[str] = field(default_factory=list)
    done: bool = False

    @property
    def name(self) -> str:
        """What the index calls it."""
        return self.source if self.study is None else self.study.name


def is_batch(sources: Sequence[str]) -> bool:
    """Tell whether words name several studies: more than one, or a folder of them."""
    return len(sources) > 1 or (not is_game(sources[0]) and Path(sources[0]).is_dir())


def study_sources(sources: Sequence[str]) -> tuple[list[str], list[Path]]:
    """List the studies that are named, those of a folder by name.

    Parameters
    ----------
    sources : sequence of str
        Study files, names of games, folders: of these every TOML file directly in it that is a study, as ``komi
        validate`` tells them.

    Returns
    -------
    sources : list of str
        Files and names of games.
    passed_over : list of Path
        Files of a folder that are nothing of komi's.

    Raises
    ------
    InputError
        If a folder has no study.
    """
    found: list[str] = []
    passed_over: list[Path] = []
    for source in sources:
        if not is_batch([source]):
            found.append(source)
            continue
        kinds = {path: _kind(path) for path in sorted(Path(source).glob("*.toml")) if path.is_file()}
        studies = [str(path) for path, kind in kinds.items() if kind == A_STUDY]
        if not studies:
            raise InputError(
                f"{source}: found no study in the folder, expected at least one (a .toml file with a game and what to "
                "play)"
            )
        found += studies
        passed_over += [path for path, kind in kinds.items() if not kind]
    return found, passed_over


def _kind(path: Path) -> str:
    try:
        return form_of(parse_toml(read_text(path), path))
    except InputError:
        return A_STUDY  # what is wrong with it is told when it is loaded


def check_names(entries: Iterable[Entry]) -> None:
    """Refuse studies whose reports would go into the same folder, on any machine.

    Raises
    ------
    InputError
        With both files.
    """
    problems, seen = [], {folded(INDEX): f"the index page, {INDEX},"}
    for entry in entries:
        if entry.study is None:
            continue
        name = folded(entry.study.name)
        if name in seen:
            problems.append(
                f"{entry.source}: found the name {entry.study.name!r} as {seen[name]} has it, expected a name for "
                "each study"
            )
        seen.setdefault(name, entry.source)
    if problems:
        raise InputError(problems)


def check_index(folder: Path) -> None:
    """Refuse a folder whose index page is not one of komi's.

    Raises
    ------
    InputError
        If it has another one.
    """
    path = folder / INDEX
    if path.exists() and not (path.is_file() and OURS in read_text(path)):
        raise InputError(f"{path}: is there already and no index of komi's; --out names another folder")


def plan(entries: Iterable[Entry], folder: Path, *, force: bool, resume: bool) -> dict[str, bool]:
    """Tell which studies are to be played, and which of them go on.

    Parameters
    ----------
    entries : iterable of Entry
        The batch; what is finished is marked as done.
    folder : Path
        Where all reports go.
    force : bool
        Reports that are there are replaced.
    resume : bool
        The batch goes on: what is finished stays, what is unfinished goes on.

    Returns
    -------
    dict of str to bool
        By name of the study: whether it goes on with what an interrupted run has kept.

    Raises
    ------
    InputError
        All that stands in the way, before anything is played.
    """
    of_this_batch = _finished(folder) if resume else set()
    to_play: dict[str, bool] = {}
    problems: list[str] = []
    for entry in entries:
        if entry.study is None or entry.folder is None:
            continue
        begun = (unfinished(entry.folder) / COUNTS).is_file()
        try:
            if resume and not begun and has_report(entry.folder) and (not force or entry.name in of_this_batch):
                different = other_study(entry.study, entry.folder)
                if different is not None:
                    raise InputError(
                        f"{entry.folder}: has a report of another study ({different}); --force replaces it"
                    )
                entry.done = True
                continue
            check_folder(entry.folder, force=force)
            if begun and not resume and not force:
                raise InputError(
                    f"{entry.folder}: has an unfinished run; --resume goes on with it, --force begins anew"
                )
            to_play[entry.name] = begun and resume
        except InputError as error:
            problems += error.problems
    if problems:
        more = "--resume plays only what is not finished"
        raise InputError([*problems, more] if not resume and not force else problems)
    return to_play


def other_study(study: Study, folder: Path) -> str | None:
    """Tell how the study of a report differs from another one, in words; None if it does not.

    Parameters
    ----------
    study : Study
        What would be played.
    folder : Path
        The report's folder.
    """
    if not (folder / STUDY).is_file():
        return f"it has no {STUDY}"
    found = parse_toml(read_text(folder / STUDY), folder / STUDY)
    asked = tomllib.loads(as_run(study))
    for key in dict.fromkeys((*asked, *found)):
        if key != "versions" and found.get(key) != asked.get(key):
            return f"{key} differ" if key.endswith("s") else f"{key} differs"
    for kept_as, path in study.inputs.items():
        kept = folder / kept_as
        if not kept.is_file() or kept.read_bytes() != path.read_bytes():
            return f"{kept_as} differs from {path}"
    return None


def _finished(folder: Path) -> set[str]:
    """Name the studies that the batch under way has finished."""
    path = folder / UNDER_WAY
    if not path.is_file():
        return set()
    try:
        return {str(name) for name in read_json(path, MOST_BYTES, MOST_VALUES)["finished"]}
    except (ValueError, KeyError, TypeError):
        return set()


def note_finished(entries: Sequence[Entry], folder: Path) -> None:
    """Write the index page, and which studies are finished, so that a batch that is interrupted goes on with the
    others.
    """
    write_atomic(folder / UNDER_WAY, json.dumps({"finished": [entry.name for entry in entries if entry.done]}) + "\n")
    write_index(entries, folder)


def end(folder: Path) -> None:
    """Forget which studies are finished: the batch is through."""
    (folder / UNDER_WAY).unlink(missing_ok=True)


def _headline(folder: Path) -> str:
    """Give the main verdict of a report; of one by an earlier komi, whose summary has none, nothing."""
    try:
        return str(load_summary(folder)["headline"])
    except InputError:
        return ""


def write_index(entries: Sequence[Entry], folder: Path) -> None:
    """Write the page that leads to each report, with its main verdict, and says why others are not there."""
    from reports.pages.page import rendered

    rows: list[dict[str, Any]] = []
    for entry in entries:
        row: dict[str, Any] = {
            "name": entry.name,
            "about": "",
            "headline": "",
            "link": None,
            "problems": entry.problems,
        }
        if entry.study is not None:
            row["about"] = f"{entry.study.game.title}, seed {entry.study.seed}"
        if entry.done and entry.folder is not None:
            row["headline"] = _headline(entry.folder)
            row["link"] = f"{quote(entry.folder.name)}/report.html"
        rows.append(row)
    left = sum(1 for row in rows if not row["link"])
    write_atomic(folder / INDEX, rendered(INDEX, {"rows": rows, "generator": OURS, "left": left}))
