"""T-T coupling in one pass, for parts that cannot repeat a window.

The force of a window is chosen before anybody advances, from a forecast of the gap at
its end with the accelerations of its start, F = F₀ − Λ e. For rigid masses under
constant loads the forecast is exact, and one pass is the implicit scheme. Springs make
it an approximation, which multiplies errors by the following in every window (ω: the
highest frequency of the parts at the joint):

    constant/e                        1 + (ωh)²/2     its saw-tooth is blown up: refused
    linear-discontinuous/e,v          1 + (ωh)⁴/50
    quadratic-discontinuous/e,v,a     1 + (ωh)⁴/60
    linear/deadbeat                   1 + (ωh)⁴/10
    newmark/a,v,u                     1 + (ωh)⁴       one-step parts only

and any damping of the parts above that makes it stable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    InterfaceSolution,
    Matrix,
    PortRef,
    Rejected,
    Situation,
    Slope,
    Sweep,
    Tree,
    Vector,
    Window,
)
from bondline.errors import SettingError
from bondline.gluing.couplings.afresh import afresh, undisturbed
from bondline.gluing.couplings.around import AroundProblem
from bondline.gluing.couplings.fitness import check_scheme
from bondline.gluing.couplings.tt import TT, History

ONE_PASS = (
    "linear-discontinuous/e,v",
    "quadratic-discontinuous/e,v,a",
    "linear/deadbeat",
    "newmark/a,v,u",
)
_WHY = {
    "constant/e": "its saw-tooth, bounded when iterated, grows by (ωh)²/2 in every "
    "window of one pass"
}


def check_accelerations(place: str, assembly: Assembly) -> None:
    """Raise `SettingError` where a gap cannot be forecast, whatever the scheme."""
    parts = assembly.parts
    glued = sorted({end.part for c in assembly.connections for end in c.ends})
    once = [n for n in glued if not parts[n].capabilities.repeatable]
    why = f"{', '.join(once)} cannot repeat a window, and " if once else ""
    for n in glued:
        if not parts[n].capabilities.acceleration:
            raise SettingError(
                place,
                f"{why}{n} gives no accelerations: T-T coupling in one pass forecasts "
                "the gap from them, with every scheme.",
                f"Let {n} give accelerations, wrap parts that can save and restore "
                "their state in Checkpointed so that they repeat a window, or let one "
                "side of the joint take motion (X-T).",
            )


@dataclass(frozen=True)
class OnePassTT:
    """T-T coupling whose windows are advanced once; goes with the solver `OnePass`."""

    inner: TT

    def start(
        self,
        assembly: Assembly,
        starts: Mapping[str, Advance[Any]],
        t0: float,
        outside: Mapping[PortRef, Vector],
    ) -> tuple[Mapping[str, Advance[Any]], History, Matrix]:
        """As T-T coupling starts."""
        return self.inner.start(assembly, starts, t0, outside)

    def guess(self, assembly: Assembly, window: Window, history: History) -> Vector:
        """The force at t₀ for the whole window: what the forecast assumes."""
        z = np.zeros((self.inner.scheme.unknowns, len(history[1])))
        z[0] = history[1]
        return z.ravel()

    def problem(
        self, assembly: Assembly, situation: Situation, window: Window, history: History
    ) -> OnePassProblem:
        """The problem of T-T coupling, probed from fresh starts."""
        return OnePassProblem(self.inner.problem(assembly, situation, window, history))

    def accept(
        self,
        assembly: Assembly,
        window: Window,
        found: InterfaceSolution[Any],
        history: History,
    ) -> tuple[History, Matrix]:
        """As T-T coupling does."""
        return self.inner.accept(assembly, window, found, history)

    def settings(self) -> dict[str, Any]:
        """Those of T-T coupling, in one pass."""
        return {**self.inner.settings(), "method": "T-T one-pass"}

    def suits(self, place: str, assembly: Assembly) -> None:
        """The scheme is stable in one pass, and the parts say their accelerations."""
        scheme = self.inner.scheme
        if scheme.name not in ONE_PASS:
            why = _WHY.get(scheme.name, "nothing is known of its stability")
            raise SettingError(
                f"{place}: scheme {scheme.name}",
                f"it is refused in one pass: {why}.",
                f"Use one of {', '.join(ONE_PASS)}.",
            )
        check_accelerations(f"{place}: T-T coupling in one pass", assembly)
        check_scheme(place, scheme, afresh(assembly))

    @property
    def sharp(self) -> bool:
        """As the scheme says."""
        return self.inner.sharp

    def work(self, forces: tuple[Matrix, Matrix], gap: Matrix) -> Vector:
        """As T-T coupling counts it."""
        return self.inner.work(forces, gap)

    def join(self, forces: tuple[Matrix, Matrix], share: float) -> Matrix:
        """As T-T coupling does."""
        return self.inner.join(forces, share)

    def dump(self, history: History) -> Tree:
        """As T-T coupling does."""
        return self.inner.dump(history)

    def load(self, data: Tree) -> History:
        """As T-T coupling does."""
        return self.inner.load(data)


@dataclass(frozen=True)
class OnePassProblem(AroundProblem):
    """A T-T problem that is swept once; its slope spends no state."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Where Λ of the start will not do for the whole run."""
        if self.inner.assembly.affine:
            return ()
        return (
            "T-T coupling in one pass: what a force does is known from the start only, "
            "and it changes as parts and joints turn, so errors may grow; watch the "
            "gap, take quadratic-discontinuous/e,v,a, or parts that can repeat a "
            "window.",
        )

    def slope(self, z: Vector, here: Sweep) -> Slope | Rejected:
        """∂e/∂F around a sweep of its own, from fresh starts where parts need them."""
        trial = replace(self.inner, assembly=afresh(self.inner.assembly))
        base = trial.sweep(z)
        if isinstance(base, Rejected):
            return base
        found = trial.slope(z, base)
        if isinstance(found, Rejected):
            return found
        no = undisturbed(trial.assembly, self.inner.situation, self.inner.window.t0)
        return no or Slope(found.matrix, found.solves + base.solves)
