"""What replies have in common: a new state, a view of it, a window that failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from google.protobuf.message import Message

from bondline.core import Advance, Rejected
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import encode
from bondline.remote.codec.malformed import Malformed
from bondline.remote.failures import Refused, shown_kind
from bondline.remote.owner.desk import Desk
from bondline.remote.owner.gate import Call, note
from bondline.remote.owner.mishaps import FAILED, mishap
from bondline.remote.owner.saying_no import said_no
from bondline.remote.owner.trail import Trail

Handler = Callable[[Desk, Any, pb.Reply], None]


def needs(desk: Desk, ability: pb.Ability) -> Any:
    """The model, which has that ability; refuse what it cannot do, or may not show."""
    if ability not in desk.served.abilities:
        name = pb.Ability.Name(ability).removeprefix("ABILITY_").capitalize()
        raise Refused(pb.CODE_UNIMPLEMENTED, f"The model is not {name}.")
    return desk.model


def stepped(
    desk: Desk, call: Call, done: Advance[Any], made: tuple[int, Trail], reply: pb.Reply
) -> None:
    """A new state gets its name and trail, and what it shows goes out."""
    name, trail = made
    desk.keep(name, done.state, trail)
    desk.tell(call, done.outputs, fill(desk, done, reply.stepped))


def fill(desk: Desk, done: Advance[Any], made: pb.Stepped) -> int:
    """What an advance shows, and what is published of the state it leads to.

    You get how many numbers leave, as from those below.
    """
    return fill_ports(desk, done, made) + view(desk, done.state, made.view)


def fill_ports(desk: Desk, done: Advance[Any], made: pb.Stepped | pb.Responded) -> int:
    """What an advance shows: ports, energy, statistics, notes."""
    made.SetInParent()  # also where there is nothing to show
    left = encode.outputs(done.outputs, desk.front.numbers, made.outputs)
    return left + fill_rest(desk, done, made)


def fill_rest(desk: Desk, done: Advance[Any], made: pb.Stepped | pb.Responded) -> int:
    """All of that but the ports."""
    published, left = desk.served.published, 0
    if published.energy:
        left += encode.energy(done.energy, made)
    left += desk.tables.scalars(desk.counted(done.stats), made.stats)
    if published.notes:
        made.notes.extend(done.notes)
    return left


def view(desk: Desk, state: Any, made: pb.View) -> int:
    """What the owner publishes of a state."""
    model: Any = desk.model
    able, tables, left = desk.served.abilities, desk.tables, 0
    if pb.ABILITY_OBSERVING in able:
        seen = desk.served.published.chosen(model.observe(state))
        left += tables.observations(seen, made.values)
    if pb.ABILITY_REACTING in able:
        left += tables.reactions(model.reactions(state), made.reactions)
    if pb.ABILITY_SHOWING in able:
        left += tables.shapes(model.shapes(state), made.shapes)
    return left


@contextmanager
def along(desk: Desk, call: Call, made: Message, field: str) -> Iterator[None]:
    """What comes along with a window: if it is refused, or fails, it is left out.

    The window is good. Whoever asks for it by itself is told why; the owner's logs have
    what failed, and what could not be read.
    """
    try:
        yield
    except Refused:
        made.ClearField(field)
    except Malformed as error:  # the partner's fault, no model's
        made.ClearField(field)
        note(desk.gate, call, said_no(error, desk.front))
    except FAILED as error:
        made.ClearField(field)
        mishap(error, desk.gate, call, desk.served.secretive)


def rejected(desk: Desk, no: Rejected, made: pb.Rejected) -> None:
    """A window that could not be completed; the words of the model stay here."""
    made.reason = "its owner's solver could not complete the window"
    made.solves = desk.solved(no.solves)
    made.kind = shown_kind(no.error, desk.served.secretive)
    if no.until is not None:
        made.shorter, made.until = True, no.until
