"""What tests of specialised kernels share."""

import numpy as np
from numpy.testing import assert_allclose

from bondline.leaves.mbd.driving import compiled
from bondline.leaves.mbd.integration import Integration
from bondline.leaves.mbd.leaf import MultibodyLeaf
from bondline.leaves.mbd.model import Body, Frame, Joint, Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.sheet import Sheet
from bondline.leaves.mbd.special import special
from bondline.leaves.mbd.tree import Tree
from bondline.numerics import state_of

SMALL = {
    "rigid": (("free", "universal"), (0, 0)),
    "flexible": (("revolute", "planar"), (1, 1)),
}


def close(found, right, tolerance=1e-12):
    """Relative to the largest."""
    size = max(1.0, np.abs(right).max(initial=0.0))
    assert_allclose(found, right, rtol=0.0, atol=tolerance * size)


def both(mechanism, **more):
    """The general system and the special one."""
    packed = pack(mechanism, more.pop("fast", None), more.pop("solver", "auto"))
    made = special("test", packed, **more)
    return compiled(Tree(packed)), compiled(Tree(packed, made))


def moved(system, method, t=1.0, start=None):
    y = np.zeros(system.size) if start is None else start
    return state_of(
        system, method.advance(system, method.begin(system, 0.0, y), t).memory
    )


def pendulum(**more):
    arm = Body("arm", 2.0, (0.1, 0.1, 0.01), markers={"root": Frame((0, 0, 0.5))})
    swing = Joint("swing", "revolute", Frame.along((0, 1, 0)), "arm.root", (0.3,))
    return Mechanism("pendulum", [arm], [swing], **more)


def leaf(mechanism, ports=None, **how):
    sheet = Sheet(mechanism, ports or {}, integration=Integration(**how))
    return MultibodyLeaf("arm", sheet)
