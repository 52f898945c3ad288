"""SEC-18: who has a certificate but no grant holds nothing; nobody holds everything."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.stream import Ended, Iterated, Stream
from bondline.remote.limits import Limits
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.crowd import Crowd
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.privacy.leakage import accounts
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.protocol import SERVICE
from bondline.remote.trust.tls import Credentials
from tests.chaos.test_memory import Going, H
from tests.remote.conftest import Supplier, ca, integrator, owner, supply  # noqa: F401
from tests.remote.test_serve_command import LIMIT

CHANNELS, EACH = 8, 8  # connections, and streams on each of them
SESSIONS = 4
MOST = SESSIONS + 4  # conversations of one partner
CONVERSE = f"/{SERVICE}/Converse"
REFLECT = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
CHECK = "/grpc.health.v1.Health/Check"
DESCRIBE, PULSE = (f"/{SERVICE}/{name}" for name in ("Describe", "Pulse"))
WATCH = "/grpc.health.v1.Health/Watch"
TOO_MANY = CHANNELS * EACH - MOST
GREEDY = "spiffe://test/greedy"


@dataclass
class Place:
    """A server with a policy, and how to end its log."""

    there: Supplier
    gate: PolicyGate
    path: object

    def records(self):
        self.gate.close()
        return read_log(self.path).records


@pytest.fixture
def place(supply, tmp_path) -> Place:  # noqa: F811
    path = tmp_path / "audit.jsonl"
    grants = [
        Grant(who, "chain", frozenset(METHODS), steps=Steps((H,)))
        for who in ("spiffe://test/integrator", GREEDY)
    ]
    gate = PolicyGate.of(Policy(grants=grants, audit=path))
    models = {"chain": Served("chain", lambda: chain("chain"))}
    return Place(supply(models, Limits(sessions=SESSIONS), gate), gate, path)


@contextmanager
def silent(
    address: str, secrets: Credentials, method: str = CONVERSE
) -> Iterator[list[Stream]]:
    """As many streams as one gets, on which nothing is asked."""
    with ExitStack() as stack:
        streams = []
        for _ in range(CHANNELS):
            own = [("grpc.use_local_subchannel_pool", 1)]
            made = grpc.secure_channel(address, secrets.for_channel(), own)
            channel = stack.enter_context(made)
            grpc.channel_ready_future(channel).result(LIMIT)
            streams += [Iterated(channel, method) for _ in range(EACH)]
        for stream in streams:
            stack.callback(stream.close)
        yield streams


def end(stream: Stream) -> Ended:
    with pytest.raises(Ended) as ended:
        stream.hear()
    return ended.value


def runs(place: Place) -> bool:
    """Whether somebody else's session opens, and has the right numbers."""
    part = place.there.model("chain")
    same = Going(part)(20) == Going(chain("chain"))(20)
    part.close()
    return same


@pytest.mark.parametrize("method", [CONVERSE, REFLECT])
def test_strangers_are_sent_away_and_written_down(place, ca, method):  # noqa: F811
    with silent(place.there.address, ca.issue("stranger"), method) as streams:
        assert runs(place)
        ends = [end(stream) for stream in streams]
    assert {e.code for e in ends} == {grpc.StatusCode.PERMISSION_DENIED}
    assert {e.text for e in ends} == {
        "No grant of this server's policy names you: ask its owner for one."
    }
    records = place.records()
    (told,) = [a for a in accounts(records) if a.who == "spiffe://test/stranger"]
    assert told.denied == CHANNELS * EACH
    kept = [r for r in records if r.get("who") == told.who]
    assert {(r["method"], r["rule"]) for r in kept} == {("converse", "who")}
    assert len(kept) <= 11, "a flood is counted"


def test_a_partner_has_so_many_at_a_time_and_others_have_room(place, ca):  # noqa: F811
    greedy(place, ca.issue("greedy"), CONVERSE)


@pytest.mark.parametrize("method", [DESCRIBE, PULSE, CHECK])
def test_who_calls_and_sends_no_request_holds_little(place, ca, method):  # noqa: F811
    """gRPC's own way to wait for the request of such a call has no end."""
    greedy(place, ca.issue("stranger"), method)


def greedy(place, secrets, method) -> None:
    """Silent streams, of which some are let in, while somebody else is served."""
    with (
        silent(place.there.address, secrets, method) as streams,
        ThreadPoolExecutor(len(streams)) as pool,
    ):
        first = as_completed([pool.submit(end, stream) for stream in streams], LIMIT)
        ends = [next(first).result() for _ in range(TOO_MANY)]
        assert runs(place)
        for stream in streams:
            stream.cancel()
        left = [one.result() for one in first]
    assert {e.code for e in ends} == {grpc.StatusCode.RESOURCE_EXHAUSTED}
    assert {e.text for e in ends} == {
        f"You have {MOST} calls of this server at a time, as many as one partner may."
    }
    assert {e.code for e in left} == {grpc.StatusCode.CANCELLED}
    who = f"spiffe://test/{secrets.cert.stem}"
    (told,) = [a for a in accounts(place.records()) if a.who == who]
    assert told.denied == TOO_MANY


@pytest.mark.parametrize("method", [CONVERSE, DESCRIBE, PULSE, CHECK, REFLECT])
def test_who_says_nothing_is_sent_away(place, ca, method):  # noqa: F811
    host = place.there.server.host
    host.limits = replace(host.limits, silence=0.3)
    channel = grpc.secure_channel(place.there.address, ca.issue("greedy").for_channel())
    with channel, ThreadPoolExecutor(1) as pool:
        stream = Iterated(channel, method)
        ended = pool.submit(end, stream)
        try:
            assert ended.result(LIMIT).code is grpc.StatusCode.OK
        finally:
            stream.close()


def test_nobody_watches_whether_it_is_well(place, ca):  # noqa: F811
    with silent(place.there.address, ca.issue("stranger"), WATCH) as streams:
        assert runs(place)
        assert {end(s).code for s in streams} == {grpc.StatusCode.UNIMPLEMENTED}


def test_health_and_what_a_server_speaks_are_told(place):
    secrets = place.there.secrets.for_channel()
    with grpc.secure_channel(place.there.address, secrets) as channel:
        well = health_pb2_grpc.HealthStub(channel)
        for name in ("", SERVICE):
            asked = health_pb2.HealthCheckRequest(service=name)
            found = well.Check(asked, timeout=LIMIT).status
            assert found == health_pb2.HealthCheckResponse.SERVING
        with pytest.raises(grpc.RpcError) as told:
            well.Check(health_pb2.HealthCheckRequest(service="other"), timeout=LIMIT)
        assert told.value.code() is grpc.StatusCode.NOT_FOUND
        asked = [reflection_pb2.ServerReflectionRequest(list_services="")] * 2
        speaks = reflection_pb2_grpc.ServerReflectionStub(channel)
        replies = list(speaks.ServerReflectionInfo(iter(asked), timeout=LIMIT))
    names = [{s.name for s in r.list_services_response.service} for r in replies]
    assert len(names) == 2
    assert all(SERVICE in each for each in names)


def test_who_leaves_makes_room(place):
    """More sessions than one may have, one after the other; and by itself."""
    for _ in range(2 * MOST):
        assert runs(place)
    crowd = Crowd(1)
    for _ in range(2):
        with crowd.one_more("a") as room, crowd.one_more("a") as more:
            assert (room, more) == (True, False)
            with crowd.one_more("b") as other:
                assert other


@pytest.mark.parametrize("raw", [b"", pb.Request(sequence=1).SerializeToString()])
def test_who_asks_for_nothing_is_told_so(raw):
    host = Host({"chain": Served("chain", lambda: chain("chain"))})
    reply, session = host.answer(raw, "")
    failure = pb.Reply.FromString(reply).failure
    assert (failure.code, session) == (pb.CODE_INVALID_ARGUMENT, None)
    assert failure.reason == (
        "The request asks for nothing: open a session, and name it from then on."
    )
