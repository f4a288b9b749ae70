"""A run that can be gone on with: what has been played is saved as it comes, in a folder beside the report to be.

The file of counts is written whole and carries a checksum; it names all that the counts depend on, so that nothing that
was played under other rules, with other cards or by other code is ever mixed in.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from reports.play.progress import Played, Progress, merged
from reports.play.store import counts_from_json, counts_to_json, others_from_json, others_to_json, variants_of
from reports.studies.study import Study
from reports.studies.sweep import Variant
from sim.files.atomic import write_whole
from sim.files.errors import InputError
from sim.kernels.jit import source_hash
from sim.run import Runner

FORMAT = 1
ENDING = ".unfinished"
COUNTS, LOCK, GAMES = "counts.json", "lock", "games"
SAVE_SECONDS = 2.0
SAVE_SHARE = 10  # times as long as a save takes, the next one waits
PLAYED = "played"


def unfinished(folder: Path) -> Path:
    """Name the folder in which a run into a report's folder keeps what it has played."""
    real = folder.resolve()
    return real.with_name(real.name + ENDING)


def identity(study: Study, *, keeps_games: bool) -> dict[str, Any]:
    """Name all that the counts of a study depend on, by what a user would call it."""
    rules, stops = study.rules.model_dump(), study.until.model_dump() if study.until is not None else None
    return {
        "game": study.game.name,
        "seed": study.seed,
        "pairs": study.pairs,
        "search_pairs": study.search_pairs,
        "until": stops,
        "knows_decks": study.knows_decks,
        "rules": rules,
        "cards": _digest(study.card_set.model_dump_json()),
        "decks": {label: _digest(deck.model_dump_json()) for label, deck in study.decks.items()},
        "strategies": {label: list(strategy.parameters) for label, strategy in study.strategies.items()},
        "strategy files": {
            name: _digest(path.read_bytes())
            for name, path in sorted(study.inputs.items())
            if name.startswith("inputs/strategies/")
        },
        "matchups": study.pairing,
        "games file": keeps_games,
        "sweep": None
        if study.sweep is None
        else {**variants_of(study.sweep), "played": [_varied(one) for one in study.sweep.variants]},
        "code": source_hash(("sim", "strategies")),
    }


def _varied(variant: Variant) -> str:
    """Give a digest of all that a variant plays with."""
    parts = (variant.card_set, variant.rules, *variant.decks.values())
    return _digest("\n".join(part.model_dump_json() for part in parts))


def _digest(content: str | bytes) -> str:
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:16]


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
        self.identity = json.loads(json.dumps(identity(study, keeps_games=keeps_games)))
        self._saved_at, self._save_took = time.monotonic(), 0.0
        try:
            found = (self.folder / COUNTS).is_file()
            if resume and not found:
                raise InputError(f"--resume: found no unfinished run into {folder} ({self.folder.name} beside it)")
            if self.folder.exists() and not self.folder.is_dir():
                raise InputError(
                    f"{self.folder}: is no folder, but the place where a run into {folder} keeps what it has played"
                )
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(self.folder / LOCK)
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                raise InputError(f"{folder}: another run is playing into it; --out names another folder") from None
            if found and not resume and not force:
                self._lock.release()
                raise InputError(f"{folder}: has an unfinished run; --resume goes on with it, --force begins anew")
            if not resume:
                self.forget()
        except OSError as error:
            raise InputError(f"{self.folder}: cannot be written ({error.strerror})") from None

    def forget(self) -> None:
        """Drop what is saved."""
        (self.folder / COUNTS).unlink(missing_ok=True)
        shutil.rmtree(self.folder / GAMES, ignore_errors=True)

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
        parts = {name: [_played_to_json(played) for played in getattr(progress, name)] for name in ("first", "fresh")}
        body = json.dumps(
            {"format": FORMAT, "of": self.identity, PLAYED: parts}, separators=(",", ":"), allow_nan=False
        )
        write_whole(
            self.folder / COUNTS, json.dumps({"sha256": hashlib.sha256(body.encode()).hexdigest()}) + "\n" + body + "\n"
        )
        self._saved_at = time.monotonic()
        self._save_took = self._saved_at - started

    def load(self, runner: Runner, fresh_from: int | None) -> Progress:
        """Load what has been played.

        Raises
        ------
        InputError
            If it is damaged, or of another study, with the reason.
        """
        path = self.folder / COUNTS
        again = "--force begins anew"
        try:
            head, body = path.read_text(encoding="utf-8").split("\n", 1)
            body = body.removesuffix("\n")
            if json.loads(head)["sha256"] != hashlib.sha256(body.encode()).hexdigest():
                raise ValueError("its checksum is wrong")
            content = json.loads(body)
            if content["format"] != FORMAT:
                raise InputError(f"{path}: found format {content['format']!r}, expected {FORMAT}; {again}")
            different = _difference(content["of"], self.identity)
            if different is not None:
                raise InputError(f"{path}: is of another study: {different}; {again}")
            progress = Progress.nothing(runner, fresh_from)
            for name, part in content[PLAYED].items():
                for played, entry in zip(getattr(progress, name), part, strict=True):
                    _fill(played, entry)
            return progress
        except InputError:
            raise
        except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError, OverflowError) as error:
            raise InputError(f"{path}: is damaged ({error}); {again}") from None

    def finish(self) -> None:
        """Remove the folder: the report is there."""
        self._lock.release()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        """Let another run have the folder; one without anything saved is removed."""
        self._lock.release()
        if not self.has_something:
            shutil.rmtree(self.folder, ignore_errors=True)


def _played_to_json(played: Played) -> dict[str, Any]:
    others = [others_to_json(*other) for other in played.others]
    return {"done": played.done, "counts": counts_to_json(played.counts), "others": others}


def _fill(played: Played, entry: dict[str, Any]) -> None:
    played.done = merged([(int(first), int(end)) for first, end in entry["done"]])
    counts_from_json(played.counts, entry["counts"])
    played.others = [
        others_from_json(counts, other) for (counts, _), other in zip(played.others, entry["others"], strict=True)
    ]
    if any(counts.pairs != played.pairs for counts in (played.counts, *(counts for counts, _ in played.others))):
        raise ValueError("its numbers do not add up")


def _difference(found: Any, expected: Any, place: str = "") -> str | None:
    """Say where two identities differ first, in words."""
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in dict.fromkeys((*found, *expected)):
            different = _difference(found.get(key), expected.get(key), f"{place}, {key}" if place else key)
            if different is not None:
                return different
        return None
    if found == expected:
        return None
    if place == "code":
        return "it was played by another version of komi"
    return f"{place}: it was played with {found!r}, this study has {expected!r}"
