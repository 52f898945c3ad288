"""What a long window is to the parts that take it, measured from the outside.

How each number follows from what the parts show: two_rates.md, "The guard".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import acos, pi, sin
from typing import Any

import numpy as np

from bondline.core import Assembly, Matrix, Rejected, Signal, Situation, Window
from bondline.gluing.couplings.probing import Probe, flexibility
from bondline.gluing.gaps import largest
from bondline.gluing.rates.problem import RatesProblem
from bondline.gluing.rates.two_rates import TwoRates
from bondline.gluing.solvers.newton import Newton
from bondline.gluing.state import GluedState

_DRIVE = 1e-4  # m, the way of a stand-in over the window
_SAMPLES = 8
_NOTHING = 1e-9


@dataclass(frozen=True)
class Measured:
    """Frequencies times H, and a ratio of inertias."""

    slow: float  # ω_s H, of a slow part by itself
    where: str  # which one
    coupled: float  # ω_c H
    mass: float  # the fast part's inertia at the joints over the slow one's


def measure(
    coupling: TwoRates, assembly: Assembly, state: GluedState, window: Window
) -> Measured | Rejected:
    """From one window of each slow part, and short windows of the fast one."""
    situation = Situation(state.parts, state.motions, {})
    posed = coupling.problem(assembly, situation, window, state.history)
    slow = _slow(posed)
    if isinstance(slow, Rejected):
        return slow
    inner, solver = posed.split, coupling.solver
    if isinstance(solver, Newton):  # what it leaves must not look like a vibration
        inner = replace(inner, solver=replace(solver, tolerance=1e-13))
    coupled = _answers(replace(posed, split=inner, gives_way=True))
    alone = _answers(replace(posed, split=inner, gives_way=False))
    if isinstance(coupled, Rejected):
        return coupled
    if isinstance(alone, Rejected):
        return alone
    where = max(slow, key=lambda n: slow[n])
    W = _diagonal([posed.W[n] for n in posed.split.slow])
    mu = np.linalg.eigvals(W @ -alone[0])
    mass = float(np.abs(mu).max(initial=0.0))
    return Measured(slow[where], where, coupling.windows * _frequency(coupled), mass)


def _slow(posed: RatesProblem) -> dict[str, float] | Rejected:
    """ω H of every slow part: from what a held force does, (4)."""
    found: dict[str, float] = {}
    for n, stand_in in posed.split.slow.items():
        part, w = posed.split.outer.parts[n], posed.window
        inputs = {
            p: Signal(np.zeros((1, port.size))) for p, port in stand_in.ports.items()
        }
        args = (posed.situation.states[n], w, inputs)
        base = part.advance(*args)
        if isinstance(base, Rejected):
            return base
        G = flexibility(part, args, base, (tuple(inputs), 1), Probe())
        if isinstance(G, Rejected):
            return G
        ports: list[Any] = list(stand_in.ports)
        x = np.block([[G.blocks[o, p][0, :, 0, :] for p in ports] for o in ports])
        found[n] = _angle(_shares(2.0 * x / w.h**2, posed.W[n]))
    return found


def _shares(G: Matrix, W: Matrix) -> float:
    """The eigenvalue of W⁻¹ G that is furthest from 1, where W gives way at all."""
    size = np.sqrt(np.abs(np.diag(W)))
    scale = np.where(size > 0.0, size, 1.0)
    values, V = np.linalg.eigh(0.5 * (W + W.T) / np.outer(scale, scale))
    some = values > 1e-6 * values.max(initial=0.0)
    root = V[:, some] / np.sqrt(values[some])
    each = np.linalg.eigvals(root.T @ (G / np.outer(scale, scale)) @ root).real
    return float(each[np.argmax(np.abs(each - 1.0))]) if len(each) else 1.0


def _angle(share: float) -> float:
    """ωH by two_rates.md (4); as if 2 − share where the share is above 1."""
    wanted, low, high = 1.0 - abs(share - 1.0), 0.0, 2.0 * pi
    while high - low > 1e-9:
        middle = 0.5 * (low + high)
        half = 0.5 * middle
        low, high = (
            (middle, high) if (sin(half) / half) ** 2 > wanted else (low, middle)
        )
    return high if high > 1e-6 else 0.0


def _answers(posed: RatesProblem) -> list[Matrix] | Rejected:
    """∂(mean load)/∂g, window by short window, for a held g of each dof."""
    dofs, rest = posed.split.size, np.zeros((posed.order, posed.split.size))
    base = _loads(posed, rest)
    if isinstance(base, Rejected):
        return base
    each = []
    for j in range(dofs):
        g = rest.copy()
        g[0, j] = _DRIVE / posed.h**2
        driven = _loads(posed, g)
        if isinstance(driven, Rejected):
            return driven
        each.append((driven - base) / g[0, j])
    return [np.stack([d[i] for d in each], axis=1) for i in range(len(base))]


def _loads(posed: RatesProblem, g: Matrix) -> Matrix | Rejected:
    """Mean loads on the stand-ins, one row a short window."""
    split = posed.split
    now, h, t = posed.begun(g), posed.h / split.windows, posed.window.t0
    told, rows = np.zeros(split.size), []
    for k in range(max(_SAMPLES, split.windows)):
        done = split.inner.glue(now, Window(t + k * h, t + (k + 1) * h), {})
        if isinstance(done, Rejected):
            return done
        now = done.state
        so_far = np.concatenate([now.parts[n].told[0] for n in split.slow])
        rows.append((so_far - told) * split.windows)
        told = so_far
    return np.array(rows)


def _frequency(answers: list[Matrix]) -> float:
    """ωh of a vibration in samples, by two_rates.md (5)."""
    y = np.array([a.ravel() for a in answers])
    middle, around = y[1:-1], y[2:] + y[:-2]
    middle, around = middle - middle.mean(axis=0), around - around.mean(axis=0)
    size = float((middle * middle).sum())
    if size <= (_NOTHING * largest([y.ravel()])) ** 2:
        return 0.0
    cosine = 0.5 * float((middle * around).sum()) / size
    return acos(min(1.0, max(-1.0, cosine)))


def _diagonal(blocks: list[Matrix]) -> Matrix:
    size = sum(len(b) for b in blocks)
    found, at = np.zeros((size, size)), 0
    for b in blocks:
        found[at : at + len(b), at : at + len(b)] = b
        at += len(b)
    return found
