"""∂e/∂F of T-T coupling from the flexibilities of the parts, wang2003 (12)-(14)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bondline.core import Assembly, Flexibility, Matrix
from bondline.gluing.couplings.schemes import Scheme
from bondline.gluing.leverage import Levers


def assemble(
    assembly: Assembly,
    scheme: Scheme,
    levers: Levers,
    G: Mapping[str, Flexibility],
    weights: NDArray[np.float64],
) -> Matrix:
    """Σ Bᵢ Gⁱ Cᵢ for every pair of glued ports of every part.

    `weights` are ∂residual/∂(e, e', e''): conditions × levels, and × components where
    they differ from one component to the other.
    """
    m, at = assembly.offsets[-1], assembly.offsets
    J = np.zeros((scheme.unknowns, m, scheme.unknowns, m))
    for part, places in assembly.places.items():
        for out, row, end_out in places:
            rows = slice(at[row], at[row + 1])
            for port, column, end_in in places:
                shape = load_shape(scheme, levers[column][end_in].C)
                g = follow(G[part].blocks[out, port], shape)
                moved = turned(levers[row][end_out].B, g)
                felt = weighted(weights, rows, moved)  # Ḡⁱ, Eq. (13)
                J[:, rows, :, at[column] : at[column + 1]] += felt
    return J.reshape(scheme.unknowns * m, scheme.unknowns * m)


def load_shape(scheme: Scheme, C: NDArray[np.float64]) -> NDArray[np.float64]:
    """∂(coefficient k of the load on a dof)/∂(unknown u of a component): k, b, u, d."""
    B = scheme.B[:, None, :, None]
    if len(C) == 1:
        constant: NDArray[np.float64] = B * C[0].T[:, None, :]
        return constant
    powers, width = scheme.powers, C.shape[2]
    shape = np.zeros((powers + len(C) - 1, width, scheme.unknowns, C.shape[1]))
    for j, C_j in enumerate(C):
        shape[j : j + powers] += B * C_j.T[:, None, :]
    return shape


def follow(
    block: NDArray[np.float64], shape: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What a port does under each unknown: levels × dofs × unknowns × components."""
    # a force from outside may have more coefficients than ours
    known, (powers, width, unknowns, size) = block[:, :, : len(shape)], shape.shape
    flat = shape.reshape(powers * width, unknowns * size)
    moved: NDArray[np.float64] = known.reshape(*known.shape[:2], -1) @ flat
    return moved.reshape(*known.shape[:2], unknowns, size)


def turned(B: Matrix, g: NDArray[np.float64]) -> NDArray[np.float64]:
    """B g at every level: levels × components × whatever follows."""
    gap: NDArray[np.float64] = B @ g.reshape(*g.shape[:2], -1)
    return gap.reshape(len(g), len(B), *g.shape[2:])


def weighted(
    weights: NDArray[np.float64], rows: slice, moved: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Levels to conditions: conditions × components × whatever follows."""
    if weights.ndim == 2:
        felt: NDArray[np.float64] = weights @ moved.reshape(len(moved), -1)
        return felt.reshape(len(weights), *moved.shape[1:])
    each: NDArray[np.float64] = np.einsum(
        "rlc,lc...->rc...", weights[:, :, rows], moved
    )
    return each
