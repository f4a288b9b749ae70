"""The best-looking action, one step ahead: summons on curve, keeps PP for a good counter-spell, levels up, trades up,
goes for life.

How it thinks. *Mulligan*: put back what cannot be paid for in the first turns. *PP phase*: summon or cast what brings
the most for the field as it stands; what would use up the PP of a good counter-spell has to be worth more than that; a
copy in hand raises its dino when that brings more than a second body would. *Attack*: win if the directs left suffice;
otherwise weigh each attack by what both sides would lose, by the level the winner gains and by how exposed the rested
attacker is. *Counter* and *block* when that saves more than it costs. *Choose* targets by what they are worth.
"""

from sim.kernels.jit import kernel
from strategies.dino._scoring import choose_best
from strategies.noise import NOISE, any_of, explores

OPTIONS = (NOISE,)


@kernel
def choose(state, table, legal, n):
    """Take the action of the highest value, the first of equals."""
    if n > 1 and explores(state, table):
        return any_of(state, n)
    return choose_best(state, table, legal, n, None)
