"""What pictures are drawn on: axes of a certain size, a figure that fits around them, settings of komi's own."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from reports.plots.colours import INK
from reports.plots.labels import fonts, wrapped
from reports.plots.matplotlib_import import quietly

DPI = 130
EDGE, GAP = 0.08, 0.25  # inches around all that is drawn, and between panels
NOT_OF_PICTURES = ("backend", "interactive", "toolbar", "webagg", "tk.", "savefig.directory", "figure.max_open_warning")
SETTINGS = {  # matplotlib's own defaults, whatever a user has set
    name: value for name, value in matplotlib.rcParamsDefault.items() if not name.startswith(NOT_OF_PICTURES)
} | {
    "text.parse_math": False,  # a dollar sign in a name is no formula
    "text.hinting": "none",  # takes half of the time of a text, and pictures of so many dots look no better for it
}


@contextmanager
def own_settings() -> Iterator[None]:
    """Draw alike whatever the user's settings of matplotlib, numpy and warnings are, and leave them as they are."""
    with quietly(), matplotlib.rc_context({**SETTINGS, "font.family": list(fonts())}):  # type: ignore[dict-item]
        yield


def picture(plot: Callable[..., Axes]) -> Callable[..., Axes]:
    """Let a plot draw under komi's settings, and fit the figure around the axes if it is the plot's own."""

    @wraps(plot)
    def drawn(*args: Any, ax: Axes | None = None, **keys: Any) -> Axes:
        with own_settings():
            made = plot(*args, ax=ax, **keys)
            if ax is None:
                fit([[made]])
        return made

    return drawn


def new_panels(n: int, width: float, height: float) -> list[Axes]:
    """Make several axes of so many inches on a figure of their own; `fit` finds a place for each."""
    figure = Figure(figsize=(width, height), dpi=DPI)
    FigureCanvasAgg(figure)
    return [figure.add_axes((0, 0, 1, 1), label=str(i)) for i in range(n)]


def new_axes(width: float, height: float) -> Axes:
    """Make axes of so many inches on a figure of their own, without a window system."""
    return new_panels(1, width, height)[0]


def fit(rows: Sequence[Sequence[Axes]], title: str = "") -> None:
    """Make a figure so large that its axes keep their size and all that stands around them has its place.

    Parameters
    ----------
    rows : sequence of sequence of Axes
        The axes of the figure as they stand beside and below each other, all of one size.
    title : str
        What stands over all of them.
    """
    figure = rows[0][0].get_figure(root=True)
    assert figure is not None
    width, height = figure.get_size_inches()
    panels = [(ax, down, across) for down, row in enumerate(rows) for across, ax in enumerate(row)]
    left, right, above, below = (np.zeros(max(len(rows), len(rows[0]))) for _ in range(4))  # inches around the axes
    for ax, down, across in panels:
        whole, taken = ax.bbox, ax.get_tightbbox()
        assert taken is not None
        left[across] = max(left[across], (whole.x0 - taken.x0) / DPI)
        right[across] = max(right[across], (taken.x1 - whole.x1) / DPI)
        above[down] = max(above[down], (taken.y1 - whole.y1) / DPI)
        below[down] = max(below[down], (whole.y0 - taken.y0) / DPI)
        _pin_labels(ax)
    wide = _spread(left, width, right, len(rows[0]))
    high = _spread(above, height, below, len(rows))
    if title:
        over = figure.suptitle(wrapped(title, wide[-1]), fontsize=11, color=INK)
        high += over.get_window_extent().height / DPI + GAP
        over.set_y(1 - EDGE / high[-1])
    figure.set_size_inches(math.ceil(wide[-1] * DPI) / DPI, math.ceil(high[-1] * DPI) / DPI)
    whole_width, whole_height = figure.get_size_inches()
    for ax, down, across in panels:
        bottom = whole_height - high[down] - height
        ax.set_position((wide[across] / whole_width, bottom / whole_height, width / whole_width, height / whole_height))


def _spread(before: np.ndarray, size: float, after: np.ndarray, n: int) -> np.ndarray:
    """Tell where each of n panels in a row begins, and at last how much all of them take."""
    steps = before[:n] + size + after[:n] + GAP
    starts = EDGE + before[:n] + np.concatenate([[0.0], np.cumsum(steps)[:-1]])
    return np.append(starts, steps.sum() - GAP + 2 * EDGE)


def _pin_labels(ax: Axes) -> None:
    """Leave the labels of axes where they have been found to have room, so that it is not looked for again."""
    x, y = ax.transAxes.inverted().transform((ax.yaxis.label.get_position()[0], ax.xaxis.label.get_position()[1]))
    ax.xaxis.set_label_coords(0.5, y)
    ax.yaxis.set_label_coords(x, 0.5)


def png(ax: Axes) -> bytes:
    """Render the figure of some axes as PNG."""
    buffer = io.BytesIO()
    figure = ax.get_figure(root=True)
    assert figure is not None
    with own_settings():
        figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None}, pil_kwargs={"compress_level": 3})
    return buffer.getvalue()
