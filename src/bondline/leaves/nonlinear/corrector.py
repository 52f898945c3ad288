"""One implicit step of a nonlinear model, correction by correction.

Unknowns are the accelerations a₁. With x_α = (1 − α) x₁ + α x₀,

    r = p_f + q_f − (M + B) a_m − f_f = 0,                                     (1)
    S = (1 − α_m) (M + B) + (1 − α_f) (γ h ∂f/∂v + β h² ∂f/∂u),                (2)

p the port loads, q own loads, f inner forces, B ballast; u₁ and v₁ follow a₁ by
Newmark's rules. A correction solves S Δa = r. Rotations: what Newmark's rule adds to a
rotation is the vector by which the node turns in world axes, of second order as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite

import numpy as np

from bondline.core import Vector
from bondline.errors import SettingError
from bondline.leaves.nonlinear.model import Balance, NonlinearModel, Place
from bondline.leaves.nonlinear.state import Parts
from bondline.leaves.nonlinear.turning import exp, product
from bondline.numerics import Method
from bondline.numerics.sparse import Solve

_HALVINGS = 6


@dataclass(frozen=True)
class Newton:
    """When a step is in balance, and how it gets there.

    `tolerance` is of the largest structural force; `patience` corrections are made at
    most. Modified Newton keeps the tangent of the guess for the whole step. A
    correction that makes the balance worse is halved, `line_search` says whether.
    """

    tolerance: float = 1e-9
    patience: int = 25
    modified: bool = False
    line_search: bool = True

    def __post_init__(self) -> None:
        if not (isfinite(self.tolerance) and self.tolerance > 0.0):
            raise SettingError(
                "Newton: tolerance", f"it is {self.tolerance:g}.", "Give 1e-9, or so."
            )
        if self.patience < 1:
            raise SettingError(
                "Newton: patience", f"it is {self.patience}.", "Give 1 or more."
            )


@dataclass(frozen=True, eq=False)
class Step:
    """A step under correction: what was, the guess, and how far it is from balance."""

    start: Parts
    h: float
    own: tuple[Vector, Vector]  # own loads at t₀ and t₁
    p: Vector  # port loads at t₁, per dof
    a: Vector
    place: Place
    inner: Balance
    r: Vector
    residual: float
    corrections: int = 0
    change: float = np.inf  # of the last correction, over the size of the model
    kept: Solve | None = None


@dataclass(frozen=True, eq=False)
class Corrector:
    """Steps of a model by one method; `ballast` is extra mass, one number a dof."""

    model: NonlinearModel
    method: Method
    newton: Newton
    ballast: Vector

    @cached_property
    def heavy(self) -> Vector:
        """M + B."""
        none = [None] * len(self.model.blocks)
        return self.model.mass + self.model.pattern.gather(none, self.ballast)

    @cached_property
    def _still(self) -> Solve:
        """(M + B)⁻¹; dofs without mass are not accelerated."""
        diagonal = self.model.pattern.diagonal(self.heavy)
        empty = np.where(diagonal > 0.0, 0.0, 1.0)
        none = [None] * len(self.model.blocks)
        whole = self.heavy + self.model.pattern.gather(none, empty)
        solve, has = self.model.pattern.factor(whole), diagonal > 0.0
        return lambda f: solve(f * (has if f.ndim == 1 else has[:, None]))

    def accelerate(self, f: Vector) -> Vector:
        """Accelerations under forces, at one instant."""
        return self._still(f)

    def predict(
        self, start: Parts, h: float, own: tuple[Vector, Vector], p: Vector
    ) -> Step:
        """The step if accelerations stayed as they are."""
        place = self._place(start, h, start.a)
        inner = self.model.balance(place, start.history)
        step = Step(start, h, own, p, start.a, place, inner, start.a, 0.0)
        return self._judged(step)

    def correct(self, step: Step, p: Vector) -> Step:
        """One correction under these port loads; `LinAlgError` where S is singular."""
        step = step if p is step.p else self._judged(replace(step, p=p))
        solve = step.kept or self.model.pattern.factor(self.tangent(step))
        change = solve(step.r)
        best = self._shifted(step, change)
        if self.newton.line_search and step.corrections:
            share = 1.0
            while self._off(best) > self._off(step) and share > 0.5**_HALVINGS:
                share *= 0.5
                other = self._shifted(step, share * change)
                best = other if self._off(other) < self._off(best) else best
        kept = solve if self.newton.modified else None
        return replace(best, corrections=step.corrections + 1, kept=kept)

    def _off(self, step: Step) -> float:
        """The size of r, moments as forces on an arm of an element's length."""
        r, turn = step.r.copy(), self.model.rotations
        r[turn] /= self.model.element_size
        size = float(np.linalg.norm(r))
        return size if np.isfinite(size) else np.inf

    def balanced(self, step: Step) -> Step | str:
        """Corrected until it is in balance; a reason where it is not found."""
        for _ in range(self.newton.patience):
            try:
                step = self.correct(step, step.p)
            except np.linalg.LinAlgError:
                return "its tangent is singular"
            if self.done(step):
                return step
            if not np.isfinite(step.residual):
                return "forces are not finite"
        return (
            f"no balance after {self.newton.patience} corrections "
            f"(residual {step.residual:.2g} of the structural forces)"
        )

    def tangent(self, step: Step) -> Vector:
        """S of (2), as values of the pattern."""
        m, h = self.method, step.h
        late = 1.0 - m.alpha_f
        stiff = m.gamma * h * step.inner.damping + m.beta * h**2 * step.inner.stiffness
        return np.asarray((1.0 - m.alpha_m) * self.heavy + late * stiff)

    def done(self, step: Step) -> bool:
        """In balance, or as near as round-off lets it come."""
        if not np.isfinite(step.residual):
            return False
        small = step.change < 4.0 * np.finfo(np.float64).eps
        return bool(step.residual <= self.newton.tolerance or small)

    def accepted(self, step: Step) -> Parts:
        """What the next step starts from."""
        u, v, turns, _ = step.place
        now = (u, v, step.a, step.p, step.inner.force)
        strain = np.array([step.inner.stored])
        return Parts(*now, turns, strain, step.inner.history)

    def _shifted(self, step: Step, change: Vector) -> Step:
        a = step.a + change
        place = self._place(step.start, step.h, a)
        inner = self.model.balance(place, step.start.history)
        moved = self.method.beta * step.h**2 * float(np.abs(change).max(initial=0.0))
        size = self.model.size + float(np.abs(place.u).max(initial=0.0))
        return self._judged(
            replace(step, a=a, place=place, inner=inner, change=moved / size)
        )

    def _place(self, start: Parts, h: float, a: Vector) -> Place:
        b, g = self.method.beta, self.method.gamma
        du = h * start.v + h**2 * ((0.5 - b) * start.a + b * a)
        v = start.v + h * ((1.0 - g) * start.a + g * a)
        nodes = self.model.turning
        if not nodes.size:
            return Place(start.u + du, v, start.turns)
        since = self.model.dofs.spread(du)[nodes, 3:]
        turns = product(exp(since), start.turns)
        return Place(start.u + du, v, turns, since)

    def _judged(self, step: Step) -> Step:
        """With r of (1), and its size over that of structural forces."""
        m, (q0, q1) = self.method, step.own
        a_m = (1.0 - m.alpha_m) * step.a + m.alpha_m * step.start.a
        f_f = (1.0 - m.alpha_f) * step.inner.force + m.alpha_f * step.start.f
        p_f = (1.0 - m.alpha_f) * (step.p + q1) + m.alpha_f * (step.start.p + q0)
        r = p_f - f_f - self.model.pattern.times(self.heavy, a_m)
        return replace(step, r=r, residual=self._relative(r, a_m, step.inner))

    def _relative(self, r: Vector, a_m: Vector, inner: Balance) -> float:
        inertia = np.abs(self.model.pattern.times(self.model.mass, a_m))
        turn = self.model.rotations
        force, moment = inner.largest
        force = max(force, float(np.delete(inertia, turn).max(initial=0.0)))
        moment = max(moment, float(inertia[turn].max(initial=0.0)))
        off = np.abs(r)
        pairs = [(float(np.delete(off, turn).max(initial=0.0)), force)]
        if turn.size:
            length = self.model.element_size
            pairs.append((float(off[turn].max()), max(moment, force * length)))
            pairs[0] = (pairs[0][0], max(force, moment / self.model.size))
        return max(_ratio(out, scale) for out, scale in pairs)


def _ratio(out: float, scale: float) -> float:
    if not np.isfinite(out):
        return np.inf
    return 0.0 if out == 0.0 else (out / scale if scale else np.inf)
