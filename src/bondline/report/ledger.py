"""What a report looks up in the record of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bondline.core import Vector
from bondline.run.results import Results

_ENERGIES = ("energy.stored", "energy.dissipated", "energy.supplied")


def _kept(results: Results, name: str) -> Vector | None:
    values = results.windows.get(name)
    return None if values is None or not len(values) else values


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


def tolerance(settings: Mapping[str, Any]) -> float | None:
    """The tolerance of the outermost solver.

    >>> tolerance({"solver": {"kind": "newton", "tolerance": 1e-10}})
    1e-10
    """
    solver = settings.get("solver")
    return solver.get("tolerance") if isinstance(solver, Mapping) else None


def method(settings: Mapping[str, Any]) -> str | None:
    """The coupling of the outermost level.

    >>> method({"coupling": {"method": "X-T", "scheme": "newmark/f"}})
    'X-T'
    """
    coupling = settings.get("coupling")
    return coupling.get("method") if isinstance(coupling, Mapping) else None
