"""The instants an animation shows."""

from __future__ import annotations

import math

import numpy as np

from bondline.core import Vector
from bondline.errors import UsageError

MOST_FRAMES = 1500


def frame_times(t: Vector, fps: float, speed: float) -> Vector:
    """Instants `speed / fps` apart, from the first to the last that fits."""
    for name, value in (("fps", fps), ("speed", speed)):
        if not (math.isfinite(value) and value > 0.0):
            raise UsageError(
                "animate",
                f"{name} is {value!r}.",
                f"Give a positive {name}, such as 1.",
            )
    duration = float(t[-1] - t[0])
    count = math.floor(duration * fps / speed * (1.0 + 1e-12) + 1e-9) + 1
    if count > MOST_FRAMES:
        raise UsageError(
            "animate",
            f"{duration:g} s at speed {speed:g} are {count} pictures; "
            f"{MOST_FRAMES} is the most.",
            f"Try speed={_round_up(duration * fps / MOST_FRAMES):g}, or a smaller fps.",
        )
    times: Vector = np.minimum(t[0] + np.arange(count) * (speed / fps), t[-1])
    return times


def _round_up(value: float) -> float:
    scale = 10.0 ** math.floor(math.log10(value))
    return math.ceil(value / scale + 1e-9) * scale
