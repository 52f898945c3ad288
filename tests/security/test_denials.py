"""SEC-13, SEC-26: the owner's log says who asked what, and which rule refused it."""

from __future__ import annotations

import contextlib
import json

import numpy as np
import pytest

from bondline.cli import main
from bondline.core import Signal
from bondline.errors import StorageError
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.limits import Limits
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.gate import Call
from bondline.remote.owner.host import Host
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.owner.trail import Trail
from bondline.remote.privacy.denials import denials
from bondline.remote.privacy.flood import MOST
from bondline.remote.privacy.leakage import accounts
from bondline.remote.privacy.methods import expand
from bondline.remote.privacy.policy import Budget, Grant, Policy, Steps, Watched
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.protocol import spoken

ME, SPY = "spiffe://truck/integrator", "spiffe://ship/spy"
H = 1e-3
RUN = expand(("session", "run"))


def gate(tmp_path, **more):
    grant = {"methods": RUN, "ports": frozenset({"a"}), "steps": Steps((H,)), **more}
    return PolicyGate.of(
        Policy(
            grants=(Grant(ME, "rail", **grant), Grant(SPY, "wing", RUN)),
            audit=tmp_path / "audit.jsonl",
            budgets=tmp_path / "budgets.sqlite",
        )
    )


def window(n=0, force=0.0, **more):
    given = {"a": Signal.hold(np.array([force]))}
    told = {"step": H, "windows": 1, "inputs": given, "t0": n * H, **more}
    return Call(ME, "rail", "advance", **told)


def windows(n):
    return [window(k) for k in range(n)]


def pushed(forces):
    """Windows each of which goes on from the one before, once that was judged."""
    trail = Trail(0.0)
    for n, force in enumerate(forces):
        call = window(n, force, trail=trail)
        yield call
        trail = trail.after((n + 1) * H, call.moved)


# rule: what the grant has more, what is asked, and what the owner reads
CASES = {
    "who": ({}, [Call("spiffe://x/y", "rail", "open")], "no grant names this partner"),
    "model": ({}, [Call(SPY, "rail", "open")], "for wing only"),
    "methods": ({}, [Call(ME, "rail", "receptance")], "receptance is not granted"),
    "ports": ({}, [Call(ME, "rail", "start", ports=("b",))], "port b of rail"),
    "steps": ({}, [window(step=2 * H)], "granted: 0.001 s"),
    "blocks": ({"blocks": 1}, [window(windows=5)], "5 windows in one call"),
    "rollbacks": ({"rollbacks": 1}, [window()] * 3, "asked for too often"),
    "windows_per_day": ({"budget": Budget(windows=2)}, windows(3), "2 windows of rail"),
    "probes_per_day": ({"budget": Budget(probes=2)}, [window(probes=3)], "2 probes"),
    "sessions_per_day": (
        {"budget": Budget(sessions=1)},
        [Call(ME, "rail", "open")] * 2,
        "1 sessions of rail",
    ),
    "cpu_seconds_per_day": (
        {"budget": Budget(cpu_seconds=0.0)},
        [window()],
        "0 CPU seconds",
    ),
    "monitor": (
        {"monitor": Watched(60.0, "stop")},
        pushed([float(n == 0) for n in range(20)]),
        "outside 60 Hz",
    ),
}


@pytest.mark.parametrize("rule", CASES)
def test_each_rule_that_refuses_is_named(tmp_path, rule, capsys):
    more, calls, because = CASES[rule]
    judge = gate(tmp_path, **more)
    refused = []
    for call in calls:
        no = judge.admit(call)
        refused += [(call, no)] if no is not None else []
        if no is None:
            judge.served(call, 1)
    judge.close()
    call, said = refused[0]
    each = denials(read_log(tmp_path / "audit.jsonl").records)
    assert each[0].rule == rule
    asked = (call.identity, call.model, call.method)
    assert (each[0].who, each[0].model, each[0].method) == asked
    assert each[0].reason == said.reason
    assert because in (each[0].why or each[0].reason)
    assert sum(d.times for d in each) == len(refused)
    assert main(["audit", str(tmp_path / "audit.jsonl")]) == 0
    listed = " ".join(capsys.readouterr().out.split())
    assert f"{call.method}" in listed
    assert f" {rule} " in listed
    assert because in listed
    assert main(["audit", str(tmp_path / "audit.jsonl"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["denials"]
    assert (told[0]["who"], told[0]["method"], told[0]["rule"]) == (
        call.identity,
        call.method,
        rule,
    )
    assert because in (told[0]["why"] or told[0]["reason"])


def test_a_certificate_that_ran_out_is_a_rule_too(tmp_path):
    judge = gate(tmp_path)
    host = Host({}, judge)
    host.refused(ME, "The certificate of the connection ran out.")
    judge.close()
    (one,) = denials(read_log(tmp_path / "audit.jsonl").records)
    assert (one.who, one.method, one.rule) == (ME, "connect", "certificate")


def test_what_the_owner_reads_is_not_what_the_partner_hears(tmp_path):
    """Whether a model is there, and who else may use it, stays with the owner."""
    judge = gate(tmp_path)
    host = Host({"rail": Served("rail", lambda: chain("rail"))}, judge)
    heard = []
    for who in (SPY, "spiffe://x/y"):
        for model in ("rail", "none"):
            ask = pb.DescribeRequest(version=spoken(), model=model)
            raw = host.describe(ask.SerializeToString(), who)
            reason = pb.DescribeReply.FromString(raw).failure.reason
            heard.append(reason.replace(who, "W"))
            assert b"grant" not in raw
    judge.close()
    assert set(heard) == {"W may not describe this model."}
    rules = [d.rule for d in denials(read_log(tmp_path / "audit.jsonl").records)]
    assert rules == ["model", "model", "who", "who"]


def test_who_is_sent_away_does_not_hear_that_the_log_cannot_be_written(tmp_path):
    """Its words name files of the owner's: gRPC would tell whoever called."""
    judge = PolicyGate.of(Policy(audit=tmp_path / "audit.jsonl"))
    (tmp_path / "audit.jsonl").unlink()
    with pytest.raises(StorageError):
        judge.turned_away(ME, "The certificate of the connection ran out.")
    Host({}, judge).refused(ME, "The certificate of the connection ran out.")


class Talk:
    """A session of a chain with hidden ports, under limits."""

    def __init__(self, judge, limits: Limits) -> None:
        self.made = chain("rail")
        served = Served("rail", lambda: self.made, "d", EVERYTHING)
        self.host = Host({"rail": served}, judge, limits, clock=lambda: 0.0)
        ask = pb.Open(version=spoken(), coordinator="me", model="rail")
        self.opened = self.answer(pb.Request(open=ask)).opened
        self.number = 0

    def answer(self, request: pb.Request, who: str = ME) -> pb.Reply:
        raw, _ = self.host.answer(request.SerializeToString(), who)
        return pb.Reply.FromString(raw)

    def ask(self, who: str = ME, **what) -> str:
        """The words of a refusal."""
        self.number += 1
        own = {"session": self.opened.session, "epoch": self.opened.epoch}
        request = pb.Request(sequence=self.number, **own, **what)
        reply = self.answer(request, who)
        if not reply.sequence:
            self.number -= 1
        return reply.failure.reason


@pytest.fixture
def talk(tmp_path):
    judges = []

    def start(**limits):
        names = list(chain("rail").ports)
        judges.append(gate(tmp_path, ports=frozenset(names[:1])))
        return Talk(judges[0], Limits(**limits)), names

    yield start
    for judge in judges:
        with contextlib.suppress(StorageError):  # closed already, or its log is gone
            judge.close()


def told(tmp_path):
    return denials(read_log(tmp_path / "audit.jsonl").records)


def test_a_port_that_the_grant_hides_is_named_to_the_owner_alone(talk, tmp_path):
    there, names = talk()
    there.ask(start=pb.Start(t0=0.0, result=1))
    force = pb.Signal(port=len(names) - 1, rows=1, coefficients=[1.0])
    said = there.ask(advance=pb.Advance(state=1, t1=H, inputs=[force], result=2))
    (one,) = told(tmp_path)
    assert (one.method, one.rule) == ("advance", "ports")
    assert names[-1] in one.why
    assert said == one.reason
    assert names[-1] not in said


def test_what_the_server_refuses_by_itself_is_in_the_log(talk, tmp_path):
    there, _ = talk(states=1)
    start = pb.Start(t0=0.0, result=1)
    there.ask(start=start)
    there.ask(start=pb.Start(t0=0.0, result=2))
    there.ask(advance=pb.Advance(state=9, t1=H, result=3))
    there.ask(SPY, start=start)
    there.answer(pb.Request(session=999, start=start))
    assert [(d.who, d.method, d.rule) for d in told(tmp_path)] == [
        (ME, "start", "limits"),
        (ME, "advance", "session"),
        (SPY, "start", "session"),
        (ME, "start", "session"),
    ]


@pytest.mark.parametrize("times", [1, 300])
def test_who_replays_or_invents_requests_is_in_the_log(talk, tmp_path, times):
    there, _ = talk()
    there.ask(start=pb.Start(t0=0.0, result=1))
    for _ in range(times):
        there.number = 0
        assert "another one" in there.ask(start=pb.Start(t0=0.0, result=2))
        there.number = 98
        assert "99 came where 2" in there.ask(advance=pb.Advance(state=1, t1=H))
    there.host.gate.close()
    found = {(d.who, d.method, d.rule): d.times for d in told(tmp_path)}
    assert found == {(ME, "start", "request"): times, (ME, "advance", "session"): times}
    records = read_log(tmp_path / "audit.jsonl").records
    assert sum(r["kind"] == "denied" for r in records) <= 2 * (MOST + 1)


@pytest.mark.parametrize("times", [3, 1000, 1500])
def test_a_flood_of_refusals_is_counted_not_copied(talk, tmp_path, times):
    there, _ = talk(per_second=1.0)
    there.ask(start=pb.Start(t0=0.0, result=1))
    for _ in range(times):
        assert "More than 1 requests" in there.ask(start=pb.Start(t0=0.0, result=2))
    there.host.gate.close()
    records = read_log(tmp_path / "audit.jsonl").records
    written = [r for r in records if r["kind"] == "denied"]
    assert len(written) <= MOST + 1
    assert sum(d.times for d in denials(records)) == times
    assert sum(a.denied for a in accounts(records)) == times


@pytest.mark.parametrize("who", [SPY, "spiffe://x/y"])
@pytest.mark.parametrize("asked", ["describe", "open"])
@pytest.mark.parametrize("models", [1, 300])
def test_who_has_no_grant_cannot_fill_the_disk(talk, tmp_path, who, asked, models):
    """A certificate is enough to ask for models, by any names."""
    (there, _), times = talk(), 300
    for n in range(times):
        what = {"version": spoken(), "model": f"rail{n % models}"}
        if asked == "describe":
            ask = pb.DescribeRequest(**what).SerializeToString()
            raw = there.host.describe(ask, who)
            failure = pb.DescribeReply.FromString(raw).failure
        else:
            ask = pb.Request(open=pb.Open(coordinator="me", **what))
            failure = there.answer(ask, who).failure
        assert failure.code == pb.CODE_PERMISSION_DENIED
    there.host.gate.close()
    records = read_log(tmp_path / "audit.jsonl").records
    assert sum(r["kind"] == "denied" for r in records) <= MOST + 1
    assert sum(d.times for d in denials(records)) == times


def test_in_a_session_every_word_of_the_policy_is_written_down(tmp_path):
    judge = gate(tmp_path)
    for _ in range(3 * MOST):
        judge.admit(Call(ME, "rail", "receptance", session="1"))
    judge.close()
    records = read_log(tmp_path / "audit.jsonl").records
    assert sum(r["kind"] == "denied" for r in records) == 3 * MOST


@pytest.mark.parametrize("version", [None, spoken()])
def test_names_from_outside_are_not_kept(talk, tmp_path, version):
    there, _ = talk()
    ask = pb.DescribeRequest(version=version, model="x" * 100_000)
    for _ in range(3):
        there.host.describe(ask.SerializeToString(), ME)
    assert (tmp_path / "audit.jsonl").stat().st_size < 20_000


def test_a_log_that_cannot_be_written_is_nobody_elses_affair(talk, tmp_path):
    there, _ = talk()
    there.ask(start=pb.Start(t0=0.0, result=1))
    (tmp_path / "audit.jsonl").unlink()
    for ask in (pb.Request(session=999), pb.Request(open=pb.Open(model="rail"))):
        raw, _ = there.host.answer(ask.SerializeToString(), ME)
        assert str(tmp_path).encode() not in raw
        assert pb.Reply.FromString(raw).HasField("failure")
    raw = there.host.describe(pb.DescribeRequest(model="rail").SerializeToString(), ME)
    assert str(tmp_path).encode() not in raw
