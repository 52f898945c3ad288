"""The third bar of the paper's benchmark: `python make_modes.py` writes third.h5.

Ten beam elements, reduced by Craig and Bampton's method to three coordinates: what a
force along the bar at C does at rest, and the two lowest bending modes with both ends
on the axis. Its frame goes along the line from D to C, as that of the assumed modes
(51) does. No damping: the mechanism says how much there is.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bondline.leaves.fe import BeamSection, FeModel, Material
from bondline.leaves.fe.generate import line, linear
from bondline.leaves.fe.plug import Plug
from bondline.leaves.fe.reduction import Wanted
from bondline.leaves.fe.supports import Support
from bondline.leaves.mbd.modal import Attachments, reduced_modes, write_modes
from bondline.leaves.mbd.modes import Modes

MASS, LENGTH, RADIUS, E = 5.0, 1.0, 0.015, 210e9  # kg, m, m, Pa
ELEMENTS = 10
X, Y, Z, RX, RY = range(5)


def bar(elements: int = ELEMENTS) -> FeModel:
    """A round bar along x that moves in the plane, both ends on the axis."""
    area, bend = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4
    steel = Material("steel", E=E, nu=0.3, rho=MASS / (LENGTH * area))
    section = BeamSection(steel, area, bend, bend, 2 * bend, np.array([0.0, 1.0, 0.0]))
    mesh = line(elements, linear((0, 0, 0), (LENGTH, 0, 0))).mesh("B33", section)
    held = (
        Support(tuple(range(elements + 1)), (Z, RX, RY)),
        Support("u0", (X, Y)),
        Support("u1", (Y,)),
    )
    return FeModel("third", mesh, held)


def modes(elements: int = ELEMENTS) -> Modes:
    """Three of them, with nodes at D, C and between."""
    stations = [round(elements * share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    names = ("D", "first", "middle", "second", "C")
    nodes = {name: (row,) for name, row in zip(names, stations, strict=True)}
    return reduced_modes(
        bar(elements),
        {"C": Plug("u1", (X,))},
        Attachments(nodes),
        Wanted(modes=2, samples=0),
    )


if __name__ == "__main__":
    write_modes(Path(__file__).with_name("third.h5"), modes())
