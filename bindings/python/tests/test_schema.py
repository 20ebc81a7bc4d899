"""The JSON Schemas of the formats agree with the readers on every case of the tree, and on bad ones."""

import copy
import json
import shutil
import subprocess
import sys
import warnings

import pytest
from conftest import ROOT, VECTORS, read_lines

import carom

jsonschema = pytest.importorskip("jsonschema")

CASE = jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "schema" / "case.json").read_text()))
SCENE = jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "schema" / "scene.json").read_text()))

BALL = json.loads((ROOT / "examples" / "cases" / "ball.json").read_text())
SHIPPED = carom.scene("bouncing-ball")


def accepts(case):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            carom.solve_case(case)
        return True
    except carom.CaseError:
        return False


def test_the_schemas_are_current(tmp_path):
    subprocess.run([sys.executable, str(ROOT / "tools" / "make-formats"), "--schema", str(tmp_path)], check=True)
    for name in ("case", "scene"):
        said = (tmp_path / f"{name}.json").read_text()
        assert said == (ROOT / "docs" / "schema" / f"{name}.json").read_text(), "run tools/make-formats --schema"


def test_a_row_of_a_manifest_changes_the_schema(tmp_path):
    for folder in ("include/carom", "tools"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    rows = tmp_path / "include" / "carom" / "case.def"
    old = 'CAROM_KEY(body, fixed, FLAG, "", "`false`"'
    assert old in rows.read_text()
    rows.write_text(rows.read_text().replace(old, 'CAROM_KEY(body, nailed, FLAG, "", "needed"'))
    subprocess.run([sys.executable, str(tmp_path / "tools" / "make-formats"), "--schema", str(tmp_path)], check=True)
    body = json.loads((tmp_path / "case.json").read_text())["$defs"]["body"]
    assert body["properties"]["nailed"]["type"] == "boolean" and "nailed" in body["required"] and "fixed" not in body["properties"]


def test_schemas_are_schemas():
    for schema in (CASE, SCENE):
        jsonschema.Draft202012Validator.check_schema(schema.schema)


def test_every_vector_is_valid(vectors):
    for case in read_lines(vectors)[:300]:
        if not CASE.is_valid(case):
            assert not accepts(case), f"{case.get('name')}: {jsonschema.exceptions.best_match(CASE.iter_errors(case)).message}"


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "cases").glob("*.json*")), ids=lambda p: p.stem)
def test_every_example_is_valid(path):
    if path.suffix == ".json":
        CASE.validate(json.loads(path.read_text()))
        return
    cases = read_lines(path)
    assert [CASE.is_valid(c) for c in cases] == [accepts(c) for c in cases], "a stream may hold lines that are refused"


@pytest.mark.parametrize("path", sorted((ROOT / "scenes").glob("*.json")), ids=lambda p: p.stem)
def test_every_scene_is_valid(path):
    SCENE.validate(json.loads(path.read_text()))


def test_impacts_of_a_run_are_valid_cases():
    for impact in carom.simulate("break", time=0.2).impacts:
        CASE.validate(impact.case)


BAD_CASES = [
    ("colour", "red"),
    ("law", "newtn"),
    ("coefficients.friction", 0.3),
    ("coefficients.e", 2),
    ("coefficients.mu", -1),
    ("coefficients.mu", "much"),
    ("coefficients.eta", 0),
    ("coefficients.annuli", 5000),
    ("bodies.a.mass", "1"),
    ("bodies.a.velocity", [1]),
    ("bodies.a.velocity", [1, 2, 3, 4]),
    ("bodies.a.inertia", [1, 2]),
    ("bodies.a.orientation", [1, 0, 0]),
    ("bodies.a.weight", 3),
    ("bodies.a.shape", {"ball": {"radius": 1}}),
    ("bodies.a.shape", {"sphere": {"radius": -1}}),
    ("bodies.a.shape", {"sphere": {"radius": 1}, "box": {"size": [1, 1, 1]}}),
    ("contact.normal", "up"),
    ("contact.depth", 0.1),
    ("reduced", {"K": [[1, 0], [0, 1]], "u": [0, -1]}),
    ("grazing", "sometimes"),
    ("name", 7),
]


@pytest.mark.parametrize("path,value", BAD_CASES, ids=lambda x: str(x)[:30])
def test_bad_cases_are_refused_by_both(path, value):
    assert CASE.is_valid(BALL)
    bad = changed(BALL, path, value)
    assert not accepts(bad) and not CASE.is_valid(bad)


BAD_SCENES = [
    ("bodies", {}),
    ("bodies.world", {"shape": {"sphere": {"radius": 1}}, "mass": 1}),
    ("bodies.ball.shape", {"half-space": {"normal": [0, 0, 1]}}),
    ("bodies.ball.mass", 0),
    ("bodies.ball.materials", "ivory"),
    ("until", {}),
    ("until", {"rest": True}),
    ("until.time", -1),
    ("gravity", 9.81),
    ("drag", {}),
    ("drag", {"linear": -1}),
    ("bodies.ball.drag", {"cubic": 1}),
    ("bodies.ball.magnus", {}),
    ("wind", 3),
    ("rolling", -1),
    ("bodies.table.path", {}),
    ("bodies.table.path", {"harmonic": {"amplitude": [0, 0, 1]}}),
    ("bodies.table.path", {"points": [{"time": 0}]}),
    ("dimension", 4),
    ("pairs", [{"between": ["a"]}]),
    ("together", "newton"),
    ("output.rate", 0),
    ("law", None),
]


@pytest.mark.parametrize("path,value", BAD_SCENES, ids=lambda x: str(x)[:30])
def test_bad_scenes_are_refused_by_both(path, value):
    assert SCENE.is_valid(SHIPPED)
    bad = changed(SHIPPED, path, value)
    assert not SCENE.is_valid(bad)
    with pytest.raises(carom.CaseError):
        carom.simulate(bad)


def changed(document, path, value):
    made = copy.deepcopy(document)
    *parents, last = path.split(".")
    place = made
    for key in parents:
        place = place.setdefault(key, {})
    if value is None:
        del place[last]
    else:
        place[last] = value
    return made


def test_there_are_vectors():
    assert len(VECTORS) > 5
