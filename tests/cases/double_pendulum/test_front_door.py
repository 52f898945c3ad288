"""From the model file to the signals, with anything set, against all at once."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.build import build, catalogue
from bondline.description import override, read
from bondline.run import Keep, csv_lines, simulate
from tests.cases.double_pendulum.all_at_once import Pendulum

SIGNALS = [
    "joint.A.Fx",
    "joint.A.Fy",
    "upper.angle",
    "lower.angle",
    "lower.com.x",
    "lower.com.y",
    "lower.com.vx",
    "lower.com.vy",
]


@pytest.fixture
def results(project):
    def run(settings):
        spec = read(project / "examples" / "double_pendulum", catalogue())
        keep = Keep()
        simulate(build(override(spec, catalogue(), settings)), 3.0, 0.01, record=keep)
        return keep.results()

    return run


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("settings", "pendulum"),
    [
        ({}, Pendulum()),
        ({"gravity": "9.81", "upper.torque": "0", "upper.angle": "90deg"},
         Pendulum(g=9.81, torque=0.0, start=(np.pi / 2, 0.0))),
        ({"upper.mass": "3kg", "lower.mass": "40kg", "lower.angle": "-2.5"},
         Pendulum(m1=3.0, m2=40.0, start=(0.0, -2.5))),
        ({"upper.length": "150cm", "lower.length": "400mm", "gravity": "9.81m/s2",
          "upper.torque": "-80", "lower.angle": "3.1", "upper.angle": "-1"},
         Pendulum(l1=1.5, l2=0.4, g=9.81, torque=-80.0, start=(-1.0, 3.1))),
    ],
)  # fmt: skip
def test_whatever_is_set_agrees_with_all_at_once(results, settings, pendulum):
    found = results(settings)
    reference = pendulum.solve(found.t)
    for name in SIGNALS:
        largest = np.abs(reference[name]).max()
        error = np.abs(found.signals[name] - reference[name]).max()
        first_rate = name.startswith("joint") or ".v" in name
        allowed = 0.05 if first_rate else 0.01  # order 2, order 4
        assert error < allowed * largest, name


def test_the_exported_signals_are_the_fixed_ones(results):
    header = next(iter(csv_lines(results({"upper.torque": "-100"}))))
    assert header.strip() == ",".join(["t", *SIGNALS])
