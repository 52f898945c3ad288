"""What tests do with integrators: runs, orders, and maps of linear systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from bondline.numerics import Counts, Dop853, Multirate, Stepper, System, state_of
from bondline.numerics.memory import COUNT, HEAD, PHASE, START, STEP, time_of
from bondline.numerics.systems import Array


def history(
    method: Stepper, system: System, y0: Iterable[float], times: Iterable[float]
) -> tuple[Array, Counts]:
    """States at the start and at all times after 0, and what they took."""
    y, counts = np.array(list(y0), dtype=np.float64), Counts()
    memory, states = method.begin(system, 0.0, y), [y]
    for t in times:
        advance = method.advance(system, memory, float(t))
        memory, counts = advance.memory, counts + advance.counts
        states.append(state_of(system, memory))
    return np.array(states), counts


def end(method: Stepper, system: System, y0: Iterable[float], t1: float) -> Array:
    """The state after one window from 0."""
    return history(method, system, y0, [t1])[0][-1]


def exact(system: System, y0: Iterable[float], t1: float) -> Array:
    """The same to round-off."""
    return end(Dop853(1e-13, 1e-14), system, y0, t1)


def orders(
    method: Callable[[float], Stepper],
    system: System,
    y0: Iterable[float],
    t1: float,
    counts: Iterable[int],
) -> Array:
    """Fitted between neighbouring step counts, which double."""
    y0 = list(y0)
    right = exact(system, y0, t1)
    errors = np.array(
        [np.abs(end(method(t1 / n), system, y0, t1) - right).max() for n in counts]
    )
    return np.asarray(np.log2(errors[:-1] / errors[1:]))


def transition(method: Stepper, system: System, H: float) -> Array:
    """What a (macro) step makes of a complete history, of a linear system.

    What a history keeps of B is no part of it; that is constant, and was filled by a
    start.
    """
    begun = method.begin(system, 0.0, np.ones(system.size))
    base = method.advance(system, begun, 2.0 * H).memory
    free = len(base)
    if isinstance(method, Multirate):
        free -= len(system.slow) * len(system.fast)
    base[HEAD:free] = 0.0
    base[:HEAD] = begun[:HEAD]
    base[PHASE] = 2.0
    columns = []
    for j in range(HEAD, free):
        unit = base.copy()
        unit[j] = 1.0
        columns.append(method.advance(system, unit, H).memory[HEAD:free])
    return np.array(columns).T


def near(values: Array, wanted: complex) -> complex:
    """The one of them that is nearest."""
    return complex(values[np.argmin(np.abs(values - wanted))])


def rescaled(system: System, memory: Array, alpha: float) -> Array:
    """A complete history for steps `alpha` times as long: C(α) a of kim2000 (40).

    Growing by 1.6956 or more at every step makes parasitic solutions grow; after a
    change take four steps before the next, and at most double.
    """
    after, n = memory.copy(), system.size
    powers = alpha ** np.arange(5)
    after[HEAD : HEAD + 5 * n] *= np.repeat(powers, n)
    after[START], after[COUNT] = time_of(memory), 0.0
    after[STEP] = alpha * memory[STEP]
    return after


def step_error(system: System, memory: Array) -> Array:
    """Estimated error of the last step of PECE: 19/720 h⁵ y⁽⁵⁾ − 9/64 h⁵ ∂f/∂y y⁗.

    The first part is that of a corrector that is solved; the second, what one
    correction leaves, is the greater one in vibrations.
    """
    return memory[HEAD + 5 * system.size : HEAD + 6 * system.size].copy()
