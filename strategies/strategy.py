"""A strategy as a value: found by its name or loaded from a user's file, compiled alone against one type per game.

The game loop receives strategies as typed function pointers, so it is compiled once and a new strategy costs only its
own compilation.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from numba import types
from numba.core.errors import NumbaError

from sim.files.errors import InputError, unknown
from sim.game import Game
from sim.kernels.homes import STRATEGIES
from sim.kernels.jit import ENABLED, compile_now, kernel, plain_function
from sim.library import RUNS_CODE, check_encodable, known_game, leaving_no_trace, own_names
from strategies.fingerprint import fingerprint
from strategies.options import Option, read_options

EVERY_GAME = "every_game"
SEARCHING = ("montecarlo", "ismcts")  # strategies of every game that says what is hidden
ROLL_OUTS = ("tuned", "greedy", "random")  # what plays a search's games on: the first of them that the game has
PARAMETERS = ("state", "table", "legal", "n")


@dataclass(frozen=True, eq=False)
class Strategy:
    """A strategy for one game.

    Attributes
    ----------
    label : str
        How results name it: ``greedy``, ``my_strategy.py``, ``my_strategy.py:bold``.
    summary : str
        One line on how it plays.
    game : Game
        The game that it plays.
    choose : function
        Compiled: ``choose(state, table, legal, n) -> place in the legal list``.
    path : Path or None
        A user's own file.
    modules : tuple of Path
        Files beside it that it imports.
    options : tuple of Option
        What it can be told.
    parameters : tuple of float
        What it is told: the values of its options, for the table.
    """

    label: str
    summary: str
    game: Game
    choose: Callable[..., int]
    path: Path | None = None
    modules: tuple[Path, ...] = ()
    options: tuple[Option, ...] = ()
    parameters: tuple[float, ...] = ()

    @property
    def searches(self) -> bool:
        """It tries out how games go on, so that it plays thousands of times slower than others."""
        return any(option.name == "playouts" for option in self.options)


def _folders(game: Game) -> dict[str, Path]:
    """List the folders of strategies for a game by the package that they are: those of every game, and its own."""
    root = Path(__file__).parent
    own = {f"strategies.{game.name}": root / game.name}
    if game.home is not None:
        own = {f"{game.package}.{STRATEGIES}": game.home.folder / STRATEGIES}
    return {f"strategies.{EVERY_GAME}": root / EVERY_GAME, **own}


def strategy_names(game: Game | str) -> tuple[str, ...]:
    """List the strategies that come with a game: the files of its folder and of `every_game`; those that search only if
    the game says what is hidden (`sim.Game.pool_hidden`).
    """
    return _strategy_names(known_game(game))


@cache
def _strategy_names(game: Game) -> tuple[str, ...]:
    names = {path.stem for folder in _folders(game).values() for path in folder.glob("*.py")}
    found = (name for name in names if not name.startswith("_") and (game.hides or name not in SEARCHING))
    return tuple(sorted(found, key=lambda name: (name != "random", name)))


def default_strategy(game: Game) -> str:
    """Name who plays where nobody is named: greedy, if the game has it."""
    return "greedy" if "greedy" in strategy_names(game) else "random"


def load_strategy(game: Game, name: str, folder: Path | None = None) -> Strategy:
    """Find a strategy and compile it.

    Parameters
    ----------
    game : Game
        The game to play.
    name : str
        A strategy that comes with komi, with or without options (``"greedy"``, ``"ismcts:200"``), or a Python file,
        with or without the name of a function in it: ``"my_strategy.py"`` (its function ``choose``),
        ``"my_strategy.py:bold"``.
    folder : Path, optional
        The folder to which a path is relative.

    Returns
    -------
    Strategy
        Compiled; the engine is not compiled again for it.

    Raises
    ------
    InputError
        If there is no such strategy, or the file cannot be used: in the user's terms, with the line of the file.
    """
    base, colon, rest = name.partition(":")
    if colon and not rest:
        raise InputError(
            f"strategy {name!r}: found nothing after the colon, expected "
            f"{'a function' if is_file(name) else 'an option'}"
        )
    if is_file(name):
        return _load_file(game, (folder or Path()) / base, rest or "choose", rest)
    names = strategy_names(game)
    if base not in names:
        if base in SEARCHING:
            raise InputError(
                f"strategy {base!r}: {game.name} does not say what is hidden from a seat (pool_hidden and "
                "determinize of its Game), which a search has to know"
            )
        raise InputError(
            f"{unknown(f'strategy for {game.name}', base, names)}; a file is named with its ending, as my_strategy.py"
        )
    module = strategy_module(game, base)
    parameters = _parameters(game, name, folder)
    choose = _compile(game, _bound_choose(game, module), base)
    options = strategy_options(game, base)
    return Strategy(
        strategy_label(name), _first_line(module.__doc__), game, choose, options=options, parameters=parameters
    )


def _parameters(game: Game, name: str, folder: Path | None) -> tuple[float, ...]:
    """Read what a strategy that comes with komi is told by its options."""
    base, _, rest = name.partition(":")
    try:
        return read_options(strategy_options(game, base), rest, game.name, folder or Path())
    except InputError as error:
        raise InputError(
            [problem if ".toml:" in problem else f"strategy {name!r}: {problem}" for problem in error.problems]
        ) from None


def name_strategy(game: Game, name: str, folder: Path | None = None) -> Strategy:
    """Give a strategy that can be told of but not played: nothing is imported from a user's file, nothing is compiled.

    Parameters
    ----------
    game, name, folder
        As for `load_strategy`; a name that is not known is not refused.

    Raises
    ------
    InputError
        If options or weights of a strategy that comes with komi cannot be read.
    """
    base = name.partition(":")[0]
    if base not in strategy_names(game):
        return Strategy(strategy_label(name), "", game, _not_loaded)
    options, parameters = strategy_options(game, base), _parameters(game, name, folder)
    return Strategy(strategy_label(name), "", game, _not_loaded, options=options, parameters=parameters)


def _not_loaded(*_: Any) -> int:
    raise TypeError("a strategy that is only named cannot play")


def _bound_choose(game: Game, module: Any) -> Any:
    """Give a module's function; one for every game (``choose_for``) is bound to the game and to what plays its
    roll-outs.
    """
    if not hasattr(module, "choose_for"):
        return module.choose
    policy = roll_out_of(game)
    parameters = read_options(strategy_options(game, policy), "", game.name, Path())
    return module.choose_for(game, strategy_module(game, policy).choose, parameters)


def roll_out_of(game: Game) -> str:
    """Name what plays the games on that a search tries out."""
    return next(name for name in ROLL_OUTS if name in strategy_names(game))


def is_file(name: str) -> bool:
    """Tell whether a strategy is named by a user's Python file."""
    return name.partition(":")[0].endswith(".py")


def ladder(game: Game | str) -> tuple[str, ...]:
    """List the rungs of a game's ladder, the strategies that come with komi, from random play to search.

    ``weighted`` is none: without a file it plays as greedy does.
    """
    names = [name for name in strategy_names(game) if name != "weighted"]
    places = {"random": 0, "greedy": 1, "tuned": 3, "montecarlo": 4, "ismcts": 5}
    return tuple(sorted(names, key=lambda name: (places.get(name, 2), name)))


def split_names(text: str) -> list[str]:
    """Split a list of strategies at its commas; ``name=value`` goes on with the options of the one before.

    ``greedy,ismcts:200,exploration=1,my.py`` names three.
    """
    names: list[str] = []
    for word in text.split(","):
        if names and "=" in word and ":" not in word:
            names[-1] += f",{word}"
        else:
            names.append(word.strip())
    return names


def strategy_module(game: Game | str, name: str) -> Any:
    """Import the module of a strategy that comes with a game."""
    game = known_game(game)
    package = next(package for package, folder in reversed(_folders(game).items()) if (folder / f"{name}.py").exists())
    if game.home is None:
        return import_module(f"{package}.{name}")
    try:
        with leaving_no_trace():
            return import_module(f"{package}.{name}")
    except (Exception, SystemExit) as error:
        path = game.home.folder / STRATEGIES / f"{name}.py"
        raise InputError(f"{path}:{line_in(path, error) or 1}: {type(error).__name__}: {error}") from None


def strategy_options(game: Game | str, name: str) -> tuple[Option, ...]:
    """Give what a strategy that comes with a game can be told; see `strategies.options`."""
    return tuple(getattr(strategy_module(game, name), "OPTIONS", ()))


def strategy_features(game: Game | str) -> Mapping[str, str]:
    """Give what `weighted` and the profiles of a game weigh, and what each of it is."""
    return strategy_module(game, "weighted").FEATURES if "weighted" in strategy_names(game) else {}


def strategy_summary(game: Game | str, name: str) -> str:
    """Give the first line of a strategy's docstring, without compiling it."""
    return _first_line(strategy_module(game, name).__doc__)


def with_paths(name: str, change: Callable[[str], str]) -> str:
    """Change the paths in a strategy's name: its own file, or a file among its options."""
    base, colon, rest = name.partition(":")
    if is_file(name):
        return change(base) + colon + rest
    words = [word.rpartition("=") for word in rest.split(",")]
    return (
        base
        + colon
        + ",".join(key + equals + (change(value) if value.endswith(".toml") else value) for key, equals, value in words)
    )


def strategy_files(name: str, folder: Path | None = None) -> tuple[Path, ...]:
    """List the files that a strategy's name names."""
    found: list[str] = []
    with_paths(name, lambda path: found.append(path) or path)  # type: ignore[func-returns-value]
    return tuple((folder or Path()) / path for path in found)


def strategy_label(name: str) -> str:
    """Give the name under which results show a strategy: paths without their folders."""
    return with_paths(name, lambda path: Path(path).name)


def _load_file(game: Game, path: Path, function: str, suffix: str) -> Strategy:
    if not RUNS_CODE.get():
        raise InputError(f"{path}: found Python code that would be run, expected none with --no-code")
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    check_encodable(path)
    with (
        importable(game),
        _neighbours(path.parent.resolve()) as imported,
    ):  # until it is compiled: numba looks for modules when it loads machine code
        module = _import(path)
        modules = tuple(sorted(file for name, file in imported().items() if name != module.__name__))
        functions = {
            name: value for name, value in vars(module).items() if callable(value) and not isinstance(value, type)
        }
        if function not in functions:
            own = [
                name
                for name, value in functions.items()
                if getattr(plain_function(value), "__module__", None) == module.__name__
            ]
            raise InputError(
                f"{path}: {unknown('function', function, own)}; a strategy is a function choose(state, table, legal, n)"
            )
        _check_game(game, (path, *modules))
        choose = functions[function]
        compiled = _compile(game, choose, str(path), (path, *modules))
    label = path.name + (f":{suffix}" if suffix else "")
    return Strategy(label, _first_line(module.__doc__ or plain_function(choose).__doc__), game, compiled, path, modules)


@contextmanager
def _neighbours(home: Path) -> Iterator[Callable[[], dict[str, Path]]]:
    """Let files of a folder be imported as long as this lasts; gives what tells which were, by module."""
    before = set(sys.modules)

    def imported() -> dict[str, Path]:
        files = {name: getattr(sys.modules[name], "__file__", None) for name in set(sys.modules) - before}
        return {name: Path(file) for name, file in files.items() if file and Path(file).parent.resolve() == home}

    sys.path.insert(0, str(home))
    importlib.invalidate_caches()  # a file may have come since
    try:
        yield imported
    finally:
        sys.path.remove(str(home))
        for name in imported():
            del sys.modules[name]  # another strategy may have a neighbour of this name, too


@contextmanager
def importable(game: Game) -> Iterator[None]:
    """Let a game outside komi be imported by its name as long as this lasts: ``from war.rules import …``."""
    names = [
        name
        for name in sys.modules
        if game.package not in ("", game.name) and f"{name}.".startswith(f"{game.package}.")
    ]
    given = {game.name + name.removeprefix(game.package): sys.modules[name] for name in names}
    before = {name: sys.modules[name] for name in given if name in sys.modules}
    sys.modules.update(given)
    try:
        yield
    finally:
        for name in [name for name in sys.modules if names and f"{name}.".startswith(f"{game.name}.")]:
            del sys.modules[name]
        sys.modules.update(before)


def _import(path: Path) -> ModuleType:
    """Import a user's file under a name that no other file has."""
    name = f"komi_user_{path.stem}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InputError(f"{path}:{line_in(path, error) or 1}: {type(error).__name__}: {error}") from None
    return module


def _check_game(game: Game, files: Sequence[Path]) -> None:
    """Refuse files that read another game's rules and not those of this one."""
    found: dict[str, str] = {}
    for path in (path for path in files if path.suffix == ".py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            for package, name in (words[:2] for name in names if len(words := name.split(".")) > 1):
                if package == "sim" and name in own_names():
                    found.setdefault(name, f"{path}:{node.lineno}")
    if found and game.name not in found:
        other, at = next(iter(found.items()))
        own = f"sim.{game.name}" if game.home is None else game.name
        raise InputError(
            f"{at}: found an import from sim.{other}, expected one from {own}: the strategy is to play {game.name}"
        )


def _compile(game: Game, choose: Any, source: str, files: Sequence[Path] = ()) -> Callable[..., int]:
    """Compile a function alone against the game's type, and check what it returns; ``files``: the user's own."""
    plain = plain_function(choose)
    at = "{}:{}".format(*place_of_function(plain, files[0])) if files else source
    try:
        names = list(inspect.signature(plain).parameters)
    except (TypeError, ValueError):
        names = []
    if inspect.isgeneratorfunction(plain) or inspect.iscoroutinefunction(plain):
        raise InputError(
            f"{at}: found a generator or coroutine, expected a plain function of ({', '.join(PARAMETERS)})"
        )
    if names != list(PARAMETERS):
        raise InputError(f"{at}: found a function of ({', '.join(names)}), expected of ({', '.join(PARAMETERS)})")
    if not ENABLED:
        return plain  # type: ignore[no-any-return]
    signature = game.choose_type
    if not files:
        compile_now(choose, signature.args)
        return choose  # type: ignore[no-any-return]
    folder = fingerprint(choose, files)
    try:
        compiled = kernel(plain, allocates=True, folder=folder)
        compile_now(compiled, signature.args)
        result = compiled.overloads[signature.args].signature.return_type
        if (
            isinstance(result, types.Integer) and result != types.int64
        ):  # one that returns the type that the game loop calls
            compiled = kernel(plain, allocates=True, folder=folder)
            compile_now(compiled, signature)
    except (NumbaError, RuntimeError, TypeError, ValueError) as error:
        lines = re.findall(rf'File "[^"]*{re.escape(Path(source).name)}", line (\d+)', str(error))
        at = f"{source}:{lines[-1]}" if lines else at
        raise InputError(f"{at}: it does not compile: {_numba_message(error)}") from None
    if not isinstance(result, types.Integer):
        raise InputError(
            f"{at}: found a function that returns {result}, expected an integer: a place in the legal list"
        )
    return compiled  # type: ignore[no-any-return]


def place_of_function(function: Any, path: Path) -> tuple[Path, int]:
    """Give the file and the line of a user's function: ``path`` as the user names it, or a neighbour from which it is
    imported.
    """
    code = getattr(plain_function(function), "__code__", None)
    if code is None:
        return path, 1
    return path if Path(code.co_filename).resolve() == path.resolve() else Path(code.co_filename), code.co_firstlineno


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n")[0].strip()


def line_in(path: Path, error: BaseException) -> int | None:
    """Give the line of a file in which an error was raised, if it was."""
    if isinstance(error, SyntaxError) and error.lineno:
        return error.lineno
    trace, line = error.__traceback__, None
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == path.resolve():
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _numba_message(error: Exception) -> str:
    """Keep of numba's long message what a user needs: what is wrong and in which line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    kept = [
        line
        for line in lines
        if not line.startswith(("Failed in", "During:", ">>>", "- Resolution", "^")) and "Record(" not in line
    ]
    return " ".join(kept[:6])[:600]
