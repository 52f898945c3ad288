"""Does the model say when it starts and stops, in whole windows?"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from bondline.description.place import Problem
from bondline.description.spec import ModelSpec


def check_times(spec: ModelSpec) -> Iterator[Problem]:
    """Start, stop and step of the whole model."""
    step, gluing = spec.step, spec.system.gluing
    if spec.stop is None or (step is None and gluing is not None):
        what = "stop time" if spec.stop is None else "step"
        flag = "--until" if spec.stop is None else "--step"
        yield Problem(
            "BND045",
            gluing.where if gluing and spec.stop is not None else spec.where,
            f"the model gives no {what}.",
            f"Give {flag} with each run, or write it into the model.",
            "warning",
        )
    elif spec.stop <= spec.start:
        yield Problem(
            "BND047",
            spec.where,
            f"the model stops at {spec.stop:g} s and starts at {spec.start:g} s.",
            "Let stopTime be the larger one.",
        )
    elif step is not None and isfinite(step) and step > 0.0:
        yield from _whole(spec, spec.stop - spec.start, step)


def _whole(spec: ModelSpec, span: float, step: float) -> Iterator[Problem]:
    windows = span / step
    if not isfinite(windows) or abs(windows - round(windows)) > 1e-6:
        below, above = (
            step * int(min(windows, 1e15)),
            step * (int(min(windows, 1e15)) + 1),
        )
        yield Problem(
            "BND046",
            spec.system.gluing.where if spec.system.gluing else spec.where,
            f"{span:g} s are not a whole number of steps of {step:g} s.",
            f"Stop after {below:g} s or {above:g} s, or change the step.",
            "warning",
        )
