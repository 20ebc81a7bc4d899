"""One impact, and many: ``solve`` takes numbers, sequences or arrays."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._words import COEFFICIENTS, LAWS, CaromWarning, Error, Flag, Status, at_speed, rule, warn_unused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class Energy(NamedTuple):
    """Energies in joule: change = normal + friction."""

    before: Any
    after: Any
    change: Any
    normal: Any
    friction: Any


class Restitution(NamedTuple):
    """Restitution as measured on the outcome, under each definition; None (nan in arrays) where it is not defined."""

    newton: Any
    poisson: Any
    stronge: Any
    ivanov: Any


class Margins(NamedTuple):
    """Signed distances to the borders of what is admissible; negative is outside."""

    normal: float
    energy: float
    cone: float


class Phases(NamedTuple):
    """Compression and restitution along the path; ``phases`` is 0 when the law has none."""

    phases: int
    p_compression: float
    p_restitution: float
    work_compression: float
    work_decompression: float
    work_friction: float
    path: str | None
    first: str | None


class Force(NamedTuple):
    """What contact-force laws say besides: SI units, losses are positive."""

    duration: float
    max_compression: float
    peak_force: float
    dissipated_normal: float
    dissipated_friction: float
    dissipated_tangential: float
    residual_tangential: float
    vibration_energy: float
    dissipated_vibration: float
    contacts: int


class Outcome(_core.Outcome):
    """What came out of one impact: ``p``, ``u_after``, ``mode``, ``energy``, ``flags``, ``status`` and more."""

    __slots__ = ()

    @property
    def status(self) -> Status:
        """ok, separating or grazing."""
        return Status(self._status)

    @property
    def flags(self) -> Flag:
        """What is wrong with the outcome; empty for a physical one."""
        return Flag(self._flags)

    @property
    def energy(self) -> Energy:
        """The energy ledger of the contact."""
        return Energy(*self._energy)

    @property
    def restitution(self) -> Restitution:
        """Restitution under each definition."""
        return Restitution(*self._restitution)

    @property
    def margins(self) -> Margins:
        """Distances to the borders of the admissible region."""
        return Margins(*self._margins)

    @property
    def phases(self) -> Phases:
        """How the law went through compression and restitution."""
        return Phases(*self._phases)

    @property
    def force(self) -> Force:
        """Duration, compression and losses of a contact-force law; zeros for the others."""
        return Force(*self._force)

    def __repr__(self) -> str:
        """One line."""
        flags = f", flags={self.flags.words}" if self.flags else ""
        return f"Outcome(p={self.p}, u_after={self.u_after}, mode={self.mode!r}, status={self.status.id!r}{flags})"


_core._set_classes(Outcome, Error)

_IN = ("K_t11", "K_t12", "K_t22", "K_t1n", "K_t2n", "K_nn", "u_t1", "u_t2", "u_n")
_MOTION = ("p_t1", "p_t2", "p_n", "u_t1", "u_t2", "u_n")
_LEDGER = ("before", "after", "change", "normal", "friction", "newton", "poisson", "stronge", "ivanov", "cone")


class Outcomes:
    """What came out of many impacts: arrays with the shape of the batch.

    Make one with ``Outcomes.empty(n)`` and pass it as ``out=`` to use the same memory again and again.
    """

    columns: dict[str, NDArray[Any]]
    shape: tuple[int, ...]
    dim: int

    def __init__(self, columns: dict[str, NDArray[Any]], shape: tuple[int, ...], dim: int) -> None:
        self.columns, self.shape, self.dim = columns, shape, dim
        self._problem: tuple[Any, Any, _core.Rule, dict[str, Any]] | None = None

    @classmethod
    def empty(cls, shape: int | tuple[int, ...], dim: int = 3, ledger: bool = True) -> Outcomes:
        """Memory for the outcomes of a batch. Without ``ledger`` only p, u_after and status are kept."""
        import numpy as np

        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        names = [n for n in _MOTION if dim == 3 or "t2" not in n] + ([*_LEDGER] if ledger else [])
        rows = int(np.prod(shape))
        columns: dict[str, Any] = {n: np.empty(rows) for n in names}
        for name in ("status", "flags", "defined") if ledger else ("status",):
            columns[name] = np.empty(rows, np.uint8)
        return cls(columns, shape, dim)

    def _stack(self, letter: str) -> NDArray[np.float64]:
        import numpy as np

        names = [f"{letter}_{axis}" for axis in ("t1", "t2", "n") if self.dim == 3 or axis != "t2"]
        stack: NDArray[np.float64] = np.stack([self.columns[n] for n in names], axis=-1)
        return stack.reshape(*self.shape, self.dim)

    def _column(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            raise AttributeError(f"{name} was not kept: Outcomes.empty(..., ledger=True) keeps it")
        return self.columns[name].reshape(self.shape)

    @property
    def p(self) -> NDArray[np.float64]:
        """Impulses on body A, (..., 3)."""
        return self._stack("p")

    @property
    def u_after(self) -> NDArray[np.float64]:
        """Relative velocities after the impacts, (..., 3)."""
        return self._stack("u")

    @property
    def status(self) -> NDArray[np.uint8]:
        """A ``Status`` per row, as numbers."""
        return self._column("status")

    @property
    def flags(self) -> NDArray[np.uint8]:
        """The ``Flag`` bits per row."""
        return self._column("flags")

    @property
    def ok(self) -> NDArray[np.bool_]:
        """True for rows with an answer: ok, separating or grazing."""
        import numpy as np

        return np.isin(self.status, [s for s in Status if s.is_answer])

    @property
    def energy(self) -> Energy:
        """The energy ledger, five arrays."""
        return Energy(*(self._column(n) for n in _LEDGER[:5]))

    @property
    def restitution(self) -> Restitution:
        """Restitution under each definition; nan where it is not defined."""
        import numpy as np

        defined = self._column("defined")
        return Restitution(*(np.where(defined >> i & 1, self._column(n), np.nan) for i, n in enumerate(_LEDGER[5:9])))

    @property
    def mode(self) -> NDArray[Any]:
        """The branch of the law per row, as an array of str. Rows are solved once more, one by one."""
        import numpy as np

        if self._problem is None:
            raise AttributeError("mode is known for outcomes of carom.solve only")
        K, u, r, own = self._problem
        k, v = K.reshape(-1, self.dim, self.dim), u.reshape(-1, self.dim)
        columns = {n: c.reshape(-1) for n, c in own.items()}
        words = []
        for i in range(len(v)):
            settings: dict[str, Any] = {**r.coefficients, **r.options, **{n: c[i] for n, c in columns.items()}}
            row = rule(r.law, **settings) if own else r
            try:
                words.append(_core.solve_one(k[i], v[i], row).mode or "")
            except ValueError:
                words.append("")
        return np.array(words, dtype=object).reshape(self.shape)

    def __len__(self) -> int:
        """The number of rows along the first axis."""
        return self.shape[0] if self.shape else 1

    def __repr__(self) -> str:
        """One line."""
        return f"Outcomes(shape={self.shape}, dim={self.dim})"


def _is_array(value: Any) -> bool:
    """An array with axes, or a sequence of numbers."""
    return hasattr(value, "__len__") and not isinstance(value, (str, Mapping)) and getattr(value, "ndim", None) != 0


def _is_scalar(K: Any, u: Any, coefficients: dict[str, Any]) -> bool:
    """One impact: u is a flat sequence of two or three numbers, and so is each row of K."""
    if any(_is_array(v) for v in coefficients.values()):
        return False
    ndim = getattr(u, "ndim", None)
    if ndim is None:
        ndim = 2 if len(u) and hasattr(u[0], "__len__") else 1
    k_ndim = getattr(K, "ndim", None)
    if k_ndim is None:
        k_ndim = 3 if len(K) and hasattr(K[0], "__len__") and len(K[0]) and hasattr(K[0][0], "__len__") else 2
    return ndim == 1 and k_ndim == 2


def solve(
    K: ArrayLike,
    u: ArrayLike,
    law: str | _core.Rule | Callable[..., Any] = "routh-stronge",
    *,
    out: Outcomes | None = None,
    errors: str = "status",
    threads: int = 0,
    copy: bool = True,
    **coefficients: Any,
) -> Any:
    """Resolve impacts: K is (3, 3) and u (3,), or (..., 3, 3) and (..., 3), which broadcast; 2 instead of 3 in the plane.

    One impact gives an ``Outcome`` and raises ``Error`` when there is no answer. Arrays give ``Outcomes``, with a status
    per row, or raise for the first bad row with ``errors="raise"``. Coefficients may be arrays, too. ``copy=False``
    refuses arrays that would have to be converted.

    >>> out = solve([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1, 0, -2], law="routh-stronge", e=0.5, mu=0.25)
    >>> out.p
    (-0.75, 0.0, 3.0)
    >>> out.u_after
    (0.25, 0.0, 1.0)
    """
    if errors not in ("status", "raise"):
        raise ValueError('errors must be "status" or "raise"')
    if out is None and _is_scalar(K, u, coefficients):
        return _core.solve_one(K, u, rule(law, **coefficients))
    return _solve_many(K, u, law, coefficients, out, errors, threads, copy)


def _as_doubles(name: str, value: Any, copy: bool) -> NDArray[np.float64]:
    import numpy as np

    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be an array of real numbers, not of {array.dtype}")
    if array.dtype == np.float64:
        return array
    if not copy:
        raise ValueError(f"{name} is {array.dtype}, and copy=False: float64 is needed")
    return array.astype(np.float64)


def _is_asymmetric(K: NDArray[np.float64], dim: int) -> NDArray[np.bool_]:
    """Rows of K that are not symmetric to rounding: columns hold one triangle only."""
    import numpy as np

    flat, bad = K.reshape(-1, dim, dim), np.zeros(int(np.prod(K.shape[:-2])), bool)
    with np.errstate(all="ignore"):
        for i, j in ((0, 1), (0, 2), (1, 2))[: 3 if dim == 3 else 1]:
            a, b = flat[:, i, j], flat[:, j, i]
            bad |= np.abs(a - b) > 1e-12 * (np.abs(flat[:, i, i]) + np.abs(flat[:, j, j]))
    return bad


def _columns_of(K: NDArray[np.float64], u: NDArray[np.float64], dim: int) -> tuple[Any, ...]:
    import numpy as np

    t1, n = 0, dim - 1
    places = [(t1, t1), (0, 1), (1, 1), (t1, n), (1, n), (n, n)]
    flat, v = K.reshape(-1, dim, dim), u.reshape(-1, dim)
    take = [None if dim == 2 and i in (1, 2, 4) else np.ascontiguousarray(flat[:, r, c]) for i, (r, c) in enumerate(places)]
    ends = [np.ascontiguousarray(v[:, 0]), None if dim == 2 else np.ascontiguousarray(v[:, 1]), np.ascontiguousarray(v[:, n])]
    return (*take, *ends)


def _shape_of(K: NDArray[Any], u: NDArray[Any], own: dict[str, NDArray[Any]]) -> tuple[tuple[int, ...], int]:
    import numpy as np

    dim = u.shape[-1] if u.ndim else 0
    if dim not in (2, 3):
        raise ValueError(f"u must have 3 entries [t1, t2, n] (or 2 in the plane) along its last axis; its shape is {u.shape}")
    if K.shape[-2:] != (dim, dim):
        raise ValueError(f"K must be (..., {dim}, {dim}), as u is (..., {dim}); its shape is {K.shape}")
    try:
        return np.broadcast_shapes(K.shape[:-2], u.shape[:-1], *(c.shape for c in own.values())), dim
    except ValueError:
        shapes = ", ".join([str(K.shape), str(u.shape), *(f"{n} {c.shape}" for n, c in own.items())])
        raise ValueError(f"shapes do not broadcast: {shapes}") from None


def _solve_many(
    K: Any, u: Any, law: str | _core.Rule | Callable[..., Any], settings: dict[str, Any], out: Outcomes | None, errors: str, threads: int, copy: bool
) -> Outcomes:
    import numpy as np

    if any(isinstance(v, Mapping) for v in settings.values()):  # each row at its own speed
        v_n = np.maximum(-np.asarray(u, float)[..., -1], 0)
        settings = {n: at_speed(v, v_n, n) if isinstance(v, Mapping) else v for n, v in settings.items()}
    own = {n: _as_doubles(n, v, copy) for n, v in settings.items() if n in COEFFICIENTS and np.ndim(v)}
    shared = {n: v for n, v in settings.items() if n not in own}
    r = rule(law, **shared)
    warn_unused(r.law, own)
    K, u = _as_doubles("K", K, copy), _as_doubles("u", u, copy)
    shape, dim = _shape_of(K, u, own)
    K, u = np.broadcast_to(K, (*shape, dim, dim)), np.broadcast_to(u, (*shape, dim))
    own = {n: np.ascontiguousarray(np.broadcast_to(c, shape)).reshape(-1) for n, c in own.items()}
    got = out if out is not None else Outcomes.empty(shape, dim)
    if got.dim != dim or int(np.prod(got.shape)) != int(np.prod(shape)):
        raise ValueError(f"out has shape {got.shape} in {got.dim} dimensions; {shape} in {dim} is needed")
    if callable(law) or r.law not in LAWS:
        got = _solve_rows(K, u, r, own, shape)
    else:
        _core.solve_columns(r, _columns_of(K, u, dim), own, got.columns, threads)
        _mark_asymmetric(K, got)
    got._problem = (K, u, r, own)
    if errors == "raise":
        _raise_first(got)
    return got


def _solve_rows(K: NDArray[np.float64], u: NDArray[np.float64], r: _core.Rule, own: dict[str, Any], shape: tuple[int, ...]) -> Outcomes:
    """A law written in Python, row by row: impulses, velocities and statuses, without a ledger."""
    dim = u.shape[-1]
    if own:
        raise TypeError("the coefficients of a law written in Python are numbers, not arrays")
    got = Outcomes.empty(shape, dim, ledger=False)
    names = ("t1", "t2", "n") if dim == 3 else ("t1", "n")
    for i, (k, v) in enumerate(zip(K.reshape(-1, dim, dim), u.reshape(-1, dim))):
        try:
            one = _core.solve_one(k, v, r)
        except Error as refusal:
            p, after, status = (0.0,) * dim, (0.0,) * dim, refusal.status
        else:
            p, after, status = one.p, one.u_after, one.status
        for j, name in enumerate(names):
            got.columns[f"p_{name}"][i], got.columns[f"u_{name}"][i] = p[j], after[j]
        got.columns["status"][i] = int(status)
    return got


def _mark_asymmetric(K: NDArray[np.float64], got: Outcomes) -> None:
    bad = _is_asymmetric(K, got.dim)
    if bad.any():
        for name, column in got.columns.items():
            column[bad] = int(Status["BAD_MATRIX"]) if name == "status" else 0


def _raise_first(got: Outcomes) -> None:
    import numpy as np

    bad = np.flatnonzero(~got.ok.reshape(-1))
    if len(bad):
        status = Status(int(got.columns["status"][bad[0]]))
        raise Error(status, f"row {bad[0]}: {status.message}" + (f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""))


def solve_columns(
    columns: dict[str, Any] | tuple[Any, ...],
    law: str | _core.Rule | Callable[..., Any] = "routh-stronge",
    *,
    out: dict[str, Any] | Outcomes,
    threads: int = 0,
    **coefficients: Any,
) -> None:
    """The batch of C on columns where they lie: no copy, no broadcast, results into ``out``.

    ``columns`` has K_t11, K_t12, K_t22, K_t1n, K_t2n, K_nn, u_t1, u_t2, u_n (without those of t2 in the plane), each a
    contiguous float64 array. A coefficient may be a column, too.
    """
    given = tuple(columns.get(n) for n in _IN) if isinstance(columns, dict) else tuple(columns)
    if isinstance(columns, dict):
        for name in columns:
            if name not in _IN:
                raise ValueError(f"unknown column {name!r}; there are {', '.join(_IN)}")
    if len(given) != len(_IN):
        raise ValueError(f"nine columns are needed: {', '.join(_IN)}")
    own = {n: v for n, v in coefficients.items() if n in COEFFICIENTS and _is_array(v)}
    r = rule(law, **{n: v for n, v in coefficients.items() if n not in own})
    warn_unused(r.law, own)
    _core.solve_columns(r, given, own, out.columns if isinstance(out, Outcomes) else out, threads)


class Comparison(list[dict[str, Any]]):
    """A table: one row per law. A list of dicts; ``frame()`` makes a pandas DataFrame of it."""

    def frame(self) -> Any:
        """A DataFrame with one row per law; needs pandas."""
        import pandas

        return pandas.DataFrame(list(self)).set_index("law")

    def __repr__(self) -> str:
        """The table as text."""
        keys = ["law", "p_n", "p_t", "u_n", "energy_change", "mode"]
        text = [[f"{r[k]:.6g}" if isinstance(r[k], float) else str(r[k]) for k in keys] for r in self]
        wide = [max(len(k), *(len(t[i]) for t in text)) if text else len(k) for i, k in enumerate(keys)]
        lines = [keys, *text]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, wide)).rstrip() for line in lines)


def compare(K: Any, u: Any, laws: list[str] | None = None, **coefficients: Any) -> Comparison:
    """Every law on one impact. A law that does not fit, or has no answer, is a row with its reason as mode.

    >>> compare([[3.5, 0], [0, 1]], [1, -1], laws=["newton", "routh-stronge"], e=0.5, mu=0.1)
    law            p_n  p_t    u_n  energy_change  mode
    newton         1.5  0      0.5  -0.375         frictionless
    routh-stronge  1.5  -0.15  0.5  -0.485625      sliding
    """
    table = Comparison()
    for id in laws if laws is not None else [n for n, d in LAWS.items() if "contact-force" not in d.traits]:
        used = {n: v for n, v in coefficients.items() if id not in LAWS or n in LAWS[id].coefficients or n not in COEFFICIENTS}
        r = rule(id, **used)
        try:
            out = _core.solve_one(K, u, r)
        except Error as refusal:
            none = float("nan")
            table.append({"law": id, "p_n": none, "p_t": none, "u_n": none, "energy_change": none, "mode": str(refusal)})
            continue
        p_t = out.p[0] if len(out.p) == 2 else (out.p[0] ** 2 + out.p[1] ** 2) ** 0.5
        row = {"law": id, "p_n": out.p[-1], "p_t": p_t, "u_n": out.u_after[-1], "energy_change": out.energy.change}
        table.append({**row, "mode": out.mode, "flags": out.flags.words, "outcome": out})
    return table


class Trace(NamedTuple):
    """The path inside an impact: one row per sample, and its events as (word, p, u)."""

    p: Any
    u: Any
    work_normal: Any
    work_friction: Any
    time: Any
    compression: Any
    mode: tuple[str, ...]
    events: list[tuple[str, tuple[float, ...], tuple[float, ...]]]


def trace(K: Any, u: Any, law: str | _core.Rule | Callable[..., Any] = "routh-stronge", *, samples: int = 16, **coefficients: Any) -> Trace:
    """The path inside an impact, with ``samples`` points per smooth stretch; arrays where NumPy is there.

    >>> [word for word, p, u in trace([[1, 0], [0, 1]], [1, -2], e=0.5, mu=0.25).events]
    ['slide+', 'Z+', 'end']
    """
    rows, events = _core.trace(K, u, rule(law, **coefficients), samples)
    if not rows:
        warnings.warn("this law has no path; try routh-stronge or jia", CaromWarning, stacklevel=2)
    columns: list[Any] = [list(c) for c in zip(*rows)] if rows else [[] for _ in range(7)]
    try:
        import numpy as np

        columns[:6] = [np.array(c) for c in columns[:6]]
    except ImportError:
        pass
    p, v, normal, friction, time, compression, mode = columns
    return Trace(p, v, normal, friction, time, compression, tuple(mode), [(e[6], e[0], e[1]) for e in events])
