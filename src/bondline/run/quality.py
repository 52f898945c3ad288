"""Quality: the certificate of a run, and what there is to ask of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bondline.run.chain import canonical
from bondline.run.tally import Balance

_LOOSE = 1e-3  # of the largest energy: above this a run deserves a warning
_ROUGH = 0.05  # velocity gap, relative to the largest speed, likewise


@dataclass(frozen=True, slots=True)
class Check:
    """One question to a run; `good` is None where it cannot be judged.

    `advice` is the warning of a check that failed.
    """

    title: str
    finding: str
    good: bool | None
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a run's windows say about its quality; None where nobody reported it."""

    windows: int
    leaves: int
    gap: float | None  # largest, m
    gap_at: float | None
    residual: float | None  # largest norm of the scheme's residual, m
    rate_gap: float | None  # largest difference of velocities at a joint, m/s
    rate_share: float | None  # of the largest speed at a joint
    work_error: float | None  # sum of |interface work| over the windows, J
    work_net: float | None  # sum with signs, J
    energy: Balance | None
    iterations_mean: float | None
    iterations_max: int | None
    iterations_at: int | None  # the window that needed most
    halved: int | None  # windows that did not converge in one piece
    builds: int | None
    solves: int | None
    solves_per_window: float | None  # of one leaf
    warnings: tuple[str, ...]

    def lines(self) -> list[str]:
        """The certificate in plain words, one fact a line."""
        lines = [
            f"windows               {self.windows}",
            f"largest gap           {_at(self.gap, 'm', self.gap_at)}",
            f"velocity gap          {_rate(self)}",
            f"interface work error  {_work(self)}",
            *_energy_lines(self.energy),
            f"iterations            {_iterations(self)}",
            f"Lambda builds         {_count(self.builds)}",
            f"leaf solves           {_solves(self)}",
        ]
        return lines + [f"warning               {text}" for text in self.warnings]

    def checks(self, tolerance: float | None = None) -> tuple[Check, ...]:
        """Every question this certificate answers.

        `tolerance` is the one of the solver: on the norm of the scheme's residual. The
        gap is part of that residual in some schemes only, so it is told, not judged.
        """
        found = tuple(_checks(self, tolerance))
        told = {check.advice for check in found}
        return *found, _others([w for w in self.warnings if w not in told])

    def dump(self) -> str:
        """As JSON."""
        return canonical(asdict(self))

    @classmethod
    def load(cls, text: str) -> Certificate:
        """The certificate that `dump` wrote."""
        return cls.of(json.loads(text))

    @classmethod
    def of(cls, tree: Mapping[str, Any]) -> Certificate:
        """The same from plain data."""
        energy = Balance(**tree["energy"]) if tree["energy"] else None
        return cls(**{**tree, "energy": energy, "warnings": tuple(tree["warnings"])})


def _checks(c: Certificate, tolerance: float | None) -> Iterator[Check]:
    yield _closed(c, tolerance)
    yield _together(c)
    yield _whole(c)
    yield _energy(c.energy)
    yield _passive(c)
    yield _steady(c)


def _closed(c: Certificate, tolerance: float | None) -> Check:
    title = "Interfaces closed"
    gap = "" if c.gap is None else f" Largest gap {c.gap:.3g} m."
    if c.residual is None:
        return Check(title, f"The residual was not recorded.{gap}", None)
    found = f"Largest residual {c.residual:.3g} m"
    if tolerance is None:
        return Check(title, f"{found}; the tolerance is not known.{gap}", None)
    words = f"{found}, tolerance {tolerance:.3g} m.{gap}"
    return Check(title, words, c.residual <= tolerance)


def _together(c: Certificate) -> Check:
    """A closed gap says nothing about a window that is too long for the motion."""
    title = "Velocities agree"
    if c.rate_share is None:
        return Check(title, "The velocities at the joints were not recorded.", None)
    words = f"{_rate(c).capitalize()}."
    if c.rate_share <= _ROUGH:
        return Check(title, words, True)
    advice = (
        f"velocities at the joints differ by up to {c.rate_share:.0%} of the largest "
        "speed: the step is too long for this motion. Halve it and compare."
    )
    return Check(title, words, False, advice)


def _whole(c: Certificate) -> Check:
    title = "Windows in one piece"
    if c.halved is None:
        return Check(title, "Halved windows were not recorded.", None)
    if not c.halved:
        return Check(title, "No window was halved.", True)
    advice = f"{c.halved} windows did not converge and were halved: shorten the step."
    return Check(title, f"{c.halved} of {c.windows} were halved.", False, advice)


def _energy(energy: Balance | None) -> Check:
    title = "Energy balance"
    if energy is None:
        return Check(title, "Not every part reports its energy.", None)
    words = f"Defect {energy.defect:.3g} J, largest energy {energy.largest:.3g} J."
    if energy.relative <= _LOOSE:
        return Check(title, words, True)
    advice = (
        f"the energy balance is off by {energy.relative:.1%} of the largest energy "
        f"at t = {energy.defect_at:.6g} s: shorten the step, or tighten the parts' "
        "own integrators."
    )
    return Check(title, words, False, advice)


def _passive(c: Certificate) -> Check:
    title = "Interfaces neither drive nor brake"
    if c.work_error is None:
        return Check(title, "The interface work was not recorded.", None)
    found = f"Interface work error {c.work_error:.3g} J"
    if c.energy is None:
        return Check(title, f"{found}; there is no energy to compare it with.", None)
    words = f"{found}, largest energy {c.energy.largest:.3g} J."
    if c.work_error <= _LOOSE * c.energy.largest or not c.energy.largest:
        return Check(title, words, True)
    advice = (
        f"the interfaces made or lost {c.work_error / c.energy.largest:.1%} of the "
        "largest energy: shorten the step, or use the scheme constant/e."
    )
    return Check(title, words, False, advice)


def _steady(c: Certificate) -> Check:
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


def _others(notes: Sequence[str]) -> Check:
    words = f"{len(notes)} in the certificate, listed below."
    return Check("Nothing else noted", words if notes else "Nothing.", not notes)


_SILENT = "not reported by the parts"


def _at(value: float | None, unit: str, t: float | None) -> str:
    return _SILENT if value is None else f"{value:.3g} {unit} at t = {t:.6g} s"


def _rate(c: Certificate) -> str:
    if c.rate_gap is None or c.rate_share is None:
        return _SILENT
    return f"{c.rate_gap:.3g} m/s, {c.rate_share:.2g} of the largest speed"


def _work(c: Certificate) -> str:
    if c.work_error is None or c.work_net is None:
        return _SILENT
    return f"{c.work_error:.3g} J in all, {c.work_net:.3g} J net"


def _energy_lines(energy: Balance | None) -> list[str]:
    if energy is None:
        return [f"energy balance        {_SILENT}"]
    return [
        f"energy balance        defect {energy.defect:.3g} J at t = "
        f"{energy.defect_at:.6g} s, {energy.defect_end:.3g} J at the end",
        f"                      {energy.relative:.2g} of the largest energy, "
        f"{energy.largest:.6g} J; with interface work {energy.drift:.3g} J",
    ]


def _iterations(c: Certificate) -> str:
    if c.iterations_mean is None:
        return _SILENT
    return f"mean {c.iterations_mean:.3g}, max {c.iterations_max}"


def _count(value: int | None) -> str:
    return _SILENT if value is None else str(value)


def _solves(c: Certificate) -> str:
    if c.solves_per_window is None:
        return _SILENT
    return f"{c.solves_per_window:.4g} per window and leaf ({c.solves} in all)"
