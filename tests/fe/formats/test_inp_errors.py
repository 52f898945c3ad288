"""Mistakes in INP decks: file, line, card, what was found, what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from bondline.errors import DeckError
from bondline.leaves.fe.formats import parse_inp, read_inp
from bondline.leaves.fe.formats.findings import MOST
from bondline.leaves.fe.formats.inp.lines import DEEPEST

from .samples import RICH


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def refused(text: str, **more: object) -> DeckError:
    with pytest.raises(DeckError) as caught:
        parse_inp(text, **more)
    return caught.value


MISTAKES = [
    # what is replaced, by what, card, in the finding, in the remedy
    ("*NODE, NSET=all", "*NODES, NSET=all", "NODES", "not understood", "*NODE?"),
    ("*NODE, NSET=all", "*NODE, NSETT=all", "NODE", "'NSETT'", "NSET?"),
    ("*DAMPING, ALPHA=0.5, BETA=1e-5", "*PLASTIC", "PLASTIC", "not under", "elastic"),
    ("*NODE PRINT", "*TIE", "TIE", "not understood", "share nodes"),
    ("1, 0., 0., 0.", "1, 0., x, 0.", "NODE", "'x'", "number"),
    ("1, 0., 0., 0.", "1, 0., 1e99, 0.", "NODE", "'1e99'", "at most 1e+30"),
    ("1, 0., 0., 0.", "1, 0., nan, 0.", "NODE", "'nan'", "number"),
    ("1, 0., 0., 0.", "0, 0., 0., 0.", "NODE", "'0'", "from 1"),
    ("1, 0., 0., 0.", "2, 0., 0., 0.", "NODE", "already", "one number"),
    ("1, 0., 0., 0.", "1,0,0,0,0,0,0,0", "NODE", "8 fields", "x, y, z"),
    ("TYPE=S4R", "TYPE=S8R", "ELEMENT", "'S8R'", "Use S4."),
    ("TYPE=S4R", "TYPE=S4Q", "ELEMENT", "'S4Q'", "'S4'"),
    ("TYPE=S4R, ELSET", "ELSET", "ELEMENT", "TYPE is missing", "TYPE="),
    ("2, 2, 9, 10, 3", "2, 2, 9, 10", "ELEMENT", "3 nodes", "4 nodes of S4R"),
    ("2, 2, 9, 10, 3", "2, 2, 9, 10, 77", "ELEMENT", "node 77", "Define node 77"),
    ("2, 2, 9, 10, 3", "1, 2, 9, 10, 3", "ELEMENT", "already", "one number"),
    ("Root, 4, 8", "Rot, 4, 8", "NSET", "'Rot'", "'Root'"),
    ("Root, 4, 8", "Root, 4, 88", "NSET", "node 88", "Define"),
    ("1, 5, 4\n", "5, 1, 4\n", "NSET", "from 5 to 1", "smaller"),
    ("1, 5, 4\n", "100, 200, 1\n", "NSET", "none of", "defined"),
    ("BRICK, S4\n", "BRICK, S7\n", "SURFACE", "'S7'", "S1 to S6"),
    ("PLATE, SPOS", "PLATE, TOP", "SURFACE", "'TOP'", "SPOS"),
    ("PLATE, SPOS", "ROD, S1", "SURFACE", "'S1'", "no faces"),
    ("0., 1., 0., -1., 0., 0.", "0., 1., 0., 0., 2., 0.", "ORIENTATION", "line", "b"),
    ("3, 30.", "4, 30.", "ORIENTATION", "4", "1, 2 or 3"),
    ("2.1D11, 0.3", "2.1D11, 0.5", "ELASTIC", "0.5", "below 0.5"),
    ("2.1D11, 0.3", "-1., 0.3", "ELASTIC", "-1", "above zero"),
    ("2.1D11, 0.3", "2.1D11, 0.3\n1e11, 0.3, 100", "ELASTIC", "temper", "one line"),
    ("*ELASTIC", "*ELASTIC, TYPE=LAMINA", "ELASTIC", "LAMINA", "ISO"),
    ("7800.\n*DAMPING", "-7800.\n*DAMPING", "DENSITY", "-7800", "kg/m³"),
    ("BETA=1e-5", "BETA=-1", "DAMPING", "negative", "from 0"),
    ("ALPHA=0.5", "STRUCTURAL=0.5", "DAMPING", "STRUCTURAL", "Rayleigh"),
    ("ALPHA=0.5", "ALPHA=x", "DAMPING", "'x'", "number"),
    ("*ELASTIC\n2.1D11, 0.3\n", "", "MATERIAL", "no *ELASTIC", "Add"),
    ("*SOLID SECTION, ELSET=BRICK, MATERIAL=STEEL", "*DENSITY", "DENSITY", "missing",
     "line 1"),
    ("BRICK, MATERIAL=STEEL", "BRICK, MATERIAL=STEAL", "SOLID SECTION", "'STEAL'",
     "'STEEL'"),
    ("ELSET=BRICK, MATERIAL", "ELSET=PLATE, MATERIAL", "SOLID SECTION", "S4R", "C3D8"),
    ("OFFSET=SPOS", "OFFSET=TOP", "SHELL SECTION", "'TOP'", "SNEG"),
    ("<thick>, 5", "-<thick>, 5", "SHELL SECTION", "-0.01", "above zero"),
    ("<thick>, 5", "<thik>, 5", None, "'thik'", "'thick'"),
    ("<thick>, 5\n", "", "SHELL SECTION", "missing", "line 1"),
    ("SECTION=RECT", "SECTION=RECTANGLE", "BEAM SECTION", "'RECTANGLE'", "RECT"),
    ("0.02, 0.04\n", "0.02, 0.\n", "BEAM SECTION", "height", "more than zero"),
    ("0., 1e-7, 3e-7", "1e-8, 1e-7, 3e-7", "BEAM GENERAL SECTION", "I12", "principal"),
    ("2.1e11, 8e10", "2.1e11, 0.", "BEAM GENERAL SECTION", "shear", "above zero"),
    ("DENSITY=7800.", "DENSITY=-1", "BEAM GENERAL SECTION", "-1", "0 or more"),
    ("*MASS, ELSET=LUMP\n2.5", "*MASS, ELSET=LUMP\n-1", "MASS", "-1", "0 or more"),
    ("*MASS, ELSET=LUMP", "*MASS, ELSET=TURN", "MASS", "ROTARYI", "MASS only"),
    ("\n1e5\n", "\n1e5\n\n1e5\n", "SPRING", "not linear", "constant"),
    ("2\n2e5", "2, 3\n2e5", "SPRING", "2 and 3", "both ends"),
    ("2\n2e5", "2e5", "SPRING", "dofs", "data line 1"),
    ("ORIENTATION=SKEW", "ORIENTATION=SKW", "SPRING", "'SKW'", "'SKEW'"),
    ("*ORIENTATION, NAME=SKEW", "*ORIENTATION, NAME=SKEW, SYSTEM=CYLINDRICAL",
     "SPRING", "no fixed axes", "RECTANGULAR"),
    ("7, 13, 15", "7, 13, 13", "SPRING", "no length", "SPRING2"),
    ("DEFINITION=PERIODIC", "DEFINITION=SMOOTH STEP", "AMPLITUDE", "SMOOTHSTEP", "PER"),
    ("0., 0., 0.1, 1.", "1., 0., 0.1, 1.", "AMPLITUDE", "0.1 comes after 1", "asc"),
    ("*AMPLITUDE, NAME=RAMP\n0., 0., 0.1, 1.", "*AMPLITUDE, NAME=RAMP", "AMPLITUDE",
     "empty", "pairs"),
    ("NAME=RAMP", "NAME=RAMP, SMOOTH=0.2", "AMPLITUDE", "SMOOTH", "finer"),
    ("NAME=RAMP", "NAME=RAMP, VALUE=ABSOLUTE", "AMPLITUDE", "'ABSOLUTE'", "RELATIVE"),
    ("NAME=RAMP", "NAME=RAMP, DEFINITION=EQUALLY SPACED", "AMPLITUDE", "INTERVAL",
     "FIXED"),
    ("1, <omega>, 0., 0.", "2, <omega>, 0., 0.", "AMPLITUDE", "2 factors",
     "A and B"),
    ("REF NODE=14", "REF NODE=99", "COUPLING", "node 99", "Define"),
    ("REF NODE=14", "REF NODE=Root", "COUPLING", "2 nodes", "one node"),
    ("REF NODE=14", "REF NODE=5", "COUPLING", "on the surface", "not on"),
    ("*DISTRIBUTING\n1, 6", "", "COUPLING", "0 cards", "*KINEMATIC"),
    ("*DISTRIBUTING\n1, 6", "*DISTRIBUTING\n1, 7", "DISTRIBUTING", "1 to 7", "1 to 6"),
    ("2\n15, 2, 1., 13, 2, -1.", "3\n15, 2, 1., 13, 2, -1.", "EQUATION", "3 terms",
     "every"),
    ("15, 2, 1., 13, 2, -1.", "15, 2, 0., 13, 2, -1.", "EQUATION", "zero", "another"),
    ("15, 2, 1., 13, 2, -1.", "15, 7, 1., 13, 2, -1.", "EQUATION", "above 6", "1 to 6"),
    ("TYPE=VELOCITY", "TYPE=TEMPERATURE", "INITIAL CONDITIONS", "TEMP", "VELOCITY"),
    ("13, 1, 0.25", "13, 9, 0.25", "INITIAL CONDITIONS", "9", "1 to 6"),
    ("Held, ENCASTRE", "Held, ENCASTER", "BOUNDARY", "'ENCASTER'", "'ENCASTRE'"),
    ("15, 3, 6", "15, 3, 7", "BOUNDARY", "3 to 7", "1 to 6"),
    ("*BOUNDARY, AMPLITUDE=RAMP", "*BOUNDARY, TYPE=VELOCITY", "BOUNDARY", "velocity",
     "integrate"),
    ("AMPLITUDE=SINE", "AMPLITUDE=SIN", "CLOAD", "'SIN'", "'SINE'"),
    ("14, 3, -100.", "14, 8, -100.", "CLOAD", "8", "1 to 6"),
    ("14, 3, -100.", "TIP, 3, -100.", "CLOAD", "'TIP'", "Known"),
    ("*CLOAD,", "*CLOAD, FOLLOWER,", "CLOAD", "follows", "FOLLOWER"),
    ("FACE, P, 1000.", "FACE, TRVEC, 1000.", "DSLOAD", "'TRVEC'", "P"),
    ("FACE, P, 1000.", "POINTS, P, 1000.", "DSLOAD", "only nodes", "faces"),
    ("PLATE, P, 50.", "PLATE, CENTRIF, 50.", "DLOAD", "'CENTRIF'", "GRAV"),
    ("PLATE, P, 50.", "BRICK, P9, 50.", "DLOAD", "'S9'", "S1 to S6"),
    ("EALL, GRAV", "PLATE, GRAV", "DLOAD", "element 1", "density 0"),
    ("9.81, 0., 0., -1.", "9.81, 0., 0., 0.", "DLOAD", "no direction", "0, 0, -1"),
    ("*STEP, INC=1000", "*STEP, NLGEOM", "STEP", "NLGEOM", "linear"),
    ("*DYNAMIC, DIRECT", "*DYNAMIC, EXPLICIT", "DYNAMIC", "explicit", "step size"),
    ("ALPHA=-0.1", "ALPHA=-0.5", "DYNAMIC", "-0.5", "-1/3"),
    ("ALPHA=-0.1", "APPLICATION=QUASI-STATIC", "DYNAMIC", "QUASI", "TRANSIENT"),
    ("*DISTRIBUTING", "*DISTRIBUTING, WEIGHTING METHOD=CUBIC", "DISTRIBUTING", "CUBIC",
     "UNIFORM"),
    ("1e-3, 0.05", "1., 0.05", "DYNAMIC", "longer", "shorter"),
    ("1e-3, 0.05", "", "DYNAMIC", "missing", "line 1"),
    ("*DYNAMIC, DIRECT, ALPHA=-0.1\n1e-3, 0.05", "", "STEP", "0 procedures", "*STATIC"),
    ("*END STEP", "", "STEP", "does not end", "*END STEP"),
    ("*STEP, INC=1000", "*END STEP\n*STEP", "END STEP", "no step", "*STEP"),
    (" thick = 0.01", " thick 0.01", "PARAMETER", "thick 0.01", "name ="),
    (" thick = 0.01", " thick = open('x')", "PARAMETER", "open", "arithmetic"),
    (" thick = 0.01", " thick = 9**9**9", "PARAMETER", "9**9**9", "arithmetic"),
    (" thick = 0.01", " thick = (-8)**0.5", "PARAMETER", "computed", "arithmetic"),
    ("*NODE, NSET=all", '*NODE, NSET="all', None, "quotation", 'Close it'),
    ("*EQUATION", "*RIGID BODY, REF NODE=14\n*EQUATION", "RIGID BODY", "0 sets",
     "NSET"),
    ("*EQUATION", "*RIGID BODY, REF NODE=14, ROT NODE=9, NSET=TOPNODES\n*EQUATION",
     "RIGID BODY", "ROT NODE", "away"),
    ("*EQUATION", "*KINEMATIC COUPLING, REF NODE=9\n9\n*EQUATION",
     "KINEMATIC COUPLING", "no node", "besides"),
    ("*EQUATION", "*MPC\nLINK, 1, 2\n*EQUATION", "MPC", "'LINK'", "BEAM"),
    ("*EQUATION", "*MPC\nBEAM, TOPNODES, Root\n*EQUATION", "MPC", "more", "equal sets"),
    ("*EQUATION", "*INSTANCE, NAME=A, PART=B\n*EQUATION", "INSTANCE", "'B'", "Known"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "card", "finding", "remedy"), MISTAKES)
def test_a_mistake_is_placed_and_explained(old, new, card, finding, remedy):
    assert old in RICH
    error = refused(RICH.replace(old, new, 1))
    first = error.problems[0]
    assert first.place.startswith("deck.inp:")
    assert card is None or first.place.endswith(f", *{card}")
    assert finding in first.finding
    assert remedy in first.remedy
    assert str(first.place) in str(error)


def test_the_line_is_that_of_the_mistake():
    text = RICH.replace("14, 3, -100.", "14, 3, many")
    line = line_of(text, "many")
    assert refused(text).place == f"deck.inp:{line}, *CLOAD"


def test_all_mistakes_of_a_stage_are_reported_together():
    text = RICH.replace("14, 3, -100.", "14, 3, a").replace("FACE, P", "FAC, P")
    text = text.replace("PLATE, P, 50.", "PLATE, P, b")
    error = refused(text)
    assert [p.place.split(", ")[1] for p in error.problems] == [
        "*CLOAD", "*DSLOAD", "*DLOAD",
    ]  # fmt: skip
    for problem in error.problems:
        assert str(problem) in str(error)


def test_no_more_than_twenty_are_reported():
    error = refused("*NODE\n1\n" + "*NONSENSE\n" * 50)
    assert len(error.problems) == MOST


@pytest.mark.parametrize(
    ("text", "finding", "remedy"),
    [
        ("hello\nworld\n", "before any keyword", "INP"),
        ("*HEADING\n", "no nodes", "Give nodes"),
        (
            "*NODE\n1\n2\n*ELEMENT, TYPE=T3D2\n1, 1, 2\n",
            "no section: 1",
            "section card",
        ),
        ("*ELASTIC\n1., 0.\n", "*MATERIAL", "right after"),
        ("*PART, NAME=A\n*STEP\n", "inside a part", "*END PART"),
        ("*INCLUDE, INPUT=x.inp\n", "no folder", "path"),
    ],
)
def test_decks_that_are_not_whole(text, finding, remedy):
    error = refused(text)
    assert finding in error.finding
    assert remedy in error.remedy


def test_an_element_has_one_section():
    card = "*SOLID SECTION, ELSET=BRICK, MATERIAL=STEEL\n"
    error = refused(RICH.replace(card, card * 2))
    assert "element 1 has a section already" in error.finding
    assert "split" in error.remedy


def test_parameters_and_steps_that_are_not_there():
    error = refused(RICH, parameters={"thik": 1.0})
    assert "'thik'" in error.finding
    assert "'thick'" in error.remedy
    error = refused(RICH, parameters={"thick": float("inf")})
    assert "inf" in str(error)
    error = refused(RICH, step=3)
    assert "step 3" in error.finding
    assert "0 to 1" in error.remedy


def test_total_time_is_refused_after_the_first_step():
    amplitude = "*AMPLITUDE, NAME=RAMP, TIME=TOTAL TIME"
    text = RICH.replace("*AMPLITUDE, NAME=RAMP", amplitude)
    parse_inp(text)
    error = refused(text.replace("*STEP,", "*STEP\n*STATIC\n*END STEP\n*STEP,"))
    assert "all steps" in error.finding
    assert "STEP TIME" in error.remedy


def test_a_turned_part_with_directions_is_refused():
    text = (
        "*PART, NAME=P\n*NODE\n1\n2, 1.\n*ELEMENT, TYPE=B31, ELSET=E\n1, 1, 2\n"
        "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=CIRC\n1.\n*END PART\n"
        "*INSTANCE, NAME=I, PART=P\n0.,0.,0.\n0.,0.,0.,0.,0.,1.,90.\n*END INSTANCE\n"
    )
    error = refused(text)
    assert "turns a part with *BEAM SECTION" in error.finding
    assert "Write" in error.remedy


def including(folder: Path, name: str) -> DeckError:
    (folder / "main.inp").write_text(f"*NODE\n1\n*INCLUDE, INPUT={name}\n")
    with pytest.raises(DeckError) as caught:
        read_inp(folder / "main.inp")
    assert caught.value.place.startswith(("main.inp:3, *INCLUDE", "f", "loop"))
    return caught.value


def test_files_outside_the_folder_are_not_read(tmp_path: Path):
    deck = tmp_path / "deck"
    deck.mkdir()
    (tmp_path / "secret.inp").write_text("*NODE\n5\n")
    (deck / "link.inp").symlink_to(tmp_path / "secret.inp")
    outside = ("../secret.inp", str(tmp_path / "secret.inp"), "link.inp")
    for name in outside:
        error = including(deck, name)
        assert "outside" in error.finding
        assert "beside the deck" in error.remedy
    for name in ("missing.inp", "", "."):
        error = including(deck, name)
        assert "no file" in error.finding
        assert "INPUT=" in error.remedy


def test_includes_end(tmp_path: Path):
    (tmp_path / "loop.inp").write_text("*INCLUDE, INPUT=loop.inp\n")
    error = including(tmp_path, "loop.inp")
    assert "includes itself" in error.finding
    assert "Take" in error.remedy
    for i in range(DEEPEST + 2):
        (tmp_path / f"f{i}.inp").write_text(f"*INCLUDE, INPUT=f{i + 1}.inp\n")
    error = including(tmp_path, "f0.inp")
    assert "too many" in error.finding
    assert "at most" in error.remedy


def test_a_deck_that_is_not_there(tmp_path: Path):
    with pytest.raises(DeckError) as caught:
        read_inp(tmp_path / "none.inp")
    assert caught.value.place == "none.inp"
    assert "cannot be read" in caught.value.finding
    assert "path" in caught.value.remedy


def test_huge_ranges_and_long_chains_of_sets_are_bounded():
    nodes = "*NODE\n1\n2\n*NSET, NSET=A0, GENERATE\n1, 999999999, 1\n"
    chain = "".join(f"*NSET, NSET=A{i + 1}\nA{i}\n" for i in range(2000))
    loose = "*ELEMENT, TYPE=MASS, ELSET=M\n1, 1\n*MASS, ELSET=M\n1.\n"
    mesh = parse_inp(nodes + chain + loose).model.mesh
    assert mesh.node_sets["A2000"].tolist() == [0, 1]
