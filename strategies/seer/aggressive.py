"""Hits first: the card that deals most if its sign wins, spirits of high attack, missions that damage.

How it thinks. As greedy does, but of a battle card it looks more at what it deals when its sign wins than at what it
lets through when it loses. It leads and evolves to what attacks hard, and takes damage by effects over healing.
"""

from strategies.seer._scoring import FEATURES
from strategies.seer.weighted import choose
from strategies.weights import profile

__all__ = ["OPTIONS", "choose"]
OPTIONS = profile(
    FEATURES,
    {
        "deals": 1.4,
        "takes": 0.7,
        "attack": 1.3,
        "damage": 1.5,
    },
)
