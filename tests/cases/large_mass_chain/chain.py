"""The mass-spring example of the large mass method, glued in every way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from bondline.core import Rejected, uniform
from bondline.gluing import TT, Newton, glue
from bondline.gluing.couplings.schemes import Scheme
from bondline.leaves import LargeMass, Oscillator, SpringChain
from bondline.leaves.large_mass import Masses, Weights

G = 9.81
OUTPUT = 0.002
HERE = Path(__file__).parent
ALONE = Weights(fixed=(1.0, 0.0, 0.0))


@cache
def reference():
    """t, then positions of both masses and the forces on them."""
    table = np.genfromtxt(HERE / "reference.csv", delimiter=",", names=True)
    return np.stack([table[c] for c in ("t", "u0", "u10", "fA", "fB")], axis=1)


def masses():
    return [
        Oscillator("A", 20.0, 2e4, 100.0, 2000.0, 4.0, G),
        Oscillator("B", 15.0, 1.5e4, 80.0, gravity=G),
    ]


def chain(rho=1.0, **given):
    return SpringChain("fe", gravity=G, rho=rho, **given)


def large(ratio=1e4, weights=Weights(), rho=1.0, fe=None, **given):  # noqa: B008
    return LargeMass(fe or chain(rho), (), Masses(ratio), weights, **given)


JOINTS = {"a": ("A.p", "fe.left"), "b": ("B.p", "fe.right")}


def glued(scheme, fe=None, solver=None):
    return glue("lmm", [*masses(), fe or large()], JOINTS, scheme, solver)


def gluing(steps=5.0, fe=None):
    """T-T coupling with the same condition, and a force along a line."""
    rule = Scheme(
        "line/w",
        "(1 + T d/dt)² e = 0 with T in steps",
        ((0.0,), (1.0,)),
        ((1.0, 2.0 * steps, steps**2),),
        shape="continuous",
        one_step=True,
        mixed=True,
    )
    parts = [*masses(), fe or chain()]
    return glue("tt", parts, JOINTS, coupling=TT(rule), solver=Newton(tolerance=1e-13))


@dataclass(frozen=True)
class Ran:
    """Positions and forces at the instants of the reference, and what they cost."""

    rows: np.ndarray
    corrections: np.ndarray
    drift: float
    notes: frozenset

    def errors(self):
        """Of positions, and of forces."""
        off = np.abs(self.rows - reference()[1 : len(self.rows) + 1])
        assert off[:, 0].max() < 1e-9
        return off[:, 1:3].max(), off[:, 3:].max()


def felt(model, state):
    """Forces on the masses: what the chain asks for at this instant."""
    inside = state.parts["fe"]
    if hasattr(inside, "f_i"):
        return -inside.f_i
    felt = model.reactions(state)
    return [felt[f"joint.{j}"].coefficients.sum() for j in "ab"]


def run(model, h, until=0.5):
    """`Ran`, or the time at which it was rejected."""
    step, rows, counts, drift, notes = model.start(0.0), [], [], 0.0, set()
    every = round(OUTPUT / h)
    for n in range(round(until / h)):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        if isinstance(step, Rejected):
            return n * h
        seen = model.observe(step.state)
        counts.append(step.stats.get("fe.corrections", 0))
        drift = max(drift, seen["fe.drift"].value if "fe.drift" in seen else 0.0)
        notes |= set(step.notes)
        if (n + 1) % every == 0:
            forces = felt(model, step.state)
            rows.append([(n + 1) * h, seen["A.x"].value, seen["B.x"].value, *forces])
    return Ran(np.array(rows), np.array(counts), drift, frozenset(notes))
