"""All sixteen pairs of a linear and an angular piece, as "joints" of scenes: what a joint holds stays, and what it frees moves."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import carom

POINT = np.array([0.35, -0.2, 0.6])
ALONG = np.array([0.36, 0.48, 0.8])
AXIS_A = np.array([0.8, -0.6, 0.0])
AXIS_B = np.array([0.28, 0.0, 0.96])
CENTRE = np.array([0.1, 0.25, 0.4])
HELD, MOVES = 1e-8, 1e-3


def scene(linear: int, angular: int) -> dict[str, Any]:
    joint = {"linear": linear, "angular": angular, "a": "body", "point": POINT.tolist(), "axis": ALONG.tolist()}
    if angular == 2:
        joint |= {"axis_a": AXIS_A.tolist(), "axis_b": AXIS_B.tolist()}
    return {
        "law": "newton",
        "until": {"time": 0.4},
        "gravity": [0.7, -0.4, -9.81],
        "bodies": {"body": {"shape": {"box": {"size": [0.3, 0.2, 0.5]}}, "mass": 1.7, "position": CENTRE.tolist(), "omega": [0.9, -1.3, 2.1], "velocity": [0.4, 0.3, -0.2]}},
        "joints": [joint],
    }


def turned(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    w, u = q[0], q[1:]
    return v + 2 * w * np.cross(u, v) + 2 * np.cross(u, np.cross(u, v))


def angle(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))


def openings(linear: int, angular: int) -> tuple[float, float]:
    """How far the point has left what holds it, and the turn; at the end of 0.4 s."""
    run = carom.simulate(scene(linear, angular), time=0.4, rate=10)
    d = run["body"].position[-1] + turned(run["body"].orientation[-1], POINT - CENTRE) - POINT
    q = run["body"].orientation[-1]
    point = {0: np.linalg.norm(d), 1: np.linalg.norm(np.cross(d, ALONG)), 2: abs(d @ ALONG), 3: 0.0}[linear]
    turn = {
        0: 2 * np.linalg.norm(q[1:]),
        1: angle(turned(q, ALONG), ALONG),
        2: abs(angle(turned(q, AXIS_A), AXIS_B) - angle(AXIS_A, AXIS_B)),
        3: 0.0,
    }[angular]
    return float(point), float(turn)


@pytest.mark.parametrize(("linear", "angular"), itertools.product(range(4), range(4)))
def test_joint_holds(linear: int, angular: int) -> None:
    point, turn = openings(linear, angular)
    assert point < HELD and turn < HELD


@pytest.mark.parametrize(("linear", "angular"), itertools.product(range(1, 4), range(1, 4)))
def test_joint_frees(linear: int, angular: int) -> None:
    run = carom.simulate(scene(linear, angular), time=0.4, rate=10)
    q = run["body"].orientation[-1]
    d = run["body"].position[-1] + turned(q, POINT - CENTRE) - POINT
    tight = {1: abs(d @ ALONG), 2: np.linalg.norm(np.cross(d, ALONG)), 3: abs(d @ ALONG)}[linear]
    assert tight > MOVES and np.linalg.norm(q[1:]) > MOVES


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"linear": 4}, "linear: must be 0, 1, 2 or 3"),
        ({"angular": 1.5}, "angular: must be 0, 1, 2 or 3"),
        ({"type": "ball"}, "takes the place of linear and angular"),
        ({"angular": 2}, "must not be parallel to axis_b"),
        ({"axis_a": [0, 1, 0]}, "must be the same as axis_b"),
    ],
)
def test_bad_joint(change: dict[str, Any], message: str) -> None:
    bad = scene(0, 1)
    bad["joints"][0] |= change
    with pytest.raises(ValueError, match=message):
        carom.simulate(bad, time=0.1)
