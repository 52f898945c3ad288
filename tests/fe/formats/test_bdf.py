"""Nastran bulk data become the models they describe."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.errors import DeckError
from bondline.leaves.fe.formats import (
    Analysis,
    inp_text,
    parse_bdf,
    parse_inp,
    parse_msh,
)
from bondline.leaves.fe.formats.bdf.fields import entries, plain
from bondline.leaves.fe.links import Interpolation, RigidLink
from bondline.leaves.fe.loads import Gravity, Pressure
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import (
    BeamSection,
    Bushing,
    Material,
    PointMass,
    ShellSection,
    TrussSection,
)
from bondline.leaves.fe.static import static

from .samples import BULK, MSH2, MSH4

SAME = """\
*NODE
1, 0., 0., 0.
2, 1., 0., 0.
3, 1., 1., 0.
4, 0., 1., 0.
*ELEMENT, TYPE=S4, ELSET=PROPERTY_5
1, 1, 2, 3, 4
*NSET, NSET=SET_1
3, 4
*MATERIAL, NAME=MAT1_7
*ELASTIC
2.1e11, .3
*DENSITY
7800.
*SHELL SECTION, ELSET=PROPERTY_5, MATERIAL=MAT1_7
.01
*BOUNDARY
1, 1, 6
4, 1, 6
*STEP
*STATIC
*CLOAD
2, 3, 10.
3, 3, 10.
*END STEP
"""
GRIDS = """\
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,1.,0.
GRID,4,,0.,1.,0.
GRID,5,,0.,0.,1.
GRID,6,,1.,0.,1.
GRID,7,,1.,1.,1.
GRID,8,,0.,1.,1.
MAT1,1,2.+11,,.3,8000.
"""


def bulk(text: str, control: str = "") -> FeModel:
    return parse_bdf(f"{control}BEGIN BULK\n{GRIDS}{text}").model


def test_bulk_data_and_inp_describe_the_same_model():
    one, two = parse_bdf(BULK).model, parse_inp(SAME).model
    assert inp_text(one, dialect="abaqus") == inp_text(two, dialect="abaqus")


@pytest.mark.parametrize("mesh", [MSH2, MSH4])
def test_three_formats_one_answer(mesh):
    steel = Material("steel", 2.1e11, 0.3, 7800.0)
    made = parse_msh(mesh, {"plate": ShellSection(steel, 0.01)}).model
    given = parse_bdf(BULK).model
    u = static(given).u
    loaded = FeModel("m", made.mesh, given.supports, (), given.loads)
    assert_array_equal(made.mesh.node_sets["root"], [3, 0])
    assert_allclose(static(loaded).u, u, rtol=1e-12)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.5+3", "1.5e+3"), ("-7.8-9", "-7.8e-9"), ("1.D+3", "1.e+3"), ("12", "12"),
     ("-3", "-3"), ("THRU", "THRU")],
)  # fmt: skip
def test_numbers_without_an_e(text, value):
    assert plain(text) == value


def test_free_small_and_large_fields_and_continuations_are_the_same():
    free = "RBE2,1,2,123456,3,4,5,6,7\n,8,9,10"
    small = "".join(
        f"{x:<8}" for x in ["RBE2", "1", "2", "123456", "3", "4", "5", "6", "7"]
    )
    small += "\n" + " " * 8 + "".join(f"{x:<8}" for x in (8, 9, 10))
    large = "".join([f"{'RBE2*':<8}", *(f"{x:>16}" for x in ["1", "2", "123456", "3"])])
    large += "\n" + f"{'*':<8}" + "".join(f"{x:>16}" for x in (4, 5, 6, 7))
    large += "\n" + f"{'*':<8}" + "".join(f"{x:>16}" for x in (8, 9, 10))
    rows = []
    for text in (free, small, large):
        (entry,) = entries(enumerate(text.split("\n"), start=1), "f")
        rows.append((entry.name, entry.row.fields))
    assert rows[0] == rows[1] == rows[2]


def test_beams_have_their_planes():
    model = bulk("CBAR,1,1,1,2,0.,1.,0.\nPBAR,1,1,2.,3.,4.,5.\n,,,,,,,,\n,.5,.25\n")
    section = model.mesh.blocks[0].section
    assert isinstance(section, BeamSection)
    assert (section.I22, section.I11, section.J) == (3.0, 4.0, 5.0)  # plane 1 is axis 1
    assert (section.shear1, section.shear2) == (1.0, 0.5)
    assert_allclose(section.direction, [0, 1, 0])
    by_node = bulk("CBAR,1,1,1,2,4\nPBAR,1,1,2.,3.,4.,5.\n").mesh.blocks[0].section
    assert_allclose(by_node.direction, [0, 1, 0])
    assert by_node.shear1 == inf


@pytest.mark.parametrize(
    ("shape", "I1", "I2"),
    [
        ("ROD,,,,,.1", np.pi * 1e-4 / 4, np.pi * 1e-4 / 4),
        ("TUBE,,,,,.1,.08", *[np.pi * (1e-4 - 0.08**4) / 4] * 2),
        ("BAR,,,,,.1,.2", 0.1 * 0.2**3 / 12, 0.2 * 0.1**3 / 12),
        ("BOX,,,,,.1,.2,.02,.01", (0.1 * 0.2**3 - 0.08 * 0.16**3) / 12,
         (0.2 * 0.1**3 - 0.16 * 0.08**3) / 12),
    ],
)  # fmt: skip
def test_shapes_of_bars(shape, I1, I2):
    model = bulk(
        f"CBAR,1,1,1,2,0.,1.,0.\nPBARL,1,1,,{shape}\n".replace(",,,,,", ",,,,,\n,")
    )
    section = model.mesh.blocks[0].section
    assert_allclose((section.I22, section.I11), (I1, I2))


def test_a_local_system_and_held_grids():
    model = bulk(
        "CORD2R,9,,1.,1.,1.,1.,1.,2.\n,1.,2.,1.\nGRID,10,9,2.,3.,4.,,135\n"
        "CROD,1,1,1,10\nPROD,1,1,.5\n"
    )
    assert_allclose(model.mesh.points[-1], [1 - 3, 1 + 2, 1 + 4])
    assert model.supports[0].components == (0, 2, 4)
    assert isinstance(model.mesh.blocks[0].section, TrussSection)


def test_masses_springs_and_links():
    model = bulk(
        "CONM2,1,5,,2.5,,,,\n,1.,.1,2.,.2,.3,3.\nCELAS2,2,100.,5,3,6,3\n"
        "CELAS2,3,50.,5,1\nCDAMP2,4,7.,0,,6,2\n"
        "RBE2,5,1,123,2,3\nRBE3,6,,8,123456,1.,123,4,\n,5,2.,123,7\n"
    )
    sections = [block.section for block in model.mesh.blocks]
    mass = next(s for s in sections if isinstance(s, PointMass))
    assert_allclose(mass.inertia, [[1, -0.1, -0.2], [-0.1, 2, -0.3], [-0.2, -0.3, 3]])
    springs = [s for s in sections if isinstance(s, Bushing)]
    assert [np.flatnonzero(s.stiffness + s.damping)[0] for s in springs] == [2, 0, 1]
    rigid, mean = model.links
    assert isinstance(rigid, RigidLink)
    assert isinstance(mean, Interpolation)
    assert_array_equal(rigid.slaves, [1, 2])
    assert_allclose(mean.weights, [1, 1, 2])
    assert mean.reference == 7


SOLID = "CHEXA,1,1,1,2,3,4,5,6,\n,7,8\nPSOLID,1,1\n"


def test_pressure_on_a_face_of_a_solid_and_along_the_normal_of_a_shell():
    top = bulk(SOLID + "PLOAD4,1,1,5.,,,,5,7\n").loads[0]
    assert isinstance(top, Pressure)
    assert_array_equal(top.faces, [[1, 2]])
    shell = bulk("CQUAD4,1,1,1,2,3,4\nPSHELL,1,1,.1,1\nPLOAD4,1,1,5.\n").loads[0]
    assert_array_equal(shell.faces, [[1, 2]])  # into the bottom: along the normal
    tet = bulk("CTETRA,1,1,1,2,4,5\nPSOLID,1,1\nPLOAD4,1,1,5.,,,,1,5\n").loads[0]
    assert_array_equal(tet.faces, [[1, 1]])


def test_case_control_chooses_and_combines():
    text = SOLID + (
        "LOAD,9,2.,3.,1,1.,2\nFORCE,1,7,0,1.,1.,0.,0.\nGRAV,2,0,9.81,0.,0.,-1.\n"
        "FORCE,3,7,0,1.,1.,0.,0.\nSPCADD,8,1,2\nSPC1,1,1,1,THRU,4\nSPC,2,5,2,.1\n"
        "SPC1,3,3,8\nMOMENT,1,7,0,1.,0.,0.,4.\nEIGRL,1,,,6\nPARAM,POST,-1\n"
    )
    deck = parse_bdf(f"SPC = 8\nLOAD = 9\nBEGIN BULK\n{GRIDS}{text}")
    force, moment, gravity = deck.model.loads
    assert (force.value, moment.component, moment.value) == (6.0, 5, 24.0)
    assert isinstance(gravity, Gravity)
    assert_allclose(gravity.vector, [0, 0, -2 * 9.81])
    held = {(s.components, s.value, len(s.nodes)) for s in deck.model.supports}
    assert held == {((0,), 0.0, 4), ((1,), 0.1, 1)}
    assert deck.analysis == Analysis("frequency", modes=6)
    assert any("PARAM" in note for note in deck.notes)


def test_offsets_of_shells_are_along_the_normal():
    model = bulk("CQUAD4,1,1,1,2,3,4,,.02\nPSHELL,1,1,.1,1,,1\n")
    assert model.mesh.blocks[0].section.offset == 0.02


MISTAKES = [
    ("CQUAD8,1,1,1,2,3,4", "CQUAD8", "not understood", "CQUAD4"),
    ("GRID,1,,0.,0.,0.", "GRID", "already", "anew"),
    ("GRID,20,7,0.,0.,0.", "GRID", "CORD2R 7", "basic"),
    ("GRID,20,,0.,0.,0.,3", "GRID", "CD", "blank"),
    ("GRID,20,,zero", "GRID", "'zero'", "number"),
    ("CORD2R,1,,0.,0.,0.,0.,0.,1.\n,0.,0.,2.", "CORD2R", "one line", "third"),
    ("CQUAD4,1,1,1,2,3,99", "CQUAD4", "grid point 99", "GRID"),
    ("CQUAD4,1,1,1,2,3,3", "CQUAD4", "twice", "once"),
    ("CQUAD4,1,1,1,2,3,4", "deck.bdf", "no section", "section"),
    ("CHEXA,1,1,1,2,3,4,5,6", "CHEXA", "6 grid", "eight"),
    ("CTETRA,1,1,1,2,3,4,5", "CTETRA", "5 grid", "four or ten"),
    ("CBAR,1,1,1,2,0.,0.,0.", "CBAR", "zero", "X1"),
    ("CBAR,1,1,1,2,0.,1.,0.\n,4", "CBAR", "pin", "blank"),
    ("PSHELL,1,9,.1,9", "PSHELL", "MAT1 9", "Known: 1"),
    ("PSHELL,1,1,.1", "PSHELL", "MID2", "same number"),
    ("PSHELL,1,1,.1,1,2.", "PSHELL", "12I", "blank"),
    ("PSHELL,1,1,.1,1,,1,,5.", "PSHELL", "NSM", "blank"),
    ("CROD,1,1,1,2\nPSHELL,1,1,.1,1", "PSHELL", "T3D2", "S3, S4"),
    ("PROD,1,1,.5,.1", "PROD", "J", "blank"),
    ("PBARL,1,1,,HAT\n,1.", "PBARL", "'HAT'", "ROD"),
    ("CBAR,1,1,1,2,0.,1.,0.\nPBARL,1,1,,TUBE,,,,\n,1.,1.", "PBARL", "wall", "fit"),
    ("MAT1,2,1.+9,,.6", "MAT1", "0.6", "below 0.5"),
    ("CONM2,1,5,,-1.", "CONM2", "negative", "0 or more"),
    ("CONM2,1,5,,1.,.5", "CONM2", "offset", "blank"),
    ("CELAS2,1,5.,5,1,6,2", "CELAS2", "[1, 2]", "same dof"),
    ("RBE2,1,1,789,2", "RBE2", "'789'", "1 to 6"),
    ("RBE2,1,1,123,1", "RBE2", "no other", "besides"),
    ("RBE2,1,1,123,77", "RBE2", "77", "Define"),
    ("RBE3,1,,8,123,1.,123456,2", "RBE3", "123456", "123"),
    ("RBE3,1,,8,123,1.,123,8", "RBE3", "REFGRID", "other"),
    ("RBE3,1,,8,123,1.,123,2,UM\n,3", "RBE3", "UM", "REFGRID"),
    ("SPC,1,99,1", "SPC", "99", "GRID"),
    ("SPC1,1,1,5,THRU,2", "SPC1", "THRU", "first THRU last"),
    ("FORCE,1,1,5,1.,1.", "FORCE", "system", "blank"),
    ("LOAD,1,1.,1.,2", "LOAD", "no LOAD", "LOAD = n"),
    ("PARAM,WTMASS,.00259", "PARAM", "WTMASS", "kg"),
    (SOLID + "PLOAD4,1,1,5.,,,,1,2", "PLOAD4", "no face", "opposite"),
    (SOLID + "PLOAD4,1,1,5.,6.,,,1,3", "PLOAD4", "varies", "P1"),
    (SOLID + "PLOAD4,1,9,5.", "PLOAD4", "element 9", "Define"),
]


@pytest.mark.parametrize(("text", "entry", "finding", "remedy"), MISTAKES)
def test_a_mistake_is_placed_and_explained(text, entry, finding, remedy):
    with pytest.raises(DeckError) as caught:
        bulk(text + "\n")
    error = caught.value
    assert error.place.endswith(entry)
    assert finding in error.finding
    assert remedy in error.remedy
