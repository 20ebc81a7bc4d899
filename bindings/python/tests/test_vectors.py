"""Every vector file through the Python API: the numbers of independent programs, and the bits of the command line."""

import json
import warnings

import numpy as np
import pytest
from conftest import ROOT, read_lines, run_program

import carom

LEAST = {"mindlin": 1e-8}  # what issue and pages promise; contact-force laws 1e-10, closed forms their bound


def tolerance(case):
    if case["law"] not in carom._words.LAWS:
        return 1e-9
    force = "contact-force" in carom.law(case["law"]).traits
    least = LEAST.get(case["law"], 1e-10) if force else 1e-12
    return max(least, 16 * case.get("error_bound", 0) + 1e-13)


def settings(case):
    numbers = {k: float("inf") if v == "infinite" else v for k, v in case.get("coefficients", {}).items()}
    return {**numbers, **{k: case[k] for k in carom.OPTIONS if k in case}}


def is_plain(case):
    """A reduced impact with one answer, given by K."""
    return (
        "K" in case.get("reduced", {})
        and "p" in case.get("expect", {})
        and case["law"] in carom._words.LAWS
        and not any(k in case for k in ("vibration", "contacts", "until"))
        and isinstance(case["expect"]["p"][0], (int, float))
    )


def test_reduced_cases(vectors):
    tried = 0
    for case in filter(is_plain, read_lines(vectors)):
        try:
            out = carom.solve(case["reduced"]["K"], case["reduced"]["u"], case["law"], **settings(case))
        except (carom.Error, TypeError, ValueError):
            continue  # refused as expected, or with settings that only files have
        want = np.array(case["expect"]["p"])
        if len(out.solutions) == 1:
            assert np.abs(np.array(out.p) - want).max() <= tolerance(case) * np.abs(want).max() + 1e-300, case["name"]
        tried += 1
    if vectors.stem in ("algebraic", "incremental"):
        assert tried > 100


def test_cases_as_the_program_answers_them(vectors):
    lines = vectors.read_text().splitlines()[:400]
    status, output = run_program("solve", "--json", "-", stdin="\n".join(lines) + "\n")
    said = output.splitlines() if status == 0 else None  # a line is refused on purpose: compared below without it
    answers = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in lines:
            try:
                answers.append(carom.solve_case(json.loads(line)))
            except carom.CaseError:
                answers.append(None)
    if said is not None:
        assert answers == [json.loads(s) for s in said]
    wanted = [json.loads(line).get("expect", {}).get("status", "ok") for line in lines]
    refused = [w for w, answer in zip(wanted, answers) if answer is None]
    assert not {"ok", "separating", "grazing"} & set(refused), "only what a vector file says is refused"


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "cases").glob("*.json")), ids=lambda p: p.stem)
def test_example_cases(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = carom.solve_case(path)
    assert answer["status"] in ("ok", "separating", "grazing")
