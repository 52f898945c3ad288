"""Parts and joints that are not linear: load steps, large turns."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import root

from bondline.core import Flexibility, Rejected, ref
from bondline.errors import CouplingDiverged
from bondline.gluing.joints.makers import distance
from bondline.gluing.statics import Statics
from tests.gluing.static_parts import (
    Elastic,
    Knowing,
    assembly,
    rest,
    start_of,
    strut,
    tie,
)

FEET = [(0.0, 0.0), (2.0, 0.0)]
APEX = (1.0, 1.0)
LOAD = np.array([1.5e3, -2e3])


def truss(kind):
    """Two struts on pins, tied at the apex: each alone turns without resistance."""
    parts = [
        strut("one", FEET[0], APEX, LOAD, kind),
        strut("two", FEET[1], APEX, kind=kind),
    ]
    return assembly(parts, [tie("apex", "one.tip", "two.tip", dofs="xy")])


def whole(load):
    """The same truss as one equation in the position of its apex."""
    one, two = (strut("s", foot, APEX) for foot in FEET)
    found = root(lambda x: one.gradient(x) + two.gradient(x) - load, APEX, tol=1e-14)
    assert np.abs(found.fun).max() < 1e-8
    return found.x


@pytest.mark.parametrize("kind", [Elastic, Knowing])
@pytest.mark.parametrize("method", ["robin", "feti"])
def test_a_hardening_truss_rests_where_the_whole_does(method, kind):
    found = rest(truss(kind), method)
    assert_allclose(found.p, np.tile(whole(LOAD), 2), atol=1e-9)


def test_the_struts_have_turned_far():
    x = whole(LOAD)
    before, after = (np.arctan2(p[1], p[0]) for p in (APEX, x))
    assert abs(after - before) > 0.1


def test_newton_converges_quadratically():
    found = rest(truss(Knowing))
    assert found.stats["load_steps"] == 1
    assert found.stats["iterations"] <= 8


def test_load_steps_end_where_one_step_ends():
    statics = Statics("truss", truss(Knowing), {})
    here = start_of(statics)
    for k in range(4):
        start, end = (statics.acting(s, {}, {}) for s in (k / 4, (k + 1) / 4))
        found = statics.follow(here, start, end)
        here = found.here
    assert_allclose(here.p, rest(truss(Knowing)).p, atol=1e-10)


def stubborn(reach):
    """A strut whose solver only finds what is near."""

    class Stubborn(Knowing):
        def equilibrium(self, state, load_factor, inputs, springs):
            found = super().equilibrium(state, load_factor, inputs, springs)
            far = isinstance(found, Rejected) or (
                np.linalg.norm(found.state - state) > reach
            )
            return Rejected(self.name, "it is too far.") if far else found

    return Stubborn


def test_a_step_that_fails_is_halved():
    # 2 % off, the supported weight keeps every trial near; the whole way is 20 times it
    found = rest(truss(stubborn(0.1)))
    assert found.stats["load_steps"] > 1
    assert_allclose(found.p, np.tile(whole(LOAD), 2), atol=1e-9)


def held_points(load):
    """Two points on soft springs, at (0, 0) and (1, 0)."""

    def point(name, x0, f):
        x0 = np.array(x0)
        shown = {"p": (("x", "y", "z"), (0, 1, 2))}
        return Elastic(
            name,
            lambda x: 1e3 * (x - x0),
            lambda x: 1e3 * np.eye(3),
            shown,
            x0,
            np.array(f),
        )

    return [
        point("a", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        point("b", (1.0, 0.0, 0.0), load),
    ]


def test_a_rigid_rod_turns_with_its_ends():
    load = (-900.0, 1200.0, 300.0)
    rod = distance("rod", (ref("a.p"), ref("b.p")), 1.0)
    found = rest(assembly(held_points(load), [rod]))
    a, b = found.p[:3], found.p[3:]
    # forces on the two ends: springs and load, along the rod, equal and opposite
    on_a = -1e3 * a
    on_b = np.array(load) - 1e3 * (b - np.array([1.0, 0.0, 0.0]))
    assert_allclose(np.linalg.norm(b - a), 1.0, atol=1e-12)
    assert_allclose(on_a + on_b, 0.0, atol=1e-8)
    assert_allclose(np.cross(b - a, on_a), 0.0, atol=1e-8)
    assert np.degrees(np.arccos((b - a)[0])) > 20.0
    assert_allclose(abs(found.forces[0]), np.linalg.norm(on_a), rtol=1e-9)


@dataclass(frozen=True, eq=False)
class CubeRoot(Knowing):
    """Moves by the cube root of the force: Newton's method runs away from it."""

    def equilibrium(self, state, load_factor, inputs, springs):
        f = load_factor * self.load + sum(inputs.values())
        return self._report(np.cbrt(f))

    def compliance(self, state, springs):
        slope = 1.0 / (3.0 * state**2)
        return Flexibility({("p", "p"): slope[None, :, None, None]}, 1)


def test_joints_that_do_not_close_are_an_error_with_history():
    def part(name):
        shown, zero = {"p": (("x",), (0,))}, np.zeros(1)
        return CubeRoot(name, None, None, shown, zero, np.array([5.0]))

    one, two = part("one"), replace(part("two"), load=np.array([-5.0]))
    glued = assembly([one, two], [tie("j", "one.p", "two.p", dofs="x")])
    found = rest(glued, "direct")
    assert isinstance(found, Rejected)
    assert isinstance(found.error, CouplingDiverged)
    assert found.error.place.startswith("case, static equilibrium at load factor")
    assert "did not close after 25 corrections" in found.error.finding
    assert "--load-steps" in found.error.remedy
    assert len(found.error.history) == 26
