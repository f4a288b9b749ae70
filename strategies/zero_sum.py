"""Zero-sum matrix games, solved exactly inside kernels."""

import numpy as np

from sim.kernels.jit import kernel

SMALL = 1e-9
MOST_PIVOTS = 200


@kernel(allocates=True)
def solve(payoffs):
    """Give the maximin mixture over the rows, which no column can exploit.

    The game is shifted to be positive and solved as a linear program by the simplex method in a condensed tableau,
    starting from the columns' side (Dantzig 1951, "A proof of the equivalence of the programming problem and the game
    problem").
    """
    m, n = payoffs.shape
    table = np.empty((m + 1, n + 1))
    shift = 1.0 - payoffs.min()
    for i in range(m):
        for j in range(n):
            table[i, j] = payoffs[i, j] + shift
        table[i, n] = 1.0
    for j in range(n):
        table[m, j] = -1.0
    table[m, n] = 0.0
    in_row = np.arange(m)  # which row of the game stands in a row of the tableau, -1: a column of the game
    in_column = np.full(n, -1)
    for _ in range(MOST_PIVOTS):
        column = 0
        for j in range(1, n):
            if table[m, j] < table[m, column]:
                column = j
        if table[m, column] >= -SMALL:
            break
        row = -1
        for i in range(m):
            if table[i, column] > SMALL and (
                row < 0 or table[i, n] * table[row, column] < table[row, n] * table[i, column]
            ):
                row = i
        if row < 0:
            break
        pivot(table, row, column)
        in_row[row], in_column[column] = in_column[column], in_row[row]
    mixture = np.zeros(m)
    total = 0.0
    for j in range(n):
        if in_column[j] >= 0:
            mixture[in_column[j]] = max(table[m, j], 0.0)
            total += mixture[in_column[j]]
    for i in range(m):
        mixture[i] = mixture[i] / total if total > 0.0 else 1.0 / m
    return mixture


@kernel(allocates=True, forceinline=True)
def pivot(table, row, column):
    """Exchange a row and a column of a condensed tableau."""
    rows, columns = table.shape
    p = 1.0 / table[row, column]
    for j in range(columns):
        table[row, j] *= p
    for i in range(rows):
        if i != row:
            factor = table[i, column]
            if factor != 0.0:
                for j in range(columns):
                    if j != column:
                        table[i, j] -= factor * table[row, j]
                table[i, column] = -factor * p
    table[row, column] = p
