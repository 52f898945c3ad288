"""The truck chassis frame in two layers (wang2003, Example 1): glued = all at once.

Round-off grows with the number of steps, so the gate is the difference that another
order of elimination makes to the all-at-once model.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tests.cases.truck_frame.all_at_once import Motion, newmark, whole
from tests.cases.truck_frame.glued import DT, run

MOVES, TURNS = slice(0, 3), slice(3, 6)


def compared(steps: int) -> SimpleNamespace:
    one = whole()
    return SimpleNamespace(
        whole=one,
        exact=newmark(one.model, DT, steps),
        turned=newmark(one.model, DT, steps, turned=True),
        nested=run("SystemStructure.ssd", steps, one),
    )


@pytest.fixture(scope="module")
def case():
    return compared(30)


def apart(one: Motion, other: Motion, nodes=slice(None)) -> np.ndarray:
    """Displacements, rotations, accelerations: differences, of the largest."""
    return np.array(
        [
            np.abs(x[:, nodes, c] - y[:, nodes, c]).max() / np.abs(y[:, nodes, c]).max()
            for x, y, c in (
                (one.u, other.u, MOVES),
                (one.u, other.u, TURNS),
                (one.a, other.a, MOVES),
            )
        ]
    )


def agree(case) -> None:
    """Not further apart than two orders of elimination are, but for luck."""
    bound = 10.0 * apart(case.turned, case.exact)
    assert (bound < (1e-9, 1e-9, 2e-8)).all()  # the yardstick is round-off
    assert (apart(case.nested.motion, case.exact) <= bound).all()
    observed = np.flatnonzero(case.whole.model.mesh.ids == 1201)
    assert apart(case.nested.motion, case.exact, observed)[2] < 1e-9


def test_the_whole_frame_is_that_of_table_1(case):
    mesh = case.whole.model.mesh
    assert (len(mesh.points), mesh.elements) == (1662, 1531)


def test_nested_gluing_is_the_model_all_at_once(case):
    agree(case)


def test_every_window_takes_one_correction(case):
    assert {stats["iterations"] for stats in case.nested.stats} == {1}
    assert sum(stats["builds"] for stats in case.nested.stats) == 1
    assert max(stats["gap"] for stats in case.nested.stats) < 1e-14


def test_each_layer_has_joint_forces_of_its_own(case):
    """Both layers of a connector carry the load; together they carry all of it."""
    sizes = {name: F.shape[1] for name, F in case.nested.forces.items()}
    assert sizes == {
        f"{layer}joint.c{k}": 6 * n
        for layer in ("", "left.")
        for k, n in ((1, 14), (2, 4), (3, 5), (4, 8))
    }


@pytest.mark.full
def test_flat_gluing_is_the_same():
    steps, one = 30, whole()
    exact = newmark(one.model, DT, steps)
    turned = newmark(one.model, DT, steps, turned=True)
    flat = run("Flat.ssd", steps, one)
    agree(SimpleNamespace(whole=one, exact=exact, turned=turned, nested=flat))
    assert {stats["iterations"] for stats in flat.stats} == {1}


@pytest.mark.full
def test_after_a_thousand_steps_nothing_has_changed():
    case = compared(1000)
    agree(case)
    assert {stats["iterations"] for stats in case.nested.stats} == {1}
