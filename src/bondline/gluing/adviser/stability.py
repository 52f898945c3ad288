"""Does a window resolve the parts, and is the scheme stable with them?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import acos, pi, sqrt

import numpy as np

from bondline.core import Assembly, Matrix, Rejected, Situation, Window
from bondline.gluing.adviser.advice import Section
from bondline.gluing.adviser.inertia import Sides
from bondline.gluing.couplings.resolution import WANTED, flexibilities, least_ratios
from bondline.gluing.couplings.schemes import SCHEMES, Scheme
from bondline.gluing.couplings.tt import TT
from bondline.gluing.guarding import REFUSED
from bondline.gluing.state import GluedState
from bondline.numerics.recursion import GluedMass, spectral_radius

_GROWTH = 1e-6  # a radius above 1 by this much is growth, not round-off
_RIGID = 0.05  # an ωh that nobody notices
_UNKNOWN = tuple(np.linspace(pi, 4.0 * pi, 31).tolist())


@dataclass(frozen=True)
class Resolved:
    """By part: the least eigenvalue of G(h) G(h/2)⁻¹; none for one-step parts."""

    ratios: Mapping[str, float]

    def turns(self, part: str) -> tuple[float, ...]:
        """ωh of the oscillator with that ratio, 4 cos²(ωh/4); 0 for a rigid part.

        Below 2 a quick mode looks like a slower one, so it may be any of several.
        """
        ratio = self.ratios.get(part, 4.0)
        if ratio < REFUSED:
            return _UNKNOWN
        turn = 4.0 * acos(min(1.0, sqrt(ratio) / 2.0))
        return (turn if turn > _RIGID else 0.0,)

    @property
    def least(self) -> float:
        """Of all parts."""
        return min(self.ratios.values(), default=4.0)


def resolve(
    assembly: Assembly, state: GluedState, window: Window
) -> Resolved | Rejected:
    """Probes every part under a held force over h, h/2 and h/4; for T-T coupling.

    The shorter pair tells a quick mode from its alias.
    """

    def probed(h: float) -> dict[str, Matrix] | Rejected:
        return _held(assembly, state, Window(window.t0, window.t0 + h))

    found = least_ratios(probed, window.h, max(WANTED.values()))
    return found if isinstance(found, Rejected) else Resolved(found)


def _held(
    assembly: Assembly, state: GluedState, window: Window
) -> dict[str, Matrix] | Rejected:
    held = TT(SCHEMES["constant/e"])
    z = np.zeros(assembly.offsets[-1])
    situation = Situation(state.parts, state.motions, {})
    problem = held.problem(assembly, situation, window, (z, z, 0.0))
    found = flexibilities(problem, z)
    if isinstance(found, Rejected):
        return found
    return {n: G for n, G in found.items() if not _one_step(assembly, n)}


def _one_step(assembly: Assembly, part: str) -> bool:
    return assembly.parts[part].capabilities.one_step


def stability(
    assembly: Assembly,
    scheme: str,
    seen: Mapping[str, Sides | None],
    resolved: Resolved,
    h: float,
) -> Section:
    """Resolution of every part, and the spectral radius of every scheme that suits."""
    rows: list[tuple[str, str, float]] = [
        (f"part {n}", "G(h)/G(h/2)", ratio) for n, ratio in resolved.ratios.items()
    ]
    radii = {
        name: radius
        for name, s in SCHEMES.items()
        if _suits(s, assembly)
        and (radius := worst(s, assembly, seen, resolved, h)) is not None
    }
    rows += [(f"scheme {n}", "spectral radius", radius) for n, radius in radii.items()]
    words, care = _words(scheme, radii.get(scheme), resolved)
    return Section("Stability", words, ("of", "what", "value"), tuple(rows), care)


def _words(
    scheme: str, radius: float | None, resolved: Resolved
) -> tuple[tuple[str, ...], bool]:
    least, wanted = resolved.least, WANTED.get(scheme, 0.0)
    words = []
    care = least < wanted
    if resolved.ratios:
        part = min(resolved.ratios, key=lambda n: resolved.ratios[n])
        words.append(
            f"The window resolves {part} least: G(h)/G(h/2) = {least:.2f} (4 is ideal)"
            + (f", and {scheme} wants {wanted:g}." if wanted else ".")
        )
    if radius is not None:
        grows = radius > 1.0 + _GROWTH
        care = care or grows
        words.append(
            f"{scheme}: an error of the joint force "
            + (
                f"may grow by {radius:.3g} in every window: do not use it here."
                if grows
                else f"does not grow (spectral radius {radius:.3g})."
            )
        )
    return tuple(words), care


def worst(
    scheme: Scheme,
    assembly: Assembly,
    seen: Mapping[str, Sides | None],
    resolved: Resolved,
    h: float,
) -> float | None:
    """The largest spectral radius over all joints of two ends; None where unknown."""
    radii = []
    for sides in seen.values():
        if sides is None or len(sides.mobilities) != 2:
            continue
        ends = sides.joint.ends
        turns = product(*(resolved.turns(end.part) for end in ends))
        for (one, two), j in product(turns, range(len(sides.joint.components))):
            a = _mass(assembly, sides, 0, j, one / h)
            b = _mass(assembly, sides, 1, j, two / h)
            radius = _radius(scheme, a, b, h)
            if radius is not None:
                radii.append(radius)
    return max(radii, default=None)


def _radius(scheme: Scheme, a: GluedMass, b: GluedMass, h: float) -> float | None:
    """None where the force of the scheme moves neither end at the window's end."""
    try:
        return spectral_radius(scheme, a, b, h)
    except np.linalg.LinAlgError:  # a mode that comes back to where it was
        return None


def _mass(
    assembly: Assembly, sides: Sides, end: int, component: int, omega: float
) -> GluedMass:
    part = sides.joint.ends[end].part
    mass = float(sides.masses(end)[component])
    others = sides.masses(1 - end)[component]
    # an end that cannot move is a mass too large to matter
    mass = mass if np.isfinite(mass) else 1e9 * float(min(others, 1e9))
    return GluedMass(mass, omega, steps=1 if _one_step(assembly, part) else 0)


def _suits(scheme: Scheme, assembly: Assembly) -> bool:
    each = [_one_step(assembly, n) for n, at in assembly.places.items() if at]
    if all(each):
        return scheme.one_step and not scheme.mixed
    return scheme.mixed if any(each) else not scheme.one_step
