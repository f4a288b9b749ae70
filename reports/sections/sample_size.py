"""How many pairs a study plays, in words."""

from __future__ import annotations

from collections.abc import Iterable

from reports.sections.section import plural
from reports.stats.until import Until
from reports.studies.study import Study


def aim(until: Until) -> str:
    """Say until when a matchup is played."""
    if until.half_width is not None:
        return f"an interval of ±{plural(until.half_width, 'point')} for the first seat's win rate"
    errors = f"errors of {until.alpha:g} and {until.beta:g}"
    if until.sprt is not None:
        whose = "the first seat" if until.of == "first seat" else "side A"
        return f"a decision whether {whose} wins {until.sprt[0]:g} % or {until.sprt[1]:g} % ({errors})"
    assert until.elo is not None
    return f"a decision whether side A is worth {until.elo[0]:g} or {until.elo[1]:g} normalized Elo ({errors})"


def sample_size(study: Study, played: Iterable[int] = ()) -> str:
    """Say how many pairs of each matchup a study plays.

    Parameters
    ----------
    study : Study
        The study.
    played : iterable of int
        How many there were of each matchup, if it plays until something is reached.

    Returns
    -------
    str
        ``"10,000 pairs a matchup"``, ``"until an interval of ±1 point for …, at most 5,000 pairs a matchup: 500 to
        1,500 pairs"``.
    """
    if study.until is not None:
        most, found = plural(study.until.max_pairs, "pair"), sorted(played)
        said = f"until {aim(study.until)}, at most {most} a matchup"
        if not found:
            return said
        return (
            f"{said}: {plural(found[-1], 'pair')}"
            if found[0] == found[-1]
            else f"{said}: {found[0]:,} to {plural(found[-1], 'pair')}"
        )
    said = f"{plural(study.pairs, 'pair')} a matchup"
    slow = any(strategy.searches for strategy in study.strategies.values())
    return (
        f"{said}, {study.search_pairs:,} where a strategy searches" if slow and study.search_pairs is not None else said
    )
