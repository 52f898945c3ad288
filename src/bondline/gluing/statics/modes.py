"""Free motions of an assembly, told in the dofs of its ports."""

from __future__ import annotations

import numpy as np

from bondline.core import Matrix, Rejected, Vector
from bondline.errors import SingularInterface
from bondline.gluing.statics.dofs import Seen

_MODES, _DOFS = 4, 6  # in one message
_SMALL = 0.02  # of the largest amplitude


def mechanism(seen: Seen, X: Matrix) -> Rejected:
    """A rejection that says which parts move in which dofs; X has a column a motion."""
    shapes = readable(X).round(9)  # so that equal amplitudes are equal
    count = shapes.shape[1]
    lines = [_told(seen, shape) for shape in shapes.T[:_MODES]]
    more = f" and {count - _MODES} more" if count > _MODES else ""
    what = "1 free motion meets" if count == 1 else f"{count} free motions meet"
    first = [seen.labels[int(np.argmax(np.abs(s)))] for s in shapes.T[:_MODES]]
    error = SingularInterface(
        f"{seen.name}, static equilibrium",
        f"{what} no resistance: {'; '.join(lines)}{more}.",
        f"Add supports or joints that hold {', '.join(first)}, or another dof of the "
        "same motion.",
    )
    return Rejected(seen.name, error.finding, error=error)


def readable(X: Matrix) -> Matrix:
    """The same motions, each alone in one of the dofs, and 1 there."""
    from scipy.linalg import qr

    count = X.shape[1]
    scaled = X / np.abs(X).max(axis=0)
    order = qr(scaled.T, mode="r", pivoting=True)[1]
    shapes = scaled @ np.linalg.inv(scaled[order[:count]])
    made: Matrix = shapes / np.abs(shapes).max(axis=0)
    return made


def _told(seen: Seen, shape: Vector) -> str:
    """`rail (rail.a y 1, rail.b y -0.5)`."""
    labels = seen.labels
    order = np.argsort(-np.abs(shape), kind="stable")
    large = [i for i in order.tolist() if abs(shape[i]) > _SMALL]
    parts = dict.fromkeys(seen.owners[i] for i in sorted(large))
    dofs = [f"{labels[i]} {shape[i]:.2g}" for i in large[:_DOFS]]
    more = f", {len(large) - _DOFS} more" if len(large) > _DOFS else ""
    return f"{' with '.join(parts)} ({', '.join(dofs)}{more})"
