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
    assert got["estimate"] == pytest.approx(want, abs=1e-8)
    assert got["chi2"] == pytest.approx(48.043567680849954, rel=1e-10)
    assert got["std"] == pytest.approx({"e": 0.0022011663787940266, "e_t": 0.011696099401752867, "mu": 0.0004605874307559429}, rel=1e-6)
    rows = [json.loads(line) for line in DATA.read_text().splitlines()]
    assert carom.fit(rows, "bilinear")["estimate"] == got["estimate"]


def test_options_of_fits():
    got = carom.fit(DATA, "bilinear", fix={"e": 0.97}, bounds={"mu": (0.0, 1.0)}, folds=0, no_intervals=True)
    assert set(got["estimate"]) == {"e_t", "mu"}
    with pytest.raises(ValueError, match="did you mean 'bilinear'"):
        carom.fit(DATA, "bilinar")
    with pytest.raises(carom.ProgramError, match="loss"):
        carom.fit(DATA, "bilinear", loss="squared")
    with pytest.raises(FileNotFoundError):
        carom.fit("nowhere.jsonl", "newton")
    with pytest.raises(carom.ProgramError, match="measured"):
        carom.fit([{"reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1]}}], "newton")


def test_inverting():
    case = {"law": "newton", "coefficients": {"e": 0.5}, "reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1]}}
    got = carom.invert(case, {"u_after": [None, 0.8]}, ["e"])
    assert got["reachable"] and math.isclose(got["solutions"][0]["controls"]["e"], 0.8, rel_tol=1e-12)


def test_materials():
    assert {"steel", "glass"} & set(" ".join(json.dumps(m) for m in carom.materials()).split('"')) or carom.materials()
    assert len(carom.materials("glass")) < len(carom.materials())
