"""e and mu as functions of the speed of approach, wherever Python takes coefficients."""

import math

import carom
import numpy as np
import pytest

K, u = [[1, 0], [0, 1]], [0, -2]
POWER = {"power": {"value": 0.8, "q": 0.12, "from": 0.05}}


def power(v: float) -> float:
    return 0.8 * max(v, 0.05) ** -0.12


def test_single_calls() -> None:
    out = carom.solve(K, u, "newton", e=POWER)
    assert math.isclose(out.restitution.newton, power(2), rel_tol=1e-15)
    case = {"law": "newton", "coefficients": {"e": POWER}, "reduced": {"K": K, "u": u}}
    assert list(out.u_after) == carom.solve_case(case)["u_after"]
    assert carom.compare(K, u, laws=["newton"], e=POWER)[0]["u_n"] == out.u_after[-1]
    assert carom.trace(K, u, "routh-stronge", e=POWER).u[-1][-1] == pytest.approx(2 * power(2), rel=1e-14)
    ball, table = carom.Body.sphere(mass=1, radius=0.1, velocity=(0, 0, -3)), carom.Body.fixed()
    hit = carom.impact(ball, table, point=(0, 0, -0.1), normal=(0, 0, 1), law="newton", e=POWER)
    assert hit.a.velocity[2] == pytest.approx(3 * power(3), rel=1e-15)


def test_rules_say_what_they_have() -> None:
    e = carom.rule("newton", e=POWER).coefficients["e"]
    assert e == {"power": {"value": 0.8, "q": 0.12, "speed": 1.0, "from": 0.05, "to": math.inf}}
    assert carom.rule("newton", e=e).coefficients["e"] == e
    assert carom.rule("newton", e=0.5).coefficients["e"] == 0.5


def test_batches_have_the_bits_of_single_calls() -> None:
    speeds = np.array([0.01, 0.05, 0.3, 1, 7.5])
    vectors = np.stack([0 * speeds, -speeds], axis=-1)
    rows = carom.solve(K, vectors, "newton", e=POWER).u_after
    assert [tuple(row) for row in rows] == [carom.solve(K, v, "newton", e=POWER).u_after for v in vectors.tolist()]


def test_at_speed() -> None:
    assert carom.at_speed(POWER, 1) == 0.8
    assert carom.at_speed({"linear": {"value": 0.3, "q": 0.5, "speed": 2, "to": 3}}, 9, "mu") == pytest.approx(0.3 * 0.75, rel=1e-15)
    assert carom.at_speed({"linear": {"value": 0.8, "q": 0.5}}, 100) == 0  # e is held in 0...1
    assert carom.at_speed({"viscoelastic": {"value": 0.9, "q": 0.2}}, 32) == pytest.approx(1 - 0.1 * 2, rel=1e-14)
    assert carom.at_speed(POWER, np.array([[1.0, 2.0]])).shape == (1, 2)


def test_runs() -> None:
    first = carom.simulate("bouncing-ball", e=POWER, impacts=1).impacts[0]
    v = -first.case["bodies"]["a"]["velocity"][2]
    assert first.answer["restitution"]["newton"] == pytest.approx(power(v), rel=1e-14)
    table = carom.ensemble("bouncing-ball", {"mu": [0.1, 0.2]}, e=POWER, time=1)
    assert len(table["impacts"]) == 2
    case = {"law": "newton", "reduced": {"K": K, "u": u}}
    assert carom.sweep(case, {"reduced.u.1": [-2, -1]}, e=POWER)["restitution_newton"] == pytest.approx([power(2), 0.8], rel=1e-15)


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"e": {"cubic": {"value": 1, "q": 0}}}, "e must be a number, or an object with one of 'linear', 'power', 'viscoelastic'"),
        ({"e": {"power": {"value": 0.8}}}, "e.power.q: missing key"),
        ({"e": {"power": {"value": 0.8, "q": 0.1}}}, "e.power.from: must be > 0"),
        ({"e": {"power": {"value": 0.8, "q": 0.1, "form": 1}}}, "e.power.form: unknown key; did you mean 'from'?"),
        ({"e": {"linear": {"value": 1.8, "q": 0.1}}}, "e.linear.value: must be in 0...1"),
        ({"e": {"linear": {"value": 0.8, "q": 0.1, "from": 2, "to": 1}}}, "e.linear.to: must be above from"),
        ({"e": {"linear": {"value": 0.8, "q": math.nan}}}, "e.linear.q: must be finite"),
        ({"mu": {"viscoelastic": {"value": 0.8, "q": 0.1}}}, "mu must be a number, or an object with one of 'linear', 'power':"),
        ({"eta": POWER}, "eta must be a number: only e and mu can depend on the speed"),
    ],
)
def test_refusals(settings: dict[str, object], words: str) -> None:
    for call in (lambda: carom.solve(K, u, "jia", **settings), lambda: carom.simulate("bouncing-ball", "jia", **settings)):
        with pytest.raises((ValueError, TypeError)) as refusal:
            call()
        assert words in str(refusal.value)


def test_where_numbers_are_needed() -> None:
    with pytest.raises(TypeError, match="carom.at_speed"):
        carom.together([[1, 0], [0, 1]], [[0, -1]], "moreau", e=POWER)
    with pytest.raises(TypeError, match="carom.at_speed"):
        carom.solve(K, u, lambda K, u, e: (0, 1), e=POWER)


def test_sequential_without_a_base_warns_of_mu() -> None:
    with pytest.warns(carom.CaromWarning, match='sequential without "base" does not use mu'):
        carom.together([[1, 0], [0, 1]], [[1, -1]], "sequential", e=0.5, mu=0.3)
