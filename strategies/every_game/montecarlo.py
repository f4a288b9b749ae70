"""Flat Monte Carlo: plays every action out in the same possible deals, both sides by `tuned`, and takes the best on
average.

How it thinks. It deals what it cannot know anew, and plays each of its actions out from there to the end of the game;
`playouts` games in all, the same deals for every action. It does not ask what the opponent would do against the plan,
so it is easily pleased.
"""

from strategies.search import PLAYOUTS, flat_search

OPTIONS = (PLAYOUTS,)
choose_for = flat_search
