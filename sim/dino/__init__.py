"""Dino (恐竜): PP, levels, counter-spells, blocks. The rules as implemented are in docs/dino.md."""

from pathlib import Path

from sim.card_words import kinds_by_id
from sim.dino import hidden, layout, rules, words
from sim.dino.cards import DinoDeck, DinoRules, DinoSet, check_deck, encode_deck, plain_card
from sim.dino.tracing import DinoTracer
from sim.game import Game, Tallies

GAME = Game(
    name="dino",
    title="恐竜 (Dinosaurs)",
    folder=Path(__file__).parent / "data",
    card_set=DinoSet,
    deck=DinoDeck,
    rules=DinoRules,
    check_deck=check_deck,
    encode_deck=encode_deck,
    plain_card=plain_card,
    numbers=kinds_by_id,
    plays=(layout.A_SUMMON, layout.A_CAST),
    state=layout.STATE,
    table=layout.TABLE,
    legal_size=layout.LEGAL_SIZE,
    decisions=layout.DECISIONS,
    reasons=layout.REASONS,
    tallies=Tallies(layout.TALLIES, layout.TURN_TALLIES, layout.TALLY_TURNS),
    deal=rules.deal,
    begin=rules.begin,
    advance=rules.advance,
    apply=rules.apply,
    sample_chance=rules.sample_chance,
    apply_chance=rules.apply_chance,
    tally=rules.tally,
    pool_hidden=hidden.pool_hidden,
    determinize=hidden.determinize,
    lead=rules.lead,
    words=words,
    tracer=DinoTracer,
)
