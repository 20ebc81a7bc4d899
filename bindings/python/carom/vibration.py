"""Modes of bodies that vibrate when they are hit, for the law ``modal``.

>>> modes = disk_modes(radius=0.0491, mass=0.0672, thickness=0.0064, young=2.7e9, poisson=0.3, count=3)
>>> [round(m["omega"] / (2000 * math.pi), 1) for m in modes]        # kHz
[6.6, 6.6, 7.7]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

_ORDERS = 12  # nodal diameters that are looked at
_STEP = 0.02  # of the scan for roots, in units of c_p / radius; neighbouring roots of one order are further apart
_BISECTIONS = 60
_POINTS = 96  # of the trapezoidal rule over a period, exact to the last digits for arguments up to 40, and of the radius
_RIGID = 0.2  # below this no root is a vibration


def _bessel(n: int, x: float) -> float:
    """J_n(x), from its integral over a period: cos(n t - x sin t)."""
    return sum(math.cos(n * t - x * math.sin(t)) for t in (2 * math.pi * k / _POINTS for k in range(_POINTS))) / _POINTS


def _derivatives(n: int, x: float) -> tuple[float, float, float]:
    """J_n, J_n' and J_n'' at x > 0."""
    value, slope = _bessel(n, x), (_bessel(n - 1, x) - _bessel(n + 1, x)) / 2
    return value, slope, -slope / x - (1 - (n / x) ** 2) * value


class _Wave:
    """Displacements u_r cos(n t), u_t sin(n t) of a potential at radius r (1 is the rim): dilatation or shear."""

    def __init__(self, n: int, r: float, wave: float, shear: bool) -> None:
        j, slope, curve = _derivatives(n, wave * r)
        along, across = wave * slope, n / r * j
        along_slope, across_slope = wave * wave * curve, n / r * (wave * slope - j / r)
        self.r, self.t = (across, -along) if shear else (along, -across)
        self.r_slope, self.t_slope = (across_slope, -along_slope) if shear else (along_slope, -across_slope)

    def tractions(self, n: int, poisson: float) -> tuple[float, float]:
        """Normal and shear traction at the rim, over E / (1 - nu^2) and over G."""
        return self.r_slope + poisson * (self.r + n * self.t), -n * self.r + self.t_slope - self.t


def _waves(n: int, r: float, frequency: float, poisson: float) -> tuple[_Wave, _Wave]:
    return _Wave(n, r, frequency, False), _Wave(n, r, frequency * math.sqrt(2 / (1 - poisson)), True)


def _rim(n: int, poisson: float) -> Callable[[float], float]:
    """Zero at the frequencies at which dilatation and shear together leave the rim free."""

    def determinant(frequency: float) -> float:
        (a, b), (c, d) = (w.tractions(n, poisson) for w in _waves(n, 1, frequency, poisson))
        return a * d - b * c

    return determinant


def _roots(function: Callable[[float], float], most: float) -> list[float]:
    found, x, y = [], _RIGID, function(_RIGID)
    while x < most:
        ahead = function(x + _STEP)
        if y * ahead < 0:
            low, high = x, x + _STEP
            for _ in range(_BISECTIONS):
                middle = (low + high) / 2
                low, high = (middle, high) if function(middle) * y > 0 else (low, middle)
            found.append(low)
        x, y = x + _STEP, ahead
    return found


def _shape(n: int, frequency: float, poisson: float) -> tuple[float, float, float]:
    """u_r and u_t at the rim, and the mean over the disk of their square, up to a factor."""
    (a, b), (c, d) = (w.tractions(n, poisson) for w in _waves(n, 1, frequency, poisson))
    parts = (c, -a) if abs(a) + abs(c) > abs(b) + abs(d) else (d, -b)
    if n == 0:  # dilatation and torsion are apart: one of the tractions is zero
        parts = (1.0, 0.0) if abs(a) < abs(d) else (0.0, 1.0)

    def at(r: float) -> tuple[float, float]:
        one, two = _waves(n, r, frequency, poisson)
        return parts[0] * one.r + parts[1] * two.r, parts[0] * one.t + parts[1] * two.t

    radii = [(k + 0.5) / (4 * _POINTS) for k in range(4 * _POINTS)]
    mean = sum((math.hypot(*at(r)) ** 2) * r for r in radii) / len(radii)
    return (*at(1), mean if n > 0 else 2 * mean)


def disk_modes(
    *, radius: float, mass: float, thickness: float, young: float, poisson: float, count: int = 8, zeta: float = 0.0
) -> list[dict[str, Any]]:
    """The first modes in the plane of a free disk (plane stress), for ``"vibration": {"modes": ...}`` of a planar case.

    ``phi`` is (tangential, normal) at a point of the rim, mass-normalised. A mode with nodal diameters is there twice, with
    the contact at the largest radial or tangential motion; a disk has no other motion there. ``zeta``: damping of all.
    """
    if not (min(radius, mass, thickness, young) > 0 and 0 <= poisson < 0.5 and count > 0):
        raise ValueError("disk_modes: sizes, mass and young must be positive, poisson in 0...0.5, count at least 1")
    density = mass / (math.pi * radius**2 * thickness)
    unit = math.sqrt(young / (density * (1 - poisson**2))) / radius
    found: list[dict[str, Any]] = []
    most = 1.5 + 0.6 * math.sqrt(count)
    for n in range(_ORDERS):
        for frequency in _roots(_rim(n, poisson), most):
            radial, tangential, mean = _shape(n, frequency, poisson)
            scale = 1 / math.sqrt(mass * mean)
            for phi in ([0.0, scale * radial], [scale * tangential, 0.0]):
                if abs(phi[0]) + abs(phi[1]) > 1e-9 * scale:
                    found.append({"omega": unit * frequency, "zeta": zeta, "phi": phi})
    found.sort(key=lambda m: float(m["omega"]))
    return found[:count]
