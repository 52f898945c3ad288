"""How many times as long others take as we do, one line for each comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from multibody_ours import OWN
from multibody_row import Row
from rival_process import Done

_ONE_RATE = (f"PECE{OWN}", f"PEC{OWN}")
_CLASSES = ("floating", "6 joints", "tree")


def same_step_ratios(found: Mapping[Row, Done]) -> Iterator[str]:
    """With the steps of a table: one rate, our own kernel, by others."""
    for ours in found:
        if ours.code.name != "Bondline" or ours.method not in _ONE_RATE:
            continue
        for other in _others(found):
            if other.model == ours.model or ours.model == "floating":
                yield _line(ours, other, found)


def even_ratios(found: Mapping[Row, Done]) -> Iterator[str]:
    """At equal error: our quickest of each model, by others; general, then its own."""
    for model in _CLASSES:
        for own in (False, True):
            mine = [
                row
                for row in found
                if row.code.name == "Bondline"
                and row.model == model
                and row.method.endswith(OWN) == own
            ]
            if not mine:
                continue
            best = min(mine, key=lambda row: found[row].seconds)
            for other in _others(found):
                if other.model == model or model == "floating":
                    yield _line(best, other, found)


def _others(found: Mapping[Row, Done]) -> Iterable[Row]:
    return [row for row in found if row.code.name != "Bondline"]


def _line(ours: Row, other: Row, found: Mapping[Row, Done]) -> str:
    ratio = found[other].seconds / found[ours].seconds
    return f"= {ratio:8.1f} x  {ours.name}  before  {other.name}"
