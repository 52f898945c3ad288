"""A model as equations: M q'' + C q' + K q = f(t) over independent dofs, u = T q + G g.

    f = Tᵀ (F h − K G g − C G g' − M G g'')                                     (1)
    r = Wᵀ (M u'' + C u' + K u − F h)                                           (2)

F h are the loads, g the enforced motion, r the reactions of the supports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.fe.applied import Applied
from bondline.leaves.fe.assemble import Matrices
from bondline.leaves.fe.dofs import Dofs
from bondline.leaves.fe.eliminate import Elimination
from bondline.leaves.fe.stacks import Sparse
from bondline.leaves.histories import History, at_rest, kinks_of, levels_of
from bondline.numerics import Kinematics, LinearSystem

_NOTHING = 1e-26  # of the largest entry: round-off squared, no stiffness, no mass


def present(matrices: Matrices, length: float) -> NDArray[np.bool_]:
    """The dofs (nodes × 6) that elements give stiffness, damping or mass.

    With the `length` of the model rotations are measured by translations.
    """
    found = np.zeros((matrices.K.shape[0] // 6, 6), dtype=bool)
    for A in matrices:
        size = np.abs(A.diagonal()).reshape(-1, 6)
        moved, turned = size[:, :3], size[:, 3:]
        largest = moved.max(initial=0.0)
        found[:, :3] |= moved > _NOTHING * largest
        scale = max(float(turned.max(initial=0.0)), largest * length**2)
        found[:, 3:] |= turned > _NOTHING * scale
    return found


@dataclass(frozen=True, eq=False)
class Assembled:
    """The equations of a model.

    `system` has M, C and K over the independent dofs q. Columns of `value`, `rate`
    and `second` go with `histories`: (1) is their sum times the histories and their
    rates. `edge` has the rows of M, C and K at the dofs that follow a support.
    """

    name: str
    elimination: Elimination
    system: LinearSystem
    histories: tuple[History, ...]
    value: Sparse
    rate: Sparse
    second: Sparse
    forces: Sparse
    edge: Matrices
    static_time: float | None = None

    @property
    def dofs(self) -> Dofs:
        """All dofs."""
        return self.elimination.dofs

    @property
    def T(self) -> Sparse:
        """All dofs in terms of the independent ones."""
        return self.elimination.T

    @cached_property
    def G(self) -> Sparse:
        """All dofs in terms of the histories."""
        own, H = self.elimination.G, len(self.histories)
        return csr_array((own.data, own.indices, own.indptr), (own.shape[0], H))

    @property
    def kinks(self) -> tuple[float, ...]:
        """Instants at which a history is not smooth, in order."""
        return kinks_of(self.histories)

    def at(self, t: float) -> Matrix:
        """Values, rates and second rates of the histories: 3 × histories."""
        return levels_of(self.histories, t)

    def load(self, t: float) -> Vector:
        """f of (1) on the independent dofs."""
        h, rate, second = self.at(t)
        f = self.value @ h
        if self.rate.nnz:
            f = f + self.rate @ rate
        if self.second.nnz:
            f = f + self.second @ second
        return np.asarray(f, dtype=np.float64)

    @cached_property
    def static_load(self) -> Vector:
        """f of (1) at rest, at the time of statics."""
        return np.asarray(self.value @ self.rest, dtype=np.float64)

    def factors(self, t: float | None) -> Vector:
        """Values of the histories; None: in statics."""
        return self.rest if t is None else np.array(self.at(t)[0], dtype=np.float64)

    @cached_property
    def rest(self) -> Vector:
        """Values of the histories in statics."""
        if self.static_time is not None:
            return self.factors(self.static_time)
        return np.array([at_rest(h) for h in self.histories], dtype=np.float64)

    def whole(self, now: Kinematics, t: float) -> Kinematics:
        """u, u' and u'' of all dofs, from those of q."""
        led = self.at(t)
        each = (self.T @ q + self.G @ g for q, g in zip(now, led, strict=True))
        return Kinematics(*(np.asarray(u, dtype=np.float64) for u in each))

    def reactions(self, now: Kinematics, t: float | None) -> Matrix:
        """(2), nodes × 6: what the supports do to the model; `now` is of all dofs.

        Without `t` the loads are those of statics.
        """
        h = self.factors(t)
        M, C, K = self.edge
        rows = self.elimination.touched
        inner = K @ now.u + C @ now.v + M @ now.a
        need = np.asarray(inner - self.forces[rows] @ h, dtype=np.float64)
        r = np.zeros(self.dofs.size)
        W = self.elimination.W[rows]
        r[self.elimination.held] = np.asarray(W.T @ need, dtype=np.float64)
        return self.dofs.spread(r)


def assembled(
    name: str,
    matrices: Matrices,
    elimination: Elimination,
    loads: Applied,
    static_time: float | None = None,
) -> Assembled:
    """The equations; refused where a dof has neither stiffness nor mass."""
    slots, G = elimination.dofs.slots, elimination.G
    histories = tuple(dict.fromkeys([*elimination.histories, *loads.histories]))
    where = {h: i for i, h in enumerate(histories)}
    F = _columns(loads.columns[slots], loads.histories, where)
    whole = [cut(A, slots, slots) for A in matrices]
    M, C, K = (_reduced(A, elimination) for A in whole)
    system = LinearSystem(M, C, K)
    _check_resistance(name, system, elimination)
    touched = elimination.touched
    edge = Matrices(*(A[touched] for A in whole))
    led = [-(elimination.T.T @ (A.T @ G[touched])) for A in edge]
    wide = [_columns(A.tocsr(), elimination.histories, where) for A in led]
    value: Sparse = (elimination.T.T @ F + wide[2]).tocsr()
    return Assembled(
        name,
        elimination,
        system,
        histories,
        value,
        wide[1],
        wide[0],
        F,
        edge,
        static_time,
    )


def _columns(A: Sparse, own: Sequence[History], where: dict[History, int]) -> Sparse:
    """`A` with its columns where all histories have them."""
    order = np.array([where[h] for h in own], dtype=np.intp)
    A.sum_duplicates()
    size = (A.shape[0], len(where))
    made = csr_array((A.data, order[A.indices], A.indptr), shape=size)
    made.sort_indices()
    return made


def cut(A: Sparse, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Sparse:
    """A[rows][:, columns] for rows and columns that ascend."""
    if len(rows) == A.shape[0] and len(columns) == A.shape[1]:
        return A
    made: Sparse = A[rows][:, columns]
    return made


def _reduced(A: Sparse, elimination: Elimination) -> Sparse:
    """Tᵀ A T, symmetric to the last bit.

    T is 1 on the independent dofs and B on the others, of which there are few:
    A_ff + A_fb B + Bᵀ A_bf + Bᵀ A_bb B.
    """
    T, free = elimination.T, elimination.free
    inner = cut(A, free, free)
    if T.nnz == len(free):
        return inner
    rows = np.diff(T.indptr).astype(bool)
    rows[free] = False
    slaves = np.flatnonzero(rows)
    B = T[slaves]
    across = (cut(A, slaves, free).T @ B).tocsr()
    corner = (B.T @ cut(A, slaves, slaves) @ B).tocsr()
    more = across + across.T + 0.5 * (corner + corner.T)
    made: Sparse = (inner + more).tocsr()
    return made


def _check_resistance(
    name: str, system: LinearSystem, elimination: Elimination
) -> None:
    idle = np.ones(len(elimination.free), dtype=bool)
    for A in system:
        diagonal = np.abs(np.asarray(A.diagonal()))
        idle &= ~(diagonal > _NOTHING * diagonal.max(initial=0.0))
    if idle.any():
        dofs = elimination.dofs
        slots = dofs.slots[elimination.free[idle]]
        raise SettingError(
            f"{name}: {dofs.named(int(slots[0]))}",
            "it is loaded or linked, but nothing gives it stiffness or mass: "
            f"{dofs.listed(slots)}.",
            "Connect an element that has this dof (solids and trusses do not turn), "
            "support it, or take the load or link away.",
        )
