"""A run that can be gone on with: what has been played is saved as it comes, in a folder beside the report to be.

The file of counts is written whole and carries a checksum; it names all that the counts depend on, so that nothing that
was played under other rules, with other cards or by other code is ever mixed in.
"""

from __future__ import annotations

import shutil
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from reports.formats.folder import LITTER
from reports.formats.sealed import seal, unseal
from reports.play.identity import difference, identity
from reports.play.interrupts import uninterrupted
from reports.play.progress import Played, Progress, merged
from reports.play.store import (
    DAMAGES,
    contradiction,
    counts_from_json,
    counts_to_json,
    others_from_json,
    others_to_json,
)
from reports.studies.study import Study
from sim.files.atomic import claimed, workplace, write_atomic
from sim.files.errors import InputError
from sim.files.text import MOST_OF_REPORT, read_text
from sim.files.wording import plural
from sim.kernels.jit import source_hash
from sim.run import Runner

FORMAT = 2
ENDING = ".unfinished"
COUNTS, GAMES = "counts.json", "games"
PART_ENDINGS = (".parquet", ".partial")  # of the parts of a file of games
SAVE_SECONDS = 2.0
SAVE_SHARE = 10  # times as long as a save takes, the next one waits
PLAYED = "played"


def unfinished(folder: Path) -> Path:
    """Name the folder in which a run into a report's folder keeps what it has played."""
    real = folder.resolve()
    return real.with_name(real.name + ENDING)


class Checkpoint:
    """The folder of a run under way; one process at a time has it.

    Parameters
    ----------
    folder : Path
        The report's folder to be.
    study : Study
        What is played.
    resume : bool
        Go on with what is there.
    force : bool
        Drop what is there.
    keeps_games : bool
        The run writes a row for each game.

    Raises
    ------
    InputError
        If another run has the folder, there is something to go on with and neither is asked for, there is nothing to go
        on with, or it cannot be written.
    """

    def __init__(
        self, folder: Path, study: Study, *, resume: bool = False, force: bool = False, keeps_games: bool = False
    ):
        self.folder, self.report = unfinished(folder), folder
        code = source_hash(("sim", "strategies"))
        self.identity = {**identity(study), "games file": keeps_games, "code": code}
        self._saved_at, self._save_took = time.monotonic(), 0.0
        self._claim = ExitStack()
        self._claim.enter_context(claimed(folder, within=False))
        try:
            self._begin(resume=resume, force=force)
        except BaseException as error:
            self._claim.close()
            if isinstance(error, OSError):
                raise InputError(f"{self.folder}: cannot be written ({error.strerror or error})") from None
            raise

    def _begin(self, *, resume: bool, force: bool) -> None:
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(
                f"{self.folder}: is no folder, but the place where a run into {self.report} keeps what it has played"
            )
        strange = self._stranger()
        if strange is not None:
            raise InputError(
                f"{self.folder}: holds {strange!r}, which is not of komi, where a run into {self.report} keeps "
                "what it has played; --out names another folder"
            )
        if resume and not self.has_something:
            raise InputError(f"--resume: found no unfinished run into {self.report} ({self.folder.name} beside it)")
        if self.has_something and not resume and not force:
            raise InputError(f"{self.report}: has an unfinished run; --resume goes on with it, --force begins anew")
        self.folder.mkdir(parents=True, exist_ok=True)
        if not resume:
            self.forget()

    def _stranger(self) -> str | None:
        """Name something in the folder that no run has put there; None if there is nothing."""
        own = {COUNTS, workplace(self.folder / COUNTS).name, GAMES, *LITTER}
        entries = sorted(self.folder.iterdir()) if self.folder.exists() else []
        parts = sorted(self.games.iterdir()) if self.games.is_dir() else []
        names = [entry.name for entry in entries if entry.name not in own]
        return next(
            iter([*names, *(f"{GAMES}/{part.name}" for part in parts if part.suffix not in PART_ENDINGS)]), None
        )

    def forget(self) -> None:
        """Drop what is saved."""
        (self.folder / COUNTS).unlink(missing_ok=True)
        for part in self.games.iterdir() if self.games.is_dir() else ():
            if part.suffix in PART_ENDINGS:
                part.unlink()
        with suppress(OSError):
            self.games.rmdir()

    @property
    def has_something(self) -> bool:
        """There is something to go on with."""
        return (self.folder / COUNTS).exists()

    @property
    def games(self) -> Path:
        """Where finished parts of the file of games are kept."""
        return self.folder / GAMES

    def save(self, progress: Progress, *, now: bool = True) -> None:
        """Save what has been played: at once, or if the last time is some seconds ago.

        Raises
        ------
        InputError
            If it cannot be written; what was saved before is still there.
        """
        started = time.monotonic()
        if not now and started - self._saved_at < max(SAVE_SECONDS, SAVE_SHARE * self._save_took):
            return
        if not progress.adds_up:
            return  # an error has come in between; what is saved is good
        parts = {name: [_played_to_json(played) for played in getattr(progress, name)] for name in ("first", "fresh")}
        text = seal({"format": FORMAT, "of": self.identity, PLAYED: parts})
        with uninterrupted():
            write_atomic(self.folder / COUNTS, text)
        self._saved_at = time.monotonic()
        self._save_took = self._saved_at - started

    def load(self, runner: Runner, fresh_from: int | None) -> Progress:
        """Load what has been played.

        Raises
        ------
        InputError
            If it is damaged, or of another study, with all that differs.
        """
        path = self.folder / COUNTS
        again = "--force begins anew"
        try:
            content = unseal(read_text(path, MOST_OF_REPORT))
            if content["format"] != FORMAT:
                raise InputError(f"{path}: found format {content['format']!r}, expected {FORMAT}; {again}")
            different = difference(content["of"], self.identity)
            if different is not None:
                raise InputError(f"{path}: is of another study: {different}; {again}")
            progress = Progress.nothing(runner, fresh_from)
            for name, part in content[PLAYED].items():
                for played, entry in zip(getattr(progress, name), part, strict=True):
                    _fill(played, entry)
            return progress
        except DAMAGES as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{path}: is damaged ({error}); {again}") from None

    def finish(self) -> None:
        """Remove the folder: the report is there."""
        self.forget()
        self._leave()

    def _leave(self) -> None:
        """Remove the folder if it is empty, and let another run have it."""
        with suppress(OSError):
            shutil.rmtree(workplace(self.folder / COUNTS), ignore_errors=True)
            self.folder.rmdir()
        self._claim.close()

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        """Let another run have the folder; one without anything saved is removed."""
        if not self.has_something:
            self.forget()
        self._leave()


def _played_to_json(played: Played) -> dict[str, Any]:
    return {"done": played.done, "counts": counts_to_json(played.counts), "others": others_to_json(played.others)}


def _fill(played: Played, entry: dict[str, Any]) -> None:
    played.done = merged([(int(first), int(end)) for first, end in entry["done"]])
    counts_from_json(played.counts, entry["counts"])
    played.others = others_from_json([counts for counts, _ in played.others], entry["others"])
    wrong = contradiction(played.counts, played.others)
    if wrong is not None or played.counts.pairs != played.pairs:
        few = f"{played.counts.pairs} of {plural(played.pairs, 'pair')}"
        raise ValueError(f"its numbers do not add up: {wrong or few}")
