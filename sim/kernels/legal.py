"""Legal lists: actions as int32 codes, written to a caller's array in the rulebook's order.

An action's code is kind << 24 | a << 16 | b; the kinds are numbered by each game.
"""

from __future__ import annotations

from sim.kernels.bits import NONE, U, count, lowest, without_lowest
from sim.kernels.jit import inner

KIND_SHIFT, PLACE_SHIFT = 24, 16
PLACE_MASK, LAST_MASK = 0xFF, 0xFFFF
SPARE = 8  # room that writing some at a time needs behind a list


@inner(forceinline=True)
def list_members(legal, n, prefix, members, shift, width):
    """List ``prefix | member << shift`` for each member of a set from place ``n`` on; returns the length of the list.

    So many (``width``, 2 to 8) are written at a time, without a branch for each: what is too much is written over by
    what follows. Unsigned places spare numba's test for negative ones.
    """
    end = n + count(members)
    while True:
        for k in range(width):
            legal[U(n + k)] = prefix | lowest(members) << shift
            members = without_lowest(members)
        n += width
        if members == NONE:
            return end


@inner(forceinline=True)
def code(kind, a, b):
    """Make the code of an action."""
    return kind << KIND_SHIFT | a << PLACE_SHIFT | b


def parts(code: int) -> tuple[int, int, int]:
    """Take the code of an action apart: its kind, a and b."""
    return code >> KIND_SHIFT, code >> PLACE_SHIFT & PLACE_MASK, code & LAST_MASK


@inner(forceinline=True)
def ask(state, seat, decision, n):
    """Note who decides what, with a list of so many actions."""
    state["decider"] = seat
    state["decision"] = decision
    state["decisions"] += 1
    return n
