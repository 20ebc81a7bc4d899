"""Modes of a free disk against a second method: Ritz with polynomials in the radius."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom
from carom.vibration import disk_modes

DELRIN = {"radius": 0.0491, "mass": 0.0672, "thickness": 0.0064, "young": 2.7e9, "poisson": 0.3}


def ritz(n: int, poisson: float, terms: int = 12) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Frequencies over c_p / radius, and u_r and u_t at the rim of modes of mass 1, from polynomials r^k, k from |n - 1|."""
    x, w = np.polynomial.legendre.leggauss(60)
    r, w = (x + 1) / 2, w / 2 * (x + 1) / 2 * math.pi * (2 if n == 0 else 1)  # of r dr dtheta
    powers = [max(abs(n - 1), 0 if n == 1 else 1) + k for k in range(terms)]
    zero = np.zeros_like(r)
    value = [(r**k, zero) for k in powers] + [(zero, r**k) for k in powers]
    slope = [(k * r ** (k - 1.0) if k else zero, zero) for k in powers]
    slope += [(zero, k * r ** (k - 1.0) if k else zero) for k in powers]
    strain = [(dr, (u + n * t) / r, (-n * u - t) / r + dt) for (u, t), (dr, dt) in zip(value, slope)]
    size = 2 * terms
    M, S = np.zeros((size, size)), np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            (a, b, c), (d, e, f) = strain[i], strain[j]
            M[i, j] = np.sum(w * (value[i][0] * value[j][0] + value[i][1] * value[j][1])) / math.pi
            S[i, j] = np.sum(w * (a * d + b * e + poisson * (a * e + b * d) + (1 - poisson) / 2 * c * f)) / math.pi
    s, V = np.linalg.eigh(M)
    keep = s > 1e-13 * s[-1]
    T = V[:, keep] / np.sqrt(s[keep])
    squares, Y = np.linalg.eigh(T.T @ S @ T)
    X = T @ Y
    good = squares > 0.05
    return np.sqrt(squares[good]), X[:terms].sum(0)[good], X[terms:].sum(0)[good]


@pytest.mark.parametrize("poisson", [0.3, 0.17])
def test_disk(poisson: float) -> None:
    disk = {**DELRIN, "poisson": poisson}
    density = disk["mass"] / (math.pi * disk["radius"] ** 2 * disk["thickness"])
    unit = math.sqrt(disk["young"] / (density * (1 - poisson**2))) / disk["radius"]
    expected = []
    for n in range(7):
        for f, radial, tangential in zip(*ritz(n, poisson)):
            for phi in ((0, abs(radial)), (abs(tangential), 0)):
                if max(phi) > 1e-6:
                    expected.append((f, *phi))
    expected.sort()
    found = disk_modes(**disk, count=14)
    for mode, (f, along, above) in zip(found, expected):
        assert mode["omega"] / unit == pytest.approx(f, rel=1e-6)
    got = sorted((round(m["omega"] / unit, 5), abs(m["phi"][0]), abs(m["phi"][1])) for m in found)
    want = sorted((round(f, 5), a, b) for f, a, b in expected[:14])
    for mine, other in zip(got, want):
        assert mine[1:] == pytest.approx([x / math.sqrt(disk["mass"]) for x in other[1:]], rel=1e-4, abs=1e-4)


def bessel(n: int, x: float) -> float:
    """J_n by its power series."""
    return sum((-1) ** k / (math.factorial(k) * math.factorial(k + n)) * (x / 2) ** (2 * k + n) for k in range(25))


def test_breathing() -> None:
    """The mode without nodal diameters that moves the rim outwards has x J_0(x) = (1 - nu) J_1(x)."""
    density = DELRIN["mass"] / (math.pi * DELRIN["radius"] ** 2 * DELRIN["thickness"])
    unit = math.sqrt(DELRIN["young"] / (density * (1 - 0.09))) / DELRIN["radius"]
    gaps = [abs(x * bessel(0, x) - 0.7 * bessel(1, x)) for x in (m["omega"] / unit for m in disk_modes(**DELRIN, count=6))]
    assert min(gaps) < 1e-12


def test_refusals() -> None:
    with pytest.raises(ValueError, match="disk_modes"):
        disk_modes(**{**DELRIN, "mass": 0})


def puck(angle: float, modes: list[dict[str, object]]) -> tuple[float, float]:
    """Restitution and ratio of impulses of puck 2 of the thesis at an angle of incidence."""
    m, lam = 0.0672, 0.336
    case = {
        "law": "modal",
        "coefficients": {"k": 2e6, "eta": 1.1, "mu": 0.16},
        "reduced": {"K": [[1 / lam / m, 0], [0, 1 / m]], "u": [-0.5 * math.sin(angle), -0.5 * math.cos(angle)]},
    }
    if modes:
        case["vibration"] = {"modes": modes, "recontact": True}
    answer = carom.solve_case(case)
    return answer["u_after"][1] / (0.5 * math.cos(angle)), answer["p"][0] / answer["p"][1]


def test_puck() -> None:
    """What docs/guide/pucks.md says of the modes of the disk."""
    modes = disk_modes(**DELRIN, count=12)
    for angle in range(10, 81, 10):
        rigid, free = puck(math.radians(angle), []), puck(math.radians(angle), modes)
        assert free[0] == pytest.approx(0.9985, abs=1e-4)
        assert abs(free[1] - rigid[1]) < (5e-4 if angle < 40 else 1e-9)


def test_added_mass() -> None:
    """The puck with a mass on its nut: between the loose mass of the thesis, (e m1 - m2)/(m1 + m2), and the rigid one."""
    m1, m2, e, v = 0.0526, 0.00985, 0.85, 0.5
    phi = math.sqrt(m2 / (m1 * (m1 + m2)))

    def rebound(hertz: float) -> float:
        mode = {"omega": 2 * math.pi * hertz, "zeta": 0.01, "phi": [0, phi]}
        inverse = 1 / (m1 + m2)
        answer = carom.solve_case(
            {
                "law": "modal",
                "coefficients": {"k": 2e6, "a": 0.52802, "mu": 0},
                "vibration": {"recontact": True, "modes": [mode]},
                "reduced": {"K": [[inverse, 0], [0, inverse]], "u": [0, -v]},
            }
        )
        return float(answer["u_after"][1]) / v

    assert rebound(10) == pytest.approx((e * m1 - m2) / (m1 + m2), abs=0.005)
    assert rebound(20e3) == pytest.approx(e, abs=0.005)
    assert rebound(1000) == pytest.approx(0.70, abs=0.01)


def sprung(angle: float, eta: float, mu: float = 0.16) -> float:
    """The ratio of impulses of puck 2, two springs and a slider, by small steps in time: nothing of the library."""
    m, lam, k, v = 0.0672, 0.336, 2e6, 0.5
    u_t, u_n, x, s, impulses, dt = v * math.sin(angle), -v * math.cos(angle), 0.0, 0.0, [0.0, 0.0], 1e-7
    while True:
        x -= u_n * dt
        if x <= 0:
            return impulses[0] / impulses[1]
        normal = k * x
        s += u_t * dt
        limit = mu * normal * eta * eta / k
        s = min(max(s, -limit), limit)
        friction = k / eta**2 * s
        u_n += normal / m * dt
        u_t -= friction / (lam * m) * dt
        impulses[0] += friction * dt
        impulses[1] += normal * dt


@pytest.mark.parametrize(
    ("eta", "ratios"),
    [
        (1.1, [0.036, 0.094, 0.143, 0.160, 0.160, 0.160, 0.160]),
        (3.1, [0.033, 0.065, 0.095, 0.125, 0.151, 0.160, 0.160]),
    ],
)
def test_ratio_of_impulses(eta: float, ratios: list[float]) -> None:
    """The table of docs/guide/pucks.md, the law, and the steps in time."""
    for angle, ratio in zip(range(10, 71, 10), ratios):
        m, lam = 0.0672, 0.336
        u = [-0.5 * math.sin(math.radians(angle)), -0.5 * math.cos(math.radians(angle))]
        answer = carom.solve_case(
            {"law": "modal", "coefficients": {"k": 2e6, "eta": eta, "mu": 0.16}, "reduced": {"K": [[1 / lam / m, 0], [0, 1 / m]], "u": u}}
        )
        assert answer["p"][0] / answer["p"][1] == pytest.approx(ratio, abs=6e-4)
        assert sprung(math.radians(angle), eta) == pytest.approx(ratio, abs=8e-4)
