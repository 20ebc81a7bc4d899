"""Converters for published sets of recorded collisions that have no licence: the data are not shipped, only read.

>>> impacts = mcube_ellipse("planar-impact-dataset/processed_data/data_ellipse.mat")    # doctest: +SKIP
>>> fit(impacts, "routh-stronge", noise="scale", folds="5:group")                       # doctest: +SKIP

docs/guide/recordings.md says where the sets come from and what is wrong with them.
"""

from __future__ import annotations

import csv
import math
import os
import struct
import zlib
from pathlib import Path
from typing import Any

Impact = dict[str, Any]
File = str | os.PathLike[str]

# ---- MATLAB 5 ----

_NUMBERS = {1: "b", 2: "B", 3: "h", 4: "H", 5: "i", 6: "I", 7: "f", 9: "d", 12: "q", 13: "Q"}
_MATRIX, _COMPRESSED = 14, 15
_STRUCT, _FIRST_NUMERIC, _LAST_NUMERIC, _COMPLEX = 2, 6, 15, 0x800
_DEEPEST = 8  # structs in structs


class MatlabError(ValueError):
    """A file that is not MATLAB 5, is damaged, or holds what this reader does not know."""


class Matrix:
    """A numeric array of a MATLAB file, in the file's order: by columns."""

    def __init__(self, shape: tuple[int, ...], values: list[float]) -> None:
        self.shape, self.values = shape, values

    def row(self, i: int) -> list[float]:
        """Row i of a matrix."""
        rows = self.shape[0]
        return [self.values[i + rows * k] for k in range(self.shape[1])]


def _element(data: bytes, at: int, order: str) -> tuple[int, bytes, int]:
    """The element at a byte: its type, its bytes and where the next one begins."""
    if at + 8 > len(data):
        raise MatlabError(f"the file ends within an element at byte {at}")
    kind, size = struct.unpack_from(order + "II", data, at)
    if kind >> 16:  # small: type and size in one word, at most four bytes behind them
        kind, size, start, following = kind & 0xFFFF, kind >> 16, at + 4, at + 8
    else:
        start = at + 8
        following = start + size + (-size % 8 if kind != _COMPRESSED else 0)
    if start + size > len(data):
        raise MatlabError(f"an element at byte {at} has {size} bytes, and the file ends before")
    return kind, data[start : start + size], following


def _numbers(data: bytes, kind: int, order: str) -> list[float]:
    if kind not in _NUMBERS:
        raise MatlabError(f"numbers of type {kind}")
    code = _NUMBERS[kind]
    return list(struct.unpack(f"{order}{len(data) // struct.calcsize(code)}{code}", data))


def _matrix(data: bytes, order: str, depth: int) -> tuple[str, Any]:
    """Name and value of a matrix: numbers, or a list of the members of a struct, one dict for each of its elements."""
    _, flags, at = _element(data, 0, order)
    _, extent, at = _element(data, at, order)
    _, name, at = _element(data, at, order)
    flag = struct.unpack_from(order + "I", flags)[0]
    shape = tuple(struct.unpack(f"{order}{len(extent) // 4}i", extent))
    if flag & 0xFF == _STRUCT and depth < _DEEPEST:
        return name.decode("ascii", "replace"), _members(data, at, order, math.prod(shape), depth)
    if not _FIRST_NUMERIC <= flag & 0xFF <= _LAST_NUMERIC or flag & _COMPLEX:
        return name.decode("ascii", "replace"), None  # text, cells and functions are skipped
    kind, numbers, _ = _element(data, at, order)
    values = _numbers(numbers, kind, order)
    if len(values) != math.prod(shape):
        raise MatlabError(f"{name.decode('ascii', 'replace')} has {len(values)} numbers, and its shape is {shape}")
    return name.decode("ascii", "replace"), Matrix(shape, values)


def _members(data: bytes, at: int, order: str, count: int, depth: int) -> list[dict[str, Any]]:
    _, width, at = _element(data, at, order)
    _, names, at = _element(data, at, order)
    size = struct.unpack_from(order + "i", width)[0]
    if size <= 0:
        raise MatlabError("a struct whose names have no length")
    words = [names[i : i + size].split(b"\0")[0].decode("ascii", "replace") for i in range(0, len(names), size)]
    found: list[dict[str, Any]] = []
    for _ in range(count):
        one: dict[str, Any] = {}
        for word in words:
            kind, member, at = _element(data, at, order)
            if kind != _MATRIX:
                raise MatlabError(f"member {word} of a struct is no matrix")
            one[word] = _matrix(member, order, depth + 1)[1] if member else Matrix((0, 0), [])
        found.append(one)
    return found


def read_matlab(path: File) -> dict[str, Any]:
    """The variables of a MATLAB 5 file (format of versions 5 to 7): a ``Matrix`` each, a struct as a list of dicts."""
    data = Path(path).read_bytes()
    marks = {b"IM": "<", b"MI": ">"}
    if len(data) < 128 or data[126:128] not in marks:
        raise MatlabError(f"{os.fspath(path)}: not a MATLAB 5 file; version 7.3 is HDF5, save with -v7")
    order, at, found = marks[data[126:128]], 128, {}
    try:
        while at < len(data):
            kind, body, at = _element(data, at, order)
            if kind == _COMPRESSED:
                kind, body, _ = _element(zlib.decompress(body), 0, order)
            if kind == _MATRIX:
                name, value = _matrix(body, order, 0)
                found[name] = value
    except (MatlabError, zlib.error, struct.error) as error:
        raise MatlabError(f"{os.fspath(path)}: {error}") from None
    return found


# ---- the ellipse of the MCube laboratory ----

ELLIPSE_AXES = (0.035, 0.025)  # m: half axes
ELLIPSE_MASS = 0.037  # kg
_DEVIATIONS = (0.01, 0.01, 0.3)  # m/s and rad/s: assumed, the set has none; `noise="scale"` estimates their common factor


def _ellipse_rows(path: File) -> tuple[list[list[float]], ...]:
    data = read_matlab(path).get("data")
    wanted = ("states_i", "states_f", "n", "d")
    if not isinstance(data, list) or len(data) != 1 or any(not isinstance(data[0].get(k), Matrix) for k in wanted):
        raise MatlabError(f"{os.fspath(path)}: needs a struct data with matrices states_i, states_f, n and d")
    count = data[0]["states_i"].shape[0]
    for key, width in zip(wanted, (6, 6, 3, 3)):
        if data[0][key].shape != (count, width):
            raise MatlabError(f"{os.fspath(path)}: data.{key} has the shape {data[0][key].shape}, not ({count}, {width})")
    return tuple([data[0][key].row(i) for i in range(count)] for key in wanted)


def ellipse_closure(impact: Impact) -> float:
    """Δω − I⁻¹(r × m Δv) of an impact of a planar body, rad/s: zero when the signs of the set agree."""
    a, after, arm = impact["bodies"]["a"], impact["measured"]["a"], impact["contact"]["arm_a"]
    dx, dy = (after["velocity"][k] - a["velocity"][k] for k in range(2))
    turned: float = a["mass"] * (arm[0] * dy - arm[1] * dx) / a["inertia"]
    return float(after["omega"] - a["omega"] - turned)


def mcube_ellipse(path: File, *, sign: float = -1.0) -> list[Impact]:
    """Impacts of the ellipse of mcubelab/planar-impact-dataset (``processed_data/data_ellipse.mat``), for ``fit``.

    The x velocities of the file have the opposite sign of its angles, normals and contact points, which nothing in it says:
    angular momentum misses by 88 rad/s as printed and by 9.6 with v_x reversed. ``sign`` multiplies v_x before and after;
    ``sign=1`` takes the file as printed. The arm is (d[2], -n[2]) turned into the normal's frame: the last entries of the rows
    of the contact Jacobian, n = (n_x, n_y, arm x n) and d = (t_x, t_y, arm x t).
    """
    found = []
    inertia = ELLIPSE_MASS * (ELLIPSE_AXES[0] ** 2 + ELLIPSE_AXES[1] ** 2) / 4
    for i, (before, after, n, d) in enumerate(zip(*_ellipse_rows(path))):
        length = math.hypot(n[0], n[1])
        if not abs(length - 1) < 1e-6:
            raise MatlabError(f"{os.fspath(path)}: impact {i}: the normal has length {length:.6g}")
        # arm x n = n[2] and arm x t = d[2], with t and n orthonormal: arm = a t + b n.
        handed = d[0] * n[1] - d[1] * n[0]  # t x n: 1 or -1
        along, above = n[2] / handed, -d[2] / handed
        arm = [along * d[0] + above * n[0], along * d[1] + above * n[1]]
        measured = {"velocity": [sign * after[3], after[4]], "omega": after[5]}
        covariance = [[_DEVIATIONS[k] ** 2 if k == j else 0.0 for j in range(3)] for k in range(3)]
        body = {"mass": ELLIPSE_MASS, "inertia": inertia, "velocity": [sign * before[3], before[4]], "omega": before[5]}
        found.append(
            {
                "name": f"impact {i}",
                "group": str(i),
                "bodies": {"a": body, "b": {"fixed": True}},
                "contact": {"arm_a": arm, "normal": [n[0], n[1]]},
                "measured": {"a": measured, "covariance": covariance},
            }
        )
    return found


# ---- the table tennis balls of SpinDOE ----

BALL_MASS, BALL_RADIUS = 2.7e-3, 0.02  # kg, m
_GRAVITY = 9.81
_SIDE = 12  # frames of a flight on each side of the bounce
_LEAST = 5


def _line(path: Path, number: int, words: list[str]) -> list[float]:
    try:
        values = [float(word) for word in words[:4]]
    except ValueError:
        values = []
    if len(values) != 4:
        raise ValueError(f"{path}:{number}: not four numbers (t;x;y;z)")
    return values


def _trajectory(path: Path) -> list[list[float]]:
    with open(path, encoding="utf-8-sig") as file:
        lines = [(i, line.strip().split(";")) for i, line in enumerate(file, 1) if line.strip()]
    rows = [_line(path, i, words) for i, words in lines]
    for i, (a, b) in enumerate(zip(rows, rows[1:]), 2):
        if not b[0] > a[0]:
            raise ValueError(f"{path}:{lines[i - 1][0]}: times do not increase ({b[0]:g} after {a[0]:g})")
    if rows and max(abs(x) for row in rows for x in row[1:]) > 50:
        raise ValueError(f"{path}: a ball {max(abs(x) for row in rows for x in row[1:]):.3g} m away: are all lengths in metres?")
    return rows


def _flight(rows: list[list[float]], t: float) -> tuple[list[float], list[float], list[float]]:
    """Velocity, place and deviation of the velocity at a time, by a line through what gravity leaves, each coordinate."""
    times = [row[0] - t for row in rows]
    mean = sum(times) / len(times)
    spread = sum((s - mean) ** 2 for s in times)
    velocity, place, deviation = [], [], []
    for k in range(3):
        fall = -_GRAVITY if k == 2 else 0.0
        x = [row[k + 1] - fall / 2 * s * s for row, s in zip(rows, times)]
        middle = sum(x) / len(x)
        rate = sum((s - mean) * y for s, y in zip(times, x)) / spread
        start = middle - rate * mean
        rest = sum((y - start - rate * s) ** 2 for s, y in zip(times, x))
        velocity.append(rate)
        place.append(start)
        deviation.append(math.sqrt(max(rest / (len(x) - 2), 1e-12) * (1 / spread)))
    return velocity, place, deviation


def _bounce(rows: list[list[float]]) -> tuple[float, list[list[float]], list[list[float]]] | None:
    """The first bounce on the table: its time, and the frames before and after it."""
    for i in range(_LEAST, len(rows) - _LEAST):
        z = [row[3] for row in rows[i - 1 : i + 2]]
        if z[1] <= z[0] and z[1] < z[2]:
            before, after = rows[max(0, i - _SIDE) : i], rows[i + 1 : i + 1 + _SIDE]
            down, low, _ = _flight(before, rows[i][0])
            up, high, _ = _flight(after, rows[i][0])
            if not down[2] < 0 < up[2]:
                continue
            return rows[i][0] + (low[2] - high[2]) / (up[2] - down[2]), before, after
    return None


def spindoe(folder: File) -> list[Impact]:
    """Bounces of table tennis balls of cogsys-tuebingen/spindoe (``data/trajectories/trajectories.zip``, unpacked).

    ``folder`` holds ``index.csv`` (``traj_file``, ``x_spin``, ``y_spin``, ``z_spin``) and ``NNN.csv`` (t;x;y;z in s and m, z up).
    Each trajectory gives at most its first bounce on the table: flights of up to 12 frames on each side, without drag and
    Magnus force, are led to where they meet. The spin before it is that of the index; the spin after it was not measured.
    """
    root = Path(folder)
    found: list[Impact] = []
    inertia = 2 / 3 * BALL_MASS * BALL_RADIUS**2
    with open(root / "index.csv", encoding="utf-8-sig", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            try:
                spin, name = [float(row[f"{axis}_spin"]) for axis in "xyz"], f"{int(row['traj_file']):03d}"
            except (KeyError, TypeError, ValueError):
                raise ValueError(f"{root / 'index.csv'}:{number}: needs numbers traj_file, x_spin, y_spin and z_spin") from None
            bounce = _bounce(_trajectory(root / f"{name}.csv"))
            if bounce is None:
                continue
            time, before, after = bounce
            v0, _, s0 = _flight(before, time)
            v1, _, s1 = _flight(after, time)
            body = {"mass": BALL_MASS, "inertia": [inertia] * 3, "velocity": v0, "omega": spin}
            sigma = {"velocity": [math.hypot(a, b) for a, b in zip(s0, s1)], "omega": [1.0, 1.0, 1.0]}
            measured = {"a": {"velocity": v1, "omega": [None, None, None]}, "sigma": {"a": sigma}}
            contact = {"arm_a": [0, 0, -BALL_RADIUS], "normal": [0, 0, 1]}
            bodies = {"a": body, "b": {"fixed": True}}
            found.append({"name": name, "group": name, "bodies": bodies, "contact": contact, "measured": measured})
    return found
