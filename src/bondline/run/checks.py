"""Checks: what there is to ask of a certificate, and the advice where it fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from bondline.run.flows import Drift
from bondline.run.lag import Lag
from bondline.run.refined import Refined
from bondline.run.tally import Balance

SILENT = "not reported by the parts"
_LOOSE = 1e-3  # of the largest energy: above this a run deserves a warning
_LOOSE_ONCE = 1e-2  # the same in one pass, whose force lags behind
_LAGS = 0.1  # of the largest force: above this one pass does not resolve it
_ROUGH = 0.05  # velocity gap, relative to the largest speed, likewise
_REST = 1e-9  # m/s: nothing moves


@dataclass(frozen=True, slots=True)
class Check:
    """One question to a run; `good` is None where it cannot be judged.

    `advice` is the warning of a check that failed.
    """

    title: str
    finding: str
    good: bool | None
    advice: str = ""


class Certified(Protocol):
    """What a certificate must know to be asked; None where nobody reported it."""

    @property
    def windows(self) -> int:
        """How many."""
        ...

    @property
    def gap(self) -> float | None:
        """Largest, m."""
        ...

    @property
    def residual(self) -> float | None:
        """Largest norm: a length, or a share of the forces."""
        ...

    @property
    def allowed(self) -> float | None:
        """The largest that a window was accepted with: the tolerance, or round-off."""
        ...

    @property
    def excess(self) -> float | None:
        """The largest residual over the one that its window allowed."""
        ...

    @property
    def rate_gap(self) -> float | None:
        """Largest, m/s."""
        ...

    @property
    def rate_share(self) -> float | None:
        """Of the largest speed."""
        ...

    @property
    def work_error(self) -> float | None:
        """J."""
        ...

    @property
    def energy(self) -> Balance | None:
        """Its balance."""
        ...

    @property
    def silent(self) -> Sequence[str]:
        """Parts that did not say their energy, if that is known."""
        ...

    @property
    def iterations_mean(self) -> float | None:
        """Of all windows."""
        ...

    @property
    def iterations_max(self) -> int | None:
        """Of one window."""
        ...

    @property
    def iterations_at(self) -> int | None:
        """The window that needed most."""
        ...

    @property
    def halved(self) -> int | None:
        """Windows not solved in one piece."""
        ...

    @property
    def lag(self) -> Lag | None:
        """Of the forces in one pass."""
        ...

    @property
    def drift(self) -> Drift | None:
        """Of the gap."""
        ...

    @property
    def refined(self) -> Refined | None:
        """What shorter windows say."""
        ...


def every_check(
    c: Certified, tolerance: float | None, method: str | None = None
) -> Iterator[Check]:
    """Every question that a certificate answers."""
    first = [
        _closed(c, tolerance, method) if c.lag is None else _resolved(c, c.lag),
        *(_together(c), _whole(c), _energy(c), _passive(c), _steady(c)),
    ]
    yield from first
    if c.drift is not None:
        yield _held(c.drift, [check.title for check in first if check.good is False])
    if c.refined is not None:
        yield _converges(c.refined)


def _closed(c: Certified, tolerance: float | None, method: str | None) -> Check:
    """A residual may be above the tolerance where it is round-off, and no more."""
    title = "Interfaces closed"
    gap = "" if c.gap is None else f" Largest gap {c.gap:.3g} m."
    if c.residual is None:
        return Check(title, f"The residual was not recorded.{gap}", None)
    unit = _residual_unit(method)
    found = f"Largest residual {c.residual:.3g}{unit}"
    limit = tolerance if c.allowed is None else c.allowed
    if limit is None:
        return Check(title, f"{found}; the tolerance is not known.{gap}", None)
    asked = limit if tolerance is None else tolerance
    words = f"{found}, tolerance {asked:.3g}{unit}"
    if limit > asked:
        words += f", or {limit:.3g}{unit} where that is round-off of the motion"
    good = c.residual <= limit if c.excess is None else c.excess <= 1.0
    return Check(title, f"{words}.{gap}", good)


def _residual_unit(method: str | None) -> str:
    """What residuals are measured in; nothing where the coupling is not known."""
    if method is None:
        return ""
    return " of the largest force" if of_forces(method) else " m"


def of_forces(method: str | None) -> bool:
    """Whether residuals compare forces; lengths where the coupling is not known."""
    return method in ("X-X", "X-T")


def _resolved(c: Certified, lag: Lag) -> Check:
    """One pass has no tolerance: its residual is what the force did meanwhile."""
    title = "Forces resolved in one pass"
    gap = "" if c.gap is None else f" Largest gap {c.gap:.3g} m."
    words = (
        f"Forces felt and asked for differ by up to {lag.most:.3g} N at t = "
        f"{lag.at:.6g} s, {lag.share:.2g} of the largest force, {_LAGS:g} allowed.{gap}"
    )
    if lag.share <= _LAGS:
        return Check(title, words, True)
    advice = (
        f"in one pass the leaders felt forces up to {lag.share:.2g} of the largest one "
        f"away from those asked for, at t = {lag.at:.6g} s: the step is too long for "
        "these forces. Shorten it, or iterate (newmark/f)."
    )
    return Check(title, words, False, advice)


def _together(c: Certified) -> Check:
    """A closed gap says nothing about a window that is too long for the motion."""
    title = "Velocities agree"
    if c.rate_share is None:
        return Check(title, "The velocities at the joints were not recorded.", None)
    words = f"{rate_words(c).capitalize()}."
    at_rest = c.rate_gap is not None and c.rate_gap < _REST
    if c.rate_share <= _ROUGH or at_rest:
        return Check(title, words, True)
    advice = (
        f"velocities at the joints differ by up to {c.rate_share:.0%} of the largest "
        "speed: the step is too long for this motion, or parts have different time "
        "integrators (ALPHA of their decks). Halve it and compare."
    )
    return Check(title, words, False, advice)


def _whole(c: Certified) -> Check:
    title = "Windows in one piece"
    if c.halved is None:
        return Check(title, "Halved windows were not recorded.", None)
    if not c.halved:
        return Check(title, "No window was halved.", True)
    advice = f"{c.halved} windows did not converge and were halved: shorten the step."
    return Check(title, f"{c.halved} of {c.windows} were halved.", False, advice)


def _loose(c: Certified) -> float:
    return _LOOSE if c.lag is None else _LOOSE_ONCE


def _energy(c: Certified) -> Check:
    title, energy = "Energy balance", c.energy
    if energy is None:
        who = f": {listed(c.silent)} {'does' if len(c.silent) == 1 else 'do'} not"
        words = f"Not every part reports its energy{who if c.silent else ''}."
        return Check(title, words, None)
    words = f"Defect {energy.defect:.3g} J, largest energy {energy.largest:.3g} J."
    if _nothing(energy, energy.defect):
        return Check(title, f"{words} Too little energy to judge by.", None)
    if energy.relative <= _loose(c):
        return Check(title, words, True)
    advice = (
        f"the energy balance is off by {energy.relative:.1%} of the largest energy "
        f"at t = {energy.defect_at:.6g} s: shorten the step, tighten the parts' own "
        "integrators, or give all parts the same one (ALPHA of their decks)."
    )
    return Check(title, words, False, advice)


def _nothing(energy: Balance, error: float) -> bool:
    """Whether there is no energy to compare with: it may cancel, as in a free fall."""
    return energy.largest < 1e-5 and error < 1e-6


def _passive(c: Certified) -> Check:
    title = "Interfaces neither drive nor brake"
    if c.work_error is None:
        return Check(title, "The interface work was not recorded.", None)
    found = f"Interface work error {c.work_error:.3g} J"
    if c.energy is None:
        return Check(title, f"{found}; there is no energy to compare it with.", None)
    words = f"{found}, largest energy {c.energy.largest:.3g} J."
    if _nothing(c.energy, c.work_error):
        return Check(title, f"{words} Too little energy to judge by.", None)
    if c.work_error <= _loose(c) * c.energy.largest or not c.energy.largest:
        return Check(title, words, True)
    advice = (
        f"the interfaces made or lost {c.work_error / c.energy.largest:.1%} of the "
        "largest energy: shorten the step, or take an iterated scheme: constant/e with "
        "T-T, newmark/f with X-T."
    )
    return Check(title, words, False, advice)


def _steady(c: Certified) -> Check:
    title = "Iterations steady"
    if c.iterations_mean is None or c.iterations_max is None:
        return Check(title, "The iterations were not recorded.", None)
    words = f"{c.iterations_mean:.2f} in the mean, {c.iterations_max} at most."
    if c.iterations_max <= 4.0 * c.iterations_mean + 4.0:
        return Check(title, words, True)
    advice = (
        f"window {c.iterations_at} needed {c.iterations_max} iterations, the mean is "
        f"{c.iterations_mean:.1f}: refresh the gluing matrix more often."
    )
    return Check(title, words, False, advice)


def _held(drift: Drift, failed: Sequence[str]) -> Check:
    """A gap that stays as it is says nothing good of a run that `failed` elsewhere."""
    title = "Gap does not drift"
    words = (
        f"Mean gap {drift.first:.2g} m in the first quarter, {drift.last:.2g} m in the "
        f"last: {drift.rate:.2g} m/s."
    )
    if not drift.grows and failed:
        return Check(title, f"{words} See first: {', '.join(failed)}.", None)
    if not drift.grows:
        return Check(title, words, True)
    advice = (
        f"the gap grows by {drift.rate:.2g} m/s over the run: the scheme does not hold "
        "positions together. With T-T use newmark/a,v,u for one-step parts, constant/e "
        "for others; with X-T newmark/f; or a tighter tolerance, or a shorter step."
    )
    return Check(title, words, False, advice)


def _converges(refined: Refined) -> Check:
    title = "Converges with the step"
    if not refined.orders:
        return Check(title, refined.words, None)
    if not refined.wrong:
        return Check(title, refined.words, True)
    worst, *more = refined.wrong
    advice = (
        f"{worst.signal} is off by about {worst.error:.2g} {worst.unit}, "
        f"{worst.share:.2g} of its largest value"
        f"{'' if worst.order is None else f', with order {worst.order:.1f}'}"
        f"{f', and {listed([o.signal for o in more])} too' if more else ''}: "
        f"{_mend(refined)}."
    )
    return Check(title, refined.words, False, advice)


def _mend(refined: Refined) -> str:
    """What there is to do: shorter steps, unless they help none of them."""
    if all(order.stuck for order in refined.wrong):
        return "shorter windows bring it no closer: look at the parts' own steps there"
    more = ', or exchange signals with signals="iterated"' if refined.held else ""
    return f"shorten the step{more}"


def listed(names: Sequence[str]) -> str:
    """A few names, and how many more."""
    few = ", ".join(names[:3])
    return few if len(names) <= 3 else f"{few} and {len(names) - 3} more"


def others(notes: Sequence[str]) -> Check:
    """Whether anybody else had something to note."""
    words = f"{len(notes)} in the certificate, listed below."
    return Check("Nothing else noted", words if notes else "Nothing.", not notes)


def rate_words(c: Certified) -> str:
    """The velocity gap in words."""
    if c.rate_gap is None or c.rate_share is None:
        return SILENT
    return f"{c.rate_gap:.3g} m/s, {c.rate_share:.2g} of the largest speed"
