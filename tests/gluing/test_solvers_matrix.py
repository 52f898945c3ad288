"""The gluing matrix: its forms, its updates, and conditions that repeat each other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bondline.core import Rejected
from bondline.errors import SettingError, SingularInterface
from bondline.gluing import Lagged, Newton, choose_solver, redundant_conditions
from bondline.gluing.solvers.forms import Factors, Inverse
from bondline.gluing.solvers.gluing_matrix import build, dump, load
from bondline.gluing.solvers.updates import bfgs, broyden
from bondline.wire import pack, unpack
from tests.gluing.parts import glue, mass, tie
from tests.gluing.solver_problems import Posed, even, skew
from tests.gluing.test_solvers import Heard, moved, solved

PROBLEMS = {
    "small": Posed(1e-5 * skew(6), np.ones(6)),
    "symmetric": Posed(1e-5 * even(12), np.ones(12), symmetric=True),
    "not symmetric": Posed(1e-5 * skew(12), np.ones(12)),
    "indefinite": Posed(even(12) - 3.0 * np.eye(12), np.ones(12), symmetric=True),
}


def draws(count, size):
    return np.random.default_rng(11).standard_normal((count, size))


def built(problem, before=None):
    z = np.zeros(problem.size)
    Lam = build(problem, z, problem.sweep(z), 1e-10, before)
    assert not isinstance(Lam, Rejected), Lam
    return Lam


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_form_is_the_inverse_of_the_slope(name):
    problem = PROBLEMS[name]
    Lam, exact = built(problem), np.linalg.inv(problem.A)
    x = np.linspace(-1.0, 2.0, problem.size)
    assert Lam.matrix == pytest.approx(exact, rel=1e-9, abs=1e-12 * np.abs(exact).max())
    assert Lam.form.times(x) == pytest.approx(exact @ x, rel=1e-9)
    assert Lam.form.along(x) == pytest.approx(x @ exact, rel=1e-9)


def test_the_form_follows_size_and_symmetry():
    forms = {name: built(problem).form for name, problem in PROBLEMS.items()}
    assert isinstance(forms["small"], Inverse)
    assert forms["symmetric"].pivots is None  # Cholesky
    assert forms["not symmetric"].pivots is not None
    assert forms["indefinite"].pivots is not None


def test_symmetric_slopes_are_scaled_by_their_diagonal():
    """Forces and moments: units a thousand times apart."""
    units = np.tile([1.0, 1e-3], 10)
    mixed = even(20) * units * units[:, None]
    Lam = built(Posed(mixed, np.ones(20), symmetric=True))
    assert np.linalg.cond(mixed) > 1e6
    assert Lam.condition < 1e2


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("update", [broyden, bfgs])
def test_an_updated_matrix_maps_the_change_to_the_step(name, update):
    Lam = built(PROBLEMS[name])
    for dz in draws(3, PROBLEMS[name].size):
        dr = 1e-5 * (2.0 * dz + 0.1 * dz[::-1])
        Lam = update(Lam, dz, dr)
        assert Lam.form.times(dr) == pytest.approx(dz, rel=1e-6)


@pytest.mark.parametrize("update", [broyden, bfgs])
def test_many_updates_of_factors_are_multiplied_out(update):
    problem = PROBLEMS["symmetric"]
    factors, explicit = built(problem), built(problem)
    explicit = replace(explicit, form=Inverse(explicit.matrix))
    for dz in draws(40, 12):
        dr = problem.A @ dz + 2e-6 * dz
        factors, explicit = update(factors, dz, dr), update(explicit, dz, dr)
    assert isinstance(factors.form, Inverse)
    assert factors.matrix == pytest.approx(explicit.matrix, rel=1e-6)


def test_bfgs_keeps_the_matrix_symmetric_and_positive():
    Lam = built(PROBLEMS["symmetric"])
    for dz in draws(5, 12):
        Lam = bfgs(Lam, dz, 1e-5 * even(12, 9) @ dz)
    matrix = Lam.matrix
    assert matrix == pytest.approx(matrix.T, abs=1e-9 * np.abs(matrix).max())
    assert np.linalg.eigvalsh(matrix).min() > 0.0


def test_bfgs_learns_nothing_from_negative_curvature():
    Lam, dz = built(PROBLEMS["symmetric"]), np.ones(12)
    assert bfgs(Lam, dz, -dz) is Lam
    assert broyden(Lam, dz, 0.0 * dz) is Lam


def test_bfgs_refuses_conditions_of_several_kinds():
    found = choose_solver("bfgs").solve(PROBLEMS["small"], np.zeros(6), None)
    assert isinstance(found.error, SettingError)
    assert found.error.place == "interface"
    assert "BFGS needs a symmetric slope" in found.error.finding
    assert "j0.Fx" in found.error.finding
    assert "'broyden'" in found.error.remedy


@pytest.mark.parametrize("name", PROBLEMS)
def test_forms_and_updates_go_through_bytes(name):
    Lam = built(PROBLEMS[name])
    dz = np.linspace(0.5, 1.5, PROBLEMS[name].size)
    Lam = broyden(broyden(Lam, dz, 3e-5 * dz), dz[::-1], 2e-5 * dz)
    copy = load(unpack(pack(dump(Lam))))
    assert type(copy.form) is type(Lam.form)
    assert np.array_equal(copy.form.times(dz), Lam.form.times(dz))
    assert np.array_equal(copy.form.along(dz), Lam.form.along(dz))
    assert (copy.h, copy.condition, copy.redundant) == (Lam.h, Lam.condition, 0)


@pytest.mark.parametrize("update", ["broyden", "bfgs", "none"])
def test_large_bent_problems_converge_with_factors(update):
    problem = Posed(even(30), np.linspace(1.0, 3.0, 30), 0.05, symmetric=True)
    found = solved(Newton(update=update), problem)
    assert found.converged
    assert isinstance(found.memory.form, Factors)


TIES = {
    "ab": tie("a.end", "b.end", name="ab"),
    "bc": tie("b.end", "c.end", name="bc"),
    "ca": tie("c.end", "a.end", name="ca"),
}


def three(names, solver, scheme="constant/e"):
    parts = (
        mass("a", 1.0, 40.0, 0.1, hard=30.0),
        mass("b", 2.0, x0=0.1),
        mass("c", 0.5, 9.0, x0=0.1),
    )
    ties = [TIES[n] for n in names]
    return glue(*parts, ties=ties, solver=solver, name=scheme)


@pytest.mark.parametrize("scheme", ["constant/e", "linear-discontinuous/e,v"])
def test_a_triangle_of_ties_moves_as_its_spanning_tree(scheme):
    solver = Heard(Newton(tolerance=1e-13))
    closed = three(("ab", "bc", "ca"), solver, scheme)
    tree = three(("ab", "bc"), Newton(tolerance=1e-13), scheme)
    one, two = (m.observe(moved(m, 40)) for m in (closed, tree))
    for name in one:
        assert one[name].value == pytest.approx(two[name].value, abs=1e-10)
    unknowns = solver.answers[0].memory.redundant
    assert unknowns == (1 if scheme == "constant/e" else 2)
    (told,) = solver.answers[0].warnings
    assert f"{unknowns} of {3 * unknowns} interface conditions repeat" in told
    assert "ab.Fx, bc.Fx, ca.Fx" in told
    assert not any(found.warnings for found in solver.answers[1:])
    assert max(found.condition for found in solver.answers) < 1e6


def test_redundant_forces_are_the_smallest():
    """Two ties between the same masses share the force."""
    twice = [tie("a.end", "b.end"), tie("a.end", "b.end", name="again")]
    a, b = mass("a", 1.0, 40.0, 0.1), mass("b", 2.0, x0=0.1)
    shared = moved(glue(a, b, ties=twice, solver=Newton(tolerance=1e-13)), 5).forces
    alone = moved(glue(a, b, solver=Newton(tolerance=1e-13)), 5).forces
    assert shared[:, 0] == pytest.approx(shared[:, 1], rel=1e-6)
    assert shared.sum(axis=1) == pytest.approx(alone[:, 0], rel=1e-6)


@pytest.mark.parametrize("refresh", ["window", "lagged", "contraction"])
def test_redundancy_is_remembered_by_later_builds(refresh):
    solver = Heard(choose_solver(refresh=refresh))
    model = three(("ab", "bc", "ca"), solver)
    state = moved(model, 3)
    state = moved(model, 3, h=0.01, state=model.load(model.dump(state)), first=3)
    shorter = moved(model, 2, h=0.0005, state=state, first=120)
    assert shorter.memory.redundant == 1
    assert sum(found.builds for found in solver.answers) >= 2


TRIANGLE = np.array([[2.0, 1.0, 1.0], [1.0, 2.0, -1.0], [1.0, -1.0, 2.0]])  # rank 2


@dataclass(frozen=True)
class Wide(Posed):
    """With labels of a triangle."""

    @property
    def labels(self):
        return ("ab.Fx", "bc.Fx", "ac.Fx")


def test_conditions_that_contradict_each_other_are_named():
    problem = Wide(TRIANGLE, np.array([0.1, 0.2, 0.3]))  # b₀ = b₁ + b₂ would do
    found = Newton().solve(problem, np.zeros(3), None)
    assert isinstance(found.error, SingularInterface)
    assert found.error.place == "interface"
    assert "ab.Fx, bc.Fx, ac.Fx" in found.error.finding
    assert "contradict each other" in found.error.finding
    assert "Remove one of these joints" in found.error.remedy


def test_conditions_that_agree_are_solved_by_the_smallest_force():
    problem = Wide(TRIANGLE, np.array([0.5, 0.2, 0.3]))
    found = solved(Newton(), problem)
    assert found.converged
    assert found.z == pytest.approx(np.linalg.pinv(TRIANGLE) @ problem.b)
    assert "ab.Fx, bc.Fx, ac.Fx" in found.warnings[0]


def test_a_large_redundant_interface_is_reduced_too():
    B = draws(12, 20)
    B = np.vstack([B, B[0] - B[3]])
    problem = Posed(B @ B.T, B @ np.ones(20), symmetric=True)
    found = solved(Newton(), problem)
    assert found.converged
    assert found.memory.redundant == 1
    assert found.warnings[0].startswith("1 of 13 interface conditions repeat others")
    assert found.condition < 1e6


def test_directions_that_come_to_life_are_used():
    """A mechanism that starts in a singular position, and leaves it."""
    before = built(Wide(TRIANGLE, np.zeros(3)))
    awake = Wide(TRIANGLE + np.diag([0.0, 0.0, 1e-3]), np.zeros(3))
    Lam = built(awake, before)
    assert Lam.matrix == pytest.approx(np.linalg.inv(awake.A), rel=1e-6)
    assert Lam.redundant == before.redundant == 1


NEARLY = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-11]])


def test_a_nearly_singular_interface_is_told_and_not_truncated():
    problem = Posed(NEARLY, np.ones(2))
    for before in (None, built(Posed(np.eye(2), np.ones(2)))):
        Lam = built(problem, before)
        assert Lam.redundant == 0
        (told,) = Lam.warnings
        assert "nearly singular at j0.Fx, j0.Fy (condition 1e11)" in told
        assert "shorter windows help" in told
        assert np.abs(Lam.matrix).max() > 1e10


def test_a_later_window_never_truncates():
    """What would be redundant at the first build is refused afterwards."""
    before = built(Posed(np.eye(3), np.ones(3)))
    problem = Wide(TRIANGLE, np.array([0.5, 0.2, 0.3]))
    found = build(problem, np.zeros(3), problem.sweep(np.zeros(3)), 1e-10, before)
    assert isinstance(found.error, SingularInterface)
    assert "do not change the gap independently" in found.error.finding


def test_a_warning_of_a_lagged_matrix_is_not_lost():
    found = solved(Lagged(Newton(refresh="never")), Posed(NEARLY, np.ones(2), 1e-40))
    assert len(found.warnings) == 1


def test_messages_name_a_dozen_dofs_at_most():
    size = 40
    B = np.vstack([np.eye(size - 1), np.ones(size - 1)])
    found = solved(Newton(), Posed(B @ B.T, np.zeros(size), symmetric=True))
    assert "and 28 more" in found.warnings[0]


@given(st.integers(1, 6), st.integers(1, 4), st.data())
def test_what_is_left_is_independent_and_says_the_same(rank, repeats, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 10_000)))
    first = rng.standard_normal((rank, 8))
    more = rng.standard_normal((repeats, rank)) @ first
    B = np.vstack([first, more])
    assert redundant_conditions(B) == list(range(rank, rank + repeats))
    mixed = B[rng.permutation(len(B))]
    kept = np.delete(mixed, redundant_conditions(mixed), axis=0)
    assert np.linalg.matrix_rank(kept) == len(kept) == rank


def test_units_do_not_decide_what_is_redundant():
    B = np.array([[1e-9, -1e-9, 0.0], [0.0, 1e6, -1e6], [1.0, 0.0, -1.0]])
    assert redundant_conditions(B) == [2]
    assert redundant_conditions(B[:2]) == []


def test_a_condition_on_nothing_is_redundant():
    assert redundant_conditions(np.array([[0.0, 0.0], [1.0, 0.0]])) == [0]


def test_a_closed_cross_point_leaves_a_spanning_tree():
    """Four bodies at one node, tied round and across: three of six ties do."""
    pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)]
    B = np.zeros((6, 4))
    for row, (i, j) in enumerate(pairs):
        B[row, i], B[row, j] = 1.0, -1.0
    assert redundant_conditions(B) == [3, 4, 5]
