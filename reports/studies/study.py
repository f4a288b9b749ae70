"""Studies: what to play, read from a file or made from defaults, with everything filled in."""

from __future__ import annotations

import platform
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import PackageNotFoundError, version
from itertools import accumulate, combinations_with_replacement
from pathlib import Path
from typing import Annotated, Any, Literal

import tomli_w
from pydantic import BeforeValidator, Field

from reports.stats.until import Until
from reports.studies.sweep import Sweep, SweepFile, check_size, resolve_sweep
from sim.cards import CardSet, Deck, Rules, deck_label, is_path
from sim.files.errors import InputError, first_ones, unknown
from sim.files.file_kinds import STUDY
from sim.files.names import Name, composed, folded, refused
from sim.files.toml import FileModel, validate
from sim.files.toml_file import TomlFile, read_toml
from sim.files.toml_lines import line_of
from sim.files.wording import shown
from sim.game import Game
from sim.library import (
    deck_path,
    deck_paths,
    file_game,
    game_files,
    game_names,
    is_game,
    is_game_folder,
    load_deck,
    load_game,
    load_set,
    set_path,
)
from sim.run import Matchup, Runner, Side
from strategies.check import check_strategy, pair_up
from strategies.strategy import (
    Strategy,
    is_file,
    ladder,
    load_strategy,
    name_strategy,
    strategy_files,
    strategy_label,
    with_paths,
)
from strategies.strategy import strategy_names as known_names

DEFAULT_STRATEGIES = ("random", "greedy")
LADDER = "ladder"  # stands for every rung of the game's
MOST_BYTES = 200  # of the name of a file that a report keeps, which any machine takes
KEPT_GAME = "inputs/game"  # where a report keeps a game from outside komi


GAMES_FILE_PAIRS = 2_000  # a row group each: the same file from every run


def _listed(found: Any) -> Any:
    """Take a single text for a list of one."""
    return [found] if isinstance(found, str) else found


Listed = Annotated[list[Name], Field(max_length=1_000), BeforeValidator(_listed)]


class StudyFile(FileModel):
    """A study file: every key but ``game`` has a default."""

    game: str = Field(description="the game: its name, or the folder in which one lies that is not komi's")
    name: Name | None = Field(default=None, description="the report's folder under out; by default the file's name")
    set: Name = Field(default="starter", description="the cards: a set that comes with the game, or a file")
    decks: Listed | None = Field(
        default=None, description="labels or files; by default all in the folder decks beside the set's file"
    )
    strategies: Listed = Field(
        default=list(DEFAULT_STRATEGIES),
        description='who plays: names, own files ("mine.py"), "ladder" for all that come with the game',
    )
    matchups: Literal["all", "same strategy", "same deck"] = Field(default="all", description="who meets whom")
    pairs: int = Field(
        default=10_000, ge=1, le=10**12, description="pairs of games a matchup: two games, the seats swapped"
    )
    search_pairs: Annotated[int, Field(ge=1, le=10**12)] | None = Field(
        default=None, description="the same where a strategy searches; by default as many as pairs", examples=[100]
    )
    seed: int = Field(default=1, ge=-(2**63), le=2**63 - 1, description="the same seed gives the same numbers")
    until: Until | None = Field(
        default=None,
        description="instead of pairs: when a matchup has been played enough",
        examples=[{"half_width": 0.5, "max_pairs": 100_000}],
    )
    margin: float = Field(
        default=2.0, gt=0, lt=50, allow_inf_nan=False, description="points around 50 % that count as fair"
    )
    knows_decks: bool = Field(default=True, description="strategies may know the opponent's deck list")
    rules: dict[str, Any] = Field(default={}, description="rule options that differ from their defaults")
    sweep: SweepFile | None = Field(
        default=None,
        description="what else to play the same deals with: values of options, cards and decks "
        "(Sweeps in docs/files.md)",
    )
    versions: dict[str, str] = {}  # written by komi into the study as run; read and ignored


@dataclass(frozen=True, eq=False)
class Study:
    """A study with everything found and checked.

    Attributes
    ----------
    name : str
        Its name; the report's folder.
    game : Game
        The game.
    card_set : CardSet
        The cards.
    decks : dict of str to Deck
        By label, in the order of the study.
    strategies : dict of str to Strategy
        By label, compiled, in the order of the study.
    rules : pydantic model
        The rule options, defaults filled in.
    pairing, pairs, search_pairs, until, seed, margin, knows_decks
        As in the file (``pairing``: its ``matchups``).
    inputs : dict of str to Path
        Files that the study reads beside those that come with komi, by the name under which a report keeps them.
    names : dict
        How the study as run names set, decks and strategies (with the files kept in the report's folder).
    sweep : Sweep or None
        What else is played with the same deals, and compared.
    """

    name: str
    game: Game
    card_set: CardSet
    decks: dict[str, Deck]
    strategies: dict[str, Strategy]
    rules: Rules
    pairing: str
    pairs: int
    search_pairs: int | None
    until: Until | None
    seed: int
    margin: float
    knows_decks: bool
    inputs: dict[str, Path]
    names: dict[str, Any]
    sweep: Sweep | None = None

    @property
    def strategies_meet(self) -> bool:
        """There are several strategies, and they play each other: they can be rated."""
        return len(self.strategies) > 1 and self.pairing != "same strategy"

    def matchups(self) -> list[Matchup]:
        """List the unordered pairs of (strategy, deck) that meet, mirrors included: by strategies, then by decks."""
        sides = {
            (s, d): Side(d, deck, s, strategy.choose, strategy.parameters)
            for s, strategy in self.strategies.items()
            for d, deck in self.decks.items()
        }
        met = [
            (a, b)
            for a, b in combinations_with_replacement(sides, 2)
            if not (self.pairing == "same strategy" and a[0] != b[0])
            and not (self.pairing == "same deck" and a[1] != b[1])
        ]
        slow = {s for s, strategy in self.strategies.items() if strategy.searches}
        matchups = [Matchup(sides[a], sides[b], self.search_pairs if slow & {a[0], b[0]} else None) for a, b in met]
        return matchups if self.sweep is None else self.sweep.vary(matchups)

    def span(self, matchup: Matchup) -> int:
        """Tell how many numbers of pairs a matchup has; with ``until`` as many again for fresh ones."""
        if self.until is not None:
            return 2 * self.until.max_pairs
        return self.pairs if matchup.pairs is None else matchup.pairs

    def game_number(self, matchup: int, number: int) -> int:
        """Number a game within the study, from its number within its matchup (twice the pair's, 1 more for the second
        game).
        """
        return self._first_numbers[matchup] + number

    @cached_property
    def _first_numbers(self) -> list[int]:
        """Number the first game of each matchup; after the last, tell how many numbers there are."""
        return [0, *accumulate(2 * self.span(matchup) for matchup in self.matchups())]

    def find_game(self, number: int) -> tuple[Matchup, int, int]:
        """Find a game by its number within the study.

        Returns
        -------
        matchup, pair, order
            Order 0: side A has the first seat.

        Raises
        ------
        InputError
            If there is no such game.
        """
        starts = self._first_numbers
        if not 0 <= number < starts[-1]:
            raise InputError(f"found the game number {number}, expected 0 to {starts[-1] - 1}")
        matchup = bisect_right(starts, number) - 1
        return self.matchups()[matchup], *divmod(number - starts[matchup], 2)

    def runner(self, *, keep_rows: bool = False) -> Runner:
        """Make what plays the study."""
        return Runner(
            self.game,
            self.card_set,
            self.rules,
            self.matchups(),
            self.pairs,
            self.seed,
            self.knows_decks,
            keep_rows,
            GAMES_FILE_PAIRS if keep_rows else None,
        )


def load_study(
    source: str | Path | TomlFile,
    *,
    pairs: int | None = None,
    seed: int | None = None,
    margin: float | None = None,
    compiled: bool = True,
    checked: bool = True,
) -> Study:
    """Load a study.

    Parameters
    ----------
    source : str, Path or TomlFile
        A TOML file, or the name of a game for its starter study.
    pairs, seed : int, optional
        Instead of the file's.
    margin : float, optional
        Likewise: points around 50 % that count as fair, more than 0 and less than 50.
    compiled : bool
        Load its strategies; without, it can be told of but not played.
    checked : bool
        Try own strategies in a few games, if they are loaded.

    Raises
    ------
    InputError
        If anything that it names cannot be found or used.
    """
    read = read_study(source)
    if isinstance(read, TomlFile):
        return resolve(
            read.checked(StudyFile, "a study"),
            read.folder,
            read.path.stem,
            str(read.path),
            read.text,
            pairs=pairs,
            seed=seed,
            margin=margin,
            compiled=compiled,
            checked=checked,
        )
    game = _named_game(read)
    file, named = StudyFile(game=game.named), "the starter study"
    return resolve(file, Path(), game.name, named, pairs=pairs, seed=seed, margin=margin, compiled=compiled)


def read_study(source: str | Path | TomlFile) -> TomlFile | str:
    """Read a study's file, which may have mistakes, but is no file of another kind; the name of a game stays one.

    Raises
    ------
    InputError
        If it cannot be read or is something else.
    """
    if not isinstance(source, TomlFile) and is_name(source):
        return source if isinstance(source, str) else f"{source}/"
    file = source if isinstance(source, TomlFile) else read_toml(Path(source))
    file.expect(STUDY)
    return file


def study_game(source: TomlFile | str) -> Game:
    """Tell which game a study (see `read_study`) is of, before anything is compiled for it.

    Raises
    ------
    InputError
        If it names no game of komi's.
    """
    return _named_game(source) if isinstance(source, str) else file_game(source.content, source.path, source.text)


def is_name(source: str | Path) -> bool:
    """Tell whether a study is named by its game, whose starter study is meant, and is no file."""
    return is_game_folder(Path(source)) or not (isinstance(source, Path) or is_path(source))


def _named_game(name: str | Path) -> Game:
    """Load the game whose starter study is meant by its name or folder."""
    if isinstance(name, str) and not is_path(name) and not is_game(name):
        raise InputError(
            f"{unknown('game', name, game_names())}; a study file is named with its ending, as my_study.toml, the "
            "folder of a game with a slash, as ./my_game"
        )
    return load_game(Path(name) if is_path(name) else name)


def is_compiled(game: Game, source: TomlFile | str) -> bool:
    """Tell whether all that a study needs has been compiled before: the loop, and for own strategies their check."""
    if not game.is_compiled or game.steps_are_compiled or isinstance(source, str):
        return game.is_compiled
    named = _listed(source.content.get("strategies"))
    return not (isinstance(named, list) and any(isinstance(name, str) and is_file(name) for name in named))


def resolve(
    file: StudyFile,
    folder: Path,
    stem: str,
    source: str,
    text: str = "",
    *,
    pairs: int | None = None,
    seed: int | None = None,
    margin: float | None = None,
    compiled: bool = True,
    checked: bool = True,
) -> Study:
    """Find and check all that a study names.

    Parameters
    ----------
    file : StudyFile
        The study.
    folder : Path
        To which its paths are relative.
    stem : str
        Its name if it gives none.
    source, text : str
        Where it comes from and its text, for messages.
    pairs, seed : int, optional
        Instead of the study's.
    margin : float, optional
        Likewise.
    compiled : bool
        Load its strategies.
    checked : bool
        Try own ones in a few games.
    """
    for option, value in (("pairs", pairs), ("seed", seed), ("margin", margin)):
        if value is not None:
            check_option(option, value, file.game)
            file = file.model_copy(update={option: value})
    line = line_of(text, ("game",))
    game = load_game(file.game, f"{source}:{line}: game: " if line else f"{source}: game: ", folder)
    problems: list[str] = []

    def at(key: str, *places: int) -> str:
        line = line_of(text, (key, *places))
        return f"{source}:{line}: {key}" if line else f"{source}: {key}"

    rules = _collected(problems, lambda: validate(file.rules, game.rules, source, text, under=("rules",)))
    card_set = _collected(problems, lambda: load_set(game, file.set, folder), at("set"))
    if card_set is None:
        raise InputError(first_ones(problems, str, source))
    named = file.decks if file.decks is not None else list(deck_paths(game, file.set, folder) or deck_paths(game))
    decks: dict[str, Deck] = {}
    inputs: dict[str, Path] = {}
    deck_names = []
    for place, name in enumerate(named):
        where = at("decks", place)
        label = _collected(problems, lambda name=name: deck_label(name), where)
        if label is None:
            continue
        if label in decks:
            problems.append(f"{where}: found two decks with the label {label!r}, expected each label once")
            continue
        deck = _collected(
            problems, lambda name=name: load_deck(game, name, card_set, rules, set_name=file.set, folder=folder), where
        )
        if deck is not None:
            decks[label] = deck
            path, kept_as = deck_path(game, name, file.set, folder), f"inputs/decks/{label}.toml"
            keep = partial(_kept, path, kept_as, game, label, inputs)
            deck_names.append(_collected(problems, keep, where))
    if not named:
        problems.append(f"{at('decks')}: found none, expected at least one")
    strategies: dict[str, Strategy] = {}
    strategy_names = []
    if "strategies" not in file.model_fields_set:
        file = file.model_copy(update={"strategies": [name for name in file.strategies if name in known_names(game)]})
    played = [
        (rung, place)
        for place, name in enumerate(file.strategies)
        for rung in (ladder(game) if name == LADDER else (name,))
    ]
    for name, place in played:
        label, where = strategy_label(name), at("strategies", place)
        if label in strategies:
            problems.append(f"{where}: found two strategies with the label {label!r}, expected each label once")
            continue
        load = load_strategy if compiled else name_strategy
        strategy = _collected(problems, lambda name=name, load=load: load(game, name, folder), where)
        if strategy is not None:
            strategies[label] = strategy
            for part in (*strategy_files(name, folder), *strategy.modules):
                _collected(problems, partial(_keep, part, f"inputs/strategies/{part.name}", inputs), where)
            strategy_names.append(with_paths(name, lambda path: f"inputs/strategies/{Path(path).name}"))
    if not problems and rules is not None and compiled and checked:
        setups = pair_up(game, card_set, list(decks.values()), rules, file.knows_decks)
        for strategy in strategies.values():
            if strategy.path is not None:
                _collected(problems, lambda strategy=strategy: check_strategy(strategy, setups), at("strategies"))
    if not file.strategies:
        problems.append(f"{at('strategies')}: found none, expected at least one")
    name = file.name or composed(stem)
    if not can_be_folder(name):
        problems.append(f"{at('name')}: found {shown(name)}, expected a name that can be a folder's")
    if file.sweep is not None and file.until is not None:
        problems.append(
            f"{at('sweep')}: found until beside it, expected a fixed number of pairs, the same with every value"
        )
    path, kept_as = set_path(game, file.set, folder), f"inputs/{Path(file.set).stem}.toml"
    set_name = _collected(problems, partial(_kept, path, kept_as, game, file.set, inputs), at("set"))
    for inner, path in game_files(game).items():
        _collected(problems, partial(_keep, path, f"{KEPT_GAME}/{inner}", inputs), at("game"))
    if problems or rules is None:
        raise InputError(first_ones(problems, str, source))
    sweep = None
    if file.sweep is not None:
        sweep = resolve_sweep(
            file.sweep, game, card_set, rules, decks, seed=file.seed, set_name=file.set, folder=folder, source=source,
            text=text, kept=lambda path, kept_as, name: _kept(path, kept_as, game, name, inputs),
        )  # fmt: skip
    names = {"set": set_name, "decks": deck_names, "strategies": strategy_names}
    if game.home is not None:
        names["game"] = KEPT_GAME
    study = Study(
        name=name,
        game=game,
        card_set=card_set,
        decks=decks,
        strategies=strategies,
        rules=rules,
        pairing=file.matchups,
        pairs=file.pairs,
        search_pairs=file.search_pairs,
        until=file.until,
        seed=file.seed,
        margin=float(file.margin),
        knows_decks=file.knows_decks,
        inputs=inputs,
        names=names,
        sweep=sweep,
    )
    if sweep is not None:
        check_size(sweep, len(study.matchups()), source)
    return study


def can_be_folder(name: str) -> bool:
    """Tell whether a name can be a folder's, on any machine and in a text file."""
    return name not in ("", ".", "..") and not ({"/", "\\"} & set(name)) and not refused(name)


def _kept(path: Path, kept_as: str, game: Game, name: str, inputs: dict[str, Path]) -> str:
    """Name a file as the study as run does: by its name if it comes with komi, else by its copy in the report."""
    if path.resolve().is_relative_to(game.folder.resolve()):
        return name
    _keep(path, kept_as, inputs)
    return kept_as


def _keep(path: Path, kept_as: str, inputs: dict[str, Path]) -> None:
    """Note under which name a report keeps a file.

    Raises
    ------
    InputError
        If it could not: the name is too long or not one for a file, or another file has it on some machine.
    """
    name = kept_as.rpartition("/")[2]
    if not can_be_folder(name):
        raise InputError(f"found the file name {name!r}, expected one without control characters and of valid Unicode")
    if len(name.encode()) > MOST_BYTES:
        raise InputError(
            f"found the file name {shown(name)} of {len(name.encode())} bytes, expected at most {MOST_BYTES}: the "
            "report keeps the file"
        )
    alike = next((other for other in inputs if folded(other) == folded(kept_as)), kept_as)
    if alike != kept_as:
        raise InputError(
            f"found files whose names differ only in capitals, {alike.rpartition('/')[2]!r} and {name!r}, expected "
            "names that every machine tells apart"
        )
    if inputs.setdefault(kept_as, path).resolve() != path.resolve():
        raise InputError(f"found two files with the name {name!r}, expected each name once")


def check_option(option: str, value: float, game: str) -> None:
    """Refuse a value that is given in place of a study's ``pairs``, ``seed`` or ``margin``.

    Raises
    ------
    InputError
        With the option, what was found and what was expected.
    """
    if option == "margin" and not 0 < value < 50:
        raise InputError(f"--margin: found {value:g}, expected more than 0 and less than 50")
    try:
        validate({"game": game, option: value}, StudyFile, f"--{option}")
    except InputError as error:
        raise InputError(
            problem.replace(f"--{option}: {option}: ", f"--{option}: ") for problem in error.problems
        ) from None


def _collected(problems: list[str], load: Any, at: str = "") -> Any:
    """Load something, or note its problems; those without a file and line of their own with the place that names it."""
    try:
        return load()
    except InputError as error:
        for problem in error.problems:
            told = problem if not at or ".toml:" in problem or ".py:" in problem else f"{at}: {problem}"
            if told not in problems:
                problems.append(told)
        return None


def as_run(study: Study, played_by: Mapping[str, str] | None = None) -> str:
    """Write the study as TOML with every default filled in and the versions that ran it (by default these); komi can
    run it again.
    """
    settings = {key: getattr(study, key) for key in ("pairs", "search_pairs", "seed", "margin", "knows_decks")}
    settings = {"matchups": study.pairing, **{key: value for key, value in settings.items() if value is not None}}
    if study.until is not None:
        settings["until"] = study.until.model_dump(exclude_none=True, exclude_unset=True) | {
            "max_pairs": study.until.max_pairs
        }
    content = {
        "game": study.game.name,
        "name": study.name,
        **study.names,
        **settings,
        "rules": study.rules.model_dump(),
    }
    text = tomli_w.dumps({**content, "versions": versions() if played_by is None else dict(played_by)})
    return text if study.sweep is None else f"{text}\n{study.sweep.as_toml()}"


def versions() -> dict[str, str]:
    """Give the versions of komi, Python and the libraries that compute results."""
    found = {"komi": _version("komi"), "python": platform.python_version()}
    return found | {name: _version(name) for name in ("numpy", "numba", "pandas", "scipy")}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
