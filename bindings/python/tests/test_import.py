"""Models of other programs."""

from pathlib import Path

import carom
import pytest

MODELS = Path(__file__).resolve().parents[3] / "tests" / "data" / "import"


def test_scene_runs() -> None:
    scene, losses = carom.import_model(MODELS / "cart.sdf")
    assert losses == []
    assert [link["name"] for link in scene["links"]] == ["cart/chassis", "cart/wheel"]
    assert carom.Simulation(scene).run(0.05) is not None


def test_losses_and_errors(tmp_path: Path) -> None:
    lost = tmp_path / "lost.sdf"
    lost.write_text((MODELS / "ball.sdf").read_text().replace("</model>", "<plugin/></model>"))
    _, losses = carom.import_model(lost)
    assert losses == [{"line": 2, "element": "sdf/model/plugin", "meaning": "a program"}]
    with pytest.raises(ValueError, match="No such file"):
        carom.import_model(tmp_path / "none.urdf")


def test_export(tmp_path: Path) -> None:
    scene, _ = carom.import_model(MODELS / "hopper.xml")
    for name in ("hopper.xml", "hopper.sdf"):
        losses = carom.export_model(scene, tmp_path / name)
        assert "law" in [loss["element"] for loss in losses]
        again, lost = carom.import_model(tmp_path / name)
        assert not lost
        assert [link["mass"] for link in again["links"]] == [link["mass"] for link in scene["links"]]
    assert again["gravity"] == scene["gravity"]
    with pytest.raises(ValueError, match="which format"):
        carom.export_model(scene, tmp_path / "hopper.urdf")
    with pytest.raises(carom.CaseError, match="dimension"):
        carom.export_model("car-crash", tmp_path / "planar.xml")


def test_landing_as_a_case(tmp_path: Path) -> None:
    (tmp_path / "ball.urdf").write_text(
        '<robot name="r"><link name="a"><inertial><mass value="2"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial>'
        '<collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>'
    )
    scene, _ = carom.import_model(tmp_path / "ball.urdf", ground=0.2)
    assert abs(scene["bodies"]["ground"]["shape"]["half-space"]["offset"] + 0.3) < 1e-12
    case, _ = carom.import_model(tmp_path / "ball.urdf", ground=0.2, impact=1)
    (answer,) = carom.solve_cases([{**case, "coefficients": {"e": 0.5, "mu": 0}}])
    assert answer is not None
    with pytest.raises(ValueError, match="the run has 0 impacts"):
        carom.import_model(tmp_path / "ball.urdf", impact=1)
