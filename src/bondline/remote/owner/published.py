"""What an owner lets others see of a model, besides its ports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Published:
    """Nothing, unless it is named here."""

    values: bool | frozenset[str] = False  # observables: all, none, or these
    reactions: bool = False  # forces in inner joints
    shapes: bool = False  # what there is to draw
    notes: bool = False  # warnings, in the model's words
    parameters: bool = False  # names and values
    surfaces: bool = False  # outlines of the parts, at rest and moved
    energy: bool = False  # stored, dissipated and supplied, with every window
    counts: bool = False  # solves and iterations, with every window
    inner: bool = False  # counts of joints and inner parts: that there are any

    def chosen(self, values: Mapping[str, T]) -> Mapping[str, T]:
        """Those observables that may be seen."""
        if isinstance(self.values, bool):
            return values if self.values else {}
        return {n: v for n, v in values.items() if n in self.values}


EVERYTHING = Published(*[True] * len(fields(Published)))
