"""MAT1 and properties."""

from __future__ import annotations

from math import inf

import numpy as np

from bondline.errors import SettingError
from bondline.leaves.fe.formats.bdf.work import Bulk, unsupported
from bondline.leaves.fe.formats.row import Row
from bondline.leaves.fe.profiles import Profile, box, circle, pipe, rectangle
from bondline.leaves.fe.sections import (
    Material,
    ShellSection,
    SolidSection,
    TrussSection,
)


def mat1(row: Row, bulk: Bulk) -> None:
    """E, G, nu and density; two of the first three are enough."""
    number = row.label(0, "the material")
    E, nu = _moduli(row)
    rho = row.number(4, "the density", 0.0)
    if not -1.0 < nu < 0.5 or rho < 0.0:
        raise row.wrong(
            f"Poisson's ratio is {nu:.3g} and the density {rho:g}.",
            "Give a ratio above -1 and below 0.5, and a density of 0 or more.",
        )
    if row.number(7, "GE", 0.0):
        bulk.draft.note(f"{row.place}: structural damping GE is passed over.")
    bulk.materials[number] = Material(f"MAT1_{number}", E, nu, rho)


def _moduli(row: Row) -> tuple[float, float]:
    if row.word(1) and row.word(3):
        return row.positive(1, "E"), row.number(3, "nu")
    if row.word(1) and row.word(2):
        E, G = row.positive(1, "E"), row.positive(2, "G")
        return E, E / (2.0 * G) - 1.0
    if row.word(2) and row.word(3):
        G, nu = row.positive(2, "G"), row.number(3, "nu")
        return 2.0 * G * (1.0 + nu), nu
    return row.positive(1, "E"), 0.0


def pshell(row: Row, bulk: Bulk) -> None:
    """One material for stretching and bending, and a thickness."""
    material, thickness = bulk.material(row, 1), row.positive(2, "the thickness")
    if row.word(3) != row.word(1) or row.word(5, row.word(1)) != row.word(1):
        raise row.wrong(
            "MID2 or MID3 is not MID1: it would not bend, or bend otherwise.",
            "Give MID1, MID2 and MID3 the same number.",
        )
    if row.number(4, "12I/T³", 1.0) != 1.0:
        raise row.wrong("12I/T³ is not 1.", "Leave it blank.")
    unsupported(row, 7, "NSM")
    for number in bulk.used.get(row.label(0, "the property"), []):
        _kind(row, bulk, number, ("S3", "S4"))
        offset = float(bulk.draft.elements[number].label)
        key = row.place, offset
        bulk.share(key, ShellSection(material, thickness, offset), number)


def psolid(row: Row, bulk: Bulk) -> None:
    """One material."""
    section = SolidSection(bulk.material(row, 1))
    unsupported(row, 2, "CORDM")
    for number in bulk.used.get(row.label(0, "the property"), []):
        _kind(row, bulk, number, ("C3D4", "C3D8", "C3D10"))
        bulk.share((row.place,), section, number)


def prod(row: Row, bulk: Bulk) -> None:
    """A material and an area."""
    section = TrussSection(bulk.material(row, 1), row.positive(2, "the area"))
    unsupported(row, 3, "J")
    unsupported(row, 5, "NSM")
    for number in bulk.used.get(row.label(0, "the property"), []):
        _kind(row, bulk, number, ("T3D2",))
        bulk.share((row.place,), section, number)


def pbar(row: Row, bulk: Bulk) -> None:
    """A, I1, I2, J; K1 and K2 of shear. I1 bends in plane 1."""
    area, J = row.positive(2, "A"), row.positive(5, "J")
    I1, I2 = row.positive(3, "I1"), row.positive(4, "I2")
    unsupported(row, 6, "NSM")
    unsupported(row, 18, "I12")
    k1, k2 = row.number(16, "K1", 0.0), row.number(17, "K2", 0.0)
    shear = (k1 * area or inf), (k2 * area or inf)
    _bars(row, bulk, Profile(area, I2, I1, J, *shear))


def pbarl(row: Row, bulk: Bulk) -> None:
    """ROD (radius), TUBE (two radii), BAR (width, height) or BOX."""
    shape = row.word(3).upper()
    sizes = [row.positive(8 + i, "a dimension") for i in range(SIZES.get(shape, 0))]
    try:
        _bars(row, bulk, _shaped(row, shape, sizes))
    except (SettingError, ArithmeticError) as error:
        finding = error.finding if isinstance(error, SettingError) else "it overflows."
        raise row.wrong(finding, "Give dimensions that fit.") from error


SIZES = {"ROD": 1, "TUBE": 2, "BAR": 2, "BOX": 4}


def _shaped(row: Row, shape: str, d: list[float]) -> Profile:
    """Axis 1 is Nastran's y, along which the second dimension is."""
    match shape:
        case "ROD":
            return circle(d[0])
        case "TUBE":
            return pipe(d[0], d[0] - d[1])
        case "BAR":
            return rectangle(d[1], d[0])
        case "BOX":
            return box(d[1], d[0], d[3], d[2])
    raise row.wrong(f"there is no shape {shape!r} here.", "Give ROD, TUBE, BAR or BOX.")


def _bars(row: Row, bulk: Bulk, profile: Profile) -> None:
    material = bulk.material(row, 1)
    for number in bulk.used.get(row.label(0, "the property"), []):
        _kind(row, bulk, number, ("B31",))
        label = bulk.draft.elements[number].label
        direction = np.array([float(x) for x in label.split(",")])
        section = profile.section(material, direction)
        bulk.share((row.place, label), section, number)


def _kind(row: Row, bulk: Bulk, number: int, kinds: tuple[str, ...]) -> None:
    kind = bulk.draft.elements[number].kind
    if kind not in kinds:
        raise row.wrong(
            f"element {number} is {kind}.", f"Give it to {', '.join(kinds)} only."
        )
