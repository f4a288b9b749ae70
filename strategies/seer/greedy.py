"""The best-looking action, one step ahead: leads what its moves fit, evolves, plays its strongest sign, executes what
it can pay for.

How it thinks. *Pick* and *lead* the basic spirits that most cards fit: moves that they can use, stages that they can
evolve to. *Exchange* a hand without such moves. *Swap* or *evolve* when the new spirit is better than the old one by
more than a card. *Battle*: play the card with the best mean over winning, when it gives its attack, and losing, when it
gives its defence against what the opposing spirit could strike back with; always the same card in the same position, so
it can be read. *Missions*: execute what brings something; *summon* the super that is best.
"""

from sim.kernels.jit import kernel
from strategies.noise import NOISE, any_of, explores
from strategies.seer._scoring import choose_best

OPTIONS = (NOISE,)


@kernel
def choose(state, table, legal, n):
    """Take the action of the highest value, the first of equals."""
    if n > 1 and explores(state, table):
        return any_of(state, n)
    return choose_best(state, table, legal, n, None)
