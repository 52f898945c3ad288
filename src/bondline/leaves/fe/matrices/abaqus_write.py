"""Matrices as Abaqus takes them in: *MATRIX INPUT, or triangles of a substructure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import coo_array, tril

from bondline.core import Matrix
from bondline.leaves.fe.matrices.matrix_set import MatrixSet
from bondline.leaves.fe.mesh import Indices
from bondline.numerics.factor import Form
from bondline.numerics.lowrank import Updated

_WORDS = {"K": "STIFFNESS", "M": "MASS", "C": "VISCOUS DAMPING"}


def write_abaqus(source: MatrixSet, folder: Path | str) -> dict[str, Path]:
    """Lower triangles as NAME_K.mtx, NAME_M.mtx and NAME_C.mtx; their paths.

    With labels a line has row node, dof, column node, dof and entry; without, row,
    column and entry.
    """
    made = {}
    for letter, A in zip("MCK", source.system, strict=True):
        path = made[letter] = Path(folder) / f"{source.name}_{letter}.mtx"
        path.write_text(_listed(A, source.labels), encoding="utf-8", newline="\n")
    return made


def _listed(A: Form, labels: Indices | None) -> str:
    plain: Any = A.toarray() if isinstance(A, Updated) else A
    low: Any = coo_array(tril(coo_array(plain)))
    i, j = low.row, low.col
    if labels is None:
        rows = zip((i + 1).tolist(), (j + 1).tolist(), low.data.tolist(), strict=True)
        return "".join(f"{a}, {b}, {value:.17g}\n" for a, b, value in rows)
    own = labels + np.array([0, 1])
    entries = zip(own[i].tolist(), own[j].tolist(), low.data.tolist(), strict=True)
    return "".join(
        f"{a},{p}, {b},{q}, {value:.17g}\n" for (a, p), (b, q), value in entries
    )


def write_substructure(source: MatrixSet, path: Path | str) -> None:
    """One file with the triangles of all matrices, as a linear user element."""
    own = np.arange(1, source.size + 1)
    labels = (
        np.stack([own, 0 * own], axis=1) if source.labels is None else source.labels
    )
    text = [_head(labels)]
    for letter, A in zip("MCK", source.system, strict=True):
        dense = A if isinstance(A, np.ndarray) else A.toarray()
        text.append(f"*MATRIX,TYPE={_WORDS[letter]}\n{_triangle(np.asarray(dense))}")
    Path(path).write_text("".join(text), encoding="utf-8", newline="\n")


def _head(labels: Indices) -> str:
    """One node a dof, as CalculiX does it: any order of dofs can be said."""
    nodes = [str(n) for n in labels[:, 0].tolist()]
    listed = "".join(
        f"** {', '.join(nodes[k : k + 10])}\n" for k in range(0, len(nodes), 10)
    )
    dofs = (labels[:, 1] + 1).tolist()
    changes = "".join(f"{k}, {dof}\n" for k, dof in enumerate(dofs[1:], start=2))
    head = f"*USER ELEMENT, NODES={len(nodes)}, LINEAR\n** ELEMENT NODES\n"
    return f"{head}{listed}{dofs[0] if dofs else ''}\n{changes}"


def _triangle(A: Matrix) -> str:
    """Row by row from the first column to the diagonal, four numbers in a line."""
    text = []
    for i, row in enumerate(A):
        values = [f"{x:.17g}" for x in row[: i + 1].tolist()]
        text += [", ".join(values[k : k + 4]) + ",\n" for k in range(0, i + 1, 4)]
    return "".join(text)
