"""One case or one scene at many values of its inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ._cases import Case, request
from ._cases import _text as _case_text
from ._gradient import _ask, _names
from ._simulate import Scene


class Table(Mapping[str, Any]):
    """The rows of a sweep by columns: NumPy arrays of numbers (NaN where one is not defined), lists of words.

    The first columns are the inputs that were varied. ``len(table["status"])`` is the number of points.
    """

    def __init__(self, columns: list[str], rows: list[list[Any]]) -> None:
        self._columns = {name: _column([row[i] for row in rows]) for i, name in enumerate(columns)}

    def __getitem__(self, name: str) -> Any:
        """A column by its name."""
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        """The names of the columns, in their order."""
        return iter(self._columns)

    def __len__(self) -> int:
        """How many columns there are."""
        return len(self._columns)

    def __repr__(self) -> str:
        """One line."""
        rows = len(next(iter(self._columns.values()), []))
        return f"Table({rows} rows: {', '.join(self._columns)})"


def _column(values: list[Any]) -> Any:
    if any(isinstance(v, str) for v in values):
        return values
    numbers = [float("nan") if v is None else float(v) for v in values]
    try:
        import numpy as np

        return np.array(numbers)
    except ImportError:
        return numbers


def _values(given: Mapping[str, Any]) -> dict[str, str]:
    """Words as they are; other sequences become lists of the command line."""
    return {name: v if isinstance(v, str) else ",".join(repr(float(x)) for x in v) for name, v in given.items()}


def _distributions(given: Mapping[str, tuple[float, float] | str] | None) -> dict[str, str] | None:
    """Words as they are; pairs become normal distributions of the command line."""
    words = {name: v if isinstance(v, str) else f"normal:{float(v[0])!r}:{float(v[1])!r}" for name, v in (given or {}).items()}
    return words or None


def sweep(
    case: Case,
    vary: Mapping[str, str | Sequence[float]] | None = None,
    law: str | None = None,
    *,
    random: Mapping[str, tuple[float, float] | str] | None = None,
    count: int | None = None,
    seed: int | None = None,
    **settings: Any,
) -> Table:
    """Solve one case at many values of its inputs: a grid over the values of ``vary``, the first input changing slowest.

    Inputs are coefficients (``mu``) and paths of numbers in the case (``bodies.a.velocity.0``). Values are a sequence, or words:
    ``"FROM:TO:COUNT"``. ``random`` inputs are normal with (mean, deviation), or ``"uniform:LOW:HIGH"``, in ``count`` draws. The columns
    are those of ``carom sweep``.

    >>> flat = {"law": "newton", "reduced": {"K": [[1, 0], [0, 2]], "u": [0, -3]}}
    >>> table = sweep(flat, {"e": [0, 0.5, 1]})
    >>> [float(p) for p in table["p_n"]], table["status"][0]
    ([1.5, 2.25, 3.0], 'ok')
    """
    text, file = _case_text(case)
    options = {
        "vary": _values(vary or {}) or None,
        "random": _distributions(random),
        "count": count,
        "seed": seed,
        "law": law,
        "set": settings or None,
    }
    answer = request("sweep", text, file, options)
    return Table(answer["columns"], answer["rows"])


def ensemble(
    scene: Scene,
    vary: Mapping[str, str | Sequence[float]] | None = None,
    random: Mapping[str, tuple[float, float] | str] | None = None,
    law: str | None = None,
    *,
    record: str | Sequence[str] = ("time", "impacts", "energy.after"),
    time: float | None = None,
    impacts: int | None = None,
    count: int | None = None,
    seed: int | None = None,
    **settings: Any,
) -> Table:
    """Run one scene at many values of its inputs; one row per run, with the numbers of its end that ``record`` names.

    ``vary`` is that of ``sweep``. ``random`` inputs are normal with (mean, deviation), or ``"uniform:LOW:HIGH"``, or ``"uniform"`` for an
    orientation, drawn anew for each of ``count`` runs.

    >>> table = ensemble("bouncing-ball", {"e": [0.5, 0.8]}, time=1)
    >>> [int(n) for n in table["impacts"]]
    [2, 1]
    """
    options = {
        "vary": _values(vary or {}) or None,
        "random": _distributions(random),
        "record": _names(record),
        "time": time,
        "impacts": impacts,
        "count": count,
        "seed": seed,
    }
    answer = _ask("ensemble", scene, law, settings, options)
    return Table(answer["columns"], answer["rows"])
