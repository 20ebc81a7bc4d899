"""Gradients through a run: how its end changes with its inputs, and how far it spreads with theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ._cases import request
from ._simulate import Scene, _rule_changes, _text

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Gradient(NamedTuple):
    """Outcomes by inputs: ``matrix[i][k]`` is the derivative of ``of[i]`` by ``by[k]``.

    ``values`` are those of the outcomes and ``at`` those of the inputs (None for rotations in space); ``kinks`` counts impacts
    on a border of their law.
    """

    of: list[str]
    values: list[float | None]
    by: list[str]
    at: list[float | None]
    matrix: NDArray[Any] | list[list[float]]
    kinks: int


def _names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _ask(name: str, scene: Scene, law: str | None, settings: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    text, file = _text(scene)
    _rule_changes(law, settings)
    changed = {k: "infinite" if isinstance(v, float) and v == float("inf") else v for k, v in settings.items()}
    answer: dict[str, Any] = request(name, text, file, {**options, "law": law, "set": changed or None})
    return answer


def gradient(
    scene: Scene,
    of: str | Sequence[str],
    by: str | Sequence[str],
    law: str | None = None,
    *,
    time: float | None = None,
    impacts: int | None = None,
    method: str | None = None,
    one_sided: bool = False,
    **settings: Any,
) -> Gradient:
    """How the end of a run changes with its inputs, exactly, through every impact.

    ``of`` names numbers of the end (``bodies.ball.position``, one component ``bodies.ball.position.2``, ``time``), ``by``
    those of the start, masses, ``gravity`` and coefficients. The run ends at a time, or with its last impact where ``impacts``
    limits it. A run without a gradient raises ``CaseError``, which says what happened and when; ``one_sided`` takes the
    branch of the law at a kink.

    >>> g = gradient("bouncing-ball", "bodies.ball.position.2", "bodies.ball.position.2,e", "newton", time=0.8)
    >>> [f"{x:.12f}" for x in g.matrix[0]]
    ['0.589201781010', '1.543557534456']
    """
    options = {"of": _names(of), "by": _names(by), "time": time, "impacts": impacts, "method": method, "one_sided": one_sided}
    g = _ask("gradient", scene, law, settings, options)["gradient"]
    try:
        import numpy as np

        matrix: Any = np.array(g["matrix"])
    except ImportError:
        matrix = g["matrix"]
    return Gradient(g["of"], g["values"], g["by"], g["at"], matrix, g["kinks"])


def propagate(
    scene: Scene,
    of: str | Sequence[str],
    random: Mapping[str, tuple[float, float]],
    law: str | None = None,
    *,
    time: float | None = None,
    impacts: int | None = None,
    count: int | None = None,
    seed: int | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """How far outcomes spread when inputs are normal with (mean, deviation), to first order.

    The answer has ``outcomes`` with mean, deviation, those of ``count`` draws and the share of each input, their
    ``covariance``, and ``warnings`` where the first order is not to be trusted.

    >>> p = propagate("bouncing-ball", "bodies.ball.position.2", {"e": (0.8, 0.02)}, "newton", time=0.8, count=50)
    >>> round(p["outcomes"][0]["deviation"], 9), p["warnings"]
    (0.030871151, [])
    """
    draws = {name: f"normal:{float(mean)!r}:{float(deviation)!r}" for name, (mean, deviation) in random.items()}
    options = {"of": _names(of), "random": draws, "time": time, "impacts": impacts, "count": count, "seed": seed}
    answer: dict[str, Any] = _ask("propagate", scene, law, settings, options)["propagation"]
    return answer


def reconstruct(
    scene: Scene,
    want: Mapping[str, Sequence[float | None]],
    vary: str | Sequence[str],
    law: str | None = None,
    *,
    sigma: Mapping[str, Sequence[float | None]] | None = None,
    time: float | None = None,
    impacts: int | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """The inputs of a scene for which bodies end where they were found (``carom reconstruct --json``); None is a number not known.

    ``want`` has numbers of the end, ``vary`` names paths of numbers or arrays in the scene, or coefficients. ``sigma`` has the
    standard deviations of the wanted numbers: the answer then has a ``covariance`` of the ``inputs``.

    >>> ball = {"shape": {"sphere": {"radius": 0.03}}, "mass": 1, "velocity": [1, 0, 0]}
    >>> scene = {"law": "newton", "bodies": {"ball": ball}, "until": {"time": 0.5, "rest": False}}
    >>> answer = reconstruct(scene, {"bodies.ball.position": [2]}, "bodies.ball.velocity.0")
    >>> round(answer["inputs"]["bodies.ball.velocity.0"], 9), answer["met"]
    (4.0, True)
    """
    options = {
        "want": {key: list(values) for key, values in want.items()},
        "sigma": {key: list(values) for key, values in sigma.items()} if sigma else None,
        "vary": _names(vary),
        "time": time,
        "impacts": impacts,
    }
    answer: dict[str, Any] = _ask("reconstruct", scene, law, settings, options)
    return answer
