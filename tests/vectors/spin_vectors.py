"""Bodies that slide, spin and roll on a patch, integrated outside Carom: numbers of tests/sim/test_contensou.c and of scenes.

The equations are written down body by body, in other variables than the library's, and integrated by DOP853 of SciPy. Friction
is Phi's gradient by the table of docs/theory/patch.md; near a common stop the variable is tau with dt = Phi dtau, in which slip
and spin fall off exponentially. Run: python3 tests/vectors/spin_vectors.py
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipe, ellipk

TIGHT = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-16}


def hertz(s):
    if s <= 1:
        return 3 * np.pi / 8 * (s - s**3 / 4), 3 * np.pi / 16 * (1 - s**2 + 3 * s**4 / 8)
    o, w = np.arcsin(1 / s), np.sqrt(s * s - 1)
    return 0.75 * ((s - s**3 / 4) * o + (s * s + 2) * w / (4 * s)), 0.375 * ((1 - s * s + 3 * s**4 / 8) * o + 0.375 * (2 - s * s) * w)


def uniform(s):
    if s < 1e-9:
        return s, 2 / 3
    m = min(s * s, 1 / (s * s))
    E, K = ellipe(m), ellipk(m) if m < 1 else 0.0
    if s <= 1:
        return 4 / (3 * np.pi) * ((1 + s * s) * E - (1 - s * s) * K) / s, 4 / (9 * np.pi) * ((4 - 2 * s * s) * E - (1 - s * s) * K)
    return 4 / (3 * np.pi) * ((s * s + 1) * E - (s * s - 1) * K), 4 / (9 * np.pi) * (2 * s * (2 - s * s) * E + (s * s - 1) * (2 * s * s - 3) * K / s)


def ring(s):
    if s < 1e-9:
        return s / 2, 1.0
    m = min(s * s, 1 / (s * s))
    E, K = ellipe(m), ellipk(m) if m < 1 else 0.0
    if s <= 1:
        return 2 / np.pi * (E - (1 - s * s) * K) / s, 2 / np.pi * E
    return 2 / np.pi * E, 2 / np.pi * (E - (1 - 1 / (s * s)) * K) * s


def drag(pressure, v, W):
    """The gradient of Phi at slip v >= 0 and W = a w >= 0."""
    return pressure(v / W) if W > 0 else (1.0, 0.0)


def slide(pressure, v, W, gain):
    """Slip v and spin W that keep their directions: dv/dt = -k F + pull, dW/dt = -j M. Time and way of slip until both end."""
    k, j, pull = gain

    def rates(tau, y):
        F, M = drag(pressure, y[0], y[1])
        phi = F * y[0] + M * y[1]
        return [phi * (pull - k * F), -phi * j * M, phi, phi * y[0]]

    end = solve_ivp(rates, (0, 200 / min(k, j)), [v, W, 0.0, 0.0], max_step=0.02 / max(k, j), **TIGHT)
    return end.y[2][-1], end.y[3][-1]


def wrench(pressure, u, w, a):
    """Friction per mu N of a patch in the plane: force (2), moment."""
    v = np.hypot(u[0], u[1])
    F, M = drag(pressure, v, a * abs(w))
    return -F * u / v if v > 0 else 0 * u, -a * M * np.sign(w)


def turn(q, x):
    u = q[1:]
    return x + 2 * np.cross(u, np.cross(u, x) + q[0] * x)


def quat_rate(q, w):
    return 0.5 * np.concatenate([[-w @ q[1:]], q[0] * w + np.cross(w, q[1:])])


def euler_disk(rho, until, g=9.81, a=0.0375, alpha=0.1):
    """A thin disk that rolls on its rim without slip, against the moment rho N across the normal: height of its centre."""
    I = np.array([0.25, 0.25, 0.5]) * a * a
    z = np.array([0, 0, 1.0])

    def rates(t, y):
        q, w = y[:4] / np.linalg.norm(y[:4]), y[4:7]
        R = np.array([turn(q, x) for x in np.eye(3)]).T
        J, e = R @ np.diag(I) @ R.T, R[:, 2]
        e_rate = np.cross(w, e)
        d = (e @ z) * e - z
        size = np.linalg.norm(d)
        d_rate = (e_rate @ z) * e + (e @ z) * e_rate
        n, n_rate = d / size, (d_rate - (d_rate @ d) * d / size**2) / size
        arm, arm_rate = a * n, a * n_rate  # from the centre to the rim
        w_t = w - (w @ z) * z
        brake = -rho * w_t / np.linalg.norm(w_t)
        # unknowns: w', f; centre: c' = -w x arm, c'' = -w' x arm - w x arm'; c'' = -g z + f; J w' + w x J w = arm x f + brake f_z
        S = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
        B = S.copy()
        B[:, 2] += brake
        A = J - B @ S  # f = g z - w' x arm - w x arm' = g z + S w' - w x arm'
        w_rate = np.linalg.solve(A, B @ (g * z - np.cross(w, arm_rate)) - np.cross(w, J @ w))
        return np.concatenate([quat_rate(q, w), w_rate])

    d = np.array([0, -np.cos(alpha), -np.sin(alpha)])
    w = -np.sqrt(4 * g / (a * np.sin(alpha))) * np.sin(alpha) * d
    start = np.concatenate([[np.cos(alpha / 2), np.sin(alpha / 2), 0, 0], w])
    y = solve_ivp(rates, (0, until), start, **TIGHT).y[:, -1]
    return a * np.sqrt(1 - turn(y[:4] / np.linalg.norm(y[:4]), z)[2] ** 2)


def main():
    for name, p, W in [("uniform", uniform, 2), ("hertz", hertz, 2), ("uniform", uniform, 0.5), ("hertz", hertz, 0.5), ("ring", ring, 2)]:
        print(f"solid disk, {name}, v 1, a w {W}, mu g 1: time, way = {slide(p, 1.0, float(W), (1, 2, 0))}")
    mug, a, k2 = 0.012 * 9.81, 0.065, 0.145**2 / 2
    print("curling stone: time, way =", slide(ring, 2.2, a * 1.5, (mug, mug * a * a / k2, 0)))
    c, s, mu, g = np.cos(0.2), np.sin(0.2), 0.3, 9.81
    print("disk on a slope of 0.2, mu 0.3, spins 40: time, way =", slide(uniform, 1e-300, 0.05 * 40, (mu * g * c, 2 * mu * g * c, g * s)))
    print("Euler's disk, rho 1e-4: height after 1, 3, 5 s =", [euler_disk(1e-4, t) for t in (1, 3, 5)])


if __name__ == "__main__":
    main()
