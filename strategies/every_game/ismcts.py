"""Information-set Monte Carlo tree search: tries out what may be hidden and what both sides may do, and keeps to what holds up.

How it thinks. It deals what it cannot know anew, plays on from there, and does so again, as often as it is told (`playouts`). What
has served either side well in these games is tried more often, what has not less; beyond what it has tried before, both sides play
`tuned`. In the end it takes the action tried most, and where both choose in secret it draws one, each as often as it was tried.
"""

from strategies.search import EXPLORATION, PLAYOUTS, tree_search

OPTIONS = (PLAYOUTS, EXPLORATION)
ROLL_OUT = "tuned"
choose_for = tree_search
