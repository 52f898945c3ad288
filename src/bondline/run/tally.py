"""The tally of a run: the few columns of its windows that speak of its quality."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bondline.core import Frame, Vector

if TYPE_CHECKING:
    from bondline.run.results import Results

_ENERGIES = ("stored", "dissipated", "supplied")
_COUNTED = (
    "gap", "gap_rate", "speed", "residual", "allowed", "interface_work", "iterations",
    "builds", "solves", "halvings", "windows", "condition", "exchanges", "lag", "force",
)  # fmt: skip


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
    largest: float  # largest energy, stored or passed through a joint
    relative: float  # defect / largest


_SOLVES = ".solves"


@dataclass(frozen=True, slots=True)
class Tally:
    """One number a frame, the start first; NaN where nobody reported one.

    `notes` are the warnings of the windows, each once, with the first time it came;
    `counting` are the parts, of all layers, that tell their solves.
    """

    columns: Mapping[str, Vector]
    notes: Mapping[str, float] = field(default_factory=dict)
    counting: frozenset[str] = frozenset()

    @property
    def t(self) -> Vector:
        """The ends of the windows, after the start."""
        return self.columns["t"]

    def stat(self, name: str) -> Vector | None:
        """One value a window, if every window has it."""
        values = self.columns[name][1:]
        return None if np.isnan(values).any() or not len(values) else values


def of_frames(frames: Iterable[Frame]) -> Tally:
    """From the frames of a run: a long run is read, not held."""
    columns = {name: array("d") for name in ("t", *_ENERGIES, *_COUNTED)}
    notes: dict[str, float] = {}
    told: set[str] = set()
    for n, frame in enumerate(frames):
        columns["t"].append(frame.t)
        for name in _ENERGIES:
            columns[name].append(getattr(frame.energy, name, math.nan))
        for name in frame.stats:
            if name not in columns and name.endswith(".work"):
                columns[name] = array("d", [math.nan] * n)
        told.update(name for name in frame.stats if name.endswith(_SOLVES))
        for name in columns.keys() - {"t", *_ENERGIES}:
            columns[name].append(frame.stats.get(name, math.nan))
        for note in frame.notes:
            notes.setdefault(note, frame.t)
    counting = frozenset(name.removesuffix(_SOLVES) for name in told)
    every = {name: np.array(values) for name, values in columns.items()}
    return Tally(every, notes, counting)


def of_results(results: Results) -> Tally:
    """From results, which do not know the energy at the start."""
    silent = np.full(max(len(results.t) - 1, 0), math.nan)
    labels = {**{n: f"energy.{n}" for n in _ENERGIES}, **{n: n for n in _COUNTED}}
    labels |= {n: n for n in results.windows if n.endswith(".work")}
    columns = {
        name: np.concatenate([[math.nan], results.windows.get(label, silent)])
        for name, label in labels.items()
    }
    return Tally({"t": results.t, **columns})


def rates(tally: Tally) -> tuple[float, float] | None:
    """Largest velocity gap, and its share of the largest speed."""
    gap, speed = tally.stat("gap_rate"), tally.stat("speed")
    if gap is None or speed is None:
        return None
    top, fastest = float(gap.max()), float(speed.max())
    return top, top / fastest if fastest > 0.0 else 0.0


def closed(tally: Tally) -> tuple[float, float] | None:
    """Largest residual over the one allowed in its window; largest one allowed."""
    residual, allowed = tally.stat("residual"), tally.stat("allowed")
    if residual is None or allowed is None:
        return None
    room = np.where(allowed > 0.0, allowed, np.finfo(np.float64).tiny)
    return float((residual / room).max()), float(allowed.max())


def balance(tally: Tally) -> Balance | None:
    """What the energies of the parts add up to, if all of them report theirs."""
    if tally.stat("stored") is None:
        return None
    work = tally.stat("interface_work")
    # a model that reports no energy at its start is balanced from its first window on
    first = 1 if math.isnan(tally.columns["stored"][0]) else 0
    t, stored, dissipated, supplied = (
        tally.columns[name][first:] for name in ("t", *_ENERGIES)
    )
    if len(stored) < 2:
        return None
    flow = np.cumsum(supplied[1:] - dissipated[1:])
    drift = stored[1:] - stored[0] - flow
    defect = drift if work is None else drift - np.cumsum(work[first:])
    worst = int(np.argmax(np.abs(defect)))
    passed = [tally.columns[n][1:] for n in tally.columns if n.endswith(".work")]
    through = [np.abs(np.cumsum(np.nan_to_num(w))).max(initial=0.0) for w in passed]
    largest = float(max([np.abs(stored).max(), *through]))
    top = float(np.abs(defect[worst]))
    return Balance(
        defect=top,
        defect_at=float(t[1 + worst]),
        defect_end=float(defect[-1]),
        drift=float(np.abs(drift).max()),
        largest=largest,
        relative=top / largest if largest > 0.0 else 0.0,
    )
