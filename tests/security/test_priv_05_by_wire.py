"""PRIV-05 by wire: ways to get an impulse response past the owner's monitor."""

from __future__ import annotations

from pathlib import Path

import pytest

from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.host import Host
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.owner.shelf import Shelf
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps, Watched
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.protocol import spoken

ME, H, BAND = "spiffe://truck/integrator", 1e-3, 10.0
QUIET, WANTED = 30, 60  # windows before the impulse, and after it


class Partner:
    """Asks a served chain for one window after the other."""

    def __init__(self, folder: Path, action: str) -> None:
        watched = Watched(BAND, action)
        more = {"steps": Steps((H,)), "monitor": watched, "blocks": 2}
        grants = (Grant(ME, "*", frozenset(METHODS), **more),)
        files = {"audit": folder / "audit.jsonl", "budgets": folder / "b.sqlite"}
        self.gate = PolicyGate.of(Policy(grants=grants, **files))
        models = {"chain": Served("chain", lambda: chain("chain"), "d", EVERYTHING)}
        self.host = Host(models, self.gate, shelf=Shelf(folder / "shelf"))
        self.names, self.said = 0, ""
        self.open()
        self.state = self.ask(start=pb.Start(result=self.name()))

    def open(self) -> None:
        self.opened, self.sequence = pb.Opened(), 0
        hello = pb.Open(version=spoken(), coordinator="me", model="chain")
        self.opened, self.sequence = self.sent(open=hello).opened, 0

    def name(self) -> int:
        self.names += 1
        return self.names

    def sent(self, **what: object) -> pb.Reply:
        self.sequence += 1
        own = {"session": self.opened.session, "epoch": self.opened.epoch}
        request = pb.Request(sequence=self.sequence, **own, **what)
        reply = pb.Reply.FromString(
            self.host.answer(request.SerializeToString(), ME)[0]
        )
        self.said = reply.failure.reason
        return reply

    def ask(self, **what: object) -> int:
        """The name of what was made; 0 if it was refused."""
        return 0 if self.sent(**what).HasField("failure") else self.names

    def push(self, force: float, k: int, state: int = 0) -> int:
        window = {"t0": k * H, "t1": (k + 1) * H, "inputs": told(force)}
        ask = pb.Advance(state=state or self.state, result=self.name(), **window)
        return self.ask(advance=ask)


def told(force: float) -> list[pb.Signal]:
    return [pb.Signal(port=0, rows=1, coefficients=[force])]


def honestly(p: Partner, force: float, k: int) -> int:
    return p.push(force, k)


def backwards(p: Partner, force: float, k: int) -> int:
    """Every window is called an earlier one than the last."""
    return p.push(force, 1000 - k)


def with_dummies(p: Partner, force: float, k: int) -> int:
    """After each a window of the first state, as if the last one were taken back."""
    made = p.push(force, k)
    p.push(0.0, 0, state=1)
    return made


def behind_a_giant(p: Partner, force: float, k: int) -> int:
    """A force next to which nothing counts, and which is taken back."""
    if k == 0:
        p.push(1e200, k)
    return p.push(force, k)


def in_known_inputs(p: Partner, force: float, k: int) -> int:
    """All in the response; to make it real takes nothing more."""
    window = {"t0": k * H, "t1": (k + 1) * H}
    known = pb.Respond(state=p.state, result=p.name(), inputs=told(force), **window)
    response = p.ask(respond=known)
    real = pb.Realise(response=response, result=p.name(), t1=window["t1"])
    return response and p.ask(realise=real)


def from_checkpoints(p: Partner, force: float, k: int) -> int:
    """Each state is put away, and taken back in a session of its own."""
    kept = p.sent(keep=pb.Keep(state=p.state)).kept
    p.open()
    back = pb.Restore(handle=kept.handle, digest=kept.digest, result=p.name())
    restored = p.ask(restore=back)
    return restored and p.push(force, k, restored)


WAYS = [
    honestly,
    backwards,
    with_dummies,
    behind_a_giant,
    in_known_inputs,
    from_checkpoints,
]


def samples(p: Partner, way) -> int:
    """How many of the impulse response it gets."""
    for k in range(QUIET + WANTED):
        made = way(p, 1.0 if k == QUIET else 0.0, k)
        if not made:
            return k - QUIET
        p.state = made
    return WANTED


@pytest.mark.parametrize("way", WAYS)
def test_no_way_leads_past_the_monitor(way, tmp_path):
    p = Partner(tmp_path, "stop")
    assert samples(p, way) <= 20
    alarms = [
        r for r in read_log(tmp_path / "audit.jsonl").records if r["kind"] == "alarm"
    ]
    assert len(alarms) == (way is not backwards)
    why = "no window goes on from it" if way is backwards else "monitor stopped"
    assert why in p.said


@pytest.mark.parametrize("way", [w for w in WAYS if w is not backwards])
def test_without_a_monitor_each_gets_it_all(way, tmp_path):
    """The control."""
    assert samples(Partner(tmp_path, "off"), way) == WANTED


def test_sessions_that_are_over_are_forgotten(tmp_path):
    """Also those that nobody closed: here each ends the one before."""
    p = Partner(tmp_path, "alarm")
    for _ in range(5):
        p.open()
        p.state = p.ask(start=pb.Start(result=p.name()))
        assert p.push(1.0, 0)
    assert len(p.gate._admission._sessions) == 1


AT_ONCE = {
    "press": pb.Press(state=1, result=1),
    "kick": pb.Kick(state=1, result=1),
    "advance": pb.Advance(state=1, t1=H, result=1),
    "equilibrium": pb.Equilibrium(state=1, result=1),
    "realise": pb.Realise(response=2, t1=H, result=2),
    "try_block": pb.TryBlock(response=3, result=3),
    "settle_block": pb.SettleBlock(settle=pb.Settle(trial=4, same=True, result=4)),
}


@pytest.mark.parametrize("what", AT_ONCE)
def test_what_is_used_may_be_released_with_it_and_its_name_given_again(what, tmp_path):
    """By one request: what it begins from is not forgotten before it is needed."""
    p = Partner(tmp_path, "alarm")
    block = pb.Block(starts=[0.0, H], ends=[H, 2 * H])
    p.sent(respond=pb.Respond(state=1, t1=H, result=2))
    p.sent(respond_block=pb.RespondBlock(state=1, block=block, result=3))
    p.sent(try_block=pb.TryBlock(response=3, result=4))
    assert not p.said
    p.sent(release=[1, 2, 3, 4], **{what: AT_ONCE[what]})
    assert not p.said
