"""Plays for cards and tempo: PP early, levels, effects that win a turn; a card is spent when it brings more than a
card.

How it thinks. As greedy does, but a card in hand counts more, so that a spell or a copy has to bring more before it is
spent. It likes what gives PP for the turns to come, what destroys, rests or freezes opposing dinos and awakens its own,
battles that win a dino and the level with it.
"""

from strategies.dino._scoring import FEATURES
from strategies.dino.weighted import choose
from strategies.weights import profile

__all__ = ["OPTIONS", "choose"]
OPTIONS = profile(
    FEATURES,
    {
        "cards": 1.5,
        "ramp": 2.0,
        "tempo": 2.0,
        "removal": 1.4,
        "counter": 1.3,
        "level": 1.3,
        "trade_gain": 1.3,
    },
)
