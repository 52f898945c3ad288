"""Inputs that do not fit the ports of a leaf are refused in words, not by NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Signal, Window
from bondline.errors import SettingError, UsageError, WiringError
from bondline.gluing import glue
from bondline.leaves import PinnedBar, chain
from bondline.leaves.mbd import (
    Body,
    Frame,
    Joint,
    Mechanism,
    Outlet,
    Sheet,
    multibody_leaf,
)
from bondline.leaves.spring_chain import SpringChain
from bondline.numerics import FixedStep
from tests.nonlinear.models import plane_cantilever


def mechanism():
    arm = Body("arm", 1.0, (0.1, 0.1, 0.1), markers={"root": Frame()})
    made = Mechanism("m", [arm], [Joint("j", "revolute", Frame(), "arm.root")])
    return multibody_leaf("m", Sheet(made, {"tip": Outlet("arm.root")}, {}))


LEAVES = {
    "bar": (PinnedBar("b"), "A"),
    "chain": (chain("c"), "left"),
    "spring chain": (SpringChain("s"), "left"),
    "mechanism": (mechanism(), "tip"),
    "nonlinear": (plane_cantilever(), "tip"),
}


@pytest.mark.parametrize(("leaf", "port"), LEAVES.values(), ids=LEAVES)
def test_a_force_of_another_length_is_refused(leaf, port):
    size = leaf.ports[port].size
    state = leaf.start(0.0).state
    for wrong in (size + 1, size - 1 or size + 2):
        force = {port: Signal.hold(np.zeros(wrong))}
        with pytest.raises(UsageError, match=f"{wrong} numbers; the port has {size}"):
            leaf.advance(state, Window(0.0, 1e-3), force)
        with pytest.raises(UsageError, match=f"{wrong} numbers; the port has {size}"):
            leaf.press(state, 0.0, {port: np.zeros(wrong)})


def test_a_port_that_is_not_there_is_named():
    row = chain("c")
    with pytest.raises(UsageError, match="Did you mean 'left'"):
        row.advance(
            row.start(0.0).state, Window(0.0, 1e-3), {"lft": Signal.hold(np.zeros(1))}
        )


def test_steps_are_one_or_more():
    with pytest.raises(SettingError, match="steps is 0"):
        FixedStep(0)


def test_joints_have_names():
    with pytest.raises(WiringError, match="Give them by name"):
        glue("m", [chain("a"), chain("b")], [("a.right", "b.left")])
