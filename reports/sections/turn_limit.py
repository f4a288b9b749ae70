"""How games that were stopped at the limit are told of: they count as draws, which makes any game look fairer than it
is.
"""

from __future__ import annotations

import pandas as pd

from reports.sections.section import percent

MANY_CUT_OFF = 0.02  # share of games stopped at the limit from which it is told with each verdict


def stopped_share(matchups: pd.DataFrame, a: str, b: str) -> float:
    """Give the share of the games of two strategies that were stopped.

    Parameters
    ----------
    matchups : DataFrame
        From `reports.tables.matchups_table`.
    a, b : str
        Labels of the strategies, whichever sits first; ``all`` for all games.
    """
    first, second = matchups["strategy_first"], matchups["strategy_second"]
    rows = matchups if a == "all" else matchups[((first == a) & (second == b)) | ((first == b) & (second == a))]
    return float(rows["turn_limit"].sum() / rows["games"].sum())


def but_stopped(verdict: str, share: float) -> str:
    """Go on after a verdict with the games that were stopped, if they are many.

    Parameters
    ----------
    verdict : str
        The verdict.
    share : float
        Of the games that it rests on, those that were stopped.
    """
    if share <= MANY_CUT_OFF:
        return ""
    said = (
        f"{percent(share)} of {'them' if verdict == 'fair' else 'the games'} were stopped at the limit and count as "
        "draws"
    )
    return f", but only as games were counted: {said}" if verdict == "fair" else f"; {said}"


def counted_as_draws(matchups: pd.DataFrame, strategy: str) -> str:
    """Warn, after a sentence with verdicts on the games between two players of a strategy, of those that were stopped,
    if they are many.
    """
    share = stopped_share(matchups, strategy, strategy)
    if share <= MANY_CUT_OFF:
        return ""
    return f" Beware: {percent(share)} of these games were stopped at the limit and count as draws."
