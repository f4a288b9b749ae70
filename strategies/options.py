"""Options of strategies: what a study tells them after a colon, as in ``ismcts:200`` or ``weighted:mine.toml``.

A strategy's module names its options in ``OPTIONS``. Their values stand in the table's ``parameters`` of the seat, one
after another, so a changed value compiles nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import FiniteFloat

from sim.files.errors import InputError, first_ones, unknown
from sim.files.file_kinds import WEIGHTS
from sim.files.toml import FileModel
from sim.files.toml_file import TomlFile, read_toml


class Option(Protocol):
    """What a strategy can be told.

    Attributes
    ----------
    name : str
        How it is named.
    about : str
        What it does, in a line.
    default : tuple of float
        Its values if nothing is said.
    """

    @property
    def name(self) -> str:
        """How it is named."""

    @property
    def about(self) -> str:
        """What it does."""

    @property
    def default(self) -> tuple[float, ...]:
        """Its values if nothing is said."""

    def read(self, text: str, game: str, folder: Path) -> tuple[float, ...]:
        """Read its values; raises `InputError` with what was found and what was expected."""

    def shown(self) -> str:
        """Give its name and default as a list of strategies shows them."""


@dataclass(frozen=True)
class Number:
    """A number from ``low`` to ``high``."""

    name: str
    about: str
    value: float
    low: float
    high: float
    whole: bool = False

    @property
    def default(self) -> tuple[float, ...]:
        """Its value if nothing is said."""
        return (self.value,)

    def read(self, text: str, game: str, folder: Path) -> tuple[float, ...]:
        """Read the number."""
        try:
            value = float(int(text) if self.whole else float(text))
        except (ValueError, OverflowError):
            value = math.nan
        if not self.low <= value <= self.high:
            kind = "a whole number" if self.whole else "a number"
            raise InputError(f"{self.name}: found {text!r}, expected {kind} from {self.low:g} to {self.high:,.10g}")
        return (value,)

    def shown(self) -> str:
        """Give its name and default."""
        return f"{self.name}={self.value:g}"


class WeightsFile(FileModel):
    """A file of weights."""

    game: str
    weights: dict[str, FiniteFloat]


@dataclass(frozen=True)
class Weights:
    """The weights of named features, from a TOML file; a feature that the file does not name has its default weight."""

    name: str
    about: str
    weights: Mapping[str, float]

    @property
    def default(self) -> tuple[float, ...]:
        """The weights if nothing is said, in the order of the features."""
        return tuple(self.weights.values())

    def read(self, text: str, game: str, folder: Path) -> tuple[float, ...]:
        """Read a file of weights."""
        return tuple({**self.weights, **load_weights(folder / text, game, tuple(self.weights))}.values())

    def shown(self) -> str:
        """Give its name."""
        return f"{self.name}=FILE.toml"


def load_weights(path: Path | TomlFile, game: str, features: Sequence[str]) -> dict[str, float]:
    """Load a file of weights.

    Parameters
    ----------
    path : Path or TomlFile
        A TOML file with the game's name and a table ``[weights]``.
    game : str
        The game that is played.
    features : sequence of str
        What may be weighed.

    Raises
    ------
    InputError
        If the file cannot be read, is of another game or names something else.
    """
    file = read_toml(path)
    file.expect(WEIGHTS, game)
    weights = file.checked(WeightsFile, "weights").weights
    strange = [name for name in weights if name not in features]
    if strange:

        def tell(name: str) -> str:
            return f"{file.path}:{file.line('weights', name)}: weights: {unknown('feature', name, features)}"

        raise InputError(first_ones(strange, tell, file.path))
    return weights


def read_options(options: Sequence[Option], text: str, game: str, folder: Path) -> tuple[float, ...]:
    """Read what stands after the colon: values in the options' order, or ``name=value``, with commas between.

    Parameters
    ----------
    options : sequence of Option
        What the strategy can be told.
    text : str
        What it is told; may be empty.
    game : str
        The game's name.
    folder : Path
        To which paths are relative.

    Returns
    -------
    tuple of float
        The values of all options, in their order.

    Raises
    ------
    InputError
        If the strategy has no such option, or a value cannot be used.
    """
    names = [option.name for option in options]
    values = {option.name: option.default for option in options}
    given: set[str] = set()
    for place, word in enumerate(text.split(",") if text else ()):
        key, equals, value = word.partition("=")
        if not equals:
            if place >= len(names):
                takes = f"at most {len(names)} ({', '.join(names)})" if names else "none: it takes no options"
                raise InputError(f"found the option {word!r}, expected {takes}")
            key, value = names[place], word
        key = key.strip()
        if key not in names:
            raise InputError(unknown("option", key, names))
        if key in given:
            raise InputError(f"found the option {key} twice, expected it once")
        given.add(key)
        values[key] = options[names.index(key)].read(value.strip(), game, folder)
    return tuple(number for value in values.values() for number in value)
