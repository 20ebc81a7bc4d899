"""A law from a contact force of your own: springs, dashpots, potentials with dissipation functions. For trying ideas: it is slow.

`contact_force` follows the contact point in time,

    q' = v = u + K p,   p' = F(q, v),   from q = 0 until the bodies part or the force no longer presses,

to a tolerance, and returns a function that `carom.solve` and its kin take as a law. q and v are (t, n) or (t1, t2, n), and q_n < 0 is
compression. A force from a potential phi(q) and a dissipation function D(q, v) is F = -dphi/dq - dD/dv (Chatterjee 1997, section 5.2.3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Vector = Sequence[float]
Matrix = Sequence[Sequence[float]]
ContactForce = Callable[[Vector, Vector], Vector]

STEPS_MOST = 20_000  # a force that never lets go ends here
HALVINGS = 60  # of the last step, to where the contact ends
FIRST_STEP = 1e-6  # s; the next ones are chosen by their errors
GROW, SHRINK, SAFE = 5.0, 0.2, 0.9

# Dormand and Prince: nodes do not matter, the equations do not contain the time
_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_ERROR = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


class _Contact:
    """The equations above for one impact. A state is q followed by p."""

    def __init__(self, K: Matrix, u: Vector, force: ContactForce) -> None:
        self.K, self.u, self.force, self.size = K, u, force, len(u)

    def velocity(self, state: Vector) -> list[float]:
        p = state[self.size :]
        return [self.u[i] + sum(self.K[i][j] * p[j] for j in range(self.size)) for i in range(self.size)]

    def rate(self, state: Vector) -> list[float]:
        v = self.velocity(state)
        return v + [float(f) for f in self.force(state[: self.size], v)]

    def step(self, state: list[float], h: float) -> tuple[list[float], list[float]]:
        """The state after h, and an estimate of its error."""
        slopes = [self.rate(state)]
        for row in _STAGES:
            at = [y + h * sum(a * k[i] for a, k in zip(row, slopes)) for i, y in enumerate(state)]
            slopes.append(self.rate(at))
        return at, [h * sum(e * k[i] for e, k in zip(_ERROR, slopes)) for i in range(len(state))]

    def is_over(self, state: Vector) -> bool:
        """The bodies part, and have no overlap left or do not press."""
        v = self.velocity(state)
        return v[-1] > 0 and (state[self.size - 1] >= 0 or self.force(state[: self.size], v)[-1] <= 0)

    def error(self, state: Vector, error: Vector) -> float:
        """Against the sizes of displacement and impulse."""
        n = self.size
        length = max(abs(x) for x in state[:n])
        impulse = max(max(abs(x) for x in state[n:]), abs(self.u[-1]) / self.K[-1][-1])
        return max(max(abs(e) for e in error[:n]) / length if length > 0 else 0.0, max(abs(e) for e in error[n:]) / impulse)

    def end(self, state: list[float], h: float) -> list[float]:
        """Where the contact ends within h of a state in which it has not ended."""
        low, high = 0.0, h
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self.is_over(self.step(state, middle)[0]):
                high = middle
            else:
                low = middle
        return self.step(state, high)[0]


def _followed(contact: _Contact, tolerance: float) -> list[float]:
    state, h = [0.0] * (2 * contact.size), FIRST_STEP
    for _ in range(STEPS_MOST):
        after, estimate = contact.step(state, h)
        size = contact.error(after, estimate)
        if not all(math.isfinite(x) for x in after):
            h /= 2
            continue
        if size <= tolerance:
            if contact.is_over(after):
                return contact.end(state, h)
            state = after
        h *= min(GROW, max(SHRINK, SAFE * (tolerance / size) ** 0.2)) if size > 0 else GROW
    raise ValueError(f"the contact has not ended after {STEPS_MOST} steps; does the force let go?")


def contact_force(force: ContactForce, *, tolerance: float = 1e-11) -> Callable[[Matrix, Vector], list[float]]:
    """The law that follows force(q, v) through an impact. tolerance is the error of a step, of the sizes of displacement and impulse."""

    def law(K: Matrix, u: Vector) -> list[float]:
        return _followed(_Contact(K, u, force), tolerance)[len(u) :]

    return law
