"""Players that err: now and then they take any legal action instead of the one that they would choose."""

from __future__ import annotations

from sim.kernels.bits import U
from sim.kernels.jit import inner
from sim.kernels.streams import STRATEGY, below
from strategies.options import Number

NOISE = Number("noise", "share of decisions that are made at random", 0.0, 0.0, 1.0)
RESOLUTION = 1 << 30


@inner(forceinline=True)
def explores(state, table):
    """Tell whether the player who decides explores now; the share is the first of its strategy's parameters."""
    seat = U(state["decider"])
    share = table["parameters"][seat, 0]
    return share > 0.0 and below(state["players"][seat], STRATEGY, RESOLUTION) < share * RESOLUTION


@inner(forceinline=True)
def any_of(state, n):
    """Draw a place in a legal list of this length."""
    return below(state["players"][U(state["decider"])], STRATEGY, n)
