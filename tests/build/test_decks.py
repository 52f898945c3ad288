"""Decks as components: read inside the model, checked, made into leaves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bondline.build import Given, build, catalogue, open_model, rehearse
from bondline.core import Causality, Window
from bondline.description import digest, load, pack, read, settable
from bondline.description.place import Place, Problem
from bondline.description.sources import Folder, Unpacked
from bondline.errors import SettingError, WiringError
from bondline.numerics import Method
from tests.build.deck_models import ANNOTATION, LEFT, write


def told(folder: Path, *changes: tuple[str, str]) -> list[Problem]:
    return rehearse(write(folder, *changes))[1]


def test_decks_make_the_parts(tmp_path):
    model = open_model(write(tmp_path, ("DIRECT", "DIRECT, ALPHA=0"))).model
    left, right = model.parts["left"], model.parts["right"]
    assert left.name == "left"
    for part in (left, right):
        port = part.ports["edge"]
        assert (port.nodes, port.dofs) == (2, ("x", "y", "z", "rx", "ry", "rz"))
        assert port.causality is Causality.FORCE_IN
    assert left.ports["edge"].surface is not None
    now = model.start(0.0)
    for k in range(3):
        now = model.advance(now.state, Window(k * 1e-3, (k + 1) * 1e-3), {})
        assert now.stats["gap"] < 1e-12
        assert now.stats["iterations"] == 1


def test_what_a_part_publishes_has_a_name_of_the_system(tmp_path):
    model = open_model(write(tmp_path)).model
    seen = model.observe(model.start(0.0).state)
    assert {name: value.unit for name, value in seen.items()} == {"tip.az": "m/s²"}


def test_without_a_name_of_the_system_it_goes_by_its_part(tmp_path):
    line = (
        '<ssd:Connections>\n      <ssd:Connection startElement="left" '
        'startConnector="tip.az" endConnector="tip.az"/>\n    </ssd:Connections>'
    )
    model = open_model(write(tmp_path, (line, ""))).model
    assert list(model.observe(model.start(0.0).state)) == ["left.tip.az"]


def test_an_output_that_nobody_publishes_is_an_error(tmp_path):
    """Kinds of leaves say what they publish only once they run."""
    chain = 'type="application/x-bondline-leaf" source="leaf:chain"'
    deck = 'type="application/x-bondline-deck" source="resources/left.inp"'
    right = deck.replace("left", "right")
    ports = [('"edge"', '"left"')] * 4
    changes = [(deck, chain), (right, chain), (ANNOTATION, ""), *ports]
    model = build(read(write(tmp_path, *changes), catalogue()))
    with pytest.raises(WiringError) as caught:
        model.observe(model.start(0.0).state)
    assert caught.value.place == "plate: output tip.az"
    assert caught.value.finding == "no part publishes left.tip.az."
    assert "Known: " in caught.value.remedy


def test_parameters_of_a_deck_are_those_of_the_leaf(tmp_path):
    """What the deck computes from others is not among them."""
    spec = read(write(tmp_path), catalogue())
    found = {s.name: s for s in settable(spec, catalogue())}
    assert list(found) == ["left.thickness", "left.force", "left.rate"]
    assert (found["left.thickness"].value, found["left.thickness"].unit) == (0.01, "m")
    assert found["left.thickness"].meaning == "of the plate"
    thin, thick = (
        open_model(tmp_path, Given(set={"left.thickness": t})).model.parts["left"]
        for t in ("10mm", "20mm")
    )
    ratio = thick.system.M.diagonal().sum() / thin.system.M.diagonal().sum()
    assert ratio > 1.9


def test_a_parameter_out_of_range_is_refused_like_any_other(tmp_path):
    with pytest.raises(Exception, match="greater than zero"):
        open_model(write(tmp_path), Given(set={"left.thickness": "-1mm"}))


def test_values_that_make_no_model_are_refused_at_their_deck(tmp_path):
    """Only the reader knows that this thickness cannot be."""
    unchecked = (' positive="true"', "")
    with pytest.raises(SettingError) as caught:
        open_model(write(tmp_path, unchecked), Given(set={"left.thickness": "-1mm"}))
    assert caught.value.place.endswith("left.inp:27:1")
    assert "the thickness is -0.001." in caught.value.finding
    assert caught.value.remedy == "Give a number above zero."


def test_the_deck_is_part_of_the_model_s_identity(tmp_path):
    one = digest(write(tmp_path / "one"))
    assert one == digest(write(tmp_path / "same"))
    assert one != digest(write(tmp_path / "other", ("thickness = 0.01", "thickness=1")))


def test_an_archive_holds_the_decks(tmp_path):
    folder = write(tmp_path / "plate")
    archive = tmp_path / "plate.ssp"
    archive.write_bytes(pack(load(folder).contents))
    assert digest(archive) == digest(folder)
    assert rehearse(archive)[1] == []
    assert open_model(archive).model.parts["left"].ports["edge"].nodes == 2


def test_a_port_may_take_motion_and_some_of_the_dofs(tmp_path):
    asked = '<g:port name="edge" set="EDGE" takes="motion" dofs="x y z"/>'
    four = '<g:fe steps="4" method="trapezoidal">'
    folder = write(tmp_path, ('<g:fe steps="1">', f"{four}{asked}"))
    spec, problems = rehearse(folder)
    assert spec is not None
    assert [p.code for p in problems] == ["BND012"]  # the other side has six dofs
    tie = ('kind="tie"', 'kind="tie" dofs="x y z"')
    folder = write(tmp_path / "tied", ('<g:fe steps="1">', f"<g:fe>{asked}"), tie)
    port = open_model(folder).model.parts["left"].ports["edge"]
    assert (port.dofs, port.causality) == (("x", "y", "z"), Causality.MOTION_IN)


def test_what_the_owner_shows_is_shown(tmp_path):
    for k, (word, shown) in enumerate({"mesh": False, "mesh supports": True}.items()):
        asked = f'<g:fe draw="{word}">'
        folder = write(tmp_path / str(k), ('<g:fe steps="1">', asked))
        skin = open_model(folder).model.skins()["left"]
        assert skin.facets
        assert not skin.sets
        assert bool(len(skin.held)) is shown


def test_settings_reach_the_leaf(tmp_path):
    asked = '<g:fe steps="5" mass="lumped" draw="true" staticTime="0.0125" '
    asked += 'method="newmark" beta="0.3" gamma="0.6">'
    model = open_model(write(tmp_path, ('<g:fe steps="1">', asked))).model
    left = model.parts["left"]
    assert left.steps == 5
    assert left.method == Method.newmark(0.3, 0.6)
    assert left.static_load.max() == pytest.approx(5.0)  # a quarter of a period
    M = left.system.M.toarray()
    assert np.array_equal(M, np.diag(M.diagonal()))
    assert left.shapes(left.start(0.0).state)


@pytest.mark.parametrize(
    ("card", "asked", "method"),
    [
        ("*DYNAMIC, DIRECT", "", Method.hht(-0.05)),
        ("*DYNAMIC, DIRECT, ALPHA=-0.2", "", Method.hht(-0.2)),
        ("*DYNAMIC, DIRECT, ALPHA=0", 'steps="4"', Method.trapezoidal()),
        ("*DYNAMIC, DIRECT", 'method="trapezoidal"', Method.trapezoidal()),
        ("*DYNAMIC, DIRECT", 'method="hht" alpha="-0.1"', Method.hht(-0.1)),
        (
            "*DYNAMIC, DIRECT",
            'method="generalized-alpha" rho="0.8"',
            Method.generalized_alpha(0.8),
        ),
    ],
)
def test_a_part_steps_as_its_deck_or_its_owner_says(tmp_path, card, asked, method):
    changes = [("*DYNAMIC, DIRECT", card), ('<g:fe steps="1">', f"<g:fe {asked}>")]
    assert open_model(write(tmp_path, *changes)).model.parts["left"].method == method


@pytest.mark.parametrize(
    ("change", "code", "at", "finding", "remedy"),
    [
        (("TYPE=S4", "TYPE=S9"), "BND071", "left.inp:13:1", "S9", ""),
        (("<thickness>", "<thick>"), "BND071", "left.inp:27:1", "thick", "thickness"),
        (
            ("left.inp", "lost.inp"),
            "BND009",
            "",
            "cannot be read",
            "Correct the source",
        ),
        (
            ("resources/left", "../left"),
            "BND008",
            "",
            "leaves the model",
            "Name a file",
        ),
        (
            ('"edge" kind', '"Edga" kind'),
            *("BND025", "", "no node set 'Edga'", "Did you mean 'Edge'?"),
        ),
        (
            ("CORNER", "CORNR"),
            *("BND072", "", "tip.az at the nodes 'CORNR'", "Did you mean 'CORNER'?"),
        ),
        (
            ('component="az"', 'component="aw"'),
            *("BND072", "", "with the component 'aw'", "Known: arx, ary"),
        ),
        (
            ('parameter name="thickness"', 'parameter name="thick"'),
            *("BND072", "", "parameter thick,", "Did you mean 'thickness'?"),
        ),
        (
            ('unit="m" meaning', 'unit="metre2x" meaning'),
            *("BND032", "", "metre2x", ""),
        ),
        (
            ('steps="1"', 'steps="0"'),
            *("BND072", "", 'steps="0"', "Give a whole number, 1 or more."),
        ),
        (
            ('steps="1"', 'mass="lumpy"'),
            *("BND072", "", 'mass="lumpy"', "Did you mean 'lumped'?"),
        ),
        (
            ('steps="1"', 'draw="maybe"'),
            *("BND072", "", 'draw="maybe"', "true (the outline) or false."),
        ),
        (
            ('steps="1"', 'draw="mesh suports"'),
            *("BND072", "", 'draw="mesh suports"', "Did you mean 'supports'?"),
        ),
        (
            ('steps="1"', 'staticTime="soon"'),
            *("BND072", "", 'staticTime="soon"', "Give a time in seconds."),
        ),
        (
            ('steps="1"', 'method="hhd"'),
            *("BND072", "", 'method="hhd"', "hht"),
        ),
        (
            ('steps="1"', 'method="hht" alpha="0.2"'),
            *("BND072", "", 'alpha="0.2"', "Give -1/3 to 0"),
        ),
        (
            ('steps="1"', 'method="newmark" beta="0.25"'),
            *("BND072", "", "without gamma", 'gamma="…"'),
        ),
        (
            ('steps="1"', 'alpha="-0.1"'),
            *("BND072", "", 'alpha="-0.1"', 'It belongs to method="hht".'),
        ),
        (
            ('steps="1"', 'steps="4"'),
            *("BND071", "left.inp", "ALPHA = -0.05", 'Say method="trapezoidal"'),
        ),
        (
            ('steps="1"', 'stepz="1"'),
            *("BND072", "", 'stepz="1"', "Did you mean 'steps'?"),
        ),
        (
            ("<g:publish", '<g:port name="edge" takes="forces"/><g:publish'),
            *("BND072", "", "takes='forces'", "Did you mean 'force'?"),
        ),
        (
            ("<g:publish", '<g:port name="edge" dofs="x w"/><g:publish'),
            *("BND072", "", "the dof 'w'", "Known: rx"),
        ),
        (
            ("<g:publish", '<g:port name="wall"/><g:publish'),
            *("BND072", "", "port wall", "Give it a connector"),
        ),
        (
            ('publish name="tip.az"', 'publish name="tip.a"'),
            *("BND072", "", "does not publish it", "Did you mean 'tip.a'?"),
        ),
        (
            ("*DENSITY\n7850.0\n", ""),
            *("BND071", "left.inp", "mass", "density"),
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path, change, code, at, finding, remedy):
    problems = told(tmp_path, change)
    (problem,) = [p for p in problems if p.code == code]
    assert finding in problem.finding
    assert remedy in problem.remedy
    assert str(problem.where).endswith(at)
    assert at or problem.where.file.endswith("SystemStructure.ssd")
    assert at or problem.where.line > 0


def test_nothing_reads_files_of_another_kind(tmp_path):
    write(tmp_path, ("left.inp", "left.cad"))
    (tmp_path / "resources" / "left.cad").write_text(LEFT)
    (problem,) = [p for p in rehearse(tmp_path)[1] if p.code == "BND070"]
    assert problem.where.line > 0
    assert "'resources/left.cad', and nothing here reads such files." in problem.finding
    assert ".inp" in problem.remedy


def test_many_mistakes_are_told_at_once(tmp_path):
    many = ("1, 0.0, 0.0, 0.0\n2, 1.0,", "1, 0.0, zero, 0.0\n2, one,")
    lines = [p.where.line for p in told(tmp_path, many) if p.code == "BND071"]
    assert lines == [9, 14]  # a node, and an element without it


@pytest.mark.parametrize("kind", ["folder", "archive"])
def test_a_file_beyond_its_limit_is_not_read(tmp_path, kind):
    write(tmp_path)
    data = {"resources/left.inp": LEFT.encode()}
    source = Folder(tmp_path) if kind == "folder" else Unpacked("a.ssp", data)
    found = source.read("resources/left.inp", Place("a.ssd", 1, 1), 100)
    assert isinstance(found, Problem)
    assert found.code == "BND003"
    assert f"has {len(LEFT)} bytes; the limit is 100" in found.finding
    assert found.remedy == "Cut the model into parts, or reduce it."


NASTRAN = """SOL 103
CEND
BEGIN BULK
GRID,1,,1.0,0.0,0.0
GRID,2,,2.0,0.0,0.0
GRID,3,,2.0,1.0,0.0
GRID,4,,1.0,1.0,0.0
CQUAD4,1,1,1,2,3,4
PSHELL,1,1,0.01,1,,1
MAT1,1,2.1+11,,0.3,7850.0
ENDDATA
"""


def test_a_nastran_deck_is_glued_to_an_abaqus_deck(tmp_path):
    """Its nodes are named by their numbers, in the order that the other set has."""
    ports = 'name="edge" kind="unspecified"/></ssd:Connectors>'
    asked = (
        f'{ports}<ssd:Annotations><ssc:Annotation type="io.github.bondline.fe">'
        '<g:fe><g:port name="edge" set="1 4"/></g:fe>'
        "</ssc:Annotation></ssd:Annotations>"
    )
    write(tmp_path, ("right.inp", "right.bdf"), (ports, asked))
    (tmp_path / "resources" / "right.bdf").write_text(NASTRAN)
    abaqus = open_model(write(tmp_path / "abaqus")).model
    nastran = open_model(tmp_path).model
    moved = []
    for model in (abaqus, nastran):
        now = model.start(0.0)
        for k in range(5):
            now = model.advance(now.state, Window(k * 1e-3, (k + 1) * 1e-3), {})
        moved.append(now.state.parts["right"])
    np.testing.assert_allclose(moved[0], moved[1], rtol=1e-9, atol=1e-12)
