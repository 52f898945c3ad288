"""Leaves as they are served inside a band: the same ports, statics, and own loads."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh

from bondline.core import Causality, Signal, uniform
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.links import RigidLink
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.reduction.banded import banded
from bondline.leaves.fe.reduction.truncated import REST
from bondline.leaves.fe.supports import Initial, Support
from bondline.testing import check_leaf

from .parts import ALL, added, beam, rows
from .test_reduction_leaf import frame

BAND, H = 60.0, 5e-4


def framed(**more):
    left, right, names = frame()
    return (
        fe_leaf(left, {"p": Plug("u1")}, **more),
        fe_leaf(right, {"q": Plug("u0")}, publish=names, draw=True),
    )


def frequencies(leaf):
    M, K = (A if isinstance(A, np.ndarray) else A.toarray() for A in leaf.system[::2])
    return np.sqrt(np.maximum(eigh(K, M, eigvals_only=True), 0.0)) / (2.0 * pi)


@pytest.mark.parametrize("which", [0, 1])
def test_modes_inside_are_exact_and_all_else_has_one_frequency(which):
    """2.5 times the band, whatever the model: nothing above can be learnt."""
    full = framed()[which]
    made = banded(full, BAND)
    whole, kept = frequencies(full), frequencies(made.leaf)
    n = int((whole < BAND).sum())
    assert_allclose(kept[:n], whole[:n], rtol=1e-6, atol=1e-2)
    assert_allclose(kept[n:], REST * BAND, rtol=1e-6)
    assert len(kept) == made.report.boundary + n
    assert made.leaf.ports == full.ports


def test_only_the_flexibility_at_rest_of_the_other_modes_is_shown():
    full = framed()[0]
    M, _, K = full.system
    w2, chi = eigh(K.toarray(), M.toarray())
    out = w2 > (2 * pi * BAND) ** 2
    own = full.select["p"]
    shapes = chi[own][:, out]
    R = (shapes / w2[out]) @ shapes.T
    made = banded(full, BAND, samples=0).leaf
    G = np.linalg.inv(np.asarray(made.system.K))[: len(own), : len(own)]
    modes = (chi[own][:, ~out] / w2[~out]) @ chi[own][:, ~out].T
    assert np.abs(G - (R + modes)).max() < 1e-8 * np.abs(G).max()


def test_statics_at_the_ports_is_exact_also_under_own_loads():
    full = framed()[0]
    leaf = banded(full, BAND, samples=0).leaf
    force = {"p": np.linspace(-1.0, 2.0, full.ports["p"].size)}
    a, b = (
        one.equilibrium(one.start(0.0).state, 1.0, force, {}).outputs["p"].x
        for one in (full, leaf)
    )
    assert np.abs(b - a).max() < 1e-9 * np.abs(a).max()


def test_slow_motion_is_followed_and_published():
    full = framed()[1]
    leaf = banded(full, 4 * BAND, samples=0).leaf
    seen = []
    for one in (full, leaf):
        state = one.start(0.0).state
        for n in range(40):
            state = one.advance(state, uniform(0.0, H, n), {}).state
        seen.append(one.observe(state)["tip"].value)
        assert one.shapes(state)
    assert seen[1] == pytest.approx(seen[0], rel=0.02)


def test_it_is_a_leaf_like_any_other():
    report = check_leaf(banded(framed()[0], BAND, samples=0).leaf, H, 5, 0)
    assert not report.failed, report.failed


def test_motion_ports_links_and_a_start_are_kept():
    mesh = beam(12, side=0.02)
    mesh = added(mesh, points=[(1.1, 0.0, 0.1)])
    hub = len(mesh.points) - 1
    link = RigidLink(hub, mesh.node_sets["u1"])
    clamp = Support(mesh.node_sets["u0"], ALL)
    start = Initial(mesh.node_sets["u1"], 2, 1e-3, 0.5)
    for causality in Causality:
        model = FeModel("b", mesh, (clamp,), links=(link,))
        plug = Plug(rows(hub), causality=causality)
        full = fe_leaf(model, {"hub": plug})
        leaf = banded(full, BAND, samples=0).leaf
        zero = {"hub": Signal.hold(np.zeros(6))}
        done = leaf.advance(leaf.start(0.0).state, uniform(0.0, H, 0), zero)
        assert set(done.outputs) == {"hub"}
    model = FeModel("b", mesh, (clamp,), initial=(start,))
    full = fe_leaf(model, {"end": Plug("u1")})
    leaf = banded(full, BAND, samples=0).leaf
    a, b = (one.start(0.0).outputs["end"] for one in (full, leaf))
    assert_allclose(b.x, a.x, atol=1e-15)
    assert_allclose(b.v, a.v, atol=1e-12)
