"""Lumped masses, springs and dashpots as cards."""

from __future__ import annotations

import numpy as np

from bondline.leaves.fe.formats.inp.pen import Pen
from bondline.leaves.fe.mesh import Block
from bondline.leaves.fe.sections import Bushing, PointMass


def write_mass(pen: Pen, block: Block, section: PointMass) -> None:
    """*MASS, and *ROTARY INERTIA if there is some."""
    ids, inertia = block.ids.tolist(), section.inertia
    if section.mass or not inertia.any():
        pen.card("MASS", ELSET=_elements(pen, block, "MASS", ids))
        pen.row(float(section.mass))
        ids = [pen.number() for _ in ids] if inertia.any() else ids
    if inertia.any():
        if pen.dialect == "calculix":
            raise pen.impossible(
                "it has no rotary inertia.",
                "Use point masses, or the dialect 'abaqus'.",
            )
        pen.card("ROTARY INERTIA", ELSET=_elements(pen, block, "ROTARYI", ids))
        off = (inertia[0, 1], inertia[0, 2], inertia[1, 2])
        pen.row(*map(float, (*inertia.diagonal(), *off)))


def _elements(pen: Pen, block: Block, kind: str, ids: list[int]) -> str:
    """Elements of a type on the block's nodes; the name of their set."""
    name = pen.elset(ids, f"BLOCK_{kind}")
    pen.card("ELEMENT", TYPE=kind, ELSET=name)
    for number, nodes in zip(ids, block.nodes, strict=True):
        pen.row(number, *pen.ids(nodes))
    return name


def write_bushing(pen: Pen, block: Block, section: Bushing) -> None:
    """A spring and a dashpot along each axis that has one."""
    ids = block.ids.tolist()
    for title, values in (("SPRING", section.stiffness), ("DASHPOT", section.damping)):
        for component in np.flatnonzero(values).tolist():
            at = title, component, float(values[component])
            _along(pen, block, at, ids)
            ids = [pen.number() for _ in ids]


def _along(pen: Pen, block: Block, at: tuple[str, int, float], ids: list[int]) -> None:
    title, component, value = at
    ends = block.nodes.shape[1]
    axial = component == 0 and _axial(pen, block)
    options = {} if axial else _oriented(pen, block)
    if title == "DASHPOT" and pen.dialect == "calculix" and not axial:
        raise pen.impossible(
            "it has dashpots along the line between two nodes only.",
            "Use those, or the dialect 'abaqus'.",
        )
    kind = f"{title}{'A' if axial else ends}"
    name = _elements(pen, block, kind, ids)
    pen.card(title, ELSET=name, **options)
    pen.row(*[] if axial else [component + 1] * ends)
    pen.row(value)


def _axial(pen: Pen, block: Block) -> bool:
    """Whether all elements have two nodes in the direction of the first axis."""
    if block.nodes.shape[1] != 2 or not isinstance(block.section, Bushing):
        return False
    a, b = (pen.model.mesh.points[block.nodes[:, i]] for i in (0, 1))
    length = np.linalg.norm(b - a, axis=1)
    if not length.all():
        return False
    return np.allclose((b - a) / length[:, None], block.section.axes[0], atol=1e-12)


def _oriented(pen: Pen, block: Block) -> dict[str, str]:
    """The option for local axes, whose card goes before."""
    if not isinstance(block.section, Bushing):
        return {}
    axes = block.section.axes
    if np.array_equal(axes, np.eye(3)):
        return {}
    name = pen.name("AXES")
    pen.card("ORIENTATION", NAME=name)
    pen.row(*axes[0].tolist(), *axes[1].tolist())
    return {"ORIENTATION": name}
