"""All sixteen pairs of a linear and an angular piece in a case: K and u against joint forces between free bodies, in NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import carom

ORIGIN = np.array([0.35, -0.2, 0.6])
ALONG = np.array([0.36, 0.48, 0.8])
AXIS_A = np.array([0.8, -0.6, 0.0])
AXIS_B = np.array([0.28, 0.0, 0.96])
COM = np.array([0.1, 0.25, -0.4])
TIP = np.array([0.3, -0.1, 0.2])
NORMAL = np.array([2.0, -1.0, 2.0]) / 3
MASS, INERTIA = (2.5, 1.7), (np.array([0.5, 0.6, 0.7]), np.array([0.03, 0.05, 0.06]))


def cross(v: np.ndarray) -> np.ndarray:
    """The matrix of the product v x."""
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    k = cross(axis)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def slides(linear: int) -> list[np.ndarray]:
    """Directions in which the point may move: those of a planar joint where it is held on a plane."""
    first = np.eye(3)[np.argmin(np.abs(ALONG))]
    x = first - (first @ ALONG) * ALONG
    x /= np.linalg.norm(x)
    return [[], [ALONG], [x, np.cross(ALONG, x)], list(np.eye(3))][linear]


def held_turns(angular: int, b: np.ndarray, a: np.ndarray) -> list[np.ndarray]:
    """Directions about which the link must turn with its parent."""
    if angular == 1:
        return list(np.linalg.svd(b[None])[2][1:])
    return [list(np.eye(3)), [], [np.cross(b, a)], []][angular]


def case(linear: int, angular: int, q: list[float], qdot: np.ndarray) -> dict[str, Any]:
    joint = {"linear": linear, "angular": angular, "axis": ALONG.tolist(), "origin": ORIGIN.tolist()}
    if angular in (1, 2):
        joint |= {"axis_b": AXIS_B.tolist(), "axis_a": (AXIS_B if angular == 1 else AXIS_A).tolist()}
    base = {"name": "base", "parent": "world", "joint": {"type": "free"}, "mass": MASS[0], "inertia": INERTIA[0].tolist()}
    arm = {"name": "arm", "parent": "base", "joint": joint, "mass": MASS[1], "com": COM.tolist(), "inertia": INERTIA[1].tolist()}
    return {
        "law": "newton",
        "coefficients": {"e": 0.5},
        "mechanism": {"links": [base, arm], "q": [0, 0, 0, 1, 0, 0, 0, *q], "qdot": qdot.tolist()},
        "contact": {"link": "arm", "point": TIP.tolist(), "normal": NORMAL.tolist()},
    }


@pytest.mark.parametrize(("linear", "angular"), itertools.product(range(4), range(4)))
def test_pair(linear: int, angular: int) -> None:
    rng = np.random.default_rng(10 * linear + angular)
    distances, directions = rng.normal(size=linear) * 0.2, slides(linear)
    angles = rng.normal(size=angular if angular < 3 else 0)
    qdot = rng.normal(size=6 + linear + angular)
    quaternion = np.array([0.5, 0.1, -0.7, 0.5])
    w, x, y, z = quaternion
    free = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    axes = [AXIS_B, AXIS_A][: len(angles)]
    R = free if angular == 3 else np.linalg.multi_dot([np.eye(3), np.eye(3), *(turn(a, t) for a, t in zip(axes, angles, strict=True))])
    answer = carom.solve_case(case(linear, angular, [*distances, *(quaternion if angular == 3 else angles)], qdot))

    # where the link is, and how it moves
    point = ORIGIN + sum((t * d for t, d in zip(distances, directions, strict=True)), np.zeros(3))
    centre, tip = point + R @ COM, point + R @ TIP
    rates = qdot[6 + linear :]
    turned_a = turn(AXIS_B, angles[0]) @ AXIS_A if angular == 2 else AXIS_A
    spin = R @ rates if angular == 3 else sum((t * a for t, a in zip(rates, [AXIS_B, turned_a], strict=False)), np.zeros(3))
    v0, w0 = qdot[:3], qdot[3:6]
    u = v0 + np.cross(w0, tip) + sum((t * d for t, d in zip(qdot[6:], directions, strict=False)), np.zeros(3)) + np.cross(spin, tip - point)

    # two free bodies and the rows G of what the joint holds
    I1 = R @ np.diag(INERTIA[1]) @ R.T
    W = np.linalg.inv(np.block([[MASS[0] * np.eye(3), np.zeros((3, 9))], [np.zeros((3, 3)), np.diag(INERTIA[0]), np.zeros((3, 6))], [np.zeros((3, 6)), MASS[1] * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 9)), I1]]))
    at_point = np.block([[-np.eye(3), cross(point), np.eye(3), -cross(point - centre)]])
    held_slides = [np.eye(3), np.linalg.svd(ALONG[None])[2][1:], ALONG[None], np.zeros((0, 3))][linear]
    turns = np.array(held_turns(angular, AXIS_B, turned_a)).reshape(-1, 3)
    G = np.vstack([held_slides @ at_point, turns @ np.block([[np.zeros((3, 3)), -np.eye(3), np.zeros((3, 3)), np.eye(3)]])])
    J = np.block([[np.zeros((3, 6)), np.eye(3), -cross(tip - centre)]])
    mobility = W - W @ G.T @ np.linalg.solve(G @ W @ G.T, G @ W) if len(G) else W
    frame = np.array([answer["frame"][key] for key in ("t1", "t2", "n")])
    np.testing.assert_allclose(np.array(answer["K"]), frame @ J @ mobility @ J.T @ frame.T, rtol=0, atol=1e-12 * np.abs(answer["K"]).max())
    np.testing.assert_allclose(np.array(answer["u"]), frame @ u, rtol=0, atol=1e-12 * np.abs(u).max())
