"""Assembly: sums of element matrices, to the bit and in any grouping."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.errors import SettingError, UsageError
from bondline.leaves.fe.assemble import assemble
from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.generate import bilinear, grid
from bondline.leaves.fe.mesh import Block
from bondline.leaves.fe.sections import ShellSection

from .parts import DAMPED, STEEL, added, beam, block, mass, plate, rod, spring


def by_loops(mesh, lumped=False):
    """K and M by two loops: slow, and plain."""
    size = 6 * len(mesh.points)
    K, M = np.zeros((size, size)), np.zeros((size, size))
    for one in mesh.blocks:
        element, x = ELEMENTS[one.kind], mesh.points[one.nodes]
        stiff = element.stiffness(x, one.section)
        heavy = element.mass(x, one.section, lumped)
        for nodes, k, m in zip(one.nodes, stiff, heavy, strict=True):
            at = (6 * nodes[:, None] + np.array(element.dofs)).ravel()
            for i, row in enumerate(at):  # a node may occur twice
                np.add.at(K[row], at, k[i])
                np.add.at(M[row], at, m[i])
    return K, M


def mixed():
    """Shells, a brick's corner, a beam, a truss, a mass and a spring in one mesh."""
    return added(
        plate(2, 2),
        [(0.0, 0.0, 1.0), (0.5, 0.0, 1.0), (0.0, 0.5, 1.0), (0.3, 0.3, 2.0)],
        [
            ("T3D2", [0, 9], rod().blocks[0].section),
            ("B33", [[1, 10], [9, 10]], beam().blocks[0].section),
            ("C3D4", [0, 1, 3, 12], block().blocks[0].section),
            ("MASS", [[11]], mass(3.0, 0.1)),
            ("SPRING", [[10, 11]], spring(1e5, 10.0)),
        ],
    )


@pytest.mark.parametrize("lumped", [False, True])
@pytest.mark.parametrize("mesh", [plate(), block(), rod(), beam(), mixed()])
def test_assembly_is_the_sum_over_elements(mesh, lumped):
    made, (K, M) = assemble(mesh, lumped), by_loops(mesh, lumped)
    assert_allclose(made.K.toarray(), K, atol=1e-12 * abs(K).max())
    assert_allclose(made.M.toarray(), M, atol=1e-12 * abs(M).max())


@pytest.mark.parametrize("mesh", [plate(), mixed()])
def test_matrices_are_symmetric_to_the_last_bit(mesh):
    for A in assemble(mesh, rayleigh=(1.0, 1e-5)):
        assert_array_equal(A.toarray(), A.toarray().T)


def test_an_element_may_name_a_node_twice():
    patch = grid((2, 1), bilinear([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]))
    mesh = patch.mesh("S4", ShellSection(STEEL, 0.01))
    truss = rod().blocks[0].section
    folded = added(mesh, (), [("MASS", [[0]], mass(1.0)), ("T3D2", [[0, 1]], truss)])
    nodes = folded.blocks[0].nodes.copy()
    spot = Block("SPRING", np.array([[2, 2]]), spring(1e3), np.array([99]))
    folded = replace(folded, blocks=(*folded.blocks, spot))
    assert nodes.shape == (2, 4)
    K, _ = by_loops(folded)
    assert_allclose(assemble(folded).K.toarray(), K, atol=1e-12 * abs(K).max())


def test_big_blocks_in_pieces_give_the_same():
    """The pieces change only the grouping of sums."""
    mesh = plate(5, 4)
    once, pieces = assemble(mesh), assemble(mesh, at_once=3 * 24**2)
    for A, B in zip(once, pieces, strict=True):
        largest = abs(A).max()
        assert abs(A - B).max() <= 1e-13 * largest
    again = assemble(mesh, at_once=3 * 24**2)
    assert all((A != B).nnz == 0 for A, B in zip(pieces, again, strict=True))


def test_damping_is_that_of_materials_dashpots_and_the_model():
    mesh = added(
        plate(2, 2, material=DAMPED), (), [("SPRING", [[0, 8]], spring(1e5, 10.0))]
    )
    M, C, K = assemble(mesh, rayleigh=(2.0, 1e-4))
    shells = assemble(plate(2, 2))
    dashpots = C - 5.0 * shells.M - 1e-5 * shells.K - 2.0 * M - 1e-4 * K
    lone = 1e-4 * (K - shells.K)  # the spring is ten times its dashpot's 1e5/1e1
    assert_allclose(dashpots.toarray(), lone.toarray(), atol=1e-10 * abs(C).max())


def test_no_damping_costs_nothing():
    assert assemble(plate(2, 2)).C.nnz == 0


def test_renumbering_the_nodes_permutes_the_matrices():
    mesh = mixed()
    order = np.random.default_rng(3).permutation(len(mesh.points))
    where = np.argsort(order)
    blocks = tuple(replace(b, nodes=where[b.nodes]) for b in mesh.blocks)
    other = assemble(replace(mesh, points=mesh.points[order], blocks=blocks))
    slots = (6 * order[:, None] + np.arange(6)).ravel()
    for A, B in zip(assemble(mesh), other, strict=True):
        largest = max(abs(A).max(), 1.0)
        assert abs(A[slots][:, slots] - B).max() <= 1e-12 * largest


def test_unknown_kinds_are_refused():
    mesh = plate(1, 1)
    wrong = replace(mesh, blocks=(replace(mesh.blocks[0], kind="S4X"),))
    with pytest.raises(SettingError, match="no such kind") as error:
        assemble(wrong)
    assert error.value.place == "elements of kind S4X"
    assert "Did you mean 'S4'" in error.value.remedy


def test_a_folded_element_is_named_by_its_number():
    mesh = block((2, 2, 3))
    cells, wrong = mesh.blocks[0], 7
    nodes = cells.nodes.copy()
    nodes[wrong, [0, 1]] = nodes[wrong, [1, 0]]
    ids = 100 + np.arange(len(nodes))
    folded = replace(mesh, blocks=(replace(cells, nodes=nodes, ids=ids),))
    for at_once in (1, 1 << 21):
        with pytest.raises(UsageError) as error:
            assemble(folded, at_once=at_once)
        assert error.value.place.startswith("C3D8 element 107 at (0.75, 0.75, 0.5")
        assert "inside out or folded" in error.value.finding
        assert "mend the mesh there" in error.value.remedy


def test_a_mesh_without_elements_has_empty_matrices():
    empty = replace(plate(1, 1), blocks=())
    assert [A.nnz for A in assemble(empty)] == [0, 0, 0]
