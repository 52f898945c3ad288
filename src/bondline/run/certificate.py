"""The quality certificate: how far a glued run may be trusted, in numbers."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from bondline.core import Frame, Vector
from bondline.run.chain import canonical

_LOOSE = 1e-3  # relative energy error above which a run deserves a warning
_ROUGH = 0.05  # velocity gap, relative to the largest speed, likewise


@dataclass(frozen=True, slots=True)
class Balance:
    """Energy that appeared from nowhere, in joules.

    defect(t) = E(t) - E(0) - supplied + dissipated - interface work is what the
    integrators of the parts add. `drift` leaves the interface work in: it is what
    the run as a whole adds.
    """

    defect: float  # largest, absolute
    defect_at: float  # when, s
    defect_end: float
    drift: float  # largest, absolute
    largest: float  # largest stored energy, absolute
    relative: float  # defect / largest


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a run's windows say about its quality; None where nobody reported it."""

    windows: int
    leaves: int
    gap: float | None  # largest, m
    gap_at: float | None
    rate_gap: float | None  # largest difference of velocities at a joint, m/s
    rate_share: float | None  # of the largest speed at a joint
    work_error: float | None  # sum of |interface work| over the windows, J
    work_net: float | None  # sum with signs, J
    energy: Balance | None
    iterations_mean: float | None
    iterations_max: int | None
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

    def dump(self) -> str:
        """As JSON."""
        return canonical(asdict(self))

    @classmethod
    def load(cls, text: str) -> Certificate:
        """The certificate that `dump` wrote."""
        tree: dict[str, Any] = json.loads(text)
        energy = tree.pop("energy")
        warnings = tuple(tree.pop("warnings"))
        balance = Balance(**energy) if energy else None
        return cls(**tree, energy=balance, warnings=warnings)


def certify(
    frames: Iterable[Frame], leaves: int = 1, notes: Sequence[str] = ()
) -> Certificate:
    """The certificate of a run from its frames, the start first.

    `notes` are warnings that others have already found.
    """
    table = _Table(frames)
    gap, work = table.stat("gap"), table.stat("interface_work")
    iterations, solves = table.stat("iterations"), table.stat("solves")
    builds = table.stat("builds")
    t = table.columns["t"]
    windows = max(len(t) - 1, 0)
    worst = None if gap is None else int(np.argmax(np.abs(gap)))
    energy, rates = _balance(table, work), _rates(table)
    return Certificate(
        windows=windows,
        leaves=leaves,
        gap=None if gap is None else float(np.abs(gap).max()),
        gap_at=None if worst is None else t[worst + 1],
        rate_gap=None if rates is None else rates[0],
        rate_share=None if rates is None else rates[1],
        work_error=None if work is None else float(np.abs(work).sum()),
        work_net=None if work is None else float(work.sum()),
        energy=energy,
        iterations_mean=None if iterations is None else float(iterations.mean()),
        iterations_max=None if iterations is None else int(iterations.max()),
        builds=None if builds is None else int(builds.sum()),
        solves=None if solves is None else int(solves.sum()),
        solves_per_window=None
        if solves is None
        else float(solves.sum()) / leaves / windows,
        warnings=(
            *notes,
            *_unresolved(rates, table.stat("halvings")),
            *_warnings(energy, work, iterations),
        ),
    )


class _Table:
    """The few columns that a certificate needs: a long run is read, not held."""

    def __init__(self, frames: Iterable[Frame]) -> None:
        self.columns = {name: array("d") for name in ("t", *_ENERGIES, *_COUNTED)}
        for frame in frames:
            self.columns["t"].append(frame.t)
            for name in _ENERGIES:
                self.columns[name].append(getattr(frame.energy, name, math.nan))
            for name in _COUNTED:
                self.columns[name].append(frame.stats.get(name, math.nan))

    def column(self, name: str) -> Vector:
        """One value a frame, the start included; NaN where nobody reported it."""
        return np.array(self.columns[name])

    def stat(self, name: str) -> Vector | None:
        """One value a window, if every window has it."""
        values = self.column(name)[1:]
        return None if np.isnan(values).any() or not len(values) else values


_ENERGIES = ("stored", "dissipated", "supplied")
_COUNTED = (
    "gap", "gap_rate", "speed", "interface_work", "iterations", "builds", "solves",
    "halvings",
)  # fmt: skip


def _rates(table: _Table) -> tuple[float, float] | None:
    """Largest velocity gap, and its share of the largest speed."""
    gap, speed = table.stat("gap_rate"), table.stat("speed")
    if gap is None or speed is None:
        return None
    top, fastest = float(gap.max()), float(speed.max())
    return top, top / fastest if fastest > 0.0 else 0.0


def _unresolved(
    rates: tuple[float, float] | None, halvings: Vector | None
) -> list[str]:
    """A closed gap says nothing about a window that is too long for the motion."""
    found = []
    if rates is not None and rates[1] > _ROUGH:
        found.append(
            f"velocities at the joints differ by up to {rates[1]:.0%} of the largest "
            "speed: the step is too long for this motion. Halve it and compare."
        )
    if halvings is not None and halvings.any():
        found.append(
            f"{np.count_nonzero(halvings)} windows did not converge and were halved: "
            "shorten the step."
        )
    return found


def _balance(table: _Table, work: Vector | None) -> Balance | None:
    if table.stat("stored") is None:
        return None
    # a model that reports no energy at its start is balanced from its first window on
    first = 1 if math.isnan(table.columns["stored"][0]) else 0
    t, stored, dissipated, supplied = (
        table.column(name)[first:] for name in ("t", *_ENERGIES)
    )
    if len(stored) < 2:
        return None
    flow = np.cumsum(supplied[1:] - dissipated[1:])
    drift = stored[1:] - stored[0] - flow
    defect = drift if work is None else drift - np.cumsum(work[first:])
    worst = int(np.argmax(np.abs(defect)))
    largest, top = float(np.abs(stored).max()), float(np.abs(defect[worst]))
    return Balance(
        defect=top,
        defect_at=float(t[1 + worst]),
        defect_end=float(defect[-1]),
        drift=float(np.abs(drift).max()),
        largest=largest,
        relative=top / largest if largest > 0.0 else 0.0,
    )


def _warnings(
    energy: Balance | None, work: Vector | None, iterations: Vector | None
) -> list[str]:
    found = []
    if energy is not None and energy.relative > _LOOSE:
        found.append(
            f"the energy balance is off by {energy.relative:.1%} of the largest energy "
            f"at t = {energy.defect_at:.6g} s: shorten the step, or tighten the parts' "
            "own integrators."
        )
    if energy is not None and work is not None and energy.largest > 0.0:
        share = float(np.abs(work).sum()) / energy.largest
        if share > _LOOSE:
            found.append(
                f"the interfaces made or lost {share:.1%} of the largest energy: "
                "shorten the step, or use the scheme constant/e."
            )
    if iterations is not None and iterations.max() > 4.0 * iterations.mean() + 4.0:
        n = int(np.argmax(iterations)) + 1
        found.append(
            f"window {n} needed {int(iterations.max())} iterations, the mean is "
            f"{iterations.mean():.1f}: refresh the gluing matrix more often."
        )
    return found


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
