"""Attacks Life with all that is upright once that can win; else the strongest attacks Life, and nothing else happens."""

from sim.sea.reading import card_of, first_of_kind, is_attack_on_life, power_of
from strategies import kernel


@kernel
def choose(state, table, legal, n):
    for i in range(n):
        if is_attack_on_life(legal[i]):
            return i
    return 0
