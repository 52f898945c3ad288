"""Reduced systems: what is exact, what comes from above, what the report promises."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from bondline.errors import SettingError
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.reduction import (
    Reduced,
    Wanted,
    band_limited,
    craig_bampton,
    guyan,
    reduce_model,
)
from bondline.leaves.fe.reduction.interior import Interior
from bondline.leaves.fe.reduction.report import apart_at
from bondline.leaves.fe.supports import Support
from bondline.numerics import LinearSystem, lowest_modes, modal_damping
from bondline.numerics.factor import factor

from .parts import ALL, DAMPED, beam, block, plate, rod

BAND = 300.0


def shell(held=True):
    mesh = plate(6, 2, material=DAMPED)
    supports = (Support(mesh.node_sets["u1"], ALL),) if held else ()
    return FeModel("shell", mesh, supports)


def edge(model, name="u0"):
    """The dofs of a set among the independent ones."""
    made = model.assembled
    numbers = made.dofs.of(model.mesh.node_sets[name], (0, 1, 2, 3, 4, 5))
    numbers = numbers[numbers >= 0]
    return np.searchsorted(made.elimination.free, numbers)


def chain(n, seed):
    """Masses and springs in a row, held at the far end; one dof is the port."""
    rng = np.random.default_rng(seed)
    k, m = rng.uniform(1.0, 9.0, n), rng.uniform(0.5, 2.0, n)
    K = np.diag(k) + np.diag(np.r_[0.0, k[:-1]])
    K -= np.diag(k[:-1], 1) + np.diag(k[:-1], -1)
    return LinearSystem(np.diag(m), 0.01 * K, K)


MODELS = {
    "held plate": shell,
    "free plate": lambda: shell(held=False),
    "free beam": lambda: FeModel("beam", beam(12)),
    "block": lambda: FeModel("block", block((3, 2, 2), material=DAMPED)),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("how", ["craig-bampton", "guyan", "band"])
def test_statics_at_the_ports_is_exact(name, how):
    """Springs hold the ports; a force there moves them as in the full system."""
    model = MODELS[name]()
    system, b = model.assembled.system, edge(model)
    small = reduced(system, b, how).system
    springs = np.asarray(system.K.diagonal())[b]
    f = np.random.default_rng(1).standard_normal(len(b)) * np.sqrt(springs)
    whole = system.K.toarray()
    whole[b, b] += springs
    load = np.zeros(len(whole))
    load[b] = f
    mine = np.array(small.K)
    mine[range(len(b)), range(len(b))] += springs
    full = np.linalg.solve(whole, load)[b]
    found = np.linalg.solve(mine, np.r_[f, np.zeros(len(mine) - len(b))])[: len(b)]
    scale = 1.0 / np.sqrt(springs)
    assert np.abs((found - full) / scale).max() < 1e-10 * np.abs(full / scale).max()


def reduced(system, b, how) -> Reduced:
    if how == "guyan":
        return guyan(system, b, samples=0)
    made = craig_bampton(system, b, band=BAND, margin=3.0, samples=0)
    return made if how == "craig-bampton" else band_limited(made, system, 0)


@pytest.mark.parametrize("name", MODELS)
def test_frequencies_come_from_above_and_go_down_with_every_mode(name):
    model = MODELS[name]()
    (M, _, K), b = model.assembled.system, edge(model)
    full = lowest_modes(K, M, 12).omega
    before, moving = np.full(12, np.inf), full > 0.0
    for modes in (12, 18, 30):
        made = craig_bampton(model.assembled.system, b, modes=modes, samples=0)
        mine = lowest_modes(made.system.K, made.system.M, 12).omega
        assert (mine[moving] >= full[moving] * (1.0 - 1e-8)).all()
        assert (mine[moving] <= before[moving] * (1.0 + 1e-8)).all()
        assert (mine[~moving] < 1e-3 * full[moving][0]).all()
        before = mine
    assert_allclose(mine[moving], full[moving], rtol=1e-2)


@given(n=st.integers(3, 9), modes=st.integers(0, 8), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_frequencies_of_any_chain_come_from_above(n, modes, seed):
    system = chain(n, seed)
    kept = min(modes, n - 1)
    small = craig_bampton(system, np.array([0]), modes=kept, samples=0).system
    full = lowest_modes(system.K, system.M, kept + 1).omega
    mine = lowest_modes(small.K, small.M, kept + 1).omega
    assert (mine >= full * (1.0 - 1e-10)).all()


def test_with_all_modes_nothing_is_lost():
    """All modes kept: T is another basis of the same space."""
    system, b = chain(9, 3), np.array([0, 4])
    made = craig_bampton(system, b, modes=7, samples=0)
    for small, whole in zip(made.system, system, strict=True):
        assert_allclose(
            np.linalg.inv(made.T).T @ small @ np.linalg.inv(made.T), whole, atol=1e-11
        )


def test_the_boundary_comes_first_and_in_the_order_given():
    system, b = chain(8, 5), np.array([6, 1])
    made = craig_bampton(system, b, modes=2, samples=0)
    assert_array_equal(made.T[b], np.eye(2, 4))
    y = np.array([0.3, -0.2, 5.0, 7.0])
    assert_array_equal(made.recover(y)[b], y[:2])
    assert_allclose(made.project(np.ones(8)), made.T.T @ np.ones(8))


@pytest.mark.parametrize("name", ["held plate", "free plate", "free beam"])
def test_the_receptance_inside_the_band_is_as_good_as_the_report_says(name):
    model = MODELS[name]()
    system, b = model.assembled.system, edge(model)
    made = craig_bampton(system, b, band=BAND)
    inside = np.linspace(0.05, 1.0, 12) * BAND
    apart = apart_at(Interior(system, b), made.system, inside)
    assert apart.max() <= 1.1 * made.report.receptance < 0.2
    more = craig_bampton(system, b, band=BAND, margin=6.0).report.receptance
    assert more < 0.5 * made.report.receptance


@pytest.mark.parametrize("name", ["held plate", "free plate", "free beam"])
def test_a_served_band_is_good_in_its_lower_half(name):
    """Modes just above the band are missed next to its end, and the report says so."""
    model = MODELS[name]()
    system, b = model.assembled.system, edge(model)
    made = craig_bampton(system, b, band=BAND, margin=3.0, samples=0)
    served = band_limited(made, system)
    inside = np.linspace(0.05, 1.0, 12) * BAND
    apart = apart_at(Interior(system, b), served.system, inside)
    assert apart.max() <= 1.1 * served.report.receptance
    assert apart[inside < 0.5 * BAND].max() < 0.02


def test_a_report_in_numbers_and_in_words():
    model = shell(held=False)
    system, b = model.assembled.system, edge(model)
    report = craig_bampton(system, b, band=BAND).report
    full = lowest_modes(system.K, system.M, 40).omega / (2.0 * pi)
    assert report.inside == (full < BAND).sum() > 6
    assert 0.0 < report.frequencies < 0.01
    assert report.statics < 1e-10
    assert report.dofs == system.M.shape[0]
    assert report.size == report.boundary + report.modes == len(b) + report.modes
    assert max(report.samples) == BAND
    assert report.elastic == report.inside - 6
    assert report.receptance == max(report.errors)
    assert report.worst == report.samples[report.errors.index(report.receptance)]
    text = "\n".join(report.lines())
    assert f"{report.modes} modes" in text
    assert f"off by {report.frequencies:.1e} at worst, {report.elastic} below" in text
    assert f"off by {report.receptance:.1e} at worst ({report.worst:.4g} Hz)" in text
    assert "a resonance 1 % off gives 0.5" in text


def test_a_report_says_that_no_elastic_mode_is_inside():
    model = shell(held=False)
    report = craig_bampton(model.assembled.system, edge(model), band=1.0).report
    assert (report.inside, report.elastic, report.frequencies) == (6, 0, 0.0)
    text = "\n".join(report.lines())
    assert "frequencies  no elastic mode below 1 Hz, ports free (6 rigid)" in text


def test_a_resonance_that_is_off_gives_the_error_that_the_report_promises():
    """One mass on a spring, 1 % too stiff in frequency: 2 δ / η at the resonance."""
    one, k = np.eye(1), (2.0 * pi * 10.0) ** 2
    full, off = (LinearSystem(one, 0.0 * one, k * s * one) for s in (1.0, 1.01**2))
    inner = Interior(full, np.array([0]))
    assert apart_at(inner, off, np.array([10.0]))[0] == pytest.approx(0.5, rel=0.12)


def test_the_worst_pair_of_port_dofs_is_named():
    model = shell()
    report = reduce_model(model, {"tip": "u0"}, Wanted(band=BAND)).report
    wanted = {
        f"tip[{n}] {d}" for n in range(3) for d in ("x", "y", "z", "rx", "ry", "rz")
    }
    assert set(report.between) <= wanted
    assert f"Hz, {report.between[0]} by {report.between[1]})" in report.lines()[3]


def test_without_samples_nothing_is_measured():
    report = craig_bampton(chain(5, 0), np.array([0]), modes=2, samples=0).report
    assert report.statics is report.frequencies is report.receptance is None
    assert len(report.lines()) == 1


def test_modes_are_kept_up_to_a_multiple_of_the_band():
    model = shell()
    system, b = model.assembled.system, edge(model)
    inner = Interior(system, b)
    fixed = lowest_modes(inner.K, inner.M, 60).omega / (2.0 * pi)
    for margin in (1.5, 2.0):
        made = craig_bampton(system, b, band=BAND, margin=margin, samples=0)
        assert len(made.omega) == (fixed < margin * BAND).sum()
    counted = craig_bampton(system, b, modes=5, samples=0)
    assert_allclose(counted.band, fixed[4] / 2.0, rtol=1e-8)


def test_a_served_band_has_the_modes_inside_it_and_no_other():
    """Inside they are those before; above, none of the full system's is to be seen."""
    system = chain(30, 2)
    full = lowest_modes(system.K, system.M, 30).omega / (2.0 * pi)
    band = float(full[4] + full[5]) / 2.0
    made = craig_bampton(system, np.array([0]), band=band, margin=3.0)
    served = band_limited(made, system)
    mine = lowest_modes(served.system.K, served.system.M, 6).omega / (2.0 * pi)
    assert served.report.modes == 5
    assert served.system.M.shape == (6, 6)
    assert_allclose(mine[:5], full[:5], rtol=1e-3)
    assert np.abs(mine[5] / full[5:] - 1.0).min() > 0.01
    before = lowest_modes(made.system.K, made.system.M, 8).omega / (2.0 * pi)
    assert_allclose(before[:7], full[:7], rtol=0.01)  # which shows more than asked


def test_damping_of_modes_is_reduced_too():
    system, b = chain(12, 4), np.array([0])
    modes = lowest_modes(system.K, system.M, 3)
    C = modal_damping(system.M, modes, (0.02, 0.02, 0.02), system.C)
    made = craig_bampton(replace_damping(system, C), b, modes=4, samples=0)
    assert_allclose(made.system.C, made.T.T @ C.toarray() @ made.T, atol=1e-12)
    assert_array_equal(made.system.C, made.system.C.T)


def replace_damping(system, C):
    return LinearSystem(system.M, C, system.K)


def test_an_inside_that_floats_keeps_its_free_motions():
    """A rod held nowhere but at a port that shows x: y and z of the rest are loose."""
    model = FeModel("rod", rod(4))
    made = model.assembled
    b = np.searchsorted(made.elimination.free, made.dofs.of(np.array([0]), (0,)))
    found = craig_bampton(made.system, b, band=2000.0)
    loose = (found.omega < 1e-3).sum()
    assert loose == made.system.M.shape[0] - 5  # all but x of five nodes
    assert found.report.statics < 1e-10
    assert found.report.frequencies < 0.05
    moved = lowest_modes(found.system.K, found.system.M, loose + 2).omega
    assert (moved[: loose + 1] < 1.0).all()
    assert moved[-1] > 1e4


def test_a_system_that_is_all_boundary_stays_as_it_is():
    system = chain(4, 1)
    made = craig_bampton(system, np.arange(4), band=1.0)
    for small, whole in zip(made.system, system, strict=True):
        assert_allclose(small, whole, atol=1e-14)
    served = band_limited(made, system, 0).system
    assert_allclose(served.K, made.system.K, atol=1e-14)


def test_no_boundary_leaves_modes():
    system = chain(5, 1)
    made = craig_bampton(system, np.zeros(0, dtype=int), modes=3)
    full = lowest_modes(system.K, system.M, 3).omega
    assert_allclose(np.sqrt(made.system.K.diagonal()), full)
    assert made.report.receptance == 0.0


@pytest.mark.parametrize(
    ("given", "place", "finding", "remedy"),
    [
        ({"band": -1.0}, "reduction: band", "-1 Hz is no band", "in Hz"),
        ({"band": np.inf}, "reduction: band", "inf Hz", "highest frequency"),
        ({"band": 1.0, "margin": 0.5}, "reduction: margin", "0.5 times", "1.5 to 2"),
        ({}, "reduction", "neither a band nor a number", "band=100.0"),
        ({"modes": -1}, "reduction: modes", "-1 modes", "0 or more"),
    ],
)
def test_what_cannot_be_asked_for(given, place, finding, remedy):
    with pytest.raises(SettingError) as caught:
        craig_bampton(chain(5, 0), np.array([0]), **given)
    assert caught.value.place == place
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


@pytest.mark.parametrize("boundary", [[0, 0], [5], [-1]])
def test_boundaries_that_do_not_exist(boundary):
    with pytest.raises(SettingError) as caught:
        guyan(chain(5, 0), np.array(boundary))
    assert caught.value.place == "reduction: boundary"
    assert "5" in caught.value.finding
    assert "0 to 4" in caught.value.remedy


def test_service_needs_a_band():
    system = chain(5, 0)
    made = replace(craig_bampton(system, np.array([0]), modes=1, samples=0), band=None)
    with pytest.raises(SettingError) as caught:
        band_limited(made, system)
    assert caught.value.place == "reduced service"
    assert "no band" in caught.value.finding
    assert "band=100.0" in caught.value.remedy


def test_the_same_model_gives_the_same_bits():
    model = shell()
    one, two = (
        craig_bampton(model.assembled.system, edge(model), band=BAND, samples=0)
        for _ in range(2)
    )
    for a, b in zip(one.system, two.system, strict=True):
        assert_array_equal(a, b)
    assert factor(one.system.M).slack > 0.0
