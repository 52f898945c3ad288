"""Advise: probe a few windows, say in words and numbers what to expect of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from bondline.core import Rejected, Situation, Window
from bondline.errors import SettingError
from bondline.gluing.adviser.advice import Advice, Recommendation, Section
from bondline.gluing.adviser.conditions import floating, redundancy
from bondline.gluing.adviser.inertia import LINE, Sides, inertia, see
from bondline.gluing.adviser.scale import Allowed, allowed, size_of
from bondline.gluing.adviser.stability import Resolved, resolve, stability, worst
from bondline.gluing.adviser.trials import Trial, attempt, solvers
from bondline.gluing.couplings.choose import choose_coupling
from bondline.gluing.couplings.resolution import WANTED
from bondline.gluing.couplings.schemes import SCHEMES
from bondline.gluing.couplings.tt import TT
from bondline.gluing.guarding import long_enough
from bondline.gluing.integrated import IntegratedModel
from bondline.gluing.state import GluedState

_PATIENCE = 10  # times the windows, to see an error in motion
_GROW = 16.0  # a window is not recommended to grow by more than this
_SHRINK = 1.0 / 256.0


def advise(
    model: IntegratedModel,
    window: Window,
    windows: int = 3,
    tolerance: float = 1e-6,
    until: float | None = None,
) -> Advice:
    """What a few windows tell about gluing `model` with windows like this one.

    `tolerance` is the error allowed a window, relative to the travel of the joints
    over the run, or to the size of the model where they stand still;
    `until` is the end of the run, for its cost. Parts that cannot repeat a window are
    probed from states of their own: nothing of a run is spent.
    """
    asked = _Asked(model, window, windows, tolerance, until)
    return Advice(model.name, window.h, *asked.answer())


@dataclass(frozen=True)
class _Asked:
    model: IntegratedModel
    window: Window
    windows: int
    tolerance: float
    until: float | None

    def answer(self) -> tuple[tuple[Section, ...], Recommendation | None]:
        model, assembly = self.model, self.model.assembly
        state = model.start(self.window.t0).state
        seen = see(assembly, state, self.window)
        sections = [self._coupling(), inertia(assembly, seen)]
        resolved = self._resolved(state)
        if resolved is not None:
            scheme = model.coupling.settings()["scheme"]
            h = self.window.h
            sections.append(stability(assembly, scheme, seen, resolved, h))
        sections += [*self._redundancy(state), floating(assembly.parts, state)]
        if not self._repeats:
            return tuple(sections), self._explicit(seen)
        sections.append(solvers(model, self.window, self.windows))
        advice = self._recommend(state, seen, resolved)
        if isinstance(advice, str):
            sections.append(Section("Window", (advice,), care=True))
            return tuple(sections), None
        return tuple(sections), advice

    @property
    def _repeats(self) -> bool:
        parts = self.model.parts.values()
        return all(p.capabilities.repeatable for p in parts)

    def _coupling(self) -> Section:
        own = self.model.coupling.settings()
        words = f"Now {own['method']} with {own['scheme']}."
        inner = [
            n for n, p in self.model.parts.items() if isinstance(p, IntegratedModel)
        ]
        if inner:
            words += f" {', '.join(inner)} are glued themselves, and taken as they are."
        try:
            choice = choose_coupling(self.model.parts, self.model.connections)
        except SettingError as error:
            return Section("Coupling", (words, error.finding), care=True)
        return Section("Coupling", (words, f"What the ports allow is {choice.why}"))

    def _resolved(self, state: GluedState) -> Resolved | None:
        if not (self._repeats and isinstance(self.model.coupling, TT)):
            return None
        found = resolve(self.model.assembly, state, self.window)
        return None if isinstance(found, Rejected) else found

    def _redundancy(self, state: GluedState) -> list[Section]:
        if not self._repeats:
            return []
        model = self.model
        situation = Situation(state.parts, state.motions, {})
        problem = model.coupling.problem(
            model.assembly, situation, self.window, state.history
        )
        here = problem.sweep(np.zeros(problem.size))
        return [redundancy(model.assembly, state, problem, here)]

    def _explicit(self, seen: dict[str, Sides | None]) -> Recommendation | None:
        """One pass is all there is: a window as it is, with the scheme that is stable.

        A window costs one advance of each part, whatever the scheme.
        """
        own = self.model.coupling.settings()
        if own["method"] != "X-T":
            return None
        ratio = max(_ratios(self.model, seen), default=0.0)
        scheme = "linear/explicit" if ratio < LINE else "hold/explicit"
        why = (
            f"the followers have {ratio:.3g} times the leaders' inertia"
            if ratio <= 1.0
            else f"at a ratio of {ratio:.3g} every one-pass scheme diverges: let a "
            "part that can repeat a window lead, or turn the joints round"
        )
        price = float(len(self.model.parts))
        cost = self._cost(Trial(price, 0.0, price, 0.0, 1), self.window.h)
        return Recommendation(
            "X-T", scheme, self.window.h, price, price, cost, cost, None, None, why
        )

    def _recommend(
        self,
        state: GluedState,
        seen: dict[str, Sides | None],
        resolved: Resolved | None,
    ) -> Recommendation | str:
        now = attempt(self.model, self.window, _PATIENCE * self.windows)
        best: tuple[float, Recommendation] | None = None
        price = now.solves if isinstance(now, Trial) else 0.0
        for name in self._candidates(seen, resolved):
            model = self._under(name)
            found = attempt(model, self.window, _PATIENCE * self.windows)
            if isinstance(found, str):
                continue
            h, why = self._window(model, state, found)
            made = Recommendation(
                model.coupling.settings()["method"],
                name,
                h,
                price,
                found.solves,
                self._cost(now, self.window.h) if isinstance(now, Trial) else None,
                self._cost(found, h),
                now.error if isinstance(now, Trial) else None,
                found.error * (h / self.window.h) ** found.order,
                why,
            )
            if best is None or found.solves / h < best[0]:
                best = found.solves / h, made
        if best is None:
            return "No scheme gets over the first windows: shorten the window."
        return best[1]

    def _candidates(
        self, seen: dict[str, Sides | None], resolved: Resolved | None
    ) -> Sequence[str]:
        """The schemes worth a trial: those that suit the parts and are stable."""
        own = str(self.model.coupling.settings()["scheme"])
        if resolved is None or own in ("newmark/a,v,u", "mixed/a,v,u"):
            return (own,)
        high = "linear-discontinuous/e,v"
        radius = worst(
            SCHEMES[high], self.model.assembly, seen, resolved, self.window.h
        )
        stable = radius is None or radius <= 1.0
        able = resolved.least >= WANTED[high] and stable
        return ("constant/e", high) if able else ("constant/e",)

    def _under(self, scheme: str) -> IntegratedModel:
        coupling = self.model.coupling
        if not isinstance(coupling, TT) or coupling.scheme.name == scheme:
            return self.model
        other = TT(SCHEMES[scheme], coupling.probe)
        return replace(self.model, coupling=other, pace=None)

    def _window(
        self, model: IntegratedModel, state: GluedState, found: Trial
    ) -> tuple[float, str]:
        """As long as the error and the resolution allow; two digits are enough."""
        h = self.window.h
        if all(p.capabilities.one_step for p in model.parts.values()):
            return h, (
                "the window is the parts' own step: gluing adds no error, so choose it "
                f"as for the whole structure (about {found.error:.2g} m a window)"
            )
        if not found.error > 0.0:
            return h, "the first windows show no error; the window is left as it is"
        may = self._allowed(state, found)
        factor = (may.error / found.error) ** (1.0 / found.order)
        wanted = h * min(_GROW, max(_SHRINK, factor))
        why = (
            f"with windows of {h:.2g} s each is off by about {found.error:.2g} m, and "
            f"{may.error:.2g} m are allowed ({may.of})"
        )
        name = str(model.coupling.settings()["scheme"])
        if name in WANTED and wanted > h:
            wider = Window(self.window.t0, self.window.t0 + 2.0 * wanted)
            fresh = model.start(self.window.t0).state
            most = long_enough(model.coupling, model.assembly, fresh, wider)
            if most is not None and most < wanted:
                return float(f"{most:.2g}"), f"{why}; resolved up to {most:.2g} s"
        return float(f"{wanted:.2g}"), why

    def _allowed(self, state: GluedState, found: Trial) -> Allowed:
        longer, size = 1.0, size_of(self.model, state)
        if self.until is not None and found.goes_on:
            longer = (self.until - self.window.t0) / found.took
        return allowed(self.tolerance, found.travel, longer, size)

    def _cost(self, trial: Trial, h: float) -> float | None:
        if self.until is None:
            return None
        windows = ceil((self.until - self.window.t0) / h - 1e-9)
        return trial.first + trial.solves * (windows - 1)


def _ratios(model: IntegratedModel, seen: dict[str, Sides | None]) -> list[float]:
    """Followers' inertia over the leaders', joint by joint."""
    found = []
    for sides in seen.values():
        if sides is None:
            continue
        ends = sides.joint.ends
        ports = [model.parts[e.part].ports[e.port] for e in ends]
        takes = [getattr(p, "causality", None) for p in ports]
        found += [
            sides.ratio(i)
            for i, side in enumerate(takes)
            if side is not None and side.value == "T" and len(set(takes)) == 2
        ]
    return found
