"""What solvers without a gluing matrix remember, and the probe they start with."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bondline.core import InterfaceProblem, Matrix, Rejected, Tree, Vector
from bondline.gluing.solvers.blame import unmoved
from bondline.gluing.solvers.loop import Trail, norm
from bondline.wire import arrays

_SHARE = 0.1  # of the unknowns, or of their floor: how far the probe goes
_CLEAR = 100.0  # times the noise: a change of the residual that can be trusted
_WIDER = 100.0
_TRIES = 4
_SKEW = 0.1  # a residual may turn under the probe; the scale does not vanish for it


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """How far to go for a residual, in windows of length `h`, and pairs (Δz, Δr).

    `nominal` is what the probe found, `factor` what is in use: one number, or one for
    each unknown. Pairs are rows, the newest first; `ages` says how many windows ago
    they were seen.
    """

    h: float
    nominal: Vector
    factor: Vector
    dz: Matrix
    dr: Matrix
    ages: Vector

    def fits(self, h: float) -> bool:
        """Whether a window is of the same length, but for round-off of its ends."""
        return abs(h - self.h) <= 1e-9 * self.h


@dataclass(frozen=True, slots=True, eq=False)
class Recalled:
    """A memory that fits the window, and what it cost to get it."""

    learned: Learned
    solves: int = 0


def recall(
    problem: InterfaceProblem,
    trail: Trail,
    memory: Learned | None,
    scale: float | None,
    each: bool = False,
) -> Recalled | Rejected:
    """The memory, if it fits; else the given scale; else what one probe shows.

    The probe moves the unknowns along the residual, or `each` of them as far, by a part
    of their size, or of `problem.floor` where they are zero: no start is too still.
    """
    if memory is not None and trail.corrections:
        return Recalled(memory)
    h = problem.h
    if memory is not None and memory.fits(h):
        return Recalled(memory)
    if scale is not None:
        none, value = np.zeros((0, problem.size)), np.array([scale])
        return Recalled(Learned(h, value, value, none, none, np.zeros(0)))
    r = trail.here.residual
    direction = np.where(r < 0.0, -1.0, 1.0) if each else r / np.abs(r).max()
    return _probe(problem, trail, direction)


def _probe(
    problem: InterfaceProblem, trail: Trail, direction: Vector
) -> Recalled | Rejected:
    size = _SHARE * max(float(np.abs(trail.z).max()), problem.floor)
    solves = 0
    for _ in range(_TRIES):
        dz = size * direction
        there = problem.sweep(trail.z + dz)
        if isinstance(there, Rejected):
            return there
        solves += there.solves
        dr = there.residual - trail.here.residual
        if norm(dr) > _CLEAR * problem.noise:
            break
        size *= _WIDER
    if not norm(dr) > problem.noise:
        return unmoved(problem, direction)
    value = np.array([scale_of(dz, dr)])
    pair = (dz[None], dr[None], np.zeros(1))
    return Recalled(Learned(problem.h, value, value, *pair), solves)


def aged(known: Learned, windows: int) -> Learned:
    """One window older; pairs from more than `windows` windows ago are dropped."""
    if not (known.ages == 0.0).any():  # the last window had nothing to teach
        return known
    ages = known.ages + 1.0
    kept = ages <= windows
    return replace(known, dz=known.dz[kept], dr=known.dr[kept], ages=ages[kept])


def scale_of(dz: Vector, dr: Vector) -> float:
    """The factor a that makes a Δr most like Δz, away from zero."""
    cosine = float(dz @ dr) / (norm(dz) * norm(dr))
    if abs(cosine) < _SKEW:
        cosine = _SKEW if cosine >= 0.0 else -_SKEW
    return cosine * norm(dz) / norm(dr)


def dump(memory: Learned | None) -> Tree:
    """Arrays, as they are."""
    if memory is None:
        return None
    m = memory
    return [np.array([m.h]), m.nominal, m.factor, m.dz, m.dr, m.ages]


def load(data: Tree) -> Learned | None:
    """What `dump` wrote."""
    if data is None:
        return None
    facts, nominal, factor, dz, dr, ages = arrays(data)
    return Learned(float(facts[0]), nominal, factor, dz, dr, ages)
