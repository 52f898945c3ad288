"""Whether velocities and accelerations are rates of what the leaf shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bondline.core import Advance, Motion, Port, Vector, Window
from bondline.testing.ladder import Measure, vanishing
from bondline.testing.report import Finding, judged
from bondline.testing.shown import EPS, by_kind, displaced, largest
from bondline.testing.trial import Trial, motion

ALLOWED = 1e-4


def velocity(trial: Trial) -> Iterator[Finding]:
    """x(t₁) − x(t₀) = h (v₀ + v₁)/2, better and better for shorter windows."""
    yield _judged(trial, "velocity", "positions", _positions)


def acceleration(trial: Trial) -> Iterator[Finding]:
    """v(t₁) − v(t₀) = h (a₀ + a₁)/2, better and better for shorter windows."""
    if not trial.leaf.capabilities.acceleration:
        words = "the leaf says that it gives none"
        yield Finding("acceleration", "skipped", words)
        return
    yield _judged(trial, "acceleration", "velocities", _velocities)


def _judged(trial: Trial, check: str, lower: str, increments: Any) -> Finding:
    if not trial.mechanical:
        return Finding(check, "skipped", "no port moves")
    measure = _measure(trial, check, increments)
    found = vanishing(trial, measure, ALLOWED)
    if not found:
        return Finding(check, "skipped", "nothing moves")
    quantity = max(found, key=lambda name: found[name].excess)
    off, allowed = found[quantity].measured, found[quantity].allowed
    words = f"it is the rate of the {lower}"
    if not off <= allowed:
        words = (
            f"it is not the rate of the {lower}: off by {100.0 * off:.3g} %, "
            "however short the window."
        )
    return judged(check, quantity, off, allowed, words)


def _measure(trial: Trial, check: str, increments: Any) -> Measure:
    def measure(
        before: Advance[Any], after: Advance[Any], window: Window
    ) -> dict[str, float]:
        found = {}
        for name, port in trial.mechanical.items():
            one, two = motion(before.outputs[name]), motion(after.outputs[name])
            if check == "acceleration" and (one.a is None or two.a is None):
                continue  # a port that takes motion need not say
            step, rates, size = increments(port, one, two)
            for kind, dofs in by_kind(port).items():
                own = (step[dofs], rates[0][dofs], rates[1][dofs])
                off = _defect(own, window.h, size)
                if off is not None:
                    found[f"port {name}: {check}{kind}"] = off
        return found

    return measure


def _positions(port: Port, one: Motion, two: Motion) -> Any:
    size = max(largest(one.x), largest(two.x), 1.0 if port.frame else 0.0)
    return displaced(port, one, two), (one.v, two.v), size


def _velocities(port: Port, one: Motion, two: Motion) -> Any:
    return two.v - one.v, (one.a, two.a), max(largest(one.v), largest(two.v))


def _defect(step: tuple[Vector, Vector, Vector], h: float, size: float) -> float | None:
    """Relative to the step; None where it drowns in round-off."""
    moved, before, after = step
    scale = max(largest(moved), h * largest(before), h * largest(after))
    if scale <= 1e4 * EPS * size or scale == 0.0:
        return None
    missed = largest(moved - 0.5 * h * (before + after))
    return max(0.0, missed - 8.0 * EPS * size) / scale
