"""Patch tests of uneven meshes cut into leaves, and of meshes that do not match."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.core import Matrix, Rejected
from bondline.gluing import glue, joint
from bondline.leaves.fe.generate import Patch, brick, grid
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.loads import Pressure
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection, SolidSection
from bondline.leaves.fe.supports import Support
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung
from tests.cases.ladder.shapes import (
    CUT_SOLIDS,
    RX,
    RY,
    X,
    Y,
    Z,
    even,
    held,
    rectangle,
)

CASE, SOURCE = "patch test", "a linear field is exact"
STUFF = Material("m", 1e6, 0.25, 1.0)
TENSION = np.array([3e3, -2e3, 5e3])  # along x, y, z
GATE = (0.0, 1e-12)


def shaken(patch: Patch, size: float) -> Patch:
    """Nodes inside moved at random; a shell's stay in its plane."""
    low, high = patch.points.min(axis=0), patch.points.max(axis=0)
    span = np.where(high > low, high - low, np.inf)
    at = np.where(high > low, (patch.points - low) / span, 0.5)
    inner = ((at > 1e-9) & (at < 1 - 1e-9)).all(axis=1)
    noise = np.random.default_rng(1).uniform(-size, size, patch.points.shape)
    return patch.mapped(lambda x: x + noise * inner[:, None] * (high > low))


def solid(kind: str, n: int = 3) -> FeModel:
    """A cube pulled on three sides, held on the others."""
    patch = shaken(brick((n, n, n), lambda u: u), 0.2 / n)
    patch = CUT_SOLIDS[kind](patch)
    mesh = patch.mesh(kind, SolidSection(STUFF))
    loads = tuple(
        Pressure(mesh.face_sets[side], -float(pull))
        for side, pull in zip(("u1", "v1", "w1"), TENSION, strict=True)
    )
    return FeModel(CASE, mesh, held(patch, u0=(X,), v0=(Y,), w0=(Z,)), loads=loads)


def stretched(points: Matrix) -> Matrix:
    """Hooke: displacements of the cube under `TENSION`."""
    strain = (1.25 * TENSION - 0.25 * TENSION.sum()) / 1e6
    return points * strain


def plate(kind: str, bent: bool, n: int = 4) -> FeModel:
    """A plate 2 × 1, in tension along both sides, or bent about both."""
    patch = shaken(grid((n, n), rectangle(2.0, 1.0), kind == "S3"), 0.1 / n)
    mesh = patch.mesh(kind, ShellSection(STUFF, 0.1))
    sets = patch.node_sets
    if bent:
        sides = {"u0": (X, RY), "v0": (Y, RX)}
        loads = even(sets["u1"], RY, -1.0) + even(sets["v1"], RX, 2.0)
    else:
        sides = {"u0": (X,), "v0": (Y,)}
        loads = even(sets["u1"], X, 300.0) + even(sets["v1"], Y, -400.0)
    supports = held(patch, **sides)
    corners = sets["corners"][:1] if bent else sets["corners"]
    supports += (Support(corners, (Z,)),)
    return FeModel(CASE, mesh, supports, loads=loads)


def in_tension(points: Matrix) -> Matrix:
    """300 N over 0.1 m², −400 N over 0.2 m²."""
    s = np.array([3e3, -2e3])
    u = points.copy()
    u[:, :2] *= (1.25 * s - 0.25 * s.sum()) / 1e6
    return u


def bent(points: Matrix) -> Matrix:
    """Moments of 1 N m over 1 m and 2 N m over 2 m: curvatures are alike."""
    D = 1e6 * 0.1**3 / (12.0 * (1.0 - 0.25**2))
    k = 1.0 / (D * 1.25)
    w = 0.5 * k * (points[:, 0] ** 2 + points[:, 1] ** 2)
    return np.column_stack([0 * w, 0 * w, w])


def off(exact):
    """A reading: the largest error of displacements, by the largest of them."""

    def read(model: FeModel, u: Matrix) -> float:
        right = exact(model.mesh.points)
        return float(np.abs(u[:, :3] - right).max() / np.abs(right).max())

    return read


def rungs(fine: bool) -> Iterator[Rung]:
    for kind in CUT_SOLIDS:
        wanted = Wanted(
            CASE, f"{kind}, tension on three sides", 0.0, GATE, SOURCE,
            4 if kind == "C3D8" else 2, 1e-11,
        )  # fmt: skip
        yield rest(wanted, solid(kind), off(stretched))
    for kind in ("S4", "S3"):
        for words, exact in (("membrane", in_tension), ("bending", bent)):
            wanted = Wanted(CASE, f"{kind}, {words}", 0.0, GATE, SOURCE, 4, 1e-11)
            model = plate(kind, words == "bending")
            yield rest(wanted, model, off(exact))
    yield unmatched()


def cube(name: str, n: int, near: bool) -> FeModel:
    """One of two cubes along x; the near one is held, the far one pulled."""
    shift = np.array([0.0 if near else 1.0, 0.0, 0.0])
    patch = brick((2, n, n), lambda u: u + shift)
    mesh = patch.mesh("C3D8", SolidSection(STUFF))
    pulls = {"v1": TENSION[1], "w1": TENSION[2]}
    sides = {"v0": (Y,), "w0": (Z,)}
    if near:
        sides["u0"] = (X,)
    else:
        pulls["u1"] = TENSION[0]
    loads = [Pressure(mesh.face_sets[s], -float(p)) for s, p in pulls.items()]
    return FeModel(name, mesh, held(patch, **sides), loads=tuple(loads))


def unmatched() -> Rung:
    """Meshes of 2 × 2 and 3 × 3 at the face between two cubes."""
    models = [cube("near", 2, True), cube("far", 3, False)]
    leaves = [
        fe_leaf(m, {"face": Plug(side)})
        for m, side in zip(models, ("u1", "u0"), strict=True)
    ]
    tie = joint("mesh-tie", "far.face", "near.face")
    made = glue("pair", leaves, {"tie": tie})
    found = made.equilibrium(made.start(0.0).state, 1.0, {}, {})
    assert not isinstance(found, Rejected), found
    error, dofs = 0.0, 0
    for model in models:
        q = found.state.parts[model.name].reshape(3, -1)[0]
        u = model.assembled.dofs.spread(model.assembled.T @ q)
        error = max(error, off(stretched)(model, u))
        dofs += len(q)
    name = "C3D8, meshes that do not match"
    return Rung(CASE, name, 0.0, error, GATE, error, 1e-12, "2", dofs, SOURCE)
