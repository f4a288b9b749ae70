"""The best-looking action, one step ahead: ramps, deploys the strongest, trades up, attacks Life when it pays, guards
when it wins.

How it thinks. *Draw* while the hand is small and Life can bear it. *Support* with the card it can least use, until
there are points enough. *Deploy* the strongest card it can pay for. *Act*: win if the attacks left outnumber Life and
the guards in the way; otherwise weigh each attack by the cards that both sides would lose, and an attack on Life the
higher the fewer cards are left there. *Guard* when the guard wins or survives the trade, and whenever the game would be
lost. *Choose* targets by what they are worth.
"""

from sim.kernels.jit import kernel
from strategies.noise import NOISE, any_of, explores
from strategies.sea._scoring import choose_best

OPTIONS = (NOISE,)


@kernel
def choose(state, table, legal, n):
    """Take the action of the highest value, the first of equals."""
    if explores(state, table):
        return any_of(state, n)
    return choose_best(state, table, legal, n, None)
