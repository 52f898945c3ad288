"""Linear models of Kratos as matrices: it assembles, our Newmark's method steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_array

from bondline.core import FRAME_DOFS
from bondline.errors import SettingError
from bondline.leaves.fe.matrices.leaf import matrix_leaf
from bondline.leaves.fe.matrices.matrix_set import MatrixSet, Terminal
from bondline.leaves.kratos_model import Fill, KratosModel, Plan
from bondline.leaves.structure import Structure
from bondline.numerics import LinearSystem, Method


def kratos_linear(
    name: str,
    fill: Fill,
    sockets: Mapping[str, str | Sequence[int]],
    held: Mapping[str, Sequence[str]] | None = None,
    *,
    steps: int = 1,
    method: Method | None = None,
) -> Structure:
    """The structure of linear elements, with all that matrices can do.

    It superposes, vibrates and rests; shells turn with their inertia, and ports have
    all dofs of their nodes. Elements that are not linear need `KratosStructure`.
    """
    plan = Plan(name, fill, sockets, held or {}, (0.0, 0.0, 0.0), 0.0, 1e-9, 1, False)
    model = KratosModel(plan)
    if not model.linear:
        raise SettingError(
            name,
            f"{', '.join(sorted(model.kinds))} are not all linear.",
            "Take KratosStructure, which lets Kratos itself step.",
        )
    kinds = ("CalculateMassMatrix", "CalculateDampingMatrix", "CalculateLeftHandSide")
    free = np.flatnonzero(~model.held.ravel())
    M, C, K = (csr_array(model.summed(kind))[free][:, free] for kind in kinds)
    ids = np.array(list(model.sums.numbers), dtype=np.intp)
    labels = np.stack([ids[free // 6], free % 6], axis=1)
    source = MatrixSet(name, LinearSystem(M, C, K), labels)
    ports = {port: _terminal(model, port) for port in sockets}
    return matrix_leaf(source, ports, steps=steps, method=method)


def _terminal(model: KratosModel, port: str) -> Terminal:
    rows = model.rows(port)
    have = model.exists[rows].all(axis=0)
    dofs = tuple(FRAME_DOFS[c] for c in np.flatnonzero(have))
    ids = list(model.sums.numbers)
    return Terminal(dofs, nodes=[ids[r] for r in rows], points=model.points[rows])
