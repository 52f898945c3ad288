"""Structure files: what they make, what is settable, what is refused and where."""
# ruff: noqa: E501 - a table reads best with one row a line

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.build import Given, open_model, rehearse
from bondline.core import Causality, Window
from bondline.leaves import LargeMass
from bondline.leaves.nonlinear import Linear, Swift

from .structure_models import LEAF, PLATE, write


def leaf_of(folder, **settings):
    return open_model(folder, Given(set=settings)).model.parts["model"]


def test_a_file_makes_a_leaf_that_runs(tmp_path):
    leaf = leaf_of(write(tmp_path))
    assert isinstance(leaf, LargeMass)
    assert leaf.ports["end"].causality is Causality.MOTION_IN
    assert leaf.ports["grip"].causality is Causality.FORCE_IN
    assert leaf.ports["grip"].size == 6
    now = leaf.start(0.0)
    now = leaf.advance(now.state, Window(0.0, 1e-4), {})
    seen = leaf.observe(now.state)
    units = {"sag": "m", "flow": "1", "hold": "N", "drift": "m"}
    assert {name: o.unit for name, o in seen.items()} == units
    assert leaf.breaks(Window(0.0, 0.1)) == [0.05]


def test_nodes_lie_along_beams(tmp_path):
    model = leaf_of(write(tmp_path), **{"model.side": "0.6m"}).leaf.model
    leg, stay = model.blocks[:2]
    ends = model.points[np.append(leg.nodes[:, 0], leg.nodes[-1, 1])]
    straight = [[0, 0], [0.3, 0], [0.6, 0], [0.6, 0.2], [0.6, 0.4], [0.6, 0.6]]
    assert_allclose(ends[:, :2], straight, atol=1e-15)
    assert_allclose(model.points[stay.nodes[0, 1]], [0.15, 0.45, 0.0], atol=1e-15)


def test_a_word_chooses_what_is_there(tmp_path):
    folder = write(tmp_path)
    soft, hard = (
        leaf_of(folder, **{"model.kind": kind}).leaf.model.blocks[0]
        for kind in ("soft", "hard")
    )
    assert soft.section.metal.hardening == Linear(420e6, 1.5e9)
    assert hard.section.metal.hardening == Swift(765e6, 0.00995, 0.13)


def test_ports_may_share_a_node(tmp_path):
    port = '<port name="grip" at="plate.3 plate.4" dofs="x y z"/>'
    two = '<port name="a" at="plate.3"/><port name="b" at="plate.3"/>'
    leaf = leaf_of(write(tmp_path, (port, two), (' takes="motion"', "")))
    state = leaf.start(0.0).state
    pushed = leaf.press(state, 0.0, {"a": np.ones(3), "b": np.ones(3)})
    both = leaf.press(state, 0.0, {"a": 2.0 * np.ones(3)})
    assert_allclose(pushed.outputs["b"].a, both.outputs["b"].a)
    trial = leaf.predict(state, Window(0.0, 1e-4))
    one = leaf.correct(trial, {"a": np.ones(3), "b": np.ones(3)}).motions["a"]
    other = leaf.correct(trial, {"a": 2.0 * np.ones(3)}).motions["a"]
    assert_allclose(one.a, other.a)


WRONG = [
    ("BND073", "<hold at=\"plate.EDGE\"/>", "<held at=\"plate.EDGE\"/>", "<held", "held"),
    ("BND074", 'through="root knee tip"', 'through="root kne tip"', '<beams name="leg"', "kne"),
    ("BND074", 'elements="2 3"', 'elements="2 3 4"', '<beams name="leg"', "3 nodes"),
    ("BND074", 'elements="2 3"', 'elements="1e9 3"', '<beams name="leg"', "1e9"),
    ("BND074", 'elements="2 3"', 'elements="2.5 3"', '<beams name="leg"', "2.5"),
    ("BND074", 'material="bronze"', 'material="brnze"', '<beams name="stay"', "brnze"),
    ("BND074", '<solids nodes="b1 b2', '<solids nodes="b1', "<solids", "7 nodes"),
    ("BND074", 'of="plate.SKIN" material="steel"', 'of="plate.SKIN" material="gum"', "<shells", "rubber"),
    ("BND074", 'of="plate.SKIN"', 'of="plate.SKN"', "<shells", "SKN"),
    ("BND074", 'of="plate.SKIN"', 'of="plat"', "<shells", "plat"),
    ("BND074", "<rubber/>", "<rubber/><linear yield='1'/>", '<material name="gum"', "2 laws"),
    ("BND074", 'when="kind=soft"', 'when="kind=sft"', "<linear", "sft"),
    ("BND074", 'when="kind=soft"', 'when="soft"', "<linear", "no value"),
    ("BND074", 'when="kind=soft"', 'when="g=1"', "<linear", "no parameter that has choices"),
    ("BND074", 'on="knee"', 'on="horn"', '<node name="horn"', "horn"),
    ("BND074", '<node name="tip"', '<node name="knee"', '<node name="knee" at="side side', "twice"),
    ("BND074", 'stiffness="1e5 1e5 1e5 10 10 10"', 'stiffness="1e5"', "<bush", "1 numbers"),
    ("BND074", 'nu="0.34"', 'nu="0.7"', '<material name="bronze"', "nu is 0.7"),
    ("BND074", 'density="8800"', 'density="0"', '<material name="bronze"', "density: it is 0"),
    ("BND074", 'stiffening="0.01"', 'stiffening="-0.01"', "<bush", "d0=-0.01"),
    ("BND074", ' density="8800"', "", "<structure", "has no mass"),
    ("BND074", 'dofs="x y z"/>\n  <bush', 'dofs="x q"/>\n  <bush', '<hold at="peg"', "q"),
    ("BND074", 'component="z"', 'component="zz"', '<signal name="sag"', "zz"),
    ("BND074", 'from="knee"', 'from="nee"', '<signal name="sag"', "nee"),
    ("BND074", 'of="plastic-strain"', 'of="plastic"', '<signal name="flow"', "plastic"),
    ("BND074", 'takes="motion"', 'takes="moton"', '<port name="end"', "moton"),
    ("BND074", '<port name="grip"', '<port name="end"', '<port name="end" at="plate.3', "twice"),
    ("BND074", 'at="tip" frame="true"', 'at="plate.EDGE" frame="true"', "<structure", "frame"),
    ("BND074", 'rho="0.9"', 'rho="2"', "<structure", "rho"),
    ("BND074", 'yield="420e6"', 'yield="0"', '<material name="steel"', "yields at 0"),
    ("BND074", '<tube radius="0.01" wall="0.002" cuts="8"/>', "", '<beams name="stay"', "0 sections"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "old", "new", "at", "says"), WRONG)
def test_what_is_wrong_is_told_at_its_element(tmp_path, code, old, new, at, says):
    folder = write(tmp_path, (old, new))
    text = (folder / "frame.leaf.xml").read_text()
    found = [p for p in rehearse(folder)[1] if p.code == code]
    line = text[: text.index(at)].count("\n") + 1
    assert line in [p.where.line for p in found], found
    problem = next(p for p in found if p.where.line == line)
    assert says in problem.finding
    assert problem.remedy


def test_a_deck_that_cannot_be_read_is_told_at_the_mesh(tmp_path):
    folder = write(tmp_path, plate=PLATE.replace("1, 1, 2, 3, 4", "1, 1, 2, 3, 9"))
    problems = [
        p for p in rehearse(folder)[1] if "mesh" in p.finding or "9" in p.finding
    ]
    assert problems
    assert problems[0].code == "BND074"


NASTY = ("1e300", "-1", "0", "1e-300", "1/0", "nan", "", "a b", "1 2 3 4", "root")


@pytest.mark.parametrize("seed", range(30))
def test_no_attribute_makes_the_reader_fall_over(tmp_path, seed):
    """Whatever stands in one attribute: a model, or problems in words."""
    rng = np.random.default_rng(seed)
    found = list(re.finditer(r'(?<=[a-zA-Z]=")[^"]*(?=")', LEAF))[2:]
    text = LEAF
    for hit in sorted(rng.choice(len(found), 2, replace=False).tolist(), reverse=True):
        a, b = found[hit].span()
        text = f"{text[:a]}{rng.choice(NASTY)}{text[b:]}"
    folder = write(tmp_path)
    (folder / "frame.leaf.xml").write_text(text)
    model, problems = rehearse(folder)
    assert model is not None or problems
    assert all(p.finding and p.remedy for p in problems)


def test_a_structure_may_drive_settled(tmp_path):
    """Of the whole, in its root; bars of a mesh are beams, too."""
    root = 'gravity="0 0 -g"'
    told = f'{root} velocity="10*side 0 0" settled="true"'
    leaf = leaf_of(write(tmp_path, (root, told))).leaf
    assert leaf.settled
    assert_allclose(leaf.velocity, [4.0, 0.0, 0.0])


def test_loads_that_the_step_misses_and_other_units_are_doubted(tmp_path):
    """The step is 1 ms, which sees 500 Hz at most; 7.85e-9 is t/mm³."""
    quick = ('polynomial="0 2"', 'frequency="600"')
    small = ('E="210e9" density="7850"', 'E="210e3" density="7.85e-9"')
    folder = write(tmp_path, quick, small)
    text = (folder / "frame.leaf.xml").read_text()
    units, missed = rehearse(folder)[1]
    assert (units.code, missed.code) == ("BND056", "BND057")
    assert not units.fatal
    assert not missed.fatal
    assert "density 7.85e-09 of material steel look like" in units.finding
    assert "loaded at 600 Hz, and steps of 0.001 s see at most 500 Hz" in missed.finding
    for problem, at in ((units, '<material name="steel"'), (missed, "<push at")):
        lines = [k for k, x in enumerate(text.splitlines(), 1) if at in x]
        assert problem.where.line in lines
