"""What Python adds to the C library: `./run bench-python`. Times are those of the processor, the least of many, in one run.

    a million rows    carom.solve_columns with out=, over carom_batch_solve alone; at most 1.10
    one impact        carom.solve_one, tuples in; at most 400 ns
    import            without NumPy; at most 50 ms
"""

from __future__ import annotations

import subprocess
import sys
import time
import timeit

import numpy as np

import carom
from carom import _core

ROWS = 1_000_000


def batch(law: str) -> tuple[float, float]:
    """Seconds of the call from Python and of the C function inside it, the least of each."""
    random = np.random.default_rng(1)
    names = ("K_t11", "K_t12", "K_t22", "K_t1n", "K_t2n", "K_nn", "u_t1", "u_t2", "u_n")
    columns = {n: random.uniform(2, 4, ROWS) if n in ("K_t11", "K_t22", "K_nn") else 0.2 * random.normal(size=ROWS) for n in names}
    columns["u_n"] = -np.abs(columns["u_n"]) - 1
    out, rule = carom.Outcomes.empty(ROWS, ledger=False), carom.rule(law)
    given = tuple(columns[n] for n in names)
    python, c = [], []
    for _ in range(12):
        python.append(timeit.timeit(lambda: carom.solve_columns(columns, rule, out=out, threads=1), number=1, timer=time.thread_time))
        c.append(_core.time_columns(rule, given, {}, out.columns, 1))
    return min(python), min(c)


def one() -> float:
    """Seconds of one impact."""
    K, u, rule = ((3.5, 0.0, 0.1), (0.0, 3.5, 0.0), (0.1, 0.0, 1.0)), (1.0, 0.5, -2.0), carom.rule("newton")
    return min(timeit.repeat(lambda: carom.solve_one(K, u, rule), number=20000, repeat=9, timer=time.thread_time)) / 20000


def load() -> float:
    """Seconds of `import carom`, inside a fresh interpreter."""
    code = "import time; t = time.process_time(); import carom; print(time.process_time() - t)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(7))


def main() -> int:
    """Print the table; 1 if a line is not met."""
    met = True
    print(f"{ROWS} rows, one thread, {carom.instruction_set()}")
    for law in ("newton", "chatterjee-momentum", "whittaker"):
        python, c = batch(law)
        met &= python <= 1.1 * c
        print(f"  {law:20} Python {1e9 * python / ROWS:7.2f} ns a row, C {1e9 * c / ROWS:7.2f}, ratio {python / c:.3f}  (at most 1.100)")
    seconds, start = one(), load()
    met &= seconds <= 400e-9 and start <= 50e-3
    print(f"one impact  {1e9 * seconds:7.1f} ns  (at most 400)")
    print(f"import      {1e3 * start:7.1f} ms  (at most 50)")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
