"""SEC-26: all that one request brings is written down at once, before it leaves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.gate import Call, Denied, Told
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.owner.shelf import Shelf
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.protocol import spoken

from .test_sec_26_audit import full_disk

ME = "spiffe://truck/integrator"
H = 1e-3  # s


@dataclass
class Counting:
    """A gate that counts how often it is asked, and told."""

    inner: PolicyGate
    asked: list[str] = field(default_factory=list)
    told: list[list[str]] = field(default_factory=list)

    keeps = property(lambda self: self.inner.keeps)

    def admit(self, call: Call) -> Denied | None:
        self.asked.append(call.method)
        return self.inner.admit(call)

    def served(self, call: Call, numbers: int) -> None:
        self.inner.served(call, numbers)

    def served_all(self, told: list[Told]) -> None:
        self.told.append([call.method for call, *_ in told])
        self.inner.served_all(told)


@dataclass
class Owner:
    """A session with a chain, up to the response to its first window."""

    gate: PolicyGate
    host: Host
    own: dict[str, int] = field(default_factory=dict)
    sequence: int = 0

    def ask(self, **what: Any) -> pb.Reply:
        request = pb.Request(**self.own, sequence=self.sequence, **what)
        self.sequence += 1
        return pb.Reply.FromString(self.host.answer(request.SerializeToString(), ME)[0])

    def begin(self) -> None:
        hello = pb.Open(version=spoken(), coordinator="me", model="rail")
        opened = self.ask(open=hello).opened
        self.own = {"session": opened.session, "epoch": opened.epoch}
        self.ask(start=pb.Start(t0=0.0, result=1))
        self.ask(respond=pb.Respond(state=1, t0=0.0, t1=H, result=2))

    def window(self, name: int = 3) -> pb.Reply:
        """The first window, and the response to the next one."""
        ahead = pb.Ahead(t1=2 * H, result=name + 1)
        asked = pb.Realise(response=2, t1=H, result=name, ahead=ahead)
        return self.ask(realise=asked)

    def records(self, *kinds: str) -> list[tuple[str, str]]:
        each = read_log(self.gate.audit.path).records
        return [(r["kind"], r["method"]) for r in each if r["kind"] in kinds]


@pytest.fixture
def owner(tmp_path):
    grant = Grant(ME, "rail", frozenset(METHODS), steps=Steps((H,)), blocks=2)
    gate = PolicyGate.of(Policy(grants=(grant,), audit=tmp_path / "audit.jsonl"))
    model = Served("rail", lambda: chain("rail"))
    made = Owner(gate, Host({"rail": model}, gate, shelf=Shelf(tmp_path / "shelf")))
    yield made
    gate.close()


def test_a_window_is_asked_once_for_each_call_and_told_once(owner):
    owner.host.gate = counting = Counting(owner.gate)
    owner.begin()
    counting.asked.clear()
    counting.told.clear()
    assert owner.window().stepped.ahead.HasField("responded")
    assert counting.asked == ["realise", "respond"]
    assert counting.told == [["realise", "respond"]]
    *_, one, two = read_log(owner.gate.audit.path).records
    assert (one["method"], two["method"]) == ("realise", "respond")
    assert one["request"] == two["request"] != ""


@pytest.mark.parametrize("room", [0, 100, 500], ids=["none", "a little", "for one"])
def test_what_cannot_be_written_down_does_not_leave(owner, room, caplog):
    owner.begin()
    with full_disk(owner.gate.audit.path, room):
        reply = owner.window()
    assert reply.HasField("failure")
    assert not reply.HasField("stepped")
    assert owner.window(name=5).HasField("stepped")
    calls = [method for kind, method in owner.records("call")][3:]
    assert calls[-2:] == ["realise", "respond"]
    assert calls[:-2] == (["realise"] if room == 500 else []), "never too little"


def test_what_comes_along_and_is_refused_is_in_the_log_beside_what_is_served(owner):
    """By a policy that the owner sets while the session goes on."""
    owner.begin()
    (grant,) = owner.gate.policy.grants
    less = replace(grant, methods=grant.methods - {"respond"})
    owner.gate.policy = replace(owner.gate.policy, grants=(less,))
    reply = owner.window()
    assert reply.HasField("stepped")
    assert not reply.stepped.ahead.HasField("responded")
    both = owner.records("call", "denied")[-2:]
    assert sorted(both) == [("call", "realise"), ("denied", "respond")]


def test_a_head_that_is_told_along_with_a_block_is_behind_the_block(owner):
    owner.begin()
    two = pb.Block(starts=[0.0, H], ends=[H, 2 * H])
    owner.ask(respond_block=pb.RespondBlock(state=1, block=two, result=12))
    owner.ask(try_block=pb.TryBlock(response=12, result=13))
    last = pb.Settle(trial=13, same=True, result=14)
    asked = pb.SettleBlock(settle=last, keep=pb.Keep(state=14))
    kept = owner.ask(settle_block=asked).settled_block.kept
    told = read_log(owner.gate.audit.path).records[: int(kept.log_number) + 1]
    assert [r["method"] for r in told[-2:]] == ["settle_block", "keep"]
    assert kept.log_head.endswith(told[-1]["hash"])


def test_what_was_computed_for_a_request_that_fails_is_written_down(owner):
    """The window is good; the one that shall come along ends before it begins."""
    owner.begin()
    asked = pb.Realise(response=2, t1=H, result=3, ahead=pb.Ahead(t1=0.5 * H, result=4))
    assert owner.ask(realise=asked).HasField("failure")
    assert owner.records("call")[-1] == ("call", "realise")
