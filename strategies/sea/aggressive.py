"""Goes for Life first: attacks it whenever it can, spares no guard for home, trades little.

How it thinks. As greedy does, but a card of the opponent's Life counts half as much again, so a trade has to be a good
one to come before an attack on Life. It fears a guard in the way less, and lets its own cards with guard attack when
Life is short, too. Cards that force the way, by compel or past the guards by pierce, it deploys sooner.
"""

from strategies.sea._scoring import FEATURES
from strategies.sea.weighted import choose
from strategies.weights import profile

__all__ = ["OPTIONS", "choose"]
OPTIONS = profile(
    FEATURES,
    {
        "life_damage": 1.5,
        "guard_risk": 0.7,
        "stay_upright": 0.3,
        "compel": 1.5,
        "pierce": 2.0,
    },
)
