"""Seer (賽爾號精靈卡): simultaneous battle cards, evolution, missions. The rules as implemented are in docs/seer.md."""

from pathlib import Path

from sim.card_words import kinds_by_id
from sim.game import Game, Tallies
from sim.seer import hidden, layout, rules, words
from sim.seer.cards import SeerDeck, SeerRules, SeerSet, check_deck, encode_deck, plain_card
from sim.seer.tracing import SeerTracer

GAME = Game(
    name="seer",
    title="賽爾號精靈卡 (Seer spirit cards)",
    folder=Path(__file__).parent / "data",
    card_set=SeerSet,
    deck=SeerDeck,
    rules=SeerRules,
    check_deck=check_deck,
    encode_deck=encode_deck,
    plain_card=plain_card,
    numbers=kinds_by_id,
    plays=(layout.A_LEAD, layout.A_SWAP, layout.A_EVOLVE, layout.A_PLAY, layout.A_MISSION),
    state=layout.STATE,
    table=layout.TABLE,
    legal_size=layout.LEGAL_SIZE,
    decisions=layout.DECISIONS,
    reasons=layout.REASONS,
    tallies=Tallies(
        layout.TALLIES, layout.TURN_TALLIES, layout.TALLY_TURNS, layout.BATTLE_SHARES, "battles", ("leads",)
    ),
    picked=layout.PICKED,
    has_rounds=True,
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
    horizon=16,
    secrecy=hidden.secrecy,
    words=words,
    tracer=SeerTracer,
)
