"""Recordings: poses of one body at a rate, to its masses, its impacts and predictions."""

from __future__ import annotations

import json
import os
from typing import Any

from ._cases import request

Description = dict[str, Any] | str | os.PathLike[str]
Records = str | bytes | os.PathLike[str]


def _described(description: Description) -> dict[str, Any]:
    if isinstance(description, dict):
        return description
    with open(description, encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
        return found


def _table(records: Records) -> tuple[Any, str]:
    """The bytes of a table, plain or compressed, and the name that messages use."""
    if isinstance(records, bytes):
        return records, "records"
    with open(records, "rb") as file:
        return file.read(), os.fspath(records)


def recorded_body(description: Description, records: Records) -> dict[str, Any]:
    """The body of a recording from its own records: the description with what was found, and ``found`` with errors.

    ``description`` is a dict or the path of a JSON file; ``records`` the path of a table (CSV, may be compressed by gzip) or
    its bytes. The answer is a description for ``recorded_impacts`` and ``predict``.
    """
    answer: dict[str, Any] = request("body", *_table(records), {"body": _described(description)})
    return answer


def recorded_impacts(description: Description, records: Records, *, all: bool = False) -> dict[str, Any]:
    """The impacts of a recording: ``impacts``, cases with ``measured`` for ``fit``, and ``report``.

    ``all``: also impacts at several contacts, as cases with ``contacts``. ``report`` counts what was left out, and why.
    """
    answer: dict[str, Any] = request("reduce", *_table(records), {"body": _described(description), "all": all})
    return answer


def predict(
    description: Description,
    records: Records,
    law: str,
    *,
    sliding: float | None = None,
    together: str | None = None,
    fit: list[str] | None = None,
    horizon: int | None = None,
    every: int | None = None,
    starts: int | None = None,
    **coefficients: float | dict[str, Any],
) -> dict[str, Any]:
    """How far the simulator is from the records: ``prediction``, medians and root mean squares, and ``fit``.

    ``sliding``: friction while a contact is closed (default: ``mu``). ``together``: the law of several contacts. ``fit``:
    coefficients (and ``sliding``) to fit to whole motions first, from the given values, over ``horizon`` frames, and from
    ``starts`` points (default 2). ``every``: only every so many-th record. A coefficient may be a function of the speed as
    ``fit`` gives it under ``coefficients``, such as ``{"linear": {...}}``.
    """
    values = {key: json.dumps(value) if isinstance(value, dict) else value for key, value in coefficients.items()}
    options = {"body": _described(description), "law": law, "set": values, "sliding": sliding, "together": together}
    options |= {"fit": fit, "horizon": horizon, "every": every, "starts": starts}
    answer: dict[str, Any] = request("predict", *_table(records), options)
    return answer
