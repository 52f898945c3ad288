"""From messages to the words of `core`: every size is checked before it is believed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Capabilities,
    Causality,
    Energy,
    Flexibility,
    ForceRows,
    Forces,
    Matrix,
    Motion,
    MotionRows,
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
from bondline.remote.codec.layout import Plan, planned
from bondline.remote.codec.malformed import Malformed, NoPort, array
from bondline.remote.codec.rows import (
    constant_signals,
    outputs_head,
    split,
    split_rows,
)

_MOST_ROWS = 16  # powers of a signal
_MOST_ORDERS = 64  # of ports, that are remembered
_LATEST = 1e12  # s: what is later overflows in somebody's sine


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
        points = array(p.points, (p.nodes, 3), f"points of port {p.name}")
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


def energy(e: pb.Energy) -> Energy:
    """Joules."""
    return Energy(e.stored, e.dissipated, e.supplied)


@dataclass(frozen=True)
class Reader:
    """Reads messages about the ports of one model."""

    ports: tuple[Port | SignalPort, ...]
    _plans: dict[bytes, Plan] = field(default_factory=dict, compare=False)
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
            each = [self.of(number) for number in shown.ports]
            plan = planned(each, shown.forms)
            values = array(shown.values, (plan.size,), "outputs of the ports")
            if head == outputs_head(shown.ports, shown.forms, plan.size):
                self._plans[head] = plan  # nothing else is in there: numbers follow
            return plan.read(values)
        return plan.read(row)

    def outputs_rows(
        self, shown: Sequence[pb.Outputs]
    ) -> Sequence[Mapping[str, Output]]:
        """The same after several windows; at once, where all are alike."""
        each = split_rows(shown) if shown else None
        plan = None if each is None else self._plans.get(each[0])
        if each is None or plan is None or plan.points is None:
            return [self.outputs(one) for one in shown]
        return MotionRows(plan.points.places, each[1].take(plan.points.order, axis=1))

    def motion(self, p: Port | SignalPort, m: pb.Motion) -> Motion:
        """Kinematics of a port; a frame has a position and a turn of its own."""
        frame = isinstance(p, Port) and p.frame
        long = p.size
        return Motion(
            array(m.x, (3 if frame else long,), f"position of port {p.name}"),
            array(m.v, (long,), f"velocity of port {p.name}"),
            array(m.a, (long,), f"acceleration of port {p.name}") if m.a else None,
            array(m.turn, (4,), f"turn of port {p.name}") if m.turn else None,
        )

    def _dofs(self, p: Port | SignalPort, values: Sequence[float], what: str) -> Vector:
        return array(values, (p.size,), f"{what} of port {p.name}")

    def signals(self, told: Sequence[pb.Signal]) -> Mapping[str, Signal]:
        """What the ports are told; numbers that are none are refused."""
        whole = self._forces(told)
        return self._one_by_one(told) if whole is None else whole

    def signals_rows(self, told: Sequence[pb.Inputs]) -> Sequence[Mapping[str, Signal]]:
        """The same in several windows; at once, where all are constant and alike."""
        rows = self._force_rows(told) if told else None
        return [self.signals(each.signals) for each in told] if rows is None else rows

    def _force_rows(self, told: Sequence[pb.Inputs]) -> ForceRows[str] | None:
        ports = tuple([each.port for each in told[0].signals])
        if not 0 < len(ports) <= len(self.ports):
            return None
        places = self._places(ports)
        sizes = tuple([cut.stop - cut.start for cut in places.values()])
        if len(places) < len(ports):
            return None
        laid = constant_signals(ports, sizes)
        found = laid.read([each.SerializeToString() for each in told])
        if found is None or not np.isfinite(found).all():
            return None
        return ForceRows(places, found[:, None, :])

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
            rows = array(each.coefficients, (each.rows, p.size), what)
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
            found[shown.name, driven.name] = array(b.values, shape, what)
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
            found[shown.name, driven.name] = array(b.values, shape, what)
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
            real = array(b.values, shape, what)
            imaginary = array(b.imaginary, shape, what)
            both = np.empty(shape, dtype=np.complex128)
            both.real, both.imag = real, imaginary  # a sum would lose the sign of zero
            found[shown.name, driven.name] = both
        return Receptance(found, H.below if H.counted else None)


def _pose(numbers: Sequence[float], name: str) -> Pose | None:
    if not numbers:
        return None
    seven = array(numbers, (7,), f"origin of port {name}")
    return Pose(seven[:3], seven[3:])
