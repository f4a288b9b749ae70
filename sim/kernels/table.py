"""What does not change during a game, in one record: the decks, the rules, what the players are told."""

from __future__ import annotations

import numpy as np

SEATS = 2
PARAMETERS = 64  # numbers that a strategy may be given


def table_dtype(deck: np.dtype, rules: np.dtype) -> np.dtype:
    """Lay out a game's table.

    Parameters
    ----------
    deck, rules : numpy.dtype
        The game's records of a deck and of its rule options.

    Returns
    -------
    numpy.dtype
        A record of ``decks`` by seat, ``rules``, whether players know each other's deck lists (``knows_decks``), and
        the ``parameters`` of the strategies by seat (a seat's own alone are for its strategy to read).
    """
    return np.dtype(
        [
            ("decks", deck, SEATS),
            ("rules", rules),
            ("knows_decks", np.int32),
            ("parameters", np.float64, (SEATS, PARAMETERS)),
        ],
        align=True,
    )
