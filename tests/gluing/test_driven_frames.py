"""Frames that turn by any amount, coupled through motion."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Window, ref
from bondline.gluing.couplings.motion_schemes import force_scheme, motion_scheme
from bondline.gluing.couplings.xt import XT
from bondline.gluing.couplings.xx import XX
from bondline.gluing.joints import makers
from bondline.numerics import rotations as rot
from tests.gluing.driven import coupled
from tests.gluing.driven_frames import LedBody, PushedBody

SPIN = np.array([0.4, 2.0, 0.3])
HALVES = np.diag([1.0, 2.0, 2.5]), np.diag([1.0, 1.5, 3.0])
WHOLE = HALVES[0] + HALVES[1]


def tumble(coupling, kinds, h, span=1.0):
    a, b = (
        kind(n, m, inertia, SPIN)
        for kind, n, m, inertia in zip(kinds, "ab", (1.0, 3.0), HALVES, strict=True)
    )
    weld = makers.fixed("j", (ref("a.end"), ref("b.end")))
    model = coupled(coupling, a, b, ties=[weld])
    step = model.start(0.0)
    for n in range(round(span / h)):
        step = model.advance(step.state, Window(h * n, h * (n + 1)), {})
    return step.state.motions[ref("a.end")], step.state.motions[ref("b.end")]


def momentum(at):
    R = rot.matrix(at.turn)
    return R @ WHOLE @ R.T @ at.v[3:]


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("coupling", "kinds"),
    [
        (XX(motion_scheme("newmark/f")), (LedBody, LedBody)),
        (XX(motion_scheme("cubic/f")), (LedBody, LedBody)),
        (XT(force_scheme("newmark/f")), (PushedBody, LedBody)),
        (XT(force_scheme("linear/f")), (PushedBody, LedBody)),
    ],
    ids=["X-X newmark", "X-X cubic", "X-T newmark", "X-T linear"],
)
def test_two_halves_tumble_as_the_whole_body(coupling, kinds):
    """Free of moments the whole keeps its angular momentum: to second order."""
    errors = []
    for h in (0.05, 0.025):
        a, b = tumble(coupling, kinds, h)
        assert b.x == pytest.approx(a.x, abs=1e-12)
        assert rot.log(rot.product(a.turn, rot.conjugate(b.turn))) == pytest.approx(
            np.zeros(3), abs=1e-9
        )
        assert a.x == pytest.approx([0.3, 0.0, 0.0], abs=1e-9)
        errors.append(np.linalg.norm(momentum(a) - WHOLE @ SPIN))
    assert np.log2(errors[0] / errors[1]) > 1.9
    assert errors[1] < 5e-3
