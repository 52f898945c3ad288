"""Windows as long as the error allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from typing import Any, Literal, TypeAlias, get_args

from bondline.core import Advance, PortRef, Rejected, Signal, Window
from bondline.errors import CouplingDiverged, NotAllowed, SettingError, did_you_mean
from bondline.gluing import ledger
from bondline.gluing.couplings.tt import TT
from bondline.gluing.divergence import no_shorter
from bondline.gluing.estimates import Estimate, apart, embedded
from bondline.gluing.glueing import Glueing
from bondline.gluing.state import GluedState

Outside: TypeAlias = Mapping[PortRef, Signal]
Attempt: TypeAlias = Callable[
    [GluedState, Window, Outside], Advance[GluedState] | Rejected
]

Estimation: TypeAlias = Literal["auto", "defect", "doubling"]
ESTIMATES: tuple[str, ...] = get_args(Estimation)


@dataclass(frozen=True)
class Pace:
    """Chooses the windows inside a window of the outside, and takes back bad ones.

    A window is taken back when its estimated error exceeds `tolerance`, a length, or
    when a part rejects it or the joints do not converge. `defect` estimates from the
    level of motion that the scheme leaves open, for nothing; `doubling` goes over each
    window again in two halves, keeps the halves, and serves any scheme but constant/e.
    No window is shorter than `shortest` times the one of the outside.
    """

    tolerance: float = 1e-6
    estimate: Estimation = "auto"
    shortest: float = 2.0**-14
    safety: float = 0.8
    grow: float = 2.0
    worth: float = 1.4
    shrink: float = 0.2

    def __post_init__(self) -> None:
        if not 0.0 < self.tolerance < inf:
            raise SettingError(
                "adaptive windows",
                f"the error allowed a window is {self.tolerance!r} m.",
                "Give a positive length, for example 1e-6.",
            )
        if self.estimate not in ESTIMATES:
            raise SettingError(
                "adaptive windows: estimate",
                f"there is no estimate {self.estimate!r}.",
                did_you_mean(self.estimate, ESTIMATES),
            )
        for key, low, high in (
            *(("shortest", 0.0, 1.0), ("safety", 0.0, 1.0), ("shrink", 0.0, 1.0)),
            *(("grow", 1.0, 10.0), ("worth", 1.0, 10.0)),
        ):
            value = getattr(self, key)
            if not low < value <= high:
                raise SettingError(
                    f"adaptive windows: {key}",
                    f"it is {value!r}.",
                    f"Take a number above {low:g} and up to {high:g}.",
                )

    def settings(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)

    def factor(self, error: float, order: int) -> float:
        """What to multiply the window with, for the error to be as allowed."""
        if error == 0.0:
            return self.grow
        wanted = self.safety * (self.tolerance / error) ** (1.0 / order)
        if error <= self.tolerance and wanted < self.worth:
            return 1.0  # what was learned for this length goes on being of use
        return float(min(self.grow, max(self.shrink, wanted)))


@dataclass(frozen=True)
class Paced:
    """One integrated model under a pace."""

    inner: Glueing
    pace: Pace
    attempt: Attempt

    @property
    def defect(self) -> Estimate | None:
        """The estimate of the scheme, if it is wanted and there is one."""
        coupling = self.inner.coupling
        if self.pace.estimate == "doubling" or not isinstance(coupling, TT):
            return None
        return embedded(coupling.scheme) if self._rigid else None

    @property
    def _rigid(self) -> bool:
        """Whether any joint leaves no gap: the travel of the others is no error."""
        given_way = self.inner.assembly.compliant
        free = 0 if given_way is None else len(given_way[0])
        return free < self.inner.assembly.offsets[-1]

    def check(self) -> None:
        """Raise `SettingError` where the scheme does not go with the estimate."""
        if self.pace.estimate == "defect" and self.defect is None:
            raise SettingError(
                f"{self.inner.name}: adaptive windows",
                "its scheme leaves no level of motion open to estimate the error from.",
                'Use estimate "doubling", or the scheme constant/e or '
                "linear-discontinuous/e,v.",
            )
        coupling = self.inner.coupling
        saws = isinstance(coupling, TT) and coupling.scheme.name == "constant/e"
        if self.pace.estimate == "doubling" and saws and self._rigid:
            raise SettingError(
                f"{self.inner.name}: adaptive windows",
                'estimate "doubling" takes the saw-tooth of constant/e for an error: '
                "it is not damped, so after the first jump of a load the windows stay "
                "short for good.",
                'Use estimate "defect", or the scheme linear-discontinuous/e,v.',
            )

    def advance(
        self,
        state: GluedState,
        window: Window,
        outside: Outside,
        stops: Sequence[float],
    ) -> Advance[GluedState] | Rejected:
        """Windows of its own choice up to the end; one of them ends at every stop."""
        troubles: list[tuple[Rejected, Window]] = []
        try:
            return self._advance(state, window, outside, stops, troubles)
        except NotAllowed as refused:
            for no, piece in troubles:
                return no_shorter(no, piece, refused)
            raise

    def _advance(
        self,
        state: GluedState,
        window: Window,
        outside: Outside,
        stops: Sequence[float],
        troubles: list[tuple[Rejected, Window]],
    ) -> Advance[GluedState] | Rejected:
        """The same; `troubles` is told what is wrong with the last piece."""
        total: Advance[GluedState] | None = None
        waste, shortest = ledger.Waste(), self.pace.shortest * window.h
        t, h = window.t0, min(state.pace or window.h, window.h)
        while t < window.t1:
            piece = Window(t, _next(t, h, [*stops, window.t1]))
            given = _during(outside, window, piece)
            now = state
            if total is not None:
                now = self.inner.restarted(total.state, piece, given)
            done, error = self._try(now, piece, given)
            troubles[:] = [(done, piece)] if isinstance(done, Rejected) else []
            if isinstance(done, Rejected):
                waste, h = waste.plus({"solves": done.solves}), _shorter(done, piece)
                if h < shortest:
                    return done
                continue
            factor = self.pace.factor(error, self._order)
            if error > self.pace.tolerance:
                if piece.h <= shortest:
                    return self._too_coarse(piece, error)
                waste = waste.plus(done.stats)
                h = max(shortest, piece.h * min(factor, 0.9))
                continue
            # a window that a stop cut short does not hold back the next one
            h = max(shortest, h if piece.h < 0.9 * h else 0.0, piece.h * factor)
            total = self._joined(total, done, (t - window.t0) / (piece.t1 - window.t0))
            t = piece.t1
        assert total is not None
        kept = replace(total.state, pace=h)
        return replace(total, state=kept, stats=waste.into(total.stats))

    def _too_coarse(self, window: Window, error: float) -> Rejected:
        """No window is short enough."""
        finding = (
            f"the error of a window of {window.h:.3g} s is {error:.2e} m; "
            f"{self.pace.tolerance:.2e} m are allowed, and windows get no shorter."
        )
        place = f"{self.inner.name}, adaptive windows at t = {window.t0:.6g} s"
        remedy = (
            "Allow a larger error (--adaptive), shorten the step, or let the part "
            "whose load jumps here say so (`breaks`)."
        )
        error_told = CouplingDiverged(place, finding, remedy, (error,))
        return Rejected(self.inner.name, finding, error=error_told)

    @property
    def _order(self) -> int:
        """Of the estimate; for doubling the least that any scheme has."""
        return self.defect.order if self.defect else 3

    def _try(
        self, state: GluedState, window: Window, outside: Outside
    ) -> tuple[Advance[GluedState] | Rejected, float]:
        done = self.attempt(state, window, outside)
        if isinstance(done, Rejected):
            return done, 0.0
        if self.defect is not None:
            before, after = state.motions, done.state.motions
            return done, self.defect(self.inner.assembly, before, after, window.h)
        return self._doubled(state, window, outside, done)

    def _doubled(
        self,
        state: GluedState,
        window: Window,
        outside: Outside,
        whole: Advance[GluedState],
    ) -> tuple[Advance[GluedState] | Rejected, float]:
        """The same in two halves: they are kept, the difference is the error."""
        total: Advance[GluedState] | None = None
        for half in window.split(2):
            now = state if total is None else total.state
            done = self.attempt(now, half, _during(outside, window, half))
            if isinstance(done, Rejected):
                before = whole.stats["solves"] + (total.stats["solves"] if total else 0)
                return replace(done, solves=done.solves + int(before)), 0.0
            total = self._joined(total, done, 0.5)
        assert total is not None
        error = apart(whole.state.motions, total.state.motions, window.h)
        paid = ledger.Waste().plus(whole.stats, windows=0)
        return replace(total, stats=paid.into(total.stats)), error

    def _joined(
        self,
        total: Advance[GluedState] | None,
        done: Advance[GluedState],
        share: float,
    ) -> Advance[GluedState]:
        if total is None:
            return done
        both = (total.state.forces, done.state.forces)
        forces = self.inner.coupling.join(both, share)
        return ledger.one_after_another(total, done, forces)


def _shorter(no: Rejected, window: Window) -> float:
    """Half of the window, or what the part says might work."""
    if no.until is not None and window.t0 < no.until < window.at(0.9):
        return no.until - window.t0
    return 0.5 * window.h


def _next(t: float, h: float, stops: Sequence[float]) -> float:
    """The end of a window of about `h` that leaves no sliver before the next stop."""
    stop = min(s for s in stops if s > t)
    left = stop - t
    if h >= 0.9 * left:
        return stop
    return t + (0.5 * left if h > 0.5 * left else h)


def _during(outside: Outside, window: Window, piece: Window) -> Outside:
    s0, s1 = ((t - window.t0) / window.h for t in (piece.t0, piece.t1))
    return {r: signal.part(s0, s1) for r, signal in outside.items()}
