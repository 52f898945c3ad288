"""Models reduced to their ports: Craig-Bampton, Guyan, and service inside a band."""

from __future__ import annotations

from bondline.leaves.fe.reduction.model import (
    ReducedModel,
    Wanted,
    reduce_model,
    reduced_leaf,
)
from bondline.leaves.fe.reduction.reduced import Reduced, craig_bampton, guyan
from bondline.leaves.fe.reduction.report import ReductionReport
from bondline.leaves.fe.reduction.service import band_limited

__all__ = [
    "Reduced",
    "ReducedModel",
    "ReductionReport",
    "Wanted",
    "band_limited",
    "craig_bampton",
    "guyan",
    "reduce_model",
    "reduced_leaf",
]
