"""The best-looking action, one step ahead: ramps, deploys the strongest, trades up, attacks Life when it pays, guards when it wins.

How it thinks. *Draw* while the hand is small and Life can bear it. *Support* with the card it can least use, until there are
points enough. *Deploy* the strongest card it can pay for. *Act*: win if the attacks left outnumber Life and the guards in the
way; otherwise weigh each attack by the cards that both sides would lose, and an attack on Life the higher the fewer cards
are left there. *Guard* when the guard wins or survives the trade, and whenever the game would be lost. *Choose* targets by
what they are worth.
"""

from sim.bits import NONE, contains, count, lowest, up_to, without_lowest
from sim.jit import inner, kernel
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
from strategies.noise import NOISE, any_of, errs

OPTIONS = (NOISE,)
WIN = 1000.0
FEW_LIFE = 3
FULL_HAND = 4
ENOUGH_FRIENDS = 9


@kernel
def choose(state, table, legal, n):
    """Take the action of the highest value, the first of equals."""
    if errs(state, table):
        return any_of(state, n)
    decision = state["decision"]
    me = state["players"][state["decider"]]
    if decision == DRAW:
        wanted = wants_card(me)
        for i in range(n):
            if (legal[i] >> KIND_SHIFT == A_DRAW) == wanted:
                return i
        return 0
    if n == 1:
        return 0
    if decision == SUPPORT:
        return choose_support(state, table, legal, n)
    if decision == DEPLOY:
        return choose_deploy(state, table, legal, n)
    if decision == ACTION:
        return choose_action(state, table, legal, n)
    if decision == GUARD:
        return choose_guard(state, table, legal, n)
    if decision == TARGET:
        return choose_target(state, table, legal, n)
    wanted = wants_ability(state, table)
    return 0 if (legal[0] >> KIND_SHIFT == A_USE) == wanted else 1


@inner(forceinline=True)
def wants_card(me):
    """Tell whether a card in hand is worth more than one in Life."""
    hand = count(me["hand"])
    return hand == 0 or (hand < FULL_HAND and me["life_count"] >= FEW_LIFE)


@inner(forceinline=True)
def worth(card):
    """Value a card in the Sea."""
    return card["power"] + 0.8 * card["guard"] + 1.5 * card["compel"] + 0.5 * card["pierce"]


@inner
def choose_support(state, table, legal, n):
    """Give up the card that is the least use in the coming turns, while more points are of use."""
    seat = state["decider"]
    me = state["players"][seat]
    deck = table["decks"][seat]
    last = n - 1
    if count(me["hand"]) <= 1 or me["friends_count"] >= ENOUGH_FRIENDS:
        return last
    points = me["friends_count"] + 1 - me["sea_power"]
    best, best_value = last, -1000.0
    for i in range(last):
        slot = legal[i] & LAST_MASK
        card = deck["cards"][slot]
        power = card["power"]
        copies = count(me["hand"] & card["group"])
        value = 0.6 * (copies - 1) - 0.4 * min(power, points)
        if power > points + 2:
            value += power - points - 2  # out of reach for some turns
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def choose_deploy(state, table, legal, n):
    """Deploy the card that brings the most."""
    seat = state["decider"]
    me = state["players"][seat]
    foe = state["players"][1 - seat]
    deck = table["decks"][seat]
    best, best_value = n - 1, 0.0
    for i in range(n - 1):
        card = deck["cards"][legal[i] & LAST_MASK]
        value = worth(card)
        for row in range(card["abilities"][ACTIVE], card["abilities"][ACTIVE + 1]):
            value += active_value(deck["abilities"][row], me, foe, table["decks"][1 - seat])
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def active_value(ability, me, foe, foe_deck):
    """Value an ability that happens as a card is deployed."""
    do = ability["do"]
    n = ability["n"]
    if do == E_SINK:
        top = 0.0
        for place in range(foe["sea_count"]):
            card = foe_deck["cards"][foe["sea"][place]]
            if card["power"] <= ability["max_power"]:
                top = max(top, worth(card))
        return top
    if do == E_REST:
        return 0.8 * min(n, count(foe["upright"]))
    if do == E_READY:
        return 1.0
    if do == E_DISCARD:
        return 1.0 * min(n, count(foe["hand"]))
    if do == E_MILL:
        return 0.9 * min(n, foe["life_count"])
    if do == E_HEAL:
        return 0.8 * min(n, me["friends_count"])
    if do == E_DRAW:
        return 0.5 if wants_card(me) else -0.5 + 0.5 * ability["optional"]
    if do == E_SUPPORT:
        return -5.0 if me["life_count"] <= n + 1 else 0.3
    if do == E_RECALL:
        return 0.7 * min(n, me["friends_count"])
    return 0.0


@inner(forceinline=True)
def battle(mine, power, theirs):
    """Value a battle by the cards that leave (S4.2)."""
    value = 0.0
    if theirs["power"] <= power:
        value += worth(theirs)
    if power <= theirs["power"]:
        value -= worth(mine)
    return value


@inner
def best_battle(mine, power, foe, foe_deck, places):
    """Value the best battle that a card can choose among some places."""
    top = -WIN
    while places != NONE:
        place = lowest(places)
        places = without_lowest(places)
        top = max(top, battle(mine, power, foe_deck["cards"][foe["sea"][place]]))
    return top


@inner
def choose_action(state, table, legal, n):
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
                value = battle(card, card["power"], foe_deck["cards"][foe["sea"][last]])
            elif kind == A_ATTACK_LIFE:
                value = life_value(card, 1, card["pierce"], life, guards, strongest_guard, wins)
            else:
                skill = deck["abilities"][card["abilities"][SKILL] + last]
                do = skill["do"]
                pierce = skill["pierce"] | card["pierce"]
                if do == E_ATTACK_LIFE:
                    if foe["compels"] != NONE and not pierce:
                        value = best_battle(card, card["power"], foe, foe_deck, foe["compels"])
                    else:
                        value = life_value(card, skill["n"], pierce, life, guards, strongest_guard, wins) + 0.1
                elif do == E_ATTACK_CARD:
                    places = foe["compels"] if foe["compels"] != NONE and not pierce else all_places
                    value = best_battle(card, card["power"] + skill["n"], foe, foe_deck, places) + 0.05
                    value = max(value, -0.5)
                elif do == E_READY:
                    value = -0.5
                    rested = up_to(me["sea_count"]) & ~me["upright"] & ~me["readied"]
                    while rested != NONE:
                        value = max(value, deck["cards"][me["sea"][lowest(rested)]]["power"] - 0.5)
                        rested = without_lowest(rested)
                else:
                    value = active_value(skill, me, foe, foe_deck)
            if danger and card["guard"] and not wins and value < WIN:
                value -= 1.5  # it had better stay upright
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
def life_value(card, attacks, pierce, life, guards, strongest_guard, wins):
    """Value attacks on Life: victory, or damage, less what a guard may do to the attacker."""
    guarded = guards != NONE and not pierce
    if attacks > life and not guarded:
        return WIN
    value = attacks * (1.3 + 3.0 / (1.0 + life))
    if wins:
        return value + 100.0
    if guarded and strongest_guard >= card["power"]:
        return -0.4 * worth(card)
    if guarded:
        return min(value, 1.2)
    return value


@inner
def choose_guard(state, table, legal, n):
    """Guard if that wins the battle or saves the game; otherwise let Life take it, while there is enough."""
    seat = state["decider"]
    me = state["players"][seat]
    foe = state["players"][1 - seat]
    deck = table["decks"][seat]
    attacker = table["decks"][1 - seat]["cards"][foe["sea"][foe["actor"]]]
    power = attacker["power"] + state["bonus"]
    last = n - 1
    damage = 1.0 + 4.0 / (1.0 + me["life_count"])
    if state["target"] == LIFE and me["life_count"] == 0:
        damage = WIN
    if state["target"] != LIFE:
        damage = max(0.0, -battle_for_target(deck["cards"][me["sea"][state["target"]]], power, attacker))
    best, best_value = last, -damage
    for i in range(last):
        card = deck["cards"][me["sea"][legal[i] & LAST_MASK]]
        value = battle_for_target(card, power, attacker)
        if value > best_value:
            best, best_value = i, value
    return best


@inner(forceinline=True)
def battle_for_target(target, power, attacker):
    """Value a battle from the side of the card that is attacked."""
    value = 0.0
    if target["power"] <= power:
        value -= worth(target)
    if power <= target["power"]:
        value += worth(attacker)
    return value


@inner
def choose_target(state, table, legal, n):
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
            value = battle(mine, mine["power"] + state["bonus"], foe_deck["cards"][foe["sea"][at]])
        elif do == E_SINK or do == E_REST:
            theirs = foe_deck["cards"][foe["sea"][at]]
            value = worth(theirs)
            if do == E_REST and theirs["guard"]:
                value += 1.0
        elif do == E_READY:
            value = 1.0 * deck["cards"][me["sea"][at]]["power"]
        elif do == E_BOUNCE:
            card = deck["cards"][me["sea"][at]]
            again = card["abilities"][ACTIVE + 1] > card["abilities"][ACTIVE]
            value = 1.0 if again and card["power"] <= state["points"] and not contains(me["upright"], at) else -worth(card)
        elif do == E_RECALL:
            power = deck["cards"][at]["power"]
            reach = max(2, me["friends_count"] - me["sea_power"] + 2)
            value = 1.0 * power if power <= reach else 0.5
        else:
            value = 0.0
        if value > best_value:
            best, best_value = i, value
    return best


@inner
def wants_ability(state, table):
    """Tell whether an optional effect is worth using."""
    seat = state["controller"]
    me = state["players"][seat]
    ability = table["decks"][seat]["abilities"][state["ability"]]
    if ability["do"] == E_DRAW:
        return wants_card(me)
    if ability["do"] == E_SUPPORT:
        return me["life_count"] > FEW_LIFE + ability["n"]
    return True
