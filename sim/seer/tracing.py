"""Seer: what comes of a step, told as it happens; see `sim.tracing`."""

from __future__ import annotations

from typing import Any

from sim.card_words import card_id, counted
from sim.seer import layout as L
from sim.seer import rules
from sim.tracing import SEATS, Looking, NewTurn, Tracer

WITHOUT_NUMBER = (L.E_DOUBLE, L.E_NEGATE, L.E_DRAIN, L.E_SUMMON_SUPER)


class SeerTracer(Tracer):
    """Tells what comes of the steps of a seer game."""

    def __init__(self, match: Any):
        super().__init__(match)
        self.source = ""  # the zone of the card that is on its way
        self.target = ""  # where cards from the hand go now

    def card(self, player: Any, kind: int) -> str:
        """Name a card of a player's deck."""
        return card_id(self.table, self.seat_of(player), self.names, int(kind))

    def record(self, player: Any, kind: int) -> Any:
        """Give the record of a card of a player's deck."""
        return self.table["decks"][self.seat_of(player)]["cards"][int(kind)]

    # ------------------------------------------------------------------------------------------------- moving cards

    def from_hand(self, player: Any, kind: int) -> Looking:
        """A card leaves the hand; where it goes its taker tells."""
        if self.target:
            self.move(player, self.card(player, kind), "hand", self.target)
        self.source = "hand"
        yield

    def to_hand(self, player: Any, kind: int) -> Looking:
        """A card is drawn or picked."""
        if self.source == "deck":
            self.move(player, self.card(player, kind), "deck", "hand")
        yield

    def to_discard(self, player: Any, kind: int) -> Looking:
        """A card goes to the discard pile."""
        self.move(player, self.card(player, kind), self.source, "discard")
        yield

    def to_beans(self, player: Any, kind: int) -> Looking:
        """A card comes off the deck to the beans (E7.5)."""
        self.move(player, self.card(player, kind), "deck", "beans")
        yield

    def draw_card(self, _player: Any) -> Looking:
        """A card is drawn."""
        self.source = "deck"
        yield
        self.source = ""

    def draw_cards(self, player: Any, n: int) -> Looking:
        """Cards are drawn (E3.1)."""
        for i in range(n):
            self.move(player, self.card(player, player["deck"][player["deck_count"] - 1 - i]), "deck", "hand")
        yield

    def lose_beans(self, player: Any, _n: int) -> Looking:
        """The oldest bean cards go (E6.4)."""
        self.source = "beans"
        yield

    def replace_active(self, player: Any, _deck: Any, kind: int) -> Looking:
        """A spirit becomes active (E4.1, E4.2, E6.3)."""
        source, old = self.source, int(player["active"])
        if self.record(player, old)["stage"] == L.S_SUPER:
            self.move(player, self.card(player, old), "active", "out")
        self.source = "active"
        yield
        self.move(player, self.card(player, kind), source, "active")

    def add_hp(self, player: Any, _rules: Any, n: int) -> Looking:
        """HP change (E5.12)."""
        before = int(player["hp"])
        yield
        after, why = int(player["hp"]), f"damage {-n}" if n <= 0 else f"heal {n}"
        if after == before:
            self.say(f"hp stays {before} ({why})", player)
        else:
            self.say(f"hp {before} → {after} ({why})", player)

    # ------------------------------------------------------------------------------------------------------- setup

    def take_picks(self, _player: Any, _deck: Any) -> Looking:
        """The picked spirits come to the hand (E2.2)."""
        self.source = "deck"
        yield

    def put_back_opening(self, player: Any) -> Looking:
        """The drawn cards go back into the deck; the picked ones stay (E2.3)."""
        before, target = player["hand_counts"].copy(), self.target
        self.source = self.target = ""
        yield
        self.target = target
        for kind in counted(before - player["hand_counts"]):
            self.move(player, self.card(player, kind), "hand", "deck")

    def go_on_with_setup(self, state: Any, _table: Any, _legal: Any) -> Looking:
        """The leads become active (E2.4)."""
        self.target = "active" if state["phase"] == L.LEAD_PHASE else ""
        yield
        self.target = ""

    # -------------------------------------------------------------------------------------------------------- rounds

    def begin_round(self, state: Any, table: Any) -> Looking:
        """The next round begins (E3, E4.3)."""
        yield
        self.lines.append(NewTurn(int(state["turn"]), int(state["first"])))
        if table["rules"]["first_order"]:
            self.say(f"the {SEATS[state['first']]} seat is first in this round (E4.3)")

    def go_on_with_draws(self, state: Any, _table: Any) -> Looking:
        """An empty deck: the discard pile becomes the deck, if there is one (E3.2)."""
        player = state["players"][state["drawer"]]
        discard, draws = player["discard_counts"].copy(), int(state["draws"])
        yield
        if state["chance"] == L.RESHUFFLE:
            self.say("the deck is empty: the discard pile is shuffled and becomes the deck (E3.2)", player)
            for kind in counted(discard):
                self.move(player, self.card(player, kind), "discard", "deck")
        elif draws and not player["deck_count"] and not player["discard_count"]:
            self.say("deck and discard pile are empty: no more cards to draw (E3.2)", player)

    def apply(self, _state: Any, _table: Any, action: int) -> Looking:
        """A super comes from the supers, any other spirit from the hand."""
        self.source = "supers" if int(action) >> L.KIND_SHIFT == L.A_SUPER else "hand"
        yield

    def end_round(self, state: Any, _table: Any) -> Looking:
        """The round ends, and perhaps the game (E8.2)."""
        yield
        if state["reason"] == L.BY_TURN_LIMIT:
            self.say(f"turn limit: round {state['turn']} was the last (E8.2)")

    def check_hp(self, state: Any) -> Looking:
        """A player may be at 0 HP (E8.1)."""
        yield
        lost = [seat for seat in range(L.SEATS) if state["players"][seat]["hp"] == 0]
        if lost:
            self.say(
                f"{' and '.join(f'the {SEATS[seat]} seat' for seat in lost)} {'are' if len(lost) > 1 else 'is'} at 0 "
                "HP (E8.1)"
            )

    # ------------------------------------------------------------------------------------------------------- battles

    def turn_up(self, _state: Any, _table: Any) -> Looking:
        """Both battle cards are turned up (E5.2)."""
        self.target = "battle"
        yield
        self.target = ""

    def find_attacker(self, state: Any, table: Any) -> Looking:
        """The signs say who attacks, or the battle ends at once (E5.2)."""
        self.target = ""
        shown = [int(self.plain(rules.shown)(state["players"][seat], table["decks"][seat])) for seat in range(L.SEATS)]
        players = state["players"]
        cards = [
            "no card" if player["battle"] == L.NOBODY else self.card(player, player["battle"]) for player in players
        ]
        first, second = (
            f"{card} ({L.SHOWN[sign]})" if sign != L.SHOWS_NOTHING else card
            for card, sign in zip(cards, shown, strict=True)
        )
        self.say(f"battle: {first} against {second}: {self.verdict(shown)} (E5.2)")
        self.depth += 1
        yield

    def verdict(self, shown: list[int]) -> str:
        """Say what comes of two shown signs, missions or nothings, by seat."""
        attacker = int(rules.ATTACKERS[shown[0], shown[1]])
        if attacker == L.NOBODY:
            if L.SHOWS_MISSION in shown:
                return f"{'two missions' if shown[0] == shown[1] else 'a mission alone'}, the battle ends"
            return (
                "the battle ends" if L.SHOWS_NOTHING in shown else f"both {L.SHOWN[shown[0]]}, a tie, the battle ends"
            )
        mine, theirs = (L.SHOWN[shown[seat]] for seat in (attacker, 1 - attacker))
        why = (
            f"a {theirs} defends"
            if theirs == "mission"
            else f"nothing defends against {mine}"
            if theirs == "nothing"
            else f"{mine} beats {theirs}"
        )
        return f"{why}, the {SEATS[attacker]} seat attacks"

    def prepare(self, player: Any, deck: Any, attacks: bool) -> Looking:
        """A battle card counts or not; items are paid (E5.3 to E5.6)."""
        if player["battle"] != L.NOBODY:
            card, spirit = self.record(player, player["battle"]), self.card(player, player["active"])
            counts, kind = bool(self.plain(rules.gives)(player, card)), int(card["kind"])
            role = "attacks" if attacks else "defends"
            if kind == L.K_MOVE:
                what = (
                    f"{spirit} can use it"
                    if counts
                    else f"{spirit} lacks its element or slots: it gives nothing (E5.3)"
                )
            elif kind == L.K_ITEM:
                beans = f"costs {card['cost']} of {player['bean_count']} beans"
                what = f"{beans}: it is used" if counts else f"{beans}: it does nothing (E5.5)"
            else:
                what = "a support (E5.4)" if kind == L.K_SPIRIT else "a mission, gives nothing (E5.6)"
            self.say(f"{self.card(player, player['battle'])} {role}, {L.CARD_KINDS[kind]}: {what}", player)
        yield

    def damage_of(self, state: Any, table: Any) -> Looking:
        """The damage of the battle, in figures (E5.7)."""
        seat = int(state["attacker"])
        me, foe = state["players"][seat], state["players"][1 - seat]
        card = self.record(me, me["battle"])
        parts = []
        if not table["rules"]["sign_attack"] or card["kind"] == L.K_MOVE:
            spirit, sign = self.record(me, me["active"]), int(card["sign"])
            parts.append(f"{self.card(me, me['active'])} with {L.SIGNS[sign]} {spirit['by_sign'][sign]}")
        counts = me["gives"] and not me["negated"]
        if counts:
            parts.append(f"{self.card(me, me['battle'])} {card['attack']}")
            if me["attack"]:
                parts.append(f"abilities {me['attack']}")
        total = " + ".join(parts) or "0"
        if counts and me["doubles"]:
            total = f"({total}) x {1 << int(me['doubles'])}"
        if foe["battle"] != L.NOBODY and foe["gives"] and not foe["negated"]:
            total += f" - {self.card(foe, foe['battle'])} {self.record(foe, foe['battle'])['defence']}"
            if foe["defence"]:
                total += f" - abilities {foe['defence']}"
        for player in (me, foe):
            if player["negated"]:
                self.say(f"{self.card(player, player['battle'])} is negated and gives nothing (E7.3)", player)
        dealt = yield
        self.say(f"damage: {total} = {dealt}{', cut at 0' if not dealt else ''} (E5.7)", me)

    def settle(self, state: Any, _table: Any) -> Looking:
        """The battle area is cleared (E5.6, E6.1)."""
        players = state["players"]
        cards = [
            (player, int(player["battle"]), int(player["bean_count"]), int(player["discard_count"]))
            for player in players
        ]
        yield
        self.depth = 0
        for player, kind, beans, discard in cards:
            if kind != L.NOBODY:
                target = (
                    "beans"
                    if player["bean_count"] > beans
                    else "discard"
                    if player["discard_count"] > discard
                    else "hand"
                )
                self.move(player, self.card(player, kind), "battle", target)

    # ----------------------------------------------------------------------------------------- missions and abilities

    def begin_mission(self, _state: Any, player: Any, _deck: Any, _seat: int, kind: int) -> Looking:
        """A mission is laid into the battle area and paid (E6.6)."""
        self.say(f"mission: costs {self.record(player, kind)['cost']} of {player['bean_count']} beans (E6.6)", player)
        self.target = "battle"
        yield
        self.target = ""

    def end_mission(self, _state: Any) -> Looking:
        """An executed mission goes to the discard pile (E6.6)."""
        self.source = "battle"
        yield

    def go_on_with_abilities(self, state: Any, table: Any, _legal: Any) -> Looking:
        """An ability happens, unless its role or the position forbids it (E7)."""
        seat, row = int(state["owner"]), int(state["row"])
        me, foe = state["players"][seat], state["players"][1 - seat]
        ability = table["decks"][seat]["abilities"][row]
        do, role = int(ability["do"]), int(ability["role"])
        attacks = int(state["attacker"]) == seat
        said = L.EFFECTS[do] + ("" if do in WITHOUT_NUMBER else f" {ability['n']}")
        idle = ""
        if not state["executing"] and role == (L.R_DEFENDER if attacks else L.R_ATTACKER):
            idle = f"only as {L.ROLES[role]}"
        elif (do in (L.E_ATTACK, L.E_DOUBLE, L.E_DRAIN) and not attacks) or (do == L.E_DEFENCE and attacks):
            idle = f"nothing as {'attacker' if attacks else 'defender'} (E7.2)"
        elif do == L.E_NEGATE and not foe["gives"]:
            idle = "nothing to negate (E7.3)"
        elif (
            (do == L.E_DISCARD and not foe["hand_count"])
            or (do == L.E_BEAN and not me["deck_count"])
            or (do == L.E_STEAL_BEAN and not foe["bean_count"])
            or (do == L.E_SUMMON_SUPER and not me["supers"])
        ):
            idle = "nothing there"
        self.say(f"{self.card(me, me['battle'])}: {said}" + (f": {idle}" if idle else ""), me)
        self.depth += 1
        yield
        self.depth -= 1

    def apply_chance(self, state: Any, _table: Any) -> Looking:
        """Random cards of a hand are discarded (E7.5)."""
        self.target = ""
        yield
