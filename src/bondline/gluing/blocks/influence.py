"""From the impulse responses of the parts to those of the joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bondline.core import Impulse, PortRef
from bondline.gluing.blocks.toeplitz import Lags
from bondline.gluing.couplings.schemes import Scheme
from bondline.gluing.couplings.tt_problem import TTProblem
from bondline.gluing.couplings.tt_slope import load_shape


@dataclass(frozen=True, eq=False)
class Influence:
    """The impulse responses of all parts, in the terms of one window's problem."""

    problem: TTProblem
    H: Mapping[str, Impulse]
    count: int

    @cached_property
    def joints(self) -> Lags:
        """J of blocks.md (5): what unknowns of the joints do to their conditions."""
        u = self.problem.scheme.unknowns
        at = self.problem.assembly.offsets
        J = np.zeros((self.count, u, at[-1], u, at[-1]))
        for part, places in self.problem.assembly.places.items():
            for out, row, i in places:
                rows = slice(at[row], at[row + 1])
                for port, column, j in places:
                    seen = self._followed(part, out, port, (column, j))
                    columns = slice(at[column], at[column + 1])
                    J[:, :, rows, :, columns] += self._conditions(row, i, seen)
        return J.reshape(self.count, u * at[-1], u * at[-1])

    def felt(self, end: PortRef, powers: int) -> Lags:
        """What coefficients of a load on one export do to the conditions, (8)."""
        u, at = self.problem.scheme.unknowns, self.problem.assembly.offsets
        width = self.problem.assembly.parts[end.part].ports[end.port].size
        felt = np.zeros((self.count, u, at[-1], powers, width))
        for out, row, i in self.problem.assembly.places[end.part]:
            seen = self.H[end.part].blocks[out, end.port][: self.count, :, :, :powers]
            felt[:, :, at[row] : at[row + 1]] += self._conditions(row, i, seen)
        return felt.reshape(self.count, u * at[-1], powers * width)

    def shown(self, end: PortRef) -> Lags:
        """What unknowns of the joints do to an export, (8): levels × dofs in a row."""
        u, at = self.problem.scheme.unknowns, self.problem.assembly.offsets
        width = self.problem.assembly.parts[end.part].ports[end.port].size
        shown = np.zeros((self.count, 3, width, u, at[-1]))
        for port, column, j in self.problem.assembly.places[end.part]:
            seen = self._followed(end.part, end.port, port, (column, j))
            shown[..., at[column] : at[column + 1]] += seen
        return shown.reshape(self.count, 3 * width, u * at[-1])

    def _followed(
        self, part: str, out: str, port: str, place: tuple[int, int]
    ) -> NDArray[np.float64]:
        """What a port does under unknowns of a joint: windows × levels × dofs × both.

        A continuous force starts where that of the window before ended, so an unknown
        also acts in the window after its own: (4).
        """
        scheme, C = self.problem.scheme, self.problem.levers[place[0]][place[1]].C
        block = self.H[part].blocks[out, port][: self.count]
        seen = _under(block, load_shape(scheme, C))
        if scheme.shape == "continuous":
            seen[1:] += _under(block, load_shape(_carrying(scheme), C))[:-1]
        return seen

    def _conditions(
        self, row: int, i: int, seen: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Levels of a port to conditions of a joint: windows × conditions × …"""
        lever, flat = self.problem.levers[row][i], seen.reshape(*seen.shape[:3], -1)
        moved = lever.sign * flat if lever.sign else lever.B @ flat
        W = self.problem.weights
        felt: NDArray[np.float64] = np.einsum("rl,nlcz->nrcz", W, moved, optimize=True)
        return felt.reshape(*felt.shape[:3], *seen.shape[3:])


def _under(
    block: NDArray[np.float64], shape: NDArray[np.float64]
) -> NDArray[np.float64]:
    known, (powers, width, unknowns, size) = block[:, :, :, : len(shape)], shape.shape
    flat = shape.reshape(powers * width, unknowns * size)
    moved: NDArray[np.float64] = known.reshape(*known.shape[:3], -1) @ flat
    return moved.reshape(*known.shape[:3], unknowns, size)


def _carrying(scheme: Scheme) -> Scheme:
    """The force that an unknown of the window before makes."""
    return replace(scheme, basis=tuple((float(c),) for c in scheme.carried))
