"""Goes for life first: dinos with much direct, attacks past the opposing dinos, little care for what lies rested after.

How it thinks. As greedy does, but damage to life counts almost twice and direct more than fight, in what it summons and
what it destroys. It does not mind much that its attackers lie rested before stronger dinos, and attacks with its
blockers, too.
"""

from strategies.dino._scoring import FEATURES
from strategies.dino.weighted import choose
from strategies.weights import profile

__all__ = ["OPTIONS", "choose"]
OPTIONS = profile(
    FEATURES,
    {
        "life_damage": 1.8,
        "direct": 1.5,
        "exposure": 0.4,
        "stay_upright": 0.0,
    },
)
