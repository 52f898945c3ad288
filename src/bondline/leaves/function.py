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
    Output,
    Parameter,
    Port,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.errors import SettingError
from bondline.leaves.guard import guarded
from bondline.leaves.kinks import inside, one_sided
from bondline.leaves.loads import Force, polynomial, pressed
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

    `kinks` are the instants at which they jump or are not smooth in t. Windows of a
    glued model end there; a window that ends at one asks just before it, a window that
    starts at one just after.

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
    publish: Sequence[str] | Mapping[str, str] = ()  # names of y's entries (: units)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    capabilities: Capabilities = Capabilities()  # noqa: RUF009 - a frozen value
    integrate: Integrator = field(default_factory=FixedStep)
    kinks: Sequence[float] = ()

    @property
    def ports(self) -> Mapping[str, Port]:
        """One force-driven port a name in `dofs`."""
        return {name: Port(name, tuple(dofs)) for name, dofs in self.dofs.items()}

    def start(self, t0: float) -> Advance[Vector]:
        """`y0`, under no force; `SettingError` where the functions do not fit."""
        y = [float(u) for u in self.y0]
        free = {name: (0.0,) * len(dofs) for name, dofs in self.dofs.items()}
        dy = self.rate(t0, y, free)
        self._check_rate(y, dy)
        self._check_names(self.motion(t0, y, dy))
        start = self._report(t0, y, free)
        self._check_ports(start.outputs)
        return start

    def _check_rate(self, y: list[float], dy: object) -> None:
        size = len(dy) if isinstance(dy, Sequence | np.ndarray) else None
        if size != len(y):
            raise SettingError(
                f"{self.name}: rate",
                f"it returns {dy!r} for a state of {len(y)} numbers.",
                f"Return {len(y)} numbers, y'.",
            )
        if len(self.publish) > len(y):
            raise SettingError(
                f"{self.name}: publish",
                f"{len(self.publish)} names for a state of {len(y)} numbers.",
                "Name the first entries of y, in order.",
            )

    def _check_names(self, levels: Mapping[str, Levels]) -> None:
        missing = [name for name in self.dofs if name not in levels]
        if missing:
            raise SettingError(
                f"{self.name}: motion",
                f"it gives {', '.join(levels) or 'nothing'}.",
                f"Give the motion of port {missing[0]!r}, too.",
            )

    def _check_ports(self, outputs: Mapping[str, Output]) -> None:
        for name, dofs in self.dofs.items():
            shown = outputs[name]
            assert isinstance(shown, Motion)
            levels = [x for x in (shown.x, shown.v, shown.a) if x is not None]
            wrong = [x.shape for x in levels if x.shape != (len(dofs),)]
            if wrong or (shown.a is None) == self.capabilities.acceleration:
                raise SettingError(
                    f"{self.name}: motion of {name}",
                    f"its levels have the shapes {[x.shape for x in levels]}.",
                    f"Give x, v and a as lists of {len(dofs)} numbers each, "
                    f"{' '.join(dofs)}; a may be left out with "
                    "Capabilities(acceleration=False).",
                )

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under forces."""
        loads = {n: pressed(forces.get(n), len(dofs)) for n, dofs in self.dofs.items()}
        return self._report(t, state.tolist(), loads)

    def kick(
        self, state: Vector, t: float, impulses: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """What forces add to y', at once: right where y' is affine in them."""
        y, free = state.tolist(), {n: (0.0,) * len(d) for n, d in self.dofs.items()}
        hit = {n: pressed(impulses.get(n), len(d)) for n, d in self.dofs.items()}
        more = np.array(self.rate(t, y, hit)) - np.array(self.rate(t, y, free))
        return self._report(t, (state + more).tolist(), free)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Integrate y over the window."""
        force = {
            name: polynomial(inputs.get(name), window, len(dofs))
            for name, dofs in self.dofs.items()
        }

        def follow() -> Advance[Vector]:
            y, t, last = state.tolist(), window.t0, window.t1
            for end in (*self.breaks(window), window.t1):
                at = one_sided(Window(t, end), self.kinks)
                y = self.integrate(self._under(force, at), t, end, y)
                t, last = end, at(end)
            return self._report(last, y, {n: f(t) for n, f in force.items()})

        return guarded(self.name, window, follow)

    def _under(
        self, force: Mapping[str, Force], at: Callable[[float], float]
    ) -> Callable[[float, list[float]], list[float]]:
        """y' under port forces, asked for at the times that `at` gives."""

        def rate(t: float, y: list[float]) -> list[float]:
            return list(self.rate(at(t), y, {n: f(t) for n, f in force.items()}))

        return rate

    def breaks(self, window: Window) -> Sequence[float]:
        """Its kinks inside a window."""
        return inside(window, self.kinks)

    def _report(self, t: float, y: list[float], forces: Forces) -> Advance[Vector]:
        levels = self.motion(t, y, self.rate(t, y, forces))
        outputs = {
            name: Motion(*(np.array(level, dtype=np.float64) for level in levels[name]))
            for name in self.dofs
        }
        return Advance(np.array(y), outputs)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """The published entries of y."""
        units = self.publish if isinstance(self.publish, Mapping) else {}
        return {
            name: Observation(float(y), units.get(name, "1"))
            for name, y in zip(self.publish, state, strict=False)
        }

    def dump(self, state: Vector) -> bytes:
        """y as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)
