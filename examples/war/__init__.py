"""War: in each round both play a card, and the higher one takes the sum of both. Equal cards are nobody's.

Hands are open, decks are not. Who leads alternates. When a hand is empty, whoever has taken more wins.
"""

from pathlib import Path

from pydantic import Field

from sim.cards import Card
from sim.game import Game

from . import rules


class WarCard(Card):
    """A card."""

    value: int = Field(ge=1, le=20, description="how high it is, and what it is worth to whoever takes it")


GAME = Game(
    name="war",
    title="War",
    folder=Path(__file__).parent / "data",
    card=WarCard,
    state=rules.STATE,
    table=rules.TABLE,
    legal_size=rules.LEGAL_SIZE,
    decisions=("lead", "answer"),
    reasons=("points", "turn_limit"),
    kinds=("play",),
    plays=(0,),
    has_rounds=True,
    begin=rules.begin,
    advance=rules.advance,
    apply=rules.apply,
    pool_hidden=rules.pool_hidden,
    determinize=rules.determinize,
)
