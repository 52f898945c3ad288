"""Adams-Bashforth-Moulton of order 4 in the form of Nordsieck, kim2000 (19)-(33).

A history keeps y, h y', h²/2 y'' and h³/6 y''' of one time: a step is a Taylor step,
corrected by the rate at its end. `docs/theory/nordsieck.md` has the derivation.
"""

from __future__ import annotations

from dataclasses import dataclass

from bondline.errors import SettingError
from bondline.numerics.memory import (
    Advance,
    begun,
    call,
    steps_until,
    whole,
)
from bondline.numerics.systems import Array, System

ROWS, ALL_ROWS = 4, 6  # y and three scaled derivatives; two that tell the error


@dataclass(frozen=True, slots=True)
class Nordsieck:
    """Fixed steps, P(EC)ᵐ and a last E; started by two steps of RK4.

    The default, PECE, is stable up to ωh = 1.18 and damps a little. More corrections
    make undamped vibrations grow.
    """

    step: float
    corrections: int = 1
    evaluate: bool = True

    def __post_init__(self) -> None:
        checked_step("Nordsieck", self.step)
        checked_corrections("Nordsieck", self.corrections)

    def begin(self, system: System, t: float, y: Array) -> Array:
        """The memory of a start at `y`; also after a jump of loads."""
        return begun(t, y, self.step, (ALL_ROWS - 1) * system.size)

    def advance(self, system: System, memory: Array, t1: float) -> Advance:
        """Go on until `t1`, a whole number of steps."""
        memory = whole(system, memory, (ALL_ROWS - 1) * system.size)
        steps = steps_until(memory, t1)
        recipe = (self.corrections, int(self.evaluate))
        return call("nordsieck_steps", "iii", system, memory, steps, *recipe)


@dataclass(frozen=True, slots=True)
class PacedNordsieck:
    """PECE with steps as long as `relative` and `absolute` errors of each allow.

    A step at most doubles, and not within four steps of the last change; windows end
    on a step. Frequent changes cost an order.
    """

    relative: float
    absolute: float
    first: float = 0.0  # s; 0: found from the rates
    longest: float = float("inf")
    patience: int = 1_000_000  # steps in a window

    def __post_init__(self) -> None:
        checked_tolerances("PacedNordsieck", self.relative, self.absolute)

    def begin(self, system: System, t: float, y: Array) -> Array:
        """The memory of a start at `y`; also after a jump of loads."""
        return begun(t, y, self.first, (ALL_ROWS - 1) * system.size)

    def advance(self, system: System, memory: Array, t1: float) -> Advance:
        """Go on until exactly `t1`."""
        memory = whole(system, memory, (ALL_ROWS - 1) * system.size)
        limits = (self.relative, self.absolute, self.longest, self.patience)
        return call("nordsieck_until", "ddddi", system, memory, t1, *limits)


def checked_step(place: str, step: float) -> None:
    """Refuse steps that lead nowhere."""
    if not 0.0 < step < float("inf"):
        raise SettingError(
            f"{place}: step", f"it is {step:g} s.", "Give a time above 0."
        )


def checked_corrections(place: str, corrections: int) -> None:
    """Refuse a predictor alone: it is not of order 4."""
    if corrections < 1:
        raise SettingError(
            f"{place}: corrections", f"it is {corrections}.", "Give 1 or more."
        )


def checked_tolerances(place: str, relative: float, absolute: float) -> None:
    """Refuse tolerances that nothing meets."""
    if not (relative >= 1e-14 and absolute > 0.0):
        raise SettingError(
            f"{place}: tolerances",
            f"relative is {relative:g} and absolute {absolute:g}.",
            "Give a relative one of 1e-14 or more, and an absolute one above 0.",
        )
