#!/usr/bin/env python3
"""Arms with a patch at their tip, struck by whittaker's law: writes link-patch.jsonl beside this file.

    tests/vectors/link_patch_vectors.py

The cases give links; what is expected comes from M and J computed here from positions alone. J has six rows: t1, t2, n of
the contact point and n, t1, t2 of the relative angular velocity. M is a sum over links of Jv^T m Jv + Jw^T I Jw, with
columns axis x (point - joint) and axis (numpy). The slips V at the end and p_n solve

    V = U + K_TT P + k p_n,   P = -p_n (mu dPhi(V), rho w_t / |w_t|),   u_n + k.P + K_nn p_n = -e u_n

with the closed form of a Hertz patch, by Newton's method of mpmath in 40 digits. With two contacts, and for M and J as a
case: FOLDER as argument writes links-I.json and matrices-I.json, and the same with two contacts.
"""

import json
import pathlib
import sys

import mpmath as mp
import numpy as np

ARMS = [  # axes, origins, centres, inertias, q, qdot, contact point in the last link, the link it strikes, its normal
    dict(axes=[[0, 0, 1], [0, 1, 0.3], [1, 0.2, 0], [0.1, 1, 0], [0.7, 0, 1], [0, 0.4, 1]], against=None, seed=7,
         normal=[0.1, -0.2, 1]),
    dict(axes=[[0, 0.2, 1], [1, 0, 0.1], [0, 1, 0.5], [1, 1, 0], [0.3, 0, 1], [0.2, 1, 0.1], [1, 0, 0.6], [0, 1, 0.3]], against=1,
         seed=11, normal=[0.4, 0.3, -1]),
    dict(axes=[[0.5, 0.1, 1], [1, -0.3, 0.1], [0, 1, 0.2], [1, 0.5, 0], [0, 0.1, 1], [0.2, 1, -0.4], [1, 0, 0.2],
               [0.3, 0.6, 1], [1, 0.2, 0.3]], against=2, seed=23, normal=[-0.3, 1, 0.2]),
]


def turn(a, angle):
    X = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + np.sin(angle) * X + (1 - np.cos(angle)) * X @ X


def build(arm):
    dice = np.random.default_rng(arm["seed"])
    units = [np.array(a, float) / np.linalg.norm(a) for a in arm["axes"]]
    n = len(units)
    origins = np.round(dice.uniform(-0.4, 0.6, (n, 3)), 3)
    centres = np.round(dice.uniform(-0.3, 0.3, (n, 3)), 3)
    masses = np.round(dice.uniform(0.4, 2.5, n), 3)
    inertias = np.round(dice.uniform(0.02, 0.03, (n, 3)), 4)
    q, qdot = np.round(dice.uniform(-1.5, 1.5, n), 3), np.round(dice.uniform(-3, 3, n), 3)
    point = np.array(arm.get("point", np.round(dice.uniform(0.2, 0.5, 3), 3)))
    R, place, turns, joints, axes = np.eye(3), np.zeros(3), [], [], []
    for i in range(n):
        place = place + R @ origins[i]
        axes.append(R @ units[i])
        R = R @ turn(units[i], q[i])
        turns.append(R)
        joints.append(place)

    def columns(link, at):
        Jv, Jw = np.zeros((3, n)), np.zeros((3, n))
        for k in range(link + 1):
            Jv[:, k], Jw[:, k] = np.cross(axes[k], at - joints[k]), axes[k]
        return Jv, Jw

    M = np.zeros((n, n))
    for i in range(n):
        Jv, Jw = columns(i, joints[i] + turns[i] @ centres[i])
        M += masses[i] * Jv.T @ Jv + Jw.T @ (turns[i] @ np.diag(inertias[i]) @ turns[i].T) @ Jw
    at = joints[-1] + turns[-1] @ point
    Jv, Jw = columns(n - 1, at)
    if arm["against"] is not None:
        other = columns(arm["against"], at)
        Jv, Jw = Jv - other[0], Jw - other[1]
    normal = np.array(arm["normal"]) / np.linalg.norm(arm["normal"])
    t1 = np.cross(normal, [0.3, 0.5, 0.1])
    t1 = np.round(t1 / np.linalg.norm(t1), 3)  # a direction; the frame is made orthonormal below, as carom does
    t1 = t1 - (t1 @ normal) * normal
    t1 /= np.linalg.norm(t1)
    t2 = np.cross(normal, t1)
    J = np.array([t1 @ Jv, t2 @ Jv, normal @ Jv, normal @ Jw, t1 @ Jw, t2 @ Jw])
    if "point" not in arm and (J @ qdot)[2] > 0:
        qdot = -qdot
    names = [f"l{i}" for i in range(n)]
    links = [
        dict(name=names[i], parent=names[i - 1] if i else "world",
             joint=dict(type="revolute", axis=units[i].tolist(), origin=origins[i].tolist()), mass=masses[i],
             com=centres[i].tolist(), inertia=inertias[i].tolist())
        for i in range(n)
    ]
    contact = dict(link=names[-1], point=point.tolist(), normal=normal.tolist(), t1=t1.tolist())
    if arm["against"] is not None:
        contact["against"] = names[arm["against"]]
    return links, q, qdot, contact, M, J


def friction(v1, v2, w, a):
    """The gradient of Phi of a Hertz patch: forces along the slip and the moment."""
    v, W = mp.hypot(v1, v2), a * abs(w)
    s = v / W
    if s <= 1:
        F, Mo = 3 * mp.pi / 8 * (s - s**3 / 4), 3 * mp.pi / 16 * (1 - s**2 + 3 * s**4 / 8)
    else:
        theta, root = mp.asin(1 / s), mp.sqrt(s**2 - 1)
        F = mp.mpf(3) / 4 * ((s - s**3 / 4) * theta + (s**2 + 2) * root / (4 * s))
        Mo = mp.mpf(3) / 8 * ((1 - s**2 + 3 * s**4 / 8) * theta + mp.mpf(3) / 8 * (2 - s**2) * root)
    return F * v1 / v, F * v2 / v, a * Mo * mp.sign(w)


def solve(K, u, c):
    mp.mp.dps = 40
    T, n = [0, 1, 3, 4, 5], 2
    K, u = mp.matrix(K.tolist()), [mp.mpf(x) for x in u.tolist()]

    def impulses(V, p_n):
        f = friction(V[0], V[1], V[2], c["patch"])
        r = mp.hypot(V[3], V[4])
        return [-c["mu"] * p_n * x for x in f] + [-c["rho"] * p_n * V[3] / r, -c["rho"] * p_n * V[4] / r]

    def left(*x):
        V, p_n = x[:5], x[5]
        P = impulses(V, p_n)
        rows = [V[i] - u[T[i]] - K[T[i], n] * p_n - sum(K[T[i], T[j]] * P[j] for j in range(5)) for i in range(5)]
        return rows + [K[n, n] * p_n + sum(K[n, T[j]] * P[j] for j in range(5)) + (1 + mp.mpf(c["e"])) * u[n]]

    x = [u[i] for i in T] + [-(1 + mp.mpf(c["e"])) * u[n] / K[n, n]]
    full = c
    for share in range(1, 21):  # friction rises to its value, so that Newton starts near the end
        c = dict(full, mu=full["mu"] * share / 20, rho=full["rho"] * share / 20)
        x = list(mp.findroot(left, x, tol=mp.mpf(10) ** -50, maxsteps=60))
    P = impulses(x[:5], x[5])
    return [P[0], P[1], x[5], P[2], P[3], P[4]]


def expected(M, J, qdot, c):
    K = J @ np.linalg.solve(M, J.T)
    u = J @ qdot
    p = np.array([float(x) for x in solve((K + K.T) / 2, u, c)])
    return dict(p=p.tolist(), u_after=(u + K @ p).tolist(), qdot_after=(qdot + np.linalg.solve(M, J.T @ p)).tolist())


def write_pairs(folder):
    for i, arm in enumerate(ARMS):
        links, q, qdot, contact, M, J = build(arm)
        other = dict(arm, point=[0.1, -0.2, 0.3], against=None)
        second, J_second = build(other)[3], build(other)[5]
        for name, law, one, rows in (("", "whittaker", dict(contact=contact), J.tolist()),
                                     ("two-", "moreau", dict(contacts=[contact, second]), [J.tolist(), J_second.tolist()])):
            rule = dict(law=law, coefficients=RULE)
            for kind, mechanism in (("links", dict(links=links, q=q.tolist(), qdot=qdot.tolist())),
                                    ("matrices", dict(M=M.tolist(), J=rows, qdot=qdot.tolist()))):
                case = dict(rule, mechanism=mechanism, **(one if kind == "links" else {}))
                pathlib.Path(folder, f"{name}{kind}-{i}.json").write_text(json.dumps(case))


def main():
    lines = []
    for arm in ARMS:
        links, q, qdot, contact, M, J = build(arm)
        lines.append(json.dumps(dict(
            name=f"arm of {len(links)} links", law="whittaker", coefficients=RULE,
            mechanism=dict(links=links, q=q.tolist(), qdot=qdot.tolist()), contact=contact,
            expect=expected(M, J, qdot, RULE))))
    pathlib.Path(__file__).with_name("link-patch.jsonl").write_text("\n".join(lines) + "\n")


RULE = dict(e=0.4, mu=0.3, patch=0.07, rho=0.02)

if __name__ == "__main__":
    write_pairs(sys.argv[1]) if len(sys.argv) > 1 else main()
