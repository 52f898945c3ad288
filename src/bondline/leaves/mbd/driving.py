"""A mechanism as a compiled system, and what acts on it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from bondline.core import Advance, Rejected, Signal, Vector, Window
from bondline.errors import LeafFailed
from bondline.kernels import function
from bondline.kernels.system import CSystem
from bondline.leaves.guard import guarded
from bondline.leaves.mbd.integration import NEAR, Integration
from bondline.leaves.mbd.model import Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.special import Special, Unsuited
from bondline.leaves.mbd.tree import NO_LOADS, Loads, Tree
from bondline.numerics.coupled import split_by_spectrum, vibrations
from bondline.numerics.integrators import Stepper
from bondline.numerics.memory import COUNT, START, STEP
from bondline.numerics.systems import System


def tried(
    name: str, window: Window, work: Callable[[], Advance[Vector]]
) -> Advance[Vector] | Rejected:
    """What `work` gives; a rejection where the kernels or numbers give up."""
    try:
        return guarded(name, window, work)
    except LeafFailed as error:
        return Rejected(name, error.finding, window.at(0.5), error)


def compiled(tree: Tree, loads: Loads = NO_LOADS) -> System:
    """The system of a tree under wrenches."""
    struct, loaded = CSystem(), tree.loaded(loads)
    fill = function("tree_system", ctypes.c_void_p, ctypes.c_void_p, gives=None)
    fill(ctypes.addressof(loaded), ctypes.addressof(struct))
    if tree.special:
        tree.special.replace(struct, loads.markers.tolist())
    library = tree.special.loaded if tree.special else None
    return System(ctypes.addressof(struct), (struct, loaded, loads, tree), library)


def quickest(mechanism: Mechanism, solver: str) -> tuple[str, ...]:
    """Coordinates with a part in vibrations above the widest gap between them."""
    packed = pack(mechanism, (), solver)
    order = packed.layout
    system = compiled(Tree(packed))
    start = np.concatenate([order.start, order.speed])
    split = split_by_spectrum(system, vibrations(system, 0.0, start))
    return tuple(order.speeds[i] for i in split.fast)


def shortened(how: Integration, window: Window) -> tuple[str, ...]:
    """A word where a slow step that is asked for is longer than the window.

    One rate loses nothing by shorter steps; of two, the quick one was not asked for.
    """
    whole = how.step * how.ratio
    if how.ratio == 1 or not how.fixed or whole <= window.h * (1.0 + NEAR):
        return ()
    return (
        f"the slow step, {whole:g} s, is longer than the window: {window.h:g} s is "
        f"taken, with {how.ratio} steps in it.",
    )


def unsuited(special: Special | Unsuited | None) -> tuple[str, ...]:
    """A word where a mechanism lacks a kernel of its own, or half of one."""
    if isinstance(special, Unsuited):
        instead = "instead of a specialised one"
        return (f"the general kernel is taken {instead}: {special.why}.",)
    if special and special.slower:
        rows = "for the rows of two rates"
        return (f"the general kernel is taken {rows}: {special.slower.why}.",)
    return ()


def goes_on(memory: Vector, window: Window, method: Stepper) -> bool:
    """Whether a memory's history is good for a window: same steps, same time."""
    step = getattr(method, "step", 0.0)
    here = memory[START] + memory[COUNT] * memory[STEP]
    even = abs(memory[STEP] - step) <= NEAR * step
    return bool(even and abs(here - window.t0) <= NEAR * window.h)


class Spot(NamedTuple):
    """Where a port is: the number of its marker, its dofs among those of a frame."""

    marker: int
    rows: tuple[int, ...]


def loads_of(
    spots: Mapping[str, Spot], inputs: Mapping[str, Signal], window: Window
) -> Loads:
    """Wrenches of ports over a window."""
    named = [port for port in spots if port in inputs]
    if not named:
        return NO_LOADS
    powers = max(len(inputs[port].coefficients) for port in named)
    C = np.zeros((len(named), powers, 6))
    for row, port in zip(C, named, strict=True):
        given = inputs[port].coefficients
        row[: len(given), list(spots[port].rows)] = given
    which = np.array([spots[port].marker for port in named], dtype=np.int32)
    return Loads(which, C, window.t0, window.h)


def pressed(spots: Mapping[str, Spot], forces: Mapping[str, Vector]) -> Loads:
    """Wrenches at one instant."""
    signals = {port: Signal.hold(np.asarray(f)) for port, f in forces.items()}
    return loads_of(spots, signals, Window(0.0, 1.0))
