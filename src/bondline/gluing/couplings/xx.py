"""X-X coupling: guess interface motion, ask for equilibrium."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    InterfaceSolution,
    Matrix,
    PortRef,
    Situation,
    Tree,
    Vector,
    Window,
)
from bondline.gluing.couplings.driven_fitness import (
    check_inertia,
    check_xx,
    refuse_outside,
)
from bondline.gluing.couplings.efforts import effort_of, force_scale, largest
from bondline.gluing.couplings.motion_schemes import MotionScheme
from bondline.gluing.couplings.pressing import press_xx
from bondline.gluing.couplings.probing import Probe
from bondline.gluing.couplings.shared_motion import SharedMotion, shared_motion
from bondline.gluing.couplings.xx_problem import XXProblem, labels_of, springs
from bondline.gluing.gaps import motion_of
from bondline.wire import arrays


class XXHistory(NamedTuple):
    """The unknowns of the last window, and what their residual is measured by."""

    z: Vector  # m/s², or m/s
    scale: float  # about the largest effort so far, N
    inertia: float  # the largest ∂effort/∂acceleration at the start, 0 if unknown
    known: bool  # whether z is the acceleration at the end of the last window


@dataclass(frozen=True)
class XX:
    """Unknowns are the motions that all ends share; the residual is Tᵀ f at t₁.

    T holds the motions that leave no gap (`SharedMotion`), f the efforts of all ends,
    as a part of the largest effort so far. Joints that follow a law add their force.
    """

    scheme: MotionScheme
    probe: Probe = Probe()  # noqa: RUF009 - a frozen value
    _shared: dict[int, tuple[Assembly, SharedMotion]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def start(
        self,
        assembly: Assembly,
        starts: Mapping[str, Advance[Any]],
        t0: float,
        outside: Mapping[PortRef, Vector],
    ) -> tuple[Mapping[str, Advance[Any]], XXHistory, Matrix]:
        """Accelerations in equilibrium, where every part can be pressed."""
        ends = {end for c in assembly.connections for end in c.ends}
        motions = {end: motion_of(starts, end) for end in ends}
        shared = self.shared(assembly, motions)
        settled = press_xx(assembly, shared, starts, t0, outside)
        z, inertia, known = np.zeros(len(shared.free)), 0.0, False
        if settled is not None:
            check_inertia(self.scheme, settled.slope, labels_of(assembly, shared))
            starts, z, known = settled.starts, settled.z, settled.regular
            inertia = float(np.abs(settled.slope).max(initial=0.0))
        if not self.scheme.ramp:  # its unknown is a velocity
            z = shared.stack({p: m.v for p, m in motions.items()})[shared.free]
        efforts = shared.stack({p: effort_of(starts, p) for p in shared.ports})
        F = shared.forces(efforts, springs(assembly, motions))
        scale = force_scale(largest([efforts]))
        return starts, XXHistory(z, scale, inertia, known), F[None]

    def shared(
        self, assembly: Assembly, motions: Mapping[PortRef, Any]
    ) -> SharedMotion:
        """Found once an assembly, where B is the same in every configuration."""
        if not all(c.constant for c in assembly.connections):
            return shared_motion(assembly, motions)
        kept = self._shared.get(id(assembly))
        if kept is None or kept[0] is not assembly:
            kept = assembly, shared_motion(assembly, motions)
            self._shared[id(assembly)] = kept
        return kept[1]

    def guess(self, assembly: Assembly, window: Window, history: XXHistory) -> Vector:
        """The last window's unknowns."""
        return history.z / history.scale

    def problem(
        self,
        assembly: Assembly,
        situation: Situation,
        window: Window,
        history: XXHistory,
    ) -> XXProblem:
        """Tᵀ f(z) = 0 on one window."""
        refuse_outside("X-X coupling", assembly, situation.outside)
        shared = self.shared(assembly, situation.motions)
        return XXProblem(
            self.scheme,
            self.probe,
            assembly,
            situation,
            window,
            shared,
            (history.scale, history.inertia, history.known),
            history.z,
        )

    def accept(
        self,
        assembly: Assembly,
        window: Window,
        found: InterfaceSolution[Any],
        history: XXHistory,
    ) -> tuple[XXHistory, Matrix]:
        """The unknowns, and the joint forces at t₁."""
        advances = found.sweep.advances
        ends = {end for c in assembly.connections for end in c.ends}
        motions = {end: motion_of(advances, end) for end in ends}
        shared = self.shared(assembly, motions)
        efforts = shared.stack({p: effort_of(advances, p) for p in shared.ports})
        F = shared.forces(efforts, springs(assembly, motions))
        scale = max(history.scale, force_scale(largest([efforts])))
        z = history.scale * found.z
        return XXHistory(z, scale, history.inertia, True), F[None]

    def settings(self) -> dict[str, Any]:
        """The scheme and the probe."""
        return {"method": "X-X", "scheme": self.scheme.name, **asdict(self.probe)}

    def suits(self, place: str, assembly: Assembly) -> None:
        """Every end takes motion, and every joint keeps its directions."""
        check_xx(place, self.scheme, assembly)

    @property
    def sharp(self) -> bool:
        """The forces are those at t₁."""
        return True

    def work(self, forces: tuple[Matrix, Matrix], gap: Matrix) -> Vector:
        """Mean force times the change of the gap: round-off in rigid joints."""
        return trapezoid(forces, gap)

    def join(self, forces: tuple[Matrix, Matrix], share: float) -> Matrix:
        """The last: its end is what counts."""
        return forces[1]

    def dump(self, history: XXHistory) -> Tree:
        """The unknowns, and three facts."""
        return [history.z, np.array([history.scale, history.inertia, history.known])]

    def load(self, data: Tree) -> XXHistory:
        """The history that `dump` wrote."""
        z, (scale, inertia, known) = arrays(data)
        return XXHistory(z, float(scale), float(inertia), bool(known))


def trapezoid(forces: tuple[Matrix, Matrix], gap: Matrix) -> Vector:
    """∫ F·e' dt with the forces at both ends of a window."""
    before, now = (F.sum(axis=0) for F in forces)
    each: Vector = 0.5 * (before + now) * (gap[2] - gap[0])
    return each
