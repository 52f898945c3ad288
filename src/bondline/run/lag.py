"""The lag of one pass: forces that leaders felt before they were asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.run.tally import Tally


@dataclass(frozen=True, slots=True)
class Lag:
    """The largest difference of both forces over a run, and its share of the forces.

    One pass extrapolates the force that the leaders feel, and learns afterwards which
    one the followers asked for. What is missing is felt in the next window.
    """

    most: float  # N
    at: float  # s
    force: float  # the largest of the run, N

    @property
    def share(self) -> float:
        """Of the largest force of the run."""
        return self.most / self.force if self.force > 0.0 else 0.0


def lag(tally: Tally) -> Lag | None:
    """Of a run that took one pass a window; None for others."""
    most, force = tally.stat("lag"), tally.stat("force")
    if most is None or force is None:
        return None
    worst = int(np.argmax(most))
    return Lag(float(most[worst]), float(tally.t[1 + worst]), float(force.max()))
