"""What an action is worth: features, each with a weight, added up; the first of the best is taken."""

from sim.kernels.bits import NONE, contains, count, lowest, up_to, without_lowest
from sim.kernels.jit import inner
from sim.sea.layout import (
    A_ATTACK,
    A_ATTACK_LIFE,
    A_DRAW,
    A_PASS,
    A_SKILL,
    A_USE,
    ACTION,
    ACTIVE,
    DEPLOY,
    DRAW,
    E_ATTACK_CARD,
    E_ATTACK_LIFE,
    E_BOUNCE,
    E_DISCARD,
    E_DRAW,
    E_HEAL,
    E_MILL,
    E_READY,
    E_RECALL,
    E_REST,
    E_SINK,
    E_SUPPORT,
    GUARD,
    KIND_SHIFT,
    LAST_MASK,
    LIFE,
    PLACE_MASK,
    PLACE_SHIFT,
    SKILL,
    SUPPORT,
    TARGET,
)
from strategies.weights import weight

FEATURES = {
    "power": "power of a card in the Sea",
    "guard": "guard of a card in the Sea",
    "compel": "compel of a card in the Sea",
    "pierce": "pierce of a card in the Sea",
    "trade_gain": "opposing cards that leave in battle",
    "trade_loss": "own cards that leave in battle",
    "life_damage": "attacks on the opponent's Life",
    "guard_risk": "attacks on Life that a guard may stop, and the attacker with them",
    "stay_upright": "cards with guard that do not act while Life is short",
    "own_life": "the own Life: attacks that are let through, cards taken from it",
    "draw": "cards drawn while the hand is small",
    "points": "points: how many friends are wanted, Life given for them",
    "spare_copies": "support with cards of which the hand has more copies",
    "playable": "cards kept from support because they can be paid for soon",
    "out_of_reach": "support with cards that cannot be paid for in some turns",
    "removal": "abilities that sink or rest opposing cards",
    "discard": "abilities that take cards from the opponent's hand or Life",
    "recovery": "abilities that ready own cards, mend Life or take cards back",
    "skill": "skills rather than plain attacks that bring as much",
}
(
    F_POWER,
    F_GUARD,
    F_COMPEL,
    F_PIERCE,
    F_TRADE_GAIN,
    F_TRADE_LOSS,
    F_LIFE_DAMAGE,
    F_GUARD_RISK,
    F_STAY_UPRIGHT,
    F_OWN_LIFE,
    F_DRAW,
    F_POINTS,
    F_SPARE_COPIES,
    F_PLAYABLE,
    F_OUT_OF_REACH,
    F_REMOVAL,
    F_DISCARD,
    F_RECOVERY,
    F_SKILL,
) = range(len(FEATURES))

WIN = 1000.0
FEW_LIFE = 3
FULL_HAND = 4
CARD_OF_MANY, CARD_OF_FEW = 0.5, 3.5  # a card taken from Life, against places free in the hand
ENOUGH_FRIENDS = 9


@inner(forceinline=True)
def choose_best(state, table, legal, n, weights):
    """Take the action of the highest value, the first of equals."""
    if n == 1:
        return 0
    decision = state["decision"]
    if decision == DRAW:
        return choose_draw(state, legal, n, weights)
    if decision == SUPPORT:
        return choose_support(state, table, legal, n, weights)
    if decision == DEPLOY:
        return choose_deploy(state, table, legal, n, weights)
    if decision == ACTION:
        return choose_action(state, table, legal, n, weights)
    if decision == GUARD:
        return choose_guard(state, table, legal, n, weights)
    if decision == TARGET:
        return choose_target(state, table, legal, n, weights)
    wanted = wants_ability(state, table, weights)
    return 0 if (legal[0] >> KIND_SHIFT == A_USE) == wanted else 1


@inner(forceinline=True)
def choose_draw(state, legal, n, weights):
    """Draw if a card is wanted."""
    wanted = wants_card(state["players"][state["decider"]], weights)
    for i in range(n):
        if (legal[i] >> KIND_SHIFT == A_DRAW) == wanted:
            return i
    return 0


@inner(forceinline=True)
def wants_card(me, weights):
    """Tell whether a card in hand is worth more than one in Life."""
    price = CARD_OF_FEW if me["life_count"] < FEW_LIFE else CARD_OF_MANY
    return weight(weights, F_DRAW) * (FULL_HAND - count(me["hand"])) > weight(weights, F_OWN_LIFE) * price


@inner(forceinline=True)
def worth(card, weights):
    """Value a card in the Sea."""
    return (
        weight(weights, F_POWER) * card["power"]
        + weight(weights, F_GUARD) * 0.8 * card["guard"]
        + weight(weights, F_COMPEL) * 1.5 * card["compel"]
        + weight(weights, F_PIERCE) * 0.5 * card["pierce"]
    )


@inner
def choose_support(state, table, legal, n, weights):
    """Give up the card that is the least use in the coming turns, while more points are of use."""
    seat = state["decider"]
    me = state["players"][seat]
    deck = table["decks"][seat]
    last = n - 1
    if count(me["hand"]) <= 1 or me["friends_count"] >= weight(weights, F_POINTS) * ENOUGH_FRIENDS:
        return last
    points = me["friends_count"] + 1 - me["sea_power"]
    best, best_value = last, -1000.0
    for i in range(last):
        slot = legal[i] & LAST_MASK
        card = deck["cards"][slot]
        power = card["power"]
        copies = count(me["hand"] & card["group"])
        value = weight(weights, F_SPARE_COPIES) * 0.6 * (copies - 1) - weight(weights, F_PLAYABLE) * 0.4 * min(
            power, points
        )
        if power > points + 2:
            value += weight(weights, F_OUT_OF_REACH) * (power - points - 2)
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def choose_deploy(state, table, legal, n, weights):
    """Deploy the card that brings the most."""
    seat = state["decider"]
    me = state["players"][seat]
    foe = state["players"][1 - seat]
    deck = table["decks"][seat]
    best, best_value = n - 1, 0.0
    for i in range(n - 1):
        card = deck["cards"][legal[i] & LAST_MASK]
        value = worth(card, weights)
        for row in range(card["abilities"][ACTIVE], card["abilities"][ACTIVE + 1]):
            value += active_value(deck["abilities"][row], me, foe, table["decks"][1 - seat], weights)
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def active_value(ability, me, foe, foe_deck, weights):
    """Value an ability that happens as a card is deployed."""
    do = ability["do"]
    n = ability["n"]
    if do == E_SINK:
        top = 0.0
        for place in range(foe["sea_count"]):
            card = foe_deck["cards"][foe["sea"][place]]
            if card["power"] <= ability["max_power"]:
                top = max(top, worth(card, weights))
        return weight(weights, F_REMOVAL) * top
    if do == E_REST:
        return weight(weights, F_REMOVAL) * 0.8 * min(n, count(foe["upright"]))
    if do == E_READY:
        return weight(weights, F_RECOVERY)
    if do == E_DISCARD:
        return weight(weights, F_DISCARD) * min(n, count(foe["hand"]))
    if do == E_MILL:
        return weight(weights, F_DISCARD) * 0.9 * min(n, foe["life_count"])
    if do == E_HEAL:
        return weight(weights, F_RECOVERY) * 0.8 * min(n, me["friends_count"])
    if do == E_DRAW:
        return weight(weights, F_DRAW) * (0.5 if wants_card(me, weights) else -0.5 + 0.5 * ability["optional"])
    if do == E_SUPPORT:
        return weight(weights, F_OWN_LIFE) * -5.0 if me["life_count"] <= n + 1 else weight(weights, F_POINTS) * 0.3
    if do == E_RECALL:
        return weight(weights, F_RECOVERY) * 0.7 * min(n, me["friends_count"])
    return 0.0


@inner(forceinline=True)
def battle(mine, my_power, theirs, their_power, weights):
    """Value a battle by the cards that leave (S4.2)."""
    value = 0.0
    if their_power <= my_power:
        value += weight(weights, F_TRADE_GAIN) * worth(theirs, weights)
    if my_power <= their_power:
        value -= weight(weights, F_TRADE_LOSS) * worth(mine, weights)
    return value


@inner
def best_battle(mine, power, foe, foe_deck, places, weights):
    """Value the best battle that a card can choose among some places."""
    top = -WIN
    while places != NONE:
        theirs = foe_deck["cards"][foe["sea"][lowest(places)]]
        places = without_lowest(places)
        top = max(top, battle(mine, power, theirs, theirs["power"], weights))
    return top


@inner
def choose_action(state, table, legal, n, weights):
    """Attack what pays the most; with nothing that pays, end the turn."""
    seat = state["decider"]
    me = state["players"][seat]
    foe = state["players"][1 - seat]
    deck = table["decks"][seat]
    foe_deck = table["decks"][1 - seat]
    life = foe["life_count"]
    all_places = up_to(foe["sea_count"])
    guards = foe["guards"] & foe["upright"]
    strongest_guard = 0
    rest = guards
    while rest != NONE:
        strongest_guard = max(strongest_guard, foe_deck["cards"][foe["sea"][lowest(rest)]]["power"])
        rest = without_lowest(rest)

    attacks = 0  # on Life, that could still be made in this turn
    rest = me["upright"] & ~me["acted"]
    while rest != NONE:
        attacks += attacks_on_life(me, deck, foe, lowest(rest))
        rest = without_lowest(rest)
    wins = attacks - count(guards) > life

    danger = me["life_count"] <= FEW_LIFE and foe["sea_count"] > 0
    best, best_value = 0, -2.0 * WIN
    for i in range(n):
        action = legal[i]
        kind = action >> KIND_SHIFT
        place = action >> PLACE_SHIFT & PLACE_MASK
        last = action & LAST_MASK
        value = 0.0
        if kind == A_ATTACK or kind == A_ATTACK_LIFE or kind == A_SKILL:
            card = deck["cards"][me["sea"][place]]
            if kind == A_ATTACK:
                theirs = foe_deck["cards"][foe["sea"][last]]
                value = battle(card, card["power"], theirs, theirs["power"], weights)
            elif kind == A_ATTACK_LIFE:
                value = life_value(card, 1, card["pierce"], life, guards, strongest_guard, wins, weights)
            else:
                skill = deck["abilities"][card["abilities"][SKILL] + last]
                do = skill["do"]
                pierce = skill["pierce"] | card["pierce"]
                if do == E_ATTACK_LIFE:
                    if foe["compels"] != NONE and not pierce:
                        value = best_battle(card, card["power"], foe, foe_deck, foe["compels"], weights)
                    else:
                        value = life_value(card, skill["n"], pierce, life, guards, strongest_guard, wins, weights)
                        value += weight(weights, F_SKILL) * 0.1
                elif do == E_ATTACK_CARD:
                    places = foe["compels"] if foe["compels"] != NONE and not pierce else all_places
                    value = best_battle(card, card["power"] + skill["n"], foe, foe_deck, places, weights)
                    value += weight(weights, F_SKILL) * 0.05
                    value = max(value, -0.5)
                elif do == E_READY:
                    value = -0.5
                    rested = up_to(me["sea_count"]) & ~me["upright"] & ~me["readied"]
                    while rested != NONE:
                        power = deck["cards"][me["sea"][lowest(rested)]]["power"]
                        value = max(value, weight(weights, F_RECOVERY) * power - 0.5)
                        rested = without_lowest(rested)
                else:
                    value = active_value(skill, me, foe, foe_deck, weights)
            if danger and card["guard"] and not wins and value < WIN:
                value -= weight(weights, F_STAY_UPRIGHT) * 1.5
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def attacks_on_life(me, deck, foe, place):
    """Count the attacks on Life that a card can make with its one action."""
    card = deck["cards"][me["sea"][place]]
    free = foe["compels"] == NONE
    most = 1 if free or card["pierce"] else 0
    for row in range(card["abilities"][SKILL], card["abilities"][SKILL + 1]):
        skill = deck["abilities"][row]
        if skill["do"] == E_ATTACK_LIFE and (free or card["pierce"] or skill["pierce"]):
            most = max(most, skill["n"])
    return most


@inner(forceinline=True)
def life_value(card, attacks, pierce, life, guards, strongest_guard, wins, weights):
    """Value attacks on Life: victory, or damage, less what a guard may do to the attacker."""
    guarded = guards != NONE and not pierce
    if attacks > life and not guarded:
        return WIN
    damage = attacks * (1.3 + 3.0 / (1.0 + life))
    value = weight(weights, F_LIFE_DAMAGE) * damage
    if wins:
        return value + 100.0
    if guarded and strongest_guard >= card["power"]:  # the guard stops it, and may send the attacker away
        return value - weight(weights, F_GUARD_RISK) * (damage + 0.4 * worth(card, weights))
    if guarded:
        return min(value, weight(weights, F_LIFE_DAMAGE) * 1.2)
    return value


@inner
def choose_guard(state, table, legal, n, weights):
    """Guard if that wins the battle or saves the game; otherwise let Life take it, while there is enough."""
    seat = state["decider"]
    me = state["players"][seat]
    foe = state["players"][1 - seat]
    deck = table["decks"][seat]
    attacker = table["decks"][1 - seat]["cards"][foe["sea"][foe["actor"]]]
    power = attacker["power"] + state["bonus"]
    last = n - 1
    if state["target"] != LIFE:
        mine = deck["cards"][me["sea"][state["target"]]]
        best_value = min(0.0, battle(mine, mine["power"], attacker, power, weights))
    elif me["life_count"] == 0:
        best_value = -WIN
    else:
        best_value = -weight(weights, F_OWN_LIFE) * (1.0 + 4.0 / (1.0 + me["life_count"]))
    best = last
    for i in range(last):
        card = deck["cards"][me["sea"][legal[i] & LAST_MASK]]
        value = battle(card, card["power"], attacker, power, weights)
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def choose_target(state, table, legal, n, weights):
    """Choose the card whose move brings the most, or decline if none brings anything."""
    seat = state["decider"]
    me = state["players"][seat]
    foe = state["players"][1 - seat]
    deck = table["decks"][seat]
    foe_deck = table["decks"][1 - seat]
    attack = state["attacks"] > 0 and state["ability"] == state["ability_end"]
    do = E_ATTACK_CARD if attack else deck["abilities"][state["ability"]]["do"]
    best, best_value = 0, -2.0 * WIN
    for i in range(n):
        at = legal[i] & LAST_MASK
        if legal[i] >> KIND_SHIFT == A_PASS:
            value = 0.4
        elif do == E_ATTACK_CARD:
            mine = deck["cards"][me["sea"][me["actor"]]]
            theirs = foe_deck["cards"][foe["sea"][at]]
            value = battle(mine, mine["power"] + state["bonus"], theirs, theirs["power"], weights)
        elif do == E_SINK or do == E_REST:
            theirs = foe_deck["cards"][foe["sea"][at]]
            value = weight(weights, F_REMOVAL) * (
                worth(theirs, weights) + (1.0 if do == E_REST and theirs["guard"] else 0.0)
            )
        elif do == E_READY:
            value = weight(weights, F_RECOVERY) * deck["cards"][me["sea"][at]]["power"]
        elif do == E_BOUNCE:
            card = deck["cards"][me["sea"][at]]
            again = card["abilities"][ACTIVE + 1] > card["abilities"][ACTIVE]
            again &= card["power"] <= state["points"] and not contains(me["upright"], at)
            value = weight(weights, F_RECOVERY) if again else -worth(card, weights)
        elif do == E_RECALL:
            power = deck["cards"][at]["power"]
            reach = max(2, me["friends_count"] - me["sea_power"] + 2)
            value = weight(weights, F_RECOVERY) * (power if power <= reach else 0.5)
        else:
            value = 0.0
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def wants_ability(state, table, weights):
    """Tell whether an optional effect is worth using."""
    seat = state["controller"]
    me = state["players"][seat]
    ability = table["decks"][seat]["abilities"][state["ability"]]
    if ability["do"] == E_DRAW:
        return wants_card(me, weights)
    if ability["do"] == E_SUPPORT:
        return weight(weights, F_POINTS) * (me["life_count"] - FEW_LIFE) > weight(weights, F_OWN_LIFE) * ability["n"]
    return True
