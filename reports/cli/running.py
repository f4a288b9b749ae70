"""``komi run``: studies are played, and their reports written."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reports.cli.app import ForceOption, JobsOption, NoCodeOption, SeedOption, app, check_jobs, left, notes
from reports.cli.bar import Bar
from reports.cli.waiting import compiling, ending_cleanly, go_on, going_on_later, interruptible
from sim.files.errors import InputError
from sim.files.wording import plural

if TYPE_CHECKING:
    import pandas as pd

    from reports.pages.batch import Entry
    from reports.play.progress import Progress
    from reports.play.results import Results
    from reports.studies.study import Study
    from sim.files.toml_file import TomlFile


@app.command(
    epilog="Example: [bold]komi run sea[/bold]   or   "
    "[bold]komi run my_study.toml --pairs 50000 --out out/mine[/bold]   "
    "or all studies of a folder   [bold]komi run my_studies[/bold]"
)
def run(
    study: Annotated[
        list[str],
        typer.Argument(
            metavar="STUDY…", help="Study files (TOML), folders of them, or names of games for their starter studies."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="The report's folder, of several studies the folder of all; by default out/NAME."),
    ] = None,
    pairs: Annotated[int | None, typer.Option(help="Pairs of games a matchup, instead of the study's.")] = None,
    seed: SeedOption = None,
    margin: Annotated[
        float | None,
        typer.Option(metavar="POINTS", help="Points around 50 % that count as fair, instead of the study's."),
    ] = None,
    jobs: JobsOption = -1,
    backend: Annotated[
        str, typer.Option(metavar="[threads|processes|dask]", help="Where to play; changes no result.")
    ] = "threads",
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Of Dask's scheduler, as tcp://10.0.0.1:8786: goes with --backend dask."),
    ] = None,
    force: ForceOption = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was interrupted.")] = False,
    games_file: Annotated[
        Path | None, typer.Option(help="Write a row for each single game to this Parquet file.")
    ] = None,
    no_code: NoCodeOption = False,
) -> None:
    """Play a study and write its report; of several, a report each and a page that leads to them."""
    from reports.formats.folder import check_file, check_folder
    from reports.pages.batch import is_batch
    from reports.play.backends import check_backend
    from reports.play.games_file import is_games_of
    from reports.play.store import is_report_of

    check_jobs(jobs)
    check_backend(backend, scheduler, jobs)
    where = {"backend": backend, "scheduler": scheduler}
    if is_batch(study):
        if games_file is not None:
            raise InputError("--games-file: found it with several studies, expected it with one")
        settings = {"pairs": pairs, "seed": seed, "margin": margin}
        _run_batch(
            study, Path("out") if out is None else out, settings, jobs=jobs, force=force, resume=resume, where=where
        )
        return
    loaded = loaded_study(study[0], pairs=pairs, seed=seed, margin=margin)
    folder = out if out is not None else Path("out") / loaded.name
    check_folder(folder, force=force or (resume and is_report_of(folder, loaded)))
    if games_file is not None:
        if games_file.suffix != ".parquet":
            raise InputError(f"--games-file: found {games_file}, expected a name that ends in .parquet")
        if games_file.resolve().is_relative_to(folder.resolve()):
            raise InputError(
                f"--games-file: {games_file} is inside the report's folder, which is replaced whole; name a place "
                "beside it"
            )
        check_file(games_file, force=force or (resume and is_games_of(games_file, loaded)))

    play_and_write(loaded, folder, jobs=jobs, force=force, games_file=games_file, resume=resume, **where)


def loaded_study(source: str | Path | TomlFile, *, announced: set[str] | None = None, **settings: Any) -> Study:
    """Load a study with what was given instead of its own settings, and compile for it; a game is announced once."""
    from reports.studies.study import is_compiled, load_study, read_study, study_game

    read = read_study(source)
    game = study_game(read)
    told = set() if announced is None else announced
    compiled = game.name in told or is_compiled(game, read)
    told |= set() if compiled else {game.name}
    with compiling(game, compiled):
        return load_study(read, **settings)


def _run_batch(
    sources: list[str],
    folder: Path,
    settings: dict[str, Any],
    *,
    jobs: int,
    force: bool,
    resume: bool,
    where: dict[str, Any],
) -> None:
    """Play several studies; what hinders one does not hinder the others and is told at the end."""
    from reports.pages import batch

    named, passed_over = batch.study_sources(sources)
    for path in passed_over:
        notes.print(f"komi: {path} is no study: passed over")
    batch.check_index(folder)
    entries = [batch.Entry(source) for source in named]
    announced: set[str] = set()
    for entry in entries:
        try:
            entry.study = loaded_study(entry.source, announced=announced, **settings)
            entry.folder = folder / entry.study.name
        except InputError as error:
            entry.problems = error.problems
    batch.check_names(entries)
    if all(entry.problems for entry in entries):
        raise InputError(_problems(entries))
    to_play = batch.plan(entries, folder, force=force, resume=resume)
    for entry in entries:
        if entry.problems:
            notes.print(f"komi: {entry.source} cannot be played; why is told at the end")
        elif entry.done:
            notes.print(f"komi: {entry.name} is finished: skipped")
    left[:] = [f"what is finished is kept; {go_on()}"]
    with ending_cleanly():
        batch.note_finished(entries, folder)
        for entry in entries:
            if entry.study is None or entry.folder is None or entry.done:
                continue
            try:
                play_and_write(entry.study, entry.folder, jobs=jobs, force=force, resume=to_play[entry.name], **where)
                entry.done = True
            except InputError as error:
                entry.problems = error.problems
                notes.print(f"komi: {entry.name} failed; why is told at the end")
            batch.note_finished(entries, folder)
    done = sum(entry.done for entry in entries)
    notes.print(f"komi: {done} of {len(entries)} reports are there; {folder / batch.INDEX} leads to them")
    if done < len(entries):
        raise InputError(_problems(entries))
    batch.end(folder)


def _problems(entries: list[Entry]) -> list[str]:
    """List what is wrong with the studies of a batch, each thing once."""
    return list(dict.fromkeys(problem for entry in entries for problem in entry.problems))


def play_and_write(
    study: Study,
    folder: Path,
    *,
    jobs: int,
    force: bool,
    games_file: Path | None = None,
    resume: bool = False,
    **where: Any,
) -> dict[str, pd.DataFrame]:
    """Play a study with a progress bar, saving what is played, and write its report; gives the report's tables."""
    from reports.play.checkpoint import Checkpoint
    from reports.play.store import is_report_of

    checkpoint = Checkpoint(folder, study, resume=resume, force=force, keeps_games=games_file is not None)
    with checkpoint, going_on_later(checkpoint):
        results, seconds = played_study(
            study, jobs=jobs, games_file=games_file, checkpoint=checkpoint, resume=resume, **where
        )
        from reports.pages.page import (
            write_report,
        )  # with all that draws and computes, which the start need not wait for

        tables = write_report(results, folder, force=force or (resume and is_report_of(folder, study)))
        checkpoint.finish()
    notes.print(f"komi: {plural(results.games, 'game')} in {seconds:.1f} s; the report is in {folder}")
    return tables


def played_study(study: Study, *, jobs: int, **keys: Any) -> tuple[Results, float]:
    """Play a study with a progress bar (keys as for `run_study`); gives its results and the seconds that it took."""
    from reports.play.run import run_study

    runner = study.runner()
    with compiling(study.game, True):
        runner.prepare()
    started = time.monotonic()
    with interruptible(), Bar(study.name) as bar:

        def progress(played: Progress) -> None:
            bar.show(played.games, played.total, lambda: _said(study, played), lambda: played.share)

        results = run_study(study, jobs=jobs, progress=progress, **keys)
    return results, time.monotonic() - started


def _said(study: Study, played: Progress) -> str:
    """Say what the headline would be, of what has been played."""
    found = played.standing.headline(study)
    return "" if found is None else f"first seat wins {100 * found[1]:.1f} % (both {found[0]})"
