"""Any legal action, each equally likely: the floor of every ladder, and a test of the rules rather than of the players."""

from sim.bits import U
from sim.jit import kernel
from sim.streams import STRATEGY, below


@kernel
def choose(state, table, legal, n):
    """Draw a place in the legal list."""
    return below(state["players"][U(state["decider"])], STRATEGY, n)
