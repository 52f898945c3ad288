"""CalculiX as a leaf: its own program, run beside us; needs calculix-ccx."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from bondline.core import Advance, Rejected, Static, Window
from bondline.errors import DeckError, SettingError
from bondline.leaves.calculix import CalculixStatics, calculix_leaf, program, run
from bondline.testing import check_leaf

if shutil.which("ccx") is None:
    pytest.skip("needs calculix-ccx", allow_module_level=True)

LENGTH, SIDE, E = 1.0, 0.05, 70e9


def strip(kind="C3D20", cells=8):
    """A cantilever along x: bricks of twenty nodes, clamped on the left."""
    half = np.array([LENGTH / cells, SIDE, SIDE]) / 2.0
    number = {}

    def node(i, j, k):
        return number.setdefault((i, j, k), len(number) + 1)

    corners = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0)]
    corners += [(i, j, 2) for i, j, _ in corners]
    pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4)]
    pairs += [(k, k + 4) for k in range(4)]
    spots = np.array(corners)
    middles = [tuple((spots[a] + spots[b]) // 2) for a, b in pairs]
    rows = []
    for c in range(cells):
        rows.append([node(i + 2 * c, j, k) for i, j, k in [*corners, *middles]])
    places = [(n, *(half * at).tolist()) for at, n in number.items()]
    lines = ["*NODE, NSET=ALL", *(f"{n},{x!r},{y!r},{z!r}" for n, x, y, z in places)]
    lines += [f"*ELEMENT, TYPE={kind}, ELSET=E"]
    for n, row in enumerate(rows, start=1):
        lines += [f"{n}," + ",".join(map(str, row[:15])) + ","]
        lines += [",".join(map(str, row[15:]))]
    for name, at in (("ROOT", 0), ("TIP", 2 * cells)):
        nodes = [n for (i, _, _), n in number.items() if i == at]
        lines += [f"*NSET, NSET={name}", *(f"{n}," for n in nodes)]
    lines += ["*MATERIAL, NAME=ALLOY", "*ELASTIC", f"{E},0.3", "*DENSITY", "2700."]
    lines += ["*SOLID SECTION, MATERIAL=ALLOY, ELSET=E"]
    return "\n".join([*lines, "*BOUNDARY", "ROOT,1,3", ""])


def pushed(leaf, port, total):
    """The same force on every node of a port."""
    nodes = leaf.ports[port].nodes
    return {port: np.tile(np.array(total) / nodes, nodes)}


def sag(leaf, total):
    done = leaf.equilibrium(leaf.start(0.0).state, 1.0, pushed(leaf, "tip", total), {})
    assert isinstance(done, Advance), done
    return done.outputs["tip"].x.reshape(-1, 3).mean(axis=0)


def test_its_matrices_are_a_leaf_that_conforms():
    leaf = calculix_leaf("strip", strip(cells=2), {"tip": "TIP"}, damping=(5.0, 1e-6))
    check_leaf(leaf, window=1e-4).raise_if_failed()


def test_it_swings_as_beams_do():
    """The first bending frequency of a cantilever, as the count of modes jumps."""
    leaf = calculix_leaf("strip", strip(cells=16), {"tip": "TIP"})
    first = 1.8751**2 * np.sqrt(E * SIDE**2 / 12.0 / 2700.0) / LENGTH**2
    below, above = (
        leaf.receptance(s * first, damped=False).below for s in (0.99, 1.01)
    )
    assert (below, above) == (0, 2)  # in both directions


def test_a_little_rest_by_the_program_is_rest_by_its_matrices():
    """With springs on the port, and without."""
    text = strip(cells=3)
    ours = calculix_leaf("strip", text, {"tip": "TIP"})
    theirs = CalculixStatics("strip", text, {"tip": "TIP"})
    assert isinstance(theirs, Static)
    for stiffness in (0.0, 1e3):
        springs = {"tip": np.full(24, stiffness)} if stiffness else {}
        one, two = (
            leaf.equilibrium(
                leaf.start(0.0).state,
                1.0,
                pushed(leaf, "tip", (0.0, 3.0, 8.0)),
                springs,
            )
            .outputs["tip"]
            .x
            for leaf in (ours, theirs)
        )
        assert np.abs(one - two).max() < 1e-3 * np.abs(one).max()


def test_nonlinear_rest_draws_the_tip_in():
    """An elastica: P L² = EI bends the tip by 0.302 L and draws it in by 0.056 L."""
    leaf = CalculixStatics("strip", strip(cells=16), {"tip": "TIP"})
    x, y, z = sag(leaf, (0.0, 0.0, E * SIDE**4 / 12.0 / LENGTH**2))
    assert (x, z) == (pytest.approx(-0.0564, rel=0.03), pytest.approx(0.3017, rel=0.03))
    assert abs(y) < 1e-5


def test_masses_of_too_few_points_are_explained():
    with pytest.raises(DeckError, match="Take C3D8 or C3D20"):
        calculix_leaf("strip", strip("C3D20R", 1), {"tip": "TIP"})


def test_statics_have_no_time():
    leaf = CalculixStatics("strip", strip(cells=1), {"tip": "TIP"})
    done = leaf.advance(leaf.start(0.0).state, Window(0.0, 1.0), {})
    assert isinstance(done, Rejected)
    assert "calculix_leaf" in done.reason


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("*INCLUDE, INPUT=/etc/passwd", "names a file"),
        ("*INC LUDE, INP UT=/etc/passwd", "names a file"),
        ("*RE START, READ", "names a file"),
        ("*C LOAD", "a load of its own"),
        ("*RESTART, READ", "names a file"),
        ("*AMPLITUDE, NAME=A, INPUT=/etc/passwd", "names a file"),
        ("*STEP\n*STATIC\n*CLOAD\nTIP,3,1.", "a load of its own"),
        ("*NSET, NSET=X\n1,2", "no node set 'TPI'"),
        ("*NODE\n1,a,b", "Write numbers"),
    ],
)
def test_decks_that_reach_further_are_refused(line, words):
    with pytest.raises(DeckError, match=words):
        calculix_leaf("strip", strip(cells=1) + line + "\n", {"tip": "TPI"})


def test_its_complaints_are_told():
    with pytest.raises(DeckError, match=r"\*ERROR"):
        run(strip(cells=1).replace("MATERIAL=ALLOY", "MATERIAL=NONE"), ("sti",))


def test_without_the_program_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SettingError, match="apt install calculix-ccx"):
        program()
