"""The inertia that a joint sees on each of its sides, and who should lead.

A force F on a joint accelerates end i by Aᵢ F, with Aᵢ = Bᵢ (∂a/∂f) Bᵢᵀ. Under X-T
coupling with leader a and follower b an error of the force comes back times −A_b⁻¹ A_a:
the ratio of inertias. With S = A_a + A_b, which is regular where each alone is not, and
μ the eigenvalues of S⁻¹ A_a, these factors are μ/(1 − μ).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bondline.core import (
    Assembly,
    Causality,
    Connection,
    Effort,
    Matrix,
    Model,
    Motion,
    Port,
    PortRef,
    Pressing,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.errors import SettingError
from bondline.gluing.adviser.advice import Section
from bondline.gluing.couplings.driven_fitness import check_joint
from bondline.gluing.foresee import displacement
from bondline.gluing.state import GluedState

_MOST = 60  # dofs of a port that are moved one by one
_FREE = 1e30  # mobility of a port without inertia
_HELD = 1e-9  # a mobility below this part of the other side's is none
HOLD, LINE = 1.0, 1.0 / 3.0  # limits of the explicit X-T schemes


@dataclass(frozen=True)
class Sides:
    """Mobilities Aᵢ of the ends of one joint, in its own components."""

    joint: Connection
    mobilities: tuple[Matrix, ...]

    def masses(self, end: int) -> Vector:
        """F/a along each component; infinite where the end cannot move."""
        a = np.diag(self.mobilities[end])
        each = [np.diag(A) for A in self.mobilities]
        real = [d[d < _HELD * _FREE] for d in each]  # free ports measure nothing
        most = max(float(d.max(initial=0.0)) for d in real)
        with np.errstate(divide="ignore"):
            masses: Vector = np.where(a > _HELD * most, 1.0 / a, np.inf)
        masses[a >= _HELD * _FREE] = 0.0
        return masses

    def ratio(self, leader: int) -> float:
        """Inertia of the others over the leader's, in the worst direction."""
        S = np.sum(self.mobilities, axis=0)
        mu = np.linalg.eigvals(np.linalg.pinv(S) @ self.mobilities[leader]).real
        top = float(mu.max(initial=0.0))
        return top / (1.0 - top) if top < 1.0 - _HELD else np.inf


def see(
    assembly: Assembly, state: GluedState, window: Window
) -> dict[str, Sides | None]:
    """Both sides of every joint; None where a part does not let itself be asked."""
    found: dict[str, Sides | None] = {}
    for c in assembly.connections:
        B = c.jacobian([state.motions[end] for end in c.ends])
        own = [_mobility(assembly, state, window, end) for end in c.ends]
        each = [b @ A @ b.T for b, A in zip(B, own, strict=True) if A is not None]
        found[c.name] = Sides(c, tuple(each)) if len(each) == len(c.ends) else None
    return found


def inertia(assembly: Assembly, seen: Mapping[str, Sides | None]) -> Section:
    """Effective masses, their ratio, and what X-T coupling would make of it."""
    words, rows, care = [], [], False
    for name, sides in seen.items():
        if sides is None:
            words.append(f"Joint {name}: its inertias cannot be told.")
            continue
        rows += _rows(sides)
        if len(sides.mobilities) != 2:
            words.append(f"Joint {name} joins {len(sides.mobilities)} ends.")
            continue
        sentence, bad = _verdict(assembly, sides)
        words.append(sentence)
        care = care or bad
    head = ("joint", "force", "side", "inertia", "unit")
    return Section("Inertia at the joints", tuple(words), head, tuple(rows), care)


def _rows(sides: Sides) -> list[tuple[str, str, str, float, str]]:
    c = sides.joint
    return [
        (c.name, force, c.ends[i].part, float(mass), _unit(force))
        for j, force in enumerate(c.components)
        for i, mass in ((i, sides.masses(i)[j]) for i in range(len(c.ends)))
    ]


def _unit(force: str) -> str:
    return "kg.m2" if force.startswith("M") else "kg"


def _verdict(assembly: Assembly, sides: Sides) -> tuple[str, bool]:
    c = sides.joint
    leads = [i for i, end in enumerate(c.ends) if not _led(assembly, end)]
    if len(leads) == 1:
        return _led_verdict(sides, leads[0])
    best = min(range(2), key=sides.ratio)
    ratio = sides.ratio(best)
    both = "T-T" if leads else "X-X"
    words = f"Joint {c.name}: {both} coupling converges whatever the inertias."
    no = refusal(assembly, c, best)
    if no:
        return f"{words} X-T coupling is not for it: {no}", False
    return (
        f"{words} For X-T coupling {c.ends[best].part} should lead: the other side has "
        f"{ratio:.3g} times its inertia; {contraction(ratio)}.",
        False,
    )


def refusal(assembly: Assembly, c: Connection, leader: int) -> str:
    """Why X-T coupling would refuse a joint under that leader; empty: it would not."""
    try:
        check_joint("", c, assembly)
    except SettingError as error:
        return error.finding
    if c.law is not None:
        return "it gives way under force."
    told = sum(
        assembly.parts[end.part].ports[end.port].size
        for i, end in enumerate(c.ends)
        if i != leader
    )
    if told != len(c.components):
        return f"it has {len(c.components)} conditions for {told} dofs that follow."
    return ""


def _led_verdict(sides: Sides, leader: int) -> tuple[str, bool]:
    ends = sides.joint.ends
    ratio, other = sides.ratio(leader), sides.ratio(1 - leader)
    words = (
        f"Joint {sides.joint.name}: {ends[leader].part} leads, "
        f"{ends[1 - leader].part} follows with {_times(ratio)} inertia; "
        f"{contraction(ratio)}."
    )
    if ratio > LINE and other < ratio:
        words += (
            f" With {ends[1 - leader].part} as the leader the ratio would be "
            f"{other:.3g}."
        )
    return words, ratio > LINE


def _times(ratio: float) -> str:
    endless = ratio == np.inf
    return "all the" if endless else f"{ratio:.3g} times its"


def contraction(ratio: float) -> str:
    """What a ratio of inertias does to X-T coupling, in words."""
    fixed = (
        f"a fixed-point iteration contracts by {ratio:.3g}"
        if ratio < HOLD
        else "a fixed-point iteration diverges"
    )
    if ratio > HOLD:
        once = "explicit X-T diverges, held or extrapolated: iterate with Newton"
    elif ratio > LINE:
        once = "explicit X-T diverges if extrapolated along a line (above 1/3)"
    else:
        once = "explicit X-T is stable"
    return f"{fixed}, {once}"


def _led(assembly: Assembly, end: PortRef) -> bool:
    port = assembly.parts[end.part].ports[end.port]
    return isinstance(port, Port) and port.causality is Causality.MOTION_IN


def _mobility(
    assembly: Assembly, state: GluedState, window: Window, end: PortRef
) -> Matrix | None:
    """∂(acceleration of a port)/∂(force on it), all other ports left alone."""
    part, own = assembly.parts[end.part], state.parts[end.part]
    port = part.ports[end.port]
    if not isinstance(port, Port) or port.size > _MOST:
        return None
    if isinstance(part, Pressing) and part.capabilities.acceleration:
        return _pressed(part, own, window.t0, port)
    repeats = part.capabilities.repeatable
    if repeats and port.causality is Causality.FORCE_IN:
        return _pushed(part, own, window, port)
    return None


def _pressed(part: Pressing[Any], state: Any, t: float, port: Port) -> Matrix | None:
    rest = part.press(state, t, {port.name: np.zeros(port.size)}).outputs.get(port.name)
    moved = [
        part.press(state, t, {port.name: unit}).outputs.get(port.name)
        for unit in np.eye(port.size)
    ]
    columns = [_change(rest, m) for m in moved]
    found = np.array([c for c in columns if c is not None]).T
    if found.shape != (port.size, port.size):
        return None
    return found if isinstance(rest, Motion) else _inverse(found)


def _change(rest: Any, moved: Any) -> Vector | None:
    if isinstance(rest, Effort) and isinstance(moved, Effort):
        return moved.f - rest.f
    before, after = getattr(rest, "a", None), getattr(moved, "a", None)
    return None if before is None or after is None else np.asarray(after - before)


def _inverse(M: Matrix) -> Matrix:
    """Of an inertia matrix; where there is none the port is free."""
    U, s, Vt = np.linalg.svd(M)
    loose = s <= _HELD * float(s.max(initial=0.0))
    mobility = np.where(loose, _FREE, 1.0 / np.where(loose, 1.0, s))
    found: Matrix = (Vt.T * mobility) @ U.T
    return found


def _pushed(part: Model, state: Any, window: Window, port: Port) -> Matrix | None:
    """2 ∂x/∂f / h²: a force held for one window moves a free mass by f h²/2m."""
    rest = part.advance(state, window, {})
    columns = []
    for unit in np.eye(port.size):
        done = part.advance(state, window, {port.name: Signal.hold(unit)})
        if isinstance(done, Rejected) or isinstance(rest, Rejected):
            return None
        before, after = rest.outputs[port.name], done.outputs[port.name]
        if not isinstance(before, Motion) or not isinstance(after, Motion):
            return None
        columns.append(2.0 * displacement(before, after) / window.h**2)
    return np.array(columns).T
