"""Laws of interface solvers, on problems of a few lines and on glued masses."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from bondline.core import Rejected, Signal, Window, ref, uniform
from bondline.errors import SingularInterface
from bondline.gluing import (
    IQNILS,
    SOLVERS,
    Aitken,
    Anderson,
    DiagonalSecant,
    Iterated,
    Newton,
    Relaxation,
    Stop,
    choose_solver,
)
from bondline.wire import pack, unpack
from tests.gluing.parts import glue, mass, tie
from tests.gluing.solver_problems import Posed, even, skew

FREE = [IQNILS, Anderson, Aitken, Relaxation, DiagonalSecant]  # of gluing matrices
UNEVEN = [name for name in SOLVERS if name != "bfgs"]
AFFINE = {
    "one unknown": Posed(np.array([[2e-5]]), np.array([3e-3]), symmetric=True),
    "six, not symmetric": Posed(1e-5 * skew(6, 0.3), 1e-3 * np.arange(1.0, 7.0)),
}
BENT = Posed(
    np.array([[2.0, 0.3], [0.3, 1.0]]), np.array([1.0, 2.0]), 0.1, symmetric=True
)


def again(problem, **changes):
    return replace(problem, swept=[], **changes)


def solved(solver, problem, guess=None, memory=None):
    start = np.zeros(problem.size) if guess is None else guess
    found = solver.solve(problem, start, memory)
    assert not isinstance(found, Rejected), found
    return found


def through_bytes(solver, memory):
    return solver.load(unpack(pack(solver.dump(memory))))


@dataclass
class Heard:
    """A solver that keeps what another one answers."""

    inner: object
    answers: list = field(default_factory=list)

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def solve(self, problem, guess, memory):
        found = self.inner.solve(problem, guess, memory)
        self.answers.append(found)
        return found


def moved(model, windows=20, h=0.01, state=None, first=0):
    state = model.start(0.0).state if state is None else state
    for n in range(first, first + windows):
        done = model.advance(state, uniform(0.0, h, n), {})
        assert not isinstance(done, Rejected), done
        state = done.state
    return state


@pytest.mark.parametrize("name", UNEVEN)
@pytest.mark.parametrize("case", AFFINE)
def test_every_solver_finds_the_zero_of_an_affine_problem(name, case):
    problem = again(AFFINE[case])
    found = solved(choose_solver(name), problem)
    assert found.converged
    exact = np.linalg.solve(problem.A, problem.b)
    assert found.z == pytest.approx(exact, rel=2e-5)
    assert found.history[-1] <= 1e-10


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_finds_the_zero_of_a_bent_problem(name):
    problem = again(BENT)
    found = solved(choose_solver(name), problem)
    assert found.converged
    assert np.abs(problem.residual(found.z)).max() <= 1e-10


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_counts_what_it_asks_for(name):
    problem = again(BENT)
    found = solved(choose_solver(name), problem)
    probes = 4 * found.builds  # two unknowns, two leaves
    assert found.solves == 2 * len(problem.swept) + probes
    assert len(found.history) <= len(problem.swept)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_memory_is_a_value(name):
    solver = choose_solver(name)
    memory = solved(solver, again(BENT)).memory
    before = pack(solver.dump(memory))
    one = solved(solver, again(BENT, b=np.array([1.1, 1.9])), memory=memory)
    two = solved(solver, again(BENT, b=np.array([1.1, 1.9])), memory=memory)
    assert pack(solver.dump(memory)) == before
    assert np.array_equal(one.z, two.z)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_memory_goes_through_bytes_without_losing_a_bit(name):
    solver = choose_solver(name)
    memory = solved(solver, again(BENT)).memory
    other = again(BENT, b=np.array([1.1, 1.9]))
    one = solved(solver, other, memory=memory)
    two = solved(solver, other, memory=through_bytes(solver, memory))
    assert np.array_equal(one.z, two.z)
    assert one.history == two.history
    assert through_bytes(solver, solver.start()) is None


@pytest.mark.parametrize("name", SOLVERS)
def test_a_run_goes_on_after_bytes_as_if_nothing_had_happened(name):
    parts = mass("a", 1.0, 40.0, 0.5, hard=90.0), mass("b", 2.0, x0=0.5)
    model = glue(*parts, solver=choose_solver(name))
    state = moved(model, 6)
    on = moved(model, 4, state=state, first=6)
    resumed = moved(model, 4, state=model.load(model.dump(state)), first=6)
    assert model.dump(on) == model.dump(resumed)


@pytest.mark.quick(8)
@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("ratio", [1e-3, 0.1, 10.0, 1e3])
def test_inertia_ratios_do_not_matter(name, ratio):
    solver = Heard(choose_solver(name, tolerance=1e-12))
    model = glue(mass("a", 1.0, 40.0, 0.1), mass("b", ratio, x0=0.1), solver=solver)
    state = moved(model, 10)
    omega = np.sqrt(40.0 / (1.0 + ratio))
    for part in "ab":
        x = model.observe(state)[f"{part}.x"].value
        assert x == pytest.approx(0.1 * np.cos(0.1 * omega), abs=1e-7)
    if SOLVERS[name].startswith("newton") or name == "newton":
        assert {len(found.history) for found in solver.answers} == {2}


@pytest.mark.parametrize("name", SOLVERS)
def test_zero_force_and_zero_motion_are_a_start(name):
    """At rest, unloaded; then a push from outside."""
    model = glue(
        mass("a"),
        mass("b", 3.0),
        solver=choose_solver(name),
        exports={"out": ref("b.end")},
    )
    rest = model.start(0.0).state
    idle = model.advance(rest, Window(0.0, 0.1), {})
    push = {"out": Signal.hold(np.array([8.0]))}
    done = model.advance(idle.state, Window(0.1, 0.2), push)
    assert done.outputs["out"].x == pytest.approx([0.5 * 8.0 / 4.0 * 0.01], rel=1e-6)


@pytest.mark.parametrize("kind", FREE)
def test_a_residual_of_zero_is_no_reason_to_probe(kind):
    problem = Posed(np.eye(3), np.zeros(3))
    found = solved(Iterated(kind()), problem)
    assert (found.converged, len(problem.swept), found.memory) == (True, 1, None)


@pytest.mark.parametrize("n", range(1, 9))
def test_inverse_least_squares_ends_after_n_plus_two_sweeps(n):
    problem = Posed(skew(n, 0.5), np.arange(1.0, n + 1))
    assert solved(Iterated(IQNILS()), problem).converged
    assert len(problem.swept) <= n + 2


def test_inverse_least_squares_uses_the_pairs_of_past_windows():
    first, second = again(AFFINE["six, not symmetric"]), np.full(6, 2e-3)
    counts = {}
    for windows in (0, 3):
        solver = Iterated(IQNILS(windows=windows))
        memory = solved(solver, first).memory
        counts[windows] = len(
            solved(solver, again(first, b=second), None, memory).history
        )
    assert counts[3] == 2  # see the gap, confirm it closed
    assert counts[0] > 6


def test_pairs_of_old_windows_are_dropped():
    solver, memory = Iterated(IQNILS(windows=2)), None
    for n in range(6):
        problem = again(BENT, b=np.array([1.0 + 0.1 * n, 2.0]))
        memory = solved(solver, problem, None, memory).memory
    assert memory.ages.max() == 2.0
    assert len(solved(Iterated(IQNILS(columns=3)), again(BENT)).memory.dz) == 3


def test_a_pair_that_says_nothing_new_is_filtered():
    """The same residual change twice: without the filter a division by zero."""
    solver = Iterated(IQNILS())
    memory = solved(solver, again(BENT)).memory
    twice = replace(
        memory,
        dz=np.concatenate([memory.dz, memory.dz]),
        dr=np.concatenate([memory.dr, memory.dr]),
        ages=np.concatenate([memory.ages, memory.ages]),
    )
    other = again(BENT, b=np.array([1.2, 1.8]))
    found, expected = (solved(solver, other, None, m) for m in (twice, memory))
    assert np.array_equal(found.z, expected.z)


def test_aitken_needs_three_sweeps_for_one_unknown():
    problem = again(AFFINE["one unknown"])
    assert solved(Iterated(Aitken()), problem).converged
    assert len(problem.swept) == 3  # the gap, the probe, and it is closed


def test_anderson_remembers_only_its_depth():
    found = solved(Iterated(Anderson(depth=2)), again(AFFINE["six, not symmetric"]))
    assert found.converged
    assert len(found.memory.dz) == 2


@pytest.mark.parametrize(
    ("ratio", "converges"), [(0.5, True), (0.9, True), (1.2, False)]
)
def test_the_plain_fixed_point_diverges_above_an_inertia_ratio_of_one(ratio, converges):
    """r = z − H(z) with H(z) = 3 − ratio z: contraction by the ratio."""
    problem = Posed(np.array([[1.0 + ratio]]), np.array([3.0]))
    plain = Iterated(Relaxation(factor=1.0, scale=1.0), Stop(max_iterations=300))
    assert solved(plain, problem).converged == converges
    for rule in (Aitken(scale=1.0), Anderson(scale=1.0), IQNILS(scale=1.0)):
        assert solved(Iterated(rule), again(problem)).converged


def test_a_given_scale_needs_no_probe():
    problem = again(AFFINE["one unknown"])
    found = solved(Iterated(Relaxation(factor=1.0, scale=5e4)), problem)
    assert found.converged
    assert len(problem.swept) == len(found.history) == 2


@pytest.mark.parametrize("kind", FREE)
def test_a_probe_too_small_to_see_is_widened(kind):
    problem = Posed(np.array([[1e-12]]), np.array([2e-6]), noise=1e-13)
    found = solved(Iterated(kind()), problem)
    assert found.converged
    assert found.z == pytest.approx([2e6], rel=1e-4)


@pytest.mark.parametrize("kind", FREE)
def test_unknowns_that_move_nothing_are_named(kind):
    found = Iterated(kind()).solve(
        Posed(np.zeros((1, 1)), np.ones(1)), np.zeros(1), None
    )
    assert isinstance(found.error, SingularInterface)
    assert found.error.place == "interface"
    assert "moving j0.Fx" in found.error.finding
    assert "does not change" in found.error.finding
    assert "solver 'newton'" in found.error.remedy


@pytest.mark.parametrize("kind", FREE)
def test_windows_of_another_length_are_probed_anew(kind):
    memory = solved(Iterated(kind()), again(AFFINE["one unknown"])).memory
    problem = again(AFFINE["one unknown"], h=0.005, A=np.array([[5e-6]]))
    found = solved(Iterated(kind()), problem, None, memory)
    assert len(problem.swept) == len(found.history) + 1
    assert found.memory.h == 0.005


def test_diagonal_secants_stay_within_their_guards():
    """Neighbours that pull an unknown's own secant far off."""
    A = np.array([[1.0, 0.6], [-0.6, 1.0]])
    found = solved(Iterated(DiagonalSecant(scale=1.0)), Posed(A, np.array([1.0, 0.1])))
    share = found.memory.factor / found.memory.nominal
    assert found.converged
    assert ((share > 0.2) & (share < 5.0)).all()
    assert (share != 1.0).any()


def test_diagonal_secants_know_forces_from_moments():
    A = np.diag([1e-5, 3e-3])  # m/N and rad/(N m)
    problem = Posed(A, np.array([1e-3, 2e-3]))
    assert solved(Iterated(DiagonalSecant()), problem).converged
    assert len(problem.swept) == 3


def test_the_floor_of_the_problem_says_what_a_small_step_is():
    """A residual below the tolerance whose correction is one unit."""
    problem = Posed(np.array([[1e-11]]), np.array([1e-11]), bend=1e-30)
    solver = Newton(tolerance=1e-10)
    careful = solved(solver, problem)
    careless = solved(solver, again(problem, floor=1e7))
    assert (len(careful.history), len(careless.history)) == (2, 1)


@pytest.mark.parametrize("name", SOLVERS)
def test_without_a_solution_a_solver_says_so(name):
    """r = z² + 1 would need an imaginary force."""

    @dataclass(frozen=True)
    class Hopeless(Posed):
        def residual(self, z):
            return z**2 + 1.0

    problem = Hopeless(np.eye(1), np.ones(1), bend=1.0, symmetric=True)
    found = choose_solver(name).solve(problem, np.array([0.5]), None)
    assert isinstance(found, Rejected) or not found.converged


def test_solvers_agree_on_three_bodies_at_one_node():
    def forces(name):
        parts = (
            mass("a", 1.0, 40.0, 0.1),
            mass("b", 2.0, x0=0.1, hard=50.0, k=5.0),
            mass("c", 3.0, 20.0, 0.1),
        )
        ends = tie("a.end", "b.end", "c.end")
        solver = choose_solver(name, tolerance=1e-13)
        return moved(glue(*parts, ties=[ends], solver=solver), 10).forces

    expected = forces("newton")
    for name in SOLVERS:
        assert forces(name) == pytest.approx(expected, rel=1e-5)


def test_even_problems_of_some_size_converge_without_a_matrix():
    problem = Posed(1e-6 * even(40), 1e-4 * np.ones(40), symmetric=True)
    for rule in (IQNILS(), Anderson()):
        assert solved(Iterated(rule), again(problem)).converged
