"""Starts: moving along, and settled under own loads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Window
from bondline.errors import SettingError
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import (
    Beams3,
    Hold,
    Nonlinear,
    NonlinearModel,
    Progressive,
    Socket,
    Ties,
    fibres,
)

STEEL = Material("steel", 210e9, 0.3, 7850.0)
UP = np.array([0.0, 0.0, 1.0])


def beam(**more):
    """A beam in space with a spring that pulls its middle down; ports at both ends."""
    points = np.zeros((6, 3))
    points[:5, 0] = np.linspace(0.0, 1.0, 5)
    points[5] = (0.5, 0.0, -0.5)
    pairs = np.column_stack([np.arange(4), np.arange(1, 5)])
    spring = Ties(np.array([[2, 5]]), Progressive(1e4), np.array([0.4]))
    section = fibres.box(STEEL, 0.04, 0.03, 0.002)
    model = NonlinearModel(
        "beam",
        points,
        (Beams3(pairs, section, UP), spring),
        (Hold((5,), (0, 1, 2)), Hold((0,), (3,))),
        gravity=(0.0, 0.0, -9.81),
    )
    ports = {n: Socket((k,), (0, 1, 2)) for n, k in (("left", 0), ("right", 4))}
    return Nonlinear(model, ports, **more)


def test_it_moves_along_without_strain():
    free = replace(beam(), velocity=(3.0, -1.0, 2.0))
    floats = replace(
        free.model, blocks=free.model.blocks[:1], holds=(), gravity=(0.0, 0.0, 0.0)
    )
    leaf = replace(free, model=floats)
    now = leaf.start(0.0)
    assert now.outputs["left"].v == pytest.approx([3.0, -1.0, 2.0])
    done = leaf.advance(now.state, Window(0.0, 1e-3), {})
    moved = leaf.model.dofs.spread(leaf.fields(done.state).u)[:5, :3]
    assert moved == pytest.approx(np.tile([3e-3, -1e-3, 2e-3], (5, 1)), abs=1e-14)


def test_settled_it_stays_while_its_ports_are_held():
    """Own loads and preload are carried: nothing accelerates that is free to."""
    leaf = beam(settled=True)
    now = leaf.start(0.0)
    fields, dofs = leaf.fields(now.state), leaf.model.dofs
    a = dofs.spread(fields.a)[1:4]
    loose = beam().start(0.0)
    before = dofs.spread(beam().fields(loose.state).a)[1:4]
    assert np.abs(a).max() < 1e-6 * np.abs(before).max()
    assert dofs.spread(fields.u)[2, 2] < -1e-5  # it sags
    for port in ("left", "right"):
        assert now.outputs[port].x == pytest.approx(np.zeros(3), abs=1e-15)


def test_what_cannot_settle_is_refused():
    leaf = beam(settled=True)
    falls = replace(leaf.model, blocks=leaf.model.blocks[:1], holds=())
    with pytest.raises(SettingError) as no:
        replace(leaf, model=falls, sockets={}).start(0.0)
    assert no.value.place == "beam: settled start"
    assert "starts unsettled" in no.value.remedy
