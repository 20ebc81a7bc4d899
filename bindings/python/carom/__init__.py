"""Carom: rigid-body impact, resolved.

    import carom
    out = carom.solve(K, u, law="routh-stronge", e=0.8, mu=0.3)
    out.p, out.u_after, out.energy.change, out.mode, out.flags, out.status

Numbers alone need nothing else; arrays need NumPy.
"""

from ._bodies import Body, Hit, Reduced, impact, reduce
from ._cases import CaseError, Picture, explain, geometry, plot, solve_case, solve_cases
from ._core import Rule, instruction_set, solve_one, threads
from ._program import ProgramError
from ._simulate import Event, Ledger, Run, Simulation, State, Touch, Track, scene, scenes, simulate
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
from ._words import COEFFICIENTS, OPTIONS, CaromWarning, Coefficient, Error, Flag, Law, Option, Status, law, laws, rule

__all__ = [
    "COEFFICIENTS",
    "OPTIONS",
    "Body",
    "CaromWarning",
    "CaseError",
    "Coefficient",
    "Comparison",
    "Energy",
    "Error",
    "Event",
    "Flag",
    "Force",
    "Hit",
    "Law",
    "Ledger",
    "Margins",
    "Option",
    "Outcome",
    "Outcomes",
    "Phases",
    "Picture",
    "ProgramError",
    "Reduced",
    "Restitution",
    "Rule",
    "Run",
    "Simulation",
    "State",
    "Status",
    "Touch",
    "Trace",
    "Track",
    "compare",
    "explain",
    "geometry",
    "impact",
    "instruction_set",
    "law",
    "laws",
    "plot",
    "reduce",
    "rule",
    "scene",
    "scenes",
    "simulate",
    "solve",
    "solve_case",
    "solve_cases",
    "solve_columns",
    "solve_one",
    "threads",
    "trace",
]
