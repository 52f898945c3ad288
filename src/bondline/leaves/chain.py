"""A row of equal masses, springs and dampers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import pi, sin

import numpy as np

from bondline.core import Causality, Parameter, Port, Vector
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.declared import as_set, declare
from bondline.leaves.structure import Structure
from bondline.numerics import LinearSystem

DECLARED: Mapping[str, Parameter] = declare(
    Parameter("masses", 3.0, "1", "how many masses in a row", positive=True),
    Parameter("mass", 1.0, "kg", "each mass", positive=True),
    Parameter("stiffness", 1e3, "N/m", "each spring between two masses"),
    Parameter("damping", 0.0, "N*s/m", "each damper between two masses"),
    Parameter("wall", 0.0, "N/m", "a spring from the first mass to the ground"),
    Parameter("force", 0.0, "N", "amplitude of the load on the last mass"),
    Parameter("frequency", 1.0, "Hz", "frequency of that load"),
    Parameter("origin", 0.0, "m", "where the first mass rests, for pictures"),
    Parameter("steps", 1.0, "1", "Newmark steps a window", positive=True),
)


def chain(name: str, led: Collection[str] = (), **values: float) -> Structure:
    """A chain with ports `left` and `right` at its ends, one dof each.

    The ports in `led` take motion, the others force. `values` set what `DECLARED`
    lists; the load on the last mass is force · sin(2π · frequency · t), in statics
    its amplitude.
    """
    parameters = as_set(name, DECLARED, values)
    p = {n: parameter.value for n, parameter in parameters.items()}
    n, steps = _whole(name, "masses", p), _whole(name, "steps", p)
    links = _links(n)
    K = p["stiffness"] * links
    K[0, 0] += p["wall"]
    system = LinearSystem(p["mass"] * np.eye(n), p["damping"] * links, K)
    ends = {"left": 0, "right": n - 1}

    def load(t: float) -> Vector:
        f = np.zeros(n)
        f[-1] = p["force"] * sin(2.0 * pi * p["frequency"] * t)
        return f

    static = np.zeros(n)
    static[-1] = p["force"]
    return Structure(
        name,
        system,
        select={port: np.eye(n)[[j]] for port, j in ends.items()},
        ports=ports(name, led),
        external=load if p["force"] else None,
        steps=steps,
        publish={f"{port}.x": j for port, j in ends.items()},
        parameters=parameters,
        rest=p["origin"] + np.arange(n, dtype=np.float64),
        static_load=static,
    )


def ports(name: str = "chain", led: Collection[str] = ()) -> dict[str, Port]:
    """The two ports of a chain; those in `led` take motion."""
    for port in led:
        if port not in ENDS:
            raise SettingError(
                f"{name}: led", f"no such port {port!r}.", did_you_mean(port, ENDS)
            )
    takes = {True: Causality.MOTION_IN, False: Causality.FORCE_IN}
    return {p: Port(p, ("x",), causality=takes[p in led]) for p in ENDS}


ENDS = ("left", "right")
LED: Mapping[str, tuple[str, ...]] = {
    "chain-xt": ("left",),
    "chain-tx": ("right",),
    "chain-xx": ENDS,
}
"""Kinds of chains by what their ends take, from the left: X motion, T force."""
PORTS = ports()


def _whole(name: str, key: str, values: Mapping[str, float]) -> int:
    value = values[key]
    if value < 1.0 or value != round(value):
        raise SettingError(
            f"{name}.{key}",
            f"{value:g} is not a whole number above 0.",
            f"Give {max(1, round(value))}, for example.",
        )
    return round(value)


def _links(n: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Stiffness matrix of n − 1 unit springs in a row."""
    links = np.zeros((n, n))
    for i in range(n - 1):
        links[i : i + 2, i : i + 2] += [[1.0, -1.0], [-1.0, 1.0]]
    return links
