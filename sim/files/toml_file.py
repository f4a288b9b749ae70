"""A TOML file that has been read, once: it may be a pipe, and all who ask about it see the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.files.file_kinds import expect
from sim.files.text import read_text
from sim.files.toml import Model, parse_toml, validate
from sim.files.toml_lines import line_of

DEVICES = ("/dev", "/proc")  # the names of pipes: /dev/stdin, /dev/fd/63, /proc/self/fd/0


@dataclass(frozen=True, eq=False)
class TomlFile:
    """A TOML file's content, which may have mistakes.

    Attributes
    ----------
    path : Path
        As the user names it.
    text : str
        What is in it.
    content : dict
        The same as data.
    """

    path: Path
    text: str
    content: dict[str, Any]

    @property
    def folder(self) -> Path:
        """The folder to which the paths in it are relative; those in a pipe are relative to where komi runs."""
        is_pipe = any(self.path.absolute().is_relative_to(device) for device in DEVICES)
        return Path() if is_pipe else self.path.parent

    def line(self, *loc: int | str) -> int | None:
        """Find the line of a place; see `sim.files.toml_lines.line_of`."""
        return line_of(self.text, loc)

    def expect(self, form: str, game: str | None = None) -> None:
        """Refuse a file that is something else, or of another game; see `sim.files.file_kinds.expect`."""
        expect(self.content, form, game, self.path, self.text)

    def checked(self, model: type[Model], kind: str = "") -> Model:
        """Check the content against a model; see `sim.files.toml.validate`."""
        return validate(self.content, model, str(self.path), self.text, kind)


def read_toml(path: Path | TomlFile) -> TomlFile:
    """Read a TOML file, unless it has been read.

    Raises
    ------
    InputError
        If it cannot be read or is not TOML, with the line.
    """
    if isinstance(path, TomlFile):
        return path
    text = read_text(path)
    return TomlFile(path, text, parse_toml(text, path))
