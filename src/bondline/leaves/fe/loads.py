"""What acts on a model: forces, pressure, gravity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bondline.core import Vector
from bondline.leaves.fe.mesh import Faces, Nodes
from bondline.leaves.histories import STEADY, History


@dataclass(frozen=True, eq=False)
class NodalForce:
    """A force (component 0 … 2) or moment (3 … 5) on each of some nodes.

    `nodes` are a node set by name, or rows of the mesh.
    """

    nodes: Nodes
    component: int
    value: float
    history: History = STEADY


@dataclass(frozen=True, eq=False)
class Pressure:
    """A pressure in Pa on faces; positive pushes into the face.

    `faces` is a face set by name, or has rows (number of the element, number of its
    face from 1) as in `Mesh.face_sets`. Faces of solids are numbered as in Abaqus (S1,
    S2, …). Face 1 of a shell is its top (SPOS, where the normal comes out), face 2 its
    bottom (SNEG): pressure on face 1 pushes against the normal. Abaqus' `*DLOAD, P` on
    a shell acts along the normal: that is pressure on face 2.
    """

    faces: Faces
    value: float
    history: History = STEADY


@dataclass(frozen=True, eq=False)
class Gravity:
    """An acceleration field (3) that acts on all mass: f = M times the field."""

    vector: Vector
    history: History = STEADY


Load: TypeAlias = NodalForce | Pressure | Gravity
