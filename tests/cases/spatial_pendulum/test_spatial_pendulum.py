"""Rigid bodies hung from the ground by joints of a model file."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ellipk

from bondline.build import build, catalogue
from bondline.description import read
from bondline.run import Keep, read_csv, simulate

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "spatial_pendulum"
TEXT = (FOLDER / "SystemStructure.ssd").read_text()


def alone(folder: Path, joint: str = "") -> Path:
    """The example without its lower rod: a physical pendulum."""
    text = re.sub(
        r'<ssd:Component name="lower".*?</ssd:Component>', "", TEXT, flags=re.S
    )
    text = re.sub(r'<g:joint name="elbow".*?</g:joint>', "", text, flags=re.S)
    if joint:
        assert 'kind="revolute" axis="0 1 0"' in text
        text = text.replace('kind="revolute" axis="0 1 0"', joint)
    (folder / "SystemStructure.ssd").write_text(text)
    return folder


def swing(path: Path, until: float, windows: int) -> Keep:
    keep = Keep()
    simulate(build(read(path, catalogue())), until, until / windows, record=keep)
    return keep


QUARTER = ellipk(0.5) * np.sqrt((0.25 + 3.0 * 0.5**2) / (3.0 * 9.81 * 0.5))
"""Of the period of a rod released from horizontal: K(sin² 45°) sqrt(I / (m g d))."""


def test_a_hinged_rod_has_the_period_of_a_physical_pendulum(tmp_path: Path) -> None:
    """After a quarter of it the rod hangs straight down, and has all its energy."""
    found = swing(alone(tmp_path), float(QUARTER), 32).results()
    x, z = (found.signals[f"upper.com.{d}"] for d in "xz")
    spin = np.sqrt(2.0 * 3.0 * 9.81 * 0.5 / 1.0)  # m g d = I w²/2
    assert abs(x[-1]) < 5e-7  # 0.2 microseconds at 2.7 m/s
    assert z[-1] == pytest.approx(1.5, abs=1e-7)
    assert found.signals["upper.spin.y"][-1] == pytest.approx(spin, abs=1e-5)
    assert np.abs(found.signals["upper.com.y"]).max() < 1e-12


def test_the_hinge_carries_what_the_rod_does_not(tmp_path: Path) -> None:
    """At the start a quarter of the weight: m (g − a), a = g m d²/I; it pulls down."""
    found = swing(alone(tmp_path), 0.02, 2).results()
    down = found.signals["joint.pivot.Fz"][0]
    assert down == pytest.approx(-3.0 * 9.81 * (1.0 - 3.0 * 0.5**2 / 1.0), rel=2e-6)
    assert abs(found.signals["joint.pivot.M1"][0]) < 1e-9


def test_a_hinge_and_a_ball_swing_alike_in_the_plane(tmp_path: Path) -> None:
    hinge = swing(alone(tmp_path), 0.1, 10).results()
    ball = swing(alone(tmp_path, 'kind="spherical"'), 0.1, 10).results()
    for name in ("upper.com.x", "upper.com.z", "upper.spin.y"):
        np.testing.assert_allclose(
            ball.signals[name], hinge.signals[name], atol=1e-8, err_msg=name
        )


def test_a_fixed_rod_stays_where_it_is(tmp_path: Path) -> None:
    found = swing(alone(tmp_path, 'kind="fixed"'), 0.1, 5).results()
    assert np.abs(found.signals["upper.com.z"] - 2.0).max() < 1e-9
    moment = 3.0 * 9.81 * 0.5  # of the weight, about y; it acts on the ground
    forces = [found.signals[f"joint.pivot.{c}"][-1] for c in ("Fx", "Fy", "Fz", "My")]
    np.testing.assert_allclose(forces, [0.0, 0.0, -29.43, moment], atol=1e-5)


def test_the_kept_reference_is_what_the_script_finds() -> None:
    made = runpy.run_path(str(FOLDER / "make_reference.py"))
    kept = read_csv(FOLDER / "reference.csv")
    assert made["HEADER"].split(",")[1:] == list(kept.columns)
    table = np.column_stack([kept.t, *kept.columns.values()])
    np.testing.assert_allclose(table, made["table"](), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("until", "error"),
    [(0.15, 2e-7), pytest.param(2.0, 3e-4, marks=pytest.mark.full)],
)
def test_the_model_file_is_the_pendulum_of_one_model(
    until: float, error: float
) -> None:
    keep = Keep()
    simulate(build(read(FOLDER, catalogue())), until, 0.01, record=keep)
    found, exact = keep.results(), read_csv(FOLDER / "reference.csv").columns
    assert set(exact) <= set(found.signals)
    for name in [n for n in exact if ".com." in n]:
        ours = found.signals[name]
        assert np.abs(ours - exact[name][: len(ours)]).max() < error, name
