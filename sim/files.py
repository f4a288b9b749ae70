"""TOML files read through pydantic models, with errors that name the line; files written whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
import types
import typing
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from sim.errors import InputError, nearest

Loc = tuple[int | str, ...]


class FileModel(BaseModel):
    """What all file models share: exact types, no unknown keys, values that do not change."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Model = TypeVar("Model", bound=BaseModel)


def read_text(path: Path) -> str:
    """Read a text file in UTF-8.

    Raises
    ------
    InputError
        If there is no such file, it cannot be read or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """Parse TOML text.

    Raises
    ------
    InputError
        With the file and the line of the first mistake.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place = re.search(r"\(at line (\d+), column \d+\)", str(error))
        line = place[1] if place else str(text.count("\n") + 1)
        message = re.sub(r" \(at .*\)", "", str(error))
        raise InputError(f"{path}:{line}: not TOML: {message}") from None


def read_model(path: Path, model: type[Model], kind: str) -> Model:
    """Read a TOML file into a model.

    Parameters
    ----------
    path : Path
        The file.
    model : type
        A pydantic model of its content.
    kind : str
        What such a file is ("a card set"), for messages.

    Raises
    ------
    InputError
        All problems of the file together, each with the line where it can be told.
    """
    text = read_text(path)
    return validate(parse_toml(text, path), model, str(path), text, kind)


def validate(data: Any, model: type[Model], source: str, text: str = "", kind: str = "", under: Loc = ()) -> Model:
    """Check data against a model.

    Parameters
    ----------
    data : object
        What was read.
    model : type
        A pydantic model.
    source : str
        Where it comes from (a file, an option), for messages.
    text : str
        The TOML text, to find lines in.
    kind : str
        What it is, for messages.
    under : tuple of str
        The path of the table in the text, if the data are only part of a file.

    Raises
    ------
    InputError
        All problems together.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems = []
        for detail in error.errors(include_url=False):
            loc = detail["loc"]
            line = line_of(text, (*under, *loc))
            at = f"{source}:{line}" if line else source
            place = ", ".join([*map(str, under), *filter(None, [place_in_words(data, loc)])])
            problems.append(f"{at}: {place + ': ' if place else ''}{explain(detail, model)}")
        if kind and sum(detail["type"] == "missing" for detail in error.errors()) > 1:
            problems.append(f"{source}: is this {kind}?")
        raise InputError(problems) from None


def explain(detail: Any, model: type[BaseModel]) -> str:
    """Say in words what was found and what was expected, for one of pydantic's error details."""
    kind, context, found = detail["type"], detail.get("ctx", {}), detail["input"]
    name = str(detail["loc"][-1]) if detail["loc"] else ""
    if kind == "missing":
        return f"the key {name!r} is missing"
    if kind == "extra_forbidden":
        known = keys_at(model, detail["loc"][:-1])
        listed = f" (known: {', '.join(known)})" if known else ""
        return f"unknown key{nearest(name, known)}{listed}"
    if kind in ("value_error", "assertion_error"):
        return str(context.get("error", detail["msg"]))
    if kind in ("literal_error", "enum"):
        choices = re.findall(r"'([^']*)'", context["expected"])
        hint = nearest(found, choices) if isinstance(found, str) else ""
        return f"found {_shown(found)}, expected {context['expected']}{hint}"
    bounds = {"greater_than_equal": "at least", "less_than_equal": "at most", "greater_than": "more than", "less_than": "less than"}
    if kind in bounds:
        return f"found {_shown(found)}, expected {bounds[kind]} {next(iter(context.values()))}"
    wanted = {
        "int_type": "an integer", "int_from_float": "an integer", "bool_type": "true or false", "string_type": "a text",
        "list_type": "a list", "dict_type": "a table", "model_type": "a table", "float_type": "a number",
    }  # fmt: skip
    return f"found {_shown(found)}, expected {wanted.get(kind) or detail['msg'].removeprefix('Input should be ')}"


def _shown(found: Any) -> str:
    """Write a value as a TOML file would."""
    if isinstance(found, dict | list):
        return "a table" if isinstance(found, dict) else "a list"
    return str(found).lower() if isinstance(found, bool) else "nothing" if found is None else repr(found)


def keys_at(model: Any, loc: Loc) -> list[str]:
    """List the keys that a model allows at a place."""
    for part in loc:
        if isinstance(part, int):
            model = _inner(model)
        elif isinstance(model, type) and issubclass(model, BaseModel):
            by_key = {field.alias or name: field.annotation for name, field in model.model_fields.items()}
            model = by_key.get(part)
        else:
            return []
        if typing.get_origin(model) in (types.UnionType, typing.Union):
            model = next((arm for arm in typing.get_args(model) if arm is not type(None)), None)
    if isinstance(model, type) and issubclass(model, BaseModel):
        return [field.alias or name for name, field in model.model_fields.items()]
    return []


def _inner(model: Any) -> Any:
    arms = typing.get_args(model)
    return arms[0] if arms else None


def place_in_words(data: Any, loc: Loc) -> str:
    """Name a place in a file: ``card 'bottlenose', ability 2, n`` (counted from 1)."""
    words: list[str] = []
    for place, part in enumerate(loc):
        if isinstance(part, str) and not (isinstance(data, dict) and (part in data or place == len(loc) - 1)):
            continue  # no place in the file: which of several forms a value was taken for
        data = _at(data, part)
        if isinstance(part, int):
            name = data.get("id") if isinstance(data, dict) and isinstance(data.get("id"), str) else None
            words[-1:] = [f"{words[-1] if words else 'item'} {name!r}" if name else f"{words[-1] if words else 'item'} {part + 1}"]
        else:
            words.append(str(part))
    return ", ".join(words)


def _at(data: Any, part: int | str) -> Any:
    if isinstance(data, dict):
        return data.get(part)
    return data[part] if isinstance(data, list) and isinstance(part, int) and part < len(data) else None


def line_of(text: str, loc: Loc) -> int | None:
    """Find the line of a TOML text in which a place stands.

    Parameters
    ----------
    text : str
        The file's text.
    loc : tuple of str and int
        The path to the place, as ``("card", 3, "ability", 0, "n")``.

    Returns
    -------
    int or None
        The line, counted from 1, of the key, or else of the table around it; None if neither can be told.
    """
    lines = text.splitlines()
    start, end, found = 0, len(lines), None
    path: list[str] = []
    for position, part in enumerate(loc):
        if isinstance(part, int):
            header = re.compile(rf"\s*\[\[\s*{re.escape('.'.join(path))}\s*\]\]")
            places = [i for i in range(start, end) if header.match(lines[i])]
            if part >= len(places):
                break
            found = start = places[part]
            end = places[part + 1] if part + 1 < len(places) else end
            if len(path) == 1:  # the next table of the same kind ends it
                other = re.compile(rf"\s*\[(\[\s*{re.escape(path[0])}\s*\]|(?!\[)(?!\s*{re.escape(path[0])}))")
                end = next((i for i in range(start + 1, end) if other.match(lines[i])), end)
            continue
        path.append(str(part))
        key = re.compile(rf"\s*[\"']?{re.escape(str(part))}[\"']?\s*=")
        table = re.compile(rf"\s*\[\s*{re.escape('.'.join(path))}\s*\]")
        is_list_next = position + 1 < len(loc) and isinstance(loc[position + 1], int)
        first = start + 1 if found is not None else start
        for i in range(first, end):
            if key.match(lines[i]):
                return i + 1
            if table.match(lines[i]):
                found = start = i
                break
            if lines[i].lstrip().startswith("[") and not is_list_next and found is not None:
                break
    return None if found is None else found + 1


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write bytes to that takes its name when all is written; it is there whole or not at all.

    Raises
    ------
    InputError
        If the folder cannot be written or has no space left.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            os.chmod(name, 0o666 & ~umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all (see `whole`)."""
    with whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def umask() -> int:
    """Give the process's mask of file permissions."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
