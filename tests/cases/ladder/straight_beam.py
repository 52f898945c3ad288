"""MacNeal and Harder's straight beam, 6 × 0.2 × 0.1, of six elements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bondline.leaves.fe.generate import brick, grid, line, linear
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.profiles import rectangle as bar
from bondline.leaves.fe.sections import Material, ShellSection, SolidSection
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import (
    ALL,
    RX,
    X,
    Y,
    Z,
    cells,
    even,
    held,
    mean,
    plain_mean,
    rectangle,
    spread,
)

CASE, SOURCE = "straight beam", "MacNeal & Harder 1985"
STUFF = Material("strip", 1e7, 0.3, 1.0)
SHAPES = {"rectangles": (0.0, 0.0), "trapezoids": (0.1, -0.1), "slanted": (0.1, 0.1)}
TIP = {X: ("extension", 3.0e-5), Y: ("in plane", 0.1081), Z: ("out of plane", 0.4321)}
THEOREM = (
    "elements with straight edges that pass the patch test must be stiff here "
    "(MacNeal 1987); in the table of MacNeal & Harder for trapezoids and slanted ones "
    "in plane "
)
SHELL = THEOREM + "QUAD4 has 0.07 and 0.08"
SOLID = THEOREM + "HEXA has 0.05 and 0.62"
VENANT = "Saint-Venant; MacNeal & Harder print 0.03208, which is not"
GATES = {("S3", Z): 0.05, ("S4", Z): 0.05}
CONSTANT = "constant strain in the plane"
LATE = (
    "triangles feel the shear at the rim of a thick strip late (0.84 at 24 × 8, 0.95 "
    "at 60 × 20)"
)
EXCUSES = {
    ("S4", "trapezoids", Y): SHELL,
    ("S4", "slanted", Y): SHELL,
    ("C3D8", "trapezoids", Y): SOLID,
    ("C3D8", "trapezoids", Z): SOLID,
    ("C3D8", "slanted", Y): SOLID,
    ("C3D8", "slanted", Z): SOLID,
    **{("S3", shape, Y): CONSTANT for shape in SHAPES},
}


def lean(x, shape):
    """Inner lines of nodes leaned over, all one way or in turns."""
    inside = (x[:, 0] > 0.1) & (x[:, 0] < 5.9)
    odd, even_ = SHAPES[shape]
    slope = np.where(np.round(x[:, 0]) % 2 == 1, odd, even_)
    return x + np.outer(inside * slope * (10.0 * x[:, 1] - 1.0), [1.0, 0.0, 0.0])


def shells(kind: str, shape: str) -> FeModel:
    strip = rectangle(6.0, 0.2)
    patch = grid((6, 1), lambda p: lean(strip(p), shape), kind == "S3")
    mesh = patch.mesh(kind, ShellSection(STUFF, 0.1))
    return FeModel(CASE, mesh, held(patch, u0=ALL))


def bricks(shape: str) -> FeModel:
    patch = brick((6, 1, 1), lambda u: lean(u * np.array([6.0, 0.2, 0.1]), shape))
    return FeModel(CASE, patch.mesh("C3D8", SolidSection(STUFF)), held(patch, u0=ALL))


def beams() -> FeModel:
    patch = line(6, linear((0, 0, 0), (6, 0, 0)))
    section = bar(0.2, 0.1).section(STUFF, np.array([0.0, 1.0, 0.0]))
    return FeModel(CASE, patch.mesh("B31", section), held(patch, u0=ALL))


def pulled(model: FeModel, component: int) -> FeModel:
    """A unit force at the end."""
    end = model.mesh.node_sets["u1"]
    return replace(model, loads=spread(end, component, 1.0))


def twisting(kind: str, n: int) -> FeModel:
    """A unit torque on a mesh that can feel Saint-Venant's shear."""
    patch = grid((6 * n, 2 * n), rectangle(6.0, 0.2), kind == "S3")
    mesh = patch.mesh(kind, ShellSection(STUFF, 0.1))
    model = FeModel(CASE, mesh, held(patch, u0=ALL))
    return replace(model, loads=even(patch.node_sets["u1"], RX, 1.0))


def models() -> Iterator[tuple[str, str, FeModel]]:
    """Kind, shape of the elements and model."""
    for kind in ("S4", "S3"):
        for shape in SHAPES:
            yield kind, shape, shells(kind, shape)
    for shape in SHAPES:
        yield "C3D8", shape, bricks(shape)
    yield "B31", "", beams()


def rungs(fine: bool) -> Iterator[Rung]:
    for kind, shape, model in models():
        for component, (name, reference) in TIP.items():
            excuse = EXCUSES.get((kind, shape, component), "")
            wanted = Wanted(
                CASE,
                " ".join(filter(None, [f"{kind},", shape, name])),
                reference,
                within(GATES.get((kind, component), 0.03)),
                SOURCE,
                parts=_parts(kind, shape, fine),
                deck=fine or shape == "rectangles",
                excuse=excuse,
            )
            end = model.mesh.node_sets["u1"]
            yield rest(wanted, pulled(model, component), plain_mean(end, component))
    for kind in ("S4", "S3"):
        n = cells(fine, 4, 10)
        model = twisting(kind, n)
        wanted = Wanted(
            CASE,
            f"{kind} {6 * n} × {2 * n}, twist",
            0.0341,
            within(0.03),
            VENANT,
            parts=4 if fine else 0,
            deck=fine,
            excuse=LATE if kind == "S3" else "",
        )
        yield rest(wanted, model, mean(model.mesh.node_sets["u1"], RX))


def _parts(kind: str, shape: str, fine: bool) -> int:
    if kind == "S4" and shape == "rectangles":
        return 22
    return 2 if fine or kind == "B31" else 0
