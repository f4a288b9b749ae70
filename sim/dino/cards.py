"""Dino: what card files, deck files and rule options may say (D1, D7), and how they become arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from sim.cards import Card, CardSet, Deck, Rules, beyond_engine, no_word_twice, too_many, unique, unknown_ids
from sim.dino import layout as L
from sim.files.errors import Problem
from sim.files.toml import FileModel
from sim.files.wording import plural
from sim.plain_cards import line, named_plain

MOST = 10_000  # of any count among the options
Value = Annotated[int, Field(ge=0, le=L.MAX_VALUE)]
ByLevel = Annotated[list[Value], Field(min_length=L.LEVELS, max_length=L.LEVELS)]
Keyword = Literal["haste", "block", "mutual", "hunt", "no_attack"]

# The targets that an effect may have, the default first (D7).
ON_DINO = ("enemy", "own", "this", "all_enemy", "all_own", "attacker")
ON_VALUE = ("own", "this", "enemy", "all_own", "all_enemy", "attacker")
TARGETS: dict[str, tuple[str, ...]] = {
    "damage": ("opponent", "self"), "heal": ("self", "opponent"), "draw": ("self", "opponent"),
    "discard": ("opponent", "self"), "pp_max": ("self", "opponent"), "pp": ("self",), "level": ON_DINO,
    "level_to": ON_DINO, "rest": ON_DINO, "awaken": ON_DINO, "freeze": ON_DINO, "destroy": ON_DINO, "bounce": ON_DINO,
    "fight": ON_VALUE, "direct": ON_VALUE, "grant": ("own", "this"), "cost": ("self", "opponent"), "recover": (),
    "revive": (),
}  # fmt: skip
AURA_TARGETS = {"fight": ("other_own", "this"), "direct": ("other_own", "this"), "cost": TARGETS["cost"]}
COUNTED = ("damage", "heal", "draw", "discard", "pp", "level_to")  # n is at least 1
SIGNED = ("pp_max", "level", "fight", "direct", "cost")  # n is anything but 0
CHOSEN = ("own", "enemy")


class Ability(FileModel):
    """One ability of a card (D7)."""

    when: Literal["on_summon", "on_attack", "on_win", "on_death", "aura", "spell"] = Field(
        description="what sets it off (D7)"
    )
    do: Literal[
        "damage", "heal", "draw", "discard", "pp_max", "pp", "level", "level_to", "rest", "awaken", "freeze", "destroy",
        "bounce", "fight", "direct", "grant", "cost", "recover", "revive",
    ] = Field(description="its effect (D7)")  # fmt: skip
    n: int = Field(
        1, ge=-L.MAX_VALUE, le=L.MAX_VALUE, description="how much; below 0 where the effect allows it (D7.11)"
    )
    target: (
        Literal["opponent", "self", "enemy", "own", "this", "all_enemy", "all_own", "attacker", "other_own"] | None
    ) = Field(None, description="whom it touches; without it the first that its effect lists (D7)")
    max_fight: Value | None = Field(None, description="the strongest dino that destroy may hit (D7)")
    max_cost: Value | None = Field(None, description="the dearest dino that revive may summon (D7)")
    keyword: Keyword | None = Field(None, description="what grant gives (D7)")
    optional: bool = Field(False, description="its owner may decline, where a target is chosen (D7.11)")
    text: str = Field("", description="the printed name or wording, for people")

    @property
    def touches(self) -> str:
        """The target, given or by default; ``""`` for an effect that has none."""
        targets = self.targets
        return self.target or (targets[0] if targets else "")

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets that it may have, the default first."""
        return AURA_TARGETS.get(self.do, ()) if self.when == "aura" else TARGETS[self.do]

    @model_validator(mode="after")
    def _keys_fit(self) -> Ability:
        given = self.model_fields_set
        do = self.do
        if self.when == "aura" and do not in AURA_TARGETS:
            raise ValueError(f"found {do!r} in an aura, expected 'cost', 'fight' or 'direct' (D7.11)")
        if do == "cost" and self.when != "aura":
            raise ValueError(f"found when = {self.when!r} with 'cost', expected 'aura' (D7.11)")
        if "target" in given and self.target not in self.targets:
            listed = " or ".join(map(repr, self.targets))
            raise ValueError(f"found target = {self.target!r} with {do!r}, expected {listed or 'none'} (D7, D7.11)")
        if self.touches == "attacker" and self.when != "spell":
            raise ValueError("found target = 'attacker', expected it in spells only (D7.11)")
        if self.touches == "this" and self.when in ("spell", "on_death"):
            raise ValueError(
                f"found target = 'this' with when = {self.when!r}, expected it while the dino is on the field (D7.11)"
            )
        if "n" in given and do not in (*COUNTED, *SIGNED):
            raise ValueError(f"found n with {do!r}, which has none (D7.11)")
        if do in COUNTED and self.n < 1:
            raise ValueError(f"found n = {self.n} with {do!r}, expected at least 1 (D7.11)")
        if do in SIGNED and self.n == 0:
            raise ValueError(f"found n = 0 with {do!r}, expected anything else (D7.11)")
        if do == "level_to" and self.n > L.LEVELS:
            raise ValueError(f"found n = {self.n} with 'level_to', expected 1 to {L.LEVELS} (D7)")
        for key, effect in (("max_fight", "destroy"), ("max_cost", "revive"), ("keyword", "grant")):
            if key in given and do != effect:
                raise ValueError(f"found {key} with {do!r}, expected it with {effect!r} only (D7.11)")
        if do == "grant" and self.keyword is None:
            raise ValueError(f"the key 'keyword' is missing: one of {', '.join(L.KEYWORDS)} (D7.11)")
        if "optional" in given and do not in ("recover", "revive") and self.touches not in CHOSEN:
            raise ValueError("found optional, expected it only where a target is chosen (D7.11)")
        return self


class DinoCard(Card):
    """A card: a dino or a spell (D1.2, D1.4)."""

    kind: Literal["dino", "spell"] = Field(description="a dino fights, a spell is used once (D1.2)")
    cost: Value = Field(description="PP to summon or use it (D4.1)")
    fight: ByLevel | None = Field(None, description="a dino's strength in battle at Lv.1, 2, 3 (D1.2)")
    direct: ByLevel | None = Field(None, description="a dino's damage to life at Lv.1, 2, 3 (D1.2)")
    keywords: Annotated[list[Keyword], AfterValidator(no_word_twice)] = Field(
        [], description="what a dino can do besides (D7)"
    )
    ability: list[Ability] = Field([], description="what it does, in this order; a spell has at least one (D7)")

    @model_validator(mode="after")
    def _kind_fits(self) -> DinoCard:
        is_spell = self.kind == "spell"
        for key in ("fight", "direct"):
            if not is_spell and getattr(self, key) is None:
                raise ValueError(f"the key {key!r} is missing: [Lv.1, Lv.2, Lv.3] (D1.2)")
        for key in ("fight", "direct", "keywords"):
            if is_spell and key in self.model_fields_set:
                raise ValueError(f"found {key} with a spell, which has only a cost and abilities (D1.4)")
        if is_spell and not self.ability:
            raise ValueError("found a spell without an ability, expected at least one (D1.4)")
        for ability in self.ability:
            if (ability.when == "spell") != is_spell:
                expected = "'spell'" if is_spell else "'on_summon', 'on_attack', 'on_win', 'on_death' or 'aura'"
                raise ValueError(f"found when = {ability.when!r} with a {self.kind}, expected {expected} (D7.11)")
        return self


class DinoSet(CardSet):
    """A set of cards."""

    game: Literal["dino"]
    card: Annotated[list[DinoCard], AfterValidator(unique)]


class DinoDeck(Deck):
    """A deck (D1.3)."""

    game: Literal["dino"]


class DinoRules(Rules):
    """The rule options; the clause that names each is in its description."""

    deck_size: int = Field(40, ge=1, le=L.MAX_DECK, description="cards in a deck (D1.3)")
    copies: int = Field(3, ge=1, le=MOST, description="most copies of one card in a deck (D1.3)")
    life: int = Field(20, ge=1, le=MOST, description="life at the start (D2.1)")
    opening_hand: int = Field(2, ge=0, le=MOST, description="cards drawn in the setup; fewer than the deck has (D2.2)")
    mulligan: bool = Field(True, description="a player may put back and redraw opening cards (D2.2)")
    pp_cap: int = Field(15, ge=0, le=MOST, description="the highest PP maximum (D3.2)")
    second_first_pp: int = Field(2, ge=0, le=MOST, description="PP maximum of the second player's first turn (D3.4)")
    second_first_draw: int = Field(3, ge=0, le=MOST, description="cards drawn in the second player's first turn (D3.4)")
    first_first_draw: int = Field(1, ge=0, le=MOST, description="cards drawn in the first player's first turn (D3.4)")
    counter_spells: bool = Field(True, description="the defender may use spells after an attack is declared (D6.3)")
    life_cap: bool = Field(True, description="healing stops at the starting life (D7)")
    max_turns: int = Field(200, ge=1, le=MOST, description="turns of both players after which a game is stopped (D8.4)")
    max_decisions: int = Field(
        500, ge=1, le=MOST, description="decisions of a turn, one more than which stops the game (D8.5)"
    )

    @model_validator(mode="after")
    def _setup_fits(self) -> DinoRules:
        if self.deck_size <= self.opening_hand:
            raise ValueError(
                f"found deck_size = {self.deck_size}, expected more than opening_hand = {self.opening_hand} (D1.3)"
            )
        if self.mulligan and self.opening_hand > L.MAX_MULLIGAN:
            found = f"found opening_hand = {self.opening_hand} with a mulligan"
            raise ValueError(
                f"{found}, expected at most {L.MAX_MULLIGAN} (the engine's limit for sets of cards to put back)"
            )
        return self


def check_deck(card_set: DinoSet, deck: Deck, rules: DinoRules) -> list[Problem]:
    """Say in which ways a deck breaks the construction rule (D1.3).

    Parameters
    ----------
    card_set : DinoSet
        The cards.
    deck : Deck
        The deck.
    rules : DinoRules
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
                f"found {plural(deck.size, 'card')}, expected exactly {rules.deck_size} (D1.3, deck_size)", ("cards",)
            )
        )
    problems += too_many(((id, n, f"of {id!r}") for id, n in deck.cards.items()), rules.copies, "D1.3, copies")
    held = [card for card in card_set.card if deck.cards.get(card.id)]
    return [*problems, *beyond_engine(held, L.MAX_ABILITIES, L.MAX_KINDS)]


def plain_card(card_set: DinoSet, card: DinoCard) -> DinoCard | None:
    """Make the plain dino of the same cost, without keywords and abilities, for a spell, too; None in a set without
    dinos.

    Its body is what the set gives for that cost: for each level the line through the ``fight``, and the ``direct``, of
    all dinos.
    """
    dinos = [dino for dino in card_set.card if dino.fight is not None and dino.direct is not None]
    if not dinos:
        return None

    def at_level(values: Callable[[DinoCard], Any]) -> list[int]:
        points = [[(dino.cost, values(dino)[level]) for dino in dinos] for level in range(L.LEVELS)]
        return [line(level, card.cost, least=0, most=L.MAX_VALUE) for level in points]

    fight, direct = at_level(lambda dino: dino.fight), at_level(lambda dino: dino.direct)
    return DinoCard(**named_plain(card_set, card), kind="dino", cost=card.cost, fight=fight, direct=direct)


def encode_deck(record: Any, card_set: DinoSet, deck: Deck) -> None:
    """Fill the record of a deck with its cards by kind and their abilities as rows."""
    row = size = 0
    held = [(place, card) for place, card in enumerate(card_set.card) if deck.cards.get(card.id)]
    for kind, (place, card) in enumerate(held):
        copies = deck.cards[card.id]
        entry = record["cards"][kind]
        entry["id"], entry["cost"] = place, card.cost
        if card.kind == "dino":
            entry["fight"][1:], entry["direct"][1:] = card.fight, card.direct
        for keyword, name in enumerate(L.KEYWORDS):
            if name in card.keywords:
                entry["keywords"] |= np.uint64(1 << L.KEYWORD_BITS * keyword)
        for ability in card.ability:
            if ability.when == "aura":
                _encode_aura(entry, ability)
        for when, name in enumerate(L.WHENS):
            entry["abilities"][when] = row
            for ability in card.ability:
                if ability.when == name:
                    record["abilities"][row] = _encoded(ability)
                    row += 1
        entry["abilities"][len(L.WHENS)] = row
        record["dinos" if card.kind == "dino" else "spells"] |= np.uint64(1 << kind)
        if any(ability.touches == "attacker" for ability in card.ability):
            record["counters"] |= np.uint64(1 << kind)
        record["afford"][card.cost :] |= np.uint64(1 << kind)
        record["pile"][size : size + copies] = kind
        size += copies
    record["size"], record["kinds"] = size, len(held)


def _encode_aura(entry: Any, ability: Ability) -> None:
    """Add what an aura gives to the card's sums: to all own dinos, to this one beside that, to spells' costs (D7.9)."""
    if ability.do == "cost":
        entry[f"cost_{ability.touches}"] += ability.n
    elif ability.touches == "this":
        entry[f"own_{ability.do}"] += ability.n
    else:  # other_own: all but this one
        entry[f"aura_{ability.do}"] += ability.n
        entry[f"own_{ability.do}"] -= ability.n


def _encoded(ability: Ability) -> tuple[int, ...]:
    limit = ability.max_cost if ability.do == "revive" else ability.max_fight
    return (
        L.EFFECTS.index(ability.do),
        ability.n,
        L.TARGETS.index(ability.touches or "none"),
        -1 if limit is None else limit,
        L.KEYWORDS.index(ability.keyword) if ability.keyword else 0,
        ability.optional,
    )
