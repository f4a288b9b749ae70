"""What a TOML file is, told from its keys: a card set, a deck, a study or weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sim.files.errors import InputError
from sim.files.toml_lines import line_of
from sim.files.wording import shown

SET, DECK, STUDY, WEIGHTS = "a card set", "a deck", "a study", "weights"

WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods", ".numbers")  # are no text, but what people have

STUDY_KEYS = (
    "decks", "strategies", "matchups", "pairs", "search_pairs", "until", "sweep", "margin", "knows_decks", "seed",
    "rules", "versions", "game",
)  # fmt: skip


def form_of(content: dict[str, Any]) -> str:
    """Tell what a file is; ``""`` if its keys do not tell.

    Both ways to write a table and a list of tables count, since they are easily confused.
    """
    return next((form for form, _ in _signs(content)), "")


def _signs(content: dict[str, Any]) -> list[tuple[str, str]]:
    """List what a file may be, the likeliest first, each with the key that shows it."""
    found: list[tuple[str, str]] = []
    for key in ("card", "cards"):
        if key in content:
            table = content[key]
            counts = isinstance(table, dict) and not any(isinstance(value, dict | list) for value in table.values())
            cards = isinstance(table, list) and any(
                isinstance(card, dict) and {"id", "name"} & set(card) for card in table
            )
            is_set = cards or (key == "card" and not (counts and "name" in content))
            found.append((SET if is_set else DECK, key))
    found += [(WEIGHTS, "weights")] if "weights" in content else []
    found += [(SET, "version")] if "version" in content else []
    found += [(STUDY, key) for key in STUDY_KEYS if key in content]
    return found


def expect(content: dict[str, Any], form: str, game: str | None, path: Path, text: str) -> None:
    """Refuse a file that is something else, or of another game, in one line.

    Parameters
    ----------
    content : dict
        What was read.
    form : str
        What it should be: `SET`, `DECK`, `STUDY` or `WEIGHTS`.
    game : str or None
        The game's name that it should be of; None for any.
    path, text : Path and str
        The file, for the message.

    Raises
    ------
    InputError
        If it is something else.
    """
    found, key = next(iter(_signs(content)), ("", ""))
    named = content.get("game")
    if found == STUDY and key == "game" and form != STUDY:
        found = ""  # its name of a game alone tells nothing
    is_other = bool(found) and found != form
    if not is_other and (game is None or not isinstance(named, str) or named == game):
        return
    if not is_other:
        line = line_of(text, ("game",))
        raise InputError(
            f"{path}:{line}: game: found {shown(named)}, expected {game!r}, since {form} of {game} is needed"
        )
    line = line_of(text, (key,))
    of = f" of {shown(named)}" if isinstance(named, str) else ""
    wanted = f" of {game!r}" if game is not None else ""
    raise InputError(f"{path}:{line}: found {found}{of}, expected {form}{wanted}")
