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
