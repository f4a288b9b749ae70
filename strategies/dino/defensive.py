"""Holds the field first: keeps blockers awake and PP for counter-spells, attacks when it is safe.

How it thinks. As greedy does, but its own life counts half as much again, so it blocks and heals sooner. Keywords make
a dino worth more, above all blocking; an attacker that would lie rested before a stronger dino stays, and so does a
blocker while life is short. PP for a good counter-spell are kept against more that it could cast.
"""

from strategies.dino._scoring import FEATURES
from strategies.dino.weighted import choose
from strategies.weights import profile

__all__ = ["OPTIONS", "choose"]
OPTIONS = profile(
    FEATURES,
    {
        "own_life": 1.5,
        "stay_upright": 2.0,
        "exposure": 1.3,
        "keywords": 1.5,
        "trade_gain": 1.2,
        "counter": 1.3,
    },
)
