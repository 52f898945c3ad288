"""One solve a window: free response, unit responses, and their sum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from bondline.core import Affine, Effort, Signal, Window
from bondline.gluing.couplings.probing import solves
from bondline.leaves import chain
from bondline.numerics import LinearSystem

W = Window(0.3, 0.35)
SOFT = {"masses": 4, "stiffness": 500.0, "damping": 3.0, "wall": 80.0, "force": 7.0}


def part(steps=1, **more):
    return chain("c", **SOFT, steps=steps, **more)


def signals(seed, rows):
    rng = np.random.default_rng(seed)
    return {p: Signal(rng.normal(size=(rows, 1))) for p in ("left", "right")}


def numbers(advance):
    """Everything that an advance says, as one vector."""
    outputs = [o.at if isinstance(o, Effort) else o for o in advance.outputs.values()]
    efforts = [o.f for o in advance.outputs.values() if isinstance(o, Effort)]
    levels = [level for m in outputs for level in (m.x, m.v, m.a)]
    e = advance.energy
    flows = np.array([e.stored, e.dissipated, e.supplied])
    return np.concatenate([advance.state, *levels, *efforts, flows])


@pytest.mark.quick(6)
@pytest.mark.parametrize("motion", [{}, {"led": ("left",)}, {"led": ("left", "right")}])
@pytest.mark.parametrize("rows", [1, 3, 6])
@pytest.mark.parametrize("steps", [1, 4])
def test_realised_equals_advanced_under_the_sum(steps, rows, motion):
    model, known, more = part(steps, **motion), signals(1, 2), signals(2, rows)
    state = np.random.default_rng(3).normal(size=12)
    realised = model.realise(model.respond(state, W, known), more)
    total = {p: known[p] + more[p] for p in known}
    expected = numbers(model.advance(state, W, total))
    scale = np.abs(expected).max()
    assert numbers(realised) == pytest.approx(expected, abs=1e-13 * scale)


@pytest.mark.parametrize("steps", [1, 4])
def test_the_free_response_is_the_advance_and_g_predicts_the_rest(steps):
    model, more = part(steps), signals(5, 3)
    state = np.random.default_rng(4).normal(size=12)
    response = model.respond(state, W, {})
    assert response.free.state == pytest.approx(model.advance(state, W, {}).state)
    realised = model.realise(response, more)
    for out, shown in response.free.outputs.items():
        told = np.stack([shown.x, shown.v, shown.a])
        for port, signal in more.items():
            G = response.G.blocks[out, port][:, :, : signal.degree + 1]
            told = told + np.einsum("lakb,kb->la", G, signal.coefficients)
        after = realised.outputs[out]
        seen = np.stack([after.x, after.v, after.a])
        assert told == pytest.approx(seen, rel=1e-11, abs=1e-11)


def test_one_solve_a_window_and_the_same_g_for_the_same_length():
    model = part()
    assert isinstance(model, Affine)
    assert model.capabilities.superposes
    state = model.start(0.0).state
    first = model.respond(state, Window(0.0, 0.1), {})
    second = model.respond(state, Window(0.7, 0.7999999999999999), {})
    assert first.G is second.G
    assert model.respond(state, Window(0.0, 0.2), {}).G is not first.G
    assert solves(first.free) == 1
    assert solves(model.realise(first, signals(1, 1))) == 0


def test_realising_nothing_keeps_the_response():
    model = part(3)
    state = np.random.default_rng(4).normal(size=12)
    realised = model.realise(model.respond(state, W, signals(1, 2)), {})
    assert numbers(realised).tolist() == pytest.approx(
        numbers(model.advance(state, W, signals(1, 2))).tolist(), abs=0.0
    )


def test_some_lengths_of_windows_are_kept_and_not_all():
    model = part()
    state = model.start(0.0).state
    first = model.respond(state, Window(0.0, 1.0), {}).G
    for n in range(1, 40):
        few = n % 5
        assert model.respond(state, Window(0.0, 0.1 * (few + 1)), {}).G is not first
        assert model.respond(state, Window(0.0, 1.0), {}).G is first
    for n in range(1, 40):
        model.respond(state, Window(0.0, 0.01 * n), {})
    assert model.respond(state, Window(0.0, 1.0), {}).G is not first


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("ports", [("left", "right"), ("right",)])
def test_sparse_matrices_answer_as_dense_ones(rows, ports):
    """They go another way: compiled, and with all ports in one array."""
    dense = part()
    matrices = LinearSystem(*map(csr_array, dense.system))
    sparse = replace(dense, system=matrices)
    known, more = signals(1, 2), {p: signals(2, rows)[p] for p in ports}
    state = np.random.default_rng(3).normal(size=12)
    free, realised = [], []
    for model in (dense, sparse):
        response = model.respond(state, W, known)
        free.append(numbers(model.advance(state, W, known)))
        realised.append(numbers(model.realise(response, more)))
    for one, other in (free, realised):
        assert other == pytest.approx(one, abs=1e-13 * np.abs(one).max())


def test_a_load_may_be_a_column_of_a_table():
    table = np.random.default_rng(4).normal(size=(4, 3))
    matrices = LinearSystem(*map(csr_array, part().system))
    state = np.random.default_rng(3).normal(size=12)
    found = [
        replace(part(), system=matrices, external=load).advance(state, W, {})
        for load in (lambda t: table[:, 1], lambda t: table[:, 1].copy())
    ]
    assert found[0].state.tolist() == found[1].state.tolist()
