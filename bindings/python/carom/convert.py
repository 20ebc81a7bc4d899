"""Parameters of contact forces and coefficients of restitution, each from the other.

For one contact in one dimension, of reduced mass m = 1/K_nn and approach speed v, these are exact. An argument outside its
range raises ValueError.

>>> from carom import convert
>>> round(convert.e_from_zeta(convert.zeta_from_e(0.6)), 15)
0.6
"""

from __future__ import annotations

import math

from . import _core

__all__ = [
    "e_from_hunt_crossley",
    "e_from_slopes",
    "e_from_zeta",
    "e_t_from_ratio",
    "eta_from_kappa",
    "hunt_crossley_from_e",
    "kappa_from_eta",
    "kappa_from_poisson",
    "poisson_from_kappa",
    "power_compression",
    "power_time_factor",
    "ratio_from_e_t",
    "spring_dashpot_phase",
    "stiffness_from_time",
    "unloading_from_e",
    "wave_speed",
    "zeta_from_e",
]


def _ask(name: str, *numbers: float) -> float:
    value = _core.convert(name, *numbers)
    if math.isnan(value):
        raise ValueError(f"{name}: an argument is outside its range: {', '.join(map(repr, numbers))}")
    return value


def e_from_zeta(zeta: float) -> float:
    """Restitution of a spring-dashpot with damping ratio zeta = c / (2 sqrt(k m)) >= 0."""
    return _ask("e_from_zeta", zeta)


def zeta_from_e(e: float) -> float:
    """The damping ratio of a spring-dashpot with this restitution, 0 < e <= 1."""
    return _ask("zeta_from_e", e)


def spring_dashpot_phase(zeta: float) -> float:
    """omega T of a spring-dashpot, to the first F = 0."""
    return _ask("spring_dashpot_phase", zeta)


def stiffness_from_time(phase: float, mass: float, time: float) -> float:
    """The stiffness of a contact that lasts so long: mass (phase / time)^2; phase is omega T of any linear law here."""
    return _ask("stiffness_from_time", phase, mass, time)


def e_from_hunt_crossley(A: float) -> float:
    """Restitution of F = k x^m (1 + a x') with A = a v >= 0; the same for every m."""
    return _ask("e_from_hunt_crossley", A)


def hunt_crossley_from_e(e: float) -> float:
    """A = a v of hunt-crossley with this restitution, 0 < e <= 1."""
    return _ask("hunt_crossley_from_e", e)


def power_compression(k: float, exponent: float, mass: float, v: float) -> float:
    """The largest compression of F = k x^m without damping."""
    return _ask("power_compression", k, exponent, mass, v)


def power_time_factor(exponent: float) -> float:
    """T v / x_max of F = k x^m without damping: pi for m = 1, 2.9432... for Hertz."""
    return _ask("power_time_factor", exponent)


def e_from_slopes(k_load: float, k_unload: float) -> float:
    """Restitution of springs that load with k_load and unload with k_unload >= k_load (Walton)."""
    return _ask("e_from_slopes", k_load, k_unload)


def unloading_from_e(k_load: float, e: float) -> float:
    """The slope of unloading that gives this restitution."""
    return _ask("unloading_from_e", k_load, e)


def e_t_from_ratio(ratio: float, inertia: float, e: float) -> float:
    """Tangential restitution at small angles of a spring k_t = ratio k; inertia is K_tt/K_nn, 7/2 for solid spheres."""
    return _ask("e_t_from_ratio", ratio, inertia, e)


def ratio_from_e_t(e_t: float, inertia: float, e: float) -> float:
    """The smallest ratio k_t/k that gives this e_t."""
    return _ask("ratio_from_e_t", e_t, inertia, e)


def kappa_from_poisson(nu: float) -> float:
    """Tangential over normal stiffness of like materials with Poisson's ratio nu: 2 (1 - nu)/(2 - nu)."""
    return _ask("kappa_from_poisson", nu)


def poisson_from_kappa(kappa: float) -> float:
    """Poisson's ratio of like materials with this ratio of stiffnesses."""
    return _ask("poisson_from_kappa", kappa)


def eta_from_kappa(kappa: float) -> float:
    """eta = 1/sqrt(kappa), the coefficient of the law jia."""
    return _ask("eta_from_kappa", kappa)


def kappa_from_eta(eta: float) -> float:
    """kappa = 1/eta^2."""
    return _ask("kappa_from_eta", eta)


def wave_speed(E: float, density: float) -> float:
    """The speed of a longitudinal wave in a slender body, sqrt(E / density)."""
    return _ask("wave_speed", E, density)
