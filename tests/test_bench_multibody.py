"""The benchmark of mechanisms in short: that all codes run the same models."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import eigh

FOLDER = Path(__file__).parents[1] / "benchmarks"
NAMES = (
    *("bench_multibody", "multibody_case", "multibody_ours", "multibody_reference"),
    *("multibody_even", "multibody_row"),
    *("rival_exudyn", "rival_mujoco", "rival_process"),
)


@pytest.fixture(scope="module")
def bench():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        yield SimpleNamespace(**{name: import_module(name) for name in NAMES})


def vibration(bench, tree, joints):
    """Frequencies of some joints of a tree while the others are held."""
    n = len(tree.links)
    weightless = bench.multibody_case.Tree(tree.name, tree.links, tree.tip, 0.0)
    M = bench.multibody_reference.loads(weightless, *np.zeros((2, n)), np.eye(n))
    K = np.diag([link.stiffness for link in tree.links])
    held = np.ix_(joints, joints)
    return np.sqrt(np.abs(eigh(K[held], M[held], eigvals_only=True)))


def test_two_hinges_vibrate_as_two_modes_do(bench):
    gun, tree = bench.multibody_case.Gun(), bench.multibody_case.lumped_gun()
    assert vibration(bench, tree, [2, 4]) == pytest.approx(gun.om, rel=1e-9)
    up = vibration(bench, tree, [1, 2, 4])
    J, I1 = gun.J_my + gun.J, np.array(gun.I1)
    M = np.block([[np.array([[J]]), -I1[None]], [-I1[:, None], np.eye(2)]])
    modes = np.sqrt(np.abs(eigh(np.diag([0, *np.square(gun.om)]), M)[0]))
    assert up[1:] == pytest.approx(modes[1:], rel=1e-9)


def test_finite_segments_come_near_the_modes(bench):
    gun = bench.multibody_case.Gun()
    off = []
    for count in (3, 6, 12):
        tree = bench.multibody_case.lumped_gun(count)
        ups = range(2, len(tree.links), 2)
        off.append(vibration(bench, tree, list(ups))[0] / gun.om[0] - 1.0)
    assert off[0] > off[1] > off[2] > 0.0
    assert np.log2(off[1] / off[2]) == pytest.approx(2.0, abs=0.1)


def test_the_chain_is_that_of_lagrange(bench):
    """Slender links in a plane by absolute angles, in closed form."""
    tree = bench.multibody_case.chain(5)
    rng = np.random.default_rng(1)
    q, u = rng.normal(size=(2, 5))
    th, w = -np.cumsum(q), -np.cumsum(u)
    n, (m, length, g) = 5, (2.0, 0.25, 9.81)
    beyond = m * length**2 * (n - 0.5 - np.arange(n))
    A = np.minimum.outer(beyond, beyond)
    A[np.diag_indices(n)] -= m * length**2 / 6.0
    apart = th[:, None] - th[None]
    f = -(A * np.sin(apart)) @ w**2 - beyond / length * g * np.sin(th)
    rates = np.linalg.solve(A * np.cos(apart), f)
    found = bench.multibody_reference.acceleration(tree, 0.0, q, u)
    np.testing.assert_allclose(-np.cumsum(found), rates, rtol=1e-6)  # TINY


BOUNDS = {("floating", "PECE"): 2e-8, ("gun", "PECE"): 2e-8}
BOUNDS |= {(case, "RK4"): 1e-9 for case in ("floating", "gun", "arm", "chain")}


@pytest.mark.parametrize(("case", "method"), BOUNDS)
def test_ours_are_the_converged_motions(bench, case, method):
    done = bench.multibody_ours.run(bench.rival_process.Job(case, method, again=0))
    assert done.steps == 10_000
    exact = bench.multibody_reference.converged(case)
    assert done.error(exact) < BOUNDS[case, method]


def test_windows_give_the_same_bits_as_one_run(bench):
    tips = [
        bench.multibody_ours.run(bench.rival_process.Job("floating", m, 5e-4, 0)).tip
        for m in ("PECE", "PECE in windows")
    ]
    assert tips[0].tobytes() == tips[1].tobytes()


THEIRS = {
    ("exudyn", "floating", "TrapezoidalIndex2"): 2e-5,
    ("exudyn", "gun", "RK44"): 1e-9,
    ("exudyn", "gun", "VelocityVerlet"): 1e-5,
    ("exudyn", "arm", "RK44"): 1e-9,
    ("exudyn", "plane", "TrapezoidalIndex2"): 1e-6,
    ("mujoco", "gun", "Euler"): 1e-5,
    ("mujoco", "gun", "RK4"): 1e-5,
    ("mujoco", "arm", "RK4"): 1e-9,
    ("mujoco", "chain", "RK4"): 1e-9,
}


@pytest.mark.quick(1)
@pytest.mark.parametrize(("code", "case", "method"), THEIRS)
def test_others_run_the_same_models(bench, code, case, method):
    rival = {"exudyn": bench.rival_exudyn.EXUDYN, "mujoco": bench.rival_mujoco.MUJOCO}
    absent = rival[code].missing()
    if absent:
        pytest.skip(f"{absent} is not installed")
    done = rival[code].run(bench.rival_process.Job(case, method, again=0))
    same = bench.multibody_row.SAME.get(case, case)
    exact = bench.multibody_reference.converged(same)
    assert done.error(exact) < THEIRS[code, case, method]


def test_what_is_not_installed_is_said(bench):
    table, process = bench.bench_multibody, bench.rival_process
    absent = process.Rival("Other", Path("other.py"), ("no-such-package",), "other")
    rows = [table.Row(bench.multibody_ours.OURS, "arm", "PECE", "tree")]
    done = process.Done(0.02, 10, bench.multibody_reference.converged("arm") + 1e-3)
    other = table.Row(absent, "arm", "RK4", "tree")
    _, ours, theirs = table.lines([*rows, other], {rows[0]: done})
    assert ours.split()[-4:] == ["1.7e-03", "m", "1.7e-03", "m"]
    assert theirs.endswith("skipped: no-such-package (extra 'other') is not installed")
    assert not table.measured([other], 1)


class Falling:
    """A code whose error is its step squared; long steps fail, one way or another."""

    name = "Falling"

    def __init__(self, exact):
        self.exact, self.ran = exact, []

    def missing(self):
        return ""

    def run(self, job):
        from rival_process import Done

        self.ran.append(job.step)
        if job.step > 2e-3:
            raise RuntimeError("unstable")
        off = np.array([job.step**2, 0.0, 0.0])
        return Done(0.01 / job.step, job.steps, self.exact + off)


def test_the_longest_step_that_is_good_enough_is_found(bench):
    even, row = bench.multibody_even, bench.multibody_row
    code = Falling(bench.multibody_reference.converged("arm"))
    level = row.Row(code, "arm", "any", "tree", 1e-4)
    contest = even.Contest("arm", level, (replace(level, method="other"),))
    (first, [one]), (second, [other]) = even.picked(contest)
    assert [first, second] == pytest.approx([1e-8, 1e-9])
    assert [one.step, other.step] == pytest.approx([1e-4, 2.5e-5])
    assert len(code.ran) == len(set(code.ran)) + 1  # the level, by another name
    none = even.Search().longest(level, 0.0)
    assert none is None
