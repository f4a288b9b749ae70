"""Imports matplotlib before anything else does, so that no setting of the user's hinders it or writes on the screen.

A backend that is not installed, which notebooks name in ``MPLBACKEND``, and a damaged ``matplotlibrc`` make the import
fail, though komi draws without a backend and with settings of its own. So it is imported with neither, and what can
be used of them is set afterwards, for the user's own pictures.
"""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import numpy as np


@contextmanager
def quietly() -> Iterator[None]:
    """Let neither warnings nor the log of matplotlib nor numpy's error state come between."""
    log = logging.getLogger("matplotlib")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(level)


@contextmanager
def _without_settings() -> Iterator[None]:
    """Let matplotlib find nothing but its own settings."""
    kept = {name: os.environ.pop(name) for name in ("MPLBACKEND", "MATPLOTLIBRC") if name in os.environ}
    found = find_spec("matplotlib")
    assert found is not None
    assert found.origin is not None
    os.environ["MATPLOTLIBRC"] = str(Path(found.origin).parent / "mpl-data" / "matplotlibrc")
    try:
        yield
    finally:
        del os.environ["MATPLOTLIBRC"]
        os.environ.update(kept)


def _import() -> None:
    with quietly():
        if "matplotlib" not in sys.modules:
            with _without_settings():
                import matplotlib
            with suppress(Exception):
                file = matplotlib.matplotlib_fname()
                matplotlib.rcParams.update(matplotlib.rc_params_from_file(file, use_default_template=False))
            with suppress(Exception):
                matplotlib.rcParams["backend"] = os.environ["MPLBACKEND"]
        import matplotlib.backends.backend_agg
        import matplotlib.font_manager


_import()
