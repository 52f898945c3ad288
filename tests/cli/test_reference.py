"""The reference of the double pendulum is what its script makes, and is right."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from bondline.run import read_csv


def test_the_script_makes_the_table(pendulum: Path) -> None:
    made = runpy.run_path(str(pendulum / "make_reference.py"))
    kept = read_csv(pendulum / "reference.csv")
    assert made["HEADER"].split(",")[1:] == list(kept.columns)
    table = np.column_stack([kept.t, *kept.columns.values()])
    np.testing.assert_allclose(table, made["table"](), rtol=1e-10, atol=1e-9)


KNOWN = {  # computed once by another program: angles, centre, force on the upper bar
    0.5: (
        *(-1.162901614565, 0.580014724267, -0.369921724061, -1.233132223368),
        *(-64.035011, -22.809472),
    ),
    3.0: (
        *(-10.284246568001, -0.284704365088, 0.476622025836, -0.306904642592),
        *(7.368738, 7.399220),
    ),
}
NAMES = (
    *("upper.angle", "lower.angle", "lower.com.x", "lower.com.y"),
    *("joint.A.Fx", "joint.A.Fy"),
)


@pytest.mark.parametrize("t", KNOWN)
def test_the_table_has_the_known_values(pendulum: Path, t: float) -> None:
    table = read_csv(pendulum / "reference.csv")
    row = int(np.argmin(np.abs(table.t - t)))
    found = [table.columns[name][row] for name in NAMES]
    np.testing.assert_allclose(found, KNOWN[t], rtol=0.0, atol=1e-6)
    np.testing.assert_allclose(found[:4], KNOWN[t][:4], rtol=0.0, atol=1e-11)
