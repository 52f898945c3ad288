"""Loads as columns, one a history: f(t) = Σ column × history(t)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.fe.loads import Gravity, Load, NodalForce
from bondline.leaves.fe.mesh import Indices, Mesh
from bondline.leaves.fe.numbers import check_number
from bondline.leaves.fe.pressure import pressed
from bondline.leaves.fe.stacks import Sparse
from bondline.leaves.histories import History


class Applied(NamedTuple):
    """Forces over 6 × node + component, and the history of each column."""

    columns: Sparse
    histories: tuple[History, ...]


def applied(mesh: Mesh, loads: Sequence[Load], weight: Matrix) -> Applied:
    """All loads; `weight` is M times a unit of acceleration along x, y and z."""
    number: dict[History, int] = {}
    rows, columns, values = [_nothing()], [_nothing()], [np.zeros(0)]
    for i, load in enumerate(loads, start=1):
        for slots, value in _forces(mesh, f"load {i}", load, weight):
            column = number.setdefault(load.history, len(number))
            rows.append(slots)
            columns.append(np.full_like(slots, column))
            values.append(value)
    where = (np.concatenate(rows), np.concatenate(columns))
    shape = (6 * len(mesh.points), len(number))
    made = csr_array((np.concatenate(values), where), shape=shape)
    made.eliminate_zeros()
    return Applied(made, tuple(number))


def _nothing() -> Indices:
    return np.zeros(0, dtype=np.intp)


def _forces(
    mesh: Mesh, says: str, load: Load, weight: Matrix
) -> Iterator[tuple[Indices, NDArray[np.float64]]]:
    if isinstance(load, NodalForce):
        check_number(f"{says}, value", load.value)
        slots = 6 * _rows(mesh, says, load) + load.component
        yield slots, np.full(len(slots), float(load.value))
    elif isinstance(load, Gravity):
        full = weight @ _field(says, load)
        slots = np.flatnonzero(full)
        yield slots, full[slots]
    else:
        check_number(f"{says}, pressure", load.value)
        force = load.value * pressed(mesh, mesh.faces(says, load.faces))
        nodes = np.flatnonzero(force.any(axis=1))
        yield (6 * nodes[:, None] + np.arange(3)).ravel(), force[nodes].ravel()


def _field(says: str, load: Gravity) -> Vector:
    vector = np.asarray(load.vector, dtype=np.float64)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise SettingError(
            f"{says}, gravity",
            f"{load.vector!r} is not a vector in space.",
            "Give three accelerations in m/s², for example (0.0, 0.0, -9.81).",
        )
    return vector


def _rows(mesh: Mesh, says: str, load: NodalForce) -> Indices:
    nodes = mesh.rows(says, load.nodes)
    if load.component not in range(6):
        raise SettingError(
            says,
            f"there is no component {load.component}.",
            "Components are 0 … 5: x y z rx ry rz.",
        )
    return nodes
