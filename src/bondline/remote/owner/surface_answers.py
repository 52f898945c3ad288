"""Answers about surfaces: outlines to look at, where their owner publishes them.

Of a skin only points and what lies between them leaves, and of how it moves only
displacements: no numbers of nodes, no sets, no supports and loads, no stress. Surfaces
of an assembly have no names outside, only their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from bondline.core import Causality, Deformed, Harmonic, Port, SignalPort, Vector
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import decode
from bondline.remote.codec.malformed import Malformed
from bondline.remote.failures import Refused
from bondline.remote.owner.desk import Desk
from bondline.remote.owner.gate import Call
from bondline.remote.owner.replies import Handler, along, needs

_POINT = 24  # bytes of three numbers
_SPARE = 2**16  # bytes of a reply for what is not in it yet: its number, new tables


def _skins(desk: Desk, ask: pb.Skins, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_SKINNED)
    call = desk.call("skins")
    desk.admit(call)
    reply.surfaces.SetInParent()
    for _, skin in sorted(model.skins().items()):
        reply.surfaces.each.add(
            points=skin.points.ravel().tolist(),
            triangles=skin.triangles.ravel().tolist(),
            quads=skin.quads.ravel().tolist(),
            bars=skin.bars.ravel().tolist(),
        )
    desk.tell(call, {}, sum(len(s.points) for s in reply.surfaces.each))


def _deformed(desk: Desk, ask: pb.Deform, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_SKINNED)
    state, t = desk.take(ask.state), decode.instant(ask.t)
    share = decode.instant(ask.share)
    call = desk.call("deformed")
    desk.admit(call)
    found = model.deformed(state, None if ask.rest else t, share)
    _moved(desk, call, found, reply.moved)


def look_too(
    desk: Desk, state: Any, t: float, made: pb.Stepped, reply: pb.Reply
) -> None:
    """Along with the window that made a state: the last thing that goes in.

    Whoever is not granted it, or asks for more than a message holds, gets none; who
    asks for it by itself is told why.
    """
    if pb.ABILITY_SKINNED not in desk.served.abilities:
        return
    model: Any = desk.model
    call = desk.call("deformed")
    with along(desk, call, made, "moved"):
        desk.admit(call)
        points = sum(len(skin.points) for skin in model.skins().values())
        if reply.ByteSize() + _POINT * points <= desk.limits.message - _SPARE:
            _moved(desk, call, model.deformed(state, t), made.moved)


def _swinging(desk: Desk, ask: pb.Swing, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_VIBRATING)
    ports, omega = _amplitudes(desk, ask), decode.instant(ask.omega)
    call = desk.call("swinging", ports=tuple(ports), probes=1)
    desk.admit(call)
    followed = _followed(desk, model, omega, ports)
    found = model.swinging(omega, {**ports, **followed})
    _moved(desk, call, found, reply.moved)


def _amplitudes(desk: Desk, ask: pb.Swing) -> Mapping[str, Vector]:
    """Of every force port that the partner knows of: the model looks for all."""
    found = desk.front.reader.loads(ask.ports)
    for p in _pushed(desk.front.ports):
        if p.name not in found:
            raise Malformed(f"how port {p.name} swings is missing")
    return found


def _followed(
    desk: Desk, model: Any, omega: float, ports: Mapping[str, Vector]
) -> Mapping[str, Vector]:
    """How hidden force ports swing along, as no force acts there: H_hs H_ss⁻¹ u_s."""
    seen, hidden = _pushed(desk.front.ports), _pushed(desk.front.hidden)
    if not hidden or not seen:
        return {p.name: np.zeros(p.size) for p in hidden}
    if not isinstance(model, Harmonic):
        raise Refused(pb.CODE_UNIMPLEMENTED, "The model is not Harmonic.")
    H = model.receptance(omega, damped=False).blocks
    H_ss = np.block([[H[a.name, b.name].real for b in seen] for a in seen])
    u_s = np.concatenate([ports[p.name] for p in seen])
    cuts = np.cumsum([p.size for p in seen])[:-1]
    f = np.split(np.linalg.lstsq(H_ss, u_s, rcond=1e-13)[0], cuts)
    return {
        p.name: sum(H[p.name, q.name].real @ g for q, g in zip(seen, f, strict=True))
        for p in hidden
    }


def _pushed(ports: Iterable[Port | SignalPort]) -> list[Port]:
    """Those that take force."""
    every = (p for p in ports if isinstance(p, Port))
    return [p for p in every if p.causality is Causality.FORCE_IN]


def _moved(
    desk: Desk, call: Call, found: Mapping[str, Deformed], made: pb.Moved
) -> None:
    made.SetInParent()
    for name in sorted(needs(desk, pb.ABILITY_SKINNED).skins()):
        moved = found.get(name)
        rows = [] if moved is None else moved.displacement.ravel().tolist()
        made.each.add(values=rows)
    desk.tell(call, {}, sum(len(m.values) for m in made.each))


SURFACES: dict[str, Handler] = {
    "skins": _skins,
    "deformed": _deformed,
    "swinging": _swinging,
}
