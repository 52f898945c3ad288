"""A mechanism as a compiled system, and the integrator that its sheet asks for."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from math import ceil
from typing import NamedTuple

import numpy as np

from bondline.core import Advance, Rejected, Signal, Vector, Window
from bondline.errors import LeafFailed, SettingError
from bondline.kernels import function
from bondline.kernels.system import CSystem
from bondline.leaves.guard import guarded
from bondline.leaves.mbd.sheet import Integration
from bondline.leaves.mbd.tree import NO_LOADS, Loads, Tree
from bondline.numerics.integrators import (
    Dop853,
    DormandPrince,
    GeneralizedAlpha,
    RungeKutta4,
    Stepper,
)
from bondline.numerics.memory import COUNT, START, STEP
from bondline.numerics.multirate import Form, Multirate
from bondline.numerics.nordsieck import Nordsieck
from bondline.numerics.stiff import Cvode, Radau
from bondline.numerics.systems import System

_MOST = 1e9  # steps in a window
_NEAR = 1e-9  # of a step: what lengths of windows may be off by


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
    return System(ctypes.addressof(struct), (struct, loaded, loads, tree))


def stepper(how: Integration, length: float) -> Stepper:
    """For a window of that length: steps no longer than asked for, and evenly."""
    whole = how.step * how.ratio
    wanted = length / whole * (1.0 - _NEAR)
    if not wanted < _MOST:
        raise SettingError(
            "integration: step",
            f"a window of {length:g} s takes {wanted:.3g} steps of {whole:g} s.",
            "Give a longer step.",
        )
    count = max(1, ceil(wanted))
    step = length / count / how.ratio
    if how.method != "nordsieck":
        return _STEPPERS[how.method](step, how.tolerance)
    last = how.corrector == "PECE"
    if how.ratio == 1:
        return Nordsieck(step, evaluate=last)
    form: Form = "paper" if how.multirate == "paper" else "residual"
    return Multirate(step, how.ratio, form, evaluate=last)


def shortened(how: Integration, window: Window) -> tuple[str, ...]:
    """A word where a step that is asked for is longer than the window."""
    whole = how.step * how.ratio
    if not how.fixed or whole <= window.h * (1.0 + _NEAR):
        return ()
    what = "the slow step" if how.ratio > 1 else "the step"
    return (
        f"{what}, {whole:g} s, is longer than the window: {window.h:g} s is taken, "
        f"with {how.ratio} steps in it.",
    )


_STEPPERS: Mapping[str, Callable[[float, float], Stepper]] = {
    "rk4": lambda step, _: RungeKutta4(step),
    "dormand-prince": lambda step, _: DormandPrince(step),
    "generalized-alpha": lambda step, _: GeneralizedAlpha(step),
    "dop853": lambda _, tolerance: Dop853(tolerance, tolerance),
    "radau": lambda _, tolerance: Radau(tolerance, tolerance),
    "cvode": lambda _, tolerance: Cvode(tolerance, tolerance),
}


def goes_on(memory: Vector, window: Window, method: Stepper) -> bool:
    """Whether a memory's history is good for a window: same steps, same time."""
    step = getattr(method, "step", 0.0)
    here = memory[START] + memory[COUNT] * memory[STEP]
    even = abs(memory[STEP] - step) <= _NEAR * step
    return bool(even and abs(here - window.t0) <= _NEAR * window.h)


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
