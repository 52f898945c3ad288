"""What reading a deck gives: a model, what can be set, what was to be computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bondline.core import Parameter
from bondline.leaves.fe.model import FeModel
from bondline.numerics import Method

Procedure: TypeAlias = Literal["static", "frequency", "dynamic"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a step of a deck asks for.

    `dt` and `t1` are the step size and end of a dynamic step, `alpha` that of the
    HHT method; `modes` is how many a frequency step wants. `t1` of a static step is
    the instant at which amplitudes are looked up.
    """

    kind: Procedure
    dt: float = 0.0
    t1: float = 1.0
    alpha: float = 0.0
    modes: int = 0
    name: str = ""


@dataclass(frozen=True, eq=False)
class Deck:
    """A deck as a model.

    `analysis` is that of the step whose loads and supports the model has, `steps` are
    all of them. `parameters` are what the deck lets one set. `notes` say what was
    passed over and how doubts were settled.
    """

    model: FeModel
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    analysis: Analysis | None = None
    steps: tuple[Analysis, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def method(self) -> Method:
        """How it steps through time: `fe_leaf(deck.model, …, method=deck.method)`.

        HHT's with the ALPHA of a dynamic step; else the trapezoidal rule.
        """
        step = self.analysis
        return Method.hht(step.alpha) if step and step.kind == "dynamic" else Method()
