"""What pictures are drawn on and with: axes, colours, fonts, files."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

import matplotlib
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure

INK, MUTED, FAIR = "#22313f", "#7b8a97", "#dfeee3"
COLOURS = ("#1f77b4", "#d9822b", "#2a9d6f", "#8e5bb5", "#c23b4b", "#7a6a53", "#4aa3b8", "#9b9b3a")
VERDICT_COLOURS = {"fair": "#2a9d6f", "favours first": "#c23b4b", "favours second": "#8e5bb5", "not decided": MUTED}
CJK_FONTS = ("Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "Hiragino Sans", "Yu Gothic", "Noto Sans CJK TC", "WenQuanYi Zen Hei")


def as_written(label: Any) -> str:
    """Write a name as it is: a dollar sign is no formula."""
    return str(label).replace("$", r"\$")


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
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # no CJK font here: boxes, not a failure
        figure.savefig(buffer, format="png", dpi=130, metadata={"Software": None})
    return buffer.getvalue()
