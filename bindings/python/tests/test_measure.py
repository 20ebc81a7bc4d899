"""Derivatives against differences, fits against the numbers of an independent program."""

import json
import math

import numpy as np
import pytest
from conftest import ROOT

import carom

DATA = ROOT / "docs" / "notebooks" / "sphere-glass.jsonl"
K = np.array([[3.5, 0.2, 0.1], [0.2, 3.1, -0.3], [0.1, -0.3, 1.0]])
U = np.array([1.0, 0.5, -2.0])


def difference(function, x, h=1e-6):
    return (np.array(function(x + h)) - np.array(function(x - h))) / (2 * h)


@pytest.mark.parametrize("law", ["newton", "smith", "chatterjee-momentum", "routh-stronge"])
def test_derivatives_are_the_limit_of_differences(law):
    given = {"e": 0.6, "mu": 0.15}
    d = carom.derivative(K, U, law, **given)
    assert d.outcome.p == carom.solve(K, U, law, **given).p and not d.nonsmooth
    for j in range(3):
        moved = difference(lambda x: carom.solve(K, np.where(np.arange(3) == j, x, U), law, **given).u_after, U[j])
        assert np.allclose(np.array(d.u_after.u)[:, j], moved, atol=1e-7)
    by_e = difference(lambda x: carom.solve(K, U, law, **{**given, "e": x}).p, 0.6)
    assert np.allclose(d.p.coefficients["e"], by_e, atol=1e-7)
    by_K = difference(lambda x: carom.solve(K + np.diag([0, 0, x - 1.0]), U, law, **given).p, 1.0)
    assert np.allclose(np.array(d.p.K)[:, 5], by_K, atol=1e-7)


def test_planar_derivatives():
    d = carom.derivative([[3.5, 0.2], [0.2, 1]], [1, -2], "bilinear" if False else "chatterjee-momentum", e=0.5, mu=0.1)
    assert np.array(d.p.u).shape == (2, 2) and np.array(d.p.K).shape == (2, 3)
    assert d.p.coefficients.keys() == {"e", "e_t", "mu"}


def test_laws_without_derivatives():
    assert carom.has_derivatives("newton") and not carom.has_derivatives("mindlin")
    with pytest.raises(carom.Error) as caught:
        carom.derivative([[3.5, 0], [0, 1]], [1, -2], "mindlin")
    assert caught.value.status is carom.Status.NO_DERIVATIVE


def test_a_fit_has_the_numbers_of_another_program():
    got = carom.fit(DATA, "bilinear")
    want = {"e": 0.9700429848465973, "e_t": 0.4330206348685771, "mu": 0.09184280197083834}
    assert got.estimate == pytest.approx(want, abs=1e-8)
    assert got.chi2 == pytest.approx(48.043567680849954, rel=1e-10)
    assert got.std == pytest.approx({"e": 0.0022011663787940266, "e_t": 0.011696099401752867, "mu": 0.0004605874307559429}, rel=1e-6)
    rows = [json.loads(line) for line in DATA.read_text().splitlines()]
    assert carom.fit(rows, "bilinear").estimate == got.estimate


def test_options_of_fits():
    got = carom.fit(DATA, "bilinear", fix={"e": 0.97}, free={"mu": (0.0, 1.0)}, folds=0, intervals=False)
    assert set(got.estimate) == {"e_t", "mu"}
    with pytest.raises(ValueError, match="did you mean 'bilinear'"):
        carom.fit(DATA, "bilinar")
    with pytest.raises(carom.CaseError, match="loss"):
        carom.fit(DATA, "bilinear", loss="squared")
    with pytest.raises(FileNotFoundError):
        carom.fit("nowhere.jsonl", "newton")
    with pytest.raises(carom.CaseError, match="measured"):
        carom.fit([{"reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1]}}], "newton")


def test_inverting():
    case = {"law": "newton", "coefficients": {"e": 0.5}, "reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1]}}
    got = carom.invert(case, {"u_after": [None, 0.8]}, ["e"])
    assert got["reachable"] and math.isclose(got["solutions"][0]["controls"]["e"], 0.8, rel_tol=1e-12)


def test_materials():
    assert {"steel", "glass"} & set(" ".join(json.dumps(m) for m in carom.materials()).split('"')) or carom.materials()
    assert len(carom.materials("glass")) < len(carom.materials())


def test_a_fit_takes_arrays():
    rng = np.random.default_rng(2385)
    k = np.array([[3.5, 0.0], [0.0, 1.0]])
    u = np.column_stack([rng.uniform(-3, 3, 40), -rng.uniform(0.5, 4, 40)])
    after = carom.solve(k, u, "bilinear", e=0.8, mu=0.15, e_t=0.3).u_after + 0.02 * rng.standard_normal((40, 2))
    got = carom.fit({"K": k, "u": u, "u_after": after, "sigma": 0.02}, "bilinear", folds=0)
    same = [
        {"reduced": {"K": k.tolist(), "u": a.tolist()}, "measured": {"u_after": b.tolist(), "sigma": [0.02, 0.02]}}
        for a, b in zip(u, after)
    ]
    other = carom.fit(same, "bilinear", folds=0)
    assert got.estimate == other.estimate and got.chi2 == other.chi2 and np.array_equal(got.residuals, other.residuals)
    # chi2 is the sum of squares of the residuals, and a residual is prediction - measurement over sigma
    assert np.isclose(np.sum(got.residuals**2), got.chi2, rtol=1e-12)
    predicted = carom.solve(k, u, "bilinear", **got.estimate).u_after
    assert np.allclose((predicted - after) / 0.02, got.residuals, atol=1e-9)
    assert got.covariance.shape == (3, 3) and np.allclose(np.sqrt(np.diag(got.covariance)), [got.std[n] for n in got.covariance_of])
    assert len(got.modes) == 40 and got.leverage.shape == (40,)


def test_a_fit_ranks_laws():
    got = carom.fit(DATA, ["newton", "bilinear", "routh-stronge"], folds=0, intervals=False)
    assert got.law == got.ranking[0].law and len(got.ranking) == 3
    weights = np.exp([-r.delta / 2 for r in got.ranking])
    assert np.allclose([r.weight for r in got.ranking], weights / weights.sum(), rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"u": [[0.0, 1.0]]}, "u"),
        ({"sigma": 0.0}, "sigma"),
        ({"K": [[-1.0, 0.0], [0.0, 1.0]]}, "K"),
        ({"u_after": [[np.nan, np.nan]]}, "u_after"),
        ({"weight": -1.0}, "weight"),
    ],
)
def test_bad_arrays_name_their_column(change, key):
    data = {"K": [[1.0, 0.0], [0.0, 1.0]], "u": [[0.1, -1.0]], "u_after": [[0.1, 0.5]], "sigma": 0.1, **change}
    with pytest.raises(carom.CaseError) as caught:
        carom.fit(data, "newton")
    assert caught.value.key == key and caught.value.line == 1


def test_errors_have_fields():
    with pytest.raises(carom.CaseError) as caught:
        carom.fit(DATA, "bilinear", fix={"e": 2.0})
    assert caught.value.key == "fix.e" and "range" in caught.value.rule and caught.value.line == 0
    with pytest.raises(carom.CaseError) as caught:
        carom.geometry({"reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1], "v": 1}})
    assert caught.value.key == "reduced.v" and caught.value.line == 1


def test_derivatives_of_a_batch_are_those_of_its_rows():
    u = np.random.default_rng(7).uniform(-2, 2, (30, 3)) * [1, 1, 0] - [0, 0, 1.385]
    d = carom.derivatives(K, u, "chatterjee-momentum", e=0.6, mu=0.15, e_t=0.2)
    for i in range(30):
        one = carom.derivative(K, u[i], "chatterjee-momentum", e=0.6, mu=0.15, e_t=0.2)
        assert np.array_equal(one.p.u, d.p_u[i]) and np.array_equal(one.u_after.K, d.u_after_K[i])
        assert np.array_equal(one.p.coefficients["mu"], d.p_coefficients["mu"][i])


def test_saltation_of_a_bouncing_point():
    # z' = -e z-, v' = -e v- and the crossing time changes with height: d v' / d z = (1 + e) g / v
    g, v, e = -9.81, -2.385, 0.7
    s = carom.saltation(np.eye(2) * 1.3, np.eye(2), [0.4, v], "newton", e=e, qddot_before=[0, g], qddot_after=[0, g])
    want = [[1, 0, 0, 0], [0, -e, 0, 0], [0, 0, 1, 0], [0, (1 + e) * g / v, 0, -e]]
    assert np.allclose(s.matrix, want, atol=1e-14)


def test_a_law_written_in_python():
    def restitution(k, u, e):
        return (0, 0, -(1 + e) * u[2] / k[2][2])

    got, want = carom.solve(K, U, restitution, e=0.5), carom.solve(K, U, "newton", e=0.5)
    assert got.p == pytest.approx(want.p, rel=1e-15) and got.energy.change == pytest.approx(want.energy.change, rel=1e-14)
    many = carom.solve(K, np.array([U, 2 * U, [1, 0, 1.0]]), restitution, e=0.5)
    assert np.allclose(many.u_after[1], carom.solve(K, 2 * U, "newton", e=0.5).u_after) and many.status[2] == carom.Status.SEPARATING

    def broken(k, u):
        raise KeyError("no")

    with pytest.raises(KeyError, match="no"):
        carom.solve(K, U, broken)
    with pytest.raises(ValueError, match="impulse"):
        carom.solve(K, U, lambda k, u: (1, 2))


def test_unused_coefficients_are_told():
    with pytest.warns(carom.CaromWarning, match=r"hertz does not use e \(unused-coefficient\)"):
        carom.solve(K, U, "hertz", e=0.5)
    with pytest.warns(carom.CaromWarning, match="newton does not use eta"):
        carom.solve(np.array([K, K]), U, "newton", e=0.5, eta=np.array([1.0, 1.1]))


class Evil:
    """A number that empties what it lies in when it is read."""

    def __init__(self, box):
        self.box = box

    def __float__(self):
        self.box.clear()
        __import__("gc").collect()
        return 1.0


def evil(box, place):
    box[place] = Evil(box)
    return box


@pytest.mark.parametrize(
    "call",
    [
        lambda: carom.solve(K, evil([1.0, 2.0, -3.0], 0), "newton"),
        lambda: carom.solve([evil([1.0, 0.0, 0.0], 0), [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], U, "newton"),
        lambda: carom.Rule("newton", evil({"e": 0.5, "mu": 0.1}, "e")),
        lambda: carom.derivative(K, evil([1.0, 2.0, -3.0], 1), "newton"),
        lambda: carom.ellipsoid(K.tolist(), evil([1.0, 2.0, -3.0], 2)),
        lambda: carom.distances(K.tolist(), U.tolist(), 0.3, evil([0.0, 0.0, 1.0], 0)),
        lambda: carom.trace(K.tolist(), evil([1.0, 2.0, -3.0], 0)),
        lambda: carom.impact(
            carom.Body(mass=1.0, inertia=evil([1.0, 1.0, 1.0], 0)), carom.Body(fixed=True), (0, 0, 0), evil([0.0, 0.0, 1.0], 0), e=0.5
        ),
    ],
)
def test_numbers_that_change_their_list_end_in_no_crash(call):
    try:
        call()
    except (TypeError, ValueError, IndexError, KeyError):
        pass
