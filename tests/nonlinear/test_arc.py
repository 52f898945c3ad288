"""Paths through limit loads."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import (
    ArcLength,
    Beams2,
    Hold,
    Newton,
    Nonlinear,
    NonlinearModel,
    Progressive,
    Statics,
    Stuck,
    Ties,
    fibres,
)
from tests.nonlinear.models import row


def path(model: NonlinearModel, load: np.ndarray, length: float, count: int) -> list:
    statics = Statics(model, Newton(1e-9), np.zeros(model.dofs.size))
    leaf = Nonlinear(model, {})
    start = leaf.fields(leaf.start(0.0).state)
    found = list(islice(ArcLength(statics, length).trace(start, load), count))
    assert not any(isinstance(p, Stuck) for p in found)
    return found


def test_two_bars_snap_through_along_their_known_path() -> None:
    """P(w) = 2 k (L − l) (H − w)/l with l² = 1 + (H − w)²."""
    H, k = 0.2, 1000.0
    points = np.array([(-1.0, 0.0, 0.0), (0.0, H, 0.0), (1.0, 0.0, 0.0)])
    bars = Ties(np.array([[0, 1], [1, 2]]), Progressive(k))
    held = (Hold((0, 2), (0, 1, 2)), Hold((1,), (0, 2)))
    model = NonlinearModel("truss", points, (bars,), held)
    found = path(model, np.array([-1.0]), 0.02, 40)
    w = np.array([-p.parts.u[0] for p in found])
    P = np.array([p.factor for p in found])
    l = np.sqrt(1.0 + (H - w) ** 2)  # noqa: E741
    exact = 2.0 * k * (np.sqrt(1.0 + H**2) - l) * (H - w) / l
    assert pytest.approx(exact, abs=1e-6) == P
    assert w.max() > 2.0 * H  # beyond the mirror image
    assert P.min() < -1.0  # it had to be held back on the way


def test_a_shallow_arch_of_beams_passes_its_limit() -> None:
    metal = Material("m", 1e7, 0.0, 1.0)
    angle = np.linspace(-0.25, 0.25, 13)
    points = 10.0 * np.column_stack([np.sin(angle), np.cos(angle), 0.0 * angle])
    beams = Beams2(row(12), fibres.layers(metal, 0.1, 1.0, 2))
    model = NonlinearModel("arch", points, (beams,), (Hold((0, 12), (0, 1)),))
    load = np.zeros((13, 6))
    load[6, 1] = -1.0
    found = path(model, load.ravel()[model.dofs.slots], 0.05, 13)
    factors = np.array([p.factor for p in found])
    drop = np.array([-model.dofs.spread(p.parts.u)[6, 1] for p in found])
    top = int(factors.argmax())
    assert 0.1 < drop[top] < 0.2  # a limit,
    assert factors[-1] < 0.0 < factors[0]  # and then it must be held back
    assert (np.diff(drop) > 0.0).all()
