"""Whether every motion of a model has mass."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bondline.errors import SettingError
from bondline.leaves.fe.assembled import Assembled
from bondline.numerics.factor import Operator, factor
from bondline.numerics.loose import loose_modes

_SMALL = 3000  # dofs: mass matrices up to there are looked at closely


def check_mass(made: Assembled) -> None:
    """Refuse a model in which some motion has no mass: it has no accelerations."""
    M, plan = made.system.M, made.elimination
    diagonal = np.asarray(M.diagonal())
    idle = ~(diagonal > 0.0)
    linked = plan.T.nnz != len(plan.free)
    if not idle.any() and (linked or len(diagonal) <= _SMALL):
        idle = _unheavy(M)
    if idle.any():
        _refuse_massless(made, idle)


def _unheavy(M: Operator) -> NDArray[np.bool_]:
    """Dofs that move most where a combination of dofs has no mass."""
    try:
        if factor(M).slack > 1e-13:
            return np.zeros(M.shape[0], dtype=bool)
    except np.linalg.LinAlgError:
        pass
    loose = np.abs(loose_modes(M))
    most = loose.max(axis=0, initial=0.0)
    return np.asarray((loose > 0.5 * most).any(axis=1))


def _refuse_massless(made: Assembled, idle: NDArray[np.bool_]) -> None:
    slots = made.dofs.slots[made.elimination.free[idle]]
    raise SettingError(
        f"{made.name}: mass",
        f"no mass resists {made.dofs.listed(slots)}.",
        "Statics can do without; for dynamics give the material a density, use "
        "consistent masses (lumped=False) or add rotary inertia.",
    )
