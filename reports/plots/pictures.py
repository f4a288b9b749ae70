"""The files of pictures: their names, and what becomes of those that cannot be drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from matplotlib.axes import Axes

from reports.plots.canvas import png

Draw = Callable[[], Axes]
MOST_BYTES = 60  # of a label in a file's name; two of them stand in one
MOST_OF_A_REASON = 200  # letters


@dataclass(frozen=True)
class Pictures:
    """The pictures of a report by file name without its ending: as PNG, or why they could not be drawn."""

    images: dict[str, bytes] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def render(pictures: Mapping[str, Draw]) -> Pictures:
    """Draw pictures, one after the other; one that fails, whatever the reason, does not stop the others."""
    rendered = Pictures()
    for name, draw in pictures.items():
        try:
            rendered.images[name] = png(draw())
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
            rendered.missing[name] = reason[:MOST_OF_A_REASON]
    return rendered


def file_name(label: Any) -> str:
    """Write a label as a part of a file's name that any machine takes: short, and another one for each label.

    Of a label that cannot stand as it is, what can is followed by a digest of the whole: one that is long, has other
    characters than letters, digits and ``-_.``, or capitals, which not every machine tells from small letters.
    """
    name = unicodedata.normalize("NFC", str(label)).casefold().replace("_against_", "-against-")
    name = "".join(c if c.isalnum() or c in "-_." else "-" for c in name)
    name = name.encode()[:MOST_BYTES].decode(errors="ignore")
    return name if name == str(label) else f"{name}-{sha256(repr(label).encode()).hexdigest()[:8]}"
