"""Free bodies with joints between them, loops included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from . import _core
from ._bodies import Body, Reduced
from ._solve import Outcome
from ._words import hint, rule

_KINDS = {
    "ball": (0, 3),
    "hinge": (0, 1),
    "universal": (0, 2),
    "weld": (0, 0),
    "slider": (1, 0),
    "cylinder": (1, 1),
    "point-on-line": (1, 3),
    "point-on-plane": (2, 3),
}


class Joint(NamedTuple):
    """A joint between bodies ``a`` and ``b`` (or "world"), at a point and along axes given in the world.

    ``kind`` is ball, hinge, universal, weld, slider, cylinder, point-on-line or point-on-plane; or a pair of freedoms
    (linear, angular), 0 to 3 each. ``axis_b`` is the axis in b, if it is another (universal).
    """

    a: str
    b: str
    kind: str | tuple[int, int]
    point: Sequence[float]
    axis: Sequence[float] = (0.0, 0.0, 1.0)
    axis_b: Sequence[float] | None = None


class Linkage:
    """Bodies held together by joints that are made of impulses; an impact reaches everything the joints reach.

    >>> rod = Body(mass=3, inertia=(0.25, 0.25, 0.001), position=(0, 0, -0.5))
    >>> pendulum = Linkage({"rod": rod}, [Joint("rod", "world", "hinge", (0, 0, 0), (0, 1, 0))], gravity=(0, 0, -9.81))
    >>> round(1 / pendulum.reduce("rod", point=(0, 0, -1), normal=(1, 0, 0)).K[2][2], 12)
    1.0
    """

    def __init__(self, bodies: Mapping[str, Body], joints: Sequence[Joint], gravity: Sequence[float] = (0.0, 0.0, 0.0)) -> None:
        self._bodies = dict(bodies)
        self._names = list(bodies)
        rows = [self._row(joint) for joint in joints]
        self._joined = _core.Joined([b._tuple() for b in bodies.values()], rows, tuple(gravity))

    def _number(self, name: str) -> int:
        if name == "world":
            return -1
        if name not in self._names:
            raise KeyError(f"no body is called {name!r}{hint(name, self._names)}")
        return self._names.index(name)

    def _row(self, joint: Joint) -> tuple[Any, ...]:
        if isinstance(joint.kind, str) and joint.kind not in _KINDS:
            raise ValueError(f"no joint is called {joint.kind!r}{hint(joint.kind, _KINDS)}")
        linear, angular = _KINDS[joint.kind] if isinstance(joint.kind, str) else joint.kind
        axis_b = joint.axis if joint.axis_b is None else joint.axis_b
        ends = (self._number(joint.a), self._number(joint.b), linear, angular)
        return (*ends, tuple(joint.point), tuple(joint.axis), tuple(axis_b))

    def __getitem__(self, name: str) -> Body:
        """A body where it is now."""
        if name == "world":
            raise KeyError("the world is no body")
        position, orientation, velocity, omega = self._joined.body(self._number(name))
        motion = {"position": position, "orientation": orientation, "velocity": velocity, "omega": omega}
        return self._bodies[name]._replace(**motion)

    @property
    def kinetic(self) -> float:
        """Kinetic energy, J."""
        return self._joined.energy[0]

    @property
    def potential(self) -> float:
        """Energy in gravity, J."""
        return self._joined.energy[1]

    @property
    def errors(self) -> tuple[float, float]:
        """The largest opening of a joint, m and rad."""
        return self._joined.errors

    def correct(self) -> None:
        """Close every joint to 1e-10 by correction impulses."""
        self._joined.correct()

    def constrain(self) -> None:
        """Change the velocities as little as possible so that every joint stays closed."""
        self._joined.constrain()

    def advance(self, time: float) -> None:
        """Move under gravity for a time."""
        self._joined.advance(float(time))

    def _contact(self, a: str, b: str, point: Sequence[float], normal: Sequence[float]) -> tuple[Any, ...]:
        return (self._number(a), self._number(b), tuple(point), tuple(normal), None)

    def reduce(self, a: str, b: str = "world", *, point: Sequence[float], normal: Sequence[float]) -> Reduced:
        """K, u and axes of a contact at a point of the world, joints and all; the normal points from b to a."""
        return Reduced(*self._joined.reduce(self._contact(a, b, point, normal)))

    def impact(
        self,
        a: str,
        b: str = "world",
        *,
        point: Sequence[float],
        normal: Sequence[float],
        law: str | _core.Rule = "routh-stronge",
        **coefficients: Any,
    ) -> Outcome:
        """Body a strikes b: every jointed body changes its velocity at once."""
        outcome: Outcome = self._joined.impact(self._contact(a, b, point, normal), rule(law, **coefficients))
        return outcome

    def __repr__(self) -> str:
        """One line."""
        return f"Linkage({', '.join(self._names)})"
