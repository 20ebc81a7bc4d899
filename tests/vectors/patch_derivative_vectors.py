#!/usr/bin/env python3
"""Derivatives of a ball's impact with a patch, for tests/laws/test_patch_derivative.c.

A path of a ball is two quadratures over s = |v| / (a w), cut at the rim s = 1:

    d ln W / ds = w M / (k F - s w M)      p = -integral of W ds / (mu (k F - s w M)),   k = K_tt, w = a^2 K_ww

Friction at the end is a pair of equations. Both are solved with 25 digits and differentiated by differences.
"""
import mpmath as mp

mp.mp.dps = 25
K_TT, K_WW, K_NN, U_N, E = mp.mpf("3.5"), mp.mpf("2.5"), 1, -1, mp.mpf("0.5")


def friction(pressure, s):
    """F and M of a pressure."""
    if pressure == "hertz":
        if s <= 1:
            return 3 * mp.pi / 8 * (s - s**3 / 4), 3 * mp.pi / 16 * (1 - s**2 + 3 * s**4 / 8)
        t, w = mp.asin(1 / s), mp.sqrt(s * s - 1)
        f = mp.mpf(3) / 4 * ((s - s**3 / 4) * t + (s * s + 2) * w / (4 * s))
        m = mp.mpf(3) / 8 * ((1 - s**2 + 3 * s**4 / 8) * t + mp.mpf(3) / 8 * (2 - s * s) * w)
        return f, m
    m = s * s if s <= 1 else 1 / (s * s)
    e, k = mp.ellipe(m), mp.ellipk(m) if m < 1 else mp.mpf(0)
    if pressure == "ring":
        small = (e - (1 - m) * k) / mp.sqrt(m)
        return (2 / mp.pi * small, 2 / mp.pi * e) if s <= 1 else (2 / mp.pi * e, 2 / mp.pi * small)
    c = 4 / (3 * mp.pi)
    if s <= 1:
        return c * ((1 + s * s) * e - (1 - s * s) * k) / s, c / 3 * ((4 - 2 * s * s) * e - (1 - s * s) * k)
    return (c * ((s * s + 1) * e - (s * s - 1) * k),
            c / 3 * (2 * s * (2 - s * s) * e + (s * s - 1) * (2 * s * s - 3) * k / s))


def path(pressure, v, w, mu, a):
    """p_t and m_n of a ball that slides at v and spins at w, after p_n = (1 + e)."""
    end, W0, ww = (1 + E) * -U_N / K_NN, a * w, a * a * K_WW
    state, p, h = [mp.mpf(v), W0], mp.mpf(0), None

    def slope(y):
        F, M = friction(pressure, y[0] / y[1])
        return [-mu * K_TT * F, -mu * ww * M]

    # to the rim, and on from it: Bulirsch and Stoer, in short steps that end there
    def step(y, h, n):
        """Gragg's rule, extrapolated."""
        rows = []
        for k in range(1, n + 1):
            m, sub = 2 * k, h / (2 * k)
            d = slope(y)
            a0, a1 = y, [y[i] + sub * d[i] for i in range(2)]
            for _ in range(m - 1):
                d = slope(a1)
                a0, a1 = a1, [a0[i] + 2 * sub * d[i] for i in range(2)]
            d = slope(a1)
            rows.append([[(a0[i] + a1[i] + sub * d[i]) / 2 for i in range(2)]])
            for j in range(1, k):
                r = mp.mpf(k) ** 2 / mp.mpf(k - j) ** 2 - 1
                rows[-1].append([rows[-1][j - 1][i] + (rows[-1][j - 1][i] - rows[-2][j - 1][i]) / r for i in range(2)])
        return rows[-1][-1]

    def gap(y):
        return y[0] - y[1]

    while p < end:
        g = gap(state)
        d = slope(state)
        rate = d[0] - d[1]
        to_rim = -g / rate if g > 0 and rate < 0 else mp.inf
        if g > 0 and to_rim < mp.mpf(10) ** -12:  # across, in a straight line
            state, p = step(state, 2 * to_rim, 1), p + 2 * to_rim
            continue
        h = min(end - p, abs(g) / abs(rate) / 2, mp.mpf(1) / 8)
        state, p = step(state, h, 8), p + h
    return (state[0] - v) / K_TT, (state[1] - W0) / (a * K_WW)


def last(pressure, v, w, mu, a):
    """The same with friction at the end."""
    p, ww = (1 + E) * -U_N / K_NN, a * a * K_WW

    def equations(V, W):
        F, M = friction(pressure, V / W)
        return V - v + mu * p * K_TT * F, W - a * w + mu * p * ww * M

    V, W = mp.findroot(equations, (mp.mpf(v) / 2, a * w * mp.mpf("0.99")))
    return (V - v) / K_TT, (W - a * w) / (a * K_WW)


def main():
    start = [mp.mpf(x) for x in ("1.6", "10", "0.25", "0.1")]
    for name, law in (("whittaker", last), ("routh-poisson", path)):
        for pressure in ("hertz", "uniform", "ring"):
            columns = []
            for i in range(4):
                h, ends = mp.mpf(10) ** -5 * start[i], []
                for k in (-2, -1, 1, 2):
                    x = list(start)
                    x[i] += k * h
                    ends.append(law(pressure, *x))
                columns.append([(ends[0][j] - 8 * ends[1][j] + 8 * ends[2][j] - ends[3][j]) / (12 * h)
                                for j in range(2)])
            text = ", ".join("{%s, %s}" % (mp.nstr(c[0], 14), mp.nstr(c[1], 14)) for c in columns)
            print('{"%s", "%s", {%s}},' % (name, pressure, text), flush=True)


if __name__ == "__main__":
    main()
