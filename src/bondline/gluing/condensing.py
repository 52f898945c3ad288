"""The flexibility of an integrated model from those of its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bondline.core import Flexibility, Matrix, PortRef, Signal, Vector
from bondline.gluing.couplings.tt_problem import TTProblem
from bondline.gluing.couplings.tt_slope import follow, load_shape, turned, weighted
from bondline.gluing.solvers.gluing_matrix import GluingMatrix


@dataclass(frozen=True)
class Condensed:
    """What loads on the exported ports do, once the inner joints have answered.

    G of the exports is G_oo − G_oj Λ G_jo; `answer` is −Λ G_jo, what the unknowns of
    the inner joints do: a column for each port, power of s and dof. `shown` is G_oj,
    what those unknowns do to each export: levels × dofs × unknowns.
    """

    G: Flexibility
    answer: Matrix
    exports: Mapping[str, PortRef]
    powers: int
    shown: Mapping[str, NDArray[np.float64]]

    def unknowns(self, inputs: Mapping[str, Signal]) -> Vector:
        """What the inner joints add under more loads on the exports."""
        z, at = np.zeros(len(self.answer)), 0
        for port in self.exports:
            width = self.G.blocks[port, port].shape[3]
            if port in inputs:
                c = inputs[port].coefficients
                assert len(c) <= self.powers, f"{port} is told {len(c)} coefficients"
                used = self.answer[:, at : at + c.size]
                z += used @ c.ravel()
            at += self.powers * width
        return z


def condense(
    problem: TTProblem,
    G: Mapping[str, Flexibility],
    Lam: GluingMatrix,
    exports: Mapping[str, PortRef],
    powers: int,
) -> Condensed:
    """Eliminate the inner joints: no probe of the model as a whole is needed."""
    felt = [_felt(problem, G, end, powers) for end in exports.values()]
    widths = [f.shape[1] for f in felt]
    empty = np.zeros((problem.size, 0))
    answer = -Lam.form.times(np.hstack([empty, *felt]))
    cuts = np.cumsum(widths)[:-1]
    every = {n: shown_by(problem, G, end) for n, end in exports.items()}
    blocks = {}
    for out, end_out in exports.items():
        shown = every[out]
        for (port, end_in), z in zip(
            exports.items(), np.split(answer, cuts, axis=1), strict=True
        ):
            levels, dofs, _ = shown.shape
            block = (shown @ z).reshape(levels, dofs, powers, -1)
            if end_in.part == end_out.part:
                own = G[end_in.part].blocks[end_out.port, end_in.port]
                block = block + own[:, :, :powers]
            blocks[out, port] = block
    price = sum(g.solves for g in G.values())
    return Condensed(Flexibility(blocks, price), answer, dict(exports), powers, every)


def _felt(
    problem: TTProblem, G: Mapping[str, Flexibility], end: PortRef, powers: int
) -> Matrix:
    """∂(residual of the inner joints)/∂(coefficients of the load on one export)."""
    assembly, at = problem.assembly, problem.assembly.offsets
    width = assembly.parts[end.part].ports[end.port].size
    felt = np.zeros((problem.scheme.unknowns, at[-1], powers, width))
    for out, row, i in assembly.places[end.part]:
        rows = slice(at[row], at[row + 1])
        g = G[end.part].blocks[out, end.port][:, :, :powers]
        moved = turned(problem.levers[row][i].B, g)
        felt[:, rows] += weighted(problem.weights, rows, moved)
    return felt.reshape(problem.size, -1)


def shown_by(
    problem: TTProblem, G: Mapping[str, Flexibility], end: PortRef
) -> NDArray[np.float64]:
    """∂(levels of one port)/∂(unknowns of the inner joints): levels × dofs × all.

    A port that takes motion has one level, its effort.
    """
    assembly, at = problem.assembly, problem.assembly.offsets
    parts: Sequence[tuple[str, int, int]] = assembly.places[end.part]
    levels, width = G[end.part].blocks[end.port, end.port].shape[:2]
    shown = np.zeros((levels, width, problem.scheme.unknowns, at[-1]))
    for port, column, i in parts:
        shape = load_shape(problem.scheme, problem.levers[column][i].C)
        block = G[end.part].blocks[end.port, port]
        shown[..., at[column] : at[column + 1]] += follow(block, shape)
    return shown.reshape(levels, width, -1)
