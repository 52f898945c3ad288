"""Parameters, capabilities, passport: what a model says about itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bondline.core.port import Port, SignalPort


@dataclass(frozen=True, slots=True)
class Parameter:
    """A settable scalar, in SI units.

    With `choices` it is one of these words: the value is the word's place, from 0.
    """

    name: str
    value: float
    unit: str = "1"
    meaning: str = ""
    positive: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model can do; declared here, verified by the conformance kit."""

    repeatable: bool = True  # a window may be advanced twice from one state
    linear: bool = False  # outputs are affine in the port forces
    serialises: bool = True  # satisfies `Serialising`
    acceleration: bool = True  # motions carry accelerations
    one_step: bool = False  # a window is one implicit step: only ends of forces count
    mixed: bool = False  # some of its parts take one step a window, some do not
    coarse: bool = False  # a window is two or three implicit steps: too few to be exact
    weighs: bool = False  # meets a sum of the x, v, a it is told, not each of them
    superposes: bool = False  # satisfies `Affine`: one solve a window, then updates


@dataclass(frozen=True, slots=True)
class Passport:
    """What may be known of a kind of leaf before one is made."""

    kind: str
    meaning: str
    parameters: Mapping[str, Parameter]
    ports: Mapping[str, Port | SignalPort]
    capabilities: Capabilities
