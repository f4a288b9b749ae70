"""Attacks Life whenever it can; otherwise does whatever comes first."""

from sim.sea.layout import A_ATTACK_LIFE, KIND_SHIFT
from strategies import kernel


@kernel
def choose(state, table, legal, n):
    for i in range(n):
        if legal[i] >> KIND_SHIFT == A_ATTACK_LIFE:
            return i
    return 0
