"""Tables of the metagame: which decks would be played, which beat each other in a circle."""

from __future__ import annotations

import pandas as pd

from reports.play.results import Results
from reports.stats.estimates import strength
from reports.stats.metagame import cycles, metagame
from sim.counts import other_side


def metagame_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy that plays both sides and deck: its share of the equilibrium of choosing decks (see
    `reports.stats.metagame`).

    Returns
    -------
    DataFrame
        ``share`` with its interval; ``played``: in how many of the resampled studies the deck is part of the
        equilibrium; ``win_*``: win rate against the equilibrium; ``worse_than``: a deck that does better against every
        deck, empty if there is none; ``clearly``: the intervals say so, too. Without decks that met the table is empty.
    """
    rows, decks = [], results.study.decks
    for strategy in results.study.strategies:
        met = results.decks_met(strategy)
        if not met:
            continue
        found = metagame(len(decks), met)
        for i, (label, deck) in enumerate(decks.items()):
            better = int(found.worse_than[i])
            rows.append(
                {
                    "game": results.study.game.name,
                    "strategy": strategy,
                    "deck": label,
                    "name": deck.name,
                    "share": float(found.shares[i]),
                    "share_low": float(found.share_low[i]),
                    "share_high": float(found.share_high[i]),
                    "played": float(found.played[i]),
                    "win_rate": float(found.win_rates[i]),
                    "win_low": float(found.win_low[i]),
                    "win_high": float(found.win_high[i]),
                    "worse_than": list(decks)[better] if better >= 0 else "",
                    "clearly": bool(found.clearly[i]),
                }
            )
    return pd.DataFrame(rows)


def cycles_table(results: Results) -> pd.DataFrame:
    """Make one row per strategy and circle of three decks: A beats B, B beats C, C beats A, each clearly (see
    `reports.stats.metagame.cycles`).

    Returns
    -------
    DataFrame
        With each of the three win rates; the circles whose narrowest win is widest come first. Empty if there are none.
    """
    rows, decks = [], list(results.study.decks)
    for strategy in results.study.strategies:
        met = results.decks_met(strategy)
        both = {**met, **{(j, i): other_side(scores) for (i, j), scores in met.items()}}
        for a, b, c in cycles(len(decks), met):
            rows.append(
                {
                    "game": results.study.game.name,
                    "strategy": strategy,
                    "deck_a": decks[a],
                    "deck_b": decks[b],
                    "deck_c": decks[c],
                    **strength(both[a, b]).columns("a_beats_b"),
                    **strength(both[b, c]).columns("b_beats_c"),
                    **strength(both[c, a]).columns("c_beats_a"),
                }
            )
    return pd.DataFrame(rows)
