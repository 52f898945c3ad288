"""T-T coupling: guess forces, compare motions (wang2003, section 2.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Linearising,
    Matrix,
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
from bondline.gluing.couplings.probing import Probe, flexibility, solves
from bondline.gluing.couplings.schemes import Scheme
from bondline.gluing.gaps import gaps, motion_of
from bondline.wire import arrays


@dataclass(frozen=True)
class TT:
    """Unknowns are the interface forces F of a window, in the scheme's basis.

    Its history is the last window's unknowns and the force at its end.
    """

    scheme: Scheme
    probe: Probe = Probe()  # noqa: RUF009 - a frozen value

    def start(self, assembly: Assembly) -> tuple[Vector, Vector]:
        """No force yet."""
        m = sum(len(c.components) for c in assembly.connections)
        return np.zeros(self.scheme.unknowns * m), np.zeros(m)

    def guess(self, assembly: Assembly, history: tuple[Vector, Vector]) -> Vector:
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

    def forces(
        self, assembly: Assembly, z: Vector, history: tuple[Vector, Vector]
    ) -> Matrix:
        """Coefficients of sᵏ of every joint force."""
        return self.scheme.coefficients(z, history[1])

    def accept(
        self, assembly: Assembly, z: Vector, history: tuple[Vector, Vector]
    ) -> tuple[Vector, Vector]:
        """The unknowns, and the force where the next window starts."""
        end: Vector = self.forces(assembly, z, history).sum(axis=0)
        return z, end

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

    @property
    def affine(self) -> bool:
        """Linear parts and joints whose B never changes."""
        parts, joints = self.assembly.parts.values(), self.assembly.connections
        return all(c.constant for c in joints) and all(
            p.capabilities.linear for p in parts
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """`A.Fx` and so on, once for each unknown vector."""
        names = [
            f"{c.name}.{f}" for c in self.assembly.connections for f in c.components
        ]
        return tuple(names * self.coupling.scheme.unknowns)

    def sweep(self, z: Vector) -> Sweep | Rejected:
        """Advance every part under the forces `z`, Algorithm 3, step 4."""
        inputs = self._inputs(z)
        advances: dict[str, Advance[Any]] = {}
        for name, part in self.assembly.parts.items():
            state = self.situation.states[name]
            done = part.advance(state, self.window, inputs[name])
            if isinstance(done, Rejected):
                return done
            advances[name] = done
        residual = self._residual(advances)
        if not isfinite(residual @ residual):
            self._blame(advances)
        return Sweep(residual, advances, sum(solves(a) for a in advances.values()))

    def slope(self, z: Vector, here: Sweep) -> Slope | Rejected:
        """∂e/∂F = Σ Bᵢ Gⁱ Cᵢ, Eqs. (12)-(14), part by part."""
        inputs = self._inputs(z)
        size = self.size
        J, price = np.zeros((size, size)), 0
        for name, part in self.assembly.parts.items():
            ports = self._glued(name)
            args = (self.situation.states[name], self.window, inputs[name])
            if isinstance(part, Linearising):
                G = part.linearise(*args)
            else:
                base = here.advances[name]
                found = flexibility(part, args, base, ports, self.coupling.probe)
                if isinstance(found, Rejected):
                    return found
                G = found
            price += G.solves
            self._assemble(J, name, G.blocks)
        return Slope(J, price)

    def _inputs(self, z: Vector) -> dict[str, dict[str, Signal]]:
        """Loads of every port: Cᵢ F with Cᵢ = Bᵢᵀ, Eqs. (7)-(8), and those outside."""
        F = self.coupling.scheme.coefficients(z, self.last)
        inputs: dict[str, dict[str, Signal]] = {n: {} for n in self.assembly.parts}
        for end, signal in self.situation.outside.items():
            inputs[end.part][end.port] = signal
        at = 0
        for c, B in zip(self.assembly.connections, self.B, strict=True):
            n = len(c.components)
            for end, B_i in zip(c.ends, B, strict=True):
                load, ports = Signal(F[:, at : at + n] @ B_i), inputs[end.part]
                known = ports.get(end.port)
                ports[end.port] = load if known is None else known + load
            at += n
        return inputs

    def _residual(self, advances: Mapping[str, Advance[Any]]) -> Vector:
        """The scheme's conditions on e, e', e'' at t₁, one after the other."""
        joints = self.assembly.connections
        motions = [[motion_of(advances, end) for end in c.ends] for c in joints]
        e, e_rate, e_rate2 = gaps(motions, joints)
        scheme = self.coupling.scheme
        if scheme.positions_only:
            return e
        residual: Vector = scheme.weights(self.window.h) @ np.stack(
            [e, e_rate, e_rate2]
        )
        return residual.ravel()

    def _glued(self, part: str) -> tuple[str, ...]:
        """Ports of a part that take part in a joint, each once."""
        ends = (e for c in self.assembly.connections for e in c.ends)
        return tuple(dict.fromkeys(e.port for e in ends if e.part == part))

    def _assemble(self, J: Matrix, part: str, G: Mapping[tuple[str, str], Any]) -> None:
        """Add Bᵢ Gⁱ Cᵢ of one part, for every pair of its glued ports."""
        m, scheme = len(self.last), self.coupling.scheme
        W = scheme.weights(self.window.h)
        places = [p for p in self._places() if p[0].part == part]
        for end_out, rows, B_out in places:
            for end_in, columns, B_in in places:
                block = np.einsum(
                    "rl,lakb,ku->raub", W, G[end_out.port, end_in.port], scheme.B
                )
                for r in range(scheme.unknowns):
                    for u in range(scheme.unknowns):
                        at = np.ix_(r * m + rows, u * m + columns)
                        J[at] += B_out @ block[r, :, u, :] @ B_in.T

    def _places(self) -> list[tuple[PortRef, Any, Matrix]]:
        places, at = [], 0
        for c, B in zip(self.assembly.connections, self.B, strict=True):
            rows = np.arange(at, at + len(c.components))
            places += [(end, rows, B_i) for end, B_i in zip(c.ends, B, strict=True)]
            at += len(c.components)
        return places

    def _blame(self, advances: Mapping[str, Advance[Any]]) -> None:
        for c in self.assembly.connections:
            for end in c.ends:
                m = motion_of(advances, end)
                if not all(np.isfinite(level).all() for level in (m.x, m.v, m.a)):
                    raise NonFinite(
                        f"{end.part}, window to t = {self.window.t1:.6g} s",
                        f"port {end.port} answered with a number that is not finite.",
                        "Shorten the window (--step), or look at the part: its own "
                        "solver may have become unstable.",
                    )
