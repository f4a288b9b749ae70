"""Seer: the rules as kernels, in the order of a game; the clauses are those of docs/seer.md.

`advance` goes on to the next decision and returns the length of its legal list, OVER when the game has ended, or CHANCE
before a chance event. A decision is answered by `apply`, which only notes what is chosen in secret until both have
chosen; the outcome of a chance event is chosen by `sample_chance` (or a replay) and takes place by `apply_chance`.
"""

from __future__ import annotations

import numpy as np

from sim.kernels.bits import NONE, ONE, U, lowest, without_lowest
from sim.kernels.jit import inner, kernel
from sim.kernels.legal import KIND_SHIFT, LAST_MASK, PLACE_MASK, PLACE_SHIFT, ask, code, list_members
from sim.kernels.loop import CHANCE, OVER
from sim.kernels.streams import shuffle
from sim.kernels.zones import choose_from_hand, draw_card, draw_cards, from_hand, to_hand
from sim.seer.layout import (
    A_END,
    A_EVOLVE,
    A_EXCHANGE,
    A_KEEP,
    A_LEAD,
    A_MISSION,
    A_PASS,
    A_PICK,
    A_PLAY,
    A_SUPER,
    A_SWAP,
    BATTLE,
    BATTLE_PHASE,
    BEANS,
    BY_HP,
    BY_TURN_LIMIT,
    DRAW_PHASE,
    DRAWN,
    E_ATTACK,
    E_BEAN,
    E_DAMAGE,
    E_DEFENCE,
    E_DISCARD,
    E_DOUBLE,
    E_DRAIN,
    E_DRAW,
    E_HEAL,
    E_NEGATE,
    E_STEAL_BEAN,
    E_SUMMON_SUPER,
    EXCHANGE,
    EXCHANGE_PHASE,
    EXCHANGE_SHUFFLE,
    FIGHT,
    K_ITEM,
    K_MISSION,
    K_MOVE,
    K_SPIRIT,
    LEAD,
    LEAD_PHASE,
    MAX_COST,
    MAX_KINDS,
    MISSION,
    MISSION_PHASE,
    MOST_MISSIONS,
    N_ATTACKS,
    N_ATTACKS_BY,
    N_BATTLES,
    N_DAMAGE,
    N_DEFENCES_BY,
    N_EVOLUTIONS,
    N_GAMES,
    N_LEADS,
    N_MISSIONS,
    N_ROUND_DAMAGE,
    N_SUPERS,
    N_SWAPS,
    N_TIES,
    NO_CHANCE,
    NOBODY,
    NOT_OVER,
    PICK,
    PICK_PHASE,
    PICKED,
    PICKS,
    R_ATTACKER,
    R_DEFENDER,
    RANDOM_DISCARD,
    REDEAL,
    RESHUFFLE,
    S_SUPER,
    SEATS,
    SHOWS_MISSION,
    SHOWS_NOTHING,
    SOME,
    SPIRIT,
    SPIRIT_PHASE,
    SUPER,
    TALLIES,
    TALLY_TURNS,
    TURN_TALLIES,
)

RING = U(BEANS - 1)
# Who attacks, by what the first seat shows (rock, scissors, paper, a mission, nothing) and what the second does (E5.2).
ATTACKERS = np.array(
    [
        [NOBODY, 0, 1, 0, 0],
        [1, NOBODY, 0, 0, 0],
        [0, 1, NOBODY, 0, 0],
        [1, 1, 1, NOBODY, NOBODY],
        [1, 1, 1, NOBODY, NOBODY],
    ]
)
TALLY_COUNT, TURN_TALLY_COUNT = len(TALLIES), len(TURN_TALLIES)

# ------------------------------------------------------------------------------------------------------ moving cards
# (E1)


@inner(forceinline=True)
def to_discard(player, kind):
    """Put a card into the discard pile."""
    player["discard_counts"][U(kind)] += 1
    player["discard_count"] += 1


@inner(forceinline=True)
def to_beans(player, kind):
    """Put a card into the beans, as the newest (E6.4)."""
    player["beans"][U(player["bean_first"] + player["bean_count"]) & RING] = kind
    player["bean_count"] += 1


@inner
def lose_beans(player, n):
    """Move the oldest bean cards to the discard pile, or all if there are fewer (E6.4, E7.5)."""
    for _ in range(min(n, player["bean_count"])):
        to_discard(player, player["beans"][U(player["bean_first"]) & RING])
        player["bean_first"] += 1
        player["bean_count"] -= 1


@inner
def replace_active(player, deck, kind):
    """Let a spirit become active; the old one goes to the discard pile, a super out of the game (E4.1, E4.2, E6.3)."""
    old = player["active"]
    if deck["cards"][U(old)]["stage"] == S_SUPER:
        player["out_counts"][U(old)] += 1
    else:
        to_discard(player, old)
    player["active"] = kind


@inner(forceinline=True)
def add_hp(player, rules, n):
    """Change HP, cut to 0 and, where there is a cap, to the HP at the start (E5.12, E7)."""
    hp = max(player["hp"] + n, 0)
    player["hp"] = min(hp, rules["hp"]) if n > 0 and rules["hp_cap"] else hp


# --------------------------------------------------------------------------------------------------- asking and ending


@inner
def check_hp(state):
    """End the game if a player is at 0 HP; with both it is a draw (E8.1)."""
    first = state["players"][0]["hp"] == 0
    second = state["players"][1]["hp"] == 0
    if first or second:
        state["reason"] = BY_HP
        if first != second:
            state["winner"] = 1 if first else 0
        tally_round(state)


# ------------------------------------------------------------------------------------------------------------ setup
# (E2)


@kernel
def deal(state, table):
    """Make each deck a shuffled pile; what will be picked is still in it (E2.2)."""
    for seat in range(SEATS):
        lay_deck(state["players"][seat], table["decks"][seat])


@inner
def lay_deck(player, deck):
    """Lay a whole deck as a shuffled pile and note where its cards lie."""
    for slot in range(deck["size"]):
        player["deck"][U(slot)] = slot
    shuffle(player, player["deck"], deck["size"], deck["size"])
    for place in range(deck["size"]):
        slot = player["deck"][U(place)]
        player["places"][U(slot)] = place
        player["deck"][U(place)] = deck["kind_of"][U(slot)]


@kernel
def begin(state, table):
    """Set HP and empty zones; the picks come first (E2.1, E2.5)."""
    for seat in range(SEATS):
        player = state["players"][seat]
        deck = table["decks"][seat]
        player["hand"] = NONE
        player["hp"] = table["rules"]["hp"]
        player["hand_count"] = 0
        player["deck_count"] = deck["size"]
        player["discard_count"] = 0
        player["bean_first"] = 0
        player["bean_count"] = 0
        player["active"] = NOBODY
        player["battle"] = NOBODY
        player["pending"] = NOBODY
        for i in range(TALLY_COUNT):
            player["tallies"][i] = 0
        for i in range(TALLY_TURNS * TURN_TALLY_COUNT):
            player["turn_tallies"][i] = 0
        for kind in range(MAX_KINDS):
            player["hand_counts"][kind] = 0
            player["discard_counts"][kind] = 0
            player["out_counts"][kind] = 0
            player["super_counts"][kind] = 0
        player["supers"] = deck["supers"]
        rest = deck["supers"]
        while rest != NONE:
            player["super_counts"][U(lowest(rest))] = deck["super_counts"][U(lowest(rest))]
            rest = without_lowest(rest)
    state["turn"] = 0
    state["first"] = 0
    state["phase"] = PICK_PHASE
    state["step"] = 0
    state["decisions"] = 0
    state["draws"] = 0
    state["chance"] = NO_CHANCE
    state["fresh"] = 0
    state["row"] = 0
    state["end"] = 0
    state["executing"] = 0
    state["attacker"] = NOBODY
    state["chosen_count"] = 0
    state["winner"] = NOBODY
    state["reason"] = NOT_OVER


@inner
def list_picks(deck, legal):
    """List every pair of basic spirits of the deck, one spirit twice only with two copies (E9.1)."""
    n = 0
    rest = deck["basics"]
    while rest != NONE:
        a = lowest(rest)
        partners = rest if deck["counts"][U(a)] > 1 else without_lowest(rest)
        rest = without_lowest(rest)
        n = list_members(legal, n, code(A_PICK, a, 0), partners, 0, 2)
    return n


@inner(forceinline=True)
def take_out(player, place):
    """Take a card out of a shuffled pile; the top card comes to its place, which is as random as any other."""
    player["deck_count"] -= 1
    player["deck"][U(place)] = player["deck"][U(player["deck_count"])]


@inner
def take_picks(player, deck):
    """Take the picked cards out of the pile into the hand, then draw (E2.2)."""
    for i in range(PICKED):
        kind = player["pending"] >> PICKS * i & (1 << PICKS) - 1
        player["picked"][i] = kind
        to_hand(player, kind)
    first = player["places"][U(deck["first_slot"][U(player["picked"][0])])]
    second = player["places"][
        U(deck["first_slot"][U(player["picked"][1])] + (player["picked"][0] == player["picked"][1]))
    ]
    take_out(player, max(first, second))
    take_out(player, min(first, second))
    player["pending"] = NOBODY
    draw_opening(player)


@inner
def draw_opening(player):
    """Draw the cards that go with the picked ones (E2.2)."""
    for _ in range(min(DRAWN, player["deck_count"])):
        draw_card(player)


@inner
def put_back_opening(player):
    """Put the drawn cards of the opening hand back into the deck; the picked ones stay (E2.3). Returns how many."""
    before = player["deck_count"]
    for i in range(PICKED):
        from_hand(player, player["picked"][i])
    while player["hand"] != NONE:
        kind = lowest(player["hand"])
        from_hand(player, kind)
        player["deck"][U(player["deck_count"])] = kind
        player["deck_count"] += 1
    for i in range(PICKED):
        to_hand(player, player["picked"][i])
    return player["deck_count"] - before


@inner
def go_on_with_setup(state, table, legal):
    """Ask for picks, exchanges and leads, or let what was chosen in secret happen when both have chosen (E2.5, E9.2)."""
    phase = state["phase"]
    seat = U(state["step"])
    if phase == PICK_PHASE:
        if state["step"] < SEATS:
            return ask(state, seat, PICK, list_picks(table["decks"][seat], legal))
        for i in range(SEATS):
            take_picks(state["players"][i], table["decks"][i])
        enter(state, EXCHANGE_PHASE if table["rules"]["exchange"] else LEAD_PHASE)
    elif phase == EXCHANGE_PHASE:
        if state["step"] < SEATS:
            legal[0] = code(A_KEEP, 0, 0)
            legal[1] = code(A_EXCHANGE, 0, 0)
            return ask(state, seat, EXCHANGE, 2)
        enter(state, REDEAL)
    elif phase == REDEAL:  # E2.3
        if state["step"] < SEATS:
            player = state["players"][seat]
            if player["pending"] == 1:
                player["pending"] = NOBODY
                state["fresh"] = put_back_opening(player)
                state["chance"] = EXCHANGE_SHUFFLE
                return CHANCE
            player["pending"] = NOBODY
            state["step"] += 1
        else:
            enter(state, LEAD_PHASE)
    elif state["step"] < SEATS:
        members = state["players"][seat]["hand"] & table["decks"][seat]["basics"]
        return ask(state, seat, LEAD, list_members(legal, 0, code(A_LEAD, 0, 0), members, 0, 2))
    else:  # E2.4
        for i in range(SEATS):
            player = state["players"][i]
            from_hand(player, player["pending"])
            player["active"] = player["pending"]
            player["pending"] = NOBODY
        begin_round(state, table)
    return 0


# ------------------------------------------------------------------------------------------------------------ the round


@inner(forceinline=True)
def enter(state, phase):
    """Go on to the next phase."""
    state["phase"] = phase
    state["step"] = 0


@inner
def begin_round(state, table):
    """Begin the next round (E3, E4.3)."""
    state["turn"] += 1
    if table["rules"]["first_order"] != 0:
        state["first"] = (state["turn"] + 1) & 1
    enter(state, DRAW_PHASE)


@kernel(forceinline=True)
def advance(state, table, legal):
    """Go on to the next decision: first draws, then what abilities do, then the phases of the round."""
    while state["reason"] == NOT_OVER:
        if state["draws"] > 0:
            n = go_on_with_draws(state, table)
        elif state["row"] < state["end"]:
            n = go_on_with_abilities(state, table, legal)
        elif state["phase"] >= DRAW_PHASE:
            n = go_on_with_round(state, table, legal)
        else:
            n = go_on_with_setup(state, table, legal)
        if n != 0:
            return n
    return OVER


@inner(forceinline=True)
def put_on_deck(player, kind, n):
    """Put copies of a card on the deck, three at a time: what is too much is written over by what follows."""
    place = player["deck_count"]
    player["deck_count"] += n
    while True:
        for k in range(SOME):
            player["deck"][U(place + k)] = kind
        place += SOME
        if place >= player["deck_count"]:
            return


@inner
def go_on_with_draws(state, table):
    """Draw what is to be drawn; before a card that is not there, the discard pile is to be shuffled (E3.2, E3.3)."""
    player = state["players"][U(state["drawer"])]
    while state["draws"] > 0:
        if player["deck_count"] == 0:
            if player["discard_count"] == 0:
                state["draws"] = 0
                return 0
            for kind in range(
                table["decks"][U(state["drawer"])]["kinds"]
            ):  # computed, since branches could not be foreseen
                put_on_deck(player, kind, player["discard_counts"][U(kind)])
                player["discard_counts"][U(kind)] = 0
            player["discard_count"] = 0
            state["fresh"] = player["deck_count"]
            state["chance"] = RESHUFFLE
            return CHANCE
        draw_card(player)
        state["draws"] -= 1
    return 0


@inner(forceinline=True)
def seat_now(state):
    """Give the seat whose turn it is in this phase: the first player's, then the second's."""
    return U(state["first"] ^ state["step"])


@inner(forceinline=True)
def go_on_with_round(state, table, legal):
    """Ask for the next decision in the order of a round, or let its next part happen (E3 to E6)."""
    if state["phase"] == DRAW_PHASE:  # E3.1, E3.4
        while state["step"] < SEATS:
            seat = seat_now(state)
            player = state["players"][seat]
            draws = max(table["rules"]["hand_size"] - player["hand_count"], 1)
            state["step"] += 1
            if draws <= player["deck_count"]:
                draw_cards(player, draws)
            else:
                state["drawer"] = seat
                state["draws"] = draws
                return 0
        enter(state, SPIRIT_PHASE)
    if state["phase"] == SPIRIT_PHASE:  # E4.1
        while state["step"] < SEATS:
            seat = seat_now(state)
            me = state["players"][seat]
            deck = table["decks"][seat]
            n = list_members(legal, 0, code(A_SWAP, 0, 0), me["hand"] & deck["basics"], 0, 4)
            higher = me["hand"] & deck["cards"][U(me["active"])]["evolves"]
            if higher != NONE:
                n = list_members(legal, n, code(A_EVOLVE, 0, 0), higher, 0, 1)
            if n > 0:
                legal[U(n)] = code(A_PASS, 0, 0)
                return ask(state, seat, SPIRIT, n + 1)
            state["step"] += 1
        enter(state, BATTLE_PHASE)
    if state["phase"] == BATTLE_PHASE:  # E5.1
        while state["step"] < SEATS:
            seat = seat_now(state)
            me = state["players"][seat]
            if me["hand"] != NONE:
                return ask(state, seat, BATTLE, list_members(legal, 0, code(A_PLAY, 0, 0), me["hand"], 0, 8))
            state["step"] += 1
        turn_up(state, table)
    if state["phase"] == FIGHT:  # E5.8
        while state["step"] < SEATS:
            start_battle_card(state, table)
            if state["row"] < state["end"]:
                return 0
        strike(state, table)
    elif state["executing"]:
        end_mission(state)
    if state["reason"] != NOT_OVER:
        return 0
    while state["step"] < SEATS:  # E6.2
        seat = seat_now(state)
        me = state["players"][seat]
        deck = table["decks"][seat]
        limit = table["rules"]["missions_per_round"]
        if state["missions"] < (limit if limit > 0 else MOST_MISSIONS):
            payable = me["hand"] & deck["payable"][U(min(me["bean_count"], MAX_COST))]
            if payable != NONE:
                n = list_members(legal, 0, code(A_MISSION, 0, 0), payable, 0, 2)
                legal[U(n)] = code(A_END, 0, 0)
                return ask(state, seat, MISSION, n + 1)
        state["missions"] = 0
        state["step"] += 1
    end_round(state, table)
    return 0


@inner
def end_round(state, table):
    """End the round: the turn limit, or the next round (E8.2)."""
    tally_round(state)
    if state["turn"] >= table["rules"]["max_turns"]:
        state["reason"] = BY_TURN_LIMIT
    else:
        begin_round(state, table)


@kernel(forceinline=True)
def apply(state, table, action):
    """Carry out an action of the legal list, or note it until both have chosen in secret (E9, E9.2)."""
    seat = U(state["decider"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    kind = action >> KIND_SHIFT
    last = action & LAST_MASK
    if kind == A_PLAY or kind == A_LEAD:
        me["pending"] = last
        state["step"] += 1
    elif kind == A_PASS:
        state["step"] += 1
    elif kind == A_SWAP or kind == A_EVOLVE:  # E4.1
        from_hand(me, last)
        replace_active(me, deck, last)
        me["tallies"][N_SWAPS if kind == A_SWAP else N_EVOLUTIONS] += 1
        state["step"] += 1
    elif kind == A_MISSION:
        begin_mission(state, me, deck, seat, last)
    elif kind == A_END:
        state["missions"] = 0
        state["step"] += 1
    elif kind == A_SUPER:  # E6.3
        me["super_counts"][U(last)] -= 1
        me["supers"] ^= U(me["super_counts"][U(last)] == 0) << U(last)
        replace_active(me, deck, last)
        me["tallies"][N_SUPERS] += 1
        state["row"] += 1
    elif kind == A_PICK:
        me["pending"] = (action >> PLACE_SHIFT & PLACE_MASK) | last << PICKS
        state["step"] += 1
    else:
        me["pending"] = 1 if kind == A_EXCHANGE else 0
        state["step"] += 1


# ------------------------------------------------------------------------------------------------------------ battles
# (E5)


@inner
def turn_up(state, table):
    """Turn the battle cards up and find the roles, or end the battle; then items are paid (E5.2, E5.9)."""
    for seat in range(SEATS):
        player = state["players"][seat]
        if player["pending"] != NOBODY:
            from_hand(player, player["pending"])
            player["battle"] = player["pending"]
            player["pending"] = NOBODY
    attacker = find_attacker(state, table)
    if attacker == NOBODY:
        settle(state, table)
        return
    state["attacker"] = attacker
    for seat in range(SEATS):
        prepare(state["players"][seat], table["decks"][seat], seat == attacker)
    enter(state, FIGHT)


@inner(forceinline=True)
def shown(player, deck):
    """Give what a player has turned up: a sign, a mission or nothing."""
    return SHOWS_NOTHING if player["battle"] == NOBODY else deck["cards"][U(player["battle"])]["sign"]


@inner
def find_attacker(state, table):
    """Give the attacker's seat; NOBODY if the battle ends at once (E5.2)."""
    one = state["players"][0]
    two = state["players"][1]
    mine = shown(one, table["decks"][0])
    theirs = shown(two, table["decks"][1])
    fought = U(mine != SHOWS_NOTHING) | U(theirs != SHOWS_NOTHING)
    tied = U(mine == theirs) & U(mine < SHOWS_MISSION)
    one["tallies"][N_BATTLES] += fought
    two["tallies"][N_BATTLES] += fought
    one["tallies"][N_TIES] += tied
    two["tallies"][N_TIES] += tied
    return ATTACKERS[U(mine), U(theirs)]


@inner(forceinline=True)
def can_pay(player, card):
    """Give 1 if a card is an item that can be paid (E5.5)."""
    return U(card["kind"] == K_ITEM) & U(card["cost"] <= player["bean_count"])


@inner(forceinline=True)
def gives(player, card):
    """Give 1 if a battle card counts: a move that the active spirit can use, an item that can be paid, a spirit (E5.3,
    E5.5).
    """
    return (
        U(card["kind"] == K_SPIRIT) | can_pay(player, card) | ((card["users"] >> U(player["active"])) & ONE)
    )  # only moves have users


@inner
def prepare(player, deck, attacks):
    """Pay for an item, see whether the battle card counts, and forget the last battle's sums (E5.3 to E5.6, E5.10)."""
    player["gives"] = 0
    player["negated"] = 0
    player["attack"] = 0
    player["defence"] = 0
    player["doubles"] = 0
    player["drains"] = 0
    if player["battle"] == NOBODY:
        return
    card = deck["cards"][U(player["battle"])]
    used = can_pay(player, card)
    player["gives"] = gives(player, card)
    if used != NONE and card["cost"] > 0:
        lose_beans(player, card["cost"])
    player["tallies"][N_ATTACKS] += attacks
    player["tallies"][U((N_ATTACKS_BY if attacks else N_DEFENCES_BY) + card["sign"])] += 1


@inner(forceinline=True)
def start_battle_card(state, table):
    """Let the abilities of the next battle card happen, if it counts and is not negated (E5.8, E7.3)."""
    seat = seat_now(state)
    player = state["players"][seat]
    state["step"] += 1
    card = table["decks"][seat]["cards"][U(max(player["battle"], 0))]
    start_abilities(state, card, seat, player["gives"] & ~player["negated"])


@inner(forceinline=True)
def start_abilities(state, card, seat, counts):
    """Let a card's abilities happen, in file order; none if it does not count (``counts`` 0 or 1)."""
    state["row"] = card["abilities"][0]
    state["end"] = card["abilities"][U(counts)]
    state["owner"] = seat


@inner
def damage_of(state, table):
    """Give the damage of a battle: what the attacker gives less what the defender does (E5.7, E7.2, E7.3)."""
    seat = U(state["attacker"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][seat]
    card = deck["cards"][U(me["battle"])]
    other = table["decks"][ONE - seat]["cards"][U(max(foe["battle"], 0))]
    counts = me["gives"] & ~me["negated"]  # 1 or 0
    foe_counts = foe["gives"] & ~foe["negated"]
    total = (card["attack"] + me["attack"]) * counts
    if table["rules"]["sign_attack"] == 0 or card["kind"] == K_MOVE:
        total += deck["cards"][U(me["active"])]["by_sign"][U(card["sign"])]
    total <<= me["doubles"] * counts
    return max(total - (other["defence"] + foe["defence"]) * foe_counts, 0)


@inner
def strike(state, table):
    """Deal the damage, let cards drain, see whether the game is over, and clear the battle area (E5.8, E5.9, E7.4)."""
    seat = U(state["attacker"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    dealt = damage_of(state, table)
    add_hp(foe, table["rules"], -dealt)
    if not me["negated"]:
        for _ in range(me["drains"]):
            add_hp(me, table["rules"], dealt)
    me["tallies"][N_DAMAGE] += dealt
    me["turn_tallies"][U(place_of_round(state) + N_ROUND_DAMAGE)] += dealt
    check_hp(state)
    if state["reason"] == NOT_OVER:
        settle(state, table)


@inner
def settle(state, table):
    """Clear the battle area: missions to hand, cards with the bean mark to the beans, others to the discard pile (E5.6,
    E6.1).
    """
    for seat in range(SEATS):
        player = state["players"][seat]
        kind = player["battle"]
        if kind != NOBODY:
            card = table["decks"][seat]["cards"][U(kind)]
            hand = 1 if card["kind"] == K_MISSION else 0  # computed, since a branch could not be foreseen
            bean = card["bean"] * (1 - hand)
            discard = 1 - hand - bean
            player["hand_counts"][U(kind)] += hand
            player["hand"] |= U(hand) << U(kind)
            player["hand_count"] += hand
            player["beans"][U(player["bean_first"] + player["bean_count"]) & RING] = kind
            player["bean_count"] += bean
            player["discard_counts"][U(kind)] += discard
            player["discard_count"] += discard
            player["battle"] = NOBODY
    state["missions"] = 0
    enter(state, MISSION_PHASE)


# ----------------------------------------------------------------------------------------------------------- missions
# (E6)


@inner(forceinline=True)
def begin_mission(state, player, deck, seat, kind):
    """Execute a mission: it is laid into the battle area and paid; its abilities come next (E6.2, E6.6)."""
    from_hand(player, kind)
    player["battle"] = kind
    card = deck["cards"][U(kind)]
    lose_beans(player, card["cost"])
    state["executing"] = 1
    state["missions"] += 1
    player["tallies"][N_MISSIONS] += 1
    start_abilities(state, card, seat, 1)


@inner(forceinline=True)
def end_mission(state):
    """Let an executed mission go to the discard pile, and see whether the game is over (E6.6)."""
    player = state["players"][U(state["owner"])]
    to_discard(player, player["battle"])
    player["battle"] = NOBODY
    state["executing"] = 0
    check_hp(state)


# ---------------------------------------------------------------------------------------------------------- abilities
# (E7)


@inner
def go_on_with_abilities(state, table, legal):
    """Let the next ability happen, or ask for the super that it summons (E5.11, E7)."""
    seat = U(state["owner"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    rules = table["rules"]
    ability = table["decks"][seat]["abilities"][U(state["row"])]
    do = ability["do"]
    n = ability["n"]
    attacks = state["attacker"] == state["owner"]
    role = ability["role"]
    if not state["executing"] and (role == R_DEFENDER if attacks else role == R_ATTACKER):
        state["row"] += 1
        return 0
    if do == E_SUMMON_SUPER and me["supers"] != NONE:  # E6.8
        return ask(state, seat, SUPER, list_members(legal, 0, code(A_SUPER, 0, 0), me["supers"], 0, 2))
    if do == E_DISCARD and foe["hand_count"] > 0:
        state["chance"] = RANDOM_DISCARD
        return CHANCE
    state["row"] += 1
    if do == E_ATTACK:
        me["attack"] += n * attacks
    elif do == E_DEFENCE:
        me["defence"] += n * (not attacks)
    elif do == E_DOUBLE:
        me["doubles"] += attacks
    elif do == E_DRAIN:
        me["drains"] += attacks
    elif do == E_NEGATE:
        foe["negated"] = foe["gives"]
    elif do == E_HEAL:
        add_hp(me, rules, n)
    elif do == E_DAMAGE:
        add_hp(foe, rules, -n)
    elif do == E_DRAW:
        state["drawer"] = seat
        state["draws"] = n
    elif do == E_BEAN:  # E7.5
        for _ in range(min(n, me["deck_count"])):
            me["deck_count"] -= 1
            to_beans(me, me["deck"][U(me["deck_count"])])
    elif do == E_STEAL_BEAN:
        lose_beans(foe, n)
    return 0


# --------------------------------------------------------------------------------------------------- chance (E2.3,
# E3.2, E7.5)


@inner(forceinline=True)
def player_of_chance(state):
    """Give the seat whose cards a chance event touches."""
    if state["chance"] == RESHUFFLE:
        return U(state["drawer"])
    if state["chance"] == EXCHANGE_SHUFFLE:
        return U(state["step"])
    return ONE - U(state["owner"])


@kernel
def sample_chance(state, table):
    """Choose the outcome of the chance event that waits: a shuffled deck, or random cards of a hand."""
    player = state["players"][player_of_chance(state)]
    if state["chance"] != RANDOM_DISCARD:
        shuffle(player, player["deck"], player["deck_count"], state["fresh"])
        return
    ability = table["decks"][U(state["owner"])]["abilities"][U(state["row"])]
    choose_from_hand(state, player, ability["n"])


@kernel
def apply_chance(state, table):
    """Let the chance event happen as chosen."""
    player = state["players"][player_of_chance(state)]
    if state["chance"] == RANDOM_DISCARD:
        for i in range(state["chosen_count"]):
            from_hand(player, state["chosen"][i])
            to_discard(player, state["chosen"][i])
        state["row"] += 1
    elif state["chance"] == EXCHANGE_SHUFFLE:
        draw_opening(player)
        state["step"] += 1
    state["chance"] = NO_CHANCE


# ---------------------------------------------------------------------------------------------------------------
# counting


@inner(forceinline=True)
def place_of_round(state):
    """Give the place of the numbers of this round."""
    return TURN_TALLY_COUNT * (min(state["turn"], TALLY_TURNS) - 1)


@inner
def tally_round(state):
    """Count who leads at the end of a round, or of the game."""
    first = place_of_round(state)
    for seat in range(SEATS):
        player = state["players"][seat]
        player["turn_tallies"][U(first + N_GAMES)] += 1
        player["turn_tallies"][U(first + N_LEADS)] += U(player["hp"] > state["players"][1 - seat]["hp"])


@kernel
def tally(state, tallies):
    """Add what was counted in a game that is over, by seat: numbers a game, then numbers for each round."""
    rounds = min(state["turn"], TALLY_TURNS)
    for seat in range(SEATS):
        player = state["players"][seat]
        row = tallies[seat]
        for i in range(TALLY_COUNT):
            row[U(i)] += player["tallies"][U(i)]
        for i in range(rounds * TURN_TALLY_COUNT):
            row[U(TALLY_COUNT + i)] += player["turn_tallies"][U(i)]


@kernel
def lead(state, table, seat):
    """Tell how far a seat is ahead: in HP, as a share of that at the start (E1.1), from -1 to 1."""
    difference = state["players"][seat]["hp"] - state["players"][ONE - U(seat)]["hp"]
    return min(max(difference / table["rules"]["hp"], -1.0), 1.0)
