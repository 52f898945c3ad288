"""How a joint acts on its ends over one window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Assembly, Connection, Matrix, Motion, PortRef
from bondline.gluing.foresee import foresee


@dataclass(frozen=True, slots=True)
class Lever:
    """One end of a joint: B = ∂e/∂x at t₁, and C(s) = B(s)ᵀ for its load.

    `C[k]` goes with sᵏ and is kept as B is, components × dofs.
    """

    B: Matrix
    C: NDArray[np.float64]


Levers: TypeAlias = Sequence[Sequence[Lever]]


def levers(
    assembly: Assembly, motions: Mapping[PortRef, Motion], h: float, instant: bool
) -> Levers:
    """Every end of every joint, from the motions at t₀.

    Where B follows the motion it is taken at the places that the ends will pass, to
    second order, so that a load turns with its joint inside the window. With
    `instant` only t₁ counts.
    """
    return [
        _ends(c, [motions[end] for end in c.ends], h, instant)
        for c in assembly.connections
    ]


def _ends(
    c: Connection, motions: Sequence[Motion], h: float, instant: bool
) -> Sequence[Lever]:
    if c.constant:
        return [Lever(B, B[None]) for B in c.jacobian(motions)]
    end = c.jacobian([foresee(m, h) for m in motions])
    if instant:
        return [Lever(B, B[None]) for B in end]
    start = c.jacobian(motions)
    middle = c.jacobian([foresee(m, 0.5 * h) for m in motions])
    return [
        Lever(B1, _parabola(B0, Bm, B1))
        for B0, Bm, B1 in zip(start, middle, end, strict=True)
    ]


def _parabola(start: Matrix, middle: Matrix, end: Matrix) -> NDArray[np.float64]:
    """Coefficients of sᵏ of the parabola through the values at s = 0, ½, 1."""
    bend = 2.0 * (start - 2.0 * middle + end)
    return np.stack([start, end - start - bend, bend])
