"""Where nodes are held, or led along a motion."""

from __future__ import annotations

from dataclasses import dataclass

from bondline.leaves.fe.mesh import Nodes
from bondline.leaves.histories import STEADY, History


@dataclass(frozen=True, eq=False)
class Support:
    """Components 0 … 5 (x y z rx ry rz) of some nodes follow `value` times a history.

    With the value 0 they are held. `nodes` are a node set by name, or rows of the mesh.
    Components that a node does not have (rotations of solids) are passed over.
    """

    nodes: Nodes
    components: tuple[int, ...]
    value: float = 0.0
    history: History = STEADY


@dataclass(frozen=True, eq=False)
class Initial:
    """How a component of some nodes starts: displacement and velocity at the start."""

    nodes: Nodes
    component: int
    displacement: float = 0.0
    velocity: float = 0.0
