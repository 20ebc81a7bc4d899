"""Converters on small files in the formats of the published sets, made here; the sets themselves are not shipped."""

from __future__ import annotations

import math
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

import carom
from carom import datasets


def element(kind: int, data: bytes, order: str = "<") -> bytes:
    return struct.pack(order + "II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def matrix(name: str, rows: list[list[float]], order: str = "<") -> bytes:
    """A double matrix, by columns."""
    columns = [x for column in zip(*rows) for x in column]
    body = element(6, struct.pack(order + "II", 6, 0), order)
    body += element(5, struct.pack(order + "ii", len(rows), len(rows[0])), order) + element(1, name.encode(), order)
    return element(14, body + element(9, struct.pack(f"{order}{len(columns)}d", *columns), order), order)


def structure(name: str, members: dict[str, list[list[float]]], order: str = "<") -> bytes:
    body = element(6, struct.pack(order + "II", 2, 0), order) + element(5, struct.pack(order + "ii", 1, 1), order)
    body += element(1, name.encode(), order)
    body += struct.pack(order + "I", 4 << 16 | 5) + struct.pack(order + "i", 32)  # a small element
    body += element(1, b"".join(key.encode().ljust(32, b"\0") for key in members), order)
    return element(14, body + b"".join(matrix("", rows, order) for rows in members.values()), order)


def write(path: Path, *variables: bytes, compress: bool = False, order: str = "<") -> Path:
    head = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack(order + "H", 0x0100) + (b"IM" if order == "<" else b"MI")
    body = b""
    for v in variables:
        packed = zlib.compress(v)
        body += struct.pack(order + "II", 15, len(packed)) + packed if compress else v
    path.write_bytes(head + body)
    return path


def ellipse_case(i: int) -> tuple[list[float], list[float], list[float], list[float]]:
    """An impact with e and mu of its own by routh-stronge, in the words of the file: v_x has the other sign."""
    angle = 0.3 + 0.41 * i
    a, b = datasets.ELLIPSE_AXES
    c, s = math.cos(angle), math.sin(angle)
    reach = math.hypot(a * s, b * c)  # of the lowest point below the centre
    arm = [-(a * a - b * b) * s * c / reach, -reach]
    inertia = datasets.ELLIPSE_MASS * (a * a + b * b) / 4
    before = {"velocity": [0.4 - 0.13 * i, -1.7], "omega": 3.1 * i - 5}
    bodies = {"a": {"mass": datasets.ELLIPSE_MASS, "inertia": inertia, **before}, "b": {"fixed": True}}
    case = {"law": "routh-stronge", "coefficients": {"e": 0.59, "mu": 0.11}, "bodies": bodies}
    after: Any = carom.solve_case({**case, "contact": {"arm_a": arm, "normal": [0, 1]}})["bodies"]["a"]
    place = [0.2, 0.1, angle]
    first = [*place, -before["velocity"][0], before["velocity"][1], before["omega"]]  # type: ignore[index]
    last = [*place, -after["velocity"][0], after["velocity"][1], after["omega"]]
    return first, last, [0.0, 1.0, arm[0]], [1.0, 0.0, -arm[1]]


def ellipse_file(path: Path, **how: Any) -> Path:
    cases = [ellipse_case(i) for i in range(12)]
    members = {key: [case[k] for case in cases] for k, key in enumerate(("states_i", "states_f", "n", "d"))}
    return write(path, structure("data", members, how.get("order", "<")), **how)


@pytest.mark.parametrize("how", [{}, {"compress": True}, {"order": ">"}])
def test_ellipse(tmp_path: Path, how: dict[str, Any]) -> None:
    impacts = datasets.mcube_ellipse(ellipse_file(tmp_path / "data_ellipse.mat", **how))
    assert len(impacts) == 12
    assert max(abs(datasets.ellipse_closure(m)) for m in impacts) < 1e-9
    printed = datasets.mcube_ellipse(tmp_path / "data_ellipse.mat", sign=1)
    assert max(abs(datasets.ellipse_closure(m)) for m in printed) > 10
    found = carom.fit(impacts, "routh-stronge", noise="scale", folds=0).estimate
    assert abs(found["e"] - 0.59) < 1e-6 and abs(found["mu"] - 0.11) < 1e-6


def test_matlab_numbers(tmp_path: Path) -> None:
    path = write(tmp_path / "a.mat", matrix("x", [[1.5, 2.385], [-3, 4]]), structure("s", {"y": [[7.25]]}))
    found = datasets.read_matlab(path)
    assert found["x"].row(0) == [1.5, 2.385] and found["x"].row(1) == [-3, 4]
    assert found["s"][0]["y"].values == [7.25]


def test_matlab_of_scipy(tmp_path: Path) -> None:
    io = pytest.importorskip("scipy.io")
    io.savemat(tmp_path / "a.mat", {"data": {"states_i": [[1, 2], [3, 2.385]]}, "text": "word"}, do_compression=True)
    found = datasets.read_matlab(tmp_path / "a.mat")
    assert found["data"][0]["states_i"].row(1) == [3, 2.385] and found["text"] is None


def test_matlab_refusals(tmp_path: Path) -> None:
    whole = ellipse_file(tmp_path / "a.mat").read_bytes()
    (tmp_path / "b.mat").write_bytes(b"\x89HDF" + whole[4:100])
    with pytest.raises(datasets.MatlabError, match="b.mat: not a MATLAB 5 file"):
        datasets.read_matlab(tmp_path / "b.mat")
    for size in range(129, len(whole), 37):  # every damaged file is one line, and none is read in part
        (tmp_path / "c.mat").write_bytes(whole[:size])
        with pytest.raises(datasets.MatlabError, match="c.mat: "):
            datasets.mcube_ellipse(tmp_path / "c.mat")
    with pytest.raises(datasets.MatlabError, match="needs a struct data"):
        datasets.mcube_ellipse(write(tmp_path / "d.mat", matrix("data", [[1.0]])))
    short = {"states_i": [[0.0] * 6], "states_f": [[0.0] * 6], "n": [[0.0, 2.0, 0.0]], "d": [[1.0, 0.0, 0.0]]}
    with pytest.raises(datasets.MatlabError, match="impact 0: the normal has length 2"):
        datasets.mcube_ellipse(write(tmp_path / "e.mat", structure("data", short)))


def ball(path: Path, e: float, mu: float, spin: list[float], speed: list[float]) -> None:
    """A ball that bounces at t = 0.2013 s and flies on, without drag; 350 frames per second."""
    inertia = 2 / 3 * datasets.BALL_MASS * datasets.BALL_RADIUS**2
    body = {"mass": datasets.BALL_MASS, "inertia": [inertia] * 3, "velocity": speed}
    bodies = {"a": {**body, "omega": spin}, "b": {"fixed": True}}
    case = {"law": "routh-stronge", "coefficients": {"e": e, "mu": mu}, "bodies": bodies}
    contact = {"arm_a": [0, 0, -datasets.BALL_RADIUS], "normal": [0, 0, 1]}
    after: Any = carom.solve_case({**case, "contact": contact})["bodies"]["a"]["velocity"]
    lines = []
    for k in range(140):
        t = k / 350 - 0.2013
        v = speed if t < 0 else after
        x = [v[0] * t, v[1] * t, 0.02 + v[2] * t - 9.81 / 2 * t * t]
        lines.append(";".join(f"{n:.12g}" for n in (k / 350, *x)))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_spindoe(tmp_path: Path) -> None:
    index = ["traj_file,x_spin,y_spin,z_spin"]
    for i in range(6):
        spin = [40.0 * i - 90, 210.0 - 77 * i, 12.5]
        ball(tmp_path / f"{i:03d}.csv", 0.89, 0.21, spin, [3.1 - 0.4 * i, 0.3, -2.9])
        index.append(f"{i},{spin[0]},{spin[1]},{spin[2]}")
    (tmp_path / "index.csv").write_text("\n".join(index) + "\n", encoding="utf-8")
    impacts = datasets.spindoe(tmp_path)
    assert len(impacts) == 6
    found = carom.fit(impacts, "routh-stronge", noise="scale", folds=0).estimate
    assert abs(found["e"] - 0.89) < 1e-6 and abs(found["mu"] - 0.21) < 1e-6


def test_spindoe_refusals(tmp_path: Path) -> None:
    ball(tmp_path / "000.csv", 0.89, 0.21, [1.0, 2.0, 3.0], [3.1, 0.3, -2.9])
    (tmp_path / "index.csv").write_text("traj_file,x_spin,y_spin,z_spin\n0,1,2,3\n", encoding="utf-8")
    lines = (tmp_path / "000.csv").read_text(encoding="utf-8").splitlines()
    for text, message in (
        ("\n".join([lines[1], lines[0], *lines[2:]]), "000.csv:2: times do not increase"),
        ("\n".join([*lines[:7], "0.02;one;0;0", *lines[8:]]), "000.csv:8: not four numbers"),
        ("\n".join(";".join(f"{float(x) * (1000 if k else 1):g}" for k, x in enumerate(w.split(";"))) for w in lines), "metres"),
    ):
        (tmp_path / "000.csv").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=message):
            datasets.spindoe(tmp_path)
    (tmp_path / "index.csv").write_text("file,spin\n0,1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="index.csv:2: needs numbers traj_file"):
        datasets.spindoe(tmp_path)
