"""Asks every reading of the seer game where it has a meaning, and chooses by the sum."""

from sim.seer import reading as read
from strategies import kernel


@kernel
def choose(state, table, legal, n):
    """Choose by the sum of all that can be read."""
    total = read.turn_of(state) + read.first_of_kind(legal, n, read.A_END)
    for seat in (read.my_seat(state), read.other_seat(state)):
        total += (
            read.hp_of(state, seat)
            + read.hand_size_of(state, seat)
            + read.deck_size_of(state, seat)
            + read.beans_of(state, seat)
        )
        if read.turn_of(state) > 0:
            spirit = read.active_of(state, table, seat)
            total += (
                read.attack_by_sign(spirit, read.ROCK)
                + read.attack_by_sign(spirit, 7)
                + read.attack_by_sign(spirit, -1)
            )
    for i in range(n):
        action = legal[i]
        kind = read.kind_of(action)
        if kind == read.A_PICK:
            total += read.sign_of(read.card_of(state, table, action)) + read.sign_of(
                read.other_card_of(state, table, action)
            )
        if kind == read.A_PLAY or kind == read.A_MISSION:
            card = read.card_of(state, table, action)
            total += read.kind_of_card(card) + read.attack_of(card) + read.defence_of(card) + read.cost_of(card)
            if read.decision_of(state) == read.BATTLE:
                total += read.would_count(state, read.my_seat(state), card)
    return total % n
