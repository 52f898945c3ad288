"""What a push at the joints does at once, before anything has moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from bondline.core import Advance, Assembly, Matrix, Motion, PortRef, Vector
from bondline.gluing.gaps import motion_of
from bondline.gluing.leverage import Levers

Blocks: TypeAlias = Mapping[tuple[str, str], Matrix]


@dataclass(frozen=True)
class Pushes:
    """How a part is pushed: `push` gives it under forces or impulses on its ports,
    `level` is what they change."""

    assembly: Assembly
    push: Callable[[str, Mapping[str, Vector]], Advance[Any]]
    level: Callable[[Motion], Vector]

    def blocks(self, part: str) -> Blocks:
        """The change at each port by a unit push on each dof of each, one by one."""
        ports = list(dict.fromkeys(p for p, _, _ in self.assembly.places[part]))
        rest, found = self.push(part, {}), dict[tuple[str, str], Matrix]()
        for port in ports:
            units = np.eye(self.assembly.parts[part].ports[port].size)
            pushed = [self.push(part, {port: unit}) for unit in units]
            for out in ports:
                before, *after = (
                    self.level(motion_of({part: a}, PortRef(part, out)))
                    for a in (rest, *pushed)
                )
                change = np.array([value - before for value in after])
                found[out, port] = change.reshape(len(units), -1).T
        return found


def admittance(
    assembly: Assembly,
    arms: Levers,
    pushes: Pushes | None,
    known: Mapping[str, Blocks] | None = None,
) -> Matrix:
    """Σ B M⁻¹ Bᵀ, part by part, from what is known of a part, or from pushes.

    Parts come in the order of the joints, so that their own order changes no bit.
    """
    at, told = assembly.offsets, known or {}
    J = np.zeros((at[-1], at[-1]))
    for part in dict.fromkeys(e.part for c in assembly.connections for e in c.ends):
        H = told.get(part)
        if H is None:
            assert pushes is not None, f"{part} can be pushed"
            H = pushes.blocks(part)
        places = assembly.places[part]
        for port in dict.fromkeys(p for p, _, _ in places):
            for out, row, end_out in places:
                rows = arms[row][end_out].B @ H[out, port]
                for other, column, end_in in places:
                    if other == port:
                        J[at[row] : at[row + 1], at[column] : at[column + 1]] += (
                            rows @ arms[column][end_in].B.T
                        )
    return J
