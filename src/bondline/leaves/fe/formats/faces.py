"""Faces of elements, numbered as in Abaqus, as positions in an element's nodes."""

from __future__ import annotations

from collections.abc import Mapping

from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.elements.element import Faced

SHELLS = ("S3", "S4")
SOLIDS = ("C3D4", "C3D8", "C3D10")
BEAMS = ("B31", "B33")
NODES: Mapping[str, int] = {
    kind: element.nodes for kind, element in ELEMENTS.items() if kind != "SPRING"
}
"""How many nodes an element card lists; a spring may have one or two."""


def _faces(kind: str) -> tuple[tuple[int, ...], ...]:
    """Those of the element; a shell has the other side of its one face, too."""
    element = ELEMENTS[kind]
    assert isinstance(element, Faced)
    faces = element.faces
    if kind in SHELLS:
        first, *others = faces[0]
        return (*faces, (first, *reversed(others)))
    return faces


FACES: Mapping[str, tuple[tuple[int, ...], ...]] = {
    kind: _faces(kind) for kind in (*SOLIDS, *SHELLS)
}
