"""Differences of two means from different games: the unit is the pair in each of them, and the two runs count as
independent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from reports.stats.betting import BetsOnCounts
from reports.stats.distributions import t_isf, t_sf
from reports.stats.estimates import LEVEL, Mean


@dataclass(frozen=True)
class Change:
    """How a mean has changed from one run to another.

    Attributes
    ----------
    before, after : float
        The means.
    low, high : float
        The confidence interval of after - before.
    p_value : float
        The smallest level at which the interval does not hold 0.
    exact : bool
        The interval is the exact one, for few pairs that differ.
    """

    before: float
    after: float
    low: float
    high: float
    p_value: float
    exact: bool

    @property
    def by(self) -> float:
        """The change: after - before."""
        return self.after - self.before


def change(before: Mean, after: Mean, level: float = LEVEL) -> Change:
    """Estimate how a win rate has changed.

    Parameters
    ----------
    before, after : Mean
        Of independent games, over as many matchups.
    level : float
        The interval misses the truth with this probability.

    Returns
    -------
    Change
        With the standard error sqrt(e1^2 + e2^2) of both paired errors and Student's t with the degrees of freedom of
        Welch and Satterthwaite. Where one of the two knows an exact interval only, because too few of its pairs differ,
        the exact one of both (`reports.stats.betting`): the change is twice the mean of the second and of 1 less the
        first, less 1.
    """
    if not before.exact and not after.exact:
        return student(before.rate, before.error, before.degrees, after.rate, after.error, after.degrees, level)
    bets = BetsOnCounts.of(
        [(x, 1 - before.values) for x in before.samples] + [(x, after.values) for x in after.samples]
    )
    low, high = (2 * end - 1 for end in bets.interval(level))
    return Change(before.rate, after.rate, low, high, bets.p_value(0.5), True)


def student(
    before: float,
    error_before: float,
    degrees_before: float,
    after: float,
    error_after: float,
    degrees_after: float,
    level: float = LEVEL,
) -> Change:
    """Estimate how a mean has changed by Student's t, from both means with their standard errors and degrees of
    freedom.

    Parameters
    ----------
    before, error_before, degrees_before, after, error_after, degrees_after : float
        A mean, its standard error and the degrees of freedom of that.
    level : float
        The interval misses the truth with this probability.

    Returns
    -------
    Change
        By Welch's test (1947). Without any error, of games that are all alike, the interval is the difference alone;
        where an error is not known, neither are interval and p-value (nan).
    """
    error = math.hypot(error_before, error_after)
    by = after - before
    if error == 0:
        return Change(before, after, by, by, 1.0 if by == 0 else 0.0, False)
    parts = ((error_before, degrees_before), (error_after, degrees_after))
    degrees = error**4 / sum(e**4 / d for e, d in parts if e > 0) if not math.isnan(error) else math.nan
    reach = t_isf(level / 2, degrees) * error
    return Change(before, after, by - reach, by + reach, 2 * t_sf(abs(by) / error, degrees), False)
