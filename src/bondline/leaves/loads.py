"""Port forces inside a window, quick to evaluate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn, TypeAlias

import numpy as np

from bondline.core import Port, Signal, SignalPort, Vector, Window
from bondline.errors import UsageError, did_you_mean

Force: TypeAlias = Callable[[float], tuple[float, ...]]


def check_inputs(
    name: str, ports: Mapping[str, Port | SignalPort], inputs: Mapping[str, Signal]
) -> None:
    """`UsageError` for inputs at ports that are not there, or of another size."""
    for key, signal in inputs.items():
        _check(name, ports, key, signal.coefficients.shape[1])


def check_forces(
    name: str, ports: Mapping[str, Port | SignalPort], forces: Mapping[str, Vector]
) -> None:
    """The same for forces at one instant."""
    for key, force in forces.items():
        _check(name, ports, key, np.size(force))


def _check(
    name: str, ports: Mapping[str, Port | SignalPort], key: str, found: int
) -> None:
    port = ports.get(key)
    if port is None:
        raise UsageError(
            f"{name}: inputs", f"no port {key!r}.", did_you_mean(key, ports)
        )
    if found != port.size:
        _refuse(f"{name}.{key}", found, port.size)


def _refuse(place: str, found: int, size: int) -> NoReturn:
    raise UsageError(
        place,
        f"an input of {found} numbers; the port has {size}.",
        "Give one for each of its dofs, node by node.",
    )


def polynomial(signal: Signal | None, window: Window, size: int) -> Force:
    """The force as a function of time, in plain floats; zero without a signal."""
    if signal is None:
        zero = (0.0,) * size
        return lambda t: zero
    if signal.coefficients.shape[1] != size:
        _refuse("force", signal.coefficients.shape[1], size)
    rows = [tuple(row) for row in signal.coefficients.tolist()]
    if len(rows) == 1:
        only = rows[0]
        return lambda t: only

    def horner(t: float) -> tuple[float, ...]:
        s = (t - window.t0) / window.h
        value = rows[-1]
        for row in rows[-2::-1]:
            value = tuple(a * s + b for a, b in zip(value, row, strict=True))
        return value

    return horner


def pressed(force: Vector | None, size: int) -> tuple[float, ...]:
    """A force at one instant, in plain floats; zero without one."""
    if force is None:
        return (0.0,) * size
    if len(force) != size:
        _refuse("force", len(force), size)
    return tuple(force.tolist())
