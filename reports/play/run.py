"""A study played, as its schedule says; what has been played is kept as it comes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from reports.play.backends import playing
from reports.play.checkpoint import Checkpoint
from reports.play.games_file import GamesFile
from reports.play.interrupts import uninterrupted
from reports.play.progress import Progress
from reports.play.results import Results
from reports.play.schedule import Schedule
from reports.studies.study import Study, load_study, versions
from sim.files.errors import InputError
from sim.run import StrategyError


def run_study(
    study: Study | str | Path,
    *,
    jobs: int = -1,
    games_file: Path | None = None,
    progress: Callable[[Progress], object] | None = None,
    checkpoint: Checkpoint | None = None,
    resume: bool = False,
    backend: str = "threads",
    scheduler: str | None = None,
) -> Results:
    """Play a study.

    Parameters
    ----------
    study : Study, str or Path
        A study, the path of its file, or a game's name for its starter study.
    jobs : int
        Threads or processes; -1 for one a core. Changes no result.
    games_file : Path, optional
        Write a row for each single game to this Parquet file; of a sweep, those of the study as it stands.
    progress : function, optional
        Called with what has been played, whenever a chunk is done.
    checkpoint : Checkpoint, optional
        Where to save what has been played, now and then and when playing ends early.
    resume : bool
        Go on with what is saved there.
    backend : str
        Where to play: ``"threads"``, ``"processes"`` or ``"dask"``. Changes no result.
    scheduler : str, optional
        The address of Dask's scheduler, ``"tcp://10.0.0.1:8786"``.

    Returns
    -------
    Results
        The same for the same study and seed, on any machine, after any interruption.

    Raises
    ------
    InputError
        If the study cannot be used, a strategy makes an illegal choice, a file cannot be written, or the backend's
        workers cannot play.
    """
    if not isinstance(study, Study):
        study = load_study(study)
    runner = study.runner(keep_rows=games_file is not None)
    schedule = Schedule(runner, study.until)
    played = Progress.nothing(runner, schedule.fresh_from)
    if resume and checkpoint is not None:
        played = checkpoint.load(runner, schedule.fresh_from)
    rows = None
    with ExitStack() as stack:
        play = stack.enter_context(playing(study, runner, jobs=jobs, backend=backend, scheduler=scheduler))
        if games_file is not None:
            parts = None if checkpoint is None else checkpoint.games
            rows = stack.enter_context(GamesFile(games_file, study, runner, parts))
            if resume:
                rows.go_on(sum(part.pairs for part in played.reported))
        try:
            while blocks := schedule.next(played):
                for chunk in play(blocks):
                    if chunk.pairs == 0:  # it was stopped
                        continue
                    with uninterrupted():
                        played.add(chunk)
                        whole = rows is None or not played.reports(chunk) or rows.add(chunk)
                    if checkpoint is not None and whole:
                        checkpoint.save(played, now=False)
                    if progress is not None:
                        progress(played)
            if rows is not None:
                rows.finish()
            if checkpoint is not None:
                checkpoint.save(played)
        except StrategyError:  # nothing that can be gone on with
            if checkpoint is not None:
                checkpoint.forget()
            raise
        except (KeyboardInterrupt, InputError):
            if checkpoint is not None and rows is None and played.games:
                with suppress(InputError):  # the disk that is full may have been the reason
                    checkpoint.save(played)
            raise
    counts, others = [part.counts for part in played.reported], [part.others for part in played.reported]
    return Results(study, list(runner.matchups), counts, schedule.stops, versions(), others)
