"""As greedy, but with weights of your own: what counts more for you than for greedy, and what less.

How it thinks. Greedy's way of valuing an action is a sum of named features (`komi list features`), each of which greedy
gives the weight 1. This player takes the weights from a file, `weighted:mine.toml`; features that the file does not
name weigh 1, too.
"""

from sim.kernels.bits import U
from sim.kernels.jit import kernel
from strategies.sea._scoring import FEATURES, choose_best
from strategies.weights import profile

OPTIONS = profile(FEATURES, {})


@kernel
def choose(state, table, legal, n):
    """Take the action of the highest value by the player's own weights, the first of equals."""
    return choose_best(state, table, legal, n, table["parameters"][U(state["decider"])])
