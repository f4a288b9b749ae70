"""Actions and positions of any game in words: what holds where a game has no words of its own.

Zones are taken from a player's record: what has a count beside it (``played`` and ``played_count``) is a pile of cards
by kind, ``deck`` one that is told by its size alone, and any other number is told as it is.
"""

from __future__ import annotations

from typing import Any

from sim.card_words import card_id, counted, lay_pile, pile_ids
from sim.files.errors import InputError
from sim.kernels.legal import parts
from sim.kernels.streams import STRATEGY, scramble_streams

SEATS = range(2)


class Words:
    """The words of a game: its own functions, and these where it has none.

    Parameters
    ----------
    game : Game
        The game.
    own : module or None
        Its own functions, of the same names and arguments.
    """

    def __init__(self, game: Any, own: Any = None):
        self._game, self.own = game, own
        if own is not None:
            vars(self).update({name: value for name, value in vars(own).items() if not name.startswith("_")})

    def action(self, state: Any, table: Any, ids: list[str], code: int) -> str:
        """Say an action: its kind, and the card or the numbers that it names."""
        kind, a, b = parts(int(code))
        word = self._game.kinds[kind] if kind < len(self._game.kinds) else f"action {kind}"
        if kind in self._game.plays:
            return f"{word} {card_id(table, int(state['decider']), ids, b)}"
        return " ".join([word, *(str(number) for number in (a, b) if a or b)])

    def told(self, state: Any, table: Any, names: list[str], code: int) -> str:
        """Say an action to a person, with the cards' names (``names`` in the order of the card file)."""
        return str(self.action(state, table, names, code))

    def position(self, state: Any, table: Any, ids: list[str]) -> list[dict[str, Any]]:
        """Say what lies where, for both seats."""
        return [self._zones(state["players"][seat], table, seat, ids) for seat in SEATS]

    def _zones(self, player: Any, table: Any, seat: int, ids: list[str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        names = player.dtype.names
        for name in names:
            if f"{name}_count" in names:
                count = int(player[f"{name}_count"])
                kinds = counted(player["hand_counts"]) if name == "hand" else player[name][:count].tolist()
                found[name] = count if name == "deck" else [card_id(table, seat, ids, kind) for kind in kinds]
            elif not name.endswith(("_count", "_counts")) and player[name].shape == ():
                found[name] = player[name].item()
        return found

    def piles(self, state: Any, table: Any, ids: list[str]) -> list[list[str]]:
        """List the piles as shuffled, the top first, while nothing has been put back; without any the decks."""
        found = []
        for seat in SEATS:
            deck = table["decks"][seat]
            if self._game.has_piles:
                found.append(pile_ids(state, table, seat, ids, int(deck["size"])))
            else:
                found.append([card_id(table, seat, ids, kind) for kind in deck["pile"][: deck["size"]].tolist()])
        return found

    def set_piles(self, state: Any, table: Any, ids: list[str], piles: list[list[str]]) -> None:
        """Lay the decks as these piles, the top first; each must hold the deck's cards."""
        for seat, pile in enumerate(piles):
            if self._game.has_piles:
                lay_pile(state, table, seat, ids, pile)

    def chance(self, state: Any, table: Any, ids: list[str]) -> dict[str, Any]:
        """Say the outcome of the chance event that has been chosen."""
        raise InputError(f"{self._game.name}: a chance event waits, and its words have no chance and set_chance")

    def set_chance(self, state: Any, table: Any, ids: list[str], step: dict[str, Any]) -> str | None:
        """Choose the outcome of the chance event that waits; returns what is wrong with it, if anything is."""
        return str(self.chance(state, table, ids))

    def scramble_hidden(self, state: Any, table: Any, seat: int, random: Any) -> None:
        """Deal anew what a seat cannot know, if anything is hidden (`Game.pool_hidden`, `Game.determinize`)."""
        scramble_streams(state, table, seat, random)
        if self._game.hides:
            own = state["players"][seat]["streams"][STRATEGY].copy()
            self._game.pool_hidden(state, table, seat)
            self._game.determinize(state, table, seat)
            state["players"][seat]["streams"][STRATEGY] = own
