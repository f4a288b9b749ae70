"""Keeps its HP first: the card that lets least through if its sign loses, moves that negate, healing.

How it thinks. As greedy does, but of a battle card it looks more at what it lets through when its sign loses than at
what it deals when it wins. Defence and the negating of what an attacker adds count more, and so does every HP healed,
in battle and by missions.
"""

from strategies.seer._scoring import FEATURES
from strategies.seer.weighted import choose
from strategies.weights import profile

__all__ = ["OPTIONS", "choose"]
OPTIONS = profile(
    FEATURES,
    {
        "takes": 1.4,
        "negate": 1.5,
        "heal": 1.5,
        "drain": 1.3,
        "deals": 0.9,
    },
)
