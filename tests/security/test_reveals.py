"""PRIV-01, PRIV-08: what the audit lists as modes are modes, and nothing else."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.linalg import eigh

from bondline.core import uniform
from bondline.leaves import chain
from bondline.leaves.fe.leaf import fe_leaf
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material
from bondline.leaves.fe.supports import Support
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


@cache
def truth(name):
    """Frequencies in Hz, from the matrices."""
    system = LEAVES[name]().system
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


def logged(path, leaf, run):
    """What the audit finds after `run` has used the leaf through a gate."""
    grant = Grant(ME, "hidden", frozenset(METHODS), steps=Steps((H,)))
    gate = PolicyGate.of(Policy(grants=(grant,), audit=path, keep="numbers"))
    run(Tapped(leaf, gate, ME))
    gate.close()
    (found,) = estimates(read_log(path).records, ME, "hidden")
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
