"""Nonlinear parts, cut through a frame and glued, move as the whole."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Advance, Window
from bondline.gluing import glue, joint
from bondline.leaves import RigidBody
from bondline.leaves.nonlinear import (
    Beams3,
    Hold,
    Newton,
    Nonlinear,
    NonlinearModel,
    Push,
    Shells,
    Socket,
    Solids,
    fibres,
)
from bondline.testing import check_leaf
from tests.nonlinear.models import DAMPED, YIELDING, at, row, straight

ALL = (0, 1, 2, 3, 4, 5)
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
CUBE = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in SQUARE])


def push(t: float) -> float:
    return 3e3 * np.sin(np.pi * t / 0.02) ** 2


def beam(name: str, first: int, last: int, **ports: Socket) -> Nonlinear:
    """Elements of 250 mm of a box that yields; the root is held, the end pushed."""
    count = last - first
    points = straight(0.25 * count, count)
    points[:, 0] += 0.25 * first
    section = fibres.box(YIELDING, 0.04, 0.03, 0.003, 4)
    beams = Beams3(row(count), section, np.array([0.0, 1.0, 0.0]))
    held = () if first else (Hold((0,), ALL),)
    pushes = tuple(Push(count, c, push) for c in (1, 2)) if last == 4 else ()
    model = NonlinearModel(name, points, (beams,), held, pushes)
    return Nonlinear(model, ports, newton=Newton(1e-11))


def test_a_beam_cut_through_a_frame_yields_as_the_whole() -> None:
    whole = beam("whole", 0, 4, tip=Socket((4,), frame=True))
    root = beam("root", 0, 2, end=Socket((2,), frame=True))
    outer = beam(
        "outer", 2, 4, end=Socket((0,), frame=True), tip=Socket((2,), frame=True)
    )
    weld = {"weld": joint("fixed", "root.end", "outer.end")}
    glued = glue("glued", [root, outer], weld, exports={"tip": "outer.tip"})
    a, b, h = whole.start(0.0), glued.start(0.0), 5e-4
    for k in range(20):
        window = Window(k * h, (k + 1) * h)
        a, b = (
            at(whole.advance(a.state, window, {})),
            glued.advance(b.state, window, {}),
        )
        assert isinstance(b, Advance)
    assert np.abs(whole.fields(a.state).history).max() > 1e-3
    one, two = a.outputs["tip"], b.outputs["tip"]
    assert one.x == pytest.approx(two.x, abs=1e-9)
    assert one.turn == pytest.approx(two.turn, abs=1e-9)


@pytest.mark.parametrize("kind", ["fixed", "spherical"])
def test_a_rigid_body_hangs_on_a_beam(kind: str) -> None:
    arm = beam("arm", 0, 3, tip=Socket((3,), frame=True))
    where, weight = (0.75, 0.0, 0.0), (0.0, 0.0, -9.81)
    body = RigidBody(
        "body", 5.0, (0.05, 0.02, 0.03), where, gravity=weight, markers={"m": (0, 0, 0)}
    )
    glued = glue("crane", [arm, body], {"pin": joint(kind, "arm.tip", "body.m")})
    now, first, lost = glued.start(0.0), 0.0, 0.0
    for k in range(40):
        after = glued.advance(now.state, Window(k * 5e-4, (k + 1) * 5e-4), {})
        assert isinstance(after, Advance)
        assert after.energy is not None
        first = first or after.energy.stored + after.energy.dissipated
        lost, now = lost + after.energy.dissipated, after
    assert now.stats["gap"] < 1e-6
    assert abs(now.energy.stored + lost - first) < 0.02  # of about 1 J that moves


@pytest.mark.parametrize(
    "metal", [YIELDING, pytest.param(DAMPED, marks=pytest.mark.full)], ids=["p", "e"]
)
@pytest.mark.parametrize("kind", ["brick", "shell"])
def test_solids_and_shells_do_what_they_declare(kind: str, metal: object) -> None:
    block = (
        Solids(np.arange(8)[None], metal)
        if kind == "brick"
        else Shells(np.arange(4)[None], metal, 0.003)
    )
    points = 0.1 * CUBE[: block.nodes.shape[1]]
    components = tuple(range(len(block.components)))
    held = (Hold((0, 3), components),)
    model = NonlinearModel("m", points, (block,), held)
    turning = len(components) == 6
    port = Socket((2,), frame=True) if turning else Socket((1, 2), (0, 1, 2))
    check_leaf(Nonlinear(model, {"a": port}), 2e-7, strict=True).raise_if_failed()
