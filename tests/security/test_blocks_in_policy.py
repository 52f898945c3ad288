"""Blocks of windows under a policy: bounded, paid for, watched, and written down."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.build import Given, open_model
from bondline.cli import main
from bondline.core import Block, Settling, Signal, uniform
from bondline.errors import BondlineError
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner import block_answers
from bondline.remote.owner.served import Served
from bondline.remote.privacy.budgets import Budgets
from bondline.remote.privacy.leakage import accounts, estimates
from bondline.remote.privacy.methods import METHODS, expand
from bondline.remote.privacy.policy import Budget, Grant, Policy, Steps, Watched
from bondline.remote.privacy.policy_file import read_policy
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.privacy.policy_template import template
from bondline.run import simulate
from tests.remote.conftest import ca, integrator, owner, parts_of, supply  # noqa: F401
from tests.security.beams import H, assembly, hidden, truth

ME = "spiffe://test/integrator"
K = 10


@pytest.fixture
def judged(supply, tmp_path):  # noqa: F811
    """Models served under one grant that allows blocks of ten."""
    gates = []

    def start(models=None, keep="counts", **more):
        granted = {"methods": frozenset(METHODS), "steps": Steps((H,)), "blocks": K}
        policy = Policy(
            grants=(Grant(ME, "*", **{**granted, **more}),),
            audit=tmp_path / "audit.jsonl",
            budgets=tmp_path / "budgets.sqlite",
            keep=keep,
        )
        gates.append(PolicyGate.of(policy))
        return supply(models or {"hidden": Served("hidden", hidden)}, gate=gates[0])

    yield start
    for gate in gates:
        gate.close()


@pytest.fixture
def beam(judged):
    made = []

    def start(**more):
        made.append(judged(**more).model("hidden", grace=30.0))
        return made[-1], made[-1].start(0.0).state

    yield start
    for model in made:
        model.close()


def windows(count=K, h=H, first=0):
    return Block([uniform(0.0, h, first + n) for n in range(count)])


def pushes(values):
    return [{"end": Signal.hold(np.array([float(v)]))} for v in values]


def log(tmp_path, kind="call"):
    return [r for r in read_log(tmp_path / "audit.jsonl").records if r["kind"] == kind]


ASKED = {
    "impulse": lambda m, s, b: m.impulse(s, b, 1),
    "respond_block": lambda m, s, b: m.respond_block(s, b),
}


@pytest.mark.parametrize("method", ASKED)
def test_longer_blocks_than_granted_are_denied_before_anything_is_computed(
    beam, method, tmp_path
):
    model, state = beam()
    with pytest.raises(BondlineError, match=r"11 windows in one call.*granted: 10"):
        ASKED[method](model, state, windows(K + 1))
    assert [r["method"] for r in log(tmp_path, "denied")] == [method]
    ASKED[method](model, state, windows(K))


@pytest.mark.parametrize("method", ASKED)
def test_by_default_blocks_are_denied(beam, method):
    model, state = beam(blocks=1)
    with pytest.raises(BondlineError, match="windows in one call are not granted"):
        ASKED[method](model, state, windows(2))
    (usual,) = read_policy(template(ME, "hidden")).grants
    assert usual.blocks == 1
    assert not usual.methods & expand(("block",))


def test_blocks_that_come_along_are_bounded_too(beam, judged):
    """What rides on a trial or a settlement is judged like a call of its own."""
    model, state = beam()
    response = model.respond_block(state, windows())
    with pytest.raises(BondlineError, match="11 windows in one call"):
        model.try_block(response, pushes([0.0] * K), windows(K + 1, first=K))
    trial = model.try_block(response, pushes([0.0] * K))
    with pytest.raises(BondlineError, match="11 windows in one call"):
        model.settle_block(Settling(trial, pushes([0.0] * K)), windows(11, first=K))


@pytest.mark.parametrize("method", ASKED)
def test_every_window_of_a_block_has_a_granted_length(beam, method):
    model, state = beam()
    with pytest.raises(BondlineError, match=r"windows of 0\.002 s are not granted"):
        ASKED[method](model, state, windows(2, 2 * H))
    mixed = Block([uniform(0.0, H, 0), uniform(H, 2 * H, 0)])
    with pytest.raises(BondlineError, match="windows of a block have one length"):
        ASKED[method](model, state, mixed)


def test_a_budget_counts_all_windows_of_a_block(beam):
    model, state = beam(budget=Budget(windows=2 * K))
    response = model.respond_block(state, windows())
    for _ in range(2):
        model.try_block(response, pushes([1.0] * K))
    with pytest.raises(BondlineError, match="today's 20 windows of hidden are used up"):
        model.try_block(response, pushes([1.0] * K))


def pushed(first=0):
    return Block(windows(first=first).windows, pushes([1.0] * K))


@pytest.mark.parametrize("last", [False, True], ids=["try_block", "settle_block"])
def test_what_is_refused_is_not_counted(beam, tmp_path, last):
    """A budget that has no room for the next block keeps what it has."""
    model, state = beam(budget=Budget(windows=(4 if last else 3) * K - 1), rollbacks=2)
    response = model.respond_block(state, pushed())
    trial = model.try_block(response, pushes([1.0] * K)) if last else None
    if last:
        model.settle_block(Settling(trial, pushes([1.0] * K)))

    def ask(*ahead):
        if last:  # a second last word costs as much as a trial
            return model.settle_block(Settling(trial, pushes([2.0] * K)), *ahead)
        return model.try_block(response, pushes([1.0] * K), *ahead)

    for _ in range(5):
        with pytest.raises(BondlineError, match="windows of hidden are used up"):
            ask(pushed(first=K))
    ask()
    with pytest.raises(BondlineError, match="windows of hidden are used up"):
        ask()
    counted = sum(r["windows"] for r in log(tmp_path))
    assert counted == (3 if last else 2) * K


def test_what_is_refused_is_no_repetition(beam):
    model, state = beam(rollbacks=0)
    response = model.respond_block(state, windows())
    trial = model.try_block(response, pushes([1.0] * K))
    for _ in range(2):
        with pytest.raises(BondlineError, match="asked for too often"):
            model.try_block(response, pushes([2.0] * K), windows(first=K))
    model.settle_block(Settling(trial, pushes([1.0] * K)), windows(first=K))


def test_the_monitor_sees_nothing_that_a_budget_refuses(beam, tmp_path):
    model, state = beam(
        blocks=20, monitor=Watched(60.0, "stop"), budget=Budget(windows=39)
    )
    response = model.respond_block(state, windows(20))
    ahead = Block(windows(20, first=20).windows, pushes([1.0] * 20))
    with pytest.raises(BondlineError, match="used up"):
        model.try_block(response, pushes([1.0] + [0.0] * 19), ahead)
    assert log(tmp_path, "alarm") == []
    model.try_block(response, pushes([1.0] * 20))


def test_what_the_monitor_stops_is_not_paid(beam, tmp_path):
    model, state = beam(
        blocks=20, monitor=Watched(60.0, "stop"), budget=Budget(windows=20)
    )
    response = model.respond_block(state, windows(20))
    with pytest.raises(BondlineError, match="outside the agreed band"):
        model.try_block(response, pushes([1.0] + [0.0] * 19))
    owner_s = Budgets(tmp_path / "budgets.sqlite")
    assert owner_s.lift(ME, "hidden")
    owner_s.close()
    model.try_block(response, pushes([1.0] * 20))


def test_a_second_last_word_is_paid_for(beam):
    model, state = beam(budget=Budget(windows=2 * K))
    trial = model.try_block(model.respond_block(state, windows()), pushes([1.0] * K))
    for force in (2.0, 3.0):
        model.settle_block(Settling(trial, pushes([force] * K)))
    with pytest.raises(BondlineError, match="used up"):
        model.settle_block(Settling(trial, pushes([4.0] * K)))


def test_answers_to_known_inputs_are_windows(beam):
    model, state = beam(budget=Budget(windows=K))
    moved = Block(windows().windows, pushes([1.0] * K))
    model.respond_block(state, moved)
    model.respond_block(state, windows())
    with pytest.raises(BondlineError, match="used up"):
        model.respond_block(state, moved)


def test_impulse_responses_cost_a_probe_for_each_window_and_coefficient(beam):
    model, state = beam(budget=Budget(probes=3 * K))
    model.impulse(state, windows(), 1)
    with pytest.raises(BondlineError, match="today's 30 probes of hidden are used up"):
        model.impulse(state, windows(), 3)


def test_the_same_block_may_be_asked_for_only_so_often(beam):
    model, state = beam(rollbacks=1)
    response = model.respond_block(state, windows())
    for _ in range(2):
        model.try_block(response, pushes([1.0] * K))
    with pytest.raises(BondlineError, match="asked for too often"):
        model.try_block(response, pushes([1.0] * K))


def test_an_overlapping_block_is_no_new_one(beam):
    model, state = beam(rollbacks=0)
    model.respond_block(state, windows(K))
    with pytest.raises(BondlineError, match="no window goes on from it"):
        model.respond_block(state, windows(K, first=K - 1))
    first, *rest = windows(K + 1).windows
    after = model.advance(state, first, {}).state
    with pytest.raises(BondlineError, match="asked for too often"):
        model.respond_block(after, Block(rest))


def test_an_impulse_in_one_block_is_flagged_at_once(beam, tmp_path):
    """Nobody has to settle what was tried: its answer is the impulse response."""
    model, state = beam(blocks=20, monitor=Watched(60.0, "stop"))
    response = model.respond_block(state, windows(20))
    with pytest.raises(BondlineError, match="outside the agreed band"):
        model.try_block(response, pushes([1.0] + [0.0] * 19))
    assert [r["port"] for r in log(tmp_path, "alarm")] == ["end"]


def test_an_impulse_hidden_in_known_inputs_is_flagged(beam):
    model, state = beam(blocks=20, monitor=Watched(60.0, "stop"))
    moved = Block(windows(20).windows, pushes([1.0] + [0.0] * 19))
    with pytest.raises(BondlineError, match="outside the agreed band"):
        model.respond_block(state, moved)


def test_an_impulse_hidden_in_a_short_block_is_flagged(beam):
    model, state = beam(monitor=Watched(60.0, "stop"))
    moved = Block(windows().windows, pushes([0.0, 1.0] + [0.0] * (K - 2)))
    with pytest.raises(BondlineError, match="outside the agreed band"):
        model.respond_block(state, moved)


def verdicts(there, tmp_path, seed, block):
    """Alarms of one run of an assembly, whose hidden part is served."""
    before = len(log(tmp_path, "alarm"))
    part = there.model("hidden", grace=30.0)
    model = replace(assembly(part, seed), block=block)
    simulate(model, 160 * H, H)
    part.close()
    return [(r["port"], r["t"]) for r in log(tmp_path, "alarm")[before:]]


@pytest.mark.parametrize(("band", "flagged"), [(60.0, False), (5.0, True)])
def test_a_run_in_blocks_is_judged_as_it_is_window_by_window(
    judged, tmp_path, band, flagged
):
    """Free responses, in which the forces are away, are no excitation."""
    there = judged(blocks=40, monitor=Watched(band, "alarm"))
    told = []
    for seed in range(4):
        single = verdicts(there, tmp_path, seed, 1)
        assert verdicts(there, tmp_path, seed, 40) == single
        told += single
    assert bool(told) is flagged


def test_a_slow_push_in_blocks_is_not_flagged(beam, tmp_path):
    model, state = beam(blocks=20, monitor=Watched(60.0, "stop"))
    for k in range(4):
        slow = np.sin(2 * np.pi * 5.0 * H * np.arange(20 * k, 20 * k + 20))
        block = windows(20, first=20 * k)
        trial = model.try_block(model.respond_block(state, block), pushes(slow))
        done = model.settle_block(Settling(trial, pushes(1.001 * slow)))
        state = done.advances[-1].state
    assert log(tmp_path, "alarm") == []


def test_impulse_responses_come_in_pieces_and_the_audit_tells_their_price(
    beam, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(block_answers, "_PIECE", 12)
    model, state = beam()
    trips = model.link.trips
    found = model.impulse(state, windows(), 1)
    numbers = sum(b.size for b in found.blocks.values())
    pieces = [r for r in log(tmp_path) if r["method"] == "impulse"]
    assert len(pieces) == model.link.trips - trips > 1
    assert sum(r["numbers"] for r in pieces) == numbers
    (account,) = accounts(log(tmp_path))
    assert account.impulses == K
    assert account.probes == K * 1 * 1
    assert main(["audit", str(tmp_path / "audit.jsonl")]) == 0
    said = capsys.readouterr().out
    assert f"impulse responses  over {K} windows: {numbers} numbers" in said


def test_numbers_of_blocks_are_kept_and_tell_as_many_modes(beam, tmp_path):
    """300 windows in blocks of ten, under a push that is over soon."""
    model, state = beam(keep="numbers")
    shown = []
    for k in range(30):
        push = pushes([1.0 if k == 0 and n < 3 else 0.0 for n in range(K)])
        block = windows(first=k * K)
        trial = model.try_block(model.respond_block(state, block), push)
        done = model.settle_block(Settling(trial, push))
        state = done.advances[-1].state
        shown += [a.outputs["end"].x[0] for a in done.advances]
    kept = [r for r in log(tmp_path) if r["method"] == "settle_block"]
    assert [w["end"][0] for r in kept for w in r["out"]] == shown
    (found,) = estimates(log(tmp_path), ME, "hidden")
    assert found.windows == 30 * K
    assert found.modes >= 5
    every = sorted([*found.frequencies, *found.perhaps])
    assert np.allclose(every, truth()[: len(every)], rtol=0.01)


def test_a_granted_run_in_blocks_pays_each_window_once(judged, project, tmp_path):
    path = project / "examples" / "linear_chain" / "SystemStructure.ssd"
    there = judged(
        parts_of(path),
        steps=Steps((0.01,)),
        rollbacks=3,
        budget=Budget(windows=100),
        monitor=Watched(40.0, "alarm"),
    )
    whole = open_model(path, Given(block=K)).model
    parts = {name: there.model(name) for name in whole.parts}
    simulate(replace(whole, parts=parts), 1.0, 0.01)
    for part in parts.values():
        part.close()
    each = accounts(log(tmp_path))
    assert {a.model: (a.windows, a.denied) for a in each} == {
        name: (100, 0) for name in parts
    }
