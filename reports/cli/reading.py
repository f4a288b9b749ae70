"""Commands about results: to plan by them, to make a report anew, to compare, to export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from reports.cli.app import ForceOption, JobsOption, NoCodeOption, SeedOption, app, check_jobs, notes
from reports.cli.running import loaded_study, played_study
from reports.cli.waiting import ending_cleanly
from sim.files.errors import InputError


@app.command(
    epilog="Example: [bold]komi plan sea --half-width 0.2[/bold]   or   "
    "[bold]komi plan my_study.toml --margin 1 --power 0.8[/bold]"
)
def plan(
    study: Annotated[
        str, typer.Argument(metavar="STUDY|FOLDER", help="A study file, a game's name, or a report's folder.")
    ],
    half_width: Annotated[
        float, typer.Option(help="Points that the interval of a win rate may reach to either side.")
    ] = 0.5,
    margin: Annotated[
        float | None, typer.Option(help="Points around 50 % that count as fair, instead of the study's.")
    ] = None,
    power: Annotated[float, typer.Option(help="How often a verdict is to be found if it is true.")] = 0.9,
    pilot: Annotated[
        int | None,
        typer.Option(
            help="Pairs of games a matchup to play for it; by default 500, of a report none: its counts tell."
        ),
    ] = None,
    seed: SeedOption = None,
    jobs: JobsOption = -1,
    no_code: NoCodeOption = False,
) -> None:
    """Tell how many pairs a study needs, by playing some of them or by the counts of a report."""
    from reports.experiments.planning import PILOT, Goal, lines, pilot_study, planning
    from reports.play.store import load_results
    from sim.library import is_game

    check_jobs(jobs)
    goal = Goal(half_width, 2.0 if margin is None else margin, power)
    goal.check()
    is_report = not is_game(study) and Path(study).is_dir()
    if is_report and pilot is None:
        if seed is not None:
            raise InputError("--seed: found it with a report's counts, expected it with a pilot: --pilot 500")
        results, seconds = load_results(Path(study)), None
    else:
        source = str(Path(study) / "study.toml") if is_report else study
        loaded = pilot_study(loaded_study(source, seed=seed), PILOT if pilot is None else pilot)
        with ending_cleanly():
            results, seconds = played_study(loaded, jobs=jobs)
    goal = replace(goal, margin=results.study.margin if margin is None else margin)
    for line in lines(planning(results, goal), results, seconds):
        print(line)


@app.command(epilog="Example: [bold]komi stats out/sea --margin 1 --out out/strict[/bold]")
def stats(
    folder: Annotated[Path, typer.Argument(help="The folder of a report.")],
    margin: Annotated[
        float | None, typer.Option(help="Points around 50 % that count as fair, instead of the study's.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder of the new report; by default the old one is replaced.")
    ] = None,
    force: ForceOption = False,
    no_code: NoCodeOption = False,
) -> None:
    """Make a report anew from its counts, without playing, and print what it says."""
    from reports.formats.folder import SUMMARY, check_folder
    from reports.pages.page import write_report
    from reports.play.store import load_results
    from sim.files.text import MOST_OF_REPORT, read_text

    target = folder if out is None else out
    results = load_results(folder, margin=margin)
    check_folder(target, force=force or out is None)
    write_report(results, target, force=force or out is None)
    print(read_text(target / SUMMARY, MOST_OF_REPORT), end="")
    notes.print(f"komi: the report is in {target}")


@app.command(epilog="Example: [bold]komi diff out/before out/after[/bold]")
def diff(
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="The folder of a report.")],
    after: Annotated[Path, typer.Argument(metavar="AFTER", help="The folder of another one, of the same game.")],
    margin: Annotated[
        float | None,
        typer.Option(metavar="POINTS", help="Points around 50 % that count as fair, instead of the second study's."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write a report of it into this folder, too.")] = None,
    force: ForceOption = False,
    no_code: NoCodeOption = False,
) -> None:
    """Compare two reports: which verdicts, matchups and decks have changed, by how much, and what is different in the
    settings.
    """
    from reports.experiments.comparison import compare
    from reports.pages.comparison import lines, write_comparison

    compared = compare(before, after, margin=margin)
    if out is not None:
        write_comparison(compared, out, force=force)
    for line in lines(compared):
        print(line)
    if out is not None:
        notes.print(f"komi: the report is in {out}")


@app.command(
    epilog="Example: [bold]komi export out/sea --to parquet[/bold]   or   "
    "[bold]komi export games.parquet --to csv[/bold]"
)
def export(
    source: Annotated[
        Path, typer.Argument(metavar="FOLDER|GAMES", help="The folder of a report, or a Parquet file of games.")
    ],
    to: Annotated[str, typer.Option(metavar="[csv|parquet|json]", help="The format; of games csv.")],
    out: Annotated[
        Path | None,
        typer.Option(help="Where: a folder for tables, a file for JSON and games; by default beside the source."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what komi wrote there before.")] = False,
    no_code: NoCodeOption = False,
) -> None:
    """Write the tables of a report as CSV or Parquet, its summary as JSON, or single games as CSV."""
    from reports.pages.export import export as write

    with ending_cleanly():
        target, said = write(source, to, out, force=force)
    notes.print(f"komi: {said} in {target}")
