"""Joints between frames and points: a few conditions on two ends or more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from bondline.core import Gap, Matrix, Motion, Port, PortRef, Vector
from bondline.errors import WiringError
from bondline.gluing.joints.conditions import Coincide, Condition, SameTurn
from bondline.gluing.joints.fits import Needs, check_ports
from bondline.gluing.joints.spots import (
    Spot,
    in_plane,
    in_space,
    onto_plane,
    onto_space,
)
from bondline.numerics import rotations as rot

Triple: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class Joint:
    """Ends that satisfy `conditions`, each but the last against the last one.

    Made by the functions of `bondline.gluing.joints.makers`. `frames` are rotation
    vectors of the joint frame in the frame of each port, in which axes are given;
    `rests` are added to the positions that ports show, for ports that show
    displacements. In the `plane`, ports have the dofs x y or x y rz.
    """

    name: str
    ends: tuple[PortRef, ...]
    kind: str
    conditions: tuple[Condition, ...]
    frames: tuple[Triple, ...] = ()
    rests: tuple[Triple, ...] = ()
    plane: bool = False

    law = None

    @property
    def components(self) -> tuple[str, ...]:
        """Those of the conditions, for every end but the last."""
        own = tuple(f for c in self.conditions for f in c.components)
        if len(self.ends) == 2:
            return own
        return tuple(f"{end.part}.{f}" for end in self.ends[:-1] for f in own)

    @cached_property
    def constant(self) -> bool:
        """Only points that coincide are pulled the same way in every pose."""
        return all(isinstance(c, Coincide) for c in self.conditions)

    @cached_property
    def turns(self) -> tuple[bool, bool]:
        """Whether it matters how the active ends are turned, and the last."""
        each = [c.turns for c in self.conditions]
        return any(a for a, _ in each), any(b for _, b in each)

    def suits(self, place: str, ports: Sequence[Port]) -> None:
        """Two ports, or more where points meet; frames or 6-dof nodes where needed."""
        many = all(isinstance(c, Coincide | SameTurn) for c in self.conditions)
        needs = Needs(self.kind, self.turns, self.plane, many)
        check_ports(place, needs, self.ends, ports)

    def gap(self, motions: Sequence[Motion]) -> Gap:
        """The conditions one after the other, end by end."""
        *active, last = self._spots(motions)
        each = [c.gap(A, last) for A in active for c in self.conditions]
        if len(each) == 1:
            return each[0]
        e = np.concatenate([gap[0] for gap in each])
        e_rate = np.concatenate([gap[1] for gap in each])
        e_rate2 = [gap[2] for gap in each if gap[2] is not None]
        return e, e_rate, np.concatenate(e_rate2) if len(e_rate2) == len(each) else None

    def jacobian(self, motions: Sequence[Motion]) -> Sequence[Matrix]:
        """Bᵢ by the dofs of each port; for frames by velocity and spin."""
        *active, last = spots = self._spots(motions)
        found = _stacked([self._rows(A, last) for A in active])
        return [
            onto_plane(rows, m) if self.plane else onto_space(rows, m, spot)
            for rows, m, spot in zip(found, motions, spots, strict=True)
        ]

    def admissible(self, z: Vector) -> Sequence[Motion]:
        """Motions of welded frames, or of points that coincide.

        `z` stacks x, v and a: for frames position and rotation vector of the joint
        frame, twist, and rate of the twist. `WiringError` for joints that leave the
        ends free to move against each other.
        """
        x, v, a = z.reshape(3, -1)
        if self.constant and len(x) == 3:
            return [Motion(x - rest, v, a) for rest in self._rests]
        if {type(c) for c in self.conditions} != {Coincide, SameTurn}:
            raise WiringError(
                f"joint {self.name}",
                f"a {self.kind} joint leaves its ends free to move against each "
                "other, so one motion does not tell those of all ends.",
                "Couple it by forces (T-T), or use a tie or a fixed joint.",
            )
        turn, back = rot.exp(x[3:]), [rot.conjugate(q) for q in self._frames]
        return [
            Motion(x[:3] - rest, v, a, rot.product(turn, q))
            for rest, q in zip(self._rests, back, strict=True)
        ]

    def _rows(self, A: Spot, B: Spot) -> tuple[Matrix, Matrix]:
        each = [c.rows(A, B) for c in self.conditions]
        if len(each) == 1:
            return each[0]
        of_A, of_B = zip(*each, strict=True)
        return np.concatenate(of_A), np.concatenate(of_B)

    def _spots(self, motions: Sequence[Motion]) -> list[Spot]:
        """Every end as the conditions see it: with its rest and its joint frame."""
        read, last = in_plane if self.plane else in_space, len(motions) - 1
        found = [read(m, self.turns[i == last]) for i, m in enumerate(motions)]
        if self.rests:
            for spot, rest in zip(found, self._rests, strict=True):
                spot.x = spot.x + rest
        if self.frames:
            for spot, q in zip(found, self._frames, strict=True):
                spot.turn = rot.product(spot.turn, q)
        return found

    @cached_property
    def _rests(self) -> tuple[Vector, ...]:
        each = self.rests or ((0.0, 0.0, 0.0),) * len(self.ends)
        return tuple(np.array(x) for x in each)

    @cached_property
    def _frames(self) -> tuple[Vector, ...]:
        each = self.frames or ((0.0, 0.0, 0.0),) * len(self.ends)
        return tuple(rot.exp(np.array(r)) for r in each)


def _stacked(pairs: Sequence[tuple[Matrix, Matrix]]) -> list[Matrix]:
    """Rows of each active end in its own place, and of the last end in all."""
    if len(pairs) == 1:
        return [*pairs[0]]
    size = len(pairs[0][0])
    found = [np.zeros((len(pairs) * size, 6)) for _ in pairs]
    for i, (own, _) in enumerate(pairs):
        found[i][i * size : (i + 1) * size] = own
    return [*found, np.concatenate([of_last for _, of_last in pairs])]
