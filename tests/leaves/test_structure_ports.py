"""What a user may hand to a structure, and what is refused where it is said."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from bondline.core import Causality, Port, Signal, Window
from bondline.errors import SettingError
from bondline.leaves import Structure
from bondline.numerics import LinearSystem

LINK = np.array([[1.0, -1.0], [-1.0, 1.0]])


def system(n=6):
    K = 100.0 * np.eye(n)
    for i in range(n - 1):
        K[i : i + 2, i : i + 2] += 700.0 * LINK
    return LinearSystem(np.eye(n), 0.02 * K, K)


NODES = {"side": Port("side", ("x", "y"), nodes=2)}
TIP = {"tip": Port("tip", ("x",))}
W = Window(0.0, 0.05)


def test_a_set_of_nodes_is_given_as_dofs_or_as_rows():
    dofs = [5, 4, 1, 0]
    listed = Structure("s", system(), {"side": dofs}, NODES)
    rowed = Structure("s", system(), {"side": np.eye(6)[dofs]}, NODES)
    scaled = Structure("s", system(), {"side": 2.0 * np.eye(6)[dofs]}, NODES)
    push = {"side": Signal(np.array([[1.0, 2.0, 3.0, 4.0]]))}
    one = listed.advance(listed.start(0.0).state, W, push)
    two = rowed.advance(rowed.start(0.0).state, W, push)
    far = scaled.advance(scaled.start(0.0).state, W, push)
    assert one.state.tobytes() == two.state.tobytes()
    assert one.outputs["side"].x.tolist() == one.state[dofs].tolist()
    assert far.outputs["side"].x == pytest.approx(4.0 * one.outputs["side"].x)


@pytest.mark.parametrize("n", [6, 150])  # the larger dense one is stored sparse
@pytest.mark.parametrize("held", [Causality.FORCE_IN, Causality.MOTION_IN])
def test_sparse_matrices_give_what_dense_ones_do(n, held):
    ports = {"a": Port("a", ("x",)), "b": Port("b", ("x",), causality=held)}
    select = {"a": [1], "b": [n - 1]}
    dense = Structure("s", system(n), select, ports)
    thin = LinearSystem(*(sparse.coo_array(A) for A in system(n)))
    slim = Structure("s", thin, select, ports)
    push = {"a": Signal.hold(np.array([5.0])), "b": Signal.hold(np.array([0.1]))}
    shown = [p.advance(p.start(0.0).state, W, push) for p in (dense, slim)]
    assert shown[0].state == pytest.approx(shown[1].state, rel=1e-12, abs=1e-12)
    assert shown[0].energy.stored == pytest.approx(shown[1].energy.stored, rel=1e-12)
    G = [p.linearise(p.start(0.0).state, W, push).blocks for p in (dense, slim)]
    for pair, block in G[0].items():
        assert block == pytest.approx(G[1][pair], rel=1e-10)


def moving(name):
    return Port(name, ("x",), causality=Causality.MOTION_IN)


LOPSIDED = np.array([[1.0, 0.5], [0.0, 1.0]])
FRAME = Port("tip", ("x", "y", "z", "rx", "ry", "rz"), frame=True)


@pytest.mark.parametrize(
    ("matrices", "select", "ports", "place", "finding", "remedy"),
    [
        ({"K": np.eye(5)}, {}, {}, "s: K", "(5, 5)", "6 × 6"),
        (
            {"M": np.eye(2), "C": LOPSIDED, "K": np.eye(2)},
            {},
            {},
            "s: C",
            "not symmetric",
            "both triangles",
        ),
        ({}, {"tip": [0]}, {}, "s.tip", "not in `ports`", "Known: tip"),
        ({}, {}, TIP, "s.tip", "not in `select`", "Known: tip"),
        ({}, {"tip": [0, 1]}, TIP, "s.tip", "2 dofs", "1 × x"),
        ({}, {"tip": [6]}, TIP, "s.tip", "does not have", "0 to 5"),
        ({}, {"tip": [0.5]}, TIP, "s.tip", "does not have", "0 to 5"),
        ({}, {"tip": np.eye(4)[:1]}, TIP, "s.tip", "does not have", "rows of 6"),
        ({}, {"side": [0, 1, 1, 2]}, NODES, "s.side", "does not have", "each once"),
        ({}, {"tip": range(6)}, {"tip": FRAME}, "s.tip", "frame", "small angles"),
        (
            {},
            {"tip": np.full((1, 6), 0.5)},
            {"tip": moving("tip")},
            "s.tip",
            "combinations",
            "single dofs",
        ),
        (
            {},
            {"a": [2], "b": [2]},
            {"a": moving("a"), "b": moving("b")},
            "s.b",
            "dof 2 is led by port a",
            "one of the two",
        ),
    ],
)
def test_what_does_not_fit_is_refused(matrices, select, ports, place, finding, remedy):
    given = system()._replace(**matrices)
    with pytest.raises(SettingError) as caught:
        Structure("s", given, select, ports)
    assert caught.value.place == place
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy
