"""Algorithms as their papers print them, step size and all. For teaching: to compute, use the laws.

`algorithm_1` is Algorithm 1 of Jia (2013), `euler_loop` sections 4 of Baber (2011). Both step the normal impulse by delta and end wherever
the last step ends; the laws `jia` and `routh-stronge` solve the same equations without a step. The contact frame is (t1, t2, n).
"""

from __future__ import annotations

import math
from typing import NamedTuple, Sequence

Vector = Sequence[float]
Matrix = Sequence[Sequence[float]]

STEPS_MOST = 10_000_000  # a delta that is too small for the impact ends here


class Stepped(NamedTuple):
    """What a stepped algorithm ends with."""

    p: tuple[float, float, float]
    u_after: tuple[float, float, float]
    modes: list[str]
    steps: int


def _moved(K: Matrix, u: Vector, p: Vector) -> list[float]:
    return [u[i] + K[i][0] * p[0] + K[i][1] * p[1] + K[i][2] * p[2] for i in range(3)]


def _triple(v: Vector) -> tuple[float, float, float]:
    return (v[0], v[1], v[2])


class _Springs:
    """The state of Algorithm 1, in the axes u (against the slip), w and n of the paper."""

    def __init__(self, e: float, mu: float, eta: float, goldsmith: bool) -> None:
        self.e, self.mu, self.eta_0, self.goldsmith = e, mu, eta, goldsmith
        self.G_u = self.G_w = self.E_n = 0.0
        self.compressing, self.slips = True, False

    @property
    def eta(self) -> float:
        """(14); Goldsmith's spring keeps its stiffness."""
        return self.eta_0 if self.compressing or self.goldsmith else self.eta_0 / self.e

    def rates(self, v: Vector) -> tuple[float, float]:
        """(68), (69): the rates of the tangential springs."""
        if not self.slips:
            return v[0], v[1]
        s_u, s_w = self.G_u / (2 * self.eta_0), self.G_w / (2 * self.eta_0)  # alpha sqrt(E_u), beta sqrt(E_w)
        scale, pull = self.mu**2 * self.eta**2 * self.E_n, self.mu**2 * self.eta**3 * v[2] * math.sqrt(self.E_n)
        return (-pull * s_u + v[0] * s_w**2 - v[1] * s_u * s_w) / scale, (-pull * s_w + v[1] * s_u**2 - v[0] * s_u * s_w) / scale

    def stretch(self, rates: tuple[float, float], delta: float) -> None:
        """(67), lines 6 and 7."""
        share = delta / math.sqrt(self.E_n) * (1 if self.compressing or self.goldsmith else self.e)
        self.G_u += rates[0] * share
        self.G_w += rates[1] * share

    def project(self) -> None:
        """(52) as an equation: in slip the springs lie on the cone."""
        size = math.hypot(self.G_u, self.G_w)
        if size > 0:
            scale = 2 * self.eta_0 * self.mu * self.eta * math.sqrt(self.E_n) / size
            self.G_u, self.G_w = self.G_u * scale, self.G_w * scale

    def excess(self) -> float:
        """E_u + E_w - mu^2 eta^2 E_n of (52)."""
        return (self.G_u**2 + self.G_w**2) / (4 * self.eta_0**2) - self.mu**2 * self.eta**2 * self.E_n

    def impulse_rates(self) -> tuple[float, float]:
        """(64)."""
        per = -1 / (self.eta * math.sqrt(self.E_n) * 2 * self.eta_0)
        return per * self.G_u, per * self.G_w


def algorithm_1(K: Matrix, u: Vector, *, e: float, mu: float, eta: float, delta: float, restitution: str = "stiffer", slip: str = "printed") -> Stepped:
    """Jia's Algorithm 1, line by line, with step size delta.

    restitution="stiffer" is his own rule: at the end of compression the normal spring becomes 1/e^2 times as stiff. "goldsmith" is that of his
    footnote 7: the stiffness stays, and the impact ends when the energy has fallen to (1 - e^2) of its largest value.
    As printed, the algorithm does not converge to its equations in slip (erratum E6 of `./run literature`): friction becomes 2/sqrt(pi) times mu.
    slip="projected" puts the springs back on the cone after every slipping step; it converges to the law `jia`.
    """
    if restitution not in ("stiffer", "goldsmith"):
        raise ValueError("restitution must be 'stiffer' or 'goldsmith'")
    if slip not in ("printed", "projected"):
        raise ValueError("slip must be 'printed' or 'projected'")
    if not (u[2] < 0 and delta > 0 and e > 0):
        raise ValueError("Algorithm 1 needs u_n < 0, delta > 0 and e > 0")
    speed = math.hypot(u[0], u[1])
    along = (-u[0] / speed, -u[1] / speed) if speed > 0 else (1.0, 0.0)  # the unit vector u of (12)
    across = (-along[1], along[0])
    s = _Springs(e, mu, eta, restitution == "goldsmith")
    s.slips = speed >= mu * eta**2 * -u[2]  # Proposition 1
    modes = ["slip" if s.slips else "stick"]
    s.E_n = -u[2] * delta  # the first step, (72), (61), (73)
    v_u = -speed
    p_u, p_w, p_n = (mu if s.slips else v_u / (eta**2 * u[2])) * delta, 0.0, delta
    s.G_u = -2 * mu * eta**2 * math.sqrt(-u[2] * delta) if s.slips else 2 * v_u / math.sqrt(-u[2]) * math.sqrt(delta)
    peak, steps, floor, inside = 0.0, 1, 0.0, not s.slips

    def velocity() -> list[float]:
        v = _moved(K, u, [p_u * along[0] + p_w * across[0], p_u * along[1] + p_w * across[1], p_n])
        return [v[0] * along[0] + v[1] * along[1], v[0] * across[0] + v[1] * across[1], v[2]]

    v = velocity()
    while steps < STEPS_MOST:
        steps += 1
        rates = s.rates(v)
        s.stretch(rates, delta)
        s.E_n -= v[2] * delta
        if not s.compressing and s.E_n <= floor:
            break
        if s.slips and slip == "projected":
            s.project()
        d_u, d_w = s.impulse_rates()
        p_u, p_w, p_n = p_u + d_u * delta, p_w + d_w * delta, p_n + delta
        before = (v[0] - rates[0], v[1] - rates[1])
        v = velocity()
        now = s.rates(v)
        inside = inside or slip == "printed" or s.excess() < 0  # a projected contact begins to stick on the cone itself
        if not s.slips and inside and s.excess() >= 0:
            s.slips = True
            modes.append("slip")
        elif s.slips and before[0] * (v[0] - now[0]) + before[1] * (v[1] - now[1]) <= 0:  # the sliding velocity passes zero
            s.slips = inside = False
            modes.append("stick")
        if s.compressing and v[2] >= 0:
            peak = s.E_n
            s.compressing = False
            s.E_n *= 1 if s.goldsmith else e**2
            floor = (1 - e**2) * peak if s.goldsmith else 0.0
    p = (p_u * along[0] + p_w * across[0], p_u * along[1] + p_w * across[1], p_n)
    return Stepped(p, _triple(_moved(K, u, p)), modes, steps)


def _determinant(a: Matrix) -> float:
    return sum(a[0][i] * (a[1][(i + 1) % 3] * a[2][(i + 2) % 3] - a[1][(i + 2) % 3] * a[2][(i + 1) % 3]) for i in range(3))


def _solved(K: Matrix, b: Vector) -> list[float]:
    """K^-1 b by Cramer's rule."""
    whole = _determinant(K)
    return [_determinant([[b[r] if c == i else K[r][c] for c in range(3)] for r in range(3)]) / whole for i in range(3)]


def euler_loop(K: Matrix, u: Vector, *, e: float, mu: float, delta: float) -> Stepped:
    """Baber's algorithm for collisions with friction, section 4, with step size delta: Euler's method while the contact slips, closed forms after.

    Sticking ("approximately 0 for robustness") is a slip that the next step would reverse. Unstable sticking is refused: the laws find its ray.
    """
    if not (u[2] < 0 and delta > 0):
        raise ValueError("the loop needs u_n < 0 and delta > 0")
    v, W_c, W_d, steps, modes = list(u), 0.0, 0.0, 0, ["slip"]
    while steps < STEPS_MOST and W_d < -(e**2) * W_c or steps == 0:
        slip = math.hypot(v[0], v[1])
        direction = (-mu * v[0] / slip, -mu * v[1] / slip, 1.0) if slip > 0 else (0.0, 0.0, 1.0)
        ahead = [v[i] + delta * (K[i][0] * direction[0] + K[i][1] * direction[1] + K[i][2]) for i in range(3)]
        if slip == 0 or v[0] * ahead[0] + v[1] * ahead[1] <= 0:
            return _stuck(K, u, (v[2], W_c, W_d), (e, mu), steps)
        W_c, W_d = (W_c + v[2] * delta, W_d) if v[2] < 0 else (W_c, W_d + v[2] * delta)
        v, steps = ahead, steps + 1
    return Stepped(_triple(_solved(K, [v[i] - u[i] for i in range(3)])), _triple(v), modes, steps)


def _stuck(K: Matrix, u: Vector, state: tuple[float, float, float], c: tuple[float, float], steps: int) -> Stepped:
    """Steps 4 and 5: stable sticking."""
    u_z, W_c, W_d = state
    M = _solved(K, [0.0, 0.0, 1.0])  # the last column of K^-1
    if M[0] ** 2 + M[1] ** 2 > (c[1] * M[2]) ** 2:
        raise ValueError("the contact sticks unstably: the laws routh-newton, routh-poisson and routh-stronge find the ray that it leaves on")
    if u_z < 0:
        W_c, u_z = W_c - M[2] * u_z**2 / 2, 0.0
    u_z = math.sqrt(max(0.0, 2 / M[2] * (-(c[0] ** 2) * W_c - W_d) + u_z**2))
    after = [0.0, 0.0, u_z]
    return Stepped(_triple(_solved(K, [after[i] - u[i] for i in range(3)])), _triple(after), ["slip", "stick"], steps)
