"""T-T coupling: guess forces, compare motions (wang2003, section 2.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import inf, isfinite
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Flexibility,
    Gap,
    InterfaceSolution,
    Matrix,
    Motion,
    PortRef,
    Rejected,
    Signal,
    Situation,
    Slope,
    Sweep,
    Tree,
    Vector,
    Window,
)
from bondline.errors import NonFinite
from bondline.gluing.couplings.fitness import check_scheme
from bondline.gluing.couplings.probing import Probe, flexibility, solves
from bondline.gluing.couplings.schemes import Scheme
from bondline.gluing.crew import advance_all
from bondline.gluing.gaps import gaps, motion_of
from bondline.gluing.loading import loads
from bondline.gluing.settling import settle
from bondline.numerics import joined
from bondline.wire import arrays


@dataclass(frozen=True)
class TT:
    """Unknowns are the interface forces F of a window, in the scheme's basis.

    Its history is the last window's unknowns and the force at its end.
    """

    scheme: Scheme
    probe: Probe = Probe()  # noqa: RUF009 - a frozen value

    def start(
        self,
        assembly: Assembly,
        starts: Mapping[str, Advance[Any]],
        t0: float,
        outside: Mapping[PortRef, Vector],
    ) -> tuple[Mapping[str, Advance[Any]], tuple[Vector, Vector], Matrix]:
        """Forces that make accelerations agree, with no slope."""
        starts, F = settle(assembly, starts, t0, outside)
        z = np.zeros((self.scheme.unknowns, len(F)))
        z[0] = F
        forces = np.zeros((self.scheme.powers, len(F)))
        forces[0] = F
        return starts, (z.ravel(), F), forces

    def guess(
        self, assembly: Assembly, window: Window, history: tuple[Vector, Vector]
    ) -> Vector:
        """The last window's unknowns."""
        return history[0]

    def problem(
        self,
        assembly: Assembly,
        situation: Situation,
        window: Window,
        history: tuple[Vector, Vector],
    ) -> TTProblem:
        """e(F) = 0 on one window, Eqs. (1)-(2)."""
        before = situation.motions
        B = [c.jacobian([before[end] for end in c.ends]) for c in assembly.connections]
        return TTProblem(self, assembly, situation, window, history[1], B)

    def accept(
        self,
        assembly: Assembly,
        found: InterfaceSolution[Any],
        history: tuple[Vector, Vector],
    ) -> tuple[tuple[Vector, Vector], Matrix]:
        """The unknowns and the force where the next window starts; all coefficients."""
        forces = self.scheme.coefficients(found.z, history[1])
        return (found.z, forces.sum(axis=0)), forces

    def settings(self) -> dict[str, Any]:
        """The scheme and the probe."""
        return {"method": "T-T", "scheme": self.scheme.name, **asdict(self.probe)}

    def suits(self, place: str, assembly: Assembly) -> None:
        """Every glued part goes with the scheme."""
        check_scheme(place, self.scheme, assembly)

    @property
    def sharp(self) -> bool:
        """As the scheme says."""
        return self.scheme.sharp

    def work(self, forces: tuple[Matrix, Matrix], gap: Matrix) -> float:
        """∫ F·e' dt: by virtual work, what the loads of all ends do together."""
        before, now = forces
        acting = 0.5 * (before + now) if self.scheme.instant else now
        return float(np.sum(acting * (self.scheme.work @ gap)))

    def join(self, forces: tuple[Matrix, Matrix], share: float) -> Matrix:
        """The polynomial nearest to both; or the last, where its end is what counts."""
        return forces[1] if self.sharp else joined(*forces, share)

    def dump(self, history: tuple[Vector, Vector]) -> Tree:
        """Two arrays."""
        return list(history)

    def load(self, data: Tree) -> tuple[Vector, Vector]:
        """The history that `dump` wrote."""
        z, end = arrays(data)
        return z, end


@dataclass(frozen=True)
class TTProblem:
    """The interface problem of one window; B holds ∂e/∂x of each end at its start."""

    coupling: TT
    assembly: Assembly
    situation: Situation
    window: Window
    last: Vector
    B: Sequence[Sequence[Matrix]]

    @property
    def size(self) -> int:
        """Unknowns in all."""
        return self.coupling.scheme.unknowns * len(self.last)

    @property
    def h(self) -> float:
        """Length of the window."""
        return self.window.h

    @cached_property
    def noise(self) -> float:
        """A few units in the last place of the positions at the joints."""
        sizes = [float(np.abs(m.x).max()) for m in self.situation.motions.values()]
        return 16.0 * float(np.finfo(np.float64).eps) * max(sizes, default=0.0)

    @property
    def floor(self) -> float:
        """One newton."""
        return self.coupling.probe.floor

    @property
    def symmetric(self) -> bool:
        """With one condition a joint, ∂e/∂F = Σ B G Bᵀ."""
        return self.coupling.scheme.unknowns == 1

    @property
    def affine(self) -> bool:
        """Whether one correction is exact."""
        return self.assembly.affine

    @property
    def labels(self) -> tuple[str, ...]:
        """`A.Fx` and so on, once for each unknown vector."""
        names = [
            f"{c.name}.{f}" for c in self.assembly.connections for f in c.components
        ]
        return tuple(names * self.coupling.scheme.unknowns)

    def sweep(self, z: Vector) -> Sweep | Rejected:
        """Advance every part under the forces `z`, Algorithm 3, step 4."""
        advances = advance_all(
            self.assembly, self.situation.states, self.window, self._inputs(z)
        )
        if isinstance(advances, Rejected):
            return advances
        residual = self._residual(advances)
        if not isfinite(residual @ residual):
            return self._blame(advances)
        return Sweep(residual, advances, sum(solves(a) for a in advances.values()))

    def forecast(self, z: Vector) -> Vector:
        """The conditions at t₁ if every acceleration stayed as it was at t₀."""
        joints, before = self.assembly.connections, self.situation.motions
        e, v, a = gaps([[before[end] for end in c.ends] for c in joints], joints)
        bend = np.zeros_like(e) if a is None else self.h * a
        return self._conditions(
            (e + self.h * (v + 0.5 * bend), v + bend, None if a is None else a)
        )

    def slope(self, z: Vector, here: Sweep) -> Slope | Rejected:
        """∂e/∂F = Σ Bᵢ Gⁱ Cᵢ, Eqs. (12)-(14), part by part."""
        inputs = self._inputs(z)
        J, price = np.zeros((self.size, self.size)), 0
        for name in self.assembly.parts:
            G = self._flexibility(name, inputs[name], here.advances[name])
            if isinstance(G, Rejected):
                return G
            self._assemble(J, name, G)
            price += G.solves
        return Slope(J, price)

    def _flexibility(
        self, name: str, inputs: Mapping[str, Signal], base: Advance[Any]
    ) -> Flexibility | Rejected:
        """Gⁱ, from the part itself if it knows, else by probing."""
        args = (self.situation.states[name], self.window, inputs)
        knows = self.assembly.linearising.get(name)
        if knows is not None:
            return knows.linearise(*args)
        ports = tuple(dict.fromkeys(p for p, _, _ in self.assembly.places[name]))
        part = self.assembly.parts[name]
        probe, powers = self.coupling.probe, self.coupling.scheme.powers
        return flexibility(part, args, base, (ports, powers), probe)

    def _inputs(self, z: Vector) -> dict[str, dict[str, Signal]]:
        F = self.coupling.scheme.coefficients(z, self.last)
        return loads(self.assembly, self.B, F, self.situation.outside)

    def _residual(self, advances: Mapping[str, Advance[Any]]) -> Vector:
        """The scheme's conditions on e, e', e'' at t₁, one after the other."""
        joints = self.assembly.connections
        motions = [[motion_of(advances, end) for end in c.ends] for c in joints]
        return self._conditions(gaps(motions, joints))

    def _conditions(self, gap: Gap) -> Vector:
        (e, e_rate, e_rate2), scheme = gap, self.coupling.scheme
        if scheme.positions_only:
            return e
        levels = [e, e_rate] if e_rate2 is None else [e, e_rate, e_rate2]
        W = scheme.weights(self.h)[:, : len(levels)]
        residual: Vector = W @ np.stack(levels)
        return residual.ravel()

    def _assemble(self, J: Matrix, part: str, G: Flexibility) -> None:
        """Add Bᵢ Gⁱ Cᵢ of one part, for every pair of its glued ports."""
        scheme, places = self.coupling.scheme, self.assembly.places[part]
        W, m, at = scheme.weights(self.h), len(self.last), self.assembly.offsets
        for out, row, end_out in places:
            for port, column, end_in in places:
                # an outside force may have more coefficients than ours
                block = G.blocks[out, port][:, :, : scheme.powers]
                g = np.einsum("rl,lakb,ku->raub", W, block, scheme.B)
                B, C = self.B[row][end_out], self.B[column][end_in].T
                for r, u in np.ndindex(scheme.unknowns, scheme.unknowns):
                    rows = slice(r * m + at[row], r * m + at[row + 1])
                    columns = slice(u * m + at[column], u * m + at[column + 1])
                    J[rows, columns] += B @ g[r, :, u, :] @ C  # Ḡⁱ, Eq. (13)

    def _blame(self, advances: Mapping[str, Advance[Any]]) -> Rejected:
        """Which part answered with a number that is not finite, or all but."""
        ends = [end for c in self.assembly.connections for end in c.ends]
        sizes = {e: _size(motion_of(advances, e)) for e in ends}
        worst = max(ends, key=lambda e: sizes[e])
        finding = f"port {worst.port} answered with a number that is not finite."
        error = NonFinite(
            f"{worst.part}, window to t = {self.window.t1:.6g} s",
            finding,
            "Shorten the window (--step), or look at the part: its own solver may have "
            "become unstable.",
        )
        return Rejected(worst.part, finding, self.window.at(0.5), error)


def _size(motion: Motion) -> float:
    levels = [x for x in (motion.x, motion.v, motion.a) if x is not None]
    largest = max(float(np.abs(x).max()) for x in levels)
    return largest if isfinite(largest) else inf
