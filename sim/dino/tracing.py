"""Dino: what comes of a step, told as it happens; see `sim.tracing`."""

from __future__ import annotations

from typing import Any

from sim.card_words import card_id
from sim.dino import layout as L
from sim.dino import rules
from sim.dino.words import dino_in_words, returned
from sim.tracing import SEATS, Looking, NewTurn, Tracer

WITH_NUMBER = ("damage", "heal", "draw", "discard", "pp_max", "pp", "level", "level_to", "fight", "direct")
SIGNED = ("pp_max", "pp", "level", "fight", "direct")


class DinoTracer(Tracer):
    """Tells what comes of the steps of a dino game."""

    def __init__(self, match: Any):
        super().__init__(match)
        self.source = ""  # the zone of the card that is on its way
        self.before_reset: tuple[Any, str] | None = None  # the player before the reset phase, its PP in words
        self.told_row = -1  # the ability that has been told
        self.resolved = False  # the attack under way has come to its battle or damage

    # ------------------------------------------------------------------------------------------------------- names

    def card(self, player: Any, kind: int) -> str:
        """Name a card of a player's deck."""
        return card_id(self.table, self.seat_of(player), self.names, int(kind))

    def at(self, player: Any, slot: int) -> str:
        """Name the dino in a slot."""
        return self.card(player, player["field"][int(slot)]["card"])

    def marks(self, player: Any, slot: int) -> str:
        """Say the level and the marks of the dino in a slot, as a position shows them."""
        deck = self.table["decks"][self.seat_of(player)]
        return f"Lv.{dino_in_words(player, slot, deck, dict.fromkeys(range(L.MAX_KINDS), '')).strip()}"

    def value(self, player: Any, slot: int, name: str) -> str:
        """Say the fight or direct of a dino, with what it is made of (D7.9)."""
        dino, deck = player["field"][int(slot)], self.table["decks"][self.seat_of(player)]
        card = deck["cards"][dino["card"]]
        total = self.plain(rules.fight_of if name == "fight" else rules.direct_of)(player, deck, slot)
        changes, auras = int(dino[name]), int(player[f"aura_{name}"]) + int(card[f"own_{name}"])
        parts = [f"Lv.{dino['level']} {card[name][dino['level']]}"]
        parts += [f"until the end of the turn {changes:+d}"] if changes else []
        parts += [f"auras {auras:+d}"] if auras else []
        return f"{name} {total} ({', '.join(parts)})"

    def ability(self, seat: int, row: int) -> str:
        """Say what an ability does, with its card."""
        deck = self.table["decks"][seat]
        ability = deck["abilities"][row]
        kind, when = next(
            (kind, when)
            for kind in range(deck["kinds"])
            for when in range(len(L.WHENS))
            if deck["cards"][kind]["abilities"][when] <= row < deck["cards"][kind]["abilities"][when + 1]
        )
        do, target = L.EFFECTS[ability["do"]], L.TARGETS[ability["target"]]
        words = [do]
        if do in WITH_NUMBER:
            words.append(f"{ability['n']:+d}" if do in SIGNED else str(ability["n"]))
        if do == "grant":
            words.append(L.KEYWORDS[ability["keyword"]])
        if target != "none":
            words.append(f"({target})")
        if ability["limit"] >= 0:
            words.append(f"of {'cost' if do == 'revive' else 'fight'} {ability['limit']} at most")
        return f"{self.card(seat, kind)}, {L.WHENS[when]}: {' '.join(words)}"

    def tell_ability(self) -> None:
        """Tell the ability that happens, once."""
        now = self.state["now"]
        if self.told_row != int(now["row"]):
            self.told_row = int(now["row"])
            self.say(self.ability(int(now["seat"]), self.told_row), int(now["seat"]))

    def tell_below(self, text: str) -> None:
        """Tell something of the ability told last."""
        self.depth += 1
        self.say(text)
        self.depth -= 1

    def pp(self, player: Any) -> str:
        """Say a player's PP, current and maximum."""
        return f"{player['pp']}/{player['pp_max']}"

    def tell_change(self, player: Any, name: str, before: Any, after: Any, why: str) -> None:
        """Tell a change of life or PP."""
        self.say(f"{name} stays {before} ({why})" if before == after else f"{name} {before} → {after} ({why})", player)

    # ------------------------------------------------------------------------------------------------- moving cards

    def from_hand(self, _player: Any, _kind: int) -> Looking:
        """A card leaves the hand."""
        self.source = "hand"
        yield

    def from_field(self, _state: Any, _table: Any, _seat: int, _slot: int) -> Looking:
        """A dino leaves the field."""
        self.source = "field"
        yield

    def from_stratum(self, _player: Any, _kind: int) -> Looking:
        """A card leaves the stratum."""
        self.source = "stratum"
        yield

    def draw_card(self, _player: Any) -> Looking:
        """A card is drawn."""
        self.source = "deck"
        yield

    def to_hand(self, player: Any, kind: int) -> Looking:
        """A card comes to the hand."""
        self.move(player, self.card(player, kind), self.source, "hand")
        yield

    def to_stratum(self, player: Any, kind: int) -> Looking:
        """A card goes to the stratum."""
        self.move(player, self.card(player, kind), self.source, "stratum")
        yield

    def to_field(self, state: Any, _table: Any, seat: int, kind: int) -> Looking:
        """A dino is summoned (D4.2)."""
        self.move(state["players"][seat], self.card(seat, kind), self.source, "field", " (Lv.1, awake)")
        yield

    # ------------------------------------------------------------------------------------------------ setup and turn

    def apply(self, state: Any, _table: Any, action: int) -> Looking:
        """Cards are put back by a mulligan (D2.3)."""
        seat = int(state["decider"])
        if int(action) >> L.KIND_SHIFT == L.A_RETURN:
            for kind in returned(state, int(action)):
                self.move(seat, self.card(seat, kind), "hand", "deck")
        yield

    def begin_turn(self, state: Any, _table: Any) -> Looking:
        """A turn begins with its reset phase (D3); what it changed is told before the cards are drawn."""
        seat = 1 - int(state["active"])
        player = state["players"][seat]
        self.lines.append(NewTurn(int(state["turn"]) + 1, seat))
        self.before_reset = player.copy(), self.pp(player)
        yield

    def draw_cards(self, state: Any, seat: int, n: int) -> Looking:
        """Cards are drawn; in the reset phase after awakening and PP (D3)."""
        player = state["players"][int(seat)]
        if self.before_reset is not None:
            (before, pp), self.before_reset = self.before_reset, None
            for slot in range(L.SLOTS):
                bit = 1 << slot
                if int(before["rested"]) & bit:
                    stays = int(player["rested"]) & bit
                    self.say(f"{self.at(player, slot)} {'stays rested (freeze, D3.1)' if stays else 'awakens'}", player)
            unspent = int(before["pp"])
            self.tell_change(
                player, "pp", pp, self.pp(player), f"reset phase, {unspent} unspent" if unspent else "reset phase"
            )
        yield
        if player["deck_count"] == 0:
            self.say("the last card of the deck is drawn (D8.2)", player)

    def end_turn(self, state: Any, _table: Any) -> Looking:
        """What lasts until the end of the turn ends (D7.9, D8.4)."""
        for player in state["players"]:
            changed = []
            for slot in range(L.SLOTS):
                dino = player["field"][slot]
                granted = int(player["granted"]) & L.EVERY_KEYWORD << slot
                if int(player["occupied"]) >> slot & 1 and (dino["fight"] or dino["direct"] or granted):
                    changed.append(self.at(player, slot))
            if changed:
                self.say(f"changes until the end of the turn end: {', '.join(changed)} (D7.9)", player)
        yield
        if state["reason"] == L.BY_TURN_LIMIT:
            self.say(f"turn limit: turn {state['turn']} was the last (D8.4)")

    def ask_in_turn(self, state: Any, _seat: int, _decision: int, _n: int) -> Looking:
        """A turn may have too many decisions (D8.5)."""
        yield
        if state["reason"] == L.BY_TURN_LIMIT:
            self.say("turn limit: one decision more than max_decisions allows in a turn (D8.5)")

    def lose(self, _state: Any, seat: int, _reason: int) -> Looking:
        """A player has lost (D8.1, D8.2)."""
        yield
        self.say(f"the {SEATS[int(seat)]} seat has lost")

    def pay(self, player: Any, cost: int) -> Looking:
        """A cost is paid (D4.1)."""
        before = self.pp(player)
        yield
        self.tell_change(player, "pp", before, self.pp(player), f"cost {cost}")

    def cast(self, state: Any, table: Any, seat: int, kind: int) -> Looking:
        """A spell is used; as a counter-spell in the opponent's turn (D4.3, D6.3)."""
        player = state["players"][int(seat)]
        word = "spell" if int(seat) == int(state["active"]) else "counter-spell"
        auras = int(player["spell_cost"])
        cost = f"{table['decks'][int(seat)]['cards'][kind]['cost']}" + (f" {auras:+d} by auras" if auras else "")
        self.say(f"{word}: {self.card(player, kind)} costs {cost}", player)
        self.move(player, self.card(player, kind), "hand", "use")
        self.told_row = -1
        yield

    def raise_by_card(self, player: Any, slot: int) -> Looking:
        """A dino is raised by the same card (D5.2, D5.3)."""
        level, was_new = int(player["field"][slot]["level"]), int(player["new"]) >> int(slot) & 1
        yield
        self.say(
            f"{self.at(player, slot)} Lv.{level} → Lv.{level + 1}{', can act at once (D5.3)' if was_new else ''}",
            player,
        )

    # ------------------------------------------------------------------------------------------------------ attacks

    def declare(self, state: Any, _table: Any, slot: int, _target: int) -> Looking:
        """The attacker rests (D6.2)."""
        me = state["players"][state["active"]]
        self.say(f"{self.at(me, slot)} rests", me)
        yield

    def go_on_with_attack(self, state: Any, _table: Any, _legal: Any) -> Looking:
        """An attack may end because the attacker or the target has left (D6.4)."""
        self.resolved = False
        yield
        if state["stage"] == L.NO_ATTACK_NOW and not self.resolved:
            me = state["players"][state["active"]]
            here = self.plain(rules.is_here)(me, state["attacker"], state["attacker_arrival"])
            self.say(f"the attack ends: the {'target' if here else 'attacker'} has left the field (D6.4)")

    def block(self, state: Any, slot: int) -> Looking:
        """A dino blocks (D6.5)."""
        foe = state["players"][1 - int(state["active"])]
        self.say(f"block: {self.at(foe, slot)} rests and becomes the target (D6.5)", foe)
        yield

    def resolve_attack(self, state: Any, _table: Any) -> Looking:
        """A battle, or life damage (D6.6 to D6.8)."""
        self.resolved = True
        me, foe = state["players"][state["active"]], state["players"][1 - int(state["active"])]
        attacker, target = int(state["attacker"]), int(state["target"])
        if target == L.LIFE:
            self.say(f"attack on life: {self.at(me, attacker)} {self.value(me, attacker, 'direct')} (D6.8)", me)
        else:
            mine, theirs = (
                int(self.plain(rules.fight_of)(player, self.table["decks"][self.seat_of(player)], slot))
                for player, slot in ((me, attacker), (foe, target))
            )
            outcome = "both lose" if mine == theirs else f"the {'attacker' if mine > theirs else 'target'} wins"
            loser, slot = (me, attacker) if mine < theirs else (foe, target)
            if mine != theirs and int(self.plain(rules.with_keyword)(loser, L.MUTUAL)) >> slot & 1:
                outcome += f", but {self.at(loser, slot)} has mutual: both go (D6.7)"
            values = [
                f"{self.at(player, place)} {self.value(player, place, 'fight')}"
                for player, place in ((me, attacker), (foe, target))
            ]
            self.say(f"battle: {' against '.join(values)}: {outcome} (D6.6)")
        self.depth += 1
        yield
        self.depth -= 1

    def win(self, player: Any, slot: int) -> Looking:
        """The winner rises a level and rests (D5.4, D6.9)."""
        level = int(player["field"][int(slot)]["level"])
        yield
        after = int(player["field"][int(slot)]["level"])
        rises = f"Lv.{level} → Lv.{after}" if after > level else f"stays at Lv.{level}"
        self.say(f"{self.at(player, slot)} {rises} and is rested (D5.4, D6.9)", player)

    def damage(self, state: Any, seat: int, n: int) -> Looking:
        """Life is reduced (D6.8, D7); told before what comes of it."""
        player = state["players"][int(seat)]
        before = int(player["life"])
        self.tell_change(player, "life", before, before - int(n), f"damage {n}")
        yield

    # ---------------------------------------------------------------------------------------------------- abilities

    def next_ability(self, state: Any) -> Looking:
        """An ability is over; a spell then goes to the stratum (D4.3)."""
        now = state["now"]
        if self.told_row != int(now["row"]):
            self.tell_ability()
            self.tell_below("nothing to do")
        self.told_row = -1
        self.source = "use"
        yield

    def go_on_with_abilities(self, state: Any, _table: Any, _legal: Any) -> Looking:
        """An ability may ask for its target or wait for chance (D7.8, D7.10)."""
        asked = yield
        if asked:
            self.tell_ability()

    def choose_target(self, _state: Any, _table: Any, kind: int, _last: int) -> Looking:
        """A target has been chosen, or declined (D7.8)."""
        self.tell_ability()
        if kind == L.A_PASS:
            self.tell_below("declined")
        yield

    def affect_player(self, state: Any, _table: Any, seat: int, ability: Any) -> Looking:
        """Life, cards or PP of a player change (D7)."""
        self.tell_ability()
        player = state["players"][int(seat) if ability["target"] == L.T_SELF else 1 - int(seat)]
        life, pp, do = int(player["life"]), self.pp(player), L.EFFECTS[ability["do"]]
        self.depth += 1
        yield
        if do == "heal":
            self.tell_change(player, "life", life, int(player["life"]), f"heal {ability['n']}")
        elif do in ("pp_max", "pp"):
            self.tell_change(player, "pp", pp, self.pp(player), f"{do} {ability['n']:+d}")
        self.depth -= 1

    def touch_unchosen(self, _state: Any, _table: Any, _seat: int, _ability: Any) -> Looking:
        """Dinos are touched without a choice."""
        self.tell_ability()
        yield

    def touch(self, state: Any, _table: Any, side: int, slots: Any, ability: Any) -> Looking:
        """Dinos of one side are touched (D7.5)."""
        player = state["players"][int(side)]
        touched = [slot for slot in range(L.SLOTS) if int(slots) >> slot & 1]
        before = {slot: self.marks(player, slot) for slot in touched}
        self.depth += 1
        yield
        if not touched:
            self.say("no dino to touch")
        elif ability["do"] not in (L.E_DESTROY, L.E_BOUNCE):
            for slot in touched:
                after = self.marks(player, slot)
                name = self.at(player, slot)
                self.say(
                    f"{name} stays {after}" if after == before[slot] else f"{name} is now {after}, was {before[slot]}",
                    player,
                )
        self.depth -= 1

    def apply_chance(self, state: Any, _table: Any) -> Looking:
        """Cards are drawn again after a mulligan, or discarded at random (D2.3, D7.10)."""
        if state["phase"] >= L.MAIN_PHASE:
            self.tell_ability()
        yield
