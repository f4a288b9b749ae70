"""Commands about files: ``komi validate``, ``cards``, ``new``, ``examples`` and ``list``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reports.cli.app import UNUSABLE, NoCodeOption, app, notes, tell
from reports.cli.running import loaded_study
from reports.cli.waiting import compiling
from sim.files.errors import InputError, unknown
from sim.files.wording import plural

if TYPE_CHECKING:
    from sim.files.toml_file import TomlFile

KINDS = ("games", "decks", "strategies", "features", "options")


@app.command(epilog="Example: [bold]komi validate my_set.toml my_deck.toml my_study.toml[/bold]")
def validate(
    file: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…", help="Card sets (TOML, CSV), decks, studies (TOML), strategies (.py), games (folders)."
        ),
    ],
    set: Annotated[str | None, typer.Option("--set", help="The card set for decks: its name or a TOML file.")] = None,
    game: Annotated[
        str | None, typer.Option(help="The game, for strategies; its folder, for files of a game of one's own.")
    ] = None,
    no_code: NoCodeOption = False,
) -> None:
    """Check files; report all problems together."""
    from reports.studies.describe import describe
    from sim.library import is_game_folder, load_game
    from strategies.strategy import is_file

    def note(text: str) -> None:
        print(f"komi: note: {text}", file=sys.stderr)

    told: dict[str, None] = {}
    failed = False
    for path in file:
        try:
            played = load_game(game) if game is not None and is_file(path.name) else None
            played = load_game(path) if path.is_dir() and is_game_folder(path) else played
            with nullcontext() if played is None else compiling(played, played.steps_are_compiled):
                print(f"{path}: {describe(path, set, game, lambda study: _about_study(study, note))}")
        except InputError as error:
            new = [
                problem for problem in error.problems if problem not in told
            ]  # a set's mistakes are its decks' and studies', too
            told |= dict.fromkeys(new)
            tell(InputError(new or f"{path}: cannot be checked before that is mended"))
            failed = True
    if failed:
        raise typer.Exit(UNUSABLE)


def _about_study(file: TomlFile, note: Callable[[str], None]) -> str:
    """Check a study and say how much it plays, and how long that takes by a few pairs; compiles what it needs."""
    from reports.play.estimate import expected
    from reports.studies.describe import describe_study, idle_cards

    study = loaded_study(file)
    idle = idle_cards(study)
    if idle:
        note(f"{file.path}: no deck of the study has the cards {idle}")
    with compiling(study.game, True):
        study.runner().prepare()
    return f"{describe_study(study)}: {expected(study)}"


@app.command(
    epilog="Example: [bold]komi cards my_set.toml --csv my_set.csv[/bold]   and back   "
    "[bold]komi cards my_set.csv --toml new.toml[/bold]"
)
def cards(
    set: Annotated[
        str, typer.Argument(metavar="SET", help="A card set: a TOML or CSV file, or with --game the name of one.")
    ],
    game: Annotated[str | None, typer.Option(help="The game, for the name of a set that comes with it.")] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the set for a spreadsheet; - prints it.")
    ] = None,
    toml: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the set as komi plays it; - prints it.")
    ] = None,
    separator: Annotated[
        str, typer.Option(metavar="[comma|semicolon|tab]", help="Between cells; European Excel opens semicolons.")
    ] = "comma",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    no_code: NoCodeOption = False,
) -> None:
    """Turn a card set into a spreadsheet (CSV), and back."""
    from reports.formats.folder import output_file
    from reports.formats.spreadsheet import SEPARATORS, read_set, set_csv
    from reports.formats.toml import set_text
    from sim.files.atomic import write_atomic

    if (csv is None) == (toml is None):
        raise InputError(
            f"{'--csv: found --toml too' if csv else 'found neither --csv nor --toml'}, expected one: --csv FILE or "
            "--toml FILE"
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
    with output_file(path, force=force):
        write_atomic(
            path, text.encode("utf-8-sig" if csv is not None else "utf-8")
        )  # the mark tells Excel that it is UTF-8
    notes.print(f"komi: {plural(len(card_set.card), 'card')} in {path}")


@app.command(epilog="Example: [bold]komi new my_game --game sea[/bold]")
def new(
    dir: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write; new or empty.")],
    game: Annotated[str, typer.Option(help="The game.")],
    no_code: NoCodeOption = False,
) -> None:
    """Write a project to begin with: cards, two decks and a study, with comments on every key."""
    from reports.studies.project import write_project

    for line in write_project(dir, game):
        print(line)


@app.command(epilog="Example: [bold]komi examples my_examples[/bold]")
def examples(
    dir: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write; new or empty.")],
) -> None:
    """Write the examples of the README: a set of cards, decks, studies and a strategy."""
    from reports.studies.project import write_examples

    for line in write_examples(dir):
        print(line)


@app.command("list", epilog="Example: [bold]komi list decks[/bold]")
def list_(
    kind: Annotated[
        str, typer.Argument(metavar="[games|decks|strategies|features|options]", help="What to list.")
    ] = "games",
    game: Annotated[str | None, typer.Option(help="Of this game only.")] = None,
    no_code: NoCodeOption = False,
) -> None:
    """List what there is: games, decks, strategies, the features that some of them weigh, rule options."""
    from reports.studies.describe import listing

    if kind not in KINDS:
        raise InputError(unknown("list", kind, KINDS))
    for line in listing(kind, game):
        print(line)
