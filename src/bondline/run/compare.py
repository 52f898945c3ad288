"""Compare: how far two runs, or a run and a reference, are apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Vector
from bondline.errors import UsageError, did_you_mean
from bondline.run.results import Results
from bondline.run.table import Table

_Mask: TypeAlias = NDArray[np.bool_]

_SAME = 1e-9  # instants this close are one instant
_AXES = ("x", "y", "z")


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Allowed difference: `atol` + `rtol` times the largest |reference|."""

    rtol: float = 1e-3
    atol: float = 1e-6


@dataclass(frozen=True, slots=True)
class Difference:
    """One signal against its reference."""

    signal: str
    reference: str
    largest: float
    at: float
    rms: float
    allowed: float

    @property
    def ok(self) -> bool:
        """Within tolerance."""
        return self.largest <= self.allowed

    @property
    def verdict(self) -> str:
        """`ok`, or how many times too large the difference is."""
        if self.ok:
            return "ok"
        times = self.largest / self.allowed if self.allowed > 0.0 else float("inf")
        return f"OUT ({times:.3g} x)"


@dataclass(frozen=True)
class Comparison:
    """All signals that were compared, and what was left aside."""

    differences: tuple[Difference, ...]
    instants: int  # compared
    skipped: int  # instants of the reference outside the run
    alone: tuple[str, ...] = field(default=())  # signals that only one side has

    @property
    def ok(self) -> bool:
        """Every signal within tolerance."""
        return all(d.ok for d in self.differences)


def compare(
    found: Results | Table,
    reference: Results | Table,
    tolerance: Tolerance | None = None,
    *,
    signals: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare `found` with `reference` at the instants of the reference.

    `signals` are names or patterns (`joint.A.*`); without them all common signals
    are compared. `names` maps signals to the names that the reference uses. Where
    instants coincide, values are compared as they are; elsewhere `found` is
    interpolated with the cubic through its four nearest instants.
    """
    a, b = _table(found), _table(reference)
    known = names or {}
    _check_names(a, b, known)
    chosen = _chosen(a, b, signals, known)
    inside = _overlap(a, b)
    at = np.clip(b.t[inside], a.t[0], a.t[-1])
    differences = tuple(
        _difference(name, known.get(name, name), (a, b), inside, at, tolerance)
        for name in chosen
    )
    alone = _alone(a, b, known)
    return Comparison(differences, len(at), int((~inside).sum()), alone)


def interpolate(t: Vector, y: Vector, at: Vector) -> Vector:
    """`y(t)` at other instants: as it is where they coincide, else a local cubic.

    >>> t = np.linspace(0.0, 1.0, 6)
    >>> interpolate(t, t**3, np.array([0.2, 0.5]))
    array([0.008, 0.125])
    """
    nearest = _nearest(t, at)
    same = np.abs(t[nearest] - at) <= _SAME * np.maximum(1.0, np.abs(at))
    return np.where(same, y[nearest], _cubic(t, y, at))


def _nearest(t: Vector, at: Vector) -> NDArray[np.intp]:
    right = np.clip(np.searchsorted(t, at), 1, max(len(t) - 1, 1))
    right = np.minimum(right, len(t) - 1)
    left = np.maximum(right - 1, 0)
    return np.where(at - t[left] <= t[right] - at, left, right)


def _cubic(t: Vector, y: Vector, at: Vector) -> Vector:
    """Lagrange through the (up to) four nearest instants."""
    points = min(4, len(t))
    first = np.clip(np.searchsorted(t, at) - points // 2, 0, len(t) - points)
    index = first[:, None] + np.arange(points)
    T, Y = t[index], y[index]
    total = np.zeros_like(at)
    for j in range(points):
        weight = np.ones_like(at)
        for m in range(points):
            if m != j:
                weight = weight * (at - T[:, m]) / (T[:, j] - T[:, m])
        total = total + weight * Y[:, j]
    return total


def _difference(
    name: str,
    other: str,
    tables: tuple[Table, Table],
    inside: _Mask,
    at: Vector,
    tolerance: Tolerance | None,
) -> Difference:
    a, b = tables
    limit = tolerance or Tolerance()
    right = b.columns[other][inside]
    d = np.abs(interpolate(a.t, a.columns[name], at) - right)
    worst = int(np.argmax(d))
    return Difference(
        signal=name,
        reference=other,
        largest=float(d[worst]),
        at=float(at[worst]),
        rms=float(np.sqrt(np.mean(d**2))),
        allowed=limit.atol + limit.rtol * _size(b, other, inside),
    )


def _size(table: Table, name: str, inside: _Mask) -> float:
    """The largest value of a signal, or of the other components beside it.

    Fz of a joint that pulls along x is round-off, and measured by Fx.
    """
    stem = name[:-1] if name[-1:] in _AXES else ""
    beside = [f"{stem}{axis}" for axis in _AXES] if stem else [name]
    found = [table.columns[n][inside] for n in beside if n in table.columns]
    return max(float(np.abs(values).max()) for values in found)


def _table(side: Results | Table) -> Table:
    return side if isinstance(side, Table) else Table.of(side)


def _overlap(a: Table, b: Table) -> _Mask:
    for side in (a, b):
        if not len(side.t):
            raise UsageError(
                side.name,
                "there are no instants to compare.",
                "Give a run that has started, or resume it first.",
            )
    slack = _SAME * max(1.0, float(np.abs(a.t).max()))
    inside: _Mask = (b.t >= a.t[0] - slack) & (b.t <= a.t[-1] + slack)
    if not inside.any():
        raise UsageError(
            f"compare {a.name} with {b.name}",
            f"their times do not overlap: {a.t[0]:.6g} to {a.t[-1]:.6g} s against "
            f"{b.t[0]:.6g} to {b.t[-1]:.6g} s.",
            "Compare runs over the same time; the reference's time must be in seconds.",
        )
    return inside


def _check_names(a: Table, b: Table, names: Mapping[str, str]) -> None:
    for name, other in names.items():
        _require(a, name)
        _require(b, other)


def _require(table: Table, name: str) -> None:
    if name not in table.columns:
        raise UsageError(
            table.name,
            f"there is no signal {name!r}.",
            did_you_mean(name, table.columns),
        )


def _chosen(
    a: Table, b: Table, signals: Sequence[str], names: Mapping[str, str]
) -> list[str]:
    common = [name for name in a.columns if names.get(name, name) in b.columns]
    if not signals and not common:
        raise UsageError(
            f"compare {a.name} with {b.name}",
            f"they have no signal in common; the reference has {', '.join(b.columns)}.",
            f"Map names, for example {next(iter(a.columns), 'x')}=NAME. The run has "
            f"{', '.join(a.columns)}.",
        )
    chosen: dict[str, None] = {}
    for pattern in signals:
        chosen.update(dict.fromkeys(_matching(a, b, pattern, names)))
    return list(chosen) or common


def _matching(a: Table, b: Table, pattern: str, names: Mapping[str, str]) -> list[str]:
    matches = [name for name in a.columns if fnmatchcase(name, pattern)]
    if not matches:
        _require(a, pattern)
    for name in matches:
        _require(b, names.get(name, name))
    return matches


def _alone(a: Table, b: Table, names: Mapping[str, str]) -> tuple[str, ...]:
    mapped = {names.get(name, name): name for name in a.columns}
    left = [name for other, name in mapped.items() if other not in b.columns]
    return (*left, *(other for other in b.columns if other not in mapped))
