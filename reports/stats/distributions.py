"""Student's t and the normal distribution: those of `scipy.stats`, which takes long to load, by what it rests on."""

from __future__ import annotations

from scipy import special


def t_sf(x: float, degrees: float) -> float:
    """Give the probability that Student's t is above ``x``."""
    return float(special.stdtr(degrees, -x))


def t_isf(probability: float, degrees: float) -> float:
    """Give the value that Student's t exceeds with a probability."""
    return float(-special.stdtrit(degrees, probability))


def normal_cdf(x: float) -> float:
    """Give the probability that a standard normal number is at most ``x``."""
    return float(special.ndtr(x))


def normal_ppf(probability: float) -> float:
    """Give the value that a standard normal number does not exceed with a probability."""
    return float(special.ndtri(probability))
