"""X-T coupling: leaders take force, followers take the leaders' motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    InterfaceSolution,
    Matrix,
    Motion,
    PortRef,
    Rejected,
    Situation,
    Tree,
    Vector,
    Window,
)
from bondline.gluing.couplings.driven_fitness import (
    check_xt,
    refuse_outside,
    silent_leaders,
    weighed,
)
from bondline.gluing.couplings.efforts import force_scale, largest
from bondline.gluing.couplings.feedback import CHOICES, Feedback, feedback
from bondline.gluing.couplings.leading import leading, ranks
from bondline.gluing.couplings.motion_schemes import FORCE_SCHEMES, ForceScheme
from bondline.gluing.couplings.one_pass_limits import limits
from bondline.gluing.couplings.pressing_chain import press_xt
from bondline.gluing.couplings.probing import Probe
from bondline.gluing.couplings.xt_problem import Chain, XTProblem
from bondline.gluing.couplings.xx import trapezoid
from bondline.gluing.gaps import motion_of
from bondline.wire import arrays


class XTHistory(NamedTuple):
    """Forces at the ends of the last windows, and what residuals are measured by."""

    felt: Vector  # by the leaders, at t₀
    asked: Vector  # by the followers' efforts, at t₀
    before: Vector  # by their efforts one window earlier
    h: float  # length of the last window, 0 at the start
    scale: float  # the largest force so far, N
    inertia: float  # of the followers: the largest ∂effort/∂acceleration at the start
    ratio: float  # of the followers' inertia to the leaders', at the start
    known: bool  # whether `felt` and `asked` are forces in balance
    chosen: int = -1  # which of `CHOICES` the first window took; -1: none yet


@dataclass(frozen=True)
class XT:
    """Unknowns are the joint forces at t₁; the residual is their lack of balance.

    Leaders advance under the force, followers are led along the leaders' path and
    answer with efforts; the residual is force minus effort, as a part of the largest
    force so far. With an explicit scheme one such pass is a window (`OnePass`).
    """

    scheme: ForceScheme
    probe: Probe = Probe()  # noqa: RUF009 - a frozen value
    _chains: dict[int, tuple[Assembly, Chain]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def start(
        self,
        assembly: Assembly,
        starts: Mapping[str, Advance[Any]],
        t0: float,
        outside: Mapping[PortRef, Vector],
    ) -> tuple[Mapping[str, Advance[Any]], XTHistory, Matrix]:
        """Forces in balance with the efforts, where every part can be pressed."""
        ends = {end for c in assembly.connections for end in c.ends}
        chain = self.chain(assembly, {end: motion_of(starts, end) for end in ends})
        found = press_xt(assembly, chain, starts, t0, outside)
        F = found.F
        scale = force_scale(largest([F]))
        facts = found.inertia, found.ratio, found.known
        history = XTHistory(F, F, F, 0.0, scale, *facts)
        return found.starts, history, F[None]

    def chain(self, assembly: Assembly, motions: Mapping[PortRef, Motion]) -> Chain:
        """Found once an assembly, where B is the same in every configuration."""
        kept = self._chains.get(id(assembly))
        constant = all(c.constant for c in assembly.connections)
        if kept is None or kept[0] is not assembly or not constant:
            joints = [leading(c, assembly, motions) for c in assembly.connections]
            at = assembly.offsets
            rows = [slice(at[k], at[k + 1]) for k in range(len(joints))]
            kept = assembly, Chain(ranks("X-T coupling", assembly), joints, rows)
            self._chains[id(assembly)] = kept
        return kept[1]

    def guess(self, assembly: Assembly, window: Window, history: XTHistory) -> Vector:
        """The force to expect at t₁ from the efforts so far."""
        share = window.h / history.h if history.h else 0.0
        force = self._scheme(history).ahead(history.asked, history.before, share)
        return force / history.scale

    def problem(
        self,
        assembly: Assembly,
        situation: Situation,
        window: Window,
        history: XTHistory,
    ) -> XTProblem:
        """F − F*(F) = 0 on one window."""
        refuse_outside("X-T coupling", assembly, situation.outside)
        if self.scheme.open and history.chosen < 0:
            history = self._choose(assembly, situation, window, history)
        return self._under(self._scheme(history), assembly, situation, window, history)

    def _under(
        self,
        scheme: ForceScheme,
        assembly: Assembly,
        situation: Situation,
        window: Window,
        history: XTHistory,
    ) -> XTProblem:
        return XTProblem(
            scheme,
            self.probe,
            assembly,
            situation,
            window,
            self.chain(assembly, situation.motions),
            self._before(history, scheme),
            (history.scale, history.inertia, history.ratio),
        )

    def feedback(
        self,
        assembly: Assembly,
        situation: Situation,
        window: Window,
        history: XTHistory,
    ) -> Feedback | Rejected:
        """How strongly the followers answer over a window like this one."""
        scheme = FORCE_SCHEMES["linear/f" if silent_leaders(assembly) else "newmark/f"]
        whole, half = (
            self._under(scheme, assembly, situation, each, history)
            for each in (window, Window(window.t0, window.at(0.5)))
        )
        weights = weighed(assembly, window.h)
        return feedback((whole, half), history.asked / history.scale, weights)

    def _choose(
        self,
        assembly: Assembly,
        situation: Situation,
        window: Window,
        history: XTHistory,
    ) -> XTHistory:
        """The first window decides; where it cannot be tried, iterations do."""
        found = self.feedback(assembly, situation, window, history)
        if isinstance(found, Rejected):
            unknown = float(np.finfo(np.float64).max)
            found = Feedback(unknown, window.h, limits(), unknown)
        return history._replace(chosen=found.choice)

    def _scheme(self, history: XTHistory) -> ForceScheme:
        """The one in force."""
        if not self.scheme.open or history.chosen < 0:
            return self.scheme
        return FORCE_SCHEMES[CHOICES[history.chosen]]

    def accept(
        self,
        assembly: Assembly,
        window: Window,
        found: InterfaceSolution[Any],
        history: XTHistory,
    ) -> tuple[XTHistory, Matrix]:
        """What was felt and what was asked for at t₁."""
        advances = found.sweep.advances
        ends = {end for c in assembly.connections for end in c.ends}
        chain = self.chain(assembly, {end: motion_of(advances, end) for end in ends})
        asked = chain.forces(advances)
        if self.scheme.open and history.chosen < 0:
            chosen = CHOICES.index(found.sweep.scheme)
            history = history._replace(chosen=chosen)
        scheme, felt = self._scheme(history), history.scale * found.z
        before = self._before(history, scheme)
        now = history._replace(
            felt=felt,
            asked=asked,
            before=history.asked,
            h=window.h,
            known=True,
            scale=max(history.scale, force_scale(largest([asked, felt]))),
        )
        start = felt if before is None else before
        return now, scheme.coefficients(start, felt)

    def _before(self, history: XTHistory, scheme: ForceScheme) -> Vector | None:
        """The force with which a window starts; none where it holds the one of t₁."""
        if scheme.extrapolate:
            return history.asked
        return history.felt if history.known else None

    def settings(self) -> dict[str, Any]:
        """The scheme and the probe."""
        return {"method": "X-T", "scheme": self.scheme.name, **asdict(self.probe)}

    def suits(self, place: str, assembly: Assembly) -> None:
        """Every joint has leaders that say how its followers move, without a circle."""
        check_xt(place, self.scheme, assembly)
        ranks(f"{place}: X-T coupling", assembly)

    @property
    def sharp(self) -> bool:
        """The force at the end of a window is the force at t₁."""
        return True

    def work(self, forces: tuple[Matrix, Matrix], gap: Matrix) -> Vector:
        """Mean force times the change of the gap, which is round-off."""
        return trapezoid(forces, gap)

    def join(self, forces: tuple[Matrix, Matrix], share: float) -> Matrix:
        """The last: its end is what counts."""
        return forces[1]

    def dump(self, history: XTHistory) -> Tree:
        """Three forces and six facts."""
        felt, asked, before, *facts = history
        return [felt, asked, before, np.array(facts, dtype=np.float64)]

    def load(self, data: Tree) -> XTHistory:
        """The history that `dump` wrote."""
        felt, asked, before, facts = arrays(data)
        h, scale, inertia, ratio, known, chosen = facts.tolist()
        flags = bool(known), int(chosen)
        return XTHistory(felt, asked, before, h, scale, inertia, ratio, *flags)
