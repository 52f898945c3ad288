"""Large masses by numbers, as model files set them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bondline.core import Parameter
from bondline.leaves.declared import as_set, declare
from bondline.leaves.large_mass.adapter import LargeMass
from bondline.leaves.large_mass.masses import Masses
from bondline.leaves.large_mass.weights import Weights
from bondline.leaves.spring_chain import SpringChain

DECLARED: Mapping[str, Parameter] = declare(
    Parameter("ratio", 0.0, "1", "large mass over the mass of the part; 0: chosen"),
    Parameter("radius", 0.05, "m", "of gyration of a large mass", positive=True),
    Parameter("weights", 5.0, "1", "T over the step in w = (1, 2/T, 1/T^2); 0: w1-w3"),
    Parameter("w1", 1.0, "1", "weight of accelerations, where weights = 0"),
    Parameter("w2", 0.0, "1/s", "weight of velocities, where weights = 0"),
    Parameter("w3", 0.0, "1/s**2", "weight of positions, where weights = 0"),
)


def on_large_masses(
    leaf: Any, values: Mapping[str, float], led: tuple[str, ...] = ()
) -> LargeMass:
    """The leaf on large masses; `values` set what `DECLARED` lists.

    Its own parameters and these are settable together.
    """
    own = as_set(str(leaf.name), DECLARED, values)
    p = {n: parameter.value for n, parameter in own.items()}
    fixed = None if p["weights"] else (p["w1"], p["w2"], p["w3"])
    return LargeMass(
        leaf,
        led,
        Masses(p["ratio"], p["radius"]),
        Weights(p["weights"] or 5.0, fixed),
        parameters={**leaf.parameters, **own},
    )


def led_chain(name: str, **values: float) -> LargeMass:
    """A chain of hardening springs, told the motion of both ends."""
    every = as_set(name, {**SpringChain.declared, **DECLARED}, values)
    numbers: dict[str, Any] = {n: parameter.value for n, parameter in every.items()}
    large = {key: numbers.pop(key) for key in DECLARED}
    return on_large_masses(SpringChain(name, **numbers), large)
