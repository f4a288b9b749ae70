"""Card sets as CSV for a spreadsheet, and back: a row for each card, a column for each key, nothing lost.

What a spreadsheet would take for something else (``007``, ``1e5``, ``=A1``, ``true``) is written with an apostrophe
before it, which spreadsheets keep, and read without it.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from reports.formats.marks import MARK, TRUTHS, marked
from reports.formats.schema import forms, is_words, keys
from sim.cards import MOST_CARDS, CardSet, again, is_path
from sim.files.content import MOST_VALUES
from sim.files.errors import InputError, Loc, first_ones, nearest
from sim.files.file_kinds import SET
from sim.files.names import composed
from sim.files.text import read_text
from sim.files.toml import explain
from sim.files.toml_file import read_toml
from sim.files.wording import shown
from sim.library import file_game, game_names, load_game, load_set, named_game

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
EMPTY = "[]"  # a list without words, which is not the same as none
MOST_COLUMNS = 1_000
MOST_NUMBER = 999  # in a column's name: of an ability, of an item of a list
LARGE = re.compile(r"(?<![^.])[1-9]\d{3,}(?![^.])", re.ASCII)  # such a number beyond the most
WHOLE = re.compile(r"^([+-]?\d+)[.,]0{0,2}$")  # "2.0" as pandas and LibreOffice write 2; "2.000" may be two thousand
WORD = re.compile(r'\s*(?:"((?:[^"]|"")*)"\s*|((?:[^,"][^,]*)?))(?:,|$)')

Path_ = tuple[str, ...]


def set_csv(card_set: CardSet, separator: str = ",") -> str:
    """Write a card set as the text of a CSV file.

    Parameters
    ----------
    card_set : CardSet
        The cards.
    separator : str
        What stands between cells.

    Returns
    -------
    str
        A header line with the name of each column, then a row for each card, each ended by CR LF. A key that was not
        given is an empty cell. `read_csv` makes an equal set of it.
    """
    content = card_set.model_dump(exclude_unset=True, exclude_none=True)
    schema = keys(type(card_set))
    head = [key for key in schema if key != "card"]
    columns = [*_columns(schema["card"]["items"], content["card"]), *head]
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\r\n")
    writer.writerow(columns)
    for card in content["card"]:
        cells = dict(_cells({**card, **{key: content[key] for key in head}}))
        writer.writerow([cells.get(column, "") for column in columns])
    return text.getvalue()


def _columns(schema: dict[str, Any], values: list[Any], path: Path_ = ()) -> Iterator[str]:
    """List the columns of a key, numbered ones as many as the values need."""
    for form in forms(schema):
        if "properties" in form:
            tables = [value for value in values if isinstance(value, dict)]
            for key, inner in form["properties"].items():
                yield from _columns(inner, [table[key] for table in tables if key in table], (*path, key))
        elif form["type"] == "array" and not is_words(form):
            lists = [value for value in values if isinstance(value, list)]
            for place in range(max(1, form.get("minItems", 0), *map(len, lists))):
                yield from _columns(
                    form["items"], [items[place] for items in lists if place < len(items)], (*path, str(place + 1))
                )
        else:
            yield ".".join(path)


def _cells(value: Any, path: Path_ = ()) -> Iterator[tuple[str, str]]:
    """Lay a value out into cells, by column."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _cells(inner, (*path, key))
    elif isinstance(value, list) and any(not isinstance(item, str) for item in value):
        for place, inner in enumerate(value):
            yield from _cells(inner, (*path, str(place + 1)))
    elif isinstance(value, list):
        yield ".".join(path), marked(", ".join(map(_quoted, value)), comes_back=True) if value else EMPTY
    elif isinstance(value, str):
        yield ".".join(path), marked(value, comes_back=True)
    else:
        yield ".".join(path), str(value).lower()


def _quoted(word: str) -> str:
    """Write a word of a list, in quotes if it could be taken for something else."""
    plain = word and word == word.strip() and word != EMPTY and not re.search(r'[,"\r\n]', word)
    return word if plain else '"' + word.replace('"', '""') + '"'


def read_set(name: str, game_name: str | None = None) -> CardSet:
    """Read a card set from whatever names it.

    Parameters
    ----------
    name : str
        A CSV or TOML file, or the name of a set that comes with a game.
    game_name : str, optional
        That game; a file tells its own.

    Raises
    ------
    InputError
        If there is no such set or the file has mistakes.
    """
    path = Path(name)
    is_csv = path.suffix.lower() == ".csv"
    if not is_csv and not is_path(name):
        if game_name is None:
            raise InputError(
                f"--game: {name!r} is the name of a set that comes with a game; expected --game "
                f"{'|'.join(game_names())}"
            )
        return load_set(load_game(game_name), name)
    if is_csv:
        card_set = read_csv(path, game_name)
    else:
        file = read_toml(path)
        file.expect(SET)
        card_set = load_set(file_game(file.content, path, file.text, game_name), file)
    if game_name is not None and load_game(game_name).name != card_set.game:
        raise InputError(f"--game: found {game_name!r}, but {path} is a card set of {card_set.game!r}")
    return card_set


@dataclass
class _Row:
    """A row of a CSV file that is a card."""

    number: int  # as a spreadsheet counts
    line: int  # in the file, where cells of several lines make it differ
    content: dict[str, Any] = field(default_factory=dict)
    numbers: dict[Path_, list[int]] = field(default_factory=dict)  # of the columns from which the items of a list come

    @property
    def at(self) -> str:
        """Its number, and its line if that is another one."""
        return f"row {self.number}" if self.line == self.number else f"row {self.number} (line {self.line})"

    def column(self, loc: Loc) -> str:
        """Name the column of a place in the card, or what the names of its columns begin with."""
        names: list[str] = []
        here: Any = self.content
        for place, part in enumerate(loc):
            if isinstance(part, int):
                numbers = self.numbers.get(tuple(names))
                if numbers is None or part >= len(numbers):
                    break  # a word of a list
                here = here[part]
                names.append(str(numbers[part]))
            elif isinstance(here, dict) and (part in here or place == len(loc) - 1):
                here = here.get(part)
                names.append(part)
        return ".".join(names)


def read_csv(path: Path, game_name: str | None = None) -> CardSet:
    """Read a card set from a CSV file.

    Parameters
    ----------
    path : Path
        The file: UTF-8 with or without a byte order mark, with commas, semicolons or tabs between cells, as its first
        line shows.
    game_name : str, optional
        Its game, if that is outside komi.

    Returns
    -------
    CardSet
        The game's own kind of card set; the cards in the order of the rows.

    Raises
    ------
    InputError
        All problems together, each with the row and the column.
    """
    text = composed(read_text(path))
    rows = list(_records(text, path))
    if not rows:
        raise InputError(
            f"{path}: found nothing, expected a line with the names of the columns, then a row for each card"
        )
    header = [name.strip() for name in rows[0][2]]
    rows = [(number, line, cells) for number, line, cells in rows[1:] if any(cell.strip() for cell in cells)]
    filled = sum(1 for _, _, cells in rows for cell in cells if cell)
    bounds = (len(header), "columns", MOST_COLUMNS), (len(rows), "rows", MOST_CARDS), (filled, "cells", MOST_VALUES)
    for found, what, most in bounds:
        if found > most:
            raise InputError(f"{path}: found {found:,} {what}, expected at most {most:,}")
    return _Reader(path, header, rows, game_name).card_set()


def _records(text: str, path: Path) -> Iterator[tuple[int, int, list[str]]]:
    """Give the rows of a CSV text: number, first line, cells."""
    csv.field_size_limit(2**31 - 1)
    first = re.split(r"[\r\n]", text, maxsplit=1)[0]
    separator = max(SEPARATORS.values(), key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    number, line = 1, 1
    try:
        for cells in reader:
            yield number, line, cells
            number, line = number + 1, reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{path}: row {number} (line {line}): not CSV: {error}; is a quotation mark missing or not doubled?"
        ) from None


class _Reader:
    """Makes a card set of the rows of one file, and notes every problem on the way."""

    def __init__(self, path: Path, header: list[str], rows: list[tuple[int, int, list[str]]], given: str | None = None):
        self.path, self.rows, self.given = path, rows, given
        self.written = header  # as the file has it
        self.header = [unicodedata.normalize("NFKC", name).casefold().strip() for name in header]
        self.problems: list[str] = []
        self.told: set[Loc] = set()  # places whose problems need not be told again

    def card_set(self) -> CardSet:
        """Make the set."""
        self.game = named_game(self._game(), f"{self.path}: {self._named('game')}: ", self.path.parent, self.given)
        schema = keys(self.game.card_set)
        self.patterns = [_pattern(name) for name in self.header]
        self.heads = [key for key in schema if key != "card"]
        self.kinds = {key: schema[key] for key in self.heads} | dict(_kinds(schema["card"]["items"]))
        self._check_header()
        content: dict[str, Any] = {key: value for key in self.heads for value in self._shared(key)}
        cards = [self._card(place, *row) for place, row in enumerate(self.rows)]
        self._check_ids(cards)
        try:
            found = self.game.card_set.model_validate({**content, "card": [card.content for card in cards]})
        except ValidationError as error:
            details = [
                detail
                for detail in error.errors(include_url=False)
                if detail["loc"] not in self.told and detail["loc"][:3] not in self.told
            ]
            told = [*self.problems, *details]
            raise InputError(first_ones(told, lambda one: self._explained(one, cards), self.path)) from None
        self._stop()
        return found

    def _explained(self, told: Any, cards: list[_Row]) -> str:
        """Put one of pydantic's error details into words; what is in words stays."""
        if isinstance(told, str):
            return told
        return f"{self._place(told['loc'], cards)}: {explain(told, self.game.card_set)}"

    def _stop(self) -> None:
        """Raise the problems that there are."""
        if self.problems:
            raise InputError(first_ones(self.problems, str, self.path))

    def _game(self) -> str:
        """Find the name of the game, without which the columns have no meaning."""
        if "game" not in self.header:
            expected = "expected the columns of `komi cards`, as id, name, en, game, set, version"
            raise InputError(f"{self.path}: row 1: the column 'game' is missing; {expected}")
        place = self.header.index("game")
        names = [cells[place].strip() for _, _, cells in self.rows if place < len(cells) and cells[place].strip()]
        if not names:
            raise InputError(
                f"{self.path}: {self._named('game')}: found nothing, expected the name of the game in at least one row"
            )
        return names[0].removeprefix(MARK)

    def _named(self, column: str) -> str:
        """Name a column, with the letter that a spreadsheet gives it."""
        return f"column {letters(self.header.index(column))} ({column})" if column in self.header else column

    def _check_header(self) -> None:
        """Refuse unknown columns, columns that occur twice, and cells under no name."""
        for place, name in enumerate(self.header):
            column = f"{self.path}: row 1, column {letters(place)}"
            if name and self.header.index(name) < place:
                first = letters(self.header.index(name))
                self.problems.append(
                    f"{column}: found {shown(self.written[place])}, which column {first} has already; expected every "
                    "column once"
                )
            elif LARGE.search(name):
                self.problems.append(f"{column}: found {shown(name)}, expected numbers up to {MOST_NUMBER}")
            elif name and ("#" in name or self.patterns[place] not in self.kinds):
                number = next(iter(re.findall(r"[1-9]\d*", name)), "1")
                known = [pattern.replace("#", number) for pattern in self.kinds]
                self.problems.append(
                    f"{column}: unknown column {shown(self.written[place])}{nearest(name, known)} "
                    f"(known: {', '.join(self.kinds)}; #: 1, 2, …)"
                )
        for number, line, cells in self.rows:
            lost = (i for i, cell in enumerate(cells) if cell.strip() and not (i < len(self.header) and self.header[i]))
            for place in islice(lost, 1):
                where = f"{self.path}: {_Row(number, line).at}, column {letters(place)}"
                self.problems.append(
                    f"{where}: found {shown(cells[place])} in a column without a name; is a cell with a separator not "
                    "in quotes?"
                )
        self._stop()

    def _shared(self, key: str) -> Iterator[Any]:
        """Read what is the same for all cards: nothing, or one value that every row has or leaves empty."""
        if key not in self.header:
            return
        place = self.header.index(key)
        found: dict[Any, str] = {}
        for number, line, cells in self.rows:
            if place < len(cells) and cells[place].strip():
                found.setdefault(_read(cells[place], self.kinds[key]), _Row(number, line).at)
        if len(found) > 1:
            listed = " and ".join(f"{shown(value)} in {at}" for value, at in list(found.items())[:2])
            self.problems.append(f"{self.path}: {self._named(key)}: found {listed}, expected the same in every row")
        yield from list(found)[:1]

    def _card(self, place: int, number: int, line: int, cells: list[str]) -> _Row:
        """Read a row as the card at a place."""
        row = _Row(number, line)
        tree: dict[Any, Any] = {}
        for name, pattern, cell in zip(self.header, self.patterns, cells, strict=False):
            if name and name not in self.heads and cell.strip():
                if not _grow(tree, name.split("."), _read(cell, self.kinds[pattern])):
                    where = f"{self.path}: {row.at}, {self._named(name)}"
                    self.problems.append(
                        f"{where}: found {shown(cell)} beside cells for its parts, expected either the one or "
                        "the others"
                    )
                    self.told.add(("card", place, name.split(".")[0]))
        for names, gap in _gaps(tree):
            column = ".".join((*names, str(gap)))
            self.problems.append(
                f"{self.path}: {row.at}, {self._named(column)}: found an empty cell before a filled one, expected a "
                "value"
            )
            self.told.add(("card", place, names[0]))
        row.content = _without_numbers(tree, (), row.numbers)
        return row

    def _check_ids(self, cards: list[_Row]) -> None:
        """Refuse ids that occur twice or look as if they did, with both rows."""
        ids = [row.content.get("id") for row in cards]
        for place, told in again(ids, lambda place: f"row {cards[place].number}").items():
            self.problems.append(f"{self.path}: {cards[place].at}, {self._named('id')}: {told}")
            self.told.add(("card",))

    def _place(self, loc: Loc, cards: list[_Row]) -> str:
        """Name a place: the file, the row, the column, the card."""
        if loc[0] != "card" or len(loc) == 1:
            return f"{self.path}: {self._named(str(loc[0])) if loc[0] != 'card' else 'all rows'}"
        row = cards[int(loc[1])]
        column, id = row.column(loc[2:]), row.content.get("id")
        return ", ".join(
            [
                f"{self.path}: {row.at}",
                *([self._named(column)] if column else []),
                *([f"card {shown(id)}"] if id else []),
            ]
        )


def letters(place: int) -> str:
    """Give the letters of a column by its place, as spreadsheets do: 0 is A, 26 is AA."""
    return (letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _kinds(schema: dict[str, Any], path: Path_ = ()) -> Iterator[tuple[str, dict[str, Any]]]:
    """List the columns that there may be, ``#`` for any number, with the form of their cells."""
    for form in forms(schema):
        if "properties" in form:
            for key, inner in form["properties"].items():
                yield from _kinds(inner, (*path, key))
        elif form["type"] == "array" and not is_words(form):
            yield from _kinds(form["items"], (*path, "#"))
        else:
            yield ".".join(path), form


def _pattern(name: str) -> str:
    """Give a column's name with ``#`` for its numbers, which are written without zeros before them."""
    return ".".join("#" if re.fullmatch(r"[1-9]\d{0,2}", part, re.ASCII) else part for part in name.split("."))


def _read(cell: str, form: dict[str, Any]) -> Any:
    """Read a cell by the form that its column has; a text that has another form is left for the model to refuse."""
    if form["type"] == "array":
        return _words(cell)
    if form["type"] == "string":
        text = cell.strip() if "enum" in form or "const" in form else cell
        return text.removeprefix(MARK)
    text = cell.strip()
    if form["type"] == "boolean":
        return TRUTHS.get(text.casefold(), text)
    try:
        return int(WHOLE.sub(r"\1", text)) if form["type"] == "integer" else float(text)
    except ValueError:
        return text


def _words(cell: str) -> Any:
    """Read a list of words: with commas between, those with commas or quotes in quotes."""
    text = cell.strip()
    if text == EMPTY:
        return []
    text = text.removeprefix(MARK)
    words, place = [], 0
    while place < len(text):
        match = WORD.match(text, place)
        if match is None or match.end() == place:
            return text
        quoted, plain = match.groups()
        if quoted is not None or plain.strip():
            words.append(plain.strip() if quoted is None else quoted.replace('""', '"'))
        place = match.end()
    return words


def _grow(tree: dict[Any, Any], names: list[str], value: Any) -> bool:
    """Put a value into a tree, numbers for the places of lists; False if something else is in the way."""
    *way, last = [int(name) if name.isdecimal() else name for name in names]
    for part in way:
        tree = tree.setdefault(part, {})
        if not isinstance(tree, dict):
            return False
    return tree.setdefault(last, value) is value


def _gaps(tree: Any, path: Path_ = ()) -> Iterator[tuple[Path_, int]]:
    """List the first empty place of each list of numbers (an empty table is none, and those after it move up)."""
    for part, inner in tree.items():
        if isinstance(inner, dict):
            yield from _gaps(inner, (*path, str(part)))
    places = {part for part, inner in tree.items() if isinstance(part, int) and not isinstance(inner, dict)}
    gaps = (place for place in range(1, max(places, default=0)) if place not in places)
    yield from ((path, place) for place in islice(gaps, 1))


def _without_numbers(tree: Any, path: Path_, numbers: dict[Path_, list[int]]) -> Any:
    """Turn the numbered parts of a tree into lists, noting under which numbers their items stood."""
    if not isinstance(tree, dict):
        return tree
    if tree and all(isinstance(part, int) for part in tree):
        numbers[path] = sorted(tree)
        return [_without_numbers(tree[part], (*path, str(part)), numbers) for part in sorted(tree)]
    return {part: _without_numbers(inner, (*path, str(part)), numbers) for part, inner in tree.items()}
