"""carom.published: the printed algorithms, against what their papers and errata say and against the laws they approximate."""

import math

import pytest

import carom
from carom import published

BALL, APPROACH = [[3.5, 0, 0], [0, 3.5, 0], [0, 0, 1]], [-3, 0, -5]
COEFFICIENTS = {"e": 0.5, "mu": 0.4, "eta": math.sqrt(17 / 14)}
BABER, SLIDING = [[20, -23, 4], [-23, 31, -7], [4, -7, 4]], [630, -780, -0.22]


def test_algorithm_1_as_printed_is_off_by_two_over_root_pi():
    stepped = published.algorithm_1(BALL, APPROACH, **COEFFICIENTS, delta=1e-3)
    assert stepped.p[0] / (0.4 * stepped.p[2]) == pytest.approx(2 / math.sqrt(math.pi), rel=1e-3)


def test_algorithm_1_projected_converges_to_the_law():
    exact = carom.solve(BALL, APPROACH, "jia", **COEFFICIENTS).p[0]
    errors = [abs(published.algorithm_1(BALL, APPROACH, **COEFFICIENTS, delta=d, slip="projected").p[0] - exact) for d in (4e-3, 1e-3)]
    assert errors[1] < 0.4 * errors[0] and errors[1] < 1e-3


def test_goldsmith_ends_with_the_same_normal_energy():
    stepped = published.algorithm_1(BALL, APPROACH, **COEFFICIENTS, delta=1e-3, slip="projected", restitution="goldsmith")
    assert stepped.u_after[2] == pytest.approx(2.5, abs=2e-3)
    assert stepped.p[0] - 1 == pytest.approx(0.6504, abs=1e-3)


def test_the_loop_converges_to_routh_stronge():
    exact = carom.solve(BABER, SLIDING, "routh-stronge", e=0.9, mu=0.5).p[2]
    errors = [abs(published.euler_loop(BABER, SLIDING, e=0.9, mu=0.5, delta=d).p[2] - exact) for d in (4e-2, 1e-2)]
    assert errors[1] < 0.5 * errors[0] < 0.05
    stuck = published.euler_loop(BALL, APPROACH, e=0.5, mu=0.4, delta=1e-3)
    assert stuck.modes == ["slip", "stick"] and stuck.p[2] == pytest.approx(7.5, abs=2e-3)


@pytest.mark.parametrize("bad", [{"restitution": "newton"}, {"slip": "exact"}, {"delta": 0}])
def test_bad_words(bad):
    with pytest.raises(ValueError):
        published.algorithm_1(BALL, APPROACH, **{**COEFFICIENTS, "delta": 1e-2, **bad})
