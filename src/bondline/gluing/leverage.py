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

    `C[k]` goes with sᵏ and is kept as B is, components × dofs. Ties are many, and of
    theirs only the `sign` is needed: B is that often the identity, or 0 if it is not.
    """

    B: Matrix
    C: NDArray[np.float64]
    sign: float = 0.0

    def load(self, F: Matrix) -> Matrix:
        """F(s) C(s) by the dofs of the port; row k of both goes with sᵏ."""
        if self.sign:
            return F if self.sign == 1.0 else -F
        if len(self.C) == 1:
            flat: Matrix = F @ self.C[0]
            return flat
        product = np.zeros((len(F) + len(self.C) - 1, self.C.shape[2]))
        for j, C_j in enumerate(self.C):
            product[j : j + len(F)] += F @ C_j
        return product


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
        return steady(c, motions)
    end = c.jacobian([foresee(m, h) for m in motions])
    if instant:
        return [Lever(B, B[None]) for B in end]
    start = c.jacobian(motions)
    middle = c.jacobian([foresee(m, 0.5 * h) for m in motions])
    return [
        Lever(B1, _parabola(B0, Bm, B1))
        for B0, Bm, B1 in zip(start, middle, end, strict=True)
    ]


def steady(c: Connection, motions: Sequence[Motion]) -> Sequence[Lever]:
    """Every end of a joint with a constant B."""
    return [Lever(B, B[None], _sign(B)) for B in c.jacobian(motions)]


def _sign(B: Matrix) -> float:
    sign = float(B[0, 0]) if B.shape[0] == B.shape[1] and B.size else 0.0
    plain = abs(sign) == 1.0 and np.array_equal(B, sign * np.eye(len(B)))
    return sign if plain else 0.0


def _parabola(start: Matrix, middle: Matrix, end: Matrix) -> NDArray[np.float64]:
    """Coefficients of sᵏ of the parabola through the values at s = 0, ½, 1."""
    bend = 2.0 * (start - 2.0 * middle + end)
    return np.stack([start, end - start - bend, bend])
