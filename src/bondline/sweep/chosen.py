"""Chosen results: what a sweep keeps of every run, `lower.com.x:max`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import numpy as np

from bondline.core import Model, Vector
from bondline.errors import BondlineError, UsageError, did_you_mean
from bondline.run import Run
from bondline.run.frames import look
from bondline.run.results import Results
from bondline.run.signals import resultants

MOST = 12  # signals of which something is kept when nobody chose

KINDS: Mapping[str, Callable[[Vector], float]] = {
    "final": lambda y: float(y[-1]),
    "min": lambda y: float(np.nanmin(y)),
    "max": lambda y: float(np.nanmax(y)),
    "absmax": lambda y: float(np.nanmax(np.abs(y))),
    "mean": lambda y: float(np.nanmean(y)),
    "rms": lambda y: float(np.sqrt(np.nanmean(y**2))),
}
_USUAL = ("final", "min", "max")
_CERTIFICATE = {
    "gap": "m",
    "residual": "",
    "work_error": "J",
    "iterations_mean": "",
    "iterations_max": "",
}


@dataclass(frozen=True)
class Chosen:
    """Numbers of one run by column, and the units of these columns."""

    values: Mapping[str, float] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)


def check_asked(asked: Sequence[str]) -> None:
    """Refuse kinds that do not exist, before anything runs."""
    for text in asked:
        kind = _split(text)[1]
        if kind and kind not in KINDS:
            raise UsageError(
                f"--result {text}",
                f"there is no {kind!r} of a signal.",
                did_you_mean(kind, KINDS),
            )


def check_signals(asked: Sequence[str], model: Model, t0: float) -> None:
    """Refuse signals that the model does not show where it starts."""
    if not asked:
        return
    try:
        frame = look(model, 0, None, t0, model.start(t0))
    except BondlineError:
        return  # told for every variant that has it
    names = dict.fromkeys(frame.values)
    for name, force in frame.forces.items():
        every = (*resultants(force.components), *force.components)
        names |= dict.fromkeys(f"{name}.{component}" for component in every)
    for text in asked:
        _matching(text, list(names))


def chosen(run: Run, asked: Sequence[str] = ()) -> Chosen:
    """What was asked for of a run that is done, and figures of its certificate."""
    results = run.results(shapes=False)
    values: dict[str, float] = {}
    units: dict[str, str] = {}
    for signal, kind in _pairs(results, asked):
        column = f"{signal}:{kind}"
        values[column] = KINDS[kind](results.signals[signal])
        units[column] = results.units.get(signal, "")
    told, named = _certificate(run)
    finite = {k: v for k, v in {**values, **told}.items() if math.isfinite(v)}
    return Chosen(finite, {**units, **named})


def _pairs(results: Results, asked: Sequence[str]) -> Iterator[tuple[str, str]]:
    for text in asked or list(results.signals)[:MOST]:
        kind = _split(text)[1]
        names = _matching(text, list(results.signals))
        yield from ((n, k) for n in names for k in ([kind] if kind else _USUAL))


def _matching(text: str, signals: Sequence[str]) -> list[str]:
    pattern = _split(text)[0]
    names = [n for n in signals if fnmatchcase(n, pattern) or n == pattern]
    if not names:
        raise UsageError(
            f"--result {text}",
            f"the run has no signal {pattern!r}.",
            did_you_mean(pattern, signals),
        )
    return names


def _split(text: str) -> tuple[str, str]:
    """Signal and kind; no kind means the usual ones."""
    signal, mark, kind = text.rpartition(":")
    return (signal, kind) if mark else (text, "")


def _certificate(run: Run) -> tuple[dict[str, float], dict[str, str]]:
    told = run.certificate
    own = {name: told.get(name) for name in _CERTIFICATE}
    energy = told.get("energy") or {}
    own["energy_error"] = energy.get("relative")
    own["warnings"] = len(told.get("warnings", ()))
    values = {f"certificate.{k}": float(v) for k, v in own.items() if v is not None}
    return values, {f"certificate.{k}": unit for k, unit in _CERTIFICATE.items()}
