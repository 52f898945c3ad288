"""A mechanism as two arrays: what the kernels read (c/tree_open.c)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bondline.core import Vector
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.mbd.codes import FORMAT, SOLVERS, TOLD
from bondline.leaves.mbd.forces import JointMotion, rate_of
from bondline.leaves.mbd.invariants import constants, six
from bondline.leaves.mbd.layout import Branch, Layout, layout
from bondline.leaves.mbd.model import Frame, Joint, Mechanism
from bondline.leaves.mbd.pack_forces import pack_force
from bondline.leaves.mbd.writing import Writing


@dataclass(frozen=True, eq=False)
class Packed:
    """What C reads, the order of coordinates, and the numbers of the markers."""

    ints: NDArray[np.int64]
    reals: Vector
    layout: Layout
    markers: dict[str, int] = field(default_factory=dict)
    fast: tuple[str, ...] = ()


def pack(
    mechanism: Mechanism,
    fast: Sequence[str] | None = None,
    solver: str = "auto",
) -> Packed:
    """Check a mechanism and write it down.

    `fast` are names of speeds for multirate integration, all modal ones if None.
    Every marker of every body gets a number; `markers["body.marker"]` tells it.
    """
    order = layout(mechanism)
    chosen = order.modal if fast is None else tuple(fast)
    pairs = _fast(mechanism.name, order, chosen)
    text = Writing()
    text.put(mechanism.gravity, [mechanism.closing])
    markers = _markers(mechanism, order, text)
    bodies = [_body(mechanism, b, markers, text) for b in order.branches]
    loops = [_loop(mechanism, joint, markers, text) for joint in mechanism.loops]
    loops += [_told(mechanism, order, motion, text) for motion in mechanism.motions]
    forces = [pack_force(mechanism, order, f, markers, text) for f in mechanism.forces]
    head = (
        *(FORMAT, len(bodies), len(text.markers), len(forces), len(text.histories)),
        *(len(loops), len(order.positions), len(order.speeds), len(pairs)),
        _solver(mechanism.name, solver),
    )
    tables = (bodies, text.markers, forces, text.histories, loops, pairs)
    ints = [*head, *(x for table in tables for row in table for x in row)]
    names = [order.speeds[u] for u, _ in pairs]
    return Packed(
        np.array(ints, dtype=np.int64),
        np.array(text.reals, dtype=np.float64),
        *(order, {k: v for k, v in markers.items() if k}, tuple(names)),
    )


def _solver(place: str, name: str) -> int:
    if name not in SOLVERS:
        raise SettingError(
            f"{place}.solver", f"there is no {name!r}.", did_you_mean(name, SOLVERS)
        )
    return SOLVERS[name]


def _fast(place: str, order: Layout, names: Sequence[str]) -> list[tuple[int, int]]:
    """Velocity and position of each fast coordinate, in ascending order."""
    pairs = []
    for name in dict.fromkeys(names):
        if name not in order.speeds:
            raise SettingError(
                f"{place}.fast",
                f"there is no speed {name!r}.",
                did_you_mean(name, order.speeds),
            )
        if name not in order.positions:
            raise SettingError(
                f"{place}.fast",
                f"{name!r} is a spin: no position has it as its rate.",
                "Choose coordinates of other joints, or modal ones.",
            )
        pairs.append((order.speeds.index(name), order.positions.index(name)))
    return sorted(pairs)


def _markers(mechanism: Mechanism, order: Layout, text: Writing) -> dict[str, int]:
    """Numbers of all markers, bodies' own frames among them."""
    numbers = {"ground": text.marker(-1, Frame(), 0)}
    for name, frame in mechanism.ground.items():
        numbers[f"ground.{name}"] = text.marker(-1, frame, 0)
    for i, branch in enumerate(order.branches):
        body = branch.body
        numbers[body.name] = text.marker(i, Frame(), body.count)
        for name, spot in body.places.items():
            numbers[f"{body.name}.{name}"] = text.marker(i, spot, body.count)
    return numbers


def _number(
    mechanism: Mechanism,
    place: str,
    ref: str | Frame,
    markers: dict[str, int],
    text: Writing,
) -> int:
    if isinstance(ref, Frame):
        return text.marker(-1, ref, 0)
    mechanism.spot(place, ref)  # complains
    return markers[ref]


def _body(
    mechanism: Mechanism, branch: Branch, markers: dict[str, int], text: Writing
) -> tuple[int, ...]:
    body, joint = branch.body, branch.joint
    place = f"{mechanism.name}, joint {joint.name}"
    inboard = _number(mechanism, place, joint.inboard, markers, text)
    outboard = _number(mechanism, place, joint.outboard, markers, text)
    mass, c0, J0 = body.moments
    at = text.put([mass], c0, six(J0))
    for part in constants(body.modes) if body.modes else ():
        text.put(part)
    stiffened = int(body.modes is not None and body.modes.stiffening is not None)
    return (
        *(branch.parent, joint.of.code, inboard, outboard),
        *(branch.q, branch.u, body.count, stiffened, at),
    )


def _loop(
    mechanism: Mechanism, joint: Joint, markers: dict[str, int], text: Writing
) -> tuple[int, ...]:
    place = f"{mechanism.name}, loop {joint.name}"
    if joint.kind == "free":
        raise SettingError(
            place, "a free joint closes nothing.", "Leave it out, or use another kind."
        )
    ends = (joint.inboard, joint.outboard)
    a, b = (_number(mechanism, place, end, markers, text) for end in ends)
    return (joint.of.code, a, b, -1, 0)


def _told(
    mechanism: Mechanism, order: Layout, motion: JointMotion, text: Writing
) -> tuple[int, ...]:
    place = f"{mechanism.name}, JointMotion"
    q, u = order.coordinate(place, motion.joint, motion.coordinate)
    if q < 0:
        raise SettingError(
            place,
            f"{motion.coordinate or 'a coordinate'!r} of {motion.joint!r} is a spin.",
            "Tell coordinates of other joints, for example three revolute ones.",
        )
    rates = [rate_of(place, history) for history in motion.histories]
    again = [rate_of(place, history) for history in rates]
    numbers = [text.history(h) for h in (*motion.histories, *rates, *again)]
    return (TOLD, q, u, numbers[0] if numbers else -1, len(motion.histories))
