"""Holds the Sea first: guards, keeps its guards upright, clears what can attack; Life is attacked when there is nothing
to clear.

How it thinks. As greedy does, but a card with guard is worth far more to it, in deploying as in trading, and is not
sent to attack while Life is short. It takes good trades before the opponent's Life, guards sooner than greedy, and
draws no card that would cost it the Life that it needs.
"""

from strategies.sea._scoring import FEATURES
from strategies.sea.weighted import choose
from strategies.weights import profile

__all__ = ["OPTIONS", "choose"]
OPTIONS = profile(
    FEATURES,
    {
        "own_life": 1.5,
        "stay_upright": 2.0,
        "guard": 2.5,
        "compel": 1.5,
        "trade_gain": 1.4,
        "life_damage": 0.7,
    },
)
