#!/usr/bin/env python3
"""Restitution of metals that yield, from the force of the contact (needs python3-mpmath): the numbers of tests/unit/test_convert.c.

    tests/oracle/yield.py

Loading    F = k x^(3/2), k = 4/3 E* sqrt(R), until the pressure (2 E*/pi) sqrt(x/R) is p_y = 1.6 Y; then F = F_y + pi p_y R (x - x_y)
Unloading  F = 4/3 E* sqrt(R_p) (x - x_p)^(3/2) from the largest force, with R_p = R F_e/F: F_e is the force of Hertz's contact of radius R with
           the contact area that plastic loading has reached
The restitution is the root of the work given back over the work taken, by quadrature in 40 digits; Thornton's closed form is not used.
"""
import json
import random

from mpmath import mp, mpf, pi, quad, sqrt

mp.dps = 40


def restitution(E, R, m, Y, v):
    p_y, k = mpf("1.6") * Y, 4 * E * sqrt(R) / 3
    x_y = R * (pi * p_y / (2 * E)) ** 2
    F_y = k * x_y ** mpf(1.5)
    load = lambda x: k * x ** mpf(1.5) if x <= x_y else F_y + pi * p_y * R * (x - x_y)
    taken = lambda x: quad(load, [0, min(x, x_y)]) + (quad(load, [x_y, x]) if x > x_y else 0)
    W = m * v * v / 2
    if taken(x_y) >= W:
        return mpf(1)
    # the work of the linear part is a square: solved, not searched
    rise = pi * p_y * R
    x = x_y + (-F_y + sqrt(F_y**2 + 2 * rise * (W - taken(x_y)))) / rise
    F = load(x)
    a = sqrt(R * x_y + (F - F_y) / (pi * p_y))  # the area grows with the force at the pressure p_y
    F_e = 4 * E * a**3 / (3 * R)  # Hertz's force of the same contact radius
    R_p = R * F_e / F
    depth = (3 * F / (4 * E * sqrt(R_p))) ** (mpf(2) / 3)
    back = quad(lambda s: 4 * E * sqrt(R_p) / 3 * s ** mpf(1.5), [0, depth])
    return sqrt(back / W)


for E, R, m, Y, v in (
    ("1.15e11", "0.01", "0.0326", "5e8", "0.003"), ("1.15e11", "0.01", "0.0326", "5e8", "0.1"), ("1.15e11", "0.01", "0.0326", "5e8", "7.3"),
    ("4.2e10", "0.0021", "0.0004", "2.4e8", "0.9"), ("1.05e11", "0.0238", "0.41", "1.1e9", "31"), ("3.85e10", "0.006", "0.0025", "9.5e7", "0.011"),
):
    print(f"    {{{E}, {R}, {m}, {Y}, {v}, {mp.nstr(restitution(*map(mpf, (E, R, m, Y, v))), 20)}}},")
