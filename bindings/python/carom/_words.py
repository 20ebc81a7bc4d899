"""The words of the library: statuses, flags, laws, coefficients, and hints for those who mistype them."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from . import _core

_MANIFEST = _core.manifest()


def _member(word: str) -> str:
    return word.upper().replace("-", "_")


class Status(enum.IntEnum):
    """What a call says about its own success. ``Status.OK.is_answer`` is true for ok, separating and grazing."""

    _ignore_ = ["_value", "_id", "_rest"]
    for _value, _id, *_rest in _MANIFEST["statuses"]:
        vars()[_member(_id) if _id else f"UNUSED_{_value}"] = _value

    @property
    def id(self) -> str:
        """The permanent id, as in case files: ``"separating"``."""
        return _STATUSES[self][0]

    @property
    def message(self) -> str:
        """One sentence for people."""
        return _STATUSES[self][1]

    @property
    def is_answer(self) -> bool:
        """True when the outcome is a full answer."""
        return _STATUSES[self][2]


_STATUSES: dict[int, tuple[str, str, bool]] = {v: (i, m, a) for v, i, m, a in _MANIFEST["statuses"]}


class Flag(enum.IntFlag):
    """What an outcome may be flagged with. An outcome without flags broke no rule."""

    _ignore_ = ["_bit", "_word", "_rest"]
    for _bit, _word, *_rest in _MANIFEST["flags"]:
        vars()[_member(_word)] = _bit

    @property
    def words(self) -> tuple[str, ...]:
        """The flags as words: ``("creates-energy",)``."""
        return tuple(word for bit, word, _ in _MANIFEST["flags"] if self & bit)


class Error(ValueError):
    """There is no answer. ``status`` says why; the text is the sentence of the C library."""

    status: Status

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = Status(status)

    def __reduce__(self) -> tuple[type[Error], tuple[int, str]]:
        """For pickle."""
        return type(self), (int(self.status), str(self))


class CaromWarning(UserWarning):
    """Legal, but perhaps not meant."""


class Coefficient(NamedTuple):
    """One coefficient of the manifest."""

    name: str
    unit: str
    range: str
    minimum: float
    maximum: float
    default: float
    meaning: str


class Option(NamedTuple):
    """A choice between readings of a law; the first word is the default."""

    name: str
    words: tuple[str, ...]
    meaning: str


class Law(NamedTuple):
    """The descriptor of a law."""

    id: str
    name: str
    family: str
    summary: str
    reference: str
    coefficients: tuple[str, ...]
    traits: tuple[str, ...]
    modes: tuple[str, ...]


COEFFICIENTS: dict[str, Coefficient] = {row[0]: Coefficient(*row) for row in _MANIFEST["coefficients"]}
OPTIONS: dict[str, Option] = {row[0]: Option(*row) for row in _MANIFEST["options"]}
LAWS: dict[str, Law] = {row[0]: Law(*row) for row in _core.laws()}
TOGETHER: dict[str, Law] = {row[0]: Law(*row) for row in _MANIFEST["together"]}

_MEANT = {
    "stronge": "routh-stronge",
    "poisson": "routh-poisson",
    "routh": "routh-stronge",
    "coulomb": "routh-stronge",
    "friction": "mu",
    "restitution": "e",
    "cor": "e",
    "cof": "mu",
}


def laws() -> list[Law]:
    """Every law, in the order of every table.

    >>> laws()[0].id
    'newton'
    """
    return list(LAWS.values())


def law(id: str) -> Law:
    """The law with this id.

    >>> law("jia").coefficients
    ('e', 'mu', 'eta')
    """
    if id in LAWS:
        return LAWS[id]
    raise ValueError(f"unknown law {id!r}{hint(id, LAWS)}")


def hint(word: str, words: Any) -> str:
    """``; did you mean 'mu'?``, or nothing."""
    import difflib

    meant = _MEANT.get(word.lower().replace("_", "-"))
    near = [meant] if meant in words else difflib.get_close_matches(word, list(words), 1, 0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


_FORMS = ("linear", "power", "viscoelastic")
_FUNCTION = {"value": None, "q": None, "speed": 1.0, "from": 0.0, "to": float("inf")}  # keys with their defaults


def coefficient(name: str, value: Any) -> Any:
    """A number; or of a function of the speed, {"power": {"value": 0.8, "q": 0.1, "from": 0.05}}, the tuple that _core takes."""
    if not isinstance(value, Mapping):
        return float(value)
    if name not in ("e", "mu"):
        raise TypeError(f"{name} must be a number: only e and mu can depend on the speed")
    forms = _FORMS if name == "e" else _FORMS[:2]
    form = next(iter(value), "") if len(value) == 1 else ""
    if form not in forms or not isinstance(value[form], Mapping):
        raise ValueError(f'{name} must be a number, or an object with one of {", ".join(map(repr, forms))}: {{"power": {{"value": 0.8, "q": 0.1, "from": 0.05}}}}')
    given = value[form]
    for key in given:
        if key not in _FUNCTION:
            raise ValueError(f"{name}.{form}.{key}: unknown key{hint(key, _FUNCTION)}")
    for key, default in _FUNCTION.items():
        if default is None and key not in given:
            raise ValueError(f"{name}.{form}.{key}: missing key")
    c, q, speed, start, end = (float(given.get(key, default)) for key, default in _FUNCTION.items())
    grows = q > 0 if form == "power" else form == "viscoelastic" and q < 0
    rules = [("value", c >= 0 and (name == "mu" or c <= 1), "must be >= 0" if name == "mu" else "must be in 0...1"),
             ("q", abs(q) < float("inf"), "must be finite"),
             ("speed", 0 < speed < float("inf"), "must be > 0"),
             ("from", 0 <= start < float("inf"), "must be >= 0"),
             ("from", start > 0 or not grows, "must be > 0: without it the function has no end towards low speeds"),
             ("to", end > start, "must be above from")]
    for key, fits, text in rules:
        if not fits:
            raise ValueError(f"{name}.{form}.{key}: {text}")
    return (form, c, q, speed, start, end)


def at_speed(function: Any, v: Any, name: str = "e") -> Any:
    """A coefficient that depends on the speed, at the speed of approach v: a number, or an array where v is one.

    ``name`` is "e" or "mu". Batches and laws of several contacts take such numbers.

    >>> at_speed({"linear": {"value": 0.8, "q": 0.1, "speed": 2}}, 4)
    0.7200000000000001
    """
    given = coefficient(name, function)
    if not hasattr(v, "__len__"):
        return _core.at_speed(name, given, float(v))
    import numpy as np

    speeds = np.asarray(v, float)
    return np.array([_core.at_speed(name, given, x) for x in speeds.ravel().tolist()]).reshape(speeds.shape)


def rule(law: str | _core.Rule | Callable[..., Any] = "routh-stronge", /, **settings: Any) -> _core.Rule:
    """A law with its coefficients and options, checked once.

    A law may be a function of yours, ``law(K, u, **coefficients) -> p``: K and u are tuples in contact axes (3 x 3 and 3,
    in the plane 2 x 2 and 2), p is the impulse. Everything else (gate, ledger, flags) is as for any law; it takes one impact
    at a time, in Python's speed. e and mu may be functions of the speed, as in case files.

    >>> rule("newton", e=0.8).coefficients
    {'e': 0.8}
    >>> def plastic(K, u, e=0):
    ...     return 0, -(1 + e) * u[1] / K[1][1]
    >>> _core.solve_one([[2, 0], [0, 1]], [1, -3], rule(plastic, e=0.5)).u_after
    (1.0, 1.5)
    """
    if isinstance(law, _core.Rule):
        if settings:
            raise TypeError("a Rule has its coefficients already; pass the id of a law instead")
        return law
    if not callable(law) and law not in LAWS:
        raise ValueError(f"unknown law {law!r}{hint(law, LAWS)}")
    for name in settings:
        if name not in COEFFICIENTS and name not in OPTIONS:
            raise TypeError(f"unknown coefficient {name!r}{hint(name, [*COEFFICIENTS, *OPTIONS])}")
    if callable(law) and any(isinstance(v, Mapping) for v in settings.values()):
        raise TypeError("a law of your own takes numbers; carom.at_speed gives a function of the speed at one")
    coefficients = {k: coefficient(k, v) for k, v in settings.items() if k in COEFFICIENTS and v is not None}
    options = {k: v for k, v in settings.items() if k in OPTIONS and v is not None}
    if isinstance(law, str):
        warn_unused(law, coefficients)
    return _core.Rule(law, coefficients, options)


def warn(text: str) -> None:
    """A CaromWarning at the line of the caller's own file."""
    import sys
    import warnings

    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("carom."):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(text, CaromWarning, stacklevel=depth)


def warn_unused(law: str, coefficients: Any) -> None:
    """Warn of coefficients that a law does not use, in the words of the command line. mu counts as used: the ledger needs it."""
    for name in coefficients if law in LAWS else ():
        if name != "mu" and name not in LAWS[law].coefficients:
            warn(f"{law} does not use {name} (unused-coefficient)")
