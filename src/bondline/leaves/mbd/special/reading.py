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
from bondline.leaves.mbd.kinds import KINDS
from bondline.leaves.mbd.pack import SOLVERS, Packed

# Arrays of floats and traced numbers; numpy adds and multiplies them one by one.
Array: TypeAlias = NDArray[Any]

_NEAR = 1e-14  # of what an entry could be at most: this much is round-off
_HEAD = 10
_WIDTHS = {"bodies": 9, "markers": 4, "forces": 5, "histories": 3, "loops": 5}


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
    head, reals = packed.ints[:_HEAD].tolist(), packed.reals
    counts = dict(zip(_WIDTHS, head[1:6], strict=True))
    tables: dict[str, list[list[int]]] = {}
    at = _HEAD
    for name, width in _WIDTHS.items():
        end = at + width * counts[name]
        tables[name] = packed.ints[at:end].reshape(-1, width).tolist()
        at = end
    pairs = packed.ints[at:].reshape(-1, 2).tolist()
    modes = [row[6] for row in tables["bodies"]]
    markers = tuple(_marker(row, modes, reals) for row in tables["markers"])
    return Plan(
        *(head[6], head[7], exact(reals[:3])),
        tuple(_branch(row, markers, reals) for row in tables["bodies"]),
        markers,
        tuple(Row(*row) for row in tables["forces"]),
        tuple((kind, n, at) for kind, n, at in tables["histories"]),
        *(tuple(u for u, _ in pairs), tuple(q for _, q in pairs), reals),
        next(name for name, code in SOLVERS.items() if code == head[9]),
    )


def _marker(row: list[int], modes: list[int], reals: Vector) -> Marker:
    body, moves, tilts, at = row
    p, R = reals[at : at + 3], reals[at + 3 : at + 12].reshape(3, 3)
    m = modes[body] if body >= 0 else 0
    shapes = reals[at + 12 : at + 12 + 6 * m] if moves or tilts else np.zeros(0)
    shift = shapes[: 3 * m].reshape(-1, 3) if moves else None
    tilt = shapes[3 * m :].reshape(-1, 3) if tilts else None
    return Marker(
        *(body, exact(p), exact(_cleaned(R, np.ones((3, 3))))),
        None if shift is None else exact(_cleaned(shift, _largest(shift))),
        None if tilt is None else exact(_cleaned(tilt, _largest(tilt))),
    )


def _branch(row: list[int], markers: tuple[Marker, ...], reals: Vector) -> Branch:
    parent, code, inside, out, q, u, m, stiffened, at = row
    kind = next(kind for kind in KINDS.values() if kind.code == code)
    speeds, turns = len(kind.speeds), len(kind.positions) - len(kind.speeds)
    mass, c0, J0 = reals[at], reals[at + 1 : at + 4], reals[at + 4 : at + 10]
    return Branch(
        *(parent, kind.name, markers[inside], markers[out], q, u),
        *(q + speeds + turns, u + speeds, speeds, m, float(mass)),
        *(exact(_cleaned(c0, _largest(c0))), exact(_cleaned(J0, _largest(J0)))),
        _flexible(m, bool(stiffened), float(mass), J0, reals[at + 10 :]) if m else None,
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
        exact(_cleaned(I0, np.sqrt(mass) * own[:, None])),
        exact(_cleaned(d, arm * own[:, None])),
        exact(_cleaned(P1, arm * own[:, None])),
        exact(_cleaned(dd, both[:, :, None])),
        exact(_cleaned(P2, both[:, :, None])),
        *(exact(_cleaned(A, _of_diagonal(A))) for A in (M, K, D)),
        *((exact(second[0]), exact(second[1])) if second else (None, None)),
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
