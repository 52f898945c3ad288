"""Node and face sets by name are the same as their rows, wherever nodes are given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.errors import SettingError
from bondline.leaves.fe import (
    FeModel,
    Initial,
    Interpolation,
    NodalForce,
    Plug,
    Pressure,
    RigidLink,
    Support,
    Wanted,
    fe_leaf,
    reduce_model,
    static,
)
from bondline.leaves.fe.formats import inp_text
from tests.fe.parts import ALL, added, block, plate


def tipped(name):
    """A plate with a node at its tip that leads, or follows, the edge u1."""
    mesh = added(plate(3, 2), [(1.2, 0.25, 0.0)])
    sets = {**mesh.node_sets, "tip": np.array([len(mesh.points) - 1])}
    mesh = replace(mesh, node_sets=sets)
    u0, u1, tip = (
        ("u0", "u1", "tip") if name else (sets[n] for n in ("u0", "u1", "tip"))
    )
    at = tip if name else int(tip[0])
    rigid = FeModel(
        "m", mesh, (Support(u0, ALL),), (RigidLink(at, u1),), (NodalForce(tip, 2, 3.0),)
    )
    corners = "corners" if name else sets["corners"]
    mean = Interpolation(at, ALL, corners, np.ones(4))
    return rigid, replace(rigid, links=(mean,), initial=(Initial(u1, 0, 1e-3),))


@pytest.mark.parametrize("which", [0, 1], ids=["rigid", "mean"])
def test_names_of_node_sets_are_their_rows(which):
    named, rows = tipped(True)[which], tipped(False)[which]
    assert np.array_equal(static(named).u, static(rows).u)
    assert inp_text(named, dialect="abaqus") == inp_text(rows, dialect="abaqus")
    start = [fe_leaf(m, {"p": "tip"}).start(0.0).state for m in (named, rows)]
    assert np.array_equal(*start)


def test_names_of_face_sets_are_their_faces():
    mesh = block()
    named = FeModel("m", mesh, (Support("w0", ALL),), loads=(Pressure("w1", 1e5),))
    faces = replace(named, loads=(Pressure(mesh.face_sets["w1"], 1e5),))
    assert np.array_equal(static(named).u, static(faces).u)
    assert inp_text(named) == inp_text(faces)


def test_a_port_is_a_name_or_rows():
    model, _ = tipped(True)
    rows = model.mesh.node_sets["v0"]
    for ports in ({"p": "v0"}, {"p": rows}, {"p": Plug("v0")}):
        leaf = fe_leaf(model, ports, skin="mesh")
        assert leaf.ports["p"].nodes == len(rows)
        assert (
            leaf.ports["p"].surface.points.tolist() == model.mesh.points[rows].tolist()
        )
        small = reduce_model(model, ports, Wanted(modes=1, samples=0)).leaf()
        assert small.ports["p"].nodes == len(rows)


def test_an_unknown_port_set_gets_the_nearest():
    model, _ = tipped(True)
    with pytest.raises(SettingError) as caught:
        fe_leaf(model, {"seam": "u11"})
    assert caught.value.place == "m.seam"
    assert caught.value.finding == "there is no node set 'u11'."
    assert "Did you mean 'u1'" in caught.value.remedy
