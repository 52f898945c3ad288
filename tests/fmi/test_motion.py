"""An FMU that is told the motion of its port, and FMUs of which a process takes one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm

from bondline.core import Signal, Window
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.leaves import Oscillator
from bondline.leaves.fmu.leaf import FmuLeaf
from bondline.run import simulate
from tests.fmi.making import SAVES, fmu, leaf

K, C, M = 40.0, 1.0, 2.0  # of the FMU
UNTIL = 0.2


def exact() -> float:
    """Where an oscillator of 9 kg on 10 N/m, with the FMU on it, has fallen to."""
    A = np.zeros((5, 5))
    A[0, 1] = A[2, 3] = 1.0
    A[1] = [-(10.0 + K) / 9.0, -C / 9.0, K / 9.0, C / 9.0, -5.0]
    A[3] = [K / M, C / M, -K / M, -C / M, 0.0]
    return float((expm(A * UNTIL) @ np.eye(5)[4])[0])


@pytest.mark.parametrize(
    ("flags", "scheme"), [({}, "linear/explicit"), (SAVES[2], "newmark/f")]
)
def test_told_the_motion_it_is_of_order_one(
    tmp_path: Path, flags: Mapping[str, str], scheme: str
) -> None:
    """In one pass where it cannot be wound back, iterated where it can.

    A step is told the motion of its end: held over the step, that is first order.
    """
    made = leaf(fmu(tmp_path / "s.fmu", "spring", 2, flags), k=K, c=C, m=M)
    body = Oscillator("b", mass=9.0, stiffness=10.0, gravity=5.0)
    whole, errors = glue("pair", [made, body], {"J": ("a.p", "b.p")}), []
    assert scheme in whole.why
    for step in (0.01, 0.005):
        ends = simulate(whole, UNTIL, step).state.motions.values()
        assert np.ptp([float(m.x[0]) for m in ends]) < 1e-12
        errors.append(abs(float(next(iter(ends)).x[0]) - exact()))
    assert errors[0] < 0.1 * abs(exact())
    assert 0.8 < np.log2(errors[0] / errors[1]) < 1.5
    if not made.capabilities.repeatable:
        with pytest.raises(SettingError, match="a cannot repeat one"):
            glue("pair", [made, body], {"J": ("a.p", "b.p")}, scheme="newmark/f")


@pytest.mark.parametrize(
    ("version", "saves"), [(2, True), pytest.param(3, False, marks=pytest.mark.full)]
)
def test_one_instance_a_process_means_a_process_an_instance(
    tmp_path: Path, version: int, saves: bool
) -> None:
    """Such an FMU refuses a second one beside it: starts do not meet each other."""
    flags = SAVES[version] if saves else {}
    flags = {**flags, "canBeInstantiatedOnlyOncePerProcess": "true"}
    path = fmu(tmp_path / "x.fmu", "oscillator", version, flags, ["ONCE=1"])
    made = leaf(path, k=40.0, v0=1.0)
    assert isinstance(made, FmuLeaf) is saves
    early, late = (made.start(t0).state for t0 in (0.0, 1.0))
    told = {"u": Signal.hold(np.array([3.0]))}
    rested = made.advance(late, Window(1.0, 1.1), told)
    moved = made.advance(early, Window(0.0, 0.1), {})
    w = np.sqrt(40.0)
    assert moved.outputs["p"].x[0] == pytest.approx(np.sin(0.1 * w) / w)
    assert rested.outputs["p"].x[0] == pytest.approx(0.075 * (1.0 - np.cos(0.1 * w)))
