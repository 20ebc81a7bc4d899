"""Scenes in motion: run one to its end, or step through it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ._cases import _io, call, request
from ._words import COEFFICIENTS, LAWS, OPTIONS, TOGETHER, coefficient, hint

if TYPE_CHECKING:
    from numpy.typing import NDArray

Scene = Mapping[str, Any] | str | os.PathLike[str]

_STATE = 13
_HEAD = 2
_NEVER = float("inf")


class Ledger(NamedTuple):
    """Energy by cause, in joule, from the beginning of a run; momentum and angular momentum of what moves, now.

    ``after = before + normal + friction + rest + sliding + spin + fields + driven + residual``: the work of normal and
    tangential impulses, what was left when bounces were declared over, friction of closed contacts, that of their patches
    against spin, the work of drag and Magnus forces, that of fixed bodies that move, and what rounding explains.
    """

    before: float
    after: float
    normal: float
    friction: float
    rest: float
    sliding: float
    residual: float
    momentum: tuple[float, ...]
    angular: tuple[float, ...]
    fields: float
    driven: float
    spin: float


class State(NamedTuple):
    """A body at one moment: world axes; ``orientation`` is (w, x, y, z).

    ``road`` says how it is moved (``exact``, ``stepped`` or ``pile``) since the time ``since``; ``error`` estimates what
    its own steps have done to its place, in m, and is zero for a body that has always been exact.
    """

    position: tuple[float, ...]
    orientation: tuple[float, ...]
    velocity: tuple[float, ...]
    omega: tuple[float, ...]
    resting: bool
    road: str
    since: float
    error: float


class Event(NamedTuple):
    """Something that happened: ``kind`` is impact, rest, slide, roll, stick or leave.

    An impact has its ``case``, which ``carom.solve_case`` and every other command take, and the ``answer`` to it.
    """

    t: float
    kind: str
    a: str
    b: str
    case: dict[str, Any] | None
    answer: dict[str, Any] | None


class Touch(NamedTuple):
    """A closed contact: the normal points from b to a."""

    a: str
    b: str
    point: tuple[float, ...]
    normal: tuple[float, ...]
    slips: bool


class Track(NamedTuple):
    """A body over the samples of a run: arrays with one row per time (lists of tuples without NumPy).

    In planar scenes ``position`` and ``velocity`` have two columns, ``omega`` is one number per sample, and ``angle`` is
    its angle; in space ``angle`` is None and ``orientation`` has the columns w, x, y, z.
    """

    position: Any
    orientation: Any
    velocity: Any
    omega: Any
    angle: Any


def scenes() -> dict[str, str]:
    """The scenes that come with the package: what each shows, by name.

    >>> "break" in scenes()
    True
    """
    return {one["scene"]: one["name"] for one in request("scenes", None, "", {})}


def scene(name: str) -> dict[str, Any]:
    """A scene that comes with the package, as a dict: change it and give it to ``simulate``.

    >>> sorted(scene("bouncing-ball")["bodies"])
    ['ball', 'table']
    """
    found: dict[str, Any] = json.loads(request("scenes", None, "", {"name": name})["text"])
    return found


def _text(given: Scene) -> tuple[str, str]:
    """The text of a scene and the name that messages use: a dict, a path, or the name of a shipped scene."""
    if isinstance(given, Mapping):
        return json.dumps(dict(given)), "scene"
    path = os.fspath(given)
    if isinstance(given, str) and not os.path.exists(path) and "." not in path and os.sep not in path:
        return json.dumps(scene(given)), given
    with open(path, encoding="utf-8") as file:
        return file.read(), str(path)


def export_model(scene: Scene, path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Write a scene as MJCF (.xml) or SDF (.sdf), and return the list of what the format has no word for.

    Each loss has the `line`, the `element` and its `meaning`. Hulls and meshes of SDF are files .obj beside the model.
    """
    folder, target = os.path.split(os.fspath(path))
    text, name = _text(scene)
    model, files, losses = call(_io().export_model, text, name, target, os.path.splitext(target)[0])
    for file, content in [*json.loads(files).items(), (target, model)]:
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out_file:
            out_file.write(content)
    out: list[dict[str, Any]] = json.loads(losses)
    return out


def _rule_changes(law: str | None, settings: dict[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    if law is not None and law not in LAWS and law not in TOGETHER:
        raise ValueError(f"unknown law {law!r}{hint(law, [*LAWS, *TOGETHER])}")
    options = {}
    for name, value in settings.items():
        if name in OPTIONS:
            if value not in OPTIONS[name].words:
                raise ValueError(f"option '{name}' has no reading {value!r}")
            options[name] = OPTIONS[name].words.index(value)
        elif name not in COEFFICIENTS:
            raise TypeError(f"unknown coefficient {name!r}{hint(name, [*COEFFICIENTS, *OPTIONS])}")
    return {k: coefficient(k, v) for k, v in settings.items() if k in COEFFICIENTS}, options


class Simulation:
    """A scene in motion that you step yourself. ``simulate`` runs one to its end.

    The scene is a dict, the path of a file, or the name of a scene of ``scenes()``. A law and coefficients given here
    take the place of the scene's, for all pairs.

    >>> s = Simulation("bouncing-ball")
    >>> s.advance(events=1)
    'events'
    >>> round(s.time, 6), s.impacts
    (0.451524, 1)
    """

    def __init__(self, scene: Scene, law: str | None = None, **settings: Any) -> None:
        self._text, self._file = _text(scene)
        self._changes = (law, settings)
        self._sim = call(_io().Sim, self._text, self._file, law, *_rule_changes(law, settings))
        name, self.law, self.dimension, self._until, self._rate = self._sim.about
        self.name: str = name or self._file
        self._index = {name: i for i, (name, _) in enumerate(self._sim.names)}
        self.moving: tuple[str, ...] = tuple(name for name, fixed in self._sim.names if not fixed)

    @property
    def names(self) -> tuple[str, ...]:
        """The bodies of the scene, in its order."""
        return tuple(self._index)

    @property
    def time(self) -> float:
        """Now, s."""
        return float(self._sim.now[0])

    @property
    def impacts(self) -> int:
        """Impacts so far."""
        return int(self._sim.now[1])

    @property
    def events(self) -> int:
        """Impacts and all other events so far."""
        return int(self._sim.now[2])

    @property
    def next(self) -> float:
        """A lower bound of the time of the next event."""
        return float(self._sim.now[3])

    @property
    def ledger(self) -> Ledger:
        """Energy by cause so far."""
        return Ledger(*self._sim.energy)

    @property
    def energy(self) -> float:
        """The energy of the scene now, kinetic and potential, J.

        >>> s = Simulation("bouncing-ball")
        >>> s.energy == s.ledger.before
        True
        """
        return self.ledger.after

    @property
    def touches(self) -> list[Touch]:
        """The contacts that are closed now."""
        return [Touch(*row) for row in self._sim.touches]

    def __getitem__(self, name: str) -> State:
        """The state of a body now."""
        return State(*self._sim.body(self._number(name)))

    def next_impact(self, until: float) -> tuple[float, str, str] | None:
        """The time of the next impact and two bodies that meet; None when there is none until that time. Nothing changes.

        >>> time, a, b = Simulation("bouncing-ball").next_impact(5)
        >>> round(time, 6), a, b
        (0.451524, 'ball', 'table')
        """
        time, a, b = call(self._sim.next_impact, float(until))
        return (time, self.names[a], self.names[b]) if time < _NEVER else None

    def distance(self, a: str, b: str) -> float:
        """The gap between two bodies now, m; negative is overlap."""
        return float(self._sim.distance(self._number(a), self._number(b)))

    def _number(self, name: str) -> int:
        if name not in self._index:
            raise KeyError(f"no body is called {name!r}{hint(name, list(self._index))}")
        return self._index[name]

    def advance(self, duration: float = _NEVER, *, impacts: int = -1, events: int = -1, rest: bool = True) -> str:
        """Go on for ``duration`` seconds, as ``Mechanism`` and ``Linkage`` do; the reason to stop.

        It ends before with ``impacts`` since the beginning, or with so many ``events`` from here, or when nothing moves
        (``rest``). Without a limit it goes on until nothing moves, which some scenes never reach: give one.

        >>> s = Simulation("bouncing-ball")
        >>> s.advance(0.25), s.advance(0.25), s.time
        ('time', 'time', 0.5)
        """
        if not duration >= 0:
            raise ValueError(f"duration must be a number >= 0, not {duration!r}; advance_to goes to a time")
        return self.advance_to(self.time + float(duration), impacts=impacts, events=events, rest=rest)

    def advance_to(self, time: float, *, impacts: int = -1, events: int = -1, rest: bool = True) -> str:
        """The same to an absolute time, which must not be past."""
        if not time >= self.time:
            raise ValueError(f"time must not be past: it is {self.time!r} s, and {time!r} was given")
        stop, _ = call(self._sim.advance, float(time), impacts, events, rest, 0.0, False)
        return str(stop)

    def snapshot(self) -> object:
        """What ``restore`` goes back to."""
        return self._sim.save()

    def restore(self, snapshot: object) -> None:
        """Go back to a snapshot of this simulation; it then repeats itself bit for bit."""
        self._sim.restore(snapshot)

    def run(self, time: float | None = None, impacts: int | None = None, *, rate: float | None = None, log: bool = True) -> Run:
        """Go on to the scene's end, or to these limits, and keep samples and events; see ``simulate``."""
        end, most, rest = self._until
        rate = self._rate if rate is None else float(rate)
        if not (rate > 0 and rate < _NEVER):
            raise ValueError("rate must be a number > 0: samples per second")
        end, most = float(end if time is None else time), int(most if impacts is None else impacts)
        if end == _NEVER and most < 0:
            raise ValueError("a run needs an end: give time or impacts")
        stop, (samples, lines) = call(self._sim.advance, end, most, -1, bool(rest), rate, log)
        return Run(self, stop, samples, lines)

    def __repr__(self) -> str:
        """One line."""
        return f"Simulation({self.name!r}, time={self.time:.9g}, impacts={self.impacts})"


def _events_of(lines: bytes) -> list[Event]:
    rows = [json.loads(line) for line in lines.splitlines()]
    return [Event(r["t"], r["kind"], r["a"], r["b"], r.get("case"), r.get("answer")) for r in rows]


class Run:
    """What happened in a run: ``t``, the track of each body (``run["cue"].position``), ``impacts``, ``ledger``, ``stop``.

    Notebooks show a picture of it; ``save`` writes pages, pictures and trajectories.
    """

    def __init__(self, simulation: Simulation, stop: str, samples: bytes, lines: bytes) -> None:
        self.simulation = simulation
        self.name, self.law, self.dimension = simulation.name, simulation.law, simulation.dimension
        self.names: tuple[str, ...] = simulation.moving
        self.stop: str = stop
        self.time: float = simulation.time
        self.ledger: Ledger = simulation.ledger
        self.count: int = simulation.impacts
        self._columns = _HEAD + _STATE * len(self.names)
        self._samples = _table(samples, self._columns)
        self._lines = lines
        self._events: list[Event] | None = None

    @property
    def events(self) -> list[Event]:
        """Every event, in order; empty with ``log=False``."""
        if self._events is None:
            self._events = _events_of(self._lines)
        return self._events

    @property
    def impacts(self) -> list[Event]:
        """Every impact, with its case and its answer; empty with ``log=False``, but ``count`` counts them."""
        return [e for e in self.events if e.kind == "impact"]

    @property
    def t(self) -> Any:
        """The times of the samples, s."""
        return self._take(0)

    @property
    def energy(self) -> Any:
        """The energy of the scene at each sample, kinetic and potential, J."""
        return self._take(1)

    def _take(self, first: int, count: int = 0) -> Any:
        rows = self._samples
        if isinstance(rows, list):
            return [r[first] if count == 0 else r[first : first + count] for r in rows]
        return rows[:, first] if count == 0 else rows[:, first : first + count]

    def __getitem__(self, name: str) -> Track:
        """The track of a body that can move."""
        if name not in self.names:
            raise KeyError(f"no moving body is called {name!r}{hint(name, list(self.names))}")
        at = _HEAD + _STATE * self.names.index(name)
        if self.dimension == 3:
            return Track(self._take(at, 3), self._take(at + 3, 4), self._take(at + 7, 3), self._take(at + 10, 3), None)
        angle = _angles(self._take(at + 3), self._take(at + 6))
        return Track(self._take(at, 2), self._take(at + 3, 4), self._take(at + 7, 2), self._take(at + 12), angle)

    def __iter__(self) -> Iterator[str]:
        """The names of the bodies that can move."""
        return iter(self.names)

    def __len__(self) -> int:
        """The number of samples."""
        return len(self._samples)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run: .html (a page that replays it), .svg, .png, .pdf, .jsonl, .csv. It is run once more for this."""
        self._save(os.fspath(path))

    def _save(self, path: str | None) -> Any:
        law, settings = self.simulation._changes
        options: dict[str, Any] = {"time": self.time} if self.time > 0 else {}
        options |= {"law": law} if law else {}
        options |= {"set": {k: "infinite" if v == _NEVER else v for k, v in settings.items()}} if settings else {}
        page = _page() if path and path.endswith(".html") else None
        return call(_io().save_run, self.simulation._text, self.simulation._file, json.dumps(options), path, page)

    def plot(self, ax: Any = None, axes: str = "xz") -> Any:
        """Draw the paths of the centres into a matplotlib axes (a new one if none is given); returns the axes."""
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.figure().add_subplot()
        i, j = ("xyz".index(a) for a in (axes if self.dimension == 3 else "xy"))
        for name in self.names:
            position = self[name].position
            ax.plot([p[i] for p in position], [p[j] for p in position], label=name)
        ax.set_aspect("equal")
        ax.set_xlabel(f"{'xyz'[i]}, m")
        ax.set_ylabel(f"{'xyz'[j]}, m")
        return ax

    def _repr_svg_(self) -> str:
        """The run as one picture of several moments."""
        svg: str = self._save(None)
        return svg

    def __repr__(self) -> str:
        """One line."""
        return f"Run({self.name!r}, stop={self.stop!r}, time={self.time:.9g}, impacts={self.count}, samples={len(self)})"


def _page() -> str | None:
    """The page that replays a run, where this build has it."""
    path = os.path.join(os.path.dirname(__file__), "replay.html")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def _table(samples: bytes, columns: int) -> Any:
    """Samples as an array, or as a list of tuples without NumPy."""
    try:
        import numpy as np

        array: NDArray[Any] = np.frombuffer(samples).reshape(-1, columns)
        return array
    except ImportError:
        import struct

        return list(struct.iter_unpack(f"{columns}d", samples))


def _angles(w: Any, z: Any) -> Any:
    """Angles about z of planar orientations, continuous in time."""
    try:
        import numpy as np

        return np.unwrap(2 * np.arctan2(z, w))
    except ImportError:
        import math

        return [2 * math.atan2(b, a) for a, b in zip(w, z)]


def simulate(
    scene: Scene,
    law: str | None = None,
    *,
    time: float | None = None,
    impacts: int | None = None,
    rate: float | None = None,
    log: bool = True,
    **settings: Any,
) -> Run:
    """Move the bodies of a scene to its end: every impact at its time, by the law of its pair.

    The scene is a dict, the path of a file, or the name of a scene of ``scenes()``. ``law`` and coefficients take the
    place of the scene's for all pairs; ``time`` and ``impacts`` are limits in place of the scene's. ``rate`` is the number of
    samples per second, evaluated exactly; ``log=False`` keeps no events, for long runs. Other threads run meanwhile.

    >>> run = simulate("bouncing-ball")
    >>> run.stop, len(run.impacts), round(run.time, 9)
    ('rest', 100, 4.063712768)
    >>> len(run["ball"].position) == len(run.t)
    True
    >>> solve_case(run.impacts[0].case)["p"] == run.impacts[0].answer["p"]
    True
    """
    return Simulation(scene, law, **settings).run(time, impacts, rate=rate, log=log)


from ._cases import solve_case  # noqa: E402  (the example above uses it)
