"""What replies have in common: a new state, a view of it, a window that failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bondline.core import Advance, Rejected
from bondline.remote import bondline_pb2 as pb
from bondline.remote import encode
from bondline.remote.count import count
from bondline.remote.desk import Desk
from bondline.remote.failures import Refused, kind_of
from bondline.remote.gate import Call

Handler = Callable[[Desk, Any, pb.Reply], None]


def needs(desk: Desk, ability: pb.Ability) -> None:
    """Refuse what the model cannot do, or what is not shown."""
    if ability not in desk.served.abilities:
        name = pb.Ability.Name(ability).removeprefix("ABILITY_").capitalize()
        raise Refused(pb.CODE_UNIMPLEMENTED, f"The model is not {name}.")


def stepped(
    desk: Desk, call: Call, done: Advance[Any], name: int, reply: pb.Reply
) -> None:
    """A new state gets its name, and what it shows goes out."""
    desk.keep(name, done.state)
    fill(desk, done, reply.stepped)
    desk.tell(call, done.outputs, count(reply.stepped))


def fill(desk: Desk, done: Advance[Any], made: pb.Stepped) -> None:
    """What an advance shows, and what is published of the state it leads to."""
    fill_ports(desk, done, made)
    view(desk, done.state, made.view)


def fill_ports(desk: Desk, done: Advance[Any], made: pb.Stepped | pb.Responded) -> None:
    """What an advance shows: ports, energy, statistics, notes."""
    encode.outputs(done.outputs, desk.served.numbers, made.outputs)
    energy = encode.energy(done.energy)
    if energy is not None:
        made.energy.CopyFrom(energy)
    _put(made.stats, desk.tables.scalars(desk.served.published.counted(done.stats)))
    if desk.served.published.notes:
        made.notes.extend(done.notes)


def view(desk: Desk, state: Any, made: pb.View) -> None:
    """What the owner publishes of a state."""
    model: Any = desk.model
    able, tables = desk.served.abilities, desk.tables
    if pb.ABILITY_OBSERVING in able:
        seen = desk.served.published.chosen(model.observe(state))
        _put(made.values, tables.observations(seen))
    if pb.ABILITY_REACTING in able:
        _put(made.reactions, tables.reactions(model.reactions(state)))
    if pb.ABILITY_SHOWING in able:
        _put(made.shapes, tables.shapes(model.shapes(state)))


def _put(where: pb.Figures, figures: pb.Figures | None) -> None:
    if figures is not None:
        where.CopyFrom(figures)


def rejected(no: Rejected, made: pb.Rejected) -> None:
    """A window that could not be completed; the words of the model stay here."""
    made.reason = "its owner's solver could not complete the window"
    made.solves = no.solves
    made.kind = kind_of(no.error)
    if no.until is not None:
        made.shorter, made.until = True, no.until
