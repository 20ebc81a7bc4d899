"""The simulator: runs, steps, and what it refuses."""

import json
import math
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import ROOT, run_program

import carom


def test_every_shipped_scene_is_in_the_package():
    assert set(carom.scenes()) == {p.stem for p in (ROOT / "scenes").glob("*.json")}
    assert carom.scene("break") == json.loads((ROOT / "scenes" / "break.json").read_text())


def test_a_bouncing_ball_rests_when_the_series_says():
    run = carom.simulate("bouncing-ball")
    want = math.sqrt(2 / 9.81) * (1 + 0.8) / (1 - 0.8)
    assert run.stop == "rest" and run.time == pytest.approx(want, abs=2e-9)
    assert len(run.impacts) == run.count == 100
    assert run.impacts[0].t == pytest.approx(math.sqrt(2 / 9.81), rel=1e-14)


@pytest.mark.parametrize("name", ["break", "galperin", "rocking-block", "bouncing-ball"])
def test_a_run_is_that_of_the_program(name, tmp_path):
    run = carom.simulate(name, rate=50)
    path, events = tmp_path / "run.jsonl", tmp_path / "events.jsonl"
    said = json.loads(run_program("sim", name, "--rate", "50", "-o", str(path), "--events", str(events), "--json")[1])
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [r["t"] for r in rows] == list(run.t)
    for body in run:
        assert [r["bodies"][body]["position"] for r in rows] == run[body].position.tolist()
        assert [r["bodies"][body]["velocity"] for r in rows] == run[body].velocity.tolist()
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    assert [(e["t"], e["kind"], e["a"], e["b"], e.get("answer")) for e in lines] == [
        (e.t, e.kind, e.a, e.b, e.answer) for e in run.events
    ]
    assert said["status"] == run.stop and said["impacts"] == run.count
    assert {k: getattr(run.ledger, k) for k in said["energy"]} == said["energy"]


def test_an_impact_of_a_run_is_a_case():
    for impact in carom.simulate("superball", impacts=4).impacts:
        assert carom.solve_case(impact.case) == impact.answer


def test_energy_and_ledger():
    run = carom.simulate("break", rate=30)
    assert run.energy[0] == run.ledger.before and run.energy[-1] == run.ledger.after
    causes = run.ledger.normal + run.ledger.friction + run.ledger.rest + run.ledger.sliding
    assert run.ledger.after - run.ledger.before == pytest.approx(causes, abs=1e-12)
    assert (np.diff(run.energy) < 1e-12).all()


def test_planar_runs_have_angles():
    run = carom.simulate("car-crash")
    assert run.dimension == 2
    name = run.names[0]
    track = run[name]
    assert track.position.shape == (len(run), 2) and track.angle.shape == track.omega.shape == (len(run),)


def test_changes_take_the_place_of_the_scenes():
    assert carom.simulate("bouncing-ball", e=0.5).time < carom.simulate("bouncing-ball", e=0.6).time
    short = carom.simulate("bouncing-ball", time=1, rate=10)
    assert short.stop == "time" and list(short.t) == pytest.approx(np.linspace(0, 1, 11))
    assert carom.simulate("bouncing-ball", impacts=7).count == 7
    assert carom.simulate("bouncing-ball", "newton", impacts=1).impacts[0].case["law"] == "newton"
    assert carom.simulate("bouncing-ball", log=False).impacts == []


def test_a_scene_of_your_own():
    ball = {"shape": {"sphere": {"radius": 0.5}}, "mass": 2, "position": [0, 0, 2], "velocity": [0, 0, -3]}
    floor = {"shape": {"half-space": {"normal": [0, 0, 1], "offset": 0}}, "fixed": True}
    run = carom.simulate({"law": "newton", "coefficients": {"e": 1}, "bodies": {"ball": ball, "floor": floor}, "until": {"time": 1}})
    assert run.impacts[0].t == pytest.approx(0.5) and run["ball"].velocity[-1].tolist() == [0, 0, 3]


def test_steps_and_snapshots():
    s = carom.Simulation("break")
    start = s.snapshot()
    assert s.advance(0.3) == "time" and s.time == 0.3
    state = [s[name] for name in s.names]
    s.restore(start)
    assert s.time == 0 and s.impacts == 0
    while s.next < 0.3:
        assert s.advance(events=1) in ("events", "time")
    s.advance_to(0.3)
    assert [s[name] for name in s.names] == state
    assert s.distance("cue", s.names[1]) > -1e-9
    with pytest.raises(ValueError, match="another simulation"):
        carom.Simulation("break").restore(start)
    with pytest.raises(TypeError, match="snapshot"):
        s.restore(b"no")


def test_the_next_impact():
    s = carom.Simulation("bouncing-ball")
    time, a, b = s.next_impact(5)
    assert (a, b) == ("ball", "table") and s.time == 0 and s.impacts == 0
    assert s.next_impact(0.4) is None
    s.advance(events=1)
    assert s.time == time and s.next_impact(5)[0] > time


def test_touches():
    s = carom.Simulation("bouncing-ball")
    s.advance(4.1)
    assert [(t.a, t.b) for t in s.touches] == [("ball", "table")] and s["ball"].resting
    assert (s["ball"].road, s["ball"].since, s["ball"].error) == ("exact", 0.0, 0.0)


def test_refusals_are_sentences():
    with pytest.raises(ValueError, match='did you mean "break"'):
        carom.simulate("braek")
    with pytest.raises(carom.CaseError, match="bodies"):
        carom.simulate({"law": "newton", "bodies": {}, "until": {"time": 1}})
    with pytest.raises(carom.CaseError, match=r"coefficients\.e") as caught:
        carom.simulate("break", e=3)
    assert caught.value.key == "coefficients.e"
    with pytest.raises(TypeError, match="did you mean 'mu'"):
        carom.simulate("break", friction=1)
    with pytest.raises(ValueError, match="no reading"):
        carom.simulate("break", phases="none")
    with pytest.raises(ValueError, match="rate"):
        carom.simulate("break", rate=0)
    with pytest.raises(FileNotFoundError):
        carom.simulate("nowhere.json")
    with pytest.raises(ValueError, match="unknown law"):
        carom.simulate("break", "newtn")
    with pytest.raises(KeyError, match="did you mean 'ball'"):
        carom.simulate("bouncing-ball", impacts=1)["bal"]
    scene = carom.scene("bouncing-ball")
    scene["bodies"]["ball"]["position"] = [0, 0, 0]
    with pytest.raises(carom.CaseError, match="ball"):
        carom.simulate(scene)


def test_other_threads_run_meanwhile():
    s = carom.Simulation("gas")
    seen = []
    thread = threading.Thread(target=lambda: s.advance(20, rest=False))
    thread.start()
    while thread.is_alive():
        try:
            seen.append(s.time)
        except RuntimeError as refusal:
            seen.append(str(refusal))
    thread.join()
    assert "another thread is advancing this simulation" in seen and s.time == 20


def test_a_signal_ends_a_run():
    def ring(number, frame):
        raise TimeoutError

    scene = carom.scene("gas")
    scene["until"] = {"time": 1e6}
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(TimeoutError):
            carom.simulate(scene, rate=1e-6, log=False)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_pictures_and_files(tmp_path):
    run = carom.simulate("bouncing-ball", e=0.7)
    assert run._repr_svg_().lstrip().startswith("<?xml") or "<svg" in run._repr_svg_()[:400]
    run.save(tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text().startswith("t,")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    ax = run.plot()
    assert run.plot(ax=ax) is ax and len(ax.lines) == 2


def test_without_numpy():
    code = (
        "import sys; sys.modules['numpy'] = None\nimport carom\n"
        "run = carom.simulate('bouncing-ball', rate=10)\nprint(run.t[1], run['ball'].position[0], len(run.impacts))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0.1 (0.0, 0.0, 1.1) 100\n"


def test_a_gradient_through_one_bounce():
    names = ["bodies.ball.position.2", "e"]
    g = carom.gradient("bouncing-ball", "bodies.ball.position.2", names, "newton", time=0.8)
    assert g.by == names and g.at == [1.1, 0.8]
    assert g.matrix[0] == pytest.approx([0.5892017810104148, 1.5435575344560164], abs=1e-12)
    t = carom.gradient("bouncing-ball", "time", "e", "newton", impacts=3)
    assert t.matrix[0][0] == pytest.approx(math.sqrt(2 / 9.81) * (2 + 4 * 0.8), rel=1e-12)


def test_a_gradient_that_is_not_there_says_why():
    with pytest.raises(carom.CaseError, match="through the rest of ball and table"):
        carom.gradient("bouncing-ball", "time", "e", "newton", time=5)
    with pytest.raises(TypeError, match="unknown coefficient"):
        carom.gradient("bouncing-ball", "time", "e", "newton", time=0.8, restitution=1)


def test_spread_to_first_order():
    p = carom.propagate("bouncing-ball", ["bodies.ball.position.2"], {"e": (0.8, 0.02)}, "newton", time=0.8, count=20)
    assert p["outcomes"][0]["deviation"] == pytest.approx(1.5435575344560164 * 0.02, rel=1e-12)
    assert p["draws"] == 20 and p["warnings"] == []


def test_advance_takes_a_duration_and_no_past_time():
    s = carom.Simulation("bouncing-ball")
    assert s.advance(0.125) == "time" and s.advance(0.125) == "time" and s.time == 0.25
    assert s.advance_to(0.5) == "time" and s.time == 0.5 and s.energy == s.ledger.after
    for bad in (-0.1, float("nan")):
        with pytest.raises(ValueError, match="duration"):
            s.advance(bad)
    with pytest.raises(ValueError, match="past"):
        s.advance_to(0.25)


def test_the_version_is_that_of_the_library():
    assert carom.__version__.count(".") == 2


def test_a_run_is_saved_as_the_program_writes_it(tmp_path):
    carom.simulate("bouncing-ball", time=1.0).save(tmp_path / "own.csv")
    status, _ = run_program("sim", "bouncing-ball", "--time", "1", "-o", str(tmp_path / "its.csv"))
    assert status == 0 and (tmp_path / "own.csv").read_bytes() == (tmp_path / "its.csv").read_bytes()
    with pytest.raises(carom.CaseError, match="ending"):
        carom.simulate("bouncing-ball", time=1.0).save(tmp_path / "run.gif")


def test_page_of_a_run(tmp_path) -> None:
    """The package holds the page that replays a run."""
    carom.simulate("bouncing-ball").save(tmp_path / "ball.html")
    page = (tmp_path / "ball.html").read_text()
    assert page.startswith("<!doctype html>") and 'id="run"' in page and "@RUN@" not in page
