"""Bodies, cases, pictures, and what the package says about itself."""

import inspect
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from conftest import ROOT

import carom


def test_a_ball_on_the_floor():
    ball = carom.Body.sphere(mass=2, radius=0.5, position=(0, 0, 0.5), velocity=(3, 0, -4), omega=(0, 1, 0))
    hit = carom.impact(ball, carom.Body.fixed(), (0, 0, 0), (0, 0, 1), "routh-stronge", e=0.5, mu=0.1)
    assert hit.a.velocity[2] == pytest.approx(2) and hit.b.velocity == (0, 0, 0)
    assert hit.p[2] == pytest.approx(12) and hit.impulse[0] == pytest.approx(-1.2)
    assert hit.energy.before == pytest.approx(0.5 * 2 * 25 + 0.5 * 0.4 * 2 * 0.25)
    after = 0.5 * 2 * sum(v * v for v in hit.a.velocity) + 0.5 * 0.2 * sum(w * w for w in hit.a.omega)
    assert hit.energy.after == pytest.approx(after, rel=1e-14)


def test_bodies_are_those_of_case_files():
    a = {"mass": 1.5, "inertia": [1, 2, 2.5], "velocity": [1, 2, -3], "omega": [0.1, 0, 2], "position": [0, 0, 1]}
    case = {
        "law": "routh-stronge",
        "coefficients": {"e": 0.6, "mu": 0.4},
        "bodies": {"a": a, "b": {"fixed": True, "position": [0, 0, 0]}},
        "contact": {"point": [0.2, 0.1, 0], "normal": [0, 0, 1]},
    }
    answer = carom.solve_case(case)
    hit = carom.impact(carom.Body(**a), carom.Body.fixed(), (0.2, 0.1, 0), (0, 0, 1), "routh-stronge", e=0.6, mu=0.4)
    assert tuple(answer["p"]) == hit.p
    assert tuple(answer["bodies"]["a"]["velocity"]) == hit.a.velocity


def test_shapes():
    assert carom.Body.box(size=(1, 2, 3), mass=12).inertia[:3] == pytest.approx((13, 10, 5))
    assert carom.Body.sphere(radius=1, density=1000).mass == pytest.approx(4000 * np.pi / 3)
    with pytest.raises(ValueError, match="radius must be > 0"):
        carom.Body.sphere(radius=-1, mass=1)
    with pytest.raises(TypeError, match="either mass or density"):
        carom.Body.sphere(radius=1)
    with pytest.raises(carom.Error, match="normal"):
        carom.impact(carom.Body(), carom.Body.fixed(), (0, 0, 0), (0, 0, 2), "newton")
    with pytest.raises(carom.Error, match="move"):
        carom.impact(carom.Body.fixed(), carom.Body.fixed(), (0, 0, 0), (0, 0, 1), "newton")


def test_refused_cases_name_the_key():
    with pytest.raises(carom.CaseError) as caught:
        carom.solve_case({"law": "newton", "reduced": {"K": [[1, 0], [0, 1]], "u": [0, "x"]}})
    assert caught.value.key.startswith("reduced.u")
    with pytest.raises(carom.CaseError, match="law"):
        carom.solve_case({"reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1]}})
    with pytest.raises(FileNotFoundError):
        carom.solve_case("nowhere.json")
    bad, good = list(carom.solve_cases([{}, {"law": "newton", "reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1]}}]))
    assert bad["status"] == "refused" and good["status"] == "ok"


def test_warnings_are_python_warnings():
    with pytest.warns(carom.CaromWarning):
        carom.solve_case({"law": "newton", "coefficients": {"e_t": 0.3}, "reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1]}})


def test_a_mechanism():
    case = {
        "law": "newton",
        "coefficients": {"e": 0.5},
        "mechanism": {"M": [[2, 0], [0, 1]], "J": [[1, 0], [0, 1]], "qdot": [0, -1]},
    }
    assert carom.solve_case(case)["qdot_after"] == [0, 0.5]


def test_pictures(tmp_path):
    case = {"law": "routh-stronge", "reduced": {"K": [[3.5, 0.5], [0.5, 1]], "u": [1, -1]}}
    picture = carom.plot("region", case)
    assert ET.fromstring(picture._repr_svg_()).tag.endswith("svg")
    picture.save(tmp_path / "region.png")
    assert (tmp_path / "region.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="no picture"):
        carom.plot("portrait", case)


def test_geometry_and_words():
    shapes = carom.geometry({"reduced": {"K": [[3.5, 0.5], [0.5, 1]], "u": [1, -1]}, "law": "newton"})
    assert json.dumps(shapes)
    assert "energy" in carom.explain("creates-energy")


def test_words_are_those_of_the_library():
    assert carom.Status.OK == 0 and carom.Status.SEPARATING.id == "separating"
    assert carom.Flag(3).words == ("penetrates", "creates-energy")
    assert carom.law("jia").family == "compliant"


def test_every_public_name_has_a_docstring():
    for name in carom.__all__:
        thing = getattr(carom, name)
        if name.isupper():
            continue
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and thing.__module__.startswith("carom"):
            for member, value in vars(thing).items():
                public = not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property))
                assert not public or inspect.getdoc(value), f"{name}.{member}"


def test_every_conversion_has_a_docstring():
    public = {n for n, v in vars(carom.convert).items() if inspect.isfunction(v) and not n.startswith("_")}
    assert public == set(carom.convert.__all__) and all(inspect.getdoc(getattr(carom.convert, n)) for n in public)


def test_every_public_name_is_on_the_page():
    page = (ROOT / "docs" / "api" / "python.md").read_text()
    assert [n for n in carom.__all__ if f"carom.{n}\n" not in page] == []
    names = re.findall(r"^\.\. (?:auto\w+|py:data):: carom\.(\w+)$", page, re.MULTILINE)
    apart = re.findall(r"^## carom\.(\w+)$", page, re.MULTILINE)  # modules that one imports by themselves
    assert sorted(n for n in names if n not in apart or n in carom.__all__) == sorted(carom.__all__), "each once"


def test_selftest():
    done = subprocess.run([sys.executable, "-m", "carom.selftest"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "0 failed" in done.stdout


def test_without_numpy():
    code = "import sys; sys.modules['numpy'] = None\nimport carom; print(carom.solve([[1,0],[0,1]],[0,-1],'newton',e=0).p)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "(0.0, 1.0)\n"
