"""From messages to the words of `core`: every size is checked before it is believed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Capabilities,
    Causality,
    Effort,
    Energy,
    Flexibility,
    Forces,
    Matrix,
    Motion,
    Motions,
    Output,
    Parameter,
    Port,
    Pose,
    Receptance,
    Signal,
    SignalPort,
    Surface,
    Vector,
    Window,
)
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec.rows import (
    BENT,
    EFFORT,
    MOTION,
    TURNED,
    VALUE,
    outputs_head,
    split,
)

_MOST_ROWS = 16  # powers of a signal
_MOST_ORDERS = 64  # of ports, that are remembered
_LATEST = 1e12  # s: what is later overflows in somebody's sine


class Malformed(ValueError):
    """A message that does not fit the description; its text may be shown."""


class NoPort(Malformed):
    """It speaks of a port that is not in the description."""


def window(t0: float, t1: float) -> Window:
    """A window that moves forward, between instants that are numbers."""
    if not (abs(t0) <= _LATEST and abs(t1) <= _LATEST and t1 > t0):
        raise Malformed(f"there is no window from {t0!r} s to {t1!r} s")
    return Window(t0, t1)


def instant(t: float) -> float:
    """A time that is a number."""
    if not abs(t) <= _LATEST:
        raise Malformed(f"t = {t!r} s is no instant")
    return t


def powers(n: int) -> int:
    """A number of powers of a signal that somebody may want."""
    if not 1 <= n <= _MOST_ROWS:
        raise Malformed(f"there are no signals of {n} powers")
    return n


def capabilities(can: pb.Capabilities) -> Capabilities:
    """Field by field; both sides spell them alike."""
    return Capabilities(**{n: getattr(can, n) for n in Capabilities.__slots__})


def parameter(p: pb.Parameter) -> Parameter:
    """A published parameter."""
    return Parameter(p.name, p.value, p.unit, p.meaning, p.positive, tuple(p.choices))


def port(p: pb.Port) -> Port | SignalPort:
    """A port as its owner describes it."""
    if p.signal:
        return SignalPort(p.name, p.unit, p.incoming)
    surface = None
    if p.points:
        points = _array(p.points, (p.nodes, 3), f"points of port {p.name}")
        surface = Surface(points, tuple(tuple(f.nodes) for f in p.facets))
    takes = Causality.MOTION_IN if p.motion_in else Causality.FORCE_IN
    try:
        return Port(
            p.name,
            tuple(p.dofs),
            p.nodes,
            takes,
            p.frame,
            surface,
            tuple(p.fixed),
        )
    except ValueError as error:
        raise Malformed(str(error)) from error


def _array(values: Sequence[float], shape: tuple[int, ...], what: str) -> Matrix:
    if len(values) != math.prod(shape):
        raise Malformed(
            f"{what}: {len(values)} numbers came, {math.prod(shape)} were expected"
        )
    return np.array(values[:], dtype=np.float64).reshape(shape)


def energy(e: pb.Energy) -> Energy:
    """Joules."""
    return Energy(e.stored, e.dissipated, e.supplied)


class _Plan(NamedTuple):
    """Which piece of a row is what: by port f, x, v, a and turn, or none."""

    size: int
    ports: list[tuple[str, int, list[slice | None]]]
    points: _Points | None

    def read(self, row: Vector) -> Mapping[str, Output]:
        """What the ports show."""
        if self.points is not None:
            return Motions(self.points.places, row[self.points.order])
        own = row.copy()
        return {name: _cut(form, cuts, own) for name, form, cuts in self.ports}


class _Points(NamedTuple):
    """Ports that all show x, v and a of points: one array has them all."""

    places: Mapping[str, slice]
    order: NDArray[np.intp]


def _points(
    forms: Sequence[int], ports: list[tuple[str, int, list[slice | None]]], size: int
) -> _Points | None:
    names = {name for name, _, _ in ports}
    if {*forms} != {MOTION + BENT} or len(names) < len(ports):
        return None
    at, end, places, levels = np.arange(size), 0, {}, []
    for name, _, cuts in ports:
        each = [at[cut] for cut in cuts if cut is not None]
        if len({len(level) for level in each}) > 1:
            return None  # of a frame
        places[name] = slice(end, end := end + len(each[0]))
        levels.append(np.stack(each))
    return _Points(places, np.concatenate(levels, axis=1))


def _plan(reader: Reader, ports: Sequence[int], forms: Sequence[int]) -> _Plan:
    if len(ports) != len(forms):
        raise Malformed(f"{len(forms)} forms of {len(ports)} ports")
    at, found = 0, []
    for number, form in zip(ports, forms, strict=True):
        p, cuts = reader.of(number), list[slice | None]()
        for size in _sizes(p, form):
            cuts.append(slice(at, at + size) if size else None)
            at += size
        found.append((p.name, form & 3, cuts))
    return _Plan(at, found, _points(forms, found, at))


def _sizes(p: Port | SignalPort, form: int) -> tuple[int, ...]:
    """Numbers of f, x, v, a and turn; of a signal just one."""
    if form == VALUE:
        return (1,)
    if form & 3 not in (MOTION, EFFORT):
        raise Malformed(f"port {p.name} shows something of the form {form}")
    place = 3 if isinstance(p, Port) and p.frame else p.size
    force = p.size if form & 3 == EFFORT else 0
    bent = p.size if form & BENT else 0
    return force, place, p.size, bent, 4 if form & TURNED else 0


def _cut(form: int, cuts: list[slice | None], row: Vector) -> Output:
    if form == VALUE:
        return float(row[cuts[0]][0])
    f, x, v, a, turn = (None if c is None else row[c] for c in cuts)
    assert x is not None
    assert v is not None
    motion = Motion(x, v, a, turn)
    return motion if f is None else Effort(f, motion)


@dataclass(frozen=True)
class Reader:
    """Reads messages about the ports of one model."""

    ports: tuple[Port | SignalPort, ...]
    _plans: dict[bytes, _Plan] = field(default_factory=dict, compare=False)
    _whole: dict[tuple[int, ...], Mapping[str, slice]] = field(
        default_factory=dict, compare=False
    )

    def of(self, number: int) -> Port | SignalPort:
        """The port of that number."""
        if number >= len(self.ports):
            raise NoPort(f"there is no port number {number}")
        return self.ports[number]

    def outputs(self, shown: pb.Outputs) -> Mapping[str, Output]:
        """What the ports show."""
        head, row = split(shown)
        plan = self._plans.get(head)
        if plan is None:
            plan = _plan(self, shown.ports, shown.forms)
            values = _array(shown.values, (plan.size,), "outputs of the ports")
            if head == outputs_head(shown.ports, shown.forms, plan.size):
                self._plans[head] = plan  # nothing else is in there: numbers follow
            return plan.read(values)
        return plan.read(row)

    def motion(self, p: Port | SignalPort, m: pb.Motion) -> Motion:
        """Kinematics of a port; a frame has a position and a turn of its own."""
        frame = isinstance(p, Port) and p.frame
        long = p.size
        return Motion(
            _array(m.x, (3 if frame else long,), f"position of port {p.name}"),
            _array(m.v, (long,), f"velocity of port {p.name}"),
            _array(m.a, (long,), f"acceleration of port {p.name}") if m.a else None,
            _array(m.turn, (4,), f"turn of port {p.name}") if m.turn else None,
        )

    def _dofs(self, p: Port | SignalPort, values: Sequence[float], what: str) -> Vector:
        return _array(values, (p.size,), f"{what} of port {p.name}")

    def signals(self, told: Sequence[pb.Signal]) -> Mapping[str, Signal]:
        """What the ports are told; numbers that are none are refused."""
        whole = self._forces(told)
        return self._one_by_one(told) if whole is None else whole

    def _forces(self, told: Sequence[pb.Signal]) -> Forces[str] | None:
        """All in one array, if they are constant and nothing is wrong with them."""
        if not 0 < len(told) <= len(self.ports):
            return None
        places = self._places(tuple([each.port for each in told]))
        row: list[float] = []
        for each, place in zip(told, places.values(), strict=False):
            if each.rows != 1 or each.origin:
                return None
            row += each.coefficients[:]
            if len(row) != place.stop:
                return None
        if len(places) < len(told) or not math.isfinite(sum(row)):
            return None
        return Forces(places, np.array([row]))

    def _places(self, numbers: tuple[int, ...]) -> Mapping[str, slice]:
        """Where the dofs of these ports are, one port after the other."""
        found = self._whole.get(numbers)
        if found is None:
            ports = {p.name: p.size for p in map(self.of, numbers)}
            ends = list(accumulate(ports.values(), initial=0))
            found = dict(zip(ports, map(slice, ends, ends[1:]), strict=False))
            if len(self._whole) < _MOST_ORDERS and len(found) == len(numbers):
                self._whole[numbers] = found
        return found

    def _one_by_one(self, told: Iterable[pb.Signal]) -> dict[str, Signal]:
        found = {}
        for each in told:
            p = self.of(each.port)
            if not 1 <= each.rows <= _MOST_ROWS:
                raise Malformed(f"a signal of {each.rows} rows for port {p.name}")
            what = f"signal for port {p.name}"
            rows = _array(each.coefficients, (each.rows, p.size), what)
            if not np.isfinite(rows).all():
                raise Malformed(f"{what}: there is a number that is none")
            found[p.name] = Signal(rows, _pose(each.origin, p.name))
        return found

    def loads(self, loads: Iterable[pb.Load]) -> dict[str, Vector]:
        """One number a dof, port by port."""
        found = {}
        for each in loads:
            p = self.of(each.port)
            values = self._dofs(p, each.values, "load")
            if not np.isfinite(values).all():
                raise Malformed(f"load on port {p.name}: a number that is none")
            found[p.name] = values
        return found

    def blocks(
        self, blocks: Iterable[pb.Pair]
    ) -> dict[tuple[str, str], NDArray[np.float64]]:
        """Sensitivities by pairs of ports."""
        found = {}
        for b in blocks:
            shown, driven = self.of(b.shown), self.of(b.driven)
            shape = (b.levels, shown.size, b.powers, driven.size)
            what = f"sensitivity of port {shown.name} to {driven.name}"
            found[shown.name, driven.name] = _array(b.values, shape, what)
        return found

    def lagged(
        self, blocks: Iterable[pb.Pair], lags: int
    ) -> dict[tuple[str, str], NDArray[np.float64]]:
        """Sensitivities at so many instants."""
        found = {}
        for b in blocks:
            shown, driven = self.of(b.shown), self.of(b.driven)
            shape = (lags, b.levels, shown.size, b.powers, driven.size)
            what = f"impulse response of port {shown.name} to {driven.name}"
            found[shown.name, driven.name] = _array(b.values, shape, what)
        return found

    def flexibility(self, G: pb.Flexibility) -> Flexibility:
        """G, block by block."""
        return Flexibility(self.blocks(G.blocks), G.solves)

    def mobility(self, G: pb.Flexibility) -> Mapping[tuple[str, str], Matrix] | None:
        """Accelerations per force; None where the model does not know."""
        if G.unknown:
            return None
        return {
            pair: block[0, :, 0, :] for pair, block in self.blocks(G.blocks).items()
        }

    def receptance(self, H: pb.Harmonics) -> Receptance:
        """Complex displacements per force."""
        found = {}
        for b in H.blocks:
            shown, driven = self.of(b.shown), self.of(b.driven)
            shape, what = (shown.size, driven.size), f"receptance of {shown.name}"
            real = _array(b.values, shape, what)
            imaginary = _array(b.imaginary, shape, what)
            both = np.empty(shape, dtype=np.complex128)
            both.real, both.imag = real, imaginary  # a sum would lose the sign of zero
            found[shown.name, driven.name] = both
        return Receptance(found, H.below if H.counted else None)


def _pose(numbers: Sequence[float], name: str) -> Pose | None:
    if not numbers:
        return None
    seven = _array(numbers, (7,), f"origin of port {name}")
    return Pose(seven[:3], seven[3:])
