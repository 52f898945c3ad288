"""Meshes of gmsh become models when their groups get sections."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bondline.errors import DeckError
from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.formats import parse_msh
from bondline.leaves.fe.sections import (
    BeamSection,
    Material,
    PointMass,
    ShellSection,
    SolidSection,
    TrussSection,
)

from .samples import MSH2, MSH4

STEEL = Material("steel", 2.1e11, 0.3, 7800.0)
PLATE = ShellSection(STEEL, 0.01)
TET = """\
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 1 "floor"
3 2 "body"
$EndPhysicalNames
$Nodes
10
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 .5 0 0
6 .5 .5 0
7 0 .5 0
8 0 0 .5
9 0 .5 .5
10 .5 0 .5
$EndNodes
$Elements
2
1 9 2 1 1 1 2 3 5 6 7
2 11 2 2 1 1 2 3 4 5 6 7 8 9 10
$EndElements
"""


@pytest.mark.parametrize("text", [MSH2, MSH4])
def test_groups_are_sets(text):
    mesh = parse_msh(text, {"plate": PLATE}).model.mesh
    assert [block.kind for block in mesh.blocks] == ["S4"]
    assert_array_equal(mesh.node_sets["root"], [3, 0])
    assert_array_equal(mesh.node_sets["plate"], [0, 1, 2, 3])
    assert {n: v.tolist() for n, v in mesh.element_sets.items()} == {"plate": [2]}


def test_tetrahedra_of_ten_nodes_have_the_order_of_abaqus():
    mesh = parse_msh(TET, {"body": SolidSection(STEEL)}).model.mesh
    (block,) = mesh.blocks
    x = mesh.points[block.nodes[0]]
    edges = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
    assert_array_equal(x[4:], [(x[i] + x[j]) / 2 for i, j in edges])
    K = ELEMENTS["C3D10"].stiffness(x[None], block.section)[0]
    assert np.linalg.eigvalsh(K).min() > -1e-3 * np.abs(K).max()


def test_faces_of_solids_are_face_sets():
    mesh = parse_msh(TET, {"body": SolidSection(STEEL)}).model.mesh
    assert_array_equal(mesh.face_sets["floor"], [[2, 1]])
    assert len(mesh.node_sets["floor"]) == 6


def test_lines_are_bars_or_beams_by_their_section():
    beam = BeamSection(STEEL, 1.0, 1.0, 1.0, 1.0, np.array([0.0, 0.0, 1.0]))
    for section, kind in ((TrussSection(STEEL, 1.0), "T3D2"), (beam, "B31")):
        blocks = parse_msh(MSH2, {"plate": PLATE, "root": section}).model.mesh.blocks
        assert [block.kind for block in blocks] == ["S4", kind]


def test_a_group_without_a_name_goes_by_its_tag():
    text = MSH2.replace('2\n1 1 "root"\n2 2 "plate"', "0")
    assert set(parse_msh(text, {"2": PLATE}).model.mesh.node_sets) == {"1", "2"}


@pytest.mark.parametrize(
    ("text", "sections", "place", "finding", "remedy"),
    [
        (MSH2, {"plat": PLATE}, "mesh.msh", "'plat'", "'plate'"),
        (MSH2, {}, "mesh.msh", "no group", "root, plate"),
        (MSH2, {"plate": SolidSection(STEEL)}, "$Elements", "type 3", "Mesh"),
        (MSH2, {"plate": PointMass(1.0)}, "$Elements", "PointMass", "section"),
        (MSH2.replace("2.2 0", "2.2 1"), {}, "$MeshFormat", "mode '1'", "text"),
        (MSH2.replace("2.2 0", "3.0 0"), {}, "$MeshFormat", "'3.0'", "4.1"),
        (MSH2.replace("2 1 0 0\n", ""), {}, "$Nodes", "too early", "anew"),
        (MSH2.replace("1 2 3 4\n", "1 2 3 9\n"), {}, "$Elements", "node 9", "anew"),
        (MSH2.replace("2 1 0 0", "2 1 0 x"), {}, "$Nodes", "'x'", "number"),
        (MSH4.split("0 1 0\n$EndN")[0], {}, "$Nodes", "file ends", "anew"),
        ("nothing\nhere\n", {}, "mesh.msh", "$MeshFormat", "gmsh"),
    ],
)
def test_mistakes(text, sections, place, finding, remedy):
    with pytest.raises(DeckError) as caught:
        parse_msh(text, sections)
    assert caught.value.place.endswith(place)
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy
