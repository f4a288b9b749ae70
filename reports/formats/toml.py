"""Values and card sets written as a person would write them in TOML."""

from __future__ import annotations

from typing import Any

import tomli_w

from sim.cards import CardSet


def value(found: Any) -> str:
    """Write a value on one line.

    Parameters
    ----------
    found : object
        A text, number, truth value, or a list or table of them.

    Returns
    -------
    str
        What stands behind the equals sign.
    """
    if isinstance(found, list | tuple):
        return f"[{', '.join(map(value, found))}]"
    if isinstance(found, dict):
        return "{ " + ", ".join(line(key, inner) for key, inner in found.items()) + " }"
    return tomli_w.dumps({"x": found}).removeprefix("x = ").removesuffix("\n")


def line(key: str, found: Any) -> str:
    """Write a key and its value."""
    name = key if key.isascii() and key.replace("-", "").replace("_", "").isalnum() else value(key)
    return f"{name} = {value(found)}"


def card_tables(card_set: CardSet) -> str:
    """Write the cards of a set: a table for each, under it one for each ability; keys not given are left out."""
    content = card_set.model_dump(exclude_unset=True, exclude_none=True)
    return "\n".join(_table(["card"], card) for card in content["card"])


def _table(path: list[str], content: dict[str, Any]) -> str:
    tables = {
        key: found for key, found in content.items() if isinstance(found, list) and found and isinstance(found[0], dict)
    }
    lines = [f"[[{'.'.join(path)}]]", *(line(key, found) for key, found in content.items() if key not in tables)]
    return (
        "\n".join(lines)
        + "\n"
        + "".join(_table([*path, key], inner) for key, found in tables.items() for inner in found)
    )


def set_text(card_set: CardSet) -> str:
    """Write a card set as a TOML file that `sim.load_set` reads as an equal set.

    Parameters
    ----------
    card_set : CardSet
        The cards.

    Returns
    -------
    str
        The file's text.
    """
    head = card_set.model_dump(exclude={"card"})
    return "\n".join(line(key, found) for key, found in head.items()) + "\n\n" + card_tables(card_set)
