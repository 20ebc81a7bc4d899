"""A ball that slides and spins on a plank which is free on ice: Runge-Kutta with extrapolation, for tests/sim/test_resistance_pairs.c."""
from math import asin, hypot, pi, sqrt

m, R, M, mu, g, a = 0.7, 0.05, 1.9, 0.3, 9.81, 0.01
I, J, N = 0.4 * m * R * R, M * 5 / 12, m * g


def friction(s):
    if s <= 1:
        return 3 * pi / 8 * (s - s**3 / 4), 3 * pi / 16 * (1 - s * s + 3 * s**4 / 8)
    t, w = asin(1 / s), sqrt(s * s - 1)
    return 0.75 * ((s - s**3 / 4) * t + (s * s + 2) * w / (4 * s)), 0.375 * ((1 - s * s + 3 * s**4 / 8) * t + 0.375 * (2 - s * s) * w)


def rates(y):
    x, z, vx, vz, wx, wz, w, X, Z, Vx, Vz, W = y  # ball: place, velocity, roll, spin; plank: place, velocity, spin
    rx, rz = x - X, z - Z
    ux, uz = vx - R * wz - (Vx - W * rz), vz + R * wx - (Vz + W * rx)
    u, spin = hypot(ux, uz), w - W
    F, T = friction(u / (a * abs(spin)))
    fx, fz, n = -mu * N * F * ux / u, -mu * N * F * uz / u, -mu * N * a * T * (1 if spin > 0 else -1)
    return [vx, vz, fx / m, fz / m, R * fz / I, -R * fx / I, n / I, Vx, Vz, -fx / M, -fz / M, (-(rx * fz - rz * fx) - n) / J]


def run(count):
    y, h = [0, 0, 0.8, 0, 0, 0, 90, 0, 0, 0, 0, 0], 0.5 / count
    for _ in range(count):
        k1 = rates(y)
        k2 = rates([p + h / 2 * q for p, q in zip(y, k1)])
        k3 = rates([p + h / 2 * q for p, q in zip(y, k2)])
        k4 = rates([p + h * q for p, q in zip(y, k3)])
        y = [p + h / 6 * (b + 2 * c + 2 * d + e) for p, b, c, d, e in zip(y, k1, k2, k3, k4)]
    return y


if __name__ == "__main__":
    coarse, fine = run(20000), run(40000)
    names = "x y v_x v_y w_x w_y w_z X Y V_x V_y W_z".split()
    for name, b, c in zip(names, coarse, fine):
        print(name, repr(c + (c - b) / 15), "%.1e" % (c - b))
