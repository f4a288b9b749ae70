"""Commands about single games: ``komi play`` and ``check``."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reports.cli.app import DIFFERENT, UNUSABLE, NoCodeOption, app, notes, tell
from reports.cli.waiting import compiling
from sim.files.errors import InputError
from sim.files.wording import plural

if TYPE_CHECKING:
    from sim.play import Match, Setup

RulesOption = Annotated[
    list[str] | None, typer.Option("--rules", metavar="KEY=VALUE", help="A rule option; may be repeated.")
]


@app.command(
    epilog="Example: [bold]komi play sea rush trap --strategies greedy random --seed 7 "
    "--rules draw_optional=false[/bold]"
)
def play(
    game: Annotated[str | None, typer.Argument(help="The game: its name, or the folder of one's own.")] = None,
    first: Annotated[
        str | None, typer.Argument(metavar="DECK", help="The first seat's deck: a label or a TOML file.")
    ] = None,
    second: Annotated[str | None, typer.Argument(metavar="DECK", help="The second seat's deck.")] = None,
    strategies: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="S S", help="The strategies of the first and the second seat; by default greedy."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same game.", show_default="1")] = None,
    set: Annotated[
        str | None, typer.Option("--set", help="The card set: its name or a TOML file.", show_default="starter")
    ] = None,
    rules: RulesOption = None,
    study: Annotated[
        Path | None, typer.Option(help="Play a game of this report's folder, or study file, again.")
    ] = None,
    number: Annotated[int | None, typer.Option("--game", metavar="N", help="Its number: goes with --study.")] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Write the game to this file (.json or .json.gz) instead of a log.")
    ] = None,
    states: Annotated[bool, typer.Option("--states", help="Note the state after each step in the replay.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a replay that is there.")] = False,
    no_code: NoCodeOption = False,
) -> None:
    """Play one game and print it as a log, or write it as a replay: a new one, or one of a study again."""
    from reports.formats.folder import check_file, output_file
    from reports.pages.log import ending, play_log
    from sim import replay as replays

    if replay is not None and not replay.name.endswith((".json", ".json.gz")):
        raise InputError(f"--replay: found {replay}, expected a name that ends in .json or .json.gz")
    if states and replay is None:
        raise InputError("--states: goes with --replay")
    if replay is not None:
        check_file(replay, force=force)
    if study is None:
        if number is not None:
            raise InputError("--game: goes with --study; the game to play is named first, as komi play sea rush trap")
        if game is None or first is None or second is None:
            raise InputError(
                "found no game and two decks, expected them, as komi play sea rush trap, or --study and --game"
            )
        match, players = _new_match(game, first, second, strategies, 1 if seed is None else seed, set, rules or [])
    else:
        own = {"GAME": game, "--strategies": strategies, "--seed": seed, "--set": set, "--rules": rules}
        strange = [key for key, value in own.items() if value is not None]
        if number is None or strange:
            found = f"found {strange[0]} with it" if strange else "found no --game"
            raise InputError(
                f"--study: {found}, expected the number of one of its games alone, as --study out/sea --game 17"
            )
        match, players = _match_of_study(study, number)
    if replay is not None:
        with output_file(replay, force=force):
            replays.write(replay, replays.record(match, [choose for _, choose in players], states=states))
        notes.print(f"komi: {plural(match.turn, match.game.turn_words[0])}, {ending(match.result)}: {replay}")
        return
    for line in play_log(match, players):
        print(line)


def _new_match(
    game: str,
    first: str,
    second: str,
    strategies: tuple[str, str] | None,
    seed: int,
    set_name: str | None,
    rules: list[str],
) -> tuple[Match, list[tuple[str, Callable[..., int]]]]:
    """Deal a game of one's own; gives it and by seat how messages name the player, and what plays."""
    from sim.cards import deck_label
    from sim.kernels.streams import side_keys
    from sim.play import Match
    from strategies.check import check_strategy
    from strategies.strategy import default_strategy, load_strategy

    if not -(2**63) <= seed < 2**63:
        raise InputError(f"--seed: found {seed}, expected an integer of 64 bits")
    setup = _setup(game, first, second, "starter" if set_name is None else set_name, rules)
    strategies = strategies or (default_strategy(setup.game),) * 2
    with compiling(setup.game, setup.game.steps_are_compiled):
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
    from reports.play.store import STUDY, check_counts
    from reports.studies.study import load_study, read_study, study_game
    from sim.kernels.streams import side_keys
    from sim.play import Match, Setup

    read = read_study(source / STUDY if source.is_dir() else source)
    game = study_game(read)
    with compiling(game, game.steps_are_compiled):
        study = load_study(read)
        if source.is_dir():
            check_counts(source, study)
        matchup, pair, order = study.find_game(number)
        sides = (matchup.a, matchup.b) if order == 0 else (matchup.b, matchup.a)
        parameters = (sides[0].parameters, sides[1].parameters)
        match = Match(
            Setup(game, study.card_set, (sides[0].deck, sides[1].deck), study.rules, study.knows_decks, parameters)
        )
    keys = side_keys(study.seed, game.name, (matchup.a.names, matchup.b.names))
    match.deal(keys if order == 0 else keys[::-1], pair)
    return match, [(side.strategy_label, side.choose) for side in sides]


def _setup(name: str, first: str, second: str, set_name: str, rules: list[str]) -> Setup:
    from sim.files.toml import validate
    from sim.library import load_deck, load_game, load_set
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


GameOption = Annotated[
    str | None, typer.Option("--game", metavar="FOLDER", help="The game, if it is outside komi and not installed.")
]


@app.command(epilog="Example: [bold]komi check game.json other.json.gz --set my_set.toml[/bold]")
def check(
    replay: Annotated[list[Path], typer.Argument(metavar="REPLAY…", help="Replays (.json, .json.gz).")],
    set: Annotated[
        str | None, typer.Option("--set", help="The card set: its name or a TOML file; by default the replay's.")
    ] = None,
    game: GameOption = None,
    no_code: NoCodeOption = False,
) -> None:
    """Play replays through the engine and compare every legal list, state and result; exit 1 at any difference."""
    from sim import replay as replays
    from sim.library import file_game, load_set, set_names

    worst = 0
    for path in replay:
        try:
            content = replays.read(path)
            played = file_game(content, path, given=game)
            with compiling(played, played.steps_are_compiled):
                played.compile_steps()
            named = content.get("set")
            if not isinstance(named, str):
                raise InputError(f"{path}: set: found {named!r}, expected the name of a card set")
            if set is None and named not in set_names(played):
                raise InputError(
                    f"{path}: its card set {named!r} does not come with {played.name}; --set names its file"
                )
            card_set = load_set(played, set if set is not None else named)
            difference = replays.check(content, card_set, played)
        except InputError as error:
            tell(error)
            worst = UNUSABLE
            continue
        if difference is None:
            print(f"{path}: a game by the rules")
        else:
            print(f"{path}: {difference}")
            worst = max(worst, DIFFERENT)
    if worst:
        raise typer.Exit(worst)
