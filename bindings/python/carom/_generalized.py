"""Impacts of mechanisms given by mass matrix, contact Jacobian and speeds, one or a million."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._solve import Outcomes, _as_doubles, _raise_first
from ._words import COEFFICIENTS, Status, rule, warn_unused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

_CHUNK = 4096  # rows whose factors of M are in memory at once


class Mechanisms(NamedTuple):
    """What comes out of many mechanisms: the speeds afterwards, and impulses, velocities and ledger of their contacts."""

    qdot_after: NDArray[np.float64]
    outcomes: Outcomes


def _shapes(M: NDArray[Any], J: NDArray[Any], qdot: NDArray[Any], own: dict[str, NDArray[Any]]) -> tuple[tuple[int, ...], int, int]:
    import numpy as np

    dim, n = J.shape[-2:] if J.ndim >= 2 else (0, 0)
    if dim not in (2, 3) or M.shape[-2:] != (n, n) or qdot.shape[-1:] != (n,):
        raise ValueError(f"M must be (..., n, n), J (..., 3, n) or (..., 2, n), qdot (..., n); their shapes are {M.shape}, {J.shape}, {qdot.shape}")
    try:
        return np.broadcast_shapes(M.shape[:-2], J.shape[:-2], qdot.shape[:-1], *(c.shape for c in own.values())), n, dim
    except ValueError:
        raise ValueError(f"shapes do not broadcast: {M.shape}, {J.shape}, {qdot.shape}") from None


def _rows(array: NDArray[np.float64], shape: tuple[int, ...], ends: int) -> NDArray[np.float64]:
    """One block that all rows share, or a block per row."""
    import numpy as np

    tail = array.shape[array.ndim - ends :]
    if array.size == int(np.prod(tail)):
        return np.ascontiguousarray(array).reshape(1, *tail)
    return np.ascontiguousarray(np.broadcast_to(array, (*shape, *tail))).reshape(-1, *tail)


def _solve_chunk(r: _core.Rule, given: list[NDArray[Any]], own: dict[str, Any], results: dict[str, Any], after: NDArray[Any], threads: int) -> None:
    import numpy as np

    M, J, qdot = given
    count, n, dim = len(after), M.shape[-1], J.shape[-2]
    columns, status = np.empty((9, count)), np.empty(count, np.uint8)
    work = np.empty(count * _core.generalized_work(n))
    _core.reduce_rows(count, n, dim, M, J, qdot, columns, status, work, after)
    flat = tuple(None if dim == 2 and i in (1, 2, 4, 7) else columns[i] for i in range(9))
    _core.solve_columns(r, flat, own, results, threads)
    np.copyto(results["status"], status, where=status != 0)
    impulses = np.stack([results["p_t1"], results["p_t2"] if dim == 3 else results["p_t1"], results["p_n"]])
    _core.apply_rows(count, n, dim, M, J, qdot, impulses, status, work, after)


def solve_mechanisms(
    M: ArrayLike,
    J: ArrayLike,
    qdot: ArrayLike,
    law: str | _core.Rule = "routh-stronge",
    *,
    errors: str = "status",
    threads: int = 0,
    **coefficients: Any,
) -> Mechanisms:
    """Resolve impacts of mechanisms: M is (..., n, n), J (..., 3, n) with rows t1, t2, n (or (..., 2, n)), qdot (..., n).

    Leading axes broadcast; coefficients may be arrays, too. K = J M⁻¹ Jᵀ and u = J q̇ of each row are solved as a batch,
    and q̇⁺ = q̇ + M⁻¹ Jᵀ p. A row that has no answer keeps its speeds and says why in ``outcomes.status``, or raises with
    ``errors="raise"``.

    >>> got = solve_mechanisms([[2, 0], [0, 2]], [[1, 0], [0, 1]], [[1, -3], [1, -4], [1, 4]], "newton", e=0.5)
    >>> got.qdot_after.tolist()
    [[1.0, 1.5], [1.0, 2.0], [1.0, 4.0]]
    >>> [Status(s).id for s in got.outcomes.status]
    ['ok', 'ok', 'separating']
    """
    import numpy as np

    if errors not in ("status", "raise"):
        raise ValueError('errors must be "status" or "raise"')
    own = {k: _as_doubles(k, v, True) for k, v in coefficients.items() if k in COEFFICIENTS and np.ndim(v)}
    r = rule(law, **{k: v for k, v in coefficients.items() if k not in own})
    warn_unused(r.law, own)
    m, j, v = _as_doubles("M", M, True), _as_doubles("J", J, True), _as_doubles("qdot", qdot, True)
    shape, n, dim = _shapes(m, j, v, own)
    given = [_rows(m, shape, 2), _rows(j, shape, 2), _rows(v, shape, 1)]
    own = {k: np.ascontiguousarray(np.broadcast_to(c, shape)).reshape(-1) for k, c in own.items()}
    got, after = Outcomes.empty(shape, dim), np.empty((int(np.prod(shape)), n))
    for at in range(0, len(after), _CHUNK):
        part = slice(at, at + _CHUNK)
        blocks = [b if len(b) == 1 else b[part] for b in given]
        _solve_chunk(r, blocks, {k: c[part] for k, c in own.items()}, {k: c[part] for k, c in got.columns.items()}, after[part], threads)
    if errors == "raise":
        _raise_first(got)
    return Mechanisms(after.reshape(*shape, n), got)
