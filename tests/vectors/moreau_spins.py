#!/usr/bin/env python3
"""Writes moreau-spins.jsonl: several contacts with patches and rolling resistance (needs python3-numpy and python3-mpmath).

    tests/vectors/moreau_spins.py > tests/vectors/moreau-spins.jsonl

Two methods, neither of them Carom's, which sweeps over the contacts with Newton's method at each. First the fixed point of the projection of
p - tau (y + (mu |y_f| + |y_r|) n) onto the cones, in double precision, with ellipsoids for the patches, in coordinates in which their cones
are round. Then, with the modes found there, all equations of all contacts at once by Newton's method in 40 digits, with the patch that the case
asks for. Modes are checked: forces inside their cones, velocities that do not approach, friction against the slip.
"""
import json
import random

import numpy as np
from mpmath import asin, findroot, matrix, mp, mpf, norm, pi, sqrt

mp.dps = 40
LAMBDA = 3 * np.pi / 16


def project(z, mu):
    """z = (n, friction of 3, rolling of 2) onto |friction| <= mu n, |rolling| <= n."""
    f, r = np.linalg.norm(z[1:4]), np.linalg.norm(z[4:])
    best = None
    for on_f in (False, True):
        for on_r in (False, True):
            n = (z[0] + on_f * mu * f + on_r * r) / (1 + on_f * mu**2 + on_r)
            if n >= 0 and (f > mu * n) == on_f and (r > n) == on_r:
                best = n
    n = best if best is not None else 0.0
    p = z.copy()
    p[0] = n
    p[1:4] *= min(1, mu * n / f) if f > 0 else 1
    p[4:] *= min(1, n / r) if r > 0 else 1
    return p


def fixed_point(K, q, mu, a, rho):
    m = len(mu)
    order, scale = [], []
    for i in range(m):
        order += [6 * i + k for k in (2, 0, 1, 3, 4, 5)]
        scale += [1, 1, 1, LAMBDA * a[i] if a[i] else 0, rho[i], rho[i]]
    D = np.diag(scale)
    A, b = D @ K[np.ix_(order, order)] @ D, D @ q[order]
    p, tau = np.zeros(6 * m), 0.5 / np.linalg.eigvalsh(A).max()
    for _ in range(60000):
        y, last = A @ p + b, p.copy()
        for i in range(m):
            s = slice(6 * i, 6 * i + 6)
            w = y[s].copy()
            w[0] += mu[i] * np.linalg.norm(w[1:4]) + np.linalg.norm(w[4:])
            p[s] = project(p[s] - tau * w, mu[i])
        if abs(p - last).max() < 1e-15 * abs(p).max():
            break
    return p, A @ p + b, D, order


def potential(kind, s):
    """F and M of the patch at s = |v| / |W|."""
    if kind == "ellipse":
        return s / sqrt(s * s + (3 * pi / 16) ** 2), (3 * pi / 16) ** 2 / sqrt(s * s + (3 * pi / 16) ** 2)
    if s <= 1:
        return 3 * pi / 8 * (s - s**3 / 4), 3 * pi / 16 * (1 - s**2 + 3 * s**4 / 8)
    t, w = asin(1 / s), sqrt(s * s - 1)
    return (3 * ((s - s**3 / 4) * t + (s * s + 2) * w / (4 * s)) / 4,
            3 * ((1 - s**2 + 3 * s**4 / 8) * t + 3 * (2 - s * s) * w / 8) / 8)


def friction(kind, a, y):
    v = sqrt(y[0] ** 2 + y[1] ** 2)
    if a == 0:
        return [y[0] / v, y[1] / v, mpf(0)]
    F, M = potential(kind, v / abs(a * y[3]))
    return [F * y[0] / v, F * y[1] / v, a * M * (1 if y[3] > 0 else -1)]


def polish(K, q, c, modes, start):
    """All equations in 40 digits; c = (kind, mu, a, rho)."""
    kind, mu, a, rho = c
    m = len(mu)
    Kp, qp = matrix(K.tolist()), matrix(q.tolist())

    def equations(*p):
        y = Kp * matrix(p) + qp
        out = []
        for i in range(m):
            P, Y = list(p[6 * i:6 * i + 6]), list(y[6 * i:6 * i + 6])
            is_open, sticks, rests = modes[i]
            if is_open:
                out += P
                continue
            g = None if sticks else friction(kind, mpf(a[i]), Y)
            w = sqrt(Y[4] ** 2 + Y[5] ** 2)
            out.append(Y[2])
            out += [Y[0], Y[1]] if sticks else [P[k] + mu[i] * P[2] * g[k] for k in (0, 1)]
            out.append(P[3] if a[i] == 0 else Y[3] if sticks else P[3] + mu[i] * P[2] * g[2])
            out += P[4:] if rho[i] == 0 else Y[4:] if rests else [P[k] + rho[i] * P[2] * Y[k] / w for k in (4, 5)]
        return out

    p = findroot(equations, start.tolist(), tol=mpf(10) ** -60, maxsteps=60)
    return p, Kp * p + qp


def holds(kind, mu, a, P):
    """Is the friction inside its body?"""
    f, M = sqrt(P[0] ** 2 + P[1] ** 2), abs(P[3])
    if a == 0:
        return f < mu * P[2]
    worst = max((f * sin_ + M / a * cos_) / (potential(kind, sin_ / cos_)[0] * sin_ + potential(kind, sin_ / cos_)[1] * cos_)
                for sin_, cos_ in ((mpf(k) / 200, sqrt(1 - (mpf(k) / 200) ** 2)) for k in range(1, 200)))
    return worst < mu * P[2]


def admissible(c, modes, p, y):
    kind, mu, a, rho = c
    for i, (is_open, sticks, rests) in enumerate(modes):
        P, Y = p[6 * i:6 * i + 6], y[6 * i:6 * i + 6]
        if is_open and Y[2] < 0 or not is_open and P[2] < 0:
            return False
        if not is_open and sticks and not holds(kind, mu[i], mpf(a[i]), P):
            return False
        if not is_open and rests and rho[i] > 0 and P[4] ** 2 + P[5] ** 2 > (rho[i] * P[2]) ** 2:
            return False
    return True


def make(rng, m, kind, spins, rolls):
    n = 6 * m
    A = np.array([[rng.uniform(-1, 1) for _ in range(n + 2)] for _ in range(n)])
    for i in range(m):
        A[6 * i + 2] *= 2  # the normals push most
        A[6 * i + 3:6 * i + 6] *= 3
    K = np.round(A @ A.T, 6)
    q = np.array([round(rng.uniform(-2, 2), 4) for _ in range(n)])
    e = round(rng.uniform(0, 0.6), 2)
    u = q.copy()
    for i in range(m):
        u[6 * i + 2] = -abs(u[6 * i + 2]) - 0.3
        q[6 * i + 2] = (1 + e) * u[6 * i + 2]
    mu = [round(rng.uniform(0.1, 2.5 if rng.random() < 0.4 else 0.5), 3) for _ in range(m)]
    a = [round(rng.uniform(0.05, 0.5), 3) if spins else 0 for _ in range(m)]
    rho = [round(rng.uniform(0.02, 0.4), 3) if rolls else 0 for _ in range(m)]
    p, y, D, order = fixed_point(K, q, mu, a, rho)
    modes, start = [], np.zeros(n)
    for i in range(m):
        P, Y = p[6 * i:6 * i + 6], y[6 * i:6 * i + 6]
        modes.append((P[0] < 1e-12, np.linalg.norm(Y[1:4]) < 1e-9, np.linalg.norm(Y[4:]) < 1e-9))
    start[order] = D @ p
    c = (kind, mu, a, rho)
    try:
        root, after = polish(K, q, c, modes, start)
    except (ValueError, ZeroDivisionError):
        return None
    if not admissible(c, modes, root, after):
        return None
    p = np.array([float(x) for x in root]).reshape(m, 6)
    u_after = np.array([float(x) for x in matrix(K.tolist()) * root + matrix(u.tolist())]).reshape(m, 6)
    return {"law": "moreau", "pressure": kind, "coefficients": {"e": e},
            "reduced": {"K": K.tolist(), "u": u.reshape(m, 6).tolist()},
            "contacts": [{"coefficients": {"mu": mu[i], "patch": a[i], "rho": rho[i]}} for i in range(m)],
            "expect": {"status": "ok", "p": p.tolist(), "u_after": u_after.tolist(),
                       "modes": ["open" if o else "stick" if s else "slip" for o, s, _ in modes]}}


rng, count = random.Random(33), 0
for number in range(200):
    m, kind = 1 + number % 3, "hertz" if number % 2 else "ellipse"
    case = make(rng, m, kind, number % 4 != 1, number % 5 != 2)
    if case and count < 40:
        count += 1
        print(json.dumps({"name": "spins-%02d-%dc-%s" % (count, m, kind), **case}))
