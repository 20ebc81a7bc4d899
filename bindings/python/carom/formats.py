"""Case and scene files as types: written by tools/make-formats from include/carom/case.def and scene.def."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict


class CaseFile(TypedDict):
    """An impact."""

    law: NotRequired[str]
    coefficients: NotRequired[dict[str, float | Literal["infinite"] | OfSpeed]]
    bodies: NotRequired[dict[str, Body]]
    contact: NotRequired[Contact | LinkContact]
    contacts: NotRequired[Sequence[SeveralContact]]
    reduced: NotRequired[Reduced]
    mechanism: NotRequired[Mechanism | Linkage]
    stroke: NotRequired[Stroke]
    vibration: NotRequired[Vibration]
    saltation: NotRequired[Saltation | Surfaces]
    base: NotRequired[str]
    name: NotRequired[str]
    tags: NotRequired[Any]
    notes: NotRequired[Any]
    measured: NotRequired[Any]
    weight: NotRequired[Any]
    group: NotRequired[Any]
    expect: NotRequired[dict[str, Any]]
    error_bound: NotRequired[Any]
    grazing: NotRequired[Literal["limit", "ignore"]]
    select: NotRequired[Literal["stick", "first"]]
    phases: NotRequired[Literal["all", "first", "peak"]]
    restitution_slip: NotRequired[Literal["mu", "mu-e"]]
    order: NotRequired[Literal["worst", "sweep"]]
    cone: NotRequired[Literal["coulomb", "convex"]]
    pressure: NotRequired[Literal["hertz", "uniform", "ring", "ellipse"]]


class OfSpeed(TypedDict):
    """A coefficient, e or mu, as a function of the speed of approach v = -u_n."""

    linear: NotRequired[SpeedFunction]
    power: NotRequired[SpeedFunction]
    viscoelastic: NotRequired[SpeedFunction]


# The numbers of a function of the speed.
SpeedFunction = TypedDict("SpeedFunction", {"value": float, "q": float, "speed": NotRequired[float], "from": NotRequired[float], "to": NotRequired[float]})


class Body(TypedDict):
    """A body of a case."""

    mass: NotRequired[float]
    inertia: NotRequired[float | Sequence[float] | Sequence[Sequence[float]]]
    shape: NotRequired[dict[str, dict[str, Any]]]
    density: NotRequired[float]
    inverse_inertia: NotRequired[float | Sequence[float] | Sequence[Sequence[float]]]
    orientation: NotRequired[Sequence[float]]
    position: NotRequired[Sequence[float]]
    velocity: NotRequired[Sequence[float]]
    omega: NotRequired[float | Sequence[float]]
    material: NotRequired[Material]
    fixed: NotRequired[bool]


class Contact(TypedDict):
    """The contact of two bodies."""

    normal: Sequence[float]
    arm_a: NotRequired[Sequence[float]]
    arm_b: NotRequired[Sequence[float]]
    point: NotRequired[Sequence[float]]
    t1: NotRequired[Sequence[float]]


class LinkContact(TypedDict):
    """The contact of a link."""

    link: str
    against: NotRequired[str]
    point: Sequence[float]
    normal: Sequence[float]
    t1: NotRequired[Sequence[float]]


class SeveralContact(TypedDict):
    """One of several contacts."""

    a: NotRequired[str]
    b: NotRequired[str]
    normal: NotRequired[Sequence[float]]
    arm_a: NotRequired[Sequence[float]]
    arm_b: NotRequired[Sequence[float]]
    point: NotRequired[Sequence[float]]
    t1: NotRequired[Sequence[float]]
    link: NotRequired[str]
    against: NotRequired[str]
    coefficients: NotRequired[dict[str, float | Literal["infinite"] | OfSpeed]]


class Stroke(TypedDict):
    """A cue stroke on a ball that lies on a table."""

    speed: NotRequired[float]
    elevation: NotRequired[float]
    direction: NotRequired[float]
    side: NotRequired[float]
    height: NotRequired[float]
    ball: NotRequired[StrokeBall]
    cue: NotRequired[Cue]
    tip: NotRequired[dict[str, float | Literal["infinite"] | OfSpeed]]
    table: NotRequired[dict[str, float | Literal["infinite"] | OfSpeed]]
    gravity: NotRequired[float]


class StrokeBall(TypedDict):
    """The ball of a stroke."""

    mass: NotRequired[float]
    radius: NotRequired[float]


class Cue(TypedDict):
    """A cue."""

    mass: NotRequired[float]
    length: NotRequired[float]
    radius: NotRequired[float]
    com: NotRequired[float]


class Material(TypedDict):
    """What a body is made of."""

    E: float
    density: NotRequired[float]
    nu: NotRequired[float]
    size: NotRequired[float]
    radius: NotRequired[float]


class Reduced(TypedDict):
    """K and u."""

    K: NotRequired[Sequence[Sequence[float]]]
    M: NotRequired[Sequence[Sequence[float]]]
    u: Sequence[float] | Sequence[Sequence[float]]


class Mechanism(TypedDict):
    """Generalized coordinates."""

    M: Sequence[Sequence[float]]
    J: Sequence[Any]
    qdot: Sequence[float]


class Linkage(TypedDict):
    """A tree of links."""

    links: Sequence[Link]
    q: Sequence[float]
    qdot: Sequence[float]


class Link(TypedDict):
    """A link of a mechanism."""

    name: str
    parent: str
    joint: Bond
    mass: float
    com: NotRequired[Sequence[float]]
    inertia: float | Sequence[float] | Sequence[Sequence[float]]


class Bond(TypedDict):
    """The joint of a link."""

    type: Literal["fixed", "revolute", "prismatic", "spherical", "planar", "free"]
    linear: NotRequired[float]
    angular: NotRequired[float]
    axis: NotRequired[Sequence[float]]
    axis_b: NotRequired[Sequence[float]]
    axis_a: NotRequired[Sequence[float]]
    origin: NotRequired[Sequence[float]]
    rotation: NotRequired[Sequence[float]]


class Vibration(TypedDict):
    """Modes of the bodies."""

    modes: Sequence[Mode]
    recontact: NotRequired[bool]
    damping: NotRequired[Sequence[Sequence[float]]]


class Mode(TypedDict):
    """A mode of vibration."""

    omega: float
    zeta: NotRequired[float]
    phi: Sequence[float]
    z: NotRequired[float]
    rate: NotRequired[float]


class Saltation(TypedDict):
    """How a mechanism changes."""

    M_q: Sequence[Sequence[Sequence[float]]]
    J_q: Sequence[Sequence[Sequence[float]]]
    qddot_before: Sequence[float]
    qddot_after: Sequence[float]


class Surfaces(TypedDict):
    """How two surfaces curve."""

    curvature: Curvature
    gravity: NotRequired[Sequence[float]]


class Curvature(TypedDict):
    """The curvatures of two bodies."""

    a: float | Sequence[Sequence[float]]
    b: float | Sequence[Sequence[float]]


class SceneFile(TypedDict):
    """A scene."""

    bodies: dict[str, SceneBody]
    law: str
    coefficients: NotRequired[dict[str, float | Literal["infinite"] | OfSpeed]]
    until: Until
    gravity: NotRequired[Sequence[float]]
    drag: NotRequired[Drag]
    magnus: NotRequired[Magnus]
    wind: NotRequired[Sequence[float]]
    rolling: NotRequired[float]
    patch: NotRequired[float]
    sliding: NotRequired[float]
    dimension: Literal[2, 3]
    pairs: NotRequired[Sequence[Pair]]
    no_contact: NotRequired[Sequence[Sequence[str]]]
    together: NotRequired[str]
    base: NotRequired[str]
    stroke: NotRequired[SceneStroke]
    resting: NotRequired[Resting]
    step: NotRequired[float]
    period: NotRequired[Sequence[float]]
    links: NotRequired[Sequence[SceneLink]]
    joints: NotRequired[Sequence[SceneJoint]]
    output: NotRequired[Output]
    name: NotRequired[str]
    tags: NotRequired[Any]
    notes: NotRequired[Any]
    grazing: NotRequired[Literal["limit", "ignore"]]
    select: NotRequired[Literal["stick", "first"]]
    phases: NotRequired[Literal["all", "first", "peak"]]
    restitution_slip: NotRequired[Literal["mu", "mu-e"]]
    order: NotRequired[Literal["worst", "sweep"]]
    cone: NotRequired[Literal["coulomb", "convex"]]
    pressure: NotRequired[Literal["hertz", "uniform", "ring", "ellipse"]]


class SceneStroke(TypedDict):
    """A cue stroke at the beginning of a scene."""

    ball: str
    speed: NotRequired[float]
    elevation: NotRequired[float]
    direction: NotRequired[float]
    side: NotRequired[float]
    height: NotRequired[float]
    cue: NotRequired[Cue]
    tip: NotRequired[dict[str, float | Literal["infinite"] | OfSpeed]]
    table: NotRequired[dict[str, float | Literal["infinite"] | OfSpeed]]


class SceneBody(TypedDict):
    """A body of a scene."""

    shape: dict[str, dict[str, Any]]
    mass: NotRequired[float]
    density: NotRequired[float]
    inertia: NotRequired[float | Sequence[float] | Sequence[Sequence[float]]]
    com: NotRequired[Sequence[float]]
    position: NotRequired[Sequence[float]]
    orientation: NotRequired[Sequence[float]]
    angle: NotRequired[float]
    velocity: NotRequired[Sequence[float]]
    omega: NotRequired[float | Sequence[float]]
    fixed: NotRequired[bool]
    path: NotRequired[Path]
    material: NotRequired[str]
    gravity: NotRequired[Sequence[float]]
    drag: NotRequired[Drag]
    magnus: NotRequired[Magnus]
    wind: NotRequired[Sequence[float]]
    repeat: NotRequired[Repeat]


class Repeat(TypedDict):
    """Copies of a body."""

    lattice: NotRequired[Sequence[float]]
    step: NotRequired[Sequence[float]]
    count: NotRequired[float]
    box: NotRequired[Sequence[float]]
    gap: NotRequired[float]
    speed: NotRequired[float]
    turned: NotRequired[bool]
    seed: NotRequired[float]


class Drag(TypedDict):
    """Resistance of the air; one key at least."""

    linear: NotRequired[float]
    quadratic: NotRequired[float]
    angular: NotRequired[float]
    density: NotRequired[float]
    coefficient: NotRequired[float]
    area: NotRequired[float]


class Magnus(TypedDict):
    """Lift of a spinning body; one key at least."""

    coefficient: NotRequired[float]
    density: NotRequired[float]
    lift: NotRequired[float]
    area: NotRequired[float]
    radius: NotRequired[float]


class Path(TypedDict):
    """The motion of a fixed body."""

    harmonic: NotRequired[Harmonic]
    points: NotRequired[Sequence[Waypoint]]
    axis: NotRequired[Sequence[float]]
    repeat: NotRequired[bool]


class Harmonic(TypedDict):
    """A swing."""

    amplitude: NotRequired[Sequence[float]]
    frequency: float
    phase: NotRequired[float]
    angle: NotRequired[float]
    axis: NotRequired[Sequence[float]]


class Waypoint(TypedDict):
    """A point of a path."""

    time: float
    position: NotRequired[Sequence[float]]
    velocity: NotRequired[Sequence[float]]
    angle: NotRequired[float]
    rate: NotRequired[float]


class SceneLink(TypedDict):
    """A link of a scene."""

    name: str
    parent: str
    joint: SceneBond
    shape: dict[str, dict[str, Any]]
    mass: NotRequired[float]
    density: NotRequired[float]
    com: NotRequired[Sequence[float]]
    frame: Literal["mass", "link"]
    inertia: NotRequired[float | Sequence[float] | Sequence[Sequence[float]]]
    q: NotRequired[float | Sequence[float]]
    qdot: NotRequired[float | Sequence[float]]
    material: NotRequired[str]
    gravity: NotRequired[Sequence[float]]
    drag: NotRequired[Drag]
    magnus: NotRequired[Magnus]
    wind: NotRequired[Sequence[float]]


class SceneBond(TypedDict):
    """The joint of a link of a scene."""

    type: Literal["fixed", "revolute", "prismatic", "spherical", "planar", "free"]
    axis: NotRequired[Sequence[float]]
    origin: NotRequired[Sequence[float]]
    rotation: NotRequired[Sequence[float]]
    angle: NotRequired[float]


class SceneJoint(TypedDict):
    """A joint between bodies."""

    type: Literal["ball", "hinge", "weld", "slider", "cylinder", "plane", "free-point", "universal"]
    linear: NotRequired[float]
    angular: NotRequired[float]
    a: str
    b: NotRequired[str]
    point: NotRequired[Sequence[float]]
    axis: NotRequired[Sequence[float]]
    axis_a: NotRequired[Sequence[float]]
    axis_b: NotRequired[Sequence[float]]


class Pair(TypedDict):
    """The rule between two materials."""

    between: Sequence[str]
    law: NotRequired[str]
    coefficients: NotRequired[dict[str, float | Literal["infinite"] | OfSpeed]]
    rolling: NotRequired[float]
    patch: NotRequired[float]
    pressure: Literal["hertz", "uniform", "ring", "ellipse"]
    sliding: NotRequired[float]


class Until(TypedDict):
    """When a run ends."""

    time: NotRequired[float]
    impacts: NotRequired[float]
    rest: NotRequired[bool]


class Resting(TypedDict):
    """When bounces are over."""

    time: NotRequired[float]
    length: NotRequired[float]


class Output(TypedDict):
    """What a run writes."""

    rate: NotRequired[float]
    view: Literal["front", "side", "above"]


class Part(TypedDict):
    """A part of a compound."""

    shape: dict[str, dict[str, Any]]
    position: NotRequired[Sequence[float]]
    orientation: NotRequired[Sequence[float]]
    angle: NotRequired[float]
    density: NotRequired[float]
