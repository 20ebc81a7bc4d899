#!/usr/bin/env python3
"""Writes maxwell.jsonl: cases of the law `maxwell` with answers in 40 digits (needs python3-mpmath).

    tests/vectors/maxwell_vectors.py > tests/vectors/maxwell.jsonl

A spring k with a dashpot c behind it, F_n = k (x - d), d' = F_n/c, on a massless point with a tangential spring k_t, a
dashpot c_t and Coulomb friction. In the plane every mode is a linear system y' = A y + b: it is carried by matrix exponentials,
events are bracketed on a grid and bisected. In space (c_t > 0 only) the point is a projection, and Gragg's extrapolated midpoint rule
follows it from event to event. Nothing is shared with Carom, which expands Taylor series in clocks of its own.
"""
import json
import random

from mpmath import expm, log, matrix, mp, mpf, pi, sqrt

from gragg import gragg

mp.dps = 40
GRID = 64  # points per radian of the fastest motion, in the search for events


class Plane:
    """State (p_t, p_n, x, d, s, 1); F_n = k (x - d)."""

    def __init__(self, K, u, c):
        self.K, self.u, self.c = K, u, c
        self.normal = matrix([[0, 0, c["k"], -c["k"], 0, 0]])
        self.v_t = matrix([[K[0][0], K[0][1], 0, 0, 0, u[0]]])
        self.v_n = matrix([[K[1][0], K[1][1], 0, 0, 0, u[1]]])

    def stuck(self):
        return matrix([[0, 0, 0, 0, -self.c["k_t"], 0]]) - self.c["c_t"] * self.v_t

    def system(self, mode):
        """Rates, the tangential force, and the functions whose fall below zero ends the mode."""
        c, normal, v_t = self.c, self.normal, self.v_t
        if mode == 0:
            F_t, ds = self.stuck(), v_t
        else:
            F_t = -mode * c["mu"] * normal
            ds = -(F_t + c["k_t"] * matrix([[0, 0, 0, 0, 1, 0]])) / c["c_t"] if c["c_t"] > 0 else mode * c["mu"] / c["k_t"] * (-c["k"] * self.v_n - c["k"] / c["c"] * normal)
        A = matrix(6, 6)
        for i, row in enumerate((F_t, normal, -self.v_n, normal / c["c"], ds)):
            for j in range(6):
                A[i, j] = row[j]
        if mode == 0:
            tests = [c["mu"] * normal - F_t, c["mu"] * normal + F_t]
        elif c["c_t"] > 0:
            tests = [-mode * self.stuck() - c["mu"] * normal]
        else:
            tests = [mode * v_t - ds * mode]
        return A, F_t, tests

    def begin(self):
        """At first touch F_n rises from zero at the rate k |u_n|."""
        c = self.c
        if c["mu"] == 0:
            return 1 if self.u[0] >= 0 else -1
        if c["c_t"] > 0:
            slips = self.u[0] != 0
        else:
            slips = c["k_t"] * abs(self.u[0]) > c["mu"] * c["k"] * abs(self.u[1])
        return 0 if not slips else 1 if self.u[0] > 0 else -1

    def run(self):
        c = self.c
        y = matrix([0, 0, 0, 0, 0, 1])
        mode, time, depth, modes = self.begin(), mpf(0), mpf(0), []
        fastest = sqrt(c["k"] * self.K[1][1]) + sqrt(c["k_t"] * self.K[0][0]) + c["k"] / c["c"] + (c["k_t"] / c["c_t"] if c["c_t"] > 0 else 0)
        h = 1 / (GRID * fastest)
        for _ in range(40):
            modes.append("stick" if mode == 0 else "slip")
            A, F_t, tests = self.system(mode)
            watched = [self.normal] + (tests if c["mu"] > 0 else [])
            step = expm(A * h)
            armed = [False] * len(watched)
            now, t = y, mpf(0)
            while True:
                values = [(w * now)[0] for w in watched]
                nxt = step * now
                ahead = [(w * nxt)[0] for w in watched]
                armed = [a or v > 0 for a, v in zip(armed, values)]
                hits = [i for i in range(len(watched)) if ahead[i] < 0 and armed[i]]
                turn = (self.v_n * now)[0] < 0 <= (self.v_n * nxt)[0]
                if turn:
                    a, b = mpf(0), h
                    for _i in range(140):
                        m = (a + b) / 2
                        a, b = (m, b) if (self.v_n * (expm(A * m) * now))[0] < 0 else (a, m)
                    depth = max(depth, (expm(A * a) * now)[2])
                if hits:
                    best, which = h, None
                    for i in hits:
                        a, b = mpf(0), h
                        for _i in range(140):
                            m = (a + b) / 2
                            a, b = (m, b) if (watched[i] * (expm(A * m) * now))[0] > 0 else (a, m)
                        if a < best:
                            best, which = a, i
                    t += best
                    y = expm(A * best) * now
                    break
                now, t = nxt, t + h
                if t * fastest > 4000:
                    raise RuntimeError("endless")
            time += t
            if which == 0:
                p = [y[0], y[1]]
                after = [(self.v_t * y)[0], (self.v_n * y)[0]]
                return p, after, time, depth, modes, c["k_t"] * y[4] ** 2 / 2 if c["c_t"] > 0 else mpf(0)
            if mode == 0:
                mode = -1 if which == 1 else 1  # F_t that has reached +mu F_n opposes slip along -t
            else:
                if c["c_t"] == 0:
                    y[4] = mode * c["mu"] / c["k_t"] * (self.normal * y)[0]
                mode = 0
        raise RuntimeError("too many events")


class Space:
    """State (p 3, x, d, s 2), c_t > 0: the tangential force is a projection onto the cone."""

    def __init__(self, K, u, c):
        self.K, self.u, self.c = K, u, c

    def forces(self, y):
        c = self.c
        v = [self.u[i] + sum(self.K[i][j] * y[j] for j in range(3)) for i in range(3)]
        F_n = c["k"] * (y[3] - y[4])
        stuck = [-c["k_t"] * y[5 + i] - c["c_t"] * v[i] for i in range(2)]
        return v, F_n, stuck, sqrt(stuck[0] ** 2 + stuck[1] ** 2)

    def rates(self, slips):
        def f(y):
            v, F_n, stuck, size = self.forces(y)
            F_t = [self.c["mu"] * F_n * s / size for s in stuck] if slips else stuck
            ds = [-(F_t[i] + self.c["k_t"] * y[5 + i]) / self.c["c_t"] for i in range(2)]
            return F_t + [F_n, -v[2], F_n / self.c["c"]] + ds
        return f

    def run(self):
        c = self.c
        y = [mpf(0)] * 7
        slips = self.u[0] != 0 or self.u[1] != 0
        fastest = sqrt(c["k"] * self.K[2][2]) + sqrt(c["k_t"] * (self.K[0][0] + self.K[1][1])) + c["k"] / c["c"] + c["k_t"] / c["c_t"] + c["c_t"] * (self.K[0][0] + self.K[1][1])
        h, time, depth, modes = mpf(1) / (8 * fastest), mpf(0), mpf(0), ["slip" if slips else "stick"]
        begun = False
        for _ in range(4000):
            f = self.rates(slips)
            margin = lambda z: (self.forces(z)[3] - c["mu"] * self.forces(z)[1]) * (1 if slips else -1)
            over = lambda z: self.forces(z)[1]
            nxt = gragg(f, y, h, 10)
            length, event = h, None
            for name, g in (("end", over), ("change", margin)):
                if begun and g(nxt) < 0 < g(y):
                    a, b = mpf(0), length
                    for _i in range(110):
                        m = (a + b) / 2
                        a, b = (m, b) if g(gragg(f, y, m, 10)) > 0 else (a, m)
                    if b < length or event is None:
                        length, event = b, name
                        nxt = gragg(f, y, b, 10)
            before, after = self.forces(y)[0][2], self.forces(nxt)[0][2]
            if before < 0 <= after:
                a, b = mpf(0), length
                for _i in range(110):
                    m = (a + b) / 2
                    a, b = (m, b) if self.forces(gragg(f, y, m, 10))[0][2] < 0 else (a, m)
                depth = max(depth, gragg(f, y, a, 10)[3])
            y, time, begun = nxt, time + length, True
            if event == "end":
                v = self.forces(y)[0]
                return y[:3], v, time, depth, modes, c["k_t"] * (y[5] ** 2 + y[6] ** 2) / 2
            if event == "change":
                slips = not slips
                modes.append("slip" if slips else "stick")
                y = gragg(self.rates(slips), y, h / 2**40, 10)  # past the border
                time += h / 2**40
        raise RuntimeError("too many steps")


def vector(K, u, c):
    c = {key: mpf(repr(value)) for key, value in c.items()}
    K = [[mpf(repr(x)) for x in row] for row in K]
    u = [mpf(repr(x)) for x in u]
    if "c" not in c:
        low = -log(c["e"])
        c["c"] = sqrt(c["k"] / K[-1][-1]) / (2 * low / sqrt(pi**2 + low**2))
    p, after, time, depth, modes, left = (Plane if len(u) == 2 else Space)(K, u, c).run()
    kinetic = -sum(p[i] * (u[i] + after[i]) for i in range(len(p))) / 2
    return {"p": [float(x) for x in p], "u_after": [float(x) for x in after], "duration": float(time), "max_compression": float(depth),
            "modes": modes + ["end"], "residual_tangential": float(left), "kinetic_loss": float(kinetic)}


def mass(random_, n):
    L = [[random_.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
    return [[round(sum(L[i][k] * L[j][k] for k in range(n)) + (0.4 if i == j else 0), 6) for j in range(n)] for i in range(n)]


def sym(K):
    return [[K[min(i, j)][max(i, j)] for j in range(len(K))] for i in range(len(K))]


def main():
    random_ = random.Random(20261117)
    cases = []
    for i in range(24):
        n = 3 if i >= 18 else 2
        K = sym(mass(random_, n))
        u = [round(random_.uniform(-2.5, 2.5), 5) for _ in range(n - 1)] + [round(-random_.uniform(0.5, 3), 5)]
        k = round(random_.uniform(30, 400), 3)
        c = {"k": k, "k_t": round(k * random_.uniform(0.3, 1.5), 3), "c_t": 0.0, "mu": random_.choice([0.12, 0.3, 0.45, 0.8])}
        if i % 3 == 1 or n == 3:
            c["c_t"] = round(random_.uniform(0.5, 3), 4)
        if i % 2:
            c["e"] = round(random_.uniform(0.15, 0.95), 4)
        else:
            m = 1 / K[-1][-1]
            c["c"] = round((k * m) ** 0.5 / 2 / random_.uniform(0.05, 0.6), 4)
        if i in (0, 6):
            c["mu"] = 0.0
        if i == 5:
            u[0] = 0.0
        cases.append((f"maxwell-{i:03d}", K, u, c))
    for name, K, u, c in cases:
        expect = vector(K, u, c)
        print(json.dumps({"name": name, "law": "maxwell", "coefficients": c, "reduced": {"K": K, "u": u}, "expect": expect}))


main()
