"""Plays for cards and beans: spends what brings some back, evolves on time, keeps spirits for the field.

How it thinks. As greedy does, but cards and beans count more than the HP of one battle: it plays what draws or gives
beans, takes them from the opponent, and does not throw a spirit into a battle. It leads what most of its moves fit and
what can evolve, and evolves soon.
"""

from strategies.seer._scoring import FEATURES
from strategies.seer.weighted import choose
from strategies.weights import profile

__all__ = ["OPTIONS", "choose"]
OPTIONS = profile(
    FEATURES,
    {
        "cards": 2.5,
        "beans": 2.0,
        "stages": 1.4,
        "fitting": 1.3,
        "evolve": 0.7,
    },
)
