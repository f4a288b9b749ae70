"""Text within Markdown: shown as it is, whatever stands in a name, and ordinary text left as it is written."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup

_MARKUP = re.compile(
    r"[\\`|~]"
    r"|\*(?<!\s\*(?=\s))"  # but a times sign between spaces
    r"|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)"  # around a word, not within: sea_lion
    r"|\](?=[(\[:])"  # the end of a link's text
    r"|^\s*(?:#{1,6}|[-+>=]|\d{1,9}[.)])(?=\s|$)|^\s*>"  # what makes a line a heading, a list or a quotation
)
_HTML = re.compile(r"<(?=\S)|&(?=#?\w+;)")


def plain(value: Any) -> Any:
    """Write a value so that Markdown shows it as it is.

    Parameters
    ----------
    value : object
        A text or a number; `Markup` is meant as markup and stays.
    """
    if isinstance(value, Markup):
        return value
    text = _HTML.sub(lambda found: {"<": "&lt;", "&": "&amp;"}[found[0]], str(value).replace("\n", " "))
    return _MARKUP.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", text)


def code(text: str) -> Markup:
    """Write a text as code, in more backticks than are in it."""
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if "`" in text else ""
    return Markup(f"{ticks}{space}{text}{space}{ticks}")
