"""Modes against closed forms and dense solutions; damping told by modes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import eigvalsh_tridiagonal

from bondline.core import Port, Window, ref, uniform
from bondline.errors import SettingError
from bondline.gluing import TT, IntegratedModel, Newton, Tie, default_scheme
from bondline.leaves import Structure
from bondline.leaves.fe.mesh import Block, Mesh
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.reduction import craig_bampton
from bondline.leaves.fe.sections import Material, SolidSection
from bondline.numerics import (
    Kinematics,
    LinearSystem,
    Newmark,
    lowest_modes,
    modal_damping,
    modes_below,
    modes_between,
    rayleigh,
)
from bondline.numerics.factor import combined, factor, product
from bondline.numerics.lowrank import Updated


def path(n, wall=0.0):
    d = np.full(n, 2.0)
    d[[0, -1]] = 1.0
    d[0] += wall
    off = -np.ones(n - 1)
    return sparse.csr_array(sparse.diags_array([off, d, off], offsets=[-1, 0, 1]))


def sheet(n, m):
    """A free grid of unit masses on unit springs, with all its frequencies."""
    K = sparse.kron(path(n), sparse.eye_array(m)) + sparse.kron(
        sparse.eye_array(n), path(m)
    )
    i, j = np.meshgrid(np.arange(n), np.arange(m), indexing="ij")
    squares = np.sin(i * np.pi / (2 * n)) ** 2 + np.sin(j * np.pi / (2 * m)) ** 2
    omega = np.sort(2.0 * np.sqrt(squares).ravel())
    return sparse.csr_array(K), sparse.csr_array(sparse.eye_array(n * m)), omega


@pytest.mark.parametrize("side", [12, 27])  # all at once, and by Lanczos
def test_a_free_square_sheet_with_its_double_modes(side):
    K, M, omega = sheet(side, side)
    found = lowest_modes(1e6 * K, 0.5 * M, 14)
    assert found.omega[0] == 0.0
    assert found.omega == pytest.approx(np.sqrt(2e6) * omega[:14], rel=1e-9)
    gram = found.shapes.T @ product(0.5 * M, found.shapes)
    assert gram == pytest.approx(np.eye(14), abs=1e-10)
    assert found.complete
    again = lowest_modes(1e6 * K, 0.5 * M, 14)
    assert again.shapes.tobytes() == found.shapes.tobytes()


def test_a_free_steel_cube_has_its_symmetry():
    """Stiff: the shift that frees it must not cost the digits of its double modes."""
    n = 6
    at = np.arange((n + 1) ** 3).reshape([n + 1] * 3)
    base = [at[:-1, :-1, :-1], at[1:, :-1, :-1], at[1:, 1:, :-1], at[:-1, 1:, :-1]]
    cells = np.stack([a.ravel() for a in (*base, *(a + 1 for a in base))], axis=1)
    points = np.stack(np.meshgrid(*[np.linspace(0, 1, n + 1)] * 3, indexing="ij"), -1)
    steel = SolidSection(Material("steel", 2.1e11, 0.3, 7850.0))
    block = Block("C3D8", cells, steel, np.arange(len(cells)))
    mesh = Mesh(points.reshape(-1, 3), (block,), np.arange((n + 1) ** 3))
    M, _, K = FeModel("cube", mesh).assembled.system
    found = lowest_modes(K, M, 11)
    assert found.omega[:6].tolist() == [0.0] * 6
    assert found.omega[6] == pytest.approx(found.omega[7], rel=1e-9)
    assert found.omega[8:] == pytest.approx(np.full(3, found.omega[8]), rel=1e-9)
    assert found.complete
    axes = np.tile(np.eye(3), (len(points.reshape(-1, 3)), 1))
    assert found.effective_masses(M, axes).sum(axis=0) == pytest.approx([7850.0] * 3)


@pytest.mark.parametrize("side", [12, 27])
def test_all_modes_of_a_band(side):
    K, M, omega = sheet(side, side + 1)
    for low, high in ((0.0, 0.6), (1.2, 1.31), (2.41, 2.42)):
        found = modes_between(K, M, (low / (2 * np.pi), high / (2 * np.pi)))
        expected = omega[(omega >= low) & (omega < high)]
        assert found.omega == pytest.approx(expected, rel=1e-9)
        assert found.frequencies == pytest.approx(expected / (2 * np.pi))
        assert found.complete
    assert modes_below(K, M, 1.2) == (omega < 1.2).sum()
    nothing = modes_between(K, M, (2.0, 3.0))
    assert nothing.omega.size == 0
    assert nothing.complete


def test_dofs_without_mass_have_no_modes():
    """Every other mass of a row missing: half as many, on springs of half stiffness."""
    mass = np.zeros(1401)
    mass[::2] = 1.0
    K, M = path(1401, wall=1.0), sparse.csr_array(sparse.diags_array(mass))
    found = lowest_modes(K, M, 5)
    # masses that are not there follow their neighbours: condensed exactly
    d = np.ones(701)
    d[[0, -1]] = 1.5, 0.5
    squares = eigvalsh_tridiagonal(d, np.full(700, -0.5))
    assert found.omega**2 == pytest.approx(squares[:5], rel=1e-7)
    assert found.complete
    small = lowest_modes(K[-9:][:, -9:], M[-9:][:, -9:], 9)
    assert small.omega.size == 5


def test_effective_masses_add_up_to_the_mass():
    """Clamped–free row of 9 masses: over all modes, the mass that can move."""
    K, M = path(9, wall=1.0), np.diag(np.arange(1.0, 10.0))
    found = lowest_modes(K, M, 9)
    masses = found.effective_masses(M, np.ones((9, 1)))
    assert masses.sum() == pytest.approx(45.0)
    assert masses[0, 0] > 0.7 * 45.0


@pytest.mark.parametrize(
    ("ask", "place", "finding", "remedy"),
    [
        (
            lambda K, M: lowest_modes(K, M, 10),
            "lowest_modes: count",
            "10 modes of 9",
            "1 to 9",
        ),
        (
            lambda K, M: modes_between(K, M, (2.0, 1.0)),
            "modes_between: band",
            "2 to 1 Hz",
            "lower one first",
        ),
        (
            lambda K, M: lowest_modes(-K, M, 3),
            "modes: K and M",
            "not positive definite",
            "negative eigenvalues",
        ),
        (
            lambda K, M: modal_damping(M, lowest_modes(K, M, 3), [0.02]),
            "modal_damping: ratios",
            "1 for 3 modes",
            "one for every mode",
        ),
        (
            lambda K, M: modal_damping(M, lowest_modes(K, M, 3), ()),
            "modal_damping: ratios",
            "0 for 3 modes.",
            "one for every mode",
        ),
        (
            lambda K, M: rayleigh((4.0, 5.0, 6.0), (0.01, 0.01)),
            "rayleigh: frequencies",
            "3 of them",
            "two frequencies",
        ),
        (
            lambda K, M: rayleigh((4.0, 5.0), (0.01,)),
            "rayleigh: ratios",
            "1 of them",
            "modal_damping",
        ),
        (
            lambda K, M: rayleigh((4.0, 2.0), (0.01, 0.01)),
            "rayleigh: frequencies",
            "4 and 2 Hz",
            "lower one first",
        ),
        (
            lambda K, M: rayleigh((1.0, 2.0), (0.01, 0.05)),
            "rayleigh: ratios",
            "one is negative",
            "modal_damping",
        ),
    ],
)
def test_what_cannot_be_is_refused(ask, place, finding, remedy):
    with pytest.raises(SettingError) as caught:
        ask(path(9, wall=1.0), sparse.csr_array(sparse.eye_array(9)))
    assert caught.value.place == place
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def alike(often, n=1402):
    """K and M with every frequency so often."""
    squares = np.repeat(np.arange(1.0, n // often + 2.0), often)[:n]
    K = sparse.csr_array(sparse.diags_array(squares))
    return K, sparse.csr_array(sparse.eye_array(n))


def missed():
    """How often, and how many to ask for, so that Lanczos' method misses some."""
    for often, count in ((40, 5), (40, 2), (20, 2), (200, 2)):
        if lowest_modes(*alike(often), count).complete is False:
            return often, count
    return pytest.skip("ARPACK finds them all here")


def test_modes_that_are_not_all_damp_nothing():
    K, M = path(9, wall=1.0), np.eye(9)
    found = replace(lowest_modes(K, M, 2), complete=False)
    with pytest.raises(SettingError) as caught:
        modal_damping(M, found, [0.02, 0.02])
    assert caught.value.place == "modal_damping: modes"
    assert "2 were found" in caught.value.finding
    assert "more modes" in caught.value.remedy
    modal_damping(M, replace(found, complete=None), [0.02, 0.02])  # nobody knows


def test_modes_that_are_not_all_reduce_nothing():
    often, count = missed()
    K, M = alike(often, 1403)
    with pytest.raises(SettingError) as caught:
        craig_bampton(LinearSystem(M, 0.0 * K, K), np.array([1402]), modes=count)
    assert caught.value.place == "reduction: modes"
    assert "one was missed" in caught.value.finding
    assert "more modes" in caught.value.remedy


def test_rayleigh_meets_both_ratios():
    alpha, beta = rayleigh((3.0, 40.0), (0.02, 0.03))
    for f, zeta in ((3.0, 0.02), (40.0, 0.03)):
        w = 2 * np.pi * f
        assert (alpha / w + beta * w) / 2 == pytest.approx(zeta)


def few(n=150):
    """A row, damped in three of its modes, and lightly everywhere."""
    K = 4e4 * path(n, wall=1.0)
    M = sparse.csr_array(sparse.diags_array(np.full(n, 0.5)))
    modes = lowest_modes(K, M, 3)
    C = modal_damping(M, modes, [0.02, 0.05, 0.1], other=sparse.csr_array(1e-5 * K))
    return LinearSystem(M, C, K), modes


def test_modes_are_damped_as_told():
    (_, C, _), modes = few()
    damping = modes.shapes.T @ (C @ modes.shapes)
    told = 2.0 * np.array([0.02, 0.05, 0.1]) * modes.omega + 1e-5 * modes.omega**2
    assert damping == pytest.approx(np.diag(told), abs=1e-9 * told.max())


def test_steps_with_a_few_full_rows_are_those_with_the_whole_matrix():
    (M, C, K), _ = few()
    sparse_way, rng = LinearSystem(M, C, K), np.random.default_rng(0)
    full = LinearSystem(M.toarray(), C.toarray(), K.toarray())
    held = np.array([149, 3])
    now = Kinematics(*rng.normal(size=(3, 150)))
    f, x = rng.normal(size=150), np.array([0.1, 0.2])
    one, effort = Newmark(sparse_way, 0.01, held=held).follow(now, f, x)
    two, expected = Newmark(full, 0.01, held=held).follow(now, f, x)
    for y, z in zip(one, two, strict=True):
        assert y == pytest.approx(z, abs=1e-9 * np.abs(z).max())
    assert effort == pytest.approx(expected)


def test_what_is_added_stays_apart():
    (M, C, K), _ = few()
    total = combined(((1.0, M), (0.5, C), (2.0, K)))
    assert isinstance(total, Updated)
    whole = M.toarray() + 0.5 * C.toarray() + 2.0 * K.toarray()
    assert total.toarray() == pytest.approx(whole, abs=1e-9)
    assert total.diagonal() == pytest.approx(whole.diagonal())
    f = np.random.default_rng(1).normal(size=(150, 2))
    assert whole @ factor(total).solve(f) == pytest.approx(f, abs=1e-9)


def leaf(name, system, port, at, **more):
    ports = {port: Port(port, ("x",))}
    return Structure(name, system, {port: [at]}, ports, **more)


def test_a_structure_takes_modal_damping_and_glues():
    """Glued to a mass, and as one matrix: the same, and so is its receptance."""
    (M, C, K), modes = few()
    start = Kinematics(modes.shapes[:, 0], np.zeros(150), np.zeros(150))
    end = float(start.u[-1])
    spot = LinearSystem(*(np.array([[x]]) for x in (3.0, 0.0, 0.0)))
    there = Kinematics(np.array([end]), np.zeros(1), np.zeros(1))
    parts = {
        "row": leaf("row", LinearSystem(M, C, K), "p", 149, start_at=start),
        "spot": leaf("spot", spot, "p", 0, start_at=there),
    }
    tie = Tie("j", (ref("row.p"), ref("spot.p")), ("x",))
    glued = IntegratedModel(
        "both", parts, [tie], TT(default_scheme(parts)), Newton(), {}
    )
    heavy = M.toarray()
    heavy[-1, -1] += 3.0
    whole = Structure(
        "whole",
        LinearSystem(heavy, C.toarray(), K.toarray()),
        {},
        {},
        start_at=start,
    )
    step, alone = glued.start(0.0), whole.start(0.0)
    first = alone.energy.stored
    lost = 0.0
    for n in range(60):
        step = glued.advance(step.state, uniform(0.0, 2e-3, n), {})
        alone = whole.advance(alone.state, uniform(0.0, 2e-3, n), {})
        lost += step.energy.dissipated
    found, expected = step.state.parts["row"][:150], alone.state[:150]
    assert np.abs(found - expected).max() < 1e-10 * np.abs(expected).max()
    assert step.energy.stored + lost == pytest.approx(first, rel=1e-9)
    full = leaf("full", LinearSystem(M.toarray(), C.toarray(), K.toarray()), "p", 149)
    one, two = (s.receptance(30.0).blocks["p", "p"] for s in (parts["row"], full))
    assert one == pytest.approx(two, rel=1e-9)


def test_a_lopsided_update_is_refused():
    (M, C, K), _ = few()
    with pytest.raises(SettingError, match="not symmetric"):
        Structure("s", LinearSystem(M, Updated(C.base, C.U, C.d, 2.0 * C.U), K), {}, {})


def test_windows_of_damped_modes_decay_as_told():
    """A mode on its own: e^(−ζωt), with what 1 % of stiffness damping adds."""
    (M, C, K), modes = few()
    start = Kinematics(modes.shapes[:, 1], np.zeros(150), np.zeros(150))
    model = Structure("row", LinearSystem(M, C, K), {}, {}, start_at=start)
    step, omega = model.start(0.0), modes.omega[1]
    rate = 0.05 * omega + 0.5e-5 * omega**2
    h = 2.0 * np.pi / omega / 400.0
    for n in range(400):
        step = model.advance(step.state, Window(n * h, (n + 1) * h), {})
    left = 2.0 * step.energy.stored / omega**2
    assert left == pytest.approx(np.exp(-2.0 * rate * 400 * h), rel=0.02)


def test_a_long_row_on_a_wall():
    (M, _, K), _ = few(900)
    exact = np.sin((2.0 * np.arange(6) + 1.0) * np.pi / 2.0 / 1801.0)
    found = lowest_modes(K, M, 6)
    assert found.omega == pytest.approx(2.0 * np.sqrt(8e4) * exact, rel=1e-8)
