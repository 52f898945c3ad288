"""The control arm against its reference, and glued against itself."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Advance, Window
from bondline.gluing import glue
from tests.cases.control_arm.model import (
    BALL_JOINT,
    DATA,
    HERE,
    all_at_once,
    arm,
    chassis,
    pulse,
    sleeves,
    wheel,
)

END = 60e-3


def travelled(h: float) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
    """Ball joint against the chassis (mm), its force (kN), and what is seen."""
    leaf, push = all_at_once(), pulse()
    state, rows, corrections = leaf.start(0.0).state, [], 0.0
    count = round(END / h)
    for k in range(count):
        done = leaf.advance(state, Window(k * h, (k + 1) * h), {})
        assert isinstance(done, Advance)
        state, corrections = done.state, corrections + done.stats["corrections"]
        parts, dofs = leaf.fields(state), leaf.model.dofs
        u, a = dofs.spread(parts.u), dofs.spread(parts.a)[BALL_JOINT]
        force = DATA["wheel"] * a[:2] - [push((k + 1) * h), 0.0]
        rows.append([1e3 * (u[BALL_JOINT, 0] - u[-1, 0]), *(1e-3 * force)])
    seen = {name: each.value for name, each in leaf.observe(state).items()}
    seen["corrections"] = corrections / count
    every = np.array(rows)
    return every[:, 0], every[:, 1:], seen


def against(h: float) -> tuple[float, float, float, dict[str, float]]:
    """Largest errors in mm and kN, the smallest displacement, and what is seen."""
    known = np.genfromtxt(HERE / "control_arm.csv", delimiter=",", names=True)
    known = known[known["t"] <= END + 1e-9]
    x, f, seen = travelled(h)
    rows = np.rint(known["t"] / h).astype(int) - 1
    wanted = 1e3 * (known["wheel_x"] - known["chassis_x"])
    forces = 1e-3 * np.column_stack([known["fBJx"], known["fBJy"]])
    off = np.abs(f[rows] - forces).max()
    return float(np.abs(x[rows] - wanted).max()), float(off), float(x.min()), seen


def test_all_at_once_matches_the_reference_to_its_self_convergence() -> None:
    """numerics.md 7.3: 0.004 mm and 0.091 kN at h = 1e-4; peaks and plastic strain."""
    distance, force, lowest, seen = against(1e-4)
    assert distance < 0.0045  # 0.004 to its digits
    assert force < 0.091
    assert lowest == pytest.approx(-43.45, abs=0.005)
    assert seen["plastic_strain.max"] == pytest.approx(0.0683, abs=5e-5)
    assert seen["corrections"] < 2.0


@pytest.mark.full
def test_with_short_steps_it_is_the_reference() -> None:
    distance, force, _, _ = against(2e-5)
    assert distance < 1.3e-4
    assert force < 0.007


@pytest.mark.quick(1)
@pytest.mark.parametrize("variant", ["H", "S"])
def test_cut_and_glued_it_moves_as_one(variant: str) -> None:
    """T-T over 12 ms, in which it yields; both variants are the same physics."""
    parts = [
        arm(variant, 1e-10),
        wheel(40e3),
        chassis() if variant == "H" else sleeves(),
    ]
    ends = {"H": {"mount": ("arm.chassis", "chassis.mount")}}.get(
        variant,
        {"f": ("arm.front", "chassis.front"), "r": ("arm.rear", "chassis.rear")},
    )
    glued = glue(variant, parts, {"hub": ("arm.ball_joint", "wheel.hub"), **ends})
    whole, h = all_at_once(40e3, tolerance=1e-10), 2e-4
    a, b = glued.start(0.0).state, whole.start(0.0).state
    for k in range(60):
        window = Window(k * h, (k + 1) * h)
        one, two = glued.advance(a, window, {}), whole.advance(b, window, {})
        assert isinstance(one, Advance)
        assert isinstance(two, Advance)
        a, b = one.state, two.state
    seen, wanted = glued.observe(a), whole.observe(b)
    assert wanted["plastic_strain.max"].value > 1e-3
    for name in ("balljoint.x", "balljoint.y", "plastic_strain.max"):
        assert seen[f"arm.{name}"].value == pytest.approx(wanted[name].value, abs=1e-7)
