"""The start of X-T coupling, and the ratio of inertias it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from bondline.core import Advance, Assembly, PortRef, Vector
from bondline.gluing.couplings.efforts import effort_of, largest
from bondline.gluing.couplings.pressing import Starts, pressing, settle_affine
from bondline.gluing.couplings.xt_problem import Chain
from bondline.gluing.gaps import motion_of


class Balanced(NamedTuple):
    """The starts under joint forces F; inertia and ratio are 0 where unknown."""

    starts: Starts
    F: Vector
    inertia: float  # of the followers
    ratio: float  # spectral radius of followers' inertia times leaders' mobility
    known: bool  # whether accelerations and forces agree


def press_xt(
    assembly: Assembly,
    chain: Chain,
    starts: Starts,
    t0: float,
    outside: Mapping[PortRef, Vector],
) -> Balanced:
    """Leaders under forces, followers at the leaders' accelerations, in balance.

    Where a part cannot be pressed, or gives no accelerations, the starts are left as
    they are, with the forces that their efforts ask for.
    """
    able = pressing(assembly, starts, t0, outside)
    F = chain.forces(starts)
    led = [e for j in chain.joints for e in j.leaders]
    if able is None or any(motion_of(starts, e).a is None for e in led):
        return Balanced(starts, F, 0.0, 0.0, False)
    press = _Press(assembly, chain, able, starts, t0, outside)
    settled = settle_affine(press.residual, len(F))
    ratio = np.abs(np.linalg.eigvals(np.eye(len(F)) - settled.slope))
    inertia, largest_ratio = press.inertia(), float(ratio.max(initial=0.0))
    known = settled.regular or not len(F)
    return Balanced(settled.starts, settled.z, inertia, largest_ratio, known)


class _Press(NamedTuple):
    """All parts pressed at one instant, rank by rank."""

    assembly: Assembly
    chain: Chain
    able: Mapping[str, Any]
    starts: Starts
    t0: float
    outside: Mapping[PortRef, Vector]

    def residual(self, F: Vector) -> tuple[Starts, Vector]:
        """The starts under F, and F minus what the followers ask for."""
        under = self.under(F)
        return under, F - self.chain.forces(under)

    def inertia(self) -> float:
        """The largest change of effort per change of acceleration."""
        followers = [p for j in self.chain.joints for p in j.followers]
        size = self.assembly.offsets[-1]
        rest = self.under(np.zeros(size))
        found = 0.0
        for unit in np.eye(size):
            moved = self.under(unit)
            df = largest(effort_of(moved, p) - effort_of(rest, p) for p in followers)
            da = largest(_bend(moved, p) - _bend(rest, p) for p in followers)
            found = max(found, df / da if da else 0.0)
        return found

    def under(self, F: Vector) -> dict[str, Advance[Any]]:
        told = self._loads(F)
        done: dict[str, Advance[Any]] = {}
        for rank in self.chain.ranks:
            for n in rank:
                state = self.starts[n].state
                able = n in self.able
                done[n] = (
                    self.able[n].press(state, self.t0, told[n])
                    if able
                    else self.starts[n]
                )
            self._lead(rank, done, told)
        return {n: done[n] for n in self.starts}

    def _loads(self, F: Vector) -> dict[str, dict[str, Vector]]:
        told: dict[str, dict[str, Vector]] = {n: {} for n in self.assembly.parts}
        for end, f in self.outside.items():
            told[end.part][end.port] = f
        for joint, rows in zip(self.chain.joints, self.chain.rows, strict=True):
            for end, B in zip(joint.leaders, joint.loads, strict=True):
                ports = told[end.part]
                ports[end.port] = ports.get(end.port, 0.0) + F[rows] @ B
        return told

    def _lead(
        self,
        rank: Any,
        done: Mapping[str, Advance[Any]],
        told: dict[str, dict[str, Vector]],
    ) -> None:
        for joint in self.chain.joints:
            if not joint.completes(rank, done):
                continue
            a = joint.K @ np.concatenate([_bend(done, e) for e in joint.leaders])
            for end, where in joint.where.items():
                told[end.part][end.port] = a[where]


def _bend(advances: Mapping[str, Advance[Any]], end: PortRef) -> Vector:
    a = motion_of(advances, end).a
    assert a is not None, f"{end} must say its acceleration"
    return a
