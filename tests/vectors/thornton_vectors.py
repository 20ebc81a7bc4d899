#!/usr/bin/env python3
"""Writes thornton.jsonl: cases of the law `thornton` with answers in 30 digits (needs python3-mpmath).

    tests/vectors/thornton_vectors.py > tests/vectors/thornton.jsonl

A Hertz contact that yields (Thornton 1997) on a massless point with a tangential spring k_t, a dashpot c_t and Coulomb friction.
Gragg's extrapolated midpoint rule follows the path from event to event, in y = sqrt(x - dent) with dt = y dtau where the force is a
power and in x and t where it yields; events are bisected. In space c_t > 0, so that the tangential force is a projection. The plastic
equations are Thornton's, in contact radii and pressures; Carom uses compressions, Taylor series and clocks of its own.
"""
import json
import random

from mpmath import mp, mpf, pi, sqrt

from gragg import gragg

mp.dps = 34
ELASTIC, YIELDING, UNLOADING = range(3)


class Path:
    """State (p, y or x, s, t): the normal is last in p; one or two components of s."""

    def __init__(self, K, u, c):
        self.K, self.u, self.c, self.n, self.tangents = K, u, c, len(u), len(u) - 1
        E, R, p_y = c["E_star"], c["R"], mpf("1.6") * c["Y"]
        a_y = pi * R * p_y / (2 * E)                    # contact radius at yield
        self.x_y, self.F_y = a_y**2 / R, 4 * E * a_y**3 / (3 * R)
        self.rise = pi * p_y * R
        self.stage, self.gain, self.dent = ELASTIC, 4 * E * sqrt(R) / 3, mpf(0)
        self.slips = c["mu"] > 0 and any(x != 0 for x in u[:-1]) or c["mu"] == 0

    def depth(self, y):
        return y[self.n] if self.stage == YIELDING else self.dent + y[self.n] ** 2

    def force(self, y):
        x = y[self.n]
        return self.F_y + self.rise * (x - self.x_y) if self.stage == YIELDING else self.gain * x**3

    def velocity(self, y):
        return [self.u[i] + sum(self.K[i][j] * y[j] for j in range(self.n)) for i in range(self.n)]

    def stuck(self, y, v):
        return [-self.c["k_t"] * y[self.n + 1 + i] - self.c["c_t"] * v[i] for i in range(self.tangents)]

    def force_rate(self, y, v):
        slope = self.rise if self.stage == YIELDING else 3 * self.gain * y[self.n] / 2
        return -slope * v[-1]

    def tangential(self, y, v):
        """F_t and s' per time."""
        c, F, stuck = self.c, self.force(y), self.stuck(y, v)
        if not self.slips:
            return stuck, v[:-1]
        if c["c_t"] > 0:
            size = sqrt(sum(s * s for s in stuck))
            F_t = [c["mu"] * F * s / size if size else mpf(0) for s in stuck]
            return F_t, [-(F_t[i] + c["k_t"] * y[self.n + 1 + i]) / c["c_t"] for i in range(self.tangents)]
        return [-self.side * c["mu"] * F], [self.side * c["mu"] / c["k_t"] * self.force_rate(y, v)]

    def rates(self, y):
        v = self.velocity(y)
        F_t, ds = self.tangential(y, v)
        g = mpf(1) if self.stage == YIELDING else y[self.n]
        dx = -v[-1] if self.stage == YIELDING else -v[-1] / 2
        return [g * f for f in F_t] + [g * self.force(y), dx] + [g * d for d in ds] + [g]

    def functions(self):
        """What ends the present equations when it falls below zero."""
        c = self.c
        end = {"end": self.force if self.stage == YIELDING else lambda y: y[self.n]}
        if self.stage == ELASTIC:
            end["yield"] = lambda y: self.x_y - self.depth(y)
        elif self.stage == UNLOADING:
            end["reload"] = lambda y: self.top - self.depth(y)
        else:
            end["unload"] = lambda y: -self.velocity(y)[-1]

        def size(y):
            return sqrt(sum(s * s for s in self.stuck(y, self.velocity(y))))
        if c["mu"] > 0 and not self.slips:
            end["change"] = lambda y: c["mu"] * self.force(y) - size(y)
        elif c["mu"] > 0 and c["c_t"] > 0:
            end["change"] = lambda y: size(y) - c["mu"] * self.force(y)
        elif c["mu"] > 0:
            end["change"] = lambda y: (self.side * self.velocity(y)[0] - c["mu"] / c["k_t"] * self.force_rate(y, self.velocity(y)))
        return end

    def root(self, g, y, h):
        a, b = mpf(0), h
        for _ in range(105):
            m = (a + b) / 2
            a, b = (m, b) if g(gragg(self.rates, y, m, 11)) > 0 else (a, m)
        return b

    def change(self, event, y):
        if event == "change":
            self.slips = not self.slips
            if self.slips:
                self.side = 1 if self.stuck(y, self.velocity(y))[0] < 0 else -1
            self.modes.append("slip" if self.slips else "stick")
        elif event in ("yield", "reload"):
            x = self.depth(y)
            self.stage, y[self.n] = YIELDING, x
        elif event == "unload":
            x, F, R = y[self.n], self.force(y), self.c["R"]
            R_p = 4 * self.c["E_star"] / (3 * F) * ((2 * F + self.F_y) / (2 * pi * mpf("1.6") * self.c["Y"])) ** mpf("1.5")
            self.stage, self.top, self.gain = UNLOADING, x, 4 * self.c["E_star"] * sqrt(R_p) / 3
            depth = (F / self.gain) ** (mpf(2) / 3)
            self.dent, y[self.n] = x - depth, sqrt(depth)

    def run(self):
        c = self.c
        y = [mpf(0)] * (self.n + 2 + self.tangents)
        self.side = 1 if self.u[0] > 0 else -1
        self.modes, deepest = ["slip" if self.slips else "stick"], mpf(0)
        x_max = (5 * self.u[-1] ** 2 / (4 * self.gain * self.K[-1][-1])) ** mpf("0.4")
        w = sqrt(self.gain * sqrt(x_max) * self.K[-1][-1]) + sqrt(c["k_t"] * self.K[0][0]) + (c["k_t"] / c["c_t"] if c["c_t"] > 0 else 0)
        first = True
        for _ in range(3000):
            h = mpf(1) / (8 * w) / (1 if self.stage == YIELDING else sqrt(x_max))
            nxt, length, event = gragg(self.rates, y, h, 11), h, None
            for name, g in self.functions().items():
                if not first and g(nxt) < 0 and g(gragg(self.rates, y, length / 2**30, 11)) > 0:
                    b = self.root(g, y, length)
                    if b < length:
                        nxt, length, event = gragg(self.rates, y, b, 11), b, name
            if self.velocity(y)[-1] < 0 <= self.velocity(nxt)[-1]:
                at = self.root(lambda z: -self.velocity(z)[-1], y, length)
                deepest = max(deepest, self.depth(gragg(self.rates, y, at, 11)))
            y, first = nxt, False
            if event == "end":
                return y[: self.n], self.velocity(y), y[-1], deepest, self.modes, c["k_t"] * sum(s * s for s in y[self.n + 1 : -1]) / 2 if c["c_t"] > 0 else mpf(0)
            self.change(event, y)
        raise RuntimeError("too many steps")


def draw(rng, index):
    n = 3 if index % 4 == 3 else 2
    L = [[round(rng.uniform(-0.4, 0.4), 3) if j < i else round(rng.uniform(0.6, 1.4), 3) if i == j else 0 for j in range(n)] for i in range(n)]
    K = [[round(sum(L[i][k] * L[j][k] for k in range(n)), 6) for j in range(n)] for i in range(n)]
    u = [round(rng.uniform(-2, 2), 5) for _ in range(n - 1)] + [round(-rng.uniform(0.5, 2), 5)]
    c = {"E_star": round(rng.uniform(2e3, 9e3), 1), "R": round(rng.uniform(0.05, 0.3), 4), "Y": round(rng.uniform(60, 900), 2),
         "mu": rng.choice([0, 0.2, 0.45, 0.8]), "k_t": round(rng.uniform(50, 900), 2), "c_t": round(rng.uniform(0.2, 3), 4) if n == 3 or rng.random() < 0.3 else 0.0}
    return K, u, c


def number(x):
    return float(mp.nstr(x, 20))


rng = random.Random(1997)
for index in range(24):
    K, u, c = draw(rng, index)
    high = Path([[mpf(repr(x)) for x in row] for row in K], [mpf(repr(x)) for x in u], {k: mpf(repr(v)) for k, v in c.items()})
    p, after, time, depth, modes, left = high.run()
    loss = -sum(a * (mpf(repr(b)) + d) for a, b, d in zip(p, u, after)) / 2
    print(json.dumps({"name": f"thornton-{index:03d}", "law": "thornton", "coefficients": c, "reduced": {"K": K, "u": u},
                      "expect": {"p": [number(x) for x in p], "u_after": [number(x) for x in after], "duration": number(time),
                                 "max_compression": number(depth), "modes": modes + ["end"], "residual_tangential": number(left), "kinetic_loss": number(loss)}}), flush=True)
