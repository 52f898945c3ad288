"""The joints by name: short compositions of conditions.

Axes are in the joint frame of the first end (`axis`) and of the second (`axis2`, the
same numbers unless told). F₁ and M₁ go with the first of two directions perpendicular
to the axis, F₃ with the axis itself, Mₙ with the normal to two axes, F_d with the line
between two points; all act on the first end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from bondline.core import Matrix, PortRef
from bondline.errors import SettingError
from bondline.gluing.joints.conditions import (
    Apart,
    Coincide,
    Condition,
    Perpendicular,
    SameTurn,
    SameTurnInA,
    Slide,
)
from bondline.gluing.joints.joint import Joint, Triple

Ends: TypeAlias = tuple[PortRef, ...]
Triples: TypeAlias = Sequence[Sequence[float]]

_Z = (0.0, 0.0, 1.0)


def fixed(name: str, ends: Ends, frames: Triples = (), rests: Triples = ()) -> Joint:
    """Frames that move as one; two ends or more."""
    return Joint(
        name,
        ends,
        "fixed",
        (Coincide(), SameTurn()),
        *_seats(name, ends, frames, rests),
    )


def spherical(name: str, ends: Ends, rests: Triples = ()) -> Joint:
    """Points that coincide; two ends or more."""
    return Joint(name, ends, "spherical", (Coincide(),), *_seats(name, ends, (), rests))


def revolute(
    name: str,
    ends: Ends,
    axis: Sequence[float] = _Z,
    axis2: Sequence[float] | None = None,
    frames: Triples = (),
    rests: Triples = (),
) -> Joint:
    """Points that coincide, free to turn about one common axis."""
    held = (Coincide(), _aligned(name, axis, axis2))
    return Joint(name, ends, "revolute", held, *_seats(name, ends, frames, rests))


def universal(
    name: str,
    ends: Ends,
    axis: Sequence[float] = _Z,
    axis2: Sequence[float] | None = None,
    frames: Triples = (),
    rests: Triples = (),
) -> Joint:
    """Points that coincide, with an axis of each end perpendicular to the other.

    Without `axis2` it is the first direction perpendicular to `axis`.
    """
    a1, _, a3 = triad(name, axis)
    b = a1 if axis2 is None else triad(name, axis2)[2]
    cross = Perpendicular(a3[None], b, ("Mn",))
    return Joint(
        name, ends, "universal", (Coincide(), cross), *_seats(name, ends, frames, rests)
    )


def cylindrical(
    name: str,
    ends: Ends,
    axis: Sequence[float] = _Z,
    axis2: Sequence[float] | None = None,
    frames: Triples = (),
    rests: Triples = (),
) -> Joint:
    """Free to slide along a common axis and to turn about it."""
    held = (_on_line(name, axis), _aligned(name, axis, axis2))
    return Joint(name, ends, "cylindrical", held, *_seats(name, ends, frames, rests))


def prismatic(
    name: str,
    ends: Ends,
    axis: Sequence[float] = _Z,
    frames: Triples = (),
    rests: Triples = (),
) -> Joint:
    """Free to slide along the axis; turned alike."""
    held = (_on_line(name, axis), SameTurn())
    return Joint(name, ends, "prismatic", held, *_seats(name, ends, frames, rests))


def planar(
    name: str,
    ends: Ends,
    axis: Sequence[float] = _Z,
    axis2: Sequence[float] | None = None,
    frames: Triples = (),
    rests: Triples = (),
) -> Joint:
    """Free to slide in a plane of the first end and to turn about its normal."""
    on = Slide(triad(name, axis)[2:], ("F3",))
    held = (on, _aligned(name, axis, axis2))
    return Joint(name, ends, "planar", held, *_seats(name, ends, frames, rests))


def point_on_line(
    name: str,
    ends: Ends,
    axis: Sequence[float] | None = None,
    plane: bool = False,
    frames: Triples = (),
    rests: Triples = (),
) -> Joint:
    """The point of the second end on a line through the first, along `axis`.

    The axis is z unless told; in the plane it is x, and its third number must be 0.
    """
    if not plane:
        on = _on_line(name, _Z if axis is None else axis)
        return Joint(
            name, ends, "point-on-line", (on,), *_seats(name, ends, frames, rests)
        )
    a3 = triad(name, (1.0, 0.0, 0.0) if axis is None else axis)[2]
    if a3[2]:
        raise SettingError(
            f"joint {name}",
            f"its axis is {_numbers(axis or ())}, which leaves the plane.",
            "Give an axis in the plane, for example 1 0 0.",
        )
    across = Slide(np.array([[-a3[1], a3[0], 0.0]]), ("F1",))
    return Joint(
        name,
        ends,
        "point-on-line",
        (across,),
        *_seats(name, ends, frames, rests),
        plane=True,
    )


def distance(
    name: str, ends: Ends, length: float, plane: bool = False, rests: Triples = ()
) -> Joint:
    """Two points a given length apart: a massless rod with ball ends."""
    if not length > 0.0:
        raise SettingError(
            f"joint {name}",
            f"its length is {length!r}.",
            "Give a positive length in metres; points that coincide make a spherical "
            "joint (in the plane: a tie of x y).",
        )
    return Joint(
        name,
        ends,
        "distance",
        (Apart(length),),
        *_seats(name, ends, (), rests),
        plane=plane,
    )


def cushion(
    name: str, ends: Ends, turned: bool, frames: Triples = (), rests: Triples = ()
) -> Joint:
    """All six (or three) gaps in the axes of the first end: what a bushing measures."""
    on: Condition = Slide(np.eye(3), ("F1", "F2", "F3"))
    held = (on, SameTurnInA()) if turned else (on,)
    return Joint(name, ends, "bushing", held, *_seats(name, ends, frames, rests))


def triad(name: str, axis: Sequence[float]) -> Matrix:
    """Three perpendicular unit rows, right-handed, the last along `axis`.

    >>> triad("A", (0.0, 0.0, 2.0)).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    a = np.array(axis, dtype=np.float64)
    if a.shape != (3,) or not np.isfinite(a).all() or not a.any():
        raise SettingError(
            f"joint {name}",
            f"an axis is {_numbers(axis)}.",
            "Give three numbers that are not all zero, for example 0 0 1.",
        )
    a3 = a / np.abs(a).max()
    a3 /= np.sqrt(a3 @ a3)
    a1 = np.roll(np.eye(3), 1, axis=1)[int(np.argmax(np.abs(a3)))]
    a1 = a1 - (a1 @ a3) * a3
    a1 /= np.sqrt(a1 @ a1)
    return np.stack([a1, np.cross(a3, a1), a3]) + 0.0  # no −0


def _on_line(name: str, axis: Sequence[float]) -> Slide:
    return Slide(triad(name, axis)[:2], ("F1", "F2"))


def _aligned(
    name: str, axis: Sequence[float], axis2: Sequence[float] | None
) -> Perpendicular:
    """Both axes are parallel: e₁ and e₂ are small turns of A about its a₁ and a₂."""
    a1, a2, _ = triad(name, axis)
    b3 = triad(name, axis if axis2 is None else axis2)[2]
    return Perpendicular(np.stack([a2, -a1]), b3, ("M1", "M2"))


def _seats(
    name: str, ends: Ends, frames: Triples, rests: Triples
) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    for what, given in (("frames", frames), ("rests", rests)):
        sizes = [len(g) for g in given]
        if given and sizes != [3] * len(ends):
            raise SettingError(
                f"joint {name}",
                f"its {what} have {' + '.join(map(str, sizes))} numbers, and it has "
                f"{len(ends)} ends.",
                f"Give three numbers for each end in {what}, or leave {what} out.",
            )
    return _triples(frames), _triples(rests)


def _triples(given: Triples) -> tuple[Triple, ...]:
    return tuple((float(x), float(y), float(z)) for x, y, z in given)


def _numbers(axis: Sequence[float]) -> str:
    return " ".join(f"{x:g}" for x in axis) or "empty"
