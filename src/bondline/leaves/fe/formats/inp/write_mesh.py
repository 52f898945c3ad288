"""Nodes, elements and sets as cards."""

from __future__ import annotations

from bondline.leaves.fe.formats.inp.pen import Pen
from bondline.leaves.fe.formats.inp.write_sections import write_block
from bondline.leaves.fe.mesh import Block
from bondline.leaves.fe.sections import Bushing, PointMass

TYPES = {"C3D8": "C3D8I"}


def write_nodes(pen: Pen) -> None:
    """Every node with its coordinates."""
    mesh = pen.model.mesh
    pen.card("NODE")
    for number, (x, y, z) in zip(mesh.ids.tolist(), mesh.points.tolist(), strict=True):
        pen.row(number, x, y, z)


def write_elements(pen: Pen) -> None:
    """Every block's elements, then its section."""
    mesh = pen.model.mesh
    pen.elements = max((int(b.ids.max()) for b in mesh.blocks if len(b.ids)), default=0)
    for block in mesh.blocks:
        if isinstance(block.section, Bushing | PointMass):
            write_block(pen, block, "")
        else:
            name = pen.elset(block.ids.tolist(), f"BLOCK_{block.kind}")
            _elements(pen, block, name)
            write_block(pen, block, name)


def _elements(pen: Pen, block: Block, name: str) -> None:
    if block.kind == "B33" and pen.dialect == "calculix":
        raise pen.impossible("it has no B33.", "Use B31, or the dialect 'abaqus'.")
    pen.card("ELEMENT", TYPE=TYPES.get(block.kind, block.kind), ELSET=name)
    ids = pen.model.mesh.ids
    for number, nodes in zip(
        block.ids.tolist(), ids[block.nodes].tolist(), strict=True
    ):
        pen.row(number, *nodes)


def write_sets(pen: Pen) -> None:
    """Sets of nodes, elements and faces."""
    mesh = pen.model.mesh
    order = {"UNSORTED": None} if pen.dialect == "abaqus" else {}
    for name, rows in mesh.node_sets.items():
        pen.card("NSET", NSET=name, **order)
        pen.rows(pen.ids(rows))
    for name, ids in mesh.element_sets.items():
        pen.card("ELSET", ELSET=name, **order)
        pen.rows(ids.tolist())
    for name, faces in mesh.face_sets.items():
        write_surface(pen, name, faces.tolist())


def write_surface(pen: Pen, name: str, faces: list[tuple[int, int]]) -> None:
    """Faces of elements under a name."""
    shells = {i for b in pen.model.mesh.blocks if b.kind in ("S3", "S4") for i in b.ids}
    pen.card("SURFACE", NAME=name, TYPE="ELEMENT")
    for element, face in faces:
        side = ("SPOS", "SNEG")[face - 1] if element in shells else f"S{face}"
        pen.row(int(element), side)
