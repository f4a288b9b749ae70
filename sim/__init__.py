"""Rules, cards, random streams, the game loop, replays, and the running of pairs in parallel.

The names below are the API for play; `strategies` holds what plays, `reports` what is made of the results.
"""

from sim.cards import CardSet, Deck
from sim.counts import Counts
from sim.files.errors import InputError
from sim.game import Game
from sim.kernels.streams import side_keys
from sim.library import game_names, load_deck, load_game, load_set
from sim.play import Match, Setup
from sim.run import Matchup, Runner, Side

__all__ = [
    "CardSet", "Counts", "Deck", "Game", "InputError", "Match", "Matchup", "Runner", "Setup", "Side", "game_names",
    "load_deck", "load_game", "load_set", "side_keys",
]  # fmt: skip
