"""What forces and told positions do to an equilibrium, by differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bondline.core import Advance, Effort, Static, Vector
from bondline.testing.asking import Declined, ask
from bondline.testing.differences import between
from bondline.testing.trial import Trial

SOFT = 1e-3  # m: how far the springs give under the forces


@dataclass(frozen=True, eq=False)
class Rest:
    """A leaf at rest without loads, on springs at its ports if it needs them."""

    trial: Trial
    leaf: Static[Any]
    still: Advance[Any]
    springs: Mapping[str, Vector]

    def column(self, name: str, j: int, share: float) -> dict[str, Vector]:
        """∂(position or effort of each port)/∂(one input), central."""
        step = share * float(self.trial.scales[name][j])
        up, down = (self._moved(name, j, d) for d in (step, -step))
        return {
            out: between(port, down.outputs[out], up.outputs[out])[0] / (2.0 * step)
            for out, port in self.trial.mechanical.items()
            if out in up.outputs
        }

    def _moved(self, name: str, j: int, by: float) -> Advance[Any]:
        shown = self.still.outputs[name]
        value = np.zeros(self.trial.mechanical[name].size)
        if isinstance(shown, Effort):
            value = shown.at.x.copy()
        value[j] += by
        inputs = {name: value}
        return ask(
            lambda: self.leaf.equilibrium(self.still.state, 0.0, inputs, self.springs)
        )


def soft(trial: Trial) -> dict[str, Vector]:
    """Springs on the ports that take force."""
    return {name: np.abs(trial.scales[name]) / SOFT for name in trial.driven}


def rest(trial: Trial, springs: Mapping[str, Vector]) -> Rest | None:
    """At rest with these springs; None where the leaf finds no equilibrium."""
    leaf, start = trial.leaf, trial.path[0]
    if not isinstance(leaf, Static):
        return None
    try:
        still = ask(lambda: leaf.equilibrium(start.state, 0.0, {}, springs))
    except Declined:
        return None
    return Rest(trial, leaf, still, springs)
