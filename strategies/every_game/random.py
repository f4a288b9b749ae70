"""Any legal action, each equally likely: the floor of every ladder, a test of the rules rather than of players."""

from sim.kernels.jit import kernel
from strategies.noise import any_of


@kernel
def choose(state, table, legal, n):
    """Draw a place in the legal list."""
    return any_of(state, n)
