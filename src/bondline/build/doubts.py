"""How doubts are told: other units than SI, loads that the step misses."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from bondline.description import Place, Problem

if TYPE_CHECKING:
    from bondline.leaves.fe.sections import Material

_LIGHT = (1e-11, 1e-7)  # t/mm³: from foam to tungsten; no solid is as light in kg/m³
_SOFT = (1.0, 5e6)  # MPa: from rubber to diamond; in Pa softer than rubber
_HUGE = 50.0  # m


def in_millimetres(material: Material, size: float) -> bool:
    """Whether a material looks like N, mm and t, in a part of that size."""
    soft = _SOFT[0] <= material.E <= _SOFT[1]
    if material.rho:
        return soft and _LIGHT[0] <= material.rho <= _LIGHT[1]
    return soft and size > _HUGE


def units(where: Place, material: Material, part: str, files: str) -> Problem:
    """A material that looks like N, mm and t, in a `part` of such `files`."""
    density = f" and the density {material.rho:.4g}" if material.rho else ""
    return Problem(
        "BND056",
        where,
        f"E = {material.E:.4g}{density} of material {material.name}{part} look like "
        "N, mm, t and s.",
        f"{files} are in SI units, and nothing in one says otherwise: give lengths "
        "in m (times 1e-3), E and pressures in Pa (times 1e6), densities in kg/m³ "
        "(times 1e12), masses in kg (times 1e3), moments in N m (times 1e-3).",
        "warning",
    )


def missed(where: Place, name: str, omega: float, step: float) -> Problem | None:
    """A load that turns round within a step: ωh > π (Nyquist)."""
    if omega * step <= pi:
        return None
    return Problem(
        "BND057",
        where,
        f"{name} is loaded at {omega / (2.0 * pi):.4g} Hz, and steps of "
        f"{step:.4g} s see at most {0.5 / step:.4g} Hz: what is computed has another "
        "frequency.",
        f"Take a step of at most {0.1 * pi / omega:.2g} s, a twentieth of a period.",
        "warning",
    )
