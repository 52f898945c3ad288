"""Your own differential equation as a leaf, in ten lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Motion,
    Observation,
    Parameter,
    Port,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.leaves.guard import guarded
from bondline.leaves.loads import polynomial
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.numerics import FixedStep, Integrator

Forces: TypeAlias = Mapping[str, Sequence[float]]
Levels: TypeAlias = Sequence[Sequence[float]]


@dataclass(frozen=True)
class FunctionLeaf:
    """y' = rate(t, y, forces), seen through ports at motion(t, y, y').

    `dofs` names the degrees of freedom of each port. `rate` gets the force on each
    port by name and returns y'; `motion` returns (x, v, a) of each port by name, or
    (x, v) with `Capabilities(acceleration=False)`. Both must be pure functions.

    >>> mass = FunctionLeaf(
    ...     "mass",
    ...     y0=[0.0, 0.0],
    ...     dofs={"end": ("x",)},
    ...     rate=lambda t, y, f: [y[1], (f["end"][0] - 40.0 * y[0]) / 2.0],
    ...     motion=lambda t, y, dy: {"end": ([y[0]], [y[1]], [dy[1]])},
    ... )
    >>> push = {"end": Signal.hold(np.array([8.0]))}
    >>> step = mass.advance(mass.start(0.0).state, Window(0.0, 0.1), push)
    >>> round(float(step.outputs["end"].x[0]), 6)
    0.019669
    """

    name: str
    y0: Sequence[float]
    dofs: Mapping[str, tuple[str, ...]]
    rate: Callable[[float, list[float], Forces], Sequence[float]]
    motion: Callable[[float, list[float], Sequence[float]], Mapping[str, Levels]]
    publish: Sequence[str] = ()  # names of the entries of y that others may see
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    capabilities: Capabilities = Capabilities()  # noqa: RUF009 - a frozen value
    integrate: Integrator = field(default_factory=FixedStep)

    @property
    def ports(self) -> Mapping[str, Port]:
        """One force-driven port a name in `dofs`."""
        return {name: Port(name, tuple(dofs)) for name, dofs in self.dofs.items()}

    def start(self, t0: float) -> Advance[Vector]:
        """`y0`, under no force."""
        y = [float(u) for u in self.y0]
        free = {name: (0.0,) * len(dofs) for name, dofs in self.dofs.items()}
        return self._report(t0, y, free)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Integrate y over the window."""
        force = {
            name: polynomial(inputs.get(name), window, len(dofs))
            for name, dofs in self.dofs.items()
        }

        def rate(t: float, y: list[float]) -> list[float]:
            return list(self.rate(t, y, {n: f(t) for n, f in force.items()}))

        def follow() -> Advance[Vector]:
            y = self.integrate(rate, window.t0, window.t1, state.tolist())
            return self._report(
                window.t1, y, {n: f(window.t1) for n, f in force.items()}
            )

        return guarded(self.name, window, follow)

    def _report(self, t: float, y: list[float], forces: Forces) -> Advance[Vector]:
        levels = self.motion(t, y, self.rate(t, y, forces))
        outputs = {
            name: Motion(*(np.array(level, dtype=np.float64) for level in levels[name]))
            for name in self.dofs
        }
        return Advance(np.array(y), outputs)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """The published entries of y."""
        return {
            name: Observation(float(y), "1")
            for name, y in zip(self.publish, state, strict=False)
        }

    def dump(self, state: Vector) -> bytes:
        """y as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)
