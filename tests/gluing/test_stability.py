"""Error recursions of gluing schemes, and the test that guards the stiff ones."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bondline.core import Rejected, Situation, Window
from bondline.gluing import SCHEMES
from bondline.gluing.couplings.resolution import (
    WANTED,
    Resolution,
    check_start,
    check_window,
    least_ratios,
    resolution,
)
from bondline.leaves import chain
from bondline.numerics.recursion import (
    GluedMass,
    eigenvalues,
    first_unstable,
    spectral_radius,
)
from tests.gluing.parts import Odd, glue, mass, tie

FORCES = {  # basis, and what the last forces add
    "constant": ([[1.0]], [0.0]),
    "line": ([[0.0], [1.0]], [1.0, -1.0]),
    "parabola": ([[0.0], [0.5], [0.5]], [[1.0, 0.0], [0.0, -0.5], [-1.0, 0.5]]),
}
WINDOWS = np.arange(0.5, 9.0, 0.05)  # ω = 1 rad/s: these are ωh


def rule(force, *conditions):
    basis, carried = FORCES[force]
    return SimpleNamespace(
        B=np.array(basis),
        W=np.array(conditions, dtype=float),
        carried=np.array(carried),
    )


@pytest.mark.parametrize(
    ("condition", "force", "radius"),
    [
        ((1, 0, 0), "constant", 1.0),
        ((1, 0, 0), "line", 3.73),
        ((1, 0, 0), "parabola", 5.34),
        ((0, 1, 0), "constant", 1.0),
        ((0, 1, 0), "line", 1.0),
        ((0, 1, 0), "parabola", 1.72),
        ((0, 0, 1), "constant", 1.0),
        ((0, 0, 1), "line", 1.0),
        ((0, 0, 1), "parabola", 1.0),
        ((1, 0.5, 0), "constant", 0.0),
        ((1, 0.5, 0), "line", 1.72),
        ((1, 0.5, 0), "parabola", 2.69),
        ((1, 1, 1 / 3), "line", 0.0),
    ],
)
@pytest.mark.parametrize("masses", [(1.0, 1.0), (1.0, 1e-3), (40.0, 7.0)])
def test_a_rigid_joint_has_the_radius_of_the_table(condition, force, radius, masses):
    """Whatever the window and the masses are."""
    pair = [GluedMass(m) for m in masses]
    for h in (1e-3, 0.4):
        found = spectral_radius(rule(force, condition), *pair, h)
        assert found == pytest.approx(radius, abs=0.005)


@pytest.mark.parametrize(
    "name", ["linear-discontinuous/e,v", "quadratic-discontinuous/e,v,a"]
)
def test_one_condition_for_each_coefficient_leaves_no_error(name):
    assert spectral_radius(SCHEMES[name], GluedMass(2.0), GluedMass(5.0), 0.1) < 1e-9


def test_a_saw_tooth_is_an_eigenvalue_of_minus_one():
    found = eigenvalues(SCHEMES["constant/e"], GluedMass(), GluedMass(3.0), 0.1)
    assert np.abs(found + 1.0).min() < 1e-12


FREE, LIGHT, HEAVY = GluedMass(1.0), GluedMass(0.5), GluedMass(10.0)
SPRING, DAMPED = GluedMass(1.0, omega=1.0), GluedMass(1.0, omega=1.0, zeta=0.1)


@pytest.mark.parametrize(
    ("name", "pair", "growth", "limit"),
    [
        ("linear/deadbeat", (SPRING, FREE), 1e-6, 3.15),
        ("linear-discontinuous/e,v", (SPRING, LIGHT), 1e-6, 3.7),
        ("linear-discontinuous/e,v", (DAMPED, HEAVY), 1e-6, 5.8),
        ("quadratic-discontinuous/e,v,a", (SPRING, LIGHT), 1e-4, 1.5),
        ("quadratic-discontinuous/e,v,a", (DAMPED, HEAVY), 1e-4, 6.1),
    ],
)
def test_flexible_parts_go_unstable_where_the_table_says(name, pair, growth, limit):
    found = first_unstable(SCHEMES[name], pair, WINDOWS, growth)
    assert found == pytest.approx(limit, abs=0.051)


def test_the_constant_dead_beat_has_the_limit_pi():
    found = first_unstable(rule("constant", (1, 0.5, 0)), (SPRING, FREE), WINDOWS)
    assert found == pytest.approx(3.15)


masses = st.floats(1e-3, 1e3)
speeds = st.one_of(st.just(0.0), st.floats(0.01, 50.0))
losses = st.floats(0.0, 0.2)


@given(masses, masses, speeds, speeds, losses)
@settings(max_examples=30, deadline=None)
def test_positions_with_a_constant_force_are_stable_for_all_parts(m, n, a, b, zeta):
    pair = GluedMass(m, a, zeta), GluedMass(n, b, zeta)
    assert spectral_radius(SCHEMES["constant/e"], *pair, 1.0) < 1.0 + 1e-5


@given(masses, masses, speeds, speeds, losses, st.integers(1, 6))
@settings(max_examples=30, deadline=None)
def test_so_they_are_with_newmark_steps_that_start_afresh(m, n, a, b, zeta, steps):
    """A trapezoidal step conserves energy under a force that is constant inside it."""
    pair = GluedMass(m, a, zeta, steps, fresh=True), GluedMass(n, b, zeta)
    assert spectral_radius(SCHEMES["constant/e"], *pair, 1.0) < 1.0 + 1e-5


@pytest.mark.parametrize(("steps", "radius"), [(2, 1.88), (4, 1.49), (10, 1.20)])
def test_newmark_steps_that_keep_the_old_acceleration_are_not(steps, radius):
    """The force jumps where a window starts; the acceleration of before is wrong."""
    pair = GluedMass(0.01, steps=steps), GluedMass(1.0)
    found = spectral_radius(SCHEMES["constant/e"], *pair, 1.0)
    assert found == pytest.approx(radius, abs=0.02)


def test_newmark_parts_glue_as_one_structure():
    """The gap of two Newmark parts has a recursion of its own, whatever they are."""
    newmark = SCHEMES["newmark/a,v,u"]
    for a, b in ((0.0, 0.0), (3.0, 0.2), (40.0, 7.0)):
        pair = GluedMass(1.0, a, steps=1), GluedMass(4.0, b, steps=1)
        assert spectral_radius(newmark, *pair, 1.0) < 1.0 + 1e-7
    rigid = spectral_radius(newmark, GluedMass(steps=1), GluedMass(steps=1), 1.0)
    assert rigid == pytest.approx(0.6, abs=0.001)


def test_resolution_of_diagonal_matrices():
    assert resolution(np.diag([8.0, 1.2]), np.diag([2.0, 1.0])) == pytest.approx(
        [1.2, 4.0]
    )


def test_stiff_directions_are_left_out():
    turn = np.linalg.qr(np.random.default_rng(3).random((3, 3)))[0]
    G_h, G_half = (turn @ np.diag(d) @ turn.T for d in ([4.0, 3.2, 0.0], [1.0, 1.0, 0]))
    assert resolution(G_h, G_half) == pytest.approx([3.2, 4.0])
    assert len(resolution(np.zeros((1, 1)), np.zeros((1, 1)))) == 0


def platform(h, stretch, noise, seed):
    """G of three ports on one body of 1 kg, with a spring between two of them.

    The spring does not follow the window; round-off is the same at all lengths.
    """
    G = np.full((3, 3), 0.5 * h * h)
    G += stretch * np.outer([1.0, -1.0, 0.0], [1.0, -1.0, 0.0])
    return G + noise * np.random.default_rng(seed).uniform(-1.0, 1.0, (3, 3))


@pytest.mark.parametrize("seed", range(20))
def test_round_off_is_no_mode(seed):
    """Three ports on one body: two directions are nothing but differences of noise.

    A spring that gives a five-thousandth of the way is still seen.
    """
    seeds = iter(range(10 * seed, 10 * seed + 10))

    def least(stretch):
        def probed(h):
            return {"body": platform(h, stretch, 1e-9, next(seeds))}

        return least_ratios(probed, 1e-1, 3.0)["body"]

    assert least(0.0) > 3.9
    assert least(1e-6) < 1.1


def examined(name, theta, other=0.5):
    """The verdict on an oscillator with ωh = theta against a free mass."""
    model = glue(mass("a", 1.0, theta**2), mass("b", other), name=name)
    state = model.start(0.0).state
    here = Situation(state.parts, state.motions, {})
    return check_start(
        model.coupling, model.assembly, here, Window(0.0, 1.0), state.history
    )


LIMITS = {
    "linear/deadbeat": 3.14,
    "linear-discontinuous/e,v": 3.7,
    "quadratic-discontinuous/e,v,a": 1.5,
    "mixed/a,v,u": 3.1,
}


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("other", [0.5, 10.0])
def test_a_window_is_refused_above_the_limit_and_allowed_below_half_of_it(name, other):
    limit = LIMITS[name]
    for theta in (limit, 1.3 * limit, 2.0 * limit, 12.5):
        assert not examined(name, theta, other).resolved
    for theta in (0.1, 0.3 * limit, 0.5 * limit):
        assert examined(name, theta, other).resolved


@given(st.floats(0.05, 6.0))
@settings(max_examples=30, deadline=None)
def test_the_ratio_of_an_oscillator_is_known(theta):
    assert resolution(*_held(theta)) == pytest.approx([4.0 * np.cos(theta / 4.0) ** 2])


def _held(theta):
    """Displacement under a unit of constant force, over h and over h/2."""
    return (np.array([[1.0 - np.cos(t)]]) for t in (theta, 0.5 * theta))


def test_the_verdict_names_the_part_in_words():
    bad = examined("linear/deadbeat", 6.0)
    assert isinstance(bad, Resolution)
    assert bad.words.startswith("a: G(h)/G(h/2) =")
    assert "Shorten it" in bad.words
    assert "resolves the interface" in examined("linear/deadbeat", 0.5).words


def test_stable_schemes_are_not_asked():
    assert examined("constant/e", 9.0) is None
    assert set(WANTED) == set(LIMITS) <= set(SCHEMES)


def test_newmark_parts_are_not_asked():
    """Their one step is stable at every length."""
    quick = chain("a", masses=1, wall=1e6)
    model = glue(quick, mass("b"), name="mixed/a,v,u", ties=[tie("a.right", "b.end")])
    state = model.start(0.0).state
    here = Situation(state.parts, state.motions, {})
    found = check_start(
        model.coupling, model.assembly, here, Window(0.0, 1.0), state.history
    )
    assert found.resolved


def test_a_part_that_rejects_is_passed_on():
    no = Rejected("a", "never")
    model = glue(Odd("a", lambda w, f: no), mass("b"), name="linear/deadbeat")
    state = model.start(0.0).state
    here = Situation(state.parts, state.motions, {})
    window = Window(0.0, 1.0)
    found = check_start(model.coupling, model.assembly, here, window, state.history)
    assert isinstance(found, Rejected)
    assert (found.model, found.reason) == ("a", "never")


def test_any_interface_problem_can_be_asked():
    """Without flexibilities by part, the gluing matrix itself is looked at."""

    def problem(h):
        return SimpleNamespace(
            sweep=lambda z: SimpleNamespace(),
            slope=lambda z, here: SimpleNamespace(
                matrix=np.array([[1 - np.cos(5 * h)]])
            ),
        )

    found = check_window(problem, np.zeros(1), 1.0, 3.0)
    assert found.where == "interface"
    assert found.ratio == pytest.approx(4.0 * np.cos(1.25) ** 2)
