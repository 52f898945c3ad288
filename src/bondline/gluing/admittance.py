"""What a push at the joints does at once, before anything has moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from bondline.core import Advance, Assembly, Matrix, Motion, PortRef, Vector
from bondline.gluing.gaps import motion_of
from bondline.gluing.leverage import Levers


def admittance(
    assembly: Assembly,
    arms: Levers,
    push: Callable[[str, Mapping[str, Vector]], Advance[Any]],
    level: Callable[[Motion], Vector],
) -> Matrix:
    """Σ B M⁻¹ Bᵀ, part by part, from unit pushes on each dof of its ports.

    `push` gives a part under forces or impulses on its ports, `level` what they change.
    Parts come in the order of the joints, so that their own order changes no bit.
    """
    at = assembly.offsets
    J = np.zeros((at[-1], at[-1]))
    for part in dict.fromkeys(e.part for c in assembly.connections for e in c.ends):
        places, rest = assembly.places[part], push(part, {})
        for port in dict.fromkeys(p for p, _, _ in places):
            units = np.eye(assembly.parts[part].ports[port].size)
            pushed = [push(part, {port: unit}) for unit in units]
            for out, row, end_out in places:
                before, *after = (
                    level(motion_of({part: a}, PortRef(part, out)))
                    for a in (rest, *pushed)
                )
                change = np.array([value - before for value in after]).T
                rows = arms[row][end_out].B @ change
                for other, column, end_in in places:
                    if other == port:
                        J[at[row] : at[row + 1], at[column] : at[column + 1]] += (
                            rows @ arms[column][end_in].B.T
                        )
    return J
