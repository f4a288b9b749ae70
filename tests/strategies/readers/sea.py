"""Asks every reading of the sea game where it has a meaning, and chooses by the sum."""

from sim.sea import reading as read
from strategies import kernel


@kernel
def choose(state, table, legal, n):
    """Choose by the sum of all that can be read."""
    total = read.turn_of(state) + read.first_of_kind(legal, n, read.A_END)
    for seat in (read.my_seat(state), read.other_seat(state)):
        total += read.life_of(state, seat) + read.hand_size_of(state, seat) + read.friends_of(state, seat)
        total += (
            read.sea_size_of(state, seat)
            + read.sea_power_of(state, seat)
            + read.upright_of(state, seat)
            + read.guards_of(state, seat)
        )
        for place in range(read.sea_size_of(state, seat)):
            total += read.power_of(read.card_at(state, table, seat, place)) * (1 + read.is_upright(state, seat, place))
        total += read.is_upright(state, seat, -1) + read.is_upright(state, seat, 99)
    if read.decision_of(state) == read.GUARD:
        total += read.attacker_power_of(state, table) + read.has_pierce(read.attacker_of(state, table))
    for i in range(n):
        action = legal[i]
        kind = read.kind_of(action)
        total += read.is_attack_on_life(action)
        if kind == read.A_ATTACK or kind == read.A_TARGET:
            total += read.power_of(read.target_of(state, table, action))
        if kind == read.A_ATTACK or kind == read.A_ATTACK_LIFE or kind == read.A_SKILL or kind == read.A_GUARD:
            total += read.place_of(action) + read.has_guard(read.card_of(state, table, action))
        if kind == read.A_SUPPORT or kind == read.A_DEPLOY or kind == read.A_TARGET_ID:
            card = read.card_of(state, table, action)
            total += read.has_compel(card) + read.has_skill(card) + read.power_of(card)
    return total % n
