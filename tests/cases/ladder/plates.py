"""Plates: square and long, thin and thick; rhombic ones of Morley and Razzaque."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.fe.generate import Patch, bilinear, grid
from bondline.leaves.fe.loads import NodalForce, Pressure
from bondline.leaves.fe.mesh import Indices, Mesh
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from bondline.leaves.fe.supports import Support
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import (
    RX,
    RY,
    RZ,
    X,
    Y,
    Z,
    cells,
    held,
    nearest,
    plain_mean,
    rectangle,
)

CASE = "plate"
MACNEAL = "MacNeal & Harder 1985"
MODULUS, THIN = 1.7472e7, 1e-2
REFERENCES = {  # (length by width, support, load): deflection of the middle
    (1, "simple", "even"): 4.062,
    (1, "simple", "point"): 11.60,
    (1, "clamped", "even"): 1.26,
    (1, "clamped", "point"): 5.60,
    (5, "simple", "even"): 12.97,
    (5, "simple", "point"): 16.96,
    (5, "clamped", "even"): 2.56,
    (5, "clamped", "point"): 7.23,
}


def faces(mesh: Mesh, side: int = 1) -> Indices:
    """The tops of all shells."""
    ids = mesh.element_sets["all"]
    return np.column_stack([ids, np.full(len(ids), side)])


def in_plane(patch: Patch) -> Support:
    """Nothing moves in the plane."""
    return Support(np.arange(len(patch.points)), (X, Y, RZ))


def rhombus(side: float, angle_deg: float):
    """A map onto a rhombus with this acute angle."""
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    corners = np.array([(0, 0, 0), (1, 0, 0), (1 + c, s, 0), (c, s, 0)])
    return bilinear(side * corners)


def simply(patch: Patch) -> tuple[Support, ...]:
    """All edges rest on knife edges that leave rotations free."""
    return (in_plane(patch), *held(patch, u0=(Z,), u1=(Z,), v0=(Z,), v1=(Z,)))


def quarter(
    n: int, aspect: float, how: str, load: str, thick: float = THIN, q: float = 1e2
) -> FeModel:
    """A quarter of a plate 2 × 2 aspect; u0 and v0 are its rim, u1 and v1 symmetry."""
    patch = grid((n, n), rectangle(1.0, aspect))
    mesh = patch.mesh("S4", ShellSection(Material("plate", MODULUS, 0.3, 1.0), thick))
    turned = (RX, RY) if how == "clamped" else ()
    rim = held(patch, u0=(Z, *(turned or (RX,))), v0=(Z, *(turned or (RY,))))
    middle = held(patch, u1=(RY,), v1=(RX,))
    loads = {
        "even": Pressure(faces(mesh), q),
        "point": NodalForce(patch.node_sets["corners"][2:3], Z, -q),
    }
    supports = (in_plane(patch), *rim, *middle)
    return FeModel(CASE, mesh, supports, loads=(loads[load],))


def navier(thick: float, q: float = 1e2, a: float = 2.0) -> float:
    """Middle of a square plate on hard simple supports, with shear (Mindlin, κ = 5/6).

    Kirchhoff's deflection plus the one of a shear membrane; double sine series.
    """
    D = MODULUS * thick**3 / (12.0 * (1.0 - 0.3**2))
    S = 5.0 / 6.0 * MODULUS / 2.6 * thick
    m = np.arange(1.0, 400.0, 2.0)
    k = (np.pi / a) ** 2 * (m[:, None] ** 2 + m**2)
    sign = (-1.0) ** ((m[:, None] + m - 2.0) / 2.0)
    p = 16.0 * q / (np.pi**2 * np.outer(m, m))
    return float((sign * p * (1.0 / (D * k**2) + 1.0 / (S * k))).sum())


def skew(n: int, angle: float) -> FeModel:
    """Morley's rhombus: side 100, thickness 1, knife edges, unit pressure."""
    patch = grid((n, n), rhombus(100.0, angle))
    mesh = patch.mesh("S4", ShellSection(Material("plate", 1e7, 0.3, 1.0), 1.0))
    return FeModel("skew", mesh, simply(patch), loads=(Pressure(faces(mesh), 1.0),))


def razzaque(n: int) -> FeModel:
    """60 degrees, side 100, thickness 0.1: two edges supported, two free."""
    patch = grid((n, n), rhombus(100.0, 60.0))
    mesh = patch.mesh("S4", ShellSection(Material("plate", 1092e3, 0.3, 1.0), 0.1))
    supports = (in_plane(patch), *held(patch, v0=(Z,), v1=(Z,)))
    return FeModel("skew", mesh, supports, loads=(Pressure(faces(mesh), 1e-3),))


def middle(model: FeModel, scale: float = -1.0):
    at = nearest(model.mesh.points, model.mesh.points.mean(axis=0))
    return plain_mean(np.array([at]), Z, scale)


def rungs(fine: bool) -> Iterator[Rung]:
    n = cells(fine, 8, 16)
    for (aspect, how, load), reference in REFERENCES.items():
        if aspect == 5 and not fine:
            continue
        whole = quarter(n, aspect, how, load)
        words = f"S4 {n} × {n}, {'square' if aspect == 1 else '1 : 5'}, {how}, {load}"
        wanted = Wanted(
            CASE, words, reference, within(0.02), MACNEAL,
            4 if fine or (aspect, load) == (1, "even") else 0, 1e-8, deck=fine,
        )  # fmt: skip
        corner = whole.mesh.node_sets["corners"][2:3]
        yield rest(wanted, whole, plain_mean(corner, Z, -1.0))
    for thick in (0.02, 0.4):
        whole = quarter(n, 1, "simple", "even", thick)
        wanted = Wanted(
            CASE, f"S4 {n} × {n}, square, a / t = {2 / thick:g}", navier(thick),
            within(0.01), "Navier's series with shear", 2,
        )  # fmt: skip
        corner = whole.mesh.node_sets["corners"][2:3]
        yield rest(wanted, whole, plain_mean(corner, Z, -1.0))
    yield paper(n)
    yield from rhombic(fine)


def paper(n: int) -> Rung:
    """MacNeal and Harder's own thickness: a 20,000th of the side."""
    whole = quarter(n, 1, "simple", "even", 1e-4, 1e-4)
    wanted = Wanted(
        CASE,
        f"S4 {n} × {n}, square, simple, even, t = 1e-4",
        4.062,
        within(0.02),
        MACNEAL,
        4,
        1e-6,
    )
    corner = whole.mesh.node_sets["corners"][2:3]
    return rest(wanted, whole, plain_mean(corner, Z, -1.0))


def rhombic(fine: bool) -> Iterator[Rung]:
    n, gate = cells(fine, (16, 0.07), (32, 0.05))
    D = 1e7 / (12.0 * 0.91)
    for angle, factor in ((30.0, 0.408e-3), (60.0, 2.56e-3)):
        whole = skew(n, angle)
        wanted = Wanted(
            "skew plate", f"S4 {n} × {n}, {angle:g}°, all edges",
            factor * 100.0**4 / D, within(gate), "Morley 1963", 2 * fine, deck=fine,
        )  # fmt: skip
        yield rest(wanted, whole, middle(whole))
    whole = razzaque(n)
    wanted = Wanted(
        "skew plate", f"S4 {n} × {n}, 60°, two edges", 7.945, within(0.02),
        "Razzaque 1973", 2, 1e-6, deck=fine,
    )  # fmt: skip
    yield rest(wanted, whole, middle(whole))
