"""Which numbers of a row are what ports show: found once for every order of ports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bondline.core import Effort, Motion, Motions, Output, Port, SignalPort, Vector
from bondline.remote.codec.malformed import Malformed
from bondline.remote.codec.rows import BENT, EFFORT, MOTION, TURNED, VALUE


class Plan(NamedTuple):
    """Which piece of a row is what: by port f, x, v, a and turn, or none."""

    size: int
    ports: list[tuple[str, int, list[slice | None]]]
    points: _Points | None

    def read(self, row: Vector) -> Mapping[str, Output]:
        """What the ports show."""
        if self.points is not None:
            return Motions(self.points.places, row[self.points.order])
        own = row.copy()
        return {name: _cut(form, cuts, own) for name, form, cuts in self.ports}


class _Points(NamedTuple):
    """Ports that all show x, v and a of points: one array has them all."""

    places: Mapping[str, slice]
    order: NDArray[np.intp]


def _points(
    forms: Sequence[int], ports: list[tuple[str, int, list[slice | None]]], size: int
) -> _Points | None:
    names = {name for name, _, _ in ports}
    if {*forms} != {MOTION + BENT} or len(names) < len(ports):
        return None
    at, end, places, levels = np.arange(size), 0, {}, []
    for name, _, cuts in ports:
        each = [at[cut] for cut in cuts if cut is not None]
        if len({len(level) for level in each}) > 1:
            return None  # of a frame
        places[name] = slice(end, end := end + len(each[0]))
        levels.append(np.stack(each))
    return _Points(places, np.concatenate(levels, axis=1))


def planned(ports: Sequence[Port | SignalPort], forms: Sequence[int]) -> Plan:
    """Of ports that show these forms."""
    if len(ports) != len(forms):
        raise Malformed(f"{len(forms)} forms of {len(ports)} ports")
    at, found = 0, []
    for p, form in zip(ports, forms, strict=True):
        cuts = list[slice | None]()
        for size in _sizes(p, form):
            cuts.append(slice(at, at + size) if size else None)
            at += size
        found.append((p.name, form & 3, cuts))
    return Plan(at, found, _points(forms, found, at))


def _sizes(p: Port | SignalPort, form: int) -> tuple[int, ...]:
    """Numbers of f, x, v, a and turn; of a signal just one."""
    if form == VALUE:
        return (1,)
    if form & 3 not in (MOTION, EFFORT):
        raise Malformed(f"port {p.name} shows something of the form {form}")
    place = 3 if isinstance(p, Port) and p.frame else p.size
    force = p.size if form & 3 == EFFORT else 0
    bent = p.size if form & BENT else 0
    return force, place, p.size, bent, 4 if form & TURNED else 0


def _cut(form: int, cuts: list[slice | None], row: Vector) -> Output:
    if form == VALUE:
        return float(row[cuts[0]][0])
    f, x, v, a, turn = (None if c is None else row[c] for c in cuts)
    assert x is not None
    assert v is not None
    motion = Motion(x, v, a, turn)
    return motion if f is None else Effort(f, motion)
