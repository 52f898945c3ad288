"""Answers about surfaces: outlines to look at, where their owner publishes them.

Of a skin only points and what lies between them leaves, and of how it moves only
displacements: no numbers of nodes, no sets, no supports and loads, no stress. Surfaces
of an assembly have no names outside, only their order.
"""

from __future__ import annotations

from collections.abc import Mapping

from bondline.core import Causality, Deformed, Port, Vector
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import decode
from bondline.remote.owner.desk import Desk
from bondline.remote.owner.gate import Call
from bondline.remote.owner.replies import Handler, needs


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
    desk.gate.served(call, sum(len(s.points) for s in reply.surfaces.each))


def _deformed(desk: Desk, ask: pb.Deform, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_SKINNED)
    state, t = desk.take(ask.state), decode.instant(ask.t)
    share = decode.instant(ask.share)
    call = desk.call("deformed")
    desk.admit(call)
    _moved(desk, call, model.deformed(state, None if ask.rest else t, share), reply)


def _swinging(desk: Desk, ask: pb.Swing, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_VIBRATING)
    ports = _amplitudes(desk, ask)
    call = desk.call("swinging", ports=tuple(ports), probes=1)
    desk.admit(call)
    found = model.swinging(decode.instant(ask.omega), ports)
    _moved(desk, call, found, reply)


def _amplitudes(desk: Desk, ask: pb.Swing) -> Mapping[str, Vector]:
    """Of every force port: the model looks for all of them."""
    found = desk.front.reader.loads(ask.ports)
    for p in desk.front.ports:
        pushed = isinstance(p, Port) and p.causality is Causality.FORCE_IN
        if pushed and p.name not in found:
            raise decode.Malformed(f"how port {p.name} swings is missing")
    return found


def _moved(
    desk: Desk, call: Call, found: Mapping[str, Deformed], reply: pb.Reply
) -> None:
    reply.moved.SetInParent()
    for name in sorted(needs(desk, pb.ABILITY_SKINNED).skins()):
        moved = found.get(name)
        rows = [] if moved is None else moved.displacement.ravel().tolist()
        reply.moved.each.add(values=rows)
    desk.gate.served(call, sum(len(m.values) for m in reply.moved.each))


SURFACES: dict[str, Handler] = {
    "skins": _skins,
    "deformed": _deformed,
    "swinging": _swinging,
}
