"""Laws of the joint force at the instants."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from run_models import Swing, double_pendulum, nested_chains

from bondline.core import Frame, Matrix, Reaction, Vector, Window
from bondline.run import Keep, gather, simulate
from bondline.run.signals import at_instants


def held(F: list[float], instant: bool = False) -> list[Reaction]:
    return [Reaction(("Fx",), np.array([[f]]), instant) for f in F]


def poly(rows: Matrix) -> list[Reaction]:
    return [Reaction(("Fx",), np.array(row)[:, None]) for row in rows]


def times(n: int, h: float = 0.1) -> Vector:
    return h * np.arange(n + 1)


def test_constant_forces_are_averaged_inside_and_prolonged_at_the_ends() -> None:
    F = at_instants(held([1.0, 3.0, 7.0]), times(3))[:, 0]
    assert_allclose(F, [2 * 2.0 - 5.0, 2.0, 5.0, 2 * 5.0 - 2.0], atol=1e-13)
    F = at_instants(held([1.0, 3.0]), times(2))[:, 0]
    assert_allclose(F, [0.0, 2.0, 4.0], atol=1e-13)


def test_a_saw_tooth_cancels_at_the_ends_too() -> None:
    t = times(6)
    means = 2.0 + 5.0 * 0.5 * (t[:-1] + t[1:]) + 3.0 * (-1.0) ** np.arange(6)
    assert_allclose(at_instants(held(means.tolist()), t)[:, 0], 2.0 + 5.0 * t)


def test_the_means_of_a_line_give_back_the_line_also_over_unequal_windows() -> None:
    t = np.array([0.0, 0.1, 0.2, 0.3, 0.33])
    means = 2.0 + 5.0 * 0.5 * (t[:-1] + t[1:])
    F = at_instants(held(means.tolist()), t)[:, 0]
    assert_allclose(F, 2.0 + 5.0 * t, atol=1e-13)


def test_the_rule_for_constant_forces_is_second_order() -> None:
    def error(n: int) -> float:
        t = np.linspace(0.0, 1.0, n + 1)
        means = -np.diff(np.cos(4.0 * t)) / np.diff(t) / 4.0
        F = at_instants(held(means.tolist()), t)[:, 0]
        return float(np.abs(F - np.sin(4.0 * t)).max())

    order = np.log2(error(40) / error(80))
    assert order == pytest.approx(2.0, abs=0.1)


def test_polynomials_take_the_mean_of_both_limits_and_one_sided_ends() -> None:
    rows = np.array([[1.0, 2.0, 0.5], [4.0, -1.0, 1.0]])
    F = at_instants(poly(rows), times(2))[:, 0]
    assert_allclose(F, [1.0, 0.5 * (3.5 + 4.0), 4.0])


def test_a_force_at_the_instant_is_taken_as_it_is() -> None:
    F = at_instants(held([1.0, 3.0], True), times(2))
    assert F[1:].tolist() == [[1.0], [3.0]]


def test_a_parabola_that_is_right_at_its_end_starts_where_it_starts() -> None:
    rows = [Reaction(("Fx",), np.array([[k], [2.0], [4.0]]), True) for k in (1.0, 5.0)]
    assert at_instants(rows, times(2))[:, 0].tolist() == [1.0, 7.0, 11.0]


def test_before_the_first_instant_the_line_is_prolonged() -> None:
    assert at_instants(held([1.0, 3.0], True), times(2))[0, 0] == -1.0
    assert at_instants(held([1.0], True), times(1))[0, 0] == 1.0


def test_a_line_is_prolonged_over_unequal_windows_too() -> None:
    t = np.array([0.0, 0.1, 0.15, 0.25])
    F = at_instants(held((10.0 * t[1:]).tolist(), True), t)[:, 0]
    assert_allclose(F, 10.0 * t, atol=1e-13)


def test_one_window_gives_its_own_force_at_both_ends() -> None:
    assert at_instants(held([4.0]), times(1)).tolist() == [[4.0], [4.0]]


def test_signals_are_forces_first_then_values_in_the_order_of_the_model() -> None:
    keep = Keep()
    simulate(double_pendulum(), 0.05, 0.01, record=keep)
    results = keep.results("double_pendulum")
    header = (
        "joint.A.Fx,joint.A.Fy,upper.angle,lower.angle,"
        "lower.com.x,lower.com.y,lower.com.vx,lower.com.vy"
    )
    assert ",".join(results.signals) == header
    assert set(results.units) == set(results.signals)
    assert results.units["joint.A.Fx"] == "N"
    assert results.units["upper.angle"] == "rad"
    assert all(len(y) == 6 for y in results.signals.values())
    assert all(len(y) == 5 for y in results.windows.values())
    assert results.shapes["upper"].shape == (6, 2, 2)
    assert results.windows["sweeps"].tolist() == [
        n + 1 for n in results.windows["iterations"]
    ]


def test_forces_of_one_step_parts_and_inner_joints_are_named_and_as_they_are() -> None:
    keep = Keep()
    simulate(nested_chains(), 0.05, 0.01, record=keep)
    signals = keep.results().signals
    assert list(signals)[:2] == ["joint.K.Fx", "left.joint.J.Fx"]
    for name in ("joint.K", "left.joint.J"):
        each = [f.forces[name].coefficients[0, 0] for f in keep.frames]
        assert signals[f"{name}.Fx"][1:].tolist() == each[1:]


def test_a_run_with_only_its_start_has_values_and_no_forces() -> None:
    keep = Keep()
    simulate(Swing(), 0.0, 0.1, record=keep)
    assert list(keep.results().signals) == ["angle", "spin"]


def test_no_frames_are_no_results() -> None:
    assert len(gather([]).t) == 0


def test_a_value_that_is_missing_at_some_instant_is_not_a_number() -> None:
    from bondline.core import Observation

    frames = [
        Frame(n, w, t, values, {}, {}, None, {})
        for n, w, t, values in (
            (0, None, 0.0, {"a": Observation(1.0, "m")}),
            (1, Window(0.0, 1.0), 1.0, {"b": Observation(2.0, "m")}),
        )
    ]
    signals = gather(frames).signals
    assert signals["a"][0] == 1.0
    assert np.isnan(signals["a"][1])
    assert np.isnan(signals["b"][0])


def test_a_joint_of_several_nodes_has_its_force_as_a_whole() -> None:
    """Sums of forces; moments would need a point that they are about."""
    names = ("0.Fx", "0.Mz", "1.Fx", "1.Mz")
    forces = {"joint.A": Reaction(names, np.array([[1.0, 5.0, 2.0, 7.0]]), True)}
    frames = [
        Frame(n, w, t, {}, f, {}, None, {})
        for n, w, t, f in (
            (0, None, 0.0, {}),
            (1, Window(0.0, 1.0), 1.0, forces),
        )
    ]
    results = gather(frames)
    assert list(results.signals) == ["joint.A.Fx", *(f"joint.A.{n}" for n in names)]
    assert results.signals["joint.A.Fx"].tolist() == [3.0, 3.0]
    assert results.signals["joint.A.1.Mz"].tolist() == [7.0, 7.0]
    assert results.units["joint.A.1.Mz"] == "N.m"
