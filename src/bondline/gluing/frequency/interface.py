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
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

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
from bondline.gluing.gaps import motion_of
from bondline.gluing.solvers.redundancy import redundant_conditions

Complex: TypeAlias = NDArray[np.complex128]

_NULL = 1e-11  # of the largest: an eigenvalue of S that is zero at every frequency
_SIGN = 1e-12  # of the largest: an eigenvalue of S whose sign is known
_LOOKS = (6.18e8, 2.83e5, 9.11e3, 4.37e2, 1.71e1)  # rad/s, each near no round number


@dataclass(frozen=True, eq=False)
class Level:
    """The parts of one model at one frequency, side by side and glued."""

    H: Complex
    S: Complex
    B: Matrix
    below: int | None  # of all parts together

    @cached_property
    def _scale(self) -> Vector:
        """Sizes of the terms that make up S: its diagonal may cancel."""
        size = np.abs(self.B) @ np.abs(self.H) @ np.abs(self.B).T + np.abs(self.S)
        scale: Vector = np.sqrt(np.diag(size))
        return np.where(scale > 0.0, scale, 1.0)

    @cached_property
    def inertia(self) -> Vector:
        """Eigenvalues of S without damping, rows and columns scaled; ascending."""
        S = self.S.real / np.outer(self._scale, self._scale)
        return np.asarray(np.linalg.eigvalsh(0.5 * (S + S.T)), dtype=np.float64)

    @cached_property
    def nullity(self) -> int:
        """How many joint forces do nothing here: joints that repeat each other."""
        sizes = np.abs(self.inertia)
        return int(np.count_nonzero(sizes <= _NULL * sizes.max(initial=0.0)))

    def count(self, nullity: int) -> int:
        """Equation (4); `nullity` is how many conditions repeat others."""
        assert self.below is not None, "asked without damping"
        kept = self.inertia[np.argsort(np.abs(self.inertia))[nullity:]]
        return self.below + int(np.count_nonzero(kept > 0.0)) - len(kept)

    def sharp(self, nullity: int) -> bool:
        """Whether the signs that `count` counts are more than round-off.

        Far below the first elastic mode, rigid motion of the parts hides all else.
        """
        sizes = np.sort(np.abs(self.inertia))[nullity:]
        return bool((sizes > _SIGN * sizes.max(initial=0.0)).all())

    @cached_property
    def glued(self) -> Complex:
        """Equation (3) over all ports of all parts."""
        if not len(self.S):
            return self.H
        BH, scale = self.B @ self.H, self._scale
        S = self.S / np.outer(scale, scale)
        F = np.linalg.lstsq(S, BH / scale[:, None], rcond=1e-14)[0] / scale[:, None]
        return np.asarray(self.H - BH.T @ F, dtype=np.complex128)


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
        size = self.B.shape[1]
        H, below = np.zeros((size, size), dtype=np.complex128), 0
        for n, part in self.parts.items():
            shown = part.receptance(omega, damped)
            below += shown.below or 0
            for (out, port), block in shown.blocks.items():
                H[self.places[PortRef(n, out)], self.places[PortRef(n, port)]] = block
        k, c = self.law
        stiffness = k + 1j * omega * c if damped else k.astype(np.complex128)
        held = stiffness != 0.0  # a damper alone holds nothing without damping
        B = self.B[held]
        S = B @ H @ B.T + np.diag(1.0 / stiffness[held])
        return Level(H, S, B, None if damped else below)

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
        shown = {n: where[r] for n, r in self.exports.items() if r in where}
        blocks = {
            (out, port): level.glued[rows, columns]
            for out, rows in shown.items()
            for port, columns in shown.items()
        }
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
