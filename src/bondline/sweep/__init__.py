"""Sweeps: many variants of one model, on many workers, in one record."""

from bondline.sweep.axes import Axis, Choice, Range, axis
from bondline.sweep.begin import Wanted, begin_sweep, checked
from bondline.sweep.drive import Watching, carry, take_up
from bondline.sweep.optimise import Best, Search, optimise
from bondline.sweep.pools import Dask, Here, Pool, local, scheduler
from bondline.sweep.record import (
    Standing,
    Sweep,
    Variant,
    all_sweeps,
    cancel,
    find_sweep,
    open_sweep,
)
from bondline.sweep.samplers import variants

__all__ = [
    "Axis",
    "Best",
    "Choice",
    "Dask",
    "Here",
    "Pool",
    "Range",
    "Search",
    "Standing",
    "Sweep",
    "Variant",
    "Wanted",
    "Watching",
    "all_sweeps",
    "axis",
    "begin_sweep",
    "cancel",
    "carry",
    "checked",
    "find_sweep",
    "local",
    "open_sweep",
    "optimise",
    "scheduler",
    "take_up",
    "variants",
]
