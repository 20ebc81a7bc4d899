"""Derivatives of outcomes, and the ways from measurements to coefficients."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import _core, _program
from ._cases import Case, _text
from ._solve import Outcome
from ._words import LAWS, hint, rule

Data = str | os.PathLike[str] | Iterable[Mapping[str, Any]]


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


def has_derivatives(law: str) -> bool:
    """Whether ``derivative`` takes this law.

    >>> has_derivatives("newton"), has_derivatives("mindlin")
    (True, False)
    """
    return _core.has_derivatives(rule(law))


def _with_data(command: str, data: Data, options: Sequence[str]) -> Any:
    """Run a command on a file, or on rows written to one."""
    if isinstance(data, (str, os.PathLike)):
        os.stat(data)
        return json.loads(_program.run(command, *options, "--json", os.fspath(data)))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(dict(row)) + "\n" for row in data)
        return json.loads(_program.run(command, *options, "--json", path))


def _words(**given: Any) -> list[str]:
    """Keywords as options of the program: per_impact="e" is --per-impact e, fix={"e": 1} is --fix e=1."""
    words: list[str] = []
    for name, value in given.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, Mapping):
            for key, x in value.items():
                text = ":".join(map(repr, x)) if isinstance(x, (tuple, list)) else str(x)
                words += [option, f"{key}={text}"]
        elif value is True:
            words.append(option)
        elif value is not None and value is not False:
            for x in [value] if isinstance(value, (str, int, float)) else value:
                words += [option, str(x)]
    return words


def fit(data: Data, law: str | None = None, **options: Any) -> dict[str, Any]:
    """Estimate the coefficients of a law from recorded impacts, or rank all laws (``law=None``): ``carom fit --json``.

    ``data`` is a file (JSON Lines or CSV) or dicts: cases with ``measured``. It takes the options of the program:
    ``fix={"e": 0.9}``, ``free="mu_s"``, ``bounds={"mu": (0, 1)}``, ``per_impact="e"``, ``loss="huber:1.345"``, ``noise="scale"``,
    ``impacts=True`` ...

    >>> rows = [{"reduced": {"K": [[1, 0], [0, 1]], "u": [0, -v]}, "measured": {"u_after": [0, 0.5 * v], "sigma": [0.1, 0.1]}}
    ...         for v in (1.0, 2.0, 3.0)]
    >>> round(fit(rows, "newton")["estimate"]["e"], 9)
    0.5
    """
    if law is not None and law not in LAWS:
        raise ValueError(f"unknown law {law!r}{hint(law, LAWS)}")
    answer: dict[str, Any] = _with_data("fit", data, ["--compare" if law is None else f"--law={law}", *_words(**options)])
    return answer


def invert(case: Case, want: Mapping[str, Sequence[Any]], vary: str | Sequence[str], law: str | None = None) -> dict[str, Any]:
    """The inputs for which an impact has a wanted outcome (``carom invert --json``); None is a number that does not matter.

    >>> case = {"law": "newton", "coefficients": {"e": 0.5}, "reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1]}}
    >>> invert(case, {"u_after": [None, 0.8]}, "e")["solutions"][0]["controls"]
    {'e': 0.8}
    """
    text, _ = _text(case)
    wishes = [x for k, v in want.items() for x in ("--want", f"{k}=" + ",".join("_" if n is None else repr(n) for n in v))]
    names = vary if isinstance(vary, str) else ",".join(vary)
    answer: dict[str, Any] = json.loads(_program.run("invert", "-", *wishes, "--vary", names, *_words(law=law), "--json", stdin=text))
    return answer


def materials(word: str = "") -> list[dict[str, Any]]:
    """Published coefficients of pairs of materials, with their sources (``carom materials --json``).

    >>> len(materials("glass")) > 0
    True
    """
    lines = _program.run("materials", "--json", *([word] if word else [])).splitlines()
    return [json.loads(line) for line in lines]
