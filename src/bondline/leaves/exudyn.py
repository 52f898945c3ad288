"""Exudyn as a leaf: flexible multibody systems, seen through their markers.

Exudyn steps; what it keeps between calls are its coordinates and their rates, which
are put in before each window and read after it. Needs `pip install bondline[exudyn]`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import (
    FRAME_DOFS,
    Advance,
    Capabilities,
    Matrix,
    Motion,
    Observation,
    Parameter,
    Port,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.errors import SettingError
from bondline.leaves.engines import attempted, engine, positive, step_count
from bondline.leaves.guard import finite
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.numerics.rotations import quaternion

_ALONG = 1e-6  # s, along the motion: what velocities gain in it is the acceleration


@dataclass(frozen=True, eq=False)
class ExudynLeaf:
    """An Exudyn system (`mbs`) that takes forces at markers.

    `sockets` names the marker of each port. A port is a frame; those in `points` take
    no moments and show no rotation. A window is as few equal steps as can be, none
    above `step`. `settings` are the owner's `SimulationSettings`; what they say about
    time, files and printing is set here. `sensors` are names of Exudyn sensors that
    are published, with their units.

    The leaf adds one load a port, or two, and assembles the system. Nobody else may
    solve it then. Accelerations of markers, which Exudyn does not give, are those of
    its coordinates carried along the motion.
    """

    name: str
    mbs: Any  # exudyn.MainSystem
    sockets: Mapping[str, str]
    step: float = 1e-3
    points: Collection[str] = ()
    settings: Any = None
    sensors: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        positive(f"{self.name}: step", self.step)
        _ = self._origin  # refused here

    @cached_property
    def ports(self) -> Mapping[str, Port]:
        """A frame or a point a socket."""
        return {
            p: Port(p, FRAME_DOFS[:3])
            if p in self.points
            else Port(p, FRAME_DOFS, frame=True)
            for p in self.sockets
        }

    @property
    def capabilities(self) -> Capabilities:
        """Several steps a window; it repeats, and its states are bytes."""
        return Capabilities()

    @cached_property
    def _exu(self) -> Any:
        (exu,) = engine("exudyn", "exudyn")
        exu.config.printToConsole = False  # what fails is a rejection
        return exu

    @cached_property
    def _markers(self) -> Mapping[str, int]:
        return {p: self._marker(p, name) for p, name in self.sockets.items()}

    def _marker(self, port: str, name: str) -> int:
        number = int(self.mbs.GetMarkerNumber(name))
        if number < 0:
            raise SettingError(
                f"{self.name}.{port}",
                f"there is no marker {name!r}.",
                "Give the marker that name where it is added: MarkerBodyRigid(name=…).",
            )
        return number

    @cached_property
    def _felt(self) -> dict[str, Any]:
        """What acts now: a window, and the signals over it. Loads ask for it."""
        return {}

    @cached_property
    def _origin(self) -> Vector:
        """The system as it was built, with loads on its ports."""
        place = f"{self.name}: system"
        remedy = "Build the system so that Exudyn itself assembles and runs it."
        _ = self._markers
        attempted(place, self._load_ports, remedy)
        attempted(place, self.mbs.Assemble, remedy)
        state = self._coordinates(self._exu.ConfigurationType.Initial)
        first: Advance[Vector] = attempted(
            place, lambda: self._pressed(state, 0.0, {}), remedy
        )
        return first.state

    def _load_ports(self) -> None:
        (items,) = engine("exudyn", "exudyn.itemInterface")
        for port, marker in self._markers.items():
            kinds = [(items.LoadForceVector, 0)]
            kinds += [] if port in self.points else [(items.LoadTorqueVector, 3)]
            for kind, first in kinds:
                load = kind(
                    markerNumber=marker,
                    loadVector=[0.0, 0.0, 0.0],
                    loadVectorUserFunction=self._load(port, first),
                )
                self.mbs.AddLoad(load)

    def _load(self, port: str, first: int) -> Any:
        felt = self._felt

        def load(mbs: Any, t: float, usual: Any) -> list[float]:
            signal = felt["inputs"].get(port) if felt else None
            if signal is None:
                return [0.0, 0.0, 0.0]
            s = (t - felt["window"].t0) / felt["window"].h
            return list(signal.at(min(max(s, 0.0), 1.0))[first : first + 3])

        return load

    @cached_property
    def _simulation(self) -> Any:
        """The settings of a window; files and printing are off."""
        found = self.settings or self._exu.SimulationSettings()
        found.timeIntegration.verboseMode = 0
        found.solution.file.write = False
        return found

    def start(self, t0: float) -> Advance[Vector]:
        """The system as it was built."""
        return self._pressed(self._origin, t0, {})

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under forces: initial accelerations, as Exudyn has them."""
        return self._pressed(state, t, forces)

    def _pressed(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        signals = {p: Signal.hold(f) for p, f in forces.items()}
        simulation = self._begin(state, Window(t, t + self.step), signals)
        solver = self._exu.MainSolverImplicitSecondOrder()
        solver.InitializeSolver(self.mbs, simulation)
        rates = self.mbs.systemData.GetODE2Coordinates_tt()
        solver.FinalizeSolver(self.mbs, simulation)
        now = self._cut(state)
        now[2] = np.asarray(rates)
        return self._shown(np.concatenate(now))

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Some steps of Exudyn."""
        simulation = self._begin(state, window, inputs)
        try:
            done = self.mbs.SolveDynamic(simulation, storeSolver=False, showHints=False)
        except Exception as error:  # code of others: anything may happen
            reason = " ".join(str(error).split())[:200]
            return Rejected(self.name, f"Exudyn gave up: {reason}", window.at(0.5))
        if done is False:
            return Rejected(self.name, "Exudyn did not converge", window.at(0.5))
        now = self._coordinates(self._exu.ConfigurationType.Current)
        return finite(self.name, window, self._shown(now))

    def _begin(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Any:
        """State, loads and times, as Exudyn takes them."""
        self._felt.update(window=window, inputs=inputs)
        self._put(state, self._exu.ConfigurationType.Initial)
        found = self._simulation
        found.timeIntegration.startTime = window.t0
        found.timeIntegration.endTime = window.t1
        found.timeIntegration.numberOfSteps = step_count(window, self.step)
        return found

    def _coordinates(self, configuration: Any) -> Vector:
        """q, q', q'', those of first order, multipliers, data: all that it keeps."""
        data = self.mbs.systemData
        q, v, first, multipliers, kept = data.GetSystemState(configuration)
        a = data.GetODE2Coordinates_tt(configuration)
        return np.concatenate([q, v, a, first, multipliers, kept])

    @cached_property
    def _cuts(self) -> list[int]:
        data = self.mbs.systemData
        n = data.ODE2Size()
        sizes = [n, n, n, data.ODE1Size(), data.AEsize(), data.DataSize()]
        return [int(end) for end in np.cumsum(sizes)[:-1]]

    def _cut(self, state: Vector) -> list[Vector]:
        return list(np.split(state, self._cuts))

    def _put(self, state: Vector, configuration: Any) -> None:
        q, v, a, first, multipliers, kept = self._cut(state)
        data = self.mbs.systemData
        data.SetSystemState([q, v, first, multipliers, kept], configuration)
        data.SetODE2Coordinates_tt(a, configuration)

    def _shown(self, state: Vector) -> Advance[Vector]:
        """What ports show: read there, and a little before and after along the way."""
        current = self._exu.ConfigurationType.Current
        now = self._cut(state)
        speeds = []
        for d in (-_ALONG, _ALONG):
            moved = [now[0] + d * now[1], now[1] + d * now[2], *now[2:]]
            self._put(np.concatenate(moved), current)
            speeds.append({p: self._speed(p) for p in self.sockets})
        self._put(state, current)
        return Advance(state, {p: self._motion(p, *speeds) for p in self.sockets})

    def _speed(self, port: str) -> Vector:
        kinds = self._exu.OutputVariableType
        v = self._output(port, kinds.Velocity)
        if port in self.points:
            return v
        return np.concatenate([v, self._output(port, kinds.AngularVelocity)])

    def _motion(
        self, port: str, before: Mapping[str, Vector], after: Mapping[str, Vector]
    ) -> Motion:
        kinds = self._exu.OutputVariableType
        a = (after[port] - before[port]) / (2.0 * _ALONG)
        x, v = self._output(port, kinds.Position), self._speed(port)
        if port in self.points:
            return Motion(x, v, a)
        R = self._output(port, kinds.RotationMatrix).reshape(3, 3)
        return Motion(x, v, a, quaternion(R))

    def _output(self, port: str, kind: Any) -> Vector:
        got = self.mbs.GetMarkerOutput(self._markers[port], kind)
        return np.array(got, dtype=np.float64)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """Values of the sensors; `name.0`, `name.1` … where a sensor has several."""
        self._put(state, self._exu.ConfigurationType.Current)
        found = {}
        for name, unit in self.sensors.items():
            number = self.mbs.GetSensorNumber(name)
            values = np.atleast_1d(self.mbs.GetSensorValues(number))
            for k, value in enumerate(values.tolist()):
                shown = name if len(values) == 1 else f"{name}.{k}"
                found[shown] = Observation(value, unit)
        return found

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """A line from port to port."""
        self._put(state, self._exu.ConfigurationType.Current)
        position = self._exu.OutputVariableType.Position
        return {"": np.array([self._output(p, position) for p in self.sockets])}

    def dump(self, state: Vector) -> bytes:
        """Exudyn's coordinates as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)
