"""Gragg's extrapolated midpoint rule for the programs beside it."""
from mpmath import mpf


def gragg(f, y, h, rows):
    table = []
    for i in range(1, rows + 1):
        n, d = 2 * i, h / (2 * i)
        before, now = y, [a + d * b for a, b in zip(y, f(y))]
        for _ in range(n - 1):
            before, now = now, [a + 2 * d * b for a, b in zip(before, f(now))]
        row = [[(a + b + d * r) / 2 for a, b, r in zip(now, before, f(now))]]
        for j in range(1, i):
            ratio = mpf(i) / (i - j)
            row.append([a + (a - b) / (ratio**2 - 1) for a, b in zip(row[j - 1], table[j - 1])])
        table = row
    return table[-1]
