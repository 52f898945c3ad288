"""INP decks: links, instances, steps and generated grids."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.errors import DeckError
from bondline.leaves.fe.formats import parse_inp
from bondline.leaves.fe.links import Equation, Interpolation, RigidLink

from .samples import RICH
from .test_inp_read import BEAM, RECT


def test_distributing_weighs_by_area_and_kinematic_links():
    link = next(k for k in parse_inp(RICH).model.links if isinstance(k, Interpolation))
    assert_allclose(link.weights, 0.25)
    weighted = RICH.replace("SURFACE=LID", "SURFACE=POINTS")
    link = next(
        k for k in parse_inp(weighted).model.links if isinstance(k, Interpolation)
    )
    assert_allclose(link.weights, 2.0)
    rigid = RICH.replace("*DISTRIBUTING\n1, 6", "*KINEMATIC\n1, 3")
    link = next(k for k in parse_inp(rigid).model.links if isinstance(k, RigidLink))
    assert link.components == (0, 1, 2)
    assert len(link.slaves) == 4


@pytest.mark.parametrize(
    "card",
    [
        "*RIGID BODY, REF NODE=14, NSET=TOPNODES",
        "*RIGID BODY, REF NODE=14, ROT NODE=14, TIE NSET=TOPNODES",
        "*KINEMATIC COUPLING, REF NODE=14\nTOPNODES, 1, 6",
        "*COUPLING, REF NODE=14, SURFACE=LID, CONSTRAINT NAME=X\n*KINEMATIC",
        "*MPC\nBEAM, 5, 14\nBEAM, 6, 14\nBEAM, 7, 14\nBEAM, 8, 14",
    ],
)
def test_rigid_links_in_five_ways_are_the_same(card):
    text = RICH.replace(
        "*COUPLING, CONSTRAINT NAME=C, REF NODE=14, SURFACE=LID\n*DISTRIBUTING\n1, 6",
        card,
    )
    links = [k for k in parse_inp(text).model.links if isinstance(k, RigidLink)]
    slaves = np.concatenate([link.slaves for link in links])
    assert {link.master for link in links} == {13}
    assert sorted(slaves.tolist()) == [4, 5, 6, 7]
    assert {link.components for link in links} == {(0, 1, 2, 3, 4, 5)}


def test_mpc_tie_and_pin_equate_dofs():
    text = RICH.replace("*EQUATION\n2\n15, 2, 1., 13, 2, -1.", "*MPC\nPIN, 15, 13")
    links = [k for k in parse_inp(text).model.links if isinstance(k, Equation)]
    assert [link.components for link in links] == [(0, 0), (1, 1), (2, 2)]
    assert_allclose(links[0].coefficients, [1, -1])


PART = """\
*PART, NAME=Bar
*NODE, NSET=ENDS
1, 0., 0., 0.
2, 1., 0., 0.
*ELEMENT, TYPE=T3D2, ELSET=ROD
1, 1, 2
*SOLID SECTION, ELSET=ROD, MATERIAL=STEEL
1e-4
*END PART
*ASSEMBLY, NAME=A
*INSTANCE, NAME=Bar-1, PART=Bar
*END INSTANCE
*INSTANCE, NAME=Bar-2, PART=Bar
1., 0., 0.
1., 0., 0., 1., 0., 1., 90.
*END INSTANCE
*NSET, NSET=TIP, INSTANCE=Bar-2
2
*END ASSEMBLY
*MATERIAL, NAME=STEEL
*ELASTIC
2e11, 0.3
*BOUNDARY
Bar-1.1, 1, 3
Bar-2.ENDS, 3, 3
*STEP
*STATIC
*CLOAD
TIP, 2, 5.
*END STEP
"""


def test_instances_are_moved_turned_and_numbered_apart():
    model = parse_inp(PART).model
    mesh = model.mesh
    assert_array_equal(mesh.ids, [1, 2, 3, 4])
    assert_array_equal(mesh.blocks[0].ids, [1])
    assert_array_equal(mesh.blocks[1].ids, [2])
    assert_allclose(mesh.points[2:], [[1, 0, 0], [1, 1, 0]], atol=1e-15)
    assert_array_equal(mesh.node_sets["TIP"], [3])
    assert_array_equal(mesh.node_sets["Bar-2.ENDS"], [2, 3])
    held = {(int(n), c) for s in model.supports for n in s.nodes for c in s.components}
    assert held == {(0, 0), (0, 1), (0, 2), (2, 2), (3, 2)}
    assert_array_equal(model.loads[0].nodes, [3])


TWO_STEPS = (
    BEAM.format(kind="B31", section=RECT, dof=2)
    + """\
*STEP
*FREQUENCY
5
{boundary}
*CLOAD{op}
TIP, 2, 7.
1, 1, 3.
*END STEP
"""
)


@pytest.mark.parametrize(
    ("op", "step", "forces"),
    [("", 0, {7.0, 3.0}), ("", 1, {100.0}), (", OP=NEW", 2, {7.0, 3.0})],
)
def test_a_later_step_changes_loads(op, step, forces):
    text = TWO_STEPS.format(op=op, boundary="*BOUNDARY\nTIP, 3, 3")
    deck = parse_inp(text, step=step)
    assert {load.value for load in deck.model.loads} == forces
    assert [s.kind for s in deck.steps] == ["static", "frequency"]
    held = sum(len(s.nodes) * len(s.components) for s in deck.model.supports)
    assert held == (6 if step == 1 else 7)
    assert deck.analysis == deck.steps[step - 1]
    assert any("2 steps" in note for note in deck.notes)


def test_new_supports_replace_the_old():
    text = TWO_STEPS.format(op="", boundary="*BOUNDARY, OP=NEW\nTIP, 3, 3")
    held = parse_inp(text).model.supports
    assert [(s.components, len(s.nodes)) for s in held] == [((2,), 1)]


GENERATED = """\
*NODE
1, 0., 0., 0.
5, 2., 0., 0.
21, 0., 1., 0.
25, 2., 1., 0.
*NGEN, NSET=LOW
1, 5, 1
*NGEN, NSET=HIGH
21, 25
*NFILL, NSET=ALL
LOW, HIGH, 2, 10
*ELEMENT, TYPE=S4
1, 1, 2, 12, 11
*ELGEN, ELSET=PLATE
1, 4, 1, 1, 2, 10, 10
*MATERIAL, NAME=M
*ELASTIC
1., 0.
*SHELL SECTION, ELSET=PLATE, MATERIAL=M
1.
"""


def test_generated_grids():
    mesh = parse_inp(GENERATED).model.mesh
    assert sorted(mesh.ids.tolist()) == [*range(1, 6), *range(11, 16), *range(21, 26)]
    at = dict(zip(mesh.ids.tolist(), mesh.points.tolist(), strict=True))
    assert at[13] == [1.0, 0.5, 0.0]
    assert len(mesh.node_sets["ALL"]) == 15
    (block,) = mesh.blocks
    assert block.ids.tolist() == [1, 2, 3, 4, 11, 12, 13, 14]
    assert mesh.ids[block.nodes[-1]].tolist() == [14, 15, 25, 24]


@pytest.mark.parametrize(
    ("old", "new", "card", "finding", "remedy"),
    [
        ("1, 5, 1", "1, 5, 3", "NGEN", "no multiple", "increment"),
        ("1, 5, 1", "1, 6, 1", "NGEN", "no node 6", "*NODE"),
        ("LOW, HIGH", "LOW, 25", "NFILL", "5 and 1", "same number"),
        ("LOW, HIGH, 2, 10", "LOW, HIGH, 2, 1", "NFILL", "already", "one number"),
        ("LOW, HIGH, 2", "LOW, HIGH, 99999999", "NFILL", "5000000", "fewer"),
        ("1, 4, 1, 1, 2", "1, 5, 1, 1, 2", "ELGEN", "not defined", "after all nodes"),
        ("1, 4, 1, 1, 2", "7, 4, 1, 1, 2", "ELGEN", "no element 7", "*ELEMENT"),
        ("2, 10, 10\n", "2, 10, 1\n", "ELGEN", "already", "one number"),
        ("2, 10, 10\n", "2, 10, 999999999\n", "ELGEN", "would number", "below"),
        ("2, 10\n", "2, 999999999\n", "NFILL", "would number", "below"),
    ],
)
def test_mistakes_in_generated_grids(old, new, card, finding, remedy):
    with pytest.raises(DeckError) as caught:
        parse_inp(GENERATED.replace(old, new))
    assert caught.value.place.endswith(f"*{card}")
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy
