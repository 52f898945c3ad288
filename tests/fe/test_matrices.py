"""Matrices out and in: every format, every digit; and files that are wrong."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from math import pi

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from bondline.core import Causality, Window, uniform
from bondline.errors import BondlineError, DeckError, SettingError
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.loads import Gravity, NodalForce
from bondline.leaves.fe.matrices import (
    MatrixSet,
    Terminal,
    full_matrices,
    matrix_leaf,
    read_abaqus,
    read_market,
    read_matrices,
    read_op4,
    read_substructure,
    reduced_matrices,
    write_abaqus,
    write_h5,
    write_market,
    write_op4,
    write_substructure,
)
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.reduction import Wanted, reduce_model
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Harmonic
from bondline.leaves.structure import Structure
from bondline.numerics import LinearSystem

from .parts import ALL, DAMPED, plate

PORTS = {"end": Plug("u1")}
SIX = ("x", "y", "z", "rx", "ry", "rz")


def model():
    mesh = plate(3, 2, material=DAMPED)
    wave = Harmonic(b=(1.0,), omega=2.0 * pi * 20.0)
    return FeModel(
        "wing",
        mesh,
        (Support(mesh.node_sets["u0"], ALL),),
        loads=(
            Gravity(np.array([0.0, 0.0, -9.81])),
            NodalForce(mesh.node_sets["u1"][:1], 2, 50.0, wave),
        ),
    )


def full():
    return full_matrices(model(), PORTS)


def reduced():
    return reduced_matrices(reduce_model(model(), PORTS, Wanted(300.0, samples=0)))


def dense(system):
    return [A if isinstance(A, np.ndarray) else A.toarray() for A in system]


def same(one, two):
    for a, b in zip(dense(one.system), dense(two.system), strict=True):
        assert_array_equal(a, b)


def tiny(**changes):
    M, C, K = np.eye(2), np.zeros((2, 2)), np.array([[2.0, -1.0], [-1.0, 2.0]])
    given = {"M": M, "C": C, "K": K} | changes
    return MatrixSet("tiny", LinearSystem(given["M"], given["C"], given["K"]))


@pytest.mark.parametrize("made", [full, reduced])
def test_matrix_market_keeps_every_digit(made, tmp_path):
    source = made()
    paths = write_market(source, tmp_path)
    same(read_market(**paths), source)


@pytest.mark.parametrize("made", [full, reduced])
def test_abaqus_matrices_keep_every_digit(made, tmp_path):
    source = made()
    paths = write_abaqus(source, tmp_path)
    back = read_abaqus(**paths)
    same(back, source)
    if source.labels is None:
        assert back.labels is None
    else:
        assert_array_equal(back.labels, source.labels)


@pytest.mark.parametrize("made", [full, reduced])
def test_substructures_keep_every_digit(made, tmp_path):
    source = made()
    write_substructure(source, tmp_path / "wing.mtx")
    back = read_matrices(tmp_path / "wing.mtx")
    same(back, source)
    if source.labels is not None:
        assert_array_equal(back.labels, source.labels)


@pytest.mark.quick(1)
@pytest.mark.skipif(find_spec("pyyeti") is None, reason="needs the extra nastran")
@pytest.mark.parametrize("made", [full, reduced])
def test_output4_keeps_every_digit(made, tmp_path):
    source, before = made(), np.get_printoptions()
    write_op4(source, tmp_path / "wing.op4")
    same(read_matrices(tmp_path / "wing.op4"), source)
    assert np.get_printoptions() == before
    named = read_op4(tmp_path / "wing.op4", {"K": "MAA"})
    assert_array_equal(dense(named.system)[2], dense(source.system)[0])
    with pytest.raises(DeckError) as caught:
        read_op4(tmp_path / "wing.op4", {"K": "KXY"})
    assert caught.value.place.endswith("wing.op4")
    assert "no K in it: none of kxy" in caught.value.finding
    assert "kaa" in caught.value.remedy
    (tmp_path / "bad.op4").write_bytes((tmp_path / "wing.op4").read_bytes()[:200])
    with pytest.raises(DeckError):
        read_op4(tmp_path / "bad.op4")


@pytest.mark.full  # in quick form: test_output4_keeps_every_digit
@pytest.mark.skipif(find_spec("pyyeti") is None, reason="needs the extra nastran")
def test_output4_leaves_numpy_s_print_options_alone(tmp_path):
    """In a process of its own: pyyeti changes them once, where it is loaded."""
    code = (
        "import numpy as np, sys\n"
        "from bondline.leaves.fe.matrices import read_op4\n"
        "before = np.get_printoptions()\n"
        "try: read_op4(sys.argv[1])\n"
        "except Exception: pass\n"
        "assert 'pyyeti' in sys.modules\n"
        "assert np.get_printoptions() == before\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "none.op4")]
    subprocess.run(command, check=True)


@pytest.mark.skipif(find_spec("pyyeti") is not None, reason="pyyeti is there")
def test_output4_says_what_it_needs(tmp_path):
    for call in (lambda: read_op4("a.op4"), lambda: write_op4(tiny(), "a.op4")):
        with pytest.raises(SettingError) as caught:
            call()
        assert caught.value.place.endswith("op4")
        assert "pyyeti is not installed" in caught.value.finding
        assert "bondline[nastran]" in caught.value.remedy


def run(leaf, windows=40, h=5e-4):
    state = leaf.start(0.0).state
    for n in range(windows):
        state = leaf.advance(state, uniform(0.0, h, n), {}).state
    return leaf.advance(state, Window(0.5, 0.5 + h), {}).outputs["end"]


def test_a_leaf_of_matrices_does_what_the_leaf_of_the_model_does(tmp_path):
    """Ports, loads in time and gravity come along in HDF5."""
    write_h5(full(), tmp_path / "wing.h5")
    one, two = fe_leaf(model(), PORTS), matrix_leaf(tmp_path / "wing.h5")
    mine, known = run(two), run(one)
    assert_allclose(mine.x, known.x, rtol=1e-9, atol=1e-15)
    assert_allclose(mine.a, known.a, rtol=1e-7, atol=1e-9)
    rest = [m.equilibrium(m.start(0.0).state, 1.0, {}, {}) for m in (one, two)]
    assert_allclose(rest[1].outputs["end"].x, rest[0].outputs["end"].x, rtol=1e-9)
    assert two.kinks == one.kinks


@pytest.mark.parametrize("takes", list(Causality))
def test_ports_by_node_numbers_and_by_rows(takes, tmp_path):
    own = model()
    nodes = own.mesh.ids[own.mesh.node_sets["u1"]].tolist()
    points = own.mesh.points[own.mesh.node_sets["u1"]]
    source = read_abaqus(**write_abaqus(full_matrices(own), tmp_path))
    named = Terminal(SIX, nodes=nodes, points=points, causality=takes)
    leaf = matrix_leaf(source, {"end": named})
    known = fe_leaf(own, {"end": Plug("u1", causality=takes)})
    assert_array_equal(leaf.select["end"], known.select["end"])
    assert leaf.ports["end"].nodes == 3
    assert_array_equal(leaf.ports["end"].surface.points, points)
    rows = Terminal(SIX, rows=leaf.select["end"].tolist(), causality=takes)
    again = matrix_leaf(source, {"end": rows})
    assert_array_equal(again.select["end"], known.select["end"])
    assert again.ports["end"].surface is None


def test_one_triangle_or_both_are_one_matrix(tmp_path):
    low = "1,1, 1,1, 2.0\n2,1, 1,1, -1.0\n2,1, 2,1, 2.0\n"
    up = "1,1, 1,1, 2.0\n1,1, 2,1, -1.0\n2,1, 2,1, 2.0D0\n"
    both = low + "1,1, 2,1, -1.0\n"
    mass = "** a comment\n1,1, 1,1, 1.0\n2,1, 2,1, 1.0\n"
    (tmp_path / "m.mtx").write_text(mass)
    for text in (low, up, both):
        (tmp_path / "k.mtx").write_text(text)
        found = read_abaqus(K=tmp_path / "k.mtx", M=tmp_path / "m.mtx")
        assert_array_equal(dense(found.system)[2], [[2.0, -1.0], [-1.0, 2.0]])
        assert_array_equal(dense(found.system)[1], np.zeros((2, 2)))
        assert_array_equal(found.labels, [[1, 0], [2, 0]])


def test_a_substructure_as_abaqus_writes_it(tmp_path):
    """Dofs of the first node, then where they change; nodes are in comments."""
    (tmp_path / "s.mtx").write_text(
        "**\n** SUBSTRUCTURE\n*USER ELEMENT, NODES=2, LINEAR\n** ELEMENT NODES\n"
        "** 101, 205\n1, 2\n2, 3\n*MATRIX,TYPE=STIFFNESS\n 4.0 ,\n 1.0, 5.0\n"
        " 0.5, 0.25,\n 6.0\n*MATRIX, TYPE=MASS\n1.\n0., 1.\n0., 0., 1.\n"
    )
    found = read_substructure(tmp_path / "s.mtx")
    K = [[4.0, 1.0, 0.5], [1.0, 5.0, 0.25], [0.5, 0.25, 6.0]]
    assert_array_equal(found.system.K, K)
    assert_array_equal(found.labels, [[101, 0], [101, 1], [205, 2]])
    leaf = matrix_leaf(found, {"p": Terminal(("x", "y"), nodes=[101])})
    assert leaf.name == "s"
    assert_array_equal(leaf.select["p"], [0, 1])


BAD_TEXT = {
    "word": ("1,1, 1,1, two\n", "k.mtx:1", "1,1, 1,1, two", "numbers only"),
    "width": ("1,1, 1,1, 2.\n1,1,3.\n", "k.mtx:2", "1,1,3.", "5 numbers"),
    "half": ("1,1.5, 1,1, 2.\n", "k.mtx:1", "1,1.5", "whole numbers"),
    "nan row": ("nan,1, 1,1, 2.\n", "k.mtx:1", "nan,1", "whole numbers"),
    "wide": ("1,2\n", "k.mtx:1", "2 numbers in a line", "5 (row node"),
    "empty": ("** nothing\n", "k.mtx", "no entries", "*MATRIX OUTPUT"),
    "market": ("%%MatrixMarket\n1\n", "k.mtx", "Matrix Market", "read_market"),
    "far": ("1 1 1.0\n99999999999 1 1.0\n", "k.mtx", "to 99999999999", "from 1"),
    "zero": ("0 1 1.0\n1 1 1.0\n", "k.mtx", "from 0", "from 1"),
}


@pytest.mark.parametrize("case", BAD_TEXT)
def test_bad_files_of_abaqus(case, tmp_path):
    text, place, finding, remedy = BAD_TEXT[case]
    (tmp_path / "k.mtx").write_text(text)
    with pytest.raises(DeckError) as caught:
        read_abaqus(K=tmp_path / "k.mtx", M=tmp_path / "k.mtx")
    assert caught.value.place.endswith(place)
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_files_of_two_forms_do_not_go_together(tmp_path):
    (tmp_path / "k.mtx").write_text("1,1, 1,1, 2.0\n")
    (tmp_path / "m.mtx").write_text("1, 1, 2.0\n")
    with pytest.raises(DeckError) as caught:
        read_abaqus(K=tmp_path / "k.mtx", M=tmp_path / "m.mtx")
    assert caught.value.place.endswith("m.mtx")
    assert "another form" in caught.value.finding
    assert "same FORMAT" in caught.value.remedy


BAD_SUBSTRUCTURE = {
    "cut": ("*MATRIX,TYPE=STIFFNESS\n1., 2.,\n", ":1", "2 numbers", "cut off"),
    "type": ("*MATRIX,TYPE=STIFNESS\n1.\n", ":1", "STIFNESS", "'STIFFNESS'"),
    "none": ("*HEADING\n", "s.mtx", "no *MATRIX", "read_abaqus"),
    "text": ("*MATRIX,TYPE=STIFFNESS\nx\n", ":2", "'x'", "numbers only"),
}


@pytest.mark.parametrize("case", BAD_SUBSTRUCTURE)
def test_bad_substructures(case, tmp_path):
    text, place, finding, remedy = BAD_SUBSTRUCTURE[case]
    (tmp_path / "s.mtx").write_text(text)
    with pytest.raises(DeckError) as caught:
        read_substructure(tmp_path / "s.mtx")
    assert caught.value.place.endswith(place)
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


HEAD = "%%MatrixMarket matrix"
BAD_MARKET = {
    "large": (
        f"{HEAD} array real general\n99999999 99999999\n1.\n",
        "9999999800000001 n",
    ),
    "cut": (f"{HEAD} coordinate real general\n50000 50000 60000\n", "too short"),
    "rows": (f"{HEAD} coordinate real general\n99999999 99999999 1\n1 1 1.\n", "99"),
    "flat": (f"{HEAD} coordinate real general\n2 3 1\n1 1 1.0\n", "2 × 3"),
    "complex": (f"{HEAD} coordinate complex general\n1 1 1\n1 1 1. 2.\n", "complex"),
    "outside": (f"{HEAD} coordinate real general\n2 2 1\n7 1 1.0\n", "no Matrix"),
    "no": ("hello\n", "no Matrix Market file"),
}


@pytest.mark.parametrize("case", BAD_MARKET)
def test_bad_files_of_matrix_market(case, tmp_path):
    text, finding = BAD_MARKET[case]
    (tmp_path / "k.mtx").write_text(text)
    with pytest.raises(DeckError) as caught:
        read_market(K=tmp_path / "k.mtx", M=tmp_path / "k.mtx")
    assert caught.value.place.endswith("k.mtx")
    assert finding in caught.value.finding
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("changes", "place", "finding", "remedy"),
    [
        ({"K": np.eye(3)}, "tiny: K", "3 × 3, and M has 2", "of one size"),
        ({"M": np.array([[1.0, np.nan], [0, 1]])}, "tiny: M", "NaN", "finite"),
        ({"K": np.array([[1.0, 2.0], [0.0, 1.0]])}, "tiny: K", "by 2", "gyroscopic"),
        (
            {"K": csr_array(np.array([[1.0, 2.0], [0.0, 1.0]]))},
            "tiny: K",
            "not symmetric",
            "both triangles",
        ),
    ],
)
def test_matrices_that_are_none_of_a_structure(changes, place, finding, remedy):
    with pytest.raises(DeckError) as caught:
        tiny(**changes)
    assert caught.value.place == place
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


@pytest.mark.parametrize("form", [np.array, csr_array])
def test_digits_that_differ_across_the_diagonal_are_shared_out(form):
    skew = np.array([[0.0, 1.5e-9], [0.0, 0.0]])
    lopsided = tiny(K=form(tiny().system.K + skew))
    K = matrix_leaf(lopsided).system.K
    whole = K if isinstance(K, np.ndarray) else K.toarray()
    assert (whole == whole.T).all()
    assert_allclose(whole, tiny().system.K, rtol=1e-9)


def test_what_is_read_and_what_is_given_are_held_to_one_symmetry():
    for size, fits in ((1.9e-8, True), (2.1e-8, False)):
        K = tiny().system.K + np.array([[0.0, size], [0.0, 0.0]])
        system = LinearSystem(np.eye(2), np.zeros((2, 2)), K)
        for make in (lambda s: MatrixSet("s", s), lambda s: Structure("s", s, {}, {})):
            if fits:
                make(system)
                continue
            with pytest.raises(BondlineError, match="not symmetric"):
                make(system)


def test_a_leaf_needs_mass():
    with pytest.raises(DeckError) as caught:
        matrix_leaf(tiny(M=np.diag([1.0, 0.0])))
    assert caught.value.place == "tiny: M"
    assert "not positive definite" in caught.value.finding
    assert "mass" in caught.value.remedy


@pytest.mark.parametrize(
    ("terminal", "finding", "remedy"),
    [
        (Terminal(("x",), rows=[2]), "row 2 of matrices with 2", "from 0 to 1"),
        (Terminal(("x", "y"), rows=[0]), "1 rows for nodes with 2", "x y for every"),
        (Terminal(("q",), rows=[0]), "its dofs are q", "x y z rx"),
        (Terminal((), rows=[0]), "its dofs are none", "x y z rx"),
        (Terminal(("x",)), "both rows and nodes, or neither", "by their numbers"),
        (Terminal(("x",), nodes=[1]), "does not say which node", "Name rows"),
        (
            Terminal(("x",), rows=[0], points=np.zeros((2, 3))),
            "(2, 3) for 1 nodes",
            "1 rows of x, y, z",
        ),
    ],
)
def test_ports_outside_the_matrices(terminal, finding, remedy):
    with pytest.raises(DeckError) as caught:
        matrix_leaf(tiny(), {"p": terminal})
    assert caught.value.place == "tiny: port p"
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_nodes_that_the_matrices_do_not_have():
    with pytest.raises(DeckError) as caught:
        matrix_leaf(full_matrices(model()), {"p": Terminal(("x",), nodes=[4711])})
    assert caught.value.place == "wing: port p"
    assert "no dof x of node 4711" in caught.value.finding
    assert "nodes" in caught.value.remedy


def test_what_no_reader_knows(tmp_path):
    for name, finding in (("a.mat", "*.mat"), ("no.mtx", "cannot be read")):
        with pytest.raises(DeckError) as caught:
            matrix_leaf(tmp_path / name)
        assert caught.value.place.endswith(name)
        assert finding in caught.value.finding
        assert caught.value.remedy
