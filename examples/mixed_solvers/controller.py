"""The controller: a light hand that leads the tip of the arm along a path."""

from __future__ import annotations

from bondline.leaves import FunctionLeaf

START = (1.3, 0.0, 1.0)
MASS = 0.2  # kg, of the hand


def wanted(t: float, lift: float, time: float) -> float:
    """How high the tip should be above its start: smooth, then still."""
    s = min(max(t / time, 0.0), 1.0)
    return lift * s**3 * (10.0 - 15.0 * s + 6.0 * s**2)


def controller(
    name: str, gain: float = 4000.0, damping: float = 300.0, lift: float = 0.1
) -> FunctionLeaf:
    """Springs and dampers to where the tip should be, and the weight in advance."""
    weight = 55.0  # N, roughly what hangs on the hand

    def rate(t, y, forces):
        x, v = y[:3], y[3:]
        goal = (0.0, 0.0, wanted(t, lift, 0.3))
        pull = [
            gain * (g - u) - damping * w for g, u, w in zip(goal, x, v, strict=True)
        ]
        pull[2] += weight
        push = zip(pull, forces["hand"], strict=True)
        return [*v, *((p + f) / MASS for p, f in push)]

    def motion(t, y, dy):
        place = [s + u for s, u in zip(START, y[:3], strict=True)]
        return {"hand": (place, y[3:], dy[3:])}

    return FunctionLeaf(
        name,
        y0=[0.0] * 6,
        dofs={"hand": ("x", "y", "z")},
        rate=rate,
        motion=motion,
        publish={"dx": "m", "dy": "m", "dz": "m"},
        kinks=(0.3,),
    )
