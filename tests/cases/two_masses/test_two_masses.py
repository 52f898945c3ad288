"""Two oscillators joined rigidly: every coupling has the order of its theory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Port, uniform
from bondline.gluing import TT, Newton, scheme
from bondline.gluing.couplings.motion_schemes import force_scheme, motion_scheme
from bondline.gluing.couplings.one_pass import OnePassTT
from bondline.gluing.couplings.xt import XT
from bondline.gluing.couplings.xx import XX
from bondline.gluing.solvers.one_pass import OnePass
from bondline.leaves import Structure
from bondline.numerics import Kinematics, LinearSystem
from tests.cases.two_masses.exact import joined, order
from tests.gluing.driven import coupled, led, pushed
from tests.gluing.wrapped import Once

MASSES, SPRINGS, X0 = (1.0, 0.25), (15.0, 10.0), 0.1
EXACT = joined(MASSES, SPRINGS, X0)
TIGHT = Newton(tolerance=1e-15, force_tolerance=1e-11)


def ends(*kinds):
    """Parts of exact answers; `led` ones take motion."""
    each = zip("ab", kinds, MASSES, SPRINGS, strict=True)
    return [kind(n, m, k, x0=X0) for n, kind, m, k in each]


def newmark(name, m, k, x0):
    """One trapezoidal step a window."""
    one = np.eye(1)
    return Structure(
        name,
        LinearSystem(m * one, 0.0 * one, k * one),
        {"end": [0]},
        {"end": Port("end", ("x",))},
        start_at=Kinematics(np.array([x0]), np.zeros(1), np.zeros(1)),
    )


IMPLICIT = {  # order of positions
    "T-T constant/e": (lambda: TT(scheme("constant/e")), pushed, pushed, 4),
    "T-T linear-discontinuous/e,v": (
        lambda: TT(scheme("linear-discontinuous/e,v")), pushed, pushed, 4,
    ),
    "T-T quadratic-discontinuous/e,v,a": (
        lambda: TT(scheme("quadratic-discontinuous/e,v,a")), pushed, pushed, 5,
    ),
    "T-T linear/deadbeat": (lambda: TT(scheme("linear/deadbeat")), pushed, pushed, 4),
    "T-T mixed/a,v,u": (lambda: TT(scheme("mixed/a,v,u")), pushed, pushed, 3),
    "T-T newmark/a,v,u, both Newmark": (
        lambda: TT(scheme("newmark/a,v,u")), newmark, newmark, 2,
    ),
    "T-T mixed/a,v,u, one Newmark": (
        lambda: TT(scheme("mixed/a,v,u")), newmark, pushed, 2,
    ),
    "X-X newmark/f": (lambda: XX(motion_scheme("newmark/f")), led, led, 2),
    "X-X cubic/f": (lambda: XX(motion_scheme("cubic/f")), led, led, 2),
    "X-T newmark/f": (lambda: XT(force_scheme("newmark/f")), pushed, led, 2),
    "X-T linear/f": (lambda: XT(force_scheme("linear/f")), pushed, led, 2),
}  # fmt: skip
EXPLICIT = {
    "T-T linear-discontinuous/e,v": ("linear-discontinuous/e,v", 3),
    "T-T quadratic-discontinuous/e,v,a": ("quadratic-discontinuous/e,v,a", 3),
    "T-T linear/deadbeat": ("linear/deadbeat", 3),
    "X-T hold/explicit": ("hold/explicit", 1),
    "X-T linear/explicit": ("linear/explicit", 2),
}


def errors(make, counts, span=1.0):
    found = []
    for n in counts:
        model = make()
        step, worst = model.start(0.0), 0.0
        for k in range(n):
            step = model.advance(step.state, uniform(0.0, span / n, k), {})
            x = next(iter(step.state.motions.values())).x[0]
            worst = max(worst, abs(x - EXACT((k + 1) * span / n)))
        found.append(worst)
    return np.array(found)


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", IMPLICIT)
def test_implicit_orders(name):
    coupling, first, second, theory = IMPLICIT[name]

    def make():
        return coupled(coupling(), *ends(first, second), solver=TIGHT)

    found = errors(make, (16, 32, 64, 128, 256)[: 5 if theory < 5 else 4])
    assert order(found) == pytest.approx(theory, abs=0.1)


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", EXPLICIT)
def test_explicit_orders(name):
    """The follower has a quarter of the leader's inertia: below both limits."""
    basis, theory = EXPLICIT[name]

    def make():
        if name.startswith("T-T"):
            parts, coupling = ends(pushed, pushed), OnePassTT(TT(scheme(basis)))
        else:
            parts, coupling = ends(pushed, led), XT(force_scheme(basis))
        return coupled(coupling, *map(Once, parts), solver=OnePass())

    assert order(errors(make, (20, 40, 80, 160, 320))) == pytest.approx(theory, abs=0.1)


SCHEMES = [n for n, (_, first, second, _) in IMPLICIT.items() if n[:3] == "T-T"]


@pytest.mark.quick(6)
@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("ratio", [1e-3, 1e-1, 1.0, 1e1, 1e3])
def test_force_coupling_takes_one_update_whatever_the_masses(name, ratio):
    coupling, first, second, _ = IMPLICIT[name]
    a, b = first("a", 1.0, 20.0, x0=X0), second("b", ratio, 20.0 * ratio, x0=X0)
    model = coupled(coupling(), a, b)
    exact = joined((1.0, ratio), (20.0, 20.0 * ratio), X0)
    step = model.start(0.0)
    for k in range(20):
        step = model.advance(step.state, uniform(0.0, 0.02, k), {})
        assert step.stats["iterations"] == 1
        x = next(iter(step.state.motions.values())).x[0]
        assert x == pytest.approx(exact(0.02 * (k + 1)), abs=2e-3 * X0)


@pytest.mark.parametrize("ratio", [0.5, 0.9, 1.1, 2.0])
def test_explicit_coupling_is_stable_up_to_its_limit(ratio):
    """An error of the first force is multiplied by the ratio in every window."""
    parts = pushed("a", 1.0, 1e-6, x0=X0), led("b", ratio, x0=X0)
    model = coupled(
        XT(force_scheme("hold/explicit")), *map(Once, parts), solver=OnePass()
    )
    state = model.start(0.0).state
    kicked = state.history._replace(asked=state.history.asked + 1e-3)
    state, asked = replace(state, history=kicked), []
    for k in range(30):
        step = model.advance(state, uniform(0.0, 0.01, k), {})
        state = step.state
        asked.append(abs(float(state.history.asked[0])))
    assert (asked[-1] > asked[0]) == (ratio > 1.0)
    assert bool(step.notes) == (ratio > 1.0)
