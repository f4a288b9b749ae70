"""Asks every reading of the dino game where it has a meaning, and chooses by the sum."""

from sim.dino import reading as read
from strategies import kernel


@kernel
def choose(state, table, legal, n):
    """Choose by the sum of all that can be read."""
    total = read.turn_of(state) + read.first_of_kind(legal, n, read.A_END)
    for seat in (read.my_seat(state), read.other_seat(state)):
        total += read.life_of(state, seat) + read.hand_size_of(state, seat) + read.deck_size_of(state, seat)
        total += read.pp_of(state, seat) + read.pp_max_of(state, seat) + read.dinos_of(state, seat)
        for slot in range(-1, read.SLOTS + 90):
            total += (
                read.level_at(state, seat, slot)
                + read.is_rested(state, seat, slot)
                + read.has_keyword(state, seat, slot, read.BLOCKS)
            )
            total += read.fight_at(state, table, seat, slot) + read.direct_at(state, table, seat, slot)
            if read.has_dino(state, seat, slot):
                total += read.cost_of(read.card_at(state, table, seat, slot))
    if read.decision_of(state) == read.BLOCK:
        total += read.attacking_slot(state) + (read.attacked_slot(state) == read.LIFE)
    for i in range(n):
        action = legal[i]
        kind = read.kind_of(action)
        total += read.is_attack_on_life(action)
        if kind == read.A_ATTACK_DINO or kind == read.A_ATTACK_LIFE or kind == read.A_LEVEL or kind == read.A_BLOCK:
            total += read.slot_of(action) + read.cost_of(read.card_of(state, table, action))
        if kind == read.A_ATTACK_DINO or kind == read.A_TARGET_ENEMY:
            total += read.fight_at(state, table, read.other_seat(state), read.target_slot_of(action))
        if kind == read.A_SUMMON or kind == read.A_CAST or kind == read.A_TARGET_ID:
            total += read.cost_of(read.card_of(state, table, action))
    return total % n
