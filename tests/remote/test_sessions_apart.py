"""A session is its partner's alone: others do not end it, share it, or hear of it."""

from __future__ import annotations

import pytest

from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.owner.session import Over
from bondline.remote.protocol import spoken

ALICE, BOB = "spiffe://test/alice", "spiffe://test/bob"


def host(sessions: int = 1) -> Host:
    models = {n: Served(n, lambda n=n: chain(n)) for n in ("rail", "axle")}
    return Host(models, limits=Limits(sessions=sessions))


def sent(there: Host, who: str, request: pb.Request) -> pb.Reply:
    return pb.Reply.FromString(there.answer(request.SerializeToString(), who)[0])


def opened(there: Host, who: str, name: str, model: str = "rail", over: bool = False):
    """The reply; what was opened is connected, as by a stream."""
    ask = pb.Open(version=spoken(), model=model, coordinator=name, takeover=over)
    reply = sent(there, who, pb.Request(open=ask))
    if reply.HasField("opened"):
        there.sessions[reply.opened.session].join()
    return reply


def start(made: pb.Opened) -> pb.Request:
    ask = pb.Start(t0=0.0, result=1)
    return pb.Request(session=made.session, epoch=made.epoch, sequence=1, start=ask)


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("model", ["rail", "axle"])
def test_nobody_ends_or_hears_of_a_session_of_somebody_else(model: str, over: bool):
    there = host()
    hers = opened(there, ALICE, "alices-run").opened
    no = opened(there, BOB, "bobs-run", model, over).failure
    assert no.code == pb.CODE_RESOURCE_EXHAUSTED
    assert "All sessions of this server are taken" in no.reason
    assert "alice" not in no.reason
    assert sent(there, ALICE, start(hers)).HasField("stepped")


def test_the_same_name_of_two_partners_is_two_coordinators():
    there = host(sessions=2)
    hers = opened(there, ALICE, "a-run").opened
    his = opened(there, BOB, "a-run", over=True).opened
    for who, made in ((ALICE, hers), (BOB, his)):
        assert sent(there, who, start(made)).HasField("stepped")


def test_who_has_room_for_one_hears_which_of_its_own_runs_has_it():
    there = host()
    first = opened(there, ALICE, "monday").opened
    assert "Coordinator monday has the session" in (
        opened(there, ALICE, "tuesday").failure.reason
    )
    assert opened(there, ALICE, "tuesday", over=True).opened.session
    assert sent(there, ALICE, start(first)).failure.code == pb.CODE_ABORTED


def test_who_asks_once_more_has_not_heard_of_its_session():
    """The reply to its first request got lost, and the stream is not known broken."""
    there = host(sessions=2)
    first = opened(there, ALICE, "a-run").opened
    again = opened(there, ALICE, "a-run").opened
    assert again.session not in (0, first.session)
    assert [*there.sessions] == [again.session]


def test_a_model_is_brought_back_once():
    there = host()
    made = opened(there, ALICE, "a-run").opened
    session = there.sessions[made.session]
    for _ in range(2):  # closed, and ended by its lease in the same moment
        with there._lock:
            there._end(session)
    one, other = (there.models["rail"].borrow() for _ in range(2))
    assert one is not other


def test_a_request_that_comes_too_late_is_not_served():
    """It had found its session; the model may be somebody else's since then."""
    there = host()
    made = opened(there, ALICE, "a-run").opened
    session = there.sessions[made.session]
    with there._lock:
        there._end(session)
    request = start(made)
    with pytest.raises(Over):
        session.answer(request.SerializeToString(), request)
    there.sessions[made.session] = session  # as it was found
    no = sent(there, ALICE, request).failure
    assert (no.code, no.kind) == (pb.CODE_FAILED_PRECONDITION, pb.KIND_SESSION)
