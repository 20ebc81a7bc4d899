"""Trees of links: describe a mechanism, move it, let it strike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from . import _core
from ._bodies import Reduced
from ._several import Together, _solve_together
from ._solve import Outcome
from ._words import hint, rule

_ZERO = (0.0, 0.0, 0.0)


class Link(NamedTuple):
    """A link and the joint that carries it; parents come before their children.

    ``joint`` is fixed, revolute, prismatic, spherical, planar or free, about or along ``axis``. Its frame is placed in the
    parent's frame by ``origin`` and ``rotation`` (w, x, y, z). Mass, centre of mass and inertia (three moments, or xx, yy,
    zz, xy, xz, yz, about the centre of mass) are given in the link's frame, which sits at the joint.
    """

    name: str
    parent: str = "world"
    joint: str = "revolute"
    axis: Sequence[float] = (0.0, 0.0, 1.0)
    origin: Sequence[float] = _ZERO
    rotation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    mass: float = 1.0
    com: Sequence[float] = _ZERO
    inertia: Sequence[float] = (1.0, 1.0, 1.0)


class Contact(NamedTuple):
    """Link ``link`` touches ``against`` at ``point``, given in the link's frame; ``normal`` (world axes) points to the link."""

    link: str
    point: Sequence[float]
    normal: Sequence[float]
    against: str = "world"
    t1: Sequence[float] | None = None


class Flight(NamedTuple):
    """How a flight ended: how long it took, whether the gap closed, and the steps of the integration."""

    time: float
    hit: bool
    steps: int


class Mechanism:
    """A tree of rigid links with joints, in motion.

    >>> rod = Link("rod", axis=(0, 1, 0), mass=3, com=(0, 0, -0.5), inertia=(0.25, 0.25, 0))
    >>> pendulum = Mechanism([rod], gravity=(0, 0, -9.81))
    >>> pendulum.mass_matrix()
    ((1.0,),)
    >>> pendulum.qdot = [-2]
    >>> pendulum.impact(Contact("rod", (0, 0, -1), (-1, 0, 0)), "newton", e=0.5).u_after[2]
    1.0
    >>> pendulum.qdot
    (1.0,)
    """

    def __init__(self, links: Sequence[Link], gravity: Sequence[float] = _ZERO) -> None:
        self.links: tuple[Link, ...] = tuple(links)
        self._names = [link.name for link in self.links]
        if len(set(self._names)) < len(self._names) or "world" in self._names:
            raise ValueError("links need different names, and none may be called 'world'")
        rows = [self._row(link) for link in self.links]
        self._tree = _core.Tree(rows, tuple(gravity))

    def _row(self, link: Link) -> tuple[Any, ...]:
        inertia = tuple(link.inertia) if len(link.inertia) == 6 else (*link.inertia, 0.0, 0.0, 0.0)
        place = (tuple(link.axis), tuple(link.origin), tuple(link.rotation))
        return (self._number(link.parent), link.joint, *place, float(link.mass), tuple(link.com), inertia)

    def _number(self, name: str) -> int:
        if name == "world":
            return -1
        if name not in self._names:
            raise KeyError(f"no link is called {name!r}{hint(name, self._names)}")
        return self._names.index(name)

    def _contact(self, contact: Contact) -> tuple[Any, ...]:
        t1 = None if contact.t1 is None else tuple(contact.t1)
        touching = (tuple(contact.point), tuple(contact.normal), t1)
        return (self._number(contact.link), *touching, self._number(contact.against))

    @property
    def q(self) -> Sequence[float]:
        """Coordinates of the joints, in the order of the links. Setting them moves the mechanism."""
        return self._tree.q

    @q.setter
    def q(self, value: Sequence[float]) -> None:
        self._tree.set(tuple(value), self._tree.qdot)

    @property
    def qdot(self) -> Sequence[float]:
        """Generalized speeds."""
        return self._tree.qdot

    @qdot.setter
    def qdot(self, value: Sequence[float]) -> None:
        self._tree.set(self._tree.q, tuple(value))

    @property
    def kinetic(self) -> float:
        """Kinetic energy, J."""
        return self._tree.energy[0]

    @property
    def potential(self) -> float:
        """Energy in gravity, J; zero at the origin of the world."""
        return self._tree.energy[1]

    def mass_matrix(self) -> tuple[tuple[float, ...], ...]:
        """M by rows."""
        return self._tree.mass_matrix()

    def bias(self) -> tuple[float, ...]:
        """The forces that make all accelerations zero: Coriolis, centrifugal and gravity."""
        return self._tree.bias()

    def accelerate(self, tau: Sequence[float] | None = None) -> tuple[float, ...]:
        """The rates of the speeds under the forces ``tau`` (none by default) and gravity."""
        return self._tree.accelerate(None if tau is None else tuple(tau))

    def point(self, link: str, point: Sequence[float] = _ZERO) -> tuple[float, ...]:
        """Where a point of a link is in the world."""
        return self._tree.point(self._number(link), tuple(point))

    def velocity(self, link: str, point: Sequence[float] = _ZERO) -> tuple[float, ...]:
        """The velocity of a point of a link, world axes."""
        return self._tree.velocity(self._number(link), tuple(point))

    def reduce(self, contact: Contact) -> Reduced:
        """K, u and the axes of a contact."""
        return Reduced(*self._tree.reduce(self._contact(contact)))

    def jacobian(self, contact: Contact) -> tuple[tuple[float, ...], ...]:
        """J with the rows t1, t2, n: u = J qdot."""
        return self._tree.jacobian(self._contact(contact))

    def impact(self, contact: Contact, law: str | _core.Rule = "routh-stronge", **coefficients: Any) -> Outcome:
        """A link strikes: all speeds change at once."""
        outcome: Outcome = self._tree.impact(self._contact(contact), rule(law, **coefficients))
        return outcome

    def impacts(self, contacts: Sequence[Contact], law: str = "moreau", **coefficients: Any) -> Together:
        """Several contacts close at the same instant; a coefficient may be a sequence with one value per contact."""
        rows = [self._contact(c) for c in contacts]
        K, u = self._tree.contacts(rows)
        flat = [x for row in K for x in row]
        got = _solve_together(len(rows), 3, flat, u, law, coefficients)
        self._tree.push(rows, [x for p in got.p for x in p])
        return got

    def advance(
        self, time: float, gap: Callable[[Mechanism], float] | None = None, *, tolerance: float = 1e-12
    ) -> Flight:
        """Move under gravity for a time, or until ``gap(self)`` falls to zero: there the flight stops with ``hit``."""
        ask = None if gap is None else lambda _: gap(self)
        return Flight(*self._tree.advance(float(time), ask, tolerance))

    def __repr__(self) -> str:
        """One line."""
        return f"Mechanism({', '.join(self._names)}; {len(self.q)} coordinates, {len(self.qdot)} speeds)"
