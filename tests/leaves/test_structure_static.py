"""Equilibrium of linear structures: supported, floating on springs, or refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from bondline.core import Breaking, Effort, Port, Rejected, Static, Window, Yielding
from bondline.errors import SingularInterface
from bondline.leaves import Structure, chain
from bondline.numerics import LinearSystem

FREE = {"masses": 4, "stiffness": 100.0, "force": 10.0}


def grid(n):
    """n × n nodes that move across, springs between neighbours: sparse and floating."""
    line, one = chain("l", masses=n, stiffness=50.0).system.K, sparse.eye_array(n)
    K = sparse.csr_array(sparse.kron(line, one) + sparse.kron(one, line))
    system = LinearSystem(sparse.eye_array(n * n).tocsr(), 0.01 * K, K)
    if n < 10:
        system = LinearSystem(*(A.toarray() for A in system))
    edge = list(range(n))
    return Structure("grid", system, {"edge": edge}, {"edge": Port("edge", ("z",), n)})


def at_rest(part):
    return part.start(0.0).state


def test_a_supported_chain_stretches_as_springs_in_a_row():
    part = chain("c", wall=50.0, **FREE)
    assert isinstance(part, Static)
    done = part.equilibrium(at_rest(part), 0.5, {"left": np.array([2.0])}, {})
    u0 = 7.0 / 50.0
    assert done.state[:4] == pytest.approx(u0 + 5.0 / 100.0 * np.arange(4))
    assert not done.state[4:].any()
    assert done.outputs["left"].x == pytest.approx([u0])
    assert not done.outputs["right"].a.any()


def test_springs_hold_a_floating_part():
    part = chain("c", **FREE)
    springs = {"left": np.array([30.0])}
    done = part.equilibrium(at_rest(part), 1.0, {}, springs)
    assert done.outputs["left"].x == pytest.approx([10.0 / 30.0])
    assert done.outputs["right"].x == pytest.approx([10.0 / 30.0 + 0.3])


def test_springs_on_combinations_of_dofs_act_on_what_the_port_shows():
    mean = np.full((1, 3), 1.0 / 3.0)
    system = chain("c", masses=3, stiffness=10.0).system
    part = Structure("s", system, {"mean": mean}, {"mean": Port("mean", ("x",))})
    springs, force = {"mean": np.array([5.0])}, {"mean": np.array([2.0])}
    done = part.equilibrium(np.zeros(9), 1.0, force, springs)
    assert done.outputs["mean"].x == pytest.approx([0.4])


def test_a_led_port_answers_with_the_reaction():
    part = chain("c", ("left",), **FREE)
    done = part.equilibrium(at_rest(part), 1.0, {"left": np.array([0.2])}, {})
    shown = done.outputs["left"]
    assert isinstance(shown, Effort)
    assert shown.f == pytest.approx([-10.0])
    assert shown.at.x == pytest.approx([0.2])
    assert done.outputs["right"].x == pytest.approx([0.5])


@pytest.mark.parametrize("led", [(), ("left",)])
def test_compliance_is_what_unit_forces_do(led):
    part = chain("c", led, wall=50.0, **FREE)
    assert isinstance(part, Yielding)
    state, springs = at_rest(part), {"right": np.array([7.0])}
    G = part.compliance(state, springs)
    base = part.equilibrium(state, 1.0, {}, springs).outputs
    for port in part.ports:
        moved = part.equilibrium(state, 1.0, {port: np.ones(1)}, springs).outputs
        for out in part.ports:
            block = G.blocks[out, port]
            assert block.shape == (1, 1, 1, 1)
            level = "f" if out in led else "x"
            rise = getattr(moved[out], level) - getattr(base[out], level)
            assert block.ravel() == pytest.approx(rise, abs=1e-12)


@pytest.mark.parametrize("n", [4, 12, 40])  # dense, sparse, sparse and large
def test_a_floating_part_is_refused_with_its_free_motion(n):
    part = grid(n)
    refused = part.equilibrium(at_rest(part), 1.0, {}, {})
    assert isinstance(refused, Rejected)
    assert refused.model == "grid"
    error = refused.error
    assert isinstance(error, SingularInterface)
    assert error.place == "grid, static equilibrium"
    assert "1 free motion meets no resistance" in error.finding
    assert "Moving ports: edge" in error.finding
    assert "springs on edge" in error.remedy
    assert isinstance(part.compliance(at_rest(part), {}), Rejected)


@pytest.mark.parametrize("n", [4, 12])
def test_dense_and_sparse_structures_balance(n):
    part = grid(n)
    force, springs = np.arange(n, dtype=float), np.full(n, 3.0)
    args = (1.0, {"edge": force}, {"edge": springs})
    done = part.equilibrium(at_rest(part), *args)
    assert (springs * done.outputs["edge"].x).sum() == pytest.approx(force.sum())
    u, f = done.state[: n * n], np.zeros(n * n)
    f[:n] = force - springs * u[:n]
    assert part.system.K @ u == pytest.approx(f, abs=1e-9)


def test_a_mechanism_that_no_port_sees_is_told_apart():
    K = np.diag([4.0, 0.0, 0.0])
    system = LinearSystem(np.eye(3), np.zeros((3, 3)), K)
    ports = {"end": Port("end", ("x", "y"))}
    part = Structure("m", system, {"end": [0, 1]}, ports)
    refused = part.equilibrium(at_rest(part), 1.0, {}, {})
    assert "2 free motions meet no resistance" in refused.reason
    assert "1 of these motions cannot be seen" in refused.error.remedy
    assert "inside" in refused.error.remedy
    lone = Structure("m", system, {}, {}).equilibrium(np.zeros(9), 1.0, {}, {})
    assert "No port moves" in lone.reason


def test_a_soft_support_is_a_support():
    part = chain("c", masses=30, stiffness=1e6, wall=1e-3, force=1e-4)
    done = part.equilibrium(at_rest(part), 1.0, {}, {})
    assert done.outputs["left"].x == pytest.approx([0.1], rel=1e-4)


def test_kinks_of_the_own_load_are_told():
    system = LinearSystem(np.eye(1), np.zeros((1, 1)), np.eye(1))
    part = Structure("s", system, {}, {}, kinks=(0.0, 0.3, 0.1, 0.7))
    assert isinstance(part, Breaking)
    assert part.breaks(Window(0.0, 0.7)) == [0.1, 0.3]
