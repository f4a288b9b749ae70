"""Strategies: what plays. A strategy is a file with one compiled function ``choose(state, table, legal, n)``."""

from sim.kernels.jit import kernel
from strategies.strategy import Strategy, load_strategy, strategy_names

__all__ = ["Strategy", "kernel", "load_strategy", "strategy_names"]
