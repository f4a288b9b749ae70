"""A determinized deck: what games share that take an opponent's unseen cards to be like the own deck's."""

from __future__ import annotations

from sim.kernels.bits import U
from sim.kernels.jit import inner

DROPPED = -1  # there is no room for the abilities of the own deck


@inner
def lend_abilities(own, rows, deck, used):
    """Copy the ability rows of the own deck behind all others of a determinized one, which uses so many; gives how far
    they are shifted.
    """
    shift = len(deck["abilities"]) - rows
    if used > shift:
        return DROPPED
    for row in range(rows):
        deck["abilities"][U(shift + row)] = own["abilities"][U(row)]
    return shift


@inner
def shift_abilities(card, shift):
    """Let a card copied from the own deck have its lent abilities, or none if they were dropped."""
    for when in range(len(card["abilities"])):
        card["abilities"][when] = 0 if shift == DROPPED else card["abilities"][when] + shift
