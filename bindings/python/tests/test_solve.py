"""One impact and many: shapes, types, errors."""

import gc
import math
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import ROOT

import carom

K = [[3.5, 0.2, 0.1], [0.2, 3.5, -0.3], [0.1, -0.3, 1.0]]
U = [1.0, 0.5, -2.0]


def random_problems(n, seed=1, dim=3):
    random = np.random.default_rng(seed)
    a = random.normal(size=(n, dim, dim))
    k = a @ a.transpose(0, 2, 1) + 0.1 * np.eye(dim)
    u = random.normal(size=(n, dim))
    u[:, -1] = -np.abs(u[:, -1])
    return (k + k.transpose(0, 2, 1)) / 2, u


@pytest.mark.parametrize("law", [d.id for d in carom.laws()])
def test_a_batch_has_the_bits_of_single_calls(law):
    planar = "planar-only" in carom.law(law).traits
    k, u = random_problems(40, dim=2 if planar else 3)
    try:
        many = carom.solve(k, u, law)
    except carom.Error:
        pytest.skip("needs modes of vibration, which only files have")
    for i in range(len(u)):
        try:
            one = carom.solve(k[i], u[i], law)
        except carom.Error as refusal:
            assert many.status[i] == refusal.status
            continue
        assert tuple(many.p[i]) == one.p and tuple(many.u_after[i]) == one.u_after
        assert many.status[i] == one.status and many.flags[i] == one.flags
        assert many.energy.change[i] == one.energy.change


def test_broadcasting():
    k, u = random_problems(6)
    grid = carom.solve(k[:, None], u[None, :], "newton", e=0.5)
    assert grid.p.shape == (6, 6, 3) and grid.status.shape == (6, 6)
    assert tuple(grid.p[2, 4]) == carom.solve(k[2], u[4], "newton", e=0.5).p
    e = np.linspace(0, 1, 5)
    swept = carom.solve(K, U, "newton", e=e)
    assert swept.p.shape == (5, 3)
    assert np.allclose(swept.restitution.newton, e)


def test_modes_of_a_batch():
    k, u = random_problems(5)
    many = carom.solve(k, u, "routh-stronge", mu=np.array([0, 0.1, 0.3, 1, 9.0]))
    assert list(many.mode[:2]) == [carom.solve(k[i], u[i], "routh-stronge", mu=m).mode for i, m in enumerate((0, 0.1))]


def test_layouts_and_types_are_converted():
    k, u = random_problems(8)
    want = carom.solve(k, u, "newton").p
    assert (carom.solve(np.asfortranarray(k), u[::1], "newton").p == want).all()
    assert (carom.solve(np.repeat(k, 2, 0)[::2], np.repeat(u, 2, 0)[::2], "newton").p == want).all()
    whole = carom.solve(np.eye(3, dtype=int), np.array([0, 0, -2]), "newton", e=0)
    assert tuple(whole.p) == (0, 0, 2)
    single = carom.solve(k.astype(np.float32), u.astype(np.float32), "newton").p
    assert np.allclose(single, want, rtol=1e-5)
    with pytest.raises(ValueError, match="copy=False"):
        carom.solve(k.astype(np.float32), u, "newton", copy=False)


def test_shapes_that_do_not_fit():
    k, u = random_problems(4)
    with pytest.raises(ValueError, match="last axis"):
        carom.solve(k, np.zeros((4, 4)), "newton")
    with pytest.raises(ValueError, match=r"\(\.\.\., 3, 3\)"):
        carom.solve(k[:, :2], u, "newton")
    with pytest.raises(ValueError, match="broadcast"):
        carom.solve(k, u[:3], "newton")
    with pytest.raises(ValueError, match="3 numbers"):
        carom.solve([[1]], [1], "newton")
    with pytest.raises(ValueError, match="3 x 3"):
        carom.solve([[1, 0], [0, 1]], [0, 0, -1], "newton")
    with pytest.raises(TypeError, match="real numbers"):
        carom.solve(k.astype(complex), u, "newton")


def test_empty_arrays():
    out = carom.solve(np.zeros((0, 3, 3)), np.zeros((0, 3)), "newton")
    assert out.p.shape == (0, 3) and len(out) == 0


def test_bad_rows_have_a_status():
    k, u = random_problems(5)
    k[1, 0, 1] += 1
    u[2, 0] = np.nan
    out = carom.solve(k, u, "newton")
    assert [carom.Status(s).id for s in out.status] == ["ok", "bad-matrix", "not-finite", "ok", "ok"]
    assert list(out.ok) == [True, False, False, True, True]
    assert not out.p[1].any() and not np.isnan(out.p).any()
    with pytest.raises(carom.Error, match="row 1"):
        carom.solve(k, u, "newton", errors="raise")


def test_errors_of_a_single_impact():
    with pytest.raises(carom.Error, match="symmetric") as caught:
        carom.solve([[1, 0, 0], [1, 1, 0], [0, 0, 1]], U, "newton")
    assert caught.value.status is carom.Status.BAD_MATRIX
    with pytest.raises(carom.Error, match="NaN"):
        carom.solve(K, [0, 0, math.nan], "newton")
    with pytest.raises(ValueError, match="did you mean 'routh-stronge'"):
        carom.solve(K, U, "stronge")
    with pytest.raises(ValueError, match="did you mean 'newton'"):
        carom.solve(K, U, "newtn")
    with pytest.raises(TypeError, match="did you mean 'mu'"):
        carom.solve(K, U, "newton", friction=0.3)
    with pytest.raises(carom.Error, match="e must be in its range"):
        carom.solve(K, U, "newton", e=1.5)
    with pytest.raises(ValueError, match="no reading"):
        carom.solve(K, U, "routh-stronge", phases="second")
    with pytest.raises(ValueError, match="errors"):
        carom.solve(K, U, "newton", errors="ignore")


def test_a_leaving_contact_is_no_error():
    out = carom.solve(K, [0, 0, 1], "newton")
    assert out.status is carom.Status.SEPARATING and out.status.is_answer and out.p == (0, 0, 0)


def test_infinite_friction():
    out = carom.solve(K, U, "routh-stronge", e=0.5, mu=math.inf)
    assert abs(out.u_after[0]) < 1e-12 and abs(out.u_after[1]) < 1e-12


def test_out_is_used_again():
    k, u = random_problems(100)
    out = carom.Outcomes.empty(100)
    p = out.columns["p_n"]
    assert carom.solve(k, u, "newton", out=out) is out
    assert out.columns["p_n"] is p and (out.p == carom.solve(k, u, "newton").p).all()
    with pytest.raises(ValueError, match="out has shape"):
        carom.solve(k, u, "newton", out=carom.Outcomes.empty(99))


def test_columns():
    k, u = random_problems(64)
    columns = dict(zip(carom._solve._IN, carom._solve._columns_of(k, u, 3)))
    out = carom.Outcomes.empty(64)
    carom.solve_columns(columns, "chatterjee-mix", out=out, e=np.linspace(0, 1, 64))
    assert (out.p == carom.solve(k, u, "chatterjee-mix", e=np.linspace(0, 1, 64)).p).all()
    with pytest.raises(ValueError, match="overlap"):
        carom.solve_columns(columns, "newton", out={"p_n": out.columns["p_n"], "p_t1": out.columns["p_n"]})
    with pytest.raises(TypeError, match="float64"):
        carom.solve_columns({**columns, "K_nn": columns["K_nn"].astype(np.float32)}, "newton", out=out)
    with pytest.raises(ValueError, match="rows"):
        carom.solve_columns({**columns, "K_nn": columns["K_nn"][:-1].copy()}, "newton", out=out)
    with pytest.raises(ValueError, match="contiguous"):
        carom.solve_columns({**columns, "K_nn": np.repeat(columns["K_nn"], 2)[::2]}, "newton", out=out)
    with pytest.raises(ValueError, match="unknown column"):
        carom.solve_columns({**columns, "Knn": columns["K_nn"]}, "newton", out=out)
    with pytest.raises(TypeError, match="no column"):
        carom.solve_columns(columns, "newton", out={"p": np.empty(64)})


def test_threads_and_fork():
    k, u = random_problems(20000)
    want = carom.solve(k, u, "routh-stronge").p
    got = [None] * 4

    def work(i):
        got[i] = carom.solve(k, u, "routh-stronge", threads=2).p

    running = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in running:
        t.start()
    for t in running:
        t.join()
    assert all((g == want).all() for g in got)
    child = os.fork()
    if child == 0:
        os._exit(0 if (carom.solve(k[:5000], u[:5000], "routh-stronge").p == want[:5000]).all() else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_pickle():
    rule = carom.rule("jia", e=0.7, mu=0.2, restitution_slip="mu-e")
    again = pickle.loads(pickle.dumps(rule))
    assert again.coefficients == rule.coefficients and again.options == rule.options and again.law == "jia"
    error = pickle.loads(pickle.dumps(carom.Error(15, "no")))
    assert error.status is carom.Status.BAD_MATRIX and str(error) == "no"


def test_no_leak():
    rule = carom.rule("chatterjee-momentum")
    k, u = tuple(map(tuple, K)), tuple(U)

    def many(n):
        for _ in range(n):
            out = carom.solve_one(k, u, rule)
            out.p, out.energy, out.mode, out.restitution

    many(2000)
    gc.collect()
    before = resident()
    many(1_000_000)
    gc.collect()
    assert resident() - before < 2000


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4


def test_a_subinterpreter_is_refused_or_works():
    solve = "import carom; print(carom.solve([[1, 0], [0, 1]], [0, -1], 'newton', e=0.5).p)"
    code = f"""
try:
    import _xxsubinterpreters as s
except ImportError:
    import _interpreters as s
i = s.create()
for _ in range(3):
    s.run_string(i, {solve!r})
s.destroy(i)
{solve}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode >= 0, "it must not crash"
    if done.returncode == 0:
        assert done.stdout == "(0.0, 1.5)\n" * 4
    else:
        assert "ImportError" in done.stderr


def test_velocities_may_be_written_over_those_before():
    k, u = random_problems(50)
    columns = dict(zip(carom._solve._IN, carom._solve._columns_of(k, u, 3)))
    want = carom.solve(k, u, "smith").u_after
    out = {n: columns[n] for n in ("u_t1", "u_t2", "u_n")}
    carom.solve_columns(columns, "smith", out={**out, "p_n": np.empty(50)})
    assert (np.stack([columns[n] for n in out], axis=1) == want).all()
    shifted = np.empty(60)
    with pytest.raises(ValueError, match="overlap"):
        carom.solve_columns(columns, "newton", out={"p_n": shifted[:50], "p_t1": shifted[10:]})
    frozen = np.empty(50)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        carom.solve_columns(columns, "newton", out={"p_n": frozen})


def test_an_older_python_is_refused(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "bindings" / "python"))
    import backend

    monkeypatch.setattr(backend.sys, "version_info", (3, 10, 12))
    with pytest.raises(SystemExit, match="3.11 or later"):
        backend.build_extensions()
    assert "Requires-Python: >=3.11" in backend.INFO


def test_compare_and_trace():
    table = carom.compare(K, U, e=0.9, mu=0.5)
    assert {row["law"] for row in table} >= {"newton", "jia"}
    assert "routh-stronge" in repr(table)
    path = carom.trace(K, U, "routh-stronge", e=0.5, mu=0.2)
    assert path.p.shape == path.u.shape and path.events[-1][0] == "end"
    assert tuple(path.p[-1]) == pytest.approx(carom.solve(K, U, "routh-stronge", e=0.5, mu=0.2).p)
    with pytest.warns(carom.CaromWarning, match="no path"):
        carom.trace(K, U, "newton")


def test_compare_as_a_frame():
    pytest.importorskip("pandas")
    assert carom.compare(K, U, e=0.9, mu=0.5).frame().loc["newton", "p_n"] > 0
