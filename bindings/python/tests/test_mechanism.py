"""Mechanisms, several contacts, geometry, black boxes, conversions, axes: each against a second way to the same number."""

import json
import math

import numpy as np
import pytest
from conftest import ROOT

import carom
from carom import Contact, Link, Mechanism, convert

BAR = {"mass": 1.3, "com": (0, 0, -0.25), "inertia": (0.02, 0.02, 0.0)}


def leg():
    thigh = Link("thigh", joint="revolute", axis=(0, 1, 0), **BAR)
    shin = Link("shin", "thigh", axis=(0, 1, 0), origin=(0, 0, -0.5), **BAR)
    made = Mechanism([Link("hip", joint="planar", axis=(0, -1, 0), mass=20, inertia=(1, 1, 1)), thigh._replace(parent="hip"), shin])
    made.q = [0.1, 0.9, 0.2, 0.3, -0.7]
    made.qdot = [1.5, -2, 0.3, 0.4, -1.1]
    return made


FOOT = Contact("shin", (0, 0, -0.5), (0, 0, 1))


def test_reduction_is_that_of_M_and_J():
    m = leg()
    M, J = np.array(m.mass_matrix()), np.array(m.jacobian(FOOT))
    got = m.reduce(FOOT)
    assert np.allclose(J @ np.linalg.solve(M, J.T), got.K, atol=1e-12)
    assert np.allclose(J @ np.array(m.qdot), got.u, atol=1e-13)
    assert m.kinetic == pytest.approx(0.5 * np.array(m.qdot) @ M @ np.array(m.qdot), rel=1e-13)
    assert np.allclose(m.velocity("shin", (0, 0, -0.5)), np.array(got.axes).T @ np.array(got.u), atol=1e-13)


def test_an_impact_changes_all_speeds():
    m = leg()
    M, J, before = np.array(m.mass_matrix()), np.array(m.jacobian(FOOT)), np.array(m.qdot)
    out = m.impact(FOOT, "routh-stronge", e=0.4, mu=0.6)
    assert np.allclose(m.qdot, before + np.linalg.solve(M, J.T @ np.array(out.p)), atol=1e-12)
    assert np.allclose(m.reduce(FOOT).u, out.u_after, atol=1e-12)


def test_a_mechanism_is_that_of_case_files():
    case = json.loads((ROOT / "examples" / "cases" / "two-feet.json").read_text())
    names = {"name", "parent", "mass", "com", "inertia"}
    links = [Link(**{k: v for k, v in x.items() if k in names}, **{("joint" if k == "type" else k): v for k, v in x["joint"].items()})
             for x in case["mechanism"]["links"]]  # fmt: skip
    m = Mechanism(links)
    m.q, m.qdot = case["mechanism"]["q"], case["mechanism"]["qdot"]
    contacts = [Contact(c["link"], c["point"], c["normal"]) for c in case["contacts"]]
    answer = carom.solve_case(case)
    got = m.impacts(contacts, case["law"], **case["coefficients"])
    assert np.allclose(got.p, answer["p"], rtol=1e-10, atol=1e-12)
    assert np.allclose(m.qdot, answer["qdot_after"], rtol=1e-10, atol=1e-12)


def test_flight_with_an_event():
    ball = Mechanism([Link("ball", joint="prismatic", mass=2)], gravity=(0, 0, -9.81))
    ball.q = [1.0]
    end = ball.advance(10, gap=lambda m: m.q[0])
    assert end.hit and end.time == pytest.approx(math.sqrt(2 / 9.81), rel=1e-12)
    assert ball.kinetic + ball.potential == pytest.approx(2 * 9.81, rel=1e-12)
    assert not ball.advance(0.0).hit
    assert ball.accelerate() == pytest.approx((-9.81,)) and ball.accelerate([2 * 9.81]) == pytest.approx((0,))
    assert ball.bias() == pytest.approx((2 * 9.81,))

    def broken(m):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        ball.advance(1, gap=broken)
    with pytest.raises(RuntimeError, match="flies"):
        ball.advance(1, gap=lambda m: setattr(m, "q", [0]) or 1.0)


def double_pendulum():
    """The same two bars as a linkage and as a mechanism, moving."""
    inertia = (0.02, 0.02, 0.001)
    upper = carom.Body(mass=1.3, inertia=inertia, position=(0, 0, -0.25))
    lower = carom.Body(mass=1.3, inertia=inertia, position=(0, 0, -0.75))
    joints = [carom.Joint("upper", "world", "hinge", (0, 0, 0), (0, 1, 0)), carom.Joint("lower", "upper", "hinge", (0, 0, -0.5), (0, 1, 0))]
    bars = {"upper": upper, "lower": lower._replace(velocity=(-1, 0, 0))}
    first = Link("upper", axis=(0, 1, 0), mass=1.3, com=(0, 0, -0.25), inertia=inertia)
    second = Link("lower", "upper", axis=(0, 1, 0), origin=(0, 0, -0.5), mass=1.3, com=(0, 0, -0.25), inertia=inertia)
    return carom.Linkage(bars, joints, (0, 0, -9.81)), Mechanism([first, second], (0, 0, -9.81))


def test_a_linkage_is_its_mechanism():
    linkage, tree = double_pendulum()
    linkage.constrain()
    spin = linkage["upper"].omega[1]
    tree.qdot = [spin, linkage["lower"].omega[1] - spin]
    assert linkage.kinetic == pytest.approx(tree.kinetic, rel=1e-12)
    tip = Contact("lower", (0, 0, -0.5), (1, 0, 0))
    assert np.allclose(linkage.reduce("lower", point=(0, 0, -1), normal=(1, 0, 0)).K, tree.reduce(tip).K, atol=1e-9)
    one = linkage.impact("lower", point=(0, 0, -1), normal=(1, 0, 0), law="routh-stronge", e=0.6, mu=0.2)
    assert np.allclose(one.p, tree.impact(tip, "routh-stronge", e=0.6, mu=0.2).p, atol=1e-9)
    linkage.advance(0.3)
    tree.advance(0.3)
    assert np.allclose(linkage["lower"].position, tree.point("lower", (0, 0, -0.25)), atol=1e-7)
    assert max(linkage.errors) < 1e-9


def test_linkages_that_are_refused():
    a = carom.Body(position=(0, 0, -1))
    with pytest.raises(ValueError, match="did you mean 'hinge'"):
        carom.Linkage({"a": a}, [carom.Joint("a", "world", "hing", (0, 0, 0))])
    with pytest.raises(KeyError, match="no body"):
        carom.Linkage({"a": a}, [carom.Joint("a", "b", "ball", (0, 0, 0))])
    with pytest.raises(ValueError, match="two different"):
        carom.Linkage({"a": a}, [carom.Joint("a", "a", "ball", (0, 0, 0))])
    with pytest.raises(carom.Error, match="joint 0"):
        carom.Linkage({"a": a}, [carom.Joint("a", "world", (0, 7), (0, 0, 0))])
    twice = [carom.Joint("a", "world", "weld", (0, 0, 0))] * 2
    with pytest.raises(carom.Error, match="repeats"):
        carom.Linkage({"a": a}, twice).constrain()


def test_mechanisms_that_are_refused():
    with pytest.raises(carom.Error, match="link 0"):
        Mechanism([Link("a", mass=-1)])
    with pytest.raises(ValueError, match="no joint"):
        Mechanism([Link("a", joint="hinge")])
    with pytest.raises(KeyError, match="did you mean 'thigh'"):
        leg().point("tigh")
    with pytest.raises(ValueError, match="different names"):
        Mechanism([Link("a"), Link("a", "a")])
    m = leg()
    q = m.q
    with pytest.raises(carom.Error, match="NaN"):
        m.q = [math.nan] * 5
    with pytest.raises(ValueError, match="5 numbers"):
        m.q = [1]
    assert m.q == q, "a refusal changes nothing"
    with pytest.raises(carom.Error, match="normal"):
        m.reduce(FOOT._replace(normal=(0, 0, 3)))
    with pytest.raises(carom.Error):
        m.reduce(FOOT._replace(against="shin"))


def test_several_contacts_are_those_of_case_files():
    K = [[1.5, 0.1, 0.2, 0], [0.1, 1, 0.1, -0.3], [0.2, 0.1, 1.4, 0.1], [0, -0.3, 0.1, 1.2]]
    u = [[0.4, -1], [-0.2, -0.7]]
    for law in ("sequential", "moreau", "poisson-lcp", "reflections", "lzb"):
        mu = 0.0 if law == "reflections" else 0.3
        case = {"law": law, "coefficients": {"e": 0.5, "mu": mu}, "reduced": {"K": K, "u": u}}
        answer = carom.solve_case(case)
        got = carom.together(K, u, law, e=0.5, mu=mu)
        assert [list(p) for p in got.p] == answer["p"] and [list(v) for v in got.u_after] == answer["u_after"]
        assert got.status.id == answer["status"] and got.energy_change == pytest.approx(answer["energy"]["change"])
    own = carom.together(K, u, "moreau", e=0.5, mu=[0, 9.0])
    assert own.p[0][0] == 0 and own.modes[1] == "stick"


def test_several_contacts_that_are_refused():
    K = np.eye(4)
    with pytest.raises(ValueError, match="did you mean 'moreau'"):
        carom.together(K, [[0, -1], [0, -1]], "morau")
    with pytest.raises(ValueError, match="4 x 4"):
        carom.together(np.eye(3), [[0, -1], [0, -1]])
    with pytest.raises(ValueError, match="2 values"):
        carom.together(np.eye(6), [[0, -1]] * 3, e=[0, 1])
    with pytest.raises(carom.Error, match="contact 1: mu"):
        carom.together(K, [[0, -1], [0, -1]], e=0.5, mu=[0, -1])
    with pytest.raises(TypeError, match="did you mean 'mu'"):
        carom.together(K, [[0, -1], [0, -1]], friction=1)


def test_geometry():
    K, u = [[3.5, 0.5], [0.5, 1]], [1, -1]
    ellipsoid = carom.ellipsoid(K, u)
    assert np.allclose([ellipsoid.centre[0], ellipsoid.centre[2]], -np.linalg.solve(K, u))
    region = carom.region(K, u, 0.4)
    for point in region.outline():
        d = carom.distances(K, u, 0.4, point)
        assert min(d.compression, d.energy, d.cone) > -1e-12
    out = carom.solve(K, u, "routh-stronge", e=0.6, mu=0.4)
    at = carom.place(K, u, 0.4, out.p)
    again = carom.solve(K, u, "region", e=at.e, share=at.share, turn=at.turn, mu=0.4)
    assert again.p == pytest.approx(out.p, rel=1e-12)
    assert carom.distances(K, u, 0.4, out.p).energy_added == pytest.approx(out.energy.change, rel=1e-12)
    with pytest.raises(carom.Error):
        carom.place(K, u, 0.4, [5, 1])


def test_hodograph_and_realization():
    K = np.array([[3.0, 0.4, 0.5], [0.4, 2.0, -0.6], [0.5, -0.6, 1.0]])
    slip = carom.hodograph(K, 0.7)
    for ray in slip.rays:
        s = np.array(ray.direction)
        du = K[:2, :2] @ (-0.7 * s) + K[:2, 2]
        assert abs(du[0] * s[1] - du[1] * s[0]) < 1e-12
    u = (0.3, -0.2, -1.0)
    pair = carom.realize(K, u)
    got = carom.reduce(pair.a, pair.b, (0, 0, 0), pair.normal, pair.t1)
    assert np.allclose(got.K, K, atol=1e-12) and np.allclose(got.u, u, atol=1e-12)


def test_a_black_box():
    K = np.array([[2, 0.3], [0.3, 1]])
    got = carom.response(lambda f: K @ f + [0.5, -2], dim=2)
    assert np.allclose(got.K, K) and got.u == pytest.approx((0.5, -2)) and got.rank == 2
    with pytest.raises(carom.Error, match="symmetric"):
        carom.response(lambda f: (f[0] + f[1], f[1] - 1), dim=2)
    with pytest.raises(ZeroDivisionError):
        carom.response(lambda f: 1 / 0, dim=2)
    with pytest.raises(ValueError, match="2 numbers"):
        carom.response(lambda f: [1], dim=2)


def test_conversions():
    e = convert.e_from_zeta(0.2)
    out = carom.solve([[1, 0], [0, 1]], [0, -1], "spring-dashpot", k=1e4, c=2 * 0.2 * math.sqrt(1e4), mu=0)
    assert out.u_after[1] == pytest.approx(e, rel=1e-10)
    assert convert.kappa_from_poisson(0.3) == pytest.approx(2 * 0.7 / 1.7)
    assert convert.power_time_factor(1) == pytest.approx(math.pi)
    with pytest.raises(ValueError, match="range"):
        convert.zeta_from_e(2)


def test_pictures_in_axes():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    ax = plt.figure().add_subplot()
    case = {"law": "routh-stronge", "coefficients": {"mu": 0.3}, "reduced": {"K": [[3.5, 0.5], [0.5, 1]], "u": [1, -1]}}
    for kind in ("region", "impulse", "energy"):
        carom.plot(kind, case, ax=ax)
    assert len(ax.patches) > 100
    ax.figure.canvas.draw()


def test_rows_of_mechanisms_are_single_ones() -> None:
    """Mass matrices by rows: each row has the numbers of its case, and a bad one says so."""
    rng = np.random.default_rng(7)
    n, count = 4, 9000  # more than one chunk
    A = rng.normal(size=(count, n, n))
    M, J, v = A @ A.swapaxes(1, 2) + np.eye(n), rng.normal(size=(count, 3, n)), rng.normal(size=(count, n))
    M[5] = -M[5]
    e = rng.uniform(0, 1, count)
    got = carom.solve_mechanisms(M, J, v, "chatterjee-momentum", e=e, mu=0.3)
    assert carom.Status(int(got.outcomes.status[5])).id == "bad-mass-matrix"
    assert (got.qdot_after[5] == v[5]).all() and (got.outcomes.p[5] == 0).all()
    for i in (0, 17, 4095, 4096, 8999):
        case = {
            "law": "chatterjee-momentum",
            "coefficients": {"e": e[i], "mu": 0.3},
            "mechanism": {"M": M[i].tolist(), "J": J[i].tolist(), "qdot": v[i].tolist()},
        }
        answer = carom.solve_case(case)
        assert answer["status"] in ("ok", "separating")
        assert answer["qdot_after"] == got.qdot_after[i].tolist()
        assert answer["p"] == got.outcomes.p[i].tolist()


def test_rows_of_mechanisms_broadcast() -> None:
    """One M and J for many speeds; planar contacts; shapes that do not fit are named."""
    M, J = np.diag([2.0, 1.0, 0.5]), np.array([[1.0, 0.3, 0], [0, 0.2, 1.0]])
    v = np.array([[[1.0, 0, -1], [0.5, 0, -2]]])
    got = carom.solve_mechanisms(M, J, v, "newton", e=0.5)
    assert got.qdot_after.shape == (1, 2, 3)
    assert np.allclose((got.qdot_after @ J.T)[..., 1], -0.5 * (v @ J.T)[..., 1], rtol=1e-14)
    with pytest.raises(ValueError, match="qdot"):
        carom.solve_mechanisms(M, J, [1.0, 2.0])
    with pytest.raises(carom.Error, match="row 0"):
        carom.solve_mechanisms(-M, J, v, "newton", errors="raise")
