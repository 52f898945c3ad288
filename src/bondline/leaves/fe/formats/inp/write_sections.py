"""Materials and sections as cards."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isclose, sqrt

import numpy as np

from bondline.leaves.fe.formats.inp.pen import Pen
from bondline.leaves.fe.formats.inp.write_points import write_bushing, write_mass
from bondline.leaves.fe.mesh import Block
from bondline.leaves.fe.profiles import rectangle
from bondline.leaves.fe.sections import (
    BeamSection,
    Bushing,
    Material,
    PointMass,
    ShellSection,
    SolidSection,
    TrussSection,
)


def write_materials(pen: Pen) -> None:
    """Every material once."""
    for material in dict.fromkeys(_materials(pen)):
        pen.card("MATERIAL", NAME=_name(pen, material))
        pen.card("ELASTIC")
        pen.row(material.E, material.nu)
        if material.rho:
            pen.card("DENSITY")
            pen.row(material.rho)
        damped = _damped(pen, material)
        if damped.alpha or damped.beta:
            alpha, beta = pen.text(damped.alpha), pen.text(damped.beta)
            pen.card("DAMPING", ALPHA=alpha, BETA=beta)


def _materials(pen: Pen) -> list[Material]:
    sections = [block.section for block in pen.model.mesh.blocks]
    return [s.material for s in sections if not isinstance(s, PointMass | Bushing)]


def _damped(pen: Pen, material: Material) -> Material:
    """The material with the damping of the whole model in it."""
    alpha, beta = pen.model.rayleigh
    return replace(material, alpha=material.alpha + alpha, beta=material.beta + beta)


def _name(pen: Pen, material: Material) -> str:
    """Its name; with its place among those of the same name if there are more."""
    same = [m for m in dict.fromkeys(_materials(pen)) if m.name == material.name]
    place = same.index(material)
    return material.name if place == 0 else f"{material.name}_{place + 1}"


def write_block(pen: Pen, block: Block, elset: str) -> None:
    """The section of a block whose elements are the set `elset`."""
    section = block.section
    match section:
        case ShellSection(material=material, thickness=thickness, offset=offset):
            away = {"OFFSET": pen.text(-offset / thickness)} if offset else {}
            pen.card(
                "SHELL SECTION", ELSET=elset, MATERIAL=_name(pen, material), **away
            )
            pen.row(thickness)
        case SolidSection(material=material):
            pen.card("SOLID SECTION", ELSET=elset, MATERIAL=_name(pen, material))
        case TrussSection(material=material, area=area):
            pen.card("SOLID SECTION", ELSET=elset, MATERIAL=_name(pen, material))
            pen.row(area)
        case BeamSection():
            _beam(pen, section, elset)
        case PointMass():
            write_mass(pen, block, section)
        case Bushing():
            write_bushing(pen, block, section)


def _beam(pen: Pen, section: BeamSection, elset: str) -> None:
    sides = rectangular(section)
    if sides and not any(section.offset):
        material = _name(pen, section.material)
        pen.card("BEAM SECTION", ELSET=elset, MATERIAL=material, SECTION="RECT")
        pen.row(*sides)
        pen.row(*section.direction.tolist())
    elif pen.dialect == "calculix":
        raise pen.impossible(
            "it knows beams B31 of rectangular section only.",
            "Use rectangles, or the dialect 'abaqus'.",
        )
    else:
        _general(pen, section, elset)


def _general(pen: Pen, section: BeamSection, elset: str) -> None:
    material = section.material
    damped = _damped(pen, material)
    if damped.alpha or damped.beta:
        raise pen.impossible(
            "a general beam section has no place for damping.",
            "Use a rectangle, or take the damping out.",
        )
    pen.card("BEAM GENERAL SECTION", ELSET=elset, SECTION="GENERAL",
             DENSITY=pen.text(material.rho))  # fmt: skip
    pen.row(section.area, section.I11, 0.0, section.I22, section.J)
    pen.row(*section.direction.tolist())
    pen.row(material.E, material.G)
    if any(section.offset):
        pen.card("CENTROID")
        pen.row(*section.offset)
    if section.shear1 < inf and section.shear2 < inf:
        pen.card("TRANSVERSE SHEAR STIFFNESS")
        pen.row(section.shear2 * material.G, section.shear1 * material.G)


def rectangular(section: BeamSection) -> tuple[float, float] | None:
    """The sides along axes 1 and 2 of the rectangle that a section is, if it is one."""
    a = sqrt(12.0 * section.I22 / section.area)
    b = sqrt(12.0 * section.I11 / section.area)
    made = rectangle(a, b)
    same = ((made.area, section.area), (made.J, section.J))
    shear = ((made.shear1, section.shear1), (made.shear2, section.shear2))
    close = all(isclose(x, y, rel_tol=1e-9) for x, y in (*same, *shear))
    return (a, b) if close and np.isfinite([a, b]).all() else None
