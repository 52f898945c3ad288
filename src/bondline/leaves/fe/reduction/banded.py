"""A linear structure as its owner serves it: nothing above a band is in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bondline.core import Matrix, Observation, Vector
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.reduction.reduced import Reduced
from bondline.leaves.fe.reduction.report import ReductionReport
from bondline.leaves.fe.reduction.truncated import truncated
from bondline.leaves.selection import Selection
from bondline.leaves.shown import published
from bondline.leaves.structure import Structure
from bondline.numerics import Kinematics


@dataclass(frozen=True, eq=False)
class Banded:
    """The leaf that is served, and how well it stands for the other."""

    leaf: Structure
    report: ReductionReport


def banded(full: Structure, band: float, samples: int = 8) -> Banded:
    """A leaf with the ports of `full` that has its modes below `band` (Hz), no other.

    Statics at the ports is exact, also under own loads. What `full` publishes is found
    from the motion of the reduced one; its surface is not shown.
    """
    made = truncated(full.system, _boundary(full), band, samples)
    leaf = replace(
        full,
        system=made.system,
        select={name: _moved(made, L) for name, L in full.select.items()},
        external=None if full.external is None else _projected(made, full.external),
        start_at=_started(made, full),
        publish={},
        rest=None,
        static_load=_maybe(made.project, full.static_load),
        watch=_Watch(made, full) if full.watch or full.publish else None,
        draw=None if full.draw is None else _Draw(made, full),
        surface=None,
    )
    return Banded(leaf, made.report)


def _boundary(full: Structure) -> Indices:
    """Every dof that a port shows, each once."""
    every: list[int] = []
    for given in full.select.values():
        one = Selection.of(given)
        dofs = one.dofs if one.dofs is not None else _columns(one.given)
        every += dofs.tolist()
    return np.array(list(dict.fromkeys(every)), dtype=np.intp)


def _columns(rows: Any) -> Indices:
    return np.unique(rows.nonzero()[1]).astype(np.intp)


def _moved(made: Reduced, given: Any) -> Matrix:
    """Rows of a port over the reduced coordinates: its dofs are the first of them."""
    one, b = Selection.of(given), len(made.boundary)
    rows = np.zeros((one.size, made.T.shape[1]))
    if one.dofs is not None:
        place = np.full(len(made.T), -1, dtype=np.intp)
        place[made.boundary] = np.arange(b)
        rows[np.arange(one.size), place[one.dofs]] = 1.0
    else:
        dense = one.given if isinstance(one.given, np.ndarray) else one.given.toarray()
        rows[:, :b] = np.asarray(dense)[:, made.boundary]
    return rows


def _projected(made: Reduced, load: Any) -> Any:
    return lambda t: made.project(load(t))


def _maybe(how: Any, value: Vector | None) -> Vector | None:
    return None if value is None else np.asarray(how(value), dtype=np.float64)


def _started(made: Reduced, full: Structure) -> Kinematics | None:
    if full.start_at is None:
        return None
    M = full.system.M
    return Kinematics(*(made.coordinates(M, q) for q in full.start_at))


@dataclass(frozen=True, eq=False)
class _Watch:
    """What the full structure publishes, of the motion of the reduced one."""

    made: Reduced
    full: Structure

    def __call__(self, now: Kinematics) -> Mapping[str, Observation]:
        every = [self.made.recover(q) for q in now]
        return published(np.concatenate(every), self.full.publish, self.full.watch)


@dataclass(frozen=True, eq=False)
class _Draw:
    """What the full structure draws, of the displacements of the reduced one."""

    made: Reduced
    full: Structure

    def __call__(self, u: Vector) -> Mapping[str, Matrix]:
        assert self.full.draw is not None
        return self.full.draw(self.made.recover(u))
