"""Weak forms of scikit-fem as a leaf. Needs `pip install bondline[skfem]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.engines import attempted, engine
from bondline.leaves.fe.matrices.leaf import matrix_leaf
from bondline.leaves.fe.matrices.matrix_set import MatrixSet, Terminal
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.structure import Structure
from bondline.numerics import LinearSystem, Method


def skfem_leaf(  # noqa: PLR0913 - one argument a choice
    name: str,
    basis: Any,
    forms: Mapping[str, Any],
    ports: Mapping[str, Any],
    *,
    held: Any = None,
    dofs: Sequence[str] = ("x", "y", "z"),
    steps: int = 1,
    method: Method | None = None,
) -> Structure:
    """The linear structure of bilinear forms over a basis of scikit-fem.

    `forms` has the forms "K" and "M", and "C" where there is damping. A port is
    whatever `basis.get_dofs` takes (the name of a boundary, a function of x), and so
    is `held`, whose dofs stay at rest. `dofs` are those that the basis has in one
    place, such as ("x", "y") for vectors in the plane or ("z",) for a membrane.
    """
    engine("skfem", "skfem")
    _check_forms(name, forms)
    at_rest = _dofs(f"{name}: held", basis, held) if held is not None else _NONE
    free = np.setdiff1d(np.arange(basis.N), at_rest)
    numbers = np.full(basis.N, -1)
    numbers[free] = np.arange(len(free))
    M, C, K = (_assembled(name, basis, forms.get(kind), free) for kind in "MCK")
    terminals = {
        port: _terminal(f"{name}.{port}", basis, where, (tuple(dofs), numbers))
        for port, where in ports.items()
    }
    source = MatrixSet(name, LinearSystem(M, C, K))
    return matrix_leaf(source, terminals, steps=steps, method=method)


_NONE = np.zeros(0, dtype=np.intp)


def _check_forms(name: str, forms: Mapping[str, Any]) -> None:
    if not {"K", "M"} <= set(forms) <= {"K", "M", "C"}:
        raise SettingError(
            f"{name}: forms",
            f"found {', '.join(forms) or 'none'}.",
            "Give the bilinear forms K and M, and C where there is damping.",
        )


def _assembled(name: str, basis: Any, form: Any, free: Indices) -> Any:
    if form is None:
        return csr_array((len(free), len(free)))
    made = attempted(
        f"{name}: forms",
        lambda: form.assemble(basis),
        "Give a skfem.BilinearForm over the fields of the basis.",
    )
    return csr_array(made)[free][:, free]


def _dofs(place: str, basis: Any, where: Any) -> Indices:
    remedy = "Name a boundary of the mesh, or give what basis.get_dofs takes."
    found = attempted(place, lambda: basis.get_dofs(where).flatten(), remedy)
    if not len(found):
        raise SettingError(place, "it has no dofs.", remedy)
    return np.unique(np.asarray(found, dtype=np.intp))


def _terminal(
    place: str, basis: Any, where: Any, known: tuple[tuple[str, ...], Vector]
) -> Terminal:
    dofs, numbers = known
    rows = _dofs(place, basis, where)
    points = _points(basis.doflocs[:, rows].T)
    order = np.lexsort((rows, *points.T[::-1]))
    rows, points = rows[order], points[order]
    each = len(dofs)
    same = points.reshape(-1, each, 3) if len(rows) % each == 0 else None
    if same is None or not (same == same[:, :1]).all():
        raise SettingError(
            place,
            f"its {len(rows)} dofs are not {each} in every place.",
            "Give `dofs` as many names as the basis has fields in one place.",
        )
    if (numbers[rows] < 0).any():
        raise SettingError(
            place,
            "some of its dofs are held.",
            "Leave them out of `held` (glue the port to the ground), or of the port.",
        )
    return Terminal(dofs, numbers[rows].tolist(), points=same[:, 0])


def _points(places: Matrix) -> Matrix:
    """In space; what round-off leaves between dofs of one place is taken away."""
    size = float(np.ptp(places, axis=0).max()) or 1.0
    wide = np.zeros((len(places), 3))
    wide[:, : places.shape[1]] = np.round(places / size, 12) * size
    return wide
