"""A mechanism that nothing holds: it can be put somewhere else as a whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import Advance, Motion, Vector
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.leaf import MultibodyLeaf
from bondline.leaves.mbd.model import Mechanism
from bondline.leaves.spatial import Turn, conjugate, product, rotation
from bondline.numerics.memory import time_of


def floats(mechanism: Mechanism) -> bool:
    """Whether one free joint carries everything."""
    on_ground = [
        j for j in mechanism.joints if mechanism.spot("", j.inboard)[0] == "ground"
    ]
    return len(on_ground) == 1 and on_ground[0].kind == "free"


@dataclass(frozen=True, eq=False)
class FloatingLeaf(MultibodyLeaf):
    """A mechanism whose root is free."""

    def place(self, state: Vector, port: str, at: Motion) -> Advance[Vector]:
        """The port where `at` says, all else moved along as one rigid body.

        Told where a point is, everything keeps its turn and its spin; what it is not
        told of the point stays.
        """
        q, u = (half.copy() for half in self.halves(state))
        branch = self.packed.layout.branches[0]
        root = self.packed.markers[branch.joint.outboard]
        poses, twists, _ = self.tree.outputs(q, u, [self.spots[port].marker, root])
        turns = [_turn(pose[3:]) for pose in poses]
        by: Turn = (1.0, 0.0, 0.0, 0.0)
        if at.turn is not None:
            by = product(_turn(at.turn), conjugate(turns[0]))
        R = _matrix(by)
        v, w = np.split(twists[0], 2)
        spin = at.v[3:6] if at.turn is not None else R @ w
        told = [*self.spots[port].rows[:3]]
        goal, speed = poses[0][:3].copy(), v.copy()
        goal[told], speed[told] = at.x[: len(told)], at.v[: len(told)]
        more, push = spin - R @ w, speed - R @ v
        arm = R @ (poses[1][:3] - poses[0][:3])
        v_o, w_o = (R @ half for half in np.split(twists[1], 2))
        pose = Frame(tuple((goal + arm).tolist()), product(by, turns[1]))
        self._put(q, u, pose, v_o + push + np.cross(more, arm), w_o + more)
        return self.instant(time_of(state), q, u)

    def _put(self, q: Vector, u: Vector, pose: Frame, v: Vector, w: Vector) -> None:
        """Write pose, velocity and spin of the root into coordinates."""
        joint = self.packed.layout.branches[0].joint
        _, held = self.sheet.mechanism.spot("", joint.inboard)
        assert isinstance(held, Frame), "the ground does not bend"
        q[:3] = held.R.T @ (pose.p - held.p)
        q[3:7] = product(conjugate(held.turn), pose.turn)
        u[:3], u[3:6] = held.R.T @ v, pose.R.T @ w


def _turn(q: Vector) -> Turn:
    w, x, y, z = q.tolist()
    return w, x, y, z


def _matrix(q: Turn) -> Vector:
    return np.array(rotation(*q)).reshape(3, 3)
