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
    ports, omega = _amplitudes(desk, ask), decode.instant(ask.omega)
    call = desk.call("swinging", ports=tuple(ports), probes=1)
    desk.admit(call)
    followed = _followed(desk, model, omega, ports)
    _moved(desk, call, model.swinging(omega, {**ports, **followed}), reply)


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
