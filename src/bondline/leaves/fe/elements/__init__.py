"""Kinds of finite elements, one a file; by their names in Abaqus."""

from __future__ import annotations

from collections.abc import Mapping

from bondline.leaves.fe.elements.beam import Beam
from bondline.leaves.fe.elements.brick import Brick
from bondline.leaves.fe.elements.element import Element
from bondline.leaves.fe.elements.points import Mass, Spring
from bondline.leaves.fe.elements.shells import S3, S4
from bondline.leaves.fe.elements.tets import Tet4, Tet10
from bondline.leaves.fe.elements.truss import Truss
from bondline.leaves.fe.sections import (
    BeamSection,
    Bushing,
    PointMass,
    ShellSection,
    SolidSection,
    TrussSection,
)

ELEMENTS: Mapping[str, Element] = {
    "B31": Beam(shear=True),
    "B33": Beam(shear=False),
    "C3D4": Tet4(),
    "C3D8": Brick(),
    "C3D10": Tet10(),
    "MASS": Mass(),
    "S3": S3,
    "S4": S4,
    "SPRING": Spring(),
    "T3D2": Truss(),
}
SECTIONS: Mapping[str, type] = {
    "B31": BeamSection,
    "B33": BeamSection,
    "C3D4": SolidSection,
    "C3D8": SolidSection,
    "C3D10": SolidSection,
    "MASS": PointMass,
    "S3": ShellSection,
    "S4": ShellSection,
    "SPRING": Bushing,
    "T3D2": TrussSection,
}
"""What elements of a kind are made of."""
