"""The dofs that an assembly shows in statics: one vector for all ports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Advance,
    Assembly,
    Causality,
    Connection,
    Effort,
    Matrix,
    Motion,
    Output,
    Port,
    PortRef,
    Vector,
)
from bondline.gluing.gaps import motion_of

Mask = NDArray[np.bool_]


def shown(output: Output) -> Vector:
    """A position, or the effort of a port that takes motion."""
    assert not isinstance(output, float), "a mechanical port shows motion or effort"
    return output.f if isinstance(output, Effort) else output.x


@dataclass(frozen=True)
class Seen:
    """Glued ports, then exported ones, dof by dof.

    Positions p, inputs u and answers y are vectors over these dofs. A port that takes
    force is given a force and answers with its position; one that takes motion is
    given its position and answers with its effort.
    """

    name: str
    assembly: Assembly
    exports: Mapping[str, PortRef]

    @cached_property
    def ports(self) -> Mapping[PortRef, Port]:
        """Every mechanical port, once."""
        parts = self.assembly.parts
        glued = [end for c in self.assembly.connections for end in c.ends]
        found = {r: parts[r.part].ports[r.port] for r in [*glued, *self._exported]}
        return {r: port for r, port in found.items() if isinstance(port, Port)}

    @property
    def _exported(self) -> Sequence[PortRef]:
        return list(self.exports.values())

    @cached_property
    def at(self) -> Mapping[PortRef, slice]:
        """Where each port is in the vector."""
        ends = np.cumsum([0, *(port.size for port in self.ports.values())]).tolist()
        return {r: slice(ends[i], ends[i + 1]) for i, r in enumerate(self.ports)}

    @property
    def size(self) -> int:
        """Number of dofs."""
        return sum(port.size for port in self.ports.values())

    @cached_property
    def of_part(self) -> Mapping[str, Sequence[PortRef]]:
        """The ports of each part that has some."""
        found: dict[str, list[PortRef]] = {}
        for r in self.ports:
            found.setdefault(r.part, []).append(r)
        return found

    @cached_property
    def driven(self) -> Mask:
        """Dofs of ports that take motion."""
        moved = Causality.MOTION_IN
        return self.mask(r for r, p in self.ports.items() if p.causality is moved)

    @cached_property
    def glued(self) -> Mask:
        """Dofs of ports with a joint."""
        return self.mask(end for c in self.assembly.connections for end in c.ends)

    @cached_property
    def turning(self) -> Mask:
        """Dofs of ports with a joint whose B follows the motion."""
        return self.mask(
            end for c in self.assembly.connections if not c.constant for end in c.ends
        )

    def mask(self, ends: Iterable[PortRef]) -> Mask:
        """Marks the dofs of some ports."""
        found = np.zeros(self.size, dtype=np.bool_)
        for r in ends:
            found[self.at[r]] = True
        return found

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """`bar.tip y` of every dof; `bar.edge[3] y` at node 3 of several."""
        return tuple(
            f"{r}{f'[{node}]' if port.nodes > 1 else ''} {dof}"
            for r, port in self.ports.items()
            for node in range(port.nodes)
            for dof in port.dofs
        )

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """The part of every dof."""
        return tuple(r.part for r, port in self.ports.items() for _ in range(port.size))

    def spread(self, values: Mapping[PortRef, Vector]) -> Vector:
        """A vector with the values of some ports, zero elsewhere."""
        found = np.zeros(self.size)
        for r, value in values.items():
            found[self.at[r]] = value
        return found

    def positions(self, advances: Mapping[str, Advance[Any]]) -> Vector:
        """p: where the ports are."""
        return self.spread({r: motion_of(advances, r).x for r in self.ports})

    def positions_of(self, part: str, now: Advance[Any]) -> Vector:
        """p of one part, zero elsewhere."""
        ends = self.of_part.get(part, ())
        return self.spread({r: motion_of({part: now}, r).x for r in ends})

    def answers(self, advances: Mapping[str, Advance[Any]]) -> Vector:
        """y: position, or effort of a port that takes motion."""
        each = {r: shown(advances[r.part].outputs[r.port]) for r in self.ports}
        return self.spread(each)

    def motions(self, c: Connection, p: Vector) -> list[Motion]:
        """The ends of a joint at rest at p."""
        places = [p[self.at[end]] for end in c.ends]
        return [Motion(x, np.zeros_like(x)) for x in places]

    def gap(self, p: Vector) -> Vector:
        """e of all joints, wang2003 (10)."""
        joints = self.assembly.connections
        each = [c.gap(self.motions(c, p))[0] for c in joints]
        return np.concatenate([np.zeros(0), *each])

    def jacobian(self, p: Vector) -> Matrix:
        """B = ∂e/∂p, wang2003 (11), all joints × all dofs."""
        at = self.assembly.offsets
        B = np.zeros((at[-1], self.size))
        for j, c in enumerate(self.assembly.connections):
            each = c.jacobian(self.motions(c, p))
            for end, B_i in zip(c.ends, each, strict=True):
                B[at[j] : at[j + 1], self.at[end]] += B_i
        return B

    def turned(self, p: Vector, F: Vector) -> Matrix:
        """∂(Bᵀ F)/∂p: how the loads of joints follow the motion, by differences."""
        at = self.assembly.offsets
        H = np.zeros((self.size, self.size))
        for j, c in enumerate(self.assembly.connections):
            if c.constant:
                continue
            own = F[at[j] : at[j + 1]]
            dofs = np.flatnonzero(self.mask(c.ends))
            for d in dofs.tolist():
                step = np.zeros(self.size)
                step[d] = 1e-6 * max(1.0, abs(float(p[d])))
                ahead = self._pull(c, p + step, own)
                behind = self._pull(c, p - step, own)
                H[:, d] += (ahead - behind) / (2.0 * step[d])
        return H

    def _pull(self, c: Connection, p: Vector, F: Vector) -> Vector:
        each = c.jacobian(self.motions(c, p))
        f = np.zeros(self.size)
        for end, B_i in zip(c.ends, each, strict=True):
            f[self.at[end]] += B_i.T @ F
        return f

    @cached_property
    def components(self) -> tuple[str, ...]:
        """`joint.Fx` of every joint force."""
        return tuple(
            f"{c.name}.{f}" for c in self.assembly.connections for f in c.components
        )


@dataclass(frozen=True, eq=False)
class Here:
    """Where a path starts: states, positions of the seen dofs, joint forces."""

    states: Mapping[str, Any]
    p: Vector
    forces: Vector
