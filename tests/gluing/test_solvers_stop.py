"""When solvers stop: at what was asked for, and never below round-off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from bondline.core import Rejected
from bondline.gluing import SOLVERS, Iterated, Newton, Relaxation, Stop, choose_solver
from bondline.gluing.solvers.loop import Trail
from tests.gluing.solver_problems import Posed

A = np.array([[2e-5, 3e-6], [3e-6, 1e-5]])
B = np.array([1e-3, 2e-3])


@dataclass(frozen=True)
class Grainy(Posed):
    """With parts inside that lose digits: the residual wobbles by up to a grain."""

    grain: float = 4e-16

    def residual(self, z):
        wobble = np.cos(1e9 * z + np.arange(self.size))
        return super().residual(z) + self.grain * wobble


def grainy(**facts):
    return Grainy(A, B, 1e-12, symmetric=True, **facts)


def solved(solver, problem):
    found = solver.solve(problem, np.zeros(problem.size), solver.start())
    assert not isinstance(found, Rejected), found
    return found


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", SOLVERS)
def test_no_force_tolerance_asks_for_more_than_round_off_leaves(name):
    solver = choose_solver(name, tolerance=1e-12, force_tolerance=1e-15)
    found = solved(solver, grainy(noise=4e-15))
    assert found.converged
    assert found.history[-1] <= 4e-15


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", SOLVERS)
def test_digits_that_parts_lose_unseen_are_not_waited_for(name):
    """The problem knows of no noise: two corrections that gain nothing say so."""
    solver = choose_solver(name, tolerance=1e-12, force_tolerance=1e-15)
    found = solved(solver, grainy(noise=0.0, grain=1e-14))
    assert found.converged
    assert found.history[-1] <= 1e-12


def test_a_tolerance_near_round_off_gets_all_of_it():
    """Near: 100 times the noise. Unless a force tolerance says how much is wanted."""

    def left(tolerance, **more):
        solver = Newton(tolerance, refresh="never", update="none", **more)
        problem = Posed(np.eye(1), np.ones(1), bend=0.1, noise=1e-15)
        return solved(solver, problem).history[-1]

    assert left(9e-14) <= 1e-15
    assert left(9e-14, force_tolerance=1e-6) > 1e-15
    assert left(2e-13) > 1e-15


def test_a_slow_iteration_is_not_taken_for_round_off():
    """A tenth of the residual goes with each correction, within the tolerance, too."""
    slow = Iterated(Relaxation(factor=0.1, scale=1.0), Stop(1e-2, 1e-6, 300))
    found = solved(slow, Posed(np.eye(1), np.ones(1)))
    assert found.converged
    assert found.history[-1] <= 1e-5


@pytest.mark.parametrize(("change", "learns"), [(9e-15, False), (1e-12, True)])
def test_round_off_teaches_newton_nothing(change, learns):
    problem, solver = Posed(A, B, 1e-12, noise=1e-15), Newton()
    found = solved(solver, problem)
    step, wrong = np.array([1e-9, 0.0]), np.array([0.0, change])
    trail = Trail(found.z, found.sweep, [1e-12, 0.0], 0, step=step, change=wrong)
    after = solver.propose(problem, trail, found.memory).memory
    assert (after is not found.memory) == learns
