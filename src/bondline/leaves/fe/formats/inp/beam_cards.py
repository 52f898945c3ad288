"""*BEAM SECTION and *BEAM GENERAL SECTION."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TypeAlias

import numpy as np

from bondline.core import Vector
from bondline.errors import SettingError
from bondline.leaves.fe.formats.faces import BEAMS
from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.section_cards import material_of, members
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.fe.formats.row import Row
from bondline.leaves.fe.profiles import Profile, box, circle, i_profile, pipe, rectangle
from bondline.leaves.fe.sections import Material

SHAPES = ("RECT", "CIRC", "PIPE", "BOX", "I")
NEEDED = {"RECT": 2, "CIRC": 1, "PIPE": 2, "BOX": 6, "I": 7}
DOWN = (0.0, 0.0, -1.0)
CENTRED = (0.0, 0.0)
Section: TypeAlias = tuple[Profile, tuple[float, float]]  # and from node to centroid


def beam_section(card: Card, work: Work) -> None:
    """Dimensions by shape, then the direction of axis 1."""
    chosen = members(card, work, BEAMS)
    shape = card.choice("SECTION", SHAPES, "")
    profile = _profile(card.row(0, "the dimensions"), shape)
    material = material_of(card, work)
    _assign(card, work, chosen, (profile, material))


def beam_general_section(card: Card, work: Work) -> None:
    """Area, I11, I12, I22, J; direction of axis 1; E and G. DENSITY is an option."""
    chosen = members(card, work, BEAMS)
    shape = card.choice("SECTION", ("GENERAL", *SHAPES), "GENERAL")
    first = card.row(0, "the line with the area or the dimensions")
    profile = _general(first) if shape == "GENERAL" else _profile(first, shape)
    moduli = card.row(2, "the line with E and G")
    E, G = moduli.positive(0, "Young's modulus"), moduli.positive(1, "shear modulus")
    nu = E / (2.0 * G) - 1.0
    rho = card.number("DENSITY", 0.0)
    if rho < 0.0:
        raise card.wrong(f"DENSITY is {rho:g}.", "Give 0 or more, in kg/m³.")
    name = card.options.get("ELSET", "beam")
    _assign(card, work, chosen, (profile, Material(name, E, nu, rho)))


def _assign(
    card: Card, work: Work, chosen: list[int], made: tuple[Section, Material]
) -> None:
    (profile, offset), material = made
    if not all(isfinite(x) and x > 0.0 for x in _numbers(profile)):
        raise card.wrong(
            "the area, I11, I22 or J of the section is not above zero.",
            "Give dimensions that make all of them positive.",
        )
    shear1, shear2 = _sheared(card, profile, material)
    profile = replace(profile, shear1=shear1, shear2=shear2)
    for under in card.under:
        if under.title == "CENTROID":
            row = under.row(0, "the centroid")
            offset = row.number(0, "x1", 0.0), row.number(1, "x2", 0.0)
    section = profile.section(material, _direction(card), offset)
    work.draft.assign(chosen, section, card.place)


def _numbers(profile: Profile) -> tuple[float, ...]:
    return profile.area, profile.I11, profile.I22, profile.J


def _profile(row: Row, shape: str) -> Section:
    try:
        return _shaped(row, shape)
    except SettingError as error:
        raise row.wrong(error.finding, error.remedy) from error
    except ArithmeticError as error:
        raise row.wrong(
            "the dimensions are too small or too large.", "Give metres."
        ) from error


def _shaped(row: Row, shape: str) -> Section:
    size = [row.number(i, "a dimension") for i in range(NEEDED[shape])]
    match shape:
        case "RECT":
            return rectangle(size[0], size[1]), CENTRED
        case "CIRC":
            return circle(size[0]), CENTRED
        case "PIPE":
            return pipe(size[0], size[1]), CENTRED
        case "BOX":
            a, b, t1, t2, t3, t4 = size
            _even(row, (t1, t2) == (t3, t4), "t1 = t3 and t2 = t4")
            return box(a, b, t2, t1), CENTRED
    up, h, b1, b2, t1, t2, t3 = size
    _even(row, (b1, t1) == (b2, t2), "b1 = b2 and t1 = t2")
    return i_profile(b1, h, t1, t3), (0.0, h / 2.0 - up)


def _even(row: Row, even: bool, wanted: str) -> None:
    if not even:
        raise row.wrong(
            "opposite walls differ.",
            f"Give {wanted}, or *BEAM GENERAL SECTION with the section's numbers.",
        )


def _general(row: Row) -> Section:
    if row.number(2, "I12", 0.0) != 0.0:
        raise row.wrong(
            "I12 is not zero.",
            "Turn the direction of axis 1 to a principal axis, and give I12 = 0.",
        )
    for i in (5, 6):
        if row.number(i, "a sectorial moment", 0.0) != 0.0:
            raise row.wrong("it warps.", "Leave the sectorial moments away.")
    area, J = row.positive(0, "the area"), row.positive(4, "J")
    I11, I22 = row.positive(1, "I11"), row.positive(3, "I22")
    return Profile(area, I11, I22, J, area, area), CENTRED


def _sheared(card: Card, profile: Profile, material: Material) -> tuple[float, float]:
    """Shear areas along axes 1 and 2; *TRANSVERSE SHEAR STIFFNESS replaces them."""
    for under in card.under:
        if under.title == "CENTROID":
            continue
        row = under.row(0, "the line with K23 and K13")
        k23, k13 = row.positive(0, "K23"), row.positive(1, "K13")
        return k13 / material.G, k23 / material.G
    return profile.shear1, profile.shear2


def _direction(card: Card) -> Vector:
    rows = list(card.rows())
    given = [rows[1].number(i, "direction", 0.0) for i in range(3)] if rows[1:] else []
    if not any(given):
        return np.array(DOWN)
    return np.array(given)
