"""Compiled functions: the one decorator, and the hash of every source that machine code depends on.

Numba's own cache looks only at the file that defines a function, not at what it calls, so an edit in a called file
would leave stale machine code behind. Here the folder in which it is kept (`sim.kernels.cache`) is named after a hash
of all sources, the versions and the flags: any change of them is a new folder.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from numba.core.errors import NumbaExperimentalFeatureWarning

from sim.kernels.cache import KernelCache, keep, kept
from sim.kernels.homes import home_of

CONFIG: Any = numba.config
ENABLED = not CONFIG.DISABLE_JIT
BOUNDSCHECK = os.environ.get("KOMI_BOUNDSCHECK", "0") not in ("", "0")
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
        The name of the folder in which the machine code is kept; by default one after komi's sources, and none for a
        user's function.

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
        compiled = numba.njit(**options)(plain)
        name = (folder or _folder_name(plain)) if ENABLED else None
        if name is not None:
            compiled._cache = KernelCache(plain, name)
        return compiled

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
    copy = with_names(template, names)
    homes = (home_of(value) for value in names.values())
    copy.home = next((home for home in homes if home is not None), None)  # type: ignore[attr-defined]
    # numba's cache tells functions of one file and line apart by this name alone
    bound = ",".join(f"{name}={_told_apart(value)}" for name, value in sorted(names.items()))
    copy.__qualname__ = f"{template.__qualname__}[{hashlib.sha256(bound.encode()).hexdigest()[:12]}]"
    return kernel(copy, allocates=allocates)


def with_names(function: Callable[..., Any], names: Mapping[str, Any]) -> FunctionType:
    """Copy a plain function; in the copy some global names stand for other things, and more may be put into its
    ``__globals__``.
    """
    assert isinstance(function, FunctionType)
    copy = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    copy.__module__, copy.__doc__ = function.__module__, function.__doc__
    return copy


def plain_function(function: Any) -> Any:
    """Give the Python function that a compiled one was made from."""
    return getattr(function, "py_func", function)


def _told_apart(value: Any) -> str:
    """Tell a kernel by its name, a constant by its text."""
    return f"{value.__module__}.{value.__qualname__}" if hasattr(value, "__qualname__") else repr(value)


def is_own(function: Callable[..., Any]) -> bool:
    """Tell whether a function stands in one of komi's packages that have kernels, or in a game outside it."""
    if home_of(function) is not None:
        return True
    path = Path(inspect.getfile(function)).resolve()
    return path.is_relative_to(PACKAGES) and path.relative_to(PACKAGES).parts[0] in ("sim", "strategies")


def _folder_name(function: Callable[..., Any]) -> str | None:
    """Name the folder of a function: by the hash of its package's sources and of those that it may call."""
    if not is_own(function):
        return None  # a user's own file: what it depends on only `strategies.fingerprint` knows, once it is loaded
    path, home = Path(inspect.getfile(function)).resolve(), home_of(function)
    is_rule = path.is_relative_to(PACKAGES / "sim") or (home is not None and home.has_rule(path))
    name = source_hash(("sim",) if is_rule else ("sim", "strategies"))
    if home is not None:
        name = hashlib.sha256(f"{name} {home.rules if is_rule else home.all}".encode()).hexdigest()[:20]
    return name


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


def was_compiled(name: str) -> bool:
    """Tell whether `note_compiled` was told of this before, for the same sources, versions, flags and processor."""
    return not ENABLED or kept(source_hash(("sim",)), _note(name)) is not None


def note_compiled(name: str) -> None:
    """Note that something is compiled and kept, so that the next process need not announce it."""
    if not was_compiled(name):
        keep(source_hash(("sim",)), _note(name), b"")


def _note(name: str) -> str:
    """Name the file that notes it: machine code is of one kind of processor."""
    processor = (
        CONFIG.CPU_NAME or llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten() if CONFIG.CPU_FEATURES is None else CONFIG.CPU_FEATURES,
    )
    return f"{name}-{hashlib.sha256(repr(processor).encode()).hexdigest()[:8]}.compiled"
