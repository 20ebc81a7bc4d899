"""Two bodies that touch: describe them, strike, read the velocities after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _core
from ._solve import Energy, Outcome
from ._words import rule

_ZERO = (0.0, 0.0, 0.0)


class Body(NamedTuple):
    """A rigid body. Inertia is about the centre of mass in body axes: three moments, or (xx, yy, zz, xy, xz, yz).

    >>> ball = Body.sphere(mass=0.17, radius=0.03, velocity=(3, 0, -1))
    >>> round(ball.inertia[0], 9)
    6.12e-05
    """

    mass: float = 1.0
    inertia: Sequence[float] = (1.0, 1.0, 1.0)
    orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    position: Sequence[float] = _ZERO
    velocity: Sequence[float] = _ZERO
    omega: Sequence[float] = _ZERO
    is_fixed: bool = False
    shape: dict[str, Any] | None = None

    @classmethod
    def fixed(cls, **motion: Any) -> Body:
        """The ground, a wall, a driven anvil: a body that impulses do not move."""
        return cls(is_fixed=True, **motion)

    @classmethod
    def _of(cls, word: str, sizes: dict[str, float], mass: float | None, density: float | None, motion: dict[str, Any]) -> Body:
        if (mass is None) == (density is None):
            raise TypeError(f"{word}: give either mass or density")
        three = [*sizes.values(), 0.0, 0.0, 0.0][:3]
        for name, size in sizes.items():
            if not size > 0:
                raise ValueError(f"{word}: {name} must be > 0")
        if density is not None:
            volume = _core.shape(word, 1.0, *three)[2]
            if not volume > 0:
                raise ValueError(f"a {word} has no volume: give its mass")
            mass = density * volume
        body_mass, inertia, _ = _core.shape(word, float(mass or 0), *three)
        return cls(mass=body_mass, inertia=inertia, shape={word: sizes}, **motion)

    @classmethod
    def sphere(cls, *, radius: float, mass: float | None = None, density: float | None = None, **motion: Any) -> Body:
        """A homogeneous ball."""
        return cls._of("sphere", {"radius": radius}, mass, density, motion)

    @classmethod
    def hollow_sphere(
        cls, *, radius: float, inner: float, mass: float | None = None, density: float | None = None, **motion: Any
    ) -> Body:
        """A shell between two radii."""
        return cls._of("hollow-sphere", {"radius": radius, "inner": inner}, mass, density, motion)

    @classmethod
    def box(
        cls, *, size: Sequence[float], mass: float | None = None, density: float | None = None, **motion: Any
    ) -> Body:
        """A box with these full lengths."""
        x, y, z = size
        return cls._of("box", {"x": x, "y": y, "z": z}, mass, density, motion)

    @classmethod
    def cylinder(
        cls, *, radius: float, length: float, mass: float | None = None, density: float | None = None, **motion: Any
    ) -> Body:
        """A cylinder along z."""
        return cls._of("cylinder", {"radius": radius, "length": length}, mass, density, motion)

    @classmethod
    def cone(
        cls, *, radius: float, height: float, mass: float | None = None, density: float | None = None, **motion: Any
    ) -> Body:
        """A cone along z."""
        return cls._of("cone", {"radius": radius, "height": height}, mass, density, motion)

    @classmethod
    def capsule(
        cls, *, radius: float, length: float, mass: float | None = None, density: float | None = None, **motion: Any
    ) -> Body:
        """A capsule along z; length is the length of the straight part."""
        return cls._of("capsule", {"radius": radius, "length": length}, mass, density, motion)

    @classmethod
    def rod(cls, *, length: float, mass: float, **motion: Any) -> Body:
        """A thin rod along z."""
        return cls._of("rod", {"length": length}, mass, None, motion)

    @classmethod
    def disk(cls, *, radius: float, mass: float, **motion: Any) -> Body:
        """A thin disk with its axis along z."""
        return cls._of("disk", {"radius": radius}, mass, None, motion)

    @classmethod
    def ellipsoid(
        cls, *, semi_axes: Sequence[float], mass: float | None = None, density: float | None = None, **motion: Any
    ) -> Body:
        """An ellipsoid with these semi-axes."""
        a, b, c = semi_axes
        return cls._of("ellipsoid", {"x": a, "y": b, "z": c}, mass, density, motion)

    def _tuple(self) -> tuple[Any, ...]:
        inertia = tuple(self.inertia) if len(self.inertia) == 6 else (*self.inertia, 0.0, 0.0, 0.0)
        if len(inertia) != 6:
            raise ValueError("inertia needs 3 principal moments, or 6 numbers (xx, yy, zz, xy, xz, yz)")
        return (
            float(self.mass), inertia, tuple(self.orientation), tuple(self.position), tuple(self.velocity),
            tuple(self.omega), bool(self.is_fixed),
        )  # fmt: skip


class Reduced(NamedTuple):
    """What two bodies are at their contact: K, u, and the contact axes (t1, t2, n) in world axes."""

    K: tuple[tuple[float, ...], ...]
    u: tuple[float, ...]
    axes: tuple[tuple[float, ...], ...]


class Hit(NamedTuple):
    """An impact of two bodies: the bodies after it, the impulse on A in world axes, and the outcome."""

    a: Body
    b: Body
    impulse: tuple[float, ...]
    axes: tuple[tuple[float, ...], ...]
    outcome: Outcome
    energy: Energy

    def __getattr__(self, name: str) -> Any:
        """Everything else is the outcome's: ``hit.p``, ``hit.mode`` ..."""
        if name.startswith("_") or name == "outcome":
            raise AttributeError(name)
        return getattr(self.outcome, name)


def reduce(a: Body, b: Body, point: Sequence[float], normal: Sequence[float], t1: Sequence[float] | None = None) -> Reduced:
    """K and u of two bodies that touch at ``point``; ``normal`` points from B to A.

    >>> reduce(Body.sphere(mass=1, radius=1, position=(0, 0, 1), velocity=(0, 0, -2)), Body.fixed(), (0, 0, 0), (0, 0, 1)).u
    (0.0, 0.0, -2.0)
    """
    return Reduced(*_core.reduce(a._tuple(), b._tuple(), tuple(point), tuple(normal), None if t1 is None else tuple(t1)))


def impact(
    a: Body,
    b: Body,
    point: Sequence[float],
    normal: Sequence[float],
    law: str | _core.Rule = "routh-stronge",
    *,
    t1: Sequence[float] | None = None,
    **coefficients: Any,
) -> Hit:
    """Two bodies collide at ``point``; ``normal`` points from B to A.

    >>> ball = Body.sphere(mass=1, radius=1, position=(0, 0, 1), velocity=(0, 0, -2))
    >>> hit = impact(ball, Body.fixed(), point=(0, 0, 0), normal=(0, 0, 1), law="newton", e=0.5)
    >>> hit.a.velocity
    (0.0, 0.0, 1.0)
    """
    r = rule(law, **coefficients)
    got = _core.impact(a._tuple(), b._tuple(), tuple(point), tuple(normal), None if t1 is None else tuple(t1), r)
    outcome, after_a, after_b, impulse, axes, before = got
    ledger = outcome.energy
    energy = Energy(before, before + ledger.change, ledger.change, ledger.normal, ledger.friction)
    body_a = a._replace(velocity=after_a[0], omega=after_a[1])
    body_b = b._replace(velocity=after_b[0], omega=after_b[1])
    return Hit(body_a, body_b, impulse, axes, outcome, energy)
