"""Sea: what comes of a step, told as it happens; see `sim.tracing`."""

from __future__ import annotations

from typing import Any

from sim.kernels.legal import parts
from sim.sea import layout as L
from sim.sea.words import card_id
from sim.tracing import Looking, NewTurn, Tracer

WITHOUT_NUMBER = (L.E_SINK_ATTACKER, L.E_RECALL_SELF)


class SeaTracer(Tracer):
    """Tells what comes of the steps of a sea game."""

    def __init__(self, match: Any):
        super().__init__(match)
        self.has_points = int(self.state["step"]) >= L.DEPLOY_STEP  # the deploy step has been told

    # ------------------------------------------------------------------------------------------------------- names

    def card(self, player: Any, slot: int) -> str:
        """Name a card of a player's deck."""
        return card_id(self.table, self.seat_of(player), self.names, int(slot))

    def at(self, player: Any, place: int) -> str:
        """Name the card at a place of a player's Sea."""
        return self.card(player, player["sea"][place])

    def power(self, player: Any, place: int) -> int:
        """Give the power of the card at a place of a player's Sea."""
        return int(self.table["decks"][self.seat_of(player)]["cards"][player["sea"][place]]["power"])

    def ability(self, seat: int, row: int) -> str:
        """Say what an ability does, with its card."""
        deck = self.table["decks"][seat]
        ability = deck["abilities"][row]
        slot = next(
            slot
            for slot in deck["pile"]
            if deck["cards"][slot]["abilities"][0] <= row < deck["cards"][slot]["abilities"][-1]
        )
        words = [L.EFFECTS[ability["do"]]]
        if ability["do"] not in WITHOUT_NUMBER:
            words.append(str(ability["n"]))
        if ability["max_power"] < L.MAX_POWER:
            words.append(f"of power {ability['max_power']} at most")
        if ability["pierce"]:
            words.append("with pierce")
        return f"{self.card(seat, slot)}, {L.WHENS[ability['when']]}: {' '.join(words)}"

    # ---------------------------------------------------------------------------------------------------- the turn

    def begin_turn(self, state: Any, _table: Any) -> Looking:
        """The turn passes on; rested cards become upright (S3.1)."""
        seat = 1 - int(state["active"])
        player = state["players"][seat]
        self.lines.append(NewTurn(int(state["turn"]) + 1, seat))
        self.has_points = False
        rested = [place for place in range(player["sea_count"]) if not int(player["upright"]) >> place & 1]
        yield
        for place in rested:
            self.say(f"{self.at(player, place)} is now upright", seat)

    def tell_points(self, state: Any) -> None:
        """Tell the points of the deploy step as it begins (S3.4)."""
        if state["step"] >= L.DEPLOY_STEP and not self.has_points:
            self.has_points = True
            me = state["players"][state["active"]]
            friends, power = int(me["friends_count"]), int(me["sea_power"])
            self.say(f"deploy step: {friends} Friends - {power} power in the Sea = {state['points']} points", me)

    def go_on_with_turn(self, state: Any, _table: Any, _legal: Any) -> Looking:
        """The deploy step may begin."""
        turn = int(state["turn"])
        yield
        if state["turn"] == turn:
            self.tell_points(state)

    def end_turn(self, state: Any, _table: Any) -> Looking:
        """The turn ends, and perhaps the game (S6.2, S6.3)."""
        self.tell_points(state)
        yield
        if state["reason"] == L.BY_STALEMATE:
            first, second = (int(player["life_count"]) for player in state["players"])
            self.say(f"stalemate: neither player did anything in a whole turn; Life is {first} against {second}")
        elif state["reason"] == L.BY_TURN_LIMIT:
            self.say(f"turn limit: turn {state['turn']} was the last")

    def apply(self, state: Any, table: Any, action: int) -> Looking:
        """Drawing, supporting and deploying (S3.2 to S3.4)."""
        kind, _, last = parts(int(action))
        me = state["players"][state["active"]]
        if kind == L.A_DRAW:  # the first card; the others are drawn by `draw_card`
            self.move(me, self.card(me, me["life"][me["life_count"] - 1]), "life", "hand")
        elif kind == L.A_SUPPORT:
            self.move(me, self.card(me, last), "hand", "friends")
        elif kind == L.A_DEPLOY:
            points, cost = int(state["points"]), int(table["decks"][state["active"]]["cards"][last]["power"])
            self.say(f"points {points} → {points - cost} (power {cost})", me)
        yield

    def to_sea(self, player: Any, _deck: Any, slot: int) -> Looking:
        """A card is deployed (S3.4)."""
        self.move(player, self.card(player, slot), "hand", "sea", " (rested)")
        yield

    # ------------------------------------------------------------------------------------------------- moving cards

    def sink(self, player: Any, _deck: Any, place: int) -> Looking:
        """A card goes from the Sea to Friends."""
        self.move(player, self.at(player, place), "sea", "friends")
        yield

    def draw_card(self, player: Any, _deck: Any) -> Looking:
        """A card is drawn."""
        self.move(player, self.card(player, player["life"][player["life_count"] - 1]), "life", "hand")
        yield

    def turn_up(self, player: Any) -> Looking:
        """The top card of Life goes to Friends."""
        self.move(player, self.card(player, player["life"][player["life_count"] - 1]), "life", "friends")
        yield

    def to_life_bottom(self, player: Any, slot: int) -> Looking:
        """A card is put under Life."""
        self.move(player, self.card(player, slot), "friends", "life", " (bottom)")
        yield

    # ------------------------------------------------------------------------------------------------------ attacks

    def act(self, state: Any, table: Any, me: Any, deck: Any, kind: int, place: int, last: int) -> Looking:
        """A card rests and attacks or uses a skill (S3.6)."""
        seat = int(state["active"])
        card = deck["cards"][me["sea"][place]]
        mark = "rested" if table["rules"]["act_rests"] else "marked acted"
        self.say(f"{self.at(me, place)} is now {mark}", me)
        if kind == L.A_SKILL:
            self.say(self.ability(seat, int(card["abilities"][L.SKILL]) + last), me)
        elif kind == L.A_ATTACK and state["players"][1 - seat]["compels"] and not card["pierce"]:
            self.say(f"compel: the attack must be on {self.compellers(1 - seat)} (S4.6)")
        yield

    def compellers(self, seat: int) -> str:
        """Name the cards in a Sea that compel."""
        player = self.state["players"][seat]
        return " or ".join(
            self.at(player, place) for place in range(player["sea_count"]) if int(player["compels"]) >> place & 1
        )

    def go_on_with_attacks(self, state: Any, _table: Any, _legal: Any) -> Looking:
        """The next attack of a skill: bound, without a target, or without an attacker (S4.6, S4.9, S3.8)."""
        seat = int(state["active"])
        foe = state["players"][1 - seat]
        if state["players"][seat]["actor"] == L.NOBODY:
            self.say("the attacker has left the Sea: no more attacks (S4.9)")
        elif state["target"] == L.UNDECIDED and foe["compels"] and not state["pierce"]:
            self.say(f"compel: the attack must be on {self.compellers(1 - seat)} (S4.6)")
        elif state["target"] == L.UNDECIDED and state["on_card"] and foe["sea_count"] == 0:
            self.say("no card to attack: nothing happens (S3.8)")
        yield

    def answer(self, state: Any, table: Any, decision: int, kind: int, last: int) -> Looking:
        """A card guards (S4.5)."""
        if decision == L.GUARD and kind == L.A_GUARD:
            foe = state["players"][1 - state["active"]]
            rests = "rests and " if table["rules"]["guard_rests"] else ""
            self.say(f"guard: {self.at(foe, last)} {rests}becomes the target (S4.5)", foe)
        elif decision == L.USE and kind == L.A_PASS:
            self.say(f"{self.ability(int(state['controller']), int(state['ability']))}: not used")
        yield

    def resolve_attack(self, state: Any, _table: Any) -> Looking:
        """A battle, damage to Life, or victory (S4.2 to S4.4)."""
        seat, target = int(state["active"]), int(state["target"])
        me, foe = state["players"][seat], state["players"][1 - seat]
        if target == L.LIFE and foe["life_count"] == 0:
            self.say("attack on a Life of 0 cards: the attacker wins (S4.4)")
        elif target == L.LIFE:
            self.say("damage: the top card of Life is turned up (S4.3)", foe)
        else:
            bonus, own, other = int(state["bonus"]), self.power(me, me["actor"]), self.power(foe, target)
            total = f"{own}" + (f" + {bonus} = {own + bonus}" if bonus else "")
            outcome = (
                "both lose" if own + bonus == other else f"the {'attacker' if own + bonus > other else 'target'} wins"
            )
            self.say(
                f"battle: {self.at(me, me['actor'])} {total} against {self.at(foe, target)} {other}: {outcome} (S4.2)"
            )
        self.depth += 1
        yield
        self.depth -= 1

    # ---------------------------------------------------------------------------------------------------- abilities

    def go_on_with_abilities(self, state: Any, _table: Any, _legal: Any) -> Looking:
        """An ability begins, or has nothing to do (S5)."""
        seat, row, begins = int(state["controller"]), int(state["ability"]), state["repeats"] == L.UNDECIDED
        ability = self.table["decks"][seat]["abilities"][row]
        if begins and ability["when"] != L.SKILL:
            self.say(self.ability(seat, row), seat)
        self.depth += 1
        before = len(self.lines)
        yield
        if begins and state["ability"] != row and len(self.lines) == before:
            self.say("nothing to do")
        self.depth -= 1

    def touch(self, state: Any, _table: Any, chosen: int) -> Looking:
        """A chosen card is touched (S5.5)."""
        seat = int(state["controller"])
        me, foe = state["players"][seat], state["players"][1 - seat]
        do = int(self.table["decks"][seat]["abilities"][state["ability"]]["do"])
        if do == L.E_REST:
            self.say(f"{self.at(foe, chosen)} is now rested", foe)
        elif do == L.E_READY:
            self.say(f"{self.at(me, chosen)} is now upright", me)
        elif do == L.E_BOUNCE:
            self.move(me, self.at(me, chosen), "sea", "hand")
        elif do == L.E_RECALL:
            self.move(me, self.card(me, chosen), "friends", "hand")
        yield

    def carry_out(self, state: Any, _table: Any, ability: Any) -> Looking:
        """A trap takes its own card back (S5.9)."""
        me = state["players"][state["controller"]]
        if ability["do"] == L.E_RECALL_SELF:
            self.move(me, self.card(me, me["friends"][me["trap"]]), "friends", "hand")
        yield

    def apply_chance(self, state: Any, _table: Any) -> Looking:
        """Random cards of a hand go to Friends (S5.10)."""
        player = state["players"][1 - int(state["controller"])]
        for slot in state["chosen"][: state["chosen_count"]]:
            self.move(player, self.card(player, slot), "hand", "friends")
        yield
