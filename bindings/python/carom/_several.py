"""Several contacts at the same instant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from . import _core
from ._words import COEFFICIENTS, LAWS, OPTIONS, TOGETHER, Flag, Law, Status, hint, warn


class Together(NamedTuple):
    """What came out at several contacts: ``p`` and ``u_after`` have one vector per contact.

    ``modes`` are words of moreau; ``residual`` is the defect of the law's conditions over the largest impulse; ``examined``
    tells whether all solutions were looked for; ``endless`` is a sequence whose limit is given.
    """

    p: tuple[tuple[float, ...], ...]
    u_after: tuple[tuple[float, ...], ...]
    energy_change: float
    energy_normal: float
    energy_friction: float
    status: Status
    flags: Flag
    modes: tuple[str, ...]
    residual: float
    iterations: int
    solutions: int
    examined: bool
    endless: bool


def laws_together() -> list[Law]:
    """Every law of several contacts.

    >>> [d.id for d in laws_together()]
    ['sequential', 'moreau', 'poisson-lcp', 'reflections', 'lzb', 'compliant']
    """
    return list(TOGETHER.values())


def _own(count: int, coefficients: dict[str, Any]) -> list[dict[str, float]]:
    """The coefficients of each contact."""
    own: list[dict[str, float]] = [{} for _ in range(count)]
    for name, value in coefficients.items():
        if name not in COEFFICIENTS:
            raise TypeError(f"unknown coefficient {name!r}{hint(name, [*COEFFICIENTS, *OPTIONS])}")
        if isinstance(value, Mapping):
            raise TypeError(f"{name}: laws of several contacts take numbers; carom.at_speed gives a function of the speed at one")
        each = list(value) if hasattr(value, "__len__") else [value] * count
        if len(each) != count:
            raise ValueError(f"{name} has {len(each)} values for {count} contacts")
        for contact, x in zip(own, each):
            contact[name] = float(x)
    return own


def _solve_together(count: int, dim: int, K: Any, u: Any, law: str, settings: dict[str, Any]) -> Together:
    if law not in TOGETHER:
        raise ValueError(f"no law of several contacts is called {law!r}{hint(law, TOGETHER)}")
    base = settings.get("base")
    if base is not None and base not in LAWS:
        raise ValueError(f"unknown law {base!r}{hint(base, LAWS)}")
    options = {}
    for name in [n for n in settings if n in OPTIONS]:
        if settings[name] not in OPTIONS[name].words:
            raise ValueError(f"option '{name}' has no reading {settings[name]!r}")
        options[name] = OPTIONS[name].words.index(settings[name])
    own = _own(count, {n: v for n, v in settings.items() if n not in OPTIONS and n != "base"})
    if law == "sequential" and base is None and "mu" in settings:
        warn('sequential without "base" does not use mu; a base such as routh-stronge has friction (unused-coefficient)')
    p, u_after, energy, status, flags, *rest = _core.together(count, dim, K, u, law, base, own, options)
    return Together._make([p, u_after, *energy, Status(status), Flag(flags), *rest])


def together(K: Any, u: Sequence[Sequence[float]], law: str = "moreau", *, base: str | None = None, **coefficients: Any) -> Together:
    """Resolve several contacts at once: K has 3 m (or 2 m) rows, u one vector [t1, t2, n] (or [t, n]) per contact.

    A coefficient is a number, or a sequence with one value per contact. ``base`` is the law of one contact in sequential.
    Newton's cradle, two balls at rest struck by one of equal mass:

    >>> K = [[3.5, 0, 0, 0], [0, 2, 0, -1], [0, 0, 3.5, 0], [0, -1, 0, 2]]
    >>> together(K, [[0, -1], [0, 0]], "sequential", e=1, mu=0).u_after
    ((0.0, 0.0), (0.0, 1.0))
    """
    vectors = [tuple(float(x) for x in v) for v in u]
    dim = len(vectors[0]) if vectors else 0
    if dim not in (2, 3) or any(len(v) != dim for v in vectors):
        raise ValueError("u needs one vector of 3 numbers (or 2 in the plane) per contact")
    size = dim * len(vectors)
    rows = [[float(x) for x in row] for row in K]
    if len(rows) != size or any(len(row) != size for row in rows):
        raise ValueError(f"K must be {size} x {size} for {len(vectors)} contacts of {dim} numbers")
    settings = {**coefficients, **({"base": base} if base is not None else {})}
    return _solve_together(len(vectors), dim, [x for row in rows for x in row], [x for v in vectors for x in v], law, settings)
