"""INP decks become the models they describe."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.errors import DeckError
from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.formats import (
    Analysis,
    inp_text,
    parse_bdf,
    parse_inp,
    read_bdf,
    read_inp,
    read_msh,
)
from bondline.leaves.fe.formats.faces import FACES, NODES
from bondline.leaves.fe.formats.inp.support_cards import NAMED
from bondline.leaves.fe.links import Equation, Interpolation
from bondline.leaves.fe.loads import Gravity, NodalForce, Pressure
from bondline.leaves.fe.sections import BeamSection, Bushing, PointMass, ShellSection
from bondline.leaves.fe.static import static
from bondline.leaves.histories import Harmonic, Table

from .samples import RICH

BEAM = """\
*NODE
1, 0., 0., 0.
2, 2., 0., 0.
3, 4., 0., 0.
*ELEMENT, TYPE={kind}, ELSET=BEAM
1, 1, 2
2, 2, 3
*NSET, NSET=TIP
3
*MATERIAL, NAME=STEEL
*ELASTIC
2e11, 0.3
*DENSITY
8000.
{section}
*BOUNDARY
1, ENCASTRE
*STEP
*STATIC
*CLOAD
TIP, {dof}, 100.
*END STEP
"""
RECT = "*BEAM SECTION, ELSET=BEAM, MATERIAL=STEEL, SECTION=RECT\n0.1, 0.2\n0., 1., 0."


def same(a: str, b: str) -> bool:
    """Whether two decks make the same model."""
    return canonical(a) == canonical(b)


def canonical(text: str) -> str:
    deck = parse_inp(text)
    return inp_text(deck.model, deck.analysis, dialect="abaqus")


def cut(card: str, text: str = RICH) -> str:
    """The deck without the first card that starts with these words."""
    return re.sub(rf"(?m)^\*{card}.*\n(?:(?!\*).*\n)*", "", text, count=1)


def test_everything_in_the_rich_deck_arrives():
    deck = parse_inp(RICH)
    model, mesh = deck.model, deck.model.mesh
    assert [b.kind for b in mesh.blocks] == [
        "C3D8", "S4", "B31", "B31", "T3D2", "MASS", "MASS",
        "SPRING", "SPRING", "SPRING",
    ]  # fmt: skip
    assert mesh.elements == 10
    assert list(mesh.node_sets) == ["all", "Root", "Held", "TOPNODES"]
    assert_array_equal(mesh.ids[mesh.node_sets["Held"]], [1, 5, 4, 8])
    assert_array_equal(mesh.face_sets["FACE"], [[1, 4], [2, 1]])
    assert deck.analysis == Analysis("dynamic", 1e-3, 0.05, -0.1)
    assert {name: p.value for name, p in deck.parameters.items()} == pytest.approx(
        {"thick": 0.01, "f0": 5.0, "omega": 10 * np.pi}
    )
    assert [type(load) for load in model.loads] == [
        NodalForce, NodalForce, Pressure, Pressure, Gravity,
    ]  # fmt: skip
    assert [type(link) for link in model.links] == [Interpolation, Equation]
    assert model.initial[0].velocity == 0.25


def test_histories_and_steps():
    model = parse_inp(RICH).model
    assert model.loads[0].history == Harmonic(0.0, (0.0,), (1.0,), 10 * np.pi, 0.0)
    led = [s for s in model.supports if s.value]
    assert led[0].history == Table((0.0, 0.1), (0.0, 1.0))
    assert led[0].components == (0,)


def test_damping_springs_and_masses():
    sections = [block.section for block in parse_inp(RICH).model.mesh.blocks]
    assert sections[0].material.alpha == 0.5
    masses = [s for s in sections if isinstance(s, PointMass)]
    assert masses[0].mass == 2.5
    assert_allclose(masses[1].inertia, np.diag([0.1, 0.2, 0.3]))
    along, skew, damper = [s for s in sections if isinstance(s, Bushing)]
    assert_allclose(along.stiffness, [1e5, 0, 0, 0, 0, 0])
    assert_allclose(along.axes[0], [1, 0, 0])
    assert_allclose(damper.damping, [10, 0, 0, 0, 0, 0])
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    x, y = np.array([0.0, 1.0, 0.0]), np.array([-1.0, 0.0, 0.0])
    assert_allclose(skew.axes, [c * x + s * y, c * y - s * x, [0, 0, 1]], atol=1e-15)


def test_nodes_on_the_top_put_the_middle_surface_below():
    plate = parse_inp(RICH).model.mesh.blocks[1].section
    assert isinstance(plate, ShellSection)
    assert plate.offset == -0.005


def test_case_blanks_and_comments_do_not_matter():
    loud = RICH.replace("*NODE, NSET=all", "* node ,\n nset = ALL ,\n")
    loud = loud.replace("*SHELL SECTION, ELSET=PLATE", "*shell section, elset=plate")
    loud = loud.replace("\n*", "\n** note\n\n*").replace(
        "1, 1, 2, 3, 4, 5,", "1,1,2,\n3,4,5,"
    )
    loud = loud.replace("\n", "\r\n")
    assert same(loud.replace("ALL ,", "all ,"), RICH)


def test_a_parameter_is_as_if_its_number_were_written():
    changed = parse_inp(RICH, {"THICK": 0.02, "f0": 7.0}).model
    written = RICH.replace("thick = 0.01", "thick = 0.02").replace(
        "f0 = 5.0", "f0 = 7.0"
    )
    expected = parse_inp(written).model
    assert inp_text(changed, dialect="abaqus") == inp_text(expected, dialect="abaqus")


def test_a_parameter_may_be_called_t():
    text = RICH.replace("thick", "t")
    assert parse_inp(text, {"t": 0.03}).model.mesh.blocks[1].section.thickness == 0.03


@pytest.mark.parametrize(("dof", "inertia"), [(2, 0.2 * 0.1**3), (3, 0.1 * 0.2**3)])
def test_a_deck_of_a_cantilever_bends_as_euler_says(dof, inertia):
    deck = parse_inp(BEAM.format(kind="B33", section=RECT, dof=dof))
    tip = deck.model.mesh.node_sets["TIP"]
    bent = static(deck.model).u[tip, dof - 1]
    assert_allclose(bent, 100 * 4**3 / (3 * 2e11 * inertia / 12), rtol=1e-9)


@pytest.mark.parametrize(
    ("section", "area", "I11"),
    [
        ("SECTION=CIRC\n0.1\n", np.pi * 0.01, np.pi * 1e-4 / 4),
        ("SECTION=PIPE\n0.1, 0.02\n", np.pi * (0.01 - 0.0064),
            np.pi * (1e-4 - 0.08**4) / 4),
        ("SECTION=BOX\n0.1, 0.2, 0.01, 0.02, 0.01, 0.02\n", 0.1 * 0.2 - 0.08 * 0.16,
         (0.1 * 0.2**3 - 0.08 * 0.16**3) / 12),
        ("SECTION=I\n0.0, 0.2, 0.1, 0.1, 0.01, 0.01, 0.005\n",
         0.1 * 0.01 * 2 + 0.18 * 0.005, (0.1 * 0.2**3 - 0.095 * 0.18**3) / 12),
    ],
)  # fmt: skip
def test_beam_shapes(section, area, I11):
    card = f"*BEAM SECTION, ELSET=BEAM, MATERIAL=STEEL, {section}0., 1., 0."
    text = BEAM.format(kind="B31", section=card, dof=2)
    made = parse_inp(text).model.mesh.blocks[0].section
    assert isinstance(made, BeamSection)
    assert made.area == pytest.approx(area)
    assert_allclose(made.I11, I11)
    assert made.offset == ((0.0, 0.1) if "=I" in section else (0.0, 0.0))


def test_a_general_section_knows_its_shear_and_centroid():
    card = (
        "*BEAM GENERAL SECTION, ELSET=BEAM, DENSITY=10\n2., 3., 0., 4., 5.\n"
        "\n6., 2.5\n*CENTROID\n0.1, 0.2\n*TRANSVERSE SHEAR STIFFNESS\n50., 25."
    )
    made = parse_inp(BEAM.format(kind="B31", section=card, dof=2)).model.mesh.blocks[0]
    section = made.section
    assert (section.area, section.I11, section.I22, section.J) == (2, 3, 4, 5)
    assert (section.shear1, section.shear2) == pytest.approx((10, 20))
    assert section.offset == (0.1, 0.2)
    assert_allclose(section.direction, [0, 0, -1])


@pytest.mark.parametrize(("name", "components"), NAMED.items())
def test_named_supports_hold_a_plane_or_a_point(name, components):
    text = BEAM.format(kind="B31", section=RECT, dof=2).replace("ENCASTRE", name)
    assert parse_inp(text).model.supports[0].components == components


def test_symmetry_holds_the_normal_and_turns_in_plane():
    for axis, name in enumerate(("XSYMM", "YSYMM", "ZSYMM")):
        turns = {3, 4, 5} - {3 + axis}
        assert set(NAMED[name]) == {axis, *turns}
        assert set(NAMED[name.replace("S", "AS")]) == set(range(6)) - set(NAMED[name])


def test_pressure_on_a_shell_acts_along_its_normal_and_on_a_side_into_it():
    loads = [load for load in parse_inp(RICH).model.loads if isinstance(load, Pressure)]
    assert_array_equal(loads[0].faces, [[1, 4], [2, 1]])  # *DSLOAD on S4 and SPOS
    assert_array_equal(loads[1].faces, [[2, 2]])  # *DLOAD, P: into the bottom


def test_faces_are_those_of_the_elements():
    for kind, faces in FACES.items():
        if kind.startswith("C3D"):
            ours = [frozenset(face) for face in ELEMENTS[kind].faces]
            count = len(next(iter(ours)))
            assert ours == [frozenset(face[:count]) for face in faces]
    assert {kind: ELEMENTS[kind].nodes for kind in NODES} == dict(NODES)


def test_forces_of_one_step_on_one_dof_add_up():
    text = BEAM.format(kind="B31", section=RECT, dof=2).replace(
        "TIP, 2, 100.", "TIP, 2, 100.\n3, 2, 50."
    )
    (load,) = parse_inp(text).model.loads
    assert load.value == 150.0


def test_output_requests_are_passed_over_with_a_note():
    deck = parse_inp(RICH)
    assert any("*NODE PRINT is passed over" in note for note in deck.notes)
    assert same(cut("NODE PRINT"), RICH)


def test_a_string_is_a_path_and_a_text_is_parsed(tmp_path: Path):
    file = tmp_path / "rail.inp"
    file.write_text(RICH)
    told = parse_inp(RICH, name="rail.inp")
    for path in (file, str(file)):
        deck = read_inp(path)
        assert deck.model.name == told.model.name == "rail"
        both = [inp_text(d.model, d.analysis, dialect="abaqus") for d in (deck, told)]
        assert both[0] == both[1]
    for read in (read_inp, read_bdf, lambda text: read_msh(text, {})):
        with pytest.raises(DeckError) as caught:
            read(RICH)
        assert caught.value.place == "deck"
        assert "a text is given" in caught.value.finding
        assert "parse_inp" in caught.value.remedy


def test_a_text_of_one_line_is_a_text():
    for parse, name in ((parse_inp, "a.inp"), (parse_bdf, "a.bdf")):
        with pytest.raises(DeckError) as caught:
            parse("*NODES", name=name)
        assert caught.value.place.startswith(name)


def test_files_are_included_from_the_folder_of_the_deck(tmp_path: Path):
    nodes, rest = RICH.split("*ELEMENT", 1)
    (tmp_path / "mesh").mkdir()
    (tmp_path / "mesh" / "nodes.inp").write_text(nodes)
    main = tmp_path / "main.inp"
    main.write_text("*INCLUDE, INPUT=mesh/nodes.inp\n*ELEMENT" + rest)
    deck = read_inp(main)
    assert deck.model.name == "main"
    assert inp_text(deck.model, deck.analysis, dialect="abaqus").replace(
        "main,", "deck,"
    ) == canonical(RICH)


def test_a_mistake_in_an_included_file_is_placed_there(tmp_path: Path):
    (tmp_path / "nodes.inp").write_text("*NODE\n1, zero\n")
    main = tmp_path / "main.inp"
    main.write_text("*INCLUDE, INPUT=nodes.inp\n")
    with pytest.raises(DeckError) as caught:
        read_inp(main)
    assert caught.value.place == "nodes.inp:2, *NODE"


def test_amplitudes_of_equal_intervals():
    card = (
        "*AMPLITUDE, NAME=RAMP, DEFINITION=EQUALLY SPACED, FIXED INTERVAL=0.5, BEGIN=1"
    )
    text = RICH.replace("*AMPLITUDE, NAME=RAMP\n0., 0., 0.1, 1.", card + "\n0., 2., 4.")
    led = [s for s in parse_inp(text).model.supports if s.value]
    assert led[0].history == Table((1.0, 1.5, 2.0), (0.0, 2.0, 4.0))


def test_a_dynamic_step_may_ramp_its_loads():
    text = RICH.replace("*STEP, INC=1000", "*STEP, AMPLITUDE=RAMP")
    pressure = next(x for x in parse_inp(text).model.loads if isinstance(x, Pressure))
    assert pressure.history == Table((0.0, 0.05), (0.0, 1.0))


def test_cylindrical_nodes():
    text = BEAM.format(kind="B31", section=RECT, dof=2)
    round_ = text.replace("*NODE\n", "*NODE, SYSTEM=C\n").replace(
        "3, 4., 0.", "3, 4., 90."
    )
    assert_allclose(parse_inp(round_).model.mesh.points[2], [0, 4, 0], atol=1e-15)


def test_a_node_set_of_the_nodes_of_elements():
    text = RICH.replace(
        "*NSET, NSET=TOPNODES\n5, 6, 7, 8", "*NSET, NSET=TOPNODES, ELSET=ROD"
    )
    mesh = parse_inp(text).model.mesh
    assert_array_equal(mesh.ids[mesh.node_sets["TOPNODES"]], [12, 13])


def test_steps_of_their_own_length_are_noted():
    assert not any("as long as" in note for note in parse_inp(RICH).notes)
    deck = parse_inp(RICH.replace("*DYNAMIC, DIRECT,", "*DYNAMIC,"))
    assert any("as long as the first" in note for note in deck.notes)
