"""The parts of a knock-out's report: the cards of the set ranked, and each deck card by card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from reports.experiments.knockout import NO_PLAIN, PLAYED, REFUSED, USAGE_PAIRS, Knockouts
from reports.sections.section import Row, Section, number, percent, plural
from reports.stats.estimates import LEVEL
from reports.tables.knockout import IN_LINE, NOT_DECIDED, TOO_STRONG, TOO_WEAK
from sim.files.wording import listed
from sim.game import Game

NAMED = 3  # cards that are named at each end


def knockout_sections(knockouts: Knockouts, tables: dict[str, pd.DataFrame], pictures: list[str]) -> list[Section]:
    """Say what a knock-out has found.

    Parameters
    ----------
    knockouts : Knockouts
        What was found.
    tables : dict of str to DataFrame
        ``cards`` and ``ranking``, see `reports.tables.knockout`.
    pictures : list of str
        The names of the pictures that there are.
    """
    return [_set(knockouts, tables["ranking"], pictures), _decks(knockouts, tables["cards"])]


def lines(ranking: pd.DataFrame) -> Iterator[str]:
    """Say for the terminal which cards are the strongest and the weakest, a line each."""
    for strategy, group in ranking.groupby("strategy", sort=False) if len(ranking) else ():
        yield from _ends(str(strategy), group.to_dict("records"))


def _where(game: Game) -> str:
    return f"docs/{game.name}.md" if game.home is None else "its game"


def _set(knockouts: Knockouts, ranking: pd.DataFrame, pictures: list[str]) -> Section:
    """Rank the cards of the set."""
    study = knockouts.study
    sentences = [
        "A card's worth here is the deck's win rate against the field of the study's decks less the one with a plain "
        "card of the same cost "
        f"in the place of one copy, in the same games from the same shuffles; {_where(study.game)} says what a "
        "plain card is. It is "
        "worth that to these players in these decks: who plays it badly makes it look weak.",
        f"Both sides are played by {listed(list(study.strategies))}; without --strategies it is the study's strongest "
        "by the game's ladder "
        "that does not search. komi knockout --strategies NAME asks another player.",
    ]
    rows: list[Row] = []
    for strategy, group in ranking.groupby("strategy", sort=False) if len(ranking) else ():
        ranked = group.to_dict("records")
        sentences += _ends(str(strategy), ranked)
        sentences += _without_effect(str(strategy), ranked)
        sentences += _verdicts(str(strategy), ranked, study.margin)
        rows += [
            {
                "strategy": str(strategy),
                "rank": str(row["rank"]),
                "card": f"{row['name']} ({row['en']})",
                "decks": str(row["decks"]),
                "a copy is worth": points(row["effect"]),
                "95 % interval": f"{points(row['effect_low'])} to {points(row['effect_high'])}",
                "p (Holm)": p_value(row["p_holm"]),
                "verdict (all together)": str(row["verdict_holm"]),
            }
            for row in ranked
        ]
    sentences += _not_measured(knockouts)
    return Section("What is too strong, what is too weak?", sentences, list(rows[0]) if rows else [], rows, pictures)


def _ends(strategy: str, ranked: list[dict[Any, Any]]) -> Iterator[str]:
    """Name the strongest cards and the weakest."""
    if not ranked:
        return
    best = _without_ties(ranked[:NAMED], ranked)
    if best:
        yield f"Played by {strategy}, the strongest: {'; '.join(map(_worth, best))}."
    worst = _without_ties(ranked[::-1][: min(NAMED, max(len(ranked) - NAMED, 0))], ranked)
    if worst:
        yield f"Played by {strategy}, the weakest: {'; '.join(map(_worth, worst))}."
    nothing = [row["en"] for row in ranked if row["effect"] == 0]
    if len(nothing) > 1:
        yield (
            f"Played by {strategy}, {plural(len(nothing), 'card')} are worth exactly 0.0 points: {', '.join(nothing)}."
        )
    losing = [row for row in ranked if row["effect"] < 0 and row["p_holm"] < LEVEL]
    if losing:
        names = ", ".join(row["en"] for row in losing[::-1])
        yield (
            f"Played by {strategy}, {plural(len(losing), 'card')} would better be plain: {names} (Holm's p below "
            f"{LEVEL:g})."
        )


def _without_ties(named: list[dict[Any, Any]], ranked: list[dict[Any, Any]]) -> list[dict[Any, Any]]:
    """Leave out cards that are worth exactly nothing where several are: none of them is stronger or weaker than
    another.
    """
    several = sum(row["effect"] == 0 for row in ranked) > 1
    return [row for row in named if not (several and row["effect"] == 0)]


def _without_effect(strategy: str, ranked: list[dict[Any, Any]]) -> Iterator[str]:
    """Name the cards that made no difference at all: most likely the players do not use what they can do."""
    names = [row["en"] for row in ranked if row["pairs"] and not row["differing_pairs"]]
    if names:
        yield (
            f"Played by {strategy}, no pair came out differently with a plain card for: {', '.join(names)}. Does "
            f"{strategy} use them?"
        )


def _worth(row: dict[Any, Any]) -> str:
    if not row["pairs"]:
        return f"{row['en']} (is a plain card)"
    decks = plural(row["decks"], "deck")
    return (
        f"{row['en']} {points(row['effect'])} points ({points(row['effect_low'])} to {points(row['effect_high'])}; "
        f"{decks})"
    )


def _verdicts(strategy: str, ranked: list[dict[Any, Any]], margin: float) -> Iterator[str]:
    """Judge against the middle of the set."""
    found = {
        word: [row["en"] for row in ranked if row["verdict_holm"] == word]
        for word in (TOO_STRONG, TOO_WEAK, IN_LINE, NOT_DECIDED)
    }
    told = "; ".join(
        f"{word}: {', '.join(names)}" for word, names in found.items() if names and word in (TOO_STRONG, TOO_WEAK)
    )
    counted = ", ".join(f"{len(names)} {word}" for word, names in found.items() if names)
    together = f" (all {len(ranked)} together hold at 95 %, by Holm's correction)" if len(ranked) > 1 else ""
    yield (
        f"Played by {strategy}, the middle one of these cards is worth {points(ranked[0]['median'])} points a copy; "
        "against your margin of "
        f"{plural(margin, 'point')} around it: {counted}{together}.{f' By that, {told}.' if told else ''}"
    )


def _not_measured(knockouts: Knockouts) -> Iterator[str]:
    """Name the cards about which nothing can be said, and those about which nothing need be."""
    in_deck = {trial.variant.card.id: trial.variant for trial in knockouts.trials}
    plain = [variant.card.en for variant in in_deck.values() if variant.is_plain]
    if plain:
        yield f"Plain cards themselves, worth 0 by definition and not played: {', '.join(plain)}."
    for status, why in (
        (NO_PLAIN, "for which the set gives no plain card"),
        (REFUSED, "whose deck could not be built with one kind more"),
    ):
        names = [variant.card.en for variant in in_deck.values() if variant.status == status]
        if names:
            yield f"Not measured, cards {why}: {', '.join(names)}."
    if knockouts.in_no_deck:
        names = [card.en for card in knockouts.in_no_deck]
        yield (
            f"Not measured, since none of the decks has {'it' if len(names) == 1 else 'them'} among its cards: "
            f"{', '.join(names)}."
        )


def _decks(knockouts: Knockouts, cards: pd.DataFrame) -> Section:
    """Tell each deck card by card, with what was observed."""
    measured = cards[cards["status"] == PLAYED]
    sentences = [
        f"{plural(len(measured), 'difference')} were tested together: p-values are adjusted by Holm's method for that "
        "number.",
        "The last two columns are observed, not caused: the deck's win rate in games in which the card was ever in "
        "hand, or was played "
        "from it. They are biased towards long games, in which every card is seen, and towards games that were going "
        "well enough to play "
        f"it; they rest on the first {plural(USAGE_PAIRS, 'pair')} of each matchup (or all). Balance by the first "
        "columns.",
    ]
    for (strategy, _), group in measured.groupby(["strategy", "deck"], sort=False):
        in_order = group.sort_values("effect", ascending=False, kind="stable").to_dict("records")
        best, worst = in_order[0], in_order[-1]
        sentences.append(f"{_in_deck(best, strategy)}: the strongest of the deck.")
        if best["card"] != worst["card"]:
            sentences.append(f"{_in_deck(worst, strategy)}: the weakest of the deck.")
    rows = [
        {
            "strategy": row["strategy"],
            "deck": row["deck"],
            "card": f"{row['name']} ({row['en']})",
            "copies": str(row["copies"]),
            "a copy is worth": points(row["effect"]),
            "95 % interval": _interval(row),
            "p (Holm)": p_value(row["p_holm"]),
            "wins when drawn (observed)": _rate(row["drawn_win_rate"]),
            "wins when played (observed)": _rate(row["played_win_rate"]),
        }
        for row in cards.to_dict("records")
    ]
    return Section("What is each card worth in its deck?", sentences, list(rows[0]), rows, [])


def _in_deck(row: dict[Any, Any], strategy: Any) -> str:
    clear = "" if row["p_holm"] < LEVEL else ", not told from 0"
    worth = f"{points(row['effect'])} points ({_interval(row)}{clear})"
    return f"{row['en']} in {row['deck']}, played by {strategy}: {worth} over a plain card of the same cost"


def _interval(row: dict[Any, Any]) -> str:
    if row["status"] == PLAYED:
        return f"{points(row['effect_low'])} to {points(row['effect_high'])}"
    return str(row["status"])


def points(effect: float) -> str:
    """Write an effect in points with a sign, and a minus that is one; nothing for what is not known."""
    if pd.isna(effect):
        return "–"
    return number(100 * effect, 1, sign=True)


def p_value(p: float) -> str:
    """Write a p-value; nothing for what was not tested."""
    return "–" if pd.isna(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _rate(rate: float) -> str:
    return "–" if pd.isna(rate) else percent(rate)
