"""Paths of rest through limit loads: the arc-length method.

The load factor λ is an unknown as well. A step goes the length s along the tangent of
the path, on the side it came from; corrections stay in the plane across what the step
has become so far (Ramm 1981): with K Δ = λ q − f and K t = q,

    δu = Δ + δλ t,   δλ = −(Δu · Δ)/(Δu · t).                                 (1)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bondline.core import Vector
from bondline.leaves.nonlinear.state import Parts
from bondline.leaves.nonlinear.statics import Statics, Stuck


class Point(NamedTuple):
    """A rest on the path, and the share of the load there."""

    factor: float
    parts: Parts


@dataclass(frozen=True, eq=False)
class ArcLength:
    """Rests under multiples of one load, whether it grows or falls along the path.

    `length` is the norm of displacements of a first step; later ones are up to four
    times as long where corrections are few, and shorter where they are many.
    """

    statics: Statics
    length: float
    wanted: int = 5

    def trace(self, start: Parts, load: Vector) -> Iterator[Point | Stuck]:
        """Points one after the other, from `start` at rest without the load.

        The last one is a `Stuck` where no step is short enough.
        """
        now, size, before = Point(0.0, start), self.length, None
        while True:
            found = self._step(now, load, size, before)
            if isinstance(found, Stuck):
                size *= 0.25
                if size < 1e-4 * self.length:
                    yield found
                    return
                continue
            before = found[0].parts.u - now.parts.u
            now, count = found
            size = min(size * np.sqrt(self.wanted / count), 4.0 * self.length)
            yield now

    def _step(
        self, now: Point, load: Vector, size: float, before: Vector | None
    ) -> tuple[Point, int] | Stuck:
        s, du, factor = self.statics, np.zeros_like(load), now.factor
        for k in range(s.newton.patience):
            inner = s.inner(now.parts, du)
            r = factor * load - inner.force - s.springs * (now.parts.u + du)
            off = s.relative(r, inner, factor * load)
            if not np.isfinite(off):
                return Stuck(factor, "numbers that are not finite")
            if k and off <= s.newton.tolerance:
                parts = s.arrived(now.parts, du, inner, factor * load)
                return Point(factor, parts), k
            try:
                along, back = s.solve(inner, np.stack([load, r], axis=1)).T
            except np.linalg.LinAlgError:
                return Stuck(factor, "something moves without resistance")
            if k == 0:
                ahead = 1.0 if before is None else np.sign(before @ along) or 1.0
                more = float(ahead * size / np.linalg.norm(along))
                du, factor = more * along, factor + more
            else:
                more = -float(du @ back) / float(du @ along)
                du, factor = du + back + more * along, factor + more
        return Stuck(factor, f"no balance after {s.newton.patience} corrections")
