"""Whether the books of energy close."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bondline.core import Advance, Effort, Motion, Output, Port, Vector, Window
from bondline.testing.ladder import Measure, vanishing
from bondline.testing.report import Finding, judged
from bondline.testing.shown import EPS, displaced
from bondline.testing.trial import Trial

ALLOWED = 1e-3


def energy(trial: Trial) -> Iterator[Finding]:
    """stored(t₁) − stored(t₀) = supplied − dissipated + work of the ports."""
    if any(a.energy is None for a in trial.path):
        yield Finding("energy", "skipped", "the leaf reports none")
        return
    found = vanishing(trial, _measure(trial), ALLOWED)
    if not found:
        yield Finding("energy", "skipped", "nothing happens")
        return
    off, allowed = found["energy"].measured, found["energy"].allowed
    words = "stored = supplied - dissipated + work of the ports"
    if not off <= allowed:
        words = (
            f"what is stored does not follow from what goes in and out: off by "
            f"{100.0 * off:.3g} %, however short the window."
        )
    yield judged("energy", "energy: stored", off, allowed, words)


def _measure(trial: Trial) -> Measure:
    def measure(
        before: Advance[Any], after: Advance[Any], window: Window
    ) -> dict[str, float]:
        one, two = before.energy, after.energy
        assert one is not None
        assert two is not None
        forces = {
            name: signal.start
            for name, signal in trial.steady(before, window, 0).items()
            if name in trial.driven
        }
        work = sum(
            _work(port, before.outputs[name], after.outputs[name], forces.get(name))
            for name, port in trial.leaf.ports.items()
            if isinstance(port, Port)
        )
        gained = two.stored - one.stored
        flows = (gained, two.supplied, two.dissipated, work)
        scale, size = max(map(abs, flows)), max(abs(one.stored), abs(two.stored))
        if scale <= 1e6 * EPS * size or scale == 0.0:
            return {}
        missed = abs(gained - two.supplied + two.dissipated - work)
        return {"energy": missed / scale}

    return measure


def _work(port: Port, before: Output, after: Output, force: Vector | None) -> float:
    """Work on the leaf over one window, by the trapezoidal rule."""
    if isinstance(before, Effort) and isinstance(after, Effort):
        mean = 0.5 * (before.f + after.f)
        return float(mean @ displaced(port, before.at, after.at))
    assert isinstance(before, Motion)
    assert isinstance(after, Motion)
    assert force is not None
    return float(force @ displaced(port, before, after))
