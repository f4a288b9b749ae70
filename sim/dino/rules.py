"""Dino: the rules as kernels, in the order of a game; the clauses are those of docs/dino.md.

`advance` goes on to the next decision and returns the length of its legal list, OVER when the game has ended, or CHANCE
before a chance event. A decision is answered by `apply`; the outcome of a chance event is chosen by
`sample_chance` (or a replay) and takes place by `apply_chance`.
"""

from __future__ import annotations

from sim.dino.layout import (
    A_ATTACK,
    A_ATTACK_DINO,
    A_ATTACK_LIFE,
    A_BLOCK,
    A_CAST,
    A_END,
    A_KEEP,
    A_LEVEL,
    A_PASS,
    A_RETURN,
    A_SUMMON,
    A_TARGET_ENEMY,
    A_TARGET_ID,
    A_TARGET_OWN,
    AFFORD,
    ATTACK,
    ATTACK_PHASE,
    BLOCK,
    BLOCKING,
    BLOCKS,
    BY_DECK,
    BY_LIFE,
    BY_TURN_LIMIT,
    COUNTER,
    COUNTERS,
    E_AWAKEN,
    E_BOUNCE,
    E_DAMAGE,
    E_DESTROY,
    E_DIRECT,
    E_DISCARD,
    E_DRAW,
    E_FIGHT,
    E_FREEZE,
    E_GRANT,
    E_HEAL,
    E_LEVEL,
    E_LEVEL_TO,
    E_PP,
    E_PP_MAX,
    E_RECOVER,
    E_REST,
    E_REVIVE,
    EVERY_KEYWORD,
    FIRST_MULLIGAN,
    FIRST_ON_DINOS,
    HASTE,
    HUNT,
    KEYWORD_BITS,
    LEVELS,
    LIFE,
    MAIN,
    MAIN_PHASE,
    MAX_KINDS,
    MAX_WAITING,
    MULLIGAN,
    MUTUAL,
    N_BLOCKS,
    N_COUNTER_SPELLS,
    N_GAMES,
    N_LEVELS_BY_BATTLE,
    N_LEVELS_BY_CARD,
    N_SPELLS,
    N_SPENT,
    N_SUMMONS,
    N_WASTED,
    NO_ATTACK,
    NO_ATTACK_NOW,
    NOBODY,
    NOT_OVER,
    ON_ATTACK,
    ON_DEATH,
    ON_SUMMON,
    ON_WIN,
    SEATS,
    SET_MASK,
    SLOTS,
    SPELL,
    T_ALL_ENEMY,
    T_ALL_OWN,
    T_ATTACKER,
    T_ENEMY,
    T_OWN,
    T_SELF,
    T_THIS,
    TALLIES,
    TALLY_TURNS,
    TARGET,
    TURN_TALLIES,
)
from sim.kernels.bits import NONE, ONE, U, contains, count, lowest, single, up_to, without_lowest
from sim.kernels.jit import inner, kernel
from sim.kernels.legal import KIND_SHIFT, LAST_MASK, PLACE_MASK, PLACE_SHIFT, ask, code, list_members
from sim.kernels.loop import CHANCE, OVER
from sim.kernels.streams import shuffle
from sim.kernels.zones import choose_from_hand, draw_card, from_hand, to_hand

EVERY_SLOT = U((1 << SLOTS) - 1)
KEYWORDS_OF_SLOT = U(EVERY_KEYWORD)
TALLY_COUNT, TURN_TALLY_COUNT = len(TALLIES), len(TURN_TALLIES)

# ------------------------------------------------------------------------------------------------------ moving cards
# (D1)


@inner(forceinline=True)
def to_stratum(player, kind):
    """Put a card into the stratum."""
    player["stratum_counts"][U(kind)] += 1
    player["stratum"] |= single(kind)


@inner(forceinline=True)
def from_stratum(player, kind):
    """Take a card out of the stratum."""
    left = player["stratum_counts"][U(kind)] - 1
    player["stratum_counts"][U(kind)] = left
    player["stratum"] ^= U(left == 0) << U(kind)


@inner
def draw_cards(state, seat, n):
    """Draw cards one by one; who draws the last card of the deck has lost at once (D8.2, D8.6)."""
    player = state["players"][U(seat)]
    for _ in range(n):
        draw_card(player)
        if player["deck_count"] == 0:
            lose(state, seat, BY_DECK)
            return


@inner(forceinline=True)
def card_at(player, deck, slot):
    """Give the card of the dino in a slot."""
    return deck["cards"][U(player["field"][U(slot)]["card"])]


@inner
def to_field(state, table, seat, kind):
    """Put a dino into the lowest empty slot, at Lv.1, awake and new; its summon is a trigger (D4.2, D5.1)."""
    player = state["players"][seat]
    card = table["decks"][seat]["cards"][U(kind)]
    slot = lowest(~player["occupied"])
    state["arrivals"] += 1
    dino = player["field"][U(slot)]
    dino["card"] = kind
    dino["level"] = 1
    dino["fight"] = 0
    dino["direct"] = 0
    dino["arrival"] = state["arrivals"]
    player["dinos"] |= single(kind)
    player["occupied"] |= single(slot)
    player["new"] |= single(slot)
    player["keywords"] |= card["keywords"] << U(slot)
    player["aura_fight"] += card["aura_fight"]
    player["aura_direct"] += card["aura_direct"]
    player["spell_cost"] += card["cost_self"]
    state["players"][ONE - seat]["spell_cost"] += card["cost_opponent"]
    player["tallies"][N_SUMMONS] += 1
    trigger(state, table, seat, slot, ON_SUMMON)


@inner
def from_field(state, table, seat, slot):
    """Take a dino off the field, with its markers and auras; returns its card (D5.1)."""
    player = state["players"][seat]
    kind = player["field"][U(slot)]["card"]
    card = table["decks"][seat]["cards"][U(kind)]
    others = ~single(slot)
    player["occupied"] &= others
    player["dinos"] = kinds_on_field(player)
    player["rested"] &= others
    player["frozen"] &= others
    player["new"] &= others
    player["keywords"] &= ~(KEYWORDS_OF_SLOT << U(slot))
    player["granted"] &= ~(KEYWORDS_OF_SLOT << U(slot))
    player["aura_fight"] -= card["aura_fight"]
    player["aura_direct"] -= card["aura_direct"]
    player["spell_cost"] -= card["cost_self"]
    state["players"][ONE - seat]["spell_cost"] -= card["cost_opponent"]
    return kind


@inner(forceinline=True)
def kinds_on_field(player):
    """Give the kinds of the dinos on the field."""
    kinds = NONE
    for slot in range(SLOTS):
        kinds |= ((player["occupied"] >> U(slot)) & ONE) << U(player["field"][U(slot)]["card"])
    return kinds


@inner
def destroy(state, table, seat, slot):
    """Move a dino from the field to the stratum; its death is a trigger (D7)."""
    trigger(state, table, seat, slot, ON_DEATH)
    to_stratum(state["players"][seat], from_field(state, table, seat, slot))


# ------------------------------------------------------------------------------------------------- what dinos are
# (D7.9)


@inner(forceinline=True)
def fight_of(player, deck, slot):
    """Give a dino's fight: at its level, with changes and auras, cut at 0 (D7.2, D7.9)."""
    dino = player["field"][U(slot)]
    card = deck["cards"][U(dino["card"])]
    return max(0, card["fight"][U(dino["level"])] + dino["fight"] + player["aura_fight"] + card["own_fight"])


@inner(forceinline=True)
def direct_of(player, deck, slot):
    """Give a dino's direct, likewise (D7.2, D7.9)."""
    dino = player["field"][U(slot)]
    card = deck["cards"][U(dino["card"])]
    return max(0, card["direct"][U(dino["level"])] + dino["direct"] + player["aura_direct"] + card["own_direct"])


@inner(forceinline=True)
def with_keyword(player, keyword):
    """Give the slots of the dinos that have a keyword, of their own or granted."""
    return ((player["keywords"] | player["granted"]) >> U(KEYWORD_BITS * keyword)) & EVERY_SLOT


@inner(forceinline=True)
def is_here(player, slot, arrival):
    """Tell whether a dino is still on the field: this very one, not the same card come back (D6.4, D7.7)."""
    return slot >= 0 and contains(player["occupied"], slot) and player["field"][U(slot)]["arrival"] == arrival


@inner
def not_stronger(player, deck, slots, limit):
    """Keep the slots of dinos of fight at most a limit; a negative one is none (D7)."""
    if limit < 0:
        return slots
    kept = NONE
    while slots != NONE:
        slot = lowest(slots)
        slots = without_lowest(slots)
        kept |= U(fight_of(player, deck, slot) <= limit) << U(slot)
    return kept


@inner(forceinline=True)
def affordable(deck, kinds, budget):
    """Keep the kinds of at most this cost."""
    if U(budget) < U(AFFORD):
        return kinds & deck["afford"][U(budget)]
    return affordable_one_by_one(deck, kinds, budget)


@inner
def affordable_one_by_one(deck, kinds, budget):
    """Keep the kinds of at most this cost, whatever the budget."""
    kept = NONE
    while kinds != NONE:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        kept |= U(deck["cards"][U(kind)]["cost"] <= budget) << U(kind)
    return kept


@inner(forceinline=True)
def castable(player, deck):
    """Give the spells in hand that can be paid for, auras counted (D4.1, D6.3, D7.9)."""
    return affordable(deck, player["hand"] & deck["spells"], player["pp"] - player["spell_cost"])


@inner(forceinline=True)
def can_level(player):
    """Give the slots of awake dinos below Lv.3 whose card is in hand too (D5.2)."""
    slots = NONE
    if player["hand"] & player["dinos"] != NONE:
        for slot in range(SLOTS):  # all of them, since a branch a dino would cost more
            dino = player["field"][U(slot)]
            slots |= ((player["hand"] >> U(dino["card"])) & U(dino["level"] < LEVELS)) << U(slot)
    return slots & player["occupied"] & ~player["rested"]


@inner(forceinline=True)
def can_attack(player):
    """Give the slots of the dinos that may attack (D6.1, D4.2)."""
    barred = player["rested"] | (player["new"] & ~with_keyword(player, HASTE)) | with_keyword(player, NO_ATTACK)
    return player["occupied"] & ~barred


# --------------------------------------------------------------------------------------------------- asking and ending


@inner(forceinline=True)
def ask_in_turn(state, seat, decision, n):
    """Ask; one decision more than a turn may have ends the game (D8.5)."""
    if state["decisions"] >= state["last_decision"]:
        state["reason"] = BY_TURN_LIMIT
        return 0
    return ask(state, seat, decision, n)


@inner(forceinline=True)
def lose(state, seat, reason):
    """End the game: this seat has lost (D8.1, D8.2)."""
    state["winner"] = ONE - U(seat)
    state["reason"] = reason


# ------------------------------------------------------------------------------------------------------------ setup
# (D2)


@kernel
def deal(state, table):
    """Make each deck a shuffled pile (D2.2)."""
    for seat in range(SEATS):
        player = state["players"][seat]
        deck = table["decks"][seat]
        for i in range(deck["size"]):
            player["deck"][i] = deck["pile"][i]
        shuffle(player, player["deck"], deck["size"], deck["size"])


@kernel
def begin(state, table):
    """Set life and PP and draw the opening hands (D2.1, D2.2)."""
    rules = table["rules"]
    for seat in range(SEATS):
        player = state["players"][seat]
        player["hand"] = NONE
        player["stratum"] = NONE
        player["dinos"] = NONE
        player["occupied"] = NONE
        player["rested"] = NONE
        player["frozen"] = NONE
        player["new"] = NONE
        player["keywords"] = NONE
        player["granted"] = NONE
        player["life"] = rules["life"]
        player["pp"] = 0
        player["pp_max"] = 0
        player["spell_cost"] = 0
        player["aura_fight"] = 0
        player["aura_direct"] = 0
        player["changed"] = 0
        player["use"] = NOBODY
        player["hand_count"] = 0
        player["deck_count"] = table["decks"][seat]["size"]
        player["spent"] = 0
        for i in range(TALLY_COUNT):
            player["tallies"][i] = 0
        for i in range(TALLY_TURNS * TURN_TALLY_COUNT):
            player["turn_tallies"][i] = 0
        for kind in range(MAX_KINDS):
            player["hand_counts"][kind] = 0
            player["stratum_counts"][kind] = 0
        for _ in range(rules["opening_hand"]):
            draw_card(player)
    state["turn"] = 0
    state["active"] = SEATS - 1
    state["phase"] = FIRST_MULLIGAN
    state["decisions"] = 0
    state["arrivals"] = 0
    state["returned"] = 0
    state["now"]["row"] = 0
    state["now"]["end"] = 0
    state["first_waiting"] = 0
    state["waiting_count"] = 0
    state["stage"] = NO_ATTACK_NOW
    state["chosen_count"] = 0
    state["winner"] = NOBODY
    state["reason"] = NOT_OVER
    if not rules["mulligan"]:
        state["phase"] = MAIN_PHASE
        begin_turn(state, table)


@inner
def go_on_with_setup(state, table, legal):
    """Ask for the next mulligan, or let the deck be shuffled after one (D2.2, D2.3, D9.2)."""
    seat = state["phase"]
    if state["returned"] > 0:
        return CHANCE
    n = list_mulligans(state["players"][U(seat)], legal)
    if n == 1:
        end_mulligan(state, table)
        return 0
    return ask(state, seat, MULLIGAN, n)


@inner
def list_mulligans(player, legal):
    """List `keep`, then every different set of hand cards, by size, then in id order (D9.2).

    The hand's places count down from its size: sets of one size are in id order when their numbers fall.
    """
    size = player["hand_count"]
    twins = NONE  # places whose card is that of the place before
    place = size
    rest = player["hand"]
    while rest != NONE:
        copies = player["hand_counts"][U(lowest(rest))]
        rest = without_lowest(rest)
        place -= copies
        twins |= up_to(copies - 1) << U(place)
    legal[0] = code(A_KEEP, 0, 0)
    n = 1
    for members in range(1, size + 1):
        for number in range((1 << size) - 1, 0, -1):
            places = U(number)
            if count(places) == members and places & twins & ~(places >> ONE) == NONE:
                legal[n] = A_RETURN << KIND_SHIFT | number
                n += 1
    return n


@inner
def put_back(state, places):
    """Put a set of hand cards, given by their places, back into the deck (D2.3)."""
    player = state["players"][U(state["phase"])]
    place = player["hand_count"]
    rest = player["hand"]
    while rest != NONE:
        kind = lowest(rest)
        rest = without_lowest(rest)
        for _ in range(player["hand_counts"][U(kind)]):
            place -= 1
            if contains(places, place):
                from_hand(player, kind)
                player["deck"][U(player["deck_count"])] = kind
                player["deck_count"] += 1
                state["returned"] += 1


@inner
def end_mulligan(state, table):
    """Go on to the second player's mulligan or to the first turn (D2.2)."""
    state["phase"] += 1
    if state["phase"] == MAIN_PHASE:
        begin_turn(state, table)


# ------------------------------------------------------------------------------------------------------ the turn (D3,
# D4)


@inner
def begin_turn(state, table):
    """Pass the turn on and go through its reset phase: awaken, PP, draw (D3)."""
    rules = table["rules"]
    seat = ONE - U(state["active"])
    player = state["players"][seat]
    state["active"] = seat
    state["turn"] += 1
    state["phase"] = MAIN_PHASE
    state["last_decision"] = state["decisions"] + rules["max_decisions"]
    own_turn = (state["turn"] + 1) >> 1
    player["rested"] &= player["frozen"]  # D3.1
    player["frozen"] = NONE
    start = rules["second_first_pp"] if seat == ONE else 1  # D3.4
    if own_turn == 1:
        rise = max(start, 1)
        draws = rules["second_first_draw"] if seat == ONE else rules["first_first_draw"]
    else:
        rise = 1 if own_turn > start else 0
        draws = 1
        tally_turn(player, own_turn - 1)
    player["spent"] = 0
    player["pp_max"] = min(player["pp_max"] + rise, rules["pp_cap"])  # D3.2
    player["pp"] = player["pp_max"]
    draw_cards(state, seat, draws)  # D3.3


@inner(forceinline=True)
def tally_turn(player, own_turn):
    """Count what a turn's PP became, up to the own reset that ends it (D4.4)."""
    first = TURN_TALLY_COUNT * (min(own_turn, TALLY_TURNS) - 1)
    player["turn_tallies"][U(first + N_GAMES)] += 1
    player["turn_tallies"][U(first + N_SPENT)] += player["spent"]
    player["turn_tallies"][U(first + N_WASTED)] += player["pp"]


@inner
def end_turn(state, table):
    """End the turn, and with it what lasts until its end: the turn limit, or the other player's turn (D7.9, D8.4)."""
    for seat in range(SEATS):
        player = state["players"][seat]
        player["new"] = NONE
        player["granted"] = NONE
        if player["changed"]:
            player["changed"] = 0
            for slot in range(SLOTS):
                player["field"][slot]["fight"] = 0
                player["field"][slot]["direct"] = 0
    if state["turn"] >= table["rules"]["max_turns"]:
        state["reason"] = BY_TURN_LIMIT
    else:
        begin_turn(state, table)


@kernel(forceinline=True)
def advance(state, table, legal):
    """Go on to the next decision: first what abilities do, then the attack under way, then the turn."""
    while state["reason"] == NOT_OVER:
        if state["now"]["row"] < state["now"]["end"]:
            n = go_on_with_abilities(state, table, legal)
        elif state["stage"] != NO_ATTACK_NOW:
            n = go_on_with_attack(state, table, legal)
        elif state["phase"] >= MAIN_PHASE:
            n = go_on_with_turn(state, table, legal)
        else:
            n = go_on_with_setup(state, table, legal)
        if n != 0:
            return n
    return OVER


@inner(forceinline=True)
def go_on_with_turn(state, table, legal):
    """Ask for the next action of the PP phase or of the attack phase (D4.1, D5.2, D6.1, D9)."""
    seat = U(state["active"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    if state["phase"] == MAIN_PHASE:
        n = 0
        if me["occupied"] != EVERY_SLOT:
            n = list_members(
                legal, n, code(A_SUMMON, 0, 0), affordable(deck, me["hand"] & deck["dinos"], me["pp"]), 0, 4
            )
        n = list_members(legal, n, code(A_CAST, 0, 0), castable(me, deck), 0, 3)
        n = list_members(legal, n, code(A_LEVEL, 0, 0), can_level(me), 0, 1)
        legal[U(n)] = code(A_ATTACK, 0, 0)
        return ask_in_turn(state, seat, MAIN, n + 1)
    foe = state["players"][ONE - seat]
    attackers = can_attack(me)
    hunters = with_keyword(me, HUNT)
    n = 0
    rest = attackers
    while rest != NONE:
        slot = lowest(rest)
        rest = without_lowest(rest)
        targets = foe["occupied"] if contains(hunters, slot) else foe["rested"]
        n = list_members(legal, n, code(A_ATTACK_DINO, slot, 0), targets, 0, 2)
    n = list_members(legal, n, code(A_ATTACK_LIFE, 0, 0), attackers, PLACE_SHIFT, 3)
    n = list_members(legal, n, code(A_LEVEL, 0, 0), can_level(me), 0, 1)
    if n == 0:  # D9.3
        end_turn(state, table)
        return 0
    legal[U(n)] = code(A_END, 0, 0)
    return ask_in_turn(state, seat, ATTACK, n + 1)


@kernel(forceinline=True)
def apply(state, table, action):
    """Carry out an action of the legal list (D9)."""
    seat = U(state["decider"])
    me = state["players"][seat]
    kind = action >> KIND_SHIFT
    last = action & LAST_MASK
    if kind == A_SUMMON:
        pay(me, table["decks"][seat]["cards"][U(last)]["cost"])
        from_hand(me, last)
        to_field(state, table, seat, last)
    elif kind == A_CAST:
        cast(state, table, seat, last)
    elif kind == A_LEVEL:
        raise_by_card(me, last)
    elif kind == A_ATTACK:
        state["phase"] = ATTACK_PHASE
    elif kind == A_ATTACK_DINO or kind == A_ATTACK_LIFE:
        declare(state, table, action >> PLACE_SHIFT & PLACE_MASK, last if kind == A_ATTACK_DINO else LIFE)
    elif kind == A_END:
        end_turn(state, table)
    elif state["decision"] == TARGET:
        choose_target(state, table, kind, last)
    elif state["decision"] == COUNTER:
        state["stage"] = BLOCKING
    elif state["decision"] == BLOCK:
        if kind == A_BLOCK:
            block(state, last)
        resolve_attack(state, table)
    elif kind == A_KEEP:
        end_mulligan(state, table)
    else:
        put_back(state, U(action & SET_MASK))


@inner(forceinline=True)
def pay(player, cost):
    """Pay a cost from the current PP (D4.1)."""
    player["pp"] -= cost
    player["spent"] += cost


@inner
def cast(state, table, seat, kind):
    """Use a spell: it leaves the hand for the use zone and is paid; its abilities come next (D4.3, D6.3)."""
    player = state["players"][seat]
    card = table["decks"][seat]["cards"][U(kind)]
    from_hand(player, kind)
    player["use"] = kind
    pay(player, max(0, card["cost"] + player["spell_cost"]))
    player["tallies"][N_SPELLS if seat == U(state["active"]) else N_COUNTER_SPELLS] += 1
    start(state["now"], card, seat, SPELL, NOBODY, 0)


@inner(forceinline=True)
def raise_by_card(player, slot):
    """Raise a dino by the same card from the hand; it can then act at once (D5.2, D5.3)."""
    dino = player["field"][U(slot)]
    from_hand(player, dino["card"])
    to_stratum(player, dino["card"])
    dino["level"] += 1
    player["new"] &= ~single(slot)
    player["tallies"][N_LEVELS_BY_CARD] += 1


# ------------------------------------------------------------------------------------------------------------ attacks
# (D6)


@inner
def declare(state, table, slot, target):
    """Declare an attack: the attacker rests, its abilities are triggered (D6.1, D6.2)."""
    seat = U(state["active"])
    me = state["players"][seat]
    me["rested"] |= single(slot)
    state["stage"] = COUNTERS
    state["attacker"] = slot
    state["attacker_arrival"] = me["field"][U(slot)]["arrival"]
    aim(state, target)
    trigger(state, table, seat, slot, ON_ATTACK)


@inner(forceinline=True)
def aim(state, target):
    """Let the attack go against a slot or the life of the defender."""
    state["target"] = target
    state["target_arrival"] = state["players"][ONE - U(state["active"])]["field"][U(max(target, 0))]["arrival"]


@inner(forceinline=True)
def go_on_with_attack(state, table, legal):
    """Ask for counter-spells, then for a block, then let the attack happen, if it still can (D6.2 to D6.5)."""
    seat = U(state["active"])
    foe = state["players"][ONE - seat]
    if state["stage"] == COUNTERS:
        if table["rules"]["counter_spells"]:  # D6.3
            n = list_members(legal, 0, code(A_CAST, 0, 0), castable(foe, table["decks"][ONE - seat]), 0, 2)
            if n > 0:
                legal[U(n)] = code(A_PASS, 0, 0)
                return ask_in_turn(state, ONE - seat, COUNTER, n + 1)
        state["stage"] = BLOCKING
    target = state["target"]
    if not is_here(state["players"][seat], state["attacker"], state["attacker_arrival"]) or (
        target != LIFE and not is_here(foe, target, state["target_arrival"])
    ):
        state["stage"] = NO_ATTACK_NOW  # D6.4
        return 0
    blockers = foe["occupied"] & ~foe["rested"] & with_keyword(foe, BLOCKS)
    if target != LIFE:
        blockers &= ~single(target)
    if blockers != NONE:  # D6.5
        n = list_members(legal, 0, code(A_BLOCK, 0, 0), blockers, 0, 2)
        legal[U(n)] = code(A_PASS, 0, 0)
        return ask_in_turn(state, ONE - seat, BLOCK, n + 1)
    resolve_attack(state, table)
    return 0


@inner(forceinline=True)
def block(state, slot):
    """Let a dino block: it rests and becomes the target (D6.5)."""
    foe = state["players"][ONE - U(state["active"])]
    foe["rested"] |= single(slot)
    foe["tallies"][N_BLOCKS] += 1
    aim(state, slot)


@inner
def resolve_attack(state, table):
    """Let an attack happen: battle or life damage (D6.6, D6.8)."""
    seat = U(state["active"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][seat]
    foe_deck = table["decks"][ONE - seat]
    attacker = state["attacker"]
    target = state["target"]
    state["stage"] = NO_ATTACK_NOW
    if target == LIFE:
        damage(state, ONE - seat, direct_of(me, deck, attacker))
        return
    mine = fight_of(me, deck, attacker)
    theirs = fight_of(foe, foe_deck, target)
    attacker_goes = mine <= theirs
    target_goes = theirs <= mine
    if attacker_goes and contains(with_keyword(me, MUTUAL), attacker):  # D6.7
        target_goes = True
    elif target_goes and contains(with_keyword(foe, MUTUAL), target):
        attacker_goes = True
    if not target_goes:  # D6.11: the winner rises and rests before what is triggered
        win(foe, target)
    if not attacker_goes:
        win(me, attacker)
    if attacker_goes:
        destroy(state, table, seat, attacker)
    if target_goes:
        destroy(state, table, ONE - seat, target)
    if not target_goes:
        trigger(state, table, ONE - seat, target, ON_WIN)
    if not attacker_goes:
        trigger(state, table, seat, attacker, ON_WIN)


@inner(forceinline=True)
def win(player, slot):
    """Let the winner of a battle rise a level and rest (D5.4, D6.9)."""
    dino = player["field"][U(slot)]
    player["tallies"][N_LEVELS_BY_BATTLE] += U(dino["level"] < LEVELS)
    dino["level"] = min(dino["level"] + 1, LEVELS)
    player["rested"] |= single(slot)


@inner(forceinline=True)
def damage(state, seat, n):
    """Reduce a player's life; at 0 or less it has lost (D6.8, D8.1)."""
    player = state["players"][seat]
    player["life"] -= n
    if player["life"] <= 0:
        lose(state, seat, BY_LIFE)


# ---------------------------------------------------------------------------------------------------------- abilities
# (D7)


@inner(forceinline=True)
def start(waiting, card, seat, when, slot, arrival):
    """Note a card's abilities for a trigger."""
    waiting["row"] = card["abilities"][when]
    waiting["end"] = card["abilities"][when + 1]
    waiting["seat"] = seat
    waiting["slot"] = slot
    waiting["arrival"] = arrival


@inner
def trigger(state, table, seat, slot, when):
    """Let a dino's abilities for a trigger join the queue (D7.6)."""
    player = state["players"][seat]
    dino = player["field"][U(slot)]
    card = table["decks"][seat]["cards"][U(dino["card"])]
    if card["abilities"][when] == card["abilities"][when + 1]:
        return
    if state["now"]["row"] >= state["now"]["end"]:
        start(state["now"], card, seat, when, slot, dino["arrival"])
    elif state["waiting_count"] < MAX_WAITING:
        place = (state["first_waiting"] + state["waiting_count"]) % MAX_WAITING
        start(state["waiting"][U(place)], card, seat, when, slot, dino["arrival"])
        state["waiting_count"] += 1
    else:
        state["reason"] = BY_TURN_LIMIT


@inner
def next_ability(state):
    """Go on to the next ability; after the last of a spell it goes to the stratum, then comes what waits (D4.3, D7.6)."""
    now = state["now"]
    now["row"] += 1
    if now["row"] < now["end"] or state["reason"] != NOT_OVER:  # D8.6
        return
    player = state["players"][U(now["seat"])]
    if player["use"] != NOBODY:
        to_stratum(player, player["use"])
        player["use"] = NOBODY
    if state["waiting_count"] > 0:
        waiting = state["waiting"][U(state["first_waiting"])]
        now["row"] = waiting["row"]
        now["end"] = waiting["end"]
        now["seat"] = waiting["seat"]
        now["slot"] = waiting["slot"]
        now["arrival"] = waiting["arrival"]
        state["first_waiting"] = (state["first_waiting"] + 1) % MAX_WAITING
        state["waiting_count"] -= 1


@inner
def go_on_with_abilities(state, table, legal):
    """Ask for the target of the ability that happens, or let it happen (D7, D7.8)."""
    seat = U(state["now"]["seat"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    ability = deck["abilities"][U(state["now"]["row"])]
    do = ability["do"]
    target = ability["target"]
    if do == E_RECOVER or do == E_REVIVE or target == T_OWN or target == T_ENEMY:
        if do == E_RECOVER:
            prefix = code(A_TARGET_ID, 0, 0)
            members = me["stratum"] & deck["dinos"]
        elif do == E_REVIVE:
            prefix = code(A_TARGET_ID, 0, 0)
            members = me["stratum"] & deck["dinos"] if me["occupied"] != EVERY_SLOT else NONE
            if ability["limit"] >= 0:
                members = affordable(deck, members, ability["limit"])
        elif target == T_OWN:
            prefix = code(A_TARGET_OWN, 0, 0)
            members = not_stronger(me, deck, me["occupied"], ability["limit"])
        else:
            prefix = code(A_TARGET_ENEMY, 0, 0)
            foe = state["players"][ONE - seat]
            members = not_stronger(foe, table["decks"][ONE - seat], foe["occupied"], ability["limit"])
        if members != NONE:
            n = list_members(legal, 0, prefix, members, 0, 4)
            legal[U(n)] = code(A_PASS, 0, 0)
            return ask_in_turn(state, seat, TARGET, n + ability["optional"])
    elif do >= FIRST_ON_DINOS:
        touch_unchosen(state, table, seat, ability)
    elif do == E_DISCARD:
        if state["players"][U(loser(state, ability))]["hand_count"] > 0:
            return CHANCE
    else:
        affect_player(state, table, seat, ability)
    next_ability(state)
    return 0


@inner
def choose_target(state, table, kind, last):
    """Do to what was chosen as the ability says, or nothing after `pass` (D7.1, D7.8)."""
    seat = U(state["now"]["seat"])
    me = state["players"][seat]
    ability = table["decks"][seat]["abilities"][U(state["now"]["row"])]
    if kind == A_TARGET_ID:
        from_stratum(me, last)
        if ability["do"] == E_RECOVER:
            to_hand(me, last)
        else:
            to_field(state, table, seat, last)
    elif kind != A_PASS:
        side = seat if kind == A_TARGET_OWN else ONE - seat
        touch(state, table, side, single(last), ability)
    next_ability(state)


@inner
def touch_unchosen(state, table, seat, ability):
    """Do as the ability says to the dinos that it touches without a choice (D7.1, D7.7, D7.8)."""
    target = ability["target"]
    side = seat
    slots = NONE
    if target == T_THIS:
        if is_here(state["players"][seat], state["now"]["slot"], state["now"]["arrival"]):
            slots = single(state["now"]["slot"])
    elif target == T_ALL_OWN:
        slots = state["players"][seat]["occupied"]
    elif target == T_ALL_ENEMY:
        side = ONE - seat
        slots = state["players"][side]["occupied"]
    elif target == T_ATTACKER and state["stage"] == COUNTERS:
        side = U(state["active"])
        if is_here(state["players"][side], state["attacker"], state["attacker_arrival"]):
            slots = single(state["attacker"])
    touch(
        state, table, side, not_stronger(state["players"][side], table["decks"][side], slots, ability["limit"]), ability
    )


@inner
def touch(state, table, side, slots, ability):
    """Do to dinos of one side as the ability says, all at once (D7, D7.5)."""
    player = state["players"][side]
    do = ability["do"]
    n = ability["n"]
    if do == E_REST:
        player["rested"] |= slots
    elif do == E_AWAKEN:
        player["rested"] &= ~slots
    elif do == E_FREEZE:
        player["rested"] |= slots
        player["frozen"] |= slots
    elif do == E_GRANT:
        player["granted"] |= slots << U(KEYWORD_BITS * ability["keyword"])
    else:
        while slots != NONE:
            slot = lowest(slots)
            slots = without_lowest(slots)
            dino = player["field"][U(slot)]
            if do == E_LEVEL:
                dino["level"] = min(max(dino["level"] + n, 1), LEVELS)  # D5.1
            elif do == E_LEVEL_TO:
                dino["level"] = n
            elif do == E_DESTROY:
                destroy(state, table, side, slot)
            elif do == E_BOUNCE:
                to_hand(player, from_field(state, table, side, slot))
            elif do == E_FIGHT:
                dino["fight"] += n
                player["changed"] = 1
            elif do == E_DIRECT:
                dino["direct"] += n
                player["changed"] = 1


@inner
def affect_player(state, table, seat, ability):
    """Do to a player as the ability says: life, cards, PP (D7)."""
    rules = table["rules"]
    side = seat if ability["target"] == T_SELF else ONE - seat
    player = state["players"][side]
    do = ability["do"]
    n = ability["n"]
    if do == E_DAMAGE:
        damage(state, side, n)
    elif do == E_HEAL:
        player["life"] += n
        if rules["life_cap"]:
            player["life"] = min(player["life"], rules["life"])
    elif do == E_DRAW:
        draw_cards(state, side, n)
    elif do == E_PP_MAX:  # D4.5
        player["pp_max"] = min(max(player["pp_max"] + n, 0), rules["pp_cap"])
        player["pp"] = min(player["pp"], player["pp_max"])
    elif do == E_PP:
        player["pp"] = min(player["pp"] + n, player["pp_max"])


# ------------------------------------------------------------------------------------------------------ chance (D2.3,
# D7.10)


@inner(forceinline=True)
def loser(state, ability):
    """Give the seat that loses the cards of a random discard."""
    seat = U(state["now"]["seat"])
    return seat if ability["target"] == T_SELF else ONE - seat


@inner(forceinline=True)
def ability_now(state, table):
    """Give the ability that happens."""
    return table["decks"][U(state["now"]["seat"])]["abilities"][U(state["now"]["row"])]


@kernel
def sample_chance(state, table):
    """Choose the outcome of the chance event that waits: a shuffled deck, or random cards of a hand (D2.3, D7.10)."""
    if state["phase"] < MAIN_PHASE:
        player = state["players"][U(state["phase"])]
        shuffle(player, player["deck"], player["deck_count"], state["returned"])
        return
    ability = ability_now(state, table)
    player = state["players"][U(loser(state, ability))]
    choose_from_hand(state, player, ability["n"])


@kernel
def apply_chance(state, table):
    """Let the chance event happen as chosen: cards are drawn again, or go from the hand to the stratum (D2.3, D7.10)."""
    if state["phase"] < MAIN_PHASE:
        player = state["players"][U(state["phase"])]
        for _ in range(state["returned"]):
            draw_card(player)
        state["returned"] = 0
        end_mulligan(state, table)
        return
    player = state["players"][U(loser(state, ability_now(state, table)))]
    for i in range(state["chosen_count"]):
        from_hand(player, state["chosen"][i])
        to_stratum(player, state["chosen"][i])
    next_ability(state)


@kernel
def tally(state, tallies):
    """Add what was counted in a game that is over, by seat: numbers a game, then numbers for each own turn."""
    turns = min((state["turn"] + 1) >> 1, TALLY_TURNS)
    for seat in range(SEATS):
        player = state["players"][seat]
        row = tallies[seat]
        for i in range(TALLY_COUNT):
            row[U(i)] += player["tallies"][U(i)]
        for i in range(turns * TURN_TALLY_COUNT):
            row[U(TALLY_COUNT + i)] += player["turn_tallies"][U(i)]


@kernel
def lead(state, table, seat):
    """Tell how far a seat is ahead: in life, as a share of that at the start (D1.1), from -1 to 1."""
    difference = state["players"][seat]["life"] - state["players"][ONE - U(seat)]["life"]
    return min(max(difference / table["rules"]["life"], -1.0), 1.0)
