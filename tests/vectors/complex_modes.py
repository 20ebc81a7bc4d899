#!/usr/bin/env python3
"""Writes modal-complex.jsonl: bodies that vibrate with complex modes, some of them before the impact (needs python3-mpmath).

    tests/vectors/complex_modes.py > tests/vectors/modal-complex.jsonl

Follows Chatterjee's equations (9.4) as printed: the free motion is r(t) = a_0 + a_1 t + sum a_k exp(lambda_k t) with complex lambda_k
and a_k, which come from the eigenvectors of the damped system; a force adds a_1' = K F and a_k' = A_k F + lambda_k a_k. Gragg's
extrapolated midpoint rule with 30 digits, frictionless, linear contact F_n = k x (1 + a x'). Carom integrates the real second-order
equations of the undamped modes, coupled by the matrix of damping, as Taylor series: neither equations nor method are shared.
"""
import json
import random

from mpmath import eig, lu_solve, matrix, mp, mpc, mpf, sqrt

from gragg import gragg

mp.dps = 30


class Bodies:
    """lambda_k, and the normal parts A_k and a_k(0) of (9.3), from omega, phi and the matrix C."""

    def __init__(self, case):
        c, modes = case["coefficients"], case["vibration"]["modes"]
        n = len(modes)
        self.K, self.u = mpf(repr(case["reduced"]["K"][1][1])), mpf(repr(case["reduced"]["u"][1]))
        self.Kt, self.ut = mpf(repr(case["reduced"]["K"][0][1])), mpf(repr(case["reduced"]["u"][0]))
        self.k, self.a = mpf(repr(c["k"])), mpf(repr(c["a"]))
        phi = [mpf(repr(m["phi"][1])) for m in modes]
        S = matrix(2 * n, 2 * n)
        for i, m in enumerate(modes):
            S[i, n + i] = 1
            S[n + i, i] = -mpf(repr(m["omega"])) ** 2
            for j in range(n):
                S[n + i, n + j] = -mpf(repr(case["vibration"]["damping"][i][j]))
        self.rate, E = eig(S)
        kick = lu_solve(E, matrix([mpf(0)] * n + phi))  # an impulse 1 along n, in eigenvectors
        start = lu_solve(E, matrix([mpf(repr(m.get("z", 0.0))) for m in modes] + [mpf(repr(m.get("rate", 0.0))) for m in modes]))
        shape = [sum(phi[i] * E[i, k] for i in range(n)) for k in range(2 * n)]
        self.A = [shape[k] * kick[k] for k in range(2 * n)]
        self.a0 = [shape[k] * start[k] for k in range(2 * n)]
        assert abs(sum(self.A)) < mpf(10) ** -25  # what (9.3) silently needs
        self.z_of = [[E[i, k] / shape[k] for k in range(2 * n)] for i in range(2 * n)]  # z and z' from the a_k
        self.omega = [mpf(repr(m["omega"])) for m in modes]

    def motion(self, y):
        """(x, v_n) of the state [p, r_0, a_k...]: r = r_0 + sum (a_k - a_k(0))."""
        p, a = y[0], y[2:]
        x = -(y[1] + sum((b - c).real for b, c in zip(a, self.a0)))
        v = self.u + self.K * p + sum((l * b).real for l, b in zip(self.rate, a))
        return x.real, v.real

    def rates(self, y):
        x, v = self.motion(y)
        F = self.k * x * (1 - self.a * v)
        return [F, self.u + self.K * y[0].real] + [l * b + A * F for l, b, A in zip(self.rate, y[2:], self.A)]

    def energy(self, a):
        n = len(self.omega)
        s = [sum(self.z_of[i][k] * a[k] for k in range(2 * n)).real for i in range(2 * n)]
        return sum(s[n + i] ** 2 + (self.omega[i] * s[i]) ** 2 for i in range(n)) / 2

    def run(self):
        y = [mpc(0), mpc(0)] + [mpc(b) for b in self.a0]
        h = 1 / (4 * (max(abs(l) for l in self.rate) + sqrt(self.k * (self.K + sum(abs(A) for A in self.A)))))
        time, depth, begun = mpf(0), mpf(0), False
        f = self.rates
        for _ in range(5000):
            nxt = gragg(f, y, h, 9)
            x0, v0 = self.motion(y)
            x1, v1 = self.motion(nxt)
            if v0 < 0 <= v1:
                depth = max(depth, self.motion(gragg(f, y, self.root(y, h, lambda z: -self.motion(z)[1]), 9))[0])
            if begun and x1 < 0:
                d = self.root(y, h, lambda z: self.motion(z)[0])
                y = gragg(f, y, d, 9)
                return y, time + d, depth
            y, time, begun = nxt, time + h, True
        raise RuntimeError("no end")

    def root(self, y, h, g):
        a, b = mpf(0), h
        for _ in range(90):
            m = (a + b) / 2
            a, b = (m, b) if g(gragg(self.rates, y, m, 9)) > 0 else (a, m)
        return b


def main():
    pick = random.Random(1997)
    for i in range(8):
        n = 1 + i % 3 + (i > 4)
        L = [[pick.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
        C = [[round(sum(L[r][k] * L[s][k] for k in range(n)) * 2 + (0.3 if r == s else 0), 4) for s in range(n)] for r in range(n)]
        C = [[C[min(r, s)][max(r, s)] for s in range(n)] for r in range(n)]
        moves = i % 2 == 1 or i == 6
        modes = []
        for _ in range(n):
            m = {"omega": round(pick.uniform(4, 30), 3), "phi": [0.0, round(pick.uniform(-0.8, 0.8), 4)]}
            if moves:
                m |= {"z": round(pick.uniform(-0.02, 0.02), 5), "rate": round(pick.uniform(-0.4, 0.4), 4)}
            modes.append(m)
        case = {
            "name": f"modal-complex-{i:03d}", "law": "modal",
            "coefficients": {"k": round(pick.uniform(50, 300), 2), "exponent": 1.0, "a": [0.0, 0.12][i % 2], "mu": 0.0, "k_t": 50.0, "c_t": 0.0},
            "reduced": {"K": [[1.3, 0.2], [0.2, round(pick.uniform(0.6, 1.8), 4)]], "u": [0.4, round(-pick.uniform(1, 3), 4)]},
            "vibration": {"modes": modes, "damping": C},
        }
        b = Bodies(case)
        y, time, depth = b.run()
        p = y[0].real
        after = [b.ut + b.Kt * p, b.u + b.K * p]
        case["expect"] = {
            "p": [0.0, float(p)], "u_after": [float(v) for v in after], "duration": float(time), "max_compression": float(depth),
            "vibration_energy": float(b.energy(y[2:])), "kinetic_loss": float(-p * (b.u + after[1]) / 2),
        }
        print(json.dumps(case))


main()
