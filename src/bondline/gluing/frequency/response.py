"""Frequency response between any two ports of an assembly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bondline.core import Model, Port, Vector
from bondline.errors import UsageError, did_you_mean
from bondline.gluing.frequency.interface import Interface
from bondline.gluing.frequency.whole import whole


def response(
    model: Model, omegas: Sequence[float] | Vector, load: str, at: str
) -> NDArray[np.complex128]:
    """Displacement of `at` per unit of harmonic force on `load`, with damping.

    Both are `part.port.dof`, or `port.dof` of an exported port; ω in rad/s. A port of
    several nodes counts them from 1: `part.port.x[2]`.
    """
    level = whole(model)
    into, out = _dof(level, load), _dof(level, at)
    found = np.zeros(len(omegas), dtype=np.complex128)
    for j in np.argsort(omegas)[::-1]:  # downwards: parts prepare for what is below
        here = level.at(float(omegas[j]), damped=True)
        found[j] = here.between(np.array([out]), np.array([into]))[0, 0]
    return found


def dofs(port: Port) -> list[str]:
    """Names of a port's dofs, node by node."""
    if port.nodes == 1:
        return list(port.dofs)
    return [f"{d}[{n}]" for n in range(1, port.nodes + 1) for d in port.dofs]


def _dof(level: Interface, text: str) -> int:
    known: dict[str, int] = {
        f"{r}.{dof}": level.places[r].start + j
        for r, port in level.ports.items()
        for j, dof in enumerate(dofs(port))
    }
    for name, r in level.exports.items():
        if r in level.ports:
            for dof in dofs(level.ports[r]):
                known.setdefault(f"{name}.{dof}", known[f"{r}.{dof}"])
    if text not in known:
        raise UsageError(
            f"{level.name}: {text}",
            "there is no such dof to load or to look at.",
            did_you_mean(text, known),
        )
    return known[text]
