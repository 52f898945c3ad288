"""What an owner lets others see of a model, besides its ports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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

    def chosen(self, values: Mapping[str, T]) -> Mapping[str, T]:
        """Those observables that may be seen."""
        if isinstance(self.values, bool):
            return values if self.values else {}
        return {n: v for n, v in values.items() if n in self.values}

    def counted(self, stats: Mapping[str, float]) -> Mapping[str, float]:
        """Counts of the model; those of inner parts and joints would name them."""
        if self.notes:
            return stats
        return {n: v for n, v in stats.items() if "." not in n}


EVERYTHING = Published(True, True, True, True, True, True)
