"""Two step sizes in one system, kim2000 (34)-(42), in the form of Nordsieck.

Fast variables take `ratio` steps while slow ones take one of H = ratio · step. At the
inner points slow values are extrapolated from their histories; `form` says how their
accelerations are told there:

paper     from the history too, (42): order 3, damps what couples fast and slow
residual  only what the fast forces do not cause is extrapolated
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bondline.errors import SettingError
from bondline.numerics.memory import (
    FORM,
    RATIO,
    Advance,
    begun,
    call,
    steps_until,
    whole,
)
from bondline.numerics.nordsieck import ROWS, checked_corrections, checked_step
from bondline.numerics.systems import Array, System

Form: TypeAlias = Literal["paper", "residual"]


@dataclass(frozen=True, slots=True)
class Multirate:
    """Fast variables with `step`, slow ones with `ratio` times as much.

    Ask `guard` whether a ratio is stable. Started by RK4 with the fast step over two
    slow ones.
    """

    step: float
    ratio: int
    form: Form = "residual"
    corrections: int = 1
    evaluate: bool = True

    def __post_init__(self) -> None:
        checked_step("Multirate", self.step)
        checked_corrections("Multirate", self.corrections)
        if self.ratio < 1:
            raise SettingError(
                "Multirate: ratio", f"it is {self.ratio}.", "Give 1 or more."
            )

    def begin(self, system: System, t: float, y: Array) -> Array:
        """The memory of a start at `y`; also after a jump of loads."""
        n_f, n_s = len(system.fast), len(system.slow)
        if not n_f or n_f + n_s != system.n_u:
            raise SettingError(
                "Multirate: system",
                f"of {system.n_u} velocities {n_f} are fast and {n_s} slow.",
                "Split them all, at least one of them fast.",
            )
        memory = begun(t, y, self.step, _more(system), self.ratio)
        memory[FORM] = float(self.form == "residual")
        return memory

    def advance(self, system: System, memory: Array, t1: float) -> Advance:
        """Go on until `t1`, a whole number of slow steps."""
        memory = whole(system, memory, _more(system))
        steps = steps_until(memory, t1, int(memory[RATIO]))
        recipe = (self.corrections, int(self.evaluate))
        return call("multirate_steps", "iii", system, memory, steps, *recipe)


def _more(system: System) -> int:
    """Numbers behind the state: rows of the history, and what the forms keep."""
    n_f, n_s = int(system.c.n_fast), int(system.c.n_slow)
    return (ROWS - 1) * system.size + 3 * (n_f + n_s) + n_f * n_s
