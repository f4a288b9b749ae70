"""What an action is worth: features, each with a weight, added up; the first of the best is taken."""

from sim.dino.layout import (
    A_ATTACK_DINO,
    A_LEVEL,
    A_PASS,
    A_RETURN,
    A_SUMMON,
    A_TARGET_ID,
    A_TARGET_OWN,
    ATTACK,
    BLOCK,
    BLOCKS,
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
    FIRST_ON_DINOS,
    KIND_SHIFT,
    LAST_MASK,
    LEVELS,
    LIFE,
    MAIN,
    MUTUAL,
    ON_SUMMON,
    PLACE_MASK,
    PLACE_SHIFT,
    SPELL,
    T_ALL_ENEMY,
    T_ALL_OWN,
    T_ATTACKER,
    T_ENEMY,
    T_OWN,
    T_SELF,
    T_THIS,
    TARGET,
)
from sim.dino.rules import EVERY_SLOT, can_attack, castable, direct_of, fight_of, is_here, not_stronger, with_keyword
from sim.kernels.bits import NONE, ONE, U, contains, count, lowest, single, without_lowest
from sim.kernels.jit import inner
from strategies.weights import weight

FEATURES = {
    "fight": "fight of a dino",
    "direct": "direct of a dino",
    "auras": "auras of a card on the field",
    "keywords": "keywords of a card on the field",
    "life_damage": "damage to the opponent's life",
    "own_life": "the own life: attacks let through, healing",
    "trade_gain": "opposing dinos that leave in battle",
    "trade_loss": "own dinos that leave in battle",
    "level": "levels that are won, given or taken",
    "exposure": "an attacker that lies rested before a stronger dino",
    "stay_upright": "blockers that do not attack while life is short",
    "removal": "effects that destroy dinos or take them back",
    "tempo": "effects that rest, freeze or awaken dinos; acting at once",
    "strength": "effects that change fight, direct or keywords for a time",
    "cards": "cards in hand: drawn, taken, spent",
    "pp": "PP that spells use up",
    "ramp": "effects that give PP",
    "counter": "counter-spells: PP kept for them, attacks undone by them",
    "stratum": "what comes back from the stratum",
    "dear_cards": "cards of a first hand that cost too much for the first turns",
}
(
    F_FIGHT,
    F_DIRECT,
    F_AURAS,
    F_KEYWORDS,
    F_LIFE_DAMAGE,
    F_OWN_LIFE,
    F_TRADE_GAIN,
    F_TRADE_LOSS,
    F_LEVEL,
    F_EXPOSURE,
    F_STAY_UPRIGHT,
    F_REMOVAL,
    F_TEMPO,
    F_STRENGTH,
    F_CARDS,
    F_PP,
    F_RAMP,
    F_COUNTER,
    F_STRATUM,
    F_DEAR_CARDS,
) = range(len(FEATURES))

WIN = 1000.0
DEAR = 3  # a first hand's card that costs more is put back
CARD = 1.5  # a card in hand


@inner(forceinline=True)
def choose_best(state, table, legal, n, weights):
    """Take the action of the highest value, the first of equals."""
    if n == 1:
        return 0
    decision = state["decision"]
    if decision == MAIN:
        return choose_main(state, table, legal, n, weights)
    if decision == ATTACK:
        return choose_attack(state, table, legal, n, weights)
    if decision == TARGET:
        return choose_target(state, table, legal, n, weights)
    if decision == BLOCK:
        return choose_block(state, table, legal, n, weights)
    if decision == COUNTER:
        return choose_counter(state, table, legal, n, weights)
    return choose_mulligan(state, table, legal, n, weights)


@inner
def choose_mulligan(state, table, legal, n, weights):
    """Put back every card that costs too much for the first turns."""
    me = state["players"][U(state["decider"])]
    deck = table["decks"][U(state["decider"])]
    wanted = 0
    place = me["hand_count"]
    rest = me["hand"]
    while rest != NONE:
        kind = U(lowest(rest))
        rest = without_lowest(rest)
        for _ in range(me["hand_counts"][kind]):
            place -= 1
            if weight(weights, F_DEAR_CARDS) * deck["cards"][kind]["cost"] > DEAR:
                wanted |= 1 << place
    for i in range(1, n):
        if legal[i] == A_RETURN << KIND_SHIFT | wanted:
            return i
    return 0


# ------------------------------------------------------------------------------------------------------- what things
# are worth


@inner(forceinline=True)
def kept(card, weights):
    """Value what a card's auras and keywords bring as long as it is on the field."""
    auras = 2.0 * (card["aura_fight"] + card["aura_direct"]) + 1.0 * card["cost_opponent"] - card["cost_self"]
    return weight(weights, F_AURAS) * auras + weight(weights, F_KEYWORDS) * 0.8 * count(card["keywords"])


@inner
def worth(player, deck, slot, weights):
    """Value a dino on the field."""
    card = deck["cards"][U(player["field"][U(slot)]["card"])]
    return (
        weight(weights, F_FIGHT) * fight_of(player, deck, slot)
        + weight(weights, F_DIRECT) * 1.2 * direct_of(player, deck, slot)
        + kept(card, weights)
    )


@inner(forceinline=True)
def worth_in_hand(card, weights):
    """Value a dino that would come to the field."""
    return (
        weight(weights, F_FIGHT) * card["fight"][1]
        + weight(weights, F_DIRECT) * 1.2 * card["direct"][1]
        + kept(card, weights)
    )


@inner(forceinline=True)
def life_value(life, n, weighs):
    """Value a loss of life, which weighs so much: the more, the less is left."""
    return WIN if n >= life else weighs * n * (0.9 + 5.0 / life)


@inner(forceinline=True)
def touch_value(player, deck, slot, do, n, weights):
    """Value for its owner what an effect does to a dino."""
    dino = player["field"][U(slot)]
    if do == E_DESTROY:
        return weight(weights, F_REMOVAL) * -worth(player, deck, slot, weights)
    if do == E_BOUNCE:
        return weight(weights, F_REMOVAL) * (1.0 - 0.7 * worth(player, deck, slot, weights))
    if do == E_LEVEL or do == E_LEVEL_TO:
        level = U(min(max(dino["level"] + n, 1), LEVELS)) if do == E_LEVEL else U(n)
        card = deck["cards"][U(dino["card"])]
        now = U(dino["level"])
        gain = 1.0 * (card["fight"][level] - card["fight"][now]) + 1.2 * (card["direct"][level] - card["direct"][now])
        return weight(weights, F_LEVEL) * gain
    is_rested = contains(player["rested"], slot)
    if do == E_REST:
        return 0.0 if is_rested else weight(weights, F_TEMPO) * -0.25 * worth(player, deck, slot, weights)
    if do == E_FREEZE:
        return (
            0.0
            if contains(player["frozen"], slot)
            else weight(weights, F_TEMPO) * -0.4 * worth(player, deck, slot, weights)
        )
    if do == E_AWAKEN:
        return weight(weights, F_TEMPO) * 0.3 * worth(player, deck, slot, weights) if is_rested else 0.0
    if do == E_FIGHT:
        return weight(weights, F_STRENGTH) * 0.3 * max(n, -fight_of(player, deck, slot))
    if do == E_DIRECT:
        return 0.0 if is_rested else weight(weights, F_STRENGTH) * 0.5 * max(n, -direct_of(player, deck, slot))
    return weight(weights, F_STRENGTH) * (0.2 if is_rested else 0.6)  # a keyword


@inner
def touches_value(player, deck, slots, ability, sign, weights):
    """Value what an ability does to one side's dinos, to all or to the best one, for who controls it: ``sign`` -1 for
    an opponent's.
    """
    slots = not_stronger(player, deck, slots, ability["limit"])
    if slots == NONE:
        return 0.0
    best, total = -WIN, 0.0
    while slots != NONE:
        slot = lowest(slots)
        slots = without_lowest(slots)
        value = sign * touch_value(player, deck, slot, ability["do"], ability["n"], weights)
        best = max(best, value)
        total += value
    if ability["target"] == T_ALL_OWN or ability["target"] == T_ALL_ENEMY:
        return total
    return max(best, 0.0) if ability["optional"] else best


@inner
def effect_value(state, table, seat, ability, attackers, weights):
    """Value an ability for its controller; ``attackers``: the opposing dinos that `attacker` may stand for."""
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][seat]
    do = ability["do"]
    n = ability["n"]
    target = ability["target"]
    if do >= FIRST_ON_DINOS:
        if target == T_THIS:
            return weight(weights, F_STRENGTH) * (0.3 if do == E_AWAKEN or do == E_GRANT or n > 0 else -0.3)
        if target == T_OWN or target == T_ALL_OWN:
            return touches_value(me, deck, me["occupied"], ability, 1.0, weights)
        slots = attackers if target == T_ATTACKER else foe["occupied"]
        return touches_value(foe, table["decks"][ONE - seat], slots, ability, -1.0, weights)
    is_own = target == T_SELF
    side = me if is_own else foe
    life_weighs = weight(weights, F_OWN_LIFE if is_own else F_LIFE_DAMAGE)
    if do == E_DAMAGE:
        value = -life_value(side["life"], n, life_weighs)
    elif do == E_HEAL:
        value = life_weighs * min(n, max(1, table["rules"]["life"] - side["life"])) * (0.3 + 3.0 / side["life"])
    elif do == E_DRAW:
        value = -WIN if n >= side["deck_count"] else weight(weights, F_CARDS) * CARD * n
    elif do == E_DISCARD:
        value = weight(weights, F_CARDS) * -CARD * min(n, side["hand_count"])
    elif do == E_PP_MAX:
        value = weight(weights, F_RAMP) * n * max(0.3, 3.0 - 0.2 * side["pp_max"])
    elif do == E_PP:
        value = weight(weights, F_RAMP) * 0.8 * min(n, side["pp_max"] - side["pp"])
    elif do == E_RECOVER:
        return weight(weights, F_STRATUM) * CARD if me["stratum"] & deck["dinos"] != NONE else 0.0
    else:  # revive
        return weight(weights, F_STRATUM) * best_revived(me, deck, ability["limit"], weights)
    return value if is_own else -value


@inner
def best_revived(me, deck, limit, weights):
    """Value the best dino of the stratum that may be summoned."""
    best = 0.0
    kinds = me["stratum"] & deck["dinos"] if me["occupied"] != EVERY_SLOT else NONE
    while kinds != NONE:
        card = deck["cards"][U(lowest(kinds))]
        kinds = without_lowest(kinds)
        if limit < 0 or card["cost"] <= limit:
            best = max(best, worth_in_hand(card, weights))
    return best


@inner
def card_value(state, table, seat, card, when, attackers, weights):
    """Value what a card's abilities for a trigger would do now."""
    total = 0.0
    for row in range(card["abilities"][when], card["abilities"][when + 1]):
        total += effect_value(state, table, seat, table["decks"][seat]["abilities"][U(row)], attackers, weights)
    return total


# ------------------------------------------------------------------------------------------------------------ the PP
# phase


@inner
def choose_main(state, table, legal, n, weights):
    """Summon, cast or raise what brings the most; with nothing that pays, go to the attack phase."""
    seat = U(state["decider"])
    me = state["players"][seat]
    deck = table["decks"][seat]
    reserve, reserved = best_counter(state, table, seat, weights)
    best, best_value = n - 1, 0.0
    for i in range(n - 1):
        kind = legal[i] >> KIND_SHIFT
        last = legal[i] & LAST_MASK
        if kind == A_LEVEL:
            value = raise_value(me, deck, last, weights)
        else:
            card = deck["cards"][U(last)]
            cost = card["cost"]
            if kind == A_SUMMON:
                value = worth_in_hand(card, weights) + card_value(state, table, seat, card, ON_SUMMON, NONE, weights)
            else:
                cost = max(0, cost + me["spell_cost"])
                value = card_value(state, table, seat, card, SPELL, NONE, weights)
                value = value - weight(weights, F_CARDS) * CARD - weight(weights, F_PP) * 0.3 * cost
            if reserve > 0.0 and me["pp"] - cost < reserved:
                value -= reserve
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def best_counter(state, table, seat, weights):
    """Value the best counter-spell in hand against the opponent's dinos, if there is a good one; and its cost."""
    me = state["players"][seat]
    deck = table["decks"][seat]
    attackers = state["players"][ONE - seat]["occupied"]
    best, cost = 0.0, 0
    if attackers == NONE or not table["rules"]["counter_spells"]:
        return best, cost
    spells = castable(me, deck) & deck["counters"]
    while spells != NONE:
        card = deck["cards"][U(lowest(spells))]
        spells = without_lowest(spells)
        value = 0.0
        for row in range(card["abilities"][SPELL], card["abilities"][SPELL + 1]):
            ability = deck["abilities"][U(row)]
            if ability["target"] == T_ATTACKER:
                value += (
                    weight(weights, F_COUNTER) * 0.6 * effect_value(state, table, seat, ability, attackers, weights)
                )
        if value > best:
            best, cost = value, max(0, card["cost"] + me["spell_cost"])
    return best, cost


@inner(forceinline=True)
def raise_value(me, deck, slot, weights):
    """Value raising a dino by a copy: what it gains, and that it can act at once, less what the copy is worth as a
    card.
    """
    card = deck["cards"][U(me["field"][U(slot)]["card"])]
    gain = touch_value(me, deck, slot, E_LEVEL, 1, weights)
    if contains(me["new"], slot):
        gain += weight(weights, F_TEMPO) * direct_of(me, deck, slot)
    affordable = card["cost"] <= me["pp"] and me["occupied"] != EVERY_SLOT
    return gain - weight(weights, F_CARDS) * (0.7 * worth_in_hand(card, weights) if affordable else CARD)


# -------------------------------------------------------------------------------------------------------- the attack
# phase


@inner
def choose_attack(state, table, legal, n, weights):
    """Attack what pays the most, or raise a dino; with nothing that pays, end the turn."""
    seat = U(state["decider"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][seat]
    foe_deck = table["decks"][ONE - seat]
    blockers = foe["occupied"] & ~foe["rested"] & with_keyword(foe, BLOCKS)
    strongest, threat = 0, 0
    rest = foe["occupied"]
    while rest != NONE:
        slot = lowest(rest)
        rest = without_lowest(rest)
        strongest = max(strongest, fight_of(foe, foe_deck, slot))
        threat += direct_of(foe, foe_deck, slot)
    total, most = 0, 0
    rest = can_attack(me)
    while rest != NONE:
        direct = direct_of(me, deck, lowest(rest))
        rest = without_lowest(rest)
        total += direct
        most = max(most, direct)
    wins = total - most * count(blockers) >= foe["life"]
    danger = 2 * threat >= me["life"]
    own_blockers = with_keyword(me, BLOCKS)
    guard = strongest_of(foe, foe_deck, blockers) if blockers != NONE else 0
    best, best_value = n - 1, 0.0
    attacker, risk, blocked = -1, 0.0, 0.0
    for i in range(n - 1):
        kind = legal[i] >> KIND_SHIFT
        last = legal[i] & LAST_MASK
        if kind == A_LEVEL:
            value = raise_value(me, deck, last, weights)
        else:
            slot = legal[i] >> PLACE_SHIFT & PLACE_MASK
            if slot != attacker:
                attacker = slot
                mine = fight_of(me, deck, slot)
                risk = 0.0
                if strongest >= mine:  # it will lie there rested
                    risk = (
                        weight(weights, F_EXPOSURE)
                        * (0.3 if strongest > mine else 0.15)
                        * worth(me, deck, slot, weights)
                    )
                if danger and contains(own_blockers, slot):
                    risk += weight(weights, F_STAY_UPRIGHT) * 2.0
                if blockers != NONE:
                    blocked = battle(me, deck, slot, foe, foe_deck, guard, weights)
            if kind == A_ATTACK_DINO:
                value = battle(me, deck, slot, foe, foe_deck, last, weights)
            else:
                value = life_value(foe["life"], direct_of(me, deck, slot), weight(weights, F_LIFE_DAMAGE))
            if wins:
                value += 0.0 if kind == A_ATTACK_DINO else 100.0
            else:
                value -= risk
            if blockers != NONE and not (kind == A_ATTACK_DINO and blockers == single(last)):
                value = 0.5 * (value + blocked)
        if value > best_value:
            best, best_value = i, value
    return best


@inner(forceinline=True)
def battle(me, deck, slot, foe, foe_deck, other, weights):
    """Value a battle for the side of the first dino: what leaves, and the level that a winner gains (D6.6, D6.7)."""
    mine = fight_of(me, deck, slot)
    theirs = fight_of(foe, foe_deck, other)
    i_go = mine <= theirs or contains(with_keyword(foe, MUTUAL), other)
    they_go = theirs <= mine or contains(with_keyword(me, MUTUAL), slot)
    value = 0.0
    if they_go:
        value += weight(weights, F_TRADE_GAIN) * worth(foe, foe_deck, other, weights)
    else:
        value -= weight(weights, F_LEVEL)
    if i_go:
        value -= weight(weights, F_TRADE_LOSS) * worth(me, deck, slot, weights)
    else:
        value += weight(weights, F_LEVEL)
    return value


@inner
def strongest_of(player, deck, slots):
    """Give the slot of the highest fight."""
    best = lowest(slots)
    while slots != NONE:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if fight_of(player, deck, slot) > fight_of(player, deck, best):
            best = slot
    return best


@inner
def attack_value(state, table, weights):
    """Value for the defender what the attack under way brings, if nothing is done about it."""
    seat = ONE - U(state["active"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    foe_deck = table["decks"][ONE - seat]
    if not is_here(foe, state["attacker"], state["attacker_arrival"]):
        return 0.0
    if state["target"] == LIFE:
        return -life_value(me["life"], direct_of(foe, foe_deck, state["attacker"]), weight(weights, F_OWN_LIFE))
    if not is_here(me, state["target"], state["target_arrival"]):
        return 0.0
    return battle(me, table["decks"][seat], state["target"], foe, foe_deck, state["attacker"], weights)


@inner
def choose_block(state, table, legal, n, weights):
    """Block if the battle costs less than the attack would."""
    seat = U(state["decider"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][seat]
    foe_deck = table["decks"][ONE - seat]
    best, best_value = n - 1, attack_value(state, table, weights)
    for i in range(n - 1):
        value = battle(me, deck, legal[i] & LAST_MASK, foe, foe_deck, state["attacker"], weights)
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def choose_counter(state, table, legal, n, weights):
    """Counter with the spell that brings the most, if it brings more than the card and its PP are worth."""
    seat = U(state["decider"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][seat]
    foe_deck = table["decks"][ONE - seat]
    averted = weight(weights, F_COUNTER) * max(-attack_value(state, table, weights), 0.0)
    attackers = single(state["attacker"]) if is_here(foe, state["attacker"], state["attacker_arrival"]) else NONE
    best, best_value = n - 1, 0.0
    for i in range(n - 1):
        card = deck["cards"][U(legal[i] & LAST_MASK)]
        value = weight(weights, F_CARDS) * -CARD - weight(weights, F_PP) * 0.3 * max(0, card["cost"] + me["spell_cost"])
        for row in range(card["abilities"][SPELL], card["abilities"][SPELL + 1]):
            ability = deck["abilities"][U(row)]
            do = ability["do"]
            value += effect_value(state, table, seat, ability, attackers, weights)
            if attackers == NONE:
                continue
            if do == E_DESTROY or do == E_BOUNCE:
                target = ability["target"]
                reached = not_stronger(foe, foe_deck, attackers, ability["limit"])
                if reached != NONE and (target == T_ATTACKER or target == T_ENEMY or target == T_ALL_ENEMY):
                    value += averted
            elif do == E_FIGHT and state["target"] != LIFE and ability["target"] == T_OWN:
                short = fight_of(foe, foe_deck, state["attacker"]) - fight_of(me, deck, state["target"])
                if short >= 0 and ability["n"] > short:
                    value += weight(weights, F_TRADE_GAIN) * worth(foe, foe_deck, state["attacker"], weights) + averted
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def choose_target(state, table, legal, n, weights):
    """Choose the dino or card whose change brings the most, or decline if none brings anything."""
    seat = U(state["decider"])
    me = state["players"][seat]
    foe = state["players"][ONE - seat]
    deck = table["decks"][seat]
    foe_deck = table["decks"][ONE - seat]
    ability = deck["abilities"][U(state["now"]["row"])]
    do = ability["do"]
    attacked = state["target"] if state["stage"] == COUNTERS else LIFE
    best, best_value = 0, -2.0 * WIN
    for i in range(n):
        kind = legal[i] >> KIND_SHIFT
        last = legal[i] & LAST_MASK
        if kind == A_PASS:
            value = 0.0
        elif kind == A_TARGET_ID:
            value = worth_in_hand(deck["cards"][U(last)], weights)
        elif kind == A_TARGET_OWN:
            value = touch_value(me, deck, last, do, ability["n"], weights)
            if last == attacked and do == E_FIGHT and seat != U(state["active"]):
                value += weight(weights, F_STRENGTH)  # it is about to fight
            elif do == E_GRANT or do == E_DIRECT:
                value += weight(weights, F_STRENGTH) * 0.05 * direct_of(me, deck, last)
        else:
            value = -touch_value(foe, foe_deck, last, do, ability["n"], weights)
        if value > best_value:
            best, best_value = i, value
    return best
