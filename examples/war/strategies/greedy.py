"""Leads its highest card; answers with the lowest that is higher, or else with its lowest."""

from sim.kernels.bits import U
from sim.kernels.legal import LAST_MASK
from strategies import kernel

from ..rules import ANSWER, value_played


@kernel
def choose(state, table, legal, n):
    if state["decision"] != ANSWER:
        return n - 1
    seat = U(state["decider"])
    to_beat = value_played(state["players"][1 - seat], table["decks"][1 - seat])
    for i in range(n):
        if table["decks"][seat]["cards"][legal[i] & LAST_MASK]["value"] > to_beat:
            return i
    return 0
