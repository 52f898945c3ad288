"""The examples of mechanisms: the gun-turret's tables, the chain's reference."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.build import Given, open_model
from bondline.core import uniform
from bondline.errors import SettingError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GUN, CHAIN = EXAMPLES / "gun_turret", EXAMPLES / "chain"
REFERENCE = np.genfromtxt(GUN / "reference.csv", delimiter=",", names=True)


def leaf_of(model, **settings):
    given = Given(set={key: str(value) for key, value in settings.items()})
    return open_model(model, given).model.parts["model"]


def run(leaf, windows, h):
    """Signals at the end of every window, and evaluations in all."""
    now = leaf.start(0.0)
    seen, full, fast = [leaf.observe(now.state)], 0, 0
    for n in range(windows):
        now = leaf.advance(now.state, uniform(0.0, h, n), {})
        seen.append(leaf.observe(now.state))
        full, fast = full + now.stats["full"], fast + now.stats["fast"]
    table = {name: np.array([s[name].value for s in seen]) for name in seen[0]}
    return table, int(full), int(fast), now.state


def off(table, name):
    return np.abs(table[name] - REFERENCE[name.replace(".", "")]).max()


# numerics.md 6.4: largest errors over 1 s of elevation and first vertical mode
PAPER = {
    1: (5e-9, 6.0e-7),
    2: (2.3e-6, 4.9e-5),
    5: (6.3e-5, 1.3e-3),
    10: (5.4e-4, 1e-2),
}
RESIDUAL = {5: (1.6e-7, 5.6e-7), 10: (4.6e-6, 5.2e-7)}
CASES = [("paper", r, *e) for r, e in PAPER.items()]
CASES += [("residual", r, *e) for r, e in RESIDUAL.items()]


@pytest.mark.quick(2)
@pytest.mark.parametrize(("form", "ratio", "elevation", "mode"), CASES)
def test_the_gun_is_as_far_off_as_its_table_says(form, ratio, elevation, mode):
    leaf = leaf_of(GUN, ratio=ratio, multirate=form)
    table, full, fast, _ = run(leaf, 200, 0.005)
    assert 0.5 * elevation < off(table, "gun.elevation") < 1.5 * elevation
    assert 0.5 * mode < off(table, "gun.av1") < 1.5 * mode
    if form == "paper":  # two evaluations a step, and the start
        assert abs(fast - 20000) < 100
        assert abs(full - 20000 / ratio) < 110


def test_short_steps_meet_the_reference():
    table, *_ = run(leaf_of(GUN, step=1e-5), 20, 0.05)
    known = (-0.1228801009462, 0.1989145338912, -0.2445061329859, 9.823089329989e-3)
    names = ("turret.angle", "gun.elevation", "gun.av1", "gun.av2")
    assert_allclose([table[n][-1] for n in names], known, rtol=0, atol=1e-9)


def test_a_gun_that_hangs_starts_where_it_rests():
    seen = run(leaf_of(GUN, start="sag"), 1, 0.005)[0]
    assert_allclose(seen["gun.av1"][0], -0.15745959203759036, rtol=1e-10)
    assert_allclose(seen["gun.av2"][0], -0.002221943164551759, rtol=1e-10)
    assert_allclose(seen["muzzle.z"][0], -9.06e-3, rtol=1e-2)


def test_a_heavier_mount_is_set_by_its_name():
    light, heavy = (leaf_of(GUN, **{"mount.inertia": J}) for J in (900, 1800))
    a, b = (run(leaf, 10, 0.005)[0]["gun.elevation"][-1] for leaf in (light, heavy))
    assert abs(a - b) > 1e-4


def test_a_ratio_that_is_unstable_is_refused():
    leaf = leaf_of(GUN, ratio=40, multirate="paper")
    with pytest.raises(SettingError, match="paper's form is unstable"):
        leaf.guard(leaf.start(0.0).state, uniform(0.0, 0.004, 0))


DATA = json.loads((Path(__file__).with_name("data") / "chain40.json").read_text())


@pytest.mark.parametrize(
    ("ratio", "form", "theta", "mode"),
    [
        (1, "paper", 8.5e-6, 3e-6),
        (5, "paper", 1.6e-3, 4e-4),
        (5, "residual", 3.3e-5, 3e-6),
    ],
)
def test_the_chain_is_where_its_reference_is(ratio, form, theta, mode):
    leaf = leaf_of(CHAIN, ratio=ratio, multirate=form)
    _, _, _, state = run(leaf, 20, 0.1)
    q, known = leaf.halves(state)[0], np.array(DATA["x_at_2s"])
    assert np.abs(np.cumsum(q[:40]) - known[:40]).max() < 1.5 * theta
    assert np.abs(q[40:] - known[40:42]).max() < 1.5 * mode


def test_the_chain_is_what_its_script_writes():
    made = runpy.run_path(str(CHAIN / "make_chain.py"))
    assert made["text"](40) == (CHAIN / "chain.leaf.xml").read_text()


def test_the_reference_is_what_its_script_says():
    """One evaluation of its equations against the compiled ones."""
    made = runpy.run_path(str(GUN / "make_reference.py"))
    leaf = leaf_of(GUN)
    y = np.random.default_rng(1).normal(size=12) * 0.1
    _, du = leaf.tree.rates(0.3, y[:6], y[6:])
    assert_allclose(made["rate"](0.3, y)[6:], du, rtol=1e-9, atol=1e-9)
