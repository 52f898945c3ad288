"""Surfaces of a remote model: what its owner publishes and grants, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bondline.core import Deformed, Matrix, Skin, Vector
from bondline.errors import NotAllowed
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.asking import Asking
from bondline.remote.client.held import Held, kept
from bondline.remote.codec import encode
from bondline.remote.codec.malformed import Malformed

T = TypeVar("T")


class _Looking(Asking):
    """Asks for surfaces; whoever is not granted that sees none, and goes on."""

    _outlines: Mapping[str, Skin] | None = None

    @property
    def outlines(self) -> Mapping[str, Skin]:
        """At rest; asked for once."""
        if self._outlines is None:
            self._outlines = self._looked(pb.Request(skins=pb.Skins()), _skins)
        return self._outlines

    def displaced(self, request: pb.Request) -> Mapping[str, Deformed]:
        """How they have moved, where there are any."""
        skins = self.outlines
        return self._looked(request, lambda r: _moved(r.moved, skins)) if skins else {}

    def _looked(
        self, request: pb.Request, read: Callable[[pb.Reply], Mapping[str, T]]
    ) -> Mapping[str, T]:
        try:
            return read(self.link.ask(request))
        except NotAllowed:
            return {}
        except Malformed as error:
            raise self.nonsense(str(error)) from error


class SkinnedByWire(_Looking):
    """`Skinned`: what is looked at regularly comes along with the windows."""

    def skins(self) -> Mapping[str, Skin]:
        """Outlines at rest."""
        return self.outlines

    def deformed(
        self, state: Held, t: float | None, share: float = 1.0
    ) -> Mapping[str, Deformed]:
        """How they have moved; nothing inside a block, where no state is kept."""
        if not kept(state.name):
            return {}
        if t is None:
            return self._asked(state, 0.0, share, rest=True)
        seen = state.seen
        if share != 1.0:  # never comes along, and tells nothing of what does
            return self._asked(state, t, share)
        if seen is not None and seen.t == t and self.outlines:
            found = self._read(seen.moved)
        else:
            found = self._asked(state, t, share)
        if found:
            self.looks.looked(t)
        else:
            self.looks.vain()
        return found

    def _read(self, moved: pb.Moved) -> Mapping[str, Deformed]:
        try:
            return _moved(moved, self.outlines)
        except Malformed as error:
            raise self.nonsense(str(error)) from error

    def _asked(
        self, state: Held, t: float, share: float, rest: bool = False
    ) -> Mapping[str, Deformed]:
        ask = pb.Deform(state=state.name.number, rest=rest, t=t, share=share)
        return self.displaced(pb.Request(deformed=ask))


class VibratesByWire(_Looking):
    """`Vibrating`."""

    def swinging(
        self, omega: float, ports: Mapping[str, Vector]
    ) -> Mapping[str, Deformed]:
        """All surfaces at ω, with those amplitudes at force ports."""
        ask = pb.Swing(omega=omega, ports=encode.loads(ports, self.numbers))
        return self.displaced(pb.Request(swinging=ask))


def _skins(reply: pb.Reply) -> Mapping[str, Skin]:
    every = [_skin(s) for s in reply.surfaces.each]
    if len(every) == 1:
        return {"": every[0]}
    return {f"surface_{k:03d}": skin for k, skin in enumerate(every, 1)}


def _skin(s: pb.Surface) -> Skin:
    points = _rows(s.points)
    triangles, quads, bars = (
        _places(places, width, len(points))
        for places, width in ((s.triangles, 3), (s.quads, 4), (s.bars, 2))
    )
    return Skin(points, triangles, quads, bars, np.zeros(0, dtype=np.intp))


def _moved(got: pb.Moved, skins: Mapping[str, Skin]) -> Mapping[str, Deformed]:
    """Those that were shown; parts of an assembly may keep theirs still."""
    every = [_rows(m.values) for m in got.each]
    sizes = [len(s.points) for s in skins.values()]
    if len(every) != len(sizes):
        raise Malformed(f"{len(every)} of its {len(sizes)} surfaces came")
    found = {n: x for n, x in zip(skins, every, strict=True) if len(x)}
    if any(len(x) != len(skins[n].points) for n, x in found.items()):
        raise Malformed("these are no displacements of its surfaces")
    return {n: Deformed(x) for n, x in found.items()}


def _rows(values: Sequence[float]) -> Matrix:
    if len(values) % 3:
        raise Malformed(f"{len(values)} numbers are no points of a surface")
    found = np.array(values[:], dtype=np.float64).reshape(-1, 3)
    if not np.isfinite(found).all():
        raise Malformed("a point of a surface is nowhere")
    return found


def _places(places: Sequence[int], width: int, count: int) -> NDArray[np.intp]:
    found = np.array(places[:], dtype=np.intp)
    if found.size % width or (found.size and found.max() >= count):
        raise Malformed(f"its surface has no such points ({count} in all)")
    return found.reshape(-1, width)
