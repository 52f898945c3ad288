"""The truck frame glued from its six parts, every node of it on record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from bondline.build import open_model
from bondline.core import Advance, Model, Window
from tests.cases.truck_frame.all_at_once import Motion, Whole, parts, spread
from tests.cases.truck_frame.decks import FOLDER

DT = 5e-4


@dataclass
class Glued:
    """The motion of the whole, what every window counted, and the joints' forces."""

    motion: Motion
    stats: list[dict[str, float]]
    forces: dict[str, np.ndarray]  # instants × components


@cache
def frame(file: str) -> Model:
    """The model of that file; made once for all tests."""
    return open_model(FOLDER / file).model


def run(file: str, steps: int, whole: Whole) -> Glued:
    """The model of that file over so many windows."""
    model = frame(file)
    now, models = model.start(0.0), parts()
    u = np.zeros((steps + 1, len(whole.model.mesh.points), 6))
    glued = Glued(Motion(u, np.zeros_like(u)), [], {})
    forces = []
    for k in range(steps + 1):
        for name, state in leaves(model, now.state):
            q = state.reshape(3, -1)
            for level, store in ((0, glued.motion.u), (2, glued.motion.a)):
                store[k, whole.rows[name]] = spread(models[name], q[level])
        if k:
            glued.stats.append(dict(now.stats))
            forces.append(model.reactions(now.state))
        if k < steps:
            window = Window(k * DT, (k + 1) * DT)
            now = model.advance(now.state, window, {})
            assert isinstance(now, Advance)
    glued.forces = {
        name: np.array([f[name].coefficients.sum(axis=0) for f in forces])
        for name in forces[-1]
    }
    return glued


def leaves(model: Model, state) -> Iterator[tuple[str, np.ndarray]]:
    """States of all leaves by their names."""
    for name, part in model.parts.items():
        inner = state.parts[name]
        if hasattr(part, "parts"):
            yield from leaves(part, inner)
        else:
            yield name, inner
