"""The integrator's log counts what came, however it is counted."""

from __future__ import annotations

import pytest
from google.protobuf.message import Message

from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.ledger import left, numbers


def filled(message: Message) -> int:
    """Something in every field, and two numbers in each row; how many that are."""
    total = 0
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.message_type is pb.Energy.DESCRIPTOR:
            value.stored, total = 1.0, total + 3
        elif field.message_type is not None:
            total += filled(value.add() if field.is_repeated else value)
        elif field.type == field.TYPE_DOUBLE and field.is_repeated:
            value.extend([1.0, 0.0])
            total += 2
    return total


def every() -> pb.Reply:
    reply = pb.Reply()
    filled(reply.stepped)
    return reply


def test_all_numbers_are_counted():
    reply = pb.Reply()
    total = filled(reply.stepped)
    assert left(reply, "stepped") == numbers(reply) == total > 20


@pytest.mark.parametrize("gone", [f.name for f in pb.Stepped.DESCRIPTOR.fields])
def test_whatever_a_window_shows_is_counted(gone: str):
    """Also without what keeps the ordinary ones from being counted quickly."""
    reply = every()
    for rare in ("flexibility", "moved", gone):
        reply.stepped.ClearField(rare)
    reply.stepped.ahead.ClearField("predicted")
    reply.stepped.ahead.responded.ClearField("fresh")
    assert left(reply, "stepped") == numbers(reply) > 0


@pytest.mark.parametrize("rare", ["flexibility", "moved", "predicted", "fresh"])
def test_what_comes_along_once_in_a_while_is_counted(rare: str):
    reply, full = pb.Reply(), every().stepped
    reply.stepped.outputs.values.append(1.0)
    if rare == "predicted":
        reply.stepped.ahead.predicted.CopyFrom(full.ahead.predicted)
    elif rare == "fresh":
        reply.stepped.ahead.responded.fresh.CopyFrom(full.ahead.responded.fresh)
    else:
        getattr(reply.stepped, rare).CopyFrom(getattr(full, rare))
    assert left(reply, "stepped") == numbers(reply) > 1
