"""Compiled functions: the one decorator, and the cache that knows every source it depends on.

Numba's own cache looks only at the file that defines a function, not at what it calls, so an edit in a called file
would leave stale machine code behind. Here the cache folder is named after a hash of all sources, the versions
and the flags: any change of them is a new folder, and folders that nobody has used for a while are removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import re
import shutil
import sys
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core.errors import NumbaExperimentalFeatureWarning

from sim.kernels.homes import home_of

CONFIG: Any = numba.config
ENABLED = not CONFIG.DISABLE_JIT
BOUNDSCHECK = os.environ.get("KOMI_BOUNDSCHECK", "0") not in ("", "0")
UNUSED_DAYS = 14
PACKAGES = Path(__file__).resolve().parents[2]

FLAGS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "boundscheck": BOUNDSCHECK}
# A private option of numba: without reference counting, kernels run up to twice as fast. They may not allocate.
NO_COUNTING: dict[str, Any] = {"_nrt": False} if hasattr(numba.core.options.DefaultOptions, "_nrt") else {}

# Strategies reach the game loop as typed function pointers, a feature that numba still calls experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    forceinline: bool = False,
    allocates: bool = False,
    wrappers: bool = True,
    checked: bool = False,
    folder: str | None = None,
) -> Any:
    """Compile a function on its first call, and keep the machine code for later processes.

    Parameters
    ----------
    function : callable
        A function of numbers, records and arrays, in numba's subset of Python.
    forceinline : bool
        Melt it into its callers. For small helpers on the hot path only: it costs compile time.
    wrappers : bool
        It can be called from Python and passed as a strategy; without, from kernels only, which compiles faster (see
        `inner`).
    allocates : bool
        It makes arrays of its own (slower: numba then counts references).
    checked : bool
        Places outside an array are errors in it, as in a user's function.
    folder : str, optional
        Where the machine code is kept; by default a folder named after komi's sources, and nowhere for a user's
        function.

    Returns
    -------
    callable
        A numba dispatcher; with ``NUMBA_DISABLE_JIT=1`` the function itself.
    """

    def decorate(plain: Callable[..., Any]) -> Any:
        own = is_own(plain)
        options = {**FLAGS, **(NO_COUNTING if own and not allocates else {}), "forceinline": forceinline}
        if checked or not own:  # a user's function may make arrays, and its mistakes are to be errors, not garbage
            options |= {"boundscheck": True, "error_model": "python"}
        if not wrappers:
            options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        kept_in = (folder or _cache_folder(plain)) if ENABLED else None
        if kept_in is None:
            return numba.njit(**options)(plain)
        before = CONFIG.CACHE_DIR
        CONFIG.CACHE_DIR = kept_in
        try:
            return numba.njit(cache=True, **options)(plain)
        finally:
            CONFIG.CACHE_DIR = before

    return decorate if function is None else decorate(function)


def inner(function: Callable[..., Any] | None = None, *, forceinline: bool = False) -> Any:
    """Compile a function that only other kernels call (see `kernel`)."""
    return kernel(function, forceinline=forceinline, wrappers=False)


def reading(function: Callable[..., Any]) -> Any:
    """Compile a small function that users' strategies call, and people from Python: a place that is not there is an
    error.
    """
    return kernel(function, forceinline=True, checked=True)


def compile_now(function: Any, signature: tuple[Any, ...]) -> None:
    """Compile a kernel for a signature, or load it from the cache.

    Loops are not vectorised: those of card games run over a few cards, and the code is some 8 % faster without. Numba
    has no such flag for a single function, so its setting is changed as long as this takes.

    Parameters
    ----------
    function : dispatcher
        What `kernel` made; plain functions (``NUMBA_DISABLE_JIT=1``) need no compilation.
    signature : tuple of numba types
        Its arguments' types.
    """
    if not ENABLED:
        return
    before = CONFIG.LOOP_VECTORIZE
    CONFIG.LOOP_VECTORIZE = 0
    try:
        with warnings.catch_warnings():  # whatever filters are set by now
            warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
            function.compile(signature)
    except RuntimeError as error:  # what numba makes of a Ctrl-C in the wrong moment
        if "no compiled object yet" in str(error):
            raise KeyboardInterrupt from None
        raise
    finally:
        CONFIG.LOOP_VECTORIZE = before


def bind(template: Callable[..., Any], *, allocates: bool = False, **names: Any) -> Any:
    """Compile a copy of a function in which some global names stand for other things.

    This is how the game loop is written once: each game binds it to its own kernels, which are then called directly
    (and may be inlined), and the result is cached like any other kernel.

    Parameters
    ----------
    template : function
        A plain function that uses the names as globals.
    allocates : bool
        It makes arrays of its own (see `kernel`).
    **names
        What they stand for in the copy: kernels and constants.
    """
    assert isinstance(template, FunctionType)
    copy = FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__)
    copy.__module__, copy.__doc__ = template.__module__, template.__doc__
    homes = (home_of(value) for value in names.values())
    copy.home = next((home for home in homes if home is not None), None)  # type: ignore[attr-defined]
    # numba's cache tells functions of one file and line apart by this name alone
    bound = ",".join(f"{name}={_told_apart(value)}" for name, value in sorted(names.items()))
    copy.__qualname__ = f"{template.__qualname__}[{hashlib.sha256(bound.encode()).hexdigest()[:12]}]"
    return kernel(copy, allocates=allocates)


def _told_apart(value: Any) -> str:
    """Tell a kernel by its name, a constant by its text."""
    return f"{value.__module__}.{value.__qualname__}" if hasattr(value, "__qualname__") else repr(value)


def is_own(function: Callable[..., Any]) -> bool:
    """Tell whether a function stands in one of komi's packages that have kernels, or in a game outside it."""
    if home_of(function) is not None:
        return True
    path = Path(inspect.getfile(function)).resolve()
    return path.is_relative_to(PACKAGES) and path.relative_to(PACKAGES).parts[0] in ("sim", "strategies")


def _cache_folder(function: Callable[..., Any]) -> str | None:
    """Name the cache folder of a function: by the hash of its package's sources and of those that it may call."""
    if not is_own(function):
        return None  # a user's own file: what it depends on only `strategies.fingerprint` knows, once it is loaded
    path, home = Path(inspect.getfile(function)).resolve(), home_of(function)
    is_rule = path.is_relative_to(PACKAGES / "sim") or (home is not None and home.has_rule(path))
    name = source_hash(("sim",) if is_rule else ("sim", "strategies"))
    if home is not None:
        name = hashlib.sha256(f"{name} {home.rules if is_rule else home.all}".encode()).hexdigest()[:20]
    return prepared_folder(name)


@cache
def source_hash(packages: tuple[str, ...]) -> str:
    """Hash all that compiled code of these packages depends on: their sources, versions, flags."""
    digest = hashlib.sha256()
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__, sorted(FLAGS.items()))
    digest.update(repr(versions).encode())
    for package in packages:
        for path in sorted((PACKAGES / package).rglob("*.py")):
            digest.update(path.relative_to(PACKAGES).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


@cache
def prepared_folder(name: str) -> str | None:
    """Give the cache folder of this name (20 hexadecimal digits), ready to be written to; None if there can be none."""
    root = (
        Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("komi", appauthor=False))
        / "komi-kernels"
    )
    folder = root / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        print(
            f"komi: compiled code cannot be kept in {root} ({error.strerror}); every start will compile anew. "
            "NUMBA_CACHE_DIR names another folder.",
            file=sys.stderr,
        )
        return None
    for other in root.iterdir():
        if re.fullmatch(r"[0-9a-f]{20}", other.name):
            with contextlib.suppress(OSError):  # another process may be removing it, too
                if time.time() - other.stat().st_mtime > UNUSED_DAYS * 86_400:
                    shutil.rmtree(other)
    return str(folder)


def was_compiled(name: str) -> bool:
    """Tell whether `note_compiled` was told of this before, for the same sources, versions and flags."""
    folder = prepared_folder(source_hash(("sim",)))
    return not ENABLED or (folder is not None and (Path(folder) / f"{name}.compiled").exists())


def note_compiled(name: str) -> None:
    """Note that something is compiled and in the cache, so that the next process need not announce it."""
    folder = prepared_folder(source_hash(("sim",)))
    if folder is not None:
        (Path(folder) / f"{name}.compiled").touch()
