"""A packed mechanism as plain numbers: what a specialised kernel is made from.

The same two arrays that `c/tree_open.c` reads. Constants that are zero or one but for
round-off are made so: integrals over a mesh leave 1e-17 where two modes do not meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Vector
from bondline.errors import UsageError
from bondline.leaves.mbd.codes import FORMAT, SOLVERS, WIDTHS, Head
from bondline.leaves.mbd.kinds import KINDS
from bondline.leaves.mbd.pack import Packed

# Arrays of floats and traced numbers; numpy adds and multiplies them one by one.
Array: TypeAlias = NDArray[Any]

_NEAR = 1e-14  # of what an entry could be at most: this much is round-off


class Marker(NamedTuple):
    """A frame on a body; `shift` and `tilt` are None if it does not move with modes."""

    body: int
    p: Array
    R: Array
    shift: Array | None  # m × 3
    tilt: Array | None


@dataclass(frozen=True, eq=False)
class Flexible:
    """What modes add to a body, c/tree_inner.h: integrals, stiffness, damping."""

    I0: Array  # m × 3
    d: Array
    P1: Array  # m × 6
    dd: Array  # m × m × 3
    P2: Array  # m × m × 6
    M: Array
    K: Array
    D: Array
    g2: Array | None
    d2: Array | None


@dataclass(frozen=True, eq=False)
class Branch:
    """A body and the joint that carries it."""

    parent: int
    kind: str
    inboard: Marker
    outboard: Marker
    q: int
    u: int
    aq: int
    au: int
    n_joint: int
    n_modes: int
    mass: float
    c0: Array
    J0: Array  # xx, yy, zz, xy, yz, zx
    modes: Flexible | None


class Row(NamedTuple):
    """A force: its kind, markers or coordinates, history, and where its reals begin."""

    kind: int
    a: int
    b: int
    history: int
    at: int


@dataclass(frozen=True, eq=False)
class Plan:
    """All of a mechanism without closed loops."""

    n_q: int
    n_u: int
    gravity: Array
    branches: tuple[Branch, ...]
    markers: tuple[Marker, ...]
    forces: tuple[Row, ...]
    histories: tuple[tuple[int, int, int], ...]  # kind, n, where its reals begin
    fast: tuple[int, ...]
    fast_q: tuple[int, ...]
    reals: Vector
    solver: str = "auto"

    @property
    def slow(self) -> tuple[int, ...]:
        """Velocities that are not fast."""
        return tuple(u for u in range(self.n_u) if u not in self.fast)


def exact(x: Matrix) -> Array:
    """An array of Python's floats, which add to traced numbers without numpy's own."""
    return np.array(np.asarray(x, dtype=float).tolist(), dtype=object)


def plan_of(packed: Packed) -> Plan:
    """Everything that is in the arrays."""
    head, reals = packed.ints[: len(Head)].tolist(), packed.reals
    if head[Head.FORMAT] != FORMAT:
        raise UsageError(
            "specialised kernel",
            f"the mechanism is packed in format {head[Head.FORMAT]}.",
            f"Pack it again: this version reads format {FORMAT}.",
        )
    tables: dict[Head, list[list[int]]] = {}
    at = len(Head)
    for table, width in WIDTHS.items():
        end = at + width * head[table]
        tables[table] = packed.ints[at:end].reshape(-1, width).tolist()
        at = end
    modes = [row[6] for row in tables[Head.BODIES]]
    markers = tuple(_marker(row, modes, reals) for row in tables[Head.MARKERS])
    return Plan(
        n_q=head[Head.POSITIONS],
        n_u=head[Head.SPEEDS],
        gravity=exact(reals[:3]),
        branches=tuple(_branch(row, markers, reals) for row in tables[Head.BODIES]),
        markers=markers,
        forces=tuple(Row(*row) for row in tables[Head.FORCES]),
        histories=tuple((kind, n, at) for kind, n, at in tables[Head.HISTORIES]),
        fast=tuple(u for u, _ in tables[Head.FAST]),
        fast_q=tuple(q for _, q in tables[Head.FAST]),
        reals=reals,
        solver=next(k for k, code in SOLVERS.items() if code == head[Head.SOLVER]),
    )


def _marker(row: list[int], modes: list[int], reals: Vector) -> Marker:
    body, moves, tilts, at = row
    p, R = reals[at : at + 3], reals[at + 3 : at + 12].reshape(3, 3)
    m = modes[body] if body >= 0 else 0
    shapes = reals[at + 12 : at + 12 + 6 * m] if moves or tilts else np.zeros(0)
    shift = shapes[: 3 * m].reshape(-1, 3) if moves else None
    tilt = shapes[3 * m :].reshape(-1, 3) if tilts else None
    return Marker(
        body=body,
        p=exact(p),
        R=exact(_cleaned(R, np.ones((3, 3)))),
        shift=None if shift is None else exact(_cleaned(shift, _largest(shift))),
        tilt=None if tilt is None else exact(_cleaned(tilt, _largest(tilt))),
    )


def _branch(row: list[int], markers: tuple[Marker, ...], reals: Vector) -> Branch:
    parent, code, inside, out, q, u, m, stiffened, at = row
    kind = next(kind for kind in KINDS.values() if kind.code == code)
    speeds, turns = len(kind.speeds), len(kind.positions) - len(kind.speeds)
    mass, c0, J0 = reals[at], reals[at + 1 : at + 4], reals[at + 4 : at + 10]
    own = reals[at + 10 :]
    return Branch(
        parent=parent,
        kind=kind.name,
        inboard=markers[inside],
        outboard=markers[out],
        q=q,
        u=u,
        aq=q + speeds + turns,
        au=u + speeds,
        n_joint=speeds,
        n_modes=m,
        mass=float(mass),
        c0=exact(_cleaned(c0, _largest(c0))),
        J0=exact(_cleaned(J0, _largest(J0))),
        modes=_flexible(m, bool(stiffened), float(mass), J0, own) if m else None,
    )


def _flexible(
    m: int, stiffened: bool, mass: float, J0: Vector, reals: Vector
) -> Flexible:
    shapes = [(m, 3), (m, 3), (m, 6), (m, m, 3), (m, m, 6), (m, m), (m, m), (m, m)]
    shapes += [(m, m, 3)] * 2 if stiffened else []
    parts, at = [], 0
    for shape in shapes:
        size = int(np.prod(shape))
        parts.append(reals[at : at + size].reshape(shape))
        at += size
    I0, d, P1, dd, P2, M, K, D, *second = parts
    own = np.sqrt(np.abs(np.diag(M)))
    both = np.outer(own, own)  # ∫ φₖ φₗ is no larger, by Cauchy and Schwarz
    arm = np.sqrt(np.abs(J0[:3]).max(initial=0.0))
    return Flexible(
        I0=exact(_cleaned(I0, np.sqrt(mass) * own[:, None])),
        d=exact(_cleaned(d, arm * own[:, None])),
        P1=exact(_cleaned(P1, arm * own[:, None])),
        dd=exact(_cleaned(dd, both[:, :, None])),
        P2=exact(_cleaned(P2, both[:, :, None])),
        M=exact(_cleaned(M, _of_diagonal(M))),
        K=exact(_cleaned(K, _of_diagonal(K))),
        D=exact(_cleaned(D, _of_diagonal(D))),
        g2=exact(second[0]) if second else None,
        d2=exact(second[1]) if second else None,
    )


def _of_diagonal(A: Matrix) -> Matrix:
    own = np.sqrt(np.abs(np.diag(A)))
    return np.outer(own, own)


def _largest(x: Matrix) -> Matrix:
    return np.full(x.shape, np.abs(x).max(initial=0.0))


def _cleaned(x: Matrix, most: Matrix) -> Matrix:
    """Without what is round-off of zero, or of one where one is the most."""
    x = np.where(np.abs(x) <= _NEAR * most, 0.0, x)
    near = (np.abs(np.abs(x) - 1.0) <= _NEAR) & (np.abs(most - 1.0) <= _NEAR)
    return np.where(near, np.sign(x), x)
