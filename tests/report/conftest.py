"""A run made up from formulas: two bars, one joint, a reference a little off."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.report.reference import reference
from bondline.run.results import Results


@pytest.fixture(scope="session")
def run() -> Results:
    t = np.arange(301) * 0.01
    one, two = 0.9 * np.sin(2.0 * t), 1.4 * np.sin(3.0 * t)
    A = np.stack([np.sin(one), -np.cos(one)], axis=1)
    tip = A + 2.0 * np.stack([np.sin(two), -np.cos(two)], axis=1)
    centre = 0.5 * (A + tip)
    signals = {
        "joint.A.Fx": 100.0 * np.sin(5.0 * t),
        "joint.A.Fy": 80.0 * np.cos(4.0 * t),
        "upper.angle": one,
        "lower.com.x": centre[:, 0],
        "lower.com.y": centre[:, 1],
        "lower.com.vx": np.gradient(centre[:, 0], t),
        "lower.com.vy": np.gradient(centre[:, 1], t),
    }
    units = ["N", "N", "rad", "m", "m", "m/s", "m/s"]
    counts = 2.0 + (np.arange(300) % 3)
    supplied = np.sin(6.0 * t[1:])
    windows = {
        "iterations": counts,
        "builds": (np.arange(300) % 5 == 0).astype(float),
        "gap": 1e-12 * (1.0 + np.arange(300) % 7),
        "residual": 1e-12 * (1.0 + np.arange(300) % 7),
        "gap_rate": np.full(300, 0.01),
        "speed": np.full(300, 2.0),
        "halvings": np.zeros(300),
        "interface_work": 1e-9 * np.cos(t[1:]),
        "energy.stored": np.cumsum(supplied),
        "energy.dissipated": 0.0 * supplied,
        "energy.supplied": supplied,
    }
    still = np.zeros_like(A)
    shapes = {"upper": np.stack([still, A], 1), "lower": np.stack([A, tip], 1)}
    return Results(
        run="r-1",
        model="double_pendulum",
        t=t,
        signals=signals,
        units=dict(zip(signals, units, strict=True)),
        windows=windows,
        shapes=shapes,
        settings={
            "solver": {"tolerance": 1e-10},
            "coupling": {"method": "T-T"},
            "scheme": "constant/e",
        },
    )


@pytest.fixture(scope="session")
def all_at_once(run: Results) -> Results:
    names = [name for name in run.signals if name != "upper.angle"]
    columns = {"t": run.t, **{name: run.signals[name] + 0.25 for name in names}}
    return reference(columns, run.units, "all at once")
