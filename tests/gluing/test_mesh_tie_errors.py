"""Every way a mesh tie can be wrong names the place, the finding and the remedy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import FRAME_DOFS, Port, Surface, ref
from bondline.errors import SettingError, WiringError
from bondline.gluing.joints.mesh_tie import MeshTie

ENDS = ref("a.face"), ref("b.face")
SQUARE = np.array([[0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]], dtype=float)


def moved(x=0.0, y=0.0):
    return SQUARE + np.array([x, y, 0.0])


def face(points=SQUARE, facets=((0, 1, 2, 3),), **more):
    points = np.asarray(points)
    settings = {"dofs": ("x", "y", "z"), "nodes": len(points), **more}
    return Port("face", surface=Surface(points, facets), **settings)


def line(y, x=0.0):
    y = np.asarray(y, dtype=float)
    points = np.stack([x + 0 * y, y, 0 * y], axis=1)
    facets = tuple((k, k + 1) for k in range(len(y) - 1))
    return Port("face", ("x", "y"), len(y), surface=Surface(points, facets))


def turned(angle):
    c, s = np.cos(angle), np.sin(angle)
    return face((SQUARE - 0.5) @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + 0.5)


def refused(slave, master, **how):
    tie = MeshTie("j", ENDS, (slave, master), **how)
    with pytest.raises(WiringError) as caught:
        tie.suits("pair: joint j", (slave, master))
    assert caught.value.place == "pair: joint j"
    return caught.value


BOW = face(SQUARE[[0, 2, 1, 3]])
ARROW = face([[0, 0, 0], [0, 1, 0], [0, 0.2, 0.2], [0, 0, 1]])
LOST = face(np.where(np.eye(4)[:, :3] == 1.0, np.nan, SQUARE))
LAYERS = face(np.vstack([SQUARE, moved(x=0.01)]), ((0, 1, 2, 3), (4, 5, 6, 7)))
CLOUD = face(facets=())


@pytest.mark.parametrize(
    ("slave", "master", "how", "finding", "remedy"),
    [
        (replace(face(), surface=None), face(), {}, "a.face has no surface", "Surface"),
        (CLOUD, face(), {}, "a.face has no facets", "2 nodes a line"),
        (face(), CLOUD, {"method": "projection"}, "b.face has no facets", "List"),
        (face(nodes=5), face(), {}, "5 nodes, and its surface", "one row x y z a node"),
        (LOST, face(), {}, "node 0 of a.face is at [nan", "finite coordinates"),
        (
            face(facets=((0, 1, 2), (2, 3))),
            face(),
            {},
            "are faces of 3 or 4",
            "not both",
        ),
        (face(facets=((0, 1, 2, 3, 0),)), face(), {}, "of 5 nodes", "mid-side"),
        (face(facets=((0, 1, 7),)), face(), {}, "nodes 7, but", "from 0 to 3"),
        (BOW, face(), {}, "facet 0 of a.face (nodes 0, 1, 2, 3)", "in order around"),
        (face(), ARROW, {}, "facet 0 of b.face", "into triangles"),
        (face(facets=((0, 1, 1),)), face(), {}, "has no size", "each once"),
        (face(dofs=("x",)), face(dofs=("y",)), {}, "b.face has y", "same dofs"),
        (face(), face(), {"dofs": ("x", "rx")}, "x rx, and a.face has x y z", "both"),
        (face(), face(), {"dofs": ("x", "x")}, "it ties x x", "each once"),
        (line([0, 1]), face(dofs=("x", "y")), {}, "a.face has lines", "projection"),
        (
            face(moved(x=0.5)),
            face(),
            {},
            "node 0 at (0.5, 0, 0) by 0.5 m",
            "reach",
        ),
        (
            face(moved(y=0.6)),
            face(),
            {},
            "nodes 1, 2 of a.face are",
            "out of the port",
        ),
        (turned(1.2), face(SQUARE), {"reach": 2.0}, "turn away", "smaller surface"),
        (face(), LAYERS, {}, "nodes 0, 1, 2, 3 of a.face more than once", "thin"),
        (
            line(np.linspace(0, 2, 9)),
            line([0, 1]),
            {"method": "projection"},
            "nodes 5, 6, 7, 8 of a.face are away",
            "units",
        ),
    ],
)
def test_what_cannot_be_tied_is_refused(slave, master, how, finding, remedy):
    error = refused(slave, master, **how)
    assert finding in error.finding
    assert remedy in error.remedy


def test_a_node_of_no_facet_has_nothing_to_average_over():
    loose = face(np.vstack([SQUARE, [[0, 0.5, 0.5]]]))
    error = refused(loose, face())
    assert "around nodes 4 of a.face" in error.finding
    assert "out of the port" in error.remedy


def test_a_frame_has_no_facets_to_tie():
    frame = Port("face", FRAME_DOFS, frame=True, surface=Surface(np.zeros((1, 3))))
    error = refused(frame, frame)
    assert "a.face has a frame" in error.finding


def test_it_joins_the_ports_it_was_made_for():
    tie = MeshTie("j", ENDS, (face(), face()))
    for other in (
        face(SQUARE + 1e-9),
        face(dofs=("x",)),
        replace(face(), surface=None),
    ):
        with pytest.raises(WiringError) as caught:
            tie.suits("here", (face(), other))
        assert "b.face is not the port" in caught.value.finding
        assert "ports of the parts" in caught.value.remedy


def test_it_has_two_ends():
    with pytest.raises(WiringError) as caught:
        MeshTie("j", ENDS, (face(),)).suits("here", (face(), face()))
    assert "2 ends and 1 ports" in caught.value.finding
    assert "slave, then the master" in caught.value.remedy


@pytest.mark.parametrize(
    ("how", "finding", "remedy"),
    [
        ({"method": "mortars"}, "method is 'mortars'", "'mortar'"),
        ({"multipliers": "duel"}, "multipliers is 'duel'", "'dual'"),
        ({"reach": -1.0}, "reach is -1.0 m", "above zero"),
    ],
)
def test_settings_are_those_that_work(how, finding, remedy):
    with pytest.raises(SettingError) as caught:
        MeshTie("j", ENDS, (face(), face()), **how)
    assert caught.value.place == "joint j"
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_a_sliding_slave_is_not_led_by_the_master():
    tie = MeshTie("j", ENDS, (face(), face()), dofs=("x",))
    with pytest.raises(WiringError) as caught:
        tie.admissible(np.zeros(36))
    assert "it ties x of x y z" in caught.value.finding
    assert "T-T" in caught.value.remedy
