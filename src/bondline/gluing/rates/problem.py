"""The interface problem of a long window: the fast part first, then the slow ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Matrix,
    Motion,
    PortRef,
    Rejected,
    Signal,
    Situation,
    Slope,
    Sweep,
    Vector,
    Window,
)
from bondline.gluing.couplings.blame import blame
from bondline.gluing.crew import advance_all
from bondline.gluing.foresee import displacement
from bondline.gluing.gaps import largest, motion_of
from bondline.gluing.rates import foretelling, moments
from bondline.gluing.rates.split import Split
from bondline.gluing.rates.stand_in import Standing
from bondline.gluing.state import GluedState

_EPS = float(np.finfo(np.float64).eps)


class Inside(NamedTuple):
    """The fast part glued to the stand-ins, as far as the coupling keeps it."""

    standing: Mapping[str, Mapping[str, Motion]]  # by slow part and port
    forces: Matrix
    history: Any
    memory: Any


class Seen(NamedTuple):
    """What a sweep has shown, for the history."""

    inside: Inside
    path: Matrix  # g, as it should have been
    told: Mapping[str, Matrix]  # the loads on the slow parts: coefficients of sᵏ


@dataclass(frozen=True)
class RatesProblem:
    """Find what the slow parts do by themselves, so that their stand-ins do as they.

    Unknowns are the coefficients of g over the window, times H²: lengths. The residual
    compares x, H v and H² a of stand-ins and slow parts at t₁.
    """

    split: Split
    situation: Situation
    window: Window
    before: Inside
    W: Mapping[str, Matrix]  # of the slow parts, at t₀
    gives_way: bool  # whether stand-ins do, as W says; else they only go their way
    order: int
    once: bool

    @property
    def size(self) -> int:
        """Coefficients in all."""
        return self.order * self.split.size

    @cached_property
    def h(self) -> float:
        """Length of the window, without the last digits."""
        return self.window.nominal

    @property
    def noise(self) -> float:
        """A few units in the last place of the positions at the joints."""
        reach = largest([m.x for m in self.situation.motions.values()])
        return 16.0 * _EPS * reach

    @property
    def floor(self) -> float:
        """The way of 1 m/s² in a window."""
        return self.h * self.h

    @property
    def symmetric(self) -> bool:
        """Integration over the window is not."""
        return False

    @property
    def affine(self) -> bool:
        """One correction is nearly exact, but the slope is not that of the parts."""
        return False

    @property
    def labels(self) -> tuple[str, ...]:
        """`turret.mount.x` and so on, once for each coefficient."""
        return self.split.labels * self.order

    def sweep(self, z: Vector) -> Sweep | Rejected:
        """The fast part over its short windows, then the slow ones under its load."""
        g = z.reshape(self.order, -1) / self.h**2
        split, w = self.split, self.window
        start = self.begun(g)
        own = {r: s for r, s in self.situation.outside.items() if r.part == split.fast}
        done = split.inner.glue_all(start, w, own, split.cuts)
        if isinstance(done, Rejected):
            return done
        told = {n: moments.polynomial(done.state.parts[n].told) for n in split.slow}
        inputs = self._loads(told)
        slow = advance_all(split.outer, self.situation.states, w, inputs, inputs)
        if isinstance(slow, Rejected):
            return slow
        return self._swept(g, done, slow, told)

    def begun(self, g: Matrix) -> GluedState:
        """The stand-ins go where the slow parts are, on the way."""
        split, now = self.split, self.situation
        standing: dict[str, Standing] = {}
        for n, own in split.where.items():
            own_motions = self.before.standing[n]
            path = _sum(g[:, own], self._closing(n, own_motions))
            W = self.W[n] if self.gives_way else np.zeros_like(self.W[n])
            none = moments.nothing(path.shape[1])
            standing[n] = Standing(own_motions, path, W, self.window.t0, self.h, none)
        motions = {r: m for r, m in now.motions.items() if r.part == split.fast}
        for n, state in standing.items():
            motions |= {PortRef(n, p): m for p, m in state.motions.items()}
        parts = {split.fast: now.states[split.fast], **standing}
        kept = self.before
        return GluedState(parts, motions, kept.forces, kept.history, kept.memory)

    def _closing(self, n: str, standing: Mapping[str, Motion]) -> Matrix:
        slow = {p: self.situation.motions[PortRef(n, p)] for p in standing}
        x = [displacement(slow[p], m) for p, m in standing.items()]
        v = [m.v - slow[p].v for p, m in standing.items()]
        return foretelling.closing(np.concatenate(x), np.concatenate(v), self.h)

    def _loads(self, told: Mapping[str, Matrix]) -> dict[str, dict[str, Signal]]:
        slow, found = self.split.slow, dict[str, dict[str, Signal]]()
        for n in (n for n in self.split.outer.parts if n != self.split.fast):
            outside = self.situation.outside.items()
            found[n] = {r.port: s for r, s in outside if r.part == n}
            for p, own in slow[n].where.items() if n in slow else ():
                load, known = Signal(told[n][:, own]), found[n].get(p)
                found[n][p] = load if known is None else known + load
        return found

    def _swept(
        self,
        g: Matrix,
        done: Advance[GluedState],
        slow: Mapping[str, Advance[Any]],
        told: Mapping[str, Matrix],
    ) -> Sweep | Rejected:
        split, state = self.split, done.state
        levels = foretelling.LEVELS[self.order]
        apart = np.concatenate(
            [self._apart(n, g, done, slow, told[n]) for n in split.slow], axis=1
        )[list(levels)]
        fast = Advance(
            state.parts[split.fast],
            done.outputs,
            done.energy,
            self._stats(done),
            done.notes,
            _inside(split.fast, done.silent),
        )
        every = {split.fast: fast, **slow}
        advances = {n: every[n] for n in split.outer.parts}
        residual = apart.ravel()
        if not np.isfinite(residual @ residual):
            return blame(split.outer, advances, self.window)
        price = int(fast.stats["solves"])
        price += sum(int(a.stats.get("solves", 1)) for a in slow.values())
        standing = {n: state.parts[n].motions for n in split.slow}
        inside = Inside(standing, state.forces, state.history, state.memory)
        path = foretelling.corrected(g, apart / self.h**2)
        return Sweep(residual, advances, price, inside=Seen(inside, path, told))

    def _apart(
        self,
        n: str,
        g: Matrix,
        done: Advance[GluedState],
        slow: Mapping[str, Advance[Any]],
        told: Matrix,
    ) -> Matrix:
        """How far a stand-in is ahead of its slow part: x, H v, H² a."""
        own, standing = self.split.where[n], done.state.parts[n]
        rows = []
        for p, m in standing.motions.items():
            there = motion_of(slow, PortRef(n, p))
            assert there.a is not None, f"{n} gives accelerations"
            rows.append([displacement(there, m), self.h * (m.v - there.v), -there.a])
        apart = np.concatenate(rows, axis=1)
        # under the load as the slow part was told it
        a = g[:, own].sum(axis=0) + standing.W @ told.sum(axis=0)
        apart[2] = self.h**2 * (apart[2] + a)
        return apart

    def _stats(self, done: Advance[GluedState]) -> dict[str, float]:
        prefix = f"{self.split.fast}."
        own = {
            k.removeprefix(prefix): v
            for k, v in done.stats.items()
            if k.startswith(prefix)
        }
        kept = ("solves", "sweeps", "builds", "windows")
        return own | {k: done.stats[k] for k in kept}

    def forecast(self, z: Vector) -> Vector:
        """The guess is what there is to say."""
        return np.zeros(self.size)

    def slope(self, z: Vector, here: Sweep) -> Slope | Rejected:
        """What g does to a stand-in: loads move stand-in and slow part alike."""
        K = np.kron(foretelling.to_levels(self.order), np.eye(self.split.size))
        return Slope(np.asarray(K, dtype=np.float64), 0)


def _sum(one: Matrix, two: Matrix) -> Matrix:
    return (Signal(one) + Signal(two)).coefficients


def _inside(part: str, names: Sequence[str]) -> tuple[str, ...]:
    """Of names from where `part` is one of several, those of what is inside it."""
    return tuple(n.removeprefix(f"{part}.") for n in names if n != part)
