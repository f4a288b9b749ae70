"""TOML files read through pydantic models, with errors that name the line."""

from __future__ import annotations

import re
import tomllib
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from sim.files.content import settled
from sim.files.errors import MOST_PROBLEMS, InputError, Loc, PlacedError, first_ones, nearest
from sim.files.toml_bounds import beyond
from sim.files.toml_lines import line_of
from sim.files.wording import MOST_SHOWN, plural, shown

# What tomllib says, and how a designer would.
_TOML = {
    "Cannot overwrite a value": "found a key that is there already, expected each key once in its table",
    "Cannot declare": "found a table that is there already, expected each [table] once; a list of tables has "
    "[[two brackets]]",
    "Cannot mutate immutable namespace": "found a key for a table in braces that is closed already",
    "Invalid value": "found no value that TOML knows, expected a text in quotes, a number, true, false, a [list] or a "
    "{table}",
    "Invalid statement": "found no key, expected key = value, a [table], or # before a comment",
    "Invalid initial character for a key part": "found no key, expected letters, digits, - and _; any other key needs "
    "quotes",
    "Expected newline or end of document": "found more after a value, expected a new line; does a text lack quotes, or "
    "a comment #?",
    "Expected '=' after a key": "expected the sign = after a key",
    "Expected ']' at the end of a table": "found a [table] that does not end, expected ]",
    "Expected ']]' at the end of an array": "found a [[list of tables]] that does not end, expected ]]",
    "Unclosed array": "found a list that does not end, expected a comma or ]",
    "Unclosed inline table": "found a table in braces that does not end, expected a comma or } on the same line",
    "Illegal character '\\n'": "found a text that does not end, expected a quotation mark on the same line",
    "Found invalid character '\\n'": "found a text that does not end, expected a quotation mark on the same line",
    "Expected \"'": "found a text that does not end, expected another '",
    "Unterminated string": "found a text that does not end, expected a quotation mark",
    "Unescaped '\\' in a string": "found a \\ in a text in double quotes, expected two, or the text in single quotes",
    "maximum recursion depth": "found lists or tables nested too deep",
    "Exceeds the limit": "found an integer of more than 4,000 digits, expected 64 bits",
}


class FileModel(BaseModel):
    """What all file models share: exact types, no unknown keys, values that do not change."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Model = TypeVar("Model", bound=BaseModel)


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """Parse TOML text; what comes of it is bounded, and its texts are in one form of Unicode.

    Raises
    ------
    InputError
        With the file and the line of the first mistake.
    """
    too_much = beyond(text)
    if too_much is not None:
        raise InputError(f"{path}:{too_much[0]}: {too_much[1]}")
    try:
        content: dict[str, Any] = settled(tomllib.loads(text))
        return content
    except PlacedError as error:
        raise InputError(f"{_line_at(str(path), text, loc)}: {problem}" for loc, problem in error.problems) from None
    except (ValueError, RecursionError) as error:
        place = re.search(r"\(at line (\d+), column \d+\)", str(error))
        message = re.sub(r" \(at .*\)", "", str(error))
        told = next((words for start, words in _TOML.items() if message.startswith(start)), message)
        line = place[1] if place else _line_without_place(text, message)
        raise InputError(f"{path}:{line}: not TOML: {told}") from None


def _line_without_place(text: str, message: str) -> int:
    """Find the line of a mistake of which the parser tells none: a long number, deep brackets, else the end."""
    found = re.search(
        r"\d[\d_]{3999}" if message.startswith("Exceeds") else r"[\[{]{40}" if "recursion" in message else r"\Z", text
    )
    return text.count("\n", 0, found.start() if found else len(text)) + 1


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
        details = error.errors(include_url=False)
        problems = [problem for detail in details for problem in _problems(detail)]

        def tell(problem: tuple[Any, Loc, str]) -> str:
            detail, loc, words = problem
            place = ", ".join([*map(str, under), *filter(None, [place_in_words(data, loc)])])
            at = _line_at(source, text, (*under, *loc))
            return f"{at}: {place + ': ' if place else ''}{words or explain(detail, model)}"

        told = first_ones(problems, tell, source)
        if kind and sum(detail["type"] == "missing" for detail in details) > 1:
            told.insert(MOST_PROBLEMS, f"{source}: is this {kind}?")
        raise InputError(told) from None


def _line_at(source: str, text: str, loc: Loc) -> str:
    """Name a place by its line, if there is a text to find it in."""
    line = line_of(text, loc) if text and loc else None
    return f"{source}:{line}" if line else source


def _problems(detail: Any) -> Iterator[tuple[Any, Loc, str]]:
    """Split one of pydantic's error details, which may be several problems: each with its place, and words if it has
    them.
    """
    cause = detail.get("ctx", {}).get("error")
    for inner, words in cause.problems if isinstance(cause, PlacedError) else [((), "")]:
        yield detail, (*detail["loc"], *inner), words


BOUNDS = {
    "greater_than_equal": "at least",
    "less_than_equal": "at most",
    "greater_than": "more than",
    "less_than": "less than",
}
FORMS = {
    "int_type": "an integer", "int_from_float": "an integer", "int_parsing_size": "an integer of 64 bits",
    "bool_type": "true or false", "string_type": "a text", "list_type": "a list", "dict_type": "a table",
    "model_type": "a table", "float_type": "a number", "finite_number": "a finite number",
}  # fmt: skip


def explain(detail: Any, model: type[BaseModel]) -> str:
    """Say in words what was found and what was expected, for one of pydantic's error details."""
    kind, context, found, loc = detail["type"], detail.get("ctx", {}), detail["input"], detail["loc"]
    name = str(loc[-1]) if loc else ""
    if kind == "missing":
        return f"the key {name!r} is missing"
    if kind == "extra_forbidden":
        known = keys_at(model, loc[:-1])
        listed = f" (known: {', '.join(known)})" if known else ""
        return f"unknown key{nearest(name, known)}{listed}"
    if kind in ("value_error", "assertion_error"):
        return str(context.get("error", detail["msg"]))
    if kind in ("literal_error", "enum"):
        choices = re.findall(r"'([^']*)'", context["expected"])
        hint = nearest(found, choices) if isinstance(found, str) else ""
        return f"found {shown(found)}, expected {context['expected']}{hint}"
    if kind in BOUNDS:
        bound = next(iter(context.values()))
        found, bound = (f"{value:g}" if isinstance(value, float) else shown(value) for value in (found, bound))
        return f"found {found}, expected {BOUNDS[kind]} {bound}"
    if kind in ("too_short", "too_long"):
        few = kind == "too_short"
        bound = f"at least {context['min_length']}" if few else f"at most {context['max_length']}"
        return f"found {plural(len(found), 'item')}, expected {bound}"
    expected = FORMS.get(kind) or detail["msg"].removeprefix("Input should be ")
    table = ".".join(str(part) for part in loc if not isinstance(part, int))
    if kind == "list_type" and isinstance(found, dict) and keys_at(model, (*loc, 0)):
        expected = f"a list of tables: [[{table}]]"
    elif expected == "a table" and isinstance(found, list) and not any(isinstance(part, int) for part in loc):
        expected = f"one table: [{table}]"
    elif expected == "an integer" and isinstance(found, dict):
        expected = "an integer; a key with a dot in it needs quotes"
    return f"found {shown(found)}, expected {expected}"


def keys_at(model: Any, loc: Loc) -> list[str]:
    """List the keys that a model allows at a place."""
    model = _unwrapped(model)
    for part in loc:
        if isinstance(part, int):
            model = _unwrapped(next(iter(typing.get_args(model)), None))
        elif _is_model(model):
            by_key = {field.alias or name: field.annotation for name, field in model.model_fields.items()}
            model = _unwrapped(by_key.get(part, model))  # no key: which of several forms a value was taken for
        else:
            return []
    return [field.alias or name for name, field in model.model_fields.items()] if _is_model(model) else []


def _is_model(form: Any) -> bool:
    return isinstance(form, type) and issubclass(form, BaseModel)


def _unwrapped(form: Any) -> Any:
    """Take what surrounds a form away: notes, and other forms that a value may have, among which a table goes first."""
    if typing.get_origin(form) is Annotated:
        return _unwrapped(typing.get_args(form)[0])
    if typing.get_origin(form) in (types.UnionType, typing.Union):
        arms = [_unwrapped(arm) for arm in typing.get_args(form) if arm is not type(None)]
        return next(filter(_is_model, arms), arms[0])
    return form


def place_in_words(data: Any, loc: Loc) -> str:
    """Name a place in a file: ``card 'bottlenose', ability 2, n`` (counted from 1)."""
    words: list[str] = []
    for place, part in enumerate(loc):
        if isinstance(part, str) and not (isinstance(data, dict) and (part in data or place == len(loc) - 1)):
            continue  # no place in the file: which of several forms a value was taken for
        data = _at(data, part)
        if isinstance(part, int):
            name = data.get("id") if isinstance(data, dict) and isinstance(data.get("id"), str) else None
            words[-1:] = [
                f"{words[-1] if words else 'item'} {shown(name)}"
                if name
                else f"{words[-1] if words else 'item'} {part + 1}"
            ]
        else:
            words.append(part if part.isprintable() and len(part) <= MOST_SHOWN else shown(part))
    return ", ".join(words)


def _at(data: Any, part: int | str) -> Any:
    if isinstance(data, dict):
        return data.get(part)
    return data[part] if isinstance(data, list) and isinstance(part, int) and part < len(data) else None
