"""Small nonlinear models that the tests share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bondline.core import Advance, Vector
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import (
    Beams2,
    Beams3,
    Hold,
    Linear,
    Nonlinear,
    NonlinearModel,
    Plastic,
    Socket,
    Statics,
    Stuck,
)
from bondline.leaves.nonlinear.corrector import Newton
from bondline.leaves.nonlinear.elements import fibres
from bondline.leaves.nonlinear.elements.block import Elements
from bondline.leaves.nonlinear.materials.law import Metal
from bondline.leaves.nonlinear.statics import Settled

STEEL = Material("steel", 2.1e11, 0.3, 7850.0)
DAMPED = replace(STEEL, alpha=1.0, beta=1e-5)
YIELDING = Plastic(DAMPED, Linear(4.2e8, 1.5e9), 5e8)
UNDAMPED = Plastic(STEEL, Linear(4.2e8, 1.5e9), 5e8)


def row(count: int) -> np.ndarray:
    """Pairs of neighbours."""
    return np.column_stack([np.arange(count), np.arange(1, count + 1)])


def straight(length: float, count: int) -> np.ndarray:
    """Points along x."""
    points = np.zeros((count + 1, 3))
    points[:, 0] = np.linspace(0.0, length, count + 1)
    return points


def plane_cantilever(metal: Metal = STEEL, count: int = 4, **how: object) -> Nonlinear:
    """A box of 40 × 30 × 3 mm, 1 m long, held at its first end."""
    beams = Beams2(row(count), fibres.flat_box(metal, 0.04, 0.03, 0.003))
    held = (Hold((0,), (0, 1, 5)),)
    model = NonlinearModel("plane", straight(1.0, count), (beams,), held)
    ports = {
        "tip": Socket((count,), (0, 1)),
        "middle": Socket((count // 2,), (0, 1, 5)),
    }
    return Nonlinear(model, ports, **how)


def space_cantilever(metal: Metal = STEEL, count: int = 4, **how: object) -> Nonlinear:
    """The same in space, with a frame at its tip."""
    section = fibres.box(metal, 0.04, 0.03, 0.003, 4)
    beams = Beams3(row(count), section, np.array([0.0, 1.0, 0.0]))
    held = (Hold((0,), (0, 1, 2, 3, 4, 5)),)
    model = NonlinearModel("space", straight(1.0, count), (beams,), held)
    ports = {"tip": Socket((count,), frame=True), "middle": Socket((count // 2,))}
    return Nonlinear(model, ports, **how)


def one_block(points: np.ndarray, block: Elements, *held: Hold) -> NonlinearModel:
    """A model of one block."""
    return NonlinearModel("block", points, (block,), held)


def settled(
    model: NonlinearModel, load: Vector, first: float = 1.0, most: float = 1.0
) -> Settled:
    """At rest under a load, from nothing; fails where it is not found."""
    statics = Statics(model, Newton(1e-10), np.zeros(model.dofs.size), first, most)
    leaf = Nonlinear(model, {})
    found = statics.settle(leaf.fields(leaf.start(0.0).state), load)
    assert not isinstance(found, Stuck), found
    return found


def at(advance: object) -> Advance[Vector]:
    """What was advanced; fails where it was rejected."""
    assert isinstance(advance, Advance), advance
    return advance
