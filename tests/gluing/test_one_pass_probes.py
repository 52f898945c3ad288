"""Codes that cannot repeat a window are probed from fresh starts, or refused."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from bondline.core import Advance, Capabilities, Motion, Port, Rejected, uniform
from bondline.errors import LeafInconsistent, SettingError
from bondline.gluing import glue
from tests.gluing.parts import mass

SCHEMES = (
    "linear-discontinuous/e,v",
    "quadratic-discontinuous/e,v,a",
    "linear/deadbeat",
)


@dataclass
class Machine:
    """One mass of 2 kg on 30 N/m that only goes forward; its states say nothing."""

    restarts: bool
    name: str = "b"
    at: tuple = (0.1, 0.0, -1.5)
    capabilities: Capabilities = Capabilities(repeatable=False, serialises=False)  # noqa: RUF009
    parameters: dict = field(default_factory=dict)
    ports: dict = field(default_factory=lambda: {"end": Port("end", ("x",))})

    def start(self, t0):
        if self.restarts:
            self.at = (0.1, 0.0, -1.5)
        return self._report()

    def advance(self, state, window, inputs):
        push = inputs.get("end")
        x, v, _ = self.at
        n = 20
        d = window.h / n
        for k in range(n):
            force = 0.0 if push is None else push.at((k + 0.5) / n)[0]
            x += 0.5 * d * v
            v += d * (force - 30.0 * x) / 2.0
            x += 0.5 * d * v
        last = 0.0 if push is None else push.end[0]
        self.at = (x, v, (last - 30.0 * x) / 2.0)
        return self._report()

    def _report(self):
        x, v, a = (np.array([u]) for u in self.at)
        return Advance(None, {"end": Motion(x, v, a)})


def pair(restarts, **more):
    parts = [mass("a", 1.0, k=100.0, x0=0.1), Machine(restarts)]
    return glue("pair", parts, {"j": ("a.end", "b.end")}, **more)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_start_that_does_not_come_back_is_refused(scheme):
    model = pair(False, scheme=scheme)
    done = model.advance(model.start(0.0).state, uniform(0.0, 0.005, 0), {})
    assert isinstance(done, Rejected)
    error = done.error
    assert isinstance(error, LeafInconsistent)
    assert error.place == "part b, T-T coupling in one pass"
    assert "a second start shows port end at 0.099" in error.finding
    assert "instead of 0.1 m" in error.finding
    for way in ("Make `start` begin anew", "Checkpointed", "X-T"):
        assert way in error.remedy


def test_a_machine_that_starts_anew_is_where_it_was_after_the_probes():
    """The whole is 3 kg on 130 N/m."""
    model = pair(True)
    step = model.start(0.0)
    for n in range(100):
        step = model.advance(step.state, uniform(0.0, 0.005, n), {})
    x = model.observe(step.state)["a.x"].value
    assert x == pytest.approx(0.1 * np.cos(np.sqrt(130.0 / 3.0) * 0.5), abs=1e-4)


def test_a_start_that_takes_back_the_run_is_refused():
    """Windows of another length ask for probes, in the middle of the run."""
    model = pair(True)
    step = model.start(0.0)
    for n in range(10):
        step = model.advance(step.state, uniform(0.0, 0.005, n), {})
    done = model.advance(step.state, uniform(0.05, 0.01, 0), {})
    assert isinstance(done, Rejected)
    assert done.error.place == "part b, T-T coupling in one pass"
    assert "a start takes back the run" in done.error.finding
    assert "it shows port end at 0.1 m instead of 0.09" in done.error.finding
    assert "a state of its own" in done.error.remedy


@pytest.mark.parametrize("scheme", [None, *SCHEMES, "constant/e"])
def test_without_accelerations_no_scheme_is_offered_that_is_refused_then(scheme):
    mute = Machine(True)
    mute.capabilities = Capabilities(repeatable=False, acceleration=False)
    with pytest.raises(SettingError) as caught:
        glue("m", [mass("a"), mute], {"j": ("a.end", "b.end")}, scheme=scheme)
    error = caught.value
    assert error.place == "coupling"
    assert "b cannot repeat a window, and b gives no accelerations" in error.finding
    for way in ("Let b give accelerations", "Checkpointed", "X-T"):
        assert way in error.remedy
    assert "constant/e" not in error.remedy
