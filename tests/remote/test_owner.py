"""An owner's policy, over the wire: what it grants runs, and is written down."""

from __future__ import annotations

import signal

import numpy as np
import pytest

from bondline.build.under_policy import served_model
from bondline.core import Signal, uniform
from bondline.errors import BondlineError
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.ability_answers import ABILITIES
from bondline.remote.owner.block_answers import BLOCKS
from bondline.remote.owner.served import Served
from bondline.remote.owner.window_answers import WINDOWS
from bondline.remote.privacy.leakage import accounts, estimates
from bondline.remote.privacy.methods import GROUPS, METHODS, expand
from bondline.remote.privacy.policy import Budget, Grant, Policy, Steps, Terms, Watched
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.run import Keep, find, simulate
from tests.remote.conftest import placement
from tests.remote.test_serve_command import LIMIT, run, served
from tests.security.beams import H, assembly, driven, hidden, truth

ME = "spiffe://test/integrator"


@pytest.fixture
def serving(supply, tmp_path):
    """The hidden beam, served under a policy with one grant."""
    gates = []

    def start(terms=None, keep="counts", **more):
        grant = {"methods": expand(("session", "run", "begin")), "steps": Steps((H,))}
        policy = Policy(
            {"hidden": terms} if terms else {},
            (Grant(ME, "hidden", **{**grant, **more}),),
            tmp_path / "audit.jsonl",
            tmp_path / "budgets.sqlite",
            keep,
        )
        gates.append(PolicyGate.of(policy))
        make = Served("hidden", lambda: served_model(hidden(), policy), "d")
        return supply({"hidden": make}, gate=gates[0])

    yield start
    for gate in gates:
        gate.close()


def played(model, steps=60, seed=0):
    kept = Keep()
    simulate(assembly(model, seed), until=steps * H, step=H, record=kept)
    return kept.results().signals["other.tip"]


def log(tmp_path):
    return read_log(tmp_path / "audit.jsonl").records


def test_what_is_granted_gives_the_same_numbers_and_is_written_down(serving, tmp_path):
    there = serving()
    assert np.array_equal(played(there.model("hidden", grace=30.0)), played(hidden()))
    (account,) = accounts(log(tmp_path))
    assert account.who == ME
    assert account.windows == 60
    assert account.steps == {H}
    assert account.denied == 0
    assert account.numbers > 60 * 3
    calls = [r for r in log(tmp_path) if r["kind"] == "call"]
    moved = [r for r in calls if r["method"] == "realise"]
    assert [r["t0"] for r in moved] == [n * H for n in range(60)]
    assert len({r["session"] for r in moved} - {""}) == 1
    assert all(len(r["request"]) == 64 for r in moved)


def test_who_is_not_granted_anything_learns_nothing(serving, tmp_path):
    there = serving()
    said = set()
    for name in ("hidden", "another", ""):  # there is one, there is none, the only one
        grant = Grant("spiffe://test/other", name or "*", frozenset({"describe"}))
        there.server.host.gate.policy = Policy(grants=(grant,))
        with pytest.raises(BondlineError) as refused:
            there.model("mine", name, 30.0)
        said.add(str(refused.value.__cause__ or refused.value))
        assert bool(name) == (f"It was asked for {name!r}" in str(refused.value))
    (words,) = said
    assert "may not describe this model" in words
    assert "hidden" not in words
    assert [r["kind"] for r in log(tmp_path)] == ["begin"] + ["denied"] * 3


def test_other_window_lengths_are_refused_before_anything_is_computed(serving):
    there = serving()
    model = there.model("hidden", grace=30.0)
    state = model.start(0.0).state
    with pytest.raises(BondlineError, match=r"windows of 0\.002 s are not granted"):
        model.advance(state, uniform(0.0, 2 * H, 0), {})


def test_a_budget_ends_a_run_with_the_owners_words(serving, tmp_path):
    there = serving(budget=Budget(windows=20))
    with pytest.raises(BondlineError, match="today's 20 windows of hidden are used up"):
        played(there.model("hidden", grace=30.0))
    (account,) = accounts(log(tmp_path))
    assert account.windows == 20


def test_a_probe_over_the_wire_is_flagged(serving, tmp_path):
    model = serving(monitor=Watched(60.0, "stop")).model("hidden", grace=30.0)
    forces = np.zeros((20, 1))
    forces[0] = 1.0
    with pytest.raises(BondlineError, match="outside the agreed band"):
        driven(model, forces)
    assert [r["port"] for r in log(tmp_path) if r["kind"] == "alarm"] == ["end"]


def test_numbers_that_are_kept_are_those_that_left(serving, tmp_path):
    model = serving(keep="numbers").model("hidden", grace=30.0)
    state, shown = model.start(0.0).state, []
    for n in range(300):
        force = {"end": Signal.hold(np.array([1.0 if n < 3 else 0.0]))}
        done = model.advance(state, uniform(0.0, H, n), force)
        state = done.state
        shown.append(np.concatenate([done.outputs["end"].x, done.outputs["end"].v]))
    kept = [r for r in log(tmp_path) if r["kind"] == "call" and r.get("in")]
    assert [r["out"]["end"][:2] for r in kept] == np.array(shown).tolist()
    (found,) = estimates(log(tmp_path), ME, "hidden")
    every = sorted([*found.frequencies, *found.perhaps])
    assert found.modes >= 5
    assert np.allclose(every, truth()[: len(every)], rtol=0.01)


def test_with_a_band_the_reduced_model_is_what_answers(serving):
    model = serving(Terms("hidden", band=60.0)).model("hidden", grace=30.0)
    away, here = played(model), played(served_model(hidden(), _banded()))
    assert np.array_equal(away, here)
    assert not np.array_equal(away, played(hidden()))


def _banded():
    return Policy({"hidden": Terms("hidden", band=60.0)})


def test_what_a_session_answers_to_are_methods_of_some_group():
    every = {m for each in GROUPS.values() for m in each}
    assert {*WINDOWS, *ABILITIES, *BLOCKS} <= every


W = uniform(0.0, H, 0)
ASKED = {
    "advance": lambda m, s: m.advance(s, W, {}),
    "respond": lambda m, s: m.respond(s, W, {}),
    "linearise": lambda m, s: m.linearise(s, W, {"end": Signal.hold(np.ones(1))}),
    "press": lambda m, s: m.press(s, 0.0, {}),
    "kick": lambda m, s: m.kick(s, 0.0, {}),
    "mobility": lambda m, s: m.mobility(s, 0.0),
    "equilibrium": lambda m, s: m.equilibrium(s, 1.0, {}, {}),
    "compliance": lambda m, s: m.compliance(s, {}),
    "receptance": lambda m, s: m.receptance(1.0),
    "breaks": lambda m, s: m.breaks(W),
    "keep": lambda m, s: m.dump(s),
}


@pytest.mark.parametrize("method", ASKED)
def test_no_call_gets_around_the_gate(serving, method):
    """Everything but this one is granted; and with it the call goes through."""
    every = frozenset(METHODS) - {method}
    there = serving(methods=every)
    model = there.model("hidden", grace=30.0)
    state = model.start(0.0).state
    with pytest.raises(BondlineError, match=f"{method} is not granted"):
        ASKED[method](model, state)
    there.server.host.gate.policy = Policy(
        grants=(Grant(ME, "hidden", frozenset(METHODS), steps=Steps((H,))),)
    )
    ASKED[method](model, state)


POLICY = """\
[owner]
audit = "audit.jsonl"
budgets = "budgets.sqlite"

[models.lower]
observables = ["angle"]

[[grant]]
who = "spiffe://test/integrator"
model = "lower"
methods = ["session", "run", "begin", "checkpoint", "look"]
steps = ["10 ms"]
windows_per_day = 1000
rollbacks = 30
"""


def test_the_command_serves_under_a_policy(project, tmp_path, owner, integrator):
    model = project / "examples" / "double_pendulum"
    (tmp_path / "policy.toml").write_text(POLICY)
    secrets = ["--cert", owner.cert, "--key", owner.key, "--client-ca", owner.ca]
    flags = [*secrets, "--policy", "policy.toml"]
    with served(tmp_path, f"{model}:lower", *flags) as (address, process):
        file = placement(tmp_path / "p.toml", {"lower": address}, integrator)
        there = ("--placement", file, "--until", "0.1s")
        assert run(tmp_path, model, "--name", "away", *there) == 0
        assert run(tmp_path, model, "--name", "other", *there, "--step", "5ms") != 0
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0
    (account,) = accounts(log(tmp_path))
    assert account.windows >= 10
    assert account.denied >= 1
    signals = find(tmp_path / "runs", "away").results().signals
    assert "lower.angle" in signals
