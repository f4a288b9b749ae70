"""Seer: what card files, deck files and rule options may say (E1, E7), and how they become arrays."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from sim.cards import Card, CardSet, Counts, Deck, Name, Rules, beyond_engine, too_many, unique, unknown_ids
from sim.files.errors import Problem, nearest
from sim.files.toml import FileModel
from sim.files.wording import plural
from sim.plain_cards import line, named_plain
from sim.seer import layout as L

MOST = 10_000  # of any count among the options
MOST_HP = 1_000_000
Value = Annotated[int, Field(ge=0, le=L.MAX_VALUE)]
Cost = Annotated[int, Field(ge=0, le=L.MAX_COST)]

WITHOUT_N = ("double", "negate", "drain", "summon_super")
IN_BATTLE = (
    "attack",
    "defence",
    "double",
    "negate",
    "drain",
    "heal",
    "damage",
    "draw",
    "discard",
    "bean",
    "steal_bean",
)
AS_REWARD = ("heal", "damage", "draw", "discard", "bean", "steal_bean", "summon_super")

# The keys of each kind of card beside those that every card has: needed, and allowed (E1.7).
KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "spirit": (("sign", "stage", "line", "element", "attack", "slots"), ("support_attack", "support_defence")),
    "super": (("stage", "element", "attack", "slots"), ("sign", "line", "support_attack", "support_defence")),
    "move": (("sign", "element", "slots", "attack", "defence"), ("ability",)),
    "item": (("sign", "cost", "ability"), ()),
    "mission": (("cost", "ability"), ("sign",)),
}


class Ability(FileModel):
    """One ability of a card (E7)."""

    when: Literal["battle", "reward"] = Field(
        description="in a battle (moves, items) or when a mission is executed (E7)"
    )
    do: Literal[
        "attack", "defence", "double", "negate", "drain", "heal", "damage", "draw", "discard", "bean", "steal_bean",
        "summon_super"
    ] = Field(description="its effect (E7)")  # fmt: skip
    n: int = Field(1, ge=1, le=L.MAX_VALUE, description="how much (E7)")
    role: Literal["any", "attacker", "defender"] = Field(
        "any", description="as what its owner must be in the battle (E5.11)"
    )
    text: str = Field("", description="the printed name or wording, for people")

    @model_validator(mode="after")
    def _keys_fit(self) -> Ability:
        allowed = IN_BATTLE if self.when == "battle" else AS_REWARD
        if self.do not in allowed:
            raise ValueError(
                f"found {self.do!r} with when = {self.when!r}, expected one of {', '.join(allowed)} (E7.1)"
            )
        if "role" in self.model_fields_set and self.when == "reward":
            raise ValueError("found role with a reward, expected it in battles only (E7.1)")
        if "n" in self.model_fields_set and self.do in WITHOUT_N:
            raise ValueError(f"found n with {self.do!r}, which has none (E7.1)")
        return self


class Attack(FileModel):
    """A spirit's attack by the sign of the battle card (E1.3)."""

    rock: Value
    scissors: Value
    paper: Value


AttackOrValue = Annotated[
    Annotated[Value, Tag("number")] | Annotated[Attack, Tag("by sign")],
    Discriminator(lambda value: "by sign" if isinstance(value, dict | Attack) else "number"),
]


class SeerCard(Card):
    """A card: a spirit, a move, an item or a mission (E1.2 to E1.4, E1.7)."""

    kind: Literal["spirit", "move", "item", "mission"] = Field(
        description="what it is; E1.7 says which keys each kind has (E1.2)"
    )
    bean: bool = Field(False, description="the bean mark: it goes to the beans after its battle (E6.1)")
    sign: Literal["rock", "scissors", "paper"] | None = Field(
        None, description="decides who attacks; not a mission's or a super's (E5.2)"
    )
    stage: Literal["basic", "middle", "high", "super"] | None = Field(None, description="a spirit's (E1.3)")
    line: Name | None = Field(None, description="a spirit's line: it evolves within it (E4.1)")
    element: Name | None = Field(None, description="a spirit's, and of moves, which need a spirit of it (E5.3)")
    attack: AttackOrValue | None = Field(
        None, description="a spirit's by the sign of its battle card, a move's as one number (E5.7)"
    )
    defence: Value | None = Field(None, description="a move's, if its owner defends (E5.3)")
    slots: list[Name] | None = Field(
        None, description="what a spirit has and a move needs, each as often as listed (E5.3)"
    )
    support_attack: Value = Field(0, description="what a spirit gives as an attacker's battle card (E5.4)")
    support_defence: Value = Field(0, description="what a spirit gives as a defender's battle card (E5.4)")
    cost: Cost | None = Field(None, description="beans to pay for an item or a mission (E5.5, E6.2)")
    ability: list[Ability] = Field(
        [], max_length=L.MAX_ON_CARD, description="what it does, in this order; a spirit has none (E7)"
    )

    @property
    def sort(self) -> str:
        """Its kind, with supers apart from other spirits."""
        return "super" if self.kind == "spirit" and self.stage == "super" else self.kind

    @property
    def is_basic(self) -> bool:
        """It is a basic spirit."""
        return self.stage == "basic"

    @model_validator(mode="after")
    def _kind_fits(self) -> SeerCard:
        needed, allowed = KEYS[self.sort]
        given = self.model_fields_set - set(Card.model_fields) - {"kind", "bean"}
        for key in needed:
            if key not in given or (key == "ability" and not self.ability):
                what = "at least one ability is missing" if key == "ability" else f"the key {key!r} is missing"
                raise ValueError(f"{what}: {_a(self.sort)} needs {', '.join(needed)} (E1.7)")
        for key in sorted(given):
            if key not in needed and key not in allowed:
                raise ValueError(f"found {key} with {_a(self.sort)}, expected {', '.join((*needed, *allowed))} (E1.7)")
        if (self.kind == "spirit") != isinstance(self.attack, Attack) and self.attack is not None:
            expected = "{ rock, scissors, paper }" if self.kind == "spirit" else "a number"
            raise ValueError(f"found another attack than {_a(self.kind)} has, expected {expected} (E1.3, E1.4)")
        wanted = "reward" if self.kind == "mission" else "battle"
        for ability in self.ability:
            if ability.when != wanted:
                raise ValueError(f"found when = {ability.when!r} with {_a(self.kind)}, expected {wanted!r} (E7)")
        return self


class SeerSet(CardSet):
    """A set of cards."""

    game: Literal["seer"]
    card: Annotated[list[SeerCard], AfterValidator(unique)]


class SeerDeck(Deck):
    """A deck and its supers (E1.5)."""

    game: Literal["seer"]
    supers: Counts = {}


class SeerRules(Rules):
    """The rule options; the clause that names each is in its description."""

    deck_min: int = Field(30, ge=0, le=L.MAX_DECK, description="fewest cards in a deck (E1.5)")
    deck_max: int = Field(50, ge=L.PICKED, le=L.MAX_DECK, description="most cards in a deck (E1.5)")
    copies: int = Field(
        3, ge=1, le=MOST, description="most copies of one card in a deck, of one super among the supers (E1.5)"
    )
    max_supers: int = Field(5, ge=0, le=L.MAX_DECK, description="most supers (E1.5)")
    hp: int = Field(2000, ge=1, le=MOST_HP, description="HP at the start (E2.1)")
    exchange: bool = Field(True, description="a player may exchange the drawn cards of the opening hand (E2.3)")
    hand_size: int = Field(6, ge=0, le=MOST, description="cards up to which a hand is filled in the draw phase (E3.1)")
    first_order: Literal["fixed", "alternate"] = Field("fixed", description="who is first in a round (E4.3)")
    sign_attack: Literal["any", "move"] = Field(
        "any", description="battle cards with which the active spirit's attack counts (E5.7)"
    )
    missions_per_round: int = Field(
        0, ge=0, le=MOST, description="missions that a player may execute in a round; 0: no limit (E6.2)"
    )
    hp_cap: bool = Field(True, description="healing stops at the HP at the start (E7)")
    max_turns: int = Field(200, ge=1, le=MOST, description="rounds after which a game is stopped (E8.2)")

    @model_validator(mode="after")
    def _sizes_fit(self) -> SeerRules:
        if self.deck_min > self.deck_max:
            raise ValueError(f"found deck_min = {self.deck_min}, expected at most deck_max = {self.deck_max} (E1.5)")
        return self


def _a(word: str) -> str:
    """Put the article before a word."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def check_deck(card_set: SeerSet, deck: Deck, rules: SeerRules) -> list[Problem]:
    """Say in which ways a deck breaks the construction rule (E1.5).

    Parameters
    ----------
    card_set : SeerSet
        The cards.
    deck : SeerDeck
        The deck.
    rules : SeerRules
        The options ``deck_min``, ``deck_max``, ``copies`` and ``max_supers`` count.

    Returns
    -------
    list of Problem
        One line a problem; empty if the deck can be played.
    """
    assert isinstance(deck, SeerDeck)
    problems = [*unknown_ids(card_set, deck), *unknown_ids(card_set, deck, "supers")]
    sorts = {card.id: card.sort for card in card_set.card}
    supers = [id for id, sort in sorts.items() if sort == "super"]
    for id, n in deck.cards.items():
        if n and sorts.get(id) == "super":
            problems.append(
                Problem(f"found the super {id!r} among the cards, expected it under [supers] (E1.7)", ("cards", id))
            )
    for id, n in deck.supers.items():
        if n and sorts.get(id, "super") != "super":
            told = f"found {id!r} among the supers, expected supers only{nearest(id, supers)} (E1.7)"
            problems.append(Problem(told, ("supers", id)))
    if not rules.deck_min <= deck.size <= rules.deck_max:
        told = (
            f"found {plural(deck.size, 'card')}, expected {rules.deck_min} to {rules.deck_max} (E1.5, deck_min, "
            "deck_max)"
        )
        problems.append(Problem(told, ("cards",)))
    for part, counts in (("cards", deck.cards), ("supers", deck.supers)):
        problems += too_many(((id, n, f"of {id!r}") for id, n in counts.items()), rules.copies, "E1.5, copies", part)
    basics = sum(deck.cards.get(card.id, 0) for card in card_set.card if card.is_basic)
    if basics < L.PICKED:
        problems.append(
            Problem(f"found {plural(basics, 'basic spirit')}, expected at least {L.PICKED} (E1.5)", ("cards",))
        )
    count = sum(deck.supers.values())
    if count > rules.max_supers:
        told = f"found {plural(count, 'super')}, expected at most {rules.max_supers} (E1.5, max_supers)"
        problems.append(Problem(told, ("supers",)))
    held = [card for card in card_set.card if deck.cards.get(card.id) or deck.supers.get(card.id)]
    return [*problems, *beyond_engine(held, L.MAX_ABILITIES, L.MAX_KINDS)]


def plain_card(card_set: SeerSet, card: SeerCard) -> SeerCard | None:
    """Make the plain card of the same kind, sign, bean mark and cost.

    Its numbers are what the set gives: lines through its spirits by stage and through its moves by slots, of which a
    bean counts as much as one. A spirit keeps stage, line, element and slots and attacks with every sign alike; a move
    keeps element and slots and has no abilities; an item attacks and defends as a plain move with as many slots as it
    costs beans, a mission does as much damage as that attacks. None for a super, which is no card of the deck, and in a
    set without moves for items and missions.
    """
    kept = card.model_dump(
        exclude_unset=True, exclude={"ability", "attack", "defence", "support_attack", "support_defence"}
    )
    kept |= named_plain(card_set, card)
    moves = [move for move in card_set.card if move.kind == "move"]
    if card.sort == "super" or (card.kind != "spirit" and not moves):
        return None
    if card.kind == "spirit":
        attack, support_attack, support_defence = _plain_spirit(card_set, card)
        by_sign = dict.fromkeys(L.SIGNS, attack)
        return SeerCard(
            **kept, attack=Attack(**by_sign), support_attack=support_attack, support_defence=support_defence
        )
    at = len(card.slots or ()) if card.kind == "move" else card.cost or 0
    least = 0 if card.kind == "move" else 1  # the n of an ability is at least 1
    attack, defence = (
        line([(len(move.slots or ()), getattr(move, key)) for move in moves], at, least=least, most=L.MAX_VALUE)
        for key in ("attack", "defence")
    )
    if card.kind == "move":
        return SeerCard(**kept, attack=attack, defence=defence)
    if card.kind == "mission":
        kept["ability"] = [{"when": "reward", "do": "damage", "n": attack}]
    else:
        kept["ability"] = [
            {"when": "battle", "do": "attack", "n": attack, "role": "attacker"},
            {"when": "battle", "do": "defence", "n": defence, "role": "defender"},
        ]
    return SeerCard(**kept)


def _plain_spirit(card_set: SeerSet, card: SeerCard) -> list[int]:
    """Give attack with each sign, support attack and support defence of a plain spirit of a card's stage."""
    known: list[list[tuple[int, int | Fraction]]] = [[], [], []]
    for spirit in card_set.card:
        if isinstance(spirit.attack, Attack) and spirit.sort != "super":
            attack = Fraction(sum(getattr(spirit.attack, sign) for sign in L.SIGNS), len(L.SIGNS))
            values = (attack, Fraction(spirit.support_attack), Fraction(spirit.support_defence))
            for points, value in zip(known, values, strict=True):
                points.append((L.STAGES.index(spirit.stage or "basic"), value))
    return [line(points, L.STAGES.index(card.stage or "basic"), least=0, most=L.MAX_VALUE) for points in known]


def encode_deck(record: Any, card_set: SeerSet, deck: Deck) -> None:
    """Fill the record of a deck with its cards by kind and their abilities as rows."""
    assert isinstance(deck, SeerDeck)
    row = slot = 0
    held = [
        (place, card) for place, card in enumerate(card_set.card) if deck.cards.get(card.id) or deck.supers.get(card.id)
    ]
    for kind, (place, card) in enumerate(held):
        bit = np.uint64(1 << kind)
        entry = record["cards"][kind]
        entry["id"], entry["kind"], entry["bean"] = place, L.CARD_KINDS.index(card.kind), card.bean
        entry["sign"] = L.SHOWN.index(card.sign if card.sign and card.kind != "mission" else "mission")
        if isinstance(card.attack, Attack):
            entry["stage"] = L.STAGES.index(card.stage or "basic")
            entry["by_sign"] = [getattr(card.attack, sign) for sign in L.SIGNS]
            entry["attack"], entry["defence"] = card.support_attack, card.support_defence
            if card.is_basic:
                record["basics"] |= bit
        else:
            entry["attack"], entry["defence"], entry["cost"] = card.attack or 0, card.defence or 0, card.cost or 0
            if card.kind == "mission":
                record["payable"][card.cost :] |= bit
        entry["users"] = sum(1 << user for user, (_, spirit) in enumerate(held) if _can_use(spirit, card))
        entry["evolves"] = sum(1 << next_kind for next_kind, (_, spirit) in enumerate(held) if _evolves(card, spirit))
        entry["abilities"][0] = row
        for ability in card.ability:
            record["abilities"][row] = (L.EFFECTS.index(ability.do), ability.n, L.ROLES.index(ability.role))
            row += 1
        entry["abilities"][1] = row
        record["super_counts"][kind] = deck.supers.get(card.id, 0)
        record["supers"] |= bit if record["super_counts"][kind] else np.uint64(0)
        record["counts"][kind] = copies = deck.cards.get(card.id, 0)
        record["first_slot"][kind] = slot
        record["kind_of"][slot : slot + copies] = kind
        slot += copies
    record["size"], record["kinds"] = slot, len(held)


def _can_use(spirit: SeerCard, move: SeerCard) -> bool:
    """Tell whether a spirit has a move's element and all its slots, each as often as listed (E5.3)."""
    if spirit.kind != "spirit" or move.kind != "move" or spirit.element != move.element:
        return False
    return not Counter(move.slots) - Counter(spirit.slots)


def _evolves(spirit: SeerCard, other: SeerCard) -> bool:
    """Tell whether a spirit may evolve to another: the same line, the next stage, no super (E4.1, E4.4)."""
    if (
        spirit.kind != "spirit"
        or other.kind != "spirit"
        or spirit.line != other.line
        or "super" in (spirit.stage, other.stage)
    ):
        return False
    return L.STAGES.index(other.stage or "basic") == L.STAGES.index(spirit.stage or "basic") + 1
