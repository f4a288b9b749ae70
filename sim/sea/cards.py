"""Sea: what card files, deck files and rule options may say (S1, S5.4), and how they become arrays."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from sim.cards import Card, CardSet, Deck, Rules, beyond_engine, no_word_twice, too_many, unique, unknown_ids
from sim.files.errors import Problem
from sim.files.toml import FileModel
from sim.files.wording import plural
from sim.plain_cards import named_plain
from sim.sea import layout as L

Power = Annotated[int, Field(ge=1, le=L.MAX_POWER)]
MOST = 10_000  # of any count among the options, so that lengths can be counted


class Ability(FileModel):
    """One ability of a card (S5.4)."""

    when: Literal["active", "skill", "trap"] = Field(
        description="what sets it off: a deployment, an action, damage to Life (S5)"
    )
    do: Literal[
        "attack_life", "attack_card", "sink", "sink_attacker", "rest", "ready", "bounce", "recall", "recall_self",
        "draw", "heal", "mill", "support", "discard",
    ] = Field(description="its effect (S5)")  # fmt: skip
    n: int = Field(1, ge=0, le=99, description="how much or how often (S5.4, S5.5)")
    max_power: Power = Field(L.MAX_POWER, description="the strongest card that sink may choose (S5.4)")
    pierce: bool = Field(False, description="its attacks cannot be guarded (S4.7)")
    optional: bool = Field(False, description="its owner may decline; not with a skill (S5.4)")
    text: str = Field("", description="the printed name or wording, for people")

    @model_validator(mode="after")
    def _keys_fit(self) -> Ability:
        given = self.model_fields_set
        if self.do in ("attack_life", "attack_card") and self.when != "skill":
            raise ValueError(f"found when = {self.when!r} with {self.do!r}, expected 'skill' (S5)")
        if self.do in ("sink_attacker", "recall_self") and self.when != "trap":
            raise ValueError(f"found when = {self.when!r} with {self.do!r}, expected 'trap' (S5)")
        if self.do in ("sink_attacker", "recall_self") and "n" in given:
            raise ValueError(f"found n with {self.do!r}, which has none (S5.4)")
        if self.n < 1 and self.do != "attack_card":
            raise ValueError(f"found n = {self.n} with {self.do!r}, expected at least 1 (S5.4)")
        if "max_power" in given and self.do != "sink":
            raise ValueError(f"found max_power with {self.do!r}, expected it with 'sink' only (S5.4)")
        if "pierce" in given and self.do not in ("attack_life", "attack_card"):
            raise ValueError(
                f"found pierce with {self.do!r}, expected it with 'attack_life' and 'attack_card' only (S5.4)"
            )
        if "optional" in given and self.when == "skill":
            raise ValueError("found optional with a skill: using it is a choice already (S5.4)")
        return self


class SeaCard(Card):
    """A card (S1.2)."""

    power: Power = Field(description="what it costs to deploy and how strong it is in battle (S1.2)")
    keywords: Annotated[list[Literal["guard", "compel", "pierce"]], AfterValidator(no_word_twice)] = Field(
        [], description="what it can do besides (S4.5 to S4.7)"
    )
    ability: list[Ability] = Field([], description="what it does, in this order (S5)")


class SeaSet(CardSet):
    """A set of cards."""

    game: Literal["sea"]
    card: Annotated[list[SeaCard], AfterValidator(unique)]


class SeaDeck(Deck):
    """A deck (S1.3)."""

    game: Literal["sea"]


class SeaRules(Rules):
    """The rule options; the clause that names each is in its description."""

    deck_size: int = Field(16, ge=1, le=L.MAX_DECK, description="cards in a deck (S1.3)")
    copies: int = Field(3, ge=1, le=MOST, description="most cards of one name in a deck (S1.3)")
    opening_hand: int = Field(6, ge=0, le=MOST, description="cards drawn in the setup (S2.1)")
    draw_count: int = Field(1, ge=0, le=MOST, description="cards that a draw takes; 0: no draw step (S3.2)")
    draw_optional: bool = Field(True, description="a player may decline to draw (S3.2)")
    supports_per_turn: int = Field(1, ge=0, le=MOST, description="hand cards that may go to Friends in a turn (S3.3)")
    act_rests: bool = Field(True, description="a card that acts becomes rested (S3.6)")
    first_turn_action: bool = Field(False, description="the first player's first turn has an Action step (S3.7)")
    guard_rests: bool = Field(True, description="a card that guards becomes rested (S4.5)")
    guard_scope: Literal["life", "any"] = Field("life", description="which attacks can be guarded (S4.5)")
    compel: Literal["must_attack", "target"] = Field(
        "must_attack", description="what the keyword compel demands (S4.6)"
    )
    max_turns: int = Field(200, ge=1, le=MOST, description="turns of both players after which a game is stopped (S6.3)")


def check_deck(card_set: SeaSet, deck: Deck, rules: SeaRules) -> list[Problem]:
    """Say in which ways a deck breaks the construction rule (S1.3).

    Parameters
    ----------
    card_set : SeaSet
        The cards.
    deck : Deck
        The deck.
    rules : SeaRules
        The options ``deck_size`` and ``copies`` count.

    Returns
    -------
    list of Problem
        One line a problem; empty if the deck can be played.
    """
    problems = unknown_ids(card_set, deck)
    if deck.size != rules.deck_size:
        problems.append(
            Problem(
                f"found {plural(deck.size, 'card')}, expected exactly {rules.deck_size} (S1.3, deck_size)", ("cards",)
            )
        )
    names = {card.id: card.name for card in card_set.card}
    copies: Counter[str] = Counter()
    last: dict[str, str] = {}  # the last card of each name
    for id, n in deck.cards.items():
        copies[names.get(id, id)] += n
        last[names.get(id, id)] = id
    problems += too_many(
        ((last[name], n, f"cards of the name {name!r}") for name, n in copies.items()), rules.copies, "S1.3, copies"
    )
    held = [card for card in card_set.card if deck.cards.get(card.id)]
    return [*problems, *beyond_engine(held, L.MAX_ABILITIES)]


def plain_card(card_set: SeaSet, card: SeaCard) -> SeaCard:
    """Make the plain card of the same power, which is cost and strength: no keywords, no abilities."""
    return SeaCard(**named_plain(card_set, card), power=card.power)


def encode_deck(record: Any, card_set: SeaSet, deck: Deck) -> None:
    """Fill the record of a deck with its cards by slot and their abilities as rows."""
    row = slot = 0
    for place, card in enumerate(card_set.card):
        copies = deck.cards.get(card.id, 0)
        if not copies:
            continue
        group = np.uint64(((1 << copies) - 1) << slot)
        entry = record["cards"][slot]
        entry["group"], entry["id"], entry["power"] = group, place, card.power
        for keyword in L.KEYWORDS:
            entry[keyword] = keyword in card.keywords
        for when, name in enumerate(L.WHENS):
            entry["abilities"][when] = row
            for ability in card.ability:
                if ability.when == name:
                    record["abilities"][row] = (
                        when, L.EFFECTS.index(ability.do), ability.n, ability.max_power, ability.pierce,
                        ability.optional,
                    )  # fmt: skip
                    row += 1
        entry["abilities"][len(L.WHENS)] = row
        record["first"] |= np.uint64(1 << slot)
        record["afford"][card.power :] |= group
        record["pile"][slot : slot + copies] = slot
        slot += copies
    record["size"] = slot
