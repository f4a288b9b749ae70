"""Commands that measure strategies and cards: ``komi ladder``, ``tune`` and ``knockout``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from reports.cli.app import ForceOption, JobsOption, NoCodeOption, SeedOption, SetOption, app, check_jobs, notes, words
from reports.cli.bar import Bar
from reports.cli.running import play_and_write
from reports.cli.waiting import compiling, ending_cleanly, interruptible
from sim.files.errors import InputError
from sim.files.wording import plural


@app.command(epilog="Example: [bold]komi ladder sea --decks rush,trap --pairs 200[/bold]")
def ladder(
    game: Annotated[str, typer.Argument(help="The game.")],
    decks: Annotated[
        str | None, typer.Option(help="Decks, with commas between: labels or TOML files; by default all of the set.")
    ] = None,
    strategies: Annotated[
        str | None,
        typer.Option(help="Strategies, with commas between, weakest first; by default all that come with the game."),
    ] = None,
    set: SetOption = "starter",
    pairs: Annotated[int, typer.Option(help="Pairs of games a deck for each two strategies.")] = 1000,
    search_pairs: Annotated[int, typer.Option(help="The same where one of them searches.")] = 50,
    seed: SeedOption = None,
    jobs: JobsOption = -1,
    out: Annotated[Path | None, typer.Option(help="The report's folder; by default out/GAME-ladder.")] = None,
    force: ForceOption = False,
    no_code: NoCodeOption = False,
) -> None:
    """Play every strategy of a game against every other, each deck against itself, and rate them."""
    from reports.experiments.ladder import ladder_study, lines, speeds
    from reports.formats.folder import check_folder
    from sim.library import load_game
    from strategies.strategy import split_names

    check_jobs(jobs)
    loaded_game = load_game(game)
    folder = out if out is not None else Path("out") / f"{loaded_game.name}-ladder"
    check_folder(folder, force=force)
    with compiling(loaded_game, loaded_game.is_compiled):
        names = split_names(strategies) if strategies is not None else None
        study = ladder_study(loaded_game, words(decks), names, set, pairs, search_pairs, 1 if seed is None else seed)
    tables = play_and_write(study, folder, jobs=jobs, force=force)
    for line in lines(tables, speeds(study)):
        print(line)


@app.command(
    epilog="Example: [bold]komi knockout sea[/bold]   or   "
    "[bold]komi knockout my_study.toml --decks mine --pairs 20000[/bold]"
)
def knockout(
    study: Annotated[str, typer.Argument(help="A study file (TOML), or the name of a game for its starter study.")],
    strategies: Annotated[
        str | None,
        typer.Option(
            metavar="S,…", help="Who plays both sides; by default the study's strongest that does not search."
        ),
    ] = None,
    decks: Annotated[
        str | None, typer.Option(metavar="DECK,…", help="Decks of the study whose cards are measured; by default all.")
    ] = None,
    pairs: Annotated[
        int | None, typer.Option(help="Pairs of games a matchup and card, instead of the study's.")
    ] = None,
    seed: SeedOption = None,
    jobs: JobsOption = -1,
    out: Annotated[Path | None, typer.Option(help="The report's folder; by default out/NAME-knockout.")] = None,
    force: ForceOption = False,
    no_code: NoCodeOption = False,
) -> None:
    """Measure what each card is worth: one copy of it replaced by a plain card of the same cost, in the same games."""
    from reports.experiments.knockout import Knockout, check_measurable, knockout_study
    from reports.formats.folder import check_folder, output_folder
    from reports.studies.study import is_compiled, read_study, study_game
    from sim import card_usage
    from strategies.strategy import split_names

    check_jobs(jobs)
    read = read_study(study)
    game = study_game(read)
    check_measurable(game)
    with compiling(game, is_compiled(game, read) and card_usage.is_compiled(game)):
        loaded = knockout_study(
            read, split_names(strategies) if strategies is not None else None, pairs=pairs, seed=seed
        )
        to_play = Knockout(loaded, words(decks))
        folder = out if out is not None else Path("out") / f"{loaded.name}-knockout"
        check_folder(folder, force=force)
        to_play.prepare()
    started = time.monotonic()
    with ending_cleanly(), output_folder(folder, force=force):
        with interruptible(), Bar(loaded.name) as bar:
            found = to_play.play(jobs, lambda games: bar.advance(games, to_play.games))
        seconds = time.monotonic() - started
        # with all that draws and computes, which the start need not wait for
        from reports.pages.knockout import write_knockout
        from reports.sections.knockout import lines

        tables = write_knockout(found, folder, force=force)
    for line in lines(tables["ranking"]):
        print(line)
    notes.print(f"komi: {plural(found.games, 'game')} in {seconds:.1f} s; the report is in {folder}")


@app.command(
    epilog="Example: [bold]komi tune sea[/bold]   or   "
    "[bold]komi tune dino --against greedy,value --budget 500000[/bold]"
)
def tune(
    game: Annotated[str, typer.Argument(help="The game.")],
    against: Annotated[
        str | None, typer.Option(metavar="S,…", help="The opponents; by default greedy and the profiles.")
    ] = None,
    decks: Annotated[
        str | None, typer.Option(metavar="DECK,…", help="Decks, each against itself; by default the starter decks.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option(help="Games to play in all; by default two million, some minutes.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same weights.")] = None,
    jobs: JobsOption = -1,
    out: Annotated[Path | None, typer.Option(help="The file; by default out/GAME-weights.toml.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    no_code: NoCodeOption = False,
) -> None:
    """Search for weights with which the strategy `weighted` wins more, and write them to a file."""
    from reports.experiments.tune import BUDGET, tuning_study
    from reports.experiments.tune import tune as search
    from reports.formats.folder import check_file, output_file
    from sim.files.atomic import write_atomic
    from sim.library import load_game
    from strategies.strategy import is_file, split_names

    check_jobs(jobs)
    played = load_game(game)
    path = out if out is not None else Path("out") / f"{played.name}-weights.toml"
    if path.suffix != ".toml":
        raise InputError(f"--out: found {path}, expected a name that ends in .toml")
    check_file(path, force=force)
    opponents = split_names(against) if against is not None else None
    steps = any(is_file(name) for name in opponents or ())
    with compiling(played, played.is_compiled and (played.steps_are_compiled or not steps)):
        study = tuning_study(game, opponents, words(decks), seed)
        study.runner().prepare()
    games = BUDGET if budget is None else budget
    with ending_cleanly(), output_file(path, force=force):
        with interruptible(), Bar(played.name) as bar:
            tuned = search(
                study,
                budget=games,
                jobs=jobs,
                progress=lambda more, best: bar.advance(more, games, f"best so far wins {100 * best:.1f} %"),
            )
        write_atomic(path, tuned.toml())
    print(tuned.sentence())
    notes.print(f"komi: the weights are in {path}; play them as weighted:{path}")
