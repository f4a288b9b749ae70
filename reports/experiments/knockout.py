"""What a card is worth: one copy replaced by a plain card of the same cost, in the same games.

The knock-out is randomised: whether the copy is drawn, and when, is left to the shuffle, which is the same with the
card and with the plain one. So the difference of the win rates is what the copy does, unlike the win rate of games in
which it was drawn or played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.studies.strongest import by_ladder
from reports.studies.study import Study, load_study
from sim.card_usage import COLUMNS, NUMBERS, count_card_usage, usage_loop
from sim.cards import CardSet, Deck
from sim.counts import PairedCounts
from sim.files.errors import InputError, unknown
from sim.files.toml_file import TomlFile
from sim.game import Game
from sim.plain_cards import is_plain, without_copy
from sim.run import Matchup, Runner, Side
from strategies.strategy import Strategy, load_strategy, strategy_files, strategy_label

USAGE_PAIRS = 2_000  # of each matchup, in which it is noted what is drawn and played

PLAYED, IS_PLAIN, NO_PLAIN, REFUSED = "measured", "is plain", "no plain card", "deck refused"


@dataclass(frozen=True, eq=False)
class Variant:
    """A deck with one copy of a card replaced.

    Attributes
    ----------
    card : Card
        The card.
    status : str
        Whether it is measured, or why not: it is plain itself (worth nothing by definition), the game has no plain card
        for it, or the deck could not be built with one.
    card_set, deck : CardSet, Deck or None
        What is played, if it is measured.
    """

    card: Any
    status: str
    card_set: CardSet | None = None
    deck: Deck | None = None

    @property
    def is_plain(self) -> bool:
        """The card is no other than a plain one: by definition it is worth nothing more."""
        return self.status == IS_PLAIN


@dataclass(frozen=True, eq=False)
class Trial:
    """What became of a card in a deck.

    Attributes
    ----------
    strategy, deck : str
        Labels of who plays both sides and of the deck.
    variant : Variant
        The card, and whether it is measured.
    copies : int
        Copies in the deck.
    comparisons : tuple of PairedCounts
        By opponent, in the order of the study's decks: the deck's scores with the card beside those with the plain one.
    usage_games : int
        Games in which it was noted what was drawn and played.
    usage : int64 array, shape (`sim.card_usage.COLUMNS`,)
        Those in which the card was drawn, the half points in them, those in which it was played, the half points in
        these.
    """

    strategy: str
    deck: str
    variant: Variant
    copies: int
    comparisons: tuple[PairedCounts, ...]
    usage_games: int
    usage: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Knockouts:
    """What a knock-out study has found.

    Attributes
    ----------
    study : Study
        The study, with the strategies that played.
    decks : list of str
        The decks whose cards were replaced, by label.
    trials : list of Trial
        By strategy, deck and id order.
    games : int
        Games played, those in which cards were counted included.
    """

    study: Study
    decks: list[str]
    trials: list[Trial]
    games: int

    @property
    def in_no_deck(self) -> list[Any]:
        """The set's cards that no deck has; supers are none of a deck's cards."""
        held = {trial.variant.card.id for trial in self.trials}
        return [card for card in self.study.card_set.card if card.id not in held]


def check_measurable(game: Game) -> None:
    """Refuse a game whose cards no plain ones measure.

    Raises
    ------
    InputError
        If it has none.
    """
    if game.plain_card is None:
        raise InputError(
            f"{game.name}: has no plain cards (plain_card of its Game), by which a knock-out measures the others"
        )


def knockout_study(
    source: str | Path | TomlFile,
    strategies: Sequence[str] | None = None,
    *,
    pairs: int | None = None,
    seed: int | None = None,
) -> Study:
    """Load a study for a knock-out; it plays all its pairs, whatever rule of stopping or sweep it has.

    Parameters
    ----------
    source : str, Path or TomlFile
        A study file, or the name of a game for its starter study.
    strategies : sequence of str, optional
        Who plays, each on both sides: strategies of the study or of komi. By default the strongest of the study's that
        do not search, by the game's ladder (`reports.studies.strongest.by_ladder`).
    pairs, seed : int, optional
        Instead of the study's.

    Raises
    ------
    InputError
        If something cannot be found or used.
    """
    study = load_study(source, pairs=pairs, seed=seed)
    check_measurable(study.game)
    if "hand" not in study.game.player_fields:
        raise InputError(f"{study.game.name}: its players have no hand, which a knock-out looks into")
    named = dict(zip(study.strategies, study.names["strategies"], strict=True))
    if strategies is None:
        strategies = [by_ladder(study.game, study.strategies, searching=False)]
    if not strategies:
        raise InputError("--strategies: found none, expected at least one")
    chosen: dict[str, Strategy] = {}
    names = []
    for name in strategies:
        label = strategy_label(name)
        if label in chosen:
            raise InputError(f"--strategies: found {label!r} twice, expected each strategy once")
        if label not in named and strategy_files(name):
            raise InputError(
                f"--strategies: found {name!r}, expected strategies of komi; own ones are named in a study file"
            )
        try:
            chosen[label] = study.strategies[label] if label in named else load_strategy(study.game, name)
        except InputError as error:
            raise InputError(f"--strategies: {problem}" for problem in error.problems) from None
        names.append(named.get(label, name))
    return replace(study, until=None, sweep=None, strategies=chosen, names={**study.names, "strategies": names})


def variants(study: Study, label: str) -> list[Variant]:
    """List the cards of a deck in id order, each with the deck that has a plain one in the place of a copy."""
    deck, found = study.decks[label], []
    for card in study.card_set.card:
        if not deck.cards.get(card.id):
            continue
        assert study.game.plain_card is not None
        plain = study.game.plain_card(study.card_set, card)
        if plain is None:
            found.append(Variant(card, NO_PLAIN))
        elif is_plain(card, plain):
            found.append(Variant(card, IS_PLAIN))
        else:
            card_set, changed = without_copy(study.card_set, deck, card, plain)
            refused = study.game.check_deck(card_set, changed, study.rules)
            found.append(Variant(card, REFUSED) if refused else Variant(card, PLAYED, card_set, changed))
    return found


class Knockout:
    """A knock-out that can be played.

    Parameters
    ----------
    study : Study
        Its decks are the field: each deck meets each, itself included, whose side keeps the card.
    decks : sequence of str, optional
        Labels of the decks whose cards are replaced; by default all.

    Attributes
    ----------
    variants : dict of str to list of Variant
        What is asked of each deck.
    runner : Runner
        What plays it.

    Raises
    ------
    InputError
        If the study has no such deck.
    """

    def __init__(self, study: Study, decks: Sequence[str] | None = None):
        decks = list(study.decks) if decks is None else list(dict.fromkeys(decks))
        for label in decks:
            if label not in study.decks:
                raise InputError(f"--decks: {unknown('deck of the study', label, study.decks)}")
        self.study, self.decks = study, decks
        self.variants = {label: variants(study, label) for label in decks}
        self.runner = Runner(
            study.game, study.card_set, study.rules, list(self._matchups()), study.pairs, study.seed, study.knows_decks
        )

    def _matchups(self) -> Iterator[Matchup]:
        """Give the matchups by strategy, deck and opponent; what changes in each are the cards of the deck that are
        measured.
        """
        for label, strategy in self.study.strategies.items():
            pairs = self.study.search_pairs if strategy.searches else None

            def side(name: str, deck: Deck, label: str = label, strategy: Strategy = strategy) -> Side:
                return Side(name, deck, label, strategy.choose, strategy.parameters)

            for name in self.decks:
                for opponent, deck in self.study.decks.items():
                    foe = side(opponent, deck)
                    others = tuple(
                        Matchup(side(name, variant.deck), foe, card_set=variant.card_set)
                        for variant in self.variants[name]
                        if variant.deck is not None
                    )
                    yield Matchup(side(name, self.study.decks[name]), foe, pairs, others=others)

    @property
    def games(self) -> int:
        """How many games there are to play, those in which cards are counted included."""
        return self.runner.games + sum(
            2 * min(self.runner.pairs_of(matchup), USAGE_PAIRS) for matchup in self.runner.matchups
        )

    def prepare(self) -> None:
        """Compile the game loops, so that playing starts at once."""
        self.runner.prepare()
        usage_loop(self.study.game)

    def play(self, jobs: int = -1, progress: Callable[[int], object] | None = None) -> Knockouts:
        """Play.

        Parameters
        ----------
        jobs : int
            Threads; -1 for one a core. Changes no result.
        progress : function, optional
            Called with the number of games of each part that is done.

        Returns
        -------
        Knockouts
            The same for the same study and seed, on any machine.

        Raises
        ------
        InputError
            If a strategy makes an illegal choice.
        """
        matchups = self.runner.matchups
        comparisons = [[PairedCounts.empty() for _ in matchup.others] for matchup in matchups]
        seen = np.zeros((len(matchups), NUMBERS, COLUMNS), np.int64)
        usage_games = [0] * len(matchups)
        games = 0
        for chunk in self.runner.play(jobs):
            for paired, (_, played) in zip(comparisons[chunk.matchup], chunk.others, strict=True):
                paired.add(played)
            games += chunk.games
            if progress is not None:
                progress(chunk.games)
        for part in count_card_usage(self.runner, USAGE_PAIRS, jobs):
            seen[part.matchup] += part.counts[0]
            usage_games[part.matchup] += part.games
            games += part.games
            if progress is not None:
                progress(part.games)
        field, trials = len(self.study.decks), []
        for first in range(0, len(matchups), field):  # of one strategy and deck against all
            a = matchups[first].a
            met = slice(first, first + field)
            numbers = self.study.game.numbers(self.runner.tables(matchups[first])[0], 0, self.study.card_set.ids)
            compared = iter(zip(*comparisons[met], strict=True))
            for variant in self.variants[a.deck_label]:
                met_by = tuple(next(compared)) if variant.status == PLAYED else ()
                counts = seen[met, numbers[variant.card.id]].sum(axis=0)
                copies = a.deck.cards[variant.card.id]
                trials.append(
                    Trial(a.strategy_label, a.deck_label, variant, copies, met_by, sum(usage_games[met]), counts)
                )
        return Knockouts(self.study, self.decks, trials, games)
