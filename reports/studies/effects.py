"""What the parameters of a sweep do: main effects by least squares, ranked.

An additive model is fitted to what was found at the points of the design: a constant, and for each parameter a term for
each of its values, or in a hypercube one straight line for a parameter whose values are numbers. In a grid, whose
points are all combinations, a parameter's terms are the means over all points that have the value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.stats.distributions import t_isf
from reports.stats.estimates import LEVEL
from reports.studies.sweep import HYPERCUBE, Parameter, Sweep

ROUNDING = 1e-11  # differences of what was found up to which are none, relative to what was found


@dataclass(frozen=True, eq=False)
class Effect:
    """A contrast of what was found at the points of a design: how much it changes from one value of a parameter to
    another.

    Attributes
    ----------
    parameter : Parameter
        What is varied.
    lowest, highest : object
        The values at which the fit is lowest and highest; the first and the last if it is the same at all.
    weights : float array, shape (points,)
        The effect is the sum of what was found, times these; they add up to 0.
    effect : float
        The fit at the highest value less that at the lowest.
    share : float
        Of the variance over the points, what the model explains less without the parameter; nan if nothing varies.
    explained : float
        What the model explains of it, all parameters together (R squared).
    comparisons : int
        Pairs of values among which these two were chosen.
    error, degrees : float
        Of a hypercube, the standard error by what the model leaves unexplained, and its degrees of freedom; nan without
        any left.
    """

    parameter: Parameter
    lowest: Any
    highest: Any
    weights: NDArray[np.float64]
    effect: float
    share: float
    explained: float
    comparisons: int
    error: float
    degrees: int

    @property
    def level(self) -> float:
        """The level of each comparison, so that all of them together hold at 95 % (Bonferroni)."""
        return LEVEL / self.comparisons

    def residual_interval(self) -> tuple[float, float]:
        """Give Student's interval by what the model leaves unexplained."""
        if math.isnan(self.error):
            return math.nan, math.nan
        reach = t_isf(self.level / 2, self.degrees) * self.error
        return self.effect - reach, self.effect + reach


def effects(sweep: Sweep, points: Sequence[Sequence[Any]], found: Sequence[float]) -> list[Effect]:
    """Measure what each parameter does.

    Parameters
    ----------
    sweep : Sweep
        The sweep.
    points : sequence of sequences
        The values of its parameters at the points of its design, as tables write them.
    found : sequence of float
        What was found at each point.

    Returns
    -------
    list of Effect
        The largest first. Empty if the points are too few to tell the parameters apart.
    """
    y = np.asarray(found, np.float64)
    terms = [_terms(sweep, parameter, [point[i] for point in points]) for i, parameter in enumerate(sweep.parameters)]
    columns = [np.ones((len(y), 1)), *(matrix for matrix, _ in terms)]
    x = np.hstack(columns)
    n, p = x.shape
    if np.linalg.matrix_rank(x) < p:
        return []
    inverse = np.linalg.pinv(x)
    left = _residual(x, y)
    degrees = n - p
    variance = left / degrees if degrees > 0 and sweep.design == HYPERCUBE else math.nan
    rounding = ROUNDING * max(float(abs(y).max()), 1.0)
    total = float(((y - y.mean()) ** 2).sum()) if np.ptp(y) > rounding else 0.0
    measured, at = [], 1
    for i, (parameter, (matrix, values)) in enumerate(zip(sweep.parameters, terms, strict=True)):
        own = inverse[at : at + matrix.shape[1]]
        fits = _fits(own, values, is_line=_is_line(sweep, parameter))
        at += matrix.shape[1]
        heights = fits @ y
        low, high = int(heights.argmin()), int(heights.argmax())
        if heights[high] - heights[low] <= rounding:
            low, high = 0, len(values) - 1
        weights = fits[high] - fits[low]
        without = _residual(np.hstack([column for j, column in enumerate(columns) if j != i + 1]), y)
        measured.append(
            Effect(
                parameter,
                values[low],
                values[high],
                weights,
                effect if (effect := float(weights @ y)) > rounding else 0.0,
                max(without - left, 0.0) / total if total > 0 else math.nan,
                1 - left / total if total > 0 else math.nan,
                1 if _is_line(sweep, parameter) else max(math.comb(len(values), 2), 1),
                math.sqrt(variance * float(weights @ weights)),
                degrees,
            )
        )
    return sorted(measured, key=lambda one: -one.effect)


def _is_line(sweep: Sweep, parameter: Parameter) -> bool:
    return sweep.design == HYPERCUBE and parameter.is_number


def _terms(sweep: Sweep, parameter: Parameter, values: list[Any]) -> tuple[NDArray[np.float64], list[Any]]:
    """Give the columns of a parameter in the model, and the values whose fits are compared: the ends of a line, or all
    that occur.
    """
    if _is_line(sweep, parameter):
        return np.array(values, np.float64)[:, None], [min(values), max(values)]
    occurring = [value for value in dict.fromkeys(parameter.shown) if value in values]
    return np.array([[value == other for other in occurring[1:]] for value in values], np.float64).reshape(
        len(values), -1
    ), occurring


def _fits(own: NDArray[np.float64], values: list[Any], *, is_line: bool) -> NDArray[np.float64]:
    """Give the fit at each of the compared values, as weights of what was found; the first value of several is 0."""
    if is_line:
        return np.array([value * own[0] for value in values])
    return np.vstack([np.zeros((1, own.shape[1])), own])


def _residual(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Give the sum of squares that a linear model leaves."""
    return float(((y - x @ np.linalg.lstsq(x, y, rcond=None)[0]) ** 2).sum())
