"""PRIV-05: probes are flagged within 20 steps, 50 ordinary runs are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.cli import main
from bondline.core import Signal
from bondline.gluing import glue
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.histories import Harmonic
from bondline.remote.log.audit import AuditLog
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.gate import Call
from bondline.remote.owner.trail import Moved, Trail, packed, unpacked
from bondline.remote.privacy.budgets import Budgets
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.monitor import gone_on
from bondline.remote.privacy.policy import Grant, Policy, Steps, Watched
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.privacy.rules import USED_UP
from bondline.run import Keep, simulate
from tests.fe.parts import rows
from tests.fe.test_reduction_leaf import frame

from .beams import BAND, H, assembly, hidden, ordinary
from .tapped import Tapped

ME = "spiffe://truck/integrator"


def first_alarm(u, h=H, band=BAND):
    """After how many windows the monitor says something; None: never."""
    trail = Trail(0.0)
    for n, f in enumerate([*np.reshape(u, (len(u), -1)), np.zeros(np.size(u[0]))]):
        if gone_on(trail, band) is not None:
            return n
        trail = pushed(trail, n, f, h)
    return None


def pushed(trail, n, f, h=H):
    """Of the state after window `n` under a force."""
    moved = Moved(n * h, h, {"end": Signal.hold(np.atleast_1d(f))})
    return trail.after((n + 1) * h, (moved,))


def one_impulse(at, size=1.0, steps=60):
    u = np.zeros(steps)
    u[at] = size
    return u


def chirp(steps, high=450.0):
    t = H * np.arange(steps)
    return np.sin(2 * np.pi * (5.0 * t + 0.5 * high / (steps * H) * t**2))


@pytest.mark.parametrize("at", [0, 1, 5, 17])
@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e-9, 1.0, 1e9, 1e200])
def test_an_impulse_is_flagged_within_20_steps(at, size):
    assert at < first_alarm(one_impulse(at, size)) <= at + 20


@pytest.mark.parametrize("steps", [20, 30, 40])
def test_a_quick_chirp_is_flagged_within_20_steps(steps):
    assert first_alarm(chirp(steps)) <= 20


@pytest.mark.parametrize("steps", [100, 200, 400, 1000])
def test_a_slow_chirp_is_flagged_before_it_reaches_twice_the_band_or_soon(steps):
    """Within 20 steps of being an octave outside."""
    octave = (2 * BAND - 5.0) / 450.0 * steps
    assert first_alarm(chirp(steps)) <= octave + 20


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_flagged_within_20_steps(seed):
    assert first_alarm(np.random.default_rng(seed).normal(size=60)) <= 20


def test_a_sudden_constant_load_is_not():
    assert first_alarm(np.ones(100)) is None


@pytest.mark.parametrize("seed", range(20))
def test_loads_inside_the_band_are_not(seed):
    assert first_alarm(ordinary(300, seed)) is None


def test_windows_too_long_to_judge_are_not_judged():
    assert first_alarm(one_impulse(3), h=0.1) is None


def test_inputs_that_were_taken_back_do_not_count():
    trail = Trail(0.0)
    for n in range(40):
        assert gone_on(trail, BAND) is None
        for f in (1e3 * (-1.0) ** n, 1.0):  # a bad guess, and what it becomes
            after = pushed(trail, n, f)
        trail = after


def test_forces_too_large_to_add_are_flagged_and_hide_nothing():
    trail = pushed(Trail(0.0), 0, np.full(3, 1.7e308))
    assert gone_on(trail, BAND).outside == 1.0
    for n, f in enumerate(one_impulse(3), start=1):
        if gone_on(trail, BAND) is not None:
            break
        trail = pushed(trail, n, np.full(3, f))
    assert n <= 20


def test_a_trail_that_was_put_away_and_taken_back_is_judged_alike():
    """Whether its windows were taken in, or still wait for somebody to go on."""
    for at in range(4):
        kept, straight = Trail(0.0), Trail(0.0)
        for n, f in enumerate(one_impulse(2, steps=40)):
            kept, straight = pushed(kept, n, f), pushed(straight, n, f)
            if n % 4 == at:
                kept = unpacked(packed(kept))
            told = gone_on(kept, BAND)
            assert told == gone_on(straight, BAND)
            if told is not None:
                break
        assert told is not None


def test_nobody_keeps_trails_that_nobody_watches():
    trail = Trail(0.0)
    for n in range(100):
        trail = pushed(trail, n, 1.0)
    assert len(trail.due()) < 8


def judge(action="alarm", **more):
    grant = Grant(
        ME, "*", frozenset(METHODS), steps=Steps((H,)), monitor=Watched(BAND, action)
    )
    return PolicyGate(Policy(grants=(grant,)), **more)


def alarms(path):
    return [r for r in read_log(path).records if r["kind"] == "alarm"]


@pytest.mark.quick(12)
@pytest.mark.parametrize("seed", range(44))
def test_an_ordinary_glued_run_is_not_flagged(seed, tmp_path):
    """Sudden loads up to the band shake an assembly whose hidden part is undamped."""
    path = tmp_path / "audit.jsonl"
    gate = judge(audit=AuditLog(path, "owner"))
    tapped = Tapped(hidden(), gate, ME)
    simulate(assembly(tapped, seed), until=100 * H, step=H, record=Keep())
    assert alarms(path) == []
    assert len(read_log(path).records) > 100


@pytest.mark.quick(2)
@pytest.mark.parametrize("seed", range(6))
def test_an_ordinary_run_of_shells_is_not_flagged(seed, tmp_path):
    """Eighteen dofs in one port, weight and three loads switched on at once."""
    left, right, _ = frame()
    g, tip = np.random.default_rng(seed), int(right.mesh.node_sets["u1"][0])
    pushes = tuple(
        NodalForce(
            rows(tip),
            axis,
            float(100.0 * g.normal()),
            Harmonic(b=(1.0,), a=(0.5,), omega=float(2 * np.pi * g.uniform(1, BAND))),
        )
        for axis in range(3)
    )
    right = replace(right, loads=(right.loads[1], *pushes))
    path = tmp_path / "audit.jsonl"
    gate = judge(audit=AuditLog(path, "owner"))
    parts = [
        Tapped(fe_leaf(left, {"p": Plug("u1")}), gate, ME),
        fe_leaf(right, {"q": Plug("u0")}),
    ]
    model = glue("frame", parts, {"weld": ("a.p", "b.q")})
    simulate(model, until=100 * H, step=H, record=Keep())
    assert alarms(path) == []


def probe(gate, windows=20, session="1"):
    """Refusals of an impulse through the gate, by window."""
    found, trail = [], Trail(0.0)
    for n, f in enumerate(one_impulse(0, steps=windows)):
        force = {"end": Signal.hold(np.array([f]))}
        told = {"step": H, "t0": n * H, "inputs": force, "trail": trail}
        call = Call(ME, "hidden", "advance", session=session, **told)
        denied = gate.admit(call)
        trail = trail.after((n + 1) * H, call.moved)
        found += [(n, denied)] if denied else []
    return found


def test_an_alarm_is_written_down_and_serves_on(tmp_path):
    path = tmp_path / "audit.jsonl"
    assert probe(judge(audit=AuditLog(path, "owner"))) == []
    (alarm,) = alarms(path)
    assert (alarm["port"], alarm["action"]) == ("end", "alarm")
    assert alarm["outside"] > 0.5


def test_stop_stops_the_partner_for_the_day_also_after_a_restart(tmp_path):
    path = tmp_path / "b.sqlite"
    refused = probe(judge("stop", budgets=Budgets(path)))
    assert refused[0][0] <= 20
    assert refused[0][1].code == USED_UP
    assert "outside the agreed band" in refused[0][1].reason
    again = judge("stop", budgets=Budgets(path))
    opened = again.admit(Call(ME, "hidden", "open", session="2"))
    assert "stopped hidden for today: until 00:00 UTC" in opened.reason


def test_the_owner_can_lift_a_stop_while_the_server_runs(tmp_path, capsys):
    """And who goes on as before is stopped again."""
    file = tmp_path / "policy.toml"
    file.write_text('[owner]\nbudgets = "b.sqlite"\n', encoding="utf-8")
    gate = judge("stop", budgets=Budgets(tmp_path / "b.sqlite"))
    assert probe(gate)
    opened = Call(ME, "hidden", "open", session="2")
    assert gate.admit(opened)
    lift = ["policy", "lift", str(file), ME, "hidden"]
    assert main(lift) == 0
    assert gate.admit(opened) is None
    assert main(lift) == 2
    assert "not stopped today" in capsys.readouterr().err
    assert probe(gate, windows=60)


def test_off_is_off(tmp_path):
    """The control: nobody looks."""
    path = tmp_path / "audit.jsonl"
    assert probe(judge("off", audit=AuditLog(path, "owner"))) == []
    assert alarms(path) == []
