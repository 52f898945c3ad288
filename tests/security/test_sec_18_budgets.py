"""SEC-18, PRIV-04: budgets of a day, that a restart and kill -9 do not forget."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from bondline.core import Signal
from bondline.errors import StorageError
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.owner.gate import Call
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.owner.trail import Trail
from bondline.remote.privacy.budgets import Budgets
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Budget, Grant, Policy, Steps, Watched
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.privacy.rules import USED_UP
from bondline.remote.protocol import spoken

ME = "spiffe://truck/integrator"


def gate(path, **limits):
    allowed = frozenset(METHODS)
    grant = Grant(ME, "rail", allowed, steps=Steps((1e-3,)), budget=Budget(**limits))
    return PolicyGate(Policy(grants=(grant,)), Budgets(path))


def ask(method="advance", **more):
    return Call(ME, "rail", method, step=1e-3, **more)


def served(judge, call, most=1000):
    """How many such calls are let through."""
    for n in range(most):
        denied = judge.admit(call)
        if denied is not None:
            assert denied.code == USED_UP
            return n
        judge.served(call, 0)
    return most


CALLS = {
    "windows": ask(windows=1),
    "probes": ask("linearise", probes=1),
    "sessions": ask("open"),
}


@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("limit", [0, 1, 7, 100, 500])
def test_a_budget_is_used_to_the_last_and_no_further(tmp_path, kind, limit):
    judge = gate(tmp_path / "b.sqlite", **{kind: limit})
    assert served(judge, CALLS[kind]) == limit
    assert "used up" in judge.admit(CALLS[kind]).reason
    judge.close()


def test_without_a_budget_there_is_no_limit(tmp_path):
    """The positive control."""
    assert served(gate(tmp_path / "b.sqlite"), CALLS["windows"]) == 1000


@pytest.mark.parametrize("kind", CALLS)
def test_priv_04_a_restart_does_not_refill_it(tmp_path, kind):
    path = tmp_path / "b.sqlite"
    first = gate(path, **{kind: 100})
    assert served(first, CALLS[kind], 60) == 60
    first.close()
    assert served(gate(path, **{kind: 100}), CALLS[kind]) == 40


def test_what_is_left_of_one_kind_does_not_help_another(tmp_path):
    judge = gate(tmp_path / "b.sqlite", windows=10, probes=3)
    assert served(judge, ask(windows=1, probes=1)) == 3
    assert served(judge, CALLS["windows"]) == 7, "a refused call takes nothing"


class Plain:
    """A leaf that can do nothing but advance."""

    def __init__(self):
        self.inner = chain("rail")
        self.name, self.ports = self.inner.name, self.inner.ports
        self.parameters = self.inner.parameters
        self.capabilities = self.inner.capabilities

    def start(self, t0):
        return self.inner.start(t0)

    def advance(self, state, window, inputs):
        return self.inner.advance(state, window, inputs)


def test_probes_that_nobody_can_compute_are_not_counted(tmp_path):
    """Sensitivities along with a window, of a model that has none."""
    judge = gate(tmp_path / "b.sqlite", probes=7)
    host = Host({"rail": Served("rail", Plain)}, judge)

    def asked(**what):
        raw, _ = host.answer(pb.Request(**what).SerializeToString(), ME)
        return pb.Reply.FromString(raw)

    hello = pb.Open(version=spoken(), coordinator="me", model="rail")
    opened = asked(open=hello).opened
    own = {"session": opened.session, "epoch": opened.epoch}
    asked(**own, sequence=1, start=pb.Start(t0=0.0, result=1))
    force = [pb.Signal(port=0, rows=1, coefficients=[1.0])]
    window = pb.Advance(state=1, t1=1e-3, inputs=force, result=2, linearise=True)
    reply = asked(**own, sequence=2, advance=window)
    assert reply.HasField("stepped")
    assert not reply.stepped.HasField("flexibility")
    assert served(judge, CALLS["probes"]) == 7


def test_what_was_not_taken_is_not_given_back(tmp_path):
    """A budget that is dropped in mid-day, a monitor that stops, and a budget again."""
    allowed, path = frozenset(METHODS), tmp_path / "b.sqlite"
    book = Budgets(path)
    kick = {"rail": Signal.hold(np.array([1e3]))}

    def judge(budget, action="off"):
        watched = Watched(band=10.0, action=action)
        more = {"steps": Steps((1e-3,)), "budget": budget, "monitor": watched}
        return PolicyGate(Policy(grants=(Grant(ME, "rail", allowed, **more),)), book)

    assert served(judge(Budget(windows=100)), CALLS["windows"], 5) == 5
    strict = judge(Budget(), "stop")
    trail, refused = Trail(0.0), []
    for k in range(200):
        told = {"inputs": kick if k % 16 == 0 else {}, "t0": k * 1e-3, "trail": trail}
        call = ask(windows=1, **told)
        refused.append(strict.admit(call))
        trail = trail.after(1e-3 * (k + 1), call.moved)
    assert any(refused), "the monitor said no"
    book.lift(ME, "rail")
    assert served(judge(Budget(windows=100)), CALLS["windows"]) == 95


def test_partners_and_models_do_not_share(tmp_path):
    with_budget = Budgets(tmp_path / "b.sqlite")
    limits, one = {"windows": 1.0}, {"windows": 1.0}
    assert with_budget.take("a", "rail", one, limits) is None
    assert with_budget.take("a", "rail", one, limits) == "windows"
    assert with_budget.take("b", "rail", one, limits) is None
    assert with_budget.take("a", "cross", one, limits) is None


def test_a_new_day_is_a_new_budget_and_no_day_comes_twice(tmp_path):
    today = ["2026-03-01"]
    book = Budgets(tmp_path / "b.sqlite", lambda: today[0])
    limits, one = {"windows": 1.0}, {"windows": 1.0}
    assert book.take("a", "rail", one, limits) is None
    today[0] = "2026-03-02"
    assert book.take("a", "rail", one, limits) is None
    today[0] = "2026-03-01"  # a clock that is set back
    assert book.take("a", "rail", one, limits) == "windows"


def test_cpu_time_is_a_budget(tmp_path):
    path = tmp_path / "b.sqlite"
    judge = gate(path, cpu_seconds=1)
    assert judge.admit(ask()) is None
    judge.served(ask(), 0)
    assert 0.0 < judge.budgets.used(ME, "rail", "cpu_seconds") < 1.0
    judge.budgets.spend(ME, "rail", "cpu_seconds", 1.0)
    denied = judge.admit(ask())
    assert denied.code == USED_UP
    assert "CPU seconds" in denied.reason
    judge.close()
    assert gate(path, cpu_seconds=1).admit(ask()) is not None


def test_threads_share_one_budget(tmp_path):
    judge, got = gate(tmp_path / "b.sqlite", windows=200), []
    call = CALLS["windows"]
    each = [
        threading.Thread(target=lambda: got.append(served(judge, call)))
        for _ in range(8)
    ]
    for thread in each:
        thread.start()
    for thread in each:
        thread.join()
    assert sum(got) == 200


CHILD = """
import os, signal, sys
from pathlib import Path
from bondline.remote.privacy.budgets import Budgets
book, n = Budgets(Path(sys.argv[1])), 0
one, limits = {"windows": 1.0}, {"windows": 300.0}
while n < int(sys.argv[2]) and book.take("a", "rail", one, limits) is None:
    n += 1
print(n, flush=True)
if sys.argv[3] == "die":
    os.kill(os.getpid(), signal.SIGKILL)
book.close()
"""


def child(path, most, end):
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), str(most), end],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )


def test_processes_share_one_budget(tmp_path):
    both = [child(tmp_path / "b.sqlite", 1000, "close") for _ in range(2)]
    assert sum(int(p.communicate(timeout=60)[0]) for p in both) == 300


def test_priv_04_kill_9_never_refills_it(tmp_path):
    """What the dead server held counts as used: at most one lot of 18 here."""
    path = tmp_path / "b.sqlite"
    dead = child(path, 100, "die")
    assert int(dead.communicate(timeout=60)[0]) == 100
    assert dead.returncode == -signal.SIGKILL
    book = Budgets(path)
    used = book.used("a", "rail", "windows")
    assert 100 <= used <= 100 + 18
    got = 0
    while book.take("a", "rail", {"windows": 1.0}, {"windows": 300.0}) is None:
        got += 1
    assert got == 300 - used


def test_a_broken_file_serves_nothing(tmp_path):
    path = tmp_path / "b.sqlite"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(StorageError, match="nothing is served"):
        Budgets(path)


def test_work_that_came_to_nothing_is_not_carried_to_the_next_call(tmp_path):
    """A thread serves many: what it does next may be for somebody else."""
    judge = gate(tmp_path / "b.sqlite", cpu_seconds=100)
    assert judge.admit(ask()) is None
    judge.served_all(())
    before = judge.budgets.used(ME, "rail", "cpu_seconds")
    sum(range(3_000_000))
    assert judge.admit(ask()) is None
    assert judge.budgets.used(ME, "rail", "cpu_seconds") == before


def test_who_asks_for_many_names_makes_no_session_forgotten(tmp_path):
    grant = Grant(ME, "*", frozenset(METHODS), steps=Steps((1e-3,)), rollbacks=0)
    judge = PolicyGate(Policy(grants=(grant,)))
    window = ask(session="1", windows=1, t0=0.0)
    assert judge.admit(window) is None
    for n in range(5000):
        judge.admit(Call(ME, f"invented {n}", "describe"))
    assert judge.admit(window) is not None, "it was asked for already"


def test_an_open_that_came_to_nothing_is_paid_up_to_there(tmp_path):
    judge = gate(tmp_path / "b.sqlite", cpu_seconds=100)
    host = Host({"rail": Served("rail", lambda: chain("rail"), "digest")}, judge)
    hello = pb.Open(version=spoken(), coordinator="NOT A NAME", model="rail")
    host.answer(pb.Request(open=hello).SerializeToString(), ME)
    before = judge.budgets.used(ME, "rail", "cpu_seconds")
    sum(range(3_000_000))
    assert judge.admit(ask()) is None
    assert judge.budgets.used(ME, "rail", "cpu_seconds") == before


def test_who_is_refused_does_not_hear_that_it_cannot_be_paid(tmp_path, monkeypatch):
    judge = gate(tmp_path / "b.sqlite", cpu_seconds=100)
    host = Host({"rail": Served("rail", lambda: chain("rail"), "digest")}, judge)

    def full(*given):
        raise StorageError("/secret/path", "no room.", "Make some.")

    monkeypatch.setattr(judge.budgets, "spend", full)
    hello = pb.Open(version=spoken(), coordinator="NOT A NAME", model="rail")
    raw, _ = host.answer(pb.Request(open=hello).SerializeToString(), ME)
    failure = pb.Reply.FromString(raw).failure
    assert failure.code == pb.CODE_INVALID_ARGUMENT
    assert b"secret" not in raw


def test_a_stop_at_one_server_is_heard_at_another_with_its_next_lot(tmp_path):
    one, other = (gate(tmp_path / "b.sqlite", windows=1000) for _ in range(2))
    window = ask(windows=1)
    for _ in range(2):
        assert other.admit(window) is None
    one.budgets.spend(ME, "rail", "stopped", 1.0)
    assert 1 <= served(other, window) <= 64
