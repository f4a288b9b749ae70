"""Sea (海の仲間たち, Sea Friends): the deck is also the life total. The rules as implemented are in docs/sea.md."""

from pathlib import Path

from sim.game import Game
from sim.sea import hidden, layout, rules, words
from sim.sea.cards import SeaDeck, SeaRules, SeaSet, check_deck, encode_deck, plain_card
from sim.sea.tracing import SeaTracer

GAME = Game(
    name="sea",
    title="海の仲間たち (Sea Friends)",
    folder=Path(__file__).parent / "data",
    card_set=SeaSet,
    deck=SeaDeck,
    rules=SeaRules,
    check_deck=check_deck,
    encode_deck=encode_deck,
    plain_card=plain_card,
    numbers=words.first_slots,
    plays=(layout.A_DEPLOY,),
    state=layout.STATE,
    table=layout.TABLE,
    legal_size=layout.LEGAL_SIZE,
    decisions=layout.DECISIONS,
    reasons=layout.REASONS,
    shows_position_before_chance=True,
    deal=rules.deal,
    begin=rules.begin,
    advance=rules.advance,
    apply=rules.apply,
    sample_chance=rules.sample_chance,
    apply_chance=rules.apply_chance,
    pool_hidden=hidden.pool_hidden,
    determinize=hidden.determinize,
    lead=rules.lead,
    words=words,
    tracer=SeaTracer,
)
