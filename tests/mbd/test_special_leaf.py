"""Leaves with a kernel of their own."""

import numpy as np
import pytest

from bondline.core import Rejected, Signal, Window
from bondline.errors import SettingError
from bondline.leaves.histories import Constant
from bondline.leaves.mbd.forces import (
    JointMotion,
)
from bondline.leaves.mbd.integration import Integration
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.leaves.mbd.sheet import Outlet
from tests.mbd.models import chain
from tests.mbd.special_models import close, leaf, pendulum

pytestmark = pytest.mark.usefixtures("kernel_cache")


def test_a_leaf_takes_the_kernel_that_it_is_told():
    """Under wrenches at a port: the same motion, several times."""
    ports = {"tip": Outlet("arm")}
    general, own = (
        leaf(pendulum(), ports, kernel=word) for word in ("general", "specialised")
    )
    assert own.tree.special is not None
    assert general.tree.special is None
    window = Window(0.0, 0.1)
    force = {"tip": np.array([1.0, 2.0, 3.0, 0.1, 0.2, 0.3])}
    signals = {"tip": Signal.hold(force["tip"])}
    ends = [
        part.advance(part.start(0.0).state, window, signals).state
        for part in (general, own, own)
    ]
    close(ends[1], ends[0])
    assert np.array_equal(ends[1], ends[2])
    assert own.guard(own.start(0.0).state, window) == ()


def test_what_is_not_suited_goes_on_with_the_general_kernel_and_says_why():
    told = JointMotion("swing", [Constant(0.3)])
    held = leaf(pendulum(motions=[told]), kernel="specialised")
    assert held.tree.special is None
    said = held.guard(held.start(0.0).state, Window(0.0, 0.1))
    assert said == (
        "the general kernel is taken instead of a specialised one: it has closed loops "
        "or motions that are told.",
    )


def test_half_a_kernel_says_which_half_and_why():
    much = leaf(chain(n=61), kernel="specialised", step=1e-5, ratio=2)
    said = much.guard(much.start(0.0).state, Window(0.0, 2e-5))
    assert said[0] == (
        "the general kernel is taken for the rows of two rates: it has 63 velocities, "
        "more than 60."
    )


def test_a_kernel_of_no_known_kind_is_refused():
    with pytest.raises(SettingError, match="specialised"):
        Integration(kernel="specialized")


def two_slides():
    bodies = [Body(name, 1.0, (1.0, 1.0, 1.0)) for name in "bc"]
    joints = [Joint(f"s{name}", "prismatic", "ground", name) for name in "bc"]
    return Mechanism("slides", bodies, joints, gravity=(0.0, 0.0, 0.0))


def test_a_fast_rate_may_be_a_force_at_a_port_as_it_is():
    general, own = (
        leaf(two_slides(), {"p": Outlet("b")}, kernel=word, ratio=2, fast=("sb.z",))
        for word in ("general", "specialised")
    )
    told = {"p": Signal.hold(np.array([0.0, 0.0, 3.0, 0.0, 0.0, 0.0]))}
    ends = [
        part.advance(part.start(0.0).state, Window(0.0, 0.1), told).state
        for part in (general, own)
    ]
    close(ends[1], ends[0])


@pytest.mark.parametrize("word", ["general", "specialised"])
def test_where_nothing_moves_nothing_happens(word):
    fixed = Mechanism(
        "rock", [Body("b", 1.0, (1.0, 1.0, 1.0))], [Joint("f", "fixed", "ground", "b")]
    )
    rock = leaf(fixed, kernel=word)
    start = rock.start(0.0).state
    rock.guard(start, Window(0.0, 0.1))
    assert not isinstance(rock.advance(start, Window(0.0, 0.1), {}), Rejected)
