"""Case files as dicts: what ``carom solve --json`` reads and writes, and what the program does with them."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ._words import LAWS, CaromWarning, hint

_WIDTH = 100  # of a line, as the program wraps them

Case = dict[str, Any] | str | os.PathLike[str]


class CaseError(ValueError):
    """A case, a scene, data or an option was refused: ``key`` is to blame, ``rule`` says what it breaks.

    ``line`` and ``column`` count from 1 in the text that was given; 0 where no line is to blame.
    """

    key: str
    rule: str
    line: int
    column: int

    def __init__(self, message: str, key: str = "", rule: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.key, self.rule, self.line, self.column = key, rule, line, column

    def __reduce__(self) -> tuple[type[CaseError], tuple[str, str, str, int, int]]:
        """For pickle."""
        return type(self), (str(self), self.key, self.rule, self.line, self.column)


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


def call(function: Callable[..., Any], *args: Any) -> Any:
    """Call the extension; what it refuses becomes a CaseError."""
    try:
        return function(*args)
    except ValueError as refusal:
        if len(refusal.args) != 6:
            raise
        message, key, rule, _, line, column = refusal.args
        raise CaseError(message, key, rule, line, column) from None


def request(name: str, text: str | bytes | None, file: str, options: dict[str, Any]) -> Any:
    """A request by its name: the answer; warnings are told. Options that are None are left out."""
    given = json.dumps({k: v for k, v in options.items() if v is not None})
    answer, told = call(_io().request, name, text, file, given)
    for _, sentence in told:
        warnings.warn(sentence, CaromWarning, stacklevel=3)
    return json.loads(answer)


def _ask(case: Case, law: str | None, all: bool) -> tuple[str, str | None, list[str]]:
    if law is not None and law not in LAWS:
        raise ValueError(f"unknown law {law!r}{hint(law, LAWS)}")
    text, name = _text(case)
    answer: tuple[str, str | None, list[str]] = call(_io().solve_case, text, name, law, 1, all)
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


class Picture:
    """A drawing of a case. Notebooks show it; ``save`` writes .svg, .png or .pdf."""

    svg: str

    def __init__(self, kind: str, case: Case, law: str | None) -> None:
        self._what = (kind, *_text(case), law)
        self.svg = self._draw(None)

    def _draw(self, path: str | None) -> Any:
        kind, text, name, law = self._what
        return call(_io().plot, kind, path, text, name, law)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture; the ending of the name decides the format."""
        self._draw(os.fspath(path))

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
    """Draw a case: kind is scene, region, hodograph, impulse, energy, force, speeds or patch.

    Notebooks show the picture; ``save`` writes it; ``ax`` are matplotlib axes to draw it into as well.
    """
    picture = Picture(kind, case, law)
    if ax is not None:
        picture.draw(ax)
    return picture


def geometry(case: Case, law: str | None = None) -> dict[str, Any]:
    """The shapes of an impact as numbers: eigenvalues of K, ellipsoid, cone, region, rays (``carom geometry --json``).

    >>> geometry({"reduced": {"K": [[1, 0], [0, 1]], "u": [0, -2]}})["ellipsoid"]["radii"]
    [2, 2]
    """
    text, name = _text(case)
    answer: dict[str, Any] = request("geometry", text, name, {"law": law})
    return answer


def import_model(
    path: str | os.PathLike[str], *, ground: float | None = None, impact: int | None = None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A model in URDF, MJCF or SDF as a scene for `simulate`, and the list of what was not taken of it.

    Each loss has the `line`, the `element` and its `meaning`. A file that cannot be read raises ValueError; an inertia
    that no body has, or a mesh of many metres, is a CaromWarning. `ground` adds ground, so far below the lowest point of
    the model (m); with `impact` the N-th impact of its run takes the place of the scene, as a case of the mechanism.
    """
    scene, losses, notes = call(_io().import_model, os.fspath(path), -1.0 if ground is None else ground, impact or 0)
    for note in json.loads(notes):
        warnings.warn(note, CaromWarning, stacklevel=2)
    return json.loads(scene), json.loads(losses)


def explain(word: str) -> str:
    """What a word of an answer means, in one or two sentences (``carom explain``).

    >>> print(explain("stick"))  # doctest: +ELLIPSIS
    stick  mode of ...
    """
    import textwrap

    lines: list[str] = []
    for entry in request("explain", None, "", {"word": word}):
        if "lead" in entry:
            lines.append(entry["lead"])
        else:
            meaning = textwrap.fill(entry["meaning"], _WIDTH, initial_indent="    ", subsequent_indent="    ")
            lines += [f"{entry['word']}  {entry['kind']}", meaning, f"    {entry['page']}"]
    return "\n".join(lines)
