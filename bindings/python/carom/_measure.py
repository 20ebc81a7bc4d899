"""Derivatives of outcomes, and the ways from measurements to coefficients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._cases import Case, _text, request
from ._solve import Outcome, _as_doubles, _columns_of, _shape_of
from ._words import COEFFICIENTS, LAWS, rule, warn_unused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class Jacobian(NamedTuple):
    """Derivatives of a vector (rows t1, t2, n; in the plane t, n).

    ``u`` has a column per component of u, ``K`` one per entry t11, t12, t22, t1n, t2n, nn (in the plane tt, tn, nn; an
    entry off the diagonal moves both), ``coefficients`` a vector per coefficient of the law.
    """

    u: tuple[tuple[float, ...], ...]
    K: tuple[tuple[float, ...], ...]
    coefficients: dict[str, tuple[float, ...]]


class Derivative(NamedTuple):
    """An outcome, and how its impulse ``p`` and velocity ``u_after`` change.

    ``nonsmooth``: the impact lies on a border between branches; ``border`` is the nearest one and ``distance`` how far it is.
    """

    outcome: Outcome
    p: Jacobian
    u_after: Jacobian
    nonsmooth: bool
    border: str
    distance: float


def derivative(K: Any, u: Any, law: str | _core.Rule = "routh-stronge", **coefficients: Any) -> Derivative:
    """How impulse and rebound change with u, K and the coefficients, exactly, along the branch that the law takes.

    >>> d = derivative([[3.5, 0], [0, 1]], [1, -2], "bilinear", e=0.5, mu=0.1, e_t=0.2)
    >>> d.u_after.coefficients["e"][1]
    2.0
    """
    outcome, p, u_after, nonsmooth, border, distance = _core.derivative(K, u, rule(law, **coefficients))
    return Derivative(outcome, Jacobian(*p), Jacobian(*u_after), nonsmooth, border, distance)


class Derivatives(NamedTuple):
    """Derivatives of a batch: arrays with one row per impact, matrices with rows t1, t2, n (in the plane t, n).

    ``p_u``, ``u_after_u`` are (..., 3, 3); ``p_K``, ``u_after_K`` (..., 3, 6) by t11, t12, t22, t1n, t2n, nn (in the plane
    (..., 2, 3) by tt, tn, nn); ``p_coefficients``, ``u_after_coefficients`` (..., 3) by coefficient. ``nonsmooth`` marks rows
    on a border between branches, ``status`` is that of each row.
    """

    p: NDArray[np.float64]
    u_after: NDArray[np.float64]
    p_u: NDArray[np.float64]
    u_after_u: NDArray[np.float64]
    p_K: NDArray[np.float64]
    u_after_K: NDArray[np.float64]
    p_coefficients: dict[str, NDArray[np.float64]]
    u_after_coefficients: dict[str, NDArray[np.float64]]
    nonsmooth: NDArray[np.bool_]
    status: NDArray[np.uint8]


def derivatives(K: ArrayLike, u: ArrayLike, law: str | _core.Rule = "routh-stronge", threads: int = 0, **coefficients: Any) -> Derivatives:
    """``derivative`` for many impacts: K is (..., 3, 3) and u (..., 3), which broadcast; 2 instead of 3 in the plane.

    Rows are shared among at most ``threads`` threads (0: all processors), with the same bits for any number of them.

    >>> d = derivatives([[3.5, 0], [0, 1]], [[1, -2], [2, -2]], "bilinear", e=0.5, mu=0.1, e_t=0.2)
    >>> d.u_after_coefficients["e"][:, 1].tolist()
    [2.0, 2.0]
    """
    import numpy as np

    own = {n: _as_doubles(n, v, True) for n, v in coefficients.items() if n in COEFFICIENTS and np.ndim(v)}
    r = rule(law, **{n: v for n, v in coefficients.items() if n not in own})
    warn_unused(r.law, own)
    k, v = _as_doubles("K", K, True), _as_doubles("u", u, True)
    shape, dim = _shape_of(k, v, own)
    k, v = np.broadcast_to(k, (*shape, dim, dim)), np.broadcast_to(v, (*shape, dim))
    own = {n: np.ascontiguousarray(np.broadcast_to(c, shape)).reshape(-1) for n, c in own.items()}
    rows, used, by_K = int(np.prod(shape)), list(LAWS[r.law].coefficients), 6 if dim == 3 else 3
    sizes = {"p": (), "u_after": (), "p_u": (dim,), "u_after_u": (dim,), "p_K": (by_K,), "u_after_K": (by_K,)}
    sizes |= {"p_coeffs": (len(used),), "u_after_coeffs": (len(used),)}
    got: dict[str, Any] = {name: np.zeros((rows, dim, *size)) for name, size in sizes.items()}
    got |= {"status": np.zeros(rows, np.uint8), "nonsmooth": np.zeros(rows, np.uint8)}
    _core.differentiate_columns(r, _columns_of(k, v, dim), own, got, threads)
    got = {name: x.reshape(*shape, *x.shape[1:]) for name, x in got.items()}
    by = {c: [got[name][..., i] for name in ("p_coeffs", "u_after_coeffs")] for i, c in enumerate(used)}
    p_by, u_by = ({c: pair[i] for c, pair in by.items()} for i in (0, 1))
    return Derivatives(
        got["p"],
        got["u_after"],
        got["p_u"],
        got["u_after_u"],
        got["p_K"],
        got["u_after_K"],
        p_by,
        u_by,
        got["nonsmooth"].astype(bool),
        got["status"],
    )


class Saltation(NamedTuple):
    """How a trajectory of a mechanism changes through an impact: ``matrix`` is (2n, 2n), positions first, then speeds.

    ``nonsmooth``: the impact lies on a border between branches; ``grazing``: entries grow like 1/u_n.
    """

    matrix: NDArray[np.float64]
    outcome: Outcome
    nonsmooth: bool
    grazing: bool


def saltation(
    M: ArrayLike,
    J: ArrayLike,
    qdot: ArrayLike,
    law: str | _core.Rule = "routh-stronge",
    *,
    M_q: ArrayLike | None = None,
    J_q: ArrayLike | None = None,
    qddot_before: ArrayLike | None = None,
    qddot_after: ArrayLike | None = None,
    **coefficients: Any,
) -> Saltation:
    """The saltation matrix of a mechanism: mass matrix (n, n), contact Jacobian (3, n) or (2, n), speeds (n,).

    ``M_q`` (n, n, n) and ``J_q`` (n, 3, n) are the derivatives of M and J by each coordinate, zero when not given; the
    accelerations are those just before and just after the impact. Two bodies have theirs in ``solve_case`` with
    ``"saltation"``.

    >>> g = [0.0, -9.0]
    >>> s = saltation([[2, 0], [0, 2]], [[1, 0], [0, 1]], [1, -3], "newton", e=0.5, qddot_before=g, qddot_after=g)
    >>> s.matrix[3].round(12).tolist()
    [0.0, 4.5, 0.0, -0.5]
    """
    import numpy as np

    m, j = np.ascontiguousarray(M, np.float64), np.ascontiguousarray(J, np.float64)
    if m.ndim != 2 or j.ndim != 2 or m.shape != (j.shape[1], j.shape[1]):
        raise ValueError(f"M must be (n, n) and J (3, n) or (2, n); their shapes are {m.shape} and {j.shape}")
    parts = [None if x is None else np.ascontiguousarray(x, np.float64).reshape(-1) for x in (qdot, M_q, J_q, qddot_before, qddot_after)]
    dim, n = j.shape
    matrix, outcome, nonsmooth, grazing = _core.saltation(rule(law, **coefficients), n, dim, m.reshape(-1), j.reshape(-1), *parts)
    return Saltation(np.frombuffer(matrix).reshape(2 * n, 2 * n), outcome, nonsmooth, grazing)


def has_derivatives(law: str) -> bool:
    """Whether ``derivative`` takes this law.

    >>> has_derivatives("newton"), has_derivatives("mindlin")
    (True, False)
    """
    return _core.has_derivatives(rule(law))


def invert(
    case: Case,
    want: Mapping[str, Sequence[float | None]],
    vary: str | Sequence[str],
    law: str | None = None,
    sigma: Mapping[str, Sequence[float | None]] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """The inputs for which an impact has a wanted outcome (``carom invert --json``); None is a number that does not matter.

    ``want`` has ``u_after`` in contact axes, ``bodies.a.velocity``, ``bodies.a.omega`` (or b) or ``qdot_after``; ``vary`` names
    coefficients, paths of numbers or arrays in the case (``bodies.a.velocity``), or ``u``. ``law`` and coefficients take the
    place of the case's. ``sigma`` has the standard deviations of the wishes, in the same words: solutions then have ``deviations``
    and a ``covariance``.

    >>> case = {"law": "newton", "coefficients": {"e": 0.5}, "reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1]}}
    >>> invert(case, {"u_after": [None, 0.8]}, "e")["solutions"][0]["controls"]
    {'e': 0.8}
    """
    text, name = _text(case)
    wishes = {key: list(values) for key, values in want.items()}
    errors = {key: list(values) for key, values in sigma.items()} if sigma else None
    names = vary if isinstance(vary, str) else list(vary)
    answer: dict[str, Any] = request("invert", text, name, {"want": wishes, "sigma": errors, "vary": names, "law": law, "set": settings or None})
    return answer


def materials(word: str = "") -> list[dict[str, Any]]:
    """Published coefficients of pairs of materials, with their sources (``carom materials --json``).

    >>> len(materials("glass")) > 0
    True
    """
    answer: list[dict[str, Any]] = request("materials", None, "", {"word": word})
    return answer
