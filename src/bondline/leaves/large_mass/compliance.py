"""What a unit of load on each large mass does: by one correction each, no matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from bondline.core import Correcting, Matrix, Rejected, Trial, Vector
from bondline.errors import LeafFailed
from bondline.leaves.large_mass.pursuit import Pursuit
from bondline.leaves.large_mass.told import behind


def dynamic_compliance(
    pursuit: Pursuit, trial: Trial, loads: Vector, size: Vector
) -> Matrix:
    """C = ∂φ/∂f_e around a trial under `loads`, liu (4); `size` is how far to probe.

    Exact where the leaf is linear; a trial that balances costs one correction a dof.
    """
    every = _levels(pursuit, trial, loads, size)
    found: Matrix = -np.tensordot(pursuit.weights, every, axes=1)
    return found


def apparent_mass(
    pursuit: Pursuit, trial: Trial, loads: Vector, size: Vector
) -> Matrix:
    """M_app = ∂f_i/∂r'' over the window: what the multibody side feels.

    It is K* of the part, condensed to its interface, over 1 − α_f and without large
    masses: nodal masses for short windows, and more the longer a window is.
    """
    way = pursuit.leaf.balance
    gain = (1.0 - way.alpha_m) / (1.0 - way.alpha_f)
    da = _levels(pursuit, trial, loads, size)[2]
    found: Matrix = np.linalg.inv(da) - gain * np.diag(pursuit.mass)
    return found


def _levels(pursuit: Pursuit, trial: Trial, loads: Vector, size: Vector) -> Any:
    """∂(x, v, a)/∂f_e: levels × dofs × loads."""
    base = _corrected(pursuit.leaf, trial, pursuit.split(loads))
    found = np.zeros((3, len(loads), len(loads)))
    for k, step in enumerate(size):
        moved = loads.copy()
        moved[k] += step
        done = _corrected(pursuit.leaf, trial, pursuit.split(moved))
        rows = [behind(done.motions[p], base.motions[p]) for p in pursuit.pieces]
        found[:, :, k] = np.hstack(rows) / step
    return found


def _corrected(leaf: Correcting[Any], trial: Trial, loads: dict[str, Vector]) -> Trial:
    done = leaf.correct(trial, loads)
    if isinstance(done, Rejected):
        raise LeafFailed(
            f"{done.model}: probing its compliance",
            f"{done.reason}.",
            "Shorten the window; the part must get over it by itself.",
        )
    return done
