"""The surface of a model, from reduced coordinates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bondline.core import Deformed, Matrix, Skin, Vector
from bondline.leaves.fe.reduction.reduced import Reduced
from bondline.leaves.fe.skin import FullField


@dataclass(frozen=True, eq=False)
class ReducedField:
    """What `FullField` shows, found on the owner's side from coordinates y.

    `left_out` gives what the modes left out would do at rest, for a unit of every
    history.
    """

    full: FullField
    reduced: Reduced
    left_out: Callable[[], Matrix]

    @property
    def rest(self) -> Skin:
        """The surface where nothing has moved."""
        return self.full.rest

    def at(self, y: Vector, t: float | None, share: float) -> Deformed:
        """Where it is in a state; see `Skinned`."""
        made = self.full.model.assembled
        h = made.factors(t)
        q = self.reduced.recover(y) + share * (self.left_out() @ h)
        return self.full.at(np.asarray(q, dtype=np.float64), t, share)

    def amplitudes(self, y: Vector) -> Deformed:
        """How it moves in a vibration."""
        return self.full.amplitudes(self.reduced.recover(y))
