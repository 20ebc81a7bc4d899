"""Coefficients from recorded impacts, with what the data say about them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ._cases import _io, call
from ._words import LAWS, hint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Data = str | os.PathLike[str] | Iterable[Mapping[str, Any]] | Mapping[str, "ArrayLike"]
Names = str | Sequence[str]


class Criteria(NamedTuple):
    """-2 log likelihood and what follows from it; ``aicc`` is None where there are too few numbers."""

    minus_2_log_likelihood: float
    aic: float
    aicc: float | None
    bic: float
    k: int
    n: int


class Trend(NamedTuple):
    """The runs test of one measured number along the ``angle`` of incidence or the ``speed``: a small p is no chance."""

    component: str
    along: str
    numbers: int
    runs: int
    p: float


class Ranked(NamedTuple):
    """A law among others: ``delta`` to the best, its Akaike ``weight``, and whether it coincides with the one before it."""

    law: str
    estimate: dict[str, Any]
    chi2: float
    delta: float
    weight: float | None
    score: float | None
    tie: bool


class Fit(NamedTuple):
    """What a fit has found. Parameters that the data do not determine are None; arrays have one row per impact.

    ``estimate``, ``std`` and ``intervals`` are by coefficient (with ``per_impact`` and ``per_group`` arrays over impacts or
    groups); ``covariance`` belongs to the coefficients ``covariance_of``. ``residuals`` are prediction - measurement in
    standard deviations, NaN where a row has fewer numbers. ``ranking`` is filled when laws were compared, best first; the
    rest is then about the best one. ``answer`` is the answer of ``carom fit --json``.
    """

    law: str
    estimate: dict[str, Any]
    std: dict[str, Any]
    intervals: dict[str, Any]
    covariance_of: tuple[str, ...]
    covariance: NDArray[np.float64]
    chi2: float
    objective: float
    p_value: float | None
    scale: float | None
    criteria: Criteria | None
    score: float | None
    at_bound: tuple[str, ...]
    not_identifiable: tuple[str, ...]
    notes: tuple[str, ...]
    trends: tuple[Trend, ...]
    modes: tuple[str, ...]
    residuals: NDArray[np.float64]
    standardised: NDArray[np.float64]
    leverage: NDArray[np.float64]
    cook: NDArray[np.float64]
    ranking: tuple[Ranked, ...]
    answer: dict[str, Any]

    def __repr__(self) -> str:
        """One line."""
        values = ", ".join(f"{k}={v:.6g}" for k, v in self.estimate.items() if isinstance(v, float))
        return f"Fit({self.law!r}, {values}, chi2={self.chi2:.6g})"


# ---- what comes in ----


def _columns(data: Mapping[str, Any], bare: bool) -> tuple[Any, ...]:
    """The arrays of a fit as the extension takes them: dimension, rows, columns by rows, groups."""
    import numpy as np

    known = ("K", "u", "u_after", "sigma", "covariance", "weight", "group")
    for name in data:
        if name not in known:
            raise ValueError(f"data has no column {name!r}{hint(name, known)}; there are {', '.join(known)}")
    errors = len({"sigma", "covariance"} & data.keys())
    if not {"K", "u", "u_after"} <= data.keys() or errors != 1 - (bare and errors == 0):
        raise ValueError("data needs the arrays K, u, u_after, and either sigma or covariance (noise='scale' needs neither)")
    u = np.asarray(data["u"], np.float64)
    if u.ndim != 2 or u.shape[1] not in (2, 3):
        raise ValueError(f"u must be (impacts, 3) for [t1, t2, n] or (impacts, 2) in the plane; its shape is {u.shape}")
    rows, dim = u.shape
    shapes = {"K": (rows, dim, dim), "u": (rows, dim), "u_after": (rows, dim), "weight": (rows,)}
    given = {"weight": 1.0, **data}
    taken = {}
    for name, shape in shapes.items():
        try:
            taken[name] = np.ascontiguousarray(np.broadcast_to(np.asarray(given[name], np.float64), shape))
        except ValueError:
            raise ValueError(f"{name} must be {shape}, as u is {u.shape}; its shape is {np.shape(given[name])}") from None
    if "covariance" in data:
        covariance = np.broadcast_to(np.asarray(data["covariance"], np.float64), (rows, dim, dim))
    else:
        sigma = np.broadcast_to(np.asarray(data.get("sigma", 1.0), np.float64), (rows, dim))
        covariance = np.where(np.eye(dim) > 0, np.square(sigma)[:, :, None], 0.0)
    groups = tuple(map(str, data["group"])) if "group" in data else None
    if groups is not None and len(groups) != rows:
        raise ValueError(f"group has {len(groups)} words for {rows} impacts")
    columns = (taken["K"], taken["u"], taken["u_after"], np.ascontiguousarray(covariance), taken["weight"])
    return dim, rows, columns, groups


def _source(data: Data, bare: bool) -> tuple[tuple[str, str] | None, tuple[Any, ...] | None, str]:
    if isinstance(data, (str, os.PathLike)):
        with open(data, encoding="utf-8") as file:
            return (file.read(), os.fspath(data)), None, os.fspath(data)
    if isinstance(data, Mapping):
        return None, _columns(data, bare), "arrays"
    return ("".join(json.dumps(dict(row)) + "\n" for row in data), "data"), None, "data"


# ---- what comes out ----


def _array(numbers: bytes, *shape: int) -> Any:
    try:
        import numpy as np

        return np.frombuffer(numbers).reshape(shape)
    except ImportError:
        import struct

        flat = list(struct.iter_unpack("d", numbers))
        width = shape[-1] if len(shape) > 1 else 1
        return [[x for (x,) in flat[i : i + width]] for i in range(0, len(flat), width)] if width > 1 else [x for (x,) in flat]


def _local(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values per unit as arrays; None where there is none becomes NaN in them."""
    try:
        import numpy as np

        return {k: np.array(v, np.float64) if isinstance(v, list) else v for k, v in values.items()}
    except ImportError:
        return dict(values)


def _ranked(row: dict[str, Any]) -> Ranked:
    delta = row.get("delta_aicc", row.get("delta"))
    tie, score = row.get("tie", False), row.get("cross_validation")
    return Ranked(row["law"], row["estimate"], row["chi2"], delta or 0.0, row.get("weight"), score, tie)


def _typed(answer: dict[str, Any], impacts: tuple[int, bytes, bytes, tuple[str, ...]]) -> Fit:
    width, residuals, diagnoses, modes = impacts
    rows, half, of = len(modes), len(residuals) // 2, tuple(answer["covariance"]["of"])
    criteria = answer.get("criteria_scale_estimated" if answer["task"]["noise"] == "scale" else "criteria")
    try:
        import numpy as np

        covariance: Any = np.array(answer["covariance"]["matrix"], np.float64).reshape(len(of), len(of))
    except ImportError:
        covariance = answer["covariance"]["matrix"]
    return Fit(
        law=answer["task"]["law"],
        estimate=_local(answer["estimate"]),
        std=_local(answer["std"]),
        intervals={k: tuple(v) if len(v) == 2 and not isinstance(v[0], list) else v for k, v in answer.get("intervals95", {}).items()},
        covariance_of=of,
        covariance=covariance,
        chi2=answer["chi2"],
        objective=answer["objective"],
        p_value=answer.get("p_value"),
        scale=answer.get("scale_unbiased"),
        criteria=Criteria(**criteria) if criteria else None,
        score=answer.get("cross_validation", {}).get("mean_square"),
        at_bound=tuple(answer["at_bound"]),
        not_identifiable=tuple(answer["not_identifiable"]),
        notes=tuple(answer["notes"]),
        trends=tuple(Trend(t["component"], t["along"], t["count"], t["runs"], t["p"]) for t in answer["runs"]),
        modes=modes,
        residuals=_array(residuals[:half], rows, width),
        standardised=_array(residuals[half:], rows, width),
        leverage=_array(diagnoses[: len(diagnoses) // 2], rows),
        cook=_array(diagnoses[len(diagnoses) // 2 :], rows),
        ranking=tuple(_ranked(row) for row in answer.get("compare", [])),
        answer=answer,
    )


def fit(
    data: Data,
    law: Names | None = None,
    *,
    fix: Mapping[str, float | str] | None = None,
    free: Names | Mapping[str, tuple[float, float]] | None = None,
    per: Mapping[str, str] | None = None,
    of_speed: Mapping[str, str] | None = None,
    loss: str | None = None,
    noise: str | None = None,
    folds: int | str | None = None,
    seed: int | None = None,
    intervals: bool = True,
) -> Fit:
    """Estimate the coefficients of a law from recorded impacts, or rank laws: several of them, or all (``law=None``).

    ``data`` is one of

    - arrays: ``{"K": (n, 3, 3), "u": (n, 3), "u_after": (n, 3), "sigma": (n, 3)}`` in contact axes (2 instead of 3 in the
      plane), which broadcast; ``covariance`` (n, 3, 3) instead of ``sigma``, ``weight`` and ``group`` (n,) if wanted. NaN in
      ``u_after`` was not measured;
    - dicts, cases with ``measured``;
    - the path of a file, JSON Lines or CSV.

    ``fix``: coefficients (or options of the law) that are known. ``free``: coefficients to fit besides the usual ones, such
    as ``mu_s`` or ``k``, or ``{"mu": (0, 1)}``, between which bounds. ``per``: ``{"e": "impact"}``, a value for every impact,
    or ``{"mu": "group"}``, for every word of ``group``. ``of_speed``: ``{"e": "power:1"}``, e or mu
    depends on the speed of approach, ``linear:V`` or ``power:V`` (e also ``plastic:V``, ``viscoelastic:V``), and its value is that at V m/s. ``loss``: ``squares``, ``huber:1.345`` or
    ``student:4``. ``noise``: ``known``, ``scale`` where the errors are known up to a common factor, or ``scale-per-group``. ``folds``: parts of the
    cross-validation (5; 0: none; ``"5:group"`` leaves groups out as wholes). ``seed``: of the starting points. ``intervals``: 95 % profile intervals, which take longer
    than the fit. A signal (Ctrl-C) ends a long fit; other threads run meanwhile.

    >>> v = [1.0, 2.0, 3.0]
    >>> data = {"K": [[1, 0], [0, 1]], "u": [[0, -x] for x in v], "u_after": [[0, 0.5 * x] for x in v], "sigma": 0.1}
    >>> round(fit(data, "newton").estimate["e"], 9)
    0.5
    """
    laws = [] if law is None else law.split(",") if isinstance(law, str) else list(law)
    for id in laws:
        if id not in LAWS:
            raise ValueError(f"unknown law {id!r}{hint(id, LAWS)}")
    options: dict[str, Any] = {"law": ",".join(laws) or None, "fix": fix, "free": free, "per": per, "of_speed": of_speed}
    options |= {"loss": loss, "noise": noise, "folds": folds, "seed": seed, "intervals": intervals}
    given = json.dumps({k: v for k, v in options.items() if v is not None})
    answer, impacts = call(_io().fit, *_source(data, noise == "scale"), given)
    return _typed(json.loads(answer), impacts)
