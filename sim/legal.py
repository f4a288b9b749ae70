"""Legal lists: actions as int32 codes, written to a caller's array in the rulebook's order."""

from __future__ import annotations

from sim.bits import NONE, U, count, lowest, without_lowest
from sim.jit import inner

SPARE = 8  # room that writing some at a time needs behind a list


@inner(forceinline=True)
def list_members(legal, n, prefix, members, shift, width):
    """List ``prefix | member << shift`` for each member of a set from place ``n`` on; returns the length of the list.

    So many (``width``, 4 or 8) are written at a time, without a branch for each: what is too much is written over by what
    follows. Unsigned places spare numba's test for negative ones.
    """
    end = n + count(members)
    while True:
        for k in range(width):
            legal[U(n + k)] = prefix | lowest(members) << shift
            members = without_lowest(members)
        n += width
        if members == NONE:
            return end
