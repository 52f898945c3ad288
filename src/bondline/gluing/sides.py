"""The work of each joint on each of its sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Assembly,
    Connection,
    Coupling,
    Matrix,
    Motion,
    PortRef,
    There,
    Vector,
)
from bondline.gluing.foresee import displacement
from bondline.numerics.sparse_rows import SparseRows

Motions: TypeAlias = Mapping[PortRef, Motion]


@runtime_checkable
class Steady(Protocol):
    """A coupling that may know one force for all of a window.

    Its work is F·(e₁ − e₀), whatever happens in between.
    """

    def steady(self, forces: tuple[Matrix, Matrix]) -> Vector | None:
        """That force, from those of the window before and of this one."""
        ...


class Over(NamedTuple):
    """A window from both ends: what ports showed, and what there was to see."""

    motions: tuple[Motions, Motions]
    there: tuple[There, There]
    h: float


class _End(NamedTuple):
    """One side of a joint with a constant B, and which forces are its joint's."""

    port: PortRef
    joint: int
    forces: slice
    B: Matrix


@dataclass(frozen=True)
class Sides:
    """The work of each joint on each of its sides, window by window."""

    assembly: Assembly
    coupling: Coupling[Any]

    def work(
        self, forces: tuple[Matrix, Matrix], over: Over
    ) -> tuple[Vector, dict[str, float]]:
        """Of each joint force on its gap; and by `joint.A.upper.work`, in joules.

        That is ∫ F·Bᵢ vᵢ dt over a window, for every end i. By virtual work
        e' = Σ Bᵢ vᵢ, so the sides add up to the work on the gap: the last side of a
        joint with a constant B does what the others leave. Where B turns inside the
        window, what its three values leave over is shared.
        """
        joints, at = self.assembly.connections, self.assembly.offsets
        each, known = self._straight(forces, over)
        stats: dict[str, float] = {}
        totals = np.add.reduceat(each, at[:-1]).tolist() if joints else []
        for k, (c, names) in enumerate(zip(joints, self._names, strict=True)):
            own, whole = known[k], totals[k]
            if c.constant:
                own.append(whole - sum(own))
            else:
                here = slice(at[k], at[k + 1])
                acting = (forces[0][:, here], forces[1][:, here])
                paths = _turning(c, over.motions, over.h)
                own = [float(self.coupling.work(acting, path).sum()) for path in paths]
                left = (whole - sum(own)) / len(own)
                own = [w + left for w in own]
            stats |= zip(names, own, strict=True)
        return each, stats

    def _straight(
        self, forces: tuple[Matrix, Matrix], over: Over
    ) -> tuple[Vector, list[list[float]]]:
        """The work on all gaps; by joint with a constant B, of each end but the last.

        All at once: forces are taken to the dofs of the ports, F·(B v) = (F B)·v.
        """
        found: list[list[float]] = [[] for _ in self.assembly.connections]
        ends = self._ends(over.motions[1])
        each, works = self._steady(forces, over) or self._along(forces, over, ends)
        if ends:
            totals = np.add.reduceat(works, self._begins[:-1]).tolist()
            for end, own in zip(ends, totals, strict=True):
                found[end.joint].append(own)
        return each, found

    def _steady(
        self, forces: tuple[Matrix, Matrix], over: Over
    ) -> tuple[Vector, Vector] | None:
        """Work on all gaps and at all ends, where only positions count, in arrays."""
        first, last = over.there
        if first.levels is None or last.levels is None or not self._found:
            return None
        acting = None if self._knows is None else self._knows.steady(forces)
        if acting is None:
            return None
        told = self._felt.times(acting[None, :])[0]
        moved = (last.levels[0] - first.levels[0]).take(self._dofs)
        return acting * (last.gap[0] - first.gap[0]), told * moved

    @cached_property
    def _knows(self) -> Steady | None:
        return self.coupling if isinstance(self.coupling, Steady) else None

    def _along(
        self, forces: tuple[Matrix, Matrix], over: Over, ends: Sequence[_End]
    ) -> tuple[Vector, Vector]:
        """The same for any force."""
        each = self.coupling.work(forces, _gap_over(over))
        if not ends:
            return each, each[:0]
        told, first = self._felt.times(np.concatenate(forces)), len(forces[0])
        levels = _levels(*self._moved(ends, over), over.h)
        return each, self.coupling.work((told[:first], told[first:]), levels)

    @cached_property
    def _begins(self) -> list[int]:
        """Where the dofs of each end begin among those of all, and where they end."""
        return list(accumulate((end.B.shape[1] for end in self._found), initial=0))

    @cached_property
    def _felt(self) -> SparseRows:
        """What the dofs of the ends feel of all joint forces: their C = Bᵀ, in rows."""
        blocks = [(end.forces.start, end.B.T) for end in self._found]
        return SparseRows.below(blocks, self.assembly.offsets[-1])

    def _moved(
        self, ends: Sequence[_End], over: Over
    ) -> tuple[Vector, Vector, Vector, Vector | None]:
        """x₁ − x₀, v₀, v₁ and a₁ of all dofs of the ends."""
        first, last = (there.levels for there in over.there)
        if first is None or last is None:
            return _one_by_one([[m[end.port] for m in over.motions] for end in ends])
        x0, v0, *_ = first.take(self._dofs, axis=1)
        x1, v1, *a1 = last.take(self._dofs, axis=1)
        return x1 - x0, v0, v1, a1[0] if a1 else None

    @cached_property
    def _dofs(self) -> NDArray[np.intp]:
        """Where the dofs of the ends are in the stack of all."""
        assert self.assembly.stack is not None, "levels are those of a stack"
        places = [self.assembly.stack.places[end.port] for end in self._found]
        return np.concatenate([np.arange(p.start, p.stop) for p in places])

    def _ends(self, motions: Motions) -> Sequence[_End]:
        """What `_constant` finds, once."""
        if not self._found:
            self._found[:] = _constant(self.assembly, motions)
        return self._found

    @cached_property
    def _found(self) -> list[_End]:
        return []

    @cached_property
    def _names(self) -> Sequence[Sequence[str]]:
        return [
            [f"joint.{c.name}.{side}.work" for side in _sides(c.ends)]
            for c in self.assembly.connections
        ]


def _constant(assembly: Assembly, motions: Motions) -> list[_End]:
    """Every end but the last of joints with a constant B."""
    found, at = [], assembly.offsets
    for k, c in enumerate(assembly.connections):
        if c.constant:
            here, each = (
                slice(at[k], at[k + 1]),
                c.jacobian([motions[r] for r in c.ends]),
            )
            for port, B in zip(c.ends[:-1], each[:-1], strict=True):
                found.append(_End(port, k, here, B))
    return found


def _one_by_one(
    ends: Sequence[Sequence[Motion]],
) -> tuple[Vector, Vector, Vector, Vector | None]:
    moved = np.concatenate([displacement(*pair) for pair in ends])
    v0, v1 = (np.concatenate([pair[k].v for pair in ends]) for k in (0, 1))
    bends = [after.a for _, after in ends if after.a is not None]
    return moved, v0, v1, np.concatenate(bends) if len(bends) == len(ends) else None


def _gap_over(over: Over) -> Matrix:
    """The gap at both ends of a window, as `Coupling.work` wants it."""
    ((e0, v0, _), *_), ((e1, v1, a1), *_) = over.there
    h = over.h
    # without accelerations, e'' of the cubic through the rest
    bend = 6 * (e0 - e1) + h * (2 * v0 + 4 * v1) if a1 is None else h * h * a1
    return np.array([e0, h * v0, e1, h * v1, bend])


def _levels(
    moved: Vector, v0: Vector, v1: Vector, a1: Vector | None, h: float
) -> Matrix:
    """0, h v₀, x₁ − x₀, h v₁, h² a₁ of all dofs of the ports."""
    start, end = h * v0, h * v1
    # as in _gap_over
    bend = 2.0 * start + 4.0 * end - 6.0 * moved if a1 is None else h * h * a1
    return np.array([np.zeros_like(moved), start, moved, end, bend])


def _turning(c: Connection, motions: tuple[Motions, Motions], h: float) -> Matrix:
    """What each end does to the gap: 0, h e₀', e₁ − e₀, h e₁', h² e₁''."""
    before, after = ([m[end] for end in c.ends] for m in motions)
    last = c.jacobian(after)
    first, rows = c.jacobian(before), []
    for m0, m1, B0, B1 in zip(before, after, first, last, strict=True):
        v0, v1 = h * (B0 @ m0.v), h * (B1 @ m1.v)
        moved = 0.5 * ((B0 + B1) @ displacement(m0, m1))
        if m1.a is None:  # as in _gap_over
            bend = 2.0 * v0 + 4.0 * v1 - 6.0 * moved
        else:
            bend = h * h * (B1 @ m1.a) + h * ((B1 - B0) @ m1.v)
        rows.append([np.zeros_like(v0), v0, moved, v1, bend])
    return np.array(rows)


def _sides(ends: Sequence[PortRef]) -> list[str]:
    """The parts; with their ports where one part has several ends."""
    parts = [end.part for end in ends]
    once = len(set(parts)) == len(parts)
    return parts if once else [str(end) for end in ends]
