"""Causal signals beside glued ports: controllers, sensors, actuators."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

from bondline.build import open_model
from bondline.core import (
    Advance,
    Capabilities,
    Parameter,
    PortRef,
    Rejected,
    Signal,
    SignalPort,
    Vector,
    Window,
)
from bondline.errors import CouplingDiverged, SettingError, WiringError
from bondline.gluing import IntegratedModel, glue
from bondline.leaves import chain
from bondline.leaves.oscillator import Oscillator
from bondline.run import Keep, certify, simulate
from bondline.run.certificate import with_refined
from bondline.run.refine import exchanged, refine


@dataclass(frozen=True)
class Gain:
    """y = factor · u + offset: a leaf with signals only."""

    name: str
    factor: float
    offset: float = 0.0

    ports: Mapping[str, SignalPort] = field(
        default_factory=lambda: {
            "u": SignalPort("u", "1", True),
            "y": SignalPort("y", "1", False),
        }
    )
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    capabilities: Capabilities = Capabilities()  # noqa: RUF009

    def start(self, t0: float) -> Advance[Vector]:
        return self.press(np.zeros(1), t0, {})

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        u = forces.get("u", np.zeros(1))
        return Advance(u, {"y": self.factor * float(u[0]) + self.offset})

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        return self.press(state, window.t1, {"u": inputs["u"].end})

    def dump(self, state: Vector) -> bytes:
        return state.tobytes()

    def load(self, data: bytes) -> Vector:
        return np.frombuffer(data).copy()


def _pair(signals: str) -> IntegratedModel:
    """A free mass, 2 kg, glued to one of 1 kg, under −40 x − 3 v by signals."""
    mass = Oscillator("m", mass=2.0, gravity=-1.0)
    other = Oscillator("n", mass=1.0, gravity=-1.0)
    return glue(
        "loop",
        [mass, other, Gain("k", -40.0), Gain("d", -3.0)],
        {"J": ("m.p", "n.p")},
        wires=[
            ("m.p.r.x", "k.u"),
            ("k.y", "m.p.F.x"),
            ("n.v", "d.u"),  # a value that it publishes
            ("d.y", "n.p.F.x"),
        ],
        signals=signals,
    )


def _sprung(signals: str, step: float) -> float:
    """Where it is at 0.5 s."""
    end = simulate(_pair(signals), 0.5, step).state
    return float(next(iter(end.motions.values())).x[0])


def _exact() -> float:
    A = np.zeros((3, 3))
    A[0, 1], A[1] = 1.0, [-40.0 / 3.0, -3.0 / 3.0, 1.0]  # x, v and a constant
    return float((expm(0.5 * A) @ [0.0, 0.0, 1.0])[0])


def test_held_signals_are_one_window_late_and_of_order_one() -> None:
    errors = [abs(_sprung("hold", h) - _exact()) for h in (0.01, 0.005)]
    assert 0.9 < math.log2(errors[0] / errors[1]) < 1.1


def test_iterated_signals_are_of_order_two() -> None:
    errors = [abs(_sprung("iterated", h) - _exact()) for h in (0.02, 0.01)]
    assert 1.8 < math.log2(errors[0] / errors[1]) < 2.2


@pytest.mark.parametrize(("signals", "order"), [("hold", 1), ("iterated", 2)])
def test_a_certificate_says_which_order_signals_allow(signals: str, order: int) -> None:
    keep, whole = Keep(), _pair(signals)
    simulate(whole, 0.5, 0.01, record=keep)
    refined = refine(whole, keep.results(), (0.0, 0.01))
    orders = {o.signal: o.order for o in refined.orders}
    assert orders["m.x"] == pytest.approx(order, abs=0.1)
    assert refined.exchange == order
    assert ("held over a window" in refined.words) == (order == 1)
    told = with_refined(certify(keep.frames), refined)
    assert ('signals="iterated"' in "".join(told.warnings)) == (order == 1)
    inside = replace(glue("outer", [whole], {}), wires=())
    assert exchanged(inside) == order


def test_a_state_with_signals_survives_being_written_down() -> None:
    mass = Oscillator("m", mass=2.0, gravity=-1.0)
    whole = glue(
        "loop",
        [mass, Gain("k", -40.0)],
        {},
        wires=[("m.p.r.x", "k.u"), ("k.y", "m.p.F.x")],
    )
    first = simulate(whole, 0.05, 0.01).state
    loaded = whole.load(whole.dump(first))
    window = Window(0.05, 0.06)
    one, two = (whole.advance(s, window, {}) for s in (first, loaded))
    assert isinstance(one, Advance)
    assert isinstance(two, Advance)
    assert whole.dump(one.state) == whole.dump(two.state)


def test_a_chain_of_signals_is_known_at_the_start() -> None:
    mass = Oscillator("m", mass=2.0, gravity=-1.0)
    chain = [Gain("a", 2.0), Gain("b", 3.0)]
    wires = [("m.p.a.x", "a.u"), ("a.y", "b.u")]
    state = glue("chain", [mass, *chain], {}, wires=wires).start(0.0).state
    assert {str(k): v for k, v in state.signals.items()} == {"a.y": 2.0, "b.y": 6.0}


@pytest.mark.parametrize(
    ("wire", "finding", "remedy"),
    [
        (("k.u", "m.p.F.x"), "nothing named k.u comes out", "Known: y"),
        (("k.y", "k.z"), "nothing named k.z goes in", "Known: u"),
        (("k.y", "m.p.F.z"), "nothing named m.p.F.z goes in", "PORT.F.x"),
        (("m.speed", "k.u"), "m does not publish speed", "Known: v, x"),
    ],
)
def test_a_wire_to_nowhere_is_refused(
    wire: tuple[str, str], finding: str, remedy: str
) -> None:
    parts = [Oscillator("m", mass=2.0), Oscillator("n"), Gain("k", -40.0)]
    with pytest.raises(WiringError) as refused:
        glue("loop", parts, {"J": ("m.p", "n.p")}, wires=[wire])
    assert finding in refused.value.finding
    assert remedy in refused.value.remedy


def test_an_input_takes_one_signal() -> None:
    parts = [Oscillator("m", mass=2.0), Gain("k", -40.0)]
    with pytest.raises(WiringError) as refused:
        glue("loop", parts, {}, wires=[("m.x", "k.u"), ("m.v", "k.u")])
    assert "k.u is driven twice" in refused.value.finding


def _circle(factor: float) -> Advance[Any] | Rejected:
    """A window of a = factor b + 1, b = factor a."""
    wires = [("a.y", "b.u"), ("b.y", "a.u")]
    parts = [Gain("a", factor, 1.0), Gain("b", factor)]
    whole = glue("loop", parts, {}, wires=wires, signals="iterated")
    state = whole.start(0.0).state
    kicked = {**state.signals, PortRef("a", "y"): 3.0}
    return whole.advance(replace(state, signals=kicked), Window(0.0, 0.01), {})


def test_a_circle_of_signals_that_has_an_answer_finds_it_however_strong() -> None:
    done = _circle(2.0)
    assert isinstance(done, Advance)
    assert done.state.signals[PortRef("a", "y")] == pytest.approx(-1.0 / 3.0)
    assert done.stats["signals.sweeps"] < 10


def test_signals_that_run_in_a_circle_are_told() -> None:
    done = _circle(1.0)
    assert isinstance(done, Rejected)
    assert isinstance(done.error, CouplingDiverged)
    assert "run in a circle" in done.error.remedy


def test_signals_do_not_go_with_blocks() -> None:
    parts = [chain("a"), Gain("k", 1.0)]
    whole = glue("loop", parts, {}, wires=[("a.left.r.x", "k.u")])
    with pytest.raises(SettingError) as refused:
        replace(whole, block=4)
    assert "blocks of windows" in refused.value.finding
    with pytest.raises(SettingError) as unknown:
        replace(whole, signals="hld")
    assert "Did you mean 'hold'" in unknown.value.remedy


def test_an_fmu_controls_a_glued_pair_from_a_model_file(
    shelf: Path, tmp_path: Path
) -> None:
    pytest.importorskip("fmpy", reason="FMUs need the extra `fmi`: ./run extras")
    from tests.fmi.models import component, joint, model

    for name in ("oscillator2.fmu", "signals3.fmu"):
        (tmp_path / name).write_bytes((shelf / name).read_bytes())
    ends = [("p", "unspecified"), ("u", "input"), ("p.r.x", "output")]
    control = [("u", "input"), ("y", "output"), ("error", "output")]
    free = [("p", "unspecified")]
    model(
        tmp_path,
        [
            component("a", "oscillator2.fmu", ends, {"m": 2.0, "k": 40.0, "x0": 0.1}),
            component("b", "oscillator2.fmu", free, {"m": 1.0, "x0": 0.1}),
            component("c", "signals3.fmu", control, {"p": 20.0}),
        ],
        [joint("J", "a.p", "b.p")],
        [("a.p.r.x", "c.u"), ("c.y", "a.u")],
        gluing='step="0.01" signals="iterated"',
        stop=0.2,
    )
    opened = open_model(tmp_path)
    record = Keep()
    simulate(opened.model, 0.2, 0.01, record=record)
    got = record.results()
    exact = 0.1 * np.cos(math.sqrt((40.0 + 20.0) / 3.0) * got.t)
    np.testing.assert_allclose(got.signals["c.error"], -exact, atol=1e-5)
    np.testing.assert_allclose(got.signals["c.y"], -20.0 * exact, atol=2e-4)
