"""carom.forces: a force of one's own against the laws that have it built in, and against a series in 25 digits."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

import carom
from carom.forces import contact_force

K_PLANE, U_PLANE = [[2.0, 0.3], [0.3, 1.0]], [1.0, -2.0]
K_SPACE, U_SPACE = [[2.0, 0.1, 0.3], [0.1, 1.5, -0.2], [0.3, -0.2, 1.0]], [1.0, 0.5, -2.0]
STIFFNESS = 1e5
SERIES = 3.947872582958398231304649977


def normal(force: float, size: int) -> list[float]:
    return [0.0] * (size - 1) + [force]


@pytest.mark.parametrize(("K", "u"), [(K_PLANE, U_PLANE), (K_SPACE, U_SPACE)])
def test_a_damped_spring_is_hunt_crossley(K: list[list[float]], u: list[float]) -> None:
    def force(q: Sequence[float], v: Sequence[float]) -> list[float]:
        return normal(STIFFNESS * max(-q[-1], 0.0) ** 1.5 * (1 - 0.3 * v[-1]), len(q))

    own = carom.solve(K, u, contact_force(force))
    law = carom.solve(K, u, "hunt-crossley", k=STIFFNESS, a=0.3, exponent=1.5, mu=0)
    assert own.p == pytest.approx(law.p, abs=1e-9)


@pytest.mark.parametrize(("K", "u"), [(K_PLANE, U_PLANE), (K_SPACE, U_SPACE)])
def test_a_potential_is_ivanovs(K: list[list[float]], u: list[float]) -> None:
    c_1, mu = STIFFNESS / 2, 0.3

    def force(q: Sequence[float], v: Sequence[float]) -> list[float]:
        """Minus the gradient of c_1 (h^2 + 2 mu h |q|), h = -q_n."""
        h, size = -q[-1], math.hypot(*q)
        ratio = mu / size if size > 0 else 0.0
        return [-2 * c_1 * h * ratio * x for x in q[:-1]] + [2 * c_1 * (h + mu * size + h * h * ratio)]

    own = carom.solve(K, u, contact_force(force))
    law = carom.solve(K, u, "ivanov-potential", mu=mu)
    assert own.p == pytest.approx(law.p, abs=1e-9)
    assert abs(own.energy.change) < 1e-9


def test_two_exponents() -> None:
    """F = k x^(3/2) + c x^(1/2) x', viscoelastic spheres: with y = sqrt x and dt = y dtau the equations are polynomials, y' = v/2,
    v' = -(k y^4 + c y^2 v); mpmath follows their series to k y^2 + c v = 0 and gives p_n."""

    def force(q: Sequence[float], v: Sequence[float]) -> list[float]:
        x = max(-q[-1], 0.0)
        return normal(1e5 * x**1.5 - 20 * math.sqrt(x) * v[-1], len(q))

    p = carom.solve([[1.0, 0.0], [0.0, 1.0]], [0.0, -2.0], contact_force(force)).p
    assert p[1] == pytest.approx(SERIES, abs=1e-9)


def test_a_force_that_never_lets_go_is_refused() -> None:
    with pytest.raises(ValueError, match="does the force let go"):
        contact_force(lambda q, v: [0.0, 0.0])([[1.0, 0.0], [0.0, 1.0]], [0.0, -1.0])
