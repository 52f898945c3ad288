"""From shapes of a free or held mesh to modes in a body's frame.

The frame floats: it either follows a node (`attached`), or is where the modes carry no
momentum (mean axes, Buckens and Tisserand), which is what free modes are by themselves.
Either way the modes with the six rigid motions span the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import eigh

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.mbd.modal.damping import ratios
from bondline.leaves.mbd.modal.fields import (
    Region,
    Sparse,
    nodes_of,
    of_fields,
    rigid_fields,
)
from bondline.leaves.mbd.modes import Modes

_STILL = 1e-6  # of the highest frequency: lower is rigid


@dataclass(frozen=True, eq=False)
class Bodied:
    """How a mesh becomes a body.

    `origin` is the place of the body's origin; its axes are those of the mesh.
    `attached` names the node that the frame follows; None: mean axes, or the supports
    of the mesh. `damping` are ratios, lowest first, besides the mesh's own damping.
    """

    nodes: Mapping[str, Region] = field(default_factory=dict)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    attached: str | None = None
    damping: float | Sequence[float] = 0.0


def elastic(
    M: Matrix, K: Matrix, count: int | None, top: float | None = None
) -> tuple[Vector, Matrix]:
    """Squares of frequencies and coordinates of the modes that are not rigid.

    The lowest `count`, or all up to `top` rad/s.
    """
    squares, shapes = eigh(K, M)
    highest = float(np.sqrt(max(squares[-1], 0.0)))
    kept = squares > (_STILL * highest) ** 2
    if top is not None:
        kept &= squares <= top**2
    few = np.flatnonzero(kept)[:count]
    return squares[few], shapes[:, few]


def as_modes(M: Sparse, points: Matrix, phi: Matrix, KD: Matrix, how: Bodied) -> Modes:
    """The body: mass matrix over nodes × 6, shapes (modes × nodes × 6).

    `KD` are the modal stiffness and the mesh's own damping: 2 × modes × modes.
    """
    s = points - np.asarray(how.origin)
    _check_names(how)
    if how.attached is not None:
        phi = _led(how, s, phi)
    known = of_fields(M, s, phi)
    K, own = KD
    D = own + (ratios(known.M, K, how.damping) if len(K) else own)
    return Modes(*known, K=K, D=D, nodes=nodes_of(how.nodes, s, phi))


def _check_names(how: Bodied) -> None:
    if how.attached is not None and how.attached not in how.nodes:
        raise SettingError(
            f"frame attached to {how.attached!r}",
            "there is no such node.",
            f"Nodes: {', '.join(how.nodes) or 'none'}.",
        )


def _led(how: Bodied, s: Matrix, phi: Matrix) -> Matrix:
    """Every mode less the rigid motion that its node makes."""
    node = nodes_of(how.nodes, s, phi)[str(how.attached)]
    at = np.asarray(node.frame.at)
    turn = node.tilt.T
    move = node.shift.T - np.cross(turn, at)
    rigid = rigid_fields(s)
    return np.asarray(phi - np.tensordot(np.hstack([move, turn]), rigid, axes=1))
