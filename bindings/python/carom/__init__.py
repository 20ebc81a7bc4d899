"""Carom: rigid-body impact, resolved::

    import carom
    out = carom.solve(K, u, law="routh-stronge", e=0.8, mu=0.3)
    out.p, out.u_after, out.energy.change, out.mode, out.flags, out.status

Numbers alone need nothing else; arrays need NumPy.
"""

from . import convert
from ._bodies import Body, Hit, Reduced, impact, reduce
from ._cases import CaseError, Picture, explain, geometry, import_model, plot, solve_case, solve_cases
from ._core import Rule, instruction_set, solve_one, threads, version
from ._geometry import (
    Distances,
    Edge,
    Ellipsoid,
    Hodograph,
    Place,
    Ray,
    Realization,
    Region,
    Response,
    distances,
    ellipsoid,
    hodograph,
    place,
    realize,
    region,
    response,
)
from ._fit import Criteria, Fit, Ranked, Trend, fit
from ._generalized import Mechanisms, solve_mechanisms
from ._gradient import Gradient, gradient, propagate, reconstruct
from ._linkage import Joint, Linkage
from ._measure import Derivative, Derivatives, Jacobian, Saltation, derivative, derivatives, has_derivatives, invert, materials, saltation
from ._mechanism import Contact, Flight, Link, Mechanism
from ._recordings import predict, recorded_body, recorded_impacts
from ._several import Together, laws_together, together
from ._simulate import Event, Ledger, Run, Simulation, State, Touch, Track, export_model, scene, scenes, simulate
from ._solve import (
    Comparison,
    Energy,
    Force,
    Margins,
    Outcome,
    Outcomes,
    Phases,
    Restitution,
    Trace,
    compare,
    solve,
    solve_columns,
    trace,
)
from ._sweep import Table, ensemble, sweep
from ._words import COEFFICIENTS, OPTIONS, CaromWarning, Coefficient, Error, Flag, Law, Option, Status, at_speed, law, laws, rule

__version__ = version()

__all__ = [
    "COEFFICIENTS",
    "OPTIONS",
    "Body",
    "CaromWarning",
    "CaseError",
    "Coefficient",
    "Comparison",
    "Contact",
    "Criteria",
    "Derivative",
    "Derivatives",
    "Distances",
    "Edge",
    "Ellipsoid",
    "Energy",
    "Error",
    "Event",
    "Fit",
    "Flag",
    "Flight",
    "Force",
    "Gradient",
    "Hit",
    "Hodograph",
    "Jacobian",
    "Joint",
    "Law",
    "Ledger",
    "Link",
    "Linkage",
    "Margins",
    "Mechanism",
    "Mechanisms",
    "Option",
    "Outcome",
    "Outcomes",
    "Phases",
    "Picture",
    "Place",
    "Ranked",
    "Ray",
    "Realization",
    "Reduced",
    "Region",
    "Response",
    "Restitution",
    "Rule",
    "Run",
    "Saltation",
    "Simulation",
    "State",
    "Status",
    "Table",
    "Together",
    "Touch",
    "Trace",
    "Track",
    "Trend",
    "at_speed",
    "compare",
    "convert",
    "derivative",
    "derivatives",
    "distances",
    "ellipsoid",
    "ensemble",
    "explain",
    "export_model",
    "fit",
    "geometry",
    "gradient",
    "has_derivatives",
    "hodograph",
    "impact",
    "import_model",
    "instruction_set",
    "invert",
    "law",
    "laws",
    "laws_together",
    "materials",
    "place",
    "plot",
    "predict",
    "propagate",
    "reconstruct",
    "realize",
    "recorded_body",
    "recorded_impacts",
    "reduce",
    "region",
    "response",
    "rule",
    "saltation",
    "scene",
    "scenes",
    "simulate",
    "solve",
    "solve_case",
    "solve_cases",
    "solve_columns",
    "solve_mechanisms",
    "solve_one",
    "sweep",
    "threads",
    "together",
    "trace",
]
