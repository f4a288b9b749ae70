"""What pictures are drawn on and with: axes, colours, fonts, files."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from functools import wraps
from textwrap import fill
from typing import Any

import matplotlib
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

INK, MUTED, FAIR = "#22313f", "#7b8a97", "#dfeee3"
COLOURS = ("#1f77b4", "#d9822b", "#2a9d6f", "#8e5bb5", "#c23b4b", "#7a6a53", "#4aa3b8", "#9b9b3a")
VERDICT_COLOURS = {"fair": "#2a9d6f", "favours first": "#c23b4b", "favours second": "#8e5bb5", "not decided": MUTED}
CJK_FONTS = (
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "IPAexGothic",
    "Hiragino Sans",
    "Yu Gothic",
    "Noto Sans CJK TC",
    "WenQuanYi Zen Hei",
)


LETTERS_AN_INCH = 9.0  # of a title beside what stands left of the axes


def in_percent() -> PercentFormatter:
    """Write rates on an axis in per cent, as texts do."""
    return PercentFormatter(xmax=1, symbol=" %")


def as_written(label: Any) -> str:
    """Write a name as it is: a dollar sign is no formula."""
    return str(label).replace("$", r"\$")


def entitle(ax: Axes, title: str) -> None:
    """Write a title, over several lines if the picture is too narrow for one."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    ax.set_title(as_written(fill(title, max(int(figure.get_figwidth() * LETTERS_AN_INCH), 20))), fontsize=11, color=INK)


def can_write(text: str) -> bool:
    """Tell whether the fonts of pictures have every character of a text; otherwise boxes stand for some."""
    known = {font.name for font in font_manager.fontManager.ttflist}
    paths = [font_manager.findfont(name) for name in ("DejaVu Sans", *(name for name in CJK_FONTS if name in known))]
    fonts = [font_manager.get_font(path) for path in paths]
    return all(any(font.get_char_index(ord(c)) for font in fonts) for c in text)


def named(name: str, english: str) -> str:
    """Label something by its original name and the English one, or by the latter alone where no font has the former."""
    return f"{name} {english}" if can_write(name) else english


def new_axes(width: float, height: float) -> Axes:
    """Make axes on a figure of their own, without a window system."""
    return Figure(figsize=(width, height), layout="constrained").subplots()


def with_fonts(plot: Callable[..., Axes]) -> Callable[..., Axes]:
    """Let a plot write names in any script that the machine has a font for, without changing the user's settings."""

    @wraps(plot)
    def drawn(*args: Any, **keys: Any) -> Axes:
        known = {font.name for font in font_manager.fontManager.ttflist}
        with matplotlib.rc_context({"font.family": ["DejaVu Sans", *(font for font in CJK_FONTS if font in known)]}):
            return plot(*args, **keys)

    return drawn


def file_name(label: Any) -> str:
    """Write a label as a part of a file's name."""
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in str(label))


def png(ax: Axes) -> bytes:
    """Render the figure of some axes as PNG."""
    buffer = io.BytesIO()
    figure = ax.get_figure(root=True)
    assert figure is not None
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="Glyph .* missing from font"
        )  # no CJK font here: boxes, not a failure
        figure.savefig(buffer, format="png", dpi=130, metadata={"Software": None})
    return buffer.getvalue()
