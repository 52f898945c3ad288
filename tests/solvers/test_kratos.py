"""Kratos shells and solids as leaves; needs bondline[kratos]."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Advance, Rejected, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.testing import assert_conforms, check_leaf

pytest.importorskip("KratosMultiphysics.StructuralMechanicsApplication")

from bondline.leaves.kratos_matrices import kratos_linear
from bondline.leaves.kratos_model import mdpa
from bondline.leaves.kratos_structure import KratosStructure

LAWS = {True: "LinearElasticPlaneStress2DLaw", False: "LinearElastic3DLaw"}
ALL = ("x", "y", "z", "rx", "ry", "rz")
THIN = 0.005


def strip(kind, first, last, thick=THIN, side=0.1):
    """Text of an mdpa file: a strip along x, one cell wide, with its ends as sets."""
    shell = "Shell" in kind
    layers = 1 if shell else 2
    along, across = range(first, last + 1), range(2)
    spots = [(x, y, z) for x in along for z in range(layers) for y in across]
    number = {spot: k for k, spot in enumerate(spots, start=1)}
    lines = ["Begin Properties 1", "YOUNG_MODULUS 2e9", "POISSON_RATIO 0.3"]
    lines += ["DENSITY 1200.0", f"THICKNESS {thick}"]
    lines += [f"CONSTITUTIVE_LAW {LAWS[shell]}", "End Properties", "Begin Nodes"]
    for (x, y, z), k in number.items():
        lines.append(f"{k} {side * x} {side * y} {thick * z}")
    lines += ["End Nodes", f"Begin Elements {kind}"]
    cells = []
    for x in range(first, last):
        ring = [(x, 0), (x + 1, 0), (x + 1, 1), (x, 1)]
        if shell:
            a, b, c, d = (number[i, j, 0] for i, j in ring)
            cells += [(a, b, c), (a, c, d)]
        else:
            cells.append([number[i, j, z] for z in (0, 1) for i, j in ring])
    lines += [f"{k} 1 {' '.join(map(str, c))}" for k, c in enumerate(cells, start=1)]
    lines.append("End Elements")
    for name, x in (("left", first), ("right", last)):
        nodes = [str(k) for (i, _, _), k in number.items() if i == x]
        lines += [f"Begin SubModelPart {name}", "Begin SubModelPartNodes", *nodes]
        lines += ["End SubModelPartNodes", "End SubModelPart"]
    return "\n".join(lines) + "\n"


def clamped(kind, **how):
    dofs = ALL if "Shell" in kind else ALL[:3]
    text = strip(kind, 0, how.pop("length", 4), how.pop("thick", THIN))
    held = {"left": dofs}
    return KratosStructure("strip", mdpa(text), {"right": "right"}, held, **how)


@pytest.mark.parametrize(
    ("kind", "keeps"),
    [
        pytest.param("SmallDisplacementElement3D8N", False, marks=pytest.mark.full),
        pytest.param("TotalLagrangianElement3D8N", False, marks=pytest.mark.full),
        ("ShellThickElementCorotational3D3N", True),
    ],
)
def test_it_conforms(kind, keeps):
    def make():
        return clamped(kind, length=2, gravity=(0.0, 0.0, -9.81))

    leaf = make()
    assert leaf.capabilities.linear == kind.startswith("Small")
    assert leaf.capabilities.serialises == (not keeps)
    assert_conforms(leaf, make=make)


def bent(model, port, most, h):
    """Where an end is while a force grows in eight windows, in newtons."""
    step, rows, nodes = model.start(0.0), [], model.ports[port].nodes
    for n in range(8):
        force = np.array([0.0, 0.0, most / nodes * (n + 1) / 8])
        inputs = {port: Signal.hold(np.tile(force, nodes))}
        step = model.advance(step.state, uniform(0.0, h, n), inputs)
        assert isinstance(step, Advance), step
        rows.append(step.outputs[port].x)
    return np.array(rows)


def test_a_strip_of_solids_cut_in_two_bends_as_kratos_does_alone():
    """Large turns on both sides of the cut."""
    kind = "TotalLagrangianElement3D8N"
    first, last = (mdpa(strip(kind, k, k + 1, 0.05)) for k in (0, 1))
    root = KratosStructure("root", first, {"cut": "right"}, {"left": ALL[:3]})
    end = KratosStructure("end", last, {"cut": "left", "tip": "right"})
    seam = {"cut": ("root.cut", "end.cut")}
    glued = glue("strip", [root, end], seam, exports={"tip": "end.tip"})
    found = bent(glued, "tip", 1e5, 2e-4)
    wanted = bent(clamped(kind, length=2, thick=0.05), "right", 1e5, 2e-4)
    assert wanted[-1, 2] > 0.05  # of 0.2 m
    assert np.abs(found - wanted).max() < 1e-8 * wanted[-1, 2]


def test_shells_bend_far_and_come_back_to_the_same_bits():
    leaf = clamped("ShellThinElementCorotational3D3N")
    one = bent(leaf, "right", 24.0, 5e-3)
    assert one[-1, 2] > 0.03
    assert bent(leaf, "right", 24.0, 5e-3).tobytes() == one.tobytes()


def test_kratos_steps_as_we_step_its_matrices():
    """Bossak's method with α = 0 is Newmark's; solids, which have all their mass."""
    kind, held = "SmallDisplacementElement3D8N", {"left": ALL[:3]}
    ours = kratos_linear("strip", mdpa(strip(kind, 0, 4)), {"right": "right"}, held)
    theirs = clamped(kind)
    rows = []
    for leaf in (ours, theirs):
        step = leaf.start(0.0)
        for n in range(20):
            push = {"right": Signal.hold(np.tile([0.0, 3.0, 9.0], 4))}
            step = leaf.advance(step.state, uniform(0.0, 1e-3, n), push)
        rows.append(step.outputs["right"].x)
    assert np.abs(rows[0] - rows[1]).max() < 1e-9 * np.abs(rows[0]).max()


def test_linear_shells_as_matrices_have_all_abilities():
    text = strip("ShellThinElement3D3N", 0, 4)
    leaf = kratos_linear("strip", mdpa(text), {"right": "right"}, {"left": ALL})
    assert leaf.ports["right"].dofs == ALL
    check_leaf(leaf, window=1e-4).raise_if_failed()
    push = {"right": np.tile([0.0, 0.0, 0.5, 0.0, 0.0, 0.0], 2)}
    rest = leaf.equilibrium(leaf.start(0.0).state, 1.0, push, {})
    wide = 2e9 / (1 - 0.3**2) * 0.1 * THIN**3 / 12  # a plate, held against warping
    narrow = 2e9 * 0.1 * THIN**3 / 12
    sag = rest.outputs["right"].x[2]
    assert 0.4**3 / 3 / wide * 0.98 < sag < 0.4**3 / 3 / narrow * 1.02


def test_forces_that_are_no_numbers_are_a_rejection():
    leaf = clamped("TotalLagrangianElement3D8N", length=1)
    done = leaf.advance(
        leaf.start(0.0).state,
        Window(0.0, 1e-3),
        {"right": Signal.hold(np.full(12, np.nan))},
    )
    assert isinstance(done, Rejected)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: clamped("ShellThinElement3D3N", steps=0), "at least 1 step"),
        (
            lambda: KratosStructure(
                "s", mdpa(strip("ShellThinElement3D3N", 0, 1)), {"a": "rigth"}
            ),
            "no set 'rigth'",
        ),
        (
            lambda: KratosStructure(
                "s", mdpa(strip("ShellThinElement3D3N", 0, 1)), {"a": [99]}
            ),
            "no node 99",
        ),
        (
            lambda: clamped("ShellThinElement3D3N", dofs={"right": ("rx",)}),
            "no dof rx",
        ),
        (
            lambda: kratos_linear(
                "s", mdpa(strip("TotalLagrangianElement3D8N", 0, 1)), {}
            ),
            "not all linear",
        ),
        (
            lambda: KratosStructure(
                "s", mdpa("Begin Elements NoSuch\n1 0 1\nEnd Elements"), {}
            ),
            "mdpa",
        ),
        (lambda: KratosStructure("s", lambda part: None, {}), "no elements"),
    ],
)
def test_what_does_not_fit_is_refused(make, words):
    with pytest.raises(SettingError, match=words):
        make()


def test_shells_that_overwrite_memory_are_refused():
    def fill(part):
        mdpa(strip("ShellThinElement3D3N", 0, 1))(part)
        part.CreateNewElement(
            "ShellThickElement3D4N", 9, [1, 2, 4, 3], part.Properties[1]
        )

    with pytest.raises(SettingError, match="three nodes"):
        KratosStructure("s", fill, {})
