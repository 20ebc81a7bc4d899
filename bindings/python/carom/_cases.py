"""Case files as dicts: what ``carom solve --json`` reads and writes, and what the program does with them."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import _program
from ._words import LAWS, CaromWarning, hint

Case = dict[str, Any] | str | os.PathLike[str]


class CaseError(ValueError):
    """A case was refused: ``key`` is to blame, ``rule`` says what it breaks."""

    key: str
    rule: str

    def __init__(self, message: str, key: str = "", rule: str = "") -> None:
        super().__init__(message)
        self.key, self.rule = key, rule

    def __reduce__(self) -> tuple[type[CaseError], tuple[str, str, str]]:
        """For pickle."""
        return type(self), (str(self), self.key, self.rule)


def _io() -> Any:
    try:
        from . import _io

        return _io
    except ImportError as missing:
        raise ImportError(
            "this build of carom reads no case files: install cairo "
            "(Debian: libcairo2-dev) and install carom again"
        ) from missing


def _text(case: Case) -> tuple[str, str]:
    """The text of a case and the name that messages use."""
    if isinstance(case, dict):
        return json.dumps(case), "case"
    with open(case, encoding="utf-8") as file:
        return file.read(), str(case)


def _ask(case: Case, law: str | None, all: bool) -> tuple[str, str | None, list[str]]:
    if law is not None and law not in LAWS:
        raise ValueError(f"unknown law {law!r}{hint(law, LAWS)}")
    text, name = _text(case)
    io = _io()
    try:
        answer: tuple[str, str | None, list[str]] = io.solve_case(text, name, law, 1, all)
    except ValueError as refusal:
        if len(refusal.args) == 4:
            raise CaseError(*refusal.args[:3]) from None
        raise
    return answer


def solve_case(case: Case, law: str | None = None, *, all: bool = False) -> dict[str, Any]:
    """Solve a case: a dict or the path of a file in, the answer of ``carom solve --json`` out.

    >>> reduced = {"K": [[1, 0], [0, 1]], "u": [0, -1]}
    >>> solve_case({"law": "newton", "coefficients": {"e": 0.5}, "reduced": reduced})["p"]
    [0, 1.5]
    """
    text, solutions, said = _ask(case, law, all)
    for sentence in said:
        warnings.warn(sentence, CaromWarning, stacklevel=2)
    answer: dict[str, Any] = json.loads(text)
    if solutions is not None:
        answer["all"] = json.loads(solutions)
    return answer


def solve_cases(cases: Iterable[Case], law: str | None = None) -> Iterator[dict[str, Any]]:
    """The answers to many cases, one by one; a bad case gives ``{"status": "refused", "message": ...}``."""
    for case in cases:
        try:
            yield solve_case(case, law)
        except CaseError as refusal:
            yield {"status": "refused", "message": str(refusal), "key": refusal.key}


def draw_svg(save: Callable[[str], None]) -> str:
    """The text of the .svg that ``save(path)`` writes."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.svg")
        save(path)
        with open(path, encoding="utf-8") as file:
            return file.read()


class Picture:
    """A drawing of a case. Notebooks show it; ``save`` writes .svg, .png or .pdf."""

    svg: str

    def __init__(self, kind: str, case: Case, law: str | None) -> None:
        self._what = (kind, case, law)
        self.svg = draw_svg(self.save)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture; the ending of the name decides the format."""
        kind, case, law = self._what
        text, name = _text(case)
        try:
            _io().plot(kind, os.fspath(path), text, name, law)
        except ValueError as refusal:
            if len(refusal.args) == 4:
                raise CaseError(*refusal.args[:3]) from None
            raise

    def draw(self, ax: Any) -> Any:
        """Draw it into matplotlib axes, as lines and areas; returns the axes."""
        from ._axes import draw

        return draw(self.svg, ax)

    def _repr_svg_(self) -> str:
        """For notebooks."""
        return self.svg

    def __repr__(self) -> str:
        """One line."""
        return f"Picture({self._what[0]!r})"


def plot(kind: str, case: Case, law: str | None = None, *, ax: Any = None) -> Picture:
    """Draw a case: kind is scene, region, hodograph, impulse, energy, force or speeds.

    Notebooks show the picture; ``save`` writes it; ``ax`` are matplotlib axes to draw it into as well.
    """
    picture = Picture(kind, case, law)
    if ax is not None:
        picture.draw(ax)
    return picture


def _json_of(command: str, case: Case, *options: str) -> Any:
    text, _ = _text(case)
    return json.loads(_program.run(command, *options, "--json", "-", stdin=text))


def geometry(case: Case) -> dict[str, Any]:
    """The shapes of an impact as numbers: eigenvalues of K, ellipsoid, cone, region, rays (``carom geometry --json``)."""
    answer: dict[str, Any] = _json_of("geometry", case)
    return answer


def explain(word: str) -> str:
    """What a word of an answer means, in one or two sentences (``carom explain``)."""
    return _program.run("explain", word).strip()
