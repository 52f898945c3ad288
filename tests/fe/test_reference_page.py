"""The page about finite elements lists every kind as the code has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bondline.core import FRAME_DOFS
from bondline.leaves.fe.elements import ELEMENTS, SECTIONS
from bondline.leaves.fe.elements.element import Faced, Resultant, Stressed
from bondline.leaves.fe.formats.inp.kinds import KINDS
from bondline.leaves.fe.sections import (
    Material,
    ShellSection,
    SolidSection,
    TrussSection,
)

DOCS = Path(__file__).resolve().parents[2] / "docs"
STEEL = Material("steel", 2.1e11)
SAMPLES = {
    "ShellSection": ShellSection(STEEL, 0.1),
    "SolidSection": SolidSection(STEEL),
    "TrussSection": TrussSection(STEEL, 0.1),
}
TET = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
SQUARE = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=float)
EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
CORNERS = {
    "C3D4": TET,
    "C3D8": np.concatenate([SQUARE, SQUARE + np.array([0, 0, 1])]),
    "C3D10": np.concatenate([TET, [TET[list(e)].mean(axis=0) for e in EDGES]]),
    "S3": TET[:3],
    "S4": SQUARE,
    "T3D2": TET[:2],
}


def dofs(kind: str) -> str:
    return " ".join(FRAME_DOFS[c] for c in ELEMENTS[kind].dofs)


def faces(kind: str) -> str:
    element = ELEMENTS[kind]
    if not isinstance(element, Faced):
        return "-"
    listed = element.faces
    if kind in ("S3", "S4"):  # top and bottom
        listed = (listed[0], listed[0][::-1])
    return "; ".join(" ".join(str(n + 1) for n in face) for face in listed)


def results(kind: str) -> str:
    """Layers of stress, or section forces."""
    element, said = ELEMENTS[kind], []
    if isinstance(element, Stressed):
        x = CORNERS[kind][None]
        u = np.zeros((1, x.shape[1] * len(element.dofs)))
        found = element.recover(x, SAMPLES[SECTIONS[kind].__name__], u)
        said.append(", ".join(found.layers))
    if isinstance(element, Resultant):
        said.append("section forces")
    return "; ".join(said) or "-"


def row(kind: str) -> str:
    """A kind as a line of the table."""
    types = " ".join(sorted(t for t, k in KINDS.items() if k == kind))
    cells = (f"`{kind}`", str(ELEMENTS[kind].nodes), dofs(kind))
    cells += (f"`{SECTIONS[kind].__name__}`", faces(kind), results(kind), types)
    return f"| {' | '.join(cells)} |"


@pytest.mark.parametrize("kind", sorted(ELEMENTS))
def test_a_kind_is_on_the_page_as_it_is(kind):
    page = (DOCS / "reference" / "finite_elements.md").read_text(encoding="utf-8")
    assert row(kind) in page.splitlines(), row(kind)


def test_every_kind_has_a_section():
    assert ELEMENTS.keys() == SECTIONS.keys()
