"""A trial: one leaf, a few windows, and loads that move it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from bondline.core import (
    Advance,
    Causality,
    Effort,
    Model,
    Motion,
    Output,
    Port,
    Pose,
    Rejected,
    Signal,
    SignalPort,
    Vector,
    Window,
    uniform,
)
from bondline.testing.shown import by_kind, largest

Inputs: TypeAlias = Mapping[str, Signal]
Loads: TypeAlias = Callable[[Advance[Any], Window, int], Inputs]

PACE = 10.0  # m/s² and rad/s²: how hard the loads accelerate a port
# Windows from the start, each a quarter of the one before, down to 4e-12 of the first:
# a fine mesh with damping in proportion to its stiffness answers within a nanosecond,
# whatever window it is meant for, and what holds at an instant shows only before that.
LADDER = 20


class Refusal(Exception):
    """A window that the leaf rejected where the kit needed it."""

    def __init__(self, rejected: Rejected, window: Window) -> None:
        super().__init__(rejected.reason)
        self.rejected, self.window = rejected, window


@dataclass(frozen=True, eq=False)
class Trial:
    """A leaf and the windows to try it on; the same seed gives the same loads.

    `make` gives a second instance, and takes parameters by name. A leaf that cannot
    repeat a window is started and led to the place again.
    """

    leaf: Model
    h: float
    count: int = 5
    seed: int = 0
    make: Callable[..., Model] | None = None

    def fresh(self) -> Model:
        """A second instance, if there is a way to make one."""
        return self.make() if self.make else self.leaf

    def window(self, k: int) -> Window:
        """Window number `k` of the path."""
        return uniform(0.0, self.h, k)

    @property
    def last(self) -> int:
        """Where the path ends."""
        return self.count

    @property
    def mechanical(self) -> dict[str, Port]:
        """All but the signals."""
        return {n: p for n, p in self.leaf.ports.items() if isinstance(p, Port)}

    @property
    def driven(self) -> dict[str, Port]:
        """The ports that take forces."""
        return {
            name: port
            for name, port in self.mechanical.items()
            if port.causality is Causality.FORCE_IN
        }

    @cached_property
    def path(self) -> tuple[Advance[Any], ...]:
        """The start, and what every window under `loads` led to."""
        return self.lead(self.leaf, self.count)

    def lead(self, leaf: Model, count: int) -> tuple[Advance[Any], ...]:
        """The path with another instance, or with the same one once more."""
        start = leaf.start(0.0)
        windows = [self.window(k) for k in range(count)]
        return (start, *march(leaf, start, windows, self.loads))

    def follow(
        self, k: int, windows: Sequence[Window], loads: Loads
    ) -> list[Advance[Any]]:
        """Leave the path after `k` windows, and go on through others."""
        if self.leaf.capabilities.repeatable:
            return march(self.leaf, self.path[k], windows, loads)
        leaf = self.fresh()
        return march(leaf, self.lead(leaf, k)[-1], windows, loads)

    def step(self, k: int, inputs: Inputs) -> Advance[Any]:
        """One window from the path under these inputs."""
        return self.follow(k, [self.window(k)], lambda *_: inputs)[0]

    def rest(self, k: int) -> Loads:
        """The loads of the path from window `k` on."""
        return lambda before, window, j: self.loads(before, window, k + j)

    def loads(
        self, before: Advance[Any], window: Window, k: int, stream: int = 0
    ) -> dict[str, Signal]:
        """Random loads for window `k`: lines of force, smooth motions."""
        rng = np.random.default_rng([self.seed, stream, k])
        return {
            name: self._signal(
                name, before, window.h, rng.uniform(-1.0, 1.0, (2, port.size))
            )
            for name, port in self.leaf.ports.items()
            if isinstance(port, Port) or port.incoming
        }

    def steady(self, before: Advance[Any], window: Window, k: int) -> dict[str, Signal]:
        """Constant forces and constant accelerations, the same in every window."""
        rng = np.random.default_rng([self.seed, 1000])
        return {
            name: self._signal(
                name, before, window.h, rng.uniform(-1.0, 1.0, (1, port.size))
            )
            for name, port in self.leaf.ports.items()
            if isinstance(port, Port) or port.incoming
        }

    def _signal(
        self, name: str, before: Advance[Any], h: float, u: np.ndarray[Any, Any]
    ) -> Signal:
        port = self.leaf.ports[name]
        if isinstance(port, SignalPort) or port.causality is Causality.FORCE_IN:
            return Signal(u * self.scales[name])
        return going_on(port, before.outputs[name], h, PACE * u)

    @cached_property
    def scales(self) -> dict[str, Vector]:
        """Force on each dof that accelerates its port at about `PACE`."""
        return {name: self._scale(name, p) for name, p in self.leaf.ports.items()}

    def _scale(self, name: str, port: Port | SignalPort) -> Vector:
        size = np.ones(port.size)
        if name not in self.driven or isinstance(port, SignalPort):
            return size
        for dofs in by_kind(port).values():
            unit = np.zeros(port.size)
            unit[dofs] = np.where(np.arange(len(dofs)) % 2, -1.0, 1.0)
            push, free = self._nudge(name, unit), self._nudge(name, 0.0 * unit)
            response = largest((push.v - free.v)[dofs]) / self.h
            if 0.0 < response < np.inf:
                size[dofs] = PACE / response
        return size

    def _nudge(self, name: str, force: Vector) -> Motion:
        leaf = self.fresh() if not self.leaf.capabilities.repeatable else self.leaf
        start, window = leaf.start(0.0), self.window(0)
        inputs = {
            n: going_on(p, start.outputs[n], self.h, np.zeros((1, p.size)))
            for n, p in self.mechanical.items()
            if n not in self.driven
        }
        done = go(leaf, start, window, {**inputs, name: Signal.hold(force)})
        shown = done.outputs[name]
        assert isinstance(shown, Motion), f"port {name} must answer with motion"
        return shown


def go(
    leaf: Model, before: Advance[Any], window: Window, inputs: Inputs
) -> Advance[Any]:
    """One window; `Refusal` where the leaf rejects it."""
    done = leaf.advance(before.state, window, inputs)
    if isinstance(done, Rejected):
        raise Refusal(done, window)
    return done


def march(
    leaf: Model, before: Advance[Any], windows: Sequence[Window], loads: Loads
) -> list[Advance[Any]]:
    """Window after window."""
    found: list[Advance[Any]] = []
    for k, window in enumerate(windows):
        before = go(leaf, before, window, loads(before, window, k))
        found.append(before)
    return found


def going_on(port: Port, shown: Output, h: float, a: np.ndarray[Any, Any]) -> Signal:
    """A motion that goes on from what a port shows, with the given accelerations.

    The first row of `a` is the acceleration at the start, a second one its growth.
    """
    now = motion(shown)
    rows = np.zeros((len(a) + 2, port.size))
    if not port.frame:
        rows[0] = now.x
    rows[1] = h * now.v
    rows[2] = h**2 / 2.0 * a[0]
    if len(a) > 1:
        rows[3] = h**2 / 6.0 * a[1]
    origin = Pose(now.x, now.turn) if port.frame and now.turn is not None else None
    return Signal(rows, origin)


def motion(shown: Output) -> Motion:
    """What a port shows, or was told."""
    found = shown.at if isinstance(shown, Effort) else shown
    assert isinstance(found, Motion), f"a port must say where it is: {shown!r}"
    return found
