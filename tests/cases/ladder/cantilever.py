"""A cantilever in four parts, shaken at its tip: glued steps are those of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi, sqrt

import numpy as np

from bondline.core import Matrix, uniform
from bondline.gluing import IntegratedModel
from bondline.leaves.fe.generate import grid, line, linear
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.profiles import rectangle as bar
from bondline.leaves.fe.sections import Material, ShellSection
from bondline.leaves.histories import Harmonic
from bondline.numerics import Kinematics, Newmark
from tests.cases.ladder.climb import Wanted, frequencies
from tests.cases.ladder.cutting import Cut, bisected, leaf_states
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import ALL, Z, cells, held, rectangle

CASE, SOURCE = "shaken cantilever", "4-part cantilever of the gluing ladder"
STEEL = Material("steel", 210e9, 0.3, 7850.0)
LENGTH, WIDE, THICK, H = 2.0, 0.2, 0.05, 1e-4
SHAKE = Harmonic(b=(1.0,), omega=100.0 * pi)


def beams() -> FeModel:
    patch = line(16, linear((0, 0, 0), (LENGTH, 0, 0)))
    section = bar(THICK, WIDE).section(STEEL, np.array([0.0, 0.0, 1.0]))
    loads = (NodalForce(patch.node_sets["u1"], Z, 2000.0, SHAKE),)
    return FeModel(CASE, patch.mesh("B33", section), held(patch, u0=ALL), loads=loads)


def shells() -> FeModel:
    patch = grid((16, 2), rectangle(LENGTH, WIDE))
    end = patch.node_sets["u1"]
    loads = (NodalForce(end, Z, 2000.0 / len(end), SHAKE),)
    mesh = patch.mesh("S4", ShellSection(STEEL, THICK))
    return FeModel(CASE, mesh, held(patch, u0=ALL), loads=loads)


def all_at_once(model: FeModel, steps: int) -> Matrix:
    """Displacements of all nodes after every step, by the trapezoidal rule."""
    made = model.assembled
    method, n = Newmark(made.system, H), made.system.M.shape[0]
    now, seen = Kinematics(*np.zeros((3, n))), []
    for k in range(1, steps + 1):
        now = method.step(now, made.load(H * k))
        seen.append(made.dofs.spread(made.T @ now.u))
    return np.array(seen)


def glued(cut: Cut, model: IntegratedModel, steps: int) -> Matrix:
    """The same of the glued parts; every window takes one correction."""
    step, seen = model.start(0.0), []
    for k in range(steps):
        step = model.advance(step.state, uniform(0.0, H, k), {})
        assert step.stats["iterations"] == 1, step.stats
        seen.append(cut.together(leaf_states(step.state.parts)))
    return np.array(seen)


def first_frequency(width: float) -> float:
    """1.8751² of Euler and Bernoulli."""
    return 1.8751041**2 / (2 * pi * LENGTH**2) * sqrt(210e9 / 7850.0 / 12.0) * width


def rungs(fine: bool) -> Iterator[Rung]:
    steps = cells(fine, 100, 1000)
    for kind, model in (("B33", beams()), ("S4", shells())):
        cut = Cut(model, bisected(model.mesh, 4))
        whole = all_at_once(model, steps)
        for parts, made in ((4, cut.flat()), (22, cut.nested())):
            wanted = Wanted(
                CASE, f"{kind}, {steps} steps", first_frequency(THICK), within(0.03),
                SOURCE, parts, 1e-11,
            )  # fmt: skip
            u = glued(cut, made, steps)[..., :3]
            error = np.abs(u - whole[..., :3]).max() / np.abs(whole[..., :3]).max()
            yield Rung(
                wanted.case,
                wanted.name,
                first_frequency(THICK),
                float(frequencies(model, 1)[0]),
                wanted.gate,
                float(error),
                wanted.gluing_gate,
                wanted.cut,
                model.assembled.system.K.shape[0],
                SOURCE,
            )
