"""``python -m carom.selftest``: quick checks that need nothing but the package."""

from __future__ import annotations

import doctest
import sys
from types import ModuleType

import carom
from carom import _bodies, _cases, _geometry, _linkage, _measure, _mechanism, _several, _simulate, _solve, _words, convert


def doctests() -> tuple[int, int]:
    """Every example in the docstrings: failed, tried."""
    modules: list[ModuleType] = [_words, _solve, _bodies, _geometry, _several, _mechanism, _linkage, convert]
    try:
        _cases._io()
        modules += [_cases, _simulate, _measure]
    except ImportError:
        print("no case files in this build: their examples are left out")
    failed = tried = 0
    for module in modules:
        result = doctest.testmod(module)
        failed, tried = failed + result.failed, tried + result.attempted
    return failed, tried


def newton() -> bool:
    """p_n = -(1 + e) u_n / K_nn."""
    out = carom.solve([[2, 0, 0], [0, 3, 0], [0, 0, 4]], [0, 0, -2], "newton", e=0.5)
    return bool(out.p == (0.0, 0.0, 0.75) and out.u_after[2] == 1.0)


def columns() -> bool:
    """A batch gives every row what a single call gives, bit for bit."""
    try:
        import numpy as np
    except ImportError:
        print("no NumPy: arrays are left out")
        return True
    random = np.random.default_rng(1)
    A, u = random.normal(size=(100, 3, 3)), random.normal(size=(100, 3))
    K, u = A @ A.transpose(0, 2, 1), -np.abs(u)
    K = (K + K.transpose(0, 2, 1)) / 2
    many = carom.solve(K, u, "chatterjee-momentum", e=0.7, mu=0.4)
    return all(tuple(many.p[i]) == carom.solve(K[i], u[i], "chatterjee-momentum", e=0.7, mu=0.4).p for i in range(100))


def main() -> int:
    """Run everything; the exit status."""
    failed, tried = doctests()
    for check in (newton, columns):
        tried += 1
        if not check():
            failed += 1
            print(f"{check.__name__}: failed")
    print(f"{tried - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
