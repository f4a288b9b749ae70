"""Information-set Monte Carlo tree search: tries out what may be hidden and what both sides may do, and keeps to what
holds up.

How it thinks. It deals what it cannot know anew, plays on from there, and does so again, as often as it is told
(`playouts`). All its actions meet the same deals; the better half of them goes on to more deals. In the end it does
what `tuned` would do, unless the other action that is left is better beyond doubt. Below, what has served either side
well in these games is tried more often, what has not less; beyond what it has tried before, both sides play `tuned`.
Where both choose in secret it decides without knowing the other's choice.
"""

from strategies.search import EXPLORATION, PLAYOUTS, tree_search

OPTIONS = (PLAYOUTS, EXPLORATION)
choose_for = tree_search
