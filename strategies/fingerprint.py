"""What a user's function is compiled from, as one hash: so its machine code can be kept and never be stale.

Numba makes constants of the globals that a function uses, wherever they come from, and machine code of the functions
that it calls. So the hash covers the function's code, the values of its globals and, one after another, the functions
among them, beside the user's files and komi's sources. Where something else is used, nothing is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba.core.registry import CPUDispatcher

from sim.kernels.homes import home_of
from sim.kernels.jit import is_own, plain_function, source_hash

KNOWN = ("builtins", "math", "numba", "numpy")  # known by their versions, which are among what `source_hash` hashes
PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)


class _UnknownError(Exception):
    """The function uses something that has no hash."""


def fingerprint(function: Any, files: Iterable[Path]) -> str | None:
    """Hash all that a user's function is compiled from.

    Parameters
    ----------
    function : function or dispatcher
        The user's function.
    files : iterable of Path
        Its file and the neighbours that it imports.

    Returns
    -------
    str or None
        20 hexadecimal digits; None if it uses something that cannot be told by its value.
    """
    digest = hashlib.sha256(source_hash(("sim", "strategies")).encode())
    for path in files:
        digest.update(str(path.resolve()).encode() + b"\0" + path.read_bytes() + b"\0")
    try:
        for part in _parts(function, set()):
            digest.update(repr(part).encode() + b"\0")
    except _UnknownError:
        return None
    return digest.hexdigest()[:20]


def _parts(value: Any, seen: set[int]) -> Iterator[Any]:
    """List what tells a value: itself if it is plain, else its parts one after another."""
    if isinstance(value, PLAIN):
        yield type(value).__name__, repr(value)
    elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
        yield "array", repr(value.dtype), value.shape, value.flags.f_contiguous, value.tobytes()
    elif isinstance(value, tuple):
        yield "tuple", type(value).__qualname__, len(value)
        for item in value:
            yield from _parts(item, seen)
    elif isinstance(value, CPUDispatcher):
        yield "dispatcher", sorted((name, repr(option)) for name, option in value.targetoptions.items())
        yield from _parts(plain_function(value), seen)
    elif isinstance(value, np.dtype | numba.types.Type):
        yield "type", repr(value)
    elif isinstance(value, FunctionType) and not _is_known(value):
        if id(value) not in seen:
            seen.add(id(value))
            yield "function", value.__qualname__
            yield from _parts(value.__defaults__, seen)
            yield from _parts(tuple(cell.cell_contents for cell in value.__closure__ or ()), seen)
            yield from _code_parts(value.__code__, value.__globals__, seen)
    elif _is_known(value):
        yield (
            "known",
            getattr(value, "__module__", ""),
            getattr(value, "__qualname__", getattr(value, "__name__", repr(value))),
            home_of(value),
        )
    else:
        raise _UnknownError


def _code_parts(code: CodeType, names: dict[str, Any], seen: set[int]) -> Iterator[Any]:
    """List what tells a function's code and the globals that it uses."""
    yield code.co_code, code.co_names, code.co_varnames, code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_parts(constant, names, seen)
        elif isinstance(constant, frozenset):
            yield sorted(map(repr, constant))
        else:
            yield from _parts(constant, seen)
    for name in code.co_names:
        if name not in names:
            continue
        value = names[name]
        yield name
        if isinstance(value, ModuleType) and not _is_known(value):
            for attribute in code.co_names:
                if hasattr(value, attribute):
                    yield attribute
                    yield from _parts(getattr(value, attribute), seen)
        else:
            yield from _parts(value, seen)


def _is_known(value: Any) -> bool:
    """Tell whether a value belongs to komi or to a library whose version is hashed."""
    if isinstance(value, FunctionType) and is_own(value):
        return True
    is_komis = isinstance(value, ModuleType) and value.__name__.partition(".")[0] in ("sim", "strategies")
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or ""
    return is_komis or (
        isinstance(value, ModuleType | FunctionType | BuiltinFunctionType | type | np.ufunc)
        and name.partition(".")[0] in KNOWN
    )
