"""The course of a game: who led after each turn, by the rulebook's measure, and what a report tells of it.

A game's course is the lead of the first seat (`sim.game.Game.lead`, from -1 to 1) after each turn but the last: where
the next turn's first decision is asked, the setup being turn 0. In the last turn the game ends.
"""

from __future__ import annotations

from sim.kernels.bits import U
from sim.kernels.jit import inner

LEVEL = 2  # neither seat leads
MOST_CHANGES = 32  # lead changes that are told apart; the last stands for more, too
DEFICIT_STEPS = 20  # in which the distance from level to lost is told apart
DEFICITS = DEFICIT_STEPS + 2  # never behind, then by how many steps, rounded down
FINE_DEFICITS = 1_000_000  # the same for the choice of an example,
TURNS_APART = 100_000  # which of equal ones is the one in which the winner was so far behind the longest

# Examples that are kept of each matchup: of those with the highest value the game with the lowest number.
EXAMPLES = ("longest", "comeback", "stopped", "won_by_a", "won_by_b")
LONGEST, COMEBACK, STOPPED_GAME, WON_BY_A, WON_BY_B = range(len(EXAMPLES))
VALUE, NUMBER = range(2)
NONE = -1  # the value of an example of which there is none yet


@inner(forceinline=True)
def keep_example(examples, kind, value, number):
    """Keep a game as the example of its kind if it beats the one so far."""
    if value > examples[kind, VALUE]:
        examples[kind, VALUE] = value
        examples[kind, NUMBER] = number


@inner
def count_course(course, turns, winner, leads, changes, deficits, decided):
    """Count the course of a game of so many turns; gives the deepest deficit of its winner, and the last turn after
    which it was that.

    ``course``: the first seat's lead after each turn; ``leads`` (turns + 1, 3, 3) += games by turn, leader and winner;
    ``changes`` += games by lead changes; ``deficits`` (2, 22) and ``decided`` += games by the winner's seat and deepest
    deficit, and by the turn from whose end on the winner led.
    """
    outcome = winner if winner >= 0 else 2
    sign = 1.0 if winner == 0 else -1.0
    before = LEVEL
    switches = 0
    ahead_since = turns
    deepest = 0.0
    deepest_turn = 0
    for turn in range(turns):
        lead = course[U(turn)]
        leader = 0 if lead > 0 else (1 if lead < 0 else LEVEL)
        leads[turn, leader, outcome] += 1
        if leader != LEVEL:
            if before != LEVEL and before != leader:
                switches += 1
            before = leader
        if leader != winner:
            ahead_since = turns
        elif ahead_since == turns:
            ahead_since = turn
        if -sign * lead >= deepest:
            deepest = -sign * lead
            deepest_turn = turn
    changes[min(switches, MOST_CHANGES)] += 1
    if winner < 0:
        return 0.0, 0
    deficits[winner, 1 + int(deepest * DEFICIT_STEPS + 1e-9) if deepest > 0 else 0] += 1
    decided[ahead_since] += 1
    return deepest, deepest_turn
