"""PRIV-01, PRIV-08: what the audit lists as modes are modes, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.linalg import eigh

from bondline.cli import main
from bondline.core import uniform
from bondline.gluing import glue
from bondline.leaves import chain
from bondline.leaves.fe.leaf import fe_leaf
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material
from bondline.leaves.fe.supports import Support
from bondline.numerics.identify import Answer, own
from bondline.remote.log.audit_read import read_log
from bondline.remote.privacy.leakage import estimates
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.run import Keep, simulate
from tests.fe.parts import ALL, beam

from .beams import END, OUT_OF_PLANE, H, Signal, assembly, hidden, ordinary, served
from .tapped import Tapped

ME = "spiffe://truck/integrator"


def damped():
    """The hidden beam, with damping of 2 % in its first mode, 1 % in its eighth."""
    steel = Material("steel", 210e9, 0.3, 7850.0, alpha=2.0, beta=1e-5)
    mesh = beam(40, side=0.008, material=steel)
    flat = Support(np.arange(1, 41), OUT_OF_PLANE)
    held = (Support(mesh.node_sets["u0"], ALL), flat)
    return fe_leaf(FeModel("hidden", mesh, held), END)


LEAVES = {
    "beam": hidden,
    "damped beam": damped,
    "band": cache(served),
    "row": lambda: chain("hidden", masses=5.0, stiffness=1e4, wall=100.0),
    "damped row": lambda: chain("hidden", masses=5.0, stiffness=1e4, damping=1.0),
}


def twins():
    """Two masses on springs of their own, with hardly anything between them."""
    plain = chain("hidden", masses=2.0, stiffness=1e4, damping=0.0)
    K = np.array([[4.0e4, -6e2], [-6e2, 4.0e4]])
    return replace(plain, system=plain.system._replace(K=K))


@cache
def truth(name):
    """Frequencies in Hz, from the matrices."""
    return of(LEAVES[name]().system)


def of(system):
    """The same of these matrices."""
    M, K = (A.toarray() if hasattr(A, "toarray") else A for A in (system.M, system.K))
    return np.sqrt(np.abs(eigh(K, M, eigvals_only=True))) / (2.0 * np.pi)


def pushes(kind, steps, seed, dofs):
    if kind == "ordinary":
        each = [ordinary(steps, seed + 100 * j) for j in range(dofs)]
        return np.hstack(each)
    if kind == "noise":
        return np.random.default_rng(seed).normal(size=(steps, dofs))
    forces = np.zeros((steps, dofs))
    forces[: {"impulse": 1, "step": steps}[kind]] = 1.0
    return forces


def kept(path, leaf, run, lengths=(H,)):
    """The records of a gate through which `run` has used the leaf."""
    grant = Grant(ME, "hidden", frozenset(METHODS), steps=Steps(lengths))
    gate = PolicyGate.of(Policy(grants=(grant,), audit=path, keep="numbers"))
    run(Tapped(leaf, gate, ME))
    gate.close()
    return read_log(path).records


def logged(path, leaf, run):
    """What the audit finds in them."""
    (found,) = estimates(kept(path, leaf, run), ME, "hidden")
    return found


def pushed(forces):
    """A partner that pushes all ports."""

    def run(leaf):
        state = leaf.start(0.0).state
        for n, f in enumerate(forces):
            each = {p: Signal.hold(f[j : j + 1]) for j, p in enumerate(leaf.ports)}
            state = leaf.advance(state, uniform(0.0, H, n), each).state

    return run


def glued(seed, steps):
    def run(leaf):
        simulate(assembly(leaf, seed), until=steps * H, step=H, record=Keep())

    return run


def wrong(frequencies, known):
    return [f for f in frequencies if np.abs(known / f - 1.0).min() > 0.01]


# how it is pushed, windows, seed, and how many modes come out at least
QUICK = [
    ("beam", "ordinary", 600, 1, 8),
    ("beam", "impulse", 200, 0, 8),
    ("damped beam", "ordinary", 200, 0, 8),
    ("damped beam", "step", 200, 0, 8),
    ("band", "ordinary", 600, 2, 3),  # 348 Hz was listed, which it does not have
    ("row", "noise", 200, 0, 5),
    ("damped row", "ordinary", 600, 1, 4),
]
EVERY = [
    (name, kind, steps, seed, 0)
    for name in LEAVES
    for kind in ("ordinary", "noise", "impulse", "step")
    for steps in (60, 200, 600, 2000)
    for seed in ((0, 1, 2) if kind in ("ordinary", "noise") else (0,))
]


@pytest.mark.parametrize(
    ("name", "kind", "steps", "seed", "least"),
    [*QUICK, *(pytest.param(*case, marks=pytest.mark.full) for case in EVERY)],
)
def test_only_modes_are_listed(tmp_path, name, kind, steps, seed, least):
    leaf = LEAVES[name]()
    forces = pushes(kind, steps, seed, len(leaf.ports))
    found = logged(tmp_path / "a.jsonl", leaf, pushed(forces))
    assert wrong(found.frequencies, truth(name)) == []
    assert found.modes >= least
    if least:
        assert np.allclose(found.frequencies[:3], truth(name)[:3], rtol=0.01) or (
            name == "damped row"  # it floats: its first motion is none that swings
        )


@pytest.mark.parametrize(
    ("name", "steps", "seed", "least"),
    [
        ("beam", 100, 0, 2),
        ("damped beam", 300, 1, 2),
        ("band", 100, 1, 3),
        *(
            pytest.param(name, steps, seed, 2, marks=pytest.mark.full)
            for name in ("beam", "damped beam", "band")
            for steps in (100, 300, 1000)
            for seed in range(5)
        ),
    ],
)
def test_modes_of_what_it_is_glued_to_are_not_listed(
    tmp_path, name, steps, seed, least
):
    """212, 585 and 1147 Hz of the other beam are in the record, too: as strong."""
    leaf = LEAVES[name]()
    found = logged(tmp_path / "a.jsonl", leaf, glued(seed, steps))
    assert wrong(found.frequencies, truth(name)) == []
    assert found.modes >= least
    assert not any(210.0 < f < 215.0 for f in found.frequencies)


def test_what_a_short_record_does_not_decide_is_not_hidden_from_the_owner(tmp_path):
    """60 windows: poles on which all orders agree are told, as what they are."""
    forces = pushes("ordinary", 60, 1, 1)
    found = logged(tmp_path / "a.jsonl", damped(), pushed(forces))
    every = np.array([*found.frequencies, *found.perhaps])
    assert wrong(found.frequencies, truth("damped beam")) == []
    assert sum((np.abs(every - f) < 0.01 * f).any() for f in truth("damped beam")) >= 3


SLOW = 0.01  # s, windows of chains
SEVEN = {"masses": 7.0, "wall": 500.0}


def shaken(path, leaf, windows, **shaker):
    """The records of a chain, glued to another one that is shaken from rest."""
    other = chain("other", force=1.0, **shaker)
    both = glue("both", [leaf, other], {"weld": ("hidden.right", "other.left")})

    def run(tapped):
        model = replace(both, parts={"hidden": tapped, "other": other})
        simulate(model, until=windows * SLOW, step=SLOW, record=Keep())

    return kept(path, leaf, run, (SLOW,))


def seven(path, masses):
    """Those of seven masses, glued to so many."""
    shaker = {"masses": masses, "stiffness": 700.0, "frequency": 3.1}
    return shaken(path, chain("hidden", **SEVEN), 1000, **shaker)


def resumed(records, after):
    """The same session as one that was restored from a checkpoint after so many."""
    moved = [r for r in records if r.get("method") == "realise"]
    return [{**moved[0], "method": "restore", "out": {}}, *moved[after:]]


@cache
def of_seven():
    system = chain("hidden", **SEVEN).system
    return np.sqrt(eigh(system.K, system.M, eigvals_only=True)) / (2.0 * np.pi)


@pytest.mark.parametrize("masses", [2.0, 4.0, 8.0])
def test_modes_of_a_chain_that_begins_at_rest_are_sure(tmp_path, masses):
    """Whatever it is glued to: forces that follow from its motion tell nothing new."""
    (found,) = estimates(seven(tmp_path / "a", masses), ME, "hidden")
    assert np.allclose(found.frequencies, of_seven(), rtol=0.01)


@pytest.mark.parametrize(("inside", "least"), [(0.0, 4), (1.0, 0)])
def test_of_a_chain_with_loads_inside_nothing_wrong_is_sure(tmp_path, inside, least):
    """Its motion does not follow from the forces alone: to them it is another chain."""
    leaf = chain("hidden", masses=5.0, stiffness=1e4, force=inside, frequency=2.0)
    records = shaken(tmp_path / "a", leaf, 400, stiffness=1500.0, frequency=3.7)
    (found,) = estimates(records, ME, "hidden")
    known = np.sqrt(np.abs(eigh(leaf.system.K, leaf.system.M, eigvals_only=True)))
    assert wrong(found.frequencies, known / (2.0 * np.pi)) == []
    assert found.modes >= least


@pytest.mark.parametrize(("after", "modes"), [(0, 7), (333, 6)])
def test_a_resumed_session_lists_no_mode_twice(tmp_path, after, modes):
    """9.10 and 9.14 Hz were listed, for the one at 9.12."""
    records = resumed(seven(tmp_path / "a", 8.0), after)
    (found,) = estimates(records, ME, "hidden")
    every = np.array([*found.frequencies, *found.perhaps])
    assert wrong(found.frequencies, of_seven()) == []
    assert found.modes >= modes - 1
    assert {int((np.abs(every / f - 1.0) < 0.02).sum()) for f in of_seven()} <= {0, 1}


def test_modes_that_are_near_to_each_other_are_both_told():
    """10 and 10.15 Hz, as of a frame that is nearly symmetric: one was listed nowhere.

    What is told of the second is that it may be the first one, found twice.
    """
    each = (10.0, 10.15, 10.16, 25.0)
    found = own([Answer(k, f, 0.01, 1.0 + 0j, 9.0) for k in range(4) for f in each])
    assert found.clear.tolist() == pytest.approx([10.15, 25.0], rel=1e-3)
    assert found.twins.tolist() == [10.0]


def test_twins_of_a_model_are_in_what_the_audit_tells(tmp_path):
    """A mass on a spring at each end of a link so soft that both swing alone."""
    leaf = twins()
    forces = np.random.default_rng(0).normal(size=(2000, 2))
    found = logged(tmp_path / "a.jsonl", leaf, pushed(forces))
    every = np.array([*found.frequencies, *found.perhaps])
    first, second = of(leaf.system)
    assert 0.01 < second / first - 1.0 < 0.02
    for f in (first, second):
        assert (np.abs(every / f - 1.0) < 2e-3).sum() == 1


@pytest.mark.parametrize(("windows", "looked"), [(30, "30 windows"), (4010, "4000 of")])
def test_windows_that_were_not_looked_at_are_told(tmp_path, capsys, windows, looked):
    path = tmp_path / "a.jsonl"
    records = kept(path, LEAVES["row"](), pushed(np.ones((windows, 2))))
    (found,) = estimates(records, ME, "hidden")
    assert (found.windows, found.kept) == (min(windows, 4000), windows)
    assert main(["audit", str(path)]) == 0
    said = capsys.readouterr().out
    assert looked in said
    assert ("looked at 4000 of 4010 windows" in said) == (windows > 4000)
