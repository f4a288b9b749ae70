"""As greedy, with the weights that `komi tune` found by playing: what won more games counts more.

How it thinks. As greedy does, but where greedy's weights were set by hand, a player who only minds winning has tried
others over many games and kept those that won more. They stand in a file that comes with komi, `data/tuned.toml`.
"""

from pathlib import Path

from strategies.dino._scoring import FEATURES
from strategies.dino.weighted import choose
from strategies.options import load_weights
from strategies.weights import profile

__all__ = ["OPTIONS", "choose"]
OPTIONS = profile(FEATURES, load_weights(Path(__file__).with_name("data") / "tuned.toml", "dino", tuple(FEATURES)))
