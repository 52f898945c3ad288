"""How far two runs of the truck frame are apart: every number, by its own size."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bondline.core import Frame
from bondline.run import simulate
from tests.cases.truck_frame.glued import DT, leaves

ALLOWED = 1e-10


@dataclass
class Ports:
    """What the ports do, besides the frames of a run; `model` has its parts here."""

    model: object
    frames: list[Frame] = field(default_factory=list)
    motions: list[np.ndarray] = field(default_factory=list)  # x, v, a × dofs

    def write(self, frame, state) -> None:
        self.frames.append(frame)
        rows = []
        for name, own in leaves(self.model, state):
            dofs = np.concatenate(list(self.leaf(name).select.values()))
            rows.append(own.reshape(3, -1)[:, dofs])
        self.motions.append(np.concatenate(rows, axis=1))

    def leaf(self, name, among=None):
        """The part of that name, in whatever layer."""
        parts = (among or self.model).parts
        inner = [p for p in parts.values() if hasattr(p, "parts")]
        if name in parts:
            return parts[name]
        return next(found for p in inner if (found := self.leaf(name, p)))


def driven(model, windows) -> Ports:
    """A run in process, and all that it shows."""
    kept = Ports(model)
    simulate(model, windows * DT, DT, record=kept)
    return kept


def shares(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Of every column: the largest difference, as a share of its largest number."""
    return np.abs(one - two).max(axis=0) / np.abs(two).max(axis=0)


def assert_same_frames(one: list[Frame], two: list[Frame]) -> None:
    """Each published value and each component of each joint force, by its own size."""
    one, two = one[1:], two[1:]
    assert [f.t for f in one] == [f.t for f in two]
    for what in (published, forces):
        _require(what.__name__, shares(what(one), what(two)))


def published(frames) -> np.ndarray:
    return np.array([[v.value for v in f.values.values()] for f in frames])


def forces(frames) -> np.ndarray:
    each = [[r.coefficients.ravel() for r in f.forces.values()] for f in frames]
    return np.array([np.concatenate(rows) for rows in each])


def assert_same_motion(one: Ports, two: Ports) -> None:
    """And each energy, and each dof of each port."""
    energies = (
        [[f.energy.stored, f.energy.dissipated, f.energy.supplied] for f in run]
        for run in (one.frames[1:], two.frames[1:])
    )
    _require("energies", shares(*map(np.array, energies)))
    mine, other = (np.array(run.motions)[1:] for run in (one, two))
    for level in (0, 1):  # x and v
        _require(f"level {level}", shares(mine[:, level], other[:, level]))
    # turning accelerations, 4 x/h² and less, are round-off of x: by the largest of
    # their kind, of all ports
    kinds = (
        np.moveaxis(a[:, 2].reshape(len(a), -1, 2, 3), 2, 0) for a in (mine, other)
    )
    for a, b in zip(*kinds, strict=True):
        _require("a", np.abs(a - b) / np.abs(b).max())


def _require(what: str, off: np.ndarray) -> None:
    assert off.max() <= ALLOWED, f"{what}: {off.max():.1e} at column {off.argmax()}"
