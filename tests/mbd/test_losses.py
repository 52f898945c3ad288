"""What dampers, stops, bushings and friction turn into heat is told."""

from __future__ import annotations

import pytest

from bondline.core import uniform
from bondline.leaves.mbd import (
    Body,
    Bushing,
    Contact,
    Frame,
    Integration,
    Joint,
    JointSpring,
    JointStop,
    Mechanism,
    Outlet,
    Sheet,
    Spring,
    multibody_leaf,
)

G = (0.0, 0.0, -9.81)
PLACES = {"root": Frame.along((0, 1, 0)), "tip": Frame((0.5, 0.0, 0.0))}
ARM = Body("arm", 2.0, (0.01, 0.05, 0.05), com=(0.25, 0.0, 0.0), markers=PLACES)
SWING = Joint("swing", "revolute", "ground.pin", "arm.root", speed=(3.0,))
GROUND = {
    "pin": Frame.along((0, 1, 0)),
    "post": Frame((0.4, 0.0, 0.6)),
    "floor": Frame((0.0, 0.0, -0.3)),
}
FORCES = {
    "joint spring": JointSpring("swing", 5.0, 0.4),
    "stop": JointStop("swing", 400.0, above=0.2, damping=0.5),
    "spring": Spring("ground.post", "arm.tip", 200.0, 8.0, 0.4),
    "bushing": Bushing(
        "ground.pin", "arm.root", (0, 0, 0, 5, 5, 5), (0, 0, 0, 0.3, 0.3, 0.3)
    ),
    "contact": Contact(
        "arm.tip", "ground.floor", 0.1, 2e4, damping=0.3, friction=0.4, stiction=0.1
    ),
}


def swinging(force, step=1e-3):
    made = Mechanism("m", [ARM], [SWING], [force], G, GROUND)
    ports = {"tip": Outlet("arm.tip")}
    return multibody_leaf("m", Sheet(made, ports, {}, Integration("rk4", step)))


@pytest.mark.parametrize("force", FORCES.values(), ids=FORCES)
def test_what_is_lost_is_what_is_gone(force):
    leaf = swinging(force)
    now = leaf.start(0.0)
    first, lost = now.energy.stored, 0.0
    for n in range(500):
        now = leaf.advance(now.state, uniform(0.0, 1e-3, n), {})
        assert now.energy.dissipated >= 0.0
        lost += now.energy.dissipated
    assert lost > 0.5
    assert now.energy.stored + lost == pytest.approx(first, abs=2e-3 * lost)


def test_windows_of_several_steps_lose_what_their_steps_lose():
    leaf = swinging(FORCES["spring"], step=1e-4)
    start = leaf.start(0.0).state
    whole, now, lost = leaf.advance(start, uniform(0.0, 1e-3, 0), {}), start, 0.0
    for n in range(10):
        step = leaf.advance(now, uniform(0.0, 1e-4, n), {})
        now, lost = step.state, lost + step.energy.dissipated
    assert whole.stats["steps"] == 10
    assert whole.energy.dissipated == pytest.approx(lost, rel=1e-9)


def test_of_very_many_steps_a_window_nothing_is_made_up():
    """They are not looked at one by one, and a few would not tell."""
    leaf = swinging(FORCES["spring"], step=1e-5)
    done = leaf.advance(leaf.start(0.0).state, uniform(0.0, 1e-3, 0), {})
    assert done.energy is None
