"""All joints at once are the joints one by one."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Assembly, Motion, Port, ref
from bondline.gluing.gaps import gaps, look
from bondline.gluing.joints.makers import spherical
from bondline.gluing.joints.mesh_tie import MeshTie
from bondline.gluing.joints.tie import Tie
from bondline.gluing.leverage import levers
from bondline.gluing.loading import loads

from .parts import Odd
from .test_mesh_ties import patch_port

FACES = patch_port(3, 4, 0.1, 1), patch_port(4, 2, 0.1, 2)
NODES = Port("end", ("x", "y", "z"), 12)
POINT = Port("end", ("x", "y", "z"))
PORTS = {
    **{"left": NODES, "middle": NODES, "right": NODES, "near": POINT, "far": POINT},
    **{"slave": FACES[0], "master": FACES[1]},
}


def end(part: str):
    return ref(f"{part}.{PORTS[part].name}")


def assembly() -> Assembly:
    """Ties of two and three ends, some dofs only, a ball joint with a rest, a mesh."""
    three = [end(n) for n in ("left", "middle", "right")]
    joints = [
        Tie.of("three", tuple(three), [NODES] * 3, ("x", "z")),
        Tie.of("two", (three[2], three[1]), [NODES] * 2, ("y",)),
        spherical("ball", (end("near"), end("far")), ((0.1, 0.2, 0.3), (1.0, 0.0, 0))),
        MeshTie("mesh", (end("slave"), end("master")), FACES, reach=0.5),
    ]
    return Assembly({n: Odd(n, None, p) for n, p in PORTS.items()}, joints)


def motions(accelerations: bool = True):
    rng, found = np.random.default_rng(4), {}
    for n, port in PORTS.items():
        x, v, a = rng.normal(size=(3, port.size))
        known = accelerations or n != "far"
        found[end(n)] = Motion(x, v, a if known else None)
    return found


@pytest.mark.parametrize("accelerations", [True, False])
def test_gaps_at_once_are_those_one_by_one(accelerations):
    glued, shown = assembly(), motions(accelerations)
    assert glued.stack is not None
    each = [[shown[e] for e in c.ends] for c in glued.connections]
    found, wanted = look(glued, shown).gap, gaps(each, glued.connections)
    for one, other in zip(found[: 2 + accelerations], wanted, strict=False):
        assert one == pytest.approx(other, rel=1e-13, abs=1e-13)
    assert (found[2] is None) == (wanted[2] is None) == (not accelerations)


def test_loads_at_once_are_those_one_by_one():
    glued, shown = assembly(), motions()
    arms = levers(glued, shown, 0.1, instant=False)
    F = np.random.default_rng(5).normal(size=(3, glued.offsets[-1]))
    found = loads(glued, arms, F, {})
    at = glued.offsets
    wanted = {e: np.zeros((3, PORTS[e.part].size)) for e in glued.ends}
    for k, c in enumerate(glued.connections):
        for e, lever in zip(c.ends, arms[k], strict=True):
            wanted[e] += lever.load(F[:, at[k] : at[k + 1]])
    for e, load in wanted.items():
        told = found[e.part][e.port].coefficients
        assert told == pytest.approx(load, rel=1e-13, abs=1e-13)


def test_the_order_of_ports_in_the_stack_changes_no_bit():
    glued, shown = assembly(), motions()
    turned = Assembly(glued.parts, glued.connections[::-1])
    one, two = look(glued, shown).gap[0], look(turned, shown).gap[0]
    at, back = glued.offsets, turned.offsets
    for k in range(len(glued.connections)):
        other = len(glued.connections) - 1 - k
        same = two[back[other] : back[other + 1]]
        assert one[at[k] : at[k + 1]].tolist() == same.tolist()


def test_few_joints_and_joints_that_turn_are_taken_one_by_one():
    few = assembly()
    few = Assembly(few.parts, few.connections[2:3])
    assert few.stack is None
    assert look(few, motions()).levels is None
