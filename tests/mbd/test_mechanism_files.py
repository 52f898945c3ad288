"""Mechanism files: what they make, what is settable, what is refused and where."""
# ruff: noqa: E501 - a table reads best with one row a line

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.build import Given, open_model, rehearse
from bondline.core import Signal, Window
from bondline.description import bundle
from bondline.errors import DescriptionError, UsageError
from bondline.leaves.mbd.modal import write_modes
from bondline.testing import check_leaf

from .gun import gun_modes
from .mechanism_models import LEAF, SYSTEM, write

OWN = 'kernel="specialised"'


def leaf_of(folder, **settings):
    return open_model(folder, Given(set=settings)).model.parts["model"]


def test_a_file_makes_a_leaf_that_runs(tmp_path):
    leaf = leaf_of(write(tmp_path))
    now = leaf.start(0.0)
    seen = leaf.observe(now.state)
    assert {name: o.unit for name, o in seen.items()} == {
        "angle": "rad",
        "spin": "rad/s",
        "bend": "1",
        "tip.z": "m",
    }
    assert seen["angle"].value == 0.1
    assert seen["spin"].value == 0.2
    assert leaf.breaks(Window(0.02, 0.06)) == [0.03, 0.05]
    for k in range(3):
        now = leaf.advance(now.state, Window(k * 0.01, (k + 1) * 0.01), {})
    assert leaf.observe(now.state)["angle"].value != 0.1
    assert list(leaf.shapes(now.state)) == ["arm"]


def test_parameters_are_arithmetic_of_those_before(tmp_path):
    longer = leaf_of(write(tmp_path), **{"model.arm.length": "1600mm"})
    arm = longer.sheet.mechanism.bodies[0]
    assert_allclose(arm.mass, 2 * 1.6 + 1.0)
    assert_allclose(arm.markers["end"].at, (1.6, 0, 0))


def test_a_file_may_ask_for_a_kernel_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = write(tmp_path)
    (path,) = folder.rglob("*.leaf.xml")
    path.write_text(path.read_text().replace('step="1e-3"', f'step="1e-3" {OWN}'))
    leaf = leaf_of(folder)
    assert leaf.sheet.integration.kernel == "specialised"
    assert leaf.tree.special is not None


def test_a_word_can_be_chosen(tmp_path):
    folder = write(tmp_path)
    straight = leaf_of(folder).sheet
    hanging = leaf_of(folder, **{"model.begin": "sag", "model.form": "residual"}).sheet
    assert straight.integration.multirate == "paper"
    assert hanging.integration.multirate == "residual"
    assert straight.mechanism.bodies[1].modes.start == (0.0, 0.0)
    modes = hanging.mechanism.bodies[1].modes
    angle = 0.1  # swings about y: down is −z turned into the arm's axes
    down = np.array([9.81 * np.sin(angle), 0, -9.81 * np.cos(angle)])
    down = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]) @ down  # rpy of the grip
    assert_allclose(modes.start, np.linalg.solve(modes.K, modes.I0 @ down))


@pytest.mark.parametrize("word", ["sagg", "2", "0.5"])
def test_a_word_that_is_no_choice_is_refused(tmp_path, word):
    with pytest.raises((DescriptionError, UsageError), match="none of its choices"):
        leaf_of(write(tmp_path), **{"model.begin": word})


def test_modes_come_from_a_file_inside_the_model(tmp_path):
    start = LEAF.index("    <beam")
    end = LEAF.index("</beam>") + len("</beam>")
    text = (LEAF[start:end], '<modes source="resources/gun.h5" speed="0 0 0 1"/>')
    folder = write(
        tmp_path,
        text,
        ("whip.tip", "whip.muzzle"),
        ("whip.tip", "whip.muzzle"),
        ("whip.tip", "whip.muzzle"),
    )
    (folder / "resources").mkdir()
    write_modes(folder / "resources" / "gun.h5", gun_modes())
    leaf = leaf_of(folder)
    assert leaf.tree.n_u == 5
    packed = tmp_path / "model.ssp"
    packed.write_bytes(bundle(folder))
    again = open_model(packed).model.parts["model"]
    assert again.start(0.0).state.tobytes() == leaf.start(0.0).state.tobytes()
    (folder / "resources" / "gun.h5").write_bytes(b"nothing")
    (problem,) = rehearse(folder)[1]
    assert problem.code == "BND074"
    assert "HDF5" in problem.finding
    (folder / "resources" / "gun.h5").unlink()
    assert [p.code for p in rehearse(folder)[1]] == ["BND009"]


WRONG = [
    ("BND073", 'kind="revolute"', 'type="revolute"', "<joint name", "type"),
    ("BND001", "<ground>", "<grund>", "</ground>", "mismatched"),
    ("BND074", 'outboard="arm.root"', 'outboard="arm.rot"', '<joint name="swing"', "rot"),
    ("BND074", 'kind="fixed"', 'kind="fixd"', '<joint name="grip"', "fixd"),
    ("BND074", 'mass="arm.mass"', 'mass="arm.mas"', "<rod", "arm.mas"),
    ("BND074", 'joint="swing" value="3"', 'joint="swng" value="3"', "<joint-load", "swng"),
    ("BND074", 'at="whip.tip"', 'at="whip.tipp"', "<port", "tipp"),
    ("BND074", '<port name="tip" at="whip.tip"', '<port name="tip" at="arm.root" takes="motion"', "<port", "carry"),
    ("BND074", 'of="whip.a1"', 'of="whip.a3"', '<signal name="bend"', "a3"),
    ("BND074", 'component="z"', 'component="zz"', '<signal name="tip.z"', "zz"),
    ("BND074", "through=\"arm arm.end", "through=\"arm arm.ende", "<line", "ende"),
    ("BND074", 'step="1e-3"', 'step="0"', "<integration", "step"),
    ("BND074", 'multirate="form"', 'multirate="papr"', "<integration", "papr"),
    ("BND074", 'step="1e-3"', 'step="1e-3" kernel="specialized"', "<integration", "specialized"),
    ("BND074", 'ratio="2"', 'ratio="2.5"', "<integration", "2.5"),
    ("BND074", 'unit="kg"', 'unit="kgg"', '<parameter name="arm.mass"', "kgg"),
    ("BND074", 'value="straight"', 'value="bent"', '<parameter name="begin"', "bent"),
    ("BND074", 'name="form"', 'name="begin"', '<parameter name="begin" value="paper"', "twice"),
    ("BND074", 'kind="bend-z"', 'kind="bend-x"', "<beam", "bend-x"),
    ("BND074", 'start="0.1"', 'start="0.1 0.2"', '<joint name="swing"', "2 numbers"),
    ("BND074", 'at="0 0 1"', 'at="0 1"', '<marker name="post"', "2 numbers"),
    ("BND074", 'axis="0 1 0"/>\n    <marker name="end"', 'axis="0 1 0" rpy="0 0 0"/>\n    <marker name="end"', '<marker name="root"', "axis and rpy"),
    ("BND074", '<marker name="end"', '<marker name="root"', '<marker name="root" at=', "twice"),
    ("BND074", 'frequency="2"', 'frequency="2" polynomial="1"', "<joint-load", "more than one way"),
    ("BND074", "sin(3*t)", "sinn(3*t)", '<push at="arm.end" force="0 0 1"', "sinn"),
    ("BND074", 'above="1"', "", "<joint-stop", "stops nothing"),
    ("BND074", '<box size="0.1 0.1 0.1" density="1000"', '<box size="0.1 0.1 0.1"', "<box", "density"),
    ("BND074", 'of="swing.angle"', 'of="swing.angel"', '<signal name="angle"', "swing.angel"),
    ("BND074", 'start="0.1"', 'start="-30deg"', '<joint name="swing"', "has a unit"),
    ("BND074", '<body name="whip">', '<body name="whip" mass="1">', '<body name="whip"', "2 ways"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "old", "new", "at", "says"), WRONG)
def test_what_is_wrong_is_told_at_its_element(tmp_path, code, old, new, at, says):
    folder = write(tmp_path, (old, new))
    text = (folder / "whip.leaf.xml").read_text()
    found = [p for p in rehearse(folder)[1] if p.code == code]
    line = text[: text.index(at)].count("\n") + 1
    assert line in [p.where.line for p in found], found
    problem = next(p for p in found if p.where.line == line)
    assert problem.where.file.endswith("whip.leaf.xml")
    assert says is None or says in problem.finding
    assert problem.remedy


def test_everything_that_is_wrong_is_told_at_once(tmp_path):
    changes = (
        ('outboard="arm.root"', 'outboard="arm.rot"'),
        ('at="whip.tip"', 'at="whip.tipp"'),
    )
    found = rehearse(write(tmp_path, *changes))[1]
    assert [p.finding.split(":")[0] for p in found] == ["joint swing", "port tip"]
    springs = (
        ('joint="swing" value="3"', 'joint="swng" value="3"'),
        ('<push at="arm.end', '<push at="arm.ende'),
    )
    found = rehearse(write(tmp_path / "forces", *springs))[1]
    assert len(found) == 2


def test_a_remedy_for_a_file_is_not_written_in_python(tmp_path):
    near = [
        p.remedy
        for p in rehearse(write(tmp_path, ('of="swing.angle"', 'of="swing.angel"')))[1]
    ]
    assert "'swing.angle'" in near[0]
    gone = write(
        tmp_path / "gone",
        ('<joint name="grip"', '<!-- <joint name="grip"'),
        ('outboard="whip"', 'outboard="whip" -->'),
    )
    for problem in rehearse(gone)[1]:
        assert "Joint(" not in problem.remedy


def test_a_connector_without_port_or_signal_is_told_in_the_system(tmp_path):
    system = SYSTEM.replace('"tip" kind', '"top" kind').replace('"angle"', '"angel"')
    problems = rehearse(write(tmp_path, system=system))[1]
    assert {p.code for p in problems} >= {"BND025", "BND072"}
    assert any("angle" in p.remedy for p in problems)


def test_a_file_may_tell_a_joint_what_to_do(tmp_path):
    motion = '<joint-motion joint="swing" polynomial="0.1 0.2" amplitude="g/100" frequency="2"/>'
    leaf = leaf_of(
        write(
            tmp_path,
            (
                '<joint-load joint="swing" value="3"',
                f'{motion}\n  <joint-load joint="swing" value="3"',
            ),
        )
    )
    now = leaf.start(0.0)
    now = leaf.advance(now.state, Window(0.0, 0.01), {})
    wanted = 0.1 + 0.2 * 0.01 + 0.0981 * np.sin(4 * np.pi * 0.01)
    assert_allclose(leaf.observe(now.state)["angle"].value, wanted, atol=1e-12)


def test_an_element_counts_where_its_when_is_not_zero(tmp_path):
    """Also inside others; and what it says is checked."""
    signal = ('<signal name="bend"', '<signal name="bend" when="begin"')
    folder = write(tmp_path, signal, ("<beam ", '<beam when="2*1" '))
    for word, there in (("straight", False), ("sag", True)):
        leaf = leaf_of(folder, **{"model.begin": word})
        assert ("bend" in leaf.observe(leaf.start(0.0).state)) is there
    wrong = write(tmp_path / "wrong", (signal[0], signal[1].replace("begin", "begn")))
    (problem,) = rehearse(wrong)[1]
    assert "'begin'" in problem.remedy


def test_a_port_may_be_a_point(tmp_path):
    point = (
        '<port name="tip" at="whip.tip"',
        '<port name="tip" at="whip.tip" dofs="x z"',
    )
    leaf = leaf_of(write(tmp_path, point))
    port = leaf.ports["tip"]
    assert (port.dofs, port.frame) == (("x", "z"), False)
    check_leaf(leaf, window=1e-3).raise_if_failed()
    whole = leaf_of(write(tmp_path / "whole"))
    f = np.array([3.0, -2.0])
    told = (
        {"tip": Signal.hold(f)},
        {"tip": Signal.hold(np.array([3.0, 0, -2.0, 0, 0, 0]))},
    )
    one, two = (
        made.advance(made.start(0.0).state, Window(0.0, 1e-3), inputs)
        for made, inputs in zip((leaf, whole), told, strict=True)
    )
    assert one.state.tobytes() == two.state.tobytes()
    assert_allclose(one.outputs["tip"].a, two.outputs["tip"].a[[0, 2]])
    for at in (("x y", "z x"), ("rx", "rx"), ("x", "x y rz")):
        bad = write(tmp_path / at[0], (point[0], point[1].replace("x z", at[1])))
        (problem,) = rehearse(bad)[1]
        assert "some of x y z" in problem.remedy


def test_text_in_a_file_is_never_executed(tmp_path):
    for attack in ("__import__('os')", "().__class__", "9**9**9**9"):
        (problem, *_) = rehearse(
            write(tmp_path, ('length="0.3"', f'length="{attack}"'))
        )[1]
        assert problem.code == "BND074"


def test_a_file_that_is_another_thing_is_refused(tmp_path):
    folder = write(tmp_path)
    (folder / "whip.leaf.xml").write_text("<robot/>")
    (problem,) = rehearse(folder)[1]
    assert (problem.code, problem.where.line) == ("BND073", 1)
    (folder / "whip.leaf.xml").write_text("<!DOCTYPE a><mechanism/>")
    assert rehearse(folder)[1][0].code == "BND002"


NASTY = (
    "1e300",
    "-1",
    "0",
    "1e-300",
    "1/0",
    "nan",
    "",
    "a b",
    "1 2 3 4 5 6 7",
    "ground",
)


@pytest.mark.parametrize("seed", range(40))
def test_no_attribute_makes_the_reader_fall_over(tmp_path, seed):
    rng = np.random.default_rng(seed)
    places = list(re.finditer(r'="([^"]*)"', LEAF))[1:]
    text = LEAF
    for at in sorted(rng.choice(len(places), 2, replace=False))[::-1]:
        start, end = places[at].span(1)
        text = text[:start] + str(rng.choice(NASTY)) + text[end:]
    write(tmp_path)
    (tmp_path / "whip.leaf.xml").write_text(text)
    for problem in rehearse(tmp_path)[1]:
        assert problem.remedy
