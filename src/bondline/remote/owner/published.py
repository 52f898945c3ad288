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
        """Counts of a leaf; those of joints and inner parts would tell of them.

        So would how often inner parts were asked: a window of an assembly is one solve.
        """
        if self.notes or not _of_an_assembly(stats):
            return stats
        return {"solves": 1.0} if "solves" in stats else {}


def _of_an_assembly(stats: Mapping[str, float]) -> bool:
    return "sweeps" in stats or any("." in n for n in stats)


EVERYTHING = Published(True, True, True, True, True, True)
