"""SEC-13, PRIV-02, PRIV-03: only what a policy grants is served; all else is denied."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bondline.remote
from bondline import core
from bondline.core import Signal, uniform
from bondline.remote.owner.gate import Binding, Call, Choosing, Gathering, Sealing
from bondline.remote.privacy.methods import GROUPS, METHODS, NEVER
from bondline.remote.privacy.policy import Grant, Policy, Steps, Terms
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.privacy.rules import BLOCKS, DENIED, TIMED, USED_UP

ME, OTHER = "spiffe://truck/integrator", "spiffe://truck/other"
STEP = Steps((1e-3,))
INSIDE = (core.Repeating, core.Stretching)  # of interface solvers, not of models


def grant(**more):
    return Grant(**{"who": ME, "model": "rail", "steps": STEP, **more})


def gate(*grants, **more):
    return PolicyGate(Policy(grants=grants, **more))


def ask(method, who=ME, model="rail", **more):
    return Call(who, model, method, **{"step": 1e-3, **more})


def test_exactly_what_is_granted_is_served():
    """Every (identity, method, model): the matrix of SEC-13."""
    granted = {(ME, "rail"): {"start", "advance"}, (OTHER, "cross"): {"receptance"}}
    judge = gate(
        *(Grant(w, m, frozenset(ms), steps=STEP) for (w, m), ms in granted.items())
    )
    people, models = (ME, OTHER, "", "spiffe://ship/integrator"), ("rail", "cross", "x")
    for who, method, model in product(people, METHODS, models):
        denied = judge.admit(ask(method, who, model))
        allowed = method in granted.get((who, model), set())
        assert (denied is None) == allowed, (who, method, model)
        assert denied is None or denied.code == DENIED


def test_without_a_policy_nothing_is_served():
    judge = gate()
    assert all(judge.admit(ask(method)) is not None for method in METHODS)


def test_with_everything_granted_everything_is_served():
    """The positive control: the matrix can be full."""
    judge = gate(grant(methods=frozenset(METHODS), blocks=99))
    assert all(judge.admit(ask(method)) is None for method in METHODS)


@given(st.text(max_size=20))
def test_a_method_nobody_knows_is_denied_whatever_is_granted(method):
    judge = gate(grant(methods=frozenset(METHODS) | {method}))
    assert (judge.admit(ask(method)) is None) == (method in set(METHODS) - BLOCKS)


def test_whether_a_model_exists_is_not_told():
    judge = gate(grant(methods=frozenset({"start"})))
    there = judge.admit(ask("start", OTHER, "rail"))
    not_there = judge.admit(ask("start", OTHER, "none"))
    assert there.reason.replace("rail", "none") == not_there.reason


def protocol_methods():
    """What the wire protocol can ask for: the cases of `oneof ask`."""
    path = Path(bondline.remote.__file__).with_name("bondline.proto")
    if not path.exists():
        return None
    ask = re.search(r"oneof ask \{(.*?)\}", path.read_text(), re.DOTALL)
    return set(re.findall(r"^\s*\w+ (\w+) = \d+;", ask[1], re.MULTILINE))


def test_no_method_of_the_protocol_lacks_an_entry():
    found = protocol_methods()
    if found is None:
        pytest.skip("there is no bondline.proto in this tree yet")
    assert len(found) > 15
    assert found <= set(METHODS)


def test_no_ability_of_a_model_lacks_an_entry():
    """All that a model may be able to do: protocols that isinstance finds."""
    facts = {"balance", "mass"}  # no calls
    each = [getattr(core, name) for name in core.__all__]
    named = {
        name
        for cls in each
        if getattr(cls, "_is_runtime_protocol", False) and cls not in INSIDE
        for name, member in vars(cls).items()
        if callable(member) and not name.startswith("_") and name not in facts
    }
    assert {"respond", "dump", "impulse", "observe"} <= named
    assert named <= set(METHODS) | NEVER


def test_every_method_is_in_one_group():
    assert sum(len(each) for each in GROUPS.values()) == len(METHODS)
    assert not NEVER & set(METHODS)


def test_a_gate_of_a_policy_can_do_what_sessions_look_for():
    judge = gate()
    assert isinstance(judge, Binding)
    assert isinstance(judge, Gathering)
    assert isinstance(judge, Choosing)
    assert isinstance(judge, Sealing)
    judge.heard(ask("keep"), 3, "x")
    assert judge.head() == (-1, "")


@pytest.mark.parametrize("how", ["ports", "inputs"])
def test_other_ports_are_denied(how):
    judge = gate(grant(methods=frozenset({"advance"}), ports=frozenset({"A"})))
    force = Signal.hold(np.zeros(3))
    more = {"ports": ("A", "B")} if how == "ports" else {"inputs": {"B": force}}
    assert "port B" in judge.admit(ask("advance", **more)).reason
    assert judge.admit(ask("advance", ports=("A",))) is None


@pytest.mark.parametrize("method", sorted(TIMED))
@pytest.mark.parametrize("step", [0.0, 5e-4, 1.001e-3, 1.0, -1e-3, float("nan")])
def test_priv_02_other_window_lengths_are_denied(method, step):
    """PRIV-02: and nothing has been computed, because admit comes first."""
    judge = gate(grant(methods=frozenset(METHODS)))
    denied = judge.admit(ask(method, step=step))
    assert denied.code == DENIED
    assert "granted: 0.001 s" in denied.reason
    assert judge.admit(ask(method, step=1e-3)) is None


@pytest.mark.parametrize("method", sorted(BLOCKS))
def test_blocks_are_denied_unless_granted(method):
    plain = gate(grant(methods=frozenset(METHODS)))
    assert "windows in one call" in plain.admit(ask(method, windows=50)).reason
    assert plain.admit(ask(method, windows=1)) is not None
    assert plain.admit(ask("advance", windows=2)) is not None
    many = gate(grant(methods=frozenset(METHODS), blocks=50))
    assert many.admit(ask(method, windows=50)) is None
    assert many.admit(ask(method, windows=51)) is not None


def test_priv_03_a_window_may_be_asked_for_only_so_often():
    """PRIV-03: the rollback budget, for each session."""
    judge = gate(grant(methods=frozenset(METHODS), rollbacks=2))
    for _ in range(3):
        assert judge.admit(ask("advance", t0=0.0)) is None
    denied = judge.admit(ask("advance", t0=0.0))
    assert denied.code == USED_UP
    assert "too often" in denied.reason
    assert judge.admit(ask("advance", t0=1e-3)) is None
    assert judge.admit(ask("advance", t0=0.0)) is not None
    assert judge.admit(ask("advance", t0=0.0, session="2")) is None


def test_priv_03_going_far_back_is_no_way_around():
    judge = gate(grant(methods=frozenset(METHODS), rollbacks=0))
    for n in range(6000):
        assert judge.admit(ask("advance", t0=n * 1e-3)) is None
    assert judge.admit(ask("advance", t0=0.0)) is not None
    assert judge.admit(ask("advance", t0=5.999)) is not None
    assert judge.admit(ask("advance", t0=6.0)) is None


@pytest.mark.parametrize("off", [1e-15, 1e-9, 1e-4, 9e-4])
def test_priv_03_a_start_a_little_off_is_the_same_window(off):
    judge = gate(grant(methods=frozenset(METHODS), rollbacks=0))
    assert judge.admit(ask("advance", t0=0.005)) is None
    assert judge.admit(ask("advance", t0=0.005 + off)) is not None
    assert judge.admit(ask("advance", t0=0.006)) is None


def test_only_chosen_observables_are_shown():
    judge = gate(models={"rail": Terms("rail", observables=("tip.z",))})
    assert judge.shown(ask("observe"), ["tip.z", "secret"]) == {"tip.z"}
    assert judge.shown(ask("observe", model="cross"), ["tip.z"]) == frozenset()


@pytest.mark.parametrize(("t0", "h"), [(100.0, 1e-5), (1e4, 1e-4), (1e6, 1e-3)])
def test_windows_far_from_zero_have_the_length_that_is_granted(t0, h):
    """Their ends are rounded by more than a billionth of it."""
    judge = gate(grant(methods=frozenset(METHODS), steps=Steps((h,))))
    grid = [uniform(t0, h, n) for n in range(200)]
    assert all(judge.admit(ask("advance", t0=w.t0, step=w.h)) is None for w in grid)
    assert judge.admit(ask("advance", t0=t0, step=1.001 * h)) is not None
    assert judge.admit(ask("advance", t0=0.0, step=h * (1.0 + 1e-6))) is not None
    assert judge.admit(ask("advance", t0=1e12, step=1.1 * h)) is not None
