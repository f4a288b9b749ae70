"""What strategies of every game read: who decides what, and what an action is. The games add their own in
``sim/GAME/reading.py``.

Players are told apart by their seats. What these functions read, the player who decides may know.
"""

from __future__ import annotations

from sim.kernels.bits import ONE, U
from sim.kernels.jit import reading
from sim.kernels.legal import KIND_SHIFT


@reading
def my_seat(state):
    """Give the seat of the player who decides."""
    return U(state["decider"])


@reading
def other_seat(state):
    """Give the seat of the opponent of the player who decides."""
    return ONE - U(state["decider"])


@reading
def decision_of(state):
    """Give what is asked: one of the game's decisions."""
    return state["decision"]


@reading
def turn_of(state):
    """Give the turn or round under way, from 1."""
    return state["turn"]


@reading
def kind_of(action):
    """Give what an action does: one of the game's kinds of actions."""
    return action >> KIND_SHIFT


@reading
def first_of_kind(legal, n, kind):
    """Give the place of the first action of a kind in the legal list; -1 if there is none."""
    for i in range(n):
        if legal[i] >> KIND_SHIFT == kind:
            return i
    return -1


# ------------------------------------------------------------------------- games with a deck beside the life total
# (`sim.kernels.zones`)


@reading
def hand_size_of(state, seat):
    """Give how many cards a player has in hand."""
    return state["players"][seat]["hand_count"]


@reading
def deck_size_of(state, seat):
    """Give how many cards a player has left in the deck."""
    return state["players"][seat]["deck_count"]
