"""What ports answer: motion, or effort."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bondline.core.arrays import Vector


@dataclass(frozen=True, slots=True)
class Motion:
    """Kinematics X of a port at one instant, in world axes (wang2003, section 2.2).

    For points, `x`, `v` and `a` have one entry a dof. For a frame, `turn` is its unit
    quaternion (w, x, y, z), `x` its position (3), `v` its twist (velocity, then
    spin; 6) and `a` the rate of the twist. A code that knows no accelerations leaves
    `a` out and says so in its `Capabilities`.
    """

    x: Vector
    v: Vector
    a: Vector | None = None
    turn: Vector | None = None


@dataclass(frozen=True, slots=True)
class Pose:
    """Position, and orientation as a unit quaternion (w, x, y, z)."""

    x: Vector
    turn: Vector


@dataclass(frozen=True, slots=True)
class Effort:
    """Force T that a motion-driven port needs to follow, acting *on* the component.

    For a frame it is a wrench: force (3), then moment about the port (3). `at` is
    where the port is: the motion it was told, or at the start its own.
    """

    f: Vector
    at: Motion


Output: TypeAlias = Motion | Effort | float
