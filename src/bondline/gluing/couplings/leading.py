"""Who leads and who follows in X-T coupling, and in which order parts advance."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bondline.core import (
    Assembly,
    Connection,
    Gap,
    Matrix,
    Motion,
    PortRef,
    Pose,
    Signal,
    Vector,
)
from bondline.errors import SettingError
from bondline.gluing.couplings.driven_fitness import takes_motion
from bondline.gluing.couplings.motion_schemes import dead_beat
from bondline.gluing.foresee import displacement
from bondline.numerics.rotations import log_rates

_CUBIC = np.array(  # sᵏ × (h v₀, x₁ − x₀, h v₁)
    [[0, 0, 0], [1, 0, 0], [-2, 3, -1], [1, -2, 1]], dtype=np.float64
)
_QUINTIC = np.array(  # sᵏ × (h v₀, h² a₀, x₁ − x₀, h v₁, h² a₁)
    [
        [0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [0, 0.5, 0, 0, 0],
        [-6, -1.5, 10, -4, 0.5],
        [8, 1.5, -15, 7, -1],
        [-3, -0.5, 6, -3, 0.5],
    ]
)


@dataclass(frozen=True, eq=False)
class Leading:
    """One joint: followers' x' = K · leaders' x', followers' efforts f = B_Fᵀ F."""

    leaders: tuple[PortRef, ...]
    followers: tuple[PortRef, ...]
    loads: tuple[Matrix, ...]  # Bᵢ of the leaders: they feel Bᵢᵀ F
    K: Matrix
    inverse: Matrix  # B_F⁻¹
    where: Mapping[PortRef, slice]  # followers' dofs, stacked

    def forces(self, efforts: Mapping[PortRef, Vector]) -> Vector:
        """The joint forces F with B_Fᵀ F = f."""
        return np.concatenate([efforts[p] for p in self.followers]) @ self.inverse

    def completes(self, rank: Collection[str], done: Collection[str]) -> bool:
        """Whether the leaders have all advanced, the last of them in this rank."""
        parts = {e.part for e in self.leaders}
        return all(p in done for p in parts) and any(p in rank for p in parts)


def leading(
    c: Connection, assembly: Assembly, motions: Mapping[PortRef, Motion]
) -> Leading:
    """Sort the ends of one joint."""
    each = c.jacobian([motions[end] for end in c.ends])
    B = dict(zip(c.ends, each, strict=True))
    followers = tuple(e for e in c.ends if takes_motion(assembly, e))
    leaders = tuple(e for e in c.ends if e not in followers)
    at = np.cumsum([0, *(B[e].shape[1] for e in followers)])
    where = {e: slice(int(at[k]), int(at[k + 1])) for k, e in enumerate(followers)}
    inverse = np.linalg.inv(np.hstack([B[e] for e in followers])) + 0.0
    loads = tuple(B[e] for e in leaders)
    K = -(inverse @ np.hstack(loads)) + 0.0
    return Leading(leaders, followers, loads, K, inverse, where)


def ranks(place: str, assembly: Assembly) -> tuple[tuple[str, ...], ...]:
    """Parts that advance side by side, leaders before followers; no circle may be."""
    before: dict[str, set[str]] = {n: set() for n in assembly.parts}
    for c in assembly.connections:
        lead = {e.part for e in c.ends if not takes_motion(assembly, e)}
        for e in c.ends:
            if takes_motion(assembly, e):
                before[e.part] |= lead
    waiting, done = sorted(assembly.parts), set[str]()
    found: list[tuple[str, ...]] = []
    while waiting:
        ready = tuple(n for n in waiting if before[n] <= done)
        if not ready:
            raise _circle(place, before, waiting[0], done)
        waiting = [n for n in waiting if n not in ready]
        done |= set(ready)
        found.append(ready)
    return tuple(found)


def _circle(
    place: str, before: Mapping[str, set[str]], part: str, done: set[str]
) -> SettingError:
    trail = [part]
    while True:
        part = min(before[part] - done)
        if part in trail:
            circle = [*trail[trail.index(part) :], part]
            return SettingError(
                place,
                f"leaders and followers form a circle: {' follows '.join(circle)}.",
                "Turn one of these joints round (its leader takes motion, its follower "
                "force), or use T-T coupling.",
            )
        trail.append(part)


def lead(
    joint: Leading,
    before: Mapping[PortRef, Motion],
    after: Mapping[PortRef, Motion],
    back: Vector,
    h: float,
) -> dict[PortRef, Signal]:
    """Paths of the followers: through where they are and where their leaders went.

    `back` is how far they are ahead at t₀, and to fall back on the way. Without
    accelerations of the leaders the path is the cubic through positions and velocities.
    """
    levels = [_levels(before[e], after[e], h) for e in joint.leaders]
    sharp = all(len(each) == 5 for each in levels)
    rows = (
        levels
        if sharp
        else [(y[0], y[-3], y[-2]) if len(y) == 5 else y for y in levels]
    )
    stacked = np.stack([np.concatenate(x) for x in zip(*rows, strict=True)])
    moved = stacked @ joint.K.T
    moved[2 if sharp else 1] -= back
    path = (_QUINTIC if sharp else _CUBIC) @ moved
    return {e: _told(before[e], path[:, w]) for e, w in joint.where.items()}


def ahead(joint: Leading, gap: Gap, one_step: Collection[PortRef], h: float) -> Vector:
    """How far each follower is to fall back on the way: by all of the gap at t₀.

    Followers in `one_step` are left as far ahead as calms their rates.
    """
    lead = joint.inverse @ gap[0]
    if gap[2] is not None and one_step:
        v, a = joint.inverse @ gap[1], joint.inverse @ gap[2]
        left = dead_beat(lead, v, a, h)
        for end in one_step:
            lead[joint.where[end]] -= left[joint.where[end]]
    return lead


def _told(at: Motion, path: Matrix) -> Signal:
    if at.turn is not None:
        return Signal(path, Pose(at.x, at.turn))
    placed = path.copy()
    placed[0] += at.x
    return Signal(placed)


def _levels(before: Motion, after: Motion, h: float) -> Sequence[Vector]:
    """h v₀, h² a₀, x₁ − x₀, h v₁, h² a₁; without a₀ and a₁ where one is missing."""
    moved = displacement(before, after)
    if before.a is None or after.a is None:
        v = _rates(moved, after.v, np.zeros_like(after.v), after.turn is not None)[0]
        return h * before.v, moved, h * v
    v, a = _rates(moved, after.v, after.a, after.turn is not None)
    return h * before.v, h * h * before.a, moved, h * v, h * h * a


def _rates(moved: Vector, v: Vector, a: Vector, frame: bool) -> tuple[Vector, Vector]:
    """Rates of a path: those of a frame's rotation vector are not its spin."""
    if not frame:
        return v, a
    turn, turn2 = log_rates(moved[3:], v[3:], a[3:])
    return np.concatenate([v[:3], turn]), np.concatenate([a[:3], turn2])


def leads(h: float, sharp: bool) -> Matrix:
    """∂(coefficients)/∂(x₁, v₁, a₁) of a follower's path."""
    if not sharp:
        return np.column_stack([_CUBIC[:, 1], h * _CUBIC[:, 2], np.zeros(4)])
    return _QUINTIC[:, 2:] * (1.0, h, h * h)
