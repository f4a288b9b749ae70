"""How many pairs a study needs, from the variance that a pilot of it finds.

An estimate over k matchups with n pairs each has the standard error sqrt(v / n), where v = (s_1^2 + ... + s_k^2) / k^2
and s_i^2 is the variance of a pair's score in the i-th matchup (`reports.stats.estimates.pooled`). All numbers here
follow from v.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reports.play.results import Results
from reports.stats.distributions import normal_cdf, normal_ppf
from reports.stats.estimates import CONFIDENCE, FEW, FIRST_SEAT, Estimate, Verdict, mean_of_matchups, pooled
from reports.studies.study import Study
from sim.files.errors import InputError
from sim.files.wording import plural
from sim.run import Matchup

MOST_PAIRS = 10**12  # of a matchup, as in a study file
MOST_ROWS = 10
PILOT = 500  # pairs a matchup, if nobody says how many

_Z = normal_ppf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True)
class Goal:
    """What a study is to find out.

    Attributes
    ----------
    half_width : float
        Points to either side of the first seat's win rate that its 95 % interval may reach.
    margin : float
        Points around 50 % that count as fair.
    power : float
        How often the verdict is to be found if it is true.
    """

    half_width: float
    margin: float
    power: float

    def check(self) -> None:
        """Refuse a goal that makes no sense.

        Raises
        ------
        InputError
            With all that is wrong, by option.
        """
        problems = [
            f"--{name}: found {value:g}, expected more than 0 and less than 50"
            for name, value in (("half-width", self.half_width), ("margin", self.margin))
            if not 0 < value < 50
        ]
        if not 0.5 <= self.power < 1:
            problems.append(f"--power: found {self.power:g}, expected at least 0.5 and less than 1")
        if problems:
            raise InputError(problems)


@dataclass(frozen=True)
class Need:
    """How many pairs of each matchup one answer needs; None for more than 10^12.

    Attributes
    ----------
    name : str
        Of the matchup, of the strategy that plays both sides, or ``all``.
    matchups : int
        How many it is pooled over, each with the same weight.
    seat : Estimate
        The first seat's win rate in the pilot.
    half_width_pairs : int or None
        For the half-width. It is what the interval reaches on average; in about half of all studies it is a little
        more.
    verdict : str
        What there is to find if the pilot's estimate is the truth; ``not decided`` if that lies at the margin.
    verdict_pairs : int or None
        To find it with the power asked for.
    even_pairs : int or None
        To find that it is fair if the first seat wins half of the games.
    unsure : bool
        The pilot's interval reaches over an edge of the margin: another verdict than this may be true.
    """

    name: str
    matchups: int
    seat: Estimate
    half_width_pairs: int | None
    verdict: Verdict
    verdict_pairs: int | None
    even_pairs: int | None
    unsure: bool


@dataclass(frozen=True)
class Plan:
    """How many pairs a study needs.

    Attributes
    ----------
    goal : Goal
        For what.
    pooled : list of Need
        Over all matchups, if there are several, and over those of each strategy that plays both sides, if it has
        several.
    matchups : list of Need
        Of each matchup, in the order of the study.
    """

    goal: Goal
    pooled: list[Need]
    matchups: list[Need]


def pilot_study(study: Study, pairs: int) -> Study:
    """Make a study's pilot: its first pairs, of a searching strategy no more than the study plays, without a sweep.

    Parameters
    ----------
    study : Study
        The study.
    pairs : int
        Pairs a matchup.

    Raises
    ------
    InputError
        For fewer than two pairs: one shows no variance.
    """
    if not 2 <= pairs <= MOST_PAIRS:
        raise InputError(f"--pilot: found {pairs}, expected at least 2 and at most 10^12")
    search_pairs = None if study.search_pairs is None else max(min(pairs, study.search_pairs), 2)
    return replace(study, pairs=pairs, search_pairs=search_pairs, until=None, sweep=None)


def planning(results: Results, goal: Goal) -> Plan:
    """Plan a study by what a pilot of it (or the study itself) has found.

    Parameters
    ----------
    results : Results
        The pilot.
    goal : Goal
        What the study is to find out.

    Raises
    ------
    InputError
        If the goal makes no sense, or a matchup has fewer than two pairs.
    """
    goal.check()
    for matchup, counts in zip(results.matchups, results.counts, strict=True):
        if counts.scores.sum() < 2:
            raise InputError(
                f"{results.study.name}: {_named(matchup)}: pairs: found {counts.scores.sum()}, expected at least 2"
            )
    scores = [counts.scores for counts in results.counts]
    groups = {"all": scores} if len(scores) > 1 else {}
    for strategy in results.study.strategies:
        own = [counts.scores for matchup, counts in results.played() if matchup.strategies == (strategy, strategy)]
        if 1 < len(own) < len(scores):
            groups[f"both {strategy}"] = own
    return Plan(
        goal,
        [need(name, samples, goal) for name, samples in groups.items()],
        [need(_named(matchup), [counts.scores], goal) for matchup, counts in results.played()],
    )


def _named(matchup: Matchup) -> str:
    a, b = matchup.a, matchup.b
    if a.strategy_label == b.strategy_label:
        return f"{a.deck_label} - {b.deck_label}, both {a.strategy_label}"
    return f"{a.deck_label}, {a.strategy_label} - {b.deck_label}, {b.strategy_label}"


def need(name: str, samples: Sequence[NDArray[np.int64]], goal: Goal) -> Need:
    """Tell how many pairs of each matchup an answer over some matchups needs.

    Parameters
    ----------
    name : str
        Of the answer.
    samples : sequence of int64 arrays, shape (3, 3)
        The nine counts of each matchup's pairs in the pilot, at least two pairs each.
    goal : Goal
        What is to be found out.
    """
    seat = pooled(samples)
    variance = _variance(samples)
    distance, margin = abs(seat.rate - 0.5), goal.margin / 100
    gap = margin - distance
    verdict: Verdict = "favours first" if seat.rate > 0.5 else "favours second"
    if gap >= 0:
        verdict = "fair"
        found = pairs_for_fair(variance, margin, goal.power, distance)
    else:
        found = pairs_for_unfair(variance, margin, goal.power, distance)
    found = _and(found, lambda: _pairs_for_interval(samples, variance, abs(gap)))
    if found is None:
        verdict = "not decided"
    return Need(
        name,
        len(samples),
        seat,
        _pairs_for_interval(samples, variance, goal.half_width / 100),
        verdict,
        found,
        _and(pairs_for_fair(variance, margin, goal.power), lambda: _pairs_for_interval(samples, variance, margin)),
        any(seat.low < edge < seat.high for edge in (0.5 - margin, 0.5 + margin)),
    )


def pairs_for_half_width(variance: float, half_width: float) -> int | None:
    """Give the pairs after which a 95 % interval reaches so far to either side: (z / half-width)^2 v, and two or three
    more for Student's t, whose square is z^2 (1 + (z^2 + 1) / (2 pairs)) to the first order.

    Parameters
    ----------
    variance : float
        v, of a pair's score.
    half_width : float
        A fraction, at least 0.

    Returns
    -------
    int or None
        At least 2; None for more than 10^12.
    """
    return _whole(variance * (_Z / half_width) ** 2 + (_Z**2 + 1) / 2) if half_width > 0 else None


def pairs_for_unfair(variance: float, margin: float, power: float, distance: float) -> int | None:
    """Give the pairs after which the whole 95 % interval lies beyond the margin with some power.

    ((z_0.975 + z_power) / (distance - margin))^2 v, the test of superiority by a margin (Chow, Shao and Wang 2008,
    Sample Size Calculations in Clinical Research, 4.1.2).

    Parameters
    ----------
    variance : float
        v, of a pair's score.
    margin, distance : float
        Fractions from 1/2: of the margin, and of the true win rate, which lies farther out.
    power : float
        At least 1/2.

    Returns
    -------
    int or None
        None for more than 10^12.
    """
    return _whole(variance * ((_Z + normal_ppf(power)) / (distance - margin)) ** 2) if distance > margin else None


def fair_power(variance: float, margin: float, pairs: int, distance: float = 0.0) -> float:
    """Tell how often the whole 95 % interval lies within the margin: the power of the two one-sided tests (Schuirmann
    1987).

    Phi((margin - distance) / e - z) + Phi((margin + distance) / e - z) - 1 with the standard error e = sqrt(v / pairs),
    at least 0.

    Parameters
    ----------
    variance : float
        v, of a pair's score; above 0.
    margin, distance : float
        Fractions from 1/2: of the margin, and of the true win rate.
    pairs : int
        Of each matchup.
    """
    error = math.sqrt(variance / pairs)
    return max(normal_cdf((margin - distance) / error - _Z) + normal_cdf((margin + distance) / error - _Z) - 1, 0.0)


def pairs_for_fair(variance: float, margin: float, power: float, distance: float = 0.0) -> int | None:
    """Give the fewest pairs with which `fair_power` is at least a given power; the true win rate lies within the
    margin.

    Returns
    -------
    int or None
        None for more than 10^12.
    """
    if distance >= margin:
        return None
    return _first(2, lambda pairs: variance == 0 or fair_power(variance, margin, pairs, distance) >= power)


def _variance(samples: Sequence[NDArray[np.int64]]) -> float:
    """Give v: what the variance of the mean over matchups is for one pair of each."""
    variances = [
        np.average((FIRST_SEAT - np.average(FIRST_SEAT, weights=n)) ** 2, weights=n) * n.sum() / (n.sum() - 1)
        for n in samples
    ]
    return float(sum(variances)) / len(samples) ** 2


def _pairs_for_interval(samples: Sequence[NDArray[np.int64]], variance: float, half_width: float) -> int | None:
    """Give `pairs_for_half_width`, or where so few pairs differ that the interval is exact, the pairs which make that
    so narrow.
    """
    least = pairs_for_half_width(variance, half_width)
    if least is None or not mean_of_matchups(_scaled(samples, least), FIRST_SEAT, CONFIDENCE)[3]:
        return least

    def is_narrow(pairs: int) -> bool:
        rate, low, high, _ = mean_of_matchups(_scaled(samples, pairs), FIRST_SEAT, CONFIDENCE)
        return max(rate - low, high - rate) <= half_width

    return _first(least, is_narrow)


def _scaled(samples: Sequence[NDArray[np.int64]], pairs: int) -> list[NDArray[np.int64]]:
    """Give so many pairs to each matchup, of the kinds that there were in the pilot."""
    upto = [np.floor(np.cumsum(n) / n.sum() * pairs + 0.5).astype(np.int64) for n in samples]
    return [np.diff(ends, prepend=0).reshape(3, 3) for ends in upto]


def _and(pairs: int | None, other: Callable[[], int | None]) -> int | None:
    """Give the larger of two numbers, or None if one is None."""
    second = None if pairs is None else other()
    return None if pairs is None or second is None else max(pairs, second)


def _first(least: int, is_enough: Callable[[int], bool]) -> int | None:
    """Find by bisection the first number from which on something holds; None if that is not so at 10^12."""
    above = least
    while not is_enough(above):
        if above == MOST_PAIRS:
            return None
        least, above = above + 1, min(2 * above, MOST_PAIRS)
    while least < above:
        middle = (least + above) // 2
        least, above = (least, middle) if is_enough(middle) else (middle + 1, above)
    return above


def _whole(pairs: float) -> int | None:
    return max(math.ceil(pairs), 2) if pairs <= MOST_PAIRS else None


def lines(plan: Plan, results: Results, seconds: float | None = None) -> Iterator[str]:
    """Say what a plan comes to.

    Parameters
    ----------
    plan : Plan
        The plan.
    results : Results
        The pilot that it rests on.
    seconds : float, optional
        How long the pilot took on this machine.

    Yields
    ------
    str
        A line for each answer that is pooled and for the matchups that need most; then how many pairs the study needs,
        how long it would take, and what to be careful with.
    """
    games = sum(int(counts.outcomes.sum()) for counts in results.counts)
    speed = games / seconds if seconds else None
    yield f"The pilot: {plural(games, 'game')}" + (f", {speed:,.0f} a second." if speed else ".")
    yield ""
    yield from _rows(plan)
    yield ""
    yield from _sentences(plan, speed)
    if len({int(counts.scores.sum()) for counts in results.counts}) > 1:
        yield (
            "The pilot played fewer pairs where a strategy searches; with as many there as elsewhere it takes longer "
            "than that."
        )


def _rows(plan: Plan) -> Iterator[str]:
    reach = f"± {plan.goal.half_width:g}"
    rows = [
        (
            "pairs a matchup for",
            "first seat wins (95 % interval)",
            reach,
            "verdict, if as in the pilot",
            "fair, if even",
        )
    ]
    for n in _shown(plan):
        rate = (
            f"{100 * n.seat.rate:5.1f} % ({100 * n.seat.low:.1f} to "
            f"{100 * n.seat.high:.1f}){' *' if n.seat.exact else ''}"
        )
        found = f"{n.verdict} {n.verdict_pairs:,}" if n.verdict_pairs is not None else "at the margin: none"
        rows.append((n.name, rate, _number(n.half_width_pairs), found, _number(n.even_pairs)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, rate, *numbers in rows:
        yield "  ".join(
            [
                f"{name:{widths[0]}}",
                f"{rate:{widths[1]}}",
                *(f"{n:>{w}}" for n, w in zip(numbers, widths[2:], strict=True)),
            ]
        )
    if len(plan.matchups) > MOST_ROWS:
        yield f"and {len(plan.matchups) - MOST_ROWS} more, of which none needs more for {reach}"


def _shown(plan: Plan) -> list[Need]:
    """List what has a row: the pooled answers, and the matchups that need most."""
    return [*plan.pooled, *sorted(plan.matchups, key=lambda n: -(n.half_width_pairs or math.inf))[:MOST_ROWS]]


def _sentences(plan: Plan, speed: float | None) -> Iterator[str]:
    goal, matchups = plan.goal, plan.matchups
    reach, test = f"± {plural(goal.half_width, 'point')}", f"margin ± {goal.margin:g}, power {100 * goal.power:g} %"
    answers = [(f"{reach} over all matchups", plan.pooled[0].half_width_pairs)] if plan.pooled else []
    answers.append((f"{reach} in every matchup", _most(n.half_width_pairs for n in matchups)))
    found = [n.verdict_pairs for n in matchups if n.verdict_pairs is not None]
    where = "every matchup" if len(found) == len(matchups) else f"{len(found)} of {plural(len(matchups), 'matchup')}"
    if found:
        answers.append((f"A verdict in {where} ({test}), if as in the pilot", _most(found)))
    answers.append((f"Fair in every matchup ({test}), if all are even", _most(n.even_pairs for n in matchups)))
    for answer, pairs in answers:
        games = 2 * len(matchups) * pairs if pairs is not None else 0
        cost = (
            f"{plural(pairs, 'pair')} each, {plural(games, 'game')}"
            if pairs is not None
            else f"more than {MOST_PAIRS:,} pairs each"
        )
        yield f"{answer}: {cost}{f', about {duration(games / speed)} on this machine' if speed and games else ''}."
    star = " (*)" if any(n.seat.exact for n in _shown(plan)) else ""
    cautions = [
        (
            len(matchups) - len(found),
            "the estimate lies at the edge of the margin, where no number of pairs finds a verdict.",
        ),
        (
            sum(n.unsure for n in matchups),
            "the pilot's interval reaches over an edge of the margin, so another verdict may be true.",
        ),
        (
            sum(n.seat.exact for n in matchups),
            f"fewer than {FEW} pairs of the pilot differ{star}: the numbers are rough.",
        ),
    ]
    for number, caution in cautions:
        if number:
            yield f"In {number} of {plural(len(matchups), 'matchup')} {caution}"
    if any(number for number, _ in cautions):
        yield "A longer pilot tells more."


def _most(pairs: Iterable[int | None]) -> int | None:
    known = list(pairs)
    return None if None in known else max(n for n in known if n is not None)


def _number(pairs: int | None) -> str:
    return f"{pairs:,}" if pairs is not None else "too many"


def duration(seconds: float) -> str:
    """Say a time in words, in the largest unit of which there are two: ``90 seconds``, ``36 hours``."""
    units = [("year", 365 * 86400), ("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)]
    name, length = next(((name, length) for name, length in units if seconds >= 2 * length), units[-1])
    count = max(round(seconds / length), 1)
    return plural(count, name)
