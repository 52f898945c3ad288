"""Small models for the tests of run/: quick, exact to the bit, and honest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Energy,
    Matrix,
    Observation,
    Parameter,
    Port,
    Reaction,
    Rejected,
    Signal,
    Vector,
    Window,
    ref,
)

ABLE, FORGETFUL = Capabilities(), Capabilities(serialises=False)


@dataclass(frozen=True)
class Swing:
    """A pendulum (semi-implicit Euler) that shows all a model can show."""

    name: str = "swing"
    omega: float = 3.0
    ports: Mapping[str, Port] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    capabilities: Capabilities = ABLE

    def start(self, t0: float) -> Advance[Vector]:
        return Advance(np.array([t0, 1.0, 0.0]), {}, Energy(self._energy(1.0, 0.0)))

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        _, angle, spin = state.tolist()
        for _ in range(4):
            spin -= 0.25 * window.h * self.omega**2 * math.sin(angle)
            angle += 0.25 * window.h * spin
        stats = {
            "iterations": 2 + int(angle > 0.0),
            "builds": 1,
            "solves": 5,
            "gap": 1e-12 * abs(angle),
            "interface_work": 1e-9 * spin,
        }
        now = np.array([window.t1, angle, spin])
        return Advance(now, {}, Energy(self._energy(angle, spin)), stats)

    def _energy(self, angle: float, spin: float) -> float:
        return 0.5 * spin**2 - self.omega**2 * math.cos(angle)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        return {
            "angle": Observation(float(state[1]), "rad"),
            "spin": Observation(float(state[2]), "rad/s"),
        }

    def reactions(self, state: Vector) -> Mapping[str, Reaction]:
        force = np.array([[float(state[1]), float(state[2])]])
        return {"joint.A": Reaction(("Fx", "Fy"), force)}

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        tip = [math.sin(state[1]), -math.cos(state[1])]
        return {"rod": np.array([[0.0, 0.0], tip])}

    def dump(self, state: Vector) -> bytes:
        return state.astype("<f8").tobytes()

    def load(self, data: bytes) -> Vector:
        return np.frombuffer(data, "<f8").astype(np.float64)


@dataclass(frozen=True)
class Forgetful:
    """The swing, but unable to put away its state."""

    inner: Swing = field(default_factory=Swing)
    name: str = "swing"
    ports: Mapping[str, Port] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    capabilities: Capabilities = FORGETFUL

    def start(self, t0: float) -> Advance[Vector]:
        return self.inner.start(t0)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        return self.inner.advance(state, window, inputs)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        return self.inner.observe(state)


@dataclass(frozen=True)
class Bare:
    """Knows nothing beyond the protocol: nothing published, no energy, no counts."""

    name: str = "bare"
    ports: Mapping[str, Port] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    capabilities: Capabilities = ABLE

    def start(self, t0: float) -> Advance[float]:
        return Advance(t0, {})

    def advance(
        self, state: float, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[float] | Rejected:
        return Advance(window.t1, {})


@dataclass(frozen=True)
class Breaking:
    """The swing up to `t_bad`; what happens then is for the test to say."""

    t_bad: float
    value: float | None = None  # published from then on; None to reject the window
    until: float | None = None
    error: Exception | None = None
    inner: Swing = field(default_factory=Swing)
    name: str = "swing"
    ports: Mapping[str, Port] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    capabilities: Capabilities = ABLE

    def start(self, t0: float) -> Advance[Vector]:
        return self.inner.start(t0)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        if window.t1 >= self.t_bad and self.error is not None:
            raise self.error
        if window.t1 >= self.t_bad and self.value is None:
            return Rejected("hinge", "the spring has snapped", self.until)
        return self.inner.advance(state, window, inputs)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        seen = dict(self.inner.observe(state))
        if self.value is not None and state[0] >= self.t_bad:
            seen["spin"] = Observation(self.value, "rad/s")
        return seen

    def dump(self, state: Vector) -> bytes:
        return self.inner.dump(state)

    def load(self, data: bytes) -> Vector:
        return self.inner.load(data)


def double_pendulum() -> Any:
    """wang2003, example 2, glued from two bars."""
    from bondline.gluing import TT, IntegratedModel, Newton, Tie, scheme
    from bondline.leaves import FreeBar, PinnedBar

    parts = {
        "upper": PinnedBar("upper", mass=10.0, length=1.0, torque=-200.0),
        "lower": FreeBar("lower", mass=20.0, length=2.0),
    }
    tie = Tie("A", (ref("upper.A"), ref("lower.A")), ("x", "y"))
    return IntegratedModel(
        "double_pendulum", parts, [tie], TT(scheme("constant/e")), Newton()
    )


def nested_chains() -> Any:
    """Three chains, two of them glued first: forces are those at the instants."""
    from bondline.gluing import TT, IntegratedModel, Newton, Tie, scheme
    from bondline.leaves import chain

    coupling, solver = TT(scheme("newmark/a,v,u")), Newton()
    left = IntegratedModel(
        "left",
        {"a": chain("a", wall=100.0), "b": chain("b", damping=2.0)},
        [Tie("J", (ref("a.right"), ref("b.left")), ("x",))],
        coupling,
        solver,
        exports={"end": ref("b.right")},
    )
    parts = {"left": left, "c": chain("c", force=3.0)}
    tie = Tie("K", (ref("left.end"), ref("c.left")), ("x",))
    return IntegratedModel("row", parts, [tie], coupling, solver)


@dataclass(frozen=True)
class Noting(Swing):
    """The swing, with something to note in the middle of a run."""

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        done = Swing().advance(state, window, inputs)
        assert isinstance(done, Advance)
        once = ("beware of 0.5.",) if 0.45 < window.t1 < 0.55 else ()
        always = ("always.",) if window.t1 > 0.45 else ()
        return replace(done, notes=once + always)


def noting() -> Noting:
    return Noting()


def two_masses() -> Any:
    """1 kg on a spring that was stretched, tied to 2 kg."""
    from bondline.gluing import glue
    from bondline.leaves import FunctionLeaf

    def mass(name: str, m: float, k: float) -> FunctionLeaf:
        return FunctionLeaf(
            name,
            [0.0, 0.0],
            {"end": ("x",)},
            lambda t, y, f: [y[1], (f["end"][0] + k * (0.1 - y[0])) / m],
            lambda t, y, dy: {"end": ([y[0]], [y[1]], [dy[1]])},
            publish=("x", "v"),
        )

    parts = [mass("a", 1.0, 300.0), mass("b", 2.0, 0.0)]
    return glue("pair", parts, {"j": ("a.end", "b.end")})
