"""Plays for cards: draws more, trades one for more than one, supports with what it has twice and keeps what it can
play.

How it thinks. As greedy does, but cards are what it counts: it fills its hand even out of a short Life, sinks and
discards what the opponent has, takes the trades that gain and shuns those that lose. Life is attacked when no card is
to be had.
"""

from strategies.sea._scoring import FEATURES
from strategies.sea.weighted import choose
from strategies.weights import profile

__all__ = ["OPTIONS", "choose"]
OPTIONS = profile(
    FEATURES,
    {
        "draw": 2.0,
        "discard": 1.3,
        "removal": 1.5,
        "trade_gain": 1.3,
        "trade_loss": 1.2,
        "spare_copies": 1.3,
        "playable": 1.5,
    },
)
