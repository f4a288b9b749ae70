"""Sets of small numbers (0 to 63) in one unsigned 64-bit integer: hands as sets of cards, places as sets of positions.

Mixed arithmetic of uint64 with other integers gives int64 in numba and float64 in numpy: every constant and every shift
count is therefore wrapped in `U`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from sim.kernels.jit import ENABLED, inner

U = np.uint64
NONE = U(0)
ONE = U(1)

if ENABLED:

    @intrinsic
    def _population(typingctx: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), codegen

    @intrinsic
    def _trailing_zeros(typingctx: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.uint64(types.uint64), codegen

else:
    np.seterr(over="ignore")  # plain numpy warns where machine arithmetic wraps around, as is wanted here

    def _population(x: Any) -> Any:  # type: ignore[misc]
        return int(x).bit_count()

    def _trailing_zeros(x: Any) -> Any:  # type: ignore[misc]
        return (int(x) & -int(x)).bit_length() - 1 if x else 64


@inner(forceinline=True)
def count(members):
    """Count the members of a set."""
    return np.int64(_population(members))


@inner(forceinline=True)
def lowest(members):
    """Give the lowest member of a set; 64 if it is empty."""
    return np.int64(_trailing_zeros(members))


@inner(forceinline=True)
def without_lowest(members):
    """Give the set without its lowest member."""
    return members & (members - ONE)  # of the empty set: the empty set


@inner(forceinline=True)
def single(member):
    """Give the set of one member."""
    return ONE << U(member)


@inner(forceinline=True)
def up_to(size):
    """Give the set of the members 0 to ``size`` - 1 (``size`` below 64)."""
    return (ONE << U(size)) - ONE


@inner(forceinline=True)
def contains(members, member):
    """Tell whether a set has this member."""
    return (members >> U(member)) & ONE != NONE


@inner(forceinline=True)
def closed_up(members, gap):
    """Move the members above ``gap`` down by one; what stood at ``gap`` is gone."""
    below = (ONE << U(gap)) - ONE
    return (members & below) | ((members >> ONE) & ~below)
