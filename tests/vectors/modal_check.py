#!/usr/bin/env python3
"""The frictionless modal cases of force.jsonl by a second method, in 40 digits (needs python3-mpmath).

    tests/vectors/modal_check.py [NAME...]        default: the three cases whose answers are this program's

Contact    x' = -v_n,  F = k x^m (1 + a x'),  v_n = u_n + K_nn p + sum phi z',  z'' + 2 zeta w z' + w^2 z = phi F
           in the variable y = sqrt(x), dt = 2 y ds: every right-hand side is a polynomial for m = 3/2, so that first and
           last touch are ordinary points. Extrapolation of the modified midpoint rule (Gragg, Bulirsch, Stoer).
Flight     closed forms of the modes; the gap's first zero by bisection.
Nothing is shared with Carom, which expands Taylor series in the clock dt = y ds and closes the last stretch by hand.
"""
import json
import os
import sys

from mpmath import cos, exp, mp, mpf, sin, sqrt

mp.dps = 40
ROWS = 12  # midpoint rules with 2, 4, ... 2 ROWS substeps: order 24
TOL = mpf(10) ** -32


class Case:
    def __init__(self, data):
        c = data["coefficients"]
        if c["mu"] != 0 or c["exponent"] != 1.5:
            sys.exit(data["name"] + ": this program is for mu = 0 and exponent 1.5")
        self.k, self.a = mpf(c["k"]), mpf(c["a"])
        self.K = mpf(data["reduced"]["K"][2][2])
        self.u = mpf(data["reduced"]["u"][2])
        self.modes = [(mpf(m["omega"]), mpf(m["zeta"]), mpf(m["phi"][2])) for m in data["vibration"]["modes"]]
        self.recontact = data["vibration"]["recontact"]

    def speed(self, p, rates):
        return self.u + self.K * p + sum(m[2] * r for m, r in zip(self.modes, rates))

    def rates(self, state):
        """d/ds of [y, t, p, loss, z_1, z_1', ...]"""
        y, _, p, _ = state[:4]
        v = self.speed(p, state[5::2])
        force = self.k * y**3 * (1 - self.a * v)
        out = [-v, 2 * y, 2 * y * force, -2 * y * force * v]
        for (w, zeta, phi), z, r in zip(self.modes, state[4::2], state[5::2]):
            out += [2 * y * r, 2 * y * (phi * force - 2 * zeta * w * r - w * w * z)]
        return out


def midpoint(f, state, h, n):
    d = h / n
    before, now = state, [a + d * b for a, b in zip(state, f(state))]
    for _ in range(n - 1):
        before, now = now, [a + 2 * d * b for a, b in zip(before, f(now))]
    return [(a + b + d * c) / 2 for a, b, c in zip(now, before, f(now))]


def step(f, state, h):
    """One extrapolated step and the size of its last correction."""
    table = []
    for i in range(1, ROWS + 1):
        row = [midpoint(f, state, h, 2 * i)]
        for j in range(1, i):
            q = (mpf(i) / (i - j)) ** 2
            row.append([a + (a - b) / (q - 1) for a, b in zip(row[j - 1], table[-1][j - 1])])
        table.append(row)
    return table[-1][-1], max(abs(a - b) for a, b in zip(table[-1][-1], table[-1][-2]))


def follow(case, state, h):
    """From y = 0 with x' > 0 to y = 0 again; the state there and the largest x."""
    f, deepest = case.rates, mpf(0)
    while True:
        after, error = step(f, state, h)
        if error > TOL:
            h *= mpf("0.7")
            continue
        if f(state)[0] > 0 >= f(after)[0]:  # x' = 0 in this step
            deepest = max(deepest, locate(f, state, h, lambda s: f(s)[0])[0] ** 2)
        if after[0] <= 0:
            return locate(f, state, h, lambda s: s[0]), deepest
        state = after
        h *= mpf("1.15")


def locate(f, state, h, g):
    """The state at the zero of g, positive at first: secants inside a bracket, then steps of Newton's kind."""
    low, high = mpf(0), h
    g_low, g_high = g(state), g(step(f, state, h)[0])
    for _ in range(200):
        middle = high - g_high * (high - low) / (g_high - g_low)
        if not low < middle < high or high - low > h / 4:
            middle = (low + high) / 2
        there = step(f, state, middle)[0]
        value = g(there)
        if abs(value) < mpf(10) ** -36 or high - low < mpf(10) ** -37:
            return there
        if value > 0:
            low, g_low = middle, value
        else:
            high, g_high = middle, value
    return there


def fly(case, state):
    """Free flight from a state with x = 0: the state at the next touch, or None."""
    _, t0, p, loss = state[:4]
    u = case.u + case.K * p
    parts = []
    for (w, zeta, phi), z, r in zip(case.modes, state[4::2], state[5::2]):
        parts.append((phi, zeta * w, w * sqrt(1 - zeta**2), z, (r + zeta * w * z) / (w * sqrt(1 - zeta**2))))

    def modes_at(t):
        out = []
        for _, decay, w, a, b in parts:
            e, c, s = exp(-decay * t), cos(w * t), sin(w * t)
            out.append((e * (a * c + b * s), e * ((b * w - decay * a) * c - (a * w + decay * b) * s)))
        return out

    def gap(t):
        return u * t + sum(q[0] * (z[0] - q[3]) for q, z in zip(parts, modes_at(t)))

    fastest = max(q[2] for q in parts)
    dt, t = mpf(1) / (40 * fastest), mpf(0)
    while True:
        t += dt
        if gap(t) <= 0:
            break
        reach = sum(abs(q[0]) * sqrt(q[3] ** 2 + q[4] ** 2) * exp(-q[1] * t) for q in parts)
        if u > 0 and u * t - sum(q[0] * q[3] for q in parts) > reach:
            return None
    low, high = t - dt, t
    for _ in range(140):
        middle = (low + high) / 2
        low, high = (middle, high) if gap(middle) > 0 else (low, middle)
    return [mpf(0), t0 + high, p, loss] + [number for z in modes_at(high) for number in z]


def solve(case):
    state, depth, contacts = [mpf(0)] * (4 + 2 * len(case.modes)), mpf(0), 0
    while True:
        state, deepest = follow(case, state, mpf("0.01"))
        depth, contacts, duration = max(depth, deepest), contacts + 1, state[1]
        again = fly(case, state) if case.recontact else None
        if again is None:
            break
        state = again
    energy = sum((r * r + (w * z) ** 2) / 2 for (w, _, _), z, r in zip(case.modes, state[4::2], state[5::2]))
    p = state[2]
    return {"p_n": p, "duration": duration, "max_compression": depth, "vibration_energy": energy,
            "dissipated_normal": state[3], "kinetic_loss": -p * (2 * case.u + case.K * p) / 2, "contacts": contacts}


def main():
    names = sys.argv[1:] or ["modal-001", "modal-016", "modal-018"]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "force.jsonl")
    for line in open(path):
        data = json.loads(line)
        if not any(data["name"].startswith(n) for n in names):
            continue
        want = dict(data["expect"], p_n=data["expect"]["p"][2])
        print(data["name"])
        for key, value in solve(Case(data)).items():
            error = abs(value - want[key]) / max(abs(value), mpf(10) ** -16)
            print(f"    {key:17} {mp.nstr(value, 20):24} file {want[key]!r:22} off by {mp.nstr(error, 2)}")


main()
