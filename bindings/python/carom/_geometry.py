"""The geometry of an impact: shapes in impulse space, the slip plane, and where K comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from . import _core
from ._bodies import Body


class Ellipsoid(NamedTuple):
    """The impulses that create no energy. A radius along which K does not move is infinite; ``rank`` counts the others."""

    centre: tuple[float, ...]
    axes: tuple[tuple[float, ...], ...]
    radii: tuple[float, ...]
    rank: int


class Distances(NamedTuple):
    """From an impulse to the borders of what is accessible, N s; positive is inside. ``energy_added`` is in J."""

    compression: float
    energy: float
    cone: float
    energy_added: float


class Place(NamedTuple):
    """Where an impulse lies in the accessible region: the coefficients with which the law ``region`` gives it."""

    e: float
    share: float
    turn: float


class Edge(NamedTuple):
    """One border of a region: compression, cone+, energy or cone-; ``points`` are (p_t, p_n) along it.

    ``start`` and ``end`` are (p_t, p_n, at_infinity); at infinity the numbers are a direction.
    """

    kind: str
    straight: bool
    start: tuple[float, float, bool]
    end: tuple[float, float, bool]
    points: list[tuple[float, float]]


class Region(NamedTuple):
    """The accessible region of a planar impact: its edges all round, and the angles atan2(p_t, p_n) it lies between."""

    edges: list[Edge]
    angles: tuple[float, float]
    bounded: bool

    def outline(self) -> list[tuple[float, float]]:
        """The border as one list of points (p_t, p_n)."""
        return [p for edge in self.edges for p in edge.points]


class Ray(NamedTuple):
    """An invariant direction of slip: ``kind`` is converging, stationary or diverging."""

    angle: float
    direction: tuple[float, float]
    g: float
    f_slope: float
    kind: str
    attracting: bool
    repelling: bool


class Hodograph(NamedTuple):
    """The slip plane: invariant rays, whether every direction is one, and whether slip that stops stays zero."""

    rays: list[Ray]
    every: bool
    sticks: bool


class Realization(NamedTuple):
    """Two bodies whose impact has a given K and u; the contact is at the origin."""

    a: Body
    b: Body
    arm_a: tuple[float, ...]
    arm_b: tuple[float, ...]
    normal: tuple[float, ...]
    t1: tuple[float, ...]


class Response(NamedTuple):
    """K and u of a black box, and how well it behaved: relative asymmetry, nonlinearity, smallest eigenvalue."""

    K: tuple[tuple[float, ...], ...]
    u: tuple[float, ...]
    asymmetry: float
    nonlinearity: float
    smallest: float
    rank: int
    calls: int


def ellipsoid(K: Any, u: Any) -> Ellipsoid:
    """The energy ellipsoid of an impact.

    >>> ellipsoid([[4, 0, 0], [0, 4, 0], [0, 0, 1]], [0, 0, -2]).radii
    (1.0, 1.0, 2.0)
    """
    return Ellipsoid(*_core.ellipsoid(K, u))


def distances(K: Any, u: Any, mu: float, p: Any) -> Distances:
    """How far an impulse is from the borders of the accessible region.

    >>> distances([[1, 0], [0, 1]], [0, -2], 0.5, [0, 3]).compression
    1.0
    """
    return Distances(*_core.distances(K, u, float(mu), p))


def place(K: Any, u: Any, mu: float, p: Any) -> Place:
    """Where an accessible impulse lies in the region: outcomes of laws and of measurements on one scale.

    >>> place([[1, 0], [0, 1]], [0, -2], 0.5, [0, 3]).e
    0.5
    """
    return Place(*_core.place(K, u, float(mu), p))


def region(K: Any, u: Any, mu: float, *, samples: int = 32) -> Region:
    """The accessible region of a planar impact, exactly; curved edges are sampled.

    >>> [edge.kind for edge in region([[1, 0], [0, 1]], [1, -2], 0.3).edges]
    ['compression', 'cone+', 'energy', 'cone-']
    """
    edges, angles, bounded = _core.region(K, u, float(mu), samples)
    return Region([Edge(*e) for e in edges], angles, bounded)


def hodograph(K: Any, mu: float) -> Hodograph:
    """The invariant rays of the slip plane.

    >>> hodograph([[1, 0, 0], [0, 2, 0], [0, 0, 1]], 0.3).sticks
    True
    """
    rays, every, sticks = _core.hodograph(K, [0.0] * len(K), float(mu))
    return Hodograph([Ray(*r) for r in rays], every, sticks)


def realize(K: Any, u: Any) -> Realization:
    """Any positive definite K as two finite bodies.

    >>> pair = realize([[2, 0.5, 0], [0.5, 2, 0], [0, 0, 1]], [0, 0, -1])
    >>> pair.a.mass > 0 and pair.b.mass > 0
    True
    """
    a, b, arm_a, arm_b, normal, t1 = _core.realize(K, u)
    return Realization(Body(*a), Body(*b), arm_a, arm_b, normal, t1)


def response(
    function: Callable[[Sequence[float]], Sequence[float]],
    u: Any = None,
    *,
    dim: int = 3,
    push: float = 0.0,
    tolerance: float = 0.0,
) -> Response:
    """K from a black box: ``function(push)`` gives the acceleration (or the velocity) of the contact under a push.

    Without ``u`` the answers are velocities, and the one without a push is u.

    >>> response(lambda f: (2 * f[0], f[1] - 1), dim=2).K
    ((2.0, 0.0), (0.0, 1.0))
    """
    return Response(*_core.response(function, dim, u, float(push), float(tolerance)))
