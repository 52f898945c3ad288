"""An assembly at one frequency, from what its parts show at their ports.

    u = H (f + Bᵀ F),   B u + Γ F = 0                                             (1)
    F = −S⁻¹ B H f,     S = B H Bᵀ + Γ                                            (2)
    u = (H − H Bᵀ S⁻¹ B H) f                                                      (3)

H is block diagonal, one receptance a part; Γ = 1/(k + iωc) for compliant joints and
zero for others. How many modes lie below ω follows from inertias alone:

    N(ω) = Σ belowᵢ + positive(S) − rank                                          (4)

(Haynsworth; derived in docs/theory/frequency.md). Both hold for real ω, and (4) without
damping.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import (
    Assembly,
    Causality,
    Harmonic,
    Matrix,
    Model,
    Port,
    PortRef,
    Receptance,
    Vector,
)
from bondline.errors import SettingError, WiringError
from bondline.gluing.frequency.level import Level
from bondline.gluing.gaps import motion_of
from bondline.gluing.solvers.redundancy import redundant_conditions
from bondline.numerics.factor import slim

_LOOKS = (6.18e8, 2.83e5, 9.11e3, 4.37e2, 1.71e1)  # rad/s, each near no round number


@dataclass(frozen=True, eq=False)
class Interface:
    """Ports and joints of one model as matrices; made once, asked at any frequency."""

    name: str
    parts: Mapping[str, Harmonic]
    ports: Mapping[PortRef, Port]
    B: Matrix
    law: tuple[Vector, Vector]  # k and c, k infinite where e must vanish
    exports: Mapping[str, PortRef]

    @cached_property
    def places(self) -> Mapping[PortRef, slice]:
        """Where each port is among all."""
        ends = np.cumsum([0, *(p.size for p in self.ports.values())]).tolist()
        return {r: slice(ends[i], ends[i + 1]) for i, r in enumerate(self.ports)}

    def at(self, omega: float, damped: bool) -> Level:
        """H, S and Σ below at `omega`."""
        H, below = self._side_by_side(omega, damped)
        k, c = self.law
        stiffness = k + 1j * omega * c if damped else k
        held = stiffness != 0.0  # a damper alone holds nothing without damping
        B: Any = self._slim if held.all() else slim(self.B[held])
        S = np.asarray((B @ (B @ H).T).T) + np.diag(1.0 / stiffness[held])
        return Level(H, S, B, None if damped else below)

    @cached_property
    def _slim(self) -> Any:
        return slim(self.B)

    def _side_by_side(self, omega: float, damped: bool) -> tuple[Any, int]:
        size, below = self.B.shape[1], 0
        H: Any = np.zeros((size, size), dtype=np.complex128 if damped else np.float64)
        for n, part in self.parts.items():
            shown = part.receptance(omega, damped)
            below += shown.below or 0
            for (out, port), block in shown.blocks.items():
                rows, columns = (self.places[PortRef(n, p)] for p in (out, port))
                H[rows, columns] = block if damped else block.real
        return H, below

    @cached_property
    def nullity(self) -> int:
        """How many conditions repeat others, at every frequency.

        Rows of B that make each other up are the least. Parts know more: ports of a
        ground do not move, and two ports may be one dof. Far above all modes S is
        −B M⁻¹ Bᵀ/ω², which has the rank of the conditions; far below them rigid-body
        motion hides everything else. So look from high to low, and the least counts.
        """
        rigid = self.B[np.isinf(self.law[0])]
        least = len(redundant_conditions(rigid)) if len(rigid) else 0
        found = len(self.B)
        for omega in _LOOKS:
            found = min(found, self.at(omega, False).nullity)
            if found <= least:
                return least
        return found

    def condensed(self, omega: float, damped: bool) -> Receptance:
        """What the exported ports show: the model as one part of a larger one."""
        level, where = self.at(omega, damped), self.places
        ports = {n: where[r] for n, r in self.exports.items() if r in where}
        rows = [np.arange(at.start, at.stop) for at in ports.values()]
        every = np.concatenate([np.zeros(0, dtype=np.intp), *rows])
        glued = level.between(every, every)
        ends = np.cumsum([0, *(len(at) for at in rows)]).tolist()
        place = {n: slice(ends[i], ends[i + 1]) for i, n in enumerate(ports)}
        blocks = {(o, p): glued[place[o], place[p]] for o in ports for p in ports}
        below = None if damped else level.count(self.nullity)
        return Receptance(blocks, below)


def interface(
    name: str, assembly: Assembly, exports: Mapping[str, PortRef]
) -> Interface:
    """The interface of linear parts; `SettingError` names a part that is none."""
    parts = {n: _harmonic(name, n, part) for n, part in assembly.parts.items()}
    ports = {
        PortRef(n, p): port
        for n, part in assembly.parts.items()
        for p, port in part.ports.items()
        if isinstance(port, Port) and port.causality is Causality.FORCE_IN
    }
    _check_ends(name, assembly, ports)
    B, law = _joints(assembly, ports)
    return Interface(name, parts, ports, B, law, exports)


def _harmonic(name: str, n: str, part: Model) -> Harmonic:
    if isinstance(part, Harmonic) and part.capabilities.linear:
        return part
    raise SettingError(
        f"{name}: part {n}",
        "it is not linear, or does not know its receptance: it has no modes.",
        "Replace it by a linear part, or run it in time.",
    )


def _check_ends(name: str, assembly: Assembly, ports: Mapping[PortRef, Port]) -> None:
    for c in assembly.connections:
        wrong = [end for end in c.ends if end not in ports]
        if wrong:
            raise WiringError(
                f"{name}: joint {c.name}",
                f"{wrong[0]} takes motion, and its receptance is that of a held port.",
                "Modes and responses need ports that take force.",
            )


def _joints(
    assembly: Assembly, ports: Mapping[PortRef, Port]
) -> tuple[Matrix, tuple[Vector, Vector]]:
    """B of all joints where the parts start, and the laws of compliant ones."""
    ends = np.cumsum([0, *(p.size for p in ports.values())]).tolist()
    at = {r: slice(ends[i], ends[i + 1]) for i, r in enumerate(ports)}
    B = np.zeros((assembly.offsets[-1], ends[-1]))
    k, c = np.full(len(B), np.inf), np.zeros(len(B))
    held = {end.part for joint in assembly.connections for end in joint.ends}
    starts = {n: assembly.parts[n].start(0.0) for n in sorted(held)}
    for j, joint in enumerate(assembly.connections):
        rows = slice(assembly.offsets[j], assembly.offsets[j + 1])
        motions = [motion_of(starts, end) for end in joint.ends]
        for end, B_i in zip(joint.ends, joint.jacobian(motions), strict=True):
            B[rows, at[end]] += B_i
        if joint.law is not None:
            k[rows], c[rows] = joint.law
    return B, (k, c)
