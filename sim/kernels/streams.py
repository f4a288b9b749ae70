"""Random streams: small generators kept in the players' records.

Each side of a matchup (a deck and its player) has three streams of its own: its shuffles, its chance events in the
game, its strategy's choices. A stream is xoroshiro128+ (Blackman and Vigna 2021, "Scrambled linear pseudorandom number
generators"), whose output is ready in one addition and of which the upper 32 bits are used; it is seeded by SplitMix64
(Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"). Bounded numbers are drawn without bias
by Lemire's method (2019, "Fast random integer generation in an interval").

The start of a stream depends on the study's seed, the names of the matchup, the side and the pair's number alone, so
any division of the work over chunks, workers and machines gives the same games. It follows the side, not the seat: in
the second game of a pair each side meets its own deal again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.kernels.bits import U
from sim.kernels.jit import inner, kernel

SHUFFLE, CHANCE, STRATEGY = range(3)
STREAMS = (3, 2)  # shape of a player's field "streams": two words each

GOLDEN = U(0x9E3779B97F4A7C15)
MIX_1 = U(0xBF58476D1CE4E5B9)
MIX_2 = U(0x94D049BB133111EB)
SHIFT_16, SHIFT_24, SHIFT_27, SHIFT_30 = U(16), U(24), U(27), U(30)
SHIFT_31, SHIFT_32, SHIFT_37, SHIFT_40 = U(31), U(32), U(37), U(40)
LOW_32 = U(0xFFFFFFFF)
RANGE_32 = U(1 << 32)


@inner(forceinline=True)
def mix(x):
    """Scramble 64 bits (the output function of SplitMix64)."""
    x = (x ^ (x >> SHIFT_30)) * MIX_1
    x = (x ^ (x >> SHIFT_27)) * MIX_2
    return x ^ (x >> SHIFT_31)


@inner(forceinline=True)
def next_state(a, b):
    """Give the state of a stream after the state ``a``, ``b``, whose 64 random bits are ``a + b`` (xoroshiro128+)."""
    c = a ^ b
    return ((a << SHIFT_24) | (a >> SHIFT_40)) ^ c ^ (c << SHIFT_16), (c << SHIFT_37) | (c >> SHIFT_27)


@inner(forceinline=True)
def bounded(a, b, n):
    """Draw a number from 0 to ``n`` - 1 (``n`` from 1 to 2**31) from the state of a stream; gives it and the state
    after it.
    """
    bound = U(n)
    product = ((a + b) >> SHIFT_32) * bound
    a, b = next_state(a, b)
    if product & LOW_32 < bound:
        reject = (RANGE_32 - bound) % bound
        while product & LOW_32 < reject:
            product = ((a + b) >> SHIFT_32) * bound
            a, b = next_state(a, b)
    return np.int64(product >> SHIFT_32), a, b


@inner(forceinline=True)
def below(player, stream, n):
    """Draw a number from 0 to ``n`` - 1 from one of a player's streams, each equally likely."""
    words = player["streams"][U(stream)]
    number, words[0], words[1] = bounded(words[0], words[1], n)
    return number


@inner(forceinline=True)
def any_bits(player, stream):
    """Draw 64 random bits from one of a player's streams."""
    words = player["streams"][U(stream)]
    bits = words[0] + words[1]
    words[0], words[1] = next_state(words[0], words[1])
    return bits


@kernel
def seed_streams(player, key, pair):
    """Start a player's streams for one pair of games from the key of its side."""
    state = mix(key + U(pair) * GOLDEN)
    for stream in range(STREAMS[0]):
        for word in range(STREAMS[1]):
            state = state + GOLDEN
            player["streams"][stream, word] = mix(state)


@inner
def shuffle(player, pile, size, fresh):
    """Shuffle the first ``size`` cards of a pile; those below the last ``fresh`` ones lie in random order already.

    Each fresh card goes to a random place of those up to its own (Fisher and Yates, from the inside out): into a
    shuffled pile a few cards are shuffled by a few draws.
    """
    words = player["streams"][U(SHUFFLE)]
    a, b = words[0], words[1]
    for last in range(max(size - fresh, 1), size):
        other, a, b = bounded(a, b, last + 1)
        card = pile[U(last)]
        pile[U(last)] = pile[U(other)]
        pile[U(other)] = card
    words[0], words[1] = a, b


def scramble_streams(state: Any, table: Any, seat: int, random: np.random.Generator) -> None:
    """Start all streams anew but that of the choices of this seat, and change what the opponent's strategy has been
    told.

    Parameters
    ----------
    state, table : record of a state, record of a table
        Changed in place.
    seat : int
        Whose own choices go on as before.
    random : numpy.random.Generator
        Where the new streams come from.
    """
    players = state["players"]
    own = players[seat]["streams"][STRATEGY].copy()
    for player in players:
        player["streams"][:] = random.integers(1 << 63, size=player["streams"].shape, dtype="uint64")
    players[seat]["streams"][STRATEGY] = own
    table["parameters"][1 - seat] = random.random(table["parameters"].shape[1])


def side_keys(seed: int, game: str, sides: Sequence[tuple[str, str]]) -> NDArray[np.uint64]:
    """Derive the keys from which the two sides of a matchup draw their random streams.

    Parameters
    ----------
    seed : int
        The study's seed, any integer.
    game : str
        The game's name.
    sides : two pairs of str
        The labels of deck and strategy of side A and of side B.

    Returns
    -------
    uint64 array, shape (2,)
        One key a side. They depend on the names, not on their order: exchanging the sides exchanges the keys. A side
        that meets itself (a mirror) gets two different keys.
    """
    names = sorted(sides)
    first = list(sides).index(names[0]) if sides[0] != sides[1] else 0
    keys = [
        int.from_bytes(hashlib.blake2b(repr((seed, game, names, k)).encode(), digest_size=8).digest(), "little")
        for k in range(2)
    ]
    return np.array(keys if first == 0 else keys[::-1], np.uint64)
