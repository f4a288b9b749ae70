"""Sea: the rules as kernels, in the order of a turn; the clauses are those of docs/sea.md.

`advance` goes on to the next decision and returns the length of its legal list, OVER when the game has ended, or CHANCE
before a chance event. A decision is answered by `apply`; the outcome of a chance event is chosen by
`sample_chance` (or a replay) and takes place by `apply_chance`.
"""

from __future__ import annotations

from sim.kernels.bits import NONE, ONE, U, closed_up, contains, count, lowest, single, up_to, without_lowest
from sim.kernels.jit import inner, kernel
from sim.kernels.legal import KIND_SHIFT, LAST_MASK, PLACE_MASK, PLACE_SHIFT, ask, code, list_members
from sim.kernels.loop import CHANCE, OVER
from sim.kernels.streams import CHANCE as CHANCE_STREAM
from sim.kernels.streams import below, shuffle
from sim.sea.layout import (
    A_ATTACK,
    A_ATTACK_LIFE,
    A_DEPLOY,
    A_DRAW,
    A_END,
    A_GUARD,
    A_PASS,
    A_SKILL,
    A_SUPPORT,
    A_TARGET,
    A_TARGET_ID,
    A_USE,
    ACTION,
    ACTION_STEP,
    ACTIVE,
    BY_LIFE,
    BY_STALEMATE,
    BY_TURN_LIMIT,
    DEPLOY,
    DEPLOY_STEP,
    DRAW,
    DRAW_STEP,
    E_ATTACK_CARD,
    E_ATTACK_LIFE,
    E_BOUNCE,
    E_DISCARD,
    E_DRAW,
    E_HEAL,
    E_MILL,
    E_READY,
    E_RECALL,
    E_RECALL_SELF,
    E_REST,
    E_SINK,
    E_SINK_ATTACKER,
    E_SUPPORT,
    GUARD,
    LIFE,
    MAX_POWER,
    NOBODY,
    NOT_OVER,
    SEATS,
    SKILL,
    SUPPORT,
    SUPPORT_STEP,
    TARGET,
    TRAP,
    UNDECIDED,
    USE,
)

# --------------------------------------------------------------------------------------------- moving cards (S1, S5.10)


@inner(forceinline=True)
def with_card(deck, cards, slot):
    """Add a card to a set of cards."""
    return cards | ((cards & deck["cards"][U(slot)]["group"]) << ONE) | single(slot)


@inner(forceinline=True)
def without_card(deck, cards, slot):
    """Take a card out of a set of cards."""
    group = deck["cards"][U(slot)]["group"]
    held = cards & group
    return cards ^ held ^ ((held >> ONE) & group)


@inner(forceinline=True)
def to_friends(player, slot):
    """Put a card on top of Friends."""
    player["friends"][U(player["friends_count"])] = slot
    player["friends_count"] += 1


@inner(forceinline=True)
def from_life(player):
    """Take the top card of Life."""
    player["life_count"] -= 1
    return player["life"][U(player["life_count"])]


@inner
def to_life_bottom(player, slot):
    """Put a card under Life."""
    for i in range(player["life_count"], 0, -1):
        player["life"][i] = player["life"][i - 1]
    player["life"][0] = slot
    player["life_count"] += 1


@inner(forceinline=True)
def close_gap(zone, place, end):
    """Move the cards after a place up to it; eight at a time, since a branch a card would cost more (S1.4)."""
    for start in range(place, end, 8):
        for k in range(8):
            zone[U(start + k)] = zone[U(start + k + 1)]


@inner
def from_friends(player, place):
    """Take a card out of Friends; those after it move up (S1.4)."""
    slot = player["friends"][place]
    player["friends_count"] -= 1
    close_gap(player["friends"], place, player["friends_count"])
    if player["trap"] == place:
        player["trap"] = NOBODY
    elif player["trap"] > place:
        player["trap"] -= 1
    return slot


@inner(forceinline=True)
def to_sea(player, deck, slot):
    """Put a card into the Sea, rested and without marks (S3.4, S5.2)."""
    place = player["sea_count"]
    card = deck["cards"][U(slot)]
    player["sea"][U(place)] = slot
    player["sea_count"] += 1
    player["sea_cards"] = with_card(deck, player["sea_cards"], slot)
    player["sea_power"] += card["power"]
    player["guards"] |= U(card["guard"]) << U(place)
    player["compels"] |= U(card["compel"]) << U(place)
    player["actor"] = place


@inner
def from_sea(player, deck, place):
    """Take a card out of the Sea; those after it move up (S1.4)."""
    slot = player["sea"][U(place)]
    player["sea_count"] -= 1
    close_gap(player["sea"], place, player["sea_count"])
    player["sea_cards"] = without_card(deck, player["sea_cards"], slot)
    player["sea_power"] -= deck["cards"][U(slot)]["power"]
    player["upright"] = closed_up(player["upright"], place)
    player["acted"] = closed_up(player["acted"], place)
    player["readied"] = closed_up(player["readied"], place)
    player["guards"] = closed_up(player["guards"], place)
    player["compels"] = closed_up(player["compels"], place)
    if player["actor"] == place:
        player["actor"] = NOBODY
    elif player["actor"] > place:
        player["actor"] -= 1
    return slot


@inner
def sink(player, deck, place):
    """Move a card from the Sea to its owner's Friends."""
    to_friends(player, from_sea(player, deck, place))


@inner(forceinline=True)
def draw_card(player, deck):
    """Move the top card of Life to the hand."""
    player["hand"] = with_card(deck, player["hand"], from_life(player))


@inner(forceinline=True)
def turn_up(player):
    """Move the top card of Life to Friends."""
    to_friends(player, from_life(player))


# ------------------------------------------------------------------------------------------------------ legal lists
# (S7)


@inner(forceinline=True)
def card_at(player, deck, place):
    """Give the card at a place of the Sea."""
    return deck["cards"][U(player["sea"][U(place)])]


@inner
def lowest_of_equals(player, places):
    """Keep the lowest place of equal cards: same id, position and marks (S7.2)."""
    kept = NONE
    rest = places
    while rest != NONE:
        place = lowest(rest)
        rest = without_lowest(rest)
        is_new = True
        seen = kept
        while seen != NONE:
            other = lowest(seen)
            seen = without_lowest(seen)
            if (
                player["sea"][other] == player["sea"][U(place)]
                and contains(player["upright"], other) == contains(player["upright"], place)
                and contains(player["acted"], other) == contains(player["acted"], place)
                and contains(player["readied"], other) == contains(player["readied"], place)
            ):
                is_new = False
        if is_new:
            kept |= single(place)
    return kept


@inner(forceinline=True)
def different(player, deck, places):
    """Keep the places to list; without two copies of an id in the Sea that is all of them (S7.2)."""
    if player["sea_cards"] & ~deck["first"] == NONE:
        return places
    return lowest_of_equals(player, places)


# --------------------------------------------------------------------------------------------------------- setup (S2)


@kernel
def deal(state, table):
    """Make each deck a shuffled pile (S2.1)."""
    for seat in range(SEATS):
        player = state["players"][seat]
        deck = table["decks"][seat]
        for i in range(deck["size"]):
            player["life"][i] = deck["pile"][i]
        shuffle(player, player["life"], deck["size"], deck["size"])


@kernel
def begin(state, table):
    """Draw the opening hands from the piles that lie as Life, and start turn 1 (S2)."""
    for seat in range(SEATS):
        player = state["players"][seat]
        deck = table["decks"][seat]
        player["hand"] = NONE
        player["sea_cards"] = NONE
        player["upright"] = NONE
        player["acted"] = NONE
        player["readied"] = NONE
        player["guards"] = NONE
        player["compels"] = NONE
        player["friends_count"] = 0
        player["sea_count"] = 0
        player["sea_power"] = 0
        player["actor"] = NOBODY
        player["trap"] = NOBODY
        player["life_count"] = deck["size"]
        for _ in range(min(table["rules"]["opening_hand"], deck["size"])):
            draw_card(player, deck)
    state["turn"] = 0
    state["active"] = SEATS - 1
    state["busy"] = 1
    state["idle_before"] = 0
    state["decisions"] = 0
    state["ability"] = 0
    state["ability_end"] = 0
    state["attacks"] = 0
    state["chosen_count"] = 0
    state["winner"] = NOBODY
    state["reason"] = NOT_OVER
    begin_turn(state, table)


# ------------------------------------------------------------------------------------------------------ the turn (S3)


@inner(forceinline=True)
def begin_turn(state, table):
    """Pass the turn on; own cards become upright, all marks end (S3.1)."""
    state["turn"] += 1
    seat = ONE - U(state["active"])
    state["active"] = seat
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    me["upright"] = up_to(me["sea_count"])
    me["acted"] = NONE
    me["readied"] = NONE
    foe["acted"] = NONE
    foe["readied"] = NONE
    foe["actor"] = NOBODY
    state["step"] = DRAW_STEP
    state["supports"] = table["rules"]["supports_per_turn"]
    state["idle_before"] = 1 - state["busy"]
    state["busy"] = 0


@kernel(forceinline=True)
def advance(state, table, legal):
    """Go on to the next decision: first what abilities do, then attacks, then the turn's steps."""
    while state["reason"] == NOT_OVER:
        if state["ability"] < state["ability_end"]:
            n = go_on_with_abilities(state, table, legal)
        elif state["attacks"] > 0:
            n = go_on_with_attacks(state, table, legal)
        else:
            n = go_on_with_turn(state, table, legal)
        if n != 0:
            return n
    return OVER


@inner(forceinline=True)
def go_on_with_turn(state, table, legal):
    """Ask for the next decision in the order of a turn, or end the turn (S3)."""
    rules = table["rules"]
    seat = U(state["active"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    if state["step"] <= DRAW_STEP:  # S3.2
        state["step"] = SUPPORT_STEP
        if me["life_count"] > 0 and rules["draw_count"] > 0:
            legal[0] = code(A_DRAW, 0, 0)
            legal[1] = code(A_PASS, 0, 0)
            return ask(state, seat, DRAW, 1 + rules["draw_optional"])
    if state["step"] <= SUPPORT_STEP:  # S3.3
        if state["supports"] > 0 and me["hand"] != NONE:
            n = list_members(legal, 0, code(A_SUPPORT, 0, 0), me["hand"] & deck["first"], 0, 8)
            legal[U(n)] = code(A_PASS, 0, 0)
            return ask(state, seat, SUPPORT, n + 1)
        state["step"] = DEPLOY_STEP
        state["points"] = me["friends_count"] - me["sea_power"]
    if state["step"] <= DEPLOY_STEP:  # S3.4
        points = min(max(state["points"], 0), MAX_POWER)
        n = list_members(legal, 0, code(A_DEPLOY, 0, 0), me["hand"] & deck["first"] & deck["afford"][U(points)], 0, 4)
        if n > 0:
            legal[U(n)] = code(A_END, 0, 0)
            return ask(state, seat, DEPLOY, n + 1)
        state["step"] = ACTION_STEP
    if state["turn"] > 1 or rules["first_turn_action"]:  # S3.6, S3.7
        ready = me["upright"] & ~me["acted"]
        if ready != NONE:
            foe = state["players"][ONE - seat]
            n = list_actions(me, deck, foe, table["decks"][ONE - seat], rules, legal, different(me, deck, ready))
            return ask(state, seat, ACTION, n)
    end_turn(state, table)
    return 0


@inner(forceinline=True)
def list_actions(me, deck, foe, foe_deck, rules, legal, ready):
    """List attacks on cards, attacks on Life, skills, and `end` unless a card must attack first (S3.6, S4.1, S4.6)."""
    n = 0
    targets = different(foe, foe_deck, up_to(foe["sea_count"]))
    free = ready
    may_end = True
    if foe["compels"] != NONE:
        compels = different(foe, foe_deck, foe["compels"])
        rest = ready
        while rest != NONE:
            place = lowest(rest)
            rest = without_lowest(rest)
            if card_at(me, deck, place)["pierce"]:  # S4.7
                n = list_members(legal, n, code(A_ATTACK, place, 0), targets, 0, 4)
            else:
                n = list_members(legal, n, code(A_ATTACK, place, 0), compels, 0, 4)
                free ^= single(place)
                may_end = rules["compel"] != 0
    elif targets != NONE:
        rest = ready
        while rest != NONE:
            n = list_members(legal, n, code(A_ATTACK, lowest(rest), 0), targets, 0, 4)
            rest = without_lowest(rest)
    n = list_members(legal, n, code(A_ATTACK_LIFE, 0, 0), free, PLACE_SHIFT, 4)
    while ready != NONE:
        place = lowest(ready)
        ready = without_lowest(ready)
        rows = card_at(me, deck, place)["abilities"]
        skills = rows[SKILL + 1] - rows[SKILL]
        legal[U(n)] = code(A_SKILL, place, 0)
        legal[U(n + 1)] = code(A_SKILL, place, 1)
        for k in range(2, skills):
            legal[U(n + k)] = code(A_SKILL, place, k)
        n += skills
    if may_end:
        legal[U(n)] = code(A_END, 0, 0)
        n += 1
    return n


@inner(forceinline=True)
def end_turn(state, table):
    """End the turn: stalemate, turn limit, or the other player's turn (S6.2, S6.3)."""
    if not state["busy"] and state["idle_before"]:
        first = state["players"][0]["life_count"]
        second = state["players"][1]["life_count"]
        state["reason"] = BY_STALEMATE
        if first > second:
            state["winner"] = 0
        elif second > first:
            state["winner"] = 1
    elif state["turn"] >= table["rules"]["max_turns"]:
        state["reason"] = BY_TURN_LIMIT
    else:
        begin_turn(state, table)


@kernel(forceinline=True)
def apply(state, table, action):
    """Carry out an action of the legal list (S3, S7)."""
    seat = U(state["active"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    decision = state["decision"]
    kind = action >> KIND_SHIFT
    last = action & LAST_MASK
    if decision < DEPLOY:
        if decision == DRAW:  # S3.2
            draws = min(table["rules"]["draw_count"], me["life_count"]) * kind
            taken = min(draws, 1)  # the first card without a branch: all bits or none
            hand = with_card(deck, me["hand"], me["life"][U(me["life_count"] - 1)])
            me["hand"] ^= (me["hand"] ^ hand) & (NONE - U(taken))
            me["life_count"] -= taken
            state["busy"] = taken
            for _ in range(1, draws):
                draw_card(me, deck)
        elif kind == A_SUPPORT:  # S3.3
            state["busy"] = 1
            state["supports"] -= 1
            me["hand"] = without_card(deck, me["hand"], last)
            to_friends(me, last)
        else:
            state["supports"] = 0
    elif decision < TARGET:
        if kind == A_DEPLOY:  # S3.4
            state["busy"] = 1
            card = deck["cards"][U(last)]
            state["points"] -= card["power"]
            me["hand"] = without_card(deck, me["hand"], last)
            to_sea(me, deck, last)
            start_abilities(state, seat, card["abilities"][ACTIVE], card["abilities"][ACTIVE + 1])
        elif kind == A_END:
            if decision == DEPLOY:
                state["step"] = ACTION_STEP
            else:
                end_turn(state, table)
        else:
            act(state, table, me, deck, kind, action >> PLACE_SHIFT & PLACE_MASK, last)
    else:
        answer(state, table, decision, kind, last)


@inner
def answer(state, table, decision, kind, last):
    """Carry out the answer to a guard, a choice of target or an offer to use an ability (S4.5, S4.11, S5)."""
    if decision == GUARD:  # S4.5
        if kind == A_GUARD:
            if table["rules"]["guard_rests"]:
                state["players"][ONE - U(state["active"])]["upright"] &= ~single(last)
            state["target"] = last
        resolve_attack(state, table)
    elif decision == TARGET:
        if state["attacks"] > 0 and state["ability"] == state["ability_end"]:  # S4.11
            state["target"] = last
        elif kind == A_PASS:
            next_ability(state)
        else:
            touch(state, table, last)
    elif kind == A_USE:  # S5.6
        use_ability(state, table)
    else:
        next_ability(state)


@inner(forceinline=True)
def act(state, table, me, deck, kind, place, last):
    """Let a card act: it rests, then attacks or uses a skill (S3.6, S3.8)."""
    card = card_at(me, deck, place)
    state["busy"] = 1
    me["actor"] = place
    if table["rules"]["act_rests"]:
        me["upright"] ^= single(place)
    else:
        me["acted"] |= single(place)
    state["bonus"] = 0
    state["on_card"] = 0
    state["pierce"] = card["pierce"]
    if kind == A_SKILL:
        row = card["abilities"][SKILL] + last
        skill = deck["abilities"][U(row)]
        if skill["do"] == E_ATTACK_LIFE:  # S4.9
            state["attacks"] = skill["n"]
            state["target"] = UNDECIDED
            state["pierce"] |= skill["pierce"]
        elif skill["do"] == E_ATTACK_CARD:
            state["attacks"] = 1
            state["target"] = UNDECIDED
            state["on_card"] = 1
            state["bonus"] = skill["n"]
            state["pierce"] |= skill["pierce"]
        else:
            start_abilities(state, state["active"], row, row + 1)
    else:
        state["attacks"] = 1
        state["target"] = last if kind == A_ATTACK else LIFE


# ----------------------------------------------------------------------------------------------------- attacks (S4)


@inner(forceinline=True)
def go_on_with_attacks(state, table, legal):
    """Ask for the next attack's target and guard where there is a choice, then let it happen (S4.9, S4.11)."""
    seat = U(state["active"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    foe_deck = table["decks"][ONE - seat]
    if me["actor"] == NOBODY:
        state["attacks"] = 0
        return 0
    if state["target"] == UNDECIDED:
        compels = foe["compels"] if not state["pierce"] else NONE  # S4.6, S4.7
        if compels != NONE or state["on_card"]:
            places = compels if compels != NONE else up_to(foe["sea_count"])
            if places == NONE:
                state["attacks"] = 0  # S3.8
                return 0
            n = list_members(legal, 0, code(A_TARGET, 0, 0), different(foe, foe_deck, places), 0, 4)
            return ask(state, seat, TARGET, n)
        state["target"] = LIFE
    target = state["target"]
    guards = foe["guards"] & foe["upright"]
    if guards != NONE and not state["pierce"]:  # S4.5
        if target != LIFE:
            if table["rules"]["guard_scope"] == 0 or contains(foe["compels"], target):
                guards = NONE
            else:
                guards &= ~single(target)
        if guards != NONE:
            n = list_members(legal, 0, code(A_GUARD, 0, 0), different(foe, foe_deck, guards), 0, 4)
            legal[U(n)] = code(A_PASS, 0, 0)
            return ask(state, ONE - seat, GUARD, n + 1)
    resolve_attack(state, table)
    return 0


@inner(forceinline=True)
def resolve_attack(state, table):
    """Let one attack happen: battle, damage or victory, and the trap that it sets off (S4.2 to S4.4, S4.8)."""
    seat = U(state["active"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    foe = state["players"][ONE - seat]
    foe_deck = table["decks"][ONE - seat]
    state["attacks"] -= 1
    target = state["target"]
    state["target"] = UNDECIDED
    if target == LIFE:
        if foe["life_count"] == 0:  # S4.4
            state["winner"] = seat
            state["reason"] = BY_LIFE
            return
        turn_up(foe)  # S4.3
        foe["trap"] = foe["friends_count"] - 1
        rows = foe_deck["cards"][foe["friends"][foe["trap"]]]["abilities"]
        start_abilities(state, ONE - seat, rows[TRAP], rows[TRAP + 1])
    else:  # S4.2
        power = card_at(me, deck, me["actor"])["power"] + state["bonus"]
        other = card_at(foe, foe_deck, target)["power"]
        if other <= power:
            sink(foe, foe_deck, target)
        if power <= other:
            sink(me, deck, me["actor"])


# --------------------------------------------------------------------------------------------------- abilities (S5)


@inner(forceinline=True)
def start_abilities(state, controller, row, end):
    """Let the abilities of these rows happen, one after another (S5.7)."""
    state["controller"] = controller
    state["ability"] = row
    state["ability_end"] = end
    state["repeats"] = UNDECIDED


@inner(forceinline=True)
def next_ability(state):
    """Go to the next ability that waits."""
    state["ability"] += 1
    state["repeats"] = UNDECIDED


@inner
def go_on_with_abilities(state, table, legal):
    """Ask what the ability that happens needs to know, or let it happen (S5)."""
    seat = U(state["controller"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    foe = state["players"][ONE - seat]
    foe_deck = table["decks"][ONE - seat]
    ability = deck["abilities"][U(state["ability"])]
    do = ability["do"]
    n = 0
    if do == E_SINK or do == E_REST or do == E_READY or do == E_BOUNCE or do == E_RECALL:  # S5.5
        if state["repeats"] == UNDECIDED:
            state["repeats"] = ability["n"]
        if state["repeats"] > 0:
            if do == E_SINK:
                places = different(foe, foe_deck, weak(foe, foe_deck, ability["max_power"]))
            elif do == E_REST:
                places = different(foe, foe_deck, foe["upright"])
            elif do == E_READY:  # S5.8
                places = different(me, deck, up_to(me["sea_count"]) & ~me["upright"] & ~me["readied"])
            elif do == E_BOUNCE:
                places = up_to(me["sea_count"])
                if me["actor"] != NOBODY:
                    places &= ~single(me["actor"])
                places = different(me, deck, places)
            else:
                places = ids_in_friends(me)
            n = list_members(legal, 0, code(A_TARGET_ID if do == E_RECALL else A_TARGET, 0, 0), places, 0, 4)
        if n == 0:
            next_ability(state)
            return 0
        legal[U(n)] = code(A_PASS, 0, 0)
        return ask(state, seat, TARGET, n + ability["optional"])
    if reach(do, ability["n"], me, foe) == 0:
        next_ability(state)
        return 0
    if ability["optional"] and state["repeats"] == UNDECIDED:  # S5.6
        legal[0] = code(A_USE, 0, 0)
        legal[1] = code(A_PASS, 0, 0)
        return ask(state, seat, USE, 2)
    if do == E_DISCARD:
        return CHANCE
    carry_out(state, table, ability)
    next_ability(state)
    return 0


@inner
def weak(player, deck, max_power):
    """Give the places of the Sea with at most this power."""
    places = NONE
    for place in range(player["sea_count"]):
        if card_at(player, deck, place)["power"] <= max_power:
            places |= single(place)
    return places


@inner
def ids_in_friends(player):
    """Give the different ids in Friends, as a set of slots."""
    slots = NONE
    for i in range(player["friends_count"]):
        slots |= single(player["friends"][i])
    return slots


@inner
def touch(state, table, chosen):
    """Do to a chosen card what the ability says (S5.5, S5.8, S5.9)."""
    seat = U(state["controller"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    foe = state["players"][ONE - seat]
    do = deck["abilities"][U(state["ability"])]["do"]
    state["repeats"] -= 1
    if do == E_SINK:
        sink(foe, table["decks"][ONE - seat], chosen)
    elif do == E_REST:
        foe["upright"] &= ~single(chosen)
    elif do == E_READY:
        me["upright"] |= single(chosen)
        me["readied"] |= single(chosen)
        me["acted"] &= ~single(chosen)
    elif do == E_BOUNCE:
        me["hand"] = with_card(deck, me["hand"], from_sea(me, deck, chosen))
    else:  # recall: the most recent copy
        place = me["friends_count"] - 1
        while me["friends"][place] != chosen:
            place -= 1
        me["hand"] = with_card(deck, me["hand"], from_friends(me, place))


@inner(forceinline=True)
def reach(do, n, me, foe):
    """Count the cards that an effect without a choice would touch; 0 if it could do nothing (S5.6, S5.9, S5.10)."""
    if do == E_SINK_ATTACKER:
        return 1 if foe["actor"] != NOBODY else 0
    if do == E_RECALL_SELF:
        return 1 if me["trap"] != NOBODY else 0
    if do == E_DRAW or do == E_SUPPORT:
        return min(n, me["life_count"])
    if do == E_HEAL:
        return min(n, me["friends_count"])
    if do == E_MILL:
        return min(n, foe["life_count"])
    return min(n, count(foe["hand"]))


@inner
def use_ability(state, table):
    """Let an optional ability happen that its controller uses (S5.6)."""
    ability = table["decks"][U(state["controller"])]["abilities"][U(state["ability"])]
    if ability["do"] == E_DISCARD:
        state["repeats"] = ability["n"]
    else:
        carry_out(state, table, ability)
        next_ability(state)


@inner
def carry_out(state, table, ability):
    """Let an effect without choice or chance happen (S5)."""
    seat = U(state["controller"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    foe = state["players"][ONE - seat]
    do = ability["do"]
    cards = reach(do, ability["n"], me, foe)
    if do == E_SINK_ATTACKER:
        sink(foe, table["decks"][ONE - seat], foe["actor"])
    elif do == E_RECALL_SELF:
        me["hand"] = with_card(deck, me["hand"], from_friends(me, me["trap"]))
    else:
        for _ in range(cards):
            if do == E_DRAW:
                draw_card(me, deck)
            elif do == E_SUPPORT:
                turn_up(me)
            elif do == E_HEAL:
                to_life_bottom(me, from_friends(me, me["friends_count"] - 1))
            else:  # mill
                turn_up(foe)


# ------------------------------------------------------------------------------------------------------ chance (S5.10)


@kernel
def sample_chance(state, table):
    """Choose the outcome of the chance event that waits: random cards of a hand, one after another (S5.10)."""
    seat = ONE - U(state["controller"])
    player = state["players"][seat]
    deck = table["decks"][seat]
    hand = player["hand"]
    ability = table["decks"][U(state["controller"])]["abilities"][U(state["ability"])]
    state["chosen_count"] = min(ability["n"], count(hand))
    for i in range(state["chosen_count"]):
        rest = hand
        for _ in range(below(player, CHANCE_STREAM, count(hand))):
            rest = without_lowest(rest)
        slot = lowest(rest)
        while not contains(deck["first"], slot):
            slot -= 1
        hand = without_card(deck, hand, slot)
        state["chosen"][i] = slot


@kernel
def apply_chance(state, table):
    """Let the chance event happen as chosen: the cards go from the hand to Friends, one by one (S5.10)."""
    seat = ONE - U(state["controller"])
    player = state["players"][seat]
    deck = table["decks"][seat]
    for i in range(state["chosen_count"]):
        player["hand"] = without_card(deck, player["hand"], state["chosen"][i])
        to_friends(player, state["chosen"][i])
    next_ability(state)


@kernel
def lead(state, table, seat):
    """Tell how far a seat is ahead: in cards of Life, as a share of those at the start (S2.1, of the larger deck), from
    -1 to 1.
    """
    difference = state["players"][seat]["life_count"] - state["players"][ONE - U(seat)]["life_count"]
    start = max(table["decks"][0]["size"], table["decks"][1]["size"]) - table["rules"]["opening_hand"]
    return min(max(difference / max(start, 1), -1.0), 1.0)
