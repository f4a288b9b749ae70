"""Players with a profile: they weigh the features of their game's evaluation each in their own way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sim.kernels.jit import inner
from strategies.options import Option, Weights


@inner(forceinline=True)
def weight(weights, feature):
    """Give the weight of a feature; without weights (None, a type of its own, so that nothing is left to multiply) it
    is 1.
    """
    if weights is None:
        return 1.0
    return weights[feature]


def profile(features: Iterable[str], weights: Mapping[str, float]) -> tuple[Option, ...]:
    """Make the options of a strategy that gives these features these weights and all others 1, if no file says
    otherwise.
    """
    return (
        Weights(
            "file", "weights of its features; see `komi list features`", {**dict.fromkeys(features, 1.0), **weights}
        ),
    )
