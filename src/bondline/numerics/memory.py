"""What an integrator carries from one window to the next: one flat array.

`kernels/c/memory.h` says what is in it. A memory is a value: advancing makes a new
one, so that a window can be taken back by keeping the old one, and a run that is cut
into windows gives the same bits as one that is not.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from bondline.errors import SettingError, UsageError
from bondline.kernels import function, pointer
from bondline.kernels.system import words
from bondline.numerics.systems import Array, System

HEAD = 8
START, STEP, COUNT, PHASE, SINCE, RATIO, WISH, FORM = range(HEAD)
_LOOSE = 1e-6  # of a step: what times of windows may be off by
_ROUND = 1e-14  # of all steps: what round-off makes of that in long runs


@dataclass(frozen=True, slots=True)
class Counts:
    """What a run took; `fast` counts the fast rows, alone or among all."""

    steps: int = 0
    full: int = 0
    fast: int = 0
    rejected: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.steps + other.steps,
            self.full + other.full,
            self.fast + other.fast,
            self.rejected + other.rejected,
        )


@dataclass(frozen=True, eq=False)
class Advance:
    """A new memory, and what it took to get there."""

    memory: Array
    counts: Counts


def begun(t: float, y: Array, step: float, more: int, ratio: int = 1) -> Array:
    """A memory at state `y` with `more` numbers behind it, all zero."""
    memory = np.zeros(HEAD + len(y) + more)
    memory[START], memory[STEP], memory[RATIO] = t, step, ratio
    memory[HEAD : HEAD + len(y)] = y
    return memory


def time_of(memory: Array) -> float:
    """The time a memory is at: start + count · step."""
    return float(memory[START] + memory[COUNT] * memory[STEP])


def state_of(system: System, memory: Array) -> Array:
    """y = (q, u) of a memory, a copy."""
    return memory[HEAD : HEAD + system.size].copy()


def whole(system: System, memory: Array, more: int) -> Array:
    """A memory of the size that `begun` made: kernels write that many numbers."""
    if memory.shape != (HEAD + system.size + more,):
        raise UsageError(
            "integrator",
            f"found a memory of {memory.size} numbers.",
            f"It should have {HEAD + system.size + more}: give what `begin` or "
            "`advance` of this method gave for this system.",
        )
    return memory


def steps_until(memory: Array, t1: float, each: int = 1) -> int:
    """How many runs of `each` steps lead to `t1`, which they must meet."""
    total = float((t1 - memory[START]) / memory[STEP])
    wanted = total - float(memory[COUNT])
    count = round(wanted / each)
    if count < 0 or abs(wanted - count * each) > max(_LOOSE, _ROUND * total):
        step = each * memory[STEP]
        raise SettingError(
            f"window from {time_of(memory):g} to {t1:g} s",
            f"it is {wanted / each:g} steps of {step:g} s long.",
            "Give a step that goes into the window a whole number of times.",
        )
    return count


def call(
    name: str, kinds: str, system: System, memory: Array, *given: float
) -> Advance:
    """Run an integrator `name(system, *given, memory, counts)` on a copy.

    `kinds` has a letter for each of `given`: `i` an integer, `d` a double. C takes what
    it finds, so the caller's types do not decide.
    """
    after, counts = memory.copy(), np.zeros(4, dtype=np.int64)
    run: Callable[..., int] = function(name, *_takes(kinds), own=system.library)
    told = [_KINDS[kind][1](x) for kind, x in zip(kinds, given, strict=True)]
    trouble = run(system.address, *told, pointer(after), pointer(counts))
    if trouble:
        raise ArithmeticError(f"at {time_of(after):g} s {words(trouble)}")
    return Advance(after, Counts(*counts.tolist()))


_KINDS: Mapping[str, tuple[type, Callable[[float], float]]] = {
    "i": (ctypes.c_int64, int),
    "d": (ctypes.c_double, float),
}


def _takes(kinds: str) -> list[type]:
    """System, settings, memory, counts."""
    each = [_KINDS[kind][0] for kind in kinds]
    return [ctypes.c_void_p, *each, ctypes.c_void_p, ctypes.c_void_p]
