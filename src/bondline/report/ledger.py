"""The numbers that decide how far a run can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bondline.core import Vector
from bondline.run.results import Results

_ENERGIES = ("energy.stored", "energy.dissipated", "energy.supplied")


@dataclass(frozen=True)
class Account:
    """Largest gap (m), energies (J) and iterations; None where nobody reported them."""

    gap: float | None
    work: float | None  # sum of |interface work| over the windows
    defect: float | None  # largest, absolute
    largest: float | None  # stored energy, absolute
    mean: float | None  # iterations
    most: float | None


def account(results: Results) -> Account:
    """From the stored certificate; from the windows if a run has none yet."""
    stored = results.certificate
    if "iterations_mean" not in stored:
        return _of_windows(results)
    energy: Mapping[str, Any] = stored.get("energy") or {}
    return Account(
        stored.get("gap"),
        stored.get("work_error"),
        energy.get("defect"),
        energy.get("largest"),
        stored.get("iterations_mean"),
        stored.get("iterations_max"),
    )


def _of_windows(results: Results) -> Account:
    balance, counts = defect(results), _kept(results, "iterations")
    return Account(
        _top(_kept(results, "gap")),
        _total(_kept(results, "interface_work")),
        _top(balance),
        None if balance is None else _top(results.windows["energy.stored"]),
        None if counts is None else float(np.mean(counts)),
        _top(counts),
    )


def _kept(results: Results, name: str) -> Vector | None:
    values = results.windows.get(name)
    return None if values is None or not len(values) else values


def _top(values: Vector | None) -> float | None:
    return None if values is None else float(np.max(np.abs(values)))


def _total(values: Vector | None) -> float | None:
    return None if values is None else float(np.sum(np.abs(values)))


def defect(results: Results) -> Vector | None:
    """Energy that the parts' integrators added, at every window's end, in joules.

    stored − supplied + dissipated − interface work, since the start; None if a part
    kept silent. Windows do not know the energy at the start, so without a
    certificate, which does, the sum begins at the end of the first window.
    """
    if any(_kept(results, name) is None for name in _ENERGIES):
        return None
    stored, dissipated, supplied = (results.windows[name] for name in _ENERGIES)
    work = results.windows.get("interface_work", np.zeros(len(stored)))
    balance: Vector = stored - np.cumsum(supplied - dissipated + work)
    energy = results.certificate.get("energy")
    end = energy.get("defect_end") if isinstance(energy, Mapping) else None
    anchor = float(balance[0]) if end is None else float(balance[-1]) - float(end)
    since: Vector = balance - anchor
    return since


def setting(settings: Mapping[str, Any], name: str) -> float | None:
    """The largest number that the settings, nested or not, have under this name.

    >>> setting({"solver": {"tolerance": 1e-10}}, "tolerance")
    1e-10
    """
    found = [settings[name]] if name in settings else []
    inner = (v for v in settings.values() if isinstance(v, Mapping))
    found += [setting(tree, name) for tree in inner]
    numbers = [float(v) for v in found if isinstance(v, int | float)]
    return max(numbers, default=None)
