"""The command ``komi``."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from sim.errors import InputError, unknown
from sim.wording import plural

if TYPE_CHECKING:
    import pandas as pd

    from reports.batch import Entry
    from reports.checkpoint import Checkpoint
    from reports.progress import Progress as RunProgress
    from reports.results import Results
    from reports.study import Study
    from sim.game import Game
    from sim.play import Match, Setup

app = typer.Typer(
    help="A Monte Carlo balance simulator for two-player trading card games.", no_args_is_help=True, add_completion=False,
    pretty_exceptions_enable=False, rich_markup_mode="rich",
)  # fmt: skip
NOTHING = "nothing was written"
_command: list[str] = []  # the words after `komi`, to tell how to go on
_left = [NOTHING]  # what to say of an end that keeps nothing of what was being played
notes = Console(stderr=True, highlight=False, soft_wrap=True)

DIFFERENT, UNUSABLE, INTERRUPTED = 1, 2, 130
MOST_JOBS = 1024
GRACE_SECONDS = 1.5  # that an orderly end may take after Ctrl-C
KINDS = ("games", "decks", "strategies", "features", "options")

SetOption = Annotated[str, typer.Option("--set", help="The card set: its name or a TOML file.")]
RulesOption = Annotated[list[str] | None, typer.Option("--rules", metavar="KEY=VALUE", help="A rule option; may be repeated.")]
JobsOption = Annotated[int, typer.Option(help="How many play at once; by default one a core. Changes no result.", show_default=False)]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Another seed than the study's.")]


def main(argv: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : list of str, optional
        The words after ``komi``; by default the process's.

    Returns
    -------
    int
        Exit code: 0; 1 if `check` found a difference; 2 for what a user can mend; 130 after Ctrl-C.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace", **({} if _speaks_unicode(stream) else {"encoding": "utf-8"}))
    _command[:] = sys.argv[1:] if argv is None else argv
    _left[:] = [NOTHING]
    try:
        app(args=argv, prog_name="komi")
    except SystemExit as stop:
        return int(stop.code or 0)
    except InputError as error:
        _report(error)
        return UNUSABLE
    except KeyboardInterrupt:
        notes.print("komi: interrupted")
        return INTERRUPTED
    except OSError as error:
        _report(InputError(f"{error.filename or 'output'}: {error.strerror or error}"))
        return UNUSABLE
    return 0


def _speaks_unicode(stream: Any) -> bool:
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "").startswith("utf")


def _report(error: InputError) -> None:
    for problem in error.problems:
        print(f"komi: {problem}", file=sys.stderr)


def _words(text: str | None) -> list[str] | None:
    """Split a list at its commas; None stays None."""
    return None if text is None else [word.strip() for word in text.split(",")]


def _check_jobs(jobs: int) -> None:
    if jobs != -1 and not 1 <= jobs <= MOST_JOBS:
        raise InputError(f"--jobs: found {jobs}, expected 1 to {MOST_JOBS}")


class _Speed(ProgressColumn):
    """Games a second so far."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.completed / task.elapsed:,.0f} games/s" if task.elapsed and task.completed else "", style="cyan")


def _bar() -> Progress:
    """Make a progress bar that counts games."""
    return Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), _Speed(), TextColumn("time left"),
        TimeRemainingColumn(), console=notes,
    )  # fmt: skip


@contextmanager
def _ending_cleanly() -> Iterator[None]:
    """Say after a Ctrl-C what is left (mostly nothing), and exit."""
    try:
        yield
    except KeyboardInterrupt:
        notes.print(f"komi: interrupted; {_left[0]}")
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def _going_on_later(checkpoint: Checkpoint) -> Iterator[None]:
    """Say after a Ctrl-C, or where a file cannot be written, how to go on, and exit."""
    try:
        yield
    except KeyboardInterrupt:
        notes.print(f"komi: interrupted; {_kept(checkpoint)}")
        raise typer.Exit(INTERRUPTED) from None
    except InputError as error:
        if checkpoint.has_something:
            raise InputError([*error.problems, _kept(checkpoint)]) from None
        raise


def _kept(checkpoint: Checkpoint) -> str:
    """Say what there is to go on with after an interruption."""
    return f"what was played is kept; {_go_on()}" if checkpoint.has_something else _left[0]


def _go_on() -> str:
    """Say with which command to go on."""
    words = [word for word in _command if word != "--resume"]
    return f"go on with: {shlex.join(['komi', *words, '--resume'])}"


@contextmanager
def _compiling(game: Game, compiled: bool) -> Iterator[None]:
    """Announce a compilation that takes long, and end at once on Ctrl-C, which the compiler may swallow; nothing is written yet."""
    if not compiled:
        notes.print(f"komi: compiling {game.name} for this machine: once, about half a minute …")

    with _on_interrupt(_leave):
        yield


def _leave(*_: object) -> None:
    """End the process at once."""
    os.write(2, f"\nkomi: interrupted; {_left[0]}\n".encode())
    os._exit(INTERRUPTED)


@contextmanager
def _on_interrupt(handler: Callable[..., None]) -> Iterator[None]:
    """Handle Ctrl-C in another way than Python does, as long as this lasts."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt, and end the process if that is swallowed or a strategy does not come back."""
    watchdog = threading.Timer(GRACE_SECONDS, _leave)
    watchdog.daemon = True

    def interrupt(*_: object) -> None:
        if not watchdog.is_alive():
            watchdog.start()
        raise KeyboardInterrupt

    try:
        with _on_interrupt(interrupt):
            yield
    finally:
        watchdog.cancel()


@app.command(
    epilog="Example: [bold]komi run sea[/bold]   or   [bold]komi run my_study.toml --pairs 50000 --out out/mine[/bold]   "
    "or all studies of a folder   [bold]komi run my_studies[/bold]"
)
def run(
    study: Annotated[
        list[str],
        typer.Argument(metavar="STUDY…", help="Study files (TOML), folders of them, or names of games for their starter studies."),
    ],
    out: Annotated[
        Path | None, typer.Option(help="The report's folder, of several studies the folder of all; by default out/NAME.")
    ] = None,
    pairs: Annotated[int | None, typer.Option(help="Pairs of games a matchup, instead of the study's.")] = None,
    seed: SeedOption = None,
    margin: Annotated[
        float | None, typer.Option(metavar="POINTS", help="Points around 50 % that count as fair, instead of the study's.")
    ] = None,
    jobs: JobsOption = -1,
    backend: Annotated[str, typer.Option(metavar="[threads|processes|dask]", help="Where to play; changes no result.")] = "threads",
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Of Dask's scheduler, as tcp://10.0.0.1:8786: goes with --backend dask.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a report that is there.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was interrupted.")] = False,
    games_file: Annotated[Path | None, typer.Option(help="Write a row for each single game to this Parquet file.")] = None,
) -> None:
    """Play a study and write its report; of several, a report each and a page that leads to them."""
    from reports.backends import check_backend
    from reports.batch import is_batch
    from reports.folder import check_file, check_folder

    _check_jobs(jobs)
    check_backend(backend, scheduler, jobs)
    where = {"backend": backend, "scheduler": scheduler}
    if is_batch(study):
        if games_file is not None:
            raise InputError("--games-file: found it with several studies, expected it with one")
        settings = {"pairs": pairs, "seed": seed, "margin": margin}
        _run_batch(study, Path("out") if out is None else out, settings, jobs=jobs, force=force, resume=resume, where=where)
        return
    loaded = _loaded(study[0], pairs=pairs, seed=seed, margin=margin)
    folder = out if out is not None else Path("out") / loaded.name
    check_folder(folder, force=force)
    if games_file is not None:
        if games_file.suffix != ".parquet":
            raise InputError(f"--games-file: found {games_file}, expected a name that ends in .parquet")
        if games_file.resolve().is_relative_to(folder.resolve()):
            raise InputError(f"--games-file: {games_file} is inside the report's folder, which is replaced whole; name a place beside it")
        check_file(games_file, force=force)

    _play_and_write(loaded, folder, jobs=jobs, force=force, games_file=games_file, resume=resume, **where)


def _loaded(source: str, *, announced: set[str] | None = None, **settings: Any) -> Study:
    """Load a study with what was given in place of its own settings, and compile for it; each game is announced once."""
    from reports.study import is_compiled, load_study, study_game

    game = study_game(source)
    told = set() if announced is None else announced
    compiled = game.name in told or is_compiled(game, source)
    told |= set() if compiled else {game.name}
    with _compiling(game, compiled):
        return load_study(source, **settings)


def _run_batch(
    sources: list[str], folder: Path, settings: dict[str, Any], *, jobs: int, force: bool, resume: bool, where: dict[str, Any]
) -> None:
    """Play several studies; what hinders one does not hinder the others and is told at the end."""
    from reports import batch

    named, passed_over = batch.study_sources(sources)
    for path in passed_over:
        notes.print(f"komi: {path} is no study: passed over")
    batch.check_index(folder)
    entries = [batch.Entry(source) for source in named]
    announced: set[str] = set()
    for entry in entries:
        try:
            entry.study = _loaded(entry.source, announced=announced, **settings)
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
    _left[:] = [f"what is finished is kept; {_go_on()}"]
    with _ending_cleanly():
        batch.note_finished(entries, folder)
        for entry in entries:
            if entry.study is None or entry.folder is None or entry.done:
                continue
            try:
                _play_and_write(entry.study, entry.folder, jobs=jobs, force=force, resume=to_play[entry.name], **where)
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


def _play_and_write(
    study: Study, folder: Path, *, jobs: int, force: bool, games_file: Path | None = None, resume: bool = False, **where: Any
) -> dict[str, pd.DataFrame]:
    """Play a study with a progress bar, saving what is played, and write its report; gives the report's tables."""
    from reports.checkpoint import Checkpoint

    checkpoint = Checkpoint(folder, study, resume=resume, force=force, keeps_games=games_file is not None)
    with checkpoint, _going_on_later(checkpoint):
        results, seconds = _played(study, jobs=jobs, games_file=games_file, checkpoint=checkpoint, resume=resume, **where)
        from reports.page import write_report  # with all that draws and computes, which the start need not wait for

        tables = write_report(results, folder, force=force)
        checkpoint.finish()
    notes.print(f"komi: {plural(results.games, 'game')} in {seconds:.1f} s; the report is in {folder}")
    return tables


def _played(study: Study, *, jobs: int, **keys: Any) -> tuple[Results, float]:
    """Play a study with a progress bar (keys as for `run_study`); gives its results and the seconds that it took."""
    import time

    from reports.results import run_study

    runner = study.runner()
    with _compiling(study.game, True):
        runner.prepare()
    started = time.monotonic()
    with _interruptible(), _bar() as bar:
        task = bar.add_task(study.name, total=runner.games if study.until is None else None)

        def progress(played: RunProgress) -> None:
            seat = f"{study.name}, first seat wins {100 * played.first_seat:.1f} %"
            bar.update(task, completed=played.games, total=played.total, description=seat)

        results = run_study(study, jobs=jobs, progress=progress, **keys)
    return results, time.monotonic() - started


@app.command(
    epilog="Example: [bold]komi plan sea --half-width 0.2[/bold]   or   [bold]komi plan my_study.toml --margin 1 --power 0.8[/bold]"
)
def plan(
    study: Annotated[str, typer.Argument(metavar="STUDY|FOLDER", help="A study file, a game's name, or a report's folder.")],
    half_width: Annotated[float, typer.Option(help="Points that the interval of a win rate may reach to either side.")] = 0.5,
    margin: Annotated[float | None, typer.Option(help="Points around 50 % that count as fair, instead of the study's.")] = None,
    power: Annotated[float, typer.Option(help="How often a verdict is to be found if it is true.")] = 0.9,
    pilot: Annotated[
        int | None, typer.Option(help="Pairs of games a matchup to play for it; by default 500, of a report none: its counts tell.")
    ] = None,
    seed: SeedOption = None,
    jobs: JobsOption = -1,
) -> None:
    """Tell how many pairs a study needs, by playing some of them or by the counts of a report."""
    from reports.planning import PILOT, Goal, lines, pilot_study, planning
    from reports.store import load_results
    from reports.study import is_compiled, load_study, study_game
    from sim.game import game_names

    _check_jobs(jobs)
    goal = Goal(half_width, 2.0 if margin is None else margin, power)
    goal.check()
    is_report = study not in game_names() and Path(study).is_dir()
    if is_report and pilot is None:
        if seed is not None:
            raise InputError("--seed: found it with a report's counts, expected it with a pilot: --pilot 500")
        results, seconds = load_results(Path(study)), None
    else:
        source = Path(study) / "study.toml" if is_report else study
        game = study_game(source)
        with _compiling(game, is_compiled(game, source)):
            loaded = pilot_study(load_study(source, seed=seed), PILOT if pilot is None else pilot)
        with _ending_cleanly():
            results, seconds = _played(loaded, jobs=jobs)
    goal = replace(goal, margin=results.study.margin if margin is None else margin)
    for line in lines(planning(results, goal), results, seconds):
        print(line)


@app.command(epilog="Example: [bold]komi stats out/sea --margin 1 --out out/strict[/bold]")
def stats(
    folder: Annotated[Path, typer.Argument(help="The folder of a report.")],
    margin: Annotated[float | None, typer.Option(help="Points around 50 % that count as fair, instead of the study's.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder of the new report; by default the old one is replaced.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a report that is there.")] = False,
) -> None:
    """Make a report anew from its counts, without playing, and print what it says."""
    from reports.folder import SUMMARY, check_folder
    from reports.page import write_report
    from reports.store import load_results

    target = folder if out is None else out
    results = load_results(folder, margin=margin)
    check_folder(target, force=force or out is None)
    write_report(results, target, force=force or out is None)
    print((target / SUMMARY).read_text(encoding="utf-8"), end="")
    notes.print(f"komi: the report is in {target}")


@app.command(epilog="Example: [bold]komi diff out/before out/after[/bold]")
def diff(
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="The folder of a report.")],
    after: Annotated[Path, typer.Argument(metavar="AFTER", help="The folder of another one, of the same game.")],
    margin: Annotated[
        float | None, typer.Option(metavar="POINTS", help="Points around 50 % that count as fair, instead of the second study's.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write a report of it into this folder, too.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a report that is there.")] = False,
) -> None:
    """Compare two reports: which verdicts, matchups and decks have changed, by how much, and what is different in the settings."""
    from reports.comparison import compare
    from reports.comparison_report import lines, write_comparison

    compared = compare(before, after, margin=margin)
    if out is not None:
        write_comparison(compared, out, force=force)
    for line in lines(compared):
        print(line)
    if out is not None:
        notes.print(f"komi: the report is in {out}")


@app.command(epilog="Example: [bold]komi export out/sea --to parquet[/bold]   or   [bold]komi export games.parquet --to csv[/bold]")
def export(
    source: Annotated[Path, typer.Argument(metavar="FOLDER|GAMES", help="The folder of a report, or a Parquet file of games.")],
    to: Annotated[str, typer.Option(metavar="[csv|parquet|json]", help="The format; of games csv.")],
    out: Annotated[
        Path | None, typer.Option(help="Where: a folder for tables, a file for JSON and games; by default beside the source.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what komi wrote there before.")] = False,
) -> None:
    """Write the tables of a report as CSV or Parquet, its summary as JSON, or single games as CSV."""
    from reports.export import export as write

    with _ending_cleanly():
        target, said = write(source, to, out, force=force)
    notes.print(f"komi: {said} in {target}")


@app.command(epilog="Example: [bold]komi ladder sea --decks rush,trap --pairs 200[/bold]")
def ladder(
    game: Annotated[str, typer.Argument(help="The game.")],
    decks: Annotated[str | None, typer.Option(help="Decks, with commas between: labels or TOML files; by default all of the set.")] = None,
    strategies: Annotated[
        str | None, typer.Option(help="Strategies, with commas between, weakest first; by default all that come with the game.")
    ] = None,
    set: SetOption = "starter",
    pairs: Annotated[int, typer.Option(help="Pairs of games a deck for each two strategies.")] = 1000,
    search_pairs: Annotated[int, typer.Option(help="The same where one of them searches.")] = 50,
    seed: SeedOption = None,
    jobs: JobsOption = -1,
    out: Annotated[Path | None, typer.Option(help="The report's folder; by default out/GAME-ladder.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a report that is there.")] = False,
) -> None:
    """Play every strategy of a game against every other, each deck against itself, and rate them."""
    from reports.folder import check_folder
    from reports.ladder import ladder_study, lines, speeds
    from sim.game import load_game
    from strategies.strategy import split_names

    _check_jobs(jobs)
    folder = out if out is not None else Path("out") / f"{game}-ladder"
    loaded_game = load_game(game)
    check_folder(folder, force=force)
    with _compiling(loaded_game, loaded_game.is_compiled):
        names = split_names(strategies) if strategies is not None else None
        study = ladder_study(loaded_game, _words(decks), names, set, pairs, search_pairs, 1 if seed is None else seed)
    tables = _play_and_write(study, folder, jobs=jobs, force=force)
    for line in lines(tables, speeds(study)):
        print(line)


@app.command(epilog="Example: [bold]komi knockout sea[/bold]   or   [bold]komi knockout my_study.toml --decks mine --pairs 20000[/bold]")
def knockout(
    study: Annotated[str, typer.Argument(help="A study file (TOML), or the name of a game for its starter study.")],
    strategies: Annotated[
        str | None,
        typer.Option(metavar="S,…", help="Who plays both sides; by default the study's last that neither plays at random nor searches."),
    ] = None,
    decks: Annotated[
        str | None, typer.Option(metavar="DECK,…", help="Decks of the study whose cards are measured; by default all.")
    ] = None,
    pairs: Annotated[int | None, typer.Option(help="Pairs of games a matchup and card, instead of the study's.")] = None,
    seed: SeedOption = None,
    jobs: JobsOption = -1,
    out: Annotated[Path | None, typer.Option(help="The report's folder; by default out/NAME-knockout.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a report that is there.")] = False,
) -> None:
    """Measure what each card is worth: one copy of it replaced by a plain card of the same cost, in the same games."""
    import time

    from reports.folder import check_folder
    from reports.knockout import Knockout, knockout_study
    from reports.study import is_compiled, study_game
    from sim import watch
    from strategies.strategy import split_names

    _check_jobs(jobs)
    game = study_game(study)
    with _compiling(game, is_compiled(game, study) and watch.is_compiled(game)):
        loaded = knockout_study(study, split_names(strategies) if strategies is not None else None, pairs=pairs, seed=seed)
        to_play = Knockout(loaded, _words(decks))
        folder = out if out is not None else Path("out") / f"{loaded.name}-knockout"
        check_folder(folder, force=force)
        to_play.prepare()
    started = time.monotonic()
    with _ending_cleanly():
        with _interruptible(), _bar() as bar:
            task = bar.add_task(loaded.name, total=to_play.games)
            found = to_play.play(jobs, lambda games: bar.advance(task, games))
        seconds = time.monotonic() - started
        from reports.knockout_report import write_knockout  # with all that draws and computes, which the start need not wait for
        from reports.sections.knockout import lines

        tables = write_knockout(found, folder, force=force)
    for line in lines(tables["ranking"]):
        print(line)
    notes.print(f"komi: {plural(found.games, 'game')} in {seconds:.1f} s; the report is in {folder}")


@app.command(epilog="Example: [bold]komi tune sea[/bold]   or   [bold]komi tune dino --against greedy,value --budget 500000[/bold]")
def tune(
    game: Annotated[str, typer.Argument(help="The game.")],
    against: Annotated[str | None, typer.Option(metavar="S,…", help="The opponents; by default greedy and the tempers.")] = None,
    decks: Annotated[str | None, typer.Option(metavar="DECK,…", help="Decks, each against itself; by default the starter decks.")] = None,
    budget: Annotated[int | None, typer.Option(help="Games to play in all; by default two million, some minutes.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same weights.")] = None,
    jobs: JobsOption = -1,
    out: Annotated[Path | None, typer.Option(help="The file; by default out/GAME-weights.toml.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Search for weights with which the strategy `weighted` wins more, and write them to a file."""
    from reports.folder import check_file
    from reports.tune import BUDGET, tuning_study
    from reports.tune import tune as search
    from sim.files import write_whole
    from sim.game import load_game
    from strategies.strategy import is_file, split_names

    _check_jobs(jobs)
    played = load_game(game)
    path = out if out is not None else Path("out") / f"{played.name}-weights.toml"
    if path.suffix != ".toml":
        raise InputError(f"--out: found {path}, expected a name that ends in .toml")
    check_file(path, force=force)
    opponents = split_names(against) if against is not None else None
    steps = any(is_file(name) for name in opponents or ())
    with _compiling(played, played.is_compiled and (played.steps_are_compiled or not steps)):
        study = tuning_study(game, opponents, _words(decks), seed)
        study.runner().prepare()
    games = BUDGET if budget is None else budget
    with _ending_cleanly():
        with _interruptible(), _bar() as bar:
            task = bar.add_task(played.name, total=games)

            def progress(played_games: int, best: float) -> None:
                bar.update(task, advance=played_games, description=f"{played.name}, best so far {100 * best:.1f} %")

            tuned = search(study, budget=games, jobs=jobs, progress=progress)
            bar.update(task, total=bar.tasks[task].completed)
        write_whole(path, tuned.toml())
    print(tuned.sentence())
    notes.print(f"komi: the weights are in {path}; play them as weighted:{path}")


@app.command(epilog="Example: [bold]komi play sea rush trap --strategies greedy random --seed 7 --rules draw_optional=false[/bold]")
def play(
    game: Annotated[str | None, typer.Argument(help="The game.")] = None,
    first: Annotated[str | None, typer.Argument(metavar="DECK", help="The first seat's deck: a label or a TOML file.")] = None,
    second: Annotated[str | None, typer.Argument(metavar="DECK", help="The second seat's deck.")] = None,
    strategies: Annotated[
        tuple[str, str] | None, typer.Option(metavar="S S", help="The strategies of the first and the second seat; by default greedy.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same game.", show_default="1")] = None,
    set: Annotated[str | None, typer.Option("--set", help="The card set: its name or a TOML file.", show_default="starter")] = None,
    rules: RulesOption = None,
    study: Annotated[Path | None, typer.Option(help="Play a game of this report's folder, or study file, again.")] = None,
    number: Annotated[int | None, typer.Option("--game", metavar="N", help="Its number: goes with --study.")] = None,
    replay: Annotated[Path | None, typer.Option(help="Write the game to this file (.json or .json.gz) instead of a log.")] = None,
    states: Annotated[bool, typer.Option("--states", help="Note the state after each step in the replay.")] = False,
) -> None:
    """Play one game and print it as a log, or write it as a replay: a new one, or one of a study again."""
    from reports.log import ending, play_log
    from sim import replay as replays

    if replay is not None and not replay.name.endswith((".json", ".json.gz")):
        raise InputError(f"--replay: found {replay}, expected a name that ends in .json or .json.gz")
    if states and replay is None:
        raise InputError("--states: goes with --replay")
    if study is None:
        if number is not None:
            raise InputError("--game: goes with --study; the game to play is named first, as komi play sea rush trap")
        if game is None or first is None or second is None:
            raise InputError("found no game and two decks, expected them, as komi play sea rush trap, or --study and --game")
        match, players = _new_match(game, first, second, strategies or ("greedy", "greedy"), 1 if seed is None else seed, set, rules or [])
    else:
        own = {"GAME": game, "--strategies": strategies, "--seed": seed, "--set": set, "--rules": rules}
        strange = [key for key, value in own.items() if value is not None]
        if number is None or strange:
            found = f"found {strange[0]} with it" if strange else "found no --game"
            raise InputError(f"--study: {found}, expected the number of one of its games alone, as --study out/sea --game 17")
        match, players = _match_of_study(study, number)
    if replay is not None:
        replays.write(replay, replays.record(match, [choose for _, choose in players], states=states))
        notes.print(f"komi: {plural(match.turn, match.game.turn_words[0])}, {ending(match.result)}: {replay}")
        return
    for line in play_log(match, players):
        print(line)


def _new_match(
    game: str, first: str, second: str, strategies: tuple[str, str], seed: int, set_name: str | None, rules: list[str]
) -> tuple[Match, list[tuple[str, Callable[..., int]]]]:
    """Deal a game of one's own; gives it and by seat how messages name the player, and what plays."""
    from dataclasses import replace

    from sim.cards import deck_label
    from sim.play import Match
    from sim.streams import side_keys
    from strategies.check import check_strategy
    from strategies.strategy import load_strategy

    if not -(2**63) <= seed < 2**63:
        raise InputError(f"--seed: found {seed}, expected an integer of 64 bits")
    setup = _setup(game, first, second, "starter" if set_name is None else set_name, rules)
    with _compiling(setup.game, setup.game.steps_are_compiled):
        players = [load_strategy(setup.game, name) for name in strategies]
        for player in dict(zip(strategies, players, strict=True)).values():
            if player.path is not None:
                check_strategy(player, [setup])
        match = Match(replace(setup, parameters=(players[0].parameters, players[1].parameters)))
    sides = [(deck_label(name), player.label) for name, player in zip((first, second), players, strict=True)]
    match.deal(side_keys(seed, setup.game.name, sides))
    return match, [(player.label, player.choose) for player in players]


def _match_of_study(source: Path, number: int) -> tuple[Match, list[tuple[str, Callable[..., int]]]]:
    """Deal a game of a study again; see `_new_match`."""
    from reports.store import STUDY
    from reports.study import load_study, study_game
    from sim.play import Match, Setup
    from sim.streams import side_keys

    path = source / STUDY if source.is_dir() else source
    game = study_game(path)
    with _compiling(game, game.steps_are_compiled):
        study = load_study(path)
        matchup, pair, order = study.find_game(number)
        sides = (matchup.a, matchup.b) if order == 0 else (matchup.b, matchup.a)
        parameters = (sides[0].parameters, sides[1].parameters)
        match = Match(Setup(game, study.card_set, (sides[0].deck, sides[1].deck), study.rules, study.knows_decks, parameters))
    keys = side_keys(study.seed, game.name, (matchup.a.names, matchup.b.names))
    match.deal(keys if order == 0 else keys[::-1], pair)
    return match, [(side.strategy_label, side.choose) for side in sides]


def _setup(name: str, first: str, second: str, set_name: str, rules: list[str]) -> Setup:
    from sim.cards import load_deck, load_set
    from sim.files import validate
    from sim.game import load_game
    from sim.play import Setup

    game = load_game(name)
    options = validate(_options(rules), game.rules, "--rules")
    card_set = load_set(game, set_name)
    decks = [load_deck(game, deck, card_set, options, set_name=set_name) for deck in (first, second)]
    return Setup(game, card_set, (decks[0], decks[1]), options)


def _options(rules: list[str]) -> dict[str, Any]:
    """Read KEY=VALUE words; values as in TOML, plain words as texts."""
    options: dict[str, Any] = {}
    for rule in rules:
        key, equals, value = rule.partition("=")
        if not equals or not key:
            raise InputError(f"--rules: found {rule!r}, expected KEY=VALUE")
        try:
            parsed = tomllib.loads(f"value = {value}")
        except (ValueError, RecursionError):
            parsed = {}
        options[key.strip()] = parsed["value"] if list(parsed) == ["value"] else value.strip()
    return options


@app.command(epilog="Example: [bold]komi check game.json other.json.gz --set my_set.toml[/bold]")
def check(
    replay: Annotated[list[Path], typer.Argument(metavar="REPLAY…", help="Replays (.json, .json.gz).")],
    set: Annotated[str | None, typer.Option("--set", help="The card set: its name or a TOML file; by default the replay's.")] = None,
) -> None:
    """Play replays through the engine and compare every legal list, state and result; exit 1 at any difference."""
    from sim import replay as replays
    from sim.cards import load_set, set_names
    from sim.game import file_game

    worst = 0
    for path in replay:
        try:
            content = replays.read(path)
            game = file_game(content, path)
            with _compiling(game, game.steps_are_compiled):
                game.compile_steps()
            named = content.get("set")
            if not isinstance(named, str):
                raise InputError(f"{path}: set: found {named!r}, expected the name of a card set")
            if set is None and named not in set_names(game):
                raise InputError(f"{path}: its card set {named!r} does not come with {game.name}; --set names its file")
            card_set = load_set(game, set if set is not None else named)
            difference = replays.check(content, card_set)
        except InputError as error:
            _report(error)
            worst = UNUSABLE
            continue
        if difference is None:
            print(f"{path}: a game by the rules")
        else:
            print(f"{path}: {difference}")
            worst = max(worst, DIFFERENT)
    if worst:
        raise typer.Exit(worst)


@app.command(epilog="Example: [bold]komi validate my_set.toml my_deck.toml my_study.toml[/bold]")
def validate(
    file: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Card sets (TOML, CSV), decks, studies (TOML), strategies (.py).")],
    set: Annotated[str | None, typer.Option("--set", help="The card set for decks: its name or a TOML file.")] = None,
    game: Annotated[str | None, typer.Option(help="The game, for strategies.")] = None,
) -> None:
    """Check files; report all problems together."""
    from reports.files import describe
    from sim.game import load_game
    from strategies.strategy import is_file

    failed = False
    for path in file:
        try:
            played = load_game(game) if game is not None and is_file(path.name) else None
            with nullcontext() if played is None else _compiling(played, played.steps_are_compiled):
                print(f"{path}: {describe(path, set, game)}")
        except InputError as error:
            _report(error)
            failed = True
    if failed:
        raise typer.Exit(UNUSABLE)


@app.command(
    epilog="Example: [bold]komi cards my_set.toml --csv my_set.csv[/bold]   and back   [bold]komi cards my_set.csv --toml new.toml[/bold]"
)
def cards(
    set: Annotated[str, typer.Argument(metavar="SET", help="A card set: a TOML or CSV file, or with --game the name of one.")],
    game: Annotated[str | None, typer.Option(help="The game, for the name of a set that comes with it.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the set for a spreadsheet; - prints it.")] = None,
    toml: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the set as komi plays it; - prints it.")] = None,
    separator: Annotated[
        str, typer.Option(metavar="[comma|semicolon|tab]", help="Between cells; European Excel opens semicolons.")
    ] = "comma",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Turn a card set into a spreadsheet (CSV), and back."""
    from reports.folder import check_file
    from reports.spreadsheet import SEPARATORS, read_set, set_csv
    from reports.toml import set_text
    from sim.files import write_whole

    if (csv is None) == (toml is None):
        raise InputError(
            f"{'--csv: found --toml too' if csv else 'found neither --csv nor --toml'}, expected one: --csv FILE or --toml FILE"
        )
    if separator not in SEPARATORS:
        raise InputError(f"--separator: {unknown('separator', separator, SEPARATORS)}")
    path, ending = (csv, ".csv") if csv is not None else (toml, ".toml")
    assert path is not None
    if path.suffix != ending and str(path) != "-":
        raise InputError(f"--{ending[1:]}: found {path}, expected a name that ends in {ending}")
    card_set = read_set(set, game)
    text = set_csv(card_set, SEPARATORS[separator]) if csv is not None else set_text(card_set)
    if str(path) == "-":
        sys.stdout.buffer.write(text.encode())
        return
    check_file(path, force=force)
    write_whole(path, text.encode("utf-8-sig" if csv is not None else "utf-8"))  # the mark tells Excel that it is UTF-8
    notes.print(f"komi: {plural(len(card_set.card), 'card')} in {path}")


@app.command(epilog="Example: [bold]komi new my_game --game sea[/bold]")
def new(
    dir: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write; new or empty.")],
    game: Annotated[str, typer.Option(help="The game.")],
) -> None:
    """Write a project to begin with: cards, two decks and a study, with comments on every key."""
    from reports.project import write_project

    for line in write_project(dir, game):
        print(line)


@app.command("list", epilog="Example: [bold]komi list decks[/bold]")
def list_(
    kind: Annotated[str, typer.Argument(metavar="[games|decks|strategies|features|options]", help="What to list.")] = "games",
    game: Annotated[str | None, typer.Option(help="Of this game only.")] = None,
) -> None:
    """List what there is: games, decks, strategies, the features that some of them weigh, rule options."""
    from reports.files import listing

    if kind not in KINDS:
        raise InputError(unknown("list", kind, KINDS))
    for line in listing(kind, game):
        print(line)


if __name__ == "__main__":
    sys.exit(main())
