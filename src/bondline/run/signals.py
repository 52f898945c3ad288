"""From frames to results: joint forces at the instants, and what the parts publish.

Forces live on windows, results on instants. A force that is constant over a window is
the mean of its window, so it belongs to the middle: between two windows we take the
line through the two middles (for equal windows the average), and at the ends of the
run we prolong the line through the two nearest instants. This is second order; the
raw value at the end of a window is not (98 N off where the rule is 8.7 N off). A force
with a slope has limits from both sides, and we take their mean. A force whose end
value is the force at t_1 (`Reaction.instant`) needs no rule but at the start.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bondline.core import Frame, Matrix, Reaction, Signal, Vector
from bondline.run.results import Results

_NODAL = re.compile(r"((?:.*\.)?)\d+\.(F[xyz])")


@dataclass(frozen=True, slots=True)
class About:
    """What results say about where they come from."""

    run: str = ""
    model: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    certificate: Mapping[str, Any] = field(default_factory=dict)


def gather(frames: Iterable[Frame], about: About | None = None) -> Results:
    """All frames of a run as arrays, joint forces first."""
    kept = list(frames)
    about = about or About()
    t = np.array([frame.t for frame in kept])
    forces = _forces(kept, t)
    return Results(
        run=about.run,
        model=about.model,
        t=t,
        signals={**forces, **_values(kept)},
        units={**{name: unit_of(name) for name in forces}, **_units(kept)},
        windows=_windows(kept[1:]),
        shapes=_shapes(kept),
        settings=about.settings,
        certificate=about.certificate,
    )


def unit_of(force: str) -> str:
    """Unit of a joint force from its component.

    >>> unit_of("joint.A.Fx"), unit_of("joint.A.Mz"), unit_of("joint.A.3.Mx")
    ('N', 'N.m', 'N.m')
    """
    return "N.m" if force.rpartition(".")[2].startswith("M") else "N"


def at_instants(reactions: Sequence[Reaction], t: Vector) -> Matrix:
    """Force of one joint at every instant of `t`: one row an instant.

    `reactions` are those of the windows between the instants.
    """
    left = np.array([Signal(r.coefficients).start for r in reactions])
    right = np.array([Signal(r.coefficients).end for r in reactions])
    flat = np.array([len(r.coefficients) == 1 for r in reactions])
    return joined(Limits(left, right, flat, reactions[-1].instant), t)


class Limits(NamedTuple):
    """Force of one joint in every window: from inside at both ends, a row a window.

    `flat` says of which windows the force is constant, `instant` that the right limit
    is the force at that instant.
    """

    left: Matrix
    right: Matrix
    flat: NDArray[np.bool_]
    instant: bool


def joined(limits: Limits, t: Vector) -> Matrix:
    """The same force at every instant of `t`, which has one more than windows."""
    left, right, flat, instant = limits
    if instant:
        return np.vstack([_first_instant(left, right, t), right])
    out = np.empty((len(t), left.shape[1]))
    out[1:-1] = right[:-1] + _share(np.diff(t), flat) * (left[1:] - right[:-1])
    out[0] = _prolong(left, out[1:-1], t, flat)
    out[-1] = _prolong(right[::-1], out[-2:0:-1], t[::-1], flat[::-1])
    return out


def _share(h: Vector, flat: Any) -> Matrix:
    """Where the instant lies between the middles of its two windows."""
    middle = h[:-1] / (h[:-1] + h[1:])
    share: Matrix = np.where(flat[:-1] & flat[1:], middle, 0.5)[:, None]
    return share


def _prolong(F: Matrix, inner: Matrix, t: Vector, flat: Any) -> Vector:
    """Value at the outer end of the first window, t[0].

    For constant forces the line through the first two inner instants, where the
    saw-tooth of neighbouring windows has cancelled; with two windows only, through
    the first middle and the instant between them.
    """
    edge: Vector = F[0]
    if len(F) < 2 or not flat.all():
        return edge
    far, there = (t[2], inner[1]) if len(inner) > 1 else (0.5 * (t[0] + t[1]), F[0])
    line: Vector = inner[0] + (there - inner[0]) * ((t[0] - t[1]) / (far - t[1]))
    return line


def _first_instant(left: Matrix, right: Matrix, t: Vector) -> Vector:
    """Where the first window starts, or the line through the first two instants."""
    if len(right) < 2 or not np.array_equal(left, right):
        edge: Vector = left[0]
        return edge
    ratio = (t[1] - t[0]) / (t[2] - t[1])
    line: Vector = right[0] - (right[1] - right[0]) * ratio
    return line


def _forces(frames: Sequence[Frame], t: Vector) -> dict[str, Vector]:
    if len(frames) < 2:
        return {}
    signals = {}
    for name, last in frames[-1].forces.items():
        reactions = [frame.forces[name] for frame in frames[1:]]
        F = at_instants(reactions, t)
        for component, columns in resultants(last.components).items():
            signals[f"{name}.{component}"] = F[:, columns].sum(axis=1)
        for j, component in enumerate(last.components):
            signals[f"{name}.{component}"] = F[:, j].copy()
    return signals


def resultants(components: Sequence[str]) -> dict[str, list[int]]:
    """The forces that a joint of several nodes has as a whole, and what adds up to it.

    Moments do not: they would need a point that they are about.

    >>> resultants(["0.Fx", "0.Mx", "1.Fx", "1.Mx"])
    {'Fx': [0, 2]}
    """
    found: dict[str, list[int]] = {}
    for j, component in enumerate(components):
        match = _NODAL.fullmatch(component)
        if match:
            found.setdefault(match[1] + match[2], []).append(j)
    return found


def _values(frames: Sequence[Frame]) -> dict[str, Vector]:
    names = dict.fromkeys(name for frame in frames for name in frame.values)
    return {
        name: np.array(
            [f.values[name].value if name in f.values else math.nan for f in frames]
        )
        for name in names
    }


def _units(frames: Sequence[Frame]) -> dict[str, str]:
    return {name: o.unit for frame in frames for name, o in frame.values.items()}


def _windows(frames: Sequence[Frame]) -> dict[str, Vector]:
    """Counts of every window, and its energies where the parts report them."""
    names = dict.fromkeys(name for frame in frames for name in frame.stats)
    out = {n: np.array([f.stats.get(n, math.nan) for f in frames]) for n in names}
    energies = [frame.energy for frame in frames]
    if frames and all(energy is not None for energy in energies):
        for name in ("stored", "dissipated", "supplied"):
            out[f"energy.{name}"] = np.array([getattr(e, name) for e in energies])
    return out


def _shapes(frames: Sequence[Frame]) -> dict[str, Matrix]:
    first = frames[0].shapes if frames else {}
    return {name: np.array([f.shapes[name] for f in frames]) for name in first}
