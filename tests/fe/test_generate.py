"""Parametric meshes: counts, orientation, sets, and how patches are joined."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.errors import UsageError
from bondline.leaves.fe.generate import (
    Patch,
    Piece,
    bilinear,
    brick,
    coincident,
    extrude,
    grid,
    join,
    line,
    linear,
    point,
    to_tet4,
    to_tet10,
    trilinear,
)
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.pressure import pressed
from bondline.leaves.fe.sections import (
    Material,
    PointMass,
    ShellSection,
    SolidSection,
)

STEEL = Material("steel", 2.1e11, 0.3, 7850.0)
PLATE = ShellSection(STEEL, 0.01)
SQUARE = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)]
CUBE = [*SQUARE, *((x, y, 3) for x, y, _ in SQUARE)]
TET_FACES = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))
BRICK_FACES = ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1))
BRICK_FACES += ((1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0))


def volumes(tets: Patch) -> np.ndarray:
    x = tets.points[tets.nodes[:, :4]]
    return np.linalg.det(x[:, 1:] - x[:, :1]) / 6.0


def test_a_grid_has_its_nodes_elements_and_edges():
    plate = grid((4, 3), bilinear(SQUARE))
    assert plate.points.shape == (20, 3)
    assert plate.nodes.shape == (12, 4)
    assert_allclose(plate.points[plate.node_sets["u1"], 0], 2.0)
    assert_allclose(plate.points[plate.node_sets["v0"], 1], 0.0)
    assert_allclose(plate.points[plate.node_sets["corners"]], SQUARE)


@pytest.mark.parametrize("triangles", [False, True])
def test_normals_of_a_grid_point_along_the_product_of_its_tangents(triangles):
    plate = grid((4, 3), bilinear(SQUARE), triangles=triangles)
    x = plate.points[plate.nodes]
    normals = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
    assert np.all(normals[:, 2] > 0.0)


def test_the_top_of_a_grid_is_where_its_normal_comes_out():
    """Pressure on the top pushes against the normal, on the bottom along it."""
    mesh = grid((4, 3), bilinear(SQUARE)).mesh("S4", PLATE)
    for side, sign in (("top", -1.0), ("bottom", 1.0)):
        force = pressed(mesh, mesh.face_sets[side]).sum(axis=0)
        assert_allclose(force, [0.0, 0.0, 2.0 * sign], atol=1e-15)


def test_a_point_is_one_node_for_one_element():
    mesh = join({"motor": Piece(point((1, 2, 3)), "MASS", PointMass(5.0))})
    assert_allclose(mesh.points, [(1, 2, 3)])
    assert mesh.node_sets["motor"].tolist() == [0]
    assert_allclose(FeModel("m", mesh).assembled.system.M.diagonal(), 5.0)


def test_parameters_can_be_given_instead_of_a_count():
    bar = line([0.0, 0.1, 1.0], linear((0, 0, 0), (0, 0, 10)))
    assert_allclose(bar.points[:, 2], [0.0, 1.0, 10.0])
    assert_array_equal(bar.node_sets["u1"], [2])


def test_a_brick_is_right_handed_and_knows_its_sides():
    block = brick((2, 3, 4), trilinear(CUBE))
    x = block.points[block.nodes]
    edges = x[:, [1, 3, 4]] - x[:, :1]
    assert np.all(np.linalg.det(edges) > 0.0)
    assert_allclose(block.points[block.node_sets["corners"]], CUBE)
    sides = zip("uuvvww", "010101", strict=True)
    for axis, (letter, end) in enumerate(sides):
        rows = block.node_sets[letter + end]
        faces = block.face_sets[letter + end]
        on_faces = [block.nodes[e][list(BRICK_FACES[f - 1])] for e, f in faces]
        assert set(np.ravel(on_faces)) == set(rows)
        assert np.ptp(block.points[rows, axis // 2]) == 0.0


def test_tetrahedra_fill_the_bricks_and_fit():
    tets = to_tet4(brick((2, 3, 2), trilinear(CUBE)))
    assert np.all(volumes(tets) > 0.0)
    assert_allclose(volumes(tets).sum(), 6.0)
    faces = np.sort(tets.nodes[:, TET_FACES].reshape(-1, 3), axis=1)
    _, uses = np.unique(faces, axis=0, return_counts=True)
    outside = 2 * 2 * (2 * 3 + 3 * 2 + 2 * 2)
    assert np.sum(uses == 1) == outside
    assert set(uses) == {1, 2}


def test_face_sets_of_tetrahedra_lie_where_those_of_the_bricks_were():
    tets = to_tet10(brick((2, 3, 2), trilinear(CUBE)))
    for name, rows in tets.face_sets.items():
        corners = [tets.nodes[e][list(TET_FACES[f - 1])] for e, f in rows]
        assert set(np.ravel(corners)) <= set(tets.node_sets[name])
    assert len(tets.face_sets["u0"]) == 2 * 3 * 2


def test_middle_nodes_are_in_the_middle_and_in_the_sets():
    tets = to_tet10(brick((1, 2, 1), trilinear(CUBE)))
    x = tets.points[tets.nodes]
    assert_allclose(x[:, 4], 0.5 * (x[:, 0] + x[:, 1]))
    assert_allclose(x[:, 9], 0.5 * (x[:, 2] + x[:, 3]))
    on_side = np.flatnonzero(tets.points[:, 0] == 2.0)
    assert set(tets.node_sets["u1"]) == set(on_side)
    assert len(np.unique(tets.points, axis=0)) == len(tets.points)


def test_a_line_swept_twice_is_a_brick():
    bar = line(3, linear((0, 0, 0), (2, 0, 0)))
    shell = extrude(bar, 2, (0, 1, 0))
    solid = extrude(shell, 4, (0, 0, 3))
    whole = brick((3, 2, 4), trilinear(CUBE))
    assert_allclose(solid.points, whole.points)
    assert_array_equal(solid.nodes, whole.nodes)
    assert set(solid.node_sets["u1"]) == set(whole.node_sets["u1"])
    assert_array_equal(solid.face_sets["end"], whole.face_sets["w1"])


def test_joined_patches_share_the_nodes_where_they_meet():
    left = grid((4, 3), bilinear(SQUARE))
    right = left.moved((2.0, 0.0, 0.0))
    both = join({"l": Piece(left, "S4", PLATE), "r": Piece(right, "S4", PLATE)})
    assert len(both.points) == 20 + 20 - 4
    assert both.elements == 24
    assert set(both.node_sets["l.u1"]) == set(both.node_sets["r.u0"])
    assert_array_equal(both.element_sets["r"], np.arange(13, 25))
    whole = grid((8, 3), bilinear([(0, 0, 0), (4, 0, 0), (4, 1, 0), (0, 1, 0)]))
    assert {tuple(p) for p in both.points} == {tuple(p) for p in whole.points}


def test_face_sets_follow_their_elements_into_a_joined_mesh():
    low = brick((1, 1, 2), trilinear(CUBE))
    top = Piece(low.moved((0, 0, 3)), "C3D8", SolidSection(STEEL))
    both = join({"low": Piece(low, "C3D8", SolidSection(STEEL)), "top": top})
    assert both.face_sets["low.w1"].tolist() == [[2, 2]]
    assert both.face_sets["top.w1"].tolist() == [[4, 2]]


def test_coincident_points_keep_their_order():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1e-12], [2, 0, 0.0]])
    keep, place = coincident(points, 1e-9)
    assert keep.tolist() == [0, 1, 3]
    assert place.tolist() == [0, 1, 0, 2]


def test_a_selection_drops_loose_nodes_and_follows_the_sets():
    block = brick((2, 1, 1), trilinear(CUBE)).with_set("some", np.array([0, 1]))
    half = block.select(np.array([1]))
    assert half.points.shape == (8, 3)
    assert_allclose(half.points[half.node_sets["u1"], 0], 2.0)
    assert len(half.node_sets["some"]) == 1
    assert len(half.node_sets["u0"]) == 0
    assert half.face_sets["u1"].tolist() == [[0, 4]]


def test_a_mirrored_and_flipped_brick_is_right_handed_again():
    block = brick((2, 1, 1), trilinear(CUBE)).mirrored(0).flipped()
    assert np.all(volumes(to_tet4(block)) > 0.0)


def test_turning_goes_before_shifting():
    R = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    bar = line(1, linear((1, 0, 0), (2, 0, 0))).moved((10.0, 0.0, 0.0), R)
    assert_allclose(bar.points, [[10, 1, 0], [10, 2, 0]])


def test_a_mesh_numbers_from_one():
    mesh = brick((2, 1, 1), trilinear(CUBE)).mesh("C3D8", SolidSection(STEEL))
    assert mesh.ids[0] == 1
    assert mesh.blocks[0].ids.tolist() == [1, 2]
    assert mesh.face_sets["u1"].tolist() == [[2, 4]]


@pytest.mark.parametrize("cells", [0, -1, [0.0], [0.0, 0.5, 0.5], [[0.0, 1.0]]])
def test_cells_that_give_no_elements_are_refused(cells):
    with pytest.raises(UsageError) as e:
        line(cells, linear((0, 0, 0), (1, 0, 0)))
    assert e.value.place == "line"
    assert "gives no row of elements" in e.value.finding
    assert "at least 1" in e.value.remedy


def test_a_map_of_the_wrong_shape_is_refused():
    with pytest.raises(UsageError) as e:
        grid((2, 2), lambda u: u)
    assert e.value.place == "the map of a generator"
    assert "(9, 2)" in e.value.finding
    assert "(9, 3)" in e.value.remedy


def test_what_cannot_be_cut_swept_flipped_or_joined_is_refused():
    triangles = grid((1, 1), bilinear(SQUARE), triangles=True)
    with pytest.raises(UsageError) as e:
        extrude(triangles, 1, (0, 0, 1))
    assert (e.value.place, "3 nodes" in e.value.finding) == ("extrude", True)
    assert "quadrilaterals" in e.value.remedy
    with pytest.raises(UsageError) as e:
        to_tet4(triangles)
    assert (e.value.place, "3 nodes" in e.value.finding) == ("to_tet4", True)
    assert "eight-node bricks" in e.value.remedy
    with pytest.raises(UsageError) as e:
        to_tet10(brick((1, 1, 1), trilinear(CUBE))).flipped()
    assert (e.value.place, "10 nodes" in e.value.finding) == ("Patch.flipped", True)
    assert "before you refine" in e.value.remedy
    with pytest.raises(UsageError) as e:
        join({})
    assert (e.value.place, e.value.finding) == ("join", "there are no pieces.")
    assert "at least one" in e.value.remedy
